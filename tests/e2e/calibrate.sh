#!/bin/sh
# Charts and calibrations with queues: a chart reaches the printer dot by dot, as raster and as
# PDF; a calibration is written where filters find it, the queue is told, and --undo goes back.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

folder=$(mktemp -d) && chmod 755 "$folder" || exit 99 # filters run as lp
pc_start RIPTIDE_CALIBRATIONS="$folder/etc/riptide/calibration" || exit
RIPTIDE_CALIBRATIONS=$folder/etc/riptide/calibration
export RIPTIDE_CALIBRATIONS
pc_at_exit() # STATUS
{
	rm -rf "$folder"
}
riptide=$RIPTIDE_BUILD/riptide
command -v python3 >/dev/null || exit 77

pc_queue q riptide-raster || fail "no queue q"

echo "queues that print no chart"
mkdir "$folder/ppd" && ppdc -d "$folder/ppd" "$RIPTIDE_SOURCE/ppd/riptide.drv" >/dev/null || fail "ppdc"
sed "/cupsPreFilter/d; /cupsFilter.*pdftoriptide/d" "$folder/ppd/riptide-pcl5.ppd" >"$folder/foreign.ppd"
pc_queue foreign "$folder/foreign.ppd" || fail "no queue foreign"
pc_queue limited riptide-pcl5 || fail "no queue limited"
"$riptide" calibrate foreign --match 50=36 2>"$PC_DIR/said" && fail "foreign is calibrated"
grep -q "riptide adopt cannot change that: the PPD asks for contone" "$PC_DIR/said" || fail "foreign: $(cat "$PC_DIR/said")"
"$riptide" calibrate foreign --resolution 600 --screen clustered --printer laser --levels 2 --match 50=36 \
	2>"$PC_DIR/said" && fail "foreign is calibrated with all options"
"$riptide" target --queue foreign -o "$PC_DIR/no.ras" 2>"$PC_DIR/said" && fail "a chart for foreign"
grep -q "riptide adopt cannot change that: the PPD asks for contone" "$PC_DIR/said" || fail "foreign: $(cat "$PC_DIR/said")"
"$riptide" calibrate limited --levels 4 --match 50=36 2>"$PC_DIR/said" && fail "limited has 4 levels"
grep -q "limited prints at most 2 levels" "$PC_DIR/said" || fail "limited: $(cat "$PC_DIR/said")"
[ ! -e "$folder/etc" ] || fail "a queue that was refused has a calibration"

echo "a chart as raster"
"$riptide" target --queue q -o "$PC_DIR/chart.ras" 2>"$PC_DIR/said" || fail "no chart for q"
grep -q "^Print it: lp -d q $PC_DIR/chart.ras$" "$PC_DIR/said" && grep -q "^Then: sudo riptide calibrate q" "$PC_DIR/said" ||
	fail "what comes next: $(cat "$PC_DIR/said")"
print q "$PC_DIR/chart.ras"
"$riptide" halftone --screen bi-level -o "$PC_DIR/dots.ras" "$PC_DIR/chart.ras" || fail "no dots"
cmp "$PC_DIR/dots.ras" "$PC_DIR/out/q" || fail "the printer has got other dots"

# The printer leaves margins free, which are cut off: the chart is a part of the page.
echo "a chart as PDF"
"$riptide" target -o "$PC_DIR/chart.pdf" || fail "no PDF"
"$riptide" target --format pbm -o "$PC_DIR/chart.pbm" || fail "no PBM"
print q "$PC_DIR/chart.pdf" -o media=A4 -o print-scaling=none -o cm-calibration
python3 - "$PC_DIR/chart.pbm" "$PC_DIR/out/q" <<'END' || fail "the PDF's dots have changed on their way"
import struct, sys
def rows(data, width, height):
    pitch = (width + 7) // 8
    bits = [bin(int.from_bytes(data[y * pitch:(y + 1) * pitch], "big"))[2:].zfill(pitch * 8)[:width]
            for y in range(height)]
    bits = [row.rstrip("0") for row in bits]
    while bits and not bits[0]: bits.pop(0)
    while bits and not bits[-1]: bits.pop()
    left = min(len(row) - len(row.lstrip("0")) for row in bits if row)
    return [row[left:] for row in bits]
pbm = open(sys.argv[1], "rb").read().split(b"\n", 2)
width, height = map(int, pbm[1].split())
raster = open(sys.argv[2], "rb").read()
header = raster[4:4 + 1796]
w, h = struct.unpack("<II", header[372:380])
assert rows(pbm[2], width, height) == rows(raster[4 + 1796:], w, h)
END

echo "the ink of a queue"
CUPS_CACHEDIR=$PC_DIR/cache "$riptide" status --ink >"$PC_DIR/ink" || fail "status --ink"
grep -qE '^QUEUE .* K cm2$' "$PC_DIR/ink" || fail "no black ink: $(cat "$PC_DIR/ink")"
grep -qE '^q +[0-9-]+ +2 +2 +[0-9]' "$PC_DIR/ink" || fail "the ink: $(cat "$PC_DIR/ink")"

echo "a chart of 4 levels"
"$riptide" target --queue q --levels 4 -o "$PC_DIR/four.ras" || fail "no chart of 4 levels"
print q "$PC_DIR/four.ras" -o halftone-levels=4 -o halftone-screen=blue-noise
"$riptide" halftone --levels 4 --screen clustered -o "$PC_DIR/dots.ras" "$PC_DIR/four.ras" || fail "no dots"
cmp "$PC_DIR/dots.ras" "$PC_DIR/out/q" || fail "the printer has got other dots of 4 levels"

default() # QUEUE
{
	lpoptions -p "$1" | tr ' ' '\n' | sed -n 's/^halftone-calibration=//p'
}

# Whether cupsd refuses, or takes, a change of a queue.  Without a terminal, so that nothing asks for
# a password.
refused()
{
	setsid -w "$riptide" calibrate q --name matt --force --match 50=33 >"$PC_DIR/said" 2>&1 && return 1
	grep -q "cannot change the queue" "$PC_DIR/said"
}

accepted()
{
	lpadmin -p q -E 2>"$PC_DIR/said"
}

echo "calibrations"
(umask 077 && "$riptide" calibrate q --force --match 50=36) >"$PC_DIR/said" || fail "q cannot be calibrated"
[ "$(stat -c %a "$RIPTIDE_CALIBRATIONS" "$folder/etc/riptide" "$folder/etc" | uniq)" = 755 ] || fail "filters cannot enter the folder"
[ "$(default q)" = q ] || fail "q has the calibration $(default q)"
grep -q RIPTIDE_MODEL_K "$RIPTIDE_CALIBRATIONS/q.cal" || fail "no calibration"
[ "$(stat -c %a "$RIPTIDE_CALIBRATIONS/q.cal")" = 644 ] || fail "filters cannot read it"
cp "$RIPTIDE_CALIBRATIONS/q.cal" "$PC_DIR/first.cal"
(umask 077 && "$riptide" calibrate q --force --match 50=30) >"$PC_DIR/said" || fail "not twice"
[ "$(stat -c %a "$RIPTIDE_CALIBRATIONS/q.cal")" = 644 ] || fail "filters cannot read the second"
cmp -s "$PC_DIR/first.cal" "$RIPTIDE_CALIBRATIONS/q.cal" && fail "the second is the first"
"$riptide" calibrate --undo q >"$PC_DIR/said" || fail "no undo"
cmp "$PC_DIR/first.cal" "$RIPTIDE_CALIBRATIONS/q.cal" || fail "undo brings not the first back"
"$riptide" calibrate --undo q >"$PC_DIR/said" || fail "no second undo"
[ ! -e "$RIPTIDE_CALIBRATIONS/q.cal" ] || fail "undo leaves the calibration"
[ -z "$(default q)" ] || fail "q still has the calibration $(default q)"
"$riptide" calibrate --undo q 2>"$PC_DIR/said" && fail "undo of nothing"
grep -q "has no calibration" "$PC_DIR/said" || fail "undo of nothing: $(cat "$PC_DIR/said")"
"$riptide" calibrate q --name matt --force --match 50=30 >"$PC_DIR/said" || fail "no name"
[ "$(default q)" = matt ] && [ -e "$RIPTIDE_CALIBRATIONS/matt.cal" ] || fail "not matt, but $(default q)"

# What was there: a name, its file, and what --undo would bring back.
state()
{
	default q
	cat "$RIPTIDE_CALIBRATIONS"/*.cal* | grep -v CREATED
	find "$RIPTIDE_CALIBRATIONS" | sort
}

echo "readings that nothing confirms"
"$riptide" calibrate q --force --match 50=36 >"$PC_DIR/said" || fail "no calibration of q"
state >"$PC_DIR/before"
"$riptide" calibrate q --match 50=12 >"$PC_DIR/said" 2>&1 </dev/null && fail "one reading changes the queue"
grep -q "one reading alone may be an error, so the queue q prints as before: .*--force" "$PC_DIR/said" ||
	fail "one reading: $(cat "$PC_DIR/said")"
"$riptide" calibrate q --match 50=60,25=6 >"$PC_DIR/said" 2>&1 </dev/null && fail "doubtful readings change the queue"
grep -q "K: the readings do not agree, so the queue q" "$PC_DIR/said" || fail "doubtful readings: $(cat "$PC_DIR/said")"
if command -v script >/dev/null; then
	echo n | script -qec "'$riptide' calibrate q --match 50=12" /dev/null >"$PC_DIR/said" 2>&1 && fail "n is a yes"
	grep -q "Change the queue q all the same" "$PC_DIR/said" || fail "nobody was asked: $(cat "$PC_DIR/said")"
	state | cmp - "$PC_DIR/before" || fail "doubtful readings changed the queue"
	echo y | script -qec "'$riptide' calibrate q --match 50=30" /dev/null >"$PC_DIR/said" 2>&1 || fail "y is a no: $(cat "$PC_DIR/said")"
	"$riptide" calibrate --undo q >"$PC_DIR/said" || fail "no undo of y"
	grep -q "undone: it prints with the one before it again" "$PC_DIR/said" || fail "undo says $(cat "$PC_DIR/said")"
fi
state | cmp - "$PC_DIR/before" || fail "doubtful readings changed the queue"
"$riptide" calibrate q --match 50=36,25=17 >"$PC_DIR/said" </dev/null || fail "readings that agree: $(cat "$PC_DIR/said")"
"$riptide" calibrate --undo q >"$PC_DIR/said" && "$riptide" calibrate --undo q >"$PC_DIR/said" || fail "no undo"

echo "more defaults than a job may have"
long=$(printf %0200d 0)
pc_queue many riptide-raster || fail "no queue many"
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	lpadmin -p many -o "halftone-of-others-$i-default=$long" || fail "no default"
done
"$riptide" target --queue many -o "$PC_DIR/no.ras" 2>"$PC_DIR/said" && fail "defaults are cut off"
grep -q "the queue many has more defaults" "$PC_DIR/said" || fail "many: $(cat "$PC_DIR/said")"

echo "--undo after --name"
"$riptide" calibrate q --name gloss --force --match 50=28 >"$PC_DIR/said" || fail "no second name"
[ "$(default q)" = gloss ] || fail "not gloss, but $(default q)"
cp "$PC_DIR/first.cal" "$RIPTIDE_CALIBRATIONS/q.cal"
"$riptide" calibrate --undo q >"$PC_DIR/said" || fail "no undo of gloss: $(cat "$PC_DIR/said")"
[ "$(default q)" = matt ] || fail "undo of gloss brings not matt back, but $(default q)"
[ ! -e "$RIPTIDE_CALIBRATIONS/gloss.cal" ] || fail "undo leaves gloss"
[ -e "$RIPTIDE_CALIBRATIONS/q.cal" ] || fail "undo removes a calibration that was not in use"
rm "$RIPTIDE_CALIBRATIONS/q.cal"

echo "a calibration of another queue"
pc_queue second riptide-raster || fail "no second queue"
lpadmin -p second -o halftone-calibration-default=matt || fail "no default of the second queue"
state >"$PC_DIR/before"
"$riptide" calibrate second --name matt --force --match 50=40 2>"$PC_DIR/said" && fail "takes another queue's calibration"
grep -q "is of the queue q: choose another --name" "$PC_DIR/said" || fail "another queue's: $(cat "$PC_DIR/said")"
"$riptide" calibrate --undo second 2>"$PC_DIR/said" && fail "undoes another queue's calibration"
grep -q "is of the queue q: undo it there" "$PC_DIR/said" || fail "another queue's undo: $(cat "$PC_DIR/said")"
state | cmp - "$PC_DIR/before" || fail "another queue's calibration has changed"
[ "$(default second)" = matt ] || fail "the second queue has lost its calibration"
# Of a queue that is deleted.
pc_queue gone riptide-raster || fail "no third queue"
"$riptide" calibrate gone --name old --force --match 50=40 >"$PC_DIR/said" 2>&1 || fail "gone: $(cat "$PC_DIR/said")"
"$riptide" calibrate second --name old --force --match 50=40 2>"$PC_DIR/said" && fail "takes the calibration of gone"
lpadmin -x gone || fail "gone is not deleted"
"$riptide" calibrate second --name old --force --match 50=40 >"$PC_DIR/said" 2>&1 || fail "old: $(cat "$PC_DIR/said")"
"$riptide" calibrate --undo second >"$PC_DIR/said" 2>&1 || fail "no undo of old: $(cat "$PC_DIR/said")"
[ "$(default second)" = matt ] || fail "undo of old brings not matt back, but $(default second)"
rm -f "$RIPTIDE_CALIBRATIONS"/old.cal*
# A name that cannot stand in the file.
lpadmin -p größe -E -v file:///dev/null -P "$PC_DIR/etc/ppd/q.ppd" 2>/dev/null || fail "no queue größe"
"$riptide" calibrate größe --name large --force --match 50=40 >"$PC_DIR/said" 2>&1 || fail "größe: $(cat "$PC_DIR/said")"
"$riptide" calibrate --undo größe >"$PC_DIR/said" 2>&1 || fail "no undo of größe: $(cat "$PC_DIR/said")"
[ ! -e "$RIPTIDE_CALIBRATIONS/large.cal" ] || fail "undo leaves the calibration of größe"

echo "failures on the way"
state >"$PC_DIR/before"
"$riptide" calibrate q --name matt --force --match 50=31 >"$PC_DIR/said" || fail "matt not twice"
"$riptide" calibrate --undo q >"$PC_DIR/said" || fail "no undo of the second matt"
state | cmp - "$PC_DIR/before" || fail "undo of the second matt brings not the first back"
"$riptide" calibrate q --name matt --force --match 50=31 >"$PC_DIR/said" || fail "matt not three times"
state >"$PC_DIR/before"
# A full disk, which only the calibration meets: libcups does not copy a PPD that lies in its own folder.
said=$(trap '' XFSZ && ulimit -f 0 && CUPS_SERVERROOT=$PC_DIR/etc "$riptide" calibrate q --name matt --force --match 50=33 \
	--resolution 600 --screen blue-noise --printer laser --levels 2 2>&1)
case $said in *"cannot write"*) ;; *) fail "a full disk: $said" ;; esac
state | cmp - "$PC_DIR/before" || fail "a full disk changes the queue"
# A cupsd that lets nobody change queues.
"$riptide" calibrate q --name gloss --force --match 50=28 >"$PC_DIR/said" || fail "no gloss"
state >"$PC_DIR/before"
sed -i 's|<Limit All>|<Limit CUPS-Add-Modify-Printer>\n    AuthType None\n    Require user somebody\n  </Limit>\n  &|' \
	"$PC_DIR/etc/cupsd.conf"
kill -HUP "$PC_CUPSD"
pc_wait_for 20 refused || fail "cupsd refuses nothing: $(cat "$PC_DIR/said")"
setsid -w "$riptide" calibrate --undo q 2>"$PC_DIR/said" && fail "undo without rights"
grep -q "cannot change the queue q: .*: run this with sudo, or as a member of a group" "$PC_DIR/said" ||
	fail "without rights: $(cat "$PC_DIR/said")"
state | cmp - "$PC_DIR/before" || fail "a calibration that cupsd refuses changes the queue"
sed -i '/Require user/d' "$PC_DIR/etc/cupsd.conf"
kill -HUP "$PC_CUPSD"
pc_wait_for 20 accepted || fail "cupsd does not accept again: $(cat "$PC_DIR/said")"

# The curve of a calibration as a tone curve for riptide halftone.
column()
{
	awk '/^BEGIN_DATA$/ { on = 1; next } /^END_DATA$/ { exit } on { printf "%.0f\n", 65535 * $2 }' "$1"
}

# right NAME TARGET: a page printed with this calibration has the dots of its curve.
right()
{
	column "$RIPTIDE_CALIBRATIONS/$1.cal" >"$PC_DIR/curve"
	print q "$PC_DIR/page.pdf" -o media=A6 -o halftone-calibration="$1" -o halftone-target="$2"
	"$riptide" halftone --screen "$(screen_of raster)" --curve "$PC_DIR/curve" -o "$PC_DIR/dots.ras" \
		"$PC_DIR/tap/$PC_JOB" || fail "no dots of $1"
	cmp "$PC_DIR/dots.ras" "$PC_DIR/out/q" || fail "$1 is not the curve that was printed with"
	pc_log "$PC_JOB" | grep -q "tones: calibration $1" || fail "the log does not tell of $1"
}

echo "pages with calibrations"
tap
make_pdf "$PC_DIR/page.pdf" 298 420
"$riptide" calibrate q --force --match 50=36,25=17 >"$PC_DIR/said" || fail "q cannot be calibrated"
right q linear
"$riptide" calibrate q --name argyll "$RIPTIDE_SOURCE/tests/tone/argyll/printcal-k.cal" \
	>"$PC_DIR/said" || fail "printcal's calibration is not taken"
right argyll linear
right argyll print # a finished curve has its own target

# warned WORDS: the page comes out without a calibration, after one warning.
warned()
{
	print q "$PC_DIR/page.pdf" -o media=A6 -o halftone-calibration="$1"
	[ "$(pc_log "$PC_JOB" | grep -c '^W ')" = 1 ] && pc_log "$PC_JOB" | grep '^W ' | grep -q -- "$2" ||
		fail "halftone-calibration=$1: no warning, or others: $(pc_log "$PC_JOB" | grep '^W ')"
	"$riptide" halftone --screen "$(screen_of raster)" -o "$PC_DIR/dots.ras" "$PC_DIR/tap/$PC_JOB"
	cmp "$PC_DIR/dots.ras" "$PC_DIR/out/q" || fail "halftone-calibration=$1 has printed another page"
}
warned nothing "cannot open it"
warned ../../../q "letters, digits"
chmod 666 "$RIPTIDE_CALIBRATIONS/argyll.cal"
warned argyll "others than its owner"
chmod 644 "$RIPTIDE_CALIBRATIONS/argyll.cal"
sed -i 's/^ 1.000000000 .*/ 1.000000000 0.5/' "$RIPTIDE_CALIBRATIONS/argyll.cal"
column "$RIPTIDE_CALIBRATIONS/argyll.cal" | tail -n 1 | grep -q 32768 || fail "the curve does not fall"
warned argyll "falls"

echo "a queue's own screen and class of printer"
pc_queue laser riptide-pcl5 || fail "no queue laser"
"$riptide" calibrate laser --force --match 50=36 >"$PC_DIR/said" || fail "laser cannot be calibrated"
grep -q "on clustered" "$PC_DIR/said" || fail "laser: $(cat "$PC_DIR/said")"
pc_queue label riptide-zpl-203 || fail "no queue label"
lpadmin -p label -o riptideDotGain=20 2>"$PC_DIR/said" || fail "label: no points"
"$riptide" calibrate label --force --match 50=36 >"$PC_DIR/said" || fail "label cannot be calibrated"
grep -q "thermal.*dot gain" "$PC_DIR/said" && grep -q "on blue-noise" "$PC_DIR/said" ||
	fail "label: $(cat "$PC_DIR/said")"
lpadmin -p label -o halftone-screen-default=clustered 2>"$PC_DIR/said" || fail "label: no default"
"$riptide" calibrate label --force --match 50=36 >"$PC_DIR/said" 2>"$PC_DIR/warned" || fail "label cannot be calibrated"
# Its PPD says something else, as lpadmin and CUPS's web interface show it.
[ "$(cat "$PC_DIR/warned")" = "riptide: label: its default halftone-screen=clustered counts, and not \
halftone-screen=blue-noise of its PPD; lpadmin -p label -R halftone-screen-default removes it" ] ||
	fail "two defaults: $(cat "$PC_DIR/warned")"
make_pdf "$PC_DIR/page.pdf" 288 432
"$riptide" preview --json --queue label "$PC_DIR/page.pdf" >/dev/null 2>"$PC_DIR/shown"
cmp "$PC_DIR/shown" "$PC_DIR/warned" || fail "preview of two defaults: $(cat "$PC_DIR/shown")"
lpadmin -p label -o halftone-screen=clustered 2>/dev/null || fail "label: no default of the PPD"
"$riptide" target --queue label -o "$PC_DIR/label.ras" 2>"$PC_DIR/warned" || fail "no chart for label"
! grep -q "its default" "$PC_DIR/warned" || fail "two equal defaults: $(cat "$PC_DIR/warned")"
grep -q "on clustered" "$PC_DIR/said" || fail "label with a default: $(cat "$PC_DIR/said")"

echo "more defaults than fit"
long=$(printf '%0250d' 0)
for i in 1 2 3 4 5 6 7 8 9; do
	lpadmin -p laser -o "riptide-$i-default=x$long" 2>/dev/null || fail "no default riptide-$i"
done
"$riptide" calibrate laser --match 50=36 >"$PC_DIR/said" 2>&1 && fail "a part of the defaults is taken"
grep -q "^riptide: the queue laser has more defaults" "$PC_DIR/said" || fail "laser: $(cat "$PC_DIR/said")"
for i in 1 2 3 4 5 6 7 8 9; do
	lpadmin -p laser -R "riptide-$i-default" || fail "riptide-$i stays"
done

echo "a class"
lpadmin -p laser -c pool || fail "no class"
for what in "pool --match 50=36" "--undo pool"; do
	# shellcheck disable=SC2086 # words
	"$riptide" calibrate $what >"$PC_DIR/said" 2>&1 && fail "a class is calibrated"
	[ "$(cat "$PC_DIR/said")" = "riptide: pool is a class; what counts are its queues: laser" ] ||
		fail "a class: $(cat "$PC_DIR/said")"
done

echo "a queue that does not exist"
"$riptide" calibrate nobody --force --match 50=30 --resolution 600 --screen blue-noise --printer laser \
	2>"$PC_DIR/said" && fail "nobody is calibrated"
[ "$(wc -l <"$PC_DIR/said")" = 1 ] || fail "nobody: $(cat "$PC_DIR/said")"
"$riptide" calibrate --undo nobody 2>"$PC_DIR/said" && fail "nobody's calibration is undone"
lpstat -p nobody 2>/dev/null && fail "nobody exists now"
"$riptide" calibrate nobody --force --match 50=30 2>"$PC_DIR/said" && fail "nobody is calibrated"
[ "$(wc -l <"$PC_DIR/said")" = 1 ] || fail "nobody: $(cat "$PC_DIR/said")"
[ ! -e "$RIPTIDE_CALIBRATIONS/nobody.cal" ] || fail "nobody has a calibration"
"$riptide" target --queue nobody -o "$PC_DIR/no.ras" 2>"$PC_DIR/said" && fail "nobody has a chart"
[ "$(wc -l <"$PC_DIR/said")" = 1 ] || fail "nobody: $(cat "$PC_DIR/said")"
exit 0
