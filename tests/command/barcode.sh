#!/bin/bash
# A barcode on a label of 203 dpi: Code 128 with modules of 2 dots, also in grey and rotated,
# must be readable from our dots.  zbarimg reads them: with bi-level as they are; with the labels'
# default, blue-noise, through the optics of a scanner (scan-dots: blurred by one dot, half of a
# module).
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
source=$(realpath "${RIPTIDE_SOURCE:-.}")
for tool in zbarimg gs; do
	if ! command -v $tool >/dev/null; then
		echo "$tool is not installed: install the packages zbar-tools and ghostscript"
		exit 77
	fi
done
folder=$(mktemp -d) || exit 99
trap 'cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 99
failed=0
text=RIPTIDE-128

# The barcode of the demo page, in grey.
{
	sed -n '/^%%BeginProlog/,/^%%EndProlog/p' "$source/contrib/demo-page.ps" |
		sed 's/^\t0 setgray$/\tGrey setgray/'
	echo "72 203 div dup scale 406 300 translate Turn rotate ($text) -170 -50 100 2 barcode showpage"
} >label.ps
grep -q 'Grey setgray' label.ps || { echo "FAILED: no barcode in the demo page"; exit 1; }

reads() # SCREEN SIGMA: of the label
{
	"$build/riptide" halftone --screen "$1" --resolution 203 -o dots.pbm label.pgm &&
		"$build/tests/tools/scan-dots" "$2" dots.pbm scan.pgm || exit 99
	[[ $(zbarimg -q --raw scan.pgm 2>/dev/null) == "$text" ]] && return
	echo "FAILED: ink $ink %, rotated by $turn: $1 is not readable with a blur of $2"
	failed=1
}

while read -r ink turn; do
	gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pgmraw -r203 -g812x600 -dGraphicsAlphaBits=4 \
		-dGrey="$(awk "BEGIN { print 1 - $ink / 100 }")" -dTurn="$turn" -sOutputFile=label.pgm \
		label.ps || exit 99
	reads bi-level 0
	reads bi-level 1
	reads blue-noise 1
done <<-END
	100 0
	100 3
	90 90
	75 0
	75 15
END
# In black it is readable without a scanner's help.
ink=100 turn=0
gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pgmraw -r203 -g812x600 -dGrey=0 -dTurn=0 \
	-sOutputFile=label.pgm label.ps || exit 99
reads blue-noise 0
exit $failed
