#!/bin/bash
# Pure black of CMYK is full ink in grey, lighter K follows, and other colours stay (black.py), in
# each grey colour space; halftone-black=profile leaves all to the profile.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs python3
black=$source/tests/filter/black.py
python3 "$black" document >patches.ps
draw pdfwrite 72 patches.pdf patches.ps -dColorConversionStrategy=/LeaveColorUnchanged || exit 99

for space in 0 3 18; do
	small_ppd | sed "s,/cupsColorSpace 3/HWResolution\[300 300],/cupsColorSpace $space/HWResolution[72 72]," >small.ppd
	for value in full profile; do
		PPD=small.ppd "$build/tests/tools/contone-pages" halftone-black=$value patches.pdf >$value.ras 2>err ||
			complain "colour space $space, $value: $(cat err)"
		! grep -q 'black of CMYK stays' err || complain "colour space $space: $(cat err)"
	done
	wrong=$(python3 "$black" check $((space != 3)) full.ras profile.ras 2>&1) ||
		complain "colour space $space: $wrong"
	PPD=small.ppd "$build/tests/tools/contone-pages" "" patches.pdf 2>err | cmp - full.ras ||
		complain "colour space $space: full is not the default"
done

# The command.
for value in full profile; do
	"$riptide" rip -r 72 --screen bi-level --black $value -o $value.pbm patches.pdf || complain "rip --black $value fails"
done
! cmp -s full.pbm profile.pbm || complain "rip --black changes nothing"
# No copy of the profile is left.
mkdir temporary
TMPDIR=$folder/temporary PPD=small.ppd "$build/tests/tools/contone-pages" "" patches.pdf 2>err | cmp - full.ras ||
	complain "with another folder for temporary files: $(cat err)"
[[ ! $(ls temporary) ]] || complain "a temporary file is left: $(ls temporary)"
finish
