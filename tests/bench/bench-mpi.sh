#!/bin/bash
# How well riptide-mpi scales on this machine: two ranks, pinned to a processor each, beside one
# rank, beside two that never wait for each other, and beside riptide halftone.
#
#	tests/bench/bench-mpi.sh [-n ROUNDS] [-s SIZE]
#
# Rounds take turns, and medians are printed.  Run it in the build folder.  With the right to
# use real-time priorities (root), other programs do not disturb it.
set -euo pipefail

rounds=15 size=16384
while getopts n:s: option; do
	case $option in
	n) rounds=$OPTARG ;;
	s) size=$OPTARG ;;
	*) exit 2 ;;
	esac
done
build=${RIPTIDE_BUILD:-$PWD}
[[ -x $build/riptide-mpi ]] ||
	{ echo "riptide-mpi was not built: configure --with-mpi" >&2; exit 1; }
work=$(mktemp -d /dev/shm/bench-mpi.XXXXXX)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
priority=()
! chrt -f 10 true 2>/dev/null || priority=(chrt -f 10)

python3 - "$size" "$work/in.pgm" <<'END'
import random, sys
size = int(sys.argv[1])
random.seed(1)
rows = [bytes(random.randrange(64, 192) for _ in range(size)) for _ in range(97)]
with open(sys.argv[2], 'wb') as out:
    out.write(b'P5\n%d %d\n255\n' % (size, size))
    for i in range(size):
        out.write(rows[i % 97])
END

ranks() # NAME RANKS ARGUMENT...
{
	local name=$1 number=$2

	shift 2
	"${priority[@]}" mpirun -q --bind-to core -n "$number" "$build/riptide-mpi" --threads 1 \
		"$@" \
		"$work/in.pgm" </dev/null >>"$work/$name"
}

now()
{
	date +%s%N
}

for ((i = 0; i < rounds; i++)); do
	ranks memory-1 1 --bench 3 -o /dev/null
	ranks memory-none 2 --bench 3 --link none -o /dev/null
	ranks memory-window 2 --bench 3 --link window -o /dev/null
	ranks memory-message 2 --bench 3 --link message -o /dev/null
	ranks file-1 1 --stats -o "$work/out.pbm"
	ranks file-window 2 --stats --link window -o "$work/out.pbm"
	ranks file-message 2 --stats --link message -o "$work/out.pbm"
	start=$(now)
	"${priority[@]}" taskset -c 0 "$build/riptide" halftone --threads 1 -o "$work/want.pbm" \
		"$work/in.pgm"
	echo "{\"ms\":$((($(now) - start) / 1000))e-3}" >>"$work/halftone"
	cmp "$work/want.pbm" "$work/out.pbm"
done

python3 - "$work" "$size" <<'END'
import json, statistics, sys
work, size = sys.argv[1], int(sys.argv[2])
def load(name):
    return [json.loads(line) for line in open(work + '/' + name)]
def ms(name):
    return statistics.median(run['ms'] for run in load(name))
names = ['memory-1', 'memory-none', 'memory-window', 'memory-message', 'file-1', 'file-window',
         'file-message', 'halftone']
for name in names:
    run = load(name)[0]
    plan = 'r %d k %d' % (run['rows'], run['columns']) if 'rows' in run else ''
    rate = size * size / ms(name) / 1e3
    print('%-16s %8.2f ms %8.0f Mpixel/s  %s' % (name, ms(name), rate, plan))
never = ms('memory-none')
print('two ranks that never wait: %.2f times one rank (valid from 1.85)' % (ms('memory-1') / never))
for link in 'window', 'message':
    print('in memory, %s: %.3f of two ranks that never wait; %.2f times one rank'
          % (link, never / ms('memory-' + link), ms('memory-1') / ms('memory-' + link)))
    print('file to file, %s: %.2f times one rank' % (link, ms('file-1') / ms('file-' + link)))
print('one rank, file to file: %.3f of the time of riptide halftone'
      % (ms('file-1') / ms('halftone')))
run = load('file-message')[0]
strips = (size - 1) // run['rows'] + 1
print('carry: %d bytes sent, %d derived; %d messages'
      % (run['carry_bytes'], (strips - 1) * size * 2, run['messages']))
print('read by a rank: %.4f of its share' % (max(run['read_bytes']) / (size * size / 2)))
print('memory of a rank: %d MiB, of which two strips are %.1f'
      % (max(run['peak_memory_kib']) / 1024, 2 * run['rows'] * size * 9 / 8 / 2**20))
END
