#!/bin/bash
# Labels with barcodes are printed and read again (labels.py): 300 of them, 60 in contrib/check, and
# with --all 10000.  Pages without barcodes have the dots of blue-noise.  The queues print what the
# command does.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs zint ppdc
# Debian's own, which has the modules of Debian's packages.
python=/usr/bin/python3
if ! $python -c "import numpy, PIL, pyzbar.pyzbar, zxingcpp" 2>python.err; then
	echo "$(tail -n 1 python.err): install the packages python3-numpy python3-pil" \
		"python3-pyzbar python3-zxing-cpp"
	exit 77
fi
export PYTHONPATH=$source/tests/labels RIPTIDE_BUILD=$build

dots() # OUT SCREEN DPI PDF
{
	"$riptide" rip --workers 1 --printer thermal --screen "$2" -r "$3" -o "$1" "$4" || exit 99
}

# --- nothing else changes -----------------------------------------------------------------------
# Text, also with grey edges as of a scan, small letters that are below each other as in a table,
# and a picture.
cat >table.ps <<-'END'
	/Helvetica findfont 5 scalefont setfont
	820 -5.75 20 { 20 exch moveto
	(The quick brown fox jumps over 13 lazy dogs; ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 ) show
	(@&%#$ mmm iii lll |||| {}[] Waltz, nymph, for quick jigs vex Bud.) show } for
	showpage
END
cp "$source"/tests/bench/{text,photo}.ps .
for page in text table photo; do
	make_pdf $page.pdf "($page.ps) run" -dNOSAFER
	draw pnggray 203 scan.png $page.pdf -dTextAlphaBits=4 -dGraphicsAlphaBits=4
	draw pgmraw 203 scan.pgm $page.pdf -dTextAlphaBits=4 -dGraphicsAlphaBits=4
	for screen in labels blue-noise; do
		dots $screen.pbm $screen 203 $page.pdf
		"$riptide" halftone --screen $screen -o $screen-scan.pbm scan.pgm || exit 99
	done
	cmp labels.pbm blue-noise.pbm || complain "$page: other dots than blue-noise"
	cmp labels-scan.pbm blue-noise-scan.pbm ||
		complain "$page with grey edges: other dots than blue-noise"
done

# --- queues -------------------------------------------------------------------------------------
# The queue's greys are others than the command's, but labels can be read as well.
make_ppds
cat >queue.py <<-'END'
	import struct
	import sys
	import numpy as np
	from label import Label, document
	from labels import blow_up, pages, printed, read
	dpi = int(sys.argv[1])
	labels = [label for label in (Label("queue", n) for n in range(60)) if label.dpi == dpi]
	for label in labels:
	    label.make()
	labels = [label for label in labels if label.width <= 2 * dpi and label.height <= dpi]
	for label in labels:
	    label.width, label.height = 2 * dpi, dpi
	if len(sys.argv) == 2:
	    with open("queue.pdf", "wb") as file:
	        file.write(document(labels))
	    sys.exit()
	with open("command.pbm", "rb") as file:
	    command = pages(file.read())
	with open("queue.ras", "rb") as file:
	    data = file.read()
	at, queue = 4, []
	while at < len(data):
	    width, height = struct.unpack_from("=II", data, at + 372)
	    pitch, = struct.unpack_from("=I", data, at + 392)
	    at += 1796
	    rows = np.frombuffer(data, np.uint8, pitch * height, at).reshape(height, pitch)
	    at += pitch * height
	    queue.append(np.unpackbits(rows, axis=1)[:, :width].astype(bool))
	assert len(queue) == len(command) == len(labels) > 5
	misses = [sum(not read(label, printed(label, blow_up(page)))
	              for label, page in zip(labels, all_pages)) for all_pages in (queue, command)]
	print(f"{dpi} dpi: of {len(labels)} labels {misses[0]} missed with the queue, "
	      f"{misses[1]} with the command")
	sys.exit(misses[0] > misses[1] + 1)
END
for dpi in 203 300; do
	sed /riptideNextFilter/d "ppds/riptide-zpl-$dpi.ppd" >queue.ppd
	$python queue.py $dpi || exit 99
	PPD=$folder/queue.ppd "$build/pdftoriptide" 1 user title 1 PageSize=w144h72 \
		<queue.pdf >queue.ras 2>queue.log || complain "$dpi dpi: $(tail -n 3 queue.log)"
	grep -q "halftone-screen=labels" queue.log || complain "$dpi dpi: labels is not the default"
	dots command.pbm labels $dpi queue.pdf
	$python queue.py $dpi judge || complain "$dpi dpi: the queue prints worse labels"
done

# --- scanners -----------------------------------------------------------------------------------
[[ ! ${RIPTIDE_TEST_SHORT-} ]] || set -- --count 60 "$@"
$python "$source/tests/labels/labels.py" "$@" || complain "labels cannot be read"
finish
