#!/bin/bash
# The configuration that riptided reads is that of its build, and it says so: with --check,
# and where another one lies in /etc.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
path=$("$build/riptided" --help |
	sed -n 's/^ *--config FILE.*(default \(.*\), if there is one).*/\1/p')
[[ $path == /*/riptide/riptided.conf ]] || { complain "--help names no path: $path"; finish; }

check() # TEXT ARGUMENT...: what --check says
{
	local said

	said=$("$build/riptided" --check "${@:2}" 2>&1) || complain "--check fails: $said"
	[[ $said == "$1" ]] || complain "--check says $said"
}

if [[ -e $path ]]; then
	check "riptided: $path is valid"
elif [[ ! -e /etc/riptide/riptided.conf ]]; then
	check "riptided: $path does not exist; using the defaults"
fi

# A group that does not exist is no error, but then nobody else may connect.
echo "group = nosuchgroup" >group.conf
check "riptided: group nosuchgroup does not exist; only root and this user may connect
riptided: group.conf is valid" --config group.conf

# In an /etc of our own.
unshare=(unshare -m)
"${unshare[@]}" mount -t tmpfs none /etc 2>/dev/null || unshare=(unshare -rm)
"${unshare[@]}" mount -t tmpfs none /etc 2>/dev/null ||
	{ leave_out "no mount namespace: /etc/riptide was not tried"; finish; }
# shellcheck disable=SC2016 # the inner shell's
said=$("${unshare[@]}" bash -c 'mount -t tmpfs none /etc && mkdir /etc/riptide &&
	echo "threads = many" >/etc/riptide/riptided.conf && exec "$1" --check' - \
	"$build/riptided" 2>&1)
if [[ $path == /etc/riptide/riptided.conf ]]; then
	expected="riptided: $path:1: threads: 'many' is not "
else
	expected="riptided: /etc/riptide/riptided.conf is not read: this riptided reads $path"
fi
[[ $said == "$expected"* ]] || complain "with a file in /etc --check says $said"

if [[ $path != /etc/riptide/riptided.conf ]]; then
	# shellcheck disable=SC2016 # the inner shell's
	"${unshare[@]}" bash -c 'mount -t tmpfs none /etc && mkdir /etc/riptide &&
		: >/etc/riptide/riptided.conf && exec "$1" --device cpu --socket "$2/s"' - \
		"$build/riptided" "$folder" 2>log &
	daemon=$!
	wait_for 10 test -S s
	stop_daemon
	(($(grep -c '/etc/riptide/riptided.conf is not read' log) == 1)) ||
		complain "the log does not tell it once: $(cat log)"
fi
finish
