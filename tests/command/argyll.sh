#!/bin/bash
# riptide target --argyll: ArgyllCMS's programs take the files, read the chart and calibrate with
# it.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
chartread=$source/tests/command/chartread.py
srgb=/usr/share/color/argyll/ref/sRGB.icm

target() # FILE ARGUMENT...
{
	local file=$1
	shift
	timeout 60 "$riptide" target --argyll "$@" -o "$file" >stdout 2>stderr ||
		complain "$*: $(cat stderr)"
	[[ ! -s stdout && $(tail -n 1 stderr) == "Then: sudo riptide calibrate "*.ti3 ]] ||
		complain "$*: it said $(cat stdout stderr)"
}

# All files, or none.
target k.pdf
target inks.pdf --inks KCMY --screens blue-noise
echo k.cht k.pdf k.ti1 k.ti2 inks.pdf inks.ti1 inks.ti2 inks_0{1..4}.cht | tr ' ' '\n' |
	sort >expected
find . -name 'k.*' -o -name 'inks*' | cut -c3- | sort | cmp - expected || complain "files: $(ls)"
mkdir taken.ti2
"$riptide" target --argyll -o taken.pdf 2>stderr && complain "a folder in the way is no error"
[[ $(wc -l <stderr) == 1 && ! -e taken.pdf && ! -e taken.ti1 && ! -e taken.cht ]] ||
	complain "a folder in the way: $(ls) $(cat stderr)"
for name in - x.ti1 x.ti2 x.cht; do
	refuses_with 2 "" "$riptide" target --argyll -o $name
	[[ ! -e $name ]] || complain "-o $name is made"
done
# A label has less room, so more strips.
target label.pdf --inks CMYK --paper na_index-4x6_4x6in --resolution 203
grep -q '^PASSES_IN_STRIPS2 "4,4,4,4"' label.ti2 || complain "label: $(grep PASSES label.ti2)"
grep -q '"P9"' label.ti2 || complain "label: no P9"

command -v chartread >/dev/null && command -v python3 >/dev/null || {
	leave_out "no ArgyllCMS or no python3: the files were not tried"
	finish
}

# printtarg takes our list of patches, and makes a chart of its own.
for chart in k inks; do
	mkdir own
	cp $chart.ti1 own
	(cd own && printtarg -i i1 -p A4 $chart) >log 2>&1 || complain "printtarg: $(cat log)"
	rm -r own
done

# chartread reads ours, patch by patch, and riptide calibrate what it writes: the curve is the
# inverse of the printer's response.
want=$(awk 'BEGIN { print 1 - .5 ^ (1 / 1.6) }')
for chart in k inks label; do
	"$chartread" $chart || complain "chartread $chart"
	does "$riptide" calibrate $chart.ti3 -o $chart.cal
done
curve_is k.cal 50 "$want" .01
for ink in 2 3 4 5; do
	curve_is inks.cal "50:$ink" "$want" .02
done

# printcal makes a calibration of it, which riptide takes; applycal takes ours.
cp inks.ti3 fresh.ti3
printcal -i fresh >log 2>&1 || complain "printcal: $(tail -n 3 log)"
sed 's/GRAY_K/K_K/' k.ti3 >grey.ti3 # what printcal wants of what chartread wrote
printcal -i grey >log 2>&1 || complain "printcal, grey: $(tail -n 3 log)"
for chart in fresh grey; do
	does "$riptide" calibrate $chart.cal -o copy.cal
	curve_is copy.cal 25 $chart.cal .00001
done
printtarg -i i1 -p A4 -K inks.cal inks >log 2>&1 || complain "printtarg -K: $(cat log)"
sed -n '/^CAL/,$p' inks.ti2 >passed.cal
curve_is passed.cal 50:5 inks.cal .00001

# scanin finds the boxes on a scan, between the crosses: the darker the step, the darker its box.
if command -v gs >/dev/null && [[ -e $srgb ]]; then
	draw tiffscaled24 600 scan.tif k.pdf -dDownScaleFactor=4
	corners=$(sed -n 's/^  F _ _ //p' k.cht | tr ' ' '\n' |
		awk '{ printf "%s%.1f", comma, $1 * 150 / 72; comma = "," }')
	scanin -c -F "$corners" scan.tif k.cht "$srgb" k >log 2>&1 || complain "scanin: $(cat log)"
	sed -n '/^BEGIN_DATA$/,/^END_DATA$/p' k.ti3 | awk 'NF > 3 { print $2, $4 }' | sort -n |
		awk '{ light = ($1 >= 100) ? 0 : 100 * (1 - $1 / 100) ^ 2.2
			if ($2 - light > 4 || light - $2 > 4) {
				print "tone " $1 ": " $2 ", not " light
				bad = 1
			} }
			END { exit bad || NR != 33 }' >log || complain "scanin: $(cat log)"
else
	leave_out "no Ghostscript or no profile of sRGB: no scan was tried"
fi
finish
