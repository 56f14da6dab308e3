# For the tests of riptide-printer-app: sourced.  A server on a port of the loopback interface, with
# its state in $folder/state and the programs of this build.
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
program=$build/riptide-printer-app
[[ -x $program ]] ||
	{ leave_out "riptide-printer-app was not built: install libpappl-dev"; finish; }
serverbin=${gstoraster%/filter/gstoraster}
need gs "$serverbin/filter/pdftopdf" "$serverbin/filter/rastertohp" ipptool

# CUPS's filters and those of this build.
umask 022 # a filter that its group may write to is refused
mkdir -p bin/filter
ln -s "$serverbin"/filter/* bin/filter/
rm -f bin/filter/*toriptide bin/filter/rastertofoomatic
cp "$build/pdftoriptide" "$build/rastertoriptide" "$build/rastertofoomatic" bin/filter/
# SNAP_COMMON: where root's server has its socket.
export CUPS_SERVERBIN=$folder/bin RIPTIDE_APP_DATA=$build/app RIPTIDE_APP_COMMAND=$riptide \
	RIPTIDE_SOCKET=none RIP_MAX_CACHE=128m LC_ALL=C \
	SNAP_COMMON=$folder TMPDIR=$folder HOME=$folder
# Where add adopts drivers.
export RIPTIDE_APP_STATE=$folder/state
server=

answers()
{
	gone $server || : </dev/tcp/localhost/"$port"
}

# start_app [ARGUMENT...]: the server; log has what it does.  It listens on $listen.
listen=(-o listen-hostname=localhost)
start_app()
{
	port=$(python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
	: >log # PAPPL 1.3 hangs at a log of more than 1 MiB
	"$program" server "${listen[@]}" -o server-port="$port" \
		-o server-options=no-tls -o state-directory="$folder/state" \
		-o log-level=debug "$@" >>log 2>&1 </dev/null &
	server=$!
	wait_for 60 answers && ! gone $server && return
	complain "the server does not start: $(tail -n 3 log)"
	exit 1
}

# It ends in peace: a crash would show as another status.
stop_app()
{
	kill $server
	wait $server || complain "the server ends with status $?: $(tail -n 3 log)"
	server=
}

# add_printer NAME DRIVER|FILE.ppd [URI]: it prints into printed-NAME.
add_printer()
{
	local what=(-m "$2")

	[[ $2 != *.ppd ]] || what=(-o "ppd=$2")
	: >"printed-$1"
	timeout 60 "$program" add -u "ipp://localhost:$port/" -d "$1" "${what[@]}" \
		-v "${3:-file://$folder/printed-$1}" >said 2>&1 ||
		complain "printer $1 is not added: $(cat said)"
}

# submit PRINTER FILE [OPTION...]: prints a file.  $job: its number, one of the printer's.
submit()
{
	ended=$(grep -c 'job-impressions-completed' log)
	job=$(timeout 60 "$program" submit -u "ipp://localhost:$port/ipp/print/$1" "${@:3}" "$2" \
		2>said) || complain "$2 is not taken by $1: $(cat said)"
}

# job_ended: whether one more has, and as what, in $state.
job_ended()
{
	(($(grep -c 'job-impressions-completed' log) > ended)) &&
		state=$(sed -n 's/.*\] \([A-Z][a-z]*\), job-impressions-completed.*/\1/p' log |
			tail -n 1)
}

# prints STATE PRINTER FILE [OPTION...]: a job that ends so: Completed, Aborted or Canceled.
prints()
{
	state=
	submit "${@:2}"
	wait_for 60 job_ended
	[[ $state == "$1" ]] ||
		complain "$3 on $2 ends as ${state:-nothing}, not $1: $(grep "Job $job\] " log |
			grep '^[EW]')"
}

# compare_with_cups: each case of the file cases on a queue of CUPS, and on a printer of the server,
# which must get the same bytes.  A case is three lines: DRIVER FILE; what our clients say; what
# CUPS's say.  A driver is one of ours, or a vendor's: DRIVER.ppd, and adopted-DRIVER.ppd for CUPS.
compare_with_cups()
{
	local driver file options number=0 word words
	local -x RIPTIDE_BUILD=$build RIPTIDE_SOURCE=$source PC_DIR

	(print_by_cups) >cups.log 2>&1
	case $? in
	0) ;;
	77) leave_out "CUPS is not installed"; return ;;
	*) complain "CUPS does not print: $(tail -n 5 cups.log)"; return ;;
	esac
	while read -r driver file && read -r options && read -r _; do
		number=$((number + 1))
		read -ra words <<<"$options"
		[[ -e printed-$driver ]] ||
			if [[ -e $driver.ppd ]]; then
				add_printer "$driver" "$driver.ppd"
			else
				add_printer "$driver" "$driver"
			fi
		: >"printed-$driver"
		set --
		for word in "${words[@]}"; do set -- "$@" -o "$word"; done
		prints Completed "$driver" "$file" "$@"
		[[ -s cups/$number ]] || complain "CUPS prints nothing for $driver $file"
		# brlaser tells the printer the job's number, and foo2zjs what time it is.
		sed -i 's|NAME="[0-9]*/|NAME="|; s|\(JobAttr4=\)[0-9]*|\1|' "cups/$number" \
			"printed-$driver"
		cmp "cups/$number" "printed-$driver" ||
			complain "$driver $file, $options: not as CUPS: $(grep 'Options of' log |
				tail -n 1)"
	done <cases
}

# Each case on a queue of CUPS: cups/NUMBER.  It needs a shell of its own.
print_by_cups()
{
	local driver file options number=0 from said job tries words

	. "$source/contrib/private-cups"
	pc_start || exit
	mkdir -p cups
	while read -r driver file && read -r _ && read -r options; do
		number=$((number + 1))
		read -ra words <<<"$options"
		from=(-m "drv:///riptide.drv/riptide-$driver.ppd")
		[[ ! -e adopted-$driver.ppd ]] || from=(-P "adopted-$driver.ppd")
		lpadmin -p "$driver" -v "file://$PC_DIR/out/$driver" -E "${from[@]}" \
			2>/dev/null || exit 1
		said=$(lp -d "$driver" "${words[@]/#/-o}" "$file") || exit 1
		job=${said#*"$driver-"}
		job=${job%% *}
		for ((tries = 0; tries < 600; tries++)); do
			grep -q "\[Job $job\] Job completed" "$PC_DIR/log/error_log" && break
			sleep .1
		done
		cp "$PC_DIR/out/$driver" "cups/$number" || exit 1
	done <cases
}
