#!/bin/sh
# A printer that stalls in mid-page, for longer than the filter would wait for a
# daemon, is no fault: the job tells how far it is, waits, and ends right.  And a
# large page takes the filter no more memory than any other.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
make_pdf page.pdf 595 842
make_pdf large.pdf 842 1191
hold_backend
queue gray riptide-raster
queue stall riptide-raster hold:/stall/1024
queue large riptide-raster hold:/large/20480
print gray page.pdf -o media=A4 -o Resolution=600dpi

stall() # WHAT
{
	local progress

	print_held stall page.pdf -o media=A4 -o Resolution=600dpi
	pc_wait_for 120 filter_rests || fail "$1: the filter does not stall"
	sleep 4 # longer than it would wait for a daemon
	progress=$("$tests/tools/job-attribute" "$PC_JOB" job-media-progress)
	[ "$progress" -gt 0 ] && [ "$progress" -lt 100 ] ||
		fail "$1: job-media-progress is $progress in mid-page"
	release stall
	pc_wait "$PC_JOB" || fail "$1: the job is $(pc_state "$PC_JOB")"
	cmp out/gray out/stall || fail "$1: other data"
	[ "$(warnings "$PC_JOB")" = 0 ] || fail "$1: a warning"
	echo "$1: the same data, $progress % in mid-page"
}

stall "in-process"
pc_daemon --device cpu || fail "no daemon"
stall "in the daemon"

# Peak memory, near the end of a page of 278 megapixels.
memory() # WHAT
{
	local pid kib

	print_held large large.pdf -o media=A3 -o Resolution=1200dpi
	pid=$(filter_pid)
	kib=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status")
	[ -n "$kib" ] || fail "$1: the filter is gone too early"
	release large
	pc_wait "$PC_JOB" || fail "$1: the job is $(pc_state "$PC_JOB")"
	[ "$kib" -le 65536 ] || fail "$1: the filter took $kib KiB"
	echo "$1: $kib KiB for a page of $(wc -c <out/large) bytes"
}

memory "in the daemon"
mv out/large large
pc_daemon_stop
memory "in-process"
cmp large out/large || fail "the large page differs"
