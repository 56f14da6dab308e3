#!/bin/bash
# Parallel jobs of the real filter, while the daemon is killed, stopped, frozen, reloaded
# and started again at random times: each job comes out with the bits that it has without a
# daemon, and none takes long.  Then, left in peace, the daemon does jobs without growing.
#
#	tests/daemon/soak.sh [--seconds N] [--jobs N]
#
# `make check` does it for a few seconds; a soak is --seconds 3600.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
seconds=8 jobs=4 rounds=4
[[ $once ]] || seconds=4 rounds=2
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
need python3
# kB that the daemon may grow by.  A sanitizer keeps what was freed, and has a shadow of
# every address that was ever used.
room=16384
if grep -qE '__[at]san_init' "$build/riptided"; then
	room=131072
fi
seed=${RIPTIDE_TEST_SEED:-$SRANDOM}
echo "seed: RIPTIDE_TEST_SEED=$seed"
RANDOM=$((seed % 32768))

cleanup='touch stop'
export RIPTIDE_SOCKET=$folder/nowhere
fail()
{
	echo "FAIL: $1"
	tail -n 5 log 2>/dev/null
	exit 1
}

# Jobs of one to three pages, grey and colour, narrow and wide, of 8 and 16 bits.
python3 - "$folder" "$seed" <<'END'
import random, sys
from pictures import raster_header
folder, rng = sys.argv[1], random.Random(int(sys.argv[2]))
order = "<" if sys.byteorder == "little" else ">"
for number, kinds in enumerate((["grey"], ["grey", "text", "grey"], ["colour"], ["deep", "wide"])):
    with open(f"{folder}/{number}.ras", "wb") as out:
        out.write(b"3SaR" if sys.byteorder == "little" else b"RaS3")
        for kind in kinds:
            width, height = {"wide": (9000, 300)}.get(kind, (rng.randrange(900, 2600), 1200))
            colors, space = (4, 6) if kind == "colour" else (1, 3)
            bits = 16 if kind == "deep" else 8
            out.write(raster_header(order, width, height, bits, space, colors))
            line = width * colors * bits // 8
            noise = rng.randbytes(line + 997)
            for y in range(height):
                at = y * 31 % 997
                blank = kind == "text" and y % 40 < 30
                out.write(bytes(line) if blank else noise[at:at + line])
END

filter() # JOB OUT: the filter, with what it says in OUT.log
{
	timeout 600 "$build/rastertoriptide" "$1" user title 1 halftone=ec "$(($1 % 4)).ras" \
		>"$2" 2>"$2.log"
}

for ((i = 0; i < 4; i++)); do
	filter $i "right$i" || fail "in-process: $(cat "right$i.log")"
	[[ -s right$i ]] || fail "in-process: no dots"
done
export RIPTIDE_SOCKET=$folder/socket

# Jobs, one after the other, until told to stop; what is wrong goes to a file.
worker() # NUMBER
{
	local job=$1 out=out$1 begin

	while [[ ! -e stop ]]; do
		begin=$SECONDS
		if ! filter "$job" "$out"; then
			echo "job $job: exit status not 0: $(tail -n 3 "$out.log")"
		elif ! cmp -s "$out" "right$((job % 4))"; then
			echo "job $job: other dots: $(grep -v ATTR "$out.log" | tail -n 3)"
		elif ((SECONDS - begin > 120)); then
			echo "job $job: took $((SECONDS - begin)) s:" \
				"$(grep -v ATTR "$out.log" | tail -n 3)"
		fi >>wrong
		grep -h '^WARNING' "$out.log" >>warnings
		echo "$job" >>"done"
		((job += jobs))
	done
}

start()
{
	"$build/riptided" --device cpu --socket "$folder/socket" --config /dev/null 2>>log &
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
		rm -f socket
		pause 300
		end KILL
		;;
	esac
done
[[ ! $daemon ]] || end KILL

# In peace: what it holds after some jobs it holds after three times as many.
lines_of() { wc -l <"$1"; }
served() { "$riptide" status --socket socket --json | sed -n 's/.*"jobs":\([0-9]*\).*/\1/p'; }
await_jobs() # COUNT
{
	wait_for 600 eval '(($(served 2>/dev/null)0 >= '"$1"'0)) || gone $daemon' &&
		! gone $daemon || fail "only $(served) of $1 jobs in ten minutes"
}
memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$daemon/status"; }
start
await_jobs $((rounds * jobs))
before=$(memory)
await_jobs $((3 * rounds * jobs))
after=$(memory)
touch stop
wait "${workers[@]}"
sockets() { find "/proc/$daemon/fd" -lname '*memfd*' -o -lname 'socket:*' | wc -l; }
wait_for 60 eval '(($(sockets) <= 1))'
descriptors=$(sockets)
echo "$(lines_of "done") jobs, $acts acts, $(lines_of \
	warnings) fell back, daemon of $before and then $after kB," \
	"$descriptors sockets and rings at the end"
[[ ! -s wrong ]] || fail "$(cat wrong)"
((descriptors <= 1)) || fail "$descriptors sockets and rings are left"
((after < before + room)) || fail "it has grown by more than $room kB"
(($(grep -c session-end log) > 0)) || fail "no job was served"
end TERM
