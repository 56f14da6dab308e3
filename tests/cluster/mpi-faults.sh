#!/bin/bash
# What goes wrong on one rank ends the run: with a line that says what and on which rank, a
# status that is not 0, no output file, complete or not, and no rank left behind.
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

export RIPTIDE_MPI_TEST=$work # by which ranks are found
out=$work/out
mkdir "$out"
make_image 900 700 "$work/in.pgm"

# The processes of rank N; of all ranks without N.
ranks_of() # [N]
{
	local environment pid

	for environment in /proc/[0-9]*/environ; do
		pid=${environment#/proc/}
		pid=${pid%/environ}
		[[ $(readlink "/proc/$pid/exe" 2>/dev/null) == "$build"/*riptide-mpi* ]] || continue
		tr '\0' '\n' <"$environment" 2>/dev/null >"$work/environ" || continue
		grep -qx "RIPTIDE_MPI_TEST=$work" "$work/environ" || continue
		[[ ! ${1-} ]] || grep -qx "OMPI_COMM_WORLD_RANK=$1" "$work/environ" || continue
		echo "$pid"
	done
}

# After a run that must have failed.
check_failure() # NAME STATUS WORDS
{
	local name=$1 status=$2 words=$3

	((status != 0)) || complain "$name: status 0"
	((status != 124)) || complain "$name: did not end"
	grep -q "$words" "$work/err" ||
		complain "$name: nothing says \"$words\": $(cat "$work/err")"
	wait_for 60 eval '[[ ! $(ranks_of) ]]' ||
		complain "$name: ranks are left behind: $(ranks_of)"
	[[ ! $(ls "$out") ]] || complain "$name: left $(ls "$out")"
	rm -rf "${out:?}"/*
	((++cases))
}

# What the ranks wrote.  No option keeps the mpirun of Open MPI 5 from adding its own messages: some
# between dashed lines, with a NUL behind them after MPI_Abort(), one when a rank has already ended,
# and one of libevent's when it closes a rank's pipe.
ranks_lines()
{
	tr -d '\0' <"$work/err" |
		sed '/^-\{70,\}$/,/^-\{70,\}$/d; /^\[[^]]*\] PMIX ERROR: PMIX_ERR_UNREACH /d
		/^\[warn\] Epoll MOD(.*: Bad file descriptor$/d'
}

# An input is not replaced.
cases=0
cp "$work/in.pgm" "$work/saved.pgm"
ln "$work/in.pgm" "$work/other.pgm"
for name in in.pgm other.pgm; do
	mpi 2 "$riptide_mpi" --levels 4 -o "$work/$name" "$work/in.pgm" 2>"$work/err"
	check_failure "-o $name" $? "it is the input: name another file with -o"
	cmp "$work/in.pgm" "$work/saved.pgm" || complain "the input was replaced by -o $name"
done

# One line of one rank, or more, and nothing else.
check_lines() # NAME RANK
{
	! ranks_lines | grep -v "^riptide-mpi: rank $2 on " ||
		complain "$1: a line does not begin with the rank"
}

# One line alone.
check_line() # NAME
{
	[[ $(ranks_lines | wc -l) == 1 ]] || complain "$1: not one line: $(cat "$work/err")"
}

# Runs a command on the last rank and another one on those before.  mpirun's colon would do that,
# but the mpirun of Open MPI 5.0.7 crashes with it.
differ() # RANKS LAST-COMMAND COMMAND
{
	# shellcheck disable=SC2016 # the rank's
	mpi "$1" bash -c \
		'if ((OMPI_COMM_WORLD_RANK == $1 - 1)); then eval "$2"; else eval "$3"; fi' - "$@" \
		2>"$work/err"
}

fails() # NAME RANK WORDS RANKS ARGUMENT...
{
	local name=$1 rank=$2 words=$3 ranks=$4

	shift 4
	mpi "$ranks" "$riptide_mpi" "$@" >"$work/stdout" 2>"$work/err"
	check_failure "$name" $? "$words"
	check_lines "$name" "$rank"
	[[ ! -s $work/stdout ]] || complain "$name: wrote to standard output"
}


# --- the input ------------------------------------------------------------------------------

head -c 500000 "$work/in.pgm" >"$work/cut.pgm"
fails "a cut input" 0 "cut.pgm is truncated: it ends in row" 3 -o "$out/x" "$work/cut.pgm"
fails "no input" 0 "cannot open $work/none.pgm" 2 -o "$out/x" "$work/none.pgm"
printf 'P5 3 3 255\naaaaaaaaaP5 3 3 255\naaaaaaaaa' >"$work/two.pgm"
fails "two images" 0 "goes on after the first image" 2 -o "$out/x" "$work/two.pgm"
printf 'P5 3 3 200\naaaa\377aaaa' >"$work/high.pgm"
fails "a sample above the maxval" '[0-9]*' "row 2 has a sample of 255" 2 -o "$out/x" --rows 1 \
	"$work/high.pgm"
printf '\377\330\377\340garbage' >"$work/bad.jpg"
fails "a JPEG" 0 "is not a PGM file" 2 -o "$out/x" "$work/bad.jpg"
mkfifo "$work/pipe"
cat "$work/in.pgm" >"$work/pipe" &
fails "a pipe" 0 "is not a regular file" 2 -o "$out/x" "$work/pipe"
kill $! 2>/dev/null

# An image that one rank does not see, or sees as another one.
mkdir "$work/here" "$work/there"
cp "$work/in.pgm" "$work/here/image.pgm"
elsewhere() # NAME WORDS
{
	local run="&& exec '$riptide_mpi' -o '$out/x' image.pgm"

	differ 3 "cd '$work/there' $run" "cd '$work/here' $run"
	check_failure "$1" $? "$2"
	check_lines "$1" 2
}
elsewhere "an input that is missing on rank 2" "cannot open image.pgm"
make_image 900 701 "$work/there/image.pgm"
elsewhere "another image on rank 2" "image.pgm differs from the file that rank 0 reads"

# What is wrong in all ranks is said once.
fails "no curve" 0 "cannot open $work/none.curve" 3 --curve "$work/none.curve" -o "$out/x" \
	"$work/in.pgm"
check_line "no curve"
fails "a screen that the resolution does not offer" 0 "no screen clustered-9999" 3 \
	--screen clustered-9999 -o "$out/x" "$work/in.pgm"
check_line "a screen"

# --- memory that ranks share ----------------------------------------------------------------

# Open MPI reports it too.
OMPI_MCA_osc_sm_backing_directory=$work/none \
	mpi 3 "$riptide_mpi" --link window -o "$out/x" "$work/in.pgm" >/dev/null 2>"$work/err"
check_failure "no shared memory" $? "cannot share memory with the other ranks of this machine"

# --- the output -----------------------------------------------------------------------------

fails "a folder that does not exist" 0 "cannot create a temporary file" 2 -o "$work/none/x" \
	"$work/in.pgm"

fails "a full device" 0 "cannot write /dev/full: No space left on device" 2 -o /dev/full \
	"$work/in.pgm"

# A full disk, where this user may mount one.
if unshare -rm mount -t tmpfs -o size=32k none "$out" 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	unshare -rm sh -c 'mount -t tmpfs -o size=32k none "$1" || exit 0
		timeout -k 5 120 mpirun -n 3 "$2" -o "$1/x" "$3" </dev/null 2>"$4"
		status=$?
		ls "$1" | grep . >&2
		exit $status' sh "$out" "$riptide_mpi" "$work/in.pgm" "$work/err" 2>"$work/left"
	check_failure "a full disk" $? "cannot write $out/x: No space left on device"
	check_lines "a full disk" '[0-9]*'
	[[ ! -s $work/left ]] || complain "a full disk: left $(cat "$work/left")"
else
	echo "a full disk is not tested: this user may not mount one"
fi

# The name is a folder when the file is complete.
rename_fails()
{
	mpi 2 "$riptide_mpi" --isa c --threads 1 --bench 1000 -o "$out/x" \
		"$work/in.pgm" 2>"$work/err" | {
		read -r _
		mkdir "$out/x"
		cat >/dev/null
	}
	return "${PIPESTATUS[0]}"
}
rename_fails
status=$?
rmdir "$out/x"
check_failure "an output that cannot be renamed" $status "cannot write $out/x: Is a directory"
check_lines "an output that cannot be renamed" 0

# --- ranks that do not belong together ------------------------------------------------------

mixed() # NAME WORDS PROGRAM ARGUMENT...
{
	local name=$1 words=$2

	shift 2
	differ 2 "exec ${*@Q} '$work/in.pgm'" "exec '$riptide_mpi' -o '$out/x' '$work/in.pgm'"
	check_failure "$name" $? "$words"
	check_lines "$name" 1
}
mixed "another build" "this is version 0.0.9" "$build/tests/cluster/riptide-mpi-other" -o "$out/x"
mixed "another byte order" "this machine is big-endian" "$build/tests/cluster/riptide-mpi-swapped" \
	-o "$out/x"
mixed "other arguments" "arguments differ" "$riptide_mpi" --levels 3 -o "$out/x"

# --- wrong usage: one line, of rank 0 -------------------------------------------------------

wrong() # WORDS ARGUMENT...
{
	local words=$1

	shift
	mpi 3 "$riptide_mpi" "$@" >/dev/null 2>"$work/err"
	check_failure "$*" $? "$words"
	check_line "$*"
}
wrong "name the output" "$work/in.pgm"
wrong "out.png: choose a name with .pbm or .pgm, not .png" -o "$work/out.png" "$work/in.pgm"
wrong "pbm is for 2 levels, and pgm for more" --levels 4 -o "$work/out.pbm" "$work/in.pgm"
wrong "name the image" -o "$out/x"
wrong "the curve must be a file" --curve - -o "$out/x" "$work/in.pgm"
wrong "is not valid" --method nothing -o "$out/x" "$work/in.pgm"
wrong "needs --bench" --link none -o "$out/x" "$work/in.pgm"

# --- ranks that are killed ------------------------------------------------------------------

make_image 5000 4000 "$work/large.pgm" # 10,000 times takes minutes on any machine

killed() # RANK LINK SIGNAL
{
	local name="rank $1 killed by SIG$3, link $2"

	rm -f "$work/stdout"
	# It is mpirun that says which rank was killed, unless it is told to be quiet.
	timeout -k 5 120 env -u OMPI_MCA_orte_execute_quiet mpirun -n 3 "$riptide_mpi" --isa c \
		--threads 1 \
		--link "$2" --bench 10000 -o "$out/x" \
		"$work/large.pgm" </dev/null >"$work/stdout" 2>"$work/err" &
	wait_for 30 test -s "$work/stdout" || complain "$name: nothing was running"
	kill -s "$3" "$(ranks_of "$1")"
	wait $!
	check_failure "$name" $? "rank $1 "
}
killed 0 message KILL
killed 1 window KILL
killed 2 message SEGV

# --- the end of a rank -----------------------------------------------------------------------

# Open MPI's plugin for PMIx stays loaded: a thread of PMIx may call it after MPI_Finalize().
# MPI_Init() loads several, and unloads all but the one that works here.
mpi 2 env LD_DEBUG=files LD_DEBUG_OUTPUT="$work/loader" "$riptide_mpi" -o "$work/stays.pbm" \
	"$work/in.pgm" ||
	complain "the plugin for PMIx stays: status $?"
grep -qs "/mca_pmix_.*generating link map" "$work"/loader.* ||
	echo "Open MPI has no plugin for PMIx here"
for log in "$work"/loader.*; do
	awk '/\/mca_pmix_.*generating link map/ { loaded = 1 }
		/marking .*\/mca_pmix_.* as NODELETE/ { kept = 1 }
		/\/mca_pmix_.*destroying link map/ { lost = kept }
		END { exit loaded && (!kept || lost) }' "$log" ||
		complain "the plugin for PMIx was unloaded"
done
((++cases))

echo "$cases cases"
finish
