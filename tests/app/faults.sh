#!/bin/bash
# What may go wrong with a job ends that job, with a reason, and nothing else: documents that are
# none, filters that are killed, printers that go away, a server that is killed.  Afterwards the
# next job prints what the first one did.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need python3

# A printer on a socket: each connection's data goes to sink-N.  While there is a file "short", it
# closes connections after 1000 bytes; while there is a file "away", it is not there.
cat >sink.py <<'END'
import os
import socket
import sys
import time

port, number = int(sys.argv[1]), 0
while True:
    while os.path.exists("away"):
        time.sleep(0.02)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(5)
        listener.settimeout(0.05)
        while not os.path.exists("away"):
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            connection.settimeout(60)
            number += 1
            short = os.path.exists("short")
            if short:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                      (1).to_bytes(4, "little") + bytes(4))
            with connection, open(f"sink-{number}", "wb") as file:
                while data := connection.recv(1000 if short else 65536):
                    file.write(data)
                    if short:
                        break
END

good()
{
	: >printed-file
	prints Completed file page.pdf
	[[ -s printed-file ]] && cmp "${1-printed-file}" printed-file ||
		complain "the next job is not printed as the first one"
}

# reason WORDS: a job's state says so.
cat >jobs.test <<'END'
{
	OPERATION Get-Jobs
	GROUP operation-attributes-tag
	ATTR charset attributes-charset utf-8
	ATTR language attributes-natural-language en
	ATTR uri printer-uri $uri
	ATTR keyword which-jobs completed
	ATTR keyword requested-attributes all
}
END
reason()
{
	timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/$1" jobs.test >states 2>&1
	grep -q "job-state-message.*$2" states ||
		complain "no job on $1 says \"$2\": $(grep state-message states | head -n 3)"
}

start_app
add_printer file pcl5
sink=$(python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
python3 sink.py "$sink" &
add_printer socket pcl5 "socket://127.0.0.1:$sink"
draws='0.5 setgray 30 30 200 200 rectfill 0 setgray 50 50 50 50 rectfill showpage'
make_pdf page.pdf "<< /PageSize [300 300] >> setpagedevice $draws"
good
cp printed-file first

# --- documents that are none ---------------------------------------------------------------------
python3 - <<'END' || exit 99
import struct
from pictures import PNG, png_chunk, raster_header

page = open("page.pdf", "rb").read()


def save(name, *parts):
    with open("junk-" + name, "wb") as file:
        for part in parts:
            file.write(part)


def pwg(width, height, bits=8, space=18, dpi=600):
    header = bytearray(raster_header(">", width, height, bits, space, 1, dpi))
    header[:9] = b"PwgRaster"
    return b"RaS2" + bytes(header)


save("half.pdf", page[:len(page) // 2])
save("noise.pdf", b"%PDF-1.4\n", bytes(i * 7919 % 251 for i in range(20000)))
save("none.pdf", b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
save("empty.pdf")
save("text.octet", b"A text.\n")
save("pcl.octet", b"\033E\033*p0x0YPCL\f\033E")
save("header.jpg", bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb"))
save("short.png", PNG, png_chunk(b"IHDR", struct.pack(">IIBBBBB", 3000, 3000, 8, 0, 0, 0, 0)))
save("wide.png", PNG, png_chunk(b"IHDR", struct.pack(">IIBBBBB", 1 << 30, 9, 8, 2, 0, 0, 0)),
     png_chunk(b"IDAT", bytes(100)))
# All lines come: for those that do not, PAPPL waits a minute.
white = b"\x7f\xff" # 128 bytes
save("bits.pwg", pwg(1024, 3, 1, 3), (b"\0" + white) * 3)
save("dpi.pwg", pwg(1280, 3, dpi=0), (b"\0" + white * 10) * 3)
save("space.pwg", pwg(1280, 3, space=15), (b"\0" + white * 10) * 3)
save("none.urf", b"UNIRAST\0", bytes(100))
END
cat >junk.test <<'END'
{
	OPERATION Print-Job
	GROUP operation-attributes-tag
	ATTR charset attributes-charset utf-8
	ATTR language attributes-natural-language en
	ATTR uri printer-uri $uri
	ATTR name requesting-user-name me
	ATTR mimeMediaType document-format $filetype
	FILE $filename
}
END
idle() { ! timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/file" \
	get-printer-attributes.test | grep -q 'queued-job-count (integer) = [1-9]'; }
declare -A types=([pdf]=application/pdf [octet]=application/octet-stream [jpg]=image/jpeg
	[png]=image/png [pwg]=image/pwg-raster [urf]=image/urf)
for file in junk-*; do
	timeout 60 ipptool -tf "$file" -d filetype="${types[${file##*.}]}" \
		"ipp://localhost:$port/ipp/print/file" junk.test >said 2>&1
	wait_for 60 idle || complain "$file does not end"
	gone $server && complain "the server ended at $file"
done
junk=(junk-*)
((${#junk[@]} == 13)) || complain "${#junk[@]} kinds of junk"
good first
reason file "imagetopdf"
reason file "The raster has 8 bits a pixel in colour space 15"

# --- printers that go away -----------------------------------------------------------------------
prints Completed socket page.pdf
touch short
prints Aborted socket page.pdf
reason socket "takes no more data"
rm short
touch away
sleep .2
submit socket page.pdf
stopped() { timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/socket" \
	get-printer-attributes.test | grep -q 'printer-state (enum) = stopped'; }
wait_for 30 stopped || complain "the printer is away, and its state does not say so"
good first # on the other one, meanwhile
ended=$(grep -c 'job-impressions-completed' log)
rm away
wait_for 60 job_ended && [[ $state == Completed ]] ||
	complain "the job does not go on when the printer is there again"
last=$(find . -name 'sink-*' -newer first | sort -V | tail -n 1)
cmp first "$last" || complain "the printer that came back got something else"

# --- no room for raster: the job says so, and the queue goes on -----------------------------------
python3 - <<'END'
import struct
row = b"\0" + bytes([127, 200]) * 19 + bytes([47, 200])
with open("page.urf", "wb") as file:
    file.write(b"UNIRAST\0" + struct.pack(">I", 1))
    file.write(struct.pack(">BBBBIIIII", 8, 0, 1, 4, 0, 0, 2480, 3508, 300) + bytes(8) + row * 3508)
END
mv state/spool kept
: >state/spool
prints Aborted file page.urf
grep -q "The pages do not fit into $folder/state/spool: Not a directory" log ||
	complain "nothing is said of the spool"
rm state/spool
mv kept state/spool
prints Completed file page.urf

# --- a server whose port is none, or another server's ---------------------------------------------
for wrong in 80x1 0 65536 "$port"; do
	timeout 20 "$program" server -o listen-hostname=127.0.0.1 -o server-port="$wrong" \
		-o state-directory="$folder/other" >said 2>&1 && complain "server-port=$wrong works"
	grep -q "^riptide-printer-app: .*\(no number\|cannot listen\)" said ||
		complain "server-port=$wrong: $(cat said)"
done
timeout 20 "$program" server -o log-level=loud -o server-port="$port" \
	-o state-directory="$folder/other" >said 2>&1 && complain "log-level=loud works"
grep -q '^riptide-printer-app: log-level=loud: it is debug,' said || complain "loud: $(cat said)"

# --- names of jobs that look like lines of the file of printers, where they are cut, too ----------
printf -v quotes '%1000s' ''
for name in $'a"\nPassword evil\n</Printer>\nPassword evil' "${quotes// /\"}Password evil"; do
	prints Completed file page.pdf -t "$name"
done
wait_for 10 grep -qF '\"\"' state/printers.state || complain "the job is not saved"
[[ $(grep -c '^Password' state/printers.state) == 1 &&
	$(grep -c 'Password evil' state/printers.state) == 1 ]] ||
	complain "the name of a job makes lines of its own: $(grep evil state/printers.state)"
awk 'length > 2000 { exit 1 }' state/printers.state || complain "the name of a job makes long lines"

# --- filters that are killed, and jobs that are canceled -----------------------------------------
mv bin/filter/pdftopdf real
printf '#!/bin/sh\necho $$ >%s/pid\nexec sleep 100\n' "$folder" >bin/filter/pdftopdf
chmod 755 bin/filter/pdftopdf
hangs()
{
	rm -f pid
	submit file page.pdf
	wait_for 30 test -s pid || complain "no filter is started"
	filter=$(cat pid)
}
hangs
kill -KILL "$filter"
wait_for 30 job_ended && [[ $state == Aborted ]] || complain "a killed filter: job $state"
reason file "killed by signal 9"
hangs
timeout 60 "$program" cancel -u "ipp://localhost:$port/ipp/print/file" -j "$job" >said 2>&1 ||
	complain "the job is not canceled: $(cat said)"
wait_for 30 job_ended && [[ $state == Canceled ]] || complain "a canceled job ends as $state"
gone "$filter" || complain "the filter of a canceled job lives on"

# --- a server that is killed: another one has its printers, defaults and the job ----------------
timeout 60 "$program" modify -d file \
	-o halftone-screen=blue-noise >said 2>&1 || complain "no default is set: $(cat said)"
hangs
wait_for 10 eval 'grep -q "Job.*state=.[345]" state/printers.state' ||
	complain "the job is not saved"
grep -q blue-noise state/printers.state || complain "the default is not saved"
kill -KILL $server
wait_for 10 gone "$filter" || complain "a filter outlives the server"
mv real bin/filter/pdftopdf
: >printed-file
start_app
wait_for 60 eval '[[ -s printed-file ]] && idle' || complain "the job of the killed server is lost"
cmp -s first printed-file && complain "the new server has not kept the default"
[[ $("$program" printers | sort | paste -sd' ') == 'file socket' ]] ||
	complain "the new server has not kept the printers"

# --- memory: many jobs, of filters that do nothing -----------------------------------------------
jobs=$([[ ${RIPTIDE_TEST_SHORT-} ]] && echo 50 || echo 1000)
rm -f bin/filter/pdftopdf # a link to the system's
printf '#!/bin/sh\nexec cat "$6"\n' >bin/filter/pdftopdf
printf '#!/bin/sh\necho "PAGE: 1 1" >&2\nexec cat\n' >bin/filter/pdftoriptide
chmod 755 bin/filter/pdftopdf bin/filter/pdftoriptide
memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$server/status; }
many() { for ((i = 0; i < $1; i++)); do prints Completed file page.pdf; done; }
many $((jobs / 2))
before=$(memory)
descriptors=(/proc/"$server"/fd/*)
many $((jobs / 2))
after=$(memory)
echo "$jobs jobs: $before KiB, then $after KiB"
# A job that PAPPL keeps takes some KiB.
((after - before < 20 * jobs && after - before < 4000)) || complain "memory grows from job to job"
now=(/proc/"$server"/fd/*)
((${#now[@]} <= ${#descriptors[@]} + 2)) || complain "descriptors leak: ${#now[@]}"
stop_app
finish
