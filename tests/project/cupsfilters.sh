#!/bin/bash
# libriptide-cupsfilters is built only where libcupsfilters 2 is.  So that a file missing in its list in
# filter/local.mk is noticed elsewhere, too: what the listed files call must not be in other files of the
# filter.
set -uo pipefail

srcdir=${srcdir:-.}
library=filter/libfilter.a
failed=0
complain() { echo "FAILED: $1"; failed=1; }

listed=$(sed -n '/^libriptide_cupsfilters_la_SOURCES/,/[^\\]$/p' "$srcdir/filter/local.mk" |
	grep -o 'filter/[a-z_/]*\.c' | grep -v cf_filter.c | sed 's|.*/\(.*\)\.c|libfilter_a-\1.o|')
(($(wc -l <<<"$listed") > 10)) || complain "no files listed: what this test looks for has changed"
symbols=$(nm -A "$library") || complain "nm cannot read $PWD/$library"
grep -q '^[^:]*:libfilter_a-options\.o:.* T ' <<<"$symbols" || complain "$library has other members than expected"

# Lines "FILE.o CALL" whose definition is in a file that is not listed.
found=$(awk -v listed="$listed" '
	BEGIN { n = split(listed, files, "\n"); for (i = 1; i <= n; i++) of_library[files[i]] = 1 }
	{ split($1, at, ":"); member = at[2]; name = $NF; type = $(NF - 1) }
	type == "U" && member in of_library { calls[member " " name] = name }
	type ~ /^[TDBRC]$/ && !(member in of_library) { elsewhere[name] = member }
	END { for (call in calls) if (calls[call] in elsewhere) print call, "of", elsewhere[calls[call]] }' <<<"$symbols" | sort)
[[ ! $found ]] || complain "libriptide-cupsfilters lacks files that these calls need:
$found"
exit $failed
