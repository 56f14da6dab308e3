#!/bin/bash
# rastertofoomatic with commands of our own: the request arrives whatever descriptors are open, and
# what cannot be right is refused.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
export PPD=$folder/queue.ppd

make_ppd() # COMMAND SETTING
{
	small_ppd "*FoomaticRIPCommandLine: \"$1\"" '*FoomaticRIPOption Fixed: enum CmdLine A 100' \
		"*FoomaticRIPOptionSetting Fixed=One: \"$2\"" >queue.ppd
}

foomatic() # FILE
{
	run rastertofoomatic "" "$1"
}

refused() # WHAT WORDS FILE
{
	foomatic "$3" && complain "$1: not refused"
	grep -q "^ERROR: .*$2" err || complain "$1: $(cat err)"
	[[ ! -e ran ]] || complain "$1: the command ran"
}

# A page of 400 x 300 black dots: uncompressed CUPS raster.
python3 - >dots.ras <<'END' || exit 99
import sys
from pictures import raster_header
header = raster_header("=", 400, 300, 1, 3, dpi=600)
sys.stdout.buffer.write(b"RaS3" if sys.byteorder == "big" else b"3SaR")
sys.stdout.buffer.write(header + bytes([0x5a]) * 15000)
END

command='gs -sDEVICE=pbmraw -sOutputFile=- -%A | cat'
make_ppd "$command" " -q"
foomatic dots.ras || complain "a page: $(cat err)"
mv dots expected
[[ $(head -c 2 expected) == P4 ]] || complain "no PBM comes out"
for ((most = 4; most < 10; most++)); do
	for ((i = 4; i <= most; i++)); do
		eval "exec $i</dev/null"
	done
	foomatic dots.ras || complain "descriptors 4 to $most are open: $(cat err)"
	cmp expected dots || complain "descriptors 4 to $most are open: other data"
done
for ((i = 4; i < 10; i++)); do
	eval "exec $i<&-"
done

# cupsImagingBBox is no number, or a very large one.
for bytes in '\377\377\377\377' '\177\160\177\160' '\160\177\160\177'; do
	cp dots.ras box.ras
	# shellcheck disable=SC2059
	printf "$bytes" | dd of=box.ras bs=1 seek=440 conv=notrunc status=none
	refused "the box $bytes" "cupsImagingBBox begins at" box.ras
done

# What is too long is not cut.
long=$(printf 'x%.0s' {1..150})
long=$(for ((i = 0; i < 30; i++)); do echo "$long&&"; done)x # folded lines
make_ppd "touch ran; gs -sDEVICE=pbmraw -sOutputFile=- - | cat; : $long" ""
refused "a long command" "longer than 4095 bytes" dots.ras
make_ppd "touch ran; gs -sDEVICE=pbmraw -sOutputFile=- -%A | cat" " ; : $long"
refused "a long setting" "longer than 4095 bytes" dots.ras
# shellcheck disable=SC2016 # the command's
make_ppd 'gs -sDEVICE=pbmraw -sOutputFile=- $(seq 5000) | cat' ""
refused "long arguments" "more than 16384 bytes of arguments" dots.ras

# CUPS's filters are programs for the command, however long PATH is.
mkdir -p bin/filter
printf '#!/bin/sh\nexec cat\n' >bin/filter/encoder
chmod 755 bin/filter/encoder
make_ppd "gs -sDEVICE=pbmraw -sOutputFile=- -%A | encoder" " -q"
CUPS_SERVERBIN=$folder/bin PATH=$PATH:/$(printf 'x%.0s' {1..9000}) foomatic dots.ras ||
	complain "a long PATH: $(cat err)"
cmp expected dots || complain "a long PATH: other data"
finish
