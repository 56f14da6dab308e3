#!/bin/bash
# Some patterns, measured here, are those of the table in the tree: the same text, but for
# values that differ by one because mathematics libraries round differently.
set -uo pipefail

srcdir=${srcdir:-.}
table=$srcdir/tone/pattern_table.c
failed=0

for name in floyd-steinberg blue-noise-mask cells-4-black cells-3-cyan cells-4-yellow-fours; do
	new=$(tone/tables/measure "$name" | tr -c '0-9' ' ')
	old=$(sed -n "/{ \"$name\",/,/^\t  } },/p" "$table" | tr -c '0-9' ' ')
	read -ra a <<<"$(echo "$new" | xargs)"
	read -ra b <<<"$(echo "$old" | xargs)"
	if ((${#a[@]} < 4000 || ${#a[@]} != ${#b[@]})); then
		echo "$name: ${#a[@]} numbers here, ${#b[@]} in $table: run \`make tone-tables\`"
		failed=1
		continue
	fi
	for ((i = 0; i < ${#a[@]}; i++)); do
		difference=$((a[i] - b[i]))
		if ((difference < -1 || difference > 1)); then
			echo "$name: number $i is ${a[i]} here, ${b[i]} in $table:" \
				"run \`make tone-tables\`"
			failed=1
			break
		fi
	done
done
exit $failed
