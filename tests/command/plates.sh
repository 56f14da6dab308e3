#!/bin/bash
# Plates, as the manual makes them: Ghostscript separates a page with a spot colour, riptide makes
# the dots of each ink, and libtiff's tools and Ghostscript read them.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

for program in gs tiffcp tiffinfo tiff2pdf; do
	command -v $program >/dev/null || leave_out "$program is not installed"
done
((left_out)) && finish

# Steps of each ink, and of two inks together.
cat >page.ps <<'END'
%!PS
<</PageSize [96 96]>> setpagedevice .96 dup scale
0 1 9 { /i exch def
    i 10 div 0 0 0 setcmykcolor i 10 mul 80 10 20 rectfill
    0 0 0 i 10 div setcmykcolor i 10 mul 60 10 20 rectfill
    0 i 10 div i 20 div 0 setcmykcolor i 10 mul 40 10 20 rectfill
    [/Separation (PANTONE 186 C) /DeviceCMYK { dup 0 exch dup .8 mul exch .2 mul }] setcolorspace
    i 10 div setcolor i 10 mul 20 10 20 rectfill
} for
showpage
END
draw pdfwrite 720 page.pdf page.ps || complain "no PDF"

# The manual's own lines.
PATH=$build:$PATH
sed -n '/^gs.*tiffsep.*page\.pdf$/,/^done$/p' "$source/man/riptide-halftone.1.in" |
	sed 's/\\-/-/g' >recipe
grep -q '^done' recipe || complain "the manual has no recipe"
bash -eu ./recipe >said 2>&1 || complain "the recipe fails: $(cat said)"

# The bytes of the image, without compression, in one strip.
raw() # FILE
{
	tiffcp -c none -r 1000000 "$1" raw.tif && python3 -c '
import struct, sys
b = open("raw.tif", "rb").read()
at, = struct.unpack_from("<I", b, 4)
n, = struct.unpack_from("<H", b, at)
tags = {}
for i in range(n):
    tag, kind, count, value = struct.unpack_from("<HHII", b, at + 2 + 12 * i)
    tags[tag] = value & 0xffff if kind == 3 else value
assert tags[278] >= tags[257], "several strips"
sys.stdout.buffer.write(b[tags[273]:tags[273] + tags[279]])'
}

# The ink in per mille: of 8-bit samples, or of dots, whose rows have no bits to spare here.
ink() # BITS <BYTES
{
	python3 -c '
import sys
b = sys.stdin.buffer.read()
light = sum(b) / 255 if sys.argv[1] == "8" else sum(bin(x).count("1") for x in b)
print(round(1000 - 1000 * light / (len(b) * 8 / int(sys.argv[1]))))' "$1"
}

for name in Cyan Magenta Yellow Black 'PANTONE 186 C'; do
	[[ -f "dots($name).tif" ]] || { complain "there is no dots($name).tif"; continue; }
	raw "page($name).tif" >tones && raw "dots($name).tif" >dots ||
		complain "tiffcp does not read $name"
	want=$(ink 8 <tones) got=$(ink 1 <dots)
	((want > 30 && got - want <= 5 && want - got <= 5)) ||
		complain "$name: $got per mille of ink for $want"
	cp dots "bits of $name"
done
# Cyan and black have the same steps in other places; the same picture has other dots at another
# angle.
riptide halftone --screen clustered --ink black -o other.tif 'page(Cyan).tif'
cmp -s <(raw other.tif) 'bits of Cyan' && complain "--ink changes nothing"

# Without spot colours, from the composite.
riptide halftone --screen clustered -o all.tif page.tif || complain "page.tif is refused"
# Its cyan is the same above the spot colour, which has some: 1900 of 3200 rows.
cmp -n $((1900 * 400)) <(raw 'all(Cyan).tif') 'bits of Cyan' ||
	complain "the composite has another cyan"

# Ghostscript sees the same dots.
tiff2pdf -o dots.pdf 'dots(Black).tif' && draw pbmraw 2400 dots.pbm dots.pdf
python3 - <<'END' || complain "Ghostscript sees other dots"
dots, pbm = open('bits of Black', 'rb').read(), open('dots.pbm', 'rb').read()
want = bytes(255 - b for b in dots) # 1 is ink in PBM
raise SystemExit(len(want) != 3200 * 400 or want not in pbm)
END

# riptide rip writes TIFF itself: grey as light, as PBM has it; CMYK as a composite of planes.
draw pdfwrite 720 two.pdf page.ps page.ps
riptide rip -r 600 -o two.pbm two.pdf && riptide rip -r 600 -o two.tif --compression g4 two.pdf ||
	complain "riptide rip fails"
[[ $(tiffinfo two.tif | grep -c "Resolution: 600, 600 pixels/inch") == 2 ]] ||
	complain "riptide rip: not two pages"
for page in 0 1; do
	tiffcp -c none two.tif,$page one.tif && raw one.tif >dots
	python3 - $page <<-'END' || complain "riptide rip: page $page has other dots"
		import sys
		dots, pbm = open('dots', 'rb').read(), open('two.pbm', 'rb').read()
		start = len(pbm) // 2 * int(sys.argv[1])
		want = bytes(255 - b for b in dots) # 800 columns
		at = pbm[start:][-80000 if start else 0:].find(want)
		raise SystemExit(len(want) != 80000 or at < 0)
	END
done
riptide rip -r 600 --model cmyk --levels 4 -o two.tif page.pdf ||
	complain "riptide rip of CMYK fails"
said=$(tiffinfo two.tif)
for words in "Samples/Pixel: 4" "Bits/Sample: 2" "Ink Names: Cyan, Magenta, Yellow, Black" \
	"separated"; do
	[[ $said == *"$words"* ]] || complain "riptide rip of CMYK: $said"
done
for wrong in "--model rgb -o out.tif" "--format tiff" "--compression lzw -o out.pbm" \
	"--compression g4 --levels 4 -o out.tif" "--compression x -o out.tif" "-o out.jpg" \
	"-o out.pdf"; do
	# shellcheck disable=SC2086
	riptide rip $wrong page.pdf >out 2>said
	[[ $? == 2 && $(wc -l <said) == 1 && ! -s out && -z $(find . -name 'out.*') ]] ||
		complain "riptide rip $wrong: $(cat said)"
done
rm -f out

# RGB goes the way that its message tells.
convert_rgb='import struct,sys
tags = [(256, 4, 64), (257, 4, 64), (258, 3, 0), (259, 3, 1), (262, 3, 2), (273, 4, 8),
	(277, 3, 3), (278, 4, 64), (279, 4, 12288), (282, 5, 0), (283, 5, 0)]
at = 8 + 12288
end = at + 2 + 12 * len(tags) + 4
entries = b""
for tag, kind, value in tags:
    value = end if tag == 258 else end + 6 if kind == 5 else value
    entries += struct.pack("<HHII", tag, kind, 3 if tag == 258 else 1, value)
data = bytes(x % 256 for x in range(12288))
sys.stdout.buffer.write(b"II*\0" + struct.pack("<I", at) + data + struct.pack("<H", len(tags)) +
			entries + bytes(4) + struct.pack("<3H2I", 8, 8, 8, 600, 1))'
python3 -c "$convert_rgb" >photo.tif
riptide halftone -o out.tif photo.tif 2>said && complain "RGB is taken"
way=$(sed -n 's/.*with \(tiff2pdf .*\) and \(gs .*\)/\1; \2/p' said)
rm -f page*
bash -eu -c "${way:-false}" >said 2>&1 ||
	complain "the way to separate RGB fails: $way: $(cat said)"
riptide halftone -o out.tif page.tif || complain "what it gives is refused"
[[ -f 'out(Cyan).tif' ]] || complain "what it gives is not CMYK"

finish
