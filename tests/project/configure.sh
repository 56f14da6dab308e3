#!/bin/bash
# configure refuses what would install files into a folder "yes", or leave out what was asked for, and finds
# the host's libraries.
set -uo pipefail

source=$(cd "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}" && pwd)
if [[ ! -x $source/configure ]]; then
	echo "there is no $source/configure"
	exit 77
fi
unset CONFIG_SITE PKG_CONFIG MAKEFLAGS
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99
failed=0
complain() { echo "FAILED: $1"; failed=1; }

refused() # WORDS OPTION...
{
	local words=$1 said

	shift
	said=$("$source/configure" -q --without-cuda "$@" 2>&1 </dev/null) && complain "$*: status 0"
	[[ $said == "configure: error: $words"* ]] || complain "$*: says \"$said\", not \"$words\""
}

for option in --with-cups-serverbin --without-cups-serverbin --with-cups-serverbin= --with-cups-serverbin=filters; do
	refused "--with-cups-serverbin needs a folder" "$option"
done
refused "--with-cups-datadir needs a folder" --with-cups-datadir
refused "--with-systemd needs a folder" --with-systemd=units
for option in --with-cups-group --without-cups-group --with-cups-group=; do
	refused "--with-cups-group needs the name of a group" "$option"
done

# HACKING.md has a line for each option.
for option in $(sed -nE 's/^AC_ARG_(ENABLE|WITH)\(\[([a-z-]+)\],.*/\1-\2/p' "$source/configure.ac"); do
	grep -qE "^\| \`--(${option,,}|without-${option#*-})[]\`=[]" "$source/HACKING.md" ||
		complain "HACKING.md has no line for --${option,,}"
done

# A pkg-config that knows no library but those that come before libsystemd: configure ends there.
mkdir tools
printf '#!/bin/sh\necho "$0" >>%q\nexit 1\n' "$folder/asked" >tools/m68k-riptide-linux-gnu-pkg-config
chmod +x tools/*
PATH=$folder/tools:$PATH refused "libsystemd not found" --host=m68k-riptide-linux-gnu
grep -qs m68k-riptide-linux-gnu-pkg-config asked || complain "configure does not ask the pkg-config of the host"

pkg-config --atleast-version=2 libcupsfilters 2>/dev/null || refused "libcupsfilters 2 not found" --with-cupsfilters
exit $failed
