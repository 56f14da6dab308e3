#!/bin/bash
# The driver that a printer gets by its device id, drivers and devices that are none, the test page,
# and printers that print at the same time.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need curl

cat >create.test <<'END'
{
	OPERATION Create-Printer
	GROUP operation-attributes-tag
	ATTR charset attributes-charset utf-8
	ATTR language attributes-natural-language en
	ATTR uri system-uri ipp://localhost/ipp/system
	ATTR keyword printer-service-type print
	ATTR keyword smi55357-driver auto
	ATTR uri smi55357-device-uri $device
	GROUP printer-attributes-tag
	ATTR name printer-name $name
	ATTR text printer-device-id $id
	STATUS successful-ok
}
END

# A folder whose name Ghostscript would take for a number.
start_app -o state-directory="$folder/100%d"
: >printed
number=0
while read -r driver id; do
	number=$((number + 1))
	timeout 60 ipptool -t -d name="auto$number" -d device="file://$folder/printed" -d id="$id" \
		"ipp://localhost:$port/ipp/system" create.test >said 2>&1
	created=$?
	[[ $driver == none ]] && { ((created)) || complain "$id gets a driver"; continue; }
	((created == 0)) || complain "$id gets no driver: $(cat said)"
	model=$(timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/auto$number" \
		get-printer-attributes.test | sed -n 's/.*printer-make-and-model.*= //p')
	nickname=$(sed -n 's/^\*NickName: "\(.*\)"\r*$/\1/p' "$build/app/ppd/riptide-$driver.ppd")
	[[ $model && $model == "$nickname" ]] || complain "$id gets $model, not $driver"
done <<'END'
pcl5 MFG:HP;CMD:PJL,PCL,PCLXL,POSTSCRIPT;MDL:LaserJet 1320;
pcl5 MFG:Brother;CMD:PJL,PCL5e;MDL:HL-5240;
pcl-color MFG:HP;CMD:MLC,PCL,PML;MDL:DeskJet 970C;
escp2 MFG:EPSON;CMD:ESCPL2,BDC;MDL:Stylus Color 880;
zpl-203 MANUFACTURER:Zebra;COMMAND SET:ZPL;MODEL:ZTC GK420d;
zpl-300 MANUFACTURER:Zebra;COMMAND SET:ZPL;MODEL:ZTC GX430t-300dpi;
pwg MFG:Any;CMD:PWGRaster,URF;MDL:Printer;
none MFG:Samsung;CMD:SPL;MDL:ML-1640;
none MFG:HP;CMD:PCLXL,PCLM;MDL:Other;
END
((number == 9)) || complain "$number device ids"

for wrong in "no-such-driver file://$folder/printed" "../pcl5 file://$folder/printed" \
	"pcl5 nowhere://x"; do
	read -r driver device <<<"$wrong"
	! timeout 60 "$program" add -d wrong -m "$driver" -v "$device" >said 2>&1 ||
		complain "a printer is added with $driver at $device"
done

# The drivers are listed beside a server that runs, and without a server of their own.
"$program" drivers -o server-port="$port" -o listen-hostname=localhost \
	-o state-directory="$folder/unused" >said 2>stderr
listed=$?
((listed == 0)) && [[ ! -s stderr && ! -e unused ]] && grep -qx 'pcl5 "PCL 5 mono laser" ""' said &&
	(($(wc -l <said) == 8)) || complain "drivers: status $listed: $(cat said stderr)"

# The test page, as the button prints it, after a login.
add_printer laser pcl5
page=http://localhost:$port/laser/
session=$(curl -s "$page" | sed -n 's/.*name="session" value="\([^"]*\)".*/\1/p' | head -n 1)
curl -s -D headers -d "session=$session" \
	--data-urlencode "password=$(cat '100%d/web-password')" "$page" >page.html
cookie=$(tr -d '\r' <headers | sed -n 's/^Set-Cookie: \(auth=[^;]*\);.*/\1/p')
ended=$(grep -c 'job-impressions-completed' log)
curl -s -H "Cookie: $cookie" -d "session=$session" -d action=test "$page" >page.html
state=
wait_for 60 job_ended || complain "no test page: $(grep -o 'banner.*' page.html)"
[[ $state == Completed ]] || complain "the test page ends as $state"
draws=$("$build/tests/tools/decode-dots" pcl printed-laser dots 2>&1)
[[ $draws == *"1 pages" ]] || complain "the test page is no page: $draws"
ink=$(sed -n 's/.*page 1: ink: K \([0-9.]*\) %.*/\1/p' log)
about "$ink" 32 4 || complain "$ink % ink on the test page"

# Three printers at once, each with three jobs: it gets its own bytes.
gray='<< /PageSize [420 595] >> setpagedevice 0.5 setgray clippath fill'
for printer in one:pcl5:1 two:escp2:2 three:zpl-203:3; do
	IFS=: read -r printer driver number <<<"$printer"
	make_pdf $printer.pdf "$gray 0 setgray 0 ${number}00 200 90 rectfill showpage"
	add_printer $printer "$driver"
	prints Completed $printer $printer.pdf
	[[ -s printed-$printer ]] || complain "$printer prints nothing"
	cat printed-$printer printed-$printer printed-$printer >expected-$printer
	mv printed-$printer alone-$printer
done
begun=$(grep -c 'job-impressions-completed' log)
for number in 1 2 3; do
	for printer in one two three; do submit $printer $printer.pdf; done
done
all_ended() { (($(grep -c 'job-impressions-completed' log) == begun + 9)); }
wait_for 120 all_ended || complain "of nine jobs at once, not all end"
for printer in one two three; do
	cmp expected-$printer printed-$printer ||
		complain "beside others, $printer prints otherwise"
	pictures=$(find '100%d/cache/jobs' -name "$printer-*.png" | wc -l)
	((pictures == 4)) || complain "$pictures of 4 jobs of $printer have a picture"
done

# A printer that takes no data holds its own job only, and nothing of that is lost.
cat >stuck.py <<'END'
import os
import socket
import time

with socket.socket() as listener:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    with connection, open("printed-stuck", "wb") as file:
        while not os.path.exists("on"):
            time.sleep(0.02)
        while data := connection.recv(65536):
            file.write(data)
END
python3 stuck.py >stuck &
wait_for 20 test -s stuck || complain "no printer that is stuck"
add_printer stuck pcl5 "socket://127.0.0.1:$(cat stuck)"
make_pdf many.pdf "10 { $gray showpage } repeat"
: >printed-one
prints Completed one many.pdf
mv printed-one expected-stuck
submit stuck many.pdf
takes() { timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/stuck" \
	get-printer-attributes.test | grep -q 'printer-state (enum) = processing'; }
wait_for 20 takes || complain "the printer that is stuck has no job"
for number in 1 2 3; do
	: >printed-one
	prints Completed one one.pdf
	cmp alone-one printed-one || complain "beside a printer that is stuck, one prints otherwise"
done
takes || complain "a printer that takes no data has printed"
ended=$(grep -c 'job-impressions-completed' log)
touch on
wait_for 60 job_ended || complain "the printer goes on, and its job does not"
wait_for 20 cmp -s expected-stuck printed-stuck ||
	complain "a printer that was stuck got no whole job"
stop_app
finish
