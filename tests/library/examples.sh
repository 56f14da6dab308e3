#!/bin/bash
# The examples of libriptide give the dots of riptide halftone.
set -uo pipefail

build=${RIPTIDE_BUILD:-$PWD}
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
failed=0
complain() { echo "FAILED: $1"; failed=1; }

seed=${RIPTIDE_TEST_SEED:-$RANDOM}
echo "# seed: RIPTIDE_TEST_SEED=$seed"
printf 'P5\n%d %d\n255\n' 1237 700 >"$folder/in.pgm"
head -c $((1237 * 700)) < <(seq "$seed" 7 99999999999 | tr '0-9\n' '\3\101-\111s') >>"$folder/in.pgm"

for screen in floyd-steinberg blue-noise clustered clustered-106 bayer bi-level; do
	RIPTIDE_SOCKET=none "$build/contrib/examples/pgm-to-pbm" $screen <"$folder/in.pgm" >"$folder/out.pbm" ||
		complain "pgm-to-pbm $screen: status $?"
	"$build/riptide" halftone --screen $screen -o "$folder/right.pbm" "$folder/in.pgm" || complain "riptide"
	# Headers differ in their white space.
	cmp <(tail -c $((155 * 700)) "$folder/out.pbm") <(tail -c $((155 * 700)) "$folder/right.pbm") ||
		complain "pgm-to-pbm $screen: other dots than riptide halftone"
	[[ $(head -c 11 "$folder/out.pbm") == "P4 1237 700" ]] || complain "pgm-to-pbm writes another header"
done
"$build/contrib/examples/pgm-to-pbm" dots <"$folder/in.pgm" >"$folder/out.pbm" 2>"$folder/said"
[[ $? == 1 && $(cat "$folder/said") == "pgm-to-pbm: no mask dots"* ]] ||
	complain "pgm-to-pbm dots says \"$(cat "$folder/said")\""
exit $failed
