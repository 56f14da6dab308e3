#!/bin/bash
# The completion for bash, as bash calls it: what it proposes for the last word of a
# command line, with the programs of this build.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
helpers=/usr/share/bash-completion/bash_completion
# It is made for shells without such settings.
# shellcheck source=/dev/null
[[ ! -e $helpers ]] || { set +u && . "$helpers"; }
for program in riptide riptided riptide-mpi; do
	# shellcheck source=/dev/null
	[[ ! -x $build/$program ]] || . "$build/contrib/completions/$program" || exit 99
done
mkdir images
touch q.ppd page.PGM photo.jpg scan.ras 'two words.jpg' notes.txt report.pdf

# proposes "EXPECTED..." WORD...: in any order; _ is a space.  Bash makes a word of its own
# of '='.
proposes()
{
	local expected=$1 proposed
	shift

	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	# Bash finds the function by the name, and calls it with the command as it was typed.
	"$(complete -p "${1##*/}" | sed 's/.*-F \([^ ]*\) .*/\1/')" "$1" "${*: -1}" "${*: -2:1}"
	proposed=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
	[[ $proposed == "$(tr ' ' '\n' <<<"$expected" | tr _ ' ' | sort)" ]] ||
		complain "${*##*/}: proposed '${COMPREPLY[*]}', not '$expected'"
}

riptided=$build/riptided

commands="halftone rip preview adopt release target calibrate status bench"
proposes "$commands help --help --version" "$riptide" ""
proposes "$commands" "$riptide" help ""
proposes "halftone help" "$riptide" h
proposes "" "$riptide" halftoned ""

# Options, as the help texts have them.
proposes "--method" "$riptide" halftone --m
proposes "--pages --ppd --ppi --printer" "$riptide" preview --p
proposes "--band" "$riptide" halftone photo.jpg --b
proposes "--json --csv --metrics --watch --socket --ink --ink-per-m2 --help" "$riptide" status --
proposes "--screen --socket --start" "$riptide" halftone --s
proposes "--sizes --screen --sync" "$riptide" bench --s
proposes "--socket --device --config --threads --check --help --version" "$riptided" ""

# The list for completions has all options of the help, and the names of values.
for command in $commands; do
	diff <("$riptide" "$command" --list-options | cut -f1 | grep ^-- | sort) \
		<("$riptide" "$command" --help | sed -nE 's/^  (-[a-z], )?(--[a-z0-9-]+).*/\2/p' |
		sort) ||
		complain "the options of $command"
done
[[ $("$riptide" rip --list-options | grep -- --start) == $'--start\tnoise zero ' ]] ||
	complain "--start has no names"

# Values, as the programs list them.
methods="auto ed ec simd pwed pwec bwed bwec"
proposes "$methods" "$riptide" halftone --method ""
proposes "bwed bwec" "$riptide" halftone --method bw
proposes "bwed bwec" "$riptide" halftone --method = bw
proposes "$methods" "$riptide" halftone --method =
proposes "ec" "$riptide" bench --methods ec
proposes "bwec,pwed bwec,pwec" "$riptide" bench --methods bwec,pw
proposes "ed,bwed ed,bwec" "$riptide" bench --methods ed,bwe
proposes "ed,ec" "$riptide" bench --methods ed,e
screens=$("$riptide" halftone --screen help | grep -o '^[a-z][^ ]*' | tr '\n' ' ')
screens=${screens% }
[[ $screens == "floyd-steinberg "*" bi-level" ]] || complain "no screens"
proposes "$screens" "$riptide" halftone --screen ""
proposes "clustered clustered-LPI" "$riptide" bench --screen cl
proposes "600 600x1200" "$riptide" halftone --resolution 6
proposes "stucki sierra" "$riptide" bench --screen s
proposes "c" "$riptide" halftone --isa c
RIPTIDE_ISA_MASK=c proposes "c" "$riptide" halftone --isa ""
proposes "auto cpu gpu" "$riptide" bench --device ""
proposes "auto cpu gpu" "$riptided" --device ""
proposes "2" "$riptide" halftone --levels 2
proposes "8 16" "$riptide" bench --bits ""
proposes "launch" "$riptide" bench --sync l
proposes "0 1 2 3" "$riptide" rip --toner-save ""
proposes "none" "$riptide" rip --drops ""
proposes "print linear" "$riptide" rip --target ""
proposes "A4 A5 A3" "$riptide" target --paper A
proposes "2 4 16" "$riptide" target --levels ""
proposes "cyan" "$riptide" preview --ink c
proposes "4K" "$riptide" bench --sizes 4
proposes "launch,flags" "$riptide" bench --sync launch,f
proposes "noise zero" "$riptide" halftone --start ""
proposes "lzw" "$riptide" rip --compression = l
proposes "--model" "$riptide" rip --m
proposes "grey rgb cmyk" "$riptide" rip --model ""
proposes "pwg pnm png" "$riptide" rip --format p
proposes "600 600x1200" "$riptide" rip -r 6
proposes "thermal thermal-203 thermal-300" "$riptide" preview --printer t
proposes "" "$riptide" rip --pages ""
proposes "1K 16K" "$riptide" bench --sizes 1
proposes "" "$riptide" halftone --threads ""

proposes "pdf raster pbm pgm" "$riptide" target --format ""
proposes "blue-noise-mask,clustered blue-noise-mask,clustered-LPI" "$riptide" target \
	--screens blue-noise-mask,cl
proposes "density" "$riptide" calibrate --unit d
proposes "--paper --ppd" "$riptide" target --p
proposes "--chain --check" "$riptide" adopt --ch
proposes "laser laser-600 laser-1200" "$riptide" adopt --printer l
proposes "clustered clustered-LPI" "$riptide" adopt --screen cl

# riptide-mpi, if it was built.
mpi=$build/riptide-mpi
if [[ -x $mpi ]]; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	proposes "--rows --resolution" "$mpi" --r
	proposes "--stats --start --screen" "$mpi" -o page.pbm --s
	proposes "wave lines blocks zigzag" "$mpi" --method ""
	proposes "window" "$mpi" --link = w
	proposes "$screens" "$mpi" --screen ""
	proposes "clustered clustered-LPI" "$mpi" --screen cl
	proposes "c" "$mpi" --isa c
	proposes "600 600x1200" "$mpi" --resolution 6
	proposes "noise zero" "$mpi" --start ""
	proposes "2" "$mpi" --levels 2
	proposes "" "$mpi" --rows ""
else
	echo "riptide-mpi was not built: its completion was not tried"
fi

# Files.
declare -F _filedir >/dev/null ||
	{ leave_out "no names of files were tried: install bash-completion"; finish; }
for words in halftone "halftone --levels 4"; do
	# shellcheck disable=SC2086 # words
	proposes "images page.PGM photo.jpg scan.ras two_words.jpg" "$riptide" $words ""
done
for words in halftone "halftone -o" "calibrate -p" "status --socket" "calibrate -o" "calibrate q" \
	"rip -o"; do
	# shellcheck disable=SC2086 # words
	proposes "notes.txt" "$riptide" $words n
done
for words in "preview --ppd" release "adopt -o"; do
	# shellcheck disable=SC2086 # words
	proposes "q.ppd" "$riptide" $words q
done
proposes "none notes.txt" "$riptide" halftone --socket n
proposes "two_words.jpg" "$riptide" halftone --curve tw
proposes "notes.txt" "$riptided" --config n
proposes "" "$riptide" bench n
proposes "images report.pdf" "$riptide" rip ""
touch plate.tif
proposes "page.PGM photo.jpg plate.tif" "$riptide" preview p
if [[ -x $mpi ]]; then
	proposes "images page.PGM" "$mpi" ""
	proposes "notes.txt" "$mpi" -o n
	proposes "two_words.jpg" "$mpi" --curve tw
fi
finish
