#!/bin/bash
# Pure black of CMYK is full ink in grey, lighter K follows, and other colours stay (black.py), in
# each grey colour space; halftone-black=profile leaves all to the profile.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs python3 "$gstoraster"
black=$source/tests/filter/black.py
python3 "$black" document >patches.ps
draw pdfwrite 72 patches.pdf patches.ps -dColorConversionStrategy=/LeaveColorUnchanged || exit 99

# gstoraster, which leaves a copy of its raster.
mkdir -p lib/filter
cat >lib/filter/gstoraster <<EOF
#!/bin/bash
echo "\$GS_OPTIONS" >"$folder/options"
"$gstoraster" "\$@" | tee "$folder/drawn"
exit "\${PIPESTATUS[0]}"
EOF
chmod +x lib/filter/gstoraster

for space in 0 3 18; do
	small_ppd |
		sed "s,\(/cupsColorSpace \)3/HWResolution\[300 300],\1$space/HWResolution[72 72]," \
			>small.ppd
	for value in full profile; do
		PPD=small.ppd "$build/tests/tools/contone-pages" halftone-black=$value \
			patches.pdf >$value.ras 2>err ||
			complain "colour space $space, $value: $(cat err)"
		! grep -q 'black of CMYK stays' err || complain "colour space $space: $(cat err)"
	done
	wrong=$(python3 "$black" check $((space != 3)) full.ras profile.ras 2>&1) ||
		complain "colour space $space: $wrong"
	PPD=small.ppd "$build/tests/tools/contone-pages" "" patches.pdf 2>err | cmp - full.ras ||
		complain "colour space $space: full is not the default"
	# So it is where gstoraster draws the pages, which draws spot colours of K as ink.
	for value in full profile; do
		PPD=small.ppd CUPS_SERVERBIN=$folder/lib GS_OPTIONS=-dKept \
			run pdftoriptide "riptide-rip=gstoraster halftone-black=$value" \
			patches.pdf || complain "gstoraster, colour space $space: $(cat err)"
		! grep -aq '^WARNING' err || complain "gstoraster: $(grep -a '^WARNING' err)"
		mv drawn drawn.$value
		[[ $(cat options) == *-dKept ]] || complain "Ghostscript's options: $(cat options)"
	done
	wrong=$(python3 "$black" check $((space != 3)) drawn.full drawn.profile \
		$((space == 3)) 2>&1) ||
		complain "gstoraster, colour space $space: $wrong"
done

# What Ghostscript says when it makes the profile for gstoraster is logged.
mkdir talking
cat >talking/gs <<EOF
#!/bin/sh
echo a message >&2
exec $(command -v gs) "\$@"
EOF
chmod +x talking/gs
echo "riptide-jail = off" >off.conf
PPD=small.ppd CUPS_SERVERBIN=$folder/lib RIPTIDE_CONFIG=$folder/off.conf \
	PATH=$folder/talking:$PATH run pdftoriptide "riptide-rip=gstoraster" patches.pdf ||
	complain "a message: $(cat err)"
grep -aqx "DEBUG: Ghostscript: a message" err || complain "a message is lost: $(cat err)"

# Black and grey of RGB become black ink alone in text, or in text and graphics, and never in
# images; by default in text of lasers.
python3 "$black" objects >objects.ps
draw pdfwrite 72 objects.pdf objects.ps -dColorConversionStrategy=/LeaveColorUnchanged || exit 99
small_ppd '*riptidePrinter: "inkjet"' |
	sed "s,/cupsColorSpace 3/HWResolution\[300 300],/cupsColorSpace 6/HWResolution[72 72]," \
		>colour.ppd
export PPD=colour.ppd
for value in none text text-and-graphics; do
	"$build/tests/tools/contone-pages" black-preservation=$value \
		objects.pdf >$value.ras 2>err ||
		complain "black-preservation=$value: $(cat err)"
	! grep -q 'black stays' err || complain "black-preservation=$value: $(cat err)"
done
wrong=$(python3 "$black" kept none.ras text.ras text-and-graphics.ras 2>&1) || complain "$wrong"
"$build/tests/tools/contone-pages" "" objects.pdf 2>err | cmp - none.ras ||
	complain "none is not the default of inkjets"
sed -i 's/"inkjet"/"laser"/' colour.ppd
"$build/tests/tools/contone-pages" "" objects.pdf 2>err | cmp - text.ras ||
	complain "text is not the default of lasers"
PPD=small.ppd "$build/tests/tools/contone-pages" "black-preservation=text" patches.pdf 2>err |
	cmp - full.ras ||
	complain "black-preservation changes grey"

# Full black of text leaves the inks below it if asked, and nothing else changes; also black that is
# kept, on pages with transparency, and where several threads draw.
overprints() # WHAT OPTIONS OVER: of OVER.pdf and OVERbare.pdf
{
	"$build/tests/tools/contone-pages" "$2 black-overprint=text" "$3.pdf" >new.ras 2>err &&
		"$build/tests/tools/contone-pages" "$2 black-overprint=none" "$3.pdf" >old.ras \
			2>err &&
		"$build/tests/tools/contone-pages" "$2 black-overprint=text" "$3bare.pdf" \
			>bare.ras 2>err ||
		complain "black-overprint, $1: $(cat err)"
	wrong=$(python3 "$black" overprinted new.ras old.ras bare.ras 2>&1) ||
		complain "black-overprint, $1: $wrong"
}
for kind in "" bare; do
	python3 "$black" overprint $kind >over$kind.ps
	draw pdfwrite 72 over$kind.pdf over$kind.ps \
		-dColorConversionStrategy=/LeaveColorUnchanged || exit 99
	python3 "$black" grouped $kind >grouped$kind.pdf
done
python3 "$black" mixed >mixed.pdf
overprints "a group of CMYK" "" grouped
for value in none text text-and-graphics; do
	over="black-preservation=$value"
	overprints "$over" "$over" over
	"$build/tests/tools/contone-pages" "$over" over.pdf 2>err | cmp - old.ras ||
		complain "black-overprint=none is not the default"
	[[ ! ${RIPTIDE_TEST_SHORT-} || $value == text-and-graphics ]] || continue
	"$build/tests/tools/contone-pages" "$over black-overprint=text" mixed.pdf >mixed.new \
		2>err &&
		"$build/tests/tools/contone-pages" "$over" mixed.pdf >mixed.old 2>err ||
		complain "black-overprint, $over: $(cat err)"
	cmp mixed.old mixed.new || complain "black-overprint changes other colours"
done
# Of 44 MB, for which there are two threads.
for workers in 1 3; do
	"$riptide" rip -r 1200 --model cmyk --screen bi-level --format cups --workers $workers \
		--black-overprint text over.pdf >over.$workers ||
		complain "rip --black-overprint fails"
done
cmp over.1 over.3 || complain "black-overprint: other dots with threads"
run pdftoriptide "black-overprint=text" over.pdf
grep -aqx "DEBUG: black text overprints: two Ghostscripts draw each page" err ||
	complain "black-overprint is not in the log: $(cat err)"
run pdftoriptide "black-overprint=vectors" over.pdf
grep -aq "^WARNING: black-overprint=vectors .* none, text" err ||
	complain "black-overprint=vectors: $(grep -a WARNING err)"

# What goes wrong in the second Ghostscript, which draws without text, counts like that in the first
# one: an error is told, one that ends is started again, and both have the time of one page.
mkdir pair
cat >pair/gs <<EOF
#!/bin/bash
which=first
[[ " \$* " != *" -dFILTERTEXT "* ]] || which=second
# Not in one that is asked for its folders.
[[ " \$* " != *" -sDEVICE="* || ! -f $folder/\$which ]] || {
	code=\$(cat $folder/\$which)
	rm $folder/\$which
}
exec $(command -v gs) "\${@:1:\$#-1}" -c "\$code" -f "\${@: -1}"
EOF
chmod +x pair/gs
pair() # FIRST SECOND OPTIONS: what they do before they draw, unless they are started again
{
	local own='} if systemdict /setpagedevice get exec } def'
	echo "/setpagedevice { /rtmatrix where { pop $1 $own" >first
	echo "/setpagedevice { /rtmatrix where { pop $2 $own" >second
	RIPTIDE_CONFIG=$folder/off.conf PATH=$folder/pair:$PATH \
		run pdftoriptide "black-preservation=none black-overprint=text $3" over.pdf
}
pair "" "" "" || complain "two Ghostscripts: $(cat err)"
mv dots expected
pair "" "(Error: one below the text\\n) print flush" "" || complain "an error below: $(cat err)"
grep -aq '^WARNING: page 1 may not be complete: .*: Error: one below the text' err ||
	complain "an error below is lost: $(cat err)"
for which in 1 2; do
	case $which in
	1) pair quit "" "" ;;
	2) pair "" quit "" ;;
	esac || complain "Ghostscript $which ends: $(cat err)"
	cmp dots expected || complain "other dots after Ghostscript $which has ended"
	grep -aq ' ms, attempt 2$' err || complain "Ghostscript $which: one attempt: $(cat err)"
done
waits="realtime 2000 add { dup realtime lt { pop exit } if } loop"
pair "$waits" "$waits" riptide-page-timeout=3
ended "3 s for both" $? 1 "Ghostscript takes longer than the limit of 3 seconds"

# So do those in profiles of RGB; CMYK in a profile keeps its inks, and black is black.
python3 "$black" profiles >profiles.pdf
for value in none text text-and-graphics; do
	"$build/tests/tools/contone-pages" black-preservation=$value profiles.pdf >$value.own \
		2>err || complain "profiles, black-preservation=$value: $(cat err)"
	! grep -q 'black stays' err || complain "profiles, black-preservation=$value: $(cat err)"
done
wrong=$(python3 "$black" managed none.own text.own text-and-graphics.own 2>&1) ||
	complain "profiles: $wrong"

# How colours are converted: black with its point compensated is not the darkest mix.
for value in relative-bpc relative bad; do
	"$build/tests/tools/contone-pages" "black-preservation=none print-rendering-intent=$value" \
		profiles.pdf >$value.own 2>err || complain "print-rendering-intent: $(cat err)"
done
grep -q '^WARNING: print-rendering-intent=bad is not valid' err || complain "bad intent: $(cat err)"
cmp none.own relative-bpc.own && cmp none.own bad.own ||
	complain "print-rendering-intent changes the default"
! cmp -s none.own relative.own || complain "print-rendering-intent changes nothing"

# The output intent of a document decides about its inks, if it is one of a press.
for kind in none rgb cut press; do
	python3 "$black" intent $kind >$kind.pdf
	"$build/tests/tools/contone-pages" black-preservation=text $kind.pdf >$kind.ras 2>err ||
		complain "output intent, $kind: $(cat err)"
done
cmp none.ras rgb.ras || complain "an output intent of RGB changes inks"
cmp none.ras cut.ras || complain "a damaged output intent changes inks"
wrong=$(python3 "$black" pressed press.ras 2>&1) || complain "output intent: $wrong"

# Grey with a profile, too, and K if the printer has a profile that makes a mix of it; but no page
# that is mixed in RGB, where images would change.  The page between two of these is as if alone.
python3 "$black" mixed >mixed.pdf
profile=$(find /usr/share/color/icc /usr/share/ghostscript -name ps_cmyk.icc 2>/dev/null |
	head -n 1)
{
	cat colour.ppd
	printf '*Default%s\n' 'ColorModel: CMYK' 'MediaType: Plain' 'Resolution: 72dpi'
	echo "*cupsICCProfile CMYK.Plain.72dpi/Plain: \"$profile\""
} >profiled.ppd
mixed() # PPD WHAT
{
	for value in none text; do
		PPD=$1 "$build/tests/tools/contone-pages" black-preservation=$value mixed.pdf \
			>$value.ras 2>err ||
			complain "mixed pages, $1, black-preservation=$value: $(cat err)"
	done
	wrong=$(python3 "$black" apart none.ras text.ras "$2" 2>&1) ||
		complain "mixed pages, $1: $wrong"
}
mixed colour.ppd ink
if [[ $profile ]]; then
	mixed profiled.ppd mix
	# Black that is a mix does not overprint.
	lost='^WARNING: black-overprint may have no effect'
	PPD=profiled.ppd overprints "a profile" black-preservation=text over
	for value in none text; do
		PPD=profiled.ppd run pdftoriptide \
			"black-overprint=text black-preservation=$value" over.pdf
		[[ $(grep -ac "$lost" err) == "$([[ $value == none ]] && echo 1 || echo 0)" ]] ||
			complain "a profile, $value: $(cat err)"
	done
else
	echo "SKIPPED: Ghostscript's ps_cmyk.icc is not found: black with a profile was not tried"
fi

# Pages without colour are printed with black ink alone if asked, and others as ever: in the order
# of CMYK and of KCMY, and also if there is no room for their pixels and they are drawn twice.
python3 "$black" greys >greys.ps
draw pdfwrite 72 greys.pdf greys.ps -dColorConversionStrategy=/LeaveColorUnchanged || exit 99
print_greys() # SPACE OPTIONS
{
	sed "s,/cupsColorSpace 6/HWResolution\[72 72],/cupsColorSpace $1/HWResolution[150 150]," \
		colour.ppd >greys.ppd
	PPD=greys.ppd run pdftoriptide "halftone-screen=bi-level black-preservation=none $2" \
		greys.pdf ||
		complain "colours of $1, $2: $(cat err)"
}
alone() # SPACE OPTIONS
{
	print_greys "$1" "print-color-mode=auto-monochrome $2"
	grep -q 'pages of the job: 8 grey, 4 colour' err ||
		complain "auto-monochrome, colours of $1, $2: $(grep 'pages of' err)"
}
greys() # SPACE PLACE-OF-BLACK OPTIONS
{
	print_greys "$1" "$3"
	mv dots old.ras
	alone "$1" "$3"
	wrong=$(python3 "$black" alone "$2" dots old.ras 2>&1) ||
		complain "auto-monochrome, colours of $1, $3: $wrong"
}
greys 8 0 "riptide-workers=2 toner-save=30 halftone-edges=on"
for over in none text; do
	greys 6 3 "black-overprint=$over riptide-workers=1"
	mv dots one.ras
	# Each of 64 workers has 390 KB, and the noise takes 660.
	alone 6 "black-overprint=$over riptide-workers=64"
	cmp dots one.ras ||
		complain "auto-monochrome, black-overprint=$over: other dots without room"
done
"$riptide" rip -r 72 --model cmyk --screen bi-level -o old.ras greys.pdf &&
	"$riptide" rip -r 72 --model cmyk --screen bi-level --auto-monochrome -o dots.ras \
		greys.pdf ||
	complain "rip --auto-monochrome fails"
wrong=$(python3 "$black" alone 3 dots.ras old.ras 2>&1) || complain "rip --auto-monochrome: $wrong"

# The command.
for value in full profile; do
	"$riptide" rip -r 72 --screen bi-level --black $value -o $value.pbm patches.pdf ||
		complain "rip --black $value fails"
done
! cmp -s full.pbm profile.pbm || complain "rip --black changes nothing"
for value in none text; do
	"$riptide" rip -r 72 --model cmyk --black-preservation $value -o $value.ras objects.pdf ||
		complain "rip --black-preservation $value fails"
done
! cmp -s none.ras text.ras || complain "rip --black-preservation changes nothing"
for model in "" "--model rgb --format cups" "--model grey"; do
	for option in "--black-preservation text" "--black-overprint text" --auto-monochrome; do
		# shellcheck disable=SC2086 # words
		fails_with 2 "${option% text} is about black ink among others: add --model cmyk" \
			"$riptide" rip $model $option -o out.ras patches.pdf
	done
done
fails_with 2 "--black is about grey: leave it out for --model cmyk" \
	"$riptide" rip --model cmyk --black profile -o out.ras patches.pdf
# Without a place for a profile, pages are drawn as without these options.
TMPDIR=$folder/nowhere "$riptide" rip -r 72 --screen bi-level patches.pdf 2>stderr |
	cmp - profile.pbm ||
	complain "no folder for temporary files, grey: $(cat stderr)"
TMPDIR=$folder/nowhere "$riptide" rip -r 72 --model cmyk --format cups --black-preservation text \
	objects.pdf 2>stderr |
	cmp - none.ras || complain "no folder for temporary files, CMYK: $(cat stderr)"
# No profile is left.
mkdir temporary
TMPDIR=$folder/temporary "$riptide" rip -r 72 --workers 1 patches.pdf >out.pbm ||
	complain "rip fails"
TMPDIR=$folder/temporary "$riptide" rip -r 72 --workers 1 --model cmyk --black-preservation text \
	objects.pdf >out.ras ||
	complain "rip fails"
[[ ! $(ls temporary) ]] || complain "a temporary file is left: $(ls temporary)"
finish
