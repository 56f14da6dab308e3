# shellcheck shell=bash
# For tests that compare pdftoriptide with gstoraster: included by them, with bash.  Begins in a
# folder of its own, $folder, which goes when the test ends.
cleanup=
folder=$(mktemp -d) || exit 99
trap 'eval "$cleanup"; cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 99
failed=0
export RIPTIDE_SOCKET=none LC_ALL=C RIP_MAX_CACHE=128m
unset FINAL_CONTENT_TYPE PPD
echo leak:_ppdCacheCreateWithPPD >leaks # libcups leaks some of a PPD's presets
export LSAN_OPTIONS=suppressions=$folder/leaks:print_suppressions=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}fast_unwind_on_malloc=0 # finds the name above

complain() # TEXT
{
	echo "FAILED: $1"
	# shellcheck disable=SC2034 # the test's exit status
	failed=1
}
