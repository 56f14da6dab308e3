#!/bin/bash
# riptide halftone --socket: the dots are the same through the daemon, also if it is
# killed on the way; a daemon that is not there, or halftones no faster than we do,
# is an error, since it was asked for by name.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/command/library.sh"
daemon=
trap '[[ -z $daemon ]] || kill -9 $daemon; cd /; rm -rf "$folder"' EXIT

start() # OPTION...
{
	"$build/riptided" --socket "$folder/socket" "$@" 2>daemon.log &
	daemon=$!
	for ((i = 0; i < 1200; i++)); do
		[[ -S socket ]] && return
		kill -0 $daemon 2>/dev/null || break
		sleep 0.05
	done
	echo "the daemon does not start: $(cat daemon.log)"
	exit 99
}

stop()
{
	kill "$@" $daemon
	wait $daemon 2>/dev/null
	daemon=
	rm -f socket
}

halftone() { timeout 300 "$build/riptide" halftone "$@"; }

# Exit 1, and one line with these words.
refuses() # WORDS ARGUMENT...
{
	local words=$1 status
	shift
	halftone "$@" >stdout 2>stderr
	status=$?
	[[ $status == 1 && $(wc -l <stderr) == 1 && $(cat stderr) == *"$words"* && ! -s stdout ]] ||
		complain "$*: status $status, \"$(cat stderr)\", not one line with \"$words\""
}

picture() # WIDTH HEIGHT BYTES: noise, the same every time
{
	printf 'P5 %d %d %d\n' "$1" "$2" $((256 ** $3 - 1))
	seq 1 $(($1 * $2 / 100)) | cksum | cut -d ' ' -f 1 >seed
	head -c $(($1 * $2 * $3)) < <(seq "$(cat seed)" 7 99999999999 | tr '0-9\n' '\3\101-\111s')
}

picture 1237 900 1 >grey.pgm
picture 333 700 2 >deep.pgm
seq 65535 -257 0 >curve

start --device cpu
for options in "" "--levels 4" "--screen stucki --levels 16" "--start zero" "--curve curve" \
	"--band 17" "--screen atkinson --curve curve --method ed"; do
	for image in grey deep; do
		# shellcheck disable=SC2086
		halftone $options $image.pgm >here || complain "$options $image: fails here"
		# shellcheck disable=SC2086
		halftone --socket socket $options $image.pgm >there 2>said ||
			complain "$options $image: fails there: $(cat said)"
		[[ ! -s said ]] || complain "$options $image: said $(cat said)"
		cmp here there || complain "$options $image: other dots through the daemon"
	done
done
"$build/riptide" status --socket socket --json | grep -Eq '"jobs": ?14[,}]' ||
	complain "the daemon did not do it: $("$build/riptide" status --socket socket --json)"
stop -TERM

# --band is what the daemon gets.
start --device cpu
halftone --socket socket --band 100 grey.pgm >there
"$build/riptide" status --socket socket --json | grep -Eq '"bands": ?9[,}]' ||
	complain "not 9 bands: $("$build/riptide" status --socket socket --json)"
stop -TERM

# Killed on the way: the rest is done here, with a warning.
halftone --socket none grey.pgm >here
start --device cpu
mkfifo slow
halftone --socket socket --band 8 slow >there 2>said &
client=$!
exec 5>slow
head -c 600000 grey.pgm >&5
for ((i = 0; i < 1200; i++)); do # until the daemon has some of the page
	"$build/riptide" status --socket socket --json | grep -q '"rows":[1-9]' && break
	sleep 0.05
done
((i < 1200)) || complain "killed on the way: the daemon gets no rows"
stop -KILL
tail -c +600001 grey.pgm >&5
exec 5>&-
wait $client || complain "killed on the way: fails: $(cat said)"
cmp here there || complain "killed on the way: other dots"
(($(wc -l <said) <= 1)) || complain "killed on the way: said $(cat said)"

# What cannot be had.
refuses "socket" --socket "$folder/socket" grey.pgm
refuses "socket" --socket "$folder/missing/socket" grey.pgm
refuses "" --socket "$folder/$(printf '%0200d' 0)" grey.pgm
if ! "$build/riptide" bench --device gpu --sizes 64 >/dev/null 2>&1; then
	start --device auto
	refuses "no accelerator" --socket socket grey.pgm
	stop -TERM
fi

finish
