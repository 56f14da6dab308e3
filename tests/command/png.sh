#!/bin/bash
# PNG in and out of riptide halftone and riptide rip: pictures of every kind have the dots of the
# same picture as PGM; damaged files are refused in one line; dots as PNG are those of PBM and
# PGM.  The files are written and read by png-model.py, without libpng.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need python3

model()
{
	python3 "$source/tests/command/png-model.py" "$@"
}

refuses() # STATUS WORDS ARGUMENT...
{
	refuses_with "$1" "$2" "$riptide" "${@:3}"
}

# --- in: with curves that make white of odd samples and black of even ones, each dot shows the
# last bit of a sample.  The long curve does so for samples of 16 bits, of which the others are
# multiples by an odd number.
for n in 256 65536; do
	for ((v = 0; v < n; v++)); do echo $((v % 2 * 65535)); done >odd$n
done
model pictures >names || complain "no pictures"
(($(wc -l <names) == 70)) || complain "$(wc -l <names) pictures"
while read -r name; do
	for options in "--screen bi-level --curve odd256" "--screen bi-level --curve odd65536" \
		"--levels 16"; do
		[[ $options != *65536 || $name == c?-16-* ]] || continue
		# shellcheck disable=SC2086
		"$riptide" halftone $options "$name.png" >made 2>stderr ||
			complain "$name: $(cat stderr)"
		# shellcheck disable=SC2086
		"$riptide" halftone $options "$name.pgm" | cmp - made ||
			complain "$name has other dots $options"
	done
	[[ ! -s stderr ]] || complain "$name: $(cat stderr)"
done <names
# A slow pipe.
(
	for ((i = 0; i < 20; i++)); do dd bs=1 count=1 status=none; done <c6-16-1-0.png
	tail -c +21 c6-16-1-0.png
) | "$riptide" halftone --levels 16 | cmp - <("$riptide" halftone --levels 16 c6-16-1-0.pgm) ||
	complain "a pipe gives other dots"

model damaged >cases || complain "no damage"
(($(wc -l <cases) > 80)) || complain "$(wc -l <cases) damaged files"
while read -r name words; do
	refuses 1 "${words:-$name}" halftone -o out.pbm "$name"
done <cases

# The resolution, if it is one for paper.
picture=c0-8-0-0
for metre in 11811 23622 47244 2835; do
	python3 - $picture.png $metre >resolved.png <<-'END'
		import struct, sys
		from pictures import png_chunk
		data, metre = open(sys.argv[1], "rb").read(), int(sys.argv[2])
		made = png_chunk(b"pHYs", struct.pack(">IIB", metre, metre, 1))
		sys.stdout.buffer.write(data[:33] + made + data[33:])
	END
	dpi=$(((metre * 254 + 5000) / 10000))
	((dpi >= 150)) || dpi=600
	"$riptide" halftone --screen clustered resolved.png >made ||
		complain "$metre pixels a metre fail"
	"$riptide" halftone --screen clustered --resolution $dpi $picture.pgm | cmp - made ||
		complain "$metre pixels a metre are not $dpi dpi"
done

# --- out ---
for levels in {2..16}; do
	"$riptide" halftone --levels "$levels" $picture.pgm >dots.pnm
	"$riptide" halftone --levels "$levels" -o dots.png $picture.pgm ||
		complain "$levels levels fail"
	case $levels in
		2) bits=1 ;; 4) bits=2 ;; 16) bits=4 ;; *) bits=8 ;;
	esac
	said=$(model dots dots.png dots.pnm) || complain "$levels levels differ"
	[[ $said == "$bits unknown" ]] || complain "$levels levels: $said"
done
"$riptide" halftone --resolution 600x1200 -o dots.PNG $picture.png || complain "PNG to PNG fails"
[[ $(model dots dots.PNG <("$riptide" halftone $picture.pgm)) == "1 23622x47244" ]] ||
	complain "the resolution of the command line is not in the file"
"$riptide" halftone -o dots.PNG resolved.png || complain "no PNG"
[[ $(model dots dots.PNG <("$riptide" halftone $picture.pgm)) == "1 unknown" ]] ||
	complain "72 dpi are in the file"
cat $picture.pgm $picture.pgm >two.pgm
refuses 1 "a PNG file takes one" halftone -o out.png two.pgm
refuses 1 "is truncated" halftone -o out.png <(head -c 1000 $picture.pgm)
refuses 1 "it is the input" halftone -o $picture.png $picture.png
if [[ -w /dev/full ]]; then
	ln -s /dev/full full.png
	refuses 1 "No space left" halftone -o full.png $picture.png
fi

# --- the wrong suffix is wrong usage, in one wording ---
for name in out.jpg out.pdf out.tif out.RAS; do
	refuses 2 "-o $name: choose a name with .pbm, .pgm or .png, not ${name#out}" halftone \
		-o $name $picture.png
done
refuses 2 "-o out.jpg: choose a name with .png, not .jpg" preview -o out.jpg $picture.png
refuses 2 "-o out.jpg: choose a name with .pbm, .pgm, .png, .ras, .pwg or .tif, not .jpg" rip \
	-o out.jpg doc.pdf
refuses 2 "PNG has one colour" rip -o out.png --model cmyk doc.pdf

# --- preview takes PNG, too ---
"$riptide" preview --screen clustered -o seen.png $picture.png >/dev/null &&
	"$riptide" preview --screen clustered -o seen-pgm.png $picture.pgm >/dev/null &&
	cmp seen.png seen-pgm.png || complain "preview of PNG differs"

# --- riptide rip ---
if part "riptide rip: gs is not installed" gs; then
	printf '%%!PS\n<< /PageSize [%s] >> setpagedevice 1 1 30 { dup 40 div setgray
		dup 2 mul 9 moveto 9 40 rlineto stroke } for showpage\n' \
		"72 72" "100 50" >pages.ps
	draw pdfwrite 720 doc.pdf pages.ps || exit 99
	for levels in 2 3; do
		"$riptide" rip -r 150x300 --levels $levels -o page.png doc.pdf ||
			complain "rip to PNG fails"
		[[ $(echo page-*) == "page-1.png page-2.png" ]] ||
			complain "rip made $(echo page-*)"
		for page in 1 2; do
			"$riptide" rip -r 150x300 --levels $levels --pages $page -o one.pnm doc.pdf
			said=$(model dots page-$page.png one.pnm) || complain "page $page differs"
			[[ $said == *" 5906x11811" ]] || complain "page $page: $said"
		done
		"$riptide" rip -r 150x300 --levels $levels --pages 2 -o one.png doc.pdf &&
			cmp one.png page-2.png ||
			complain "one page as PNG"
		rm page-*
	done
	"$riptide" rip -r 150 --format png --pages 1 doc.pdf |
		cmp - <("$riptide" rip -r 150 --pages 1 -o one.png doc.pdf && cat one.png) ||
		complain "a page as PNG to standard output"
	refuses 1 "standard output takes one PNG picture" rip -r 72 --format png doc.pdf
	refuses 1 "no regular file" rip -r 72 --format png -o /dev/null doc.pdf
	refuses 1 "No such file" rip -r 72 -o missing/out.png doc.pdf
	cp doc.pdf doc-2.png
	refuses 1 "it is the input" rip -r 72 --pages 2- --format png -o doc-2.png doc-2.png
	refuses 1 "cannot write doc-2.png: it is the input" rip -r 72 -o doc.png doc-2.png
	cmp doc.pdf doc-2.png || complain "a document was replaced"
fi

# --- memory: what a header claims is not allocated ---
if (ulimit -v 300000 && "$riptide" --version) >/dev/null 2>&1; then
	model bombs >cases
	ulimit -v 300000
	while read -r name words; do
		refuses 1 "$words" halftone -o out.pbm "$name"
	done <cases
else
	echo "memory is not tested: this build does not run under a limit"
fi

finish
