#!/bin/bash
# riptide adopt and riptide release with files: verdicts as text and JSON, edits that release
# undoes, the difference that patch takes, compressed PPDs, refusals, and what cupstestppd says.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

mkdir kinds
"$build/tests/adopt/write-ppd-kinds" kinds >verdicts || complain "no PPDs were written"

fails() # STATUS WORDS ARGUMENT...
{
	refuses_with "$1" "$2" "$riptide" "${@:3}"
}

does() # ARGUMENT...
{
	timeout 60 "$riptide" "$@" >stdout 2>stderr || complain "$*: $(cat stderr)"
	[[ ! -s stderr ]] || complain "$*: $(cat stderr)"
}

same() # FILE FILE
{
	cmp "$1" "$2" || complain "$1 and $2 differ"
}

# One line for each PPD, in order; all at once.
mapfile -t names < <(cut -d' ' -f1 verdicts)
((${#names[@]} > 25)) || complain "only ${#names[@]} kinds of PPDs"
cd kinds || exit 99
does adopt --check "${names[@]/%/.ppd}"
while read -r verdict rest; do
	echo "${rest%%.ppd: *} $verdict"
done <stdout >../said
cd .. || exit 99
same verdicts said
grep -q '^no  *escpr.ppd: epson-escpr-wrapper sends contone .*\.$' kinds/stdout ||
	complain "no reason"
(($(grep -c '^no  *our-.*: it prints our dots without being adopted\.$' kinds/stdout) == 2)) ||
	complain "our own drivers: $(grep our- kinds/stdout)"
(cd kinds && "$riptide" adopt --check --json "${names[@]/%/.ppd}") >json || complain "no JSON"
sed -nE 's/^\{"file":"(.*)\.ppd","verdict":"([a-z]*)","driver":"[^"]*",'\
'"printer":"[a-z]*","reason":"[^"]+",'\
'"statements":[0-9]+\}$/\1 \2/p' json >said
same verdicts said

# Names that are not UTF-8, or have a line end, in strict JSON.
if part "no python3: JSON with odd names" python3; then
	cp kinds/brlaser.ppd $'odd\n"\xff\xe4\xc3\xa4\xed\xa0\x80\xf0\x9f\x98\x80\xe2\x82.ppd'
	does adopt --check --json odd*.ppd
	python3 -c '
import json, sys
text = open("stdout", "rb").read().decode("utf-8")
assert text.count("\n") == 1, text
bad = "\ufffd"
name = json.loads(text)["file"]
want = "odd\n\"" + 2 * bad + "\u00e4" + 3 * bad + "\U0001f600" + 2 * bad + ".ppd"
assert name == want, ascii(name)' ||
		complain "JSON with a name that is not UTF-8: $(cat stdout)"
	rm -f odd*.ppd
fi

# The difference on standard output takes FILE to EXPECTED.
patched() # FILE EXPECTED
{
	command -v patch >/dev/null || return
	patch -s -o patched "$1" stdout || complain "patch does not take the difference of $1"
	same patched "$2"
}
command -v patch >/dev/null || leave_out "patch is not installed: differences"

# Edits and their end.
while read -r name verdict; do
	ppd=kinds/$name.ppd
	case $verdict in
	no)
		fails 1 "$ppd: " adopt -o out.ppd "$ppd"
		continue ;;
	unknown)
		fails 1 "see --force" adopt -o out.ppd "$ppd"
		does adopt --force -o new.ppd "$ppd" ;;
	*)
		does adopt -o new.ppd "$ppd" ;;
	esac
	grep -q "^new.ppd is adopted: .*riptide release new.ppd" stdout ||
		complain "$name: not told how to go back"
	does adopt --force --diff "$ppd"
	patched "$ppd" new.ppd
	does release --diff new.ppd
	patched new.ppd "$ppd"
	does release -o back.ppd new.ppd
	[[ $(cat stdout) == "back.ppd has the PPD of new.ppd as it was before riptide adopt." ]] ||
		complain "$name: release -o says $(cat stdout)"
	same back.ppd "$ppd"
	rm -f new.ppd back.ppd
done <verdicts

# In place, by every form, to standard output, compressed.
cp kinds/brlaser.ppd .
does adopt brlaser.ppd
cmp -s brlaser.ppd kinds/brlaser.ppd && complain "brlaser.ppd did not change"
fails 1 "it was adopted before: run riptide release brlaser.ppd first" adopt --screen stucki \
	brlaser.ppd
does adopt --check brlaser.ppd
grep -q '^adopted  brlaser.ppd: ' stdout || complain "adopted: $(cat stdout)"
cp brlaser.ppd adopted.ppd
does release brlaser.ppd
[[ $(cat stdout) == "brlaser.ppd is as it was before riptide adopt." ]] ||
	complain "release says $(cat stdout)"
same brlaser.ppd kinds/brlaser.ppd
fails 1 "it was not adopted" release brlaser.ppd
does adopt -o - brlaser.ppd
same stdout adopted.ppd
# Its other names lead there, too: the message would be a part of the PPD.
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
	does adopt -o $name brlaser.ppd
	same stdout adopted.ppd
	does release -o $name adopted.ppd
	same stdout brlaser.ppd
done
gzip -c kinds/brlaser.ppd >zipped.ppd.gz
does adopt zipped.ppd.gz
gzip -dc zipped.ppd.gz >unzipped || complain "zipped.ppd.gz is damaged"
same unzipped adopted.ppd
does release zipped.ppd.gz
gzip -dc zipped.ppd.gz >unzipped || complain "zipped.ppd.gz is damaged after release"
same unzipped kinds/brlaser.ppd
head -c -20 zipped.ppd.gz >cut.ppd.gz
fails 1 "cut.ppd.gz: cannot read it to its end" adopt cut.ppd.gz
mkdir folder.ppd
fails 1 "cannot read folder.ppd: Is a directory" adopt --check folder.ppd
: >empty.ppd
fails 1 "empty.ppd: the file is empty" adopt empty.ppd
fails 1 "/dev/null: the file is empty" adopt /dev/null
gzip -c empty.ppd >empty.ppd.gz
fails 1 "empty.ppd.gz: the file is empty" adopt empty.ppd.gz

# No CUPS server.
export CUPS_SERVER=$folder/none
for command in "adopt --check office" "target --queue office -o out.ras" \
	"calibrate office --match 50=40"; do
	# shellcheck disable=SC2086 # words
	fails 1 "queue office: no CUPS server at $CUPS_SERVER" $command
done
CUPS_SERVER=localhost:9 fails 1 "no CUPS server at localhost, port 9" adopt office
unset CUPS_SERVER

# A PPD that filters read by its group stays so.
cp kinds/brlaser.ppd theirs.ppd
chmod 640 theirs.ppd
if [[ $(id -u) == 0 ]]; then
	chown 7:9 theirs.ppd
fi
stat -c '%u:%g %a' theirs.ppd >owner
does adopt theirs.ppd
stat -c '%u:%g %a' theirs.ppd >now
same now owner

# Screens and presets.
does adopt --screen STUCKI --printer Inkjet-360 -o new.ppd brlaser.ppd
grep -q '^\*Defaulthalftone-screen: stucki$' new.ppd || complain "no --screen"
grep -q '^\*DefaultriptideDotGain: inkjet-360$' new.ppd || complain "no --printer"
fails 1 "no screen clustered-999 at 300 x 300 dpi: choose clustered-" adopt --screen clustered-999 \
	-o out.ppd brlaser.ppd
does adopt --screen clustered-141 -o new.ppd brlaser.ppd # at 600 dpi, not at 300
does adopt --chain -o new.ppd brlaser.ppd
grep -q '^\*riptideNextFilter: "rastertobrlaser"$' new.ppd || complain "no --chain"
does adopt --rip -o new.ppd brlaser.ppd
grep -q '^\*cupsFilter: "application/vnd.cups-pdf 83 pdftoriptide"$' new.ppd || complain "no --rip"
does release -o back.ppd new.ppd
same back.ppd brlaser.ppd

# No name is cut: a line of a PPD has 255 bytes at most.
with_filter() # NAME
{
	sed "s/rastertobrlaser/$1/" brlaser.ppd >long.ppd
}
printf -v long '%203s' ''
long=${long// /x}
with_filter "$long"
does adopt --force --chain -o new.ppd long.ppd
grep -q "^\*riptideNextFilter: \"$long\"$" new.ppd ||
	complain "the name of the driver's filter is cut"
does release -o back.ppd new.ppd
same back.ppd long.ppd
with_filter "$long$long"
fails 1 "long.ppd: a line would have more than the 255 bytes" adopt --force --chain -o out.ppd \
	long.ppd
# The type behind cupsFilter2's first word, which the line for documents repeats.
printf -v long '%169s' ''
type=application/${long// /x}
sed "s,^\*cupsFilter: .*,*cupsFilter2: \"application/vnd.cups-raster $type 7 rastertobrlaser\"," \
	brlaser.ppd >long.ppd
does adopt --rip -o new.ppd long.ppd
grep -q "^\*cupsFilter2: \"application/vnd.cups-pdf $type 57 pdftoriptide\"$" new.ppd ||
	complain "--rip with a long type: $(grep pdftoriptide new.ppd)"
for more in 60 200 400; do
	printf -v long '%*s' $more ''
	sed "s,$type,$type${long// /y}," long.ppd >longer.ppd
	fails 1 "longer.ppd: a line would have more than the 255 bytes" adopt --rip -o out.ppd \
		longer.ppd
	done
# A page size of more digits than fit is not cut to another size.
printf -v long '%60s' ''
sed "s/^\(\*PaperDimension A4.*\"\)595/\1${long// /0}595/" kinds/foo2zjs.ppd >long.ppd
does adopt -o new.ppd long.ppd
grep '^\*PageSize A4.*/PageSize\[0' new.ppd && complain "a page size was cut"

# Wrong usage, and files that are no PPDs.
fails 2 "unknown option --undo" adopt --undo brlaser.ppd
fails 2 "no queue and no PPD" adopt
fails 2 "only one queue or PPD" adopt a.ppd b.ppd
fails 2 "\"b.ppd\": only one queue or PPD at a time (see" release a.ppd b.ppd
fails 2 "unknown option --foo" adopt --foo a.ppd
fails 2 "screen" adopt --screen foo a.ppd
fails 2 "choose laser, laser-600" adopt --printer foo a.ppd
fails 2 "--json needs --check" adopt --json a.ppd
fails 2 "--check changes" adopt --check -o b.ppd a.ppd
fails 2 "--check changes" adopt --check --screen stucki a.ppd
fails 2 "--check changes" adopt --check --printer laser a.ppd
fails 2 "--check changes" adopt --check --rip a.ppd
fails 2 "find the queues themselves" adopt --all a.ppd
fails 2 "find the queues themselves" adopt --again a.ppd
fails 2 "one queue or PPD at a time" adopt --all --diff
fails 2 "one queue or PPD at a time" adopt --again -o b.ppd
fails 2 "options of before" adopt --again --rip
fails 2 "options of before" adopt --again --check
fails 2 "--diff writes no PPD" adopt --diff -o b.ppd a.ppd
fails 2 "--diff writes no PPD" release --diff -o b.ppd a.ppd
fails 2 "unknown option --screen" release --screen stucki a.ppd
fails 1 "cannot open a.ppd" adopt --check a.ppd
echo no >a.ppd
fails 1 "this is no PPD" adopt a.ppd
printf '*PPD-Adobe: "4.3"\n*a: "\n' >a.ppd
fails 1 "line 2 is not closed" adopt --check a.ppd
head -c 9000000 /dev/zero | gzip >large.ppd.gz
fails 1 "too large" adopt --check large.ppd.gz
sed 's/^\*%riptide}$/*%/' adopted.ppd >a.ppd
fails 1 "damaged" release a.ppd

# cupstestppd finds no more in an adopted PPD, with our filter where it looks for filters.  It
# wants them to be root's, or ignores them.
if part "cupstestppd is not installed" cupstestppd; then
	mkdir -p bin/filter
	for name in rastertoriptide pdftoriptide \
		rastertohp rastertoepson rastertolabel rastertobrlaser rastertoqpdl \
		rastertosag-gdi hpcups raster2dymolw rastertofoo; do
		printf '#!/bin/sh\n' >"bin/filter/$name"
	done
	chmod 755 bin bin/filter bin/filter/*
	finds() # PPD
	{
		CUPS_SERVERBIN=$PWD/bin cupstestppd -v -I filters "$1" |
			grep -E 'FAIL|WARN|ERRORS' |
			sed 's/.*ERRORS FOUND.*/errors/; s/line [0-9]*/line/'
	}
	while read -r name verdict; do
		[[ $verdict != no ]] || continue
		for how in "" --chain --rip; do
			# shellcheck disable=SC2086
			does adopt --force $how -o new.ppd "kinds/$name.ppd"
			finds "kinds/$name.ppd" >before
			finds new.ppd >after
			diff before after || complain "cupstestppd finds more in $name.ppd $how"
		done
	done <verdicts
fi
finish
