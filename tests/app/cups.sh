#!/bin/bash
# CUPS finds out by itself what the printers can do (lpadmin -m everywhere), and what it prints
# through them is what they print for other clients, dot for dot.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
export RIPTIDE_BUILD=$build RIPTIDE_SOURCE=$source

make_pdf page.pdf '<< /PageSize [595 842] >> setpagedevice 0.6 setgray 60 300 200 150 rectfill
	0 setgray /Times-Roman findfont 20 scalefont setfont 60 500 moveto (One) show
	0.2 0.5 0.8 setrgbcolor 100 100 90 90 rectfill showpage
	0.3 setgray 60 60 150 300 rectfill showpage'

# PRINTER DRIVER; what our clients say; what CUPS's say.
cat >cases <<'END'
laser pcl5
	media=iso_a4_210x297mm
	media=A4
laser pcl5
	media=iso_a4_210x297mm sides=two-sided-long-edge
	media=A4 sides=two-sided-long-edge
laser pcl5
	media=iso_a4_210x297mm print-quality=3
	media=A4 cupsPrintQuality=Draft
photo escp2-photo
	media=iso_a4_210x297mm print-color-mode=color
	media=A4 ColorModel=RGB
photo escp2-photo
	media=iso_a4_210x297mm print-color-mode=monochrome
	media=A4 ColorModel=Gray
END
start_app
number=0
while read -r printer driver && read -r options && read -r _; do
	number=$((number + 1))
	[[ -e printed-$printer ]] || add_printer "$printer" "$driver"
	: >"printed-$printer"
	read -ra words <<<"$options"
	set --
	for word in "${words[@]}"; do set -- "$@" -o "$word"; done
	prints Completed "$printer" page.pdf "$@"
	cp "printed-$printer" "direct-$number"
done <cases
[[ -s direct-1 ]] || complain "nothing is printed"
cmp -s direct-1 direct-2 && complain "both sides are as one"
cmp -s direct-1 direct-3 && complain "a draft is as any other page"
cmp -s direct-4 direct-5 && complain "colour is as grey"
export number=0 port folder
(
	. "$source/contrib/private-cups"
	pc_start || exit
	for printer in laser photo; do
		lpadmin -p "$printer" -v "ipp://localhost:$port/ipp/print/$printer" -m everywhere \
			-E || exit 1
	done
	while read -r printer _ && read -r _ && read -r options; do
		number=$((number + 1))
		read -ra words <<<"$options"
		: >"printed-$printer"
		pc_print "$printer" page.pdf "${words[@]/#/-o}" && pc_wait "$PC_JOB" ||
			{ echo "job $number: $(pc_log "$PC_JOB" | tail -n 20)"; exit 1; }
		cp "printed-$printer" "cups-$number"
	done <cases
	cp "$PC_DIR/etc/ppd/laser.ppd" .
) >cups.log 2>&1
case $? in
0) ;;
77) leave_out "CUPS is not installed"; finish ;;
*) complain "CUPS does not print: $(tail -n 30 cups.log)"; finish ;;
esac
for number in 1 2 3 4 5; do
	cmp "direct-$number" "cups-$number" ||
		complain "job $number through CUPS is printed otherwise: $(grep 'Options of' log)"
done
stop_app
finish
