#!/bin/bash
# riptide halftone --socket: the dots are the same through the daemon, also if it is
# killed on the way; a daemon that is not there, or halftones no faster than we do,
# is an error, since it was asked for by name.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

halftone() { timeout 300 "$riptide" halftone "$@"; }

refuses() # WORDS ARGUMENT...
{
	refuses_with 1 "$1" "$riptide" halftone "${@:2}"
}

# The daemon's status says that.
daemon_has() # REGULAR-EXPRESSION
{
	"$riptide" status --socket socket --json | grep -Eq "$1"
}

picture() # WIDTH HEIGHT BYTES: noise, the same every time
{
	printf 'P5 %d %d %d\n' "$1" "$2" $((256 ** $3 - 1))
	seq 1 $(($1 * $2 / 100)) | cksum | cut -d ' ' -f 1 >seed
	head -c $(($1 * $2 * $3)) < <(seq "$(cat seed)" 7 99999999999 | tr '0-9\n' '\3\101-\111s')
}

picture 1237 900 1 >grey.pgm
picture 333 700 2 >deep.pgm
seq 65535 -257 0 >curve

start_daemon --device cpu
for options in "" "--levels 4" "--screen stucki --levels 16" "--start zero" "--curve curve" \
	"--band 17" "--screen atkinson --curve curve --method ed"; do
	for image in grey deep; do
		# shellcheck disable=SC2086
		halftone $options $image.pgm >here || complain "$options $image: fails here"
		# shellcheck disable=SC2086
		halftone --socket socket $options $image.pgm >there 2>said ||
			complain "$options $image: fails there: $(cat said)"
		[[ ! -s said ]] || complain "$options $image: said $(cat said)"
		cmp here there || complain "$options $image: other dots through the daemon"
	done
done
daemon_has '"jobs": ?14[,}]' ||
	complain "the daemon did not do it: $("$riptide" status --socket socket --json)"
stop_daemon

# Chunked pixels go to a GPU as they are, from TIFF and from Ghostscript for pdftoriptide: the dots
# are the same.
python3 - >cmyk.tif <<'END'
import random, struct, sys
width, height, at = 333, 250, 134
tags = [(256, 3, 1, width), (257, 3, 1, height), (258, 3, 4, at), (259, 3, 1, 1), (262, 3, 1, 5),
        (273, 4, 1, at + 8), (277, 3, 1, 4), (278, 3, 1, height), (279, 4, 1, width * height * 4),
        (284, 3, 1, 1)]
out = struct.pack("<2sHIH", b"II", 42, 8, len(tags))
out += b"".join(struct.pack("<HHII", *tag) for tag in tags)
out += struct.pack("<I4H", 0, 8, 8, 8, 8)
random.seed(1)
sys.stdout.buffer.write(out + random.randbytes(width * height * 4))
END
cat >cmyk.ps <<'END'
%!PS
<< /PageSize [300 240] >> setpagedevice
0 1 79 { /i exch def i 79 div .3 .6 i 160 div setcmykcolor 0 i 3 mul 300 3 rectfill } for showpage
END
no_jail
if have gs && have ppdc; then
	gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=cmyk.pdf cmyk.ps
	ppdc -d . "$source/ppd/riptide.drv"
fi
filters=$build
ln -s "$build/tests/daemon/riptided-faulty" riptided
RIPTIDE_TEST_GPU="every-screen" build=$folder start_daemon --device gpu
while IFS='|' read -r options job; do
	for where in none socket; do
		# shellcheck disable=SC2086
		halftone --socket $where $options --composite -o $where.tif cmyk.tif ||
			complain "TIFF, socket $where, $options"
		[[ ! -e cmyk.pdf ]] || PPD=riptide-raster.ppd RIPTIDE_SOCKET=$where timeout 120 \
			"$filters/pdftoriptide" 1 user title 1 \
			"ColorModel=CMYK Resolution=600dpi $job" cmyk.pdf >$where.ras 2>said ||
			complain "PDF, socket $where, $job: $(cat said)"
	done
	for kind in tif ras; do
		[[ ! -e none.$kind ]] || cmp none.$kind socket.$kind ||
			complain "$kind, $options: other dots"
	done
done <<'END'
|
--ink-limit 240|halftone-ink-limit=240
--printer laser --ink-limit 150|halftone-dot-gain=laser halftone-ink-limit=150
--screen blue-noise-colour|halftone-screen=blue-noise-colour
END
pages=$([[ -e cmyk.pdf ]] && echo 8 || echo 4)
daemon_has "\"placed_pages\":\{\"gpu\":$pages,\"cpu\":0" ||
	complain "not on the GPU: $("$riptide" status --socket socket --json)"
stop_daemon

# --band is what the daemon gets.
start_daemon --device cpu
halftone --socket socket --band 100 grey.pgm >there
daemon_has '"bands": ?9[,}]' || complain "not 9 bands: $("$riptide" status --socket socket --json)"
stop_daemon

# Killed on the way: the rest is done here, with a warning.
halftone --socket none grey.pgm >here
start_daemon --device cpu
mkfifo slow
halftone --socket socket --band 8 slow >there 2>said &
client=$!
exec 5>slow
head -c 600000 grey.pgm >&5
wait_for 60 daemon_has '"rows":[1-9]' || complain "killed on the way: the daemon gets no rows"
stop_daemon KILL
tail -c +600001 grey.pgm >&5
exec 5>&-
wait $client || complain "killed on the way: fails: $(cat said)"
cmp here there || complain "killed on the way: other dots"
(($(wc -l <said) <= 1)) || complain "killed on the way: said $(cat said)"

# What cannot be had.
refuses "socket" --socket "$folder/socket" grey.pgm
refuses "socket" --socket "$folder/missing/socket" grey.pgm
refuses "" --socket "$folder/$(printf '%0200d' 0)" grey.pgm
if ! "$build/riptide" bench --device gpu --sizes 64 >/dev/null 2>&1; then
	start_daemon --device auto
	refuses "no accelerator" --socket socket grey.pgm
	stop_daemon
fi

finish
