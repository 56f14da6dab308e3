#!/bin/bash
# Drivers of others, as filters behind rastertoriptide (riptideNextFilter): a small page goes
# through each one that is installed, and what it writes for its printer has our dots.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc python3 "$gstoraster"
serverbin=$(dirname "$(dirname "$gstoraster")")
datadir=$(cups-config --datadir 2>/dev/null || echo /usr/share/cups)
# With DEVICE_URI, as under cupsd, encoders log pages.
export PRINTER=queue DEVICE_URI=file:/dev/null
done=0

# CUPS's filters and those of this build.
mkdir -p bin/filter ppds
ln -s "$serverbin"/filter/* bin/filter/
rm -f bin/filter/*riptide bin/filter/rastertofoomatic
ln -s "$build/rastertofoomatic" bin/filter/
export CUPS_SERVERBIN=$folder/bin

# A tint, solid ink and text, away from the margins; and the same in colours.
page() # FILE WIDTH HEIGHT CODE
{
	make_pdf "$1" "<< /PageSize [$2 $3] >> setpagedevice $4 showpage" \
		-sColorConversionStrategy=LeaveColorUnchanged
}
page page.pdf 297 420 '0.4 setgray 100 100 100 200 rectfill 0 setgray 50 50 20 20 rectfill
	/Times-Roman findfont 30 scalefont setfont 30 350 moveto (Dots) show'
page label.pdf 79 252 '0.4 setgray 20 20 30 100 rectfill 0 setgray 20 150 20 20 rectfill'
page tape.pdf 176 82 '0.4 setgray 20 20 30 40 rectfill 0 setgray 120 50 20 20 rectfill'
colours='1 0 0 0 setcmykcolor 50 50 50 50 rectfill 0 1 0 0 setcmykcolor 50 150 60 50 rectfill
	0 0 1 0 setcmykcolor 150 50 50 70 rectfill 0 0 0 1 setcmykcolor 150 150 30 30 rectfill
	0.3 0.5 0.7 0.1 setcmykcolor 50 250 150 100 rectfill'
page color.pdf 297 420 "$colours"
page envelope.pdf 279 540 "$colours"

# installed DRIVER FILE...: whether it is.
installed()
{
	local driver=$1 file

	shift
	for file; do
		if [[ ! -e $file ]]; then
			echo "$driver is not installed, and is left out"
			return 1
		fi
	done
	done=$((done + 1))
}

# A PPD with 8 bits, and with its filter behind ours.
adopt() # FROM
{
	sed -e 's|cupsBitsPerColor 1\([/>]\)|cupsBitsPerColor 8\1|g' \
		-e 's|^\(\*cupsFilter: *"application/vnd.cups-raster [0-9]* \)\([^"]*\)"|'\
'\1rastertoriptide"\n*riptideNextFilter: "\2"|' \
		"$1" >queue.ppd
	grep -q '^\*riptideNextFilter' queue.ppd || complain "$1 did not take the change"
}

# A PPD of foomatic-rip, with code for the resolution and the colours.
adopt_foomatic() # FROM RESOLUTION COLORS
{
	local to="/HWResolution[$2]/cupsBitsPerColor 8/$3>>setpagedevice\"|"

	sed -e '/^\*cupsFilter:.*postscript/d' \
		-e 's|^\(\*cupsFilter:\).*|\1 "application/vnd.cups-raster 0 rastertoriptide"'\
'\n*riptideNextFilter: "rastertofoomatic"|' \
		-e "s|^\(\*PageSize A6[^:]*: \).*|\1\"<</PageSize[297 420]$to" \
		-e "s|^\(\*PageSize 62x29mm[^:]*: \).*|\1\"<</PageSize[176 82]$to" \
		"$1" >queue.ppd
}

# print NAME FILE OPTIONS: in.ras is what we got, data what the printer gets.
print()
{
	PPD=queue.ppd "$gstoraster" 1 user title 1 "$3" "$2" >in.ras 2>gs.err ||
		complain "$1: gstoraster fails: $(grep -a ERROR gs.err)"
	PPD=queue.ppd run rastertoriptide "$3" <in.ras 3<status || complain "$1 fails: $(cat err)"
	rm -f expected-* printed-*
	"$build/tests/tools/expected-dots" in.ras expected >/dev/null ||
		complain "$1: no dots are expected"
}
: >status

# right NAME FORMAT [EXPECTED [DATA]]
right()
{
	"$source/tests/tools/compare-driver" "$2" "${3-expected-1-1.pbm}" "${4-dots}" >said 2>&1 ||
		complain "$1 prints other dots: $(cat said)"
	echo "$1: $(cat said)"
}

logged() # NAME TIMES
{
	(($(pages_logged) == $2)) || complain "$1: the page is logged $(pages_logged) times"
}

# --- drivers with a filter ----------------------------------------------------------------------
while read -r name drv filter ppd format options; do
	installed "$name" "$datadir/drv/$drv.drv" "bin/filter/$filter" || continue
	rm -f ppds/*
	ppdc -l en -d ppds "$datadir/drv/$drv.drv" >/dev/null 2>&1
	adopt "ppds/$ppd.ppd"
	print "$name" page.pdf "PageSize=A6 $options"
	right "$name" "$format"
	[[ $name == rastertosag-gdi ]] || logged "$name" 1 # that driver never logs pages
done <<-END
	brlaser brlaser rastertobrlaser br7030 brlaser Resolution=300dpi
	SpliX splix-samsung rastertoqpdl ml2250 qpdl Resolution=600dpi
	hpcups hpcups hpcups hp-laserjet_1200-pcl3 pcl
	rastertosag-gdi rastertosag-gdi rastertosag-gdi rsp1000s sag
END
if installed DYMO "$serverbin/driver/dymo" bin/filter/raster2dymolw; then
	"$serverbin/driver/dymo" cat dymo:0/cups/model/lw400.ppd >dymo.ppd
	adopt dymo.ppd
	# It asks the printer through the back channel, which answers that it is ready.
	head -c 100000 /dev/zero | tr '\0' '\3' >status
	print DYMO label.pdf "DymoHalftoning=Default PageSize=w79h252"
	right DYMO dymo
	logged DYMO 1
	: >status
fi

# --- drivers for foomatic-rip -------------------------------------------------------------------
black='cupsColorSpace 3/cupsColorOrder 0' kcmy='cupsColorSpace 8/cupsColorOrder 1'

foo2zjs() # PPD RESOLUTION COLORS
{
	"$serverbin/driver/foo2zjs" cat "foo2zjs:0/ppd/foo2zjs/$1.ppd" >foo.ppd
	adopt_foomatic foo.ppd "$2" "$3"
}
if installed foo2zjs "$serverbin/driver/foo2zjs" /usr/bin/foo2zjs-wrapper /usr/bin/zjsdecode; then
	foo2zjs HP-LaserJet_1020 "600 600" "$black"
	print foo2zjs page.pdf "PageSize=A6 Resolution=600x600dpi InputSlot=Manual Density=Density5"
	zjsdecode -d printed <dots >said
	grep -q 'DMDEFAULTSOURCE, 4 ' said && grep -q 'DMPAPER, 262 ' said &&
		grep -qa 'DENSITY=5' dots ||
		complain "foo2zjs: the options are not the job's: $(cat said)"
	right foo2zjs pbm expected-1-1.pbm printed-01-1.pbm
	logged foo2zjs 1
	# The encoder is told another resolution than the page has.
	PPD=queue.ppd run rastertoriptide "PageSize=A6 Resolution=1200x600dpi" <in.ras
	ended "foo2zjs with a wrong resolution" $? 1 "600 x 600 dpi, but"

	# pksmraw: each plane as it is.
	foo2zjs Minolta-magicolor_2300_DL "1200 600" "$kcmy"
	sed -i 's|^\(\*PageSize EnvMonarch\)[^:]*: .*|\1/Monarch: "<</PageSize[279 540]'\
'/HWResolution[1200 600]/cupsBitsPerColor 8/cupsColorSpace 8/cupsColorOrder 1>>setpagedevice"|' \
		queue.ppd
	print "foo2zjs in colour" envelope.pdf \
		"PageSize=EnvMonarch Resolution=1200x600dpi ColorMode=PhotosAndText"
	zjsdecode -d printed <dots >said
	for plane in 1:4 2:1 3:2 4:3; do
		right "foo2zjs in colour, plane $plane" pbm "expected-1-${plane%:*}.pbm" \
			"printed-01-${plane#*:}.pbm"
	done
fi
if installed foo2qpdl "$serverbin/driver/foo2zjs" /usr/bin/foo2qpdl-wrapper \
	/usr/bin/qpdldecode; then
	# bitcmyk
	foo2zjs Samsung-CLP-300 "600 600" "$kcmy"
	print foo2qpdl color.pdf "PageSize=A6 Resolution=600x600dpi ColorMode=Color"
	qpdldecode -d printed <dots >said
	for plane in c:1 m:2 y:3 k:4; do
		right "foo2qpdl, $plane" "black:${plane%:*}:kcmy:pbm" expected \
			"printed-01-${plane#*:}.pbm"
	done
fi
if installed ptouch "$serverbin/driver/ptouch" bin/filter/rastertoptch; then
	"$serverbin/driver/ptouch" cat \
		ptouch:0/ppd/ptouch-driver/Brother-QL-500-ptouch-ql.ppd >ptouch.ppd
	adopt_foomatic ptouch.ppd "300 300" "$black"
	print ptouch tape.pdf "PageSize=62x29mm"
	right ptouch ptouch
	logged ptouch 1
fi

if ((done == 0)); then
	echo "no driver is installed"
	exit 77
fi
finish
