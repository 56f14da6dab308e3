#!/bin/sh
# Every queue of riptide.drv prints a PDF: the dots in the printer's data are,
# bit for bit, what the oracle makes of the raster that the same job had, with the screen that
# is the driver's default; a method changes nothing; levels do what they say.  What is printed a
# second time is the raster that the first job drew.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
tap
make_pdf a5.pdf 420 595
make_pdf label.pdf 288 432

# try QUEUE FORMAT FILE [LP-ARGUMENT...]
try()
{
	local queue=$1 format=$2 file=$3

	shift 3
	echo "$queue $*"
	[ -f "out/$queue" ] || queue "$queue" "riptide-$queue"
	print "$queue" "$file.pdf" "$@"
	pages_are "$PC_JOB" 1
	right_dots "$format" "$queue" --screen "$(screen_of "$queue")"
	mv "out/$queue" plain
	print "$queue" "$(drawn)" "$@" -o halftone=bwec \
		-o halftone-screen="$(screen_of "$queue")"
	cmp plain "out/$queue" || fail "$queue: halftone=bwec changed the data"
	pages_are "$PC_JOB" 1
}

try pcl5 pcl a5 -o media=A5
try pcl5 pcl a5 -o media=A5 -o Resolution=300dpi
try pcl-color pcl a5 -o media=A5
try pcl-color pcl a5 -o media=A5 -o ColorModel=Gray
try escp2 escp a5 -o media=A5
try escp2 escp a5 -o media=A5 -o ColorModel=Gray -o Resolution=180dpi
try escp escp a5 -o media=A5
try escp escp a5 -o media=A5 -o Resolution=360x180dpi
try escp escp a5 -o media=A5 -o Resolution=360dpi
try zpl-203 zpl label -o media=w288h432
try zpl-300 zpl label -o media=w288h432 -o Darkness=15
try pwg raster a5 -o media=A5 -o Resolution=300dpi
try raster raster a5 -o media=A5 -o Resolution=300dpi
try raster raster a5 -o media=A5 -o Resolution=300dpi -o ColorModel=KCMY
try raster raster a5 -o media=A5 -o Resolution=300dpi -o ColorModel=CMYK
try raster raster a5 -o media=A5 -o Resolution=300dpi -o ColorModel=RGB

# The drivers' tone curves, and those that the job wants.
tones() # QUEUE FORMAT FILE PRINTER [LP-ARGUMENT...]
{
	local queue=$1 format=$2 file=$3 printer=$4

	shift 4
	echo "$queue, tones of a $printer $*"
	print_with_tones "$queue" "$file.pdf" "$@"
	right_tones "$format" "$queue" --screen "$(screen_of "$queue")" --printer "$printer"
	cp "out/$queue" plain
	print "$queue" "$(drawn)" "$@"
	! cmp -s plain "out/$queue" || fail "$queue: no dot gain changes nothing"
	print_with_tones "$queue" drawn.ras "$@" -o halftone-dot-gain=12 -o riptideDensity=130
	right_tones "$format" "$queue" --screen "$(screen_of "$queue")" --printer "$printer" \
		--dot-gain 12 \
		--density 130
}
tones pcl5 pcl a5 laser -o media=A5
tones pcl-color pcl a5 inkjet -o media=A5
tones escp2 escp a5 inkjet -o media=A5
tones zpl-203 zpl label thermal -o media=w288h432

# Light inks: six planes, and four or one without them.
echo "escp2-photo, light inks"
queue escp2-photo riptide-escp2-photo
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sColorConversionStrategy=LeaveColorUnchanged \
	-sOutputFile=blue.pdf -c "<< /PageSize [420 595] >> setpagedevice" \
	"0.3 0.2 0 0 setcmykcolor 60 60 200 200 rectfill showpage" || fail "no PDF"
print_with_tones escp2-photo blue.pdf -o media=A5
right_tones escp escp2-photo --screen blue-noise --printer inkjet --light-inks cm
[ -e printed-1-6.pbm ] || fail "escp2-photo: no light inks"
try escp2-photo escp a5 -o media=A5 -o ColorModel=KCMY
try escp2-photo escp a5 -o media=A5 -o ColorModel=Gray

# more levels
for levels in 3 4 8 16; do
	echo "raster $levels levels"
	print raster label.pdf -o media=A6 -o Resolution=300dpi -o halftone-levels=$levels
	right_dots raster raster --levels $levels
done
echo "more levels than rastertohp takes"
for queue in pcl5 pcl-color; do
	print $queue a5.pdf -o media=A5 -o halftone-levels=4
	right_dots pcl $queue --screen "$(screen_of $queue)"
done
echo "raster, colours of several levels"
for model in KCMY RGB; do
	print raster label.pdf -o media=A6 -o Resolution=300dpi -o ColorModel=$model \
		-o halftone-levels=4 -o halftone-screen=stucki
	right_dots raster raster --levels 4 --screen stucki
done
# rastertohp's other way to speak to DeskJets (ESC *g26W).
echo "pcl-color, model 2"
sed 's/^\*cupsModelNumber: 1/*cupsModelNumber: 2/' etc/ppd/pcl-color.ppd >model2.ppd
queue model2 model2.ppd
print model2 a5.pdf -o media=A5 -o Resolution=150dpi
grep -qa '\*g26W' out/model2 || fail "this is not model 2"
right_dots pcl model2 --screen "$(screen_of model2)"

# PWG raster as a PWG printer wants it.
[ "$(head -c 13 out/pwg)" = RaS2PwgRaster ] || fail "the pwg queue prints no PWG raster"
