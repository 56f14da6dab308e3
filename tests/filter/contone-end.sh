#!/bin/bash
# pdftoriptide with riptide-rip=gstoraster, while a page takes longer than anybody waits: when it is
# canceled, and when its next filter fails, gstoraster and its Ghostscript end with it.
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
source=$(realpath "${RIPTIDE_SOURCE:-.}")
gstoraster=$(cups-config --serverbin 2>/dev/null || echo /usr/lib/cups)/filter/gstoraster
for tool in gs ppdc "$gstoraster"; do
	if ! command -v "$tool" >/dev/null; then
		echo "$tool is not installed: install the packages ghostscript, cups-ppdc and cups-filters"
		exit 77
	fi
done
# shellcheck source-path=SCRIPTDIR source=library.sh
. "$source/tests/filter/library.sh"
# shellcheck disable=SC2034 # library.sh's
cleanup=end_all
export PPD=$folder/queue.ppd
export TMPDIR=$folder # where a Ghostscript that is ended leaves a copy of the document
unset CUPS_SERVERBIN

# The processes gs and gstoraster of this test.
ours() # NAME
{
	local process

	for process in $(pgrep -x "$1"); do
		# A zombie has no environment.
		grep -aqs "PPD=$PPD" "/proc/$process/environ" && echo "$process"
	done
}

end_all()
{
	local process

	for process in $(ours gs) $(ours gstoraster) $(jobs -p); do
		kill -KILL "$process" 2>/dev/null
	done
}

# A page that draws a form 100 times, which draws a form 100 times, and so on.
make_endless() # FILE
{
	local depth=6 i text offsets=()
	local -a objects=("<< /Type /Catalog /Pages 2 0 R >>" "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>")

	text="/F Do"
	objects+=("<< /Length ${#text} >> stream"$'\n'"$text"$'\n'endstream)
	text=$(printf '/F Do %.0s' {1..100})
	for ((i = 5; i < 5 + depth; i++)); do
		objects+=("<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Length ${#text} /Resources << /XObject << /F $((i + 1)) 0 R >> >> >> stream"$'\n'"$text"$'\n'endstream)
	done
	text="50 50 m 500 800 l S"
	objects+=("<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Length ${#text} >> stream"$'\n'"$text"$'\n'endstream)
	{
		echo %PDF-1.4
		for ((i = 0; i < ${#objects[@]}; i++)); do
			printf '%d 0 obj\n%s\nendobj\n' $((i + 1)) "${objects[i]}"
		done
	} >"$1"
	mapfile -t offsets < <(grep -abo '^[0-9]* 0 obj' "$1" | cut -d: -f1)
	i=$(stat -c %s "$1")
	{
		printf 'xref\n0 %d\n0000000000 65535 f \n' $((${#objects[@]} + 1))
		printf '%010d 00000 n \n' "${offsets[@]}"
		printf 'trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n' $((${#objects[@]} + 1)) "$i"
	} >>"$1"
}
make_endless page.pdf
ppdc -d ppds "$source/ppd/riptide.drv" >/dev/null 2>&1 || exit 99
printf '#!/bin/sh\nuntil [ -e fail ]; do sleep .05; done\nexit 1\n' >next
chmod 755 next

# end_early WHAT NEXT-FILTER STATUS COMMAND...: runs the command when Ghostscript draws.
end_early()
{
	local what=$1 should=$3 status pid

	sed "/riptideNextFilter/d; \$a *riptideNextFilter: \"$2\"" ppds/riptide-raster.ppd >"$PPD"
	[[ $2 ]] || sed -i /riptideNextFilter/d "$PPD"
	shift 3
	rm -f fail
	"$build/pdftoriptide" 7 user title 1 "riptide-rip=gstoraster" page.pdf >/dev/null 2>err &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		[[ $(ours gs) ]] && break
		sleep .1
	done
	[[ $(ours gs) && $(ours gstoraster) ]] || complain "$what: no Ghostscript of gstoraster: $(cat err)"
	sleep .3
	[[ $(ours gs) ]] || complain "$what: the page is drawn already"
	pid=$pid "$@"
	wait $pid
	status=$?
	((status == should)) || complain "$what: exit status $status, not $should: $(cat err)"
	for ((i = 0; i < 100; i++)); do
		[[ $(ours gs)$(ours gstoraster) ]] || return
		sleep .1
	done
	complain "$what: left are gs $(ours gs), gstoraster $(ours gstoraster)"
	end_all
}

cancel()
{
	kill -TERM "$pid"
}

kill_it()
{
	kill -KILL "$pid"
}

end_early "SIGTERM" "" 143 cancel
end_early "SIGTERM with a next filter" "$folder/next" 143 cancel
end_early "the next filter fails" "$folder/next" 1 touch fail
end_early "SIGKILL" "" 137 kill_it
exit $failed
