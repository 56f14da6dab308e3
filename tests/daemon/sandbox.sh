#!/bin/bash
# riptided under the sandbox of its unit, as far as that can be had without systemd: it
# serves, and its dots are right.  With a GPU, on the GPU.
export ASAN_OPTIONS=detect_leaks=0 # that would want to trace
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
sandbox=$build/tests/daemon/sandbox
calls=$source/tests/daemon/sandbox-calls.txt unit=$source/contrib/systemd/riptided.service.in
[[ -x $sandbox ]] || { leave_out "built without libseccomp (libseccomp-dev)"; finish; }
fail() { echo "FAIL: $1"; cat log* 2>/dev/null; exit 1; }
# What is checked is what the unit says: on a machine with the systemd that it was made on.
if [[ $(systemd-analyze --version 2>/dev/null) == "systemd 252 "* ]] &&
	command -v python3 >/dev/null; then
	"$source/tests/daemon/sandbox-calls" "$unit" >calls || fail "sandbox-calls"
	cmp calls "$calls" || fail "$calls is not what the unit says: make it again"
fi
world=()
"$sandbox" "$calls" --check >log.check
code=$?
((code != 99)) || { leave_out "this machine lets no filter be set: $(cat log.check)"; finish; }
((code == 0)) || fail "the sandbox does not hold"

chmod 755 .
mkdir -m 777 d
socket=$folder/d/s
{ printf 'P5 1500 1000 255\n'; head -c 1500000 < <(seq 1 7 9999999999 |
	tr '0-9\n' '\3\101-\111s'); } >page.pgm
"$riptide" halftone --method ed -o alone.pbm page.pgm || fail "in-process"

serve() # DEVICE
{
	"$sandbox" "${world[@]}" "$calls" "$build/riptided" --device "$1" --config /dev/null \
		--socket "$socket" 2>"log.$1" &
	daemon=$!
	wait_for 30 eval 'gone $daemon || {
		"$riptide" status --socket "$socket" --json >status &&
		! grep -q "still looking for one" status; }'
}
print() # METHOD
{
	"$riptide" halftone --method "$1" --socket "$socket" -o served.pbm page.pgm ||
		fail "no page"
	cmp alone.pbm served.pbm || fail "other dots"
	rm served.pbm
}
end()
{
	kill "$daemon"
	wait "$daemon" || fail "it ended with $?"
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
		grep -q '"why_no_gpu":""' status || fail "$(cat status)"
		print bwec
		print auto
		end
		echo "$1, on the GPU: all is well: $(sed -n 's/.*"device":"\([^"]*\)".*/\1/p' \
			status)"
	else
		wait "$daemon"
		echo "$1: not tried on a GPU: $(sed -n 's/.*without a GPU: //p' log.gpu)"
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
"$sandbox" "${world[@]}" "$calls" --check >log.check 2>&1
code=$?
((code != 99)) || { echo "namespaces, mounts and devices: not tried: $(cat log.check)"; exit 0; }
((code == 0)) || fail "the namespaces, mounts and devices do not hold"
try "namespaces, mounts and devices"
