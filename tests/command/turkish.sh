#!/bin/bash
# Names mean the same in every language: in Turkish "I" is not the upper case of "i".
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

said=$(localedef -i tr_TR -f UTF-8 "$folder/tr_TR.UTF-8" 2>&1) ||
	{ leave_out "install the package locales: $said"; finish; }
# Only for what is tested: to this shell "${1,,}" would be Turkish, too.
turkish=(env LOCPATH="$folder" LC_ALL=tr_TR.UTF-8)
{ printf 'P5\n60 40\n255\n'; printf 'a%.0s' {1..2400}; } >in.pgm

# The same output for a name in upper case as for the name in lower case elsewhere.
same() # COMMAND OPTION NAME [ARGUMENT...]
{
	"$riptide" "$1" "$2" "${3,,}" "${@:4}" -o want.pgm ||
		complain "riptide $1 $2 ${3,,}: status $?"
	"${turkish[@]}" "$riptide" "$1" "$2" "$3" "${@:4}" -o got.pgm ||
		complain "riptide $1 $2 $3: status $?"
	cmp want.pgm got.pgm || complain "riptide $1 $2 $3: another output"
	rm -f want.pgm got.pgm
}
for screen in FLOYD-STEINBERG JARVIS-JUDICE-NINKE SIERRA ATKINSON BLUE-NOISE BLUE-NOISE-MASK \
	BI-LEVEL; do
	same halftone --screen $screen --levels 4 in.pgm
done
for option in "--method SIMD" "--printer INKJET" "--target LINEAR"; do
	# shellcheck disable=SC2086 # two words
	same halftone $option --levels 4 --resolution 600 in.pgm
done
# The chart's text is in upper case.
same target --screens BLUE-NOISE-MASK --resolution 300 --levels 4

# And the functions themselves.
if [[ -x $build/tests/unit/test-ascii ]]; then
	"${turkish[@]}" "$build/tests/unit/test-ascii" >said 2>&1 ||
		complain "test-ascii: $(cat said)"
	grep -q 'in tr_TR.UTF-8' said || complain "test-ascii was not run in Turkish: $(cat said)"
fi
finish
