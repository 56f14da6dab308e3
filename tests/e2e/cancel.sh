#!/bin/sh
# A job that is canceled in mid-page: the filter is gone within a second, whether
# it works or waits for the printer; the daemon's session is freed; and the next
# job prints as if nothing had been.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
make_pdf page.pdf 595 842
# Eight pages: on a busy machine one is printed before this test has seen that it is at work.
a3="842 1191"
# shellcheck disable=SC2086 # two numbers each
make_pdf large.pdf $a3 $a3 $a3 $a3 $a3 $a3 $a3 $a3
hold_backend
queue stall riptide-raster hold:/stall/512
queue gray riptide-raster
print gray page.pdf -o media=A4 -o Resolution=600dpi
mv out/gray plain

# SIGTERM for the filter alone: its neighbours in the chain live on, so that it
# cannot just find its pipes closed.
terminate() # WHAT
{
	local pid

	print_held stall page.pdf -o media=A4 -o Resolution=600dpi
	pid=$(filter_pid)
	kill "$pid" || fail "$1: the filter does not run"
	pc_wait_for 10 pc_gone "$pid" || fail "$1: the filter is not gone"
	cancel "$PC_JOB"
	pc_wait_for 10 pc_through "$PC_JOB" || fail "$1: the job does not end"
	echo "$1: terminated"
}

# Cancels the last job: its filter has one second.
cancel_it() # WHAT
{
	local pid

	pid=$(filter_pid)
	[ -n "$pid" ] && ! pc_gone "$pid" || fail "$1: the filter does not run"
	cancel "$PC_JOB" || fail "$1: cancel fails"
	pc_wait_for 10 pc_gone "$pid" || fail "$1: the filter is not gone"
	pc_wait_for 10 pc_through "$PC_JOB" || fail "$1: the job does not end"
	[ "$(pc_state "$PC_JOB")" = canceled ] || fail "$1: the job is $(pc_state "$PC_JOB")"
	echo "$1: canceled"
}

started()
{
	[ -n "$(filter_pid)" ]
}

# Pages may be drawn side by side, each with a session.
has_sessions()
{
	[ "$(daemon_says session_count)" -gt 0 ]
}

# In-process.
terminate "stalled printer, in-process"
print_held stall page.pdf -o media=A4 -o Resolution=600dpi
cancel_it "stalled printer, in-process"
pc_print gray large.pdf -o media=A3 -o Resolution=2400dpi || fail "lp fails"
pc_wait_for 10 started || fail "no filter"
cancel_it "working, in-process"

# In the daemon.
pc_daemon --device cpu || fail "no daemon"
terminate "stalled printer, in the daemon"
[ "$(daemon_says jobs)" = 1 ] || fail "the daemon did not have the job"
pc_wait_for 10 sessions_are 0 || fail "the daemon keeps the session"
print_held stall page.pdf -o media=A4 -o Resolution=600dpi
sessions_are 1 || fail "$(daemon_says session_count) sessions, not 1"
cancel_it "stalled printer, in the daemon"
pc_wait_for 10 sessions_are 0 || fail "the daemon keeps the session"
pc_print gray large.pdf -o media=A3 -o Resolution=2400dpi || fail "lp fails"
pc_wait_for 10 has_sessions || fail "the daemon gets no session"
cancel_it "working, in the daemon"
pc_wait_for 10 sessions_are 0 || fail "the daemon keeps the session"

print gray page.pdf -o media=A4 -o Resolution=600dpi
cmp plain out/gray || fail "the next job prints something else"
