#!/bin/bash
# Plates, as the manual makes them: Ghostscript separates a page with a spot colour, riptide makes
# the dots of each ink, and libtiff's tools and Ghostscript read them.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

for program in gs tiffcp tiffinfo tiff2pdf; do
	command -v $program >/dev/null || leave_out "$program is not installed"
done
((left_out)) && finish

# Steps of each ink, and of two inks together.
cat >page.ps <<'END'
%!PS
<</PageSize [96 96]>> setpagedevice .96 dup scale
0 1 9 { /i exch def
    i 10 div 0 0 0 setcmykcolor i 10 mul 80 10 20 rectfill
    0 0 0 i 10 div setcmykcolor i 10 mul 60 10 20 rectfill
    0 i 10 div i 20 div 0 setcmykcolor i 10 mul 40 10 20 rectfill
    [/Separation (PANTONE 186 C) /DeviceCMYK { dup 0 exch dup .8 mul exch .2 mul }] setcolorspace
    i 10 div setcolor i 10 mul 20 10 20 rectfill
} for
showpage
END
draw pdfwrite 720 page.pdf page.ps || complain "no PDF"

# The manual's own lines.
PATH=$build:$PATH
sed -n '/^gs.*tiffsep.*page\.pdf$/,/^done$/p' "$source/man/riptide-halftone.1.in" |
	sed 's/\\-/-/g' >recipe
grep -q '^done' recipe || complain "the manual has no recipe"
bash -eu ./recipe >said 2>&1 || complain "the recipe fails: $(cat said)"

# The bytes of the image, without compression, in one strip.
raw() # FILE
{
	tiffcp -c none -r 1000000 "$1" raw.tif && python3 -c '
import struct, sys
b = open("raw.tif", "rb").read()
at, = struct.unpack_from("<I", b, 4)
n, = struct.unpack_from("<H", b, at)
tags = {}
for i in range(n):
    tag, kind, count, value = struct.unpack_from("<HHII", b, at + 2 + 12 * i)
    tags[tag] = value & 0xffff if kind == 3 else value
assert tags[278] >= tags[257], "several strips"
sys.stdout.buffer.write(b[tags[273]:tags[273] + tags[279]])'
}

# The ink in per mille: of 8-bit samples, or of dots, whose rows have no bits to spare here.
ink() # BITS <BYTES
{
	python3 -c '
import sys
b = sys.stdin.buffer.read()
light = sum(b) / 255 if sys.argv[1] == "8" else bin(int.from_bytes(b, "big")).count("1")
print(round(1000 - 1000 * light / (len(b) * 8 / int(sys.argv[1]))))' "$1"
}

for name in Cyan Magenta Yellow Black 'PANTONE 186 C'; do
	[[ -f "dots($name).tif" ]] || { complain "there is no dots($name).tif"; continue; }
	raw "page($name).tif" >tones && raw "dots($name).tif" >dots ||
		complain "tiffcp does not read $name"
	want=$(ink 8 <tones) got=$(ink 1 <dots)
	((want > 30 && got - want <= 5 && want - got <= 5)) ||
		complain "$name: $got per mille of ink for $want"
	cp dots "bits of $name"
done
# Cyan and black have the same steps in other places; the same picture has other dots at another
# angle.
riptide halftone --screen clustered --ink black -o other.tif 'page(Cyan).tif'
cmp -s <(raw other.tif) 'bits of Cyan' && complain "--ink changes nothing"

# Without spot colours, from the composite.
riptide halftone --screen clustered -o all.tif page.tif || complain "page.tif is refused"
# Its cyan is the same above the spot colour, which has some: 1900 of 3200 rows.
cmp -n $((1900 * 400)) <(raw 'all(Cyan).tif') 'bits of Cyan' ||
	complain "the composite has another cyan"

# Ghostscript sees the same dots.
tiff2pdf -o dots.pdf 'dots(Black).tif' && draw pbmraw 2400 dots.pbm dots.pdf
python3 - <<'END' || complain "Ghostscript sees other dots"
dots, pbm = open('bits of Black', 'rb').read(), open('dots.pbm', 'rb').read()
want = bytes(255 - b for b in dots) # 1 is ink in PBM
raise SystemExit(len(want) != 3200 * 400 or want not in pbm)
END

# riptide rip writes TIFF itself: grey as light, as PBM has it; CMYK as a composite of planes.
draw pdfwrite 720 two.pdf page.ps page.ps
riptide rip -r 600 -o two.pbm two.pdf && riptide rip -r 600 -o two.tif --compression g4 two.pdf ||
	complain "riptide rip fails"
[[ $(tiffinfo two.tif | grep -c "Resolution: 600, 600 pixels/inch") == 2 ]] ||
	complain "riptide rip: not two pages"
for page in 0 1; do
	tiffcp -c none two.tif,$page one.tif && raw one.tif >dots
	python3 - $page <<-'END' || complain "riptide rip: page $page has other dots"
		import sys
		dots, pbm = open('dots', 'rb').read(), open('two.pbm', 'rb').read()
		start = len(pbm) // 2 * int(sys.argv[1])
		want = bytes(255 - b for b in dots) # 800 columns
		at = pbm[start:][-80000 if start else 0:].find(want)
		raise SystemExit(len(want) != 80000 or at < 0)
	END
done
riptide rip -r 600 --model cmyk --levels 4 -o two.tif page.pdf ||
	complain "riptide rip of CMYK fails"
said=$(tiffinfo two.tif)
for words in "Samples/Pixel: 4" "Bits/Sample: 2" "Ink Names: Cyan, Magenta, Yellow, Black" \
	"separated"; do
	[[ $said == *"$words"* ]] || complain "riptide rip of CMYK: $said"
done
for wrong in "--model rgb -o out.tif" "--format tiff" "--compression lzw -o out.pbm" \
	"--compression g4 --levels 4 -o out.tif" "--compression x -o out.tif" "-o out.jpg" \
	"-o out.pdf"; do
	# shellcheck disable=SC2086
	riptide rip $wrong page.pdf >out 2>said
	[[ $? == 2 && $(wc -l <said) == 1 && ! -s out && -z $(find . -name 'out.*') ]] ||
		complain "riptide rip $wrong: $(cat said)"
done
rm -f out

# Separations: the dots that halftone makes of tiffsep's planes, in one file with the inks' names.
cat >spots.ps <<'END'
%!PS
<</PageSize [96 96]>> setpagedevice .96 dup scale
/spot { [ /Separation 3 -1 roll /DeviceCMYK { dup 0 exch dup .8 mul exch .2 mul } ]
	setcolorspace } def
/steps { /y exch def 0 1 9 { /i exch def i 10 div setcolor i 10 mul y 10 12 rectfill } for } def
(PANTONE 186 C) spot 80 steps (Gold) spot 65 steps /Cyan spot 50 steps /Black spot 35 steps
0 1 9 { /i exch def [ /DeviceN [ /Magenta (Gold) ] /DeviceCMYK { pop 0 0 0 } ] setcolorspace
	i 10 div 1 i 10 div sub setcolor i 10 mul 20 10 12 rectfill } for
/All spot .5 setcolor 0 0 100 10 rectfill .2 .4 .6 setrgbcolor 30 30 40 40 rectfill showpage
(HKS/43) spot 80 steps showpage
.5 .2 .1 .3 setcmykcolor 0 0 96 96 rectfill showpage
END
draw pdfwrite 720 spots.pdf spots.ps
draw tiffsep 600 spots.tif spots.pdf -dNOINTERPOLATE -dLastPage=1
cat >compose.py <<'END'
import struct, subprocess, sys
out, names = sys.argv[1], sys.argv[2:]
planes = []
for name in names:
    subprocess.run(["tiffcp", "-c", "none", "-r", "100000", f"spots({name}).tif", "raw.tif"],
                   check=True)
    b = open("raw.tif", "rb").read()
    at, = struct.unpack_from("<I", b, 4)
    tags = [struct.unpack_from("<HHII", b, at + 2 + 12 * i) for i in range(b[at])]
    start, = [v for tag, _, _, v in tags if tag == 273]
    planes.append(bytes(255 - x for x in b[start:start + 800 * 800]))
k, n = len(planes), 800 * 800
names = b"".join(name.encode() + b"\0" for name in names)
lists = {258: struct.pack(f"<{k}H", *[8] * k), 273: struct.pack(f"<{k}I", *range(8, 8 + k * n, n)),
         279: struct.pack(f"<{k}I", *[n] * k), 282: struct.pack("<2I", 600, 1),
         283: struct.pack("<2I", 600, 1), 333: names}
tags = [(256, 4, 1, 800), (257, 4, 1, 800), (258, 3, k, 0), (259, 3, 1, 1), (262, 3, 1, 5),
        (273, 4, k, 0), (277, 3, 1, k), (278, 4, 1, 800), (279, 4, k, 0), (282, 5, 1, 0),
        (283, 5, 1, 0), (284, 3, 1, 2),
        (332, 3, 1, 2), (333, 2, len(names), 0), (334, 3, 1, k)]
at = 8 + k * n
entries, data = b"", b""
for tag, kind, count, value in tags:
    if tag in lists:
        value = at + 6 + 12 * len(tags) + len(data)
        data += lists[tag] + bytes(len(lists[tag]) % 2)
    entries += struct.pack("<HHII", tag, kind, count, value)
open(out, "wb").write(b"II*\0" + struct.pack("<I", at) + b"".join(planes) +
                      struct.pack("<H", len(tags)) + entries + bytes(4) + data)
END
python3 compose.py planes.tif Cyan Magenta Yellow Black 'PANTONE 186 C' Gold ||
	complain "tiffsep's planes are not there"
for screen in clustered blue-noise floyd-steinberg; do
	riptide halftone --screen $screen --composite -o want.tif planes.tif ||
		complain "the planes"
	for workers in 2 1; do
		# One screen is enough for another number of workers.
		[[ $workers == 2 || $screen == clustered ]] || continue
		does riptide rip -r 600 --screen $screen --inks separations --workers $workers \
			-o spots.tif spots.pdf
		tiffcp -c none -r 100000 want.tif want.raw.tif 2>/dev/null
		tiffcp -c none -r 100000 spots.tif,0 spots.raw.tif 2>/dev/null
		cmp want.raw.tif spots.raw.tif || complain "separations: other dots with $screen"
	done
done
[[ $(tiffinfo spots.tif 2>/dev/null | sed -n 's/^ *Ink Names: //p') == \
"Cyan, Magenta, Yellow, Black, PANTONE 186 C, Gold
Cyan, Magenta, Yellow, Black, HKS/43
Cyan, Magenta, Yellow, Black" ]] || complain "separations: $(tiffinfo spots.tif 2>&1 | grep Names)"
# Plates of a page, and the same without a jail and with fine edges.
tiffcp spots.tif,1 page.tif 2>/dev/null && does riptide halftone -o plate.tif page.tif
[[ -s 'plate(HKS_43).tif' && -s 'plate(Black).tif' ]] || complain "there are no plates: $(ls)"
(no_jail && does riptide rip -r 600 --inks separations --screen floyd-steinberg -o free.tif \
	spots.pdf)
does riptide rip -r 600 --inks separations --screen floyd-steinberg --edges on -o edges.tif \
	spots.pdf
cmp spots.tif free.tif || complain "separations: other dots without a jail"
# A shell lets a whole job go on, with a Ghostscript that riptide has halted.
make_pdf large.pdf "<< /PageSize [420 595] >> setpagedevice
	[/Separation (Gold) /DeviceCMYK { dup 0 exch 0 exch 0 }] setcolorspace
	.5 setcolor 9 9 350 500 rectfill showpage"
does riptide rip -r 1200 --inks separations --workers 1 -o large.tif large.pdf
python3 - riptide rip -r 1200 --inks separations --workers 1 -o woken.tif large.pdf <<-'END' ||
	import glob, os, signal, subprocess, sys, time
	job = subprocess.Popen(sys.argv[1:])
	end = time.monotonic() + 300
	while job.poll() is None and time.monotonic() < end:
	    children = []
	    for name in glob.glob(f"/proc/{job.pid}/task/*/children"):
	        try:
	            children += open(name).read().split()
	        except OSError:
	            pass # the thread has ended
	    for i in range(300):
	        for child in children:
	            try:
	                os.kill(int(child), signal.SIGCONT)
	            except OSError:
	                pass # it has ended
	        time.sleep(0.0002)
	if job.poll() is None:
	    job.kill()
	    sys.exit("it goes on without end")
	sys.exit(job.returncode)
END
	complain "separations: Ghostscript was woken: status $?"
cmp large.tif woken.tif || complain "separations: other dots after Ghostscript was woken"
# More inks than TIFF takes; a time limit; wrong usage.
{
	echo '%!PS'
	for i in {1..12}; do
		echo "[/Separation (S$i) /DeviceCMYK { dup dup dup }] setcolorspace .5 setcolor"
		echo "$i dup 5 50 rectfill"
	done
	echo showpage
} >many.ps
draw pdfwrite 720 many.pdf many.ps
fails_with 1 "page 1: it has 12 spot colours: at most 11 are possible" \
	riptide rip --inks separations -o out.tif many.pdf
fails_with 2 "is for TIFF" riptide rip --inks separations -o out.pbm spots.pdf
fails_with 2 "is for TIFF" riptide rip --inks separations spots.pdf
for model in grey rgb; do
	fails_with 2 "leave out --model $model" \
		riptide rip --inks separations --model $model -o out.tif spots.pdf
done
fails_with 2 "leave out --black-preservation" \
	riptide rip --inks separations --black-preservation text -o out.tif spots.pdf
fails_with 2 "leave out --auto-monochrome" \
	riptide rip --inks separations --auto-monochrome -o out.tif spots.pdf
fails_with 2 "leave out --black " \
	riptide rip --inks separations --black profile -o out.tif spots.pdf

# RGB goes the way that its message tells.
convert_rgb='import struct,sys
tags = [(256, 4, 64), (257, 4, 64), (258, 3, 0), (259, 3, 1), (262, 3, 2), (273, 4, 8),
	(277, 3, 3), (278, 4, 64), (279, 4, 12288), (282, 5, 0), (283, 5, 0)]
at = 8 + 12288
end = at + 2 + 12 * len(tags) + 4
entries = b""
for tag, kind, value in tags:
    value = end if tag == 258 else end + 6 if kind == 5 else value
    entries += struct.pack("<HHII", tag, kind, 3 if tag == 258 else 1, value)
data = bytes(x % 256 for x in range(12288))
sys.stdout.buffer.write(b"II*\0" + struct.pack("<I", at) + data + struct.pack("<H", len(tags)) +
			entries + bytes(4) + struct.pack("<3H2I", 8, 8, 8, 600, 1))'
python3 -c "$convert_rgb" >photo.tif
riptide halftone -o out.tif photo.tif 2>said && complain "RGB is taken"
way=$(sed -n 's/.*with \(tiff2pdf .*\) and \(gs .*\)/\1; \2/p' said)
rm -f page*
bash -eu -c "${way:-false}" >said 2>&1 ||
	complain "the way to separate RGB fails: $way: $(cat said)"
riptide halftone -o out.tif page.tif || complain "what it gives is refused"
[[ -f 'out(Cyan).tif' ]] || complain "what it gives is not CMYK"

finish
