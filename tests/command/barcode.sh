#!/bin/bash
# A barcode on a label of 203 dpi: Code 128 with modules of 2 dots, also in grey and rotated,
# must be readable from our dots.  zbarimg reads them: with bi-level as they are; with the labels'
# default, blue-noise, through the optics of a scanner (scan-dots: blurred by one dot, half of a
# module).
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need zbarimg gs
text=RIPTIDE-128
text=RIPTIDE-128

# The barcode of the demo page, in grey.
{
	sed -n '/^%%BeginProlog/,/^%%EndProlog/p' "$source/contrib/demo-page.ps" |
		sed 's/^\t0 setgray$/\tGrey setgray/'
	echo "72 203 div dup scale 406 300 translate Turn rotate" \
		"($text) -170 -50 100 2 barcode showpage"
} >label.ps
grep -q 'Grey setgray' label.ps || { echo "FAILED: no barcode in the demo page"; exit 1; }

reads() # SCREEN SIGMA: of the label
{
	"$build/riptide" halftone --screen "$1" --resolution 203 -o dots.pbm label.pgm &&
		"$build/tests/tools/scan-dots" "$2" dots.pbm scan.pgm || exit 99
	[[ $(zbarimg -q --raw scan.pgm 2>/dev/null) == "$text" ]] && return
	complain "ink $ink %, rotated by $turn: $1 is not readable with a blur of $2"
}

while read -r ink turn screens; do
	draw pgmraw 203 label.pgm label.ps -g812x600 -dGraphicsAlphaBits=4 -dTurn="$turn" \
		-dGrey="$(awk "BEGIN { print 1 - $ink / 100 }")" || exit 99
	for screen in $screens; do
		reads "${screen%:*}" "${screen#*:}"
	done
done <<-END
	100 0 bi-level:0 bi-level:1 blue-noise:1
	100 3 bi-level:0 bi-level:1 blue-noise:1
	90 90 bi-level:0 bi-level:1 blue-noise:1
	75 0 bi-level:0 bi-level:1 blue-noise:1
	75 15 bi-level:0 bi-level:1 blue-noise:1
END
# In black it is readable without a scanner's help.
ink=100 turn=0
draw pgmraw 203 label.pgm label.ps -g812x600 -dGrey=0 -dTurn=0 || exit 99
reads blue-noise 0
finish
