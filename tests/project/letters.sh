#!/bin/bash
# Nothing compares letters by the user's locale, in which "I" may be no "i": system/ascii.h has what
# names of ours, keywords of PPDs and words of file formats need.  Looked at in what the objects call.
set -uo pipefail

failed=0
complain() { echo "FAILED: $1"; failed=1; }

shopt -s nullglob
objects=()
for room in system halftone tone adopt gpu wire lib rip filter daemon image command cluster; do
	objects+=("$room"/*.a "$room"/.libs/*.a "$room"/*.o)
done
((${#objects[@]} >= 5)) || complain "no objects found in $PWD"
calls=$(nm -A -u "${objects[@]}" 2>/dev/null) || complain "nm cannot read the objects"
grep -q ' U strcmp' <<<"$calls" || complain "nobody compares texts: what this test looks for has changed"

# The last three are isalpha() and the like as glibc has them.
by_locale='str(n)?casecmp|strcasestr|str(coll|xfrm)|to(lower|upper)|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|__ctype_(b|tolower|toupper)_loc'
found=$(grep -E " U ($by_locale)(@.*)?\$" <<<"$calls") && complain "these compare by the locale: $found"
exit $failed
