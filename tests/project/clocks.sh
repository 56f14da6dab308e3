#!/bin/bash
# The time of day may jump as it likes: nothing asks for it but for the dates that are written into
# calibrations, charts and the ink of queues, and every deadline is of CLOCK_MONOTONIC.  Looked at in the sources, and in what
# the objects call.
set -uo pipefail

srcdir=${srcdir:-.}
failed=0
complain() { echo "FAILED: $1"; failed=1; }

rooms=(halftone tone gpu wire lib rip filter daemon image command)
dated='(queue_calibration|argyll_files|ink_tally|status_ink)\.o'
clocks=$(cd "$srcdir" && grep -rhowE 'CLOCK_[A-Z_]+' --include='*.[ch]' --include='*.cu' "${rooms[@]}" |
	sort -u)
[[ $clocks == CLOCK_MONOTONIC ]] || complain "other clocks than CLOCK_MONOTONIC: ${clocks//$'\n'/ }"

# Calls that go by the time of day, or by nothing else if they are not told.
of_day='time|gettimeofday|settimeofday|ftime|localtime(_r)?|gmtime(_r)?|mktime|strftime|alarm|setitimer|timespec_get|pthread_(cond|mutex)_timed(wait|lock)|sem_timedwait|mq_timed(send|receive)|utime(s|nsat)?'
shopt -s nullglob
objects=()
for room in "${rooms[@]}"; do
	objects+=("$room"/*.a "$room"/.libs/*.a "$room"/*.o)
done
((${#objects[@]} >= 5)) || complain "no objects found in $PWD"
calls=$(nm -A -u "${objects[@]}" 2>/dev/null) || complain "nm cannot read the objects"
((${#calls} > 1000)) || complain "nm finds no calls"
grep -q clock_gettime <<<"$calls" || complain "nobody asks for the time: what this test looks for has changed"
grep -qE "$dated: .* U localtime" <<<"$calls" || complain "no calibration has a date: what this test looks for has changed"
found=$(grep -E " U ($of_day)(@.*)?\$" <<<"$calls" | grep -vE "$dated: ") && complain "these ask for the time of day: $found"
exit $failed
