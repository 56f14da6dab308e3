#!/bin/bash
# configure refuses what would install files into a folder "yes", or leave out what was asked for,
# and finds the host's libraries.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
[[ -x $source/configure ]] || { leave_out "there is no $source/configure"; finish; }
unset CONFIG_SITE PKG_CONFIG MAKEFLAGS

refused() # WORDS OPTION...
{
	fails_with 1 "configure: error: $1" "$source/configure" -q --without-cuda "${@:2}"
}

for option in --with-cups-serverbin --without-cups-serverbin --with-cups-serverbin= \
	--with-cups-serverbin=filters; do
	refused "--with-cups-serverbin needs a folder" "$option"
done
refused "--with-cups-datadir needs a folder" --with-cups-datadir
refused "--with-systemd needs a folder" --with-systemd=units
for option in --with-cups-group --without-cups-group --with-cups-group=; do
	refused "--with-cups-group needs the name of a group" "$option"
done

# On 32 bits nothing was ever tested.
if part "no arm-linux-gnueabihf-gcc: a 32-bit system" arm-linux-gnueabihf-gcc; then
	refused "riptide needs a 64-bit system: pointers of arm-linux-gnueabihf-gcc have 4 bytes" \
		--host=arm-linux-gnueabihf
fi

# HACKING.md has a line for each option.
for option in $(sed -nE 's/^AC_ARG_(ENABLE|WITH)\(\[([a-z-]+)\],.*/\1-\2/p' \
	"$source/configure.ac"); do
	grep -qE "^\| \`--(${option,,}|(disable|without)-${option#*-})[]\`=[]" \
		"$source/HACKING.md" ||
		complain "HACKING.md has no line for --${option,,}"
done

# A pkg-config that knows no library but those that come before libsystemd: configure ends there.
mkdir tools
printf '#!/bin/sh\necho "$0" >>%q\nexit 1\n' \
	"$folder/asked" >tools/m68k-riptide-linux-gnu-pkg-config
chmod +x tools/*
PATH=$folder/tools:$PATH refused "libsystemd not found" --host=m68k-riptide-linux-gnu
grep -qs m68k-riptide-linux-gnu-pkg-config asked ||
	complain "configure does not ask the pkg-config of the host"

finish
