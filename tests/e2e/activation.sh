#!/bin/bash
# riptided as systemd starts it: sockets that are passed, readiness, idleness, a
# configuration that is wrong; the units.
build=$(realpath "${RIPTIDE_BUILD:-.}")
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
socket=$folder/s
unset JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID
have systemd-socket-activate ||
	{ leave_out "no systemd-socket-activate (package systemd)"; finish; }

fail()
{
	echo "FAIL: $*"
	tail -n +1 ./*.log
	exit 1
}

status()
{
	"$riptide" status --socket "$socket" "$@"
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
start() # LOG COMMAND...
{
	"${@:2}" >>"$1.log" 2>&1 &
	started=$!
}

# --- the units
for unit in riptided.socket riptided.service; do
	grep -q '@' "$build/contrib/systemd/$unit" &&
		! grep -q 'SystemCallFilter=@' "$build/contrib/systemd/$unit" &&
		fail "$unit has something left to substitute"
done
mkdir units
for unit in riptided.socket riptided.service; do
	# What is not installed yet cannot be found: the program, and the manual.
	sed -e "s|^\(Exec.*=\)/.*/riptided|\1$build/riptided|" -e /^Documentation=/d \
		"$build/contrib/systemd/$unit" >units/$unit
done
systemd-analyze verify units/riptided.socket units/riptided.service >verify.log 2>&1 &&
	[[ ! -s verify.log ]] ||
	fail "systemd-analyze verify has something to say"
score=$(systemd-analyze security --offline=true --no-pager units/riptided.service |
	sed -n 's/.*exposure level for riptided.service: \([0-9.]*\) .*/\1/p')
echo "systemd-analyze security: $score"
awk -v score="$score" 'BEGIN { exit !(score != "" && score <= 1.5) }' ||
	fail "the service is exposed: $score"

# --- no daemon
status >none.log 2>&1
[ $? = 3 ] || fail "status without a daemon is not 3"

# --- a socket that is passed: the daemon starts with the first client, serves, and
# ends when it is idle; the next client starts it again
python3 -c 'import random, sys
sys.stdout.buffer.write(b"P5 1234 321 255\n" + random.Random(1).randbytes(1234 * 321))' \
	>page.pgm || exit 99
"$riptide" halftone --method ed -o alone.pbm page.pgm || fail "halftone in-process"
cat >listen.py <<'END'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
	print(s.recv(4096).decode(), flush=True)
END
start notify python3 listen.py notify
wait_for 10 test -S notify || fail "no notify socket"
begin()
{
	printf 'device = cpu\nidle-exit = 600\n' >conf
	start activate env WATCHDOG_USEC=500000 systemd-socket-activate -l "$socket" \
		--fdname=riptide -E NOTIFY_SOCKET="$folder/notify" -E WATCHDOG_USEC \
		"$build/riptided" --config "$folder/conf" --socket /nowhere/s
	wait_for 10 test -S s || fail "systemd-socket-activate makes no socket"
}
begin
activated=$started
for turn in 1 2; do
	"$riptide" halftone --socket "$socket" -o served.pbm page.pgm ||
		fail "halftone in the daemon"
	cmp alone.pbm served.pbm || fail "other dots"
	rm served.pbm
	[ "$(member jobs)" = 1 ] || fail "$(member jobs) jobs"
	[ "$(member pid)" = "$activated" ] || fail "another process serves"
	# systemd hears when the configuration is read again, and when that is over.
	printf 'device = cpu\nidle-exit = 3\n' >conf
	kill -HUP "$activated"
	reloaded()
	{
		awk -v turn=$turn '/^RELOADING=1/ { n++; ready = 0 }
			/^MONOTONIC_USEC=[0-9]+$/ { when++ } /^READY=1/ { ready = 1 }
			END { exit !(n == turn && when == turn && ready) }' notify.log
	}
	wait_for 10 reloaded || fail "no RELOADING=1, MONOTONIC_USEC= and READY=1"
	# Asking for the status is no activity.
	wait_for 10 eval '! status && gone $activated' || fail "it does not end when it is idle"
	wait "$activated" || fail "it ended with $?"
	[ -S "$socket" ] || fail "it removed a socket that is not its own"
	[ $turn = 2 ] && break
	rm "$socket"
	begin
	activated=$started
done
for sign in READY=1 STATUS=CPU STOPPING=1 WATCHDOG=1; do
	grep -q "^$sign" notify.log || fail "no $sign"
done
echo "activation, idleness: $(grep -c WATCHDOG=1 notify.log) signs of life"
rm "$socket"

# --- a daemon that cannot start tells who waits, and ends
printf 'device = cpu\n\nthreads = many\n' >wrong
start wrong systemd-socket-activate -l "$socket" --fdname=riptide "$build/riptided" \
	--config "$folder/wrong"
wrong=$started
wait_for 10 test -S s || fail "systemd-socket-activate makes no socket"
fails_with 1 'configuration is wrong' "$riptide" halftone --socket "$socket" -o out.pbm page.pgm
wait "$wrong"
[ $? = 1 ] || fail "a wrong configuration is not exit 1"
grep -q "$folder/wrong:3: threads: 'many' is not" wrong.log || fail "file and line are not reported"
rm "$socket"

# --- the configuration alone
"$build/riptided" --check --config wrong 2>check.log
[ $? = 1 ] || fail "--check of a wrong configuration is not 1"
grep -q "wrong:3: threads: 'many' is not" check.log || fail "--check names no line"
"$build/riptided" --check --config conf --threads many 2>/dev/null
[ $? = 2 ] || fail "--check of a wrong option is not 2"
"$build/riptided" --check --config conf >check.log 2>&1 || fail "--check of a right configuration"
[ "$(cat check.log)" = "riptided: conf is valid" ] || fail "--check says $(cat check.log)"

# --- what cannot be listened on
for arguments in "--socket /nowhere/at/all" "--socket conf" "--device 99" "--device gpu"; do
	# shellcheck disable=SC2086 # two words
	timeout 10 "$build/riptided" --config /dev/null $arguments 2>no.log
	code=$?
	[ $code = 1 ] || [ "$arguments" = "--device gpu" ] || fail "riptided $arguments: exit $code"
	[ "$(wc -l <no.log)" -ge 1 ] || fail "riptided $arguments says nothing"
done
[ -f conf ] || fail "it removed a file that is no socket"

# --- a daemon that is started by hand
start daemon "$build/riptided" --device cpu --socket "$socket" --config /dev/null --threads 1
daemon=$started
wait_for 10 status || fail "no daemon"
[ "$(member workers)" = 1 ] || fail "--threads 1 makes $(member workers) workers"
[[ $(stat -c %a "$socket") == 6[06]0 ]] || fail "the socket's mode is $(stat -c %a "$socket")"

# --- frozen: no daemon that answers is an error, and not exit 3
kill -STOP "$daemon"
status >frozen.log 2>&1
code=$?
kill -CONT "$daemon"
[ $code = 1 ] || fail "status of a frozen daemon: exit $code"

kill "$daemon"
wait "$daemon" || fail "SIGTERM: exit $?"
[ -e "$socket" ] && fail "the socket's file is left"
finish
