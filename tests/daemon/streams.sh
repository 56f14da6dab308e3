#!/bin/bash
# riptided without standard streams: neither its socket nor a client's becomes one of them.
set -uo pipefail

build=${RIPTIDE_BUILD:-$PWD}
folder=$(mktemp -d) || exit 99
daemon=
trap '[[ -z $daemon ]] || kill -9 $daemon; rm -rf "$folder"' EXIT
failed=0

"$build/riptided" --device cpu --threads 1 --config /dev/null --socket "$folder/s" <&- >&- 2>&- &
daemon=$!
for ((i = 0; i < 100; i++)); do
	"$build/riptide" status --socket "$folder/s" >/dev/null 2>"$folder/error" && break
	sleep 0.1
done
((i < 100)) || { echo "FAILED: no status: $(cat "$folder/error")"; exit 1; }
for fd in 0 1 2; do
	is=$(readlink "/proc/$daemon/fd/$fd")
	[[ $is == /dev/null ]] || { echo "FAILED: descriptor $fd of the daemon is $is"; failed=1; }
done
kill -TERM $daemon
wait $daemon || { echo "FAILED: exit status $?"; failed=1; }
daemon=

# What it cannot say is a failure.
for option in --help --version; do
	"$build/riptided" $option >&- 2>/dev/null && { echo "FAILED: $option without output is 0"; failed=1; }
done
exit $failed
