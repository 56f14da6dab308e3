#!/bin/sh
# riptide adopt on queues with the drivers of Debian's packages: each is adopted, with its trial,
# and prints a small page whose printer data has our dots, decoded and compared bit by bit with what
# the oracle makes of the job's raster.  (CUPS's own drivers: adopt.sh.)
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

command -v python3 >/dev/null || exit 77
begin
tap
# For the trial: the filters of this CUPS.
CUPS_SERVERBIN=$PC_DIR/lib CUPS_SERVERROOT=$PC_DIR/etc CUPS_DATADIR=$PC_DIR/share
serverbin=$(cups-config --serverbin)
export CUPS_SERVERBIN CUPS_SERVERROOT CUPS_DATADIR
tried=0

# A printer that answers that it is ready, as DYMO's driver wants to hear.
head -c 4096 /dev/zero | tr '\0' '\3' >ready
cat >lib/backend/answer <<-END
	#!/bin/sh
	[ \$# != 0 ] || { echo 'direct answer "Unknown" "A printer that answers"'; exit; }
	cat "$PC_DIR/ready" >&3
	cat >"$PC_DIR/out/\${DEVICE_URI#answer:/}"
END
chmod 700 lib/backend/answer
# It hears that in the trial, too: cupsfilter gives it /dev/null, which it would read for half a
# minute, again and again, before it ends as if the printer were ready.
if [ -e lib/filter/raster2dymolw ]; then
	rm lib/filter/raster2dymolw
	cat >lib/filter/raster2dymolw <<-END
		#!/bin/sh
		[ ! /dev/fd/3 -ef /dev/null ] || exec 3<"$PC_DIR/ready"
		exec "$serverbin/filter/raster2dymolw" "\$@"
	END
	chmod 755 lib/filter/raster2dymolw
fi

# A tint, solid ink and text, away from the margins; in colours; and labels.
page() # NAME WIDTH HEIGHT CODE
{
	gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sColorConversionStrategy=LeaveColorUnchanged \
		-sOutputFile="$PC_DIR/$1.pdf" \
		-c "<< /PageSize [$2 $3] >> setpagedevice $4 showpage" || fail "no page $1"
}
page mono 297 420 '0.4 setgray 100 100 100 200 rectfill 0 setgray 50 50 20 20 rectfill
	/Times-Roman findfont 30 scalefont setfont 30 350 moveto (Dots) show'
page color 297 420 '1 0 0 0 setcmykcolor 50 50 50 50 rectfill
	0 1 0 0 setcmykcolor 50 150 60 50 rectfill
	0 0 1 0 setcmykcolor 150 50 50 70 rectfill 0 0 0 1 setcmykcolor 150 150 30 30 rectfill
	0.3 0.5 0.7 0.1 setcmykcolor 50 250 150 100 rectfill'
page label 79 252 '0.4 setgray 20 20 30 100 rectfill 0 setgray 20 150 20 20 rectfill'
page tape 176 82 '0.4 setgray 20 20 30 40 rectfill 0 setgray 120 50 20 20 rectfill'

# adopted NAME URI PPD-COMMAND...: a queue with that driver, adopted.  Fails if it is not installed.
adopted()
{
	local name=$1 uri=${2:-file://$PC_DIR/out/$1}

	shift 2
	if ! [ -x "$1" ] || ! env -u CUPS_SERVERBIN -u CUPS_SERVERROOT -u CUPS_DATADIR \
		"$@" >"$name.ppd" 2>/dev/null ||
		! [ -s "$name.ppd" ]; then
		echo "$name is not installed, and is left out"
		return 1
	fi
	tried=$((tried + 1))
	queue "$name" "$name.ppd" "$uri"
	# shellcheck disable=SC2046 # nothing or one word
	"$RIPTIDE_BUILD/riptide" adopt $(rip_of "$name") "$name" >said 2>&1 ||
		fail "adopt $name: $(cat said)"
	rm -f tap/*
}

# Documents of these go through pdftoriptide, which has gstoraster draw them here, for the oracle.
rip_of() # NAME
{
	case $1 in
	brlaser | splix-color | foo2zjs | ptouch) echo --rip ;;
	esac
}

drv() # NAME URI DRV/PPD
{
	adopted "$1" "$2" "$serverbin/daemon/cups-driverd" cat "drv:///$3"
}

# prints NAME FILE LP-ARGUMENT...: expected-* has the dots, out/NAME the printer's data.
prints()
{
	local name=$1 file=$2

	shift 2
	print "$name" "$file.pdf" -o halftone-screen=floyd-steinberg "$@"
	[ "$name" = sag-gdi ] || pages_are "$PC_JOB" 1 # that driver never logs pages
	rm -f expected-* printed-*
	"$tests/tools/expected-dots" "tap/$PC_JOB" expected >/dev/null ||
		fail "$name: no dots are expected"
}

# right NAME FORMAT [EXPECTED [DATA]]
right()
{
	"$RIPTIDE_SOURCE/tests/tools/compare-driver" "$2" "${3-$PC_DIR/expected-1-1.pbm}" \
		"${4-$PC_DIR/out/$1}" \
		>said 2>&1 || fail "$1 prints other dots: $(cat said)"
	echo "$1: $(cat said)"
}

while read -r name drv format file arguments; do
	drv "$name" '' "$drv" </dev/null || continue
	# shellcheck disable=SC2086 # words
	prints "$name" "$file" $arguments </dev/null
	right "$name" "$format"
done <<-END
	brlaser brlaser.drv/br7030.ppd brlaser mono -o PageSize=A6 -o Resolution=300dpi
	splix splix-samsung.drv/ml2250.ppd qpdl mono -o PageSize=A6 -o Resolution=600dpi
	hpcups hpcups.drv/hp-laserjet_1200-pcl3.ppd pcl mono -o PageSize=A6
	sag-gdi rastertosag-gdi.drv/rsp1000s.ppd sag mono -o PageSize=A6
END
if drv splix-color '' splix-xerox.drv/ph6100.ppd; then
	prints splix-color color -o PageSize=A6
	for plane in c:1 m:2 y:3 k:4; do
		right splix-color "black:${plane%:*}:cmyk:qpdl${plane#*:}" expected
	done
fi
if adopted dymo answer:/dymo "$serverbin/driver/dymo" cat dymo:0/cups/model/lw400.ppd; then
	prints dymo label -o PageSize=w79h252
	right dymo dymo
fi
if adopted foo2zjs '' "$serverbin/driver/foo2zjs" cat \
	foo2zjs:0/ppd/foo2zjs/HP-LaserJet_1020.ppd; then
	prints foo2zjs mono -o PageSize=A6 -o Resolution=600x600dpi
	(cd "$PC_DIR" && zjsdecode -d printed <out/foo2zjs >said) || fail "zjsdecode fails"
	right foo2zjs pbm expected-1-1.pbm printed-01-1.pbm
fi
if adopted ptouch '' "$serverbin/driver/ptouch" cat \
	ptouch:0/ppd/ptouch-driver/Brother-QL-500-ptouch-ql.ppd; then
	prints ptouch tape -o PageSize=62x29mm
	right ptouch ptouch
fi
if [ $tried = 0 ]; then
	echo "no driver is installed"
	exit 77
fi
