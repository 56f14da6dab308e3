# For the tests of the command: sourced.  They run in a temporary folder, $folder.  The
# variable $failed is 0 until complain() was called, and is the exit status of the test.
# shellcheck shell=bash
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
riptide=$build/riptide
failed=0
folder=$(mktemp -d) && cd "$folder" || exit 99
trap 'cd /; rm -rf "$folder"' EXIT

complain() # TEXT
{
	echo "FAILED: $1"
	failed=1
}
