#!/bin/bash
# Shell scripts: shellcheck has nothing to say of them; without it, they parse.
set -uo pipefail

cd "${srcdir:-.}" || exit 99
mapfile -t scripts < <(
	find contrib tests -type f ! -name '*.[ch]' ! -name '*.o' -print0 |
		xargs -0 grep -IlE '^#!(/usr)?/bin/(env )?(ba)?sh' | sort)
((${#scripts[@]} > 3)) || { echo "only ${#scripts[@]} scripts found"; exit 1; }

if command -v shellcheck >/dev/null; then
	# local is no POSIX, but every /bin/sh of Debian and Ubuntu has it; lp is a user
	# here, not the command; libraries have functions that only others call.  Each file has a
	# process: in one process, shellcheck follows the libraries from each script, as with -x,
	# which takes three times as long.  So they are checked by themselves, and what one of them
	# names may be set or used there.
	mapfile -t libraries < <(sed -nE 's,.*source=([^ ]*/)?([a-z-]+(\.sh)?)$,\2,p' \
		"${scripts[@]}" |
		sort -u | sed 's/^/-o -name /' | xargs find contrib tests -name .sh)
	names=" $(grep -hoE '\w+' "${libraries[@]}" | sort -u | tr '\n' ' ') "
	while read -r line; do
		[[ $line =~ :\ ([A-Za-z_]+)\ (is referenced but|appears unused) &&
			$names == *" ${BASH_REMATCH[1]} "* ]] && continue
		echo "$line"
		failed=1
	done < <(printf '%s\0' "${scripts[@]}" "${libraries[@]}" |
		xargs -0 -n 1 shellcheck -f gcc -S warning \
			-e SC1007,SC3043,SC2209,SC2119,SC2120)
	((!${failed-0})) || exit 1
	echo "${#scripts[@]} scripts checked"
	exit
fi
for script in "${scripts[@]}"; do
	read -r shell <"$script"
	"${shell#\#!}" -n "$script" || exit 1
done
echo "${#scripts[@]} scripts parse; not checked further: install shellcheck"
exit 77
