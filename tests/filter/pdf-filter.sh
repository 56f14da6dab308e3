#!/bin/bash
# pdftoriptide: its pages, header and dots, are those of gstoraster and rastertoriptide, on every
# PPD of ours with many options; and what CUPS expects of a filter: page log, progress, one line for
# an error, signals, no process left.  Where RIPTIDE_TEST_REPEATED is set, another build has
# compared the pages: pdftoriptide makes them all the same.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
need gs ppdc "$gstoraster"
gs=$(command -v gs)
unset RIP_MAX_CACHE

# --- documents and PPDs -------------------------------------------------------------------------
# Black text and a line, on which Ghostscript's devices agree to the last bit (where something ends
# at the margin, a dot may differ, because they clip to other fractions of a pixel): on paper of the
# job's size, also turned, of other sizes of the PPD, of a size that is only nearly right, and of
# none.  These are at the end: to the cups device of Ghostscript 10.05, all pages after them have no
# size of the PPD either.  The PPDs for labels do not have Letter.
pages() # FILE WIDTH HEIGHT...
{
	local file=$1 code=

	shift
	while (($#)); do
		code+=" << /PageSize [$1 $2] >> setpagedevice
			/Times-Roman findfont 30 scalefont setfont
			60 60 moveto (Dots) show 60 100 moveto (more) show
			2 setlinewidth 60 60 moveto $1 60 sub $2 60 sub lineto stroke showpage"
		shift 2
	done
	make_pdf "$file" "$code"
}
pages sizes.pdf 595 842 842 595 419.5 595.276 595.276 841.89 612 792 300 333
# Smaller pages, for options that do not depend on the size; those at the end have none of the PPD.
pages small.pdf 420 595 684 297 300 333 200 300 200 300 200 300
pages custom.pdf 450 500 612 792 300 333 300 400
pages one.pdf 595 842
make_ppds
sed /riptideNextFilter/d ppds/riptide-raster.ppd >full.ppd
# Fewer pixels take less time, and here they are not compared.
[[ $once ]] || sed -i 's,HWResolution\[[36]00 [36]00\],HWResolution[150 150],' ppds/*.ppd
[[ ! ${RIPTIDE_TEST_SHORT-} ]] || sed -i 's,HWResolution\[600 600\],HWResolution[300 300],' \
	ppds/*.ppd
# The same queues without a next filter.
mkdir pdf
for ppd in ppds/*.ppd; do
	sed /riptideNextFilter/d "$ppd" >"pdf/${ppd#ppds/}"
done

# --- the same pages
# --------------------------------------------------------------------------------- Compares
# dots.ras and dots.txt with the pages of the filters for PPD FINAL-TYPE OPTIONS FILE PAGES [BYTES].
compare()
{
	local ppd=$1 options=$3 file=$4 others

	PPD=ppds/$ppd.ppd "$gstoraster" 1 user title 1 "$options" "$file" 2>gs.err |
		PPD=ppds/$ppd.ppd "$build/rastertoriptide" 1 user title 1 \
			"$options" >expected.ras 2>/dev/null ||
		complain "$ppd $options: gstoraster or rastertoriptide fails: $(grep -a ERROR \
			gs.err)"
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
	PPD=pdf/$ppd.ppd timeout 300 "$build/pdftoriptide" 1 user title 1 "$options" \
		"$file" >dots.ras 2>err ||
		complain "$ppd $options: pdftoriptide fails: $(cat err)"
	"$build/tests/tools/raster-headers" dots.ras >dots.txt
	(($(grep -c '^page ' dots.txt) == pages)) || complain "$ppd $options: not $pages pages"
	[[ ! $once ]] || compare "$@"
	unset FINAL_CONTENT_TYPE
}

while IFS='|' read -r ppd type options file pages; do
	same "$ppd" "$type" "$options" "$file" "$pages" </dev/null
done <<END
$(for ppd in ppds/*.ppd; do
	ppd=${ppd#ppds/}
	[[ $once ]] && echo "${ppd%.ppd}|||sizes.pdf|6" || echo "${ppd%.ppd}|||one.pdf|1"
done)
riptide-pcl5||media=Letter Duplex=DuplexTumble Resolution=300dpi InputSlot=Tray2|sizes.pdf|6
riptide-pcl5||Duplex=DuplexNoTumble halftone-screen=bayer Resolution=300dpi|small.pdf|6
riptide-pcl-color||ColorModel=Gray MediaType=Glossy PageSize=Letter|small.pdf|6
riptide-pcl-color||Resolution=150dpi halftone=ec|one.pdf|1
riptide-pcl-color||Resolution=150dpi halftone-screen=clustered halftone-gamma=1.4|one.pdf|1
riptide-escp||Resolution=360x180dpi|one.pdf|1
riptide-zpl-203||PageSize=Custom.300x400 Darkness=30 zeLabelTop=40 MediaType=Thermal|custom.pdf|4
riptide-zpl-300||center-of-pixel=true zePrintRate=4|one.pdf|1
riptide-pwg|image/pwg-raster||sizes.pdf|6
riptide-pwg|image/pwg-raster|PageSize=Letter Duplex=DuplexNoTumble Resolution=300dpi|one.pdf|1
riptide-pwg|image/pwg-raster|sides=two-sided-short-edge Resolution=300dpi|one.pdf|1
riptide-raster||ColorModel=RGB Resolution=300dpi|small.pdf|6
riptide-raster||ColorModel=CMYK Resolution=300dpi halftone-levels=4|small.pdf|6
riptide-raster||ColorModel=CMYK Resolution=300dpi \
halftone-ink-limit=150 halftone-dot-gain=inkjet|small.pdf|6
riptide-raster||ColorModel=Gray Resolution=300dpi toner-save=2|small.pdf|6
riptide-raster||ColorModel=KCMY Resolution=300dpi toner-save=2|small.pdf|6
riptide-raster||ColorModel=RGB Resolution=300dpi toner-save=2|small.pdf|6
riptide-raster||ColorModel=Gray Resolution=300dpi \
halftone-screen=clustered-53 halftone-edges=on halftone-dot-gain=laser|small.pdf|6
riptide-raster||ColorModel=KCMY Resolution=300dpi \
halftone-screen=clustered-53 halftone-edges=on toner-save=2|small.pdf|6
END
if printf '%s\n' "$("$gs" --version)" 10.05 |
	sort -VC; then # later, no page of such a job has a size of the PPD
	same riptide-zpl-203 "" \
		"PageSize=Custom.300x400 Darkness=30 zeLabelTop=40 MediaType=Thermal" sizes.pdf 6
fi
# What only rastertoriptide does to pages: gstoraster draws them.
if ldconfig -p 2>/dev/null | grep -q libcupsfilters; then
	same riptide-raster "" "ColorModel=RGB Resolution=300dpi halftone-inks=cmyk" small.pdf 6
	grep -q "DEBUG: started .*/gstoraster .* in front" err ||
		complain "halftone-inks without gstoraster: $(cat err)"
fi
for ppds in ppds pdf; do
	sed '$a *riptideColorSpaces: "K KCMY"' $ppds/riptide-raster.ppd >$ppds/some.ppd
done
for model in RGB Gray; do
	same some "" "ColorModel=$model Resolution=300dpi" small.pdf 6
	grep -q "DEBUG: started .*/gstoraster .* in front" err || [[ $model == Gray ]] ||
		complain "pages that pass are drawn here: $(cat err)"
done
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
		sed -e "s/^\*cupsBackSide:.*/*cupsBackSide: \"$back\"/" \
			-e "s/^\(\*ImageableArea [A-Z].*: \)\"18 12 /\1\"30 20 /" \
			$ppds/riptide-pcl5.ppd >$ppds/back.ppd
	done
	grep -q "\"$back\"" pdf/back.ppd && grep -q '"30 20 ' pdf/back.ppd ||
		complain "no PPD with $back"
	for duplex in DuplexTumble DuplexNoTumble; do
		same back "" "Duplex=$duplex Resolution=300dpi" small.pdf 6 1000
	done
done

# --- what CUPS expects
# ----------------------------------------------------------------------------------
filter() # OPTIONS [FILE]: the exit status; dots, err
{
	echo "# $ppd: $*"
	timeout 300 env PATH="${path:-$PATH}" PPD="$ppd" "$build/pdftoriptide" 7 user title 1 \
		"$@" >dots 2>err
}

# With what follows, it works, and makes the pages of before.
expects() # OPTIONS [FILE]
{
	filter "$@" || complain "$*: $(cat err)"
	cmp expected.ras dots || complain "$*: other pages"
}

warns() # WORDS: about an option, once
{
	(($(grep -ac "^WARNING: $1" err) == 1)) || complain "not one warning $1: $(cat err)"
}

pages_are_logged()
{
	[[ $(grep -a '^PAGE: ' err) == "$(printf 'PAGE: %d 1\n' 1 2 3 4 5 6)" ]] ||
		complain "the page log: $(grep -a '^PAGE: ' err)"
}

ppd=pdf/riptide-raster.ppd
filter "Resolution=300dpi riptide-workers=1" small.pdf || complain "one worker: $(cat err)"
mv dots expected.ras
pages_are_logged
# Of all pages, not of each: it never goes back, and ends once.
progress=$(sed -n 's/^ATTR: job-media-progress=//p' err)
[[ $progress == "$(sort -n <<<"$progress")" && $(grep -cx 100 <<<"$progress") == 1 &&
	$progress == 0*100 && $(wc -l <<<"$progress") -gt 6 ]] ||
	complain "the progress of six pages: $progress"
! grep -aqE '^(WARNING|ERROR)' err || complain "warns: $(cat err)"
for workers in 2 3 8; do
	expects "Resolution=300dpi riptide-workers=$workers" small.pdf
	pages_are_logged
done
# Each worker finds a daemon that cannot be used, and one of them says so.
RIPTIDE_SOCKET=/$(printf 'x%.0s' {1..200}) expects "Resolution=300dpi riptide-workers=3" small.pdf
warns "riptided at "
(($(grep -ac '^WARNING: ' err) == 1)) ||
	complain "3 workers without a daemon: $(grep -a '^WARNING: ' err)"
expects "Resolution=300dpi" <small.pdf
# Wrong values change nothing.
for option in riptide-workers=none riptide-page-timeout=0; do
	expects "Resolution=300dpi $option" small.pdf
	warns "$option"
done
hanging_gs hang
no_jail
path=$folder/hang:$PATH filter "Resolution=300dpi riptide-page-timeout=1" small.pdf
ended "a page that takes too long" $? 1 \
	"page 1: Ghostscript takes longer than the limit of 1 second (riptide-page-timeout)"
unset RIPTIDE_CONFIG
sed '/pdftoriptide"/d' pdf/riptide-pcl5.ppd >pdf/others.ppd
ppd=pdf/others.ppd
filter "" one.pdf && ! grep -aq '^PAGE:' err || complain "logs a page that another filter logs"
: | filter "" && [[ ! -s dots ]] ||
	complain "an empty stream is not a job without pages: $(cat err)"

# Another filter draws the pages: by the job's option, or by the queue's.
sed 's/^\(\*DefaultriptideRip: \).*/\1gstoraster/' pdf/riptide-raster.ppd >pdf/back.ppd
for case in "pdf/riptide-raster.ppd:riptide-rip=gstoraster" \
		"pdf/riptide-raster.ppd:riptideRip=GSTORASTER" \
		"pdf/back.ppd:"; do
	ppd=${case%%:*}
	for file in "" small.pdf; do
		# shellcheck disable=SC2086 # none or one
		expects "Resolution=300dpi ${case#*:}" $file <small.pdf
		pages_are_logged
		grep -aq '^DEBUG: started .*/gstoraster ' err ||
			complain "$case: gstoraster was not used"
	done
done
filter "Resolution=300dpi riptide-rip=pdftoriptide" small.pdf &&
	! grep -aq 'started .*gstoraster' err ||
	complain "a job does not go back to pdftoriptide: $(cat err)"
ppd=pdf/riptide-raster.ppd
expects "Resolution=300dpi riptide-rip=gs" small.pdf
warns "riptide-rip=gs "

# The daemon.
start_daemon --device cpu
RIPTIDE_SOCKET=$folder/socket expects "Resolution=300dpi" small.pdf
grep -aq 'page 1: riptided: ' err || complain "the daemon was not used"
stop_daemon

# Faults: one ERROR line, exit status 1.
fails() # WORDS OPTIONS [FILE]
{
	filter "${@:2}"
	ended "${*:2}" $? 1 "$1"
}
head -c 300 one.pdf >cut.pdf
printf 'no document' >words.pdf
fails "Ghostscript: Error:" "" cut.pdf
fails "the document is no PDF" "" words.pdf
fails "cannot open none.pdf" "" none.pdf
fails "the name of the document is empty" "" ""
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
printf '#!/bin/sh\nexec "%s" "$@" -c "%s"\n' "$gs" \
	"<< /EndPage { 0 eq { quit } if pop false } >> setpagedevice" >bin/gs
chmod +x bin/gs
no_jail
path=$folder/bin:$PATH fails "page 1: Ghostscript has ended with status 0" "" one.pdf
# A message of Ghostscript that has no end of line, as some of its font errors.
printf '#!/bin/sh\nprintf "no end of line" >&2\nexec "%s" "$@"\n' "$gs" >bin/gs
path=$folder/bin:$PATH filter "Resolution=300dpi" one.pdf ||
	complain "a message without an end: $(cat err)"
PPD=$ppd timeout 300 "$build/pdftoriptide" 7 user title 1 "" small.pdf 2>err >/dev/full &&
	complain "a full disk is no error"
grep -aq '^ERROR: cannot write the raster: No space left' err || complain "a full disk: $(cat err)"
# The reader has left before the first byte: all the dots would fit into the pipe.
mkfifo left
{ read -r <left; PPD=$ppd timeout 300 "$build/pdftoriptide" 7 user title 1 "" small.pdf 2>err; } |
	{ exec <&-; echo >left; }
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
filter "cm-calibration=true" one.pdf || complain "cm-calibration: $(cat err)"
grep -qx -e -dUseFastColor arguments || complain "cm-calibration does not turn colours off"
if [[ $profile ]]; then
	sed "\$a *cupsICCProfile Gray../600dpi: \"$profile\"" pdf/riptide-pcl5.ppd >pdf/profile.ppd
	sed -i "s,Gray\.\./600dpi,Gray..600dpi," pdf/profile.ppd
	ppd=pdf/profile.ppd
	filter "" one.pdf || complain "a profile: $(cat err)"
	grep -qx -e "-sOutputICCProfile=$profile" arguments ||
		complain "the profile is not used: $(cat arguments)"
fi
fonts=$(printf '/fonts%.0s' {1..200})
CUPS_FONTPATH=/fonts filter "" one.pdf && grep -qx -e -I/fonts arguments ||
	complain "CUPS_FONTPATH: $(cat arguments)"
CUPS_FONTPATH=$fonts filter "" one.pdf && complain "a long CUPS_FONTPATH is cut: $(cat arguments)"
grep -aq '^ERROR: CUPS_FONTPATH is longer than' err || complain "a long CUPS_FONTPATH: $(cat err)"
unset path

# SIGTERM, while the printer is slow, with many pixels left: gone, with its Ghostscripts.
mkfifo slow
PPD=full.ppd "$build/pdftoriptide" 7 user title 1 "riptide-workers=2" sizes.pdf 2>err >slow &
pid=$!
exec 8<slow
head -c 1000 <&8 >/dev/null
two_children() { mapfile -t children < <(ghostscripts_of $pid) && ((${#children[@]} == 2)); }
wait_for 120 two_children || complain "SIGTERM: ${#children[@]} Ghostscripts, not 2"
kill -TERM $pid
wait_for 60 gone $pid "${children[@]}" || complain "SIGTERM: processes are left after a minute"
exec 8<&-
finish
