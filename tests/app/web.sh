#!/bin/bash
# The web pages of riptide-printer-app, as a browser without JavaScript uses them: what they show in
# two languages, what their forms change, and what they refuse.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need python3 ppdc
pages() # PART
{
	timeout 300 python3 "$source/tests/app/web.py" "$1" "$port" "$folder" || failed=1
}

make_pdf doc.pdf '<< /PageSize [420 595] >> setpagedevice
	0.5 setgray 60 300 200 150 rectfill showpage'

# What a server that was killed has left, and what only looks like that.
(umask 077 && mkdir -p state/calibration state/ppd state/cache/web state/cache/jobs)
left=(state/calibration/.try-0.cal state/ppd/.x.new.ppd state/cache/test-page.pdf.new
	state/cache/web/laser-1.png.a8Zxq1 state/cache/web/laser-jobs.new
	state/cache/jobs/laser-1.png.pwg.new)
kept=(state/calibration/a.try-1.cal state/cache/web/a.png.b-jobs)
touch "${left[@]}" "${kept[@]}"
start_app
for file in "${left[@]}"; do [[ ! -e $file ]] || complain "$file is not removed"; done
for file in "${kept[@]}"; do [[ -e $file ]] || complain "$file is removed"; done
rm -f "${kept[@]}"
rmdir state/cache/jobs # the server makes it
add_printer laser pcl5
add_printer photo escp2-photo
add_printer gone zpl-203
pages password
pages forms_of_strangers
pages show
pages preview
pages forms
pages calibrate

# Jobs have the calibration that was saved, and are counted; a name is no HTML.
prints Completed laser doc.pdf -t '<b>name</b>'
grep 'Options of' log | tail -n 1 | grep -q 'halftone-calibration=laser' ||
	complain "a job has no calibration: $(grep 'Options of' log | tail -n 1)"
pages ink
touch state/cache/jobs/laser-77777.png # of a job that PAPPL has forgotten
echo nonsense >junk.pdf
prints Aborted laser junk.pdf
prints Completed gone doc.pdf
prints Completed laser doc.pdf -t last
pages jobs
pages buttons

# Printers that are added with a vendor's driver, which comes with the form.
ppdc -d . /usr/share/cups/drv/sample.drv >/dev/null 2>&1
python3 -c '
import socket
with socket.create_server(("localhost", 0)) as server, open("printed-vendor", "wb") as file:
    with open("sink", "w") as port:
        port.write(str(server.getsockname()[1]))
    while True:
        with server.accept()[0] as printer:
            while data := printer.recv(65536):
                file.write(data)
                file.flush()' &
wait_for 60 [ -s sink ] || complain "no sink"
{
	cat laserjet.ppd
	printf '*%s\n' 'driverName foo2zjs/foo2zjs: ""' 'FoomaticRIPCommandLine: "touch ran"'
} >command.ppd
pages add
prints Completed vendor doc.pdf
wait_for 10 [ -s printed-vendor ] || complain "nothing comes of the driver that was uploaded"

# The chart gets no option of the printer's, and does not stay in the spool.
ended=$(grep -c 'job-impressions-completed' log)
state=
pages chart
wait_for 60 job_ended
[[ $state == Completed ]] || complain "the chart ends as ${state:-nothing}"
grep 'Options of' log | tail -n 1 |
	grep -q ': print-scaling=none cm-calibration=true toner-save=0 halftone-density=100$' ||
	complain "the chart has options: $(grep 'Options of' log | tail -n 1)"
[[ -s printed-laser ]] || complain "the chart is not printed"
wait_for 10 eval '! ls state/spool | grep -q chart' || complain "the chart stays in the spool"

pages gone
pages security
wait_for 10 grep -q '^Password .*[:~]' state/printers.state || complain "the password is not saved"
stop_app

# Where people log in with their own names, all pages ask for that.
start_app -o auth-service=riptide-no-such-service
pages closed
stop_app

# A command that does not end, until it may: few run at a time, few wait, and the server answers.
cat >slow <<'END'
#!/bin/bash
echo x >>began
until [[ -e go ]]; do sleep .05; done
echo "riptide: <i>no</i>" >&2
exit 1
END
chmod +x slow
RIPTIDE_APP_COMMAND=$folder/slow start_app
pages slow
stop_app
finish
