#!/bin/bash
# riptide-mpi makes the file that riptide halftone makes: for every number of ranks, link,
# size, and kind of samples.
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

runs=0

# Compares with $work/want.pnm.
check() # RANKS FILE ARGUMENT...
{
	local ranks=$1 in=$2

	shift 2
	if ! mpi "$ranks" "$riptide_mpi" "$@" -o "$work/got.pnm" "$in" 2>"$work/err"; then
		complain "$ranks ranks, $in, $*: $(cat "$work/err")"
	elif ! cmp "$work/want.pnm" "$work/got.pnm"; then
		complain "$ranks ranks, $in, $*: other dots than those of riptide halftone"
	fi
	rm -f "$work/got.pnm"
	((++runs))
}

# --- every number of ranks and link ---------------------------------------------------------

for size in 1x1 1x300 300x1 7x65 64x64 63x700 777x129 1025x450 5000x193; do
	make_image "${size%x*}" "${size#*x}" "$work/in.pgm"
	"$riptide" halftone -o "$work/want.pnm" "$work/in.pgm" || complain "riptide halftone $size"
	for ranks in 1 2 3 4 5 7; do
		for link in message window; do
			check "$ranks" "$work/in.pgm" --link $link
		done
	done
done
echo "$runs runs"
exit $failed
