#!/bin/bash
# What is installed has the protections that configure turns on, unless it was told otherwise.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need readelf objdump
setting() { sed -n "s/^$1 = //p" "$build/Makefile"; }
[[ $(setting HARDENING_LDFLAGS) ]] || { leave_out "configured with --disable-hardening"; finish; }
sanitizers=$(setting RIP_CFLAGS | grep -o -- -fsanitize)
optimized=$(setting CFLAGS | grep -oE -- '-O([1-3sg]|fast)?( |$)')

has() # FILE WHAT WORDS COMMAND...
{
	"${@:4}" "$1" >listing 2>&1 # not a pipe: grep -q would end before the command
	grep -qE -- "$3" listing || complain "$(basename "$1") has no $2"
}

# A program is linked by libtool, which may leave the real one in .libs.
program() # NAME
{
	[[ -e $build/.libs/$1 ]] && echo "$build/.libs/$1" || echo "$build/$1"
}

programs=(riptide riptided rastertoriptide pdftoriptide rastertofoomatic)
[[ ! -x $build/riptide-mpi ]] || programs+=(riptide-mpi)
[[ ! -x $build/riptide-printer-app ]] || programs+=(riptide-printer-app)
for name in "${programs[@]}" libriptide.so; do
	file=$(program "$name")
	[[ $name == *.so ]] || has "$file" "position independent code" 'FLAGS_1.* PIE' readelf -d
	has "$file" "read-only relocations" GNU_RELRO readelf -lW
	has "$file" "immediate binding" 'FLAGS.* (BIND_)?NOW' readelf -d
	has "$file" "stack protector" 'UND __stack_chk_fail' readelf -sW
	[[ ! $optimized || $sanitizers ]] ||
		has "$file" "fortified functions" 'UND __[a-z]+_chk@' readelf -sW
	# A function that pointers may call begins with a mark.  (The start code of Debian's C
	# library has none, so that the whole file is not marked.)
	[[ $(uname -m) != x86_64 ]] || has "$file" "control-flow protection" endbr64 \
		objdump -d --disassemble="$([[ $name == *.so ]] && echo riptide_push || echo main)"
done

# The guard page of the stack cannot be jumped over: each page of large variables is touched.
file=$(program riptide)
if [[ $(uname -m) == x86_64 && ! $sanitizers ]]; then
	objdump -d --no-show-raw-insn "$file" | grep -A 1 'sub  *\$0x1000,%rsp' >listing
	grep -qE '(or|mov)q  *\$0x0,' listing ||
		complain "riptide has no protection against stack clashes"
fi

finish
