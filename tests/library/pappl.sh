#!/bin/bash
# The example contrib/examples/pappl-pcl.c as a printer application on a port of the loopback
# interface: ipptool sends it raster and pictures, and the PCL that it prints has the dots of
# riptide halftone.  It survives cancelled and hostile jobs, and then prints the same dots again.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
[[ -x $build/contrib/examples/pappl-pcl ]] ||
	{ leave_out "pappl-pcl was not built: install libpappl-dev (1.3)"; finish; }
need ipptool python3
server=

seed=${RIPTIDE_TEST_SEED:-$RANDOM}
echo "# seed: RIPTIDE_TEST_SEED=$seed"
python3 "$source/tests/library/pappl-pages.py" "$folder" "$seed" || exit 99

# PAPPL keeps its state, spool and local socket here, for root too.
export SNAP_COMMON=$folder TMPDIR=$folder HOME=$folder
program=$build/contrib/examples/pappl-pcl
starts()
{
	timeout 120 "$program" add -u "ipp://localhost:$port/" -d laser -m pcl \
		-v "file://$folder/printed" >add 2>&1 && return
	# After a restart it is there.
	timeout 120 "$program" printers -u "ipp://localhost:$port/" 2>&1 |
		grep -x laser >/dev/null ||
		gone $server
}

# start: the server with its printer.  Adding it goes to this port: without -u, PAPPL would start a
# second server in the background if the first one does not listen yet.
start()
{
	port=$(python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
	printer=ipp://localhost:$port/ipp/print/laser
	"$program" server -o listen-hostname=localhost -o server-port="$port" \
		-o server-options=no-tls \
		-o log-file="$folder/log" -o log-level=info >out 2>&1 </dev/null &
	server=$!
	wait_for 60 starts && ! gone $server && return
	complain "no printer: $(tail -n 3 add out log)"
	exit 1
}

# write_test [ATTR-LINE]: for ipptool: prints $filename, and waits for the end of the job.
write_test()
{
	cat >print.test <<-TEST
	{
		NAME "Print"
		OPERATION Print-Job
		GROUP operation-attributes-tag
		ATTR charset attributes-charset utf-8
		ATTR language attributes-natural-language en
		ATTR uri printer-uri \$uri
		ATTR name requesting-user-name me
		ATTR mimeMediaType document-format \$filetype
		GROUP job-attributes-tag
		${1-}
		FILE \$filename
		STATUS successful-ok
		STATUS successful-ok-ignored-or-substituted-attributes
		EXPECT job-id
		DISPLAY job-id
	}
	{
		NAME "Wait"
		DELAY "0.05,0.05"
		OPERATION Get-Job-Attributes
		GROUP operation-attributes-tag
		ATTR charset attributes-charset utf-8
		ATTR language attributes-natural-language en
		ATTR uri printer-uri \$uri
		ATTR integer job-id \$job-id
		ATTR name requesting-user-name me
		STATUS successful-ok
		EXPECT job-state WITH-VALUE >6 REPEAT-NO-MATCH
		DISPLAY job-state
	}
	TEST
}

# send STATE FILE TYPE: a job, which must end in that state (several: "completed|aborted").
send()
{
	local said state

	said=$(timeout 120 ipptool -tc -f "$2" -d filetype="$3" "$printer" print.test 2>&1)
	state=$(tail -n 1 <<<"$said")
	[[ $state =~ ^($1)$ ]] || complain "${2##*/} is ${state:-not printed}, not $1: $said"
}

# compare NAME PAGES RIPTIDE-OPTION...: what was printed are the dots of the pages NAME-*.pgm.
compare()
{
	local name=$1 pages=$2 page

	shift 2
	rm -f dots*
	[[ $("$build/tests/tools/decode-dots" pcl printed dots) == *$'\n'"$pages pages" ]] ||
		complain "$name: not $pages pages of PCL"
	for ((page = 1; page <= pages; page++)); do
		"$build/riptide" halftone --resolution 600 --printer laser "$@" -o right.pbm \
			"$name-$page.pgm" || complain "riptide halftone"
		cmp "dots-$page-1.pbm" right.pbm ||
			complain "$name, page $page: other dots than riptide halftone $*"
	done
	: >printed
}

# again: prints the pages of raster, as after the start.
again()
{
	write_test
	send completed raster.pwg image/pwg-raster
	compare raster 2 --screen clustered
}

: >printed
start
attributes=$(timeout 30 ipptool -tv "$printer" get-printer-attributes.test 2>&1) ||
	complain "no attributes"
[[ $attributes == *"pwg-raster-document-type-supported (1setOf keyword) = black_8,sgray_8"* ]] ||
	complain "it does not ask for 8 bits: $attributes"
again

# A job may choose the screen.
write_test 'ATTR keyword halftone floyd-steinberg'
send completed grey.pwg image/pwg-raster
compare grey 1 --screen floyd-steinberg
write_test 'ATTR keyword halftone blue-noise-mask'
send completed picture.png image/png
compare picture 1 --screen blue-noise-mask
write_test 'ATTR keyword halftone no-such-screen'
send aborted raster.pwg image/pwg-raster
grep -q '\[Job .*no screen no-such-screen' log || complain "the log does not name the screen"
: >printed

# A JPEG picture of the printable part.
if command -v gs >/dev/null; then
	gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=jpeggray -r600 -g4660x6815 \
		-sOutputFile=picture.jpg \
		-c '<</ShadingType 3 /ColorSpace /DeviceGray /Coords [280 400 0 280 400 420]
		/Function <</FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1>>
		/Extend [true true]>> shfill showpage' ||
		complain "gs"
	write_test 'ATTR keyword print-scaling none'
	send completed picture.jpg image/jpeg
	mv picture.jpg picture-1.pgm # riptide detects the format
	compare picture 1 --screen clustered
fi

# A job is cancelled, or its client goes away, in the middle of a page.  PAPPL's log has no numbers
# in Debian 13: "Page  raster data".
for way in cancel leave; do
	rm -f go leave
	pages=$(grep -c '] Page 1\? raster data' log)
	timeout 120 python3 "$source/tests/library/pappl-slow.py" "$port" raster.pwg 400000 \
		"$folder" \
		>said 2>&1 &
	sender=$!
	page_begins() { (($(grep -c '] Page 1\? raster data' log) > pages)); }
	wait_for 30 page_begins || complain "a page does not begin before all of it has come"
	job=$(sed -n 's/.*\[Job \([0-9]*\)\] Page 1\{0,1\} raster data.*/\1/p' log | tail -n 1)
	if [[ $way == cancel ]]; then
		timeout 60 "$program" cancel -u "$printer" -d laser -j "$job" ||
			complain "job $job is not cancelled"
		touch go
	else
		touch leave
	fi
	wait $sender || complain "the client of the job to $way: $(cat said)"
	job_state() { state=$(sed \
		-n "s/.*\[Job $job\] \([A-Z][a-z]*\), job-impressions-completed.*/\1/p" log) &&
		[[ $state ]]; }
	wait_for 30 job_state
	[[ ${state-} && ($way == leave || $state == Canceled) ]] ||
		complain "the job to $way ends as ${state-}"
	: >printed
	again
done

# What no client should send.
for page in bad-*.pwg; do
	write_test
	send 'completed|aborted' "$page" image/pwg-raster
	kill -0 $server || complain "the server ended at ${page##*/}"
done
for attribute in 'ATTR keyword halftone clustered-0' 'ATTR integer halftone -1' \
		'ATTR boolean halftone true' \
		"ATTR text halftone $(printf '%0500d' 0)" 'ATTR keyword halftone a,b,c'; do
	write_test "$attribute"
	send aborted raster.pwg image/pwg-raster
	kill -0 $server || complain "the server ended at $attribute"
done
: >printed
again

stop()
{
	kill $server
	wait $server || complain "the server ends with status $?: $(tail -n 3 out)"
	server=
}

# What PAPPL makes no raster from, and any client may send: it does not crash the server, and not
# the next one that finds the job in the spool.
printf '%%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%%%EOF\n' >file.pdf
echo "A text." >file.txt
printf '\033E\033*p0x0YPCL\f\033E' >file.pcl
write_test
for file in file.pdf:application/octet-stream file.txt:application/octet-stream \
		file.pcl:application/octet-stream file.pcl:application/vnd.hp-pcl; do
	send aborted "${file%:*}" "${file#*:}"
	kill -0 $server || { complain "the server ended at $file"; wait $server; start; }
done
grep -q "with format 'application/pdf'" log || complain "the log does not say that PDF is refused"
grep -q 'application/vnd.hp-pcl is not printed' log ||
	complain "the log does not say that PCL is refused"
[[ ! -s printed ]] || complain "files are printed that the printer does not take"
stop
start
again
stop
finish
