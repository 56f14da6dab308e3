#!/bin/bash
# What riptide-printer-app prints of raster and pictures: PWG and Apple raster pixel for pixel, PNG
# and JPEG in the page.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need python3
seed=${RIPTIDE_TEST_SEED:-$RANDOM}
echo "# seed: RIPTIDE_TEST_SEED=$seed"

# Pages of A5 at 300 dpi in black and white, so that each pixel is a dot or none: page-N.pbm, and
# both of them as PWG and as Apple raster, in grey and in black.
python3 - "$seed" <<'END' || exit 99
import random
import struct
import sys

from pictures import raster_header

rng = random.Random(int(sys.argv[1]))
WIDTH, HEIGHT, DPI, SGRAY, K = 1750, 2479, 300, 18, 3


def compressed(rows):
    data = b""
    for row in rows:
        line = b""
        for at in range(0, WIDTH, 128):
            part = row[at:at + 128]
            line += (bytes([257 - len(part)]) if len(part) > 1 else b"\0") + part
        data += b"\0" + line
    return data


def page(number):
    rows = []
    for y in range(HEIGHT):
        if y % 9 == 0:
            row = bytes(rng.choice((0, 255)) for _ in range(WIDTH // 7)) * 8
        rows.append(row[:WIDTH])
    with open(f"page-{number}.pbm", "wb") as file:
        file.write(b"P4\n%d %d\n" % (WIDTH, HEIGHT))
        for row in rows:
            bits = int("".join("0" if x else "1" for x in row) + "00", 2)
            file.write(bits.to_bytes((WIDTH + 7) // 8, "big"))
    return rows


def header(space):
    page = bytearray(raster_header(">", WIDTH, HEIGHT, 8, space, 1, DPI))
    page[0:9] = b"PwgRaster"
    page[452:456] = struct.pack(">I", 1)
    page[1732:1748] = b"iso_a5_148x210mm"
    return bytes(page)


pages = [page(1), page(2)]
inverse = bytes(range(255, -1, -1))
with open("grey.pwg", "wb") as file:
    file.write(b"RaS2" + b"".join(header(SGRAY) + compressed(rows) for rows in pages))
with open("black.pwg", "wb") as file:
    rows = [row.translate(inverse) for row in pages[0]]
    file.write(b"RaS2" + header(K) + compressed(rows))
with open("grey.urf", "wb") as file:
    file.write(b"UNIRAST\0" + struct.pack(">I", 2))
    for rows in pages:
        file.write(struct.pack(">BBBBIIIII", 8, 0, 1, 4, 0, 0, WIDTH, HEIGHT, DPI) + bytes(8))
        file.write(compressed(rows))
END

cat >print.test <<'END'
{
	OPERATION Print-Job
	GROUP operation-attributes-tag
	ATTR charset attributes-charset utf-8
	ATTR language attributes-natural-language en
	ATTR uri printer-uri $uri
	ATTR name requesting-user-name me
	ATTR mimeMediaType document-format $filetype
	GROUP job-attributes-tag
	ATTR keyword media iso_a5_148x210mm
	FILE $filename
	STATUS successful-ok
	STATUS successful-ok-ignored-or-substituted-attributes
}
END

# send PRINTER FILE TYPE: a job that is printed.
send()
{
	state=
	ended=$(grep -c 'job-impressions-completed' log)
	: >"printed-$1"
	timeout 60 ipptool -tf "$2" -d filetype="$3" "ipp://localhost:$port/ipp/print/$1" \
		print.test >said 2>&1 || complain "$2 is not taken: $(cat said)"
	wait_for 60 job_ended
	[[ $state == Completed ]] || complain "$2 ends as $state: $(grep ' [EW] ' log | tail -n 2)"
	rm -f dots*
	"$build/tests/tools/decode-dots" "${4-raster}" "printed-$1" dots >said ||
		complain "$2: what is printed is no ${4-raster}"
}

start_app
add_printer pwg pwg
for file in grey.pwg:image/pwg-raster grey.urf:image/urf black.pwg:image/pwg-raster; do
	send pwg "${file%:*}" "${file#*:}"
	for dots in dots-*; do
		number=${dots#dots-}
		cmp "$dots" "page-${number%%-*}.pbm" ||
			complain "${file%:*}: other pixels on page ${number%%-*}"
	done
	pages=$([[ $file == grey* ]] && echo 2 || echo 1)
	grep -q "^$pages pages" said || complain "${file%:*}: not $pages pages: $(cat said)"
	grep 'Completed, job-impressions-completed' log | tail -n 1 |
		grep -q "job-impressions-completed=$pages\." || complain "${file%:*}: other pages"
done

# Pictures become a page with that much ink.
gs -q -dBATCH -dNOPAUSE -sDEVICE=jpeggray -r72 -g400x560 -sOutputFile=half.jpg \
	-c '0.5 setgray clippath fill showpage' || exit 99
gs -q -dBATCH -dNOPAUSE -sDEVICE=png16m -r72 -g400x560 -sOutputFile=half.png \
	-c '0.5 setgray clippath fill showpage' || exit 99
for file in half.jpg:image/jpeg half.png:image/png; do
	send pwg "${file%:*}" "${file#*:}"
	ink=$(sed -n 's/.*page 1: ink: K \([0-9.]*\) %.*/\1/p' log | tail -n 1)
	about "$ink" 45 1 || complain "${file%:*}: $ink % ink on the page"
done
stop_app
finish
