#!/bin/bash
# The ink of a queue's jobs: what the filters add up in CUPS_CACHEDIR, many at once, beside files
# that are damaged or hostile, and what riptide status shows of it.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
export CUPS_CACHEDIR=$PWD/cache
mkdir cache

prints() # QUEUE [OPTIONS]
{
	PRINTER=$1 "$build/rastertoriptide" 1 user title 1 "${2-}" page.ras >/dev/null 2>log ||
		complain "$1: $(cat log)"
}

# The sums of a queue: jobs, pages, and thousandths of a square centimetre of its first ink.
sums() # QUEUE
{
	awk '/^(jobs|pages) / { printf "%s ", $2 } /^C / { print $2, $3 }' "cache/riptide/$1.ink"
}

# A page of 600 x 600 pixels of RGB, black above: at 600 dpi a square inch, 3.226 cm2 of it full
# ink.
{
	printf 'P6\n600 600\n255\n'
	head -c 540000 /dev/zero
	head -c 540000 /dev/zero | tr '\0' '\377'
} >page.ppm
"$build/tests/tools/pnm-raster" page.ppm >page.ras || complain "no raster"
printf '\130\2\0\0\130\2\0\0' | dd of=page.ras bs=1 seek=280 conv=notrunc status=none # 600 dpi
prints office
[[ $(sums office) == "1 1 3226 6452" ]] || complain "one job: $(cat cache/riptide/office.ink log)"
grep -q "ink of the job: C 3.226 cm2" log || complain "the log: $(cat log)"
# All that a job took, in one line.
accounts() # TEXT
{
	[[ $(grep "^INFO: " log) == "INFO: $1" ]] || complain "not \"$1\": $(grep "^INFO" log)"
}
accounts "1 sheet, 1 side; C 3.226 cm2; M 3.226 cm2; Y 3.226 cm2"
# Copies count.
cp page.ras one.ras
printf '\3' | dd of=page.ras bs=1 seek=344 conv=notrunc status=none # NumCopies
prints office
[[ $(sums office) == "2 4 12903 25807" ]] || complain "three copies: $(sums office)"
accounts "3 sheets, 3 sides; C 9.677 cm2; M 9.677 cm2; Y 9.677 cm2"
cp one.ras page.ras

# Pages are grey or colour by their dots; in RGB they are neither.
! grep -Eq ': (grey|colour)$' log || complain "a page in RGB is grey or colour: $(cat log)"
{
	for ink in '\0\0\0\100' '\0\0\0\0' '\100\0\0\100'; do
		printf 'P7\nWIDTH 60\nHEIGHT 60\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n'
		for ((i = 0; i < 3600; i++)); do
			# shellcheck disable=SC2059 # bytes
			printf "$ink"
		done
	done
} >pages.pam
"$build/tests/tools/pnm-raster" pages.pam >page.ras || complain "no raster"
prints pages
[[ $(sed -En 's/^DEBUG: page ([0-9]: (grey|colour))$/\1/p' log | tr '\n' ' ') == \
	"1: grey 2: grey 3: colour " ]] ||
	complain "grey and colour: $(cat log)"
grep -q '^DEBUG: pages of the job: 2 grey, 1 colour$' log ||
	complain "grey and colour of a job: $(cat log)"
[[ $(grep "^INFO: " log) == "INFO: 3 sheets, 3 sides, 2 grey, 1 colour; "* ]] ||
	complain "the job's line: $(grep "^INFO" log)"
# On both sides of the sheets.
bytes=$((($(stat -c %s page.ras) - 4) / 3))
for ((i = 0; i < 3; i++)); do
	printf '\1' | # Duplex
		dd of=page.ras bs=1 seek=$((4 + i * bytes + 272)) conv=notrunc status=none
done
prints pages
[[ $(grep "^INFO: " log) == "INFO: 2 sheets, 3 sides, 2 grey, 1 colour; "* ]] ||
	complain "the line of a job on both sides: $(grep "^INFO" log)"
rm pages.pam cache/riptide/pages.ink

# Light inks count, and the order of inks does not depend on which job came first.
printf 'P7\nWIDTH 60\nHEIGHT 60\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n' >cmyk.pam
head -c 14400 /dev/zero | tr '\0' '\100' >>cmyk.pam
"$build/tests/tools/pnm-raster" cmyk.pam >page.ras || complain "no raster"
prints light halftone-light-inks=k
prints light halftone-light-inks=cm
[[ $(sums light) == "2 2 "* &&
	$(awk 'NR > 4 { printf "%s", $1 }' cache/riptide/light.ink) == CMYKcmk ]] ||
	complain "light inks: $(cat cache/riptide/light.ink)"
"$riptide" status --ink >stdout 2>stderr || complain "status --ink: $(cat stderr)"
[[ $(head -n 1 stdout | tr -s ' ') == \
	"QUEUE SINCE JOBS PAGES C cm2 M cm2 Y cm2 K cm2 c cm2 m cm2 k cm2" ]] &&
	grep -qE '^light +[0-9-]{10} +2 +2( +[0-9]+\.[0-9]){7}$' stdout ||
	complain "light inks in the table: $(cat stdout)"
rm cache/riptide/light.ink
cp one.ras page.ras

# Many at once lose nothing.
for i in {1..12}; do
	prints busy &
	jobs_at_once[i]=$!
done
wait "${jobs_at_once[@]}"
[[ $(sums busy) == "12 12 38712 77424" ]] || complain "12 jobs at once: $(sums busy)"
find cache/riptide -name '*.new' | grep . && complain "files are left"

# Jobs without pages are not counted.
: >page.ras
prints empty
[[ ! -e cache/riptide/empty.ink ]] || complain "a job without pages is counted"
cp one.ras page.ras

# Names that are no names of files; and no folder.
for queue in '' ../x a/b .x "$(head -c 128 /dev/zero | tr '\0' q)"; do
	prints "$queue"
	grep -q "not added to that of the queue" log || complain "\"$queue\": $(cat log)"
done
[[ $(find cache x* 2>/dev/null | wc -l) == 4 ]] || complain "files: $(find .)"
CUPS_CACHEDIR=$PWD/missing prints office
grep -q "not added to that of the queue: No such file" log || complain "no folder: $(cat log)"
(unset CUPS_CACHEDIR && prints office)
grep -q "not added" log && complain "without cupsd: $(cat log)"
[[ $(sums office) == "2 4 12903 25807" ]] || complain "what was refused is counted: $(sums office)"

# Files that others have left: damaged ones are begun anew, links are not followed.
echo private >private
for text in '' 'riptide ink 2' $'riptide ink 1\nsince 1\njobs 2\npages -1' \
	$'riptide ink 1\nsince 1\njobs 2\npages 3\nK 1' \
	$'riptide ink 1\nsince 1\njobs 2\npages 3\n../ 1 1' \
	"$(printf 'riptide ink 1\nsince 1\njobs 2\npages 99999999999999999999\nK 1 1')"; do
	printf '%s\n' "$text" >cache/riptide/bad.ink
	prints bad
	[[ $(sums bad) == "1 1 3226 6452" ]] ||
		complain "after \"$text\": $(cat cache/riptide/bad.ink)"
done
printf 'riptide ink 1\nsince 1\njobs 18446744073709551615\npages 3\nC 18446744073709551615 5\n' \
	>cache/riptide/bad.ink
prints bad
[[ $(sums bad) == "18446744073709551615 4 18446744073709551615 6457" ]] ||
	complain "a full counter: $(sums bad)"
rm cache/riptide/bad.ink
ln -s ../../private cache/riptide/bad.ink
prints bad
[[ $(cat private) == private ]] || complain "a link is followed"
mkfifo cache/riptide/pipe.ink
timeout 20 "$riptide" status --ink >stdout 2>stderr || complain "a pipe: $(cat stderr)"
rm -rf cache/riptide/{bad,pipe}.ink

# riptide status.
printf 'riptide ink 1\nsince 86400\njobs 1\npages 2\nC 1000 100000\nM 0 100000\n' \
	>$'cache/riptide/evil\e"\n.ink'
mkdir cache/riptide/folder.ink
echo x >cache/riptide/broken.ink
"$riptide" status --ink --ink-per-m2 5g,10g >stdout 2>stderr ||
	complain "status --ink: $(cat stderr)"
damaged="is not shown: the file is damaged"
[[ $(sort stderr) == "riptide: WARNING: the ink in $PWD/cache/riptide/broken.ink $damaged
riptide: WARNING: the ink in $PWD/cache/riptide/folder.ink $damaged" ]] ||
	complain "damaged files are not reported: $(cat stderr)"
# A row for each queue, with columns for the inks of all.
[[ $(head -n 1 stdout | tr -s ' ') == "QUEUE SINCE JOBS PAGES C g M g Y g" &&
	$(wc -l <stdout) == 4 ]] &&
	grep -qE '^office +[0-9-]{10} +2 +4 +0\.006 +0\.013 +0\.013$' stdout &&
		grep -q "^busy " stdout &&
	grep -qE '^evil.* +1 +2 +0\.001 +0\.000 +-$' stdout &&
		[[ $(awk '{ print length }' stdout | sort -u | wc -l) == 1 ]] ||
	complain "the table: $(cat stdout)"
grep -q "folder\|broken" stdout && complain "what is no file of a queue: $(cat stdout)"
LC_ALL=C grep -q '[^ -~]' stdout && complain "the table has what cannot be printed"
"$riptide" status --ink --json >stdout 2>stderr || complain "--json: $(cat stderr)"
"$riptide" status --ink --metrics --ink-per-m2 2ml >metrics 2>stderr ||
	complain "--metrics: $(cat stderr)"
"$riptide" status --ink --csv --ink-per-m2 5g >csv 2>stderr || complain "--csv: $(cat stderr)"
"$riptide" status --ink --csv >plain.csv 2>stderr || complain "--csv: $(cat stderr)"
if command -v python3 >/dev/null; then
	python3 - <<-'END' || complain "the figures: $(cat stdout metrics csv)"
		import json
		ink = json.load(open("stdout"))["ink"]
		assert [q["queue"] for q in ink][:1] == ["busy"] and len(ink) == 3, ink
		office = [q for q in ink if q["queue"] == "office"][0]
		assert (office["jobs"], office["pages"]) == (2, 4)
		assert office["inks"][0]["full_cm2"] == 12.903
		assert abs(office["inks"][0]["percent"] - 50) < .01
		lines = open("metrics").read().splitlines()
		assert 'riptide_queue_pages_total{queue="office"} 4' in lines
		of = 'queue="office",ink="C"'
		assert 'riptide_queue_ink_square_metres_total{%s} 0.0012903' % of in lines
		assert 'riptide_queue_ink_millilitres_total{%s} 0.002581' % of in lines
		heads = [line.split()[2] for line in lines if line.startswith("# TYPE")]
		assert len(heads) == len(set(heads)) == 5
		import csv
		titles = ["queue", "since", "jobs", "pages", "ink", "percent", "full_cm2"]
		rows = list(csv.reader(open("csv", newline="")))
		assert rows[0] == titles + ["g"]
		assert [row[:7] for row in rows] == list(csv.reader(open("plain.csv")))
		want = [[q["queue"], str(q["since"]), str(q["jobs"]), str(q["pages"]), i["ink"],
			 "%.6f" % i["percent"], "%.3f" % i["full_cm2"],
			 "%.6f" % (i["full_cm2"] / 1e4 * 5)]
			for q in ink for i in q["inks"]]
		assert rows[1:] == want and len(want) > 6, (rows, want)
	END
fi
for wrong in "--ink-per-m2 5g" "--ink-per-m2 5" "--ink x" "--ink --json --metrics" "--csv" \
	"--ink --csv --json" "--ink --csv --metrics"; do
	# shellcheck disable=SC2086
	"$riptide" status $wrong >stdout 2>stderr
	(($? == 2)) && [[ $(wc -l <stderr) == 1 && ! -s stdout ]] ||
		complain "$wrong: $(cat stderr)"
done
CUPS_CACHEDIR=$PWD/private "$riptide" status --ink 2>stderr &&
	complain "a file in the place of the folder"
[[ $(wc -l <stderr) == 1 ]] || complain "a file in the place of the folder: $(cat stderr)"
"$riptide" status --ink >/dev/full 2>stderr && complain "a full disk is no error"

# What others may not read: root reads everything.
others=()
((EUID)) || others=(setpriv --reuid=65534 --clear-groups)
if ((EUID == 0)) && { ! command -v setpriv >/dev/null || { chmod 755 . &&
	! "${others[@]}" test -x "$riptide"; }; }; then
	leave_out "nobody cannot run $riptide"
else
	denied() # PATH OPTION...
	{
		"${others[@]}" "$riptide" status --ink "${@:2}" >stdout 2>stderr
		(($? == 1)) && [[ $(grep -v WARNING stderr) == "riptide status: cannot read \
$PWD/cache/riptide$1: Permission denied: run the command with sudo" ]] ||
			complain "unreadable $1 $*: $(cat stderr)"
	}
	chmod 755 . cache cache/riptide
	chmod 644 cache/riptide/*.ink
	chmod 000 cache/riptide/office.ink
	denied /office.ink
	grep -q ^busy stdout && ! grep -q office stdout ||
		complain "what can be read: $(cat stdout)"
	denied /office.ink --json
	chmod 000 cache/riptide
	denied ""
	[[ ! -s stdout ]] || complain "of an unreadable folder: $(cat stdout)"
	chmod 755 cache/riptide
fi

# More queues than are shown.
rm -rf cache/riptide/*
for i in {1000..1299}; do
	printf 'riptide ink 1\nsince 1\njobs 1\npages 1\nK 1 2\n' >cache/riptide/q$i.ink
done
[[ $("$riptide" status --ink | grep -c '^q1') == 256 ]] || complain "not the first 256 queues"
finish
