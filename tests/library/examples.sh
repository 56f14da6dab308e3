#!/bin/bash
# The examples of libriptide give the dots of riptide halftone.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
numpy="python3 -B $source/contrib/examples/halftone-numpy.py"
example=$build/contrib/examples/pgm-to-pbm

# The dots in out.pbm, behind its header, are those of riptide halftone.
right() # WHAT BYTES SCREEN PICTURE
{
	"$riptide" halftone --screen "$3" -o right.pbm "$4" || complain "riptide"
	cmp <(tail -c "$2" out.pbm) <(tail -c "$2" right.pbm) ||
		complain "$1: other dots than riptide halftone"
}

# A program says this alone, and fails.
says() # PATTERN COMMAND...
{
	"${@:2}" >no.pbm 2>said
	# shellcheck disable=SC2053 # a pattern
	[[ $? == 1 && $(cat said) == $1 ]] || complain "${*:2} says \"$(cat said)\", not \"$1\""
}

seed=${RIPTIDE_TEST_SEED:-$RANDOM}
echo "# seed: RIPTIDE_TEST_SEED=$seed"
printf 'P5\n%d %d\n255\n' 1237 700 >in.pgm
head -c $((1237 * 700)) < <(seq "$seed" 7 99999999999 | tr '0-9\n' '\3\101-\111s') >>in.pgm

for screen in floyd-steinberg blue-noise clustered clustered-106 bayer bi-level; do
	"$example" $screen <in.pgm >out.pbm || complain "pgm-to-pbm $screen: status $?"
	right "pgm-to-pbm $screen" $((155 * 700)) $screen in.pgm \
		# headers differ in their white space
	[[ $(head -c 11 out.pbm) == "P4 1237 700" ]] || complain "pgm-to-pbm writes another header"
done

# The header may have comments, as GIMP's have.
{ printf 'P5\n# 1 2\n1237 # columns\n700\n# made by #\n#\n255\n'; tail -c $((1237 * 700)) \
	in.pgm; } >comments.pgm
"$example" bi-level <comments.pgm | cmp - out.pbm ||
	complain "pgm-to-pbm: comments in the header change the dots"

# Linked with the parts that the static library is made of, and the libraries that riptide.pc names.
setting() { sed -n "s/^$1 = //p" "$build/Makefile"; }
link() # OUT FILE.c OPTION...
{
	# shellcheck disable=SC2046 # words
	(cd "$build" && $(setting CC) $(setting CFLAGS) "${@:3}" $(setting LDFLAGS) \
		$(setting RIP_LDFLAGS) -o "$1" "$2" \
		lib/.libs/libhalftoner.a wire/.libs/libwire.a gpu/.libs/libnogpu.a \
		tone/.libs/libtone.a \
		halftone/.libs/libhalftone.a $(sed -n 's/^Libs.private: //p' lib/riptide.pc))
}
link "$folder/static" "$source/contrib/examples/pgm-to-pbm.c" -I"$source/lib" ||
	complain "pgm-to-pbm cannot be linked statically"
./static bi-level <in.pgm | cmp - out.pbm || complain "pgm-to-pbm, linked statically: other dots"

# From the manual page alone: its synopsis takes the place of the header, for its example, for ours,
# and for the sizes, offsets and constants of the binary interface.
if have mandoc; then
	mkdir -p page/lib
	text() { mandoc -T ascii -O width=200 "$build/man/riptide.3" | col -bx; }
	{
		printf '#include <stddef.h>\n#include <stdint.h>\n'
		text | sed '1,/#include <riptide.h>/d; /^ *Compile and link/,$d'
	} >page/riptide.h
	cp page/riptide.h page/lib/riptide.h
	text | sed '1,/^EXAMPLES/d; s/^       //' |
		awk '/^#include/ { on = 1 }
			on { print }
			/^int main/ { last = 1 }
			last && /^}/ { exit }' >grey.c
	strict=(-std=gnu11 -Wall -Wextra -Werror -I"$folder/page")
	link "$folder/grey" "$folder/grey.c" "${strict[@]}" ||
		complain "the example of riptide(3) cannot be built"
	link "$folder/static" "$source/contrib/examples/pgm-to-pbm.c" "${strict[@]}" ||
		complain "pgm-to-pbm cannot be built with riptide(3) alone"
	link "$folder/abi" "$source/tests/library/print-abi.c" "${strict[@]}" \
		-iquote "$folder/page" ||
		complain "riptide(3) lacks a field or a constant of riptide.h"
	diff <(./abi) <("$build/tests/library/print-abi") ||
		complain "riptide(3) has other structs than riptide.h"
	printf 'P5\n%d %d\n255\n' 1232 700 >grey.pgm
	tail -c $((1232 * 700)) in.pgm | tee -a grey.pgm | ./grey 1232 700 >out.pbm 2>said ||
		complain "the example of riptide(3): status $?"
	[[ $(cat said) == *"100 %"* ]] || complain "the example of riptide(3) says \"$(cat said)\""
	right "the example of riptide(3)" $((154 * 700)) blue-noise grey.pgm
else
	echo "the example of riptide(3) was not built: install mandoc"
fi
# From Python, where NumPy is.
if python3 -c 'import numpy' 2>/dev/null; then
	# What a sanitizer is in cannot be loaded by a program without it.
	if ! grep -q '^RIP_LDFLAGS = .*-fsanitize' "$build/Makefile"; then
		export LD_LIBRARY_PATH=$build/.libs
		for run in "$numpy in.pgm" "$numpy comments.pgm" "${numpy/-B/-B -O} in.pgm"; do
			$run out.pbm stucki || complain "$run: status $?"
			right "$run" $((155 * 700)) stucki in.pgm
		done
		for wrong in "not a PGM picture (P5) with a maxval of 255:P5 4 4 65535" \
			"the picture is cut:P5 4 4 255"; do
			printf '%s\n' "${wrong#*:}" >wrong.pgm
			# shellcheck disable=SC2086 # words
			says "wrong.pgm: ${wrong%%:*}" $numpy wrong.pgm none.pbm
			[[ ! -e none.pbm ]] || complain "halftone-numpy.py writes dots of wrong.pgm"
		done
		# shellcheck disable=SC2086 # words
		says "Usage: halftone-numpy.py IN.pgm OUT.pbm \[SCREEN]" $numpy
		PYTHONPATH=$source/contrib/examples python3 -B - <<'END' ||
import numpy as np
from importlib import import_module
halftone = import_module("halftone-numpy").halftone
rng = np.random.default_rng(1)
planes = rng.integers(0, 65536, (4, 90, 301), np.uint16)
dots = halftone(planes, "blue-noise", light=False, levels=4, inks=b"KCMY")
assert dots.shape == (4, 90, 76)
assert (halftone(planes[:1], "blue-noise", light=False, levels=4)[0] == dots[0]).all()
again = halftone(planes, "blue-noise", light=False, levels=4, inks=b"KCMY", method=b"ed")
assert (again == dots).all()
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
		unset LD_LIBRARY_PATH
	fi
else
	echo "halftone-numpy.py was not run: install python3-numpy"
fi

says "pgm-to-pbm: no screen dots: choose floyd-steinberg,*" "$example" dots <in.pgm
# What is not a whole picture of 8 bits, and an output that is full.
while IFS='|' read -r words picture; do
	# shellcheck disable=SC2059 # a format
	printf "$picture" >wrong.pgm
	says "pgm-to-pbm: $words" "$example" <wrong.pgm
done <<-'END'
	not a PGM picture (P5) with a maxval of 255|P5 4 4 65535\n00000000000000000000000000000000
	not a PGM picture (P5) with a maxval of 255|P5 4 4 2550\n00000000000000000000000000000000
	width 0: it must be 1 to 16777215|P5 0 4 255\n
END
says "pgm-to-pbm: the picture is cut" "$example" < <(head -c 20000 in.pgm)
"$example" <in.pgm >/dev/full 2>said &&
	complain "pgm-to-pbm does not notice that the output is full"
finish
