#!/bin/bash
# riptide-mpi shows its progress where mpirun has a terminal, and only there.
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

need script
# The mpirun of Open MPI 5 keeps what ranks write until a line is complete, unless told not to.
raw=''
(($(open_mpi_version) < 5)) || raw="--output :raw"
# Enough work for any machine: progress is shown after one second, and no run is waited for.
make_image 6000 5000 "$work/in.pgm"
command="mpirun $raw -n 2 $riptide_mpi --threads 1 --isa c --screen stucki --bench 1000"
command+=" -o $work/out $work/in.pgm"
progress="in.pgm: page 1, "
stop_it='[[ ! -s $work/pid ]] || kill "$(cat "$work/pid")" 2>/dev/null'
cleanup="$stop_it; $cleanup"

# Runs the command on a terminal, for so many seconds at most or until the terminal shows
# progress.  Returns whether it does.
shows_progress() # SECONDS REDIRECTION
{
	local end=$((SECONDS + $1)) shown=1 terminal

	rm -f "$work/terminal"
	script -qfc "echo \$\$ >$work/pid; exec timeout --foreground 300 $command $2" \
		"$work/terminal" \
		</dev/null >/dev/null &
	terminal=$!
	while ((SECONDS < end)) && kill -0 $terminal 2>/dev/null; do
		grep -q "$progress" "$work/terminal" 2>/dev/null && shown=0 && break
		sleep 0.1
	done
	kill -0 $terminal 2>/dev/null || complain "it ended early: $(cat -v "$work/terminal")"
	eval "$stop_it"
	wait $terminal
	rm "$work/pid"
	return $shown
}

SECONDS=0
shows_progress 120 ">$work/stdout" || complain "no progress: $(cat -v "$work/terminal")"
# As long as that took, and some seconds.
! shows_progress $((SECONDS + 3)) ">$work/stdout 2>$work/stderr" &&
	! grep -q "$progress" "$work/stderr" ||
	complain "progress although stderr is a file"
[[ -s $work/stdout ]] || complain "the second run did not work: $(cat "$work/stderr")"
finish
