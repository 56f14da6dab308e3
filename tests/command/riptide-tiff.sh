#!/bin/bash
# riptide halftone with TIFF files that are wrong, hostile or unusual; what the output files say and
# when they appear; and what libtiff's tools and Ghostscript make of them.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

need python3

# tiff NAME PAGE...: a file without compression.  A page is TAG=NUMBER[,NUMBER...] or TAG="TEXT"
# with blanks between, | for NUL; data=BYTES, so many zeros as its pixels; and tail=BYTES, so many
# at the end of the file, as a hole.  Without other tags it is 40 x 30 pixels of grey, 8 bits, in
# one strip.
tiff()
{
	python3 - "$@" <<-'END'
	import shlex, struct, sys

	names = dict(kind=254, width=256, height=257, bits=258, compression=259,
	             photometric=262, offsets=273,
	             orientation=274, samples=277, rows=278, counts=279, xres=282, yres=283,
	             planar=284, page=285, unit=296, number=297, colormap=320,
	             tilewidth=322, tileheight=323, tiles=324,
	             tilecounts=325, inkset=332, inks=333, extra=338, format=339)
	shorts = ('bits photometric samples planar compression number unit orientation extra '
	          'format '
	          'inkset colormap').split()

	def body_of(name, value):
	    if isinstance(value, str):
	        return 2, len(value), value.encode()
	    if name in ('xres', 'yres'):
	        return 5, 1, struct.pack('<2I', value[0], 1)
	    if name in shorts:
	        return 3, len(value), struct.pack('<%dH' % len(value), *value)
	    return 4, len(value), struct.pack('<%dI' % len(value), *value)

	out = bytearray(b'II*\0\0\0\0\0')
	link, tail = 4, None
	for page in sys.argv[2:]:
	    tags = dict(width=[40], height=[30], bits=[8], photometric=[1], samples=[1])
	    size = None
	    for word in shlex.split(page):
	        name, value = word.split('=', 1)
	        if name == 'data':
	            size = int(value)
	        elif name == 'tail':
	            tail = int(value)
	        elif name == 'colormap':
	            tags[name] = [0] * 768
	        elif value[:1].isdigit():
	            tags[name] = [int(v) for v in value.split(',')]
	        elif value:
	            tags[name] = value.replace('|', '\0') + '\0'
	        else:
	            del tags[name]
	    line = (tags['width'][0] * tags['samples'][0] * tags['bits'][0] + 7) // 8
	    full = line * tags['height'][0]
	    if tail is None:
	        tags.setdefault('offsets', [len(out)])
	        out += bytes((full if size is None else size) + 3 & ~3)
	    if 'tiles' in tags:
	        tags.pop('offsets', 0)
	    else:
	        tags.setdefault('counts', [min(full, 2 ** 32 - 1)])
	    directory = len(out) + 2 + 12 * (len(tags) + (tail is not None)) + 4
	    if tail is not None:
	        tags['offsets'] = [directory + 4096]
	    entries, extra = bytearray(), bytearray()
	    for name in sorted(tags, key=lambda n: names[n]):
	        kind, count, body = body_of(name, tags[name])
	        entries += struct.pack('<HHI', names[name], kind, count)
	        if len(body) > 4:
	            entries += struct.pack('<I', directory + len(extra))
	            extra += body + bytes(-len(body) % 2)
	        else:
	            entries += body.ljust(4, b'\0')
	    out[link:link + 4] = struct.pack('<I', len(out))
	    link = len(out) + 2 + len(entries)
	    out += struct.pack('<H', len(tags)) + entries + bytes(4) + extra
	with open(sys.argv[1], 'wb') as file:
	    file.write(out)
	    if tail is not None:
	        file.truncate(directory + 4096 + tail)
	END
}

# What must fail with one line that has these words, and leave nothing.
refuses() # WORDS ARGUMENT...
{
	fails_with 1 "$1" "$riptide" halftone -o out.tif "${@:2}"
}

# A file that must be refused.
wrong() # WORDS PAGE...
{
	tiff wrong.tif "${@:2}"
	refuses "$1" wrong.tif
}

works() # ARGUMENT...
{
	does "$riptide" halftone "$@"
}

tiff good.tif ""
works -o out.tif good.tif
[[ -f out.tif ]] || complain "there is no output"
rm -f out.tif

# --- files that are read stay, also under a plate's name ---
tiff four.tif "photometric=5 samples=4 bits=8,8,8,8"
seq 0 257 65535 >curve
ln -s good.tif link.tif
ln good.tif hard.tif
cp good.tif 'p(Cyan).tif'
ln -s ../"${folder##*/}"/curve 'q(Yellow).tif'
sha256sum good.tif four.tif curve 'p(Cyan).tif' >sums
for name in good.tif link.tif hard.tif; do
	refuses "cannot write $name: it is the input: name another file with -o" -o $name good.tif
done
refuses "cannot write four.tif: it is the input" --composite -o four.tif four.tif
refuses "cannot write p(Cyan).tif: it is the input" --plane-names Cyan -o p.tif 'p(Cyan).tif'
refuses "cannot write q(Yellow).tif: it is the curve" --curve curve -o q.tif four.tif
sha256sum --quiet -c sums || complain "an input has changed"
[[ ! -e 'q(Cyan).tif' ]] || complain "a plate is written although another cannot be"
rm -f link.tif hard.tif p\(* q\(*

# --- what is no image for us ---
wrong "is RGB: separate it into inks first, with tiff2pdf" "photometric=2 samples=3 bits=8,8,8"
cp wrong.tif 'a name.tif'
refuses "a name.tif is RGB: separate it into inks first, with tiff2pdf -o page.pdf IN.tif and" \
	'a name.tif'
refuses "tiff2pdf -o page.pdf IN.tif and" <wrong.tif
wrong "is RGB: separate it into inks first" "photometric=6 samples=3 bits=8,8,8" \
	# YCbCr as RGB, which is refused
wrong "has a palette: convert it to grey or CMYK" "photometric=3 colormap=1"
# CMYK would be no scan.
fails_with 1 "has a palette: convert it to RGB" "$riptide" calibrate -o out.cal wrong.tif
wrong "has colours of TIFF's kind 8" "photometric=8 samples=3 bits=8,8,8"
wrong "does not say what its colours are" "photometric="
wrong "has 6 bits a sample" "bits=6"
wrong "has 32 bits a sample" "bits=32"
wrong "not plain unsigned numbers" "format=2"
wrong "transparency" "samples=2 bits=8,8 extra=2"
wrong "transparency" "photometric=5 samples=5 bits=8,8,8,8,8 extra=2"
wrong "at most 15" "photometric=5 samples=16 bits=8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8"
wrong "page 2 has other inks" "" "photometric=5 samples=4 bits=8,8,8,8"
wrong "no pages, only previews" "kind=1"
wrong "cannot decode TIFF's compression 999" "compression=999"
refuses_with 1 "name it with -o" "$riptide" halftone good.tif
refuses "--composite is only for TIFF" --composite <(printf 'P5 1 1 255\na')
refuses "cannot be read from a pipe" < <(cat good.tif)
works -o out.tif <good.tif
rm -f out.tif

tiff mixed.tif "" "photometric=5 samples=4 bits=8,8,8,8"
refuses "mixed.tif: page 2 has 4 inks, and --ink is only for one" --composite --ink cyan mixed.tif
works --levels 4 -o levels.tif good.tif
refuses "levels.tif has dots of riptide's already, with 2 bits" levels.tif

# --- damaged, truncated and hostile files ---
wrong "damaged TIFF: row 16 is not in the file" "rows=15 offsets=8,608 counts=600,10"
wrong "is truncated: it ends in row 29 of 30" "tail=1159"
wrong "damaged TIFF" "width=0 data=8"
wrong "at most 16777215 columns" "width=20000000 data=8 offsets=8 counts=8"
wrong "takes more than 64 MiB" \
	"width=16777215 photometric=5 samples=8 bits=16,16,16,16,16,16,16,16 \
data=8 offsets=8 counts=8"
wrong "take too much memory" "tilewidth=1048576 tileheight=1048576 tiles=8 tilecounts=8 data=8"
wrong "take too much memory" \
	"width=16777215 tilewidth=16 tileheight=4096 tiles=8 tilecounts=8 data=8 samples=1"
wrong "damaged TIFF" "compression=5 data=8 offsets=8 counts=8 rows=30" # LZW of zeros
wrong "damaged TIFF" "compression=8 data=8 offsets=8 counts=8 rows=30"
wrong "damaged TIFF" "compression=7 data=8 offsets=8 counts=8 rows=30"
wrong "damaged TIFF" "compression=4 bits=1 data=8 offsets=8 counts=8 rows=30"
head -c 8 good.tif >cut.tif
refuses "riptide: cut.tif: damaged TIFF: Can not read TIFF directory count" cut.tif
for size in 4 9 100 1000 1250; do
	head -c $size good.tif >cut.tif
	refuses "" cut.tif
done
printf 'II*\0\10\0\0\0\1\0\0\1\3\0\1\0\0\0\1\0\0\0\10\0\0\0' >loop.tif # its own next page
refuses "" loop.tif
# A strange tag is a warning, at the end, and the image comes out.
tiff strange.tif "xres=0 yres=0 tilecounts=5"
"$riptide" halftone -o out.tif strange.tif 2>stderr || complain "a strange tag: $(cat stderr)"
(($(wc -l <stderr) <= 1)) || complain "several warnings: $(cat stderr)"
rm -f out.tif

# --- names ---
four="photometric=5 samples=4 bits=8,8,8,8"
names() # EXPECTED ARGUMENT...
{
	local expected=$1
	shift
	works "$@"
	[[ $(find . -name 'out*' -printf '%f\n' | LC_ALL=C sort | paste -sd' ') == "$expected" ]] ||
		complain "$*: $(find . -name 'out*' | sort | paste -sd' ')"
	rm -f out*
}
tiff four.tif "$four"
tiff inks.tif 'photometric=5 samples=3 bits=8,8,8 inkset=2 inks="PANTONE 186 C|a/b|Black"'
tiff twins.tif 'photometric=5 samples=2 bits=8,8 inkset=2 inks="a/b|a_b"'
names "out(Black).tif out(Cyan).tif out(Magenta).tif out(Yellow).tif" -o out.tif four.tif
names "out(Black).TIFF out(PANTONE 186 C).TIFF out(a_b).TIFF" -o out.TIFF inks.tif
# Names that are nearly an ink's: said once, and nothing else changes.
tiff near.tif 'photometric=5 samples=4 bits=8,8,8,8 inkset=2 inks="Cyn|Orange|k|Blak"' \
	'photometric=5 samples=4 bits=8,8,8,8 inkset=2 inks="Cyn|Orange|k|Blak"'
"$riptide" halftone -o out.tif near.tif 2>stderr || complain "near.tif: $(cat stderr)"
[[ $(cat stderr) == 'riptide: WARNING: near.tif: the ink "Cyn" is not taken for Cyan
riptide: WARNING: near.tif: the ink "Blak" is not taken for Black' ]] ||
	complain "near.tif says $(cat stderr)"
[[ $(ls out*) == $'out(Blak).tif\nout(Cyn).tif\nout(Orange).tif\nout(k).tif' ]] ||
	complain "near.tif makes $(ls out*)"
rm -f out*
names "out(Black) out(Cyan) out(Magenta) out(Yellow)" -o out four.tif
names "out(c).tif out(k).tif out(m).tif out(y).tif" -o out.tif --plane-names c,m,y,k four.tif
names "out(x).tif" -o out.tif --plane-names x good.tif
names "out.tif" -o out.tif --composite four.tif
refuses "inks 1 and 2 would both be written to out(a_b).tif" twins.tif
refuses "has no name for plane 3 of 4" --plane-names c,m four.tif
refuses "has no name for plane 2 of 4" --plane-names c,,y,k four.tif
refuses "more names than the image has planes (4)" --plane-names c,m,y,k,x four.tif
for option in "--compression g3" "--compression g4 --levels 3" "--composite --plane-names a"; do
	# shellcheck disable=SC2086
	fails_with 2 "" "$riptide" halftone -o out.tif $option four.tif
done

# What -o names cannot be the name of a file: no plates appear beside it.
mkdir od
ln -s /dev/null device
ln -s /dev/fd/3 link
for name in od od/ new/ device link /dev/fd/3 /proc/self/fd/3 "/proc/$$/fd/1"; do
	fails_with 1 ": name a file with -o" "$riptide" halftone -o "$name" four.tif 3>>opened
	[[ -z $(find . -name '*(*') ]] || complain "-o '$name': plates appear"
done
refuses "TIFF needs a regular file" -o /dev/fd/3 good.tif 3>>opened
rm -rf od device link opened

# --- all files or none ---
echo before >'out(Yellow).tif'
mkdir 'out(Black).tif'
"$riptide" halftone -o out.tif four.tif 2>stderr && complain "a folder was replaced"
rmdir 'out(Black).tif'
[[ $(wc -l <stderr) == 1 ]] || complain "a folder in the way: $(cat stderr)"
[[ $(cat out*) == before && $(find . -name 'out*') == './out(Yellow).tif' ]] ||
	complain "a folder in the way: left $(find . -name 'out*')"
rm -f out*
tiff pages.tif "$four" "$four compression=5 data=8 offsets=8 counts=8 rows=30"
refuses "damaged TIFF" pages.tif
if [[ -w /dev/full ]]; then
	refuses "TIFF needs a regular file" -o /dev/full good.tif
fi
tiff large.tif "width=3000 height=3000"
(
	ulimit -f 40
	trap '' XFSZ
	refuses "File too large" --compression none large.tif
	exit $failed
) || failed=1
ulimit -c 0
# How many files of this folder a process writes, with or without a name.
unfinished() # PID
{
	find "/proc/$1/fd" -lname "$(pwd -P)/out(*" -o -lname "$(pwd -P)/*(deleted)" 2>/dev/null |
		wc -l
}
for signal in INT TERM QUIT; do
	tiff slow.tif "width=100000 height=100000 tail=4200000000 photometric=5 samples=4 \
bits=8,8,8,8"
	env --default-signal=INT,QUIT "$riptide" halftone --threads 1 -o out.tif slow.tif 2>stderr &
	pid=$!
	wait_for 20 eval '(($(unfinished "$pid") == 4))' ||
		complain "SIG$signal: there were never four files: $(ls -l "/proc/$pid/fd")"
	kill -s "$signal" "$pid" 2>/dev/null ||
		complain "SIG$signal: it ended before: $(cat stderr)"
	wait "$pid" 2>/dev/null
	[[ -z $(find . -name 'out*') ]] || complain "SIG$signal: left $(find . -name 'out*')"
	rm -f slow.tif out*
done

# --- what the files say ---
tiff paper.tif 'xres=118 yres=236 unit=3 orientation=6 page="Page 1" number=0,2' \
	'width=50 xres=600 yres=600 page="Page 2" number=1,2' "kind=1 width=8"
works -o out.tif paper.tif
if part "tiffinfo is not installed (libtiff-tools)" tiffinfo; then
	said=$(tiffinfo out.tif 2>&1)
	for words in "Resolution: 118, 236 pixels/cm" "row 0 rhs, col 0 top" "PageName: Page 1" \
		"Page Number: 0-2" "Image Width: 50" "PageName: Page 2" \
		"Resolution: 600, 600 pixels/inch" \
		"Compression Scheme: LZW" "min-is-black"; do
		[[ $said == *"$words"* ]] || complain "tiffinfo does not say $words: $said"
	done
	[[ $(grep -c "TIFF directory" <<<"$said") == 2 ]] || complain "not two pages: $said"
	works -o out.tif --composite inks.tif
	said=$(tiffinfo -D out.tif 2>&1)
	[[ $said == *"Ink Names: PANTONE 186 C, a/b, Black"* && $said == *"Samples/Pixel: 3"* ]] ||
		complain "tiffinfo of a composite: $said"
	# Every compression decodes to the same.
	python3 -c 'import os; os.write(1, b"P5 333 222 255\n" + os.urandom(333 * 222))' >noise.pgm
	"$riptide" halftone -o noise.pbm noise.pgm
	python3 - noise.pgm noise.tif <<-'END'
	import struct, sys
	data = open(sys.argv[1], 'rb').read()[-333 * 222:]
	tags = [(256, 333), (257, 222), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1),
	        (278, 222), (279, len(data))]
	directory = struct.pack('<H', len(tags))
	directory += b''.join(struct.pack('<HHII', t, 4, 1, v) for t, v in tags) + bytes(4)
	start = b'II*\0' + struct.pack('<I', 8 + len(data))
	open(sys.argv[2], 'wb').write(start + data + directory)
	END
	for compression in lzw packbits g4 deflate none; do
		works --compression $compression -o $compression.tif noise.tif
		tiffcp -c none $compression.tif raw.tif ||
			complain "tiffcp does not read $compression"
		python3 - <<-'END' || complain "$compression has other dots"
			raw = open("raw.tif", "rb").read()
			bits = open("noise.pbm", "rb").read()[-222 * 42:]
			# 1 is black in PBM, and white here
			want = bytes(b ^ (255 if i % 42 < 41 else 0xf8) for i, b in enumerate(bits))
			raise SystemExit(want not in raw)
		END
	done
	rm -f out.tif
fi

# --- memory: rows, not images ---
if (ulimit -v 300000 && "$riptide" --version) >/dev/null 2>&1; then
	ulimit -v 300000
	tiff claim.tif "width=100000 height=100000 rows=1 data=8 offsets=8 counts=8"
	refuses "" claim.tif
	wrong "is truncated: it ends in row 1 of 40000" "width=100000 height=40000 tail=9"
	tiff tall.tif "width=1000 height=100000 tail=100000000"
	works --threads 1 -o out.tif tall.tif
else
	echo "memory is not tested: this build does not run under a limit"
fi

finish
