#!/bin/bash
# riptide-transform, alias ipptransform: the calls of PAPPL 2 and of cups-local; its dots are those
# of riptide rip, and of riptide halftone for its own pixels, wherever the page is placed; copies
# and sides; PCL and Apple raster; images; the choice of the screen; what goes to the next
# ipptransform; what cannot be printed ends inside a page; and PAPPL's sandbox.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs python3
pages=$source/tests/command/transform-pages.py
mkdir bin
ln -s "$build/riptide-transform" bin/ipptransform
transform=$folder/bin/ipptransform
: >empty.conf
export RIPTIDE_TRANSFORM_CONF=$folder/empty.conf
for name in ${!IPP_*} CONTENT_TYPE OUTPUT_TYPE DEVICE_URI SERVER_LOGLEVEL RIPTIDE_SCREEN; do
	unset "$name"
done

# --- documents: three pages as large as the pixels of A4 at 600 dpi, and one that lies ----------
page='0 1 20 { /i exch def i 20 div setgray i 20 mul 50 add 500 20 40 rectfill } for 0 setgray
	/Times-Roman findfont 40 scalefont setfont 50 700 moveto 12 string cvs show
	100 100 60 200 rectfill .2 .5 .8 setrgbcolor 250 200 200 100 rectfill'
make_pdf three.pdf "1 1 3 { << /PageSize [595.2 841.8] >> setpagedevice $page showpage } for"
make_pdf lying.pdf "<< /PageSize [841.8 595.2] >> setpagedevice 7 $page showpage"
make_pdf large.pdf "<< /PageSize [1500 1900] >> setpagedevice 2 2 scale 7 $page showpage"

# As PAPPL 2.0b1 calls it: recorded, but for the values of copies, sides, TYPE and so on.
pappl() # FILE TYPE [NAME=VALUE | -ARGUMENT VALUE]...
{
	local file=$1 type=$2 format=application/pdf more=() margin=423 side
	local col="media-size={x-dimension=21000 y-dimension=29700}"

	shift 2
	[[ $file != *.png ]] || format=image/png
	[[ $file != *.jpg ]] || format=image/jpeg
	while (($#)); do
		if [[ $1 == -* ]]; then
			more+=("$1" "$2")
			shift
		else
			more+=(-o "$1")
		fi
		shift
	done
	for side in bottom left right top; do
		col+=" media-$side-margin=$margin"
	done
	timeout 120 "$transform" -m image/pwg-raster -i $format -o copies=1 -o "media-col={$col}" \
		-o orientation-requested=7 -o page-ranges=1-2147483647 -o print-color-mode=color \
		-o print-quality=4 -o print-scaling=auto -o sides=one-sided -r 600dpi \
		-t "$type,$type" "${more[@]}" "$file" 2>stderr
}

prints() # OUT FILE TYPE [MORE]...
{
	pappl "${@:2}" >"$1" || complain "${*:2}: exit status $?: $(cat stderr)"
	! grep -v '^ATTR: ' stderr || complain "${*:2}: says more"
}

# The pages of a file, as OUT1.pgm, ...; what is in their headers goes to `headers`.
look() # FILE OUT
{
	rm -f "$2"[0-9]*.pgm
	python3 "$pages" pages "$1" "$2" >headers || complain "$1: not whole pages of raster"
}

# The headers have these words in line N.
header() # N WORD...
{
	local word

	for word in "${@:2}"; do
		[[ " $(sed -n "$1p" headers) " == *" $word "* ]] ||
			complain "page $1: not $word: $(sed -n "$1p" headers)"
	done
}

# --- the calls ----------------------------------------------------------------------------------
prints dots.pwg three.pdf black_1
look dots.pwg dots
(($(wc -l <headers) == 3)) || complain "$(wc -l <headers) pages"
header 1 width=4960 height=7015 bits=1 space=3 dpi=600 duplex=0 total=3 media=iso_a4_210x297mm
{
	printf 'ATTR: job-%s\n' impressions=3 pages=3 media-sheets=3
	printf 'ATTR: job-%s-completed=%d\n' impressions 1 media-sheets 1 impressions 2 \
		media-sheets 2 impressions 3 media-sheets 3
} >expected
cmp expected stderr || complain "it says $(cat stderr)"
does "$riptide" rip -r 600 three.pdf -o rip.pbm
cat dots[123].pgm | cmp - rip.pbm || complain "other dots than riptide rip"
prints again.pwg three.pdf black_1 -r 600dpi page-ranges=2-2
look again.pwg again
cmp dots2.pgm again1.pgm || complain "page 2 alone has other dots"
[[ ! -e again2.pgm ]] || complain "page-ranges=2-2 prints more"

# cups-local: everything but the file's name in the environment.
env CONTENT_TYPE=application/pdf OUTPUT_TYPE=image/pwg-raster SERVER_LOGLEVEL=debug IPP_COPIES=1 \
	IPP_PWG_RASTER_DOCUMENT_RESOLUTION_SUPPORTED=600dpi IPP_PRINT_COLOR_MODE=monochrome \
	IPP_PWG_RASTER_DOCUMENT_TYPE_SUPPORTED=black_1,sgray_8 IPP_PRINT_QUALITY=3 \
	IPP_MEDIA_DEFAULT=iso_a4_210x297mm "$transform" three.pdf 2>stderr >local.pwg ||
	complain "by environment: $(cat stderr)"
look local.pwg local
cat local[123].pgm | cmp - rip.pbm || complain "by environment: other dots"
grep -q '^ATTR: job-impressions-completed=3' stderr && grep -q '^DEBUG: ' stderr ||
	complain "by environment it says $(cat stderr)"
! grep -v '^\(ATTR\|DEBUG\): ' stderr || complain "by environment it says more"
pappl three.pdf black_1 -f out.pwg >stdout || complain "-f: $(cat stderr)"
cmp dots.pwg out.pwg && [[ ! -s stdout ]] || complain "-f OUT is not the output"
rm out.pwg

# --- dots of any place: those of riptide halftone for the pixels --------------------------------
same_dots() # FILE MORE...
{
	prints pixels.pwg "$1" sgray_8 -r 100dpi "${@:2}"
	prints dots.pwg "$1" black_1 -r 100dpi "${@:2}"
	look pixels.pwg pixel
	look dots.pwg dots
	for pixel in pixel*.pgm; do
		does "$riptide" halftone "$pixel" -o expected.pbm
		cmp expected.pbm "${pixel/pixel/dots}" || complain "$*: other dots in $pixel"
	done
}

# Where black is: the box of all pixels that are darker than light grey.
box() # FILE.pgm
{
	python3 - "$1" <<-'END'
		import sys
		_, size, _, pixels = open(sys.argv[1], "rb").read().split(b"\n", 3)
		width, height = map(int, size.split())
		rows = [pixels[y * width:(y + 1) * width] for y in range(height)]
		ys = [y for y in range(height) if min(rows[y]) < 64]
		xs = [x for x in range(width) if min(pixels[x::width]) < 64]
		print(xs[0], ys[0], xs[-1], ys[-1])
	END
}

for more in print-scaling=none print-scaling=fit print-scaling=fill orientation-requested=4 \
	orientation-requested=6; do
	same_dots three.pdf $more page-ranges=1-1
done
for file in lying.pdf large.pdf; do
	same_dots $file
done
# Two-sided, with backs upside down: the second page's pixels are the first one's, turned.
make_pdf twice.pdf "2 { << /PageSize [595.2 841.8] >> setpagedevice 7 $page showpage } repeat"
same_dots twice.pdf sides=two-sided-long-edge -s rotated
header 1 duplex=1 tumble=0 cross=1 feed=1
header 2 duplex=1 tumble=0 cross=4294967295 feed=4294967295
read -r left top right bottom < <(box pixel1.pgm)
[[ $(box pixel2.pgm) == "$((825 - right)) $((1168 - bottom)) $((825 - left)) $((1168 - top))" ]] ||
	complain "the back is not turned: $(box pixel1.pgm), $(box pixel2.pgm)"

# --- contone ------------------------------------------------------------------------------------
prints grey.pwg three.pdf sgray_8 -r 100dpi
look grey.pwg grey
header 1 bits=8 space=18 width=826
prints black.pwg three.pdf black_8 -r 100dpi
look black.pwg black # as light again
header 1 bits=8 space=3
cmp grey1.pgm black1.pgm && cmp grey3.pgm black3.pgm || complain "black_8 is not sgray_8 as ink"
prints light.pwg three.pdf sgray_1 -r 100dpi
prints dots.pwg three.pdf black_1 -r 100dpi
look light.pwg light
header 1 bits=1 space=18
look dots.pwg dots
cmp light1.pgm dots1.pgm || complain "sgray_1 has other dots"
prints rgb.pwg three.pdf srgb_8 -r 100dpi
look rgb.pwg rgb
header 1 bits=24 space=19
python3 - <<-'END' || complain "srgb_8 has not the colour of the page"
	import sys
	data = open("rgb1.pgm", "rb").read()[-826 * 1169 * 3:]
	at = ((1169 - 350) * 826 + 480) * 3  # 346, 252 points
	sys.exit(max(abs(a - b) for a, b in zip(data[at:at + 3], (51, 128, 204))) > 2)
END
prints cmyk.pwg three.pdf cmyk_8 -r 100dpi
look cmyk.pwg cmyk
header 1 bits=32 space=6

# --- copies and sides ---------------------------------------------------------------------------
prints copies.pwg three.pdf sgray_8 -r 50dpi copies=2 sides=two-sided-long-edge
look copies.pwg copy
(($(wc -l <headers) == 8)) || complain "2 copies of 3 pages on both sides: $(wc -l <headers) sides"
header 8 total=8 copies=1
grep -q 'job-media-sheets-completed=4$' stderr || complain "copies: $(cat stderr)"
for page in 1 2 3; do
	cmp copy$page.pgm copy$((page + 4)).pgm || complain "copy 2: page $page differs"
done
[[ ! $(tail -c +20 copy4.pgm | tr -d '\377') ]] ||
	complain "the back of a copy's last page is not empty"
cmp -s copy4.pgm copy8.pgm || complain "the last back is not empty"
prints copies.pwg three.pdf sgray_8 -r 50dpi copies=2
look copies.pwg copy
(($(wc -l <headers) == 6)) || complain "2 copies of 3 pages: $(wc -l <headers) sides"
prints copies.pwg three.pdf sgray_8 -r 50dpi copies=3 \
	multiple-document-handling=separate-documents-uncollated-copies
look copies.pwg copy
(($(wc -l <headers) == 3)) || complain "copies of the printer: $(wc -l <headers) sides"
header 1 copies=3 total=9

# --- Apple raster and PCL -----------------------------------------------------------------------
for type in black_1 sgray_8 srgb_8; do
	prints out.pwg three.pdf $type -r 100dpi sides=two-sided-short-edge
	prints out.urf three.pdf $type -r 100dpi sides=two-sided-short-edge -m image/urf
	look out.pwg pwg
	look out.urf urf
	header 3 width=826 height=1169 sides=2 dpi=100
	for page in 1 2 3; do
		cmp pwg$page.pgm urf$page.pgm ||
			complain "$type: page $page of Apple raster differs"
	done
done
[[ $(od -An -tu1 -j8 -N4 out.urf) == *" 3" ]] || complain "Apple raster has not 3 pages"
rm out.*
for margins in 71:A4 75:letter; do # in 1/300 inch, to the left of the logical page
	media=media=iso_a4_210x297mm left=${margins%:*}
	[[ $margins != *letter ]] || media=media=na_letter_8.5x11in
	pappl three.pdf black_1 media-col= $media sides=two-sided-short-edge -r 300dpi >dots.pwg
	pappl three.pdf srgb_8 media-col= $media sides=two-sided-short-edge -r 300dpi \
		-m application/vnd.hp-PCL >dots.pcl || complain "PCL: $(cat stderr)"
	look dots.pwg dots
	"$build/tests/tools/decode-dots" pcl dots.pcl pcl >/dev/null || complain "no PCL"
	for page in 1 2 3; do
		python3 - dots$page.pgm pcl-$page-1.pbm $left 50 <<-'END' || complain \
			"$media: page $page has other dots as PCL"
			import sys
			from pictures import read_pbm
			whole, part = read_pbm(sys.argv[1]), read_pbm(sys.argv[2])
			left, top = map(int, sys.argv[3:])
			assert len(part) == len(whole) - 2 * top
			assert len(part[0]) == len(whole[0]) - 2 * left
			sys.exit(part != [row[left:len(row) - left]
					  for row in whole[top:len(whole) - top]])
		END
	done
	grep -aq $'\033&l2S' dots.pcl && (($(grep -ao $'\033&a2G' dots.pcl | wc -l) == 1)) &&
		(($(grep -ao $'\033\*rB\f' dots.pcl | wc -l) == 3)) ||
			complain "PCL has not both sides"
done
fails_with 1 "PCL has one resolution" "$transform" -m application/vnd.hp-pcl -r 600x300dpi three.pdf

# --- images -------------------------------------------------------------------------------------
python3 - <<-'END'
	import struct, zlib
	from pictures import PNG, png_chunk as chunk
	def picture(name, width, height, kind, pixel, dpi=0):
	    n = {0: 1, 2: 3}[kind]
	    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width))
	                    for y in range(height))
	    meter = round(dpi / .0254)
	    density = chunk(b"pHYs", struct.pack(">IIB", meter, meter, 1)) if dpi else b""
	    open(name, "wb").write(PNG +
	                           chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind,
	                                                      0, 0, 0)) +
	        density + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))
	# black with a white middle, at 150 dpi: 300 x 200 pixels of the sheet
	picture("frame.png", 300, 200, 0,
	        lambda x, y: [255 * (40 <= x < 260 and 40 <= y < 160)], 150)
	picture("fine.png", 3000, 1000, 0, lambda x, y: [255 * ((x + y) % 2)])  # grey from afar
	picture("colour.png", 100, 100, 2, lambda x, y: (200, 100, 50), 100)
END
prints image.pwg frame.png sgray_8 -r 150dpi
look image.pwg image
# It lies, and the sheet stands.
[[ $(box image1.pgm) == "520 726 719 1025" ]] || complain "an image is at $(box image1.pgm)"
same_dots frame.png
same_dots frame.png print-scaling=fit
prints image.pwg frame.png sgray_8 -r 150dpi image-orientation=3
look image.pwg image
[[ $(box image1.pgm) == "470 776 769 975" ]] || complain "an upright image is at $(box image1.pgm)"
prints image.pwg fine.png sgray_8 -r 72dpi
look image.pwg image
python3 - <<-'END' || complain "an image that is made smaller is not the mean of its pixels"
	import sys
	pixels = open("image1.pgm", "rb").read()[-595 * 841:]
	middle = [pixels[y * 595 + x] for y in range(400, 440) for x in range(250, 350)]
	sys.exit(min(middle) < 115 or max(middle) > 140)
END
same_dots fine.png
prints image.pwg colour.png srgb_8 -r 100dpi
look image.pwg image
python3 - <<-'END' || complain "an image has not its colour"
	import sys
	data = open("image1.pgm", "rb").read()[-826 * 1169 * 3:]
	at = (584 * 826 + 413) * 3
	sys.exit(max(abs(a - b) for a, b in zip(data[at:at + 3], (200, 100, 50))) > 1)
END
draw jpeg 100 photo.jpg lying.pdf -dJPEGQ=95
same_dots photo.jpg
prints image.pwg photo.jpg srgb_8 -r 100dpi
head -c 3000 photo.jpg >cut.jpg
head -c 200 frame.png >cut.png
for file in cut.jpg cut.png; do
	refuses_with 1 "truncated" "$transform" -m image/pwg-raster $file
done

# --- the screen ---------------------------------------------------------------------------------
screen_is() # SCREEN MORE...
{
	prints dots.pwg three.pdf black_1 -r 150dpi page-ranges=1-1 "${@:2}"
	look dots.pwg dots
	does "$riptide" halftone --screen "$1" --resolution 150 first.pgm -o expected.pbm
	cmp expected.pbm dots1.pgm || complain "${*:2}: the screen is not $1"
}

prints pixels.pwg three.pdf sgray_8 -r 150dpi page-ranges=1-1
look pixels.pwg first
mv first1.pgm first.pgm
screen_is floyd-steinberg
screen_is clustered halftone-screen=clustered
screen_is bi-level print-color-mode=bi-level
IPP_HALFTONE_SCREEN=blue-noise screen_is blue-noise
RIPTIDE_SCREEN=atkinson screen_is atkinson
cat >screens.conf <<-END
	# by resolution, media and quality
	halftone-screen = stucki
	halftone-screen 150dpi = sierra
	halftone-screen 150dpi draft = burkes
	halftone-screen 150dpi photographic high = blue-noise
	halftone-screen 600dpi stationery normal = clustered
END
export RIPTIDE_TRANSFORM_CONF=$folder/screens.conf
screen_is sierra
screen_is burkes print-quality=3
screen_is sierra print-quality=5
screen_is blue-noise print-quality=5 \
	"media-col={media-size={x-dimension=21000 y-dimension=29700} media-type=photographic}"
screen_is clustered halftone-screen=clustered
RIPTIDE_SCREEN=atkinson screen_is atkinson
screen_is burkes print-color-mode=bi-level # a draft, for which the file says it
refused() # WORDS LINE
{
	echo "$2" >wrong.conf
	RIPTIDE_TRANSFORM_CONF=$folder/wrong.conf refuses_with 1 "wrong.conf:1: $1" "$transform" \
		-m image/pwg-raster -t black_1 three.pdf
}
refused "'halftone-scren' is not an option" "halftone-scren = clustered"
refused "a line is" "clustered"
refused "'halftone-screen' has no value" "halftone-screen ="
RIPTIDE_TRANSFORM_CONF=none.conf refuses_with 1 "cannot open none.conf" "$transform" \
	-m image/pwg-raster three.pdf
export RIPTIDE_TRANSFORM_CONF=$folder/empty.conf

# --- the next ipptransform ----------------------------------------------------------------------
mkdir next link copy wrapper
cat >next/ipptransform <<-'END'
	#!/bin/bash
	printf '%s\n' "$@"
END
ln "$(readlink -f "$transform")" link/ipptransform 2>/dev/null ||
	ln -s "$transform" link/ipptransform
cp "$transform" copy/ipptransform
printf '#!/bin/sh\nexec "%s" "$@"\n' "$transform" >wrapper/ipptransform
chmod 755 next/ipptransform wrapper/ipptransform
ours=$folder/bin:$folder/link:$folder/copy:$folder/wrapper
passes() # ARGUMENT...
{
	PATH=$ours:$folder/next:$PATH timeout 60 "$transform" "$@" >stdout 2>stderr ||
		complain "$*: not passed on: $(cat stderr)"
	cmp <(printf '%s\n' "$@") stdout || complain "$*: passed on as $(cat stdout)"
	refused_alone "$@"
}
# Of all ways to this program, none makes it call itself for ever.
refused_alone()
{
	PATH=$ours:/usr/bin:/bin refuses_with 1 "there is no other ipptransform" "$transform" "$@"
}
: >words.txt
passes -m application/pdf -i application/pdf three.pdf
passes -m application/PCLm -i application/pdf \
	-o "media-col={media-size={x-dimension=1 y-dimension=2}}" \
	three.pdf
passes -m image/pwg-raster words.txt
passes -m image/pwg-raster -o number-up=2 three.pdf
passes -m image/pwg-raster -o imposition-template=booklet three.pdf
passes -m image/pwg-raster three.pdf lying.pdf
passes -m image/pwg-raster -t adobe-rgb_16 three.pdf
passes -d socket://192.0.2.7 -m image/pwg-raster three.pdf
IPP_DOCUMENT_PASSWORD=word passes -m image/pwg-raster three.pdf

# --- what cannot be printed: one line, status 1, and never whole pages alone --------------------
mkdir broken
# Objects 1 to 4 are the catalogue, the pages, and two of them.
cat >plain.pdf <<-'END'
	%PDF-1.4
	1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
	2 0 obj << /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >> endobj
	3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 841] /Contents 9 0 R >> endobj
	4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 9 0 R >> endobj
	5 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 843] /Contents 8 0 R >> endobj
	8 0 obj << /Length 22 >> stream
	50 50 300 500 re f
	endstream endobj
	9 0 obj << /Length 22 >> stream
	0 0 300 500 re f
	endstream endobj
	trailer << /Root 1 0 R /Size 10 >>
	%%EOF
END
prints plain.pwg plain.pdf sgray_8 -r 50dpi
[[ $(python3 "$pages" count plain.pwg) == 3 ]] || complain "the whole document is not printed"
python3 "$pages" broken broken plain.pdf || exit 99
inside=0
for file in broken/*.pdf; do
	[[ $file == *[02468].pdf ]] && type=black_1 || type=sgray_8
	pappl "$file" $type -r 50dpi >out.pwg
	status=$?
	found=$(python3 "$pages" count out.pwg)
	((status == 1)) && [[ $found == 0 || $found == *part ]] ||
		complain "$file: status $status, $found pages: $(cat stderr)"
	(($(grep -c '^ERROR: ' stderr) == 1)) || complain "$file: $(cat stderr)"
	[[ $found == *part ]] || continue
	inside=$((inside + 1))
	pappl "$file" black_1 -m application/vnd.hp-PCL -r 75dpi >out.pcl &&
		complain "$file: PCL is printed"
	[[ $(tail -c 2 out.pcl | od -An -tx1) != ' 1b 45' ]] || complain "$file: the PCL job ends"
done
((inside >= 2)) || complain "only $inside of the broken documents end inside a page"
rm -f out.*
refuses_with 1 "page-ranges=4-9 has none of its 3 pages" "$transform" -m image/pwg-raster \
	-o page-ranges=4-9 plain.pdf
refuses_with 1 "cannot open none.pdf" "$transform" -m image/pwg-raster none.pdf
refuses_with 1 "the name of the document is empty" "$transform" -m image/pwg-raster ""
refuses_with 1 "the name behind -f is empty" "$transform" -m image/pwg-raster -f "" plain.pdf
cp plain.pdf same.pwg
refuses_with 1 "cannot write ./same.pwg: it is the document" "$transform" -i application/pdf \
	-f ./same.pwg same.pwg
cmp plain.pdf same.pwg || complain "the document is overwritten"
refuses_with 1 "-q is not an option" "$transform" -vqv plain.pdf
mkdir counts
echo "riptide-jail = off" >off.conf # which starts no scripts
cat >counts/gs <<END
#!/bin/bash
exec "$(command -v gs)" "\$@" < <(sed -u 2>/dev/null \
	's/^rtopen\$/(\\\\n) print rtword print ( pages 4294967295 10000\\\\n) print flush/')
END
chmod +x counts/gs
refuses_with 1 "plain.pdf: 4294967295 pages are too many" env PATH="$folder/counts:$PATH" \
	RIPTIDE_CONFIG="$folder/off.conf" "$transform" -m image/pwg-raster plain.pdf
pappl three.pdf black_1 >/dev/full && complain "a full device is no error"
grep -q '^ERROR: .*No space left' stderr || complain "a full device: $(cat stderr)"
fails_with 1 "cannot open none/out" "$transform" -m image/pwg-raster -f none/out plain.pdf

# --- cancel: it ends at once, with its Ghostscripts ---------------------------------------------
make_pdf many.pdf \
	"200 { << /PageSize [595 842] >> setpagedevice 9 9 99 99 rectfill showpage } repeat"
mkfifo slow
"$transform" -m image/pwg-raster -r 600dpi -t black_1 many.pdf >slow 2>/dev/null &
process=$!
exec 8<slow
head -c 1000 <&8 >/dev/null
mapfile -t children < <(ghostscripts_of $process)
((${#children[@]} > 0)) || complain "no Ghostscript runs"
start=$(date +%s%N)
kill $process
wait $process
wait_for 60 gone "${children[@]}" || complain "a Ghostscript is left"
echo "cancelled after $((($(date +%s%N) - start) / 1000000)) ms"
exec 8<&-

# --- PAPPL's sandbox ----------------------------------------------------------------------------
mkdir spool
TMPDIR=$folder/spool timeout 120 env -u RIPTIDE_TRANSFORM_CONF \
	python3 "$pages" sandbox "$folder/three.pdf" "$transform" \
	-m image/pwg-raster -i application/pdf -r 600dpi -t black_1 "$folder/three.pdf" \
	>sandbox.pwg 2>stderr
case $? in
0)
	look sandbox.pwg sandbox
	cat sandbox[123].pgm | cmp - rip.pbm || complain "other dots in PAPPL's sandbox" ;;
77) leave_out "PAPPL's sandbox: this kernel has no Landlock" ;;
*) complain "in PAPPL's sandbox: $(cat stderr)" ;;
esac
finish
