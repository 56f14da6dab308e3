#!/bin/bash
# The colour profile of a job: pdftoriptide passes to Ghostscript what gstoraster passes, for
# profiles of colord (a service that stands in for it, on a bus of its own) and of the PPD, and for
# calibration.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc dbus-daemon "$gstoraster"
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/none

# A document of one small page, and a program that tells the arguments of Ghostscript.
gs=$(command -v gs)
make_pdf page.pdf showpage -dDEVICEWIDTHPOINTS=72 -dDEVICEHEIGHTPOINTS=72
mkdir bin
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >%s/arguments\nexec %s "$@"\n' "$folder" "$gs" >bin/gs
chmod +x bin/gs
export PATH=$folder/bin:$PATH
no_jail

# Profiles: any that Ghostscript takes.
profiles=$(dirname "$(find /usr/share/color/icc /usr/share/ghostscript \
	-name default_gray.icc 2>/dev/null | head -n 1)")
[[ -f $profiles/default_gray.icc ]] || { echo "Ghostscript's profiles are not found"; exit 77; }
cp "$profiles/default_gray.icc" plain.icc
cp plain.icc glossy.icc
cp plain.icc colord.icc
make_ppds
ppd=ppds/riptide-pcl-color.ppd
grep -q '^\*MediaType Glossy' $ppd && grep -q '^\*DefaultMediaType: Plain' $ppd ||
	complain "$ppd has other choices"
resolution=$(sed -n 's/^\*DefaultResolution: *//p' $ppd)
sed -i 's/^\*DefaultColorModel:.*/*DefaultColorModel: Gray/' $ppd
{
	cat $ppd
	echo "*cupsICCProfile Gray.Plain.$resolution/Plain: \"$folder/plain.icc\""
	echo "*cupsICCProfile Gray.Glossy.$resolution/Glossy: \"$folder/glossy.icc\""
} >profile.ppd

# What each of the two passes.
colours() # ARGUMENTS
{
	sed -n 's,^-sOutputICCProfile=.*/,profile ,p; s,^-dUseFastColor$,no colours,p' "$1" | sort
}

# ask WHAT PRINTER OPTIONS: sets $theirs and $ours
ask()
{
	export PRINTER=$2 PPD=$folder/${ppd_of_job:-profile.ppd}

	"$gstoraster" 1 user title 1 "$3" page.pdf 2>gs.err >/dev/null ||
		complain "$1: gstoraster fails"
	sed -n 's/^DEBUG: Ghostscript command line: //p' gs.err | tr -d "'" | tr ' ' '\n' >theirs
	rm -f arguments
	"$build/pdftoriptide" 1 user title 1 "$3" page.pdf 2>err >/dev/null ||
		complain "$1: $(cat err)"
	theirs=$(colours theirs)
	ours=$(colours arguments)
}

# check WHAT PRINTER OPTIONS EXPECTED: by both
check()
{
	ask "$1" "$2" "$3"
	[[ $theirs == "$4" ]] || complain "$1: gstoraster passes \"$theirs\", not \"$4\""
	[[ $ours == "$4" ]] || complain "$1: pdftoriptide passes \"$ours\", not \"$4\""
}

# Without a bus.
check "the PPD's profile" known "" "profile plain.icc"
ppd_of_job=$ppd check "no profile" known "" ""
check "calibration" known cm-calibration=true "no colours"
check "calibration without a value" known cm-calibration "no colours"
# Here they differ: gstoraster takes the PPD's defaults, whatever the job asks for, and calibrates
# for a no.
ask "other paper" known MediaType=Glossy
[[ $ours == "profile glossy.icc" ]] || complain "other paper: pdftoriptide passes \"$ours\""
ask "no calibration" known cm-calibration=false
[[ $ours == "profile plain.icc" ]] || complain "no calibration: pdftoriptide passes \"$ours\""
# A default without an option of that name.
sed "/^\*OpenUI \*MediaType/,/^\*CloseUI: \*MediaType/d; /^\*UIConstraints.*MediaType/d" \
	profile.ppd >default.ppd
echo "*DefaultMediaType: Plain" >>default.ppd
ppd_of_job=default.ppd check "a default of no option" known "" "profile plain.icc"

# With a bus, without colord.
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus
cat >bus.conf <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><listen>$DBUS_SYSTEM_BUS_ADDRESS</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
END
dbus-daemon --config-file=bus.conf --nofork 2>bus.err &
bus=$!
wait_for 10 test -S bus || { cat bus.err; exit 99; }
check "a bus without colord" known "" "profile plain.icc"

# With colord.
"$build/tests/tools/fake-colord" "$folder" &
wait_for 10 test -e ready || exit 99
check "colord without a profile" known "" "profile plain.icc"
echo "$folder/colord.icc" >profile
check "colord's profile" known "" "profile colord.icc"
(($(grep -c "^Gray.Plain.$resolution Gray.Plain.\* Gray.\*.$resolution Gray.\*.\* \*$" \
	asked) == 4)) ||
	complain "colord was asked for: $(cat asked)"
check "a queue that colord does not know" other "" "profile plain.icc"
touch inhibit
check "a printer that is measured" known "" "no colours"
rm inhibit
touch slow # gstoraster would wait for 25 seconds, twice
export PRINTER=known PPD=$folder/profile.ppd
in_time() # WHAT: sd-bus itself would wait 90 seconds for a silent bus
{
	rm -f arguments
	timeout 30 "$build/pdftoriptide" 1 user title 1 "" page.pdf 2>err >/dev/null ||
		complain "$1: $(cat err)"
	[[ $(colours arguments) == "profile plain.icc" ]] || complain "$1: $(colours arguments)"
}
in_time "a slow colord"
kill -STOP $bus # then its socket accepts connections, but nobody answers
in_time "a silent bus"
kill -CONT $bus
finish
