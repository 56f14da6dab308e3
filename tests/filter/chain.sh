#!/bin/bash
# The filter that rastertoriptide and pdftoriptide start behind themselves (riptideNextFilter): what
# it gets, what its end does to them, and theirs to it.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/filter/library.sh" || exit 99
export CUPS_SERVERBIN=$folder PPD=$folder/queue.ppd

# --- a queue, a page, and filters ---------------------------------------------------------------
make_ppd() # NEXT-FILTER [SOURCE-TYPE]
{
	small_ppd "*cupsFilter: \"${2-application/vnd.cups-raster} 0 rastertoriptide\"" \
		'*cupsFilter: "application/vnd.cups-pdf 0 pdftoriptide"' \
		"*riptideNextFilter: \"$1\"" >queue.ppd
}

make_filter() # NAME, its text on standard input
{
	mkdir -p filter
	cat >"filter/$1"
	chmod 755 "filter/$1"
}

{
	printf 'P6\n1600 1600\n255\n'
	head -c 7680000 /dev/zero | tr '\0' '\171'
} >page.ppm
"$build/tests/tools/pnm-raster" page.ppm >page.ras || exit 99
cat page.ras >two.ras
tail -c +5 page.ras >>two.ras

make_filter copy <<'END'
#!/bin/sh
echo "DEBUG: $# arguments: $1|$2|$3|$4|$5; $PPD $FINAL_CONTENT_TYPE" \
	"$(ls /proc/self/fd | tr '\n' ' ')" >&2
echo "PAGE: 1 1" >&2
exec cat
END
make_filter fail <<'END'
#!/bin/sh
echo "ERROR: no toner" >&2
exit 3
END
make_filter leave <<'END'
#!/bin/sh
exit 0
END
make_filter crash <<'END'
#!/bin/sh
kill -SEGV $$
END
# Says when it is there, when it is canceled and when its input ends.
make_filter watch <<'END'
#!/bin/bash
trap 'echo canceled >>said; sleep .3; echo done >>said; exit 0' TERM
echo $$ >>next.pid
while read -r -n 1000000 bytes || [ "$bytes" ]; do sleep .05; done
echo end >>said
END
make_filter ignore <<'END'
#!/bin/bash
trap '' TERM
echo $$ >>next.pid
until [ -e go ]; do sleep .05; done
cat >/dev/null
echo end >>said
END
make_filter stuck <<'END'
#!/bin/bash
trap '' TERM
echo $$ >>next.pid
exec sleep 10000 # longer than any test
END
make_filter pipe <<'END'
#!/bin/sh
grep -E 'Sig(Blk|Ign)' /proc/self/status
echo "core $(ulimit -c)"
python3 -c 'import fcntl; print(fcntl.fcntl(0, 1032))' # F_GETPIPE_SZ
exec cat >/dev/null
END

# --- what it gets -------------------------------------------------------------------------------
make_ppd copy
sed -i '/riptideNextFilter/d' queue.ppd
run rastertoriptide "x=y" page.ras
ended "without a next filter" $? 0 ""
mv dots expected
(($(pages_logged) == 1)) || complain "the last filter does not log its page"

# A PPD that cannot be read may name a next filter: the printer does not get the raster.
make_ppd copy
sed -i 's/^.FormatVersion/FormatVersion/' queue.ppd
for filter in rastertoriptide pdftoriptide; do
	run $filter "x=y" page.ras
	ended "$filter with a damaged PPD" $? 1 "cannot read the PPD $PPD: line 2: "
	[[ ! -s dots ]] || complain "$filter with a damaged PPD writes raster"
done

# A script has its folder as one more.
descriptors=$(filter/copy </dev/null 2>&1 >dots | sed -n 's/^DEBUG: .*\.ppd *//p' | wc -w)
for program in copy "$folder/filter/copy"; do
	make_ppd "$program"
	run rastertoriptide "x=y" page.ras
	ended "$program" $? 0 ""
	cmp expected dots || complain "$program: other dots"
	(($(pages_logged) == 1)) || complain "$program: pages are logged $(pages_logged) times"
	grep -q '^DEBUG: 5 arguments: 7|user|a title|1|x=y; '"$PPD" err ||
		complain "$program: $(cat err)"
	(($(sed -n 's/^DEBUG: 5 arg.*\.ppd *//p' err | wc -w) == descriptors + 1)) ||
		complain "its descriptors: $(cat err)"
done
run rastertoriptide "" <page.ras
ended "standard input" $? 0 ""
cmp expected dots || complain "standard input: other dots"
run rastertoriptide "" two.ras
ended "two pages" $? 0 ""
(($(stat -c %s dots) == 2 * $(stat -c %s expected) - 4)) ||
	complain "two pages: $(stat -c %s dots) bytes"

# PWG raster only for a driver that takes PWG raster, whatever the last filter makes.
FINAL_CONTENT_TYPE=image/pwg-raster run rastertoriptide "" page.ras
cmp expected dots || complain "a next filter for PWG printers gets no CUPS raster"
make_ppd copy image/pwg-raster
run rastertoriptide "" page.ras
[[ $(head -c 4 dots) == RaS2 ]] || complain "a driver for PWG raster does not get it"

make_ppd pipe
ulimit -S -c unlimited 2>/dev/null
run rastertoriptide "" page.ras
ended "pipe" $? 0 ""
most=$(cat /proc/sys/fs/pipe-max-size)
[[ $(tail -n 1 dots) == $((most < 262144 ? most : 262144)) ]] || complain "its pipe: $(cat dots)"
# HUP, INT, QUIT, PIPE, TERM, CHLD and XFSZ have their default actions, and are not blocked.
for set in $(sed -n 's/^Sig.*:.//p' dots); do
	(((16#$set & 0x1015007) == 0)) || complain "its signals: $(cat dots)"
done
grep -qx "core 0" dots || complain "it may write a core file: $(cat dots)"
(($(grep -c '^Sig' dots) == 2)) || complain "no signals: $(cat dots)"

# A PPD that names it for other jobs does not count.
make_ppd copy
FINAL_CONTENT_TYPE=application/vnd.cups-pdf run rastertoriptide "" page.ras
! grep -q arguments err || complain "another filter's next filter is started"

# --- it cannot be started -----------------------------------------------------------------------
: >filter/plain
cp filter/copy filter/open
chmod 775 filter/open
mkfifo -m 755 filter/fifo
mkdir -m 777 anybody
cp filter/copy anybody
cp filter/copy filter/setuid
chmod u+s filter/setuid
cases=()
if ((EUID == 0)); then
	cp filter/copy filter/evil
	chown 65534 filter/evil
	cases=("evil:$folder/filter/evil: it does not belong to root")
fi
for case in "none:cannot run riptideNextFilter in the PPD: $folder/filter/none: No such file" \
		"${cases[@]}" \
		"fifo:is no regular file" "setuid:setuid" \
		"$folder/anybody/copy:$folder/anybody: its group or others" \
		"plain:Permission denied" "open:may write to it" "../filter/copy:it must be" \
		"filter/copy:it must be" \
		"rastertoriptide:is \"rastertoriptide\"; it must be" ":is \"\"; it must be" \
		"/x/pdftoriptide:it must be" "..:it must be"; do
	make_ppd "${case%%:*}"
	run rastertoriptide "" page.ras
	ended "next filter ${case%%:*}" $? 1 "${case#*:}"
	! grep -q arguments err || complain "next filter ${case%%:*}: it runs"
done

# --- its end -----------------------------------------------------------------------------------
# At once, although our input does not end.
mkfifo open.pipe
exec 7<>open.pipe
for case in "fail:3:" "crash:1:signal 11"; do
	IFS=: read -r name should words <<<"$case"
	make_ppd $name
	SECONDS=0
	run rastertoriptide "" <open.pipe
	status=$?
	sed -i '/no toner/d' err
	ended "$name" $status "$should" "$words"
	grep -aq "^DEBUG: fail failed with exit status 3" err || [[ $name == crash ]] ||
		complain "fail: $(cat err)"
	((SECONDS <= 20)) || complain "$name: ends after $SECONDS s"
	run rastertoriptide "" two.ras
	status=$?
	grep -aq '^ERROR: no toner' err || [[ $name == crash ]] ||
		complain "$name: its message is lost: $(cat err)"
	sed -i '/no toner/d' err
	ended "$name with pages" $status "$should" "$words"
done
make_ppd leave
run rastertoriptide "" two.ras
ended "it does not read" $? 1 "leave ended before it had read all pages"

# --- our end ------------------------------------------------------------------------------------
# Damaged raster: it gets the end of its input, and we fail.
make_ppd copy
head -c 4000000 two.ras | run rastertoriptide ""
ended "a truncated page" $? 1 "page 1"
[[ -s dots ]] || complain "a truncated page: what there was does not arrive"

there() # until the next filter is there
{
	wait_for 60 test -s next.pid || complain "no next filter: $(cat err)"
}

# Whether a process sleeps, and has done nothing since this was asked last, a while ago.
rests() # PROCESS
{
	local before=${was-}

	sleep .1
	was=$(sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f1,12,13)
	[[ $was == S* && $was == "$before" ]]
}

idle() # PROCESS
{
	wait_for 60 rests "$1" || complain "$1 does not come to rest: $was"
}

# end_by SIGNAL NEXT-FILTER [FILE]: while it waits for input, or for the next filter.
end_by()
{
	make_ppd "$2"
	rm -f next.pid said go
	"$build/rastertoriptide" 7 user title 1 "" ${3+"$3"} <open.pipe >dots 2>err &
	pid=$!
	there
	idle $pid
	kill "-$1" $pid
}
for input in "" two.ras; do
	end_by TERM watch $input
	wait $pid
	ended "SIGTERM" $? 143 ""
	[[ $(cat said) == "canceled"$'\n'"done" ]] ||
		complain "SIGTERM: the next filter says $(cat said)"
	wait_for 60 gone "$(cat next.pid)" || complain "SIGTERM: the next filter is left"
	end_by TERM ignore $input
	touch go
	wait $pid
	ended "SIGTERM is ignored" $? 143 ""
	[[ $(cat said) == end ]] || complain "SIGTERM is ignored: no end of input"
	for next in watch stuck; do
		end_by KILL $next $input
		wait $pid 2>/dev/null
		wait_for 60 gone "$(cat next.pid)" || complain "SIGKILL: $next is left"
		rm -f said
	done
done
# The filter before us is canceled too: that our input ends in a page is no error.
make_ppd watch
rm -f next.pid said
mkfifo cut.pipe
"$build/rastertoriptide" 7 user title 1 "" <cut.pipe >dots 2>err &
pid=$!
exec 8>cut.pipe
head -c 4000000 two.ras >&8
there
idle $pid
kill -TERM $pid
wait_for 60 grep -qs canceled said
exec 8>&-
wait $pid
ended "SIGTERM, and our input ends in a page" $? 143 ""
[[ $(cat said) == "canceled"$'\n'"done" ]] ||
	complain "SIGTERM and end of input: it says $(cat said)"
# A next filter that does not end on SIGTERM is killed in the end, and before that with us.
end_by TERM stuck two.ras
wait_for 120 gone $pid || kill -KILL $pid
wait $pid
ended "SIGTERM, which the next filter never heeds" $? 143 ""
wait_for 60 gone "$(cat next.pid)" ||
	complain "SIGTERM: the next filter that never heeds it is left"
end_by TERM stuck two.ras
idle $pid
kill -KILL $pid
wait $pid 2>/dev/null
wait_for 60 gone "$(cat next.pid)" || complain "SIGKILL after SIGTERM: the next filter is left"

# --- pdftoriptide -------------------------------------------------------------------------------
if command -v gs >/dev/null; then
	page='<< /PageSize [200 200] >> setpagedevice 0.4 setgray 20 20 100 100 rectfill showpage'
	make_pdf two.pdf "2 { $page } repeat"
	make_ppd copy
	sed -i '/riptideNextFilter/d' queue.ppd
	run pdftoriptide "" two.pdf
	ended "PDF without a next filter" $? 0 ""
	mv dots expected
	make_ppd copy
	run pdftoriptide "" two.pdf
	ended "PDF" $? 0 ""
	cmp expected dots || complain "PDF: other dots"
	grep -Eq '^DEBUG: processor time: drawing [1-9][0-9]* ms, '\
'halftoning here [0-9]+ ms, next filter [0-9]+ ms$' err ||
		complain "PDF: no times: $(cat err)"
	(($(pages_logged) == 1)) || complain "PDF: pages are logged $(pages_logged) times"
	make_ppd fail
	run pdftoriptide "" two.pdf
	status=$?
	sed -i '/no toner/d' err
	ended "PDF, fail" $status 3 ""
	make_ppd leave
	run pdftoriptide "" two.pdf
	[[ $? == 0 || $(grep -a '^ERROR' err) == *"leave ended before"* ]] ||
		complain "PDF, leave: $(cat err)"
	make_ppd stuck
	rm -f next.pid
	# So many pages that Ghostscript cannot draw all of them while nobody reads.
	make_pdf many.pdf "400 { $page } repeat"
	"$build/pdftoriptide" 7 user title 1 "" many.pdf >dots 2>err &
	pid=$!
	there
	# The next filter, what draws the pages, and the keeper of its folder.
	children() { mapfile -t children < <(pgrep -P $pid) && ((${#children[@]} >= 3)); }
	wait_for 10 children || complain "PDF: ${#children[@]} children: $(cat err)"
	kill -KILL $pid
	wait $pid 2>/dev/null
	wait_for 60 gone "${children[@]}" || complain "PDF: SIGKILL leaves processes"
else
	echo "gs is not installed: pdftoriptide is left out"
fi
finish
