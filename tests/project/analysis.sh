#!/bin/bash
# cppcheck, and gcc -fanalyzer in the long form of the test, report nothing of riptide's code but
# what analysis.txt has a reason for.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
list=$source/tests/project/analysis.txt
cd "$source" || exit 99
rooms=(adopt cluster command daemon filter halftone image lib rip system tone wire)
! pkg-config --exists pappl 2>/dev/null || rooms+=(app)

# The warnings of gcc: "FILE:LINE: TEXT [-Wanalyzer-KIND]".  The SIMD kernels take minutes, and
# cluster/ needs MPI: cppcheck reads these.
analyze() # FILE...
{
	# shellcheck disable=SC2046
	gcc -std=gnu11 -O1 -fanalyzer -DHAVE_CONFIG_H -I"$build" -I. \
		-DRIP_CUPS_SERVERBIN='"/"' -DRIP_SYSCONFDIR='"/"' \
		-DRIP_APP_DATA='"/"' -DRIP_COMMAND='"/"' \
		$(pkg-config --cflags libpng libtiff-4 libsystemd libjpeg ompi-c 2>/dev/null) \
		-fdiagnostics-plain-output -c -o /dev/null "$1" 2>&1 || echo "$1 is not compiled"
}
export -f analyze
export build

if part "cppcheck is not installed" cppcheck; then
	grep -v '^-W' "$list" >"$folder/suppressed"
	skip=(! -path 'halftone/simd/*')
	[[ ${RIPTIDE_TEST_SHORT-} ]] || skip=()
	find "${rooms[@]}" -name '*.c' "${skip[@]}" >"$folder/files"
	cppcheck -q --enable=warning,portability,performance --std=c11 -I. \
		-DHAVE_CONFIG_H -D__x86_64__ \
		-D__GNUC__=12 --suppressions-list="$folder/suppressed" --file-list="$folder/files" \
		--template='{file}:{line}: {message} [{id}]' 2>"$folder/found"
	[[ ! -s $folder/found ]] || complain "cppcheck reports: $(cat "$folder/found")"
fi

if [[ ! ${RIPTIDE_TEST_SHORT-} ]] && part "gcc -fanalyzer: there is no gcc" gcc; then
	find "${rooms[@]}" -name '*.c' ! -path 'halftone/simd/*' ! -path 'cluster/*' -print0 |
		xargs -0 -n 1 -P "$(nproc)" bash -c 'analyze "$1"' analyze >"$folder/warnings"
	grep -E 'warning: |is not compiled' "$folder/warnings" >"$folder/all"
	sed -n 's/^-Wanalyzer/&/p' "$list" | while IFS=: read -r kind file; do
		printf '^%s.*\\[%s\\]$\n' "$file" "$kind"
	done >"$folder/known"
	grep -vEf "$folder/known" "$folder/all" | sort -u >"$folder/found"
	[[ ! -s $folder/found ]] || complain "gcc -fanalyzer reports: $(cat "$folder/found")"
fi

finish
