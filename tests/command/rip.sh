#!/bin/bash
# riptide rip: its dots are those of Ghostscript's pixels and riptide halftone, whatever the number
# of workers; and its faults: each is reported in one line, and leaves neither a process nor a file
# that looks complete.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs
gs=$(command -v gs)
path=$PATH # for riptide

# --- a document: text, shades, an image, transparency, pages of several sizes, one turned -------
# Black alone is another test's: filter/black.sh.
cat >pages.ps <<'END'
%!PS
/words { /Times-Roman findfont 14 scalefont setfont 0 setgray
	30 20 180 { 20 exch moveto (Dots, and more dots) show } for } def
<< /PageSize [216 216] >> setpagedevice words showpage
<< /PageSize [216 288] >> setpagedevice
0 1 71 { /i exch def i 71 div 1 i 71 div sub .5 setrgbcolor i 3 mul 0 3 288 rectfill } for words
showpage
<< /PageSize [300.5 200.25] >> setpagedevice
gsave 280 180 scale
32 32 8 [32 0 0 -32 0 32] { 32 string dup 0 1 31 { dup 8 mul 2 index 3 1 roll put
	dup } for pop } image grestore
showpage
<< /PageSize [216 216] >> setpagedevice
0 .8 .2 .1 setcmykcolor 20 20 100 100 rectfill
.1 .1 .1 1 setcmykcolor 60 60 100 100 rectfill showpage
[ /Rotate 90 /PAGE pdfmark words showpage
<< /PageSize [1 1] >> setpagedevice 0 0 1 1 rectfill showpage
END
"$gs" -q -dBATCH -dNOPAUSE -dAutoRotatePages=/None -sDEVICE=pdfwrite -sOutputFile=pages.pdf \
	pages.ps ||
	exit 99
count=6
dpi=200 # fewer pixels than by default, and pages of several pieces all the same

rip() # ARGUMENT...
{
	timeout 120 env PATH="$path" "$riptide" rip -r $dpi "$@" 2>stderr
}

# Dots as expected: without a word, and the same as those of riptide halftone in a file.
makes() # WHAT OUT EXPECTED ARGUMENT of riptide rip...
{
	rip "${@:4}" -o "$2" || complain "$1: $(cat stderr)"
	[[ ! -s stderr ]] || complain "$1: $(cat stderr)"
	cmp "$3" "$2" || complain "$1: other dots"
}

expect() # OUT ARGUMENT of riptide halftone...
{
	"$riptide" halftone -o "$@" || exit 99
}

# --- the document is no output ---
cp pages.pdf document
"$riptide" rip -r 72 -o document document >/dev/null 2>stderr && complain "-o is the document"
grep -q "cannot write document: it is the input" stderr ||
	complain "-o is the document: $(cat stderr)"
cmp -s document pages.pdf || complain "the document has changed"
rm document

# --- dots ------------------------------------------------------------------------------------
draw pgmraw 600 grey.pgm pages.pdf -dNOINTERPOLATE -dLastPage=1
expect expected.pbm grey.pgm
timeout 120 "$riptide" rip pages.pdf --pages 1 -o dots.pbm || complain "fails without options"
cmp expected.pbm dots.pbm || complain "the resolution is not 600 dpi by default"
draw pgmraw $dpi grey.pgm pages.pdf -dNOINTERPOLATE
expect expected.pbm grey.pgm
for workers in 1 2 5; do
	makes "$workers workers" dots.pbm expected.pbm pages.pdf --workers $workers
done
rip - -o dots.pbm && complain "takes no input for a document"
rip <pages.pdf >dots.pbm || complain "fails with standard input and output"
cmp expected.pbm dots.pbm || complain "standard input gives other dots"
# shellcheck disable=SC2002 # a pipe, not a file
cat pages.pdf | rip >dots.pbm || complain "fails with a pipe"
cmp expected.pbm dots.pbm || complain "a pipe gives other dots"
# An open file that may not be opened again.  Root needs to give up the right to.
without=()
((EUID)) || without=(setpriv "--bounding-set=-dac_override,-dac_read_search"
	"--inh-caps=-dac_override,-dac_read_search")
cp pages.pdf closed.pdf
exec 7<closed.pdf
chmod 0 closed.pdf
if "${without[@]}" true && ! "${without[@]}" cat closed.pdf >/dev/null 2>&1; then
	timeout 120 "${without[@]}" "$riptide" rip -r $dpi <&7 >dots.pbm ||
		complain "fails with a file that may not be opened"
	cmp expected.pbm dots.pbm || complain "a file that may not be opened gives other dots"
else
	echo "not tested, because root keeps its rights here: a file that may not be opened"
fi
exec 7<&-
rm -f closed.pdf

expect expected.pgm --levels 4 --screen blue-noise grey.pgm
makes "4 levels" dots.pgm expected.pgm pages.pdf --levels 4 --screen blue-noise
expect expected.pbm --screen clustered --resolution $dpi grey.pgm
makes clustered dots.pbm expected.pbm pages.pdf --screen clustered
expect expected.pbm --start zero grey.pgm
makes "--start zero" dots.pbm expected.pbm pages.pdf --start zero

tones=("--printer laser --target linear --density 80" "--gamma 1.5 --toner-save 2"
	"--levels 3 --drops 40%,100% --dot-gain 20")
for options in "${tones[@]}"; do
	# shellcheck disable=SC2086 # words
	expect expected.dots $options --resolution $dpi grey.pgm
	# shellcheck disable=SC2086 # words
	makes "$options" dots.dots expected.dots pages.pdf $options --workers 3
	cmp -s expected.pbm dots.dots && complain "$options makes the same dots as without"
done

planes_of() # expected|dots WHAT
{
	rm -f "$1"-[0-9]*.pbm
	"$build/tests/tools/decode-dots" raster "$1.ras" "$1" >/dev/null || complain "$2: no raster"
	((planes == $(find . -name "$1-*-*.pbm" | wc -l))) ||
		complain "$2: $1 has not $planes planes"
}

for model in rgb:ppmraw:3 cmyk:pamcmyk32:4; do
	IFS=: read -r model device colours <<<"$model"
	planes=$((count * colours))
	draw "$device" $dpi colour.pnm pages.pdf -dNOINTERPOLATE
	"$build/tests/tools/pnm-raster" colour.pnm $dpi >colour.ras || exit 99
	for case in 1 3 "2 --ink-limit 150 --printer inkjet" "2 --density 70 --toner-save 40" \
		"2 --screen blue-noise-colour --registration 30"; do
		read -r workers options <<<"$case"
		if [[ $options || $workers == 1 ]]; then # the number of workers changes no dots
			# shellcheck disable=SC2086 # words
			expect expected.ras $options colour.ras
			planes_of expected "$model, $case"
		fi
		# shellcheck disable=SC2086 # words
		rip pages.pdf --model $model --workers "$workers" $options -o dots.ras ||
			complain "$model, $case: $(cat stderr)"
		planes_of dots "$model, $case"
		for plane in expected-*-*.pbm; do
			cmp "$plane" "dots${plane#expected}" ||
				complain "$model, $case: $plane has other dots"
		done
	done
done
expect expected.pbm grey.pgm
rip pages.pdf -o dots.pwg && "$build/tests/tools/decode-dots" raster dots.pwg pwg >/dev/null ||
	complain "PWG: $(cat stderr)"
cat pwg-?-1.pbm >dots.pbm
cmp <(tr -d '\n' <expected.pbm) <(tr -d '\n' <dots.pbm) || complain "PWG raster has other dots"

# --- lists of pages -----------------------------------------------------------------------------
for page in 1 3 6; do
	rip pages.pdf --pages $page -o "page$page.pbm" || complain "page $page: $(cat stderr)"
done
rip pages.pdf --pages 6,1,3,1 --workers 3 -o dots.pbm || complain "some pages: $(cat stderr)"
cat page6.pbm page1.pbm page3.pbm page1.pbm | cmp - dots.pbm || complain "--pages gives other pages"
dpi=600 rip pages.pdf --pages 6 -o page6.pbm || complain "page 6: $(cat stderr)"
[[ $(head -c 9 page6.pbm | tr '\n' ' ') == "P4 8 8 "* ]] || complain "1 x 1 pt has not 8 x 8 pixels"

# --- JSON ---------------------------------------------------------------------------------------
rip pages.pdf --json --workers 2 -o dots.pbm >json || complain "--json: $(cat stderr)"
(($(wc -l <json) == count)) &&
	(($(grep -c '^{"page":[1-6],"width".*"device":"CPU [^"]*",'\
'"attempts":1,"complete":true,"ms":[0-9.]*}$' json) == count)) ||
	complain "--json: $(cat json)"

# --- faults -------------------------------------------------------------------------------------
# The exit status, words in the only line of standard error, and no output file.
fails() # STATUS WORDS ARGUMENT...
{
	fails_with "$1" "$2" env PATH="$path" "$riptide" rip -r $dpi "${@:3}"
}

head -c 600 pages.pdf >cut.pdf
printf '%%!PS\n%%PDF-1.4\n(%s/escaped) (w) file closefile\n' "$folder" >escape.pdf
printf 'no document' >words.pdf
: >empty.pdf
fails 1 "there is no page 7: the document has 6" pages.pdf --pages 2,7 -o out.pbm
fails 1 "Ghostscript: Error:" cut.pdf -o out.pbm
fails 1 "Ghostscript: Error:" escape.pdf -o out.pbm
[[ ! -e escaped ]] || complain "a document has written a file"
fails 1 "the document is no PDF" words.pdf -o out.pbm
fails 1 "the document is no PDF" /dev/zero -o out.pbm # which has no end
fails 1 "the document is empty" empty.pdf -o out.pbm
fails 1 "cannot open none.pdf" none.pdf -o out.pbm
fails 1 "No space left on device" pages.pdf -o /dev/full
fails 1 "No space left on device" pages.pdf --format cups -o /dev/full
path=/nowhere fails 1 "install Ghostscript" pages.pdf -o out.pbm
fails 2 "one colour" pages.pdf --model cmyk -o out.pbm
fails 2 "--json writes to standard output" pages.pdf --json
fails 2 "choose a list of pages such as" pages.pdf --pages 0 -o out.pbm
fails 2 "one document at a time" pages.pdf pages.pdf -o out.pbm
"$gs" -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOwnerPassword=o -sUserPassword=u -dEncryptionR=3 \
	-dKeyLength=128 -sOutputFile=secret.pdf pages.ps || exit 99
fails 1 "assword" secret.pdf -o out.pbm
many_pages 0 >nopages.pdf
fails 1 "the document has no pages" nopages.pdf -o out.pbm
fails 1 "the document has no pages" nopages.pdf -o out.pbm --pages 1
many_pages 1000 >thousand.pdf
fails 1 "more than 10000000 pages: choose fewer" thousand.pdf -o out.pbm \
	--pages "$(printf ',1-%.0s' {1..10001} | cut -c 2-)"
many_pages 2 | sed 's,3 0 R 3 0 R,3 0 R 9 0 R,' >lost.pdf # there is no object 9
fails 1 "page 2: Ghostscript: Error: Couldn't get page info" lost.pdf --workers 1 -o out.pbm
sed 's,/MediaBox \[[^]]*\],/MediaBox [0 0 2000000 72],' pages.pdf >wide.pdf
fails 1 "page 1: its size is 2e+06 x 72 points" wide.pdf -o out.pbm
# A media box without an area is none: the page is as large as without one, as in Poppler.
for box in '' '/MediaBox [0 0 0 0]' '/MediaBox [72 0 72 792]' '/MediaBox [0 9 612 9]'; do
	sed "s,/MediaBox \\[[^]]*\\],$box," pages.pdf >box.pdf
	rip box.pdf -r 72 --pages 1 -o box.pbm && [[ $(sed -n 2p box.pbm) == "612 792" ]] ||
		complain "${box:-no media box}: $(cat stderr)"
done

# A page whose contents are damaged is printed as far as it goes, with a warning.
sed 's,/Contents 5 0 R,/Contents 6 0 R,' pages.pdf >damaged.pdf # a number
rip damaged.pdf -o dots.pbm || complain "damaged contents: exit status $?"
grep -q "page 1 may not be complete: Ghostscript: " stderr ||
	complain "damaged contents: $(cat stderr)"

# --- a Ghostscript that dies
# ----------------------------------------------------------------------- It is killed in the middle
# of the second page, which is drawn again; or it ends before the first one is complete, each time.
cat >two.ps <<'END'
%!PS
<< /PageSize [72 72] >> setpagedevice 10 10 30 30 rectfill showpage
<< /PageSize [1200 1200] >> setpagedevice .7 setgray 0 0 1200 1200 rectfill showpage
<< /PageSize [72 72] >> setpagedevice 20 20 30 30 rectfill showpage
END
"$gs" -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=two.pdf two.ps || exit 99
rip two.pdf -o expected.pbm || complain "two sizes: $(cat stderr)"
mkdir bin
no_jail

# Ghostscript 10.05 looks for fonts anew, and fontconfig may keep nothing of that in the jail.
cat >bin/gs <<END
#!/bin/sh
while IFS= read -r line; do
	case \$line in *rtdraw) echo "Fontconfig error: No writable cache directories" >&2 ;; esac
	printf '%s\n' "\$line"
done | "$gs" "\$@"
END
chmod +x bin/gs
path=$folder/bin:$PATH makes "fontconfig's complaint" dots.pbm expected.pbm two.pdf

# Pixels that precede a message are passed on before it, as riptide expects of Ghostscript.
cat >bin/gs <<END
#!/usr/bin/python3
import os, select, signal, subprocess, sys
gs = subprocess.Popen(["$gs"] + sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
		      close_fds=False)
pixels, messages = gs.stdout.fileno(), gs.stderr.fileno()
os.set_blocking(pixels, False)
written = 0
said = None
while said != b"":
    said = None
    if messages in select.select([pixels, messages], [], [])[0]:
        said = os.read(messages, 65536)
    try:
        while piece := os.read(pixels, 65536):
            while piece:
                done = os.write(1, piece)
                piece, written = piece[done:], written + done
            if written > 2000000 and not os.path.exists("$folder/dead"):
                os.mkdir("$folder/dead")
                gs.kill()
                os.kill(os.getpid(), signal.SIGKILL)
    except BlockingIOError:
        pass
    if said:
        os.write(2, said)
sys.exit(gs.wait())
END
chmod +x bin/gs
if part "no python3: a Ghostscript that is killed" python3; then
	for workers in 1 2; do
		rm -rf dead
		path=$folder/bin:$PATH rip two.pdf --workers $workers --json -o dots.pbm >json ||
			complain "a Ghostscript that was killed: $(cat stderr)"
		cmp expected.pbm dots.pbm || complain "other dots after a Ghostscript was killed"
		grep -q '"page":2.*"attempts":2' json ||
			complain "page 2 was not drawn twice: $(cat json)"
	done
fi
cat >bin/gs <<END
#!/bin/sh
exec "$gs" "\$@" -c '<< /EndPage { 0 eq { quit } if pop false } >> setpagedevice'
END
for workers in 1 2; do
	path=$folder/bin:$PATH fails 1 "page 1: Ghostscript has ended with status 0" two.pdf \
		--workers $workers -o out.pbm
done
# Pages before the one that fails are written.
cat >bin/gs <<END
#!/bin/sh
exec "$gs" "\$@" -c '<< /EndPage { 0 eq {
	currentpagedevice /PageSize get 0 get 1000 gt { quit } if pop
	true } { pop false } ifelse } >> setpagedevice'
END
rip two.pdf --pages 1 -o page1.pbm
path=$folder/bin:$PATH rip two.pdf --workers 2 >dots.pbm &&
	complain "succeeds although page 2 cannot be drawn"
grep -q "page 2: Ghostscript has ended" stderr || complain "page 2 fails: $(cat stderr)"
cmp page1.pbm dots.pbm || complain "page 1 is not written before page 2 fails"
# What the dynamic linker says first is not the fault.
cat >bin/gs <<END
#!/bin/sh
echo "ERROR: ld.so: object 'libstdbuf.so' from LD_PRELOAD cannot be preloaded: ignored." >&2
exec "$gs" "\$@"
END
path=$folder/bin:$PATH fails 1 "Ghostscript: Error:" cut.pdf -o out.pbm
# None starts well.
printf '#!/bin/sh\nexit 3\n' >bin/gs
path=$folder/bin:$PATH fails 1 "Ghostscript has ended with status 3" pages.pdf -o out.pbm
rm -r bin
unset RIPTIDE_CONFIG
# By a symbolic link; and none.
mkdir bin
ln -s "$gs" bin/gs
path=$folder/bin makes "a symbolic link" dots.pbm expected.pbm two.pdf
rm bin/gs
path=$folder/bin fails 1 "there is no program gs: install Ghostscript" two.pdf -o out.pbm
rm -r bin

# --- the end of riptide is the end of its Ghostscripts
# ------------------------------------------------
printf '%%!PS\n1 1 300 { pop
	0 1 30 { 72 mul 72 exch moveto /Times-Roman findfont 300 scalefont setfont (long) show } for
	showpage } for' >long.ps
"$gs" -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=long.pdf long.ps || exit 99
for signal in TERM KILL; do
	"$riptide" rip long.pdf --workers 2 -o long.pbm &
	pid=$!
	two_children() { mapfile -t children < <(ghostscripts_of $pid) &&
		((${#children[@]} == 2)); }
	wait_for 120 two_children || complain "$signal: ${#children[@]} Ghostscripts, not 2"
	kill -$signal $pid
	wait $pid 2>/dev/null
	status=$?
	((status > 128)) || complain "$signal: exit status $status"
	wait_for 60 gone "${children[@]}" || complain "$signal: Ghostscripts are left"
	[[ ! -e long.pbm ]] || complain "$signal: there is an output file"
done
[[ -z $(find . -name 'long.pbm*' -newer long.pdf ! -name '*.??????') ]] || complain "files are left"

# --- 200 pages of TIFF that may exceed 4 GiB: BigTIFF, as the unfinished file shows
# ------------------
many_pages 200 | sed 's/0 0 8 8/0 0 2000 2000/' >many.pdf
"$riptide" rip many.pdf --workers 1 -o many.tif &
pid=$!
# The file has no name yet: its descriptor.
begun()
{
	local fd

	for fd in "/proc/$pid/fd/"*; do
		[[ $(readlink "$fd") == "$PWD/"* && $(readlink "$fd") != *.pdf && -s $fd ]] &&
			begun=$fd
	done
	[[ ${begun-} ]]
}
wait_for 60 begun
magic=$(head -c 4 "$begun" | od -An -tx1 | tr -d ' ')
kill -KILL $pid
wait $pid 2>/dev/null
[[ $magic == 49492b00 || $magic == 4d4d002b ]] || complain "200 large pages are no BigTIFF: $magic"
rm -f many.*

# --- memory: a page of 144 million pixels
# -------------------------------------------------------------
printf '%%!PS\n<< /PageSize [1440 1440] >> setpagedevice .5 setgray 0 0 1440 1440 rectfill
showpage' >large.ps
"$gs" -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=large.pdf large.ps || exit 99
# A sanitizer takes more memory.
[[ ! $once ]] || peak_is 65536 "$riptide" rip large.pdf -o /dev/null
finish
