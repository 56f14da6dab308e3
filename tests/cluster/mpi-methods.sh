#!/bin/bash
# The other methods of riptide-mpi, too, make the file that riptide halftone makes.
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

# --- Guilloteau's methods: his plan, and blocks that are no divisor of anything --------------

# Each number of ranks has a tiny and a large image, and with the large one odd blocks, too.
for image in "1x1 1 3 7" "3x70 2 4 5" "63x211 1 3 7" "777x129 2 4 5"; do
	read -r size counts <<<"$image"
	make_image "${size%x*}" "${size#*x}" "$work/in.pgm"
	"$riptide" halftone --method ec -o "$work/want.pnm" "$work/in.pgm" ||
		complain "riptide halftone $size"
	for ranks in $counts; do
		for method in lines blocks zigzag; do
			check "$ranks" "$work/in.pgm" --method $method
		done
		[[ $size != ?x* ]] || continue
		[[ ${RIPTIDE_TEST_SHORT-} && $ranks == [35] ]] ||
			check "$ranks" "$work/in.pgm" --method blocks --columns 13 --link window
		[[ ${RIPTIDE_TEST_SHORT-} && $ranks == [24] ]] ||
			check "$ranks" "$work/in.pgm" --method zigzag --rows 7 --columns 3 \
				--link window
		check "$ranks" "$work/in.pgm" --method zigzag --rows 11 --columns 29
	done
done
make_image 203 90 "$work/in.pgm" 65535
for screen in "--screen stucki" "--screen burkes --levels 4" \
	"--screen blue-noise --start zero" "--levels 16"; do
	read -ra arguments <<<"$screen"
	"$riptide" halftone "${arguments[@]}" -o "$work/want.pnm" "$work/in.pgm" ||
		complain "riptide halftone $screen"
	for method in "lines" "blocks --columns 10" "zigzag --rows 5 --columns 1" \
		"zigzag --threads 2 --columns 21"; do
		read -ra words <<<"--method $method"
		check 3 "$work/in.pgm" "${arguments[@]}" "${words[@]}"
	done
done

echo "$runs runs"
finish
