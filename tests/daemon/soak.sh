#!/bin/bash
# Parallel jobs of the real filter, while the daemon is killed, stopped, frozen, reloaded
# and started again at random times: each job comes out with the bits that it has without a
# daemon, and none takes long.  Then, left in peace, the daemon does jobs without growing.
#
#	tests/daemon/soak.sh [--seconds N] [--jobs N]
#
# `make check` does it for a few seconds; a soak is --seconds 3600.
set -uo pipefail

build=${RIPTIDE_BUILD:-$PWD}
seconds=8 jobs=4
[[ ! ${RIPTIDE_TEST_REPEATED-} ]] || seconds=4 # another build does it longer
while (($#)); do
	case $1 in
	--seconds) seconds=$2 ;;
	--jobs) jobs=$2 ;;
	*)
		echo "usage: $0 [--seconds N] [--jobs N]" >&2
		exit 2
		;;
	esac
	shift 2
done
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
# kB that the daemon may grow by.  A sanitizer keeps what was freed, and has a shadow of
# every address that was ever used.
room=16384
if grep -qE '__[at]san_init' "$build/riptided"; then
	room=131072
fi
seed=${RIPTIDE_TEST_SEED:-$SRANDOM}
echo "seed: RIPTIDE_TEST_SEED=$seed"
RANDOM=$((seed % 32768))

folder=$(mktemp -d) || exit 99
socket=$folder/socket
daemon=
trap 'touch "$folder/stop"; [[ ! $daemon ]] || kill -KILL "$daemon" 2>/dev/null; wait; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
fail()
{
	echo "FAIL: $1"
	tail -n 5 "$folder/log" 2>/dev/null
	exit 1
}

# Jobs of one to three pages, grey and colour, narrow and wide, of 8 and 16 bits.
python3 - "$folder" "$seed" <<'END'
import random, struct, sys
folder, rng = sys.argv[1], random.Random(int(sys.argv[2]))
order = "<" if sys.byteorder == "little" else ">"


def header(width, height, colors, space, bits):
    page = bytearray(1796)
    pixel = bits * colors
    for offset, value in ((276, 300), (280, 300), (340, 1), (352, 595), (356, 842),
                          (372, width), (376, height), (384, bits), (388, pixel),
                          (392, width * pixel // 8), (396, 0), (400, space), (420, colors)):
        struct.pack_into(order + "I", page, offset, value)
    return bytes(page)


for number, kinds in enumerate((["grey"], ["grey", "text", "grey"], ["colour"], ["deep", "wide"])):
    with open(f"{folder}/{number}.ras", "wb") as out:
        out.write(b"3SaR" if sys.byteorder == "little" else b"RaS3")
        for kind in kinds:
            width, height = {"wide": (9000, 300)}.get(kind, (rng.randrange(900, 2600), 1200))
            colors, space = (4, 6) if kind == "colour" else (1, 3)
            bits = 16 if kind == "deep" else 8
            out.write(header(width, height, colors, space, bits))
            line = width * colors * bits // 8
            noise = rng.randbytes(line + 997)
            for y in range(height):
                at = y * 31 % 997
                blank = kind == "text" and y % 40 < 30
                out.write(bytes(line) if blank else noise[at:at + line])
END

filter() # JOB OUT: the filter, with what it says in OUT.log
{
	timeout 600 "$build/rastertoriptide" "$1" user title 1 halftone=ec "$folder/$(($1 % 4)).ras" \
		>"$2" 2>"$2.log"
}

export RIPTIDE_SOCKET=$folder/nowhere
for ((i = 0; i < 4; i++)); do
	filter $i "$folder/right$i" || fail "in-process: $(cat "$folder/right$i.log")"
	[[ -s $folder/right$i ]] || fail "in-process: no dots"
done
export RIPTIDE_SOCKET=$socket

# Jobs, one after the other, until told to stop; what is wrong goes to a file.
worker() # NUMBER
{
	local job=$1 out=$folder/out$1 begin

	while [[ ! -e $folder/stop ]]; do
		begin=$SECONDS
		if ! filter "$job" "$out"; then
			echo "job $job: exit status not 0: $(tail -n 3 "$out.log")"
		elif ! cmp -s "$out" "$folder/right$((job % 4))"; then
			echo "job $job: other dots: $(grep -v ATTR "$out.log" | tail -n 3)"
		elif ((SECONDS - begin > 120)); then
			echo "job $job: took $((SECONDS - begin)) s: $(grep -v ATTR "$out.log" | tail -n 3)"
		fi >>"$folder/wrong"
		grep -h '^WARNING' "$out.log" >>"$folder/warnings"
		echo "$job" >>"$folder/done"
		((job += jobs))
	done
}

start()
{
	"$build/riptided" --device cpu --socket "$socket" --config /dev/null 2>>"$folder/log" &
	daemon=$!
}
pause() # MILLISECONDS, at most
{
	local ms=$((RANDOM % $1))

	sleep "$(printf %d.%03d $((ms / 1000)) $((ms % 1000)))"
}
end()
{
	kill "-$1" "$daemon" 2>/dev/null
	wait "$daemon" 2>/dev/null
	daemon=
}

workers=()
for ((i = 0; i < jobs; i++)); do
	worker $i &
	workers+=($!)
done
acts=0
for ((until = SECONDS + seconds; SECONDS < until; acts++)); do
	[[ $daemon ]] || start
	pause 1500
	case $((RANDOM % 6)) in
	0 | 1) end KILL ;;
	2) end TERM ;;
	3)
		kill -STOP "$daemon"
		pause 3000
		kill -CONT "$daemon"
		;;
	4) kill -HUP "$daemon" ;;
	5)
		rm -f "$socket"
		pause 300
		end KILL
		;;
	esac
done
[[ ! $daemon ]] || end KILL

# In peace: what it holds after some jobs it holds after three times as many.
lines_of() { wc -l <"$folder/$1"; }
served() { "$build/riptide" status --socket "$socket" --json | sed -n 's/.*"jobs":\([0-9]*\).*/\1/p'; }
await_jobs() # COUNT
{
	local tries

	for ((tries = 6000; tries; tries--)); do
		(($(served 2>/dev/null)0 >= ${1}0)) && return
		kill -0 "$daemon" || break
		sleep 0.1
	done
	fail "only $(served) of $1 jobs in ten minutes"
}
memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$daemon/status"; }
start
await_jobs $((4 * jobs))
before=$(memory)
await_jobs $((12 * jobs))
after=$(memory)
touch "$folder/stop"
wait "${workers[@]}"
for ((tries = 600; tries; tries--)); do
	descriptors=$(find "/proc/$daemon/fd" -lname '*memfd*' -o -lname 'socket:*' | wc -l)
	((descriptors > 1)) || break
	sleep 0.1
done
echo "$(lines_of "done") jobs, $acts acts, $(lines_of warnings) fell back, daemon of $before and then $after kB," \
	"$descriptors sockets and rings at the end"
[[ ! -s $folder/wrong ]] || fail "$(cat "$folder/wrong")"
((descriptors <= 1)) || fail "$descriptors sockets and rings are left"
((after < before + room)) || fail "it has grown by more than $room kB"
(($(grep -c session-end "$folder/log") > 0)) || fail "no job was served"
end TERM
