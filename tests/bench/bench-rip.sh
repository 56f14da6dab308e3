#!/bin/bash
# How long PDF takes to dots: gstoraster and rastertoriptide, joined by a pipe, against
# pdftoriptide, and against Ghostscript with its own 1-bit screen (pbmraw, pamcmyk4); and
# pdftoriptide with one worker and with two, beside one and two Ghostscripts that only draw.
#
#	tests/bench/bench-rip.sh
#
# from the folder of a build.  Documents: 8 mixed pages (2 of text, 2 of shades and lines, 4 with a
# photo in JPEG of 300 dpi), the same with photos of 150 dpi, 8 pages of shades and lines, 64 pages
# of text, all A4.  The programs take turns, RIPTIDE_BENCH_RUNS (7) times; medians of the processor
# time of all processes, and of the wall time on one processor (taskset), or two for the last lines.
# This is no test: it fails only if something fails.
set -euo pipefail

build=${RIPTIDE_BUILD:-$PWD}
source=${RIPTIDE_SOURCE:-$(dirname "$0")/../..}
runs=${RIPTIDE_BENCH_RUNS:-7}
gstoraster=$(cups-config --serverbin)/filter/gstoraster
for program in "$build/rastertoriptide" "$build/pdftoriptide" "$gstoraster"; do
	[[ -x $program ]] && continue
	echo "bench-rip.sh: there is no $program: build riptide, and install cups-filters" >&2
	exit 1
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/pages.ps" <<'EOT'
%!PS
/text { /Times-Roman findfont 10 scalefont setfont 0 setgray
	0 1 68 { /l exch def 50 790 l 11 mul sub moveto
	(The quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs ) show
	l 10 string cvs show ( and so on) show } for showpage } def
/shapes { 0 4 360 { /a exch def gsave 300 420 translate a rotate
	a 360 div .5 1 a 360 div sub setrgbcolor
	0 0 moveto 200 40 250 100 260 a 8 div curveto 100 20 lineto
	closepath fill grestore } for
	0 setgray .3 setlinewidth 0 6 500 { 50 add 50 moveto 560 800 lineto stroke } for
	showpage } def
/photo { /high exch def /wide exch def /row wide 3 mul string def /y 0 def gsave 30 40 translate
	535 760 scale /DeviceRGB setcolorspace
	<< /ImageType 1 /Width wide /Height high /BitsPerComponent 8 /Decode [0 1 0 1 0 1]
	/ImageMatrix [wide 0 0 high neg 0 high] /DataSource {
	0 1 wide 1 sub { /x exch def 0 1 2 { /c exch def row x 3 mul c add
	x c 40 mul add .29 mul sin y c 70 mul sub .23 mul sin mul 90 mul 128 add
	x y mul 11 mod add cvi put } for } for
	/y y 1 add def row } >> image grestore showpage } def
/coarse { 1240 1754 photo } def
/fine { 2480 3508 photo } def
EOT
make() # NAME CODE
{
	cp "$work/pages.ps" "$work/$1.ps"
	echo "$2" >>"$work/$1.ps"
	gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dAutoRotatePages=/None \
		-dDownsampleColorImages=false \
		-dAutoFilterColorImages=false -dColorImageFilter=/DCTEncode \
		-dDEVICEWIDTHPOINTS=595 \
		-dDEVICEHEIGHTPOINTS=842 -sOutputFile="$work/$1.pdf" "$work/$1.ps"
}
make mixed 'text shapes fine fine text shapes fine fine'
make coarse 'text shapes coarse coarse text shapes coarse coarse'
make shapes '8 { shapes } repeat'
make text '64 { text } repeat'
ppdc -d "$work" "$source/ppd/riptide.drv" >/dev/null 2>&1
export RIPTIDE_SOCKET=none FINAL_CONTENT_TYPE=application/vnd.cups-raster \
	PPD=$work/riptide-raster.ppd
export RIP_MAX_CACHE=128m # as under cupsd

chain() # DOCUMENT OPTIONS
{
	"$gstoraster" 1 user title 1 "$2" "$work/$1.pdf" 2>/dev/null |
		"$build/rastertoriptide" 1 user title 1 "$2" 2>/dev/null >/dev/null
}
rip() # DOCUMENT OPTIONS
{
	"$build/pdftoriptide" 1 user title 1 "$2" "$work/$1.pdf" 2>/dev/null >/dev/null
}
screen() # DOCUMENT OPTIONS
{
	local device=pbmraw

	[[ $2 != *CMYK* ]] || device=pamcmyk4
	gs -q -dBATCH -dNOPAUSE -dSAFER -dNOINTERPOLATE -sDEVICE=$device -r600 \
		-sOutputFile=/dev/null \
		"$work/$1.pdf"
}

# Appends "wall user+sys" in seconds.
measure() # FILE PROCESSORS COMMAND...
{
	local file=$1 processors=$2 TIMEFORMAT='%R %U %S'

	shift 2
	{ time taskset -c "$processors" bash -c '"$@"' measure "$@" 2>/dev/null; } 2>&1 |
		awk '{ print $1, $2 + $3 }' >>"$file"
}
export -f chain rip screen
export gstoraster build work

median() # FILE COLUMN
{
	awk -v c="$2" '{ print $c }' "$1" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

compare() # WHAT DOCUMENT OPTIONS COMMAND...
{
	local what=$1 document=$2 options=$3 command run

	shift 3
	rm -f "$work"/time-*
	for ((run = 0; run <= runs; run++)); do
		for command; do
			measure "$work/time-$command" 0 "$command" "$document" \
				"$options riptide-workers=1"
			((run)) || rm "$work/time-$command" # warms up
		done
	done
	printf '%-24s' "$what"
	for command; do
		printf '  %s %.2f s (wall %.2f)' "$command" "$(median "$work/time-$command" 2)" \
			"$(median "$work/time-$command" 1)"
	done
	awk -v a="$(median "$work/time-chain" 2)" -v b="$(median "$work/time-rip" 2)" \
		'BEGIN { printf "  chain/rip %.2f\n", a / b }'
}

compare 'mixed, K 600' mixed '' chain rip screen
compare 'mixed, CMYK 600' mixed ColorModel=CMYK chain rip screen
compare '150 dpi, K 600' coarse '' chain rip screen
compare '150 dpi, CMYK 600' coarse ColorModel=CMYK chain rip screen
compare 'shapes, K 600' shapes '' chain rip
compare 'text, 64 pages, K 600' text '' chain rip

# Two workers on two processors against one on one; and two Ghostscripts that share the pages and do
# nothing else, whose pixels nobody reads, against one.
draw() # DOCUMENT PAGES
{
	gs -q -dBATCH -dNOPAUSE -dSAFER -dNOINTERPOLATE -dMaxBitmap=134217728 \
		-dBufferSpace=134217728 \
		-sDEVICE=pgmraw -r600 -sPageList="$2" -sOutputFile=/dev/null "$work/$1.pdf"
}
draw_both() # DOCUMENT
{
	draw "$1" odd &
	draw "$1" even
	wait
}
export -f draw draw_both
if (($(nproc) > 1)); then
	gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dAutoRotatePages=/None \
		-dDownsampleColorImages=false \
		-dPassThroughJPEGImages=true -sOutputFile="$work/double.pdf" "$work/mixed.pdf" \
		"$work/mixed.pdf"
	for ((run = 0; run <= runs; run++)); do
		measure "$work/time-one" 0 rip double riptide-workers=1
		measure "$work/time-two" 0,1 rip double riptide-workers=2
		measure "$work/time-draw" 0 draw double 1-16
		measure "$work/time-both" 0,1 draw_both double
		((run)) || rm "$work/time-one" "$work/time-two" "$work/time-draw" "$work/time-both"
	done
	awk -v a="$(median "$work/time-one" 1)" -v b="$(median "$work/time-two" 1)" \
		-v c="$(median "$work/time-draw" 1)" -v d="$(median "$work/time-both" 1)" 'BEGIN {
		printf "16 mixed pages, K 600, wall: "
		printf "1 worker on 1 processor %.2f s, 2 on 2 %.2f s, %.2f times\n", a, b, a / b
		printf "    Ghostscript alone: 1 on 1 %.2f s, 2 on 2 %.2f s, ", c, d
		printf "%.2f times; of that %.2f\n", c / d, a / b / (c / d) }'
fi
