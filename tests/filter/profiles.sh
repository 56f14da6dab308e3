#!/bin/bash
# The colour profile of a job: pdftoriptide passes to Ghostscript what gstoraster passes, for
# profiles of colord (a service that stands in for it, on a bus of its own) and of the PPD, and for
# calibration.  And those of text, graphics and images on their own.
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

# --- text, graphics and images on their own
# -----------------------------------------------------------------------------------
# In the jail, with profiles from a folder that its settings name.
export PATH=${PATH#*:} RIPTIDE_CONFIG=$folder/folders.conf PPD=$folder/cmyk.ppd
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/none
mkdir -p icc/folder
chmod 755 . icc # root's Ghostscript runs as another user
echo "riptide-jail-folders = $folder/none:$folder/icc" >folders.conf
cp "$profiles/ps_cmyk.icc" icc/press.icc
cp "$profiles/default_rgb.icc" icc/rgb.icc
cp "$profiles/default_gray.icc" icc/grey.icc
cp icc/press.icc elsewhere.icc
ln -s ../elsewhere.icc icc/link.icc
head -c 300 icc/press.icc >icc/cut.icc
python3 - icc/press.icc <<'END' >icc/torn.icc
import sys
profile = bytearray(open(sys.argv[1], "rb").read())
profile[132:300] = bytes(168)  # its parts
sys.stdout.buffer.write(profile)
END
# A table of one intent, or of its black point, is none; or is cut; or has other colours.
cat >tables.py <<'END'
import struct
import sys
profile = bytearray(open(sys.argv[1], "rb").read())
tags = {bytes(profile[at:at + 4]).decode(): at for at in range(132, 240, 12)}
def write(name, *parts):
    made = bytearray(profile)
    for part, at, size in parts:
        struct.pack_into(">2I", made, tags[part] + 4, at, size)
    open(f"icc/{name}.icc", "wb").write(made)
at, size = struct.unpack_from(">2I", profile, tags["B2A0"] + 4)
text = struct.unpack_from(">2I", profile, tags["cprt"] + 4)
write("sound")
for part in "B2A0", "B2A1", "B2A2", "A2B1":
    write(part, (part, *text))
write("short", ("B2A2", at, size - 1))
other = len(profile)
for name, byte, value in ("grid", 10, 34), ("none", 10, 1), ("in", 8, 4), ("out", 9, 3):
    profile[other:] = profile[at:at + size]
    profile[other + byte] = value
    struct.pack_into(">I", profile, 0, len(profile))
    write(name, ("B2A1", other, size))
END
python3 tables.py "$profiles/default_cmyk.icc" || exit 99
small_ppd |
	sed "s,/cupsColorSpace 3/HWResolution\[300 300],/cupsColorSpace 6/HWResolution[72 72]," \
		>cmyk.ppd
make_pdf kinds.pdf "<< /PageSize [90 30] >> setpagedevice .5 .2 .1 setrgbcolor
/ZapfDingbats findfont 30 scalefont setfont 0 0 moveto (n) show 30 0 30 30 rectfill
gsave 60 0 translate 30 30 scale 1 1 8 [1 0 0 1 0 0] {<803319>} false 3 colorimage grestore
showpage" -dColorConversionStrategy=/LeaveColorUnchanged

# draw_kinds OPTIONS: sets $inks to those of text, graphics and image, and $said.
draw_kinds()
{
	"$build/tests/tools/contone-pages" "black-preservation=none $1" kinds.pdf >kinds.ras \
		2>err || complain "$1: $(cat err)"
	said=$(grep '^WARNING: ' err)
	mapfile -t inks < <(python3 - kinds.ras <<'END'
import struct, sys
raster = open(sys.argv[1], "rb").read()[4:]
width, height = struct.unpack_from("=2I", raster, 372)
for x in 12, 45, 75:
    at = 1796 + ((height - 15) * width + x) * 4
    print(*raster[at:at + 4])
END
	)
}
draw_kinds ""
plain=("${inks[@]}")
kinds=(text graphics image)
for option in "profile=$folder/icc/press.icc" rendering-intent={absolute,relative}; do
	for kind in 0 1 2; do
		draw_kinds "${kinds[kind]}-$option"
		[[ ! $said ]] || complain "${kinds[kind]}-$option: $said"
		for other in 0 1 2; do
			[[ ${inks[other]} == "${plain[other]}" ]] ||
				((other == kind)) ||
				complain "$option of ${kinds[kind]} changes ${inks[other]}"
		done
		[[ ${inks[kind]} != "${plain[kind]}" ]] ||
			complain "${kinds[kind]}-$option changes nothing"
	done
done
draw_kinds "text-profile=$folder/icc/sound.icc"
[[ ! $said ]] || complain "a sound profile: $said"
draw_kinds "print-rendering-intent=absolute image-rendering-intent=relative-bpc"
[[ ${inks[2]} == "${plain[2]}" && ${inks[0]} != "${plain[0]}" ]] ||
	complain "the intent of all does not leave that of images: ${inks[*]}"
while read -r option why; do
	draw_kinds "$option"
	[[ $said == "WARNING: "*"$why"* && $said != *$'\n'* ]] || complain "$option: $said"
	[[ ${inks[*]} == "${plain[*]}" ]] || complain "$option takes effect: ${inks[*]}"
done <<END
text-profile=relative.icc not an absolute path
text-profile=$folder/icc/missing.icc No such file
image-profile=$folder/elsewhere.icc it is in no folder of colour profiles
image-profile=$folder/icc/../elsewhere.icc it is in no folder of colour profiles
image-profile=$folder/icc/link.icc it is in no folder of colour profiles
graphics-profile=$folder/icc/rgb.icc it is for other colours
text-profile=$folder/icc/grey.icc it is for other colours
text-profile=$folder/icc/cut.icc it is no ICC profile
text-profile=$folder/icc/torn.icc it is no ICC profile
text-profile=$folder/icc/folder it is no ICC profile
text-profile=$folder/icc/B2A0.icc it is no ICC profile
text-profile=$folder/icc/B2A1.icc it is no ICC profile
text-profile=$folder/icc/B2A2.icc it is no ICC profile
image-profile=$folder/icc/A2B1.icc it is no ICC profile
text-profile=$folder/icc/short.icc it is no ICC profile
text-profile=$folder/icc/grid.icc it is no ICC profile
text-profile=$folder/icc/none.icc it is no ICC profile
text-profile=$folder/icc/in.icc it is no ICC profile
text-profile=$folder/icc/out.icc it is no ICC profile
text-rendering-intent=bright valid values are auto, perceptual
END
# Pages with transparency, before and after another one, are printed as without: Ghostscript would
# convert them as a whole.
python3 "$source/tests/filter/black.py" mixed >mixed.pdf
for option in profile="$folder/icc/press.icc" rendering-intent=absolute; do
	for pages in "" "text-$option image-$option"; do
		"$build/tests/tools/contone-pages" "black-preservation=none $pages" mixed.pdf \
			2>err >"mixed${pages:+.new}" || complain "mixed pages, $option: $(cat err)"
	done
	python3 - <<'END' || complain "$option: pages with transparency change, or others do not"
import sys
old, new = (open(name, "rb").read()[4:] for name in ("mixed", "mixed.new"))
size = len(old) // 3
sys.exit([old[at:at + size] == new[at:at + size] for at in (0, size, 2 * size)] !=
         [True, False, True])
END
done
run pdftoriptide "text-rendering-intent=absolute riptide-workers=3" mixed.pdf
(($(grep -ac "^WARNING: pages with transparency are printed without the profiles" err) == 1)) ||
	complain "not one WARNING of transparency: $(grep -a WARNING err)"
run pdftoriptide "black-preservation=text image-rendering-intent=absolute" kinds.pdf
grep -aq "^WARNING: black-preservation has no effect" err ||
	complain "black-preservation goes unnoticed: $(grep -a WARNING err)"
# A colour or a curve of three is not all there.
python3 - icc/rgb.icc <<'END'
import struct
import sys
profile = open(sys.argv[1], "rb").read()
tags = {profile[at:at + 4].decode(): at for at in range(132, 300, 12)}
for name, at in ("gXYZ", tags["gXYZ"] + 8), ("bTRC", tags["bTRC"] + 8), (
        "rTRC", struct.unpack_from(">I", profile, tags["rTRC"] + 4)[0] + 8):
    made = bytearray(profile)
    struct.pack_into(">I", made, at, 16 if name != "rTRC" else 1 << 31)
    open(f"icc/{name}.icc", "wb").write(made)
END
sed -i 's,/cupsColorSpace 6,/cupsColorSpace 1,' cmyk.ppd
for part in gXYZ bTRC rTRC; do
	run pdftoriptide "text-profile=$folder/icc/$part.icc" kinds.pdf
	ended "a profile without a whole $part" $? 0 ""
	grep -aq "^WARNING: text-profile=$folder/icc/$part.icc is not used: it is no ICC" err ||
		complain "$part: $(grep -a WARNING err)"
done
run pdftoriptide "text-profile=$folder/icc/rgb.icc" kinds.pdf
ended "a profile of RGB" $? 0 ""
! grep -a "^WARNING" err || complain "a profile of RGB"
sed -i 's,/cupsColorSpace 1,/cupsColorSpace 3,' cmyk.ppd
run pdftoriptide "text-profile=$folder/icc/press.icc" kinds.pdf
grep -aq "^WARNING: text-profile has no effect: the pages are in grey" err ||
	complain "a profile on grey pages goes unnoticed: $(grep -a WARNING err)"
finish
