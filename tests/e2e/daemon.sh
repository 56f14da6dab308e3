#!/bin/sh
# With the daemon a job has exactly the bits that it has without: also when the
# daemon is killed, frozen or restarted in mid-page, and for several jobs at once.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
make_pdf page.pdf 595 842
make_pdf large.pdf 842 1191
hold_backend
queue gray riptide-raster
queue color riptide-pcl-color
queue stall riptide-raster hold:/stall/512
queue middle riptide-raster hold:/middle/8192

# What to print, and what comes out of it in-process.
plain()
{
	print "$1" "$2.pdf" -o media="$3" -o Resolution="$4"
	[ -s "out/$1" ] || fail "nothing was printed"
	mv "out/$1" "$1-$2"
}
plain gray page A4 600dpi
plain gray large A3 1200dpi
plain color page A4 300dpi

same() # QUEUE DOCUMENT WHAT [QUEUE that it was printed on]
{
	cmp "$1-$2" "out/${4:-$1}" || fail "$3: other data"
	echo "$3: the same data"
}

pc_daemon --device cpu || fail "no daemon"
print gray page.pdf -o media=A4 -o Resolution=600dpi
same gray page "in the daemon"
[ "$(warnings "$PC_JOB")" = 0 ] || fail "a warning, for nothing"
[ "$(daemon_says jobs)" = 1 ] && [ "$(daemon_says bands)" -gt 1 ] ||
	fail "the daemon did not do it: $(daemon_says jobs) jobs, $(daemon_says bands) bands"
print color page.pdf -o media=A4 -o Resolution=300dpi
same color page "in the daemon, in colour"
[ "$(daemon_says jobs)" = 2 ] || fail "the daemon did not do it"
pc_wait_for 10 sessions_are 0 || fail "$(daemon_says session_count) sessions are left open"

# Frozen before the job: connections are taken, and nothing is ever said.
kill -STOP "$PC_DAEMON"
print color page.pdf -o media=A4 -o Resolution=300dpi
same color page "a daemon that does not answer"
[ "$(warnings "$PC_JOB")" = 1 ] || fail "$(warnings "$PC_JOB") warnings, not 1"
kill -CONT "$PC_DAEMON"

# Killed while the printer stalls in mid-page: no fault, no warning.
print_held stall page.pdf -o media=A4 -o Resolution=600dpi
pc_wait_for 120 filter_rests || fail "the filter does not stall"
sleep 2 # longer than the filter thinks that a daemon waits for it
pc_daemon_stop KILL
release stall
pc_wait "$PC_JOB" || fail "the job is $(pc_state "$PC_JOB")"
same gray page "killed while the printer stalls" stall
[ "$(warnings "$PC_JOB")" = 0 ] || fail "a warning, though the printer was slow"

# In the middle of the work: a large page, and things happen to the daemon while
# it has the session.
begin_large()
{
	pc_print gray large.pdf -o media=A3 -o Resolution=1200dpi || fail "lp fails"
	pc_wait_for 10 in_page || fail "the daemon gets no page"
}
in_page()
{
	sessions_are 1 && [ "$(daemon_says rows)" -gt 0 ]
}
# One warning; none where the filter just waited for Ghostscript.
end_large() # WHAT
{
	pc_wait "$PC_JOB" || fail "$1: the job is $(pc_state "$PC_JOB")"
	same gray large "$1"
	[ "$(warnings "$PC_JOB")" -le 1 ] || fail "$1: $(warnings "$PC_JOB") warnings"
}

pc_daemon --device cpu || fail "no daemon"
begin_large
pc_daemon_stop KILL
end_large "killed in mid-page"

# The printer stalls until it is frozen: on a busy machine a page is soon over.
pc_daemon --device cpu || fail "no daemon"
print_held middle large.pdf -o media=A3 -o Resolution=1200dpi
in_page || fail "the daemon gets no page"
kill -STOP "$PC_DAEMON"
release middle
pc_wait "$PC_JOB" || fail "the job is $(pc_state "$PC_JOB")"
same gray large "frozen in mid-page" middle
[ "$(warnings "$PC_JOB")" = 1 ] || fail "a daemon was left without a warning"
kill -CONT "$PC_DAEMON"
pc_wait_for 10 sessions_are 0 || fail "the session of a job that is gone is left open"

begin_large
pc_daemon_stop KILL
pc_daemon --device cpu || fail "no daemon"
end_large "killed and restarted in mid-page"
[ "$(daemon_says jobs)" = 0 ] || fail "a job went back to a daemon that it had left"

begin_large
pc_daemon_stop TERM
end_large "stopped in mid-page"

# Several at once.
pc_daemon --device cpu || fail "no daemon"
queue gray2 riptide-raster
queue color2 riptide-pcl-color
jobs=
for queue in gray gray2; do
	pc_print $queue page.pdf -o media=A4 -o Resolution=600dpi || fail "lp fails"
	jobs="$jobs $PC_JOB"
done
for queue in color color2; do
	pc_print $queue page.pdf -o media=A4 -o Resolution=300dpi \
		-o halftone-dot-gain=none || fail "lp fails"
	jobs="$jobs $PC_JOB"
done
for job in $jobs; do
	pc_wait "$job" || fail "job $job is $(pc_state "$job")"
done
same gray page "four at once"
same gray page "four at once" gray2
same color page "four at once"
same color page "four at once" color2
[ "$(daemon_says jobs)" = 4 ] || fail "the daemon did not do all four"
