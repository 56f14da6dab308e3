# shellcheck shell=bash
# For the tests of riptide-mpi: sourced.  A temporary folder $work, and mpi, which runs
# ranks on this machine, more than it has processors.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
riptide_mpi=$build/riptide-mpi
[[ -x $riptide_mpi ]] || { leave_out "riptide-mpi was not built: configure --with-mpi"; finish; }
need mpirun

# Whether a folder has room for so many megabytes.
has_room() # FOLDER MEGABYTES
{
	local free

	free=$(df --output=avail -k "$1" 2>/dev/null | tail -n 1)
	((${free:-0} > 1000 * $2))
}

# $work is in the first of these that has room for the $megabytes that the test set before:
# $RIPTIDE_TEST_FOLDER, memory, and the place of temporary files.  If none has room, $work is in
# the last one.
for place in ${RIPTIDE_TEST_FOLDER+"$RIPTIDE_TEST_FOLDER"} /dev/shm "${TMPDIR:-/tmp}" /tmp; do
	has_room "$place" "${megabytes:-100}" || continue
	work=$(mktemp -d "$place/riptide-mpi.XXXXXX" 2>/dev/null) && break
done
[[ ${work-} ]] || work=$folder
cleanup='rm -rf "$work"'

# Open MPI refuses root unless it is asked to, and more ranks than processors.  The mpirun of Open
# MPI 5 has other names for the same, and no option -q.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_execute_quiet=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
	PRTE_MCA_hwloc_default_binding_policy=none
# Shared memory alone: without tcp, which warns in some networks, and no search for another one.
export OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1
# Without a look at the machine's devices, which takes a third of the processor time of a short run.
export HWLOC_COMPONENTS=-pci,-linuxio
export TMPDIR=$work

# The first number of its version.
open_mpi_version()
{
	mpirun --version | sed -n 's/.*(Open MPI) \([0-9]*\).*/\1/p'
}

# RANKS ranks of a program, for two minutes at most.
mpi() # RANKS PROGRAM ARGUMENT...
{
	local ranks=$1

	shift
	timeout -k 5 120 mpirun -n "$ranks" "$@" </dev/null
}

# Makes an image: PGM with random samples, and with rows and whole strips of white and of
# black.
make_image() # WIDTH HEIGHT FILE [MAXVAL [SEED]]
{
	python3 - "$@" <<'END'
import random, sys
width, height = int(sys.argv[1]), int(sys.argv[2])
maxval = int(sys.argv[4]) if len(sys.argv) > 4 else 255
random.seed(sys.argv[5] if len(sys.argv) > 5 else 1)
size = width * (1 if maxval < 256 else 2)

def row():
    kind = random.random()
    if kind < 0.04:
        return b'\0' * size
    if kind < 0.08:
        return maxval.to_bytes(size // width, 'big') * width
    if maxval in (255, 65535):
        return random.randbytes(size)
    return b''.join(random.randint(0, maxval).to_bytes(size // width, 'big') for _ in range(width))

with open(sys.argv[3], 'wb') as out:
    out.write(b'P5\n# made by a test\n%d %d\n%d\n' % (width, height, maxval))
    some = [row() for _ in range(min(height, 300))]
    for i in range(height):
        blank = 64 <= i % 1100 < 200 or 700 <= i % 1100 < 710
        out.write(b'\0' * size if blank else random.choice(some))
END
}

runs=0

# Compares with $work/want.pnm.
check() # RANKS FILE ARGUMENT...
{
	local ranks=$1 in=$2

	shift 2
	if ! mpi "$ranks" "$riptide_mpi" "$@" -o "$work/got.pnm" "$in" 2>"$work/err"; then
		complain "$ranks ranks, $in, $*: $(cat "$work/err")"
	elif ! cmp "$work/want.pnm" "$work/got.pnm"; then
		complain "$ranks ranks, $in, $*: other dots than those of riptide halftone"
	fi
	rm -f "$work/got.pnm"
	((++runs))
}

# Makes what riptide halftone makes.
want() # FILE ARGUMENT...
{
	local in=$1

	shift
	"$riptide" halftone "$@" -o "$work/want.pnm" "$in" || complain "riptide halftone $* $in"
}
