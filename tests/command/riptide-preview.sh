#!/bin/bash
# riptide preview: ink and light against a model of its own (preview-model.py); pages, parts and
# sizes of pictures; each wrong input is one line on standard error, exit 1, and no picture.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/command/library.sh"
source=$(realpath "${RIPTIDE_SOURCE:-$OLDPWD}")

pgm() # WIDTH HEIGHT [BYTE]: a picture
{
	printf 'P5\n%d %d\n255\n' "$1" "$2"
	head -c $(($1 * $2)) /dev/zero | tr '\0' "${3:-a}"
}

# What must fail with one line that has these words, and leave nothing.
refuses() # WORDS ARGUMENT...
{
	local words=$1 status
	shift
	timeout 60 "$riptide" preview "$@" >stdout 2>stderr
	status=$?
	((status == 1)) || complain "$*: exit status $status, not 1: $(cat stderr)"
	[[ $(wc -l <stderr) == 1 && $(cat stderr) == *"$words"* ]] ||
		complain "$*: not one line with \"$words\": $(cat stderr)"
	[[ -z $(find . -name 'out*') ]] || complain "$*: left $(find . -name 'out*')"
	rm -f out*
}

wrong() # ARGUMENT...: exit status 2
{
	"$riptide" preview "$@" good.pgm >stdout 2>stderr
	(($? == 2)) && [[ -s stderr ]] || complain "$* is not refused"
}

shows() # ARGUMENT...
{
	"$riptide" preview "$@" >stdout 2>stderr || complain "$*: $(cat stderr)"
	[[ ! -s stderr ]] || complain "$*: $(cat stderr)"
}

# WIDTHxHEIGHT of a PNG file
size_of() # FILE
{
	od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}

pgm 500 300 >good.pgm

# The picture is PNG.
wrong -o out.jpg
[[ $(cat stderr) == *"with .png, not .jpg"* && ! -e out.jpg ]] || complain "out.jpg: $(cat stderr)"

# --- figures and light ---
if command -v python3 >/dev/null; then
	seed=${RIPTIDE_TEST_SEED:-$RANDOM}
	echo "RIPTIDE_TEST_SEED=$seed"
	python3 "$source/tests/command/preview-model.py" "$riptide" "$seed" || complain "the model differs"
	# A part is that part of the whole, to the byte: the dots around it are looked at.
	shows -o whole.png --zoom 3 --screen clustered good.pgm
	shows -o part.png --zoom 3 --screen clustered --crop 41x30+100+60 good.pgm
	shows -o corner.png --zoom 3 --screen clustered --crop 999x999+480+290 good.pgm
	python3 - "$source" <<-'END' || complain "a part is not that of the whole"
		import re, struct, sys, zlib
		# read_png() of the model, without running the model
		text = open(sys.argv[1] + "/tests/command/preview-model.py").read()
		exec(re.search(r"def read_png.*?\n    return rows\n", text, re.S).group())
		whole, part, corner = map(read_png, ("whole.png", "part.png", "corner.png"))
		assert (len(whole), len(whole[0])) == (900, 1500)
		assert part == [row[300:423] for row in whole[180:270]]
		assert corner == [row[1440:] for row in whole[870:]]
	END
else
	leave_out "no python3: figures and light were not checked"
fi

# --- sizes and pages ---
shows -o out.png good.pgm
[[ $(size_of out.png) == 84x50 ]] || complain "100 pixels an inch: $(size_of out.png)"
shows -o out.png --ppi 150 --resolution 300 good.pgm
[[ $(size_of out.png) == 250x150 ]] || complain "150 pixels an inch of 300: $(size_of out.png)"
shows -o out.png --ppi 100 --resolution 300x600 good.pgm
[[ $(size_of out.png) == 167x50 ]] || complain "a page of 300x600 dpi: $(size_of out.png)"
shows -o out.png --zoom 2 --resolution 300x600 --crop 10x20+0+0 good.pgm
[[ $(size_of out.png) == 40x40 ]] || complain "twice, of 300x600 dpi: $(size_of out.png)"
"$riptide" preview -o - good.pgm >out.png 2>stderr || complain "standard output: $(cat stderr)"
[[ $(size_of out.png) == 84x50 ]] || complain "standard output: $(size_of out.png)"
rm out.png
pgm 60 30 | tr a '\0' | cat - good.pgm >two.pgm
shows -o out.png two.pgm
[[ $(size_of out.png) == 10x5 && $(size_of out-2.png) == 84x50 ]] || complain "two pages: $(ls)"
[[ $(head -n 1 stdout) == "page 1     K    100.000 %"* ]] || complain "figures: $(cat stdout)"
rm out*.png
ln -s /dev/null device
refuses "no regular file: name a file with -o" -o device two.pgm
[[ $(echo device*) == device ]] || complain "a picture appears beside a device: $(ls)"
rm device
shows -o out.png --pages 2 two.pgm
[[ $(size_of out.png) == 84x50 && ! -e out-2.png ]] || complain "the second page: $(ls)"
rm out.png
shows --json --pages 1 two.pgm
[[ $(head -n 1 stdout) == *'"dots":1800,"ink":"K","percent":100.000000,'* && $(wc -l <stdout) == 2 ]] ||
	complain "the first page: $(cat stdout)"
# The list of riptide rip; the pages come as they are in the file.
shows --json --pages 2,1 two.pgm
[[ $(grep -c '"page":' stdout) == 2 && $(head -n 1 stdout) == '{"page":1,'* ]] || complain "both pages: $(cat stdout)"
shows --json --pages 2- two.pgm
[[ $(grep -c '"page":' stdout) == 1 && $(head -n 1 stdout) == '{"page":2,'* ]] || complain "from page 2: $(cat stdout)"
refuses "there is no page 4: the last one is 2" --pages 1-4 two.pgm
wrong --pages 0
wrong --pages 2-1

printf 3SaR >nopages.ras
refuses "nopages.ras has no pages" -o out.png nopages.ras
refuses "nopages.ras has no pages" --json nopages.ras

# --- what halftone writes is what preview counts; with the same options it makes the same dots ---
"$riptide" halftone --screen clustered --printer laser --density 120 -o dots.pbm good.pgm
shows --json --screen clustered --printer laser --density 120 good.pgm
if command -v python3 >/dev/null; then
	python3 -c '
import json, sys
data = open("dots.pbm", "rb").read()
dots = sum(bin(b).count("1") for b in data[data.index(b"300\n") + 4:])
assert json.loads(open("stdout").readline())["inks"][0]["dots"] == dots, dots' ||
		complain "the dots are others than those of riptide halftone"
fi

# The dots as a file give the same picture.
shows -o one.png --zoom 2 --screen clustered --printer laser --density 120 good.pgm
shows -o two.png --zoom 2 --printer laser dots.pbm
# A printer whose dot gain is not corrected is shown all the same.
"$riptide" halftone -o plain.pbm good.pgm || complain "no dots"
shows -o plain.png --printer inkjet plain.pbm
shows -o uncorrected.png --printer inkjet --dot-gain none good.pgm
cmp plain.png uncorrected.png || complain "--dot-gain none shows other dots or another printer"
shows -o corrected.png --printer inkjet good.pgm
cmp -s corrected.png plain.png && complain "--printer corrects nothing"
cmp one.png two.png || complain "the dots as a file look different"
# They are dots of the ink that --ink names.
"$riptide" halftone --ink cyan --screen clustered --printer laser --density 120 -o cyan.pbm good.pgm
shows --json --ink cyan -o three.png --zoom 2 --printer laser cyan.pbm
[[ $(head -n 1 stdout) == *'"ink":"C"'* ]] || complain "not cyan: $(cat stdout)"
shows --json --ink cyan -o four.png --zoom 2 --screen clustered --printer laser --density 120 good.pgm
cmp three.png four.png && rm three.png four.png || complain "cyan dots as a file look different"
cat dots.pbm dots.pbm >dots2.pbm
shows --json dots2.pbm
[[ $(wc -l <stdout) == 3 ]] || complain "two pictures: $(cat stdout)"

# --- files that are read stay, also under the name of a later page's picture ---
cat good.pgm good.pgm >pages.pgm
seq 0 257 65535 >curve
ln -s curve seen-2.png
cp pages.pgm in-2.png
sha256sum curve in-2.png >sums
refuses "cannot write curve: it is the curve" --curve curve -o curve good.pgm
refuses "cannot write seen-2.png: it is the curve" --curve curve -o seen.png pages.pgm
refuses "cannot write in-2.png: it is the input" -o in.png in-2.png
sha256sum --quiet -c sums || complain "an input has changed"
rm -f seen* in* pages.pgm

# --- a calibration knows its printer better than the class ---
export RIPTIDE_CALIBRATIONS=$folder/calibrations
mkdir calibrations
if command -v python3 >/dev/null; then
	tint() # TONE, 0 to 255, of ink
	{
		printf 'P5\n192 192\n255\n'
		head -c 36864 /dev/zero | tr '\0' "\\$(printf %03o $((255 - $1)))"
	}
	prints() # TONE: reflectance of a tint on paper that no model knows
	{
		tint "$1" | "$riptide" halftone --screen clustered | "$build/tests/tools/print-simulated" "ink, large drops"
	}
	for tone in 0 16 32 64 96 128 160 192 224 255; do
		echo "$(awk -v t=$tone 'BEGIN { print t / 2.55 }') $(awk -v r="$(prints $tone)" 'BEGIN { print 100 * r }')"
	done >steps
	"$riptide" calibrate -o calibrations/light.cal --unit reflectance steps >stdout 2>stderr ||
		complain "no calibration: $(cat stderr)"
	cp calibrations/light.cal light.png
	ln -f light.png calibrations/light.cal
	refuses "cannot write light.png: it is the calibration" --calibration light -o light.png good.pgm
	cmp light.png calibrations/light.cal || complain "the calibration has changed"
	off() # TONE OPTION...: by how much the paper is lighter than the preview, L*
	{
		local tone=$1
		shift
		tint "$tone" | "$riptide" halftone --screen clustered -o tint.pbm
		shows --zoom 1 --crop 144x144+24+24 -o tint.png "$@" tint.pbm
		python3 - "$source" "$(prints "$tone")" <<-'END'
			import re, struct, sys, zlib
			text = open(sys.argv[1] + "/tests/command/preview-model.py").read()
			exec(re.search(r"def read_png.*?\n    return rows\n", text, re.S).group())
			light = [(lambda s: s / 12.92 if s <= .04045 else ((s + .055) / 1.055) ** 2.4)(p[0] / 255)
			         for row in read_png("tint.png") for p in row]
			lightness = lambda y: 116 * y ** (1 / 3) - 16
			print("%.2f" % (lightness(float(sys.argv[2])) - lightness(sum(light) / len(light))))
		END
	}
	for tone in 48 100 150; do
		by_class=$(off $tone) by_cal=$(off $tone --calibration light)
		echo "a tint of $tone: the paper is $by_class L* lighter than the class's printer, $by_cal than the calibrated one"
		awk -v a="$by_class" -v b="$by_cal" 'BEGIN { exit !(a < -5 && b < 2 && b > -2) }' ||
			complain "the calibration's printer is not shown, or not the paper's"
	done
	cp tint.png cal.png
	shows --zoom 1 --crop 144x144+24+24 -o tint.png --calibration light --printer laser tint.pbm
	cmp -s tint.png cal.png && complain "--printer is not stronger than --calibration"
	shows --zoom 1 --crop 144x144+24+24 -o class.png tint.pbm
	cmp tint.png class.png || complain "--printer laser shows another printer"
fi
refuses "No such file" -o out.png --calibration nothing good.pgm
cp "$source/tests/tone/argyll/printcal-k.cal" calibrations/other.cal
chmod 644 calibrations/other.cal
refuses "is by another program" -o out.png --calibration other good.pgm
wrong --calibration ../x

# --- PDF by way of a queue: the dots of pdftoriptide ---
if command -v gs >/dev/null && command -v ppdc >/dev/null; then
	mkdir temporary
	export TMPDIR=$folder/temporary
	ppdc -d ppds "$source/ppd/riptide.drv" >/dev/null || complain "ppdc"
	gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=two.pdf -c "
		<< /PageSize [144 72] >> setpagedevice
		.8 .2 .1 setrgbcolor 10 10 100 50 rectfill showpage
		.3 setgray 30 10 50 50 rectfill showpage" </dev/null
	cp ppds/riptide-pcl5.ppd pcl5-2.png
	refuses "cannot write pcl5-2.png: it is the PPD" --ppd pcl5-2.png -o pcl5.png two.pdf
	cmp pcl5-2.png ppds/riptide-pcl5.ppd || complain "the PPD has changed"
	for ppd in pcl5 pcl-color; do
		shows --json --ppd ppds/riptide-$ppd.ppd --density 80 -o out.png two.pdf
		mv stdout told
		sed /riptideNextFilter/d ppds/riptide-$ppd.ppd >dots.ppd
		PPD=dots.ppd RIPTIDE_SOCKET=none "$build/pdftoriptide" 1 user title 1 \
			halftone-density=80 two.pdf >two.ras 2>log || complain "pdftoriptide: $(cat log)"
		shows --json two.ras
		[[ -s stdout && $(sed 's/"picture":"[^"]*",//' told) == "$(cat stdout)" ]] ||
			complain "$ppd: $(cat told) are not the dots of pdftoriptide: $(cat stdout)"
		[[ -s out.png && -s out-2.png ]] || complain "$ppd: no pictures: $(ls)"
		rm -f out*
	done
	# An option that comes again counts instead of the one before, however often.
	many=()
	for ((i = 0; i < 60; i++)); do many+=(--density 100); done
	shows --json --ppd ppds/riptide-pcl5.ppd "${many[@]}" --density 50 two.pdf
	mv stdout told
	shows --json --ppd ppds/riptide-pcl5.ppd --density 50 two.pdf
	cmp told stdout || complain "60 options and the last one: $(cat told)"
	long=1$(printf %01100d 0)%
	"$riptide" preview --ppd ppds/riptide-pcl5.ppd --drops "$long" --levels 3 two.pdf >stdout 2>stderr
	(($? == 2)) || complain "too long an option is taken: $(cat stderr)"
	# A calibration's printer, as that of the same dots in a file; also where gstoraster draws the page.
	if [[ -e calibrations/light.cal ]]; then
		PPD=dots.ppd RIPTIDE_SOCKET=none "$build/pdftoriptide" 1 user title 1 \
			halftone-calibration=light two.pdf >two.ras 2>log || complain "pdftoriptide: $(cat log)"
		shows -o cal.png --pages 1 --calibration light two.ras
		shows -o tint.png --pages 1 --calibration light --ppd ppds/riptide-pcl-color.ppd two.pdf
		cmp cal.png tint.png || complain "the queue's calibration is not shown"
		shows -o cal.png --pages 1 --calibration light --printer laser --ppd ppds/riptide-pcl-color.ppd two.pdf
		cmp -s cal.png tint.png && complain "the queue's class is shown, and not its calibration"
		shows -o tint.png --pages 1 --calibration light --light-inks k --ppd ppds/riptide-pcl5.ppd two.pdf
		shows -o cal.png --pages 1 --calibration light --light-inks k --printer laser --ppd ppds/riptide-pcl5.ppd two.pdf
		cmp -s cal.png tint.png && complain "with light inks, the queue's class is shown"
	fi
	# A queue that prints without riptide gets a warning.
	sed "/cupsPreFilter/d; /cupsFilter.*pdftoriptide/d" ppds/riptide-pcl5.ppd >foreign.ppd
	"$riptide" preview --json --ppd foreign.ppd two.pdf >stdout 2>stderr || complain "foreign.ppd: $(cat stderr)"
	[[ $(wc -l <stderr) == 1 && $(cat stderr) == *"foreign.ppd prints without riptide"*"riptide adopt cannot change that: the PPD asks for contone"* ]] ||
		complain "foreign.ppd: $(cat stderr)"
	# It may have an option that is called as one of ours.
	sed 's/^\*CloseUI: \*ColorModel/&\n*OpenUI *halftone\/Halftone Algorithm: PickOne\n*Defaulthalftone: default\n*halftone default\/Default: ""\n*halftone wts\/Best: ""\n*CloseUI: *halftone/' \
		foreign.ppd >vendor.ppd
	grep -q wts vendor.ppd || complain "no option of the vendor's: $(grep CloseUI foreign.ppd)"
	mv stdout told
	"$riptide" preview --json --ppd vendor.ppd two.pdf >stdout 2>stderr || complain "vendor.ppd: $(cat stderr)"
	[[ $(wc -l <stderr) == 1 && $(cat stderr) == *"vendor.ppd prints without riptide"* ]] ||
		complain "a vendor's option called halftone: $(cat stderr)"
	cmp told stdout || complain "a vendor's option called halftone: $(cat stdout)"
	shows --json --ppd ppds/riptide-pcl5.ppd --pages 2 two.pdf
	[[ $(head -n 1 stdout) == '{"page":2,'* && $(wc -l <stdout) == 2 ]] || complain "page 2: $(cat stdout)"
	gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=four.pdf two.pdf two.pdf </dev/null
	shows --json --ppd ppds/riptide-pcl5.ppd --pages 4,2-3 four.pdf
	[[ $(sed -n 's/^{"page":\([0-9]*\),.*/\1/p' stdout | tr '\n' ' ') == "2 3 4 " ]] || complain "a list: $(cat stdout)"
	# The drops of the queue are those of the picture.
	sed '/riptideNextFilter/d; /riptideMaxLevels/d' ppds/riptide-pcl-color.ppd >levels.ppd
	sed '$a*riptideDrops: "10%,35%,100%"' levels.ppd >drops.ppd
	shows --ppd drops.ppd --levels 4 -o out.png two.pdf
	mv out.png queue.png
	shows --ppd levels.ppd --drops 10%,35%,100% --levels 4 -o out.png two.pdf
	cmp out.png queue.png || complain "the drops of the queue are not shown"
	rm -f out*
	# Where gstoraster draws for the queue, it does so for the picture: light inks, inks separated from
	# RGB, and riptide-rip.
	gstoraster=$(cups-config --serverbin 2>/dev/null || echo /usr/lib/cups)/filter/gstoraster
	if [[ -x $gstoraster ]]; then
		photo=ppds/riptide-escp2-photo.ppd
		drawn()	# PPD OPTIONS ARGUMENT...: figures as of the filter's raster
		{
			local ppd=$1 options=$2
			shift 2
			shows --json --ppd "$ppd" "$@" -o out.png two.pdf
			mv stdout told
			sed '/riptideNextFilter/d' "$ppd" >dots.ppd
			PPD=dots.ppd RIPTIDE_SOCKET=none "$build/pdftoriptide" 1 user title 1 "$options" \
				two.pdf >two.ras 2>log || complain "pdftoriptide: $(cat log)"
			grep -q "started $gstoraster" log || complain "$ppd: gstoraster did not draw"
			shows --json two.ras
			[[ -s stdout && $(sed 's/"picture":"[^"]*",//' told) == "$(cat stdout)" ]] ||
				complain "$ppd: $(cat told) are not the dots of gstoraster: $(cat stdout)"
			[[ -s out.png && -s out-2.png ]] || complain "$ppd: no pictures: $(ls)"
			mv out.png drawn.png
			rm -f out*
		}
		drawn $photo halftone-light-strength=20 --light-strength 20 --printer inkjet
		[[ $(head -n 1 told) == *'"ink":"c"'*'"ink":"m"'* ]] || complain "no light inks: $(cat told)"
		# The picture shows the inks that the dots are for: of the job's strength, of the usual one, ...
		shows -o out.png --light-strength 20 --printer inkjet two.ras
		cmp drawn.png out.png || complain "light inks of 20 % look different"
		shows -o out.png --printer inkjet two.ras
		cmp -s drawn.png out.png && complain "light inks of 20 and 30 % look alike"
		# ... and of the PPD's, by ink.
		sed '$a*cupsCyanLtDk: "0.2 1"\n*cupsMagentaLtDk: "0.2 1"' $photo >strong.ppd
		drawn strong.ppd "" --printer inkjet
		shows -o out.png --light-strength 20 --printer inkjet two.ras
		cmp drawn.png out.png || complain "light inks of a PPD look different"
		sed 's/^\*CloseUI: \*ColorModel/&\n*OpenUI *riptideRip: PickOne\n*DefaultriptideRip: gstoraster\n*riptideRip gstoraster: ""\n*CloseUI: *riptideRip/' \
			ppds/riptide-pcl-color.ppd >rip.ppd
		drawn rip.ppd ""
		sed 's/^\*CloseUI: \*ColorModel/&\n*OpenUI *riptideInks: PickOne\n*DefaultriptideInks: CMYK\n*riptideInks CMYK: ""\n*CloseUI: *riptideInks/; s/^\*DefaultColorModel:.*/*DefaultColorModel: RGB/' \
			ppds/riptide-raster.ppd >inks.ppd
		drawn inks.ppd ""
		[[ $(head -n 1 told) == *'"ink":"K"'* ]] || complain "no inks of RGB: $(cat told)"
		shows --json --ppd $photo --pages 2 two.pdf
		[[ $(head -n 1 stdout) == '{"page":2,'* && $(wc -l <stdout) == 2 ]] ||
			complain "page 2 with light inks: $(cat stdout)"
		shows --json --ppd $photo --pages 4,2 four.pdf
		[[ $(sed -n 's/^{"page":\([0-9]*\),.*/\1/p' stdout | tr '\n' ' ') == "2 4 " ]] ||
			complain "a list with light inks: $(cat stdout)"
		refuses "there is no page 3: the last one is 2" --ppd $photo --pages 3 -o out.png two.pdf
		sed '$a*riptideColorSpaces: "K"' $photo >pass.ppd
		refuses "the queue's driver makes the dots of KCMY pages itself" --ppd pass.ppd -o out.png two.pdf
		# gstoraster's errors are the command's.
		sed 's/^%PDF.*/%PDF-1.4 nothing/; s/obj/xxx/g' two.pdf >bad.pdf
		refuses "bad.pdf" --ppd $photo -o out.png bad.pdf
		# A PPD that can be read only once is that of the dots and of gstoraster.
		shows --json --ppd $photo two.pdf
		mv stdout told
		shows --json --ppd <(cat $photo) two.pdf
		cmp told stdout || complain "a PPD through a pipe: $(cat stdout)"
		mkfifo queue.fifo
		cat $photo >queue.fifo &
		timeout 60 "$riptide" preview --json --ppd queue.fifo two.pdf >stdout 2>stderr
		cmp told stdout || complain "a PPD through a FIFO: $(cat stdout stderr)"
		kill $! 2>/dev/null
		refuses "cannot read the PPD ppds: Is a directory" --ppd ppds two.pdf
		# What Ghostscript leaves when it is ended early.
		shows --json --ppd $photo --pages 1 two.pdf
		"$riptide" preview --json --ppd $photo two.pdf >/dev/full 2>stderr
		[[ -z $(ls temporary) ]] || complain "temporary files are left: $(ls temporary)"
		# Filters that fail: what they say, and what they get from the environment.
		mkdir -p stub/filter
		stub() # LINE...: is gstoraster
		{
			printf '%s\n' '#!/bin/sh' "$@" >stub/filter/gstoraster
			chmod +x stub/filter/gstoraster
		}
		export CUPS_SERVERBIN=$folder/stub
		stub "env >$folder/environment" 'echo "cannot open x" >&2' 'echo >&2' 'exit 1'
		PRINTER=other FINAL_CONTENT_TYPE=image/pwg-raster \
			refuses "gstoraster failed with exit status 1: cannot open x" --ppd $photo two.pdf
		grep -E '^(PRINTER|FINAL_CONTENT_TYPE)=' environment && complain "the user's environment is the queue's"
		grep -q "^TMPDIR=$TMPDIR/." environment || complain "no folder of its own: $(grep TMPDIR environment)"
		stub 'echo "ERROR: no font" >&2' 'kill -9 $$'
		refuses "gstoraster: no font" --ppd $photo two.pdf
		stub "printf 'DEBUG: %0504dERROR: split\\n' 0 >&2" 'exit 1'
		refuses "gstoraster failed with exit status 1: DEBUG: 0" --ppd $photo two.pdf
		# Ghostscript's own reason, and the system's where it read or wrote, whatever comes after it.
		stub 'echo "Error: /ioerror in --run--" >&2' 'echo "Last OS error: No space left on device" >&2' \
			'echo "INFO: Rendering completed" >&2' 'exit 1'
		refuses "exit status 1: Error: /ioerror in --run--: No space left on device" --ppd $photo two.pdf
		stub 'echo "Error: /syntaxerror in --run--" >&2' 'echo "Last OS error: Not a typewriter" >&2' 'exit 1'
		refuses "exit status 1: Error: /syntaxerror in --run--" --ppd $photo two.pdf
		grep -q typewriter stderr && complain "an old error of the system: $(cat stderr)"
		# The raster is the first error, and what the filter says comes after it.
		stub 'echo "ERROR: cannot draw" >&2' 'printf 3SaR1234' 'exit 1'
		"$riptide" preview --ppd $photo two.pdf >stdout 2>stderr
		(($? == 1)) && [[ $(wc -l <stderr) == 2 && $(tail -n 1 stderr) == *"gstoraster: cannot draw" ]] ||
			complain "the filter's error after that of its raster: $(cat stderr)"
		# Ended by signals: the folder is gone soon after, and so is the filter.
		stub 'echo $$ >"$TMPDIR/file.tmp"; mv "$TMPDIR/file.tmp" "$TMPDIR/file"' 'exec sleep 300'
		for signal in INT TERM HUP KILL; do
			(trap - INT; exec "$riptide" preview --ppd $photo two.pdf) >stdout 2>stderr &
			until drawn=$(cat temporary/*/file 2>/dev/null) || ! kill -0 $! 2>/dev/null; do sleep .02; done
			kill -$signal $!
			wait $! 2>/dev/null
			for ((i = 0; i < 500; i++)); do
				[[ $(ls temporary) || -e /proc/${drawn:-self} ]] || break
				sleep .02
			done
			((i < 500)) || complain "SIG$signal leaves $(ls temporary) and process $drawn: $(cat stderr)"
		done
		unset CUPS_SERVERBIN
		[[ -z $(ls temporary) ]] || complain "temporary files are left: $(ls temporary)"
	else
		leave_out "no $gstoraster: light inks of PDF were not checked"
	fi
	shows --json --ppd ppds/riptide-escp2-photo.ppd --light-inks none two.pdf
	[[ $(grep -c '"ink":"C"' stdout) -gt 0 && $(cat stdout) != *'"ink":"c"'* ]] ||
		complain "without light inks: $(cat stdout)"
	refuses "name the queue" -o out.png two.pdf
	refuses "--curve is not for it" --ppd ppds/riptide-pcl5.ppd --curve x -o out.png two.pdf
	refuses "there is no page 3" --ppd ppds/riptide-pcl5.ppd --pages 3 -o out.png two.pdf
	printf '%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Count 0 /Kids [] >> endobj\ntrailer << /Root 1 0 R /Size 3 >>\n%%%%EOF\n' >nopages.pdf
	refuses "nopages.pdf has no pages" --ppd ppds/riptide-pcl5.ppd -o out.png nopages.pdf
	refuses "missing.ppd" --ppd missing.ppd -o out.png two.pdf
	: >empty.ppd
	gzip -c empty.ppd >empty.ppd.gz
	refuses "cannot read the PPD empty.ppd: the file is empty" --ppd empty.ppd -o out.png two.pdf
	refuses "cannot read the PPD /dev/null: the file is empty" --ppd /dev/null -o out.png two.pdf
	for wrong in good.pgm two.pdf empty.ppd.gz; do
		refuses "cannot read the PPD $wrong: it is no PPD: it does not begin with *PPD-Adobe" \
			--ppd "$wrong" -o out.png two.pdf
	done
	sed '20s/^\*//' ppds/riptide-pcl5.ppd >line.ppd
	refuses "cannot read the PPD line.ppd: line 20: Missing asterisk" --ppd line.ppd -o out.png two.pdf
	refuses "only for PDF" --ppd ppds/riptide-pcl5.ppd good.pgm
	head -c 300 two.pdf >cut.pdf
	refuses "cut.pdf" --ppd ppds/riptide-pcl5.ppd -o out.png cut.pdf
else
	leave_out "no Ghostscript or no ppdc: PDF was not checked"
fi
wrong --queue a --ppd b

# --- TIFF: samples are halftoned as in other files, and plates are dots already ---
if command -v gs >/dev/null; then
	for device in tiffgray tiff32nc tiff24nc; do
		gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=$device -r300 -sOutputFile=t.$device -c "
			<< /PageSize [72 36] >> setpagedevice
			.8 .3 .1 .2 setcmykcolor 5 5 40 20 rectfill .6 setgray 40 2 20 30 rectfill showpage
			.1 0 .7 0 setcmykcolor 0 0 30 30 rectfill showpage" </dev/null
	done
	shows --json --printer laser --screen clustered t.tiffgray
	mv stdout told
	"$riptide" halftone --printer laser --screen clustered -o grey.tif t.tiffgray || complain "no plate"
	shows --json grey.tif
	cmp stdout told || complain "grey TIFF: $(cat stdout)"
	dots=(--screen blue-noise --printer inkjet --density 90)
	"$riptide" halftone "${dots[@]}" -o plate.tif t.tiff32nc || complain "no plates"
	"$riptide" halftone "${dots[@]}" --composite -o all.tif t.tiff32nc || complain "no composite"
	shows --json "${dots[@]}" -o out.png --zoom 2 t.tiff32nc
	mv stdout told
	shows --json --printer inkjet -o out3.png --zoom 2 all.tif
	[[ $(sed 's/"picture":"[^"]*",//' stdout) == "$(sed 's/"picture":"[^"]*",//' told)" ]] ||
		complain "dots of all inks: $(cat stdout)"
	cmp out.png out3.png && cmp out-2.png out3-2.png || complain "dots of all inks look different"
	for ink in Cyan:0 Yellow:2; do
		shows --json --ink ${ink%:*} "plate(${ink%:*}).tif"
		python3 -c "
import json
plate, page = (json.loads(open(name).readline())['inks'] for name in ('stdout', 'told'))
assert plate == [page[${ink#*:}]], plate" || complain "the plate of ${ink%:*}: $(cat stdout)"
	done
	rm -f out*
	# Dots of several levels, too, which are no tones that could be halftoned again.
	for levels in 3 4 16; do
		dots=(--levels "$levels" --printer inkjet)
		"$riptide" halftone "${dots[@]}" --composite -o levels.tif t.tiff32nc || complain "no composite"
		"$riptide" halftone "${dots[@]}" -o level.tif t.tiffgray || complain "no plate of $levels levels"
		for pair in t.tiff32nc:levels.tif t.tiffgray:level.tif; do
			shows --json "${dots[@]}" -o out.png "${pair%:*}"
			mv stdout told
			with=(--levels 3)
			((levels == 3)) || with=()
			shows --json --printer inkjet "${with[@]}" -o out3.png "${pair#*:}"
			[[ $(sed 's/"picture":"[^"]*",//' stdout) == "$(sed 's/"picture":"[^"]*",//' told)" ]] ||
				complain "dots of $levels levels: $(cat stdout)"
			cmp out.png out3.png && cmp out-2.png out3-2.png ||
				complain "dots of $levels levels in ${pair#*:} look different"
			rm -f out*
		done
	done
	refuses "level.tif: page 1 has dots of 5 to 16 levels, and not the 4" --levels 4 -o out.png level.tif
	refuses "all.tif: page 1 has dots of 2 levels, and not the 3" --levels 3 -o out.png all.tif
	refuses "is RGB: separate it" -o out.png t.tiff24nc
	head -c 3000 t.tiff32nc >cut.tif
	refuses "cut.tif" -o out.png cut.tif
	refuses "only for PDF" --ppd x.ppd t.tiffgray
	cat t.tiffgray | refuses "cannot be read from a pipe" -o out.png -
else
	leave_out "no Ghostscript: TIFF was not checked"
fi

# --- --levels says how dots are to be read, and does not contradict them ---
printf 'P6\n60 40\n255\n' | cat - <(head -c 3600 /dev/zero | tr '\0' z) <(head -c 3600 /dev/zero | tr '\0' '\377') >colours.ppm
"$build/tests/tools/pnm-raster" colours.ppm >colours.ras
for levels in 2 3 4 5 16; do
	"$riptide" halftone --levels $levels -o levels.ras colours.ras || complain "$levels levels"
	shows --json --levels $levels colours.ras
	mv stdout told
	shows --json --levels $levels levels.ras
	cmp stdout told || complain "dots of $levels levels: $(cat stdout)"
	for wrong in 2 3 4 5 16; do
		words="not the $wrong of --levels"
		case $levels,$wrong in
		2,2 | 3,3 | 4,4 | 5,5 | 16,16) continue ;;
		# Nobody can tell dots of 3 levels from some of 4, but those of 4 from those of 3.
		3,4 | 5,16) continue ;;
		4,3) words="dots of level 3, which --levels 3 does not have: choose 4 or more" ;;
		16,5) words="which --levels 5 does not have" ;;
		esac
		refuses "levels.ras: page 1 has dots of" --levels $wrong -o out.png levels.ras
		[[ $(cat stderr) == *"$words"* ]] || complain "$levels levels as $wrong: $(cat stderr)"
	done
done
shows --json levels.ras
cmp stdout told || complain "dots without --levels: $(cat stdout)"
refuses "dots.pbm: page 1 has dots of 2 levels, and not the 4" --levels 4 -o out.png dots.pbm
shows --levels 2 dots.pbm

# --- dots with light inks: those of a raster that does not name them look as where they are known ---
printf 'P7\nWIDTH 60\nHEIGHT 40\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n' |
	cat - <(for ink in 'za\0\0' '\0za\0' 'a\0zz' '\0\0\0z'; do for i in {1..600}; do printf "$ink"; done; done) >cmyk.pam
"$build/tests/tools/pnm-raster" cmyk.pam >cmyk.ras
for one in k:5:CMYKk cm:6:CMYKcm cmk:7:CMYKcmk; do
	IFS=: read -r light count letters <<<"$one"
	for levels in 2 4; do
		with=(--levels "$levels" --light-strength 20 --zoom 1)
		shows --json "${with[@]}" --light-inks $light -o known.png cmyk.ras
		sed 's/known/out/' stdout >told
		"$riptide" halftone --levels $levels --light-inks $light --light-strength 20 -o light.ras cmyk.ras ||
			complain "no light inks"
		"$riptide" preview --json "${with[@]}" -o out.png light.ras >stdout 2>stderr ||
			complain "$letters: $(cat stderr)"
		[[ $(wc -l <stderr) == 1 && $(cat stderr) == *"light.ras: page 1 does not say what its $count inks are: taken as $letters"* ]] ||
			complain "$letters: not one warning: $(cat stderr)"
		cmp known.png out.png || complain "$letters, $levels levels: another picture"
		cmp told stdout || complain "$letters, $levels levels: $(cat stdout)"
		shows --json "${with[@]}" --inks "$letters" -o out.png light.ras
		cmp known.png out.png || complain "--inks $letters: another picture"
		shows --json "${with[@]}" --inks "$(rev <<<"$letters")" -o out.png light.ras
		cmp -s known.png out.png && complain "the order of --inks does not matter"
		rm -f out*
	done
done
refuses "it has 7 inks, and not the 4 of --inks CMYK" --inks CMYK -o out.png light.ras
refuses "CMYK names its inks" --inks KCMY -o out.png cmyk.ras
refuses "cmyk.ras is raster, whose pages say what their inks are, and --ink is not for that" --ink cyan -o out.png cmyk.ras
refuses "good.pgm is not raster" --inks K good.pgm
refuses "dots.pbm is not raster" --inks K dots.pbm
wrong --inks CMYR
wrong --inks CMYC
# One warning for all pages.
cat light.ras <(tail -c +5 light.ras) >light2.ras
"$riptide" preview light2.ras >stdout 2>stderr || complain "two pages: $(cat stderr)"
[[ $(wc -l <stderr) == 1 && $(grep -c ^page stdout) == 14 ]] || complain "two pages: $(cat stdout stderr)"

# --- pages with other inks: 1 to 15, then C, M, Y, K and their light inks ---
if command -v python3 >/dev/null; then
	python3 - <<-'END'
		import struct
		with open("inks.ras", "wb") as out:
		    out.write(b"3SaR")  # CUPS raster, version 3, little-endian
		    for space, planes in ((62, 15), (6, 4)):  # CUPS_CSPACE_DEVICEF, CUPS_CSPACE_CMYK
		        header = bytearray(1796)
		        for at, *values in ((276, 300, 300), (352, 200, 200), (372, 16, 16),
		                            (384, 8, 8 * planes, 16 * planes, 0, space), (420, planes)):
		            struct.pack_into(f"<{len(values)}I", header, at, *values)
		        out.write(header + b"\x80" * 16 * 16 * planes)
	END
	shows --json --light-inks cmk inks.ras
	[[ $(tail -n 1 stdout | grep -o '"ink":"[^"]*"' | tr -cd '0-9A-Za-z\n' | sed s/ink// | tr '\n' ' ') == \
	   "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 C M Y K c m k " ]] || complain "22 inks: $(cat stdout stderr)"
else
	leave_out "no python3: pages with other inks were not checked"
fi

# --- hostile input ---
head -c 500 dots.pbm >cut.pbm
printf 'P4 3' >header.pbm
printf 'P4 x 1 a' >letter.pbm
printf 'P4 99999999999999999999 1 a' >wide.pbm
cat dots.pbm good.pgm >other.pbm
refuses "is truncated: it ends in row" -o out.png cut.pbm
refuses "header ends before its width" -o out.png header.pbm
refuses "not a number" -o out.png letter.pbm
refuses "can be halftoned" -o out.png wide.pbm
refuses "is no PBM" other.pbm
: >empty
echo hello >text
head -c 500 good.pgm >cut.pgm
printf 'P5 3 3 255\naaaaaaaaaGARBAGE' >tail.pgm
printf '\377\330\377\340garbage' >bad.jpg
head -c 4000 /dev/zero | tr '\0' x | cat <(printf '3SaR') - >bad.ras
head -c 1000 bad.ras >cut.ras
printf 'P6\n20 20\n255\n' | cat - <(head -c 1200 /dev/zero) >small.ppm
"$build/tests/tools/pnm-raster" small.ppm >fine.ras
printf '\0\050\153\356\0\050\153\356' | dd of=fine.ras bs=1 seek=280 conv=notrunc status=none # 4000000000 dpi
refuses "at most 20000 can be shown" --printer laser -o out.png fine.ras
refuses "is empty" -o out.png empty
refuses "neither PGM" -o out.png text
refuses "is truncated" -o out.png cut.pgm
refuses "what follows the image" tail.pgm
refuses "bad.jpg" -o out.png bad.jpg
refuses "page 1: cups" -o out.png bad.ras
refuses "header" -o out.png cut.ras
refuses "No such file" -o out.png missing.pgm
refuses "No such file" -o missing/out.png good.pgm
refuses "--crop is outside" --crop 10x10+500+0 -o out.png good.pgm
refuses "there is no page 3: the last one is 2" --pages 3 -o out.png two.pgm
refuses "standard output takes one picture" -o - two.pgm
refuses "more than 32" --ppi 2400 --resolution 72 -o out.png good.pgm
refuses "with --zoom 32 a pixel of the lower resolution" --zoom 32 --resolution 300x600 -o out.png good.pgm
pgm 5000 2 | refuses "choose a smaller --ppi or --zoom" --zoom 32 -o out.png
wrong --zoom 0
wrong --zoom 33
wrong --ppi 100 --zoom 2
wrong --crop 10
wrong --crop 0x10+0+0
wrong --crop 10x10+0+0x
wrong --printer nonsense
wrong --ink-per-m2 5
wrong --ink-per-m2 5g,6ml
wrong --ink-per-m2 5g5g
wrong --ink-per-m2 0g
wrong --json -o -

# --- rows, not pages, are in memory: a page of 100 MB ---
if command -v python3 >/dev/null; then
	python3 - "$riptide" <<-'END' || complain "a large page takes too much memory"
		import resource, subprocess, sys
		# grep, because the peak of a child includes what its parent had when it started.
		sanitized = subprocess.run(["grep", "-q", "__[at]san_init", sys.argv[1]]).returncode == 0
		rows = 2000 if sanitized else 20000
		child = subprocess.Popen([sys.argv[1], "preview", "--ppi", "50", "-o", "out.png"],
			stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
		child.stdin.write(b"P5 5000 %d 255\n" % rows)
		all(child.stdin.write(b"\xff" * 5000000) for _ in range(rows // 1000))
		child.stdin.close()
		assert child.wait() == 0
		peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
		assert sanitized or peak < 64 << 10, peak
	END
fi
finish
