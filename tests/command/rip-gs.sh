#!/bin/bash
# How riptide rip runs its Ghostscripts: the threads that draw a page, that a Ghostscript is
# replaced after many pages, and that one is ended that takes too long.  The dots are the same.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs
gs=$(command -v gs)
no_jail

# A program gs that records each start and each command, before Ghostscript gets it.
mkdir bin
cat >bin/gs <<END
#!/bin/bash
echo start >>"$folder/starts"
exec "$gs" "\$@" < <(while IFS= read -r line; do
	echo "\$line" >>"$folder/commands"
	echo "\$line"
done)
END
chmod +x bin/gs

rip() # ARGUMENT...
{
	rm -f starts commands
	timeout 120 env PATH="$folder/bin:$PATH" "${with[@]}" "$riptide" rip "$@" 2>stderr ||
		complain "rip $*: $(cat stderr)"
}
with=()

# --- the threads that draw a page
# -----------------------------------------------------------------------
cat >bands.ps <<'END'
%!PS
<< /PageSize [300 400] >> setpagedevice
0 1 99 { /i exch def i 99 div 1 i 99 div sub .5 setrgbcolor i 3 mul 0 3 400 rectfill } for
0 setgray .3 setlinewidth 0 7 300 { 0 moveto 300 400 lineto stroke } for showpage
<< /PageSize [100 100] >> setpagedevice .5 .setfillconstantalpha
1 0 0 setrgbcolor 10 10 60 60 rectfill 0 0 1 setrgbcolor 30 30 60 60 rectfill showpage
END
"$gs" -q -dBATCH -dNOPAUSE -dALLOWPSTRANSPARENCY -sDEVICE=pdfwrite -sOutputFile=bands.pdf \
	bands.ps || exit 99

# threads_are LIST PAGES -r RESOLUTION [ARGUMENT...]: of each page, in any order
threads_are()
{
	local list=$1 pages=$2 expected=expected-$2-$4.ras

	shift 2
	[[ -e $expected ]] || rip bands.pdf --model cmyk --pages "$pages" "$@" --workers 1 \
		-o "$expected"
	rip bands.pdf --model cmyk --pages "$pages" "$@" -o dots.ras
	cmp "$expected" dots.ras || complain "pages $pages $*: other dots"
	[[ $(sed -n 's/^.* \([0-9]*\) rtdraw$/\1/p' commands | sort | tr '\n' ' ') == "$list " ]] ||
		complain "pages $pages $*: not $list threads: $(grep rtdraw commands)"
}
threads_are "4" 1 -r 900 --workers 8 # 18 bands
threads_are "2 2" 1,1 -r 900 --workers 4
if [[ $once ]]; then
	threads_are "2" 1 -r 900 --workers 2
	threads_are "0 0" 1,1 -r 900 --workers 3
	threads_are "0" 1 -r 900 --workers 1
fi
threads_are "0" 1 -r 300 --workers 8 # 2 bands
threads_are "8" 2 -r 100 --workers 64 # transparency
with=(taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')")
threads_are "0" 2 -r 100 # one processor
with=()

# --- a document of many pages, which are one object
# --------------------------------------------------
many_pages 1000 >thousand.pdf
rip thousand.pdf -r 72 --pages 1 -o page.pbm
rip thousand.pdf -r 72 --pages 17,4,900 --workers 2 -o dots.pbm
cat page.pbm page.pbm page.pbm | cmp - dots.pbm || complain "other dots of pages out of order"
# A Ghostscript is replaced after 250 pages: three times, or once where another build has done all.
count=1000 some=1-300
[[ $once ]] || count=310 some=1-30
rip thousand.pdf -r 72 --pages 1-$count --workers 1 -o dots.pbm
(($(wc -l <starts) == (count + 249) / 250)) ||
	complain "$count pages of $(wc -l <starts) Ghostscripts"
for ((i = 0; i < count; i++)); do
	cat page.pbm
done | cmp - dots.pbm || complain "other dots after a Ghostscript is replaced"
# --- layers
# -----------------------------------------------------------------------
# Ghostscript 10.06 prints what a layer says for printing.  With older versions there is a warning.
layers() # PRINT-STATE VIEW-STATE
{
	cat <<-END
	%PDF-1.7
	1 0 obj << /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R] /D <<
	/AS [<< /Event /Print /Category [/Print] /OCGs [5 0 R] >>] >> >> >> endobj
	2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
	3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 36 36] /Contents 4 0 R
	/Resources << /Properties << /L 5 0 R >> >> >> endobj
	4 0 obj << /Length 34 >> stream
	/OC /L BDC 0 0 36 36 re f EMC     
	endstream endobj
	5 0 obj << /Type /OCG /Name (L) /Usage << /Print << /PrintState /$1 >>
	/View << /ViewState
	/$2 >> >> >> endobj
	trailer << /Root 1 0 R /Size 6 >>
	%%EOF
	END
}
for states in ON:ON OFF:ON ON:OFF; do
	layers ${states%:*} ${states#*:} >layers.pdf
	rip -r 72 --screen bi-level -o layers.pbm layers.pdf
	told=$(grep -c 'may print those that the screen shows' stderr)
	printed=$(tail -c 180 layers.pbm | tr -d '\000' | wc -c)
	if (($("$gs" -q -dNODISPLAY -c 'revision == quit') < 10060)); then
		[[ $states == ON:ON ]]
		((told == $?)) || complain "layers, $states: $told warnings: $(cat stderr)"
	else
		[[ $states == ON:* ]]
		((told == 0 && (printed == 0) == $?)) || complain "layers, $states: $(cat stderr)"
	fi
done

# --- a limit of time
# -----------------------------------------------------------------------------------
rip thousand.pdf -r 72 --pages $some --workers 2 --page-timeout 600 -o dots.pbm
hanging_gs hang
too_long="Ghostscript takes longer than the limit of 1 second (--page-timeout)"
fails_with 1 "thousand.pdf: page 3: $too_long" \
	env PATH="$folder/hang:$PATH" "$riptide" rip thousand.pdf -r 72 --pages 3 --page-timeout 1 \
	-o out.pbm
(($(wc -l <hangs) == 1)) || complain "a page that takes too long is drawn $(wc -l <hangs) times"
gone "$(cat hangs)" || complain "a Ghostscript that takes too long is left"

# --- a Ghostscript that ends where the page begins, and a second one that finds another ink
# -----------------------------------------------------------------------------------
mkdir ends
cat >ends/gs <<END
#!/bin/bash
mkdir "$folder/begun" 2>/dev/null || exec "$gs" "\$@"
exec "$gs" "\$@" < <(exec 2>/dev/null; while IFS= read -r line; do
	case \$line in
	rtspots) echo '(\n) print rtword print ( spots 0 ) print (\n) print flush' ;;
	*rtdraw) exit ;;
	*) echo "\$line" ;;
	esac
done)
END
chmod +x ends/gs
make_pdf gold.pdf '<< /PageSize [90 90] >> setpagedevice
	[/Separation (Gold) /DeviceCMYK {dup 0 exch 0}] setcolorspace 1 setcolor 9 9 50 50 rectfill
	showpage'
fails_with 1 "gold.pdf: page 1: 4 planes cannot be made of 5 samples" \
	env PATH="$folder/ends:$PATH" "$riptide" rip gold.pdf -r 72 --workers 1 \
	--inks separations -o gold.tif
finish
