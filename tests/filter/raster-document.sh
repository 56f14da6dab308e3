#!/bin/bash
# pdftoriptide with documents of PWG and Apple raster: pages that fit go straight to dots, which are
# those of `riptide halftone` for the same pixels, under the header that a PDF page gets; pages that
# do not fit, and jobs that only pdftopdf understands, are printed as by rastertopdf, pdftopdf and
# this filter.  Nothing of a damaged document is printed.  Where RIPTIDE_TEST_REPEATED is set,
# another build has compared the dots.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
chain=$(dirname "$gstoraster")
need gs python3 "$gstoraster" "$chain/rastertopdf" "$chain/pdftopdf"
export CUPS_SERVERBIN=${chain%/filter}
export FINAL_CONTENT_TYPE=image/urf

# --- queues and pages ---------------------------------------------------------------------------
# 200 x 200 points at 300 dpi, with margins that move the page by 37 columns and 50 rows.
queue() # FILE COLOR-SPACE [LINE...]
{
	small_ppd '*cupsFilter: "application/vnd.cups-pdf 50 pdftoriptide"' \
		'*cupsFilter: "image/urf 50 pdftoriptide"' \
		'*cupsFilter: "image/pwg-raster 50 pdftoriptide"' '*OpenUI *Duplex: PickOne' \
		'*DefaultDuplex: None' '*Duplex None: "<</Duplex false>>setpagedevice"' \
		'*Duplex DuplexNoTumble: "<</Duplex true>>setpagedevice"' '*CloseUI: *Duplex' \
		"${@:3}" | sed "s/cupsColorSpace 3/cupsColorSpace $2/
			s/Small: \"0 0 200 200\"/Small: \"9 6 191 188\"/" >"$1"
}
queue k.ppd 3
queue w.ppd 0
queue rgb.ppd 1
queue cmy.ppd 4
queue manual.ppd 3 '*cupsManualCopies: True'
queue even.ppd 3 '*cupsEvenDuplex: True'
queue rotated.ppd 3 '*cupsBackSide: Rotated'
queue reverse.ppd 3 '*DefaultOutputOrder: Reverse'
queue mirror.ppd 3 '*OpenUI *MirrorPrint: Boolean' '*DefaultMirrorPrint: True' \
	'*MirrorPrint True: ""' '*MirrorPrint False: ""' '*CloseUI: *MirrorPrint'
queue collate.ppd 3 '*OpenUI *Collate: Boolean' '*DefaultCollate: False' \
	'*Collate True: "<</Collate true>>setpagedevice"' '*Collate False: ""' '*CloseUI: *Collate'
sed 's/Duplex true/Tumble true/; s/\*Duplex/*EFDuplex/; s/DefaultDuplex/DefaultEFDuplex/
	' k.ppd >ef.ppd
queue profile.ppd 3 '*cupsICCProfile Gray../Grey: "/dev/null"'
sed 's/Small: "9 6 191 188"/Small: "0 0 200 200"/' k.ppd >whole.ppd

cat >pictures-of-pages.py <<'END'
# make NUMBER SAMPLES WIDTH HEIGHT: a picture; cut LEFT TOP WIDTH HEIGHT WHITE INVERT: a part of the
# pictures on standard input.
import sys
what, *numbers = sys.argv[1:]
numbers = [int(n) for n in numbers]
out = sys.stdout.buffer
if what == "make":
    page, samples, width, height = numbers
    out.write(b"P%d\n%d %d\n255\n" % (4 + (samples + 1) // 2, width, height))
    ramp = bytes(x * (3 + s) // 7 + 40 * s & 255 for x in range(width) for s in range(samples))
    white = bytes([255]) * (60 * samples)
    for y in range(height):
        line = ramp.translate(bytes(v + y * page // 5 & 255 for v in range(256)))
        at = (y // 90 + page) % 10 * 60 * samples
        out.write(line[:at] + white + line[at + len(white):])
    sys.exit()
left, top, columns, rows, white, invert = numbers
read = sys.stdin.buffer
while kind := read.readline():
    width, height = map(int, read.readline().split())
    read.readline()
    samples = 3 if kind == b"P6\n" else 1
    lines = [read.read(width * samples) for _ in range(height)]
    out.write(kind + b"%d %d\n255\n" % (columns, rows))
    blank = bytes([white]) * (columns * samples)
    for y in range(top, top + rows):
        line = lines[y] if 0 <= y < height else b""
        line = blank[:max(0, -left * samples)] + line[max(0, left * samples):] + blank
        line = line[:len(blank)]
        out.write(line.translate(bytes(range(255, -1, -1))) if invert else line)
END

picture() # NAME NUMBER SAMPLES WIDTH HEIGHT
{
	python3 pictures-of-pages.py make "${@:2}" >"$1" || exit 99
}
raster() # FILE FORMAT SPACE PICTURE...
{
	cat "${@:4}" >all.pnm
	"$build/tests/tools/pnm-raster" all.pnm 300 "$2" "$3" >"$1" || exit 99
}
for page in 1 2 3; do
	picture $page.pgm $page 1 833 833
done
picture 1.ppm 1 3 833 833
raster one.urf apple 18 1.pgm
raster one.pwg pwg 18 1.pgm
raster three.pwg pwg 18 1.pgm 2.pgm 3.pgm
raster two.urf apple 18 1.pgm 2.pgm

# --- straight to dots ---------------------------------------------------------------------------
# The filter's dots are those of `riptide halftone` for these pictures.
dots_of() # WHAT CUT SPACE PICTURE...
{
	[[ -s dots ]] || complain "$1: no dots"
	[[ $once ]] || return 0
	cat "${@:4}" >pages.pnm
	# shellcheck disable=SC2086 # words
	python3 pictures-of-pages.py cut ${2//,/ } <pages.pnm >cut.pnm || exit 99
	"$build/tests/tools/pnm-raster" cut.pnm 300 cups "$3" >cut.ras || exit 99
	rm -f expected-* printed-* # pages
	"$riptide" halftone -o expected.ras cut.ras 2>stderr ||
		complain "$1: riptide halftone: $(cat stderr)"
	"$build/tests/tools/decode-dots" raster expected.ras expected &&
		"$build/tests/tools/decode-dots" raster dots printed &&
		"$build/tests/tools/compare-dots" expected printed ||
		complain "$1: other dots than those of riptide halftone"
}

straight() # WHAT PPD OPTIONS FILE PAGES
{
	PPD=$2 run pdftoriptide "$3" "$4"
	ended "$1" $? 0 ""
	grep -q "^DEBUG: $5 pages of raster go straight to dots" err ||
		complain "$1: does not go straight: $(grep -a 'raster' err)"
}

# The header of a PDF page of the same size.
make_pdf one.pdf '<< /PageSize [200 200] >> setpagedevice 60 60 80 80 rectfill showpage'
like_pdf() # WHAT PPD
{
	[[ $once ]] || return 0
	"$build/tests/tools/raster-headers" dots >ours.txt
	PPD=$2 FINAL_CONTENT_TYPE=application/vnd.cups-pdf run pdftoriptide "" one.pdf
	"$build/tests/tools/raster-headers" dots >pdf.txt
	diff ours.txt pdf.txt >difference || complain "$1: not the header of a PDF page: $(cat \
		difference)"
}
raster k.pwg pwg 3 1.pgm
raster rgb.urf apple 19 1.ppm
picture narrow.pgm 1 1 830 830
raster narrow.pwg pwg 18 narrow.pgm
picture wide.pgm 1 1 835 836
raster wide.pwg pwg 18 wide.pgm
while read -r what ppd file page cut space; do
	straight "$what" "$ppd.ppd" "" "$file" 1
	dots_of "$what" "$cut" "$space" "$page"
	like_pdf "$what" "$ppd.ppd"
done <<END
grey,Apple,on-black k one.urf 1.pgm 37,50,758,758,255,1 3
grey,PWG,on-black k one.pwg 1.pgm 37,50,758,758,255,1 3
grey,on-light w one.urf 1.pgm 37,50,758,758,255,0 0
black-on-black k k.pwg 1.pgm 37,50,758,758,0,0 3
colour-on-light rgb rgb.urf 1.ppm 37,50,758,758,255,0 1
colour-on-ink cmy rgb.urf 1.ppm 37,50,758,758,255,1 4
narrow,with-a-border whole narrow.pwg narrow.pgm -2,-2,833,833,255,1 3
narrow,cut k narrow.pwg narrow.pgm 36,48,758,758,255,1 3
wide k wide.pwg wide.pgm 38,51,758,758,255,1 3
END
# The final type that cupsd names for PWG raster is not that of the dots.
FINAL_CONTENT_TYPE=image/pwg-raster straight "final type" k.ppd "" one.pwg 1
like_pdf "final type" k.ppd
straight "an option for dots" k.ppd "number-up=1 print-scaling=auto fitplot=false \
orientation-requested=3 halftone-screen=bayer media=iso_a4" one.urf 1
PPD=k.ppd timeout 300 "$build/pdftoriptide" 7 user title 1 "" <one.urf >dots 2>err
ended "standard input" $? 0 ""
dots_of "standard input" 37,50,758,758,255,1 3 1.pgm

# --- which pages --------------------------------------------------------------------------------
while read -r ppd options pages copies list; do
	options=${options//;/ }
	straight "$options" "$ppd.ppd" "$options" three.pwg "$pages"
	# shellcheck disable=SC2086 # words
	dots_of "$ppd $options" 37,50,758,758,255,1 3 $list
	[[ $("$build/tests/tools/raster-headers" dots | sed -n 's/^NumCopies //p' | sort -u) == \
		"$copies" ]] || complain "$ppd $options: not $copies copies"
	(($(pages_logged) == pages)) || complain "$options: $(pages_logged) pages logged"
done <<END
k page-ranges=2-3 2 1 2.pgm 3.pgm
k output-order=reverse 3 1 3.pgm 2.pgm 1.pgm
reverse page-ranges=1,3 2 1 3.pgm 1.pgm
k copies=2 3 2 1.pgm 2.pgm 3.pgm
manual copies=2;page-ranges=1-2 4 1 1.pgm 1.pgm 2.pgm 2.pgm
manual copies=2;Collate=True;page-ranges=1-2 4 1 1.pgm 2.pgm 1.pgm 2.pgm
manual copies=2;Duplex=DuplexNoTumble;page-ranges=1-2 4 1 1.pgm 2.pgm 1.pgm 2.pgm
even Duplex=DuplexNoTumble;page-ranges=1-2 2 1 1.pgm 2.pgm
END
straight "the printer collates nothing" collate.ppd Collate=True one.urf 1
! "$build/tests/tools/raster-headers" dots | grep Collate || complain "it is to collate"
# As some clients write it, without "PwgRaster".
sed '1s/PwgRaster/\x0\x0\x0\x0\x0\x0\x0\x0\x0/' one.pwg >plain.pwg
straight "RaS2" k.ppd "" plain.pwg 1
dots_of "RaS2" 37,50,758,758,255,1 3 1.pgm
straight "no page" k.ppd page-ranges=7 one.urf 0
[[ ! -s dots ]] || complain "a page that the document does not have is printed"
# No driver is started for no page: those of CUPS call that a failure.
printf '#!/bin/sh\ntouch %s/driven\nexit 1\n' "$folder" >driver
chmod 755 driver
queue next.ppd 3 "*riptideNextFilter: \"$folder/driver\""
head -c 12 one.urf >none.urf # the header of the file
straight "no page for a driver" next.ppd page-ranges=7 one.urf 0
straight "no page at all" next.ppd "" none.urf 0
[[ ! -e driven ]] || complain "a driver is started without pages"
PPD=manual.ppd timeout 300 "$build/pdftoriptide" 7 user title 3 "" one.urf >dots 2>err
dots_of "copies of cupsd" 37,50,758,758,255,1 3 1.pgm 1.pgm 1.pgm

# --- as PDF -------------------------------------------------------------------------------------
# The same bytes as from the filters one after the other.
as_pdf() # PPD OPTIONS FILE PAGES
{
	local options=$2 file=$3 filter
	local -x PPD=$1 FINAL_CONTENT_TYPE=application/vnd.cups-pdf

	cp "$file" expected.ras
	for filter in ${once:+"$chain/rastertopdf" "$chain/pdftopdf" "$build/pdftoriptide"}; do
		mv expected.ras from
		"$filter" 7 user 'a title' 1 "$options" <from >expected.ras 2>stderr
	done
	FINAL_CONTENT_TYPE=image/urf run pdftoriptide "$options" "$file"
	ended "$options" $? 0 ""
	[[ ! $once ]] || cmp expected.ras dots ||
		complain "$options $file: not what the filters of CUPS print"
	(($(pages_logged) == $4)) || complain "$options: $(pages_logged) pages logged"
}
as_pdf k.ppd number-up=2 three.pwg 2
as_pdf k.ppd "copies=3 Collate=True" two.urf 2
as_pdf k.ppd "riptide-rip=gstoraster page-ranges=2" two.urf 1
sed 's/200 200/206 200/' whole.ppd >broad.ppd
as_pdf broad.ppd "" one.urf 1

# Why: with filters in the place of CUPS's that make no page.
mkdir -p lib/filter
printf '#!/bin/sh\ncat >/dev/null\necho "$FINAL_CONTENT_TYPE" >>%s/final\n' "$folder" \
	>lib/filter/rastertopdf
cp lib/filter/rastertopdf lib/filter/pdftopdf
chmod 755 lib/filter/*
export CUPS_SERVERBIN=$folder/lib
misfit() # PPD OPTIONS FILE REASON
{
	PPD=$1 run pdftoriptide "$2" "$3"
	ended "$1 $2 $3" $? 0 ""
	grep -qF "raster is printed as PDF: $4" err ||
		complain "$1 $2 $3: not because of \"$4\": $(grep -a raster err)"
}
for option in number-up=2 ${once:+booklet=true page-border=single mirror=true landscape=true \
	orientation-requested=6 print-scaling=fit fitplot fit-to-page=true fill=yes \
	ipp-attribute-fidelity=true position=top-left page-set=odd page-label=secret} \
	page-ranges=x; do
	misfit k.ppd "$option" one.urf "the job has the option ${option%%=*}"
done
CLASSIFICATION=secret misfit k.ppd "" one.urf "the job has the option CLASSIFICATION"
misfit k.ppd "copies=2 Collate=True" one.urf "the job has the option Collate"
misfit mirror.ppd "" one.urf "the job has the option MirrorPrint"
misfit ef.ppd EFDuplex=DuplexNoTumble two.urf "pdftopdf prints on both sides, the page's header on"
misfit k.ppd Duplex=true two.urf "pdftopdf prints on both sides, the page's header on one side"
misfit profile.ppd "" one.urf "the queue has a colour profile"
misfit rotated.ppd Duplex=DuplexNoTumble two.urf "the backs of sheets are mirrored"
misfit even.ppd Duplex=DuplexNoTumble one.urf "the last sheet needs an empty back"
misfit reverse.ppd Duplex=DuplexNoTumble three.pwg "the last sheet needs an empty back"
misfit manual.ppd "Duplex=DuplexNoTumble copies=2" three.pwg "the last sheet needs an empty back"
misfit k.ppd riptide-rip=gstoraster one.urf "another filter is to draw the pages"
misfit broad.ppd "" one.urf "page 1: it has 199.9 x 199.9 points, the sheet 206.0 x 200.0"
misfit k.ppd "" rgb.urf "page 1: it has 8 bits in SRGB, the queue 8 in K"
misfit rgb.ppd "" one.urf "page 1: it has 8 bits in SW, the queue 8 in RGB"
raster adobe.pwg pwg 20 1.ppm
misfit rgb.ppd "" adobe.pwg "page 1: it has 8 bits in ADOBERGB, the queue 8 in RGB"
sed 's/300 300/300 600/' k.ppd >other.ppd
misfit other.ppd "" one.urf "page 1: it has 300 x 300 dpi, the queue 300 x 600"
picture small.pgm 1 1 800 833
raster sizes.urf apple 18 1.pgm small.pgm
misfit k.ppd "" sizes.urf "page 2: it has 192.0 x 199.9 points, the sheet 200.0 x 200.0"
# 46 bytes whose header promises 256 TiB: rastertopdf gets them.
printf 'UNIRAST\0\0\0\0\1\10\0\0\2\0\0\0\0\0\0\0\0\0\377\377\377\0\377\377\377\0\0\1\54'\
'\0\0\0\0\0\0\0\0\377\200' >huge.urf
misfit k.ppd "" huge.urf "page 1: it has 4026531.6 x 4026531.6 points, the sheet 200.0 x 200.0"
[[ $(sort -u final) == application/vnd.cups-pdf ]] ||
	complain "the filters of CUPS get the final types $(sort -u final | xargs)"

# Filters that fail, write something else, or whose PDF has no room.
TMPDIR=$folder/none PPD=k.ppd run pdftoriptide number-up=2 one.urf
ended "no room" $? 1 "$folder/none"
printf '#!/bin/sh\nexec cat\n' >lib/filter/pdftopdf
for filter in 'echo no PDF' 'exec yes'; do
	printf '#!/bin/sh\n%s\n' "$filter" >lib/filter/rastertopdf
	PPD=k.ppd run pdftoriptide number-up=2 one.urf
	ended "$filter" $? 1 "the document is no PDF"
done
printf '#!/bin/sh\ncat >/dev/null\necho "ERROR: a filter of CUPS" >&2\nexit 3\n' \
	>lib/filter/rastertopdf
PPD=k.ppd run pdftoriptide number-up=2 one.urf
ended "rastertopdf fails" $? 1 "a filter of CUPS"
mv lib/filter/pdftopdf lib/filter/rastertopdf
PPD=k.ppd run pdftoriptide number-up=2 one.urf
ended "no pdftopdf" $? 1 "install cups-filters"

# --- options for Ghostscript: one WARNING that they have no effect -------------------------------
export CUPS_SERVERBIN=${chain%/filter}
while IFS='|' read -r ppd options file words; do
	PPD=$ppd.ppd run pdftoriptide "$options" "$file"
	ended "$options" $? 0 ""
	[[ $(grep -a '^WARNING: ' err) == "WARNING: $words"* ]] &&
		(($(grep -ac '^WARNING: ' err) == 1)) ||
		complain "$options: not one WARNING: $(grep -a '^WARNING' err)"
done <<'END'
k|text-profile=/x text-rendering-intent=absolute|one.urf|text-profile, text-rendering-intent have no
rgb|print-rendering-intent=absolute|rgb.urf|print-rendering-intent has no effect: raster goes
rgb|image-rendering-intent=absolute print-rendering-intent=auto|rgb.urf|image-rendering-intent has
k|graphics-profile=/x number-up=2|one.urf|graphics-profile has no effect: the pages are in grey
rgb|text-profile=x number-up=2|rgb.urf|text-profile=x is not used: not an absolute path
k|image-profile=/x riptide-rip=gstoraster|one.pdf|image-profile has no effect: gstoraster draws
END
for option in print-rendering-intent=auto text-rendering-intent=automatic; do
	straight "$option" rgb.ppd "$option" rgb.urf 1
	! grep -a '^WARNING' err || complain "$option: a WARNING"
done
raster one.ras cups 3 1.pgm
PPD=k.ppd run rastertoriptide "text-profile=/x print-rendering-intent=absolute" one.ras
ended "rastertoriptide" $? 0 ""
[[ $(grep -a '^WARNING: ' err) == "WARNING: text-profile has no effect: only pdftoriptide d"* ]] ||
	complain "rastertoriptide: not one WARNING: $(grep -a '^WARNING' err)"

# --- damage: one ERROR, and no page ------------------------------------------------------------
cat >damage.py <<'END'
# Damaged documents, one a line: FILE WORDS.
import struct
def write(name, data, words):
    open(name, "wb").write(data)
    print(name, words)
urf, pwg = open("two.urf", "rb").read(), open("three.pwg", "rb").read()
long = lambda v: struct.pack(">I", v)
for n in (13, 43):
    write(f"short{n}.urf", urf[:n], "the raster ends in the page's header")
write("short.pwg", pwg[:1000], "the raster ends in the page's header")
write("line.urf", urf[:5000], "page 1: the raster ends in line")
write("second.urf", urf[:-1], "page 2: the raster ends in line")
write("third.pwg", pwg[:-1000], "page 3: the raster ends in line")
def at(name, data, offset, value, words):
    write(name, data[:offset] + value + data[offset + len(value):], words)
at("width.urf", urf, 24, long(0xffffffff), "page 1: the width is 4294967295")
at("wide.urf", urf, 24, long(10 ** 7), "page 1:")
at("nothing.urf", urf, 24, long(0), "page 1:")
at("high.urf", urf, 28, long(0xffffffff), "page 1: cupsHeight is 4294967295")
at("bits.urf", urf, 12, bytes([7]), "page 1:")
at("pixel.urf", urf, 12, bytes([24]), "page 1:")
at("more.urf", urf, 28, long(10 ** 6), "page 1: the raster ends in line")
for name, offset, value, words in (
        ("width", 372, 0, "cupsWidth is 0"), ("height", 376, 2 ** 31, "cupsHeight is"),
        ("bits", 384, 7, "cupsBitsPerColor is 7"), ("pixel", 388, 32, "cupsBitsPerPixel is 32"),
        ("line", 392, 10, "cupsBytesPerLine is 10"), ("order", 396, 3, "cupsColorOrder is 3"),
        ("space", 400, 77, "cupsColorSpace is 77")):
    at(f"{name}.pwg", pwg, 4 + offset, long(value), "page 1: " + words)
END
python3 damage.py >damaged || exit 99
(($(wc -l <damaged) == 20)) || complain "not all damaged documents are made"
rm -r lib # no filter of CUPS sees them
while read -r file words; do
	PPD=k.ppd run pdftoriptide "$([[ $file != l* ]] || echo number-up=2)" "$file"
	ended "$file" $? 1 "$words"
	[[ ! -s dots ]] || complain "$file: something is printed"
done <damaged

# XPS, which nothing here understands.
printf 'PK\003\004\024\000\006\000%100s[Content_Types].xml' '' >page.xps
PPD=k.ppd run pdftoriptide "" page.xps
ended XPS $? 1 "libgxps-utils"
refuses_with 1 "libgxps-utils" "$riptide" rip -r 300 -o out.pbm page.xps
finish
