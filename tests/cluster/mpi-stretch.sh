#!/bin/bash
# How well many ranks keep each other at work: riptide-mpi with 8, 32 and 128 real ranks in slow
# motion (see stretched.h), over a network of 2 us and 10 GB/s, beside bars.  A busy machine makes
# it slower: after a run below the bar, up to three more are tried, each twice as slow, so that what
# disturbs them weighs less.
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

stretched=$build/tests/cluster/riptide-mpi-stretched
[[ -x $stretched ]] || { echo "there is no program $stretched"; exit 99; }
export STRETCH_RATE=1e10 STRETCH_LATENCY=2e-6 STRETCH_BANDWIDTH=1e10
width=131072 rows=64 columns=512

# The efficiency of a run, or nothing.
efficiency() # RANKS HEIGHT
{
	mpi "$1" "$stretched" --threads 1 --link message --rows $rows --columns $columns --stats \
		-o "$work/out.pbm" "$work/in.pgm" 2>"$work/err" |
		sed -n 's/.*"ms":\([0-9.]*\).*/\1/p' |
		awk -v p="$1" -v pixels="$2" -v width=$width -v rate=$STRETCH_RATE \
			-v factor="$STRETCH_FACTOR" \
			'{ printf "%.3f", width * pixels / rate / p / ($1 / 1000 / factor) }'
}

measure() # RANKS HEIGHT FACTOR BAR MOST
{
	local ranks=$1 height=$2 bar=$4 most=$5 best=0 got i

	export STRETCH_FACTOR=$3
	printf 'P5\n%d %d\n255\n' $width "$height" >"$work/in.pgm"
	truncate -s "+$((width * height))" "$work/in.pgm" # a hole: nobody reads it
	for ((i = 0; i < 4; i++)); do
		got=$(efficiency "$ranks" "$height")
		[[ $got ]] || { complain "$ranks ranks: $(cat "$work/err")"; return; }
		best=$(awk -v a="$best" -v b="$got" 'BEGIN { print (a > b ? a : b) }')
		awk -v a="$best" -v b="$bar" 'BEGIN { exit !(a < b) }' || break
		STRETCH_FACTOR=$((2 * STRETCH_FACTOR))
	done
	printf '%4d ranks, %d x %d: efficiency %.3f, bar %s\n' "$ranks" $width "$height" "$best" \
		"$bar"
	awk -v a="$best" -v b="$bar" 'BEGIN { exit !(a >= b) }' ||
		complain "$ranks ranks: below the bar"
	# More than the network and the start allow (0.994, 0.924, 0.636): then this is no
	# measurement.
	awk -v a="$best" -v b="$most" 'BEGIN { exit !(a < b) }' ||
		complain "$ranks ranks: faster than possible"
}

measure 8 8192 600 0.93 1.02
measure 32 8192 3000 0.88 0.95
measure 128 32768 4000 0.60 0.67
echo "Guilloteau measured 0.03 with 128 processes (3.8 times)"
finish
