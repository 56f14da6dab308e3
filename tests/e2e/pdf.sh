#!/bin/sh
# The queues of riptide.drv print PDF through pdftoriptide.  The printer gets the same bytes as
# through gstoraster and rastertoriptide, and as from a queue that goes back to gstoraster by its
# option; page_log counts the same pages.  Images and CUPS raster go through rastertoriptide, Apple
# and PWG raster straight through pdftoriptide.  A job that is canceled leaves no process.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=text.pdf -c '
	1 1 3 { pop << /PageSize [595 842] >> setpagedevice
	/Times-Roman findfont 40 scalefont setfont
	60 60 moveto (Dots) show 60 700 moveto (and more) show showpage } for' || fail "no document"
gs -q -dBATCH -dNOPAUSE -sDEVICE=pgmraw -r20 -g100x100 -sOutputFile=image.pgm \
	-c '0.5 setgray 20 20 200 200 rectfill showpage' || fail "no image"
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=black.pdf \
	-dColorConversionStrategy=/LeaveColorUnchanged -c '
	<< /PageSize [595 842] >> setpagedevice 0 0 0 1 setcmykcolor 60 60 99 99 rectfill
	[/Separation /Black /DeviceCMYK {0 exch 0 exch 0 exch}] setcolorspace 1 setcolor
	60 300 99 99 rectfill showpage' || fail "no black document"
ppdc -l en -d ppd "$RIPTIDE_SOURCE/ppd/riptide.drv" >/dev/null 2>&1 || fail "no PPDs"
hold_backend

# went FILTER...: through the last job's chain; "-FILTER" if not through that one.
went()
{
	local filter

	for filter; do
		case $filter in
		-*) ! pc_log "$PC_JOB" | grep -qi "started \(filter \)\?/.*/${filter#-} (" ;;
		*) pc_log "$PC_JOB" | grep -qi "started \(filter \)\?/.*/$filter (" ;;
		esac || fail "job $PC_JOB: not $filter: $(pc_log "$PC_JOB" | grep -i 'started')"
	done
}

# same DRIVER PAGES [LP-ARGUMENT...]
same()
{
	local driver=$1 pages=$2

	shift 2
	print plain text.pdf "$@"
	pages_are "$PC_JOB" "$pages"
	went gstoraster rastertoriptide -pdftoriptide
	print pages text.pdf "$@"
	pages_are "$PC_JOB" "$pages"
	went pdftoriptide -gstoraster -rastertoriptide
	cmp out/plain out/pages || fail "$driver $*: the printer gets something else"
	echo "$driver $*: the same"
}

for driver in riptide-pcl5 riptide-zpl-203 riptide-escp2 riptide-pwg riptide-raster; do
	sed '/pdftoriptide"/d; /riptideNextFilter/d' "ppd/$driver.ppd" >plain.ppd
	! grep -q 'vnd.cups-pdf' plain.ppd || fail "plain.ppd prints PDF"
	queue plain plain.ppd
	queue pages "ppd/$driver.ppd"
	same "$driver" 6 -n 2 -o media=A4
	case $driver in
	riptide-pcl5 | riptide-pwg) ;;
	*) continue ;;
	esac
	same "$driver" 1 -o page-ranges=2
	same "$driver" 3
	# Back to gstoraster: the job, then the queue; and without Ghostscript.
	print pages text.pdf -o riptide-rip=gstoraster
	went pdftoriptide gstoraster
	pages_are "$PC_JOB" 3
	cmp out/plain out/pages || fail "$driver: other dots by gstoraster"
	lpadmin -p pages -o riptideRip=gstoraster 2>/dev/null ||
		fail "lpadmin does not take gstoraster"
	print pages text.pdf
	went pdftoriptide gstoraster
	cmp out/plain out/pages || fail "$driver: other dots from a queue with gstoraster"
	# Pure black of CMYK is solid by both ways, but not where CUPS starts gstoraster.
	print plain black.pdf
	print pages black.pdf -o riptide-rip=pdftoriptide
	went pdftoriptide -gstoraster
	! cmp -s out/plain out/pages || fail "$driver: black is the same without pdftoriptide"
	mv out/pages solid
	print pages black.pdf
	went pdftoriptide gstoraster
	cmp solid out/pages || fail "$driver: black is not solid by gstoraster"
	print pages text.pdf -o riptide-rip=pdftoraster
	went pdftoriptide pdftoraster -gstoraster
	pages_are "$PC_JOB" 3
	# Images and raster.
	print plain image.pgm -o media=A5
	print pages image.pgm -o media=A5
	went imagetoraster rastertoriptide -pdftoriptide
	pages_are "$PC_JOB" 1
	cmp out/plain out/pages || fail "$driver: another image"
done
queue plain plain.ppd
print plain text.pdf -o Resolution=300dpi
PPD=$PC_DIR/plain.ppd lib/filter/gstoraster 1 user title 1 Resolution=300dpi text.pdf \
	>text.ras 2>/dev/null || fail "no raster"
print pages text.ras -o Resolution=300dpi -o document-format=application/vnd.cups-raster
went rastertoriptide -pdftoriptide
cmp out/plain out/pages || fail "a job of raster prints other dots"

# What AirPrint and IPP Everywhere send.
gs -q -dBATCH -dNOPAUSE -sDEVICE=pgmraw -r300 -g2480x3508 -sOutputFile=text.pgm text.pdf &&
	"$tests/tools/pnm-raster" text.pgm 300 apple >text.urf &&
	"$tests/tools/pnm-raster" text.pgm 300 pwg >text.pwg || fail "no Apple or PWG raster"
for driver in riptide-pcl5 riptide-pwg; do
	queue pages "$driver"
	print pages text.urf -o Resolution=300dpi -n 2
	pages_are "$PC_JOB" 6
	went pdftoriptide -rastertopdf -pdftopdf -rastertoriptide
	mv out/pages apple
	print pages text.pwg -o Resolution=300dpi -n 2
	pages_are "$PC_JOB" 6
	went pdftoriptide -rastertopdf -pdftopdf -rastertoriptide
	cmp out/pages apple || fail "$driver prints other dots of PWG raster than of Apple raster"
	print pages text.urf -o Resolution=300dpi -o number-up=2
	pages_are "$PC_JOB" 2
	went pdftoriptide rastertopdf pdftopdf -rastertoriptide
done

# No document goes to gstoraster by itself: PostScript, and that of Adobe's programs, which has a
# type of its own, become PDF first.  Black is solid, and copies are made.
{
	printf '%%!PS-Adobe-3.0\n%%%%Creator: CREATOR\n%%%%LanguageLevel: 2\n%%%%Pages: 2\n'
	for number in 1 2; do
		printf '%%%%Page: %d %d\n0 0 0 1 setcmykcolor 60 60 99 99 rectfill\n' \
			$number $number
		printf '/Helvetica findfont 40 scalefont setfont 99 %d00 moveto (PS) show\n' \
			$number
		echo showpage
	done
	printf '%%%%EOF\n'
} >creator.ps
sed 's/CREATOR/somebody/' creator.ps >usual.ps
sed 's/CREATOR/Adobe Acrobat 9.0/' creator.ps >adobe.ps
for driver in riptide-pcl5 riptide-raster; do
	queue pages "$driver"
	for name in usual adobe; do
		print pages $name.ps -o Resolution=300dpi -n 2
		pages_are "$PC_JOB" 4
		went gstopdf pdftopdf pdftoriptide -gstoraster -pstops -rastertoriptide
		mv out/pages $name
	done
	cmp usual adobe || fail "$driver prints other dots of Adobe's PostScript"
	print pages adobe.ps -o Resolution=300dpi -n 2 -o halftone-black=profile
	! cmp -s adobe out/pages || fail "$driver: black of PostScript is none of CMYK"
done

# Without cupsd.
queue pages riptide-pcl5
print pages text.pdf
for option in pdftoriptide gstoraster; do
	CUPS_SERVERBIN=$PC_DIR/lib CUPS_SERVERROOT=$PC_DIR/etc CUPS_DATADIR=$PC_DIR/share \
		RIPTIDE_SOCKET=none \
		cupsfilter -p ppd/riptide-pcl5.ppd -m printer/pages -e -i application/pdf \
		-o halftone-dot-gain=none -o riptideRip=$option text.pdf >data 2>said ||
		fail "cupsfilter: $(tail -n 3 said)"
	cmp data out/pages || fail "cupsfilter with $option prints something else"
done

# riptide preview shows the dots of the queue, with its own default of toner-save.
queue pages riptide-raster
lpadmin -p pages -o toner-save-default=60 2>/dev/null || fail "no default of toner-save"
print_with_tones pages text.pdf
"$RIPTIDE_BUILD/riptide" preview --json --queue pages text.pdf >shown &&
	"$RIPTIDE_BUILD/riptide" preview --json out/pages >printed || fail "preview fails"
cmp shown printed || fail "preview --queue does not show what the queue prints"

# Canceled while the printer stalls, and Ghostscript has pages left to draw.
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=long.pdf -c '
	1 1 200 { pop << /PageSize [595 842] >> setpagedevice 100 100 300 300 rectfill
	showpage } for' ||
	fail "no long document"
queue stall riptide-raster hold:/stall/512
print_held stall long.pdf -o ColorModel=CMYK
filter=$(pc_log "$PC_JOB" | sed -n 's|.*Started filter .*/pdftoriptide (PID \([0-9]*\)).*|\1|p')
[ -n "$filter" ] && ! pc_gone "$filter" || fail "pdftoriptide does not run"
children=$(pgrep -P "$filter")
[ -n "$children" ] || fail "no Ghostscript runs"
cancel "$PC_JOB" || fail "cancel fails"
for pid in $filter $children; do
	pc_wait_for 10 pc_gone "$pid" || fail "process $pid is left"
done
pc_wait_for 10 pc_through "$PC_JOB" || fail "the job does not end"
[ "$(pc_state "$PC_JOB")" = canceled ] || fail "the job is $(pc_state "$PC_JOB")"
