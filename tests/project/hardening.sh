#!/bin/bash
# What is installed has the protections that configure turns on, unless it was told otherwise.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need hardening-check blhc make
setting() { sed -n "s/^$1 = //p" "$build/Makefile"; }
[[ $(setting HARDENING_LDFLAGS) ]] || { leave_out "configured with --disable-hardening"; finish; }
sanitizers=$(setting RIP_CFLAGS | grep -o -- -fsanitize)
optimized=$(setting CFLAGS | grep -oE -- '-O([1-3sg]|fast)?( |$)')
fortified=yes
[[ $optimized && ! $sanitizers ]] || fortified=

# --- each command of the compiler and the linker, as make would run them in an empty folder
mkdir empty
touch empty/config.h empty/stamp-h1
echo "dpkg-buildpackage: info: host architecture $(dpkg --print-architecture)" >log # blhc needs it
env -u MAKEFLAGS -u MAKELEVEL make -n -C empty -f "$build/Makefile" V=1 "VPATH=$source" \
	"srcdir=$source" "top_srcdir=$source" all-am >>log 2>err || complain "make -n: $(cat err)"
# -Wall has -Wformat; whoever builds chooses -g and -O.
ignored=(-g -O2 -Wformat)
[[ $fortified ]] || ignored+=(-D_FORTIFY_SOURCE=2)
blhc --all "${ignored[@]/#/--ignore-flag=}" log >missing 2>&1 ||
	complain "blhc: $(wc -l <missing) commands, such as: $(head -n 1 missing)"
# blhc 0.13 does not know these.
for flag in -fstack-clash-protection -fcf-protection; do
	[[ $(uname -m) == x86_64 ]] || break
	! grep -E -- ' -c -o ' log | grep -vF -- " $flag " >missing ||
		complain "$(wc -l <missing) commands without $flag, such as: $(head -n 1 missing)"
done

# --- what came out
# A program is linked by libtool, which may leave the real one in .libs.
program() # NAME
{
	[[ -e $build/.libs/$1 ]] && echo "$build/.libs/$1" || echo "$build/$1"
}

programs=(riptide riptided rastertoriptide pdftoriptide rastertofoomatic)
[[ ! -x $build/riptide-mpi ]] || programs+=(riptide-mpi)
[[ ! -x $build/riptide-printer-app ]] || programs+=(riptide-printer-app)
files=()
for name in "${programs[@]}" libriptide.so; do
	files+=("$(program "$name")")
done
# It looks for a mark of the whole file, which Debian's C library prevents.
options=(--nocfprotection)
[[ $fortified ]] || options+=(--nofortify)
hardening-check "${options[@]}" "${files[@]}" >listing 2>&1 ||
	complain "$(grep -vE ': yes|ignored|unknown' listing)"

finish
