#!/bin/bash
# riptide preview: ink and light against a model of its own (preview-model.py); pages, parts and
# sizes of pictures; each wrong input is one line on standard error, exit 1, and no picture.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

pgm() # WIDTH HEIGHT [BYTE]: a picture
{
	printf 'P5\n%d %d\n255\n' "$1" "$2"
	head -c $(($1 * $2)) /dev/zero | tr '\0' "${3:-a}"
}

# What must fail with one line that has these words, and leave nothing.
refuses() # WORDS ARGUMENT...
{
	fails_with 1 "$1" "$riptide" preview "${@:2}"
}

wrong() # ARGUMENT...
{
	fails_with 2 "" "$riptide" preview "$@" good.pgm
}

shows() # ARGUMENT...
{
	does "$riptide" preview "$@"
}

# Two previews show the same picture, or others; or they have the same figures.
pictures() # same|others WHAT ARGUMENTS ARGUMENTS
{
	# shellcheck disable=SC2086 # words
	shows -o first.png $3
	# shellcheck disable=SC2086 # words
	shows -o second.png $4
	cmp -s first.png second.png && [[ $1 == same ]] || [[ $1 == others ]] ||
		complain "$2: not the $1"
}

figures() # WHAT ARGUMENTS ARGUMENTS
{
	# shellcheck disable=SC2086 # words
	shows --json $2
	mv stdout told
	# shellcheck disable=SC2086 # words
	shows --json $3
	cmp told stdout || complain "$1: $(cat stdout), not $(cat told)"
}

# Tones, and the dots that halftone makes of them, have the same figures and pictures of two pages.
alike() # WHAT ARGUMENTS-OF-TONES ARGUMENTS-OF-DOTS
{
	# shellcheck disable=SC2086 # words
	shows --json -o out.png $2
	mv stdout told
	# shellcheck disable=SC2086 # words
	shows --json -o out3.png $3
	[[ $(without_names stdout) == "$(without_names told)" ]] ||
		complain "$1: $(cat stdout), not $(cat told)"
	cmp out.png out3.png && cmp out-2.png out3-2.png || complain "$1 look different"
	rm -f out*
}

without_names() # FILE: figures without the names of pictures
{
	sed 's/"picture":"[^"]*",//' "$1"
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
if part "no python3: figures and light were not checked" python3; then
	seed=${RIPTIDE_TEST_SEED:-$RANDOM}
	echo "RIPTIDE_TEST_SEED=$seed"
	python3 "$source/tests/command/preview-model.py" "$riptide" "$seed" ||
		complain "the model differs"
	# A part is that part of the whole, to the byte: the dots around it are looked at.
	pgm 200 120 >whole.pgm
	shows -o whole.png --zoom 3 --screen clustered whole.pgm
	shows -o part.png --zoom 3 --screen clustered --crop 41x30+100+60 whole.pgm
	shows -o corner.png --zoom 3 --screen clustered --crop 999x999+180+110 whole.pgm
	python3 - <<-'END' || complain "a part is not that of the whole"
		from pictures import read_png
		whole, part, corner = map(read_png, ("whole.png", "part.png", "corner.png"))
		assert (len(whole), len(whole[0])) == (360, 600)
		assert part == [row[300:423] for row in whole[180:270]]
		assert corner == [row[540:] for row in whole[330:]]
	END
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
[[ $(head -n 1 stdout) == *'"dots":1800,"ink":"K","percent":100.000000,'* &&
	$(wc -l <stdout) == 2 ]] ||
	complain "the first page: $(cat stdout)"
# The list of riptide rip; the pages come as they are in the file.
shows --json --pages 2,1 two.pgm
[[ $(grep -c '"page":' stdout) == 2 && $(head -n 1 stdout) == '{"page":1,'* ]] ||
	complain "both pages: $(cat stdout)"
shows --json --pages 2- two.pgm
[[ $(grep -c '"page":' stdout) == 1 && $(head -n 1 stdout) == '{"page":2,'* ]] ||
	complain "from page 2: $(cat stdout)"
refuses "there is no page 4: the last one is 2" --pages 1-4 two.pgm
wrong --pages 0
wrong --pages 2-1

printf 3SaR >nopages.ras
refuses "nopages.ras has no pages" -o out.png nopages.ras
refuses "nopages.ras has no pages" --json nopages.ras

# --- what halftone writes is what preview counts; with the same options it makes the same dots ---
tones="--screen clustered --printer laser --density 120"
# shellcheck disable=SC2086 # words
"$riptide" halftone $tones -o dots.pbm good.pgm
figures "the dots as a file" "$tones good.pgm" "--printer laser dots.pbm"

pictures same "the dots as a file" "--zoom 2 $tones good.pgm" "--zoom 2 --printer laser dots.pbm"
# A printer whose dot gain is not corrected is shown all the same.
"$riptide" halftone -o plain.pbm good.pgm || complain "no dots"
pictures same "--dot-gain none" "--printer inkjet plain.pbm" \
	"--printer inkjet --dot-gain none good.pgm"
pictures others "--printer corrects" "--printer inkjet plain.pbm" "--printer inkjet good.pgm"
# They are dots of the ink that --ink names.
# shellcheck disable=SC2086 # words
"$riptide" halftone --ink cyan $tones -o cyan.pbm good.pgm
shows --json --ink cyan cyan.pbm
[[ $(head -n 1 stdout) == *'"ink":"C"'* ]] || complain "not cyan: $(cat stdout)"
pictures same "cyan dots as a file" "--ink cyan --zoom 2 --printer laser cyan.pbm" \
	"--ink cyan --zoom 2 $tones good.pgm"
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
		tint "$1" | "$riptide" halftone --screen clustered |
			"$build/tests/tools/print-simulated" "ink, large drops"
	}
	for tone in 0 16 32 64 96 128 160 192 224 255; do
		echo "$(awk -v t=$tone 'BEGIN { print t / 2.55 }') $(awk -v r="$(prints $tone)" \
			'BEGIN { print 100 * r }')"
	done >steps
	"$riptide" calibrate -o calibrations/light.cal --unit reflectance steps >stdout 2>stderr ||
		complain "no calibration: $(cat stderr)"
	cp calibrations/light.cal light.png
	ln -f light.png calibrations/light.cal
	refuses "cannot write light.png: it is the calibration" --calibration light -o light.png \
		good.pgm
	cmp light.png calibrations/light.cal || complain "the calibration has changed"
	off() # TONE OPTION...: by how much the paper is lighter than the preview, L*
	{
		local tone=$1
		shift
		tint "$tone" | "$riptide" halftone --screen clustered -o tint.pbm
		shows --zoom 1 --crop 144x144+24+24 -o tint.png "$@" tint.pbm
		python3 - "$(prints "$tone")" <<-'END'
			import sys
			from pictures import read_png
			linear = lambda s: s / 12.92 if s <= .04045 else ((s + .055) / 1.055) ** 2.4
			light = [linear(p[0] / 255)
			         for row in read_png("tint.png") for p in row]
			lightness = lambda y: 116 * y ** (1 / 3) - 16
			seen = lightness(sum(light) / len(light))
			print("%.2f" % (lightness(float(sys.argv[1])) - seen))
		END
	}
	for tone in 48 100 150; do
		by_class=$(off $tone) by_cal=$(off $tone --calibration light)
		echo "a tint of $tone: the paper is $by_class L* lighter than the class's \
printer, $by_cal than the calibrated one"
		awk -v a="$by_class" -v b="$by_cal" 'BEGIN { exit !(a < -5 && b < 2 && b > -2) }' ||
			complain "the calibration's printer is not shown, or not the paper's"
	done
	part="--zoom 1 --crop 144x144+24+24"
	pictures others "--printer and --calibration" "$part --calibration light tint.pbm" \
		"$part --calibration light --printer laser tint.pbm"
	pictures same "--printer laser" "$part tint.pbm" \
		"$part --calibration light --printer laser tint.pbm"
fi
refuses "No such file" -o out.png --calibration nothing good.pgm
cp "$source/tests/tone/argyll/printcal-k.cal" calibrations/other.cal
chmod 644 calibrations/other.cal
refuses "is by another program" -o out.png --calibration other good.pgm
wrong --calibration ../x

# The dots that pdftoriptide makes of the document, in two.ras.
dots_of() # PPD JOB-OPTIONS
{
	sed /riptideNextFilter/d "$1" >dots.ppd
	PPD=dots.ppd RIPTIDE_SOCKET=none "$build/pdftoriptide" 1 user title 1 "$2" \
		two.pdf >two.ras 2>log ||
		complain "pdftoriptide: $(cat log)"
}

# The preview of the document has the figures of these dots, and a picture of each page, the first
# one in drawn.png.
as_queue() # PPD JOB-OPTIONS ARGUMENT...
{
	shows --json --ppd "$1" "${@:3}" -o out.png two.pdf
	mv stdout told
	dots_of "$1" "$2"
	shows --json two.ras
	[[ -s stdout && $(without_names told) == "$(cat stdout)" ]] ||
		complain "$1: $(cat told) are not the dots of the filter: $(cat stdout)"
	[[ -s out.png && -s out-2.png ]] || complain "$1: no pictures: $(ls)"
	mv out.png drawn.png
	rm -f out*
}

pages_are() # "NUMBER..."
{
	[[ $(sed -n 's/^{"page":\([0-9]*\),.*/\1/p' stdout | tr '\n' ' ') == "$1 " ]] ||
		complain "not page $1: $(cat stdout)"
}

# --- PDF by way of a queue: the dots of pdftoriptide ---
if part "no Ghostscript or no ppdc: PDF was not checked" gs ppdc; then
	mkdir temporary
	export TMPDIR=$folder/temporary
	make_ppds
	make_pdf two.pdf "<< /PageSize [72 36] >> setpagedevice
		.8 .2 .1 setrgbcolor 5 5 50 25 rectfill showpage
		.3 setgray 15 5 25 25 rectfill showpage"
	cp ppds/riptide-pcl5.ppd pcl5-2.png
	refuses "cannot write pcl5-2.png: it is the PPD" --ppd pcl5-2.png -o pcl5.png two.pdf
	cmp pcl5-2.png ppds/riptide-pcl5.ppd || complain "the PPD has changed"
	for ppd in pcl5 pcl-color; do
		as_queue ppds/riptide-$ppd.ppd halftone-density=80 --density 80
	done
	# An option that comes again counts instead of the one before, however often.
	printf -v many -- '--density 100 %.0s' {1..60}
	queue="--ppd ppds/riptide-pcl5.ppd"
	figures "60 options and the last one" "$queue $many --density 50 two.pdf" \
		"$queue --density 50 two.pdf"
	fails_with 2 "" "$riptide" preview --ppd ppds/riptide-pcl5.ppd \
		--drops "1$(printf %01100d 0)%" --levels 3 two.pdf
	# A calibration's printer, as that of the same dots in a file; also where gstoraster draws
	# the page.
	if [[ -e calibrations/light.cal ]]; then
		dots_of ppds/riptide-pcl-color.ppd halftone-calibration=light
		light="--pages 1 --calibration light" queue="--ppd ppds/riptide-pcl-color.ppd"
		pictures same "the queue's calibration" "$light two.ras" "$light $queue two.pdf"
		pictures others "the queue's class" "$light $queue two.pdf" \
			"$light --printer laser $queue two.pdf"
		light+=" --light-inks k" queue="--ppd ppds/riptide-pcl5.ppd"
		pictures others "with light inks, the queue's class" "$light $queue two.pdf" \
			"$light --printer laser $queue two.pdf"
	fi
	# A queue that prints without riptide gets a warning.
	sed "/cupsPreFilter/d; /riptideNextFilter/d; /cupsFilter.*pdftoriptide/d" \
		ppds/riptide-pcl5.ppd >foreign.ppd
	"$riptide" preview --json --ppd foreign.ppd two.pdf >stdout 2>stderr ||
		complain "foreign.ppd: $(cat stderr)"
	one_line foreign.ppd "foreign.ppd prints without riptide"
	[[ $(cat stderr) == *"riptide adopt cannot change that: the PPD asks for contone"* ]] ||
		complain "foreign.ppd: $(cat stderr)"
	# It may have an option that is called as one of ours.
	sed 's/^\*CloseUI: \*ColorModel/&\n*OpenUI *halftone\/Halftone Algorithm: PickOne'\
'\n*Defaulthalftone: default\n*halftone default\/Default: ""\n*halftone wts\/Best: ""'\
'\n*CloseUI: *halftone/' \
		foreign.ppd >vendor.ppd
	grep -q wts vendor.ppd || complain "no option of the vendor's: $(grep CloseUI foreign.ppd)"
	mv stdout told
	"$riptide" preview --json --ppd vendor.ppd two.pdf >stdout 2>stderr ||
		complain "vendor.ppd: $(cat stderr)"
	one_line "a vendor's option called halftone" "vendor.ppd prints without riptide"
	cmp told stdout || complain "a vendor's option called halftone: $(cat stdout)"
	shows --json --ppd ppds/riptide-pcl5.ppd --pages 2 two.pdf
	pages_are 2
	draw pdfwrite 720 four.pdf two.pdf two.pdf
	shows --json --ppd ppds/riptide-pcl5.ppd --pages 4,2-3 four.pdf
	pages_are "2 3 4"
	# The drops of the queue are those of the picture.
	sed '/riptideNextFilter/d; /riptideMaxLevels/d' ppds/riptide-pcl-color.ppd >levels.ppd
	sed '$a*riptideDrops: "10%,35%,100%"' levels.ppd >drops.ppd
	pictures same "the drops of the queue" "--ppd drops.ppd --levels 4 two.pdf" \
		"--ppd levels.ppd --drops 10%,35%,100% --levels 4 two.pdf"
	# Where gstoraster draws for the queue, it does so for the picture: light inks, inks
	# separated from RGB, and riptide-rip.
	if [[ -x $gstoraster ]]; then
		photo=ppds/riptide-escp2-photo.ppd
		drawn()	# PPD OPTIONS ARGUMENT...: figures as of the filter's raster
		{
			as_queue "$@"
			grep -q "started $gstoraster" log || complain "$1: gstoraster did not draw"
		}
		drawn $photo halftone-light-strength=20 --light-strength 20 --printer inkjet
		[[ $(head -n 1 told) == *'"ink":"c"'*'"ink":"m"'* ]] ||
			complain "no light inks: $(cat told)"
		# The picture shows the inks that the dots are for: of the job's strength, of the
		# usual one, ...
		shown="--printer inkjet two.ras"
		pictures same "light inks of 20 %" "--light-strength 20 $shown" \
			"--light-strength 20 $shown"
		cmp drawn.png first.png || complain "light inks of 20 % look different"
		pictures others "light inks of 20 and 30 %" "--light-strength 20 $shown" "$shown"
		# ... and of the PPD's, by ink.
		sed '$a*cupsCyanLtDk: "0.2 1"\n*cupsMagentaLtDk: "0.2 1"' $photo >strong.ppd
		drawn strong.ppd "" --printer inkjet
		shows -o out.png --light-strength 20 --printer inkjet two.ras
		cmp drawn.png out.png || complain "light inks of a PPD look different"
		sed 's/^\*CloseUI: \*ColorModel/&\n*OpenUI *riptideRip: PickOne'\
'\n*DefaultriptideRip: gstoraster\n*riptideRip gstoraster: ""\n*CloseUI: *riptideRip/' \
			ppds/riptide-pcl-color.ppd >rip.ppd
		drawn rip.ppd ""
		sed 's/^\*CloseUI: \*ColorModel/&\n*OpenUI *riptideInks: PickOne'\
'\n*DefaultriptideInks: CMYK\n*riptideInks CMYK: ""\n*CloseUI: *riptideInks/
			s/^\*DefaultColorModel:.*/*DefaultColorModel: RGB/' \
			ppds/riptide-raster.ppd >inks.ppd
		drawn inks.ppd ""
		[[ $(head -n 1 told) == *'"ink":"K"'* ]] || complain "no inks of RGB: $(cat told)"
		shows --json --ppd $photo --pages 2 two.pdf
		pages_are 2
		shows --json --ppd $photo --pages 4,2 four.pdf
		pages_are "2 4"
		refuses "there is no page 3: the last one is 2" --ppd $photo --pages 3 -o out.png \
			two.pdf
		sed '$a*riptideColorSpaces: "K"' $photo >pass.ppd
		refuses "the queue's driver makes the dots of KCMY pages itself" --ppd pass.ppd \
			-o out.png two.pdf
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
		stub_says() # WORDS LINE...: of the command, when gstoraster does that
		{
			stub "${@:2}"
			refuses "$1" --ppd $photo two.pdf
		}
		export CUPS_SERVERBIN=$folder/stub
		PRINTER=other FINAL_CONTENT_TYPE=image/pwg-raster stub_says \
			"gstoraster failed with exit status 1: cannot open x" \
			"env >$folder/environment" 'echo "cannot open x" >&2' 'echo >&2' 'exit 1'
		grep -E '^(PRINTER|FINAL_CONTENT_TYPE)=' environment &&
			complain "the user's environment is the queue's"
		grep -q "^TMPDIR=$TMPDIR/." environment ||
			complain "no folder of its own: $(grep TMPDIR environment)"
		stub_says "gstoraster: no font" 'echo "ERROR: no font" >&2' 'kill -9 $$'
		stub_says "gstoraster failed with exit status 1: DEBUG: 0" \
			"printf 'DEBUG: %0504dERROR: split\\n' 0 >&2" 'exit 1'
		# Ghostscript's own reason, and the system's where it read or wrote, whatever comes
		# after it.
		stub_says "exit status 1: Error: /ioerror in --run--: No space left on device" \
			'echo "Error: /ioerror in --run--" >&2' \
			'echo "Last OS error: No space left on device" >&2' \
			'echo "INFO: Rendering completed" >&2' 'exit 1'
		stub_says "exit status 1: Error: /syntaxerror in --run--" \
			'echo "Error: /syntaxerror in --run--" >&2' \
			'echo "Last OS error: Not a typewriter" >&2' 'exit 1'
		grep -q typewriter stderr && complain "an old error of the system: $(cat stderr)"
		# The raster is the first error, and what the filter says comes after it.
		stub 'echo "ERROR: cannot draw" >&2' 'printf 3SaR1234' 'exit 1'
		"$riptide" preview --ppd $photo two.pdf >stdout 2>stderr
		(($? == 1)) && [[ $(wc -l <stderr) == 2 &&
			$(tail -n 1 stderr) == *"gstoraster: cannot draw" ]] ||
			complain "the filter's error after that of its raster: $(cat stderr)"
		# Ended by signals: the folder is gone soon after, and so is the filter.
		stub 'echo $$ >"$TMPDIR/file.tmp"; mv "$TMPDIR/file.tmp" "$TMPDIR/file"' \
			'exec sleep 300'
		for signal in INT TERM HUP KILL; do
			(trap - INT; exec "$riptide" preview --ppd $photo \
				two.pdf) >stdout 2>stderr &
			until drawn=$(cat temporary/*/file 2>/dev/null) ||
				! kill -0 $! 2>/dev/null; do sleep .02; done
			kill -$signal $!
			wait $! 2>/dev/null
			wait_for 10 eval '[[ ! $(ls temporary) && ! -e /proc/${drawn:-self} ]]' ||
				complain "SIG$signal leaves $(ls \
					temporary) and process $drawn: $(cat stderr)"
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
	many_pages 0 >nopages.pdf
	refuses "nopages.pdf has no pages" --ppd ppds/riptide-pcl5.ppd -o out.png nopages.pdf
	refuses "missing.ppd" --ppd missing.ppd -o out.png two.pdf
	: >empty.ppd
	gzip -c empty.ppd >empty.ppd.gz
	refuses "cannot read the PPD empty.ppd: the file is empty" --ppd empty.ppd -o out.png \
		two.pdf
	refuses "cannot read the PPD /dev/null: the file is empty" --ppd /dev/null -o out.png \
		two.pdf
	for wrong in good.pgm two.pdf empty.ppd.gz; do
		refuses \
			"cannot read the PPD $wrong: it is no PPD: it does not begin with \
*PPD-Adobe" \
			--ppd "$wrong" -o out.png two.pdf
	done
	sed '20s/^\*//' ppds/riptide-pcl5.ppd >line.ppd
	refuses "cannot read the PPD line.ppd: line 20: Missing asterisk" --ppd line.ppd \
		-o out.png two.pdf
	refuses "only for PDF" --ppd ppds/riptide-pcl5.ppd good.pgm
	head -c 300 two.pdf >cut.pdf
	refuses "cut.pdf" --ppd ppds/riptide-pcl5.ppd -o out.png cut.pdf
fi
wrong --queue a --ppd b

# --- TIFF: samples are halftoned as in other files, and plates are dots already ---
if part "no Ghostscript: TIFF was not checked" gs; then
	printf '%%!PS\n<< /PageSize [72 36] >> setpagedevice
		.8 .3 .1 .2 setcmykcolor 5 5 40 20 rectfill .6 setgray 40 2 20 30 rectfill showpage
		.1 0 .7 0 setcmykcolor 0 0 30 30 rectfill showpage' >t.ps
	for device in tiffgray tiff32nc tiff24nc; do
		draw $device 300 t.$device t.ps
	done
	"$riptide" halftone --printer laser --screen clustered -o grey.tif t.tiffgray ||
		complain "no plate"
	figures "grey TIFF" "--printer laser --screen clustered t.tiffgray" grey.tif
	dots=(--screen blue-noise --printer inkjet --density 90)
	"$riptide" halftone "${dots[@]}" -o plate.tif t.tiff32nc || complain "no plates"
	"$riptide" halftone "${dots[@]}" --composite -o all.tif t.tiff32nc ||
		complain "no composite"
	alike "dots of all inks" "${dots[*]} --zoom 2 t.tiff32nc" \
		"--printer inkjet --zoom 2 all.tif"
	for ink in Cyan:0 Yellow:2; do
		shows --json --ink ${ink%:*} "plate(${ink%:*}).tif"
		python3 -c "
import json
plate, page = (json.loads(open(name).readline())['inks'] for name in ('stdout', 'told'))
assert plate == [page[${ink#*:}]], plate" || complain "the plate of ${ink%:*}: $(cat stdout)"
	done
	# Dots of several levels, too, which are no tones that could be halftoned again.
	for levels in ${once:+4} 3 16; do
		dots=(--levels "$levels" --printer inkjet)
		"$riptide" halftone "${dots[@]}" --composite -o levels.tif t.tiff32nc ||
			complain "no composite"
		"$riptide" halftone "${dots[@]}" -o level.tif t.tiffgray ||
			complain "no plate of $levels levels"
		for pair in t.tiff32nc:levels.tif t.tiffgray:level.tif; do
			with=
			((levels > 3)) || with="--levels 3"
			alike "dots of $levels levels" "${dots[*]} ${pair%:*}" \
				"--printer inkjet $with ${pair#*:}"
		done
	done
	refuses "level.tif: page 1 has dots of 5 to 16 levels, and not the 4" --levels 4 \
		-o out.png level.tif
	refuses "all.tif: page 1 has dots of 2 levels, and not the 3" --levels 3 -o out.png all.tif
	refuses "is RGB: separate it" -o out.png t.tiff24nc
	head -c 3000 t.tiff32nc >cut.tif
	refuses "cut.tif" -o out.png cut.tif
	refuses "only for PDF" --ppd x.ppd t.tiffgray
	cat t.tiffgray | refuses "cannot be read from a pipe" -o out.png -
fi

# --- --levels says how dots are to be read, and does not contradict them ---
printf 'P6\n60 40\n255\n' |
	cat - <(head -c 3600 /dev/zero | tr '\0' z) <(head -c 3600 /dev/zero |
	tr '\0' '\377') >colours.ppm
"$build/tests/tools/pnm-raster" colours.ppm >colours.ras
for levels in ${once:+2 3 5} 4 16; do
	"$riptide" halftone --levels $levels -o levels.ras colours.ras || complain "$levels levels"
	figures "dots of $levels levels" "--levels $levels colours.ras" \
		"--levels $levels levels.ras"
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
		[[ $(cat stderr) == *"$words"* ]] ||
			complain "$levels levels as $wrong: $(cat stderr)"
	done
done
shows --json levels.ras
cmp stdout told || complain "dots without --levels: $(cat stdout)"
refuses "dots.pbm: page 1 has dots of 2 levels, and not the 4" --levels 4 -o out.png dots.pbm
shows --levels 2 dots.pbm

# --- dots with light inks: those of a raster that does not name them look as where they are known
# ---
printf 'P7\nWIDTH 60\nHEIGHT 40\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n' |
	cat - <(for ink in 'za\0\0' '\0za\0' 'a\0zz' '\0\0\0z'; do for _ in {1..600}; do printf \
		"$ink"; done; done) >cmyk.pam
"$build/tests/tools/pnm-raster" cmyk.pam >cmyk.ras
for one in ${once:+k:5:CMYKk cm:6:CMYKcm} cmk:7:CMYKcmk; do
	IFS=: read -r light count letters <<<"$one"
	for levels in ${once:+2} 4; do
		with=(--levels "$levels" --light-strength 20 --zoom 1)
		shows --json "${with[@]}" --light-inks $light -o known.png cmyk.ras
		sed 's/known/out/' stdout >told
		"$riptide" halftone --levels $levels --light-inks $light --light-strength 20 \
			-o light.ras cmyk.ras ||
			complain "no light inks"
		"$riptide" preview --json "${with[@]}" -o out.png light.ras >stdout 2>stderr ||
			complain "$letters: $(cat stderr)"
			one_line "$letters" "light.ras: \
page 1 does not say what its $count inks are: taken as $letters"
		cmp known.png out.png || complain "$letters, $levels levels: another picture"
		cmp told stdout || complain "$letters, $levels levels: $(cat stdout)"
			pictures same "--inks $letters" "${with[*]} --light-inks $light cmyk.ras" \
				"${with[*]} --inks $letters light.ras"
			pictures others "the order of --inks" \
				"${with[*]} --inks $letters light.ras" \
				"${with[*]} --inks $(rev <<<"$letters") light.ras"
		rm -f out*
	done
done
refuses "it has 7 inks, and not the 4 of --inks CMYK" --inks CMYK -o out.png light.ras
refuses "CMYK names its inks" --inks KCMY -o out.png cmyk.ras
refuses "cmyk.ras is raster, whose pages say what their inks are, and --ink is not for that" \
	--ink cyan -o out.png cmyk.ras
refuses "good.pgm is not raster" --inks K good.pgm
refuses "dots.pbm is not raster" --inks K dots.pbm
wrong --inks CMYR
wrong --inks CMYC
# One warning for all pages.
cat light.ras <(tail -c +5 light.ras) >light2.ras
"$riptide" preview light2.ras >stdout 2>stderr || complain "two pages: $(cat stderr)"
[[ $(wc -l <stderr) == 1 && $(grep -c ^page stdout) == 14 ]] ||
	complain "two pages: $(cat stdout stderr)"

# --- pages with other inks: 1 to 15, then C, M, Y, K and their light inks ---
if part "no python3: pages with other inks were not checked" python3; then
	python3 - <<-'END'
		from pictures import raster_header
		with open("inks.ras", "wb") as out:
		    out.write(b"3SaR")  # CUPS raster, version 3, little-endian
		    # CUPS_CSPACE_DEVICEF, CUPS_CSPACE_CMYK
		    for space, planes in ((62, 15), (6, 4)):
		        header = raster_header("<", 16, 16, 8, space, planes)
		        out.write(header + b"\x80" * 16 * 16 * planes)
	END
	shows --json --light-inks cmk inks.ras
	[[ $(tail -n 1 stdout | grep -o '"ink":"[^"]*"' | tr -cd '0-9A-Za-z\n' | sed s/ink// |
		tr '\n' ' ') == \
	   "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 C M Y K c m k " ]] ||
	complain "22 inks: $(cat stdout stderr)"
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
printf '\0\050\153\356\0\050\153\356' |
	dd of=fine.ras bs=1 seek=280 conv=notrunc status=none # 4000000000 dpi
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
refuses "with --zoom 32 a pixel of the lower resolution" --zoom 32 --resolution 300x600 -o out.png \
	good.pgm
pgm 5000 2 | refuses "choose a smaller --ppi or --zoom" --zoom 32 -o out.png
for arguments in "--zoom 0" "--zoom 33" "--ppi 100 --zoom 2" \
	"--crop 10" "--crop 0x10+0+0" "--crop 10x10+0+0x" \
	"--printer nonsense" "--ink-per-m2 5" "--ink-per-m2 5g,6ml" "--ink-per-m2 5g5g" \
	"--ink-per-m2 0g" "--json -o -"; do
	# shellcheck disable=SC2086 # words
	wrong $arguments
done

# --- rows, not pages, are in memory: a page of 100 MB ---
rows=20000
! grep -q '^RIP_CFLAGS.*sanitize' "$build/Makefile" || rows=2000 # which is slow there
peak_is 65536 "$riptide" preview --ppi 50 -o out.png < <(printf 'P5 5000 %d 255\n' $rows; head \
	-c $((5000 * rows)) /dev/zero | tr '\0' '\377')
finish
