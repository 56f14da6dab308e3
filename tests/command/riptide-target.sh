#!/bin/bash
# riptide target: its command line, and charts that a page interpreter and a queue's raster give
# back dot by dot.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

# Exit status, and words that the one line on standard error has.  No file appears.
fails() # STATUS WORDS ARGUMENT...
{
	fails_as no.pdf "$@"
}

fails_as() # FILE STATUS WORDS ARGUMENT...
{
	refuses_with "$2" "$3" "$riptide" target "${@:4}" -o "$1"
	[[ ! -e $1 ]] || complain "${*:4}: wrote $1"
}

makes() # FILE ARGUMENT...
{
	local file=$1
	shift
	timeout 60 "$riptide" target "$@" -o "$file" >stdout 2>stderr ||
		complain "$*: $(cat stderr)"
	[[ -s $file && ! -s stdout &&
		$(tail -n 1 stderr) == *hen:\ sudo\ riptide\ calibrate\ QUEUE* ]] ||
		complain "$*: no $file, or not what comes next: $(cat stderr)"
}

fails 2 "unknown option --foo" --foo
fails 2 'unexpected argument "x"' x
fails 2 "clustered" --screens foo
fails 2 "one or two screens" --screens bayer,clustered,blue-noise
fails 2 "no tints" --screens bi-level
fails 2 "letters of C, M, Y and K" --inks RGB
fails 2 "each once" --inks CC
fails 2 "--inks \"Magent\" is nearly Magenta: write that" --inks Magent
fails 2 "choose pdf, raster, pbm, pgm" --format foo
fails 2 "choose one" --wedge --argyll
fails 2 "of one screen" --argyll --screens bayer,clustered
fails 2 "2, 4 or 16 levels" --levels 3
fails 2 "pbm is for 2 levels" --levels 4 --format pbm
fails 2 "pbm is for 2 levels" --format pgm
fails 1 "too small for the patches: choose a larger one with --paper, such as A5" \
	--argyll --paper A7
fails 2 "made for a queue" --format raster
fails 2 "exclude each other" --queue q --ppd p
fails 2 "its own resolution" --ppd p --paper A4
fails 2 "square pixels" --resolution 600x1200
fails 2 "--resolution 89 is less than 90" --resolution 89
fails_as no.ras 2 "made for a queue"
fails_as no.pgm 2 "pbm is for 2 levels"
fails_as no.PBM 2 "pbm is for 2 levels" --levels 4
fails_as no.pwg 2 "with .pdf, .ras, .pbm or .pgm, not .pwg"
fails_as no.tif 2 "with .pdf, .ras, .pbm or .pgm, not .tif"
fails_as no.PNG 2 "with .pdf, .ras, .pbm or .pgm, not .PNG"
fails 2 "no paper" --paper foo
fails 1 "too small for the wedge: choose a larger one with --paper, such as A5" --paper A7 --wedge
fails 1 "too small for tints beside lines: choose a larger one with --paper, such as A5" --paper A8
fails 1 "too small for the wedge" --paper custom_x_210x95mm --wedge
fails 1 "clustered-106" --screens clustered-37
fails 1 "nofile.ppd" --ppd nofile.ppd
ln -s /dev/null device
fails_with 1 "no regular file: name a file with -o" "$riptide" target --argyll -o device
[[ $(echo device*) == device ]] ||
	complain "--argyll makes files beside a device: $(head -n 3 device.ti1)"
rm -f device*
if "$riptide" target >/dev/full 2>stderr; then complain "a full disk is no error"; fi
[[ $(wc -l <stderr) == 1 ]] || complain "a full disk: $(cat stderr)"

# As many pages as inks and rows need.
pages()
{
	grep -a -c '/Type /Page ' "$1"
}
makes one.pdf
makes four.pdf --inks CMYK
makes label.pdf --paper na_index-4x6_4x6in --resolution 203
makes wedge.pdf --wedge --inks KC
# What advice says is enough; and a wedge on paper that is wide enough but not high gets smaller,
# too.
for chart in "" --wedge --argyll; do
	makes a5.pdf $chart --paper A5
done
makes low.pdf --wedge --paper custom_x_210x100mm
# What comes next, with the options that the command would not take for granted.
next() # LINE... ARGUMENT...: what is said of a chart
{
	local file=$1 lines=$2
	shift 2
	makes "$file" "$@"
	[[ $(cat stderr) == "$lines" ]] || complain "$*: what comes next: $(cat stderr)"
}
pdf="Print it: lp -d QUEUE -o print-scaling=none -o cm-calibration"
next ./a.pdf "$pdf ./a.pdf
Then: sudo riptide calibrate QUEUE"
next a.pdf "$pdf a.pdf
Then: sudo riptide calibrate QUEUE --ink KC --screens bayer" --inks KC --screens bayer
next "a b.pdf" "$pdf CHART
Scan it, then: sudo riptide calibrate QUEUE SCAN" --wedge
next a.pdf "$pdf a.pdf
Scan it, then: sudo riptide calibrate QUEUE --ink C SCAN" --wedge --inks C
next ./a.pdf "$pdf ./a.pdf
Measure it: chartread ./a
Then: sudo riptide calibrate QUEUE --screen bayer ./a.ti3" --argyll --screens bayer
next a.pbm "Then: sudo riptide calibrate QUEUE" --resolution 90
next a.pgm "Then: sudo riptide calibrate QUEUE --levels 4" --resolution 90 --levels 4
# Commands are to be typed as they are printed, in lower case: the first letter of the title is
# lower than others.
if command -v python3 >/dev/null; then
	makes a.pbm --resolution 300
	python3 - <<-'END' || complain "the chart's text is in capitals"
		from pictures import read_pbm
		rows = read_pbm("a.pbm")
		top = next(y for y, row in enumerate(rows) if "1" in row)
		title = rows[top:top + 25]
		left = min(row.index("1") for row in title if "1" in row)
		assert all("1" not in row[left:left + 25] for row in title[:5]), "R"
	END
fi
# The format is that of the name.
makes small.pbm --resolution 90
makes small.pgm --resolution 90 --levels 4
makes other.pbm --format pdf
[[ $(head -c 2 small.pbm)-$(head -c 2 small.pgm)-$(head -c 4 other.pbm) == P4-P5-%PDF ]] ||
	complain "the format is not that of the name: $(head -c 2 small.pbm) $(head -c 2 small.pgm)"
[[ $(pages one.pdf)-$(pages four.pdf)-$(pages wedge.pdf) == 1-4-2 ]] ||
	complain "there are $(pages one.pdf), $(pages four.pdf) and $(pages wedge.pdf) pages"
(($(pages label.pdf) > 1)) || complain "all rows on a label"

# Ghostscript, at the chart's resolution, gives the dots that PBM has.
if part "no Ghostscript: PDF was not compared" gs; then
	for chart in "" --wedge; do
		for dpi in 300 ${once:+600}; do
			makes c.pdf ${chart:+"$chart"} --resolution $dpi
			makes c.pbm ${chart:+"$chart"} --resolution $dpi --format pbm
			draw pbmraw $dpi gs.pbm c.pdf
			size=$(sed -n 2p c.pbm | tr -d '\0' | head -c 20)
			read -r wide high <<<"$size"
			bytes=$(((wide + 7) / 8 * high))
			cmp <(tail -c $bytes gs.pbm) <(tail -c $bytes c.pbm) ||
				complain "PDF and PBM differ ($chart, $dpi dpi)"
		done
	done
	# Of a colour: only that ink, and black texts.
	makes c.pdf --inks C --resolution 150
	makes c.pbm --inks C --resolution 150 --format pbm
	draw pamcmyk32 150 c.pam c.pdf
	python3 - <<-'END' || complain "the chart of cyan has other inks"
		from pictures import read_pbm
		data = open("c.pam", "rb").read()
		data = data[data.index(b"ENDHDR\n") + 7:]
		planes = [data[i::4] for i in range(4)]
		assert set(planes[1]) | set(planes[2]) == {0}
		assert 255 in planes[0] and 255 in planes[3]
		assert not any(c and k for c, k in zip(planes[0], planes[3]))
		# Each dot is in its place: PBM has those of both inks.
		for y, row in enumerate(read_pbm("c.pbm")):
		    at = slice(y * len(row), (y + 1) * len(row))
		    inked = (c or k for c, k in zip(planes[0][at], planes[3][at]))
		    assert "".join("01"[bool(i)] for i in inked) == row, y
	END
fi

# More levels: Ghostscript gives back the level of each pixel.
if command -v gs >/dev/null && command -v python3 >/dev/null; then
	for chart in 4:Y 16:K; do
		levels=${chart%:*} ink=${chart#*:}
		makes c.pdf --levels "$levels" --inks "$ink" --resolution 150 --screens clustered
		makes c.pgm --levels "$levels" --inks "$ink" --resolution 150 --screens clustered \
			--format pgm
		draw pamcmyk32 150 c.pam c.pdf
		python3 - "$levels" "$ink" <<-'END' || complain "PDF and PGM differ ($chart)"
			import sys
			most, ink = int(sys.argv[1]) - 1, "CMYK".index(sys.argv[2])
			pam = open("c.pam", "rb").read()
			pam = pam[pam.index(b"ENDHDR\n") + 7:]
			_, size, maxval, pgm = open("c.pgm", "rb").read().split(b"\n", 3)
			assert int(maxval) == most and len(set(pgm)) == most + 1
			inked = bytes(map(max, pam[ink::4], pam[3::4]))
			assert inked == bytes(255 // most * (most - level) for level in pgm)
		END
	done
fi

# A queue's raster: the filter's own rule for dots, no screen at all, gives the same dots.
if part "no ppdc: no queue's raster was made" ppdc; then
	make_ppds
	# Fewer pixels take less time.
	sed -i 's,HWResolution\[600 600],HWResolution[300 300],' ppds/*.ppd
	# It stays, also under the name of a file for ArgyllCMS.
	for name in in.ras in.ti1 in.ti2 in.cht; do
		cp ppds/riptide-pcl5.ppd $name
		fails_with 1 "cannot write $name: it is the PPD: name another file" \
			"$riptide" target --argyll --ppd $name -o in.ras
		cmp $name ppds/riptide-pcl5.ppd || complain "the PPD $name has changed"
		[[ $(echo in.*) == "$name" ]] || complain "the PPD $name: left $(echo in.*)"
		rm -f in.*
	done
	for name in raster pcl5 ${once:+pcl-color pwg}; do
		makes q.ras --wedge --ppd "ppds/riptide-$name.ppd"
		for screen in bi-level blue-noise clustered; do
			"$riptide" halftone --screen $screen -o $screen.ras q.ras ||
				complain "$name: no raster"
			cmp bi-level.ras $screen.ras || complain "$name: $screen changes the chart"
		done
		# Most of the page is paper: full light, or no ink.
		python3 - <<-'END' || complain "$name: the chart is a negative"
			import struct
			data = open("q.ras", "rb").read()
			light = struct.unpack("<I", data[404:408])[0] in (0, 1, 18, 19, 20)
			assert data.count(b"\xff" if light else b"\0", 1800) > len(data) * .6
		END
	done
	sed 's/^\*DefaultPageSize: .*/*DefaultPageSize: w144h72/' \
		ppds/riptide-zpl-203.ppd >label.ppd
	fails 1 "too small for the wedge: set a larger *DefaultPageSize in the PPD" \
		--wedge --ppd label.ppd
	# With more levels each sample is a level, which no screen changes.
	for queue in pcl5:16 pcl-color:4; do
		levels=${queue#*:}
		# Without the limit of the driver behind the filter.
		sed /riptideMaxLevels/d "ppds/riptide-${queue%:*}.ppd" >levels.ppd
		makes q.ras --wedge --levels "$levels" --inks K --ppd levels.ppd
		for screen in blue-noise clustered; do
			"$riptide" halftone --levels "$levels" --screen $screen -o $screen.ras q.ras
			cmp blue-noise.ras $screen.ras ||
				complain "$queue levels: $screen changes the chart"
		done
		"$riptide" preview --json blue-noise.ras >stdout
		python3 -c "
import json
page = json.loads(open('stdout').readline())
assert page['levels'] == $levels and 2 < max(i['percent'] for i in page['inks']) < 20, page" ||
			complain "$queue levels: $(cat stdout)"
	done
	if "$riptide" target --ppd ppds/riptide-pcl5.ppd >/dev/full 2>stderr; then
		complain "a full disk is no error for raster"
	fi
	[[ $(wc -l <stderr) == 1 ]] || complain "raster on a full disk: $(cat stderr)"
	# The advice to print a PDF works, and the PDF has the queue's sheet.
	sed 's|/cupsBitsPerColor 8|/cupsBitsPerColor 1|' ppds/riptide-pcl-color.ppd >bits.ppd
	fails_as no.ras 1 "--format pdf" --ppd bits.ppd
	sed -i /riptideMaxLevels/d bits.ppd
	fails_as no.ras 1 "of 1 bit" --ppd bits.ppd --levels 4
	makes bits.pdf --ppd bits.ppd --format pdf
	read -r width height < <(grep -a -o 'MediaBox \[[^]]*\]' bits.pdf | head -n 1 |
		sed 's/.*\[0 0 //; s/]//' | awk '{ printf "%.0f %.0f\n", $1, $2 }')
	[[ $width-$height == 595-842 ]] || complain "the PDF of a queue is $width x $height points"
	# A chart of more levels than the driver takes, and one that riptide never prints, are
	# useless.
	for format in raster pdf; do
		fails 1 "at most 2 levels" --ppd ppds/riptide-pcl5.ppd --levels 4 --format $format
	done
	sed -e '/cupsPreFilter/d; /toriptide/d; /riptide[A-Z]/d' \
		-e 's|/cupsBitsPerColor 8|/cupsBitsPerColor 1|' \
		ppds/riptide-pcl5.ppd >foreign.ppd
	for format in raster pdf; do
		fails 1 "run riptide adopt foreign.ppd first" --ppd foreign.ppd --format $format
	done
	# No advice that riptide adopt refuses.
	sed 's|rastertohp|rastertogutenprint.5.3|' foreign.ppd >guten.ppd
	fails 1 "riptide adopt cannot change that: rastertogutenprint.5.3 takes contone" \
		--ppd guten.ppd
	sed 's|rastertohp|rastertofoo|' foreign.ppd >unknown.ppd
	fails 1 "run riptide adopt --force unknown.ppd first" --ppd unknown.ppd
	for option in "" --chain --rip; do
		"$riptide" adopt ${option:+"$option"} -o adopted.ppd foreign.ppd >stdout 2>&1 ||
			complain "$option: $(cat stdout)"
		makes q.ras --ppd adopted.ppd
	done
	fails 2 "no C" --ppd ppds/riptide-pcl5.ppd --inks C
fi
finish
