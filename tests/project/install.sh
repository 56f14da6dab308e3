#!/bin/bash
# make install into a folder puts everything where CUPS, systemd and man look for
# it, also without being told where that is; make uninstall leaves nothing.
set -uo pipefail

unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
root=$(mktemp -d) || exit 99
trap 'rm -rf "$root"' EXIT
failed=0
complain() { echo "FAILED: $1"; failed=1; }

setting() # NAME: a variable of the Makefile, references to others resolved
{
	printf 'include Makefile\nshow-setting:\n\t@echo "$(%s)"\n' "$1" |
		make -s -f - show-setting 2>/dev/null
}

must() # FOLDER-VARIABLE[/MORE] MODE NAME...
{
	local folder mode=$2 name file

	folder=$(setting "${1%%/*}")
	[[ $1 != */* ]] || folder+=/${1#*/}
	shift 2
	for name; do
		file=$root$folder/$name
		if [[ ! -f $file ]]; then
			complain "not installed: $folder/$name"
		elif [[ $(stat -c %a "$file") != "$mode" ]]; then
			complain "$folder/$name has mode $(stat -c %a "$file"), not $mode"
		fi
	done
}

umask 022
if ! make install DESTDIR="$root" >"$root.log" 2>&1 </dev/null; then
	echo "make install fails:"
	tail -n 20 "$root.log"
	rm -f "$root.log"
	exit 1
fi
rm -f "$root.log"
# The pages of functions, also where files are private.
rm "$root$(setting mandir)/man3/riptide_push.3"
(umask 077 && make -s install-data-hook DESTDIR="$root") || failed=1

must cups_serverbin/filter 755 rastertoriptide pdftoriptide rastertofoomatic # cupsd refuses 775
must cups_datadir/drv 644 riptide.drv
must cups_datadir/mime 644 riptide.types riptide.convs
must bindir 755 riptide riptide-transform
must sbindir 755 riptided
must mandir/man1 644 riptide.1 \
	riptide-{halftone,rip,preview,bench,status,adopt,release,target,calibrate,transform}.1
must mandir/man5 644 riptided.conf.5
must mandir/man3 644 riptide.3 riptide_push.3
must includedir 644 riptide.h
must pkgconfigdir 644 riptide.pc
must docdir/examples 644 pgm-to-pbm.c
must mandir/man7 644 riptide-protocol.7
must mandir/man8 644 rastertoriptide.8 pdftoriptide.8 rastertofoomatic.8 riptided.8
if [[ $(setting systemdsystemunitdir) ]]; then
	must systemdsystemunitdir 644 riptided.socket riptided.service
fi
must docdir/examples 644 riptided.conf
must bashcompletiondir 644 riptide riptided
if [[ -x riptide-mpi ]]; then
	must bindir 755 riptide-mpi
	must mandir/man1 644 riptide-mpi.1
	must bashcompletiondir 644 riptide-mpi
fi
if [[ -x riptide-printer-app ]]; then
	must bindir 755 riptide-printer-app
	must mandir/man1 644 riptide-printer-app.1
	must appdir 644 test-page.ps
	must appppddir 644 riptide-pcl5.ppd riptide-zpl-300.ppd riptide-pwg.ppd
	[[ ! $(setting systemdsystemunitdir) ]] ||
		must systemdsystemunitdir 644 riptide-printer-app.service
fi

# Its other name leads to it, and stands where the manual says.
other=$(setting libexecdir)/riptide/bin/ipptransform
[[ $(readlink "$root$other") == "$(setting bindir)/riptide-transform" ]] ||
	complain "$other is not riptide-transform"

# The manual names the folders of this build, wherever that is.
names() # TEXT MANUAL-PAGE...
{
	local text=$1 page
	shift

	for page; do
		grep -qF -- "$text" "$root$(setting mandir)/man${page##*.}/$page" ||
			complain "$page does not name $text"
	done
}
names "$(setting sysconfdir)/riptide/riptided.conf" riptided.8 riptided.conf.5
names "$(setting docdir)/examples/riptided.conf" riptided.conf.5
names "$(setting sysconfdir)/riptide/transform.conf" riptide-transform.1
names "$(setting libexecdir)/riptide/bin" riptide-transform.1
names "$(setting cups_serverbin)/filter/rastertoriptide" rastertoriptide.8
names "$(setting cups_serverbin)/filter/pdftoriptide" pdftoriptide.8
names "$(setting cups_serverbin)/filter/rastertofoomatic" rastertofoomatic.8
unfilled=$(grep -rlE '@[A-Za-z_]+@' "$root$(setting mandir)" "$root$(setting docdir)")
[[ ! $unfilled ]] || complain "these still have @names@: $unfilled"

# A program is compiled and linked with what pkg-config says.
libdir=$(setting libdir)
if [[ -e $root$libdir/libriptide.so ]]; then
	read -ra flags < <(PKG_CONFIG_PATH=$root$(setting pkgconfigdir) \
		PKG_CONFIG_SYSROOT_DIR=$root \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 pkg-config \
		--cflags --libs riptide)
	read -ra compiler < <(echo "$(setting CC) $(setting RIP_LDFLAGS)")
	"${compiler[@]}" "$root$(setting docdir)/examples/pgm-to-pbm.c" -o "$root/pgm-to-pbm" \
		"${flags[@]}" ||
		complain "the example does not compile with ${flags[*]}"
	dots=$(printf 'P5 8 1 255\n\0\0\377\377\0\0\377\377' |
		LD_LIBRARY_PATH=$root$libdir "$root/pgm-to-pbm" | od -An -tx1 | tail -n 1)
	[[ $dots == *cc ]] ||
		complain "the example that was installed makes the dots \"$dots\", not cc"
	rm -f "$root/pgm-to-pbm"
	if read -ra pappl < <(pkg-config --cflags --libs pappl 2>/dev/null) &&
		((${#pappl[@]})); then
		"${compiler[@]}" "$root$(setting docdir)/examples/pappl-pcl.c" \
			-o "$root/pappl-pcl" "${flags[@]}" \
			"${pappl[@]}" || complain "the example for PAPPL does not compile"
		rm -f "$root/pappl-pcl"
	fi
else
	complain "not installed: $libdir/libriptide.so"
fi

# What the administrator writes is never installed over.
[[ ! -e $root$(setting sysconfdir)/riptide/riptided.conf ]] ||
	complain "make install writes the configuration"
echo "$(find "$root" -type f | wc -l) files installed"

make uninstall DESTDIR="$root" >/dev/null 2>&1 </dev/null || complain "make uninstall fails"
left=$(find "$root" ! -type d)
[[ ! $left ]] || complain "make uninstall leaves: $left"
exit $failed
