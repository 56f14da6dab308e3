#!/bin/bash
# What the objects call.  The time of day may jump as it likes: nothing asks for it but for the
# dates that are written into calibrations, charts and the ink of queues, and every deadline is of
# CLOCK_MONOTONIC.  And nothing compares letters by the user's locale, in which "I" may be no "i":
# system/ascii.h has what names of ours, keywords of PPDs and words of file formats need.
set -uo pipefail

srcdir=${srcdir:-.}
failed=0
complain() { echo "FAILED: $1"; failed=1; }

timed='halftone tone gpu wire lib rip filter daemon image command'
dated='(queue_calibration|argyll_files|ink_tally|status_ink)\.o'
# shellcheck disable=SC2086 # words
clocks=$(cd "$srcdir" && grep -rhowE 'CLOCK_[A-Z_]+' --include='*.[ch]' --include='*.cu' $timed |
	sort -u)
[[ $clocks == CLOCK_MONOTONIC ]] || complain "other clocks than CLOCK_MONOTONIC: ${clocks//$'\n'/ }"

# Calls that go by the time of day, or by nothing else if they are not told.
of_day='time|gettimeofday|settimeofday|ftime|localtime(_r)?|gmtime(_r)?|mktime|strftime|alarm'
of_day+='|setitimer|timespec_get|pthread_(cond|mutex)_timed(wait|lock)|sem_timedwait'
of_day+='|mq_timed(send|receive)|utime(s|nsat)?'
# The last three are isalpha() and the like as glibc has them.
by_locale='str(n)?casecmp|strcasestr|str(coll|xfrm)|to(lower|upper)'
by_locale+='|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)'
by_locale+='|__ctype_(b|tolower|toupper)_loc'
shopt -s nullglob
objects=()
for room in system adopt cluster $timed; do
	objects+=("$room"/*.a "$room"/.libs/*.a "$room"/*.o)
done
((${#objects[@]} >= 5)) || complain "no objects found in $PWD"
calls=$(nm -A -u "${objects[@]}" 2>/dev/null) || complain "nm cannot read the objects"
for call in ": .* U clock_gettime" ": .* U strcmp" "$dated: .* U localtime"; do
	grep -qE "$call" <<<"$calls" || complain "no $call: what this test looks for has changed"
done
found=$(grep -E "^(${timed// /|})/.* U ($of_day)(@.*)?\$" <<<"$calls" | grep -vE "$dated: ") &&
	complain "these ask for the time of day: $found"
found=$(grep -E " U ($by_locale)(@.*)?\$" <<<"$calls") &&
	complain "these compare by the locale: $found"
exit $failed
