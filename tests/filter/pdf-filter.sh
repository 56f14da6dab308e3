#!/bin/bash
# pdftoriptide: its pages, header and dots, are those of gstoraster and rastertoriptide, on every PPD
# of ours with many options; and what CUPS expects of a filter: page log, progress, one line for an
# error, signals, no process left.  Where RIPTIDE_TEST_REPEATED is set, another build has compared the
# pages: pdftoriptide makes them all the same.
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
source=$(realpath "${RIPTIDE_SOURCE:-.}")
gstoraster=$(cups-config --serverbin 2>/dev/null || echo /usr/lib/cups)/filter/gstoraster
for tool in gs ppdc "$gstoraster"; do
	if ! command -v "$tool" >/dev/null; then
		echo "$tool is not installed: install the packages ghostscript, cups-ppdc and cups-filters"
		exit 77
	fi
done
gs=$(command -v gs)
folder=$(mktemp -d) || exit 99
trap 'kill $(jobs -p) 2>/dev/null; cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 99
failed=0
export RIPTIDE_SOCKET=none LC_ALL=C
unset FINAL_CONTENT_TYPE PPD RIP_MAX_CACHE

# libcups leaks some of a PPD's presets when it marks options.  The slow way to record calls
# finds its function in the stack.
echo leak:_ppdCacheCreateWithPPD >leaks
export LSAN_OPTIONS=suppressions=$folder/leaks:print_suppressions=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}fast_unwind_on_malloc=0

complain() # TEXT
{
	echo "FAILED: $1"
	failed=1
}

# --- documents and PPDs -------------------------------------------------------------------------
# Black text and a line, on which Ghostscript's devices agree to the last bit (where something ends
# at the margin, a dot may differ, because they clip to other fractions of a pixel): on paper of the job's size, also
# turned, of other sizes of the PPD, of a size that is only nearly right, and of none.  These are at the
# end: to the cups device of Ghostscript 10.05, all pages after them have no size of the PPD either.  The
# PPDs for labels do not have Letter.
make_pdf() # FILE WIDTH HEIGHT...
{
	local file=$1 code=

	shift
	while (($#)); do
		code+=" << /PageSize [$1 $2] >> setpagedevice
			/Times-Roman findfont 30 scalefont setfont 60 60 moveto (Dots) show 60 100 moveto (more) show
			2 setlinewidth 60 60 moveto $1 60 sub $2 60 sub lineto stroke showpage"
		shift 2
	done
	"$gs" -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile="$file" -c "$code" || exit 99
}
make_pdf sizes.pdf 595 842 842 595 419.5 595.276 595.276 841.89 612 792 300 333
# Smaller pages, for options that do not depend on the size; those at the end have none of the PPD.
make_pdf small.pdf 420 595 684 297 300 333 200 300 200 300 200 300
make_pdf custom.pdf 450 500 612 792 300 333 300 400
make_pdf one.pdf 595 842
ppdc -d ppds "$source/ppd/riptide.drv" >/dev/null 2>&1 || exit 99
# The same queues without a next filter.
mkdir pdf
for ppd in ppds/*.ppd; do
	sed /riptideNextFilter/d "$ppd" >"pdf/${ppd#ppds/}"
done

# --- the same pages ---------------------------------------------------------------------------------
# Compares dots.ras and dots.txt with the pages of the filters for PPD FINAL-TYPE OPTIONS FILE PAGES [BYTES].
compare()
{
	local ppd=$1 options=$3 file=$4 others

	PPD=ppds/$ppd.ppd "$gstoraster" 1 user title 1 "$options" "$file" 2>gs.err |
		PPD=ppds/$ppd.ppd "$build/rastertoriptide" 1 user title 1 "$options" >expected.ras 2>/dev/null ||
		complain "$ppd $options: gstoraster or rastertoriptide fails: $(grep -a ERROR gs.err)"
	"$build/tests/tools/raster-headers" expected.ras >expected.txt
	diff expected.txt dots.txt >difference ||
		complain "$ppd $options: other headers: $(head -n 8 difference | tr '\n' '|')"
	others=$(cmp -l expected.ras dots.ras | wc -l)
	((others <= ${6:-0})) || complain "$ppd $options: $others bytes of dots differ"
}

# same PPD FINAL-TYPE OPTIONS FILE PAGES [BYTES]: that may differ, 0 if none is given
same()
{
	local ppd=$1 options=$3 file=$4 pages=$5

	echo "# $ppd $2 $options $file"
	if [[ $2 ]]; then
		export FINAL_CONTENT_TYPE=$2
	else
		unset FINAL_CONTENT_TYPE
	fi
	PPD=pdf/$ppd.ppd timeout 300 "$build/pdftoriptide" 1 user title 1 "$options" "$file" >dots.ras 2>err ||
		complain "$ppd $options: pdftoriptide fails: $(cat err)"
	"$build/tests/tools/raster-headers" dots.ras >dots.txt
	(($(grep -c '^page ' dots.txt) == pages)) || complain "$ppd $options: not $pages pages"
	[[ ${RIPTIDE_TEST_REPEATED-} ]] || compare "$@"
	unset FINAL_CONTENT_TYPE
}

for ppd in ppds/*.ppd; do
	ppd=${ppd#ppds/}
	if [[ ${RIPTIDE_TEST_REPEATED-} ]]; then
		same "${ppd%.ppd}" "" "" one.pdf 1
	else
		same "${ppd%.ppd}" "" "" sizes.pdf 6
	fi
done
same riptide-pcl5 "" "media=Letter Duplex=DuplexTumble Resolution=300dpi InputSlot=Tray2" sizes.pdf 6
same riptide-pcl5 "" "Duplex=DuplexNoTumble halftone-screen=bayer Resolution=300dpi" small.pdf 6
same riptide-pcl-color "" "ColorModel=Gray MediaType=Glossy PageSize=Letter" small.pdf 6
same riptide-pcl-color "" "Resolution=150dpi halftone=ec" one.pdf 1
same riptide-escp "" "Resolution=360x180dpi" one.pdf 1
custom="PageSize=Custom.300x400 Darkness=30 zeLabelTop=40 MediaType=Thermal"
same riptide-zpl-203 "" "$custom" custom.pdf 4
if printf '%s\n' "$("$gs" --version)" 10.05 | sort -VC; then # later, no page of such a job has a size of the PPD
	same riptide-zpl-203 "" "$custom" sizes.pdf 6
fi
same riptide-zpl-300 "" "center-of-pixel=true zePrintRate=4" one.pdf 1
same riptide-pwg image/pwg-raster "" sizes.pdf 6
same riptide-pwg image/pwg-raster "PageSize=Letter Duplex=DuplexNoTumble Resolution=300dpi" one.pdf 1
same riptide-pwg image/pwg-raster "sides=two-sided-short-edge Resolution=300dpi" one.pdf 1
same riptide-raster "" "ColorModel=RGB Resolution=300dpi" small.pdf 6
same riptide-raster "" "ColorModel=CMYK Resolution=300dpi halftone-levels=4" small.pdf 6
same riptide-raster "" "ColorModel=CMYK Resolution=300dpi halftone-ink-limit=150 halftone-dot-gain=inkjet" small.pdf 6
# What only rastertoriptide does to pages: gstoraster draws them.
if ldconfig -p 2>/dev/null | grep -q libcupsfilters; then
	same riptide-raster "" "ColorModel=RGB Resolution=300dpi halftone-inks=cmyk" small.pdf 6
	grep -q "DEBUG: started .*/gstoraster .* in front" err || complain "halftone-inks without gstoraster: $(cat err)"
fi
for ppds in ppds pdf; do
	sed '$a *riptideColorSpaces: "K KCMY"' $ppds/riptide-raster.ppd >$ppds/some.ppd
done
for model in RGB Gray; do
	same some "" "ColorModel=$model Resolution=300dpi" small.pdf 6
	grep -q "DEBUG: started .*/gstoraster .* in front" err || [[ $model == Gray ]] ||
		complain "pages that pass are drawn here: $(cat err)"
done
for model in Gray KCMY RGB; do
	same riptide-raster "" "ColorModel=$model Resolution=300dpi toner-save=2" small.pdf 6
done
same riptide-pcl-color "" "Resolution=150dpi halftone-screen=clustered halftone-gamma=1.4" one.pdf 1
# As under cupsd, with memory for a page, and with too little.
for cache in 128m 1m; do
	RIP_MAX_CACHE=$cache same riptide-pcl5 "" "" small.pdf 6
	RIP_MAX_CACHE=$cache same riptide-raster "" "ColorModel=RGB Resolution=300dpi" small.pdf 6
done
# What pdftopdf leaves to the printer; and copies that a driver has made here.
sed '1a %%PDFTOPDFNumCopies : 3\n%%PDFTOPDFCollate : true' one.pdf >copies.pdf
same riptide-pcl5 "" "Resolution=300dpi" copies.pdf 1
same riptide-zpl-203 "" "" copies.pdf 3
# Backs of pages, mirrored, with margins that differ from side to side.  Ghostscript's cups device
# draws them straight and mirrors the pixels; here they are drawn mirrored, and some pixels at the
# edges of shapes fall to the other side.
for back in Flipped Rotated ManualTumble; do
	for ppds in ppds pdf; do
		sed "s/^\*cupsBackSide:.*/*cupsBackSide: \"$back\"/; s/^\(\*ImageableArea [A-Z].*: \)\"18 12 /\1\"30 20 /" \
			$ppds/riptide-pcl5.ppd >$ppds/back.ppd
	done
	grep -q "\"$back\"" pdf/back.ppd && grep -q '"30 20 ' pdf/back.ppd || complain "no PPD with $back"
	for duplex in DuplexTumble DuplexNoTumble; do
		same back "" "Duplex=$duplex Resolution=300dpi" small.pdf 6 1000
	done
done

# --- what CUPS expects ----------------------------------------------------------------------------------
run() # OPTIONS [FILE]: the exit status; dots.ras, err
{
	echo "# $ppd: $*"
	timeout 300 env PATH="${path:-$PATH}" PPD="$ppd" "$build/pdftoriptide" 7 user title 1 "$@" >dots.ras 2>err
}

ppd=pdf/riptide-raster.ppd
run "Resolution=300dpi riptide-workers=1" small.pdf || complain "one worker: $(cat err)"
mv dots.ras expected.ras
[[ $(grep -a '^PAGE: ' err) == "$(printf 'PAGE: %d 1\n' 1 2 3 4 5 6)" ]] ||
	complain "the page log: $(grep -a '^PAGE: ' err)"
# Of all pages, not of each: it never goes back, and ends once.
progress=$(sed -n 's/^ATTR: job-media-progress=//p' err)
[[ $progress == "$(sort -n <<<"$progress")" && $(grep -cx 100 <<<"$progress") == 1 && $progress == 0*100 &&
	$(wc -l <<<"$progress") -gt 6 ]] || complain "the progress of six pages: $progress"
! grep -aqE '^(WARNING|ERROR)' err || complain "warns: $(cat err)"
for workers in 2 3 8; do
	run "Resolution=300dpi riptide-workers=$workers" small.pdf || complain "$workers workers: $(cat err)"
	cmp expected.ras dots.ras || complain "$workers workers make other pages"
	[[ $(grep -a '^PAGE: ' err) == "$(printf 'PAGE: %d 1\n' 1 2 3 4 5 6)" ]] ||
		complain "$workers workers, the page log: $(grep -a '^PAGE: ' err)"
done
# Each worker finds a daemon that cannot be used, and one of them says so.
RIPTIDE_SOCKET=/$(printf 'x%.0s' {1..200}) run "Resolution=300dpi riptide-workers=3" small.pdf ||
	complain "no daemon: $(cat err)"
(($(grep -ac '^WARNING: riptided at ' err) == 1 && $(grep -ac '^WARNING: ' err) == 1)) ||
	complain "3 workers without a daemon: $(grep -a '^WARNING: ' err)"
run "Resolution=300dpi" <small.pdf || complain "standard input: $(cat err)"
cmp expected.ras dots.ras || complain "standard input gives other pages"
run "Resolution=300dpi riptide-workers=none" small.pdf || complain "a wrong number of workers ends it"
(($(grep -ac '^WARNING: riptide-workers=none' err) == 1)) || complain "no warning: $(cat err)"
# A page that takes Ghostscript too long: it opens the document, and finds the page.
mkdir hang
cat >hang/gs <<'END'
#!/bin/sh
while read -r line; do
	case $line in
	"/rtword ("*) word=${line#*\(} word=${word%)*} ;;
	rtopen) echo "$word pages 1" >&2 ;;
	*rtpage) echo "$word page 595 842 0" >&2 ;;
	*rtdraw) exec sleep 1000 ;;
	esac
done
END
chmod 755 hang/gs
path=$folder/hang:$PATH run "Resolution=300dpi riptide-page-timeout=1" small.pdf
status=$?
((status == 1)) || complain "a page that takes too long: status $status"
[[ $(grep -a '^ERROR: ' err) == "ERROR: page 1: Ghostscript takes longer than the limit of 1 second (riptide-page-timeout)" ]] ||
	complain "a page that takes too long: $(cat err)"
run "Resolution=300dpi riptide-page-timeout=0" small.pdf || complain "a wrong limit of time ends it"
(($(grep -ac '^WARNING: riptide-page-timeout=0' err) == 1)) || complain "no warning: $(cat err)"
cmp expected.ras dots.ras || complain "a wrong limit of time makes other pages"
sed '/pdftoriptide"/d' pdf/riptide-pcl5.ppd >pdf/others.ppd
ppd=pdf/others.ppd
run "" one.pdf && ! grep -aq '^PAGE:' err || complain "logs a page that another filter logs"
: | run "" && [[ ! -s dots.ras ]] || complain "an empty stream is not a job without pages: $(cat err)"

# Another filter draws the pages: by the job's option, or by the queue's.
sed 's/^\(\*DefaultriptideRip: \).*/\1gstoraster/' pdf/riptide-raster.ppd >pdf/back.ppd
for case in "pdf/riptide-raster.ppd:riptide-rip=gstoraster" "pdf/riptide-raster.ppd:riptideRip=GSTORASTER" \
		"pdf/back.ppd:"; do
	ppd=${case%%:*}
	for file in "" small.pdf; do
		# shellcheck disable=SC2086 # none or one
		run "Resolution=300dpi ${case#*:}" $file <small.pdf || complain "$case: $(cat err)"
		cmp expected.ras dots.ras || complain "$case gives other pages"
		(($(grep -ac '^PAGE: ' err) == 6)) || complain "$case, the page log: $(grep -a '^PAGE: ' err)"
		grep -aq '^DEBUG: started .*/gstoraster ' err || complain "$case: gstoraster was not used"
	done
done
run "Resolution=300dpi riptide-rip=pdftoriptide" small.pdf && ! grep -aq 'started .*gstoraster' err ||
	complain "a job does not go back to pdftoriptide: $(cat err)"
ppd=pdf/riptide-raster.ppd
run "Resolution=300dpi riptide-rip=gs" small.pdf && cmp expected.ras dots.ras || complain "a wrong name ends the job"
(($(grep -ac '^WARNING: riptide-rip=gs ' err) == 1)) || complain "no warning: $(cat err)"

# The daemon.
"$build/riptided" --socket "$folder/socket" --device cpu 2>/dev/null &
daemon=$!
for ((i = 0; i < 1200; i++)); do
	"$build/riptide" status --socket "$folder/socket" >/dev/null 2>&1 && break
	sleep .1
done
ppd=pdf/riptide-raster.ppd
RIPTIDE_SOCKET=$folder/socket run "Resolution=300dpi" small.pdf || complain "with a daemon: $(cat err)"
cmp expected.ras dots.ras || complain "the daemon makes other dots"
grep -aq 'page 1: riptided: ' err || complain "the daemon was not used"
kill $daemon
wait $daemon 2>/dev/null

# Faults: one ERROR line, exit status 1.
fails() # WORDS OPTIONS [FILE]
{
	local words=$1 status
	shift

	run "$@"
	status=$?
	((status == 1)) || complain "$words: exit status $status"
	[[ $(grep -a '^ERROR: ' err) == *"$words"* ]] && (($(grep -ac '^ERROR: ' err) == 1)) ||
		complain "not one ERROR line with \"$words\": $(grep -a '^ERROR: ' err)"
}
head -c 300 one.pdf >cut.pdf
printf 'no document' >words.pdf
fails "Ghostscript: Error:" "" cut.pdf
fails "the document is no PDF" "" words.pdf
fails "cannot open none.pdf" "" none.pdf
path=/nowhere fails "install Ghostscript" "" one.pdf
ppd= fails "the queue has no PPD" "" one.pdf
# The filter in front: missing, failing before and after its pages, killed.
mkdir -p serverbin/filter
export CUPS_SERVERBIN=$folder/serverbin
fails "install cups-filters" "riptide-rip=gstoraster" one.pdf
while IFS='#' read -r code words; do
	printf '#!/bin/bash\n%s\n' "$code" >serverbin/filter/gstoraster
	chmod 755 serverbin/filter/gstoraster
	fails "$words" "Resolution=300dpi riptide-rip=gstoraster" one.pdf
done <<END
echo "ERROR: no paper" >&2; exit 2#no paper
"$gstoraster" "\$@"; echo "ERROR: no paper" >&2; exit 2#no paper
"$gstoraster" "\$@"; kill -SEGV \$\$#killed by signal 11
"$gstoraster" "\$@" | head -c 1000000#page 1
END
unset CUPS_SERVERBIN
# Ghostscript has no samples for DeviceN; and a page may claim any size.
sed 's,/cupsColorSpace 3,/cupsColorSpace 53,g' pdf/riptide-raster.ppd >pdf/device.ppd
cmp -s pdf/riptide-raster.ppd pdf/device.ppd && complain "no PPD with DEVICE6"
for options in "" "halftone-gamma=1.4"; do
	ppd=pdf/device.ppd fails "cupsColorSpace is 53 (DEVICE6)" "$options" one.pdf
done
sed "s,/MediaBox \[[^]]*\],/MediaBox [0 0 1$(printf '0%.0s' {1..30}) 72]," one.pdf >wide.pdf
fails "at most 1000000 are possible" "" wide.pdf
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@" -c "<< /EndPage { 0 eq { quit } if pop false } >> setpagedevice"\n' "$gs" >bin/gs
chmod +x bin/gs
path=$folder/bin:$PATH fails "page 1: Ghostscript has ended with status 0" "" one.pdf
# A message of Ghostscript that has no end of line, as some of its font errors.
printf '#!/bin/sh\nprintf "no end of line" >&2\nexec "%s" "$@"\n' "$gs" >bin/gs
path=$folder/bin:$PATH run "Resolution=300dpi" one.pdf || complain "a message without an end: $(cat err)"
PPD=$ppd timeout 300 "$build/pdftoriptide" 7 user title 1 "" small.pdf 2>err >/dev/full && complain "a full disk is no error"
grep -aq '^ERROR: cannot write the raster: No space left' err || complain "a full disk: $(cat err)"
PPD=$ppd timeout 300 "$build/pdftoriptide" 7 user title 1 "" small.pdf 2>err | head -c 1000 >/dev/null
((PIPESTATUS[0] == 1)) && grep -aq '^ERROR: cannot write the raster: Broken pipe' err ||
	complain "a closed pipe: $(cat err)"

# Arguments of Ghostscript: calibration, the PPD's profile.
cat >bin/gs <<END
#!/bin/sh
for argument; do echo "\$argument"; done >"$folder/arguments"
exec "$gs" "\$@"
END
profile=$(find /usr/share/color/icc -name default_gray.icc 2>/dev/null | head -n 1)
path=$folder/bin:$PATH
run "cm-calibration=true" one.pdf || complain "cm-calibration: $(cat err)"
grep -qx -e -dUseFastColor arguments || complain "cm-calibration does not turn colours off"
if [[ $profile ]]; then
	sed "\$a *cupsICCProfile Gray../600dpi: \"$profile\"" pdf/riptide-pcl5.ppd >pdf/profile.ppd
	sed -i "s,Gray\.\./600dpi,Gray..600dpi," pdf/profile.ppd
	ppd=pdf/profile.ppd
	run "" one.pdf || complain "a profile: $(cat err)"
	grep -qx -e "-sOutputICCProfile=$profile" arguments || complain "the profile is not used: $(cat arguments)"
fi
fonts=$(printf '/fonts%.0s' {1..200})
CUPS_FONTPATH=/fonts run "" one.pdf && grep -qx -e -I/fonts arguments || complain "CUPS_FONTPATH: $(cat arguments)"
CUPS_FONTPATH=$fonts run "" one.pdf && complain "a long CUPS_FONTPATH is cut: $(cat arguments)"
grep -aq '^ERROR: CUPS_FONTPATH is longer than' err || complain "a long CUPS_FONTPATH: $(cat err)"
unset path

# SIGTERM, while the printer is slow: gone, with its Ghostscripts.
mkfifo slow
ppd=pdf/riptide-raster.ppd
PPD=$ppd "$build/pdftoriptide" 7 user title 1 "riptide-workers=2" sizes.pdf 2>err >slow &
pid=$!
exec 8<slow
head -c 1000 <&8 >/dev/null
for ((i = 0; i < 1200; i++)); do
	mapfile -t children < <(pgrep -P $pid)
	((${#children[@]} == 2)) && break
	sleep .1
done
((${#children[@]} == 2)) || complain "SIGTERM: ${#children[@]} Ghostscripts, not 2"
kill -TERM $pid
for ((i = 0; i < 600; i++)); do
	left=0
	for process in $pid "${children[@]}"; do
		# Nobody may wait for it: then it stays as a zombie.
		[[ $(cat "/proc/$process/stat" 2>/dev/null) != *') '[!Z]* ]] || left=$((left + 1))
	done
	((left)) || break
	sleep .1
done
((left == 0)) || complain "SIGTERM: $left processes are left after a minute"
exec 8<&-
exit $failed
