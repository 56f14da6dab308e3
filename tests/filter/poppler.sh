#!/bin/bash
# Pages that pdftoppm draws (riptide-renderer = poppler): its own pixels, in the same places as
# Ghostscript's; what it cannot do is refused, or warned of once; damaged documents never become
# whole pages; nothing of it is left.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc python3 pdftoppm pdfinfo
make_ppds
gs_conf=$folder/gs.conf
export RIPTIDE_CONFIG=$folder/poppler.conf
echo "riptide-renderer = poppler" >poppler.conf
: >gs.conf

# --- the dots are those of pdftoppm's pixels, in any number of workers, without Ghostscript
# -----------------------------------------------------------------------------------
make_pdf pages.pdf "1 1 5 { /i exch def << /PageSize [180 120] >> setpagedevice
/Helvetica findfont 40 scalefont setfont i 6 div setgray 20 50 moveto (Page ) show
0 i 5 div 1 sethsbcolor 0 0 60 40 rectfill showpage } for"
mkdir bin
ln -s "$(command -v pdftoppm)" "$(command -v pdfinfo)" bin/
for workers in 1 3; do
	does env PATH="$folder/bin" "$riptide" rip -r 300 --workers $workers --screen blue-noise \
		pages.pdf -o dots.pbm
	for page in {1..5}; do
		pdftoppm -gray -r 300 -aa no -aaVector no -f $page -l $page pages.pdf >page.pgm
		"$riptide" halftone --screen blue-noise page.pgm
	done >expected.pbm
	cmp expected.pbm dots.pbm || complain "other dots with $workers workers"
done
echo "riptide-jail = off" >>poppler.conf
does "$riptide" rip -r 300 --screen blue-noise pages.pdf -o off.pbm
cmp expected.pbm off.pbm || complain "other dots without a jail"
sed -i '/jail/d' poppler.conf
does "$riptide" rip -r 300 --model rgb --screen bi-level --pages 2 pages.pdf -o dots.ras
does "$riptide" rip -r 300 --screen bi-level --pages 2 pages.pdf -o dots.pbm
(($(wc -c <dots.ras) > 2 * $(wc -c <dots.pbm))) || complain "RGB has no three planes"

# --- boxes, rotation and margins: where Ghostscript draws them
# -----------------------------------------------------------------------------------
page() # TURN KEYS: rectangles that begin and end with pixels
{
	local content="0 g 120 222 42 18 re f 0 0 0 1 k 252 252 48 12 re f
0 g 102 204 18 12 re f 372 582 18 12 re f"

	printf '%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n'
	printf '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n'
	printf '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [102 204 402 600]\n'
	printf '/Rotate %d %s /Contents 4 0 R >> endobj\n' "$@"
	printf '4 0 obj << /Length %d >> stream\n%s\nendstream endobj\n' ${#content} "$content"
	printf 'trailer << /Root 1 0 R /Size 5 >>\n%%%%EOF\n'
}
small_ppd '*cupsFilter2: "application/vnd.cups-pdf application/vnd.cups-raster 0 pdftoriptide"' |
	sed 's/200 200/300 396/g; s/"0 0 300 396"/"12 18 294 390"/' >margins.ppd
for turn in 0 90 180 270; do
	for box in "" "/CropBox [150 228 378 522]" "/CropBox [9 9 9 9]"; do
		page $turn "$box" >box.pdf
		does "$riptide" rip -r 144 --screen bi-level box.pdf -o dots.pbm
		RIPTIDE_CONFIG=$gs_conf does "$riptide" rip -r 144 --screen bi-level box.pdf \
			-o expected.pbm
		cmp expected.pbm dots.pbm || complain "turned by $turn, $box: other pixels"
		[[ $box ]] || cp dots.pbm whole.pbm
		[[ $box != *9* ]] || cmp whole.pbm dots.pbm ||
			complain "turned by $turn: an empty crop box hides the page"
	done
done
page 0 "/CropBox [150 228 378 522]" >box.pdf
PPD=$folder/margins.ppd run pdftoriptide "halftone-screen=bi-level" box.pdf
ended "a sheet with margins" $? 0 ""
mv dots margins.ras
RIPTIDE_CONFIG=$gs_conf PPD=$folder/margins.ppd run pdftoriptide "halftone-screen=bi-level" box.pdf
cmp dots margins.ras || complain "other pixels on a sheet with margins"

# --- what it cannot do
# -----------------------------------------------------------------------------------
echo "riptide-renderer = pdftoppm" >wrong.conf
RIPTIDE_CONFIG=$folder/wrong.conf fails_with 1 "'pdftoppm' is not ghostscript or poppler" \
	"$riptide" rip pages.pdf -o out.pbm
instead="set riptide-renderer = ghostscript in $folder/poppler.conf"
fails_with 1 "pdftoppm draws grey and RGB, and not CMYK: $instead" \
	"$riptide" rip --model cmyk pages.pdf -o out.ras
fails_with 1 "pdftoppm draws grey and RGB, and not separations: $instead" \
	"$riptide" rip --inks separations pages.pdf -o out.tif
page 90 "" >turned.pdf
PPD=$folder/margins.ppd run pdftoriptide "" turned.pdf
ended "a page that has to be turned" $? 1 "page 1: pdftoppm can neither turn nor mirror pages"
"$riptide" rip -r 72 --workers 3 --black profile pages.pdf -o black.pbm 2>stderr ||
	complain "--black profile: $(cat stderr)"
one_line "--black profile" "pdftoppm does not know the profile of CMYK: 100 % K is full ink"
sed 's,/cupsColorSpace 3,/cupsColorSpace 1,' margins.ppd >rgb.ppd
for option in {print,text,image}-rendering-intent=absolute; do
	PPD=$folder/rgb.ppd run pdftoriptide "$option riptide-workers=3" pages.pdf
	ended "$option" $? 0 ""
	[[ $(grep -a '^WARNING: ' err) == "WARNING: pdftoppm does not use rendering intents"* ]] &&
		(($(grep -ac '^WARNING: ' err) == 1)) ||
		complain "$option: not one WARNING: $(grep -a '^WARNING' err)"
done
page 0 "/Usage << /Print << /PrintState /OFF >> >>" >layers.pdf
"$riptide" rip -r 72 layers.pdf -o layers.pbm 2>stderr || complain "layers: $(cat stderr)"
one_line "layers" "this version of Poppler may print those that the screen shows"
rm bin/pdfinfo
fails_with 1 "there is no program pdfinfo: install Poppler (the package poppler-utils)" \
	env PATH="$folder/bin" "$riptide" rip pages.pdf -o out.pbm

# --- damaged documents
# -----------------------------------------------------------------------------------
seed=${RIPTIDE_TEST_SEED:-1}
echo "RIPTIDE_TEST_SEED=$seed"
mkdir bad
python3 "$source/tests/filter/damage-pdf.py" "$seed" 8 bad pages.pdf || exit 99
head -c 400 pages.pdf >bad/cut.pdf
sed 's,3 0 R\],9 0 R],' box.pdf >bad/lost.pdf
export PPD=$folder/ppds/riptide-raster.ppd
sed -i '/riptideNextFilter/d' "$PPD"
failed_count=0
for file in bad/*.pdf; do
	timeout 120 "$build/pdftoriptide" 1 user title 1 "Resolution=300dpi" "$file" 2>err >dots
	status=$?
	pages=$("$build/tests/tools/raster-headers" dots 2>/dev/null | grep -c '^page ')
	((status == 0 || status == 1)) || complain "$file: status $status: $(tail -n 2 err)"
	(($(grep -ac '^ERROR: ' err) == status)) || complain "$file: status $status: $(cat err)"
	((status == 1 || $(grep -ac '^PAGE: ' err) == pages)) || complain "$file: a page is cut"
	((failed_count += status))
	[[ ! $file =~ cut|lost || ($status == 1 && $pages == 0) ]] ||
		complain "$file: $pages pages are made up: $(cat err)"
done
((failed_count < $(find bad -type f | wc -l))) || complain "no damaged document prints"

# --- in the jail, and nothing is left
# -----------------------------------------------------------------------------------
make_pdf many.pdf "40 { << /PageSize [595 842] >> setpagedevice 9 9 300 300 rectfill showpage
} repeat"
is_jailed()
{
	drawn_by=$(pgrep -x pdftoppm -P $pid | head -n 1)
	[[ $drawn_by ]] || head -c 100000 <&8 >/dev/null
	grep -q 'its jail lacks' err || grep -q '^Seccomp:[[:space:]]*2' "/proc/$drawn_by/status"
}
for signal in TERM KILL; do
	rm -f fifo
	mkfifo fifo
	"$build/pdftoriptide" 7 user title 1 "riptide-workers=2" many.pdf 2>err >fifo &
	pid=$!
	exec 8<fifo
	head -c 1000 <&8 >/dev/null
	wait_for 60 is_jailed || complain "pdftoppm is not in the jail"
	kill -$signal $pid
	wait $pid 2>/dev/null
	wait_for 60 gone "$drawn_by" || complain "SIG$signal: pdftoppm is left"
	exec 8<&-
done
finish
