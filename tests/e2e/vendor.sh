#!/bin/sh
# A vendor's PPD that stays as it is, but for a cupsPreFilter line and 8 bits:
# CUPS' own for PCL lasers.  And options that its code puts into page headers.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
tap
make_pdf two.pdf 288 432 288 432
sample_ppds
sed -e '/^\*cupsFilter:/a *cupsPreFilter: "application/vnd.cups-raster 0 rastertoriptide"' \
	-e 's|/cupsBitsPerColor 1/|/cupsBitsPerColor 8/|' ppd/generpcl.ppd \
	>vendor.ppd
grep -q '^\*cupsPreFilter' vendor.ppd && grep -q 'BitsPerColor 8' vendor.ppd ||
	fail "the PPD did not take the change"
test_ppd vendor.ppd || fail "cupstestppd does not pass it"

queue vendor vendor.ppd
print vendor two.pdf -o Resolution=600dpi -n 3
pages_are "$PC_JOB" 6 # and not 12: rastertohp logs them, so we do not
right_dots pcl vendor
print vendor two.pdf -o Resolution=600dpi -o halftone=bwec
pages_are "$PC_JOB" 2
right_dots pcl vendor
print vendor two.pdf -o halftone-screen=atkinson
right_dots pcl vendor --screen atkinson

# The vendor's own tone curve, for one resolution, in the 4095 steps of libcupsfilters.
sed -e '/^\*cupsPreFilter/a *cupsAllGamma 300dpi: "2 1"' vendor.ppd >tones.ppd
queue tones tones.ppd
awk 'BEGIN { for (i = 0; i < 256; i++)
	print int(65535 * int(4095 * (i / 255) ^ 2 + 0.5) / 4095 + 0.5) }' >squares
print_with_tones tones two.pdf -o Resolution=300dpi
right_tones pcl tones --curve squares
print_with_tones tones two.pdf -o Resolution=600dpi
right_dots pcl tones

# For programs that ignore cupsPreFilter: the filter starts the vendor's behind itself.
sed -e 's|^\(\*cupsFilter: *"application/vnd.cups-raster [0-9]* \)rastertohp"|'\
'\1rastertoriptide"\n*riptideNextFilter: "rastertohp"|' \
	-e '/^\*cupsPreFilter/d' vendor.ppd >chain.ppd
grep -q '^\*riptideNextFilter' chain.ppd || fail "the PPD did not take the next filter"
test_ppd chain.ppd || fail "cupstestppd does not pass the next filter"
queue chain chain.ppd
print chain two.pdf -o Resolution=600dpi -n 3
pages_are "$PC_JOB" 6 # rastertohp logs them
right_dots pcl chain
pc_log "$PC_JOB" | grep -q 'started .*/filter/rastertohp .* behind' ||
	fail "the next filter was not started"

# The same with an option of the vendor's that speaks to us, and one that does not.
sed -e '/^\*CloseUI: \*Resolution/a \
*OpenUI *Photo/Photo: Boolean\
*OrderDependency: 20 AnySetup *Photo\
*DefaultPhoto: False\
*Photo False/No: "<</cupsString0(riptide:ec)/cupsString1(other:stucki)>>setpagedevice"\
*Photo True/Yes: "<</cupsString3(riptide:halftone-screen=stucki)/cupsString0(bwed)>>setpagedevice"\
*CloseUI: *Photo' vendor.ppd >photo.ppd
queue photo photo.ppd
print photo two.pdf
right_dots pcl photo
print photo two.pdf -o Photo=True
right_dots pcl photo --screen stucki
print photo two.pdf -o Photo=True -o halftone-screen=sierra
right_dots pcl photo --screen sierra

# An unknown value is reported, and the page's own is used.
print photo two.pdf -o Photo=True -o halftone-screen=nonsense
right_dots pcl photo --screen stucki
[ "$(pc_log "$PC_JOB" | grep -c '^W.*nonsense')" = 1 ] || fail "not one warning of nonsense"
