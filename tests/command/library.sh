# For the tests of the command: sourced.  They run in a temporary folder, $folder.  The
# variable $failed is 0 until complain() was called; a test ends with finish().
# shellcheck shell=bash
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
riptide=$build/riptide
failed=0
left_out=0
folder=$(mktemp -d) && cd "$folder" || exit 99
trap 'cd /; rm -rf "$folder"' EXIT

complain() # TEXT
{
	echo "FAILED: $1"
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
