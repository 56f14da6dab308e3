#!/bin/bash
# riptided under the sandbox of its unit, as far as that can be had without systemd: it
# serves, and its dots are right.  With a GPU, on the GPU.
set -u
export ASAN_OPTIONS=detect_leaks=0 # that would want to trace

build=${RIPTIDE_BUILD:-$PWD}
source=${RIPTIDE_SOURCE:-${srcdir:-.}}
calls=$source/tests/daemon/sandbox-calls.txt
if [[ ! -x $build/tests/daemon/sandbox ]]; then
	echo "SKIP: built without libseccomp (libseccomp-dev)"
	exit 77
fi
folder=$(mktemp -d) || exit 99
socket=$folder/s
daemon=
trap '[[ $daemon ]] && kill "$daemon" 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
fail() { echo "FAIL: $1"; cat "$folder"/log* 2>/dev/null; exit 1; }

# What is checked is what the unit says: on a machine with the systemd that it was made on.
if [[ $(systemd-analyze --version 2>/dev/null) == "systemd 252 "* ]] && command -v python3 >/dev/null; then
	"$source/tests/daemon/sandbox-calls" "$source/contrib/systemd/riptided.service.in" \
		>"$folder/calls" || fail "sandbox-calls"
	cmp "$folder/calls" "$calls" || fail "$calls is not what the unit says: make it again"
fi
unit=$source/contrib/systemd/riptided.service.in
world=()
"$build/tests/daemon/sandbox" "$calls" --check >"$folder/log.check"
code=$?
if [[ $code == 99 ]]; then
	cat "$folder/log.check"
	echo "SKIP: this machine lets no filter be set"
	exit 77
fi
[[ $code == 0 ]] || fail "the sandbox does not hold"

chmod 755 "$folder"
mkdir -m 777 "$folder/d"
socket=$folder/d/s
head -c $((1500 * 1000)) < <(seq 1 7 9999999999 | tr '0-9\n' '\3\101-\111s') >"$folder/noise"
{ printf 'P5 1500 1000 255\n'; cat "$folder/noise"; } >"$folder/page.pgm"
"$build/riptide" halftone --method ed -o "$folder/alone.pbm" "$folder/page.pgm" || fail "in-process"

serve() # DEVICE
{
	"$build/tests/daemon/sandbox" "${world[@]}" "$calls" "$build/riptided" --device "$1" --config /dev/null --socket "$socket" \
		2>"$folder/log.$1" &
	daemon=$!
	for ((i = 0; i < 300; i++)); do
		"$build/riptide" status --socket "$socket" --json >"$folder/status" 2>/dev/null &&
			! grep -q "still looking for one" "$folder/status" && return
		kill -0 "$daemon" 2>/dev/null || return
		sleep 0.1
	done
}
print() # METHOD
{
	"$build/riptide" halftone --method "$1" --socket "$socket" -o "$folder/served.pbm" \
		"$folder/page.pgm" || fail "no page"
	cmp "$folder/alone.pbm" "$folder/served.pbm" || fail "other dots"
	rm "$folder/served.pbm"
}
end()
{
	kill "$daemon"
	wait "$daemon" || fail "it ended with $?"
	daemon=
}

# On the CPU, and on a GPU if there is one.
try() # WHERE
{
	serve cpu
	kill -0 "$daemon" 2>/dev/null || fail "$1: it does not start"
	print ec
	end
	echo "$1, on the CPU: all is well"
	serve gpu
	if kill -0 "$daemon" 2>/dev/null; then
		grep -q '"why_no_gpu":""' "$folder/status" || fail "$(cat "$folder/status")"
		print bwec
		print auto
		end
		echo "$1, on the GPU: all is well: $(sed -n 's/.*"device":"\([^"]*\)".*/\1/p' "$folder/status")"
	else
		wait "$daemon"
		daemon=
		echo "$1: not tried on a GPU: $(sed -n 's/.*without a GPU: //p' "$folder/log.gpu")"
	fi
}

try "system calls and privileges"
# The namespaces, mounts and devices of the unit, for root.
case $build/ in
/home/* | /root/* | /tmp/* | /var/tmp/*)
	echo "namespaces, mounts and devices: not tried: the unit hides $build"
	exit 0 ;;
esac
world=(--world "$unit" "$folder/d")
"$build/tests/daemon/sandbox" "${world[@]}" "$calls" --check >"$folder/log.check" 2>&1
code=$?
if [[ $code == 99 ]]; then
	echo "namespaces, mounts and devices: not tried: $(cat "$folder/log.check")"
	exit 0
fi
[[ $code == 0 ]] || fail "the namespaces, mounts and devices do not hold"
try "namespaces, mounts and devices"
