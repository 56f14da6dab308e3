#!/bin/bash
# Rooms: a folder includes only from folders above it, by a path from the top or
# from its own folder.  Some rooms know less than that: halftone/ no system but
# memory and threads, and no header but CUDA's own files has CUDA's types.
# Every header of C is complete: it compiles by itself, and is guarded.  No two tags,
# include guards or files have one name, and no files of a room include each other in a
# circle.  The other rooms know lib/ by its public header only.  Paths in HACKING.md exist.
# Each header is named by a local.mk.  Lines are short enough for two windows side by side, those of
# scripts too.
set -uo pipefail

# Folders of a room may include each other only like this; a room's own files and its folders may
# include each other.
allowed="
halftone/label halftone/page
halftone/page halftone/label
halftone/page halftone/simd
halftone/simd halftone/page
halftone/simd halftone/screen
halftone/simd halftone/threads
halftone/simd/arm halftone/page
halftone/simd/arm halftone/simd
halftone/simd/x86 halftone/page
halftone/simd/x86 halftone/simd
halftone/threads halftone/page
halftone/threads halftone/simd
filter/ink filter/page
filter/page filter/ink
filter/pdf filter/chain
filter/pdf filter/ink
filter/pdf filter/page
command/preview command/halftone
"
folder_max=25 # sources
line_max=100  # columns; a tab takes 8

rooms=(system halftone tone adopt gpu wire lib rip filter daemon image command app cluster ppd \
	contrib tests) # from the top
cd "${srcdir:-.}" || exit 99
builddir=$OLDPWD
failed=0

complain() # FILE TEXT
{
	echo "$1: $2"
	failed=1
}

declare -A level # of each room
for i in "${!rooms[@]}"; do
	level[${rooms[i]}]=$i
done

mapfile -t files < <(find "${rooms[@]}" -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \
	-o -name '*.cc' -o -name '*.hh' |
	sort)
((${#files[@]} > 5)) || complain . "no sources found in $PWD"

# A header that no local.mk names is not in the tarball.
named=" $(find . -name local.mk -exec cat {} + | grep -o '[^ 	/]*\.\(h\|cuh\|hh\)\>' |
	tr '\n' ' ')"
for file in "${files[@]}"; do
	[[ $file != *h || $named == *" ${file##*/} "* ]] || complain "$file" "no local.mk names it"
done

# What each file includes: its path, and the rest of the line from the quote or bracket.
includes=0
while read -r file name; do
	room=${file%%/*}
	case $name in
	\"*) ;;
	*)
		name=${name#<}
		case $room:$name in
		halftone:cups/* | halftone:sys/socket.h | halftone:sys/un.h | tone:cups/* | \
		tone:sys/socket.h | adopt:cups/* | adopt:sys/socket.h | gpu:cups/* | \
		gpu:sys/socket.h | wire:cups/* | lib:cups/* | rip:cups/* | daemon:cups/* | \
		image:cups/* | image:sys/socket.h)
			complain "$file" "room $room must not know $name" ;;
		gpu:cuda*)
			[[ $file != *.[ch] ]] || complain "$file" "$name belongs into .cu files" ;;
		tests:*) ;;
		*:cuda*)
			complain "$file" "room $room must not know $name" ;;
		cluster:mpi.h) ;;
		*:mpi.h)
			complain "$file" "only cluster/ knows $name" ;;
		esac
		[[ $name != */* || ! ${level[${name%%/*}]-} ]] ||
			complain "$file" "includes <$name>: write \"$name\""
		continue ;;
	esac
	name=${name#\"}
	((includes++))
	case $name in
	config.h) ;;
	*../*)
		complain "$file" "includes $name: write the path from the top" ;;
	*/*)
		((${level[$room]} >= ${level[${name%%/*}]-99})) ||
			complain "$file" "room $room must not include $name"
		case $room:$name in
		*:system/ascii.h | *:system/inline.h | *:system/number.h) ;; # no system calls
		lib:lib/* | tests:lib/* | *:lib/riptide.h) ;;
		*:lib/*)
			complain "$file" \
				"includes $name: the only way into lib/ is lib/riptide.h" ;;
		app:adopt/ppd_text.h) ;; # the printer application judges no PPD
		*:adopt/*)
			[[ $room == adopt || $room == command || $room == tests ]] ||
				complain "$file" "room $room does not need $name" ;;
		# Inline functions only: one clock, one kind of reasons.
		*:system/clock.h | *:system/refuse.h) ;;
		halftone:system/* | tone:system/* | gpu:system/* | wire:system/* | \
		gpu:tone/* | wire:tone/* | rip:tone/* | daemon:tone/* | \
		daemon:rip/* | image:rip/* | cluster:rip/* | rip:gpu/* | rip:wire/* | \
		wire:gpu/* | daemon:filter/* | image:gpu/* | image:wire/* | \
		image:filter/* | image:daemon/* | command:daemon/* | \
		cluster:gpu/* | cluster:wire/* | cluster:filter/* | cluster:daemon/*)
			complain "$file" "room $room does not need $name" ;;
		esac
		from=${file%/*} to=${name%/*}
		[[ $room == tests || ${name%%/*} != "$room" || $from == "$room" ||
			$to == "$room" || $from == "$to" ||
			$allowed == *$'\n'"$from $to"$'\n'* ]] ||
			complain "$file" "folder $from must not include $name"
		[[ -e $name ]] || complain "$file" "includes $name, which does not exist" ;;
	*)
		[[ -e ${file%/*}/$name ]] ||
			complain "$file" "includes $name, which is not in its folder" ;;
	esac
done < <(awk '/^[ \t]*#[ \t]*include[ \t]*["<]/ {
	name = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
	match(name, /^.[^">]*/)
	print FILENAME, substr(name, 1, RLENGTH)
}' "${files[@]}")
((includes > 5)) || complain . "only $includes includes found: what this test looks for has changed"

# A newcomer can survey a folder.
while read -r count folder; do
	((count <= folder_max)) ||
		complain "$folder" "has $count sources, more than $folder_max: make folders in it"
done < <(find "${rooms[@]}" \( -name '*.c' -o -name '*.cu' -o -name '*.inc' \) ! -path 'tests/*' \
	-printf '%h\n' |
	sort | uniq -c)

# No line is too long.  A letter of UTF-8 is counted by its first byte; tables are generated.
while read -r file numbers; do
	complain "$file" "more than $line_max columns in line $numbers"
done < <({
	find "${rooms[@]}" \( -name '*.[ch]' -o -name '*.inc' -o -name '*.cc' -o -name '*.hh' \
		-o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.py' \) \
		! -name '*_table.[ch]'
	find contrib tests -type f -exec \
		awk 'FNR == 1 { if (/^#!\//) print FILENAME; nextfile }' {} +
} | sort -u | LC_ALL=C xargs awk -v max=$line_max '
	{ gsub(/[\200-\277]/, "") }
	length + 7 * gsub(/\t/, "&") > max {
		width = 0
		for (i = 1; i <= split($0, parts, "\t"); i++)
			width = (i > 1 ? width - width % 8 + 8 : 0) + length(parts[i])
		if (width > max) long[FILENAME] = long[FILENAME] " " FNR
	}
	END { for (file in long) print file long[file] }')

# What HACKING.md tells a newcomer to look at is there.
while read -r path; do
	compgen -G "$path" >/dev/null || complain HACKING.md "names $path, which does not exist"
done < <(grep -oE '`[a-z]+/[A-Za-z0-9_./*-]*`' HACKING.md | tr -d '`' | sort -u)

# One name, one thing: names of files over all rooms and the tests, tags and include guards
# over all rooms.
duplicates=$(awk '
	function one(name) { where[name] = where[name] " " FILENAME; count[name]++ }
	FNR == 1 { path = FILENAME; sub(/.*\//, "", path); one("file " path) }
	FILENAME ~ /^tests\// { next }
	/^[ \t]*(struct|union|enum) [a-z_0-9]+ \{/ { one("tag " $2) }
	/^#ifndef RIP_[A-Z0-9_]+_(H|CUH)$/ { one("guard " $2) }
	END {
		for (name in count)
			if (count[name] > 1) print "the " name " is in" where[name]
	}' "${files[@]}" | sort)
while read -r line; do
	[[ ! $line ]] || complain "two things of one name" "$line"
done <<<"$duplicates"

# No circle inside a room: a.h and a.c are one module, which uses b if one of them
# includes b.h.
circles=$(awk '
	function module(path) { sub(/\.[a-z]*$/, "", path); return path }
	FILENAME !~ /^tests\// && /^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, parts, "\"")
		name = parts[2]
		if (name == "config.h") next
		if (name !~ /\//) {
			folder = FILENAME
			sub(/[^\/]*$/, "", folder)
			name = folder name
		}
		if (module(name) != module(FILENAME)) print module(FILENAME), module(name)
	}' "${files[@]}" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: //p' | paste -sd' ' -)
[[ ! $circles ]] || complain "a circle of includes" "$circles"

# What the Debian packages' lists of documents name is there: else no package can be built.
while read -r name; do
	[[ -f $name ]] || complain "contrib/debian" "$name is in a list of documents, and is gone"
done < <(cat contrib/debian/*.docs)

# A header that its own .c includes first was compiled by itself when that was.  Others are compiled
# here, with the compiler and the flags of the build.  And each is guarded.
setting() # NAME
{
	sed -n "s/^$1 = //p" "$builddir/Makefile"
}
headers=()
while read -r what file; do
	case $what in
	open) complain "$file" "is not guarded: it must begin with #ifndef NAME, #define NAME" ;;
	*) headers+=("$file") ;;
	esac
done < <(awk '
	FNR == 1 { directives = 0; name = "" }
	!/^[ \t]*#[ \t]*[a-z]/ { next }
	{ directives++ }
	FILENAME ~ /\.h$/ && FILENAME != "tests/unit/emulated/config.h" {
		if (directives == 1 && !($1 == "#ifndef" || $0 == "#pragma once") ||
				directives == 2 && name && !($1 == "#define" && $2 == name))
			print "open", FILENAME
		name = directives == 1 && $1 == "#ifndef" ? $2 : ""
	}
	FILENAME ~ /\.c$/ && directives == 1 && $1 == "#include" {
		path = folder = FILENAME
		sub(/[^\/]*$/, "", folder)
		sub(/c$/, "h", path)
		gsub(/"/, "", $2)
		if ($2 == path || folder $2 == path) first[path] = 1
	}
	FILENAME ~ /\.h$/ { all[FILENAME] = 1 }
	END { for (file in all) if (!(file in first)) print "compile", file }' "${files[@]}" | sort)
cc=$(setting CC)
if [[ $cc ]]; then
	read -ra flags < <(echo "$(setting CUPS_CFLAGS) $(setting JPEG_CFLAGS)" \
		"$(setting SYSTEMD_CFLAGS) $(setting CMOCKA_CFLAGS) $(setting MPI_CFLAGS)")
	read -ra pappl < <(setting PAPPL_CFLAGS) # PAPPL 2 has another libcups
	mpi=$(setting MPI_CFLAGS) app=$(setting PAPPL_LIBS)
	for file in "${headers[@]}"; do
		[[ $file != cluster/* || $mpi ]] || continue # built without MPI
		[[ $file != app/* || $app ]] || continue
		[[ $file == app/* ]] && more=("${pappl[@]}") || more=()
		printf '#include "config.h"\n#include "%s"\n' "$file" |
			$cc -std=gnu11 -Wall -Werror -Wno-unused "${more[@]}" "${flags[@]}" -I. \
				-I"$builddir" -fsyntax-only -x c - ||
				complain "$file" "does not compile by itself"
	done
fi
echo "${#files[@]} files, $includes includes"
exit $failed
