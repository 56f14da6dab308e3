#!/bin/bash
# Damaged documents print or fail as with gstoraster:
#
#	bad-pdf.sh           a few, always the same
#	bad-pdf.sh COUNT     so many, with a random seed, which is printed; a line for each that
#	                     differs
#
# RIPTIDE_TEST_SEED sets the seed of both.
#
# Whatever the document, pdftoriptide ends in time, leaves no Ghostscript behind, logs one ERROR
# line if it fails and none if it does not, and its raster has only complete pages if it says that
# all is well.  gstoraster first reads the document with libqpdf, and prints the pages that this one
# finds, or fails where it finds none, also where Ghostscript repairs the document (under CUPS,
# pdftopdf does so before either filter runs).  So where the two differ, pdftoriptide must print the
# pages that Ghostscript alone draws:
#
#	gstoraster fails, pdftoriptide prints	libqpdf cannot repair it, or aborts; as many pages
#						as Ghostscript
#	both print, other pages			libqpdf finds other pages; as many pages as
#						Ghostscript
#	gstoraster prints, pdftoriptide fails	Ghostscript does not find the page of the ERROR
#						line, and gstoraster is silent about that; the same
#						pages before it
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc python3 pdftocairo "$gstoraster"
count=${1:-8}
(($#)) && seed=$RANDOM || seed=1
seed=${RIPTIDE_TEST_SEED:-$seed}
echo "RIPTIDE_TEST_SEED=$seed"

# --- documents of several programs
# -------------------------------------------------------------------
mkdir whole bad
python3 "$source/tests/filter/contone-pages.py" whole/ours.pdf || exit 99
for level in 1.3 1.7; do
	draw pdfwrite 720 whole/gs-$level.pdf whole/ours.pdf -dCompatibilityLevel=$level \
		-dLastPage=6 || exit 99
done
pdftocairo -pdf -l 4 whole/ours.pdf whole/cairo.pdf 2>/dev/null || exit 99
draw pdfwrite 720 whole/encrypted.pdf whole/ours.pdf -dEncryptionR=3 -dKeyLength=128 \
	-sUserPassword=a -sOwnerPassword=b \
	-dLastPage=2 || exit 99
python3 "$source/tests/filter/damage-pdf.py" "$seed" "$count" bad whole/*.pdf || exit 99
cp whole/*.pdf bad/
make_ppds
sed -i '/riptideNextFilter/d; s,HWResolution\[300 300\],HWResolution[50 50],' \
	ppds/riptide-raster.ppd
export PPD=$folder/ppds/riptide-raster.ppd HOME=$folder

# --- both
# ----------------------------------------------------------------------------------------------
pages_of() # RASTER
{
	"$build/tests/tools/raster-headers" "$1" 2>/dev/null | grep -c '^page '
}

# filtered FILTER FILE RASTER LOG: the filter's status.  124: it takes longer than any load
# explains.
filtered()
{
	local seconds status

	for seconds in 60 300; do
		timeout $seconds "$1" 1 user title 1 "$options" "$2" 2>"$4" >"$3"
		status=$?
		((status == 124)) || break
	done
	return $status
}

# explained FILE: whether pdftoriptide prints what Ghostscript alone draws.  Uses $ours, $our_pages,
# err.
explained()
{
	local drawn missing

	rm -rf drawn
	mkdir drawn
	timeout 300 gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=pgmraw -r10 -sOutputFile=drawn/%d \
		"$1" >drawn.txt 2>&1
	drawn=$(find drawn -type f | wc -l)
	missing=$(sed -n 's/^ERROR: page \([0-9]*\): Ghostscript: .*/\1/p' err)
	kind+=" (Ghostscript alone: $drawn pages)"
	if [[ $ours == prints ]]; then
		((our_pages == drawn))
	elif [[ $missing ]]; then
		((our_pages == missing - 1 && drawn == our_pages)) &&
			grep -aq 'page not found' drawn.txt
	else
		((drawn == 0))
	fi
}

same=0 only_theirs=0 only_ours=0 pages_differ=0 failing=0
declare -a kinds=()
exec 3>&2 2>/dev/null # bash tells of crashes
for file in bad/*.pdf; do
	options="Resolution=300dpi"
	filtered "$gstoraster" "$file" expected.ras gs.err
	theirs=$? # it may even crash
	filtered "$build/pdftoriptide" "$file" dots.ras err
	ours=$?
	if ((theirs == 124 && ours == 124)); then # too slow for both
		failing=$((failing + 1))
		continue
	fi
	errors=$(grep -ac '^ERROR: ' err)
	((ours == 0 || ours == 1)) || complain "$file: status $ours: $(tail -n 2 err)"
	((errors == (ours != 0))) ||
		complain "$file: status $ours, $errors ERROR lines: $(grep -a '^ERROR' err)"
	their_pages=$(pages_of expected.ras)
	our_pages=$(pages_of dots.ras)
	if ((ours == 0)); then
		(($(grep -ac '^PAGE: ' err) == our_pages)) ||
			complain "$file: a page that is not complete"
	fi
	# What prints nothing has failed, too: gstoraster says so only sometimes.
	((theirs == 0 && their_pages > 0)) && theirs=prints || theirs=fails
	((ours == 0 && our_pages > 0)) && ours=prints || ours=fails
	kind="gstoraster $theirs, pdftoriptide $ours"
	case $theirs-$ours in
	fails-fails) failing=$((failing + 1)) ;;
	prints-prints)
		if ((their_pages == our_pages)); then
			same=$((same + 1))
		else
			pages_differ=$((pages_differ + 1))
			kind+=" ($their_pages and $our_pages pages)"
		fi ;;
	prints-fails) only_theirs=$((only_theirs + 1)) ;;
	fails-prints) only_ours=$((only_ours + 1)) ;;
	esac
	[[ $theirs == "$ours" && $kind != *pages\) ]] && continue
	explained "$file" || complain "$(basename \
		"$file"): $kind: not what Ghostscript draws: $(grep -a '^ERROR' err)"
	kinds+=("$(basename "$file"): $kind: $(grep -a '^ERROR' err)")
done
exec 2>&3
# In the jail they have nothing of the environment but HOME.
# shellcheck disable=SC2046 # words
left() { grep -als "HOME=$folder" $(pgrep '^(gs|1000)$' | sed 's,.*,/proc/&/environ,') /dev/null; }
wait_for 60 eval '[[ ! $(left) ]]' || complain "a Ghostscript is left"
# The search finds one that runs: its pages are begun and not read.
mkfifo pages
make_pdf many.pdf \
	"400 { << /PageSize [595 842] >> setpagedevice 9 9 99 99 rectfill showpage } repeat"
"$build/pdftoriptide" 7 user title 1 "riptide-workers=1" many.pdf 2>/dev/null >pages &
exec 8<pages
head -c 1000 <&8 >/dev/null
[[ $(left) ]] || complain "the search for a Ghostscript that is left does not find one that runs"
exec 8<&-
wait $!
total=$((same + failing + pages_differ + only_theirs + only_ours))
echo "$total documents: $same print the same pages, $failing print with neither," \
	"$pages_differ print other pages," \
	"$only_theirs only with gstoraster, $only_ours only with pdftoriptide"
[[ $# -eq 0 ]] || printf '%s\n' "${kinds[@]}"
((total >= count + 5)) || complain "$total documents of $((count + 5))"
# The whole ones print the same, the encrypted one with neither.
((same >= 4 && failing >= 1)) || complain "whole documents fail"
finish
