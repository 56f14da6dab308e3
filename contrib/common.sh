# Functions that the scripts of this folder share.
# shellcheck shell=bash

# The checkout.
top=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)

# Answers --help, with the comment at the start of the script, and --version.
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

# Makes configure.  Fails in a checkout that was configured in place, because autotools
# cannot build out of tree from it.
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

# Copies the sources into a folder: the files that git tracks or does not ignore, changed or not;
# from a tarball, everything except build results.
copy_tree() # FOLDER
{
	local git=(git -c safe.directory="$top" -C "$top") # root in somebody's checkout, too

	if [[ -e $top/.git ]] && "${git[@]}" rev-parse >/dev/null 2>&1; then
		"${git[@]}" ls-files -z --cached --others --exclude-standard
	else
		(cd "$top" && find . \( -path './build*' ! -name build-aux -o -path './_*' \
			-o -name .git \) \
			-prune -o ! -type d -print0)
	fi | tar -C "$top" --null --ignore-failed-read -T - -c | tar -C "$1" -x
	chmod -R u+w "$1"
}

# Gives files that root made in a user's checkout to that user.
give_back()
{
	if [[ $EUID == 0 && $(stat -c %u "$top") != 0 ]]; then
		chown -Rh --reference="$top" "$top"/{build,build-aux,m4,autom4te.cache} \
			"$top"/{configure,configure~,aclocal.m4} \
			"$top"/{Makefile.in,config.h.in,config.h.in~} 2>/dev/null
	fi
	return 0
}

# Reports once a minute, on standard error, that a long step goes on, with the last line of
# its log.  To be called before and after the step.
begin_progress() # LOG
{
	report_progress "$1" &
	progress=$!
}

end_progress()
{
	kill "$progress" 2>/dev/null
	wait "$progress" 2>/dev/null || true
}

report_progress() # LOG
{
	local every=${RIPTIDE_PROGRESS_SECONDS:-60} start=$SECONDS waited

	while :; do
		# In steps of a second, so that nothing is left when the script is killed.
		for ((waited = 0; waited < every; waited++)); do
			sleep 1
			kill -0 $$ 2>/dev/null || return
		done
		printf '    ... for %d s: %.100s\n' $((SECONDS - start)) \
			"$(tail -n 1 "$1" 2>/dev/null)" >&2
	done
}
