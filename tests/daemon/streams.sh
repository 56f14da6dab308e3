#!/bin/bash
# riptided without standard streams: neither its socket nor a client's becomes one of them.
# A closed pipe as stderr does not end it.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

answers() # waits until the daemon has started
{
	wait_for 10 "$riptide" status --socket socket || { complain "no status"; finish; }
}

stop() # WHAT
{
	kill -TERM $daemon
	wait $daemon || complain "$1: exit status $?"
}

options=(--device cpu --threads 1 --config /dev/null --socket "$folder/socket")

"$build/riptided" "${options[@]}" <&- >&- 2>&- &
daemon=$!
answers
for fd in 0 1 2; do
	is=$(readlink "/proc/$daemon/fd/$fd")
	[[ $is == /dev/null ]] || complain "descriptor $fd of the daemon is $is"
done
stop "closed streams"

# The reader of its log is gone before its last lines.
mkfifo log
head -n 1 log >line &
reader=$!
"$build/riptided" "${options[@]}" 2>log &
daemon=$!
answers
wait $reader
grep -q '^riptided: ' line || complain "no log line"
stop "a log that nobody reads"

# What it cannot say is a failure.
for option in --help --version; do
	"$build/riptided" $option >&- 2>/dev/null && complain "$option without output is 0"
done
finish
