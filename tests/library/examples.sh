#!/bin/bash
# The examples of libriptide give the dots of riptide halftone.
set -uo pipefail

build=${RIPTIDE_BUILD:-$PWD} source=${RIPTIDE_SOURCE:-$(dirname "$0")/../..}
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
failed=0
complain() { echo "FAILED: $1"; failed=1; }

seed=${RIPTIDE_TEST_SEED:-$RANDOM}
echo "# seed: RIPTIDE_TEST_SEED=$seed"
printf 'P5\n%d %d\n255\n' 1237 700 >"$folder/in.pgm"
head -c $((1237 * 700)) < <(seq "$seed" 7 99999999999 | tr '0-9\n' '\3\101-\111s') >>"$folder/in.pgm"

for screen in floyd-steinberg blue-noise clustered clustered-106 bayer bi-level; do
	"$build/contrib/examples/pgm-to-pbm" $screen <"$folder/in.pgm" >"$folder/out.pbm" ||
		complain "pgm-to-pbm $screen: status $?"
	"$build/riptide" halftone --screen $screen -o "$folder/right.pbm" "$folder/in.pgm" || complain "riptide"
	# Headers differ in their white space.
	cmp <(tail -c $((155 * 700)) "$folder/out.pbm") <(tail -c $((155 * 700)) "$folder/right.pbm") ||
		complain "pgm-to-pbm $screen: other dots than riptide halftone"
	[[ $(head -c 11 "$folder/out.pbm") == "P4 1237 700" ]] || complain "pgm-to-pbm writes another header"
done

# The header may have comments, as GIMP's have.
{ printf 'P5\n# 1 2\n1237 # columns\n700\n# made by #\n#\n255\n'; tail -c $((1237 * 700)) "$folder/in.pgm"; } >"$folder/comments.pgm"
"$build/contrib/examples/pgm-to-pbm" bi-level <"$folder/comments.pgm" | cmp - "$folder/out.pbm" ||
	complain "pgm-to-pbm: comments in the header change the dots"

# Linked with the parts that the static library is made of, and the libraries that riptide.pc names.
setting() { sed -n "s/^$1 = //p" "$build/Makefile"; }
link() # OUT FILE.c OPTION...
{
	# shellcheck disable=SC2046 # words
	(cd "$build" && $(setting CC) $(setting CFLAGS) "${@:3}" $(setting LDFLAGS) $(setting RIP_LDFLAGS) -o "$1" "$2" \
		lib/.libs/libhalftoner.a wire/.libs/libwire.a gpu/.libs/libnogpu.a tone/.libs/libtone.a \
		halftone/.libs/libhalftone.a $(sed -n 's/^Libs.private: //p' lib/riptide.pc))
}
link "$folder/static" "$source/contrib/examples/pgm-to-pbm.c" -I"$source/lib" ||
	complain "pgm-to-pbm cannot be linked statically"
"$folder/static" bi-level <"$folder/in.pgm" | cmp - "$folder/out.pbm" ||
	complain "pgm-to-pbm, linked statically: other dots"

# From the manual page alone: its synopsis takes the place of the header, for its example, for ours, and
# for the sizes, offsets and constants of the binary interface.
if command -v mandoc >/dev/null; then
	mkdir -p "$folder/page/lib"
	text() { mandoc -T ascii -O width=200 "$build/man/riptide.3" | col -bx; }
	{
		printf '#include <stddef.h>\n#include <stdint.h>\n'
		text | sed '1,/#include <riptide.h>/d; /^ *Compile and link/,$d'
	} >"$folder/page/riptide.h"
	cp "$folder/page/riptide.h" "$folder/page/lib/riptide.h"
	text | sed '1,/^EXAMPLES/d; s/^       //' |
		awk '/^#include/ { on = 1 } on { print } /^int main/ { last = 1 } last && /^}/ { exit }' >"$folder/grey.c"
	strict=(-std=gnu11 -Wall -Wextra -Werror -I"$folder/page")
	link "$folder/grey" "$folder/grey.c" "${strict[@]}" || complain "the example of riptide(3) cannot be built"
	link "$folder/static" "$source/contrib/examples/pgm-to-pbm.c" "${strict[@]}" ||
		complain "pgm-to-pbm cannot be built with riptide(3) alone"
	link "$folder/abi" "$source/tests/library/print-abi.c" "${strict[@]}" -iquote "$folder/page" ||
		complain "riptide(3) lacks a field or a constant of riptide.h"
	diff <("$folder/abi") <("$build/tests/library/print-abi") || complain "riptide(3) has other structs than riptide.h"
	printf 'P5\n%d %d\n255\n' 1232 700 >"$folder/grey.pgm"
	tail -c $((1232 * 700)) "$folder/in.pgm" >>"$folder/grey.pgm"
	tail -c $((1232 * 700)) "$folder/in.pgm" | "$folder/grey" 1232 700 >"$folder/out.pbm" \
		2>"$folder/said" || complain "the example of riptide(3): status $?"
	[[ $(cat "$folder/said") == *"100 %"* ]] || complain "the example of riptide(3) says \"$(cat "$folder/said")\""
	"$build/riptide" halftone --screen blue-noise -o "$folder/right.pbm" "$folder/grey.pgm" || complain "riptide"
	cmp <(tail -c $((154 * 700)) "$folder/out.pbm") <(tail -c $((154 * 700)) "$folder/right.pbm") ||
		complain "the example of riptide(3): other dots than riptide halftone"
else
	echo "the example of riptide(3) was not built: install mandoc"
fi

# From Python, where NumPy is.
if python3 -c 'import numpy' 2>/dev/null; then
	# What a sanitizer is in cannot be loaded by a program without it.
	if ! grep -q '^RIP_LDFLAGS = .*-fsanitize' "$build/Makefile"; then
		LD_LIBRARY_PATH=$build/.libs python3 -B "$source/contrib/examples/halftone-numpy.py" \
			"$folder/in.pgm" "$folder/out.pbm" stucki || complain "halftone-numpy.py: status $?"
		"$build/riptide" halftone --screen stucki -o "$folder/right.pbm" "$folder/in.pgm" || complain "riptide"
		cmp <(tail -c $((155 * 700)) "$folder/out.pbm") <(tail -c $((155 * 700)) "$folder/right.pbm") ||
			complain "halftone-numpy.py: other dots than riptide halftone"
		LD_LIBRARY_PATH=$build/.libs python3 -B "$source/contrib/examples/halftone-numpy.py" \
			"$folder/comments.pgm" "$folder/out.pbm" stucki || complain "halftone-numpy.py: comments: status $?"
		cmp <(tail -c $((155 * 700)) "$folder/out.pbm") <(tail -c $((155 * 700)) "$folder/right.pbm") ||
			complain "halftone-numpy.py: comments in the header change the dots"
		for wrong in "not a PGM picture (P5) with a maxval of 255:P5 4 4 65535" "the picture is cut:P5 4 4 255"; do
			printf '%s\n' "${wrong#*:}" >"$folder/wrong.pgm"
			LD_LIBRARY_PATH=$build/.libs python3 -B "$source/contrib/examples/halftone-numpy.py" "$folder/wrong.pgm" \
				"$folder/no.pbm" 2>"$folder/said"
			[[ $? == 1 && $(cat "$folder/said") == "$folder/wrong.pgm: ${wrong%%:*}" && ! -e $folder/no.pbm ]] ||
				complain "halftone-numpy.py says \"$(cat "$folder/said")\", not \"${wrong%%:*}\""
		done
		LD_LIBRARY_PATH=$build/.libs python3 -B "$source/contrib/examples/halftone-numpy.py" 2>"$folder/said"
		[[ $? == 1 && $(cat "$folder/said") == "Usage: halftone-numpy.py IN.pgm OUT.pbm [SCREEN]" ]] ||
			complain "halftone-numpy.py without names says \"$(cat "$folder/said")\""
		LD_LIBRARY_PATH=$build/.libs python3 -B -O "$source/contrib/examples/halftone-numpy.py" \
			"$folder/in.pgm" "$folder/out.pbm" stucki || complain "halftone-numpy.py: status $?"
		cmp <(tail -c $((155 * 700)) "$folder/out.pbm") <(tail -c $((155 * 700)) "$folder/right.pbm") ||
			complain "halftone-numpy.py: other dots without assertions"
		LD_LIBRARY_PATH=$build/.libs PYTHONPATH=$source/contrib/examples python3 -B - <<'END' ||
import numpy as np
from importlib import import_module
halftone = import_module("halftone-numpy").halftone
rng = np.random.default_rng(1)
planes = rng.integers(0, 65536, (4, 90, 301), np.uint16)
dots = halftone(planes, "blue-noise", light=False, levels=4, inks=b"KCMY")
assert dots.shape == (4, 90, 76)
assert (halftone(planes[:1], "blue-noise", light=False, levels=4)[0] == dots[0]).all()
assert (halftone(planes, "blue-noise", light=False, levels=4, inks=b"KCMY", method=b"ed") == dots).all()
flat = halftone(np.full((64, 64), 128, np.uint8), "bayer")
assert abs(int(np.unpackbits(flat).sum()) - 64 * 64 * 128 / 255) <= 64
try:
    halftone(planes, "dots")
except OSError as error:
    assert "no screen dots: choose floyd-steinberg," in str(error), error
else:
    raise SystemExit("a screen that does not exist is taken")
END
			complain "the arrays of halftone-numpy.py"
	fi
else
	echo "halftone-numpy.py was not run: install python3-numpy"
fi

"$build/contrib/examples/pgm-to-pbm" dots <"$folder/in.pgm" >"$folder/out.pbm" 2>"$folder/said"
[[ $? == 1 && $(cat "$folder/said") == "pgm-to-pbm: no screen dots: choose floyd-steinberg,"* ]] ||
	complain "pgm-to-pbm dots says \"$(cat "$folder/said")\""
# What is not a whole picture of 8 bits, and an output that is full.
refused() # WORDS PICTURE-COMMAND...
{
	local words=$1

	"${@:2}" | "$build/contrib/examples/pgm-to-pbm" >"$folder/out.pbm" 2>"$folder/said"
	[[ ${PIPESTATUS[1]} == 1 && $(cat "$folder/said") == "pgm-to-pbm: $words" ]] ||
		complain "pgm-to-pbm says \"$(cat "$folder/said")\", not \"$words\""
}
refused "the picture is cut" head -c 20000 "$folder/in.pgm"
refused "not a PGM picture (P5) with a maxval of 255" printf 'P5 4 4 65535\n%032d' 0
refused "not a PGM picture (P5) with a maxval of 255" printf 'P5 4 4 2550\n%032d' 0
refused "width 0: it must be 1 to 16777215" printf 'P5 0 4 255\n'
"$build/contrib/examples/pgm-to-pbm" <"$folder/in.pgm" >/dev/full 2>"$folder/said" &&
	complain "pgm-to-pbm does not notice that the output is full"
exit $failed
