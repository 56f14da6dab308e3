#!/bin/bash
# The page headers of pdftoriptide are those of gstoraster and rastertoriptide, field by field:
#
#	headers.sh               for PWG raster with options of IPP, for a PPD that sets every
#	                         field, and for some of the PPDs of the drivers on this system
#	headers.sh FOLDER [N]    for every Nth (1) PPD for raster in the folder, which
#	                         tests/bench/collect-ppds.py makes; prints a line for each that
#	                         differs
#
# Each PPD asks for 8 bits here, as "riptide adopt" makes it.  The document has a page of the PPD's
# default size, the same turned, and one of no known size.
given=${1:+$(realpath "$1")}
each=${2:-1}
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc python3 "$gstoraster"
equal=0 refused=0 explained=0

# What may differ, and why: a pattern for the lines of diff, "< " gstoraster's and "> " ours.
# None does at present.
explained_lines='^$'

pages() # FILE WIDTH HEIGHT...
{
	local file=$1 code=

	shift
	while (($#)); do
		code+=" << /PageSize [$1 $2] >> setpagedevice
			0 setgray 20 20 20 20 rectfill showpage"
		shift 2
	done
	make_pdf "$file" "$code"
}

# The document of a PPD, made once for each size.
document() # PPD
{
	local name width height

	name=$(sed -n 's/^\*DefaultPageSize: *//p' "$1" | tr -d '\r' | head -n 1)
	read -r width height < <(tr -d '\r' <"$1" |
		awk -v name="$name" -F'[: /"]+' '$1 == "*PaperDimension" && $2 == name' |
		sed 's/.*"\(.*\)".*/\1/' | head -n 1)
	width=${width:-595} height=${height:-842}
	[[ -e $width-$height.pdf ]] ||
		pages "$width-$height.pdf" "$width" "$height" "$height" "$width" 300 333
	echo "$width-$height.pdf"
}

# compare NAME PPD OPTIONS FILE: both chains; a line if something is wrong.
compare()
{
	local name=$1 refusal=

	export PPD=$2
	if ! "$gstoraster" 1 user title 1 "$3" "$4" 2>gs.err |
		"$build/rastertoriptide" 1 user title 1 "$3" >expected.ras 2>expected.err; then
		refusal=$(grep -ah '^ERROR' gs.err expected.err | head -n 1)
		refusal=${refusal:-gstoraster fails}
	fi
	if ! "$build/pdftoriptide" 1 user title 1 "$3" "$4" >dots.ras 2>err; then
		# Both have to refuse it.
		if [[ $refusal ]]; then
			refused=$((refused + 1))
			[[ ! $given ]] || echo "refused: $name: $(grep -a '^ERROR' err |
				head -n 1) | $refusal"
		else
			complain "$name: $(grep -a '^ERROR' err)"
		fi
		return
	fi
	[[ ! $refusal ]] || {
		complain "$name: only gstoraster or rastertoriptide refuses it: $refusal"
		return
	}
	"$build/tests/tools/raster-headers" expected.ras >expected.txt
	"$build/tests/tools/raster-headers" dots.ras >dots.txt
	if diff expected.txt dots.txt >difference; then
		equal=$((equal + 1))
	elif ! grep '^[<>]' difference | grep -vqE "$explained_lines"; then
		explained=$((explained + 1))
	else
		complain "$name: $(grep '^[<>]' difference | head -n 8 | tr '\n' '|')"
	fi
}

# A PPD of a driver: for 8 bits, and if nobody says which filter comes next.
driver() # FILE
{
	local ppd=$folder/driver.ppd

	case $1 in *.gz) zcat "$1" ;; *) cat "$1" ;; esac |
		sed 's,/cupsBitsPerColor *[0-9]*,/cupsBitsPerColor 8,g' >"$ppd"
	grep -aq '^\*cupsFilter2\?: *"application/vnd.cups-raster' "$ppd" || return 0
	compare "$1" "$ppd" "" "$(document "$ppd")"
}

if [[ $given ]]; then
	number=0
	while read -r file; do
		((number++ % each)) || driver "$file"
	done < <(find "$given" -type f | sort | while read -r file; do
		case $file in *.gz) zcat "$file" ;; *) cat "$file" ;; esac |
			grep -aq '^\*cupsFilter2\?: *"application/vnd.cups-raster' && echo "$file"
	done)
	echo "$equal equal, $explained explained, $refused refused by both"
	exit $failed
fi

# --- PWG raster, with options of IPP that are none of the PPD's -----------------------------------
make_ppds
pages small.pdf 300 200
# Fewer pixels take less time.
sed -i 's,HWResolution\[[36]00 [36]00\],HWResolution[150 150],' ppds/*.ppd
pwg() # OPTION...
{
	FINAL_CONTENT_TYPE=image/pwg-raster compare "PWG, $*" ppds/riptide-pwg.ppd "$*" small.pdf
}
sed -i /riptideNextFilter/d ppds/*.ppd
pwg sides=two-sided-long-edge pwg-raster-document-sheet-back=Flipped media-type=stationery \
	media-color=blue print-content-optimize=photo
pwg sides=two-sided-short-edge pwg-raster-document-sheet-back=ManualTumble \
	media=A4,Tray2,Glossy print-quality=5 job-impressions=7
pwg sides=two-sided-long-edge PwgRasterDocumentSheetBack=Rotated media-source=Tray3 \
	media-weight=80 feed-orientation=LongEdgeFirst
pwg print-color-mode=monochrome printer-resolution=72x144dpi \
	print-rendering-intent=relative-bpc copies=2 media=na_letter_8.5x11in,Manual
pwg color-space=adobe-rgb_8 OutputType=Text alternate-primary=255 vendor-identifier=3 \
	print-quality=9 page-size=iso_a5_148x210mm media-position=Roll3
sed '$a *PWGRaster: True' ppds/riptide-raster.ppd >ppds/pwgraster.ppd
compare "PWGRaster in the PPD" ppds/pwgraster.ppd "color-space=cmyk_8" small.pdf

# --- a PPD that sets every field, but not Separations: with it, gstoraster fails
# -----------------------
code='/MediaClass(class)/MediaColor(colour)/MediaType(type)/OutputType(output)'
code+='\n/AdvanceDistance 3/AdvanceMedia 2/Collate true/CutMedia 3/InsertSheet true/Jog 2'
code+='/LeadingEdge 1/ManualFeed true/MediaPosition 5/MediaWeight 80'
code+='\n/MirrorPrint true/NegativePrint true/NumCopies 2/Orientation 1/OutputFaceUp true'
code+='\n/TraySwitch true/Duplex true/Tumble true/cupsMediaType 7/cupsCompression 4'
code+='/cupsRowCount 5/cupsRowFeed 6'
code+='/cupsRowStep 7/cupsMarkerType(marker)/cupsRenderingIntent(Saturation)'
for ((i = 0; i < 16; i++)); do
	# Lines have limits.
	code+="\\n/cupsInteger$i $((i * 1000 + 1))/cupsReal$i $i.123456/cupsString$i(text $i)"
done
every() # FILE CODE
{
	sed "s,^\(\*ColorModel Gray/[^:]*: \"<<\),\1$2," ppds/riptide-raster.ppd >"$1"
	cmp -s ppds/riptide-raster.ppd "$1" && complain "$1 is as before"
}
every ppds/every.ppd "$code"
compare "every field" ppds/every.ppd "" small.pdf
every ppds/borderless.ppd "/cupsBorderlessScalingFactor 1.05"
compare "borderless" ppds/borderless.ppd "" small.pdf
# Not NumCopies 0: then gstoraster prints nothing, and pdftoriptide prints a copy.
every ppds/negative.ppd "/cupsInteger3 -5/cupsReal2 -1.5/cupsBorderlessScalingFactor 0.5"
compare "other values" ppds/negative.ppd "" small.pdf
((equal == 9)) || complain "$equal of 9 headers are equal"

# --- drivers of this system, if there are any
# --------------------------------------------------------
equal=0 refused=0
for drv in sample.drv cupsfilters.drv brlaser.drv splix-xerox.drv; do
	[[ -f /usr/share/cups/drv/$drv ]] || continue
	mkdir drv
	ppdc -l en -I /usr/share/cups/ppdc -d drv "/usr/share/cups/drv/$drv" >/dev/null 2>&1
	number=0
	for file in drv/*.ppd; do
		# Two of each: those of 1200 dpi take long.
		((number < 2)) && ! grep -q '^\*DefaultResolution: 1200' "$file" || continue
		grep -q '^\*cupsFilter2\?: *"application/vnd.cups-raster' "$file" || continue
		number=$((number + 1))
		driver "$file"
	done
	rm -r drv
done
echo "drivers: $equal equal, $explained explained, $refused refused by both"
finish
