#!/bin/bash
# riptide calibrate: readings of every kind, wrong ones, and the programs of ArgyllCMS.  With a
# queue: tests/e2e/calibrate.sh; how good it is: tests/tone/tone_quality.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
argyll=$source/tests/tone/argyll

# It fails like that, and an older file stays.
fails() # STATUS WORDS ARGUMENT...
{
	echo older >older.cal
	fails_with "$1" "$2" "$riptide" calibrate "${@:3}" -o older.cal
	[[ $(cat older.cal) == older ]] || complain "${*:3}: the older file has changed"
}

makes() # FILE ARGUMENT...
{
	does "$riptide" calibrate "${@:2}" -o "$1"
	[[ -s $1 && -s stdout ]] || complain "${*:2}: no $1"
}

# The same with a warning.
warns() # FILE WORDS ARGUMENT...
{
	timeout 60 "$riptide" calibrate "${@:3}" -o "$1" >stdout 2>stderr ||
		complain "$1: $(cat stderr)"
	[[ -s $1 ]] || complain "$1 was not written"
	one_line "$1" "$2"
}


# Two calibrations are the same but for when they were made.
same_cal() # FILE FILE
{
	cmp <(sed /^CREATED/d "$1") <(sed /^CREATED/d "$2") || complain "$1 is not $2"
}

fails 2 "unknown option --foo" --foo
fails 2 "a match is" --match 50
fails 2 "lists the screens" --match foo:50=34
fails 2 "lines of 12.5" --match 51=34
fails 2 "lines of 12.5" --match 31.25=34
fails 2 "between 0 and 100" --match 50=100
fails 2 "between 0 and 100" --match 50=x
fails 2 "the row of 50 % has tints from 10 to 68" --match 50=2
fails 2 "the row of 12.5 % has tints from 2 to 24" --match 12.5=24.5
fails 2 "the row of 87.5 % has tints from 38 to 98" --match 50=36,87.5=30
fails 1 "differs from the readings by 17" --match 87.5=38,12.5=24
fails 2 "an ink is" --match X:50=34
fails 2 "density, lightness" --unit foo
fails 2 "choose laser, laser-600" --printer foo
fails 2 "choose laser, inkjet or thermal" --printer none
fails 2 "not valid" --screen foo
fails 2 "choose letters of C, M, Y and K" --ink R
fails 2 "choose letters of C, M, Y and K" --ink c
fails 2 "--ink \"cyn\" is nearly Cyan: write that" --ink cyn
fails 2 "a file is of one ink" --ink CM steps
fails 2 "is not valid" --drops 7,3
fails 2 "--drops has 3, and 2 levels need none" --drops 3,7,14 --match 50=34
fails 2 "--drops has 1, and 2 levels need none" --drops 14 --match 50=34
fails 2 "--drops has 3, and 3 levels need 2" --drops 3,7,14 --levels 3 --match 50=34
fails 2 "square pixels" --resolution 600x1200
fails 2 "nothing else" --undo
fails_with 2 "without --name" "$riptide" calibrate --undo --name a q
fails 1 "nothing was read" --printer laser
printf 'P4 8 1\n\0' >bits.pbm
fails 1 "bits.pbm is a picture, but not PNG, TIFF, JPEG or PGM (P5): convert it to PNG" bits.pbm
printf 'P2\n# by GIMP\n2 1\n255\n0 9\n' >plain.pgm
fails 1 "plain.pgm is a picture, but not PNG" plain.pgm
{ printf 'P6\n4000 1000\n255\n'; head -c 12000000 /dev/zero |
	tr '\0' a; } >large.ppm # from scanimage
fails 1 "large.ppm is a picture, but not PNG" large.ppm
{ printf 'BM'; head -c 12000000 /dev/zero; } >large.bmp
fails 1 "large.bmp is no text: it must be a scan (PNG, TIFF, JPEG or PGM)" large.bmp
rm large.ppm large.bmp
: >empty
fails 1 "empty is empty" empty
fails 1 "No such file" nofile.ti3
fails 1 "no tones" --screen bi-level --match 50=34
fails 1 "clustered-106" --match clustered-37:50=34
fails_with 2 "name a queue" "$riptide" calibrate
fails_with 1 "letters, digits" "$riptide" calibrate ../x --match 50=34
fails_with 1 "no calibration" "$riptide" calibrate q --name None --match 50=34

# By eye: a tint of 36 % looks like lines of 50 %.  The lines spread too, so half of the light needs
# less than 36 %; the model says how much.
makes eye.cal --match 12.5=8,25=17,50=36,75=58,87.5=74 --match blue-noise-mask:50=28 -p eye.png
curve_is eye.cal 50 .31 .02
grep -q '^RIPTIDE_MODEL_K "laser ' eye.cal || complain "by eye: no model"
grep -qx 'RIPTIDE_SCREEN "clustered"' eye.cal || complain "by eye: the screen is not recorded"
grep -q "dot gain [0-9]* points, from 6 readings by eye, which agree" stdout ||
	complain "by eye: $(cat stdout)"
printed=$(sed -n 's/^50 % printed as [0-9]* %, and will be sent as \([0-9]*\) %\.$/\1/p' stdout)
about "$printed" "$(awk -v c="$(curve eye.cal 50)" 'BEGIN { print 100 * c }')" 1 ||
	complain "by eye: $(cat stdout)"
[[ $(head -c 4 eye.png | tail -c 3) == PNG ]] || complain "no picture"
makes blanks.cal --match '12.5=8, 25=17 ,50=36,75=58,	87.5=74, blue-noise-mask:50=28'
same_cal eye.cal blanks.cal
makes one.cal --match 50=36
grep -q "from 1 reading by eye, which nothing confirms" stdout ||
	complain "one match: $(cat stdout)"
# On standard output there is the calibration, or the picture, and nothing else.
"$riptide" calibrate --match 50=36 -o - >dash.cal 2>stderr || complain "-o -: $(cat stderr)"
same_cal one.cal dash.cal
"$riptide" calibrate --match 50=36 -o /dev/stdout >named.cal 2>stderr ||
	complain "-o /dev/stdout: $(cat stderr)"
same_cal one.cal named.cal
"$riptide" calibrate --match 50=36 -o two.cal -p - >dash.png 2>stderr ||
	complain "-p -: $(cat stderr)"
"$riptide" calibrate --match 50=36 -o two.cal -p one.png >log 2>stderr ||
	complain "-p: $(cat stderr)"
cmp one.png dash.png || complain "-p - is not the picture"
refuses_with 2 "both" "$riptide" calibrate --match 50=36 -o - -p -
refuses_with 2 "name a file for --picture" "$riptide" calibrate q --match 50=36 -p -
makes eye2.cal --match 50=36 -p eye.pgm --printer inkjet --screen blue-noise-mask
[[ $(head -c 2 eye.pgm) == P5 ]] || complain "no PGM"
# Smaller dots gain otherwise.
makes two.cal --match blue-noise-mask:50=36 --screen blue-noise-mask
makes four.cal --match blue-noise-mask:50=36 --screen blue-noise-mask --levels 4
cmp -s <(grep MODEL two.cal) <(grep MODEL four.cal) && complain "by eye: levels do not matter"
makes drops.cal --match blue-noise-mask:50=36 --screen blue-noise-mask --levels 4 \
	--drops 10%,35%,100%
cmp -s <(grep MODEL drops.cal) <(grep MODEL four.cal) && complain "by eye: drops do not matter"
makes inks.cal --match K:50=36,Cyan:clustered:50=40,magenta:50=41,Y:50=42
mv inks.cal names.cal
makes inks.cal --match K:50=36,C:50=40,M:50=41,Y:50=42
same_cal names.cal inks.cal
grep -q '^COLOR_REP "KCMY"' inks.cal || complain "inks: $(grep COLOR_REP inks.cal)"
curve_is inks.cal 0:5 0 .001 # yellow
curve_is inks.cal 100:5 1 .001

# A printer with the response 1 - (1 - tone)^1.6, measured in every unit: the curve of its
# area is the inverse.
steps()
{
	awk -v unit="$1" 'BEGIN { for (i = 0; i <= 32; i++) {
		tone = i / 32; area = 1 - (1 - tone) ^ 1.6; light = 1 - .95 * area
		f = light ^ (1 / 3)
		value = 100 * area
		if (unit == "density") value = -log(light) / log(10)
		if (unit == "lightness") value = 116 * f - 16
		if (unit == "reflectance") value = 100 * light
		printf "%.4f %.6f # step %d\n", 100 * tone, value, i } }'
}
for unit in density lightness reflectance area; do
	steps $unit >steps
	makes $unit.cal --unit $unit steps
	for percent in 10 30 50 70 90; do
		curve_is $unit.cal $percent "$(awk -v p=$percent \
			'BEGIN { print 1 - (1 - p / 100) ^ (1 / 1.6) }')" .006
	done
done
# Doubtful readings are said to be so; wrong ones make no calibration.
steps density >steps
warns doubt.cal "WARNING: K: " --unit area steps
[[ $(cat stderr) == *" L*"*"--unit"* ]] || complain "doubtful: $(cat stderr)"
awk 'BEGIN { for (i = 0; i <= 32; i++) print 100 * i / 32, i % 2 || i == 32 ? 100 : 0 }' >steps
fails 1 "differs from the readings by" --unit area steps
printf '%s\n' CTI3 'COLOR_REP "K_XYZ"' BEGIN_DATA_FORMAT "K_K XYZ_X XYZ_Y XYZ_Z" END_DATA_FORMAT \
	BEGIN_DATA >wrong
awk 'BEGIN { for (i = 0; i <= 16; i++) {
	y = i % 2 ? 4 : i == 16 ? 3 : 80; print 100 * i / 16, y, y, y } }' >>wrong
echo END_DATA >>wrong
fails 1 "differs from the readings by" wrong
# What can be read only once.
steps density >steps
makes piped.cal <(cat steps)
curve_is piped.cal 50 density.cal .00001
timeout 60 "$riptide" calibrate -o piped.cal - <steps >stdout 2>stderr ||
	complain "standard input: $(cat stderr)"
curve_is piped.cal 50 density.cal .00001
# The same in a .ti3 file, for black and, seen in red light, for cyan.
makes ti3.cal "$argyll/grey.ti3"
curve_is ti3.cal 50 density.cal .003
grep -q "cells-4-black 600 2 0" ti3.cal || complain "ti3: the steps are not there"
{
	printf 'CTI3\nCOLOR_REP "CMYK_XYZ"\nBEGIN_DATA_FORMAT\n'
	printf 'CMYK_C CMYK_M CMYK_Y CMYK_K XYZ_X XYZ_Y XYZ_Z\n'
	printf 'END_DATA_FORMAT\nBEGIN_DATA\n'
	awk 'BEGIN { for (i = 0; i <= 16; i++) { t = i / 16; light = 1 - .9 * (1 - (1 - t) ^ 1.6)
		print 100 * t, 0, 0, 0, 96 * light, 100 * (1 - .5 * t), 82 }
		print 50, 50, 0, 0, 10, 10, 10; print 0, 0, 0, 100, 3, 3, 3 }'
	printf 'END_DATA\n'
} >cyan.ti3
makes cyan.cal cyan.ti3
grep -q '^COLOR_REP "C"' cyan.cal || complain "cyan: $(grep COLOR_REP cyan.cal)"
curve_is cyan.cal 50 density.cal .01
# No filter prints light inks: they are left out, and said to be.
{
	printf 'CTI3\nCOLOR_REP "Cc_XYZ"\nBEGIN_DATA_FORMAT\nCc_C Cc_c XYZ_X XYZ_Y XYZ_Z\n'
	printf 'END_DATA_FORMAT\nBEGIN_DATA\n'
	awk 'BEGIN { for (i = 0; i <= 16; i++) { t = i / 16; light = 1 - .9 * (1 - (1 - t) ^ 1.6)
		print 100 * t, 0, 96 * light, 100 * (1 - .5 * t), 82
		print 0, 100 * t, 96 * (1 - .4 * t), 100 * (1 - .3 * t), 82 } }'
	printf 'END_DATA\n'
} >light.ti3
warns light.cal "ink c is left out" light.ti3
grep -q '^COLOR_REP "C"' light.cal || complain "light.ti3: $(grep COLOR_REP light.cal)"

# A scan: here the page as Ghostscript draws it, whose dots are as large as their pixels.
if part "no Ghostscript: no scan was tried" gs; then
	"$riptide" target --wedge --screens clustered,blue-noise -o wedge.pdf || complain "no wedge"
	draw pnggray 600 wedge.png wedge.pdf
	makes scan.cal wedge.png --screens clustered,blue-noise -p scan.png
	grep -q "points, from 66 steps, which agree" stdout || complain "scan: $(cat stdout)"
	grep -q "dot gain -0 " stdout && complain "scan: $(cat stdout)"
	for percent in 20 50 80; do
		curve_is scan.cal $percent 0.$percent .015
	done
	grep -q '^RIPTIDE_STEPS_K_1 "blue-noise 600 2 0 ' scan.cal ||
		complain "scan: one screen only"
	draw pnggray 300 cut.png wedge.pdf -g2000x3508
	fails 1 "four marks are not there" cut.png
	draw pnggray 50 low.png wedge.pdf
	fails 1 "200 to 600 dpi" low.png
	head -c 20000 wedge.png >broken.png
	fails 1 "broken.png" broken.png
	fails 1 "stands alone" "$argyll/printcal-k.cal" wedge.png
	# Scans whose steps are no printer's, as with something on the sheet: some are doubtful,
	# many are refused.  There is paper on the steps, 0 to 32, for which the procedure is true.
	covered() # FILE PROCEDURE
	{
		gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pnggray -r200 -sOutputFile="$1" -c "
			/mm { 72 mul 25.4 div } def
			<< /EndPage { exch pop 2 ne dup { gsave initgraphics 1 setgray
			0 1 65 { /step exch def
				step 33 mod $2 {
					25.5 step 11 mod 15.6 mul add 6 sub mm
					currentpagedevice /PageSize get 1 get
					49 step 11 idiv 15 mul add 6 add mm sub 12 mm 12 mm rectfill
				} if } for grestore } if } >> setpagedevice" -f wedge.pdf ||
			complain "$1: no scan"
	}
	covered good.png "pop false"
	makes scan.cal good.png --screens clustered,blue-noise
	curve_is scan.cal 50 .50 .015 # nothing is covered
	covered doubt.png "8 mod 4 eq"
	warns doubtful.cal "WARNING: K: " doubt.png --screens clustered,blue-noise
	[[ $(cat stderr) == *" L*"* ]] || complain "a doubtful scan: $(cat stderr)"
	covered wrong.png "dup 32 lt exch 2 mod 0 eq and"
	for readings in wrong.png "wrong.png --match clustered:50=50"; do
		# shellcheck disable=SC2086 # words
		fails 1 "K: the best model of the printer differs from the readings by" $readings \
			--screens clustered,blue-noise
		[[ $(cat stderr) != *WARNING* && ! -s stdout ]] ||
			complain "$readings: $(cat stderr stdout)"
	done
	# With smaller dots, which Ghostscript draws as greys: area = ink again.
	"$riptide" target --wedge --levels 4 --resolution 300 -o four.pdf ||
		complain "no wedge of 4 levels"
	draw pnggray 300 four.png four.pdf -dDownScaleFactor=1
	makes four.cal four.png --levels 4 --resolution 300
	grep -q '^RIPTIDE_STEPS_K_0 "blue-noise-mask 300 4 0 ' four.cal ||
		complain "4 levels: $(grep STEPS four.cal)"
	# Each colour in the light that it takes away.
	for ink in ${once:+C M} Y; do
		"$riptide" target --wedge --inks $ink --resolution 300 -o colour.pdf ||
			complain "no wedge of $ink"
		for device in png16m jpeg pnggray; do
			draw $device 300 colour.$device colour.pdf -dJPEGQ=95
		done
		makes colour.cal colour.png16m --ink $ink --resolution 300
		curve_is colour.cal 50 .50 .03
		# JPEG spreads the colour of such sharp dots, but the light shows solid ink.
		case $ink in C) name=cyan ;; M) name=magenta ;; *) name=YELLOW ;; esac
		cp colour.cal letter.cal
		makes colour.cal colour.png16m --ink $name --resolution 300
		same_cal colour.cal letter.cal
		makes colour.cal colour.jpeg --ink $name --resolution 300
	done
	for device in png16m jpeg; do
		fails 1 "hardly darker" colour.$device
	done
	fails 1 "in colour" --ink Y colour.pnggray
	draw jpeggray 300 grey.jpg colour.pdf
	fails 1 "in colour" --ink Y grey.jpg
fi
fails 2 "foo" --screens clustered,foo x.png

# Wrong measurements: words of the message, options, and the file.
readings() # SPACE FIELDS DATA: a file of them
{
	echo "CTI3\nCOLOR_REP \"$1\"\nBEGIN_DATA_FORMAT\n$2\nEND_DATA_FORMAT\n\
BEGIN_DATA\n$3\nEND_DATA\n"
}
while IFS='|' read -r words options text; do
	printf '%b' "$text" >wrong
	# shellcheck disable=SC2086 # words
	fails 1 "$words" $options wrong
done <<END
line 2||0 0.1\n100 x\n
line 3||0 0.1\n50 .5\n120 1.3\n
--unit||0 0.1\n50 57\n
the paper||10 0.1\n100 1.3\n
solid ink (100 %)||0 0.1\n90 1.3\n
hardly darker||0 0.1\n50 .11\n100 .12\n
3 steps||0 0.1\n100 1.2\n
is black|--unit reflectance|0 0\n50 0\n100 0\n
no text||abc\0def
negative||$(readings K_XYZ "K_K XYZ_Y" "0 80 50 -3 100 3")
amounts of light||$(readings RGB_XYZ "RGB_R XYZ_Y" "0 1")
neither XYZ nor Lab||$(readings K_XYZ "K_K FOO" "0 1 50 2 100 3")
END_DATA_FORMAT is missing||CTI3\nCOLOR_REP "K_XYZ"\nBEGIN_DATA_FORMAT\nK_K\n
falls||CAL\nBEGIN_DATA_FORMAT\nK_I K_K\nEND_DATA_FORMAT\nBEGIN_DATA\n0 0 .5 .9 1 .2\nEND_DATA\n
END
fails 1 "stands alone" "$argyll/printcal-k.cal" --match 50=34
fails 1 "--picture" "$argyll/printcal-k.cal" -p no.png
[[ ! -e no.png ]] || complain "a picture of a finished calibration"
fails 1 "stands alone" "$argyll/printcal-k.cal" "$argyll/grey.ti3"
head -c 9000000 /dev/zero | tr '\0' ' ' >wrong && fails 1 "larger than 8 MiB" wrong

# ArgyllCMS: its calibration passes through, and its programs take ours.
makes copy.cal "$argyll/printcal-k.cal"
curve_is copy.cal 50 "$argyll/printcal-k.cal" .00001
makes copy2.cal copy.cal
same_cal copy.cal copy2.cal
if part "no ArgyllCMS: its programs were not tried" printtarg printcal; then
	cp "$argyll/targen-grey.ti1" grey.ti1
	printtarg -i i1 -p A4 -K ti3.cal grey >log 2>&1 ||
		complain "printtarg does not take ti3.cal: $(cat log)"
	# It passes our curve on.
	sed -n '/^CAL/,$p' grey.ti2 >passed.cal
	curve_is passed.cal 50 ti3.cal .00001
	cp "$argyll/grey.ti3" fresh.ti3
	printcal -i fresh >log 2>&1 || complain "printcal: $(cat log)"
	makes again.cal fresh.cal
	curve_is again.cal 25 fresh.cal .00001
fi

# Who may not write calibrations is told so before anything else.
mkdir -m 755 etc
folder_of_others=("$riptide" calibrate q --match "50=36")
if ((EUID == 0)); then
	chmod 755 .
	folder_of_others=(setpriv --reuid=65534 --clear-groups "${folder_of_others[@]}")
else
	chmod 555 etc
fi
if ((EUID != 0)) || setpriv --reuid=65534 --clear-groups test -x "$riptide"; then
	RIPTIDE_CALIBRATIONS=$PWD/etc/calibration \
		refuses_with 1 "you may not write to $PWD/etc: run the command with sudo" \
		"${folder_of_others[@]}"
else
	leave_out "others may not run riptide here: what they are told was not checked"
fi

# Asked for: an answer that is wrong is asked for again, an empty one leaves the row out.
if part "no script(1): the questions were not tried" script; then
	printf '8\n17\nabc\n30\n\n\n\n\n\n\n\n\n' >answers
	# script(1) gives it a terminal.
	script -qec "'$riptide' calibrate -o asked.cal" /dev/null <answers >log 2>&1
	grep -q "from 3 readings" log || complain "asked: $(cat log)"
	[[ -s asked.cal ]] || complain "asked: no calibration"
	grep -q '"abc": a tint is a number between 0 and 100' log && ! grep -q -e --match log ||
		complain "abc: $(cat log)"
	rm asked.cal
	printf '8\n q \n' >answers
	script -qec "'$riptide' calibrate -o asked.cal" /dev/null <answers >log 2>&1 &&
		complain "q is a success"
	grep -q "nothing was changed" log && [[ ! -e asked.cal ]] || complain "q: $(cat log)"
	printf '\n\n\n\n\n\n\n30\n\n\n\n\n\n\n\n\n\n30\n\n\n' >answers
	script -qec "'$riptide' calibrate --ink KC -o asked.cal" /dev/null <answers >log 2>&1
	grep -q '^COLOR_REP "KC"' asked.cal && grep -q "C:clustered:50=" log ||
		complain "two inks: $(cat log)"
	printf '\n\n30\n\n\n' >answers
	script -qec "'$riptide' calibrate --screens bayer -o asked.cal" /dev/null <answers >log 2>&1
	grep -q "bayer:50=" log && grep -q "from 1 reading" log && ! grep -q "clustered:" log ||
		complain "asked for a chart of bayer: $(cat log)"
fi
finish
