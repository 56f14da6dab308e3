#!/bin/bash
# The binary interface of libriptide.so.0 is the one in tests/library/abi.txt: its symbols with
# their versions, and the structs and constants of riptide.h.  A change that only adds goes into
# abi.txt (`abi.sh --print` prints the new one) with -version-info in lib/local.mk; any other needs
# a new soname.  What libriptide may not use of its host is checked, too.
set -uo pipefail

source=${RIPTIDE_SOURCE:-$(dirname "$0")/../..}
library=.libs/libriptide.so.0
if [[ ! -e $library ]]; then
	echo "there is no $library: this build has no shared library"
	exit 77
fi

symbols=$(nm -D --defined-only --with-symbol-versions "$library") || exit 99

print()
{
	echo "# The binary interface of libriptide.so.0 on 64-bit machines (tests/library/abi.sh)."
	# A sanitizer adds symbols of its own, without a version.
	awk '$3 ~ /@/ { print $3 }' <<<"$symbols" | sort
	tests/library/print-abi
}

if [[ ${1-} == --print ]]; then
	print
	exit
fi
if [[ $(getconf LONG_BIT) != 64 ]]; then
	echo "abi.txt is for 64-bit machines"
	exit 77
fi
failed=0
diff -u "$source/tests/library/abi.txt" <(print) || { echo "FAILED: the interface has changed"; failed=1; }
# What the map names is there, and all of it is in the header.
while read -r name; do
	grep -q " T $name@@RIPTIDE_0\$" <<<"$symbols" ||
		{ echo "FAILED: $name is in riptide.map and not in the library"; failed=1; }
	grep -q "\<$name(" "$source/lib/riptide.h" ||
		{ echo "FAILED: $name is in riptide.map and not in riptide.h"; failed=1; }
done < <(sed -n 's/^\t\(riptide_[a-z_]*\);/\1/p' "$source/lib/riptide.map")
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
# A static library has no such map: all of its names carry a prefix of ours.
archives=()
for part in lib/libhalftoner wire/libwire gpu/libnogpu tone/libtone halftone/libhalftone; do
	archives+=("${part%/*}/.libs/${part#*/}.a")
done
foreign=$(nm -g --defined-only "${archives[@]}" | awk 'NF == 3 && $3 !~ /^(rip_|riptide_|_)/ { print $3 }') || exit 99
[[ ! $foreign ]] || { echo "FAILED: names of the static library: $foreign"; failed=1; }
[[ $(nm -g --defined-only "${archives[@]}" | grep -c ' T riptide_') -gt 10 ]] ||
	{ echo "FAILED: the parts of the static library have changed"; failed=1; }
# The environment and the standard streams belong to the program: no library of ours reads the one or
# writes to the others.  fprintf() and fwrite() need a stream, and write only to memory.
hosts='(__)?(secure_)?getenv|_{0,2}environ|std(in|out|err)|(__)?v?printf(_chk)?|puts|putchar|perror'
hosts+='|p?writev?|(__)?v?dprintf(_chk)?|psig(nal|info)|v?(err|warn)x?|error|error_at_line|(__)?v?syslog(_chk)?'
used=$(nm -u "${archives[@]}" 2>/dev/null | awk '{ print $2 }' | sort -u; nm -Du "$library" | awk '{ sub(/@.*/, "", $2); print $2 }')
[[ $used == *snprintf* ]] || { echo "FAILED: nm lists no functions"; failed=1; }
while read -r name; do
	echo "FAILED: libriptide uses its host's environment or streams: $name"
	failed=1
done < <(grep -Ex "$hosts" <<<"$used" | sort -u)
[[ $soname == libriptide.so.0 ]] || { echo "FAILED: the soname is $soname"; failed=1; }
exit $failed
