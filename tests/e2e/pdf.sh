#!/bin/sh
# Queues that print PDF through pdftoriptide: one line more in the PPD.  The printer gets the same
# bytes as through gstoraster and rastertoriptide; page_log counts the same pages; a job that is
# canceled leaves no process.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

pc_start || exit
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile="$PC_DIR/text.pdf" -c '
	1 1 3 { pop << /PageSize [595 842] >> setpagedevice /Times-Roman findfont 40 scalefont setfont
	60 60 moveto (Dots) show 60 700 moveto (and more) show showpage } for' || fail "no document"
ppdc -l en -d "$PC_DIR/ppd" "$RIPTIDE_SOURCE/ppd/riptide.drv" >/dev/null 2>&1 || fail "no PPDs"
hold_backend

# pages_ppd DRIVER [FILTER]: with the line, for a driver with a filter of its own, or without.
pages_ppd()
{
	if [ $# = 2 ]; then
		sed "/^\\*cupsFilter:/a *cupsFilter: \"application/vnd.riptide-pages 0 $2\"" \
			"$PC_DIR/ppd/$1.ppd" >"$PC_DIR/$1-pages.ppd"
	else
		sed 's,^\*cupsFilter2: "application/vnd.cups-raster \(.*\) rastertoriptide",&\n*cupsFilter2: "application/vnd.cups-pdf \1 pdftoriptide",' \
			"$PC_DIR/ppd/$1.ppd" >"$PC_DIR/$1-pages.ppd"
	fi
	grep -q 'pdftoriptide\|riptide-pages' "$PC_DIR/$1-pages.ppd" || fail "the PPD of $1 did not take the line"
	test_ppd "$PC_DIR/$1-pages.ppd" || fail "cupstestppd does not pass it"
}

# same DRIVER PAGES [LP-ARGUMENT...]
same()
{
	local driver=$1 pages=$2

	shift 2
	print plain "$PC_DIR/text.pdf" "$@"
	pages_are "$PC_JOB" "$pages"
	print pages "$PC_DIR/text.pdf" "$@"
	pages_are "$PC_JOB" "$pages"
	pc_log "$PC_JOB" | grep -q 'Started filter .*/pdftoriptide' || fail "$driver: pdftoriptide did not run"
	! pc_log "$PC_JOB" | grep -q 'Started filter .*/gstoraster' || fail "$driver: gstoraster ran"
	cmp "$PC_DIR/out/plain" "$PC_DIR/out/pages" || fail "$driver $*: the printer gets something else"
	echo "$driver $*: the same"
}

for driver in riptide-pcl5:rastertohp riptide-zpl-203:rastertolabel riptide-escp2:rastertoepson \
		riptide-pwg riptide-raster; do
	filter=${driver#*:} driver=${driver%:*}
	if [ "$filter" = "$driver" ]; then
		pages_ppd "$driver"
	else
		pages_ppd "$driver" "$filter"
	fi
	pc_queue plain "$PC_DIR/ppd/$driver.ppd" && pc_queue pages "$PC_DIR/$driver-pages.ppd" || fail "no queues"
	same "$driver" 3
	same "$driver" 1 -o page-ranges=2
	same "$driver" 6 -n 2 -o media=A4
done

# riptide preview shows the dots of the queue, with its own default of toner-save.
lpadmin -p pages -o toner-save-default=60 2>/dev/null || fail "no default of toner-save"
print_with_tones pages "$PC_DIR/text.pdf"
"$RIPTIDE_BUILD/riptide" preview --json --queue pages "$PC_DIR/text.pdf" >"$PC_DIR/shown" &&
	"$RIPTIDE_BUILD/riptide" preview --json "$PC_DIR/out/pages" >"$PC_DIR/printed" || fail "preview fails"
cmp "$PC_DIR/shown" "$PC_DIR/printed" || fail "preview --queue does not show what the queue prints"

# Canceled while the printer stalls.
pc_queue stall "$PC_DIR/riptide-raster-pages.ppd" hold:/stall/512 || fail "no queue"
print_held stall "$PC_DIR/text.pdf" -o ColorModel=CMYK
filter=$(pc_log "$PC_JOB" | sed -n 's|.*Started filter .*/pdftoriptide (PID \([0-9]*\)).*|\1|p')
[ -n "$filter" ] && ! pc_gone "$filter" || fail "pdftoriptide does not run"
children=$(pgrep -P "$filter")
[ -n "$children" ] || fail "no Ghostscript runs"
cancel "$PC_JOB" || fail "cancel fails"
for pid in $filter $children; do
	pc_wait_for 2 pc_gone "$pid" || fail "process $pid is left"
done
pc_wait_for 10 pc_through "$PC_JOB" || fail "the job does not end"
[ "$(pc_state "$PC_JOB")" = canceled ] || fail "the job is $(pc_state "$PC_JOB")"
