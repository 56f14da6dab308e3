#!/bin/sh
# riptided as systemd starts it: sockets that are passed, readiness, idleness, a
# configuration that is wrong; the units; riptide status.
set -u

build=${RIPTIDE_BUILD:-.}
folder=$(mktemp -d) || exit 99
socket=$folder/s
pids=
finish()
{
	for pid in $pids; do
		kill "$pid" 2>/dev/null
	done
	rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail()
{
	echo "FAIL: $*"
	for file in "$folder"/*.log; do
		echo "--- $file"
		cat "$file"
	done
	exit 1
}

# Tries a command until it succeeds, for 10 seconds.
wait_for()
{
	tries=100
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

status()
{
	"$build/riptide" status --socket "$socket" "$@"
}

# A member of the JSON status, as Python prints it.
member()
{
	status --json | python3 -c 'import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1:]:
	value = value[int(key)] if isinstance(value, list) else value[key]
print(value)' "$@"
}

# Starts something that ends with the script.
start()
{
	log=$1
	shift
	"$@" >>"$folder/$log.log" 2>&1 &
	pids="$pids $!"
	started=$!
}

unset JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID
command -v systemd-socket-activate >/dev/null || {
	echo "SKIP: no systemd-socket-activate (package systemd)"
	exit 77
}

# --- the units
for unit in riptided.socket riptided.service; do
	grep -q '@' "$build/contrib/systemd/$unit" &&
		! grep -q 'SystemCallFilter=@' "$build/contrib/systemd/$unit" &&
		fail "$unit has something left to substitute"
done
mkdir "$folder/units"
for unit in riptided.socket riptided.service; do
	# What is not installed yet cannot be found: the program, and the manual.
	sed -e "s|^\(Exec.*=\)/.*/riptided|\1$(cd "$build" && pwd)/riptided|" -e /^Documentation=/d \
		"$build/contrib/systemd/$unit" >"$folder/units/$unit"
done
systemd-analyze verify "$folder/units/riptided.socket" "$folder/units/riptided.service" \
	>"$folder/verify.log" 2>&1 || fail "systemd-analyze verify"
[ -s "$folder/verify.log" ] && fail "systemd-analyze verify has something to say"
score=$(systemd-analyze security --offline=true --no-pager "$folder/units/riptided.service" |
	sed -n 's/.*exposure level for riptided.service: \([0-9.]*\) .*/\1/p')
echo "systemd-analyze security: $score"
awk -v score="$score" 'BEGIN { exit !(score != "" && score <= 1.5) }' ||
	fail "the service is exposed: $score"

# --- no daemon
status >"$folder/none.log" 2>&1
[ $? = 3 ] || fail "status without a daemon is not 3"

# --- a socket that is passed: the daemon starts with the first client, serves, and
# ends when it is idle; the next client starts it again
printf 'device = cpu\nidle-exit = 3\n' >"$folder/conf"
python3 - "$folder/page.pgm" <<'END' || exit 99
import random, sys
random.seed(1)
with open(sys.argv[1], "wb") as out:
	out.write(b"P5 1234 321 255\n" + random.randbytes(1234 * 321))
END
"$build/riptide" halftone --method ed -o "$folder/alone.pbm" "$folder/page.pgm" ||
	fail "halftone in-process"
cat >"$folder/listen.py" <<'END'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
	print(s.recv(4096).decode(), flush=True)
END
start notify python3 "$folder/listen.py" "$folder/notify"
wait_for test -S "$folder/notify" || fail "no notify socket"
begin()
{
	start activate env WATCHDOG_USEC=500000 systemd-socket-activate -l "$socket" \
		--fdname=riptide -E NOTIFY_SOCKET="$folder/notify" -E WATCHDOG_USEC \
		"$build/riptided" --config "$folder/conf" --socket /nowhere/s
	wait_for test -S "$socket" || fail "systemd-socket-activate makes no socket"
}
begin
activated=$started
for turn in 1 2; do
	"$build/riptide" halftone --socket "$socket" -o "$folder/served.pbm" "$folder/page.pgm" ||
		fail "halftone in the daemon"
	cmp "$folder/alone.pbm" "$folder/served.pbm" || fail "other dots"
	rm "$folder/served.pbm"
	[ "$(member jobs)" = 1 ] || fail "$(member jobs) jobs"
	[ "$(member pid)" = "$activated" ] || fail "another process serves"
	# systemd hears when the configuration is read again, and when that is over.
	kill -HUP "$activated"
	reloaded()
	{
		awk -v turn=$turn '/^RELOADING=1/ { n++; ready = 0 }
			/^MONOTONIC_USEC=[0-9]+$/ { when++ } /^READY=1/ { ready = 1 }
			END { exit !(n == turn && when == turn && ready) }' "$folder/notify.log"
	}
	wait_for reloaded || fail "no RELOADING=1, MONOTONIC_USEC= and READY=1"
	# Asking for the status is no activity.
	tries=100
	while kill -0 "$activated" 2>/dev/null && [ $tries -gt 0 ]; do
		status >/dev/null 2>&1
		tries=$((tries - 1))
		sleep 0.1
	done
	[ $tries -gt 0 ] || fail "it does not end when it is idle"
	wait "$activated" || fail "it ended with $?"
	[ -S "$socket" ] || fail "it removed a socket that is not its own"
	[ $turn = 2 ] && break
	rm "$socket"
	begin
	activated=$started
done
grep -q '^READY=1' "$folder/notify.log" || fail "no READY=1"
grep -q '^STATUS=CPU' "$folder/notify.log" || fail "no STATUS="
grep -q '^STOPPING=1' "$folder/notify.log" || fail "no STOPPING=1"
echo "activation, idleness: $(grep -c WATCHDOG=1 "$folder/notify.log") signs of life"
# Whose the watchdog is, WATCHDOG_PID says; without it, it is the daemon's.
grep -q '^WATCHDOG=1' "$folder/notify.log" || fail "the watchdog is not fed"
rm "$socket"

# --- a daemon that cannot start tells who waits, and ends
printf 'device = cpu\n\nthreads = many\n' >"$folder/wrong"
start wrong systemd-socket-activate -l "$socket" --fdname=riptide \
	"$build/riptided" --config "$folder/wrong"
wrong=$started
wait_for test -S "$socket" || fail "systemd-socket-activate makes no socket"
"$build/riptide" halftone --socket "$socket" -o "$folder/served.pbm" "$folder/page.pgm" \
	2>"$folder/refused.log"
[ $? = 1 ] || fail "a daemon that cannot start served"
grep -q 'configuration is wrong' "$folder/refused.log" || fail "it did not say why"
[ -e "$folder/served.pbm" ] && fail "something was left behind"
wait "$wrong"
[ $? = 1 ] || fail "a wrong configuration is not exit 1"
grep -q "$folder/wrong:3: threads: 'many' is not" "$folder/wrong.log" ||
	fail "file and line are not reported"
rm "$socket"

# --- the configuration alone
"$build/riptided" --check --config "$folder/wrong" 2>"$folder/check.log"
[ $? = 1 ] || fail "--check of a wrong configuration is not 1"
grep -q "$folder/wrong:3: threads: 'many' is not" "$folder/check.log" || fail "--check names no line"
"$build/riptided" --check --config "$folder/conf" --threads many 2>/dev/null
[ $? = 2 ] || fail "--check of a wrong option is not 2"
"$build/riptided" --check --config "$folder/conf" >"$folder/check.log" 2>&1 ||
	fail "--check of a right configuration"
[ "$(cat "$folder/check.log")" = "riptided: $folder/conf is valid" ] ||
	fail "--check says $(cat "$folder/check.log")"

# --- what cannot be listened on
for arguments in "--socket /nowhere/at/all" "--socket $folder/conf" "--device 99" "--device gpu"; do
	# shellcheck disable=SC2086 # two words
	timeout 10 "$build/riptided" --config /dev/null $arguments 2>"$folder/no.log"
	code=$?
	[ $code = 1 ] || [ "$arguments" = "--device gpu" ] || fail "riptided $arguments: exit $code"
	[ "$(wc -l <"$folder/no.log")" -ge 1 ] || fail "riptided $arguments says nothing"
done
[ -f "$folder/conf" ] || fail "it removed a file that is no socket"

# --- status, and a name that would do something to a terminal
start daemon "$build/riptided" --device cpu --socket "$socket" --config /dev/null --threads 1
daemon=$started
wait_for status || fail "no daemon"
[ "$(member workers)" = 1 ] || fail "--threads 1 makes $(member workers) workers"
[ "$(stat -c %a "$socket")" = 660 ] || [ "$(stat -c %a "$socket")" = 600 ] ||
	fail "the socket's mode is $(stat -c %a "$socket")"
cat >"$folder/hello.py" <<'END'
import socket, struct, sys, time
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
name = b"\x1b[2Jevil\n\"q\xff"
s.sendall(struct.pack("<IHHIIII128s", 152, 1, 0, 0x54504952, 1, 42, 2, name))
time.sleep(20)
END
start hello python3 "$folder/hello.py" "$socket"
client=$started
session_is_there() { [ "$(member session_count)" = 1 ]; }
wait_for session_is_there || fail "the session is not there"
[ "$(member sessions 0 queue)" = '\x1b[2Jevil\x0a"q\xff' ] ||
	fail "the queue is $(member sessions 0 queue)"
[ "$(member sessions 0 job)" = 42 ] || fail "the job is $(member sessions 0 job)"
[ "$(member sessions 0 pid)" = "$client" ] || fail "the process is $(member sessions 0 pid)"
for form in "" --metrics --json; do
	# shellcheck disable=SC2086 # nothing or one word
	status $form >"$folder/form.log" || fail "status $form"
	LC_ALL=C grep -q '[^ -~]' "$folder/form.log" && fail "status $form is not printable ASCII"
done
kill "$client"
session_is_gone() { [ "$(member session_count)" = 0 ]; }
wait_for session_is_gone || fail "the session stays when its client is gone"
LC_ALL=C grep -q '[^ -~]' "$folder/daemon.log" && fail "the log is not printable ASCII"
grep -qF 'job=42 queue="\x1b[2Jevil\x0a\x22q\xff"' "$folder/daemon.log" ||
	fail "the log does not tell the job and its queue"

# --- frozen: no daemon that answers is an error, and not exit 3
kill -STOP "$daemon"
status >"$folder/frozen.log" 2>&1
code=$?
kill -CONT "$daemon"
[ $code = 1 ] || fail "status of a frozen daemon: exit $code"

kill "$daemon"
wait "$daemon" || fail "SIGTERM: exit $?"
[ -e "$socket" ] && fail "the socket's file is left"
echo "all is well"
