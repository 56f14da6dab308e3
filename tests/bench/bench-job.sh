#!/bin/bash
# How long a job takes from lp to completed under a private CUPS: a page of text on the queue
# riptide-pcl5, drawn by gstoraster (which rastertoriptide follows), and by pdftoriptide.
#
#	tests/bench/bench-job.sh
#
# from the folder of a build.  The queues take turns, RIPTIDE_BENCH_RUNS (7) times.  Medians of the
# wall time, from the start of lp to the end of the job in cupsd's log, and of the processor time of
# cupsd and its filters.  The old queue has no line for pdftoriptide, and makes the same data for
# the printer.  This is no test: it fails only if something fails.
set -euo pipefail

export RIPTIDE_BUILD=${RIPTIDE_BUILD:-$PWD}
export RIPTIDE_SOURCE=${RIPTIDE_SOURCE:-$(dirname "$0")/../..}
runs=${RIPTIDE_BENCH_RUNS:-7}
# shellcheck source=contrib/private-cups
. "$RIPTIDE_SOURCE/contrib/private-cups"
pc_start
ppdc -l en -d "$PC_DIR/ppd" "$RIPTIDE_SOURCE/ppd/riptide.drv" >/dev/null 2>&1
sed '/pdftoriptide"/d; /riptideNextFilter/d' "$PC_DIR/ppd/riptide-pcl5.ppd" >"$PC_DIR/old.ppd"
pc_queue old "$PC_DIR/old.ppd"
pc_queue new "$PC_DIR/ppd/riptide-pcl5.ppd"
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile="$PC_DIR/text.pdf" -c '
	<< /PageSize [595 842] >> setpagedevice /Times-Roman findfont 10 scalefont setfont
	0 1 68 { 50 790 2 index 11 mul sub moveto
	(The quick brown fox jumps over the lazy dog; pack my box with five dozen liquor jugs ) show
	pop } for showpage'

# Clock ticks of cupsd and of the children that it has waited for.
ticks()
{
	awk '{ sub(/.*\) /, ""); print $12 + $13 + $14 + $15 }' "/proc/$PC_CUPSD/stat"
}

one() # QUEUE
{
	local began=${EPOCHREALTIME/[.,]/} before ended

	before=$(ticks)
	pc_print "$1" "$PC_DIR/text.pdf"
	# Not pc_wait: it looks every 50 ms.
	until grep -q "\[Job $PC_JOB\] Job completed" "$PC_DIR/log/error_log"; do
		sleep .005
	done
	ended=${EPOCHREALTIME/[.,]/}
	pc_wait "$PC_JOB"
	sleep .2 # until cupsd has waited for all filters
	echo "$(((ended - began) / 1000)) $((($(ticks) - before) * 1000 / $(getconf CLK_TCK)))" \
		>>"$PC_DIR/$1.times"
}

median() # QUEUE COLUMN
{
	cut -d' ' -f"$2" "$PC_DIR/$1.times" | sort -n | sed -n "$((runs / 2 + 1))p"
}

one old
one new
cmp "$PC_DIR/out/old" "$PC_DIR/out/new"
rm "$PC_DIR"/*.times
for ((i = 0; i < runs; i++)); do
	one old
	one new
done
echo "gstoraster: $(median old 1) ms, processor $(median old 2) ms"
echo "pdftoriptide: $(median new 1) ms, processor $(median new 2) ms"
