#!/bin/bash
# The Ghostscripts of several jobs at once: never more than the limit and one a job, each job gets
# its share, those of a job that is killed or whose output nobody takes go to others, and the dots
# are the same.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc
make_ppds
export PPD=$folder/ppds/riptide-raster.ppd RIPTIDE_CONFIG=$folder/limit.conf
echo "riptide-all-workers = 3
riptide-stalled-after = 86400" >limit.conf
mkdir cache
page="<< /PageSize [200 200] >> setpagedevice
/Helvetica findfont 40 scalefont setfont 20 50 moveto (Slots) show showpage"
make_pdf many.pdf "60 { $page } repeat"
options="Resolution=300dpi riptide-workers=4"
run pdftoriptide "$options" many.pdf
ended "a job that is alone" $? 0 ""
mv dots expected
grep -q "^DEBUG: 4 workers; those of other jobs do not count: CUPS_CACHEDIR " err ||
	complain "without CUPS_CACHEDIR: $(grep -a worker err)"

# --- several jobs
# -----------------------------------------------------------------------------------
# Jobs whose dots are read only as far as the test needs: their Ghostscripts stay.
pids=()
begin() # NUMBER [DOCUMENT [OPTIONS]]
{
	mkfifo "fifo$1"
	CUPS_CACHEDIR=$folder/cache "$build/pdftoriptide" "$1" user title 1 \
		"${3-$options}" "${2-many.pdf}" 2>"err$1" >"fifo$1" &
	pids[$1]=$!
	eval "exec 1$1<fifo$1"
	read_page "$1"
}
read_page() # NUMBER: some bytes more than a page has
{
	head -c 90000 <&1"$1" >>"dots$1"
}
finish_job() # NUMBER [EXPECTED]
{
	cat <&1"$1" >>"dots$1"
	wait "${pids[$1]}" || complain "job $1: $(cat "err$1")"
	cmp "${2-expected}" "dots$1" || complain "other dots of job $1"
	forget "$1"
}
kill_job() # NUMBER SIGNAL
{
	kill "-$2" "${pids[$1]}"
	wait "${pids[$1]}" 2>/dev/null
	forget "$1"
}
forget() # NUMBER
{
	unset "pids[$1]"
	eval "exec 1$1<&-"
	rm "fifo$1" "dots$1"
}
# The Ghostscripts of each job.
most=3
count_gs()
{
	local pid each=() all=0

	for pid in "${pids[@]}"; do
		each+=("$(pgrep -c -x -P "$pid" gs)")
		all=$((all + ${each[-1]}))
	done
	((all <= most + ${#pids[@]})) ||
		complain "$all Ghostscripts of ${#pids[@]} jobs: ${each[*]}"
	counts=${each[*]}
}
becomes() # COUNT..., or a pattern
{
	local try

	for ((try = 0; try < 300; try++)); do
		count_gs
		# shellcheck disable=SC2053 # a pattern
		[[ $counts != $* ]] || return
		sleep .1
	done
	complain "not $* Ghostscripts: $counts"
}
begin 1
becomes 3
grep -qx "DEBUG: 4 workers, of at most 3 of all jobs" err1 || complain "$(grep worker err1)"
begin 2
becomes 2 1
begin 3
becomes 1 1 1
begin 4
becomes 1 1 1 1
kill_job 1 KILL
becomes 1 1 1
kill_job 2 TERM
# The fourth job has taken the place of the first one, and the slot is its own.  Another
# Ghostscript is started for the next page.
for try in {1..30}; do
	read_page 4
	sleep .1
	count_gs
	[[ $counts != "1 2" ]] || break
done
[[ $counts == "1 2" ]] || complain "the slots of jobs that were killed are not free: $counts"
finish_job 3
finish_job 4

# --- jobs whose output nobody takes
# -----------------------------------------------------------------------------------
# The first job's does not move: its Ghostscripts end, and the next job has the share of one that is
# alone.  Then it goes on.
sed 's/86400/1/' limit.conf >stalled.conf
export RIPTIDE_CONFIG=$folder/stalled.conf
begin 5
becomes 0
stalled="^DEBUG: Ghostscript: the output is stalled"
grep -q "$stalled" err5 || complain "nothing is said: $(cat err5)"
RIPTIDE_CONFIG=$folder/limit.conf begin 6
becomes 0 3
kill_job 6 TERM
finish_job 5

# A job that has drawn all its pages, of which a pipe holds some, has no share, however long they
# are written.
make_pdf few.pdf "6 { $page } repeat"
run pdftoriptide "$options" few.pdf
mv dots few
export RIPTIDE_CONFIG=$folder/limit.conf
begin 5 few.pdf
becomes 0
begin 6
becomes 0 3
kill_job 6 TERM
finish_job 5 few

# Where there is no room for the dots, workers wait in the middle of their pages and leave their
# slots; the dots are the same.
make_pdf noise.pdf "/line 300 string def
10 { << /PageSize [595 842] >> setpagedevice 595 842 scale 300 420 8 [300 0 0 420 0 0]
{ 0 1 299 { line exch rand 255 and put } for line } image showpage } repeat"
large="Resolution=600dpi PageSize=A4 riptide-workers=4"
run pdftoriptide "$large" noise.pdf
ended "large pages" $? 0 ""
mv dots noise
export RIPTIDE_CONFIG=$folder/stalled.conf most=6
begin 5 noise.pdf "$large"
wait_for 60 grep -q "$stalled" err5 || complain "$(cat err5)"
RIPTIDE_CONFIG=$folder/limit.conf begin 6
becomes "[1-4] 3"
kill_job 6 TERM
finish_job 5 noise
export RIPTIDE_CONFIG=$folder/limit.conf most=3

# Where two draw each page, both count.
small_ppd | sed "s,/cupsColorSpace 3/,/cupsColorSpace 6/," >colour.ppd
pairs="black-overprint=text riptide-workers=4"
PPD=colour.ppd run pdftoriptide "$pairs" many.pdf
mv dots pairs
PPD=colour.ppd begin 5 many.pdf "$pairs"
becomes 2
finish_job 5 pairs

# --- one worker, a folder that cannot be used, and a wrong setting
# -------------------------------------------------------------------------------
echo "riptide-all-workers = 1" >limit.conf
CUPS_CACHEDIR=$folder/cache run pdftoriptide "$options" many.pdf
ended "a limit of 1" $? 0 ""
cmp dots expected || complain "other dots with a limit of 1"
grep -qx "DEBUG: 60 pages, at most 1 at once" err || complain "a limit of 1: $(grep once err)"
for cache in "$folder/missing" /proc "$folder/limit.conf"; do
	CUPS_CACHEDIR=$cache run pdftoriptide "$options" many.pdf
	ended "CUPS_CACHEDIR=$cache" $? 0 ""
	cmp dots expected || complain "CUPS_CACHEDIR=$cache: other dots"
	(($(grep -ac "do not count: $cache/riptide/slots: " err) == 1)) ||
		complain "CUPS_CACHEDIR=$cache: not one DEBUG line: $(cat err)"
	! grep -aE '^(WARNING|ERROR): ' err || complain "CUPS_CACHEDIR=$cache: more than DEBUG"
done
for wrong in 0 1025 2x "" -1; do
	echo "riptide-all-workers = $wrong" >limit.conf
	run pdftoriptide "$options" many.pdf
	ended "riptide-all-workers = $wrong" $? 1 "riptide-all-workers: '$wrong' is not auto or 1"
done
finish
