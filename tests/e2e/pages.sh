#!/bin/sh
# Jobs of several pages, on every queue: pages of different sizes, copies, page
# ranges, also one that leaves nothing; and page_log counts each page as often as
# it is printed, once.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
tap
make_pdf three.pdf 420 595 288 480 595 842

# try QUEUE FORMAT [LP-ARGUMENT...]
try()
{
	local queue=$1 format=$2

	shift 2
	echo "$queue: pages of different sizes"
	queue "$queue" "riptide-$queue"
	# What pdftopdf would hand on; it makes all pages alike.
	print "$queue" three.pdf "$@" -o document-format=application/vnd.cups-pdf
	pages_are "$PC_JOB" 3
	right_dots "$format" "$queue" --screen "$(screen_of "$queue")"

	echo "$queue: two copies"
	print "$queue" three.pdf "$@" -n 2
	pages_are "$PC_JOB" 6
	print "$queue" three.pdf "$@" -n 2 -o collate=true
	pages_are "$PC_JOB" 6
	right_dots "$format" "$queue" --screen "$(screen_of "$queue")"

	echo "$queue: page 2"
	print "$queue" three.pdf "$@" -o page-ranges=2
	pages_are "$PC_JOB" 1
	right_dots "$format" "$queue" --screen "$(screen_of "$queue")"
}

# A range that leaves nothing: no fault.  The driver's own filter, which would refuse it, is not
# started.
nothing()
{
	echo "$1: page 50"
	pc_print "$1" three.pdf -o page-ranges=50 || fail "lp does not take page 50"
	pc_wait "$PC_JOB" || fail "$1 does not take an empty job"
	pages_are "$PC_JOB" 0
	pc_log "$PC_JOB" | grep -q 'pdftoriptide) exited with no errors' ||
		fail "pdftoriptide does not take an empty stream"
}

try pcl5 pcl -o Resolution=300dpi
try pcl-color pcl -o Resolution=150dpi
try escp escp
try escp2 escp -o Resolution=180dpi
try zpl-203 zpl
try pwg raster -o Resolution=300dpi
try raster raster -o Resolution=300dpi
nothing pwg
nothing raster
nothing pcl5
