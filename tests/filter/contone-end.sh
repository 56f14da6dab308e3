#!/bin/bash
# pdftoriptide with riptide-rip=gstoraster, while a page takes longer than anybody waits: when it is
# canceled, and when its next filter fails, gstoraster and its Ghostscript end with it.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc "$gstoraster"
cleanup=end_all
export PPD=$folder/queue.ppd
export TMPDIR=$folder # where a Ghostscript that is ended leaves a copy of the document
unset CUPS_SERVERBIN

# The processes gs and gstoraster of this test.  A zombie has no environment.
ours() # NAME
{
	local files

	files=$(pgrep -x "$1" | sed 's,.*,/proc/&/environ,')
	# shellcheck disable=SC2086 # words
	[[ $files ]] && grep -als "PPD=$PPD" $files | tr -cd '0-9\n'
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
	local depth=6 i text uses offsets=()
	local form="/Type /XObject /Subtype /Form /BBox [0 0 595 842]"
	local -a objects=("<< /Type /Catalog /Pages 2 0 R >>"
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
/Resources << /XObject << /F 5 0 R >> >> >>")

	text="/F Do"
	objects+=("<< /Length ${#text} >> stream"$'\n'"$text"$'\n'endstream)
	text=$(printf '/F Do %.0s' {1..100})
	for ((i = 5; i < 5 + depth; i++)); do
		uses="/Resources << /XObject << /F $((i + 1)) 0 R >> >>"
		objects+=("<< $form /Length ${#text} $uses >> stream"$'\n'"$text"$'\n'endstream)
	done
	text="50 50 m 500 800 l S"
	objects+=("<< $form /Length ${#text} >> stream"$'\n'"$text"$'\n'endstream)
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
		printf 'trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n' \
			$((${#objects[@]} + 1)) "$i"
	} >>"$1"
}
make_endless page.pdf
make_ppds
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
	wait_for 60 ours gs
	[[ $(ours gs) && $(ours gstoraster) ]] ||
		complain "$what: no Ghostscript of gstoraster: $(cat err)"
	sleep .3
	[[ $(ours gs) ]] || complain "$what: the page is drawn already"
	pid=$pid "$@"
	wait $pid
	status=$?
	((status == should)) || complain "$what: exit status $status, not $should: $(cat err)"
	! wait_for 10 eval '[[ ! $(ours gs)$(ours gstoraster) ]]' || return
	complain "$what: left are gs $(ours gs), gstoraster $(ours gstoraster)"
	end_all
}

kill_by() { kill "-$1" "$pid"; }
end_early "SIGTERM" "" 143 kill_by TERM
end_early "SIGTERM with a next filter" "$folder/next" 143 kill_by TERM
end_early "the next filter fails" "$folder/next" 1 touch fail
end_early "SIGKILL" "" 137 kill_by KILL
finish
