# What demo, check and install-deps share; they read it in.
# shellcheck shell=bash

# The checkout.
top=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)

# Answers --help, with the comment that the script begins with, and --version.
answer() # SCRIPT ARGUMENT
{
	case $2 in
	--help)
		sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//p}' "$1"
		exit ;;
	--version)
		sed -n 's/^AC_INIT(\[\([^]]*\)\], \[\([^]]*\)\].*/\1 \2/p' "$top/configure.ac"
		exit ;;
	esac
}

# Makes configure.  Stops at a checkout that was configured in place: autotools
# build nothing else from such a one.
make_configure() # LOG
{
	if [[ -e $top/config.status ]]; then
		echo "this checkout was configured in place, so it cannot be built elsewhere:" \
			"run make distclean in $top" >&2
		return 1
	fi
	if ! (cd "$top" && autoreconf -fi) >"$1" 2>&1 </dev/null; then
		echo "autoreconf failed; the end of $1:" >&2
		tail -n 40 "$1" >&2
		return 1
	fi
}

# What root made in somebody's checkout is his.
give_back()
{
	if [[ $EUID == 0 && $(stat -c %u "$top") != 0 ]]; then
		chown -Rh --reference="$top" "$top"/{build,build-aux,m4,autom4te.cache} \
			"$top"/{configure,configure~,aclocal.m4,Makefile.in,config.h.in,config.h.in~} 2>/dev/null
	fi
	return 0
}
