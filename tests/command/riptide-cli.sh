#!/bin/bash
# The command line of riptide: help, version, names, wrong usage, and bench.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

fails() # STATUS WORDS ARGUMENT...
{
	refuses_with "$1" "$2" "$riptide" "${@:3}"
}

# The same for each of several values, which are the last argument.
fails_each() # STATUS WORDS VALUES ARGUMENT...
{
	local value

	for value in $3; do
		fails "$1" "$2" "${@:4}" "$value"
	done
}

says() # WORDS ARGUMENT...
{
	does "$riptide" "${@:2}"
	[[ $(cat stdout) == *"$1"* ]] || complain "riptide ${*:2}: no \"$1\" in it"
}

riptide=${riptide}d fails 2 "unknown option '--foo'" --foo
riptide=${riptide}d fails 2 "'--device' requires a value" --device
riptide=${riptide}d fails 2 "unknown option '-x'" -x
riptide=${riptide}d fails 2 "the option '--check' takes no value" --check=1

says "riptide 0" --version
says "riptide 0" -V
says "Usage: riptide COMMAND" help
says "Usage: riptide status" help status
fails 2 'did you mean halftone?' halftne
fails 2 'did you mean status?' help statsu
fails 2 'help takes one command' help rip bench
says "halftone" --help
says "bench" -h
says "riptide status [OPTION]" status -h
says "--metrics" status -h
says "--help shows all options" halftone -h
grep -q -- --screen stdout && ! grep -q -- --gamma stdout ||
	complain "halftone -h has not the basic options"
riptide=${riptide}d says "riptided [OPTION]" -h
riptide=${riptide}d says "riptided (riptide) 0" -V
says "riptide halftone [OPTION]" halftone --help
for command in bench target calibrate; do
	says "riptide $command [OPTION]" $command --help
done
says "bwec" halftone --method help
says "atkinson" halftone --screen help
says "clustered-LPI" halftone --screen help
says "bi-level" bench --screen help
says "runs here" halftone --isa help
says "simd" bench --methods help
# The planes of a page together take longer than apart; with such a registration they are not
# together.
planes="--screen blue-noise-colour --planes 3 --runs 1"
# shellcheck disable=SC2086 # words
{
	says "planes apart = 1" bench $planes --sizes 64 --methods simd,ed
	does "$riptide" bench $planes --registration 60 --sizes 64 --methods ed
}
! grep "planes apart" stdout || complain "bench couples planes that are 60 micrometres apart"
does "$riptide" bench --screen blue-noise-colour --planes 3 --sizes 256 --runs 1 --methods ed --json
grep -q '"ms_apart":[0-9.]*[1-9]' stdout ||
	complain "bench --json: no time of planes apart: $(cat stdout)"

fails 2 "no command is given"
fails 2 '"foo" is not a command' foo
fails 2 "unknown option --foo" halftone --foo
fails 2 "unknown option -x" halftone -x
fails 2 "--levels requires a value" halftone --levels
fails 2 "-o requires a value" halftone -o
fails 2 "the option --composite takes no value" halftone --composite=1
fails 2 "the option --help takes no value" halftone --help=
fails 2 "the option --json takes no value" status --json=1
fails 2 "unknown option --jason=1" status --jason=1
fails 2 "unknown option -x" halftone --levels=4 -xo
fails 2 '--curve "" is not valid: choose a file' halftone --curve '' x
for command in halftone rip preview calibrate adopt release; do
	fails 2 'the name "" is empty' $command ''
done
for command in target preview; do
	fails 2 '--ppd "" is not valid: choose a file' $command --ppd ''
done
for command in halftone rip preview target; do
	fails 2 '--output "" is not valid: choose a file' $command -o ''
done
fails 2 "unknown option --foo" status --foo
fails 2 "--socket requires a value" status --socket
fails 2 "no arguments" status foo
fails 2 "cannot be combined" status --json --metrics
fails 2 '--socket "" is not valid: choose a file' status --socket ""
for arguments in "status --ink --json" "status --help" "--help"; do
	# shellcheck disable=SC2086 # words
	CUPS_CACHEDIR=$folder "$riptide" $arguments >/dev/full 2>stderr &&
		complain "$arguments: a full disk is no error"
	[[ $(cat stderr) == "riptide: cannot write standard output: No space left on device" ]] ||
		complain "$arguments: a full disk: $(cat stderr)"
done
# Names that are nearly an ink's are a mistake.
while read -r ink names; do
	for name in $names; do
		fails 2 "--ink \"$name\" is nearly $ink" halftone --ink "$name"
	done
done <<-'END'
	Cyan cyn Cyann xyan ycan cy CYAN_
	Magenta mag mgnt Magent magenat
	Yellow yel ylw Yelow Yellow2
	Black blak blk b BALCK
END
fails 2 '--ink "" is not valid: choose cyan' halftone --ink ''
fails_each 2 "2 to 16" "1 17 2x -4 99999999999999999999" halftone --levels
fails 2 "2 to 16" halftone --levels ""
fails 2 "numbers from 1 to 100000" halftone --resolution 0
fails 2 "numbers from 2 to 100000" rip --resolution 0
fails 2 "numbers from 90 to 4800" target --resolution 0
fails 2 "1 to" halftone --threads 0
fails 2 "1 to" halftone --band 0
fails 2 "--drops has 1, and 2 levels need none" halftone --drops 14
fails 2 "--drops has 2, and 4 levels need 3" preview --drops 7,14 --levels 4
fails 2 "pbm is for 2 levels, and pgm for more" rip --levels 4 -o out.pbm none.pdf
fails 2 "with .pbm, .pgm, .png, .ras, .pwg or .tif, not .urf" rip --model cmyk -o out.urf none.pdf
fails 2 "--drops has 1, and 2 levels need none" rip --drops 14 -o out.pbm none.pdf
fails 2 '--density "49" is not valid: choose 50 to 200' rip --density 49 none.pdf
fails 2 "noise, zero" halftone --start one
fails 2 "choose auto, ed, ec" halftone --method foo
fails 2 "floyd-steinberg, jarvis-judice-ninke" halftone --screen foo
fails 2 "blue-noise-mask, bayer, bi-level" halftone --screen foo
fails 2 '--screen "clustered-" is not valid' halftone --screen clustered-
fails 2 "--screen requires a value" halftone --screen
fails 2 "--resolution" halftone --resolution ""
fails_each 2 "--resolution" \
	"0 x600 600x 600x0 100001 600x100001 -600 600x600x600 99999999999 dpi
	600dp 600dpi2 600xdpi 600dpix600
	600x600x600dpi" halftone --resolution
printf 'P5 8 1 255\n01234567' >grey.pgm
for resolution in 600x300 600x300dpi 600x300DPI; do
	timeout 60 "$riptide" halftone --resolution $resolution --screen clustered \
		grey.pgm >$resolution.pbm ||
		complain "--resolution $resolution fails"
	cmp 600x300.pbm $resolution.pbm || complain "--resolution $resolution gives other dots"
done
fails_each 2 "--resolution must be 2 or more" "1 1x600 600x1" rip -r
fails_each 2 "auto, cpu, gpu" "foo -1" halftone --device
fails 2 "choose c" halftone --isa foo
fails 2 "choose a path, or none" halftone --socket ""
fails 2 "unexpected argument" halftone a b
fails 2 "riptided --device" halftone --socket /s --device gpu a
fails 2 "both be standard input" halftone --curve -
fails 2 "unknown option --bar" bench --bar
fails 2 "unexpected argument" bench 1K
fails 2 "is not a size" bench --sizes ""
fails_each 2 "is not a size" "0 1K,,2K 10x A4@ 4K4 99999999 4294967297" bench --sizes
fails 2 "auto, ed" bench --methods ed,foo
fails 2 "auto stands for one of" bench --methods auto
fails 2 "1 to" bench --runs 0
fails 2 "1 to 16" bench --planes 17
fails 2 "choose 8, 16" bench --bits 12
fails 2 "choose launch, flags or launch,flags" bench --sync flag
fails 2 "needs a GPU method" bench --device gpu --methods ed,simd
fails 2 "at most 32 sizes" bench --sizes "$(seq -s , 1 33)"

# Names of instruction sets that other machines have.
for isa in avx2 avx512 neon; do
	"$riptide" halftone --isa help | grep "^$isa  *runs here" >/dev/null ||
		fails 1 "$isa" halftone --isa $isa
done

# A terminal neither gives an image nor takes dots.
if have script; then
	printf 'P5 1 1 255\na' >a.pgm
	while IFS='|' read -r words arguments; do
		script -qec "'$riptide' $arguments; echo status \$?" /dev/null >typescript
		grep -q "$words" typescript && grep -q "status 2" typescript ||
			complain "$arguments: $(cat typescript)"
	done <<-'END'
		go to the terminal|halftone a.pgm
		go to the terminal|halftone -o /dev/stdout a.pgm
		go to the terminal|halftone -o /dev/stderr a.pgm
		the picture would go to the terminal|preview -o - a.pgm
		come from the terminal|halftone >out
	END
	rm -f out
fi

# An output that is the input, where it is of another kind; rip.sh has the same.  halftone may do
# that.
printf 'P5 2 2 255\nabcd' >picture
printf '0 0.05\n50 0.7\n100 1.4\n' >numbers
ln -s numbers link
sha256sum picture numbers >sums
fails 1 "cannot write picture: it is the input" preview -o picture picture
fails 1 "cannot write numbers: it is the input" calibrate -o numbers numbers
fails 1 "cannot write link: it is the input" calibrate -o link ./numbers
fails 1 "cannot write numbers: it is the input" calibrate -o new.cal -p numbers numbers
sha256sum --quiet -c sums || complain "an input has changed"
[[ ! -e new.cal ]] || complain "a calibration is written although its picture cannot be"
for name in new.cal ./new.cal; do
	fails_with 1 "cannot write new.cal: it is the picture: name another file" \
		"$riptide" calibrate -o new.cal -p $name numbers
	rm -f new.cal
done

# What a file's name can do to a terminal.
fails 1 "No such file" halftone $'a\e[2Jb\nc'
grep -q $'\e' stderr && complain "an escape sequence reached standard error"

# --- bench ---
says "ED(CPU)" bench --sizes 64,65x33,A4@20 --methods ed,ec --runs 2
grep -q "^median, ms  *64  *65x33  *A4@20" stdout || complain "bench: no table: $(cat stdout)"
says "PWED           - " bench --device cpu --sizes 64 --runs 1
says "clustered-106, 2 levels" bench --device cpu --sizes 64 --runs 1 --screen clustered
says "bi-level, 3 levels, 8 bits, 4 planes" bench --device cpu --sizes 65x33 --runs 1 \
	--screen bi-level \
	--planes 4 --levels 3
fails 1 "no screen clustered-999 at 600" bench --sizes 64 --screen clustered-999
says "5 levels, 16 bits, 3 planes" bench --device cpu --sizes 64 --runs 1 --levels 5 --bits 16 \
	--planes 3 --screen stucki
says "2 levels, 8 bits, tone curve, 1 plane" bench --device cpu --sizes 64 --runs 1 --curve
# Every row has a rate and a ratio for each of the processor's methods, the first one 1.
[[ $once ]] && methods=ec,simd,pwed columns=2 || methods=simd,pwed columns=1
says "costs at 2K" bench --device cpu --sizes 64 --methods $methods --runs 1 --costs
awk -v n=$columns '/^costs at/ { on = 1; next } on && /\.[0-9][0-9]/ { rows++
		for (i = 0; i < n; i++) { rate = $(NF - 1 - 2 * i); ratio = $(NF - 2 * i)
			if (rate <= 0 || ratio <= 0 || (rows == 1 && ratio != 1)) bad++ } }
	END { exit rows != 12 || bad }' stdout || complain "bench --costs: $(cat stdout)"
fails 1 "MiB may be used" bench --methods ed --sizes 16777215x16777215 --json
# A sanitizer's shadow does not fit under a limit.
if (ulimit -v 60000 && "$riptide" --version) >/dev/null 2>&1; then
	(
		ulimit -v 60000
		fails 1 "no size fits: 16K needs 290 MiB of memory, \
but ulimit -v allows the whole process only 58 MiB" \
			bench --sizes 16K --runs 1 --methods ed
		exit $failed
	) || failed=1
else
	echo "a limit of memory is not tested: this build does not run under it"
fi
says '"method":"ed"' bench --device cpu --methods ed,ec --sizes 64,A4@20 --runs 3 --planes 2 --json
if command -v python3 >/dev/null; then
	python3 -c '
import json, sys
lines = [json.loads(line) for line in open("stdout")]
assert len(lines) == 4, lines
for line in lines:
    for key, kind in dict(method=str, isa=str, device=str, width=int, height=int, planes=int,
                          threads=int, runs=int, ms_median=float, ms_min=float, ms_max=float,
                          mpixels_per_s=float).items():
        assert isinstance(line[key], kind), (key, line)
    assert line["ms_min"] <= line["ms_median"] <= line["ms_max"]
    assert line["isa"] == "c" and line["planes"] == 2 and line["runs"] == 3
    pixels = line["width"] * line["height"] * line["planes"]
    assert abs(line["mpixels_per_s"] * line["ms_median"] * 1000 / pixels - 1) < 0.05, line
assert (lines[2]["width"], lines[2]["height"]) == (165, 234), lines[2]
' || complain "bench --json: not as promised"
fi

finish
