#!/bin/bash
# The configuration that riptided reads is that of its build, and it says so: with --check,
# and where another one lies in /etc.
set -uo pipefail

build=${RIPTIDE_BUILD:-$PWD}
path=$("$build/riptided" --help | sed -n 's/^ *--config FILE.*(default \(.*\), if there is one).*/\1/p')
[[ $path == /*/riptide/riptided.conf ]] || { echo "FAILED: --help names no path: $path"; exit 1; }
failed=0

check() # LINE...: what --check says, line by line
{
	local said

	said=$("$build/riptided" --check 2>&1) || { echo "FAILED: --check fails: $said"; failed=1; }
	[[ $said == "$(printf '%s\n' "$@")" ]] || { echo "FAILED: --check says $said"; failed=1; }
}

if [[ -e $path ]]; then
	check "riptided: $path is valid"
elif [[ ! -e /etc/riptide/riptided.conf ]]; then
	check "riptided: $path does not exist; using the defaults"
fi

folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT

# A group that does not exist is no error, but then nobody else may connect.
echo "group = nosuchgroup" >"$folder/group.conf"
said=$("$build/riptided" --check --config "$folder/group.conf" 2>&1) ||
	{ echo "FAILED: a missing group is an error: $said"; failed=1; }
[[ $said == "riptided: group nosuchgroup does not exist; only root and this user may connect
riptided: $folder/group.conf is valid" ]] || { echo "FAILED: with a missing group --check says $said"; failed=1; }

# In an /etc of our own.
unshare=(unshare -m)
"${unshare[@]}" mount -t tmpfs none /etc 2>/dev/null || unshare=(unshare -rm)
if ! "${unshare[@]}" mount -t tmpfs none /etc 2>/dev/null; then
	echo "SKIP: no mount namespace: /etc/riptide was not tried"
	((failed)) || exit 77
	exit 1
fi
# shellcheck disable=SC2016 # the inner shell's
said=$("${unshare[@]}" bash -c 'mount -t tmpfs none /etc && mkdir /etc/riptide &&
	echo "threads = many" >/etc/riptide/riptided.conf && exec "$1" --check' - "$build/riptided" 2>&1)
if [[ $path == /etc/riptide/riptided.conf ]]; then
	expected="riptided: $path:1: threads: 'many' is not "
else
	expected="riptided: /etc/riptide/riptided.conf is not read: this riptided reads $path"
fi
[[ $said == "$expected"* ]] || { echo "FAILED: with a file in /etc --check says $said"; failed=1; }

if [[ $path != /etc/riptide/riptided.conf ]]; then
	# shellcheck disable=SC2016 # the inner shell's
	"${unshare[@]}" bash -c 'mount -t tmpfs none /etc && mkdir /etc/riptide &&
		: >/etc/riptide/riptided.conf && exec "$1" --device cpu --socket "$2/s"' - \
		"$build/riptided" "$folder" 2>"$folder/log" &
	daemon=$!
	for ((i = 0; i < 100; i++)); do
		[[ -S $folder/s ]] && break
		sleep 0.1
	done
	kill -TERM $daemon
	wait $daemon
	(($(grep -c '/etc/riptide/riptided.conf is not read' "$folder/log") == 1)) ||
		{ echo "FAILED: the log does not tell it once: $(cat "$folder/log")"; failed=1; }
fi
exit $failed
