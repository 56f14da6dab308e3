#!/bin/bash
# How fair riptided is to clients that all want more than there is: what each of N gets,
# how long a job of one page takes among them, and what the others get while one of them
# is stopped with bands in flight; and the same job beside clients that attack: eight processes
# each that open wide pages, or sessions, or ask for the status, or send what is no message,
# without end.  Prints figures and the bars of the design; the time
# that something takes is never a failure here.
#
#	tests/bench/bench-fairness.sh [--clients N] [--device DEVICE] [--method METHOD]
#		[--threads N] [--seconds N]
#
# The clients are `riptide halftone --socket` with raw images of different kinds.  The
# method is ec unless told otherwise, and there is one worker, so that it, and not the
# clients' copying, is what is scarce.
set -u

build=${RIPTIDE_BUILD:-$PWD}
clients=4 device=cpu method=ec threads=1 seconds=10 pages=9
while (($#)); do
	case $1 in
	--clients) clients=$2 ;;
	--device) device=$2 ;;
	--method) method=$2 ;;
	--threads) threads=$2 ;;
	--seconds) seconds=$2 ;;
	*)
		echo "usage: $0 [--clients N] [--device DEVICE] [--method METHOD]" \
			"[--threads N] [--seconds N]" >&2
		exit 2
		;;
	esac
	shift 2
done
[[ -x $build/riptided && -x $build/riptide ]] || {
	echo "$0: no riptided in $build: run it where riptide was built" >&2
	exit 2
}
folder=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)") || exit 99
socket=$folder/s
pids=()
trap '((${#pids[@]})) && kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# A raw image of the same noise over and over, written as it is read.
image() # WIDTH HEIGHT MAXVAL
{
	local bytes=$(($1 * $2 * ($3 > 255 ? 2 : 1))) block
	block=$(stat -c %s "$folder/noise")
	printf 'P5 %d %d %d\n' "$1" "$2" "$3"
	while ((bytes > 0)); do
		if ((bytes >= block)); then cat "$folder/noise"; else head -c $bytes \
			"$folder/noise"; fi
		((bytes -= block))
	done
}
python3 -c 'import random; random.seed(1)
print(end="", flush=True)
import sys
sys.stdout.buffer.write(bytes(random.choices(range(1, 255), k=1 << 24)))' >"$folder/noise"
image 4961 7016 255 >"$folder/page.pgm" # A4 at 600 dpi

"$build/riptided" --device "$device" --threads "$threads" --socket "$socket" --config /dev/null \
	2>"$folder/log" &
pids+=($!)
for ((i = 0; i < 100; i++)); do
	[[ -S $socket ]] && break
	sleep 0.1
done
status() { "$build/riptide" status --socket "$socket" --json; }
for ((i = 0; i < 300; i++)); do # a GPU is found late
	status >"$folder/status" || { cat "$folder/log" >&2; exit 1; }
	grep -q "still looking for one" "$folder/status" || break
	sleep 0.1
done

page() # prints milliseconds
{
	local begin end
	begin=$(date +%s%N)
	"$build/riptide" halftone --method "$method" --socket "$socket" -o /dev/null \
		"$folder/page.pgm" ||
		exit 1
	end=$(date +%s%N)
	echo $(((end - begin) / 1000000))
}
sorted() { for ((i = 0; i < pages; i++)); do page; done | sort -n; }

alone=$(sorted | sed -n $((pages / 2 + 1))p)

# Each a kind of its own: narrow and wide, low bands and high ones, deep, more levels.
kinds=("4961 16000000 255 --band 256" "20000 4000000 255 --band 16" "4961 16000000 255 --levels 4"
	"9922 4000000 65535 --band 64")
for ((i = 0; i < clients; i++)); do
	read -ra kind <<<"${kinds[i % ${#kinds[@]}]}"
	image "${kind[@]:0:3}" 2>/dev/null |
		"$build/riptide" halftone --method "$method" --socket "$socket" "${kind[@]:3}" \
			-o /dev/null \
			2>>"$folder/clients.log" &
	pids+=($!)
done
sleep 2
status >"$folder/before"
sleep "$seconds"
status >"$folder/after"
crowd=$(sorted)
stopped=${pids[-1]}
kill -STOP "$stopped"
sleep 1
status >"$folder/stalled"
sleep "$seconds"
status >"$folder/end"
lone=$(sorted)
kill -CONT "$stopped"
kill "${pids[@]:1}" # the clients, not the daemon
wait "${pids[@]:1}" 2>/dev/null
pids=("${pids[0]}")

cat >"$folder/attack.py" <<'END'
import os, socket, struct, sys
kind, path = sys.argv[1:]
hello = struct.pack("<IHHIIII128s", 152, 1, 0, 0x54504952, 4, 1, 0, kind.encode())
page = struct.pack("<IHHIIIIIIIIIQQQIIIIIQI", 100, 2, 0, 1, 1800000, 9, 2, 2, 8, *[0] * 13)
while True:
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(path)
            s.sendall({"status": struct.pack("<IHH", 8, 5, 0),
                       "nonsense": os.urandom(64)}.get(kind, hello))
            more = s.recv(65536)
            while kind == "pages" and more:
                s.sendall(page)
                more = s.recv(65536)
    except OSError:
        pass
END
for attack in pages sessions status nonsense; do
	attackers=()
	for ((i = 0; i < 8; i++)); do
		python3 "$folder/attack.py" $attack "$socket" &
		attackers+=($!)
	done
	sleep 1
	sorted >"$folder/beside-$attack"
	kill "${attackers[@]}"
	wait "${attackers[@]}" 2>/dev/null
done

python3 - "$folder" "$clients" "$alone" "$crowd" "$lone" "$stopped" <<'END'
import json, sys
folder, clients, alone, stopped = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[6])
crowd, lone = ([int(ms) for ms in argument.split()] for argument in sys.argv[4:6])
load = lambda name: json.load(open(f"{folder}/{name}"))


def shares(before, after, names):
    """Prints what each session of both got: among `names` clients."""
    was = {s["pid"]: s["samples"] for s in before["sessions"]}
    got = [(s, s["samples"] - was[s["pid"]]) for s in after["sessions"] if s["pid"] in was]
    if len(got) != clients:
        sys.exit("the clients did not last: " + open(f"{folder}/clients.log").read())
    got = [(s, g) for s, g in got if s["pid"] in names]
    total = sum(g for _, g in got)
    seconds = (after["uptime_ms"] - before["uptime_ms"]) / 1000
    busy = (after["busy_us"] - before["busy_us"]) / 1e6 / seconds / after["workers"]
    print(f"{after['device']}, {after['workers']} workers busy {busy:.0%}, "
          f"{total / seconds / 1e6:.0f} Msamples/s to {len(got)} clients in {seconds:.0f} s")
    worst = 0
    for s, g in sorted(got, key=lambda x: x[0]["pid"]):
        off = g / total * len(got) - 1
        worst = max(worst, abs(off))
        print(f"  {s['width']:6} columns: {g / seconds / 1e6:7.1f} Msamples/s, "
              f"{g / total:6.1%} ({off:+.1%} of 1/{len(got)})")
    print(f"furthest from an equal share: {worst:.1%} (bar 20 %, goal 5 %)")


def one_page(times, among):
    bar = 5 * alone + 100
    print(f"one A4 page at 600 dpi: alone {alone} ms; among {among}: median "
          f"{times[len(times) // 2]} ms, {times[0]} to {times[-1]} ms (bar {bar} ms)")


before, after, stalled, end = (load(name) for name in ("before", "after", "stalled", "end"))
everybody = {s["pid"] for s in before["sessions"]}
shares(before, after, everybody)
one_page(crowd, clients)
print("one client stopped, with bands in flight:")
shares(stalled, end, everybody - {stopped})
one_page(lone, clients - 1)
for attack in ("pages", "sessions", "status", "nonsense"):
    times = [int(line) for line in open(f"{folder}/beside-{attack}")]
    one_page(times, f"8 attackers ({attack})")
END
