#!/bin/bash
# The same page: the samples that pdftoriptide halftones against those of gstoraster, on pages of
# text, shadings, transparency, overprint, images of all spaces, spot colours, soft masks and fonts
# that are not embedded (contone-pages.py), in each colour space.  Whatever differs is in a table
# below, with its limits and its reason; everything else has to be equal.
#
# With the argument --all it only prints all figures.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc python3 "$gstoraster"
all=${1:-}

pages=$source/tests/filter/contone-pages.py
profile=$(find /usr/share/color/icc -name a98.icc 2>/dev/null | head -n 1)
python3 "$pages" pages.pdf ${profile:+"$profile"} || exit 99
mapfile -t subjects < <(python3 "$pages" --list)
make_ppds
sed 's,/cupsColorSpace 1/,/cupsColorSpace 4/,' ppds/riptide-raster.ppd >ppds/cmy.ppd
# Fewer pixels take less time.
sed -i 's,HWResolution\[300 300\],HWResolution[200 200],' ppds/*.ppd

# --- what may differ, and why -------------------------------------------------------------------
# allowed[COLOURS SUBJECT]="UNEQUAL OTHER MOST FULL NONE": limits of compare-contone's figures, with
# these reasons:
#
# rounding: a colour between two steps of 255.  gstoraster's device cuts off ink, and ours light.
# steps: gstoraster's device fills a shading in some 65 flat steps, ours in all 255.
# middle: cells of an image that end exactly in the middle of a pixel, which falls to either side.
# tints: in K and CMY, gstoraster's device has a Black of its own for spot colours with the name
#	Black or All, and ours takes their alternate colour; its All in CMY is a negative.
declare -A allowed
allow() # COLOURS SUBJECTS UNEQUAL OTHER MOST FULL NONE
{
	local subject

	for subject in $2; do
		allowed[$1 $subject]="$3 $4 $5 $6 $7"
	done
}
allow K "flat-grey flat-rgb flat-cmyk overprint patterns annotations soft-masks" 40 0 1 0 0 \
	# rounding
allow K shadings 35 13 6 30 5               # steps
allow K "images images-cie" 15 .2 255 400 30 # rounding, middle
allow K spots 40 15 35 30000 0                         # tints
allow CMY "flat-grey flat-rgb" 20 0 1 0 0              # rounding
allow CMY spots 20 15 255 200000 200000                # tints
for colours in RGB CMY CMYK KCMY; do
	allow $colours shadings 35 20 10 12000 7000          # steps
	allow $colours "images images-cie" .2 .15 255 700 1000 # middle
done
for colours in CMYK KCMY; do
	allow $colours soft-masks .3 0 1 0 0                # rounding
done

# --- the comparison ------------------------------------------------------------------------------
over() # FIGURE LIMIT
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'
}

check() # COLOURS SUBJECT FIGURES...
{
	local colours=$1 subject=$2 name=0
	local limits figures=("${@:3}")

	read -ra limits <<<"${allowed[$colours $subject]:-0 0 0 0 0}"
	for ((name = 0; name < 5; name++)); do
		if over "${figures[name]#*=}" "${limits[name]}"; then
			complain "$colours, $subject: ${figures[name]}, at most ${limits[name]}"
		fi
	done
	# Text has no greys: black is full ink, and white is none.  In CMYK the RGB black of "text"
	# has all four inks, by the profiles, as with gstoraster.
	if [[ $subject == fonts || ($subject == text && $colours != CMYK && $colours != KCMY) ]] &&
		[[ ${figures[5]} != between=0 ]]; then
		complain "$colours, $subject: ${figures[5]}, so black is not full ink"
	fi
}

compare() # COLOURS PPD OPTIONS
{
	local colours=$1 page figures count=0

	export PPD=ppds/$2.ppd
	"$gstoraster" 1 user title 1 "$3" pages.pdf >expected.ras 2>gs.err ||
		complain "$colours: gstoraster fails: $(tail -n 3 gs.err)"
	"$build/tests/tools/contone-pages" "$3" pages.pdf >pages.ras 2>err ||
		complain "$colours: $(tail -n 3 err)"
	"$build/tests/tools/compare-contone" expected.ras pages.ras >figures ||
		complain "$colours: other pages"
	while read -r page figures; do
		count=$((count + 1))
		if [[ $all ]]; then
			echo "$colours ${subjects[page - 1]} $figures"
		else
			# shellcheck disable=SC2086 # six words
			check "$colours" "${subjects[page - 1]}" $figures
		fi
	done <figures
	((count == ${#subjects[@]})) || complain "$colours: $count pages"
}

compare K riptide-raster "ColorModel=Gray Resolution=300dpi halftone-black=profile"
compare K riptide-pcl5 "Resolution=300dpi halftone-black=profile" # with margins
compare RGB riptide-raster "ColorModel=RGB Resolution=300dpi"
compare CMY cmy "ColorModel=RGB Resolution=300dpi"
compare CMYK riptide-raster "ColorModel=CMYK Resolution=300dpi"
compare KCMY riptide-raster "ColorModel=KCMY Resolution=300dpi"

# A program whose locale writes 0,5 for 0.5 gets the same pages: PPD= is still the last queue's.
mkdir locales
printf 'LC_NUMERIC\ncopy "de_DE"\nEND LC_NUMERIC\n' >numbers # all of de_DE takes 1.7 s
localedef -c -i ./numbers -f ANSI_X3.4-1968 locales/comma &>log # it lacks other parts
comma=(env LOCPATH="$PWD/locales" LC_ALL=comma)
if [[ ! $all && $("${comma[@]}" locale decimal_point 2>/dev/null) == , ]]; then
	"${comma[@]}" "$build/tests/tools/contone-pages" \
		"ColorModel=KCMY Resolution=300dpi" pages.pdf >comma.ras 2>err ||
		complain "numbers of de_DE: $(tail -n 3 err)"
	cmp comma.ras pages.ras || complain "the samples depend on the locale's numbers"
elif [[ ! $all ]]; then
	echo "SKIPPED: no localedef, or no data for it (package locales):" \
		"numbers of other locales were not tried"
fi
finish
