#!/bin/bash
# riptided without standard streams: neither its socket nor a client's becomes one of them.
# A closed pipe as stderr does not end it.
set -uo pipefail

build=${RIPTIDE_BUILD:-$PWD}
folder=$(mktemp -d) || exit 99
daemon=
trap '[[ -z $daemon ]] || kill -9 $daemon; rm -rf "$folder"' EXIT
failed=0

answers() # waits until the daemon has started
{
	for ((i = 0; i < 100; i++)); do
		"$build/riptide" status --socket "$folder/s" >/dev/null 2>"$folder/error" && return
		sleep 0.1
	done
	echo "FAILED: no status: $(cat "$folder/error")"
	exit 1
}

stop()
{
	kill -TERM $daemon
	wait $daemon || { echo "FAILED: $1: exit status $?"; failed=1; }
	daemon=
}

"$build/riptided" --device cpu --threads 1 --config /dev/null --socket "$folder/s" <&- >&- 2>&- &
daemon=$!
answers
for fd in 0 1 2; do
	is=$(readlink "/proc/$daemon/fd/$fd")
	[[ $is == /dev/null ]] || { echo "FAILED: descriptor $fd of the daemon is $is"; failed=1; }
done
stop "closed streams"

# The reader of its log is gone before its last lines.
mkfifo "$folder/log"
head -n 1 "$folder/log" >"$folder/line" &
reader=$!
"$build/riptided" --device cpu --threads 1 --config /dev/null --socket "$folder/s" 2>"$folder/log" &
daemon=$!
answers
wait $reader
grep -q '^riptided: ' "$folder/line" || { echo "FAILED: no log line"; failed=1; }
stop "a log that nobody reads"

# What it cannot say is a failure.
for option in --help --version; do
	"$build/riptided" $option >&- 2>/dev/null && { echo "FAILED: $option without output is 0"; failed=1; }
done
exit $failed
