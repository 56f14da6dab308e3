# For tests that are shell scripts: sourced.  They run in a temporary folder, $folder, without
# standard input, and end with finish().
# shellcheck shell=bash
# shellcheck disable=SC2034 # what tests use
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
source=$(realpath "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}")
riptide=$build/riptide
# Where configure found CUPS' filters: to ask cups-config anew takes Debian's a tenth of a second.
gstoraster=$(sed -n 's/^cups_serverbin = //p' "$build/Makefile" 2>/dev/null)/filter/gstoraster
[[ -x $gstoraster ]] ||
	gstoraster=$(cups-config --serverbin 2>/dev/null || echo /usr/lib/cups)/filter/gstoraster
export PYTHONPATH=$source/tests/tools PYTHONDONTWRITEBYTECODE=1
once=yes # no other build runs all cases of the test: this one does
[[ ! ${RIPTIDE_TEST_REPEATED-} ]] || once=
failed=0
left_out=0
daemon=
cleanup= # a command for the end of the test, where background jobs are killed
folder=$(mktemp -d) && cd "$folder" || exit 99
trap 'eval "$cleanup"; { kill -KILL $(jobs -p); wait; } 2>/dev/null; cd /; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
exec </dev/null

complain() # TEXT
{
	echo "FAILED: ${1:0:1000}"
	failed=1
}

# For a part that needs a program that is not there: the test counts as skipped, unless
# another part fails.
leave_out() # TEXT
{
	echo "LEFT OUT: $1"
	left_out=77
}

finish()
{
	((failed)) && exit 1
	exit $left_out
}

have() # PROGRAM...
{
	command -v "$@" >/dev/null && (($(command -v "$@" | wc -l) == $#))
}

# Whether a part of the test can be done: with these programs.
part() # WHAT-IS-LEFT-OUT PROGRAM...
{
	have "${@:2}" || { leave_out "$1"; return 1; }
}

# Without these programs the test is skipped.
need() # PROGRAM...
{
	local program

	for program; do
		have "$program" && continue
		case ${program##*/} in
		gs) echo "gs is not installed: install the package ghostscript" ;;
		ppdc) echo "ppdc is not installed: install the package cups-ppdc" ;;
		gstoraster) echo "$program is not installed: install the package cups-filters" ;;
		zbarimg) echo "zbarimg is not installed: install the package zbar-tools" ;;
		pdftocairo) echo "pdftocairo is not installed: install the package poppler-utils" ;;
		*) echo "$program is not installed" ;;
		esac
		exit 77
	done
}

# A command that succeeds, with no word on standard error.
does() # COMMAND...
{
	timeout 300 "$@" >stdout 2>stderr || complain "$*: exit status $?: $(cat stderr)"
	[[ ! -s stderr ]] || complain "$*: says $(cat stderr)"
}

# The file stderr has one line, with these words.
one_line() # WHAT WORDS
{
	[[ $(wc -l <stderr) == 1 && $(cat stderr) == *"$2"* ]] ||
		complain "$1: not one line with \"$2\": $(cat stderr)"
}

# A command that fails: with that status, one line with these words, and no file out*.
fails_with() # STATUS WORDS COMMAND...
{
	local status

	timeout 120 "${@:3}" >stdout 2>stderr
	status=$?
	((status == $1)) || complain "${*:3}: exit status $status, not $1: $(cat stderr)"
	one_line "${*:3}" "$2"
	[[ ! $(find . -name 'out*') ]] || complain "${*:3}: left $(find . -name 'out*')"
	rm -rf out*
}

# The same, and with nothing on standard output.
refuses_with() # STATUS WORDS COMMAND...
{
	fails_with "$@"
	[[ ! -s stdout ]] || complain "${*:3}: wrote $(wc -c <stdout) bytes to standard output"
}

# Tries a command until it succeeds, for so many seconds.
wait_for() # SECONDS COMMAND...
{
	local tries=$(($1 * 20))

	until "${@:2}" >/dev/null 2>&1; do
		((tries--)) || return 1
		sleep .05
	done
}

# Whether processes have ended.  Nobody may wait for them: then they stay as zombies.
gone() # PROCESS...
{
	local folders=("${@/#//proc/}")

	! grep -qs $'^State:\t[^Z]' "${folders[@]/%//status}"
}

# riptided at $folder/socket, until it answers; daemon.log has what it says.
start_daemon() # ARGUMENT...
{
	"$build/riptided" --config /dev/null --socket "$folder/socket" "$@" 2>>daemon.log &
	daemon=$!
	wait_for 60 eval 'gone $daemon || "$riptide" status --socket "$folder/socket"'
	! gone $daemon || { complain "the daemon does not start: $(cat daemon.log)"; exit 1; }
}

stop_daemon() # [SIGNAL]
{
	kill "-${1-TERM}" "$daemon"
	wait "$daemon" 2>/dev/null
	daemon=
}

# A document of these pages in PostScript.
make_pdf() # FILE POSTSCRIPT [ARGUMENT of Ghostscript...]
{
	gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite "${@:3}" -sOutputFile="$1" -c "$2" ||
		exit 99
}

# What Ghostscript draws of a document.
draw() # DEVICE DPI OUT IN [ARGUMENT of Ghostscript...]
{
	gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE="$1" -r"$2" -sOutputFile="$3" "${@:5}" "$4"
}

# The drivers of this tree, in the folder ppds.
make_ppds()
{
	ppdc -d ppds "$source/ppd/riptide.drv" >/dev/null 2>&1 || exit 99
}

# From here on no jail: for programs in the place of Ghostscript that are scripts.
no_jail()
{
	echo "riptide-jail = off" >"$folder/no-jail.conf"
	export RIPTIDE_CONFIG=$folder/no-jail.conf
}

# The Ghostscripts that are children of a process.
ghostscripts_of() # PROCESS
{
	local child program

	program=$(realpath "$(command -v gs)")
	for child in $(pgrep -P "$1"); do
		[[ $(readlink "/proc/$child/exe") != "$program" ]] || echo "$child"
	done
}

# A Ghostscript that opens documents and finds their pages, but draws for ever; the file hangs has a
# line for each page that it draws.  For no_jail().
hanging_gs() # FOLDER for it
{
	mkdir "$1"
	cat >"$1/gs" <<-END
		#!/bin/sh
		while read -r line; do
			case \$line in
			"/rtword ("*) word=\${line#*\\(} word=\${word%)*} ;;
			rtopen) echo "\$word pages 3" >&2 ;;
			*rtpage) echo "\$word page 36 36 0" >&2 ;;
			*rtdraw) echo \$\$ >>"$folder/hangs"; exec sleep 1000 ;;
			esac
		done
	END
	chmod 755 "$1/gs"
}

# The value of a calibration's curve, of 0 to 1, at so many percent; its ink is that of a column, 2
# for the first one.
curve() # FILE PERCENT[:COLUMN]
{
	awk -v at="${2%:*}" -v ink="$([[ $2 == *:* ]] && echo "${2#*:}" || echo 2)" \
		'/^BEGIN_DATA$/ { on = 1; next }
		/^END_DATA$/ { exit }
		on && $1 >= at / 100 { print $ink; exit }' "$1"
}

about() # VALUE WANTED TOLERANCE
{
	awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a != "" && a - b < t && b - a < t) }'
}

# The value of a curve is, but for a tolerance, what is wanted: a number, or that of another curve.
curve_is() # FILE PERCENT[:COLUMN] WANTED TOLERANCE
{
	local value wanted=$3

	value=$(curve "$1" "$2")
	[[ ! -e $wanted ]] || wanted=$(curve "$wanted" "$2")
	about "$value" "$wanted" "$4" || complain "$1: $2 % becomes $value, not $wanted"
}

# A document of many pages, which are one object, of 8 x 8 points.
many_pages() # COUNT
{
	printf '%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n'
	printf '2 0 obj << /Type /Pages /Count %d /Kids [' "$1"
	(($1 == 0)) || printf ' 3 0 R%.0s' $(seq "$1")
	printf '] >> endobj\n3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 8 8]\n'
	printf '/Contents 4 0 R >> endobj\n4 0 obj << /Length 10 >> stream\n0 0 5 3 re f\n'
	printf 'endstream endobj\ntrailer << /Root 1 0 R /Size 5 >>\n%%EOF\n'
}

# A command succeeds with so much memory at the most; a sanitizer takes more.
peak_is() # KIB COMMAND...
{
	local peak=0 now

	"${@:2}" <&0 &
	while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$!/status 2>/dev/null) &&
		[[ $now ]]; do
		peak=$now
		sleep .05
	done
	wait $! || complain "${*:2} fails"
	((peak <= $1)) || grep -q '^RIP_CFLAGS.*sanitize' "$build/Makefile" ||
		complain "${*:2} takes $peak KiB"
	echo "${*:2}: $peak KiB"
}
