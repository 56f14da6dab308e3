#!/bin/bash
# The binary interface of libriptide.so.0 is the one in tests/library/abi.txt: its symbols with
# their versions, and the structs and constants of riptide.h.  A change that only adds goes into
# abi.txt (`abi.sh --print` prints the new one) with -version-info in lib/local.mk; any other needs
# a new soname.  With a tag in the repository, abidiff compares with that release, too.  What
# libriptide may not use of its host is checked, too.
given=${1-}
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
cd "$build" || exit 99
library=.libs/libriptide.so.0
[[ -e $library ]] || { leave_out "there is no $library: this build has no shared library"; finish; }
symbols=$(nm -D --defined-only --with-symbol-versions "$library") || exit 99

print()
{
	echo "# The binary interface of libriptide.so.0 on 64-bit machines (tests/library/abi.sh)."
	# A sanitizer adds symbols of its own, without a version.
	awk '$3 ~ /@/ { print $3 }' <<<"$symbols" | sort
	tests/library/print-abi
}

if [[ $given == --print ]]; then
	print
	exit
fi
[[ $(getconf LONG_BIT) == 64 ]] || { leave_out "abi.txt is for 64-bit machines"; finish; }
diff -u "$source/tests/library/abi.txt" <(print) || complain "the interface has changed"
# What the map names is there, and all of it is in the header.
while read -r name; do
	grep -q " T $name@@RIPTIDE_0\$" <<<"$symbols" ||
		complain "$name is in riptide.map and not in the library"
	grep -q "\<$name(" "$source/lib/riptide.h" ||
		complain "$name is in riptide.map and not in riptide.h"
done < <(sed -n 's/^\t\(riptide_[a-z_]*\);/\1/p' "$source/lib/riptide.map")
[[ $(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }') == libriptide.so.0 ]] ||
	complain "another soname"
# Debian's file of symbols has the same.
diff -u <(sed -n 's/^ \([^ ]*@[^ ]*\) .*/\1/p' "$source/contrib/debian/libriptide0.symbols" |
		grep -v '^RIPTIDE_0@' | sort) \
	<(awk '$3 ~ /@/ { sub("@@", "@", $3); print $3 }' <<<"$symbols" | sort) ||
	complain "contrib/debian/libriptide0.symbols has other symbols than the library"

# With all types, which tests are not compiled with.
library_of() # TREE: the library is in TREE/build
{
	[[ -e $1/configure ]] || (cd "$1" && autoreconf -fi)
	mkdir "$1/build" && cd "$1/build" && ../configure --without-cuda --enable-shared \
		CC="$(sed -n 's/^CC = //p' "$build/Makefile")" CFLAGS='-O0 -g' &&
		make -j2 libriptide.la
}
tag=$(git -c safe.directory='*' -C "$source" describe --tags --abbrev=0 2>/dev/null)
if [[ ${RIPTIDE_TEST_SHORT-} ]]; then
	echo "compared with tests/library/abi.txt; make check also compares with the last tag"
elif [[ ! $tag ]]; then
	echo "there is no tag: compared with tests/library/abi.txt and" \
		"contrib/debian/libriptide0.symbols"
elif part "no abidiff, of the package abigail-tools: compared with tests/library/abi.txt, \
not with $tag" abidiff; then
	mkdir "$folder/old" "$folder/new"
	git -c safe.directory='*' -C "$source" archive "$tag" | tar -C "$folder/old" -x
	(. "$source/contrib/common.sh" && copy_tree "$folder/new")
	for tree in old new; do
		(library_of "$folder/$tree") >"$folder/log" 2>&1 ||
			complain "the library of $tree ($tag is old) cannot be built: \
$(tail -n 5 "$folder/log")"
	done
	abidiff --no-added-syms --headers-dir1 "$folder/old/lib" --headers-dir2 "$folder/new/lib" \
		"$folder"/{old,new}/build/.libs/libriptide.so.0 ||
		complain "the interface differs from that of $tag"
	echo "compared with $tag by abidiff"
fi
cd "$build" || exit 99
# A static library has no such map: all of its names carry a prefix of ours.
archives=()
for part in lib/libhalftoner wire/libwire gpu/libnogpu tone/libtone halftone/libhalftone; do
	archives+=("${part%/*}/.libs/${part#*/}.a")
done
foreign=$(nm -g --defined-only "${archives[@]}" |
	awk 'NF == 3 && $3 !~ /^(rip_|riptide_|_)/ { print $3 }') || exit 99
[[ ! $foreign ]] || complain "names of the static library: $foreign"
[[ $(nm -g --defined-only "${archives[@]}" | grep -c ' T riptide_') -gt 10 ]] ||
	complain "the parts of the static library have changed"
# The environment and the standard streams belong to the program: no library of ours reads the one
# or writes to the others.  fprintf() and fwrite() need a stream, and write only to memory.
hosts='(__)?(secure_)?getenv|_{0,2}environ|std(in|out|err)|(__)?v?printf(_chk)?|puts|putchar|perror'
hosts+='|p?writev?|(__)?v?dprintf(_chk)?|psig(nal|info)|v?(err|warn)x?|error|error_at_line'
hosts+='|(__)?v?syslog(_chk)?'
used=$(nm -u "${archives[@]}" 2>/dev/null | awk '{ print $2 }' | sort -u; nm -Du "$library" |
	awk '{ sub(/@.*/, "", $2); print $2 }')
[[ $used == *snprintf* ]] || complain "nm lists no functions"
used=$(grep -Ex "$hosts" <<<"$used" | sort -u)
[[ ! $used ]] || complain "libriptide uses its host's environment or streams: $used"
finish
