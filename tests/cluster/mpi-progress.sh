#!/bin/bash
# riptide-mpi shows its progress where mpirun has a terminal, and only there.
# shellcheck source-path=SCRIPTDIR source=mpi.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/cluster/mpi.sh"

if ! command -v script >/dev/null; then
	echo "script not found: install the package bsdutils"
	exit 77
fi
# Some seconds of work: progress is shown after one.
make_image 6000 5000 "$work/in.pgm"
command="mpirun -q -n 2 $riptide_mpi --isa c --error-filter stucki --bench 20 -o $work/out $work/in.pgm"
timeout 120 script -qec "$command >$work/stdout" "$work/terminal" </dev/null >/dev/null ||
	complain "status $?: $(cat "$work/terminal")"
grep -q "in.pgm: page 1, " "$work/terminal" || complain "no progress: $(cat -v "$work/terminal")"
timeout 120 script -qec "$command >$work/stdout 2>$work/stderr" "$work/terminal" </dev/null >/dev/null ||
	complain "status $?: $(cat "$work/stderr")"
! grep -q "page 1" "$work/terminal" "$work/stderr" || complain "progress although stderr is a file"
exit $failed
