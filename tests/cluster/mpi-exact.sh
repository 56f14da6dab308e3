#!/bin/bash
# riptide-mpi makes the file that riptide halftone makes: for every number of ranks, link,
# size, and kind of samples.
megabytes=450 # the large image and its dots, several times
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

# --- every number of ranks and link ---------------------------------------------------------

# One image with all, the others with some: each number of ranks has a small and a large one.  In a
# short run with one link each: message or window.
short=${RIPTIDE_TEST_SHORT:+yes}
for image in "1025x450 1m 2w 3m 4w 5m 7w" "1x1 1w 4m 7m" "63x700 2m 3w 7m" "5000x193 4m 5w"; do
	read -r size counts <<<"$image"
	make_image "${size%x*}" "${size#*x}" "$work/in.pgm"
	want "$work/in.pgm"
	for ranks in $counts; do
		for link in message window; do
			[[ $short && $ranks != ?${link:0:1} ]] ||
				check "${ranks%?}" "$work/in.pgm" --link $link
		done
	done
done
for size in 1x300 300x1 7x65 64x64 777x129; do
	make_image "${size%x*}" "${size#*x}" "$work/in.pgm"
	want "$work/in.pgm"
	check 3 "$work/in.pgm" --link message
	check 4 "$work/in.pgm" --link window
done

# --- nodes, real and not; threads -----------------------------------------------------------

make_image 1500 900 "$work/in.pgm"
want "$work/in.pgm"
for node in 1 2 3; do
	for columns in 1 64 700; do
		[[ $short && $node == 2 && $columns != 64 ]] ||
			RIPTIDE_MPI_NODE=$node check 5 "$work/in.pgm" --rows 20 --columns $columns
	done
done
RIPTIDE_MPI_NODE=1 check 2 "$work/in.pgm" --threads 3 --rows 64
RIPTIDE_MPI_NODE=2 check 3 "$work/in.pgm" --threads 2 --rows 7
check 2 "$work/in.pgm" --link window --threads 3
check 2 "$work/in.pgm" --link message --threads 2 --rows 1000000
check 2 "$work/in.pgm" --bench 3

# --- the rest of the arithmetic ---------------------------------------------------------------

export RIPTIDE_MPI_NODE=2
arithmetic() # FILE ARGUMENT...
{
	want "$@"
	check 3 "$@" --rows 33
}

for maxval in 1 200 1000 65535; do
	make_image 600 300 "$work/max.pgm" $maxval
	arithmetic "$work/max.pgm"
	[[ $short && $maxval == @(1|1000) ]] || # 200 and 65535 have one byte and two
		arithmetic "$work/max.pgm" --screen stucki --levels 3
done
make_image 600 300 "$work/in.pgm" 255 7
levels=(2 7)
for screen in $("$riptide" halftone --screen help | sed '/^ /d; /^labels$/d; s/-LPI.*/-141/'); do
	arithmetic "$work/in.pgm" --screen "$screen" --levels "${levels[0]}"
	levels=("${levels[1]}" "${levels[0]}")
done
# Barcodes are found in whole pages.
! mpi 3 "$riptide_mpi" --screen labels -o "$work/out" "$work/in.pgm" 2>"$work/labels.err" ||
	complain "--screen labels is not refused"
[[ ! -e $work/out && $(grep -c "^riptide-mpi: .*--screen labels: .* take blue-noise" \
	"$work/labels.err") == 1 ]] || complain "--screen labels: $(cat "$work/labels.err")"
for isa in $("$riptide" halftone --isa help | awk '/runs here/ { print $1 }'); do
	arithmetic "$work/in.pgm" --isa "$isa"
done
arithmetic "$work/in.pgm" --start zero
arithmetic "$work/in.pgm" --screen clustered --resolution 300x1200
awk 'BEGIN { for (i = 0; i < 256; i++) print int(65535 * (i / 255) ^ 1.7) }' >"$work/curve"
arithmetic "$work/in.pgm" --curve "$work/curve"
make_image 600 300 "$work/max.pgm" 65535
arithmetic "$work/max.pgm" --curve "$work/curve" --screen atkinson
unset RIPTIDE_MPI_NODE

# --- what is read and sent is what was derived ------------------------------------------------

make_image 2000 1600 "$work/in.pgm" # 25 strips
mpi 3 "$riptide_mpi" --rows 64 --link message --stats -o "$work/got.pnm" \
	"$work/in.pgm" >"$work/stats"
python3 - "$work/stats" <<'END' || failed=1
import json, sys
stats = json.load(open(sys.argv[1]))
wrong = []
if stats['carry_bytes'] != 24 * 2000 * 2:
    wrong.append('carry_bytes %d, not %d' % (stats['carry_bytes'], 24 * 2000 * 2))
if sum(stats['read_bytes']) != 2000 * 1600:
    wrong.append('read_bytes %s' % stats['read_bytes'])
if max(stats['read_bytes']) > 9 * 64 * 2000:
    wrong.append('one rank reads too much: %s' % stats['read_bytes'])
for name in 'read_ms', 'wait_ms', 'compute_ms', 'write_ms':
    if len(stats[name]) != 3:
        wrong.append(name)
print(*wrong, sep='\n')
sys.exit(bool(wrong))
END

# --- the rows that wave chooses ---------------------------------------------------------------

make_image 8 8192 "$work/high.pgm" # 2 workers of 16 strips of 256 rows
while read -r rows options; do
	# shellcheck disable=SC2086 # options
	mpi 2 "$riptide_mpi" --threads 1 $options --stats -o "$work/got.pnm" "$work/high.pgm" |
		grep -q "\"rows\":$rows,\"columns\":8," || complain "$options: not $rows rows"
done <<'END'
64
256 --link message
20 --link message --rows 20
64 --link message --threads 2
END

# --- not as root --------------------------------------------------------------------------------

if ((EUID == 0)) && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$riptide_mpi" -a \
		-r "$work" 2>/dev/null; then
	chmod 777 "$work"
	chmod a+r "$work/in.pgm"
	want "$work/in.pgm"
	setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$work" timeout -k 5 120 \
		mpirun -n 3 "$riptide_mpi" -o "$work/got.pnm" "$work/in.pgm" </dev/null ||
		complain "not as root: status $?"
	cmp "$work/want.pnm" "$work/got.pnm" || complain "not as root: other dots"
	((++runs))
elif ((EUID == 0)); then
	echo "not tested as another user, who cannot reach the build"
fi

# --- a large image: more than 2^31 bits; by messages and windows ----------------------------------

if [[ $short ]]; then
	echo "the large image is not tested: this run is short"
elif has_room "$work" 400; then
	make_image 16411 16400 "$work/large.pgm"
	want "$work/large.pgm"
	RIPTIDE_MPI_NODE=2 check 5 "$work/large.pgm"
else
	echo "the large image is not tested: $work has less than 400 MB; set RIPTIDE_TEST_FOLDER"
fi

echo "$runs runs"
finish
