#!/bin/sh
# Charts and calibrations with queues: a chart reaches the printer dot by dot, as raster and as
# PDF; a calibration is written where filters find it, the queue is told, and --undo goes back.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

folder=$(mktemp -d) && chmod 755 "$folder" || exit 99 # filters run as lp
begin RIPTIDE_CALIBRATIONS="$folder/etc/riptide/calibration"
RIPTIDE_CALIBRATIONS=$folder/etc/riptide/calibration
export RIPTIDE_CALIBRATIONS
pc_at_exit() # STATUS
{
	rm -rf "$folder"
}
command -v python3 >/dev/null || exit 77

# works ARGUMENT...: riptide calibrate, whose words are in said.
works()
{
	"$riptide" calibrate "$@" >said 2>&1 || fail "calibrate $*: $(cat said)"
}

# fails WORDS COMMAND ARGUMENT...: of riptide.
fails()
{
	local words=$1

	shift
	! "$riptide" "$@" >said 2>&1 </dev/null || fail "riptide $* does not fail"
	grep -q -- "$words" said || fail "riptide $* says not \"$words\": $(cat said)"
}

# default_is QUEUE CALIBRATION
default_is()
{
	[ "$(lpoptions -p "$1" | tr ' ' '\n' | sed -n 's/^halftone-calibration=//p')" = "$2" ] ||
		fail "$1 has not the calibration $2: $(lpoptions -p "$1")"
}

# is_as_before WHAT: calibrations and the queue's default are those of before.
is_as_before()
{
	state | cmp - before || fail "$1"
}

queue q riptide-raster

echo "queues that print no chart"
mkdir "$folder/ppd" && ppdc -d "$folder/ppd" "$RIPTIDE_SOURCE/ppd/riptide.drv" >/dev/null ||
	fail "ppdc"
sed "/cupsPreFilter/d; /riptideNextFilter/d; /cupsFilter.*pdftoriptide/d" \
	"$folder/ppd/riptide-pcl5.ppd" >"$folder/foreign.ppd"
queue foreign "$folder/foreign.ppd"
queue limited riptide-pcl5
reason="riptide adopt cannot change that: the PPD asks for contone"
fails "$reason" calibrate foreign --match 50=36
fails "$reason" calibrate foreign --resolution 600 --screen clustered --printer laser --levels 2 \
	--match 50=36
fails "$reason" target --queue foreign -o no.ras
fails "limited prints at most 2 levels" calibrate limited --levels 4 --match 50=36
[ ! -e "$folder/etc" ] || fail "a queue that was refused has a calibration"

echo "a chart as raster"
"$riptide" target --queue q -o chart.ras 2>said || fail "no chart for q"
grep -q "^Print it: lp -d q chart.ras$" said && grep -q "^Then: sudo riptide calibrate q" said ||
	fail "what comes next: $(cat said)"
print q chart.ras
"$riptide" halftone --screen bi-level -o dots.ras chart.ras || fail "no dots"
cmp dots.ras out/q || fail "the printer has got other dots"

# The printer leaves margins free, which are cut off: the chart is a part of the page.
echo "a chart as PDF"
"$riptide" target -o chart.pdf || fail "no PDF"
"$riptide" target --format pbm -o chart.pbm || fail "no PBM"
print q chart.pdf -o media=A4 -o print-scaling=none -o cm-calibration
python3 - chart.pbm out/q <<'END' || fail "the PDF's dots have changed on their way"
import struct, sys
from pictures import read_pbm
def rows(bits):
    bits = [row.rstrip("0") for row in bits]
    while bits and not bits[0]: bits.pop(0)
    while bits and not bits[-1]: bits.pop()
    left = min(len(row) - len(row.lstrip("0")) for row in bits if row)
    return [row[left:] for row in bits]
raster = open(sys.argv[2], "rb").read()
width, height = struct.unpack("<II", raster[376:384])
with open("printed.pbm", "wb") as out:
    out.write(b"P4\n%d %d\n" % (width, height) + raster[1800:])
assert rows(read_pbm(sys.argv[1])) == rows(read_pbm("printed.pbm"))
END

echo "the ink of a queue"
CUPS_CACHEDIR=$PC_DIR/cache "$riptide" status --ink >ink || fail "status --ink"
grep -qE '^QUEUE .* K cm2$' ink || fail "no black ink: $(cat ink)"
grep -qE '^q +[0-9-]+ +2 +2 +[0-9]' ink || fail "the ink: $(cat ink)"

echo "a chart of 4 levels"
"$riptide" target --queue q --levels 4 -o four.ras || fail "no chart of 4 levels"
print q four.ras -o halftone-levels=4 -o halftone-screen=blue-noise
"$riptide" halftone --levels 4 --screen clustered -o dots.ras four.ras || fail "no dots"
cmp dots.ras out/q || fail "the printer has got other dots of 4 levels"

# Whether cupsd refuses, or takes, a change of a queue.  Without a terminal, so that nothing asks
# for a password.
refused()
{
	setsid -w "$riptide" calibrate q --name matt --force --match 50=33 >said 2>&1 && return 1
	grep -q "cannot change the queue" said
}

accepted()
{
	lpadmin -p q -E 2>said
}

echo "calibrations"
(umask 077 && works q --force --match 50=36) || exit
[ "$(stat -c %a "$RIPTIDE_CALIBRATIONS" "$folder/etc/riptide" "$folder/etc" | uniq)" = 755 ] ||
	fail "filters cannot enter the folder"
default_is q q
grep -q RIPTIDE_MODEL_K "$RIPTIDE_CALIBRATIONS/q.cal" || fail "no calibration"
[ "$(stat -c %a "$RIPTIDE_CALIBRATIONS/q.cal")" = 644 ] || fail "filters cannot read it"
cp "$RIPTIDE_CALIBRATIONS/q.cal" first.cal
(umask 077 && works q --force --match 50=30) || exit
[ "$(stat -c %a "$RIPTIDE_CALIBRATIONS/q.cal")" = 644 ] || fail "filters cannot read the second"
cmp -s first.cal "$RIPTIDE_CALIBRATIONS/q.cal" && fail "the second is the first"
works --undo q
cmp first.cal "$RIPTIDE_CALIBRATIONS/q.cal" || fail "undo brings not the first back"
works --undo q
[ ! -e "$RIPTIDE_CALIBRATIONS/q.cal" ] || fail "undo leaves the calibration"
default_is q ""
fails "has no calibration" calibrate --undo q
works q --name matt --force --match 50=30
default_is q matt
[ -e "$RIPTIDE_CALIBRATIONS/matt.cal" ] || fail "no calibration matt"

# What was there: a name, its file, and what --undo would bring back.
state()
{
	lpoptions -p q | tr ' ' '\n' | grep '^halftone-calibration='
	cat "$RIPTIDE_CALIBRATIONS"/*.cal* | grep -v CREATED
	find "$RIPTIDE_CALIBRATIONS" | sort
}

echo "readings that nothing confirms"
works q --force --match 50=36
state >before
fails "one reading alone may be an error, so the queue q prints as before: .*--force" calibrate q \
	--match 50=12
fails "K: the readings do not agree, so the queue q" calibrate q --match 50=60,25=6
if command -v script >/dev/null; then
	echo n | script -qec "'$riptide' calibrate q --match 50=12" /dev/null >said 2>&1 &&
		fail "n is a yes"
	grep -q "Change the queue q all the same" said || fail "nobody was asked: $(cat said)"
	is_as_before "doubtful readings changed the queue"
	echo y | script -qec "'$riptide' calibrate q --match 50=30" /dev/null >said 2>&1 ||
		fail "y is a no: $(cat said)"
	works --undo q
	grep -q "undone: it prints with the one before it again" said ||
		fail "undo says $(cat said)"
fi
is_as_before "doubtful readings changed the queue"
works q --match 50=36,25=17
works --undo q
works --undo q

echo "more defaults than a job may have"
long=$(printf %0200d 0)
queue many riptide-raster
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	lpadmin -p many -o "halftone-of-others-$i-default=$long" || fail "no default"
done
fails "the queue many has more defaults" target --queue many -o no.ras

echo "--undo after --name"
works q --name gloss --force --match 50=28
default_is q gloss
cp first.cal "$RIPTIDE_CALIBRATIONS/q.cal"
works --undo q
default_is q matt
[ ! -e "$RIPTIDE_CALIBRATIONS/gloss.cal" ] || fail "undo leaves gloss"
[ -e "$RIPTIDE_CALIBRATIONS/q.cal" ] || fail "undo removes a calibration that was not in use"
rm "$RIPTIDE_CALIBRATIONS/q.cal"

echo "a calibration of another queue"
queue second riptide-raster
lpadmin -p second -o halftone-calibration-default=matt || fail "no default of the second queue"
state >before
fails "is of the queue q: choose another --name" calibrate second --name matt --force --match 50=40
fails "is of the queue q: undo it there" calibrate --undo second
is_as_before "another queue's calibration has changed"
default_is second matt
# Of a queue that is deleted.
queue gone riptide-raster
works gone --name old --force --match 50=40
fails "" calibrate second --name old --force --match 50=40
lpadmin -x gone || fail "gone is not deleted"
works second --name old --force --match 50=40
works --undo second
default_is second matt
rm -f "$RIPTIDE_CALIBRATIONS"/old.cal*
# A name that cannot stand in the file.
lpadmin -p größe -E -v file:///dev/null -P etc/ppd/q.ppd 2>/dev/null || fail "no queue größe"
works größe --name large --force --match 50=40
works --undo größe
[ ! -e "$RIPTIDE_CALIBRATIONS/large.cal" ] || fail "undo leaves the calibration of größe"

echo "failures on the way"
state >before
works q --name matt --force --match 50=31
works --undo q
is_as_before "undo of the second matt brings not the first back"
works q --name matt --force --match 50=31
state >before
# A full disk, which only the calibration meets: libcups does not copy a PPD that lies in its own
# folder.
said=$(trap '' XFSZ && ulimit -f 0 &&
	CUPS_SERVERROOT=$PC_DIR/etc "$riptide" calibrate q --name matt --force --match 50=33 \
	--resolution 600 --screen blue-noise --printer laser --levels 2 2>&1)
case $said in *"cannot write"*) ;; *) fail "a full disk: $said" ;; esac
is_as_before "a full disk changes the queue"
# A cupsd that lets nobody change queues.
works q --name gloss --force --match 50=28
state >before
sed -i 's|<Limit All>|<Limit CUPS-Add-Modify-Printer>\n    AuthType None\n'\
'    Require user somebody\n  </Limit>\n  &|' \
	etc/cupsd.conf
kill -HUP "$PC_CUPSD"
pc_wait_for 20 refused || fail "cupsd refuses nothing: $(cat said)"
setsid -w "$riptide" calibrate --undo q 2>said && fail "undo without rights"
grep -q "cannot change the queue q: .*: run this with sudo, or as a member of a group" said ||
	fail "without rights: $(cat said)"
is_as_before "a calibration that cupsd refuses changes the queue"
sed -i '/Require user/d' etc/cupsd.conf
kill -HUP "$PC_CUPSD"
pc_wait_for 20 accepted || fail "cupsd does not accept again: $(cat said)"

# The curve of a calibration as a tone curve for riptide halftone.
column()
{
	awk '/^BEGIN_DATA$/ { on = 1; next }
		/^END_DATA$/ { exit }
		on { printf "%.0f\n", 65535 * $2 }' "$1"
}

# right NAME TARGET: a page printed with this calibration has the dots of its curve.
right()
{
	column "$RIPTIDE_CALIBRATIONS/$1.cal" >curve
	print q page.pdf -o media=A6 -o halftone-calibration="$1" -o halftone-target="$2"
	"$riptide" halftone --screen "$(screen_of raster)" --curve curve -o dots.ras \
		"tap/$PC_JOB" || fail "no dots of $1"
	cmp dots.ras out/q || fail "$1 is not the curve that was printed with"
	pc_log "$PC_JOB" | grep -q "tones: calibration $1" || fail "the log does not tell of $1"
}

echo "pages with calibrations"
tap
make_pdf page.pdf 298 420
works q --force --match 50=36,25=17
right q linear
works q --name argyll "$RIPTIDE_SOURCE/tests/tone/argyll/printcal-k.cal"
right argyll linear
right argyll print # a finished curve has its own target

# warned WORDS: the page comes out without a calibration, after one warning.
warned()
{
	print q page.pdf -o media=A6 -o halftone-calibration="$1"
	[ "$(pc_log "$PC_JOB" | grep -c '^W ')" = 1 ] && pc_log "$PC_JOB" | grep '^W ' |
		grep -q -- "$2" ||
		fail "halftone-calibration=$1: no warning, or others: $(pc_log "$PC_JOB" |
			grep '^W ')"
	"$riptide" halftone --screen "$(screen_of raster)" -o dots.ras "tap/$PC_JOB"
	cmp dots.ras out/q || fail "halftone-calibration=$1 has printed another page"
}
warned nothing "cannot open it"
warned ../../../q "letters, digits"
chmod 666 "$RIPTIDE_CALIBRATIONS/argyll.cal"
warned argyll "others than its owner"
chmod 644 "$RIPTIDE_CALIBRATIONS/argyll.cal"
sed -i 's/^ 1.000000000 .*/ 1.000000000 0.5/' "$RIPTIDE_CALIBRATIONS/argyll.cal"
column "$RIPTIDE_CALIBRATIONS/argyll.cal" | tail -n 1 | grep -q 32768 ||
	fail "the curve does not fall"
warned argyll "falls"

echo "a queue's own screen and class of printer"
queue laser riptide-pcl5
works laser --force --match 50=36
grep -q "on clustered" said || fail "laser: $(cat said)"
queue label riptide-zpl-203
lpadmin -p label -o riptideDotGain=20 2>said || fail "label: no points"
works label --force --match 50=36
grep -q "thermal.*dot gain" said && grep -q "on labels" said || fail "label: $(cat said)"
lpadmin -p label -o halftone-screen-default=clustered 2>said || fail "label: no default"
"$riptide" calibrate label --force --match 50=36 >said 2>warned || fail "label cannot be calibrated"
# Its PPD says something else, as lpadmin and CUPS's web interface show it.
[ "$(cat warned)" = "riptide: label: its default halftone-screen=clustered counts, and not \
halftone-screen=labels of its PPD; lpadmin -p label -R halftone-screen-default removes it" ] ||
	fail "two defaults: $(cat warned)"
make_pdf page.pdf 288 432
"$riptide" preview --json --queue label page.pdf >/dev/null 2>shown
cmp shown warned || fail "preview of two defaults: $(cat shown)"
lpadmin -p label -o halftone-screen=clustered 2>/dev/null || fail "label: no default of the PPD"
"$riptide" target --queue label -o label.ras 2>warned || fail "no chart for label"
! grep -q "its default" warned || fail "two equal defaults: $(cat warned)"
grep -q "on clustered" said || fail "label with a default: $(cat said)"

echo "more defaults than fit"
long=$(printf '%0250d' 0)
for i in 1 2 3 4 5 6 7 8 9; do
	lpadmin -p laser -o "riptide-$i-default=x$long" 2>/dev/null || fail "no default riptide-$i"
done
fails "^riptide: the queue laser has more defaults" calibrate laser --match 50=36
for i in 1 2 3 4 5 6 7 8 9; do
	lpadmin -p laser -R "riptide-$i-default" || fail "riptide-$i stays"
done

echo "a class"
lpadmin -p laser -c pool || fail "no class"
for what in "pool --match 50=36" "--undo pool"; do
	# shellcheck disable=SC2086 # words
	fails "^riptide: pool is a class; what counts are its queues: laser$" calibrate $what
done

echo "a queue that does not exist"
for what in \
	"calibrate nobody --force --match 50=30 --resolution 600 --screen blue-noise \
--printer laser" \
	"calibrate --undo nobody" "calibrate nobody --force --match 50=30" \
	"target --queue nobody -o no.ras"; do
	# shellcheck disable=SC2086 # words
	fails "" $what
	[ "$(wc -l <said)" = 1 ] || fail "nobody: $(cat said)"
done
lpstat -p nobody 2>/dev/null && fail "nobody exists now"
[ ! -e "$RIPTIDE_CALIBRATIONS/nobody.cal" ] || fail "nobody has a calibration"
exit 0
