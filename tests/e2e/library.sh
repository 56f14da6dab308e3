# shellcheck shell=sh
# Common to the end-to-end tests: a private CUPS (contrib/private-cups), pages to
# print, and the comparison of what comes out with what the oracle says.

set -u
RIPTIDE_BUILD=$(realpath "${RIPTIDE_BUILD:-.}")
RIPTIDE_SOURCE=$(realpath "${RIPTIDE_SOURCE:-.}")
# shellcheck source=contrib/private-cups
. "$RIPTIDE_SOURCE/contrib/private-cups"
tests=$RIPTIDE_BUILD/tests riptide=$RIPTIDE_BUILD/riptide
export PYTHONPATH="$RIPTIDE_SOURCE/tests/tools" PYTHONDONTWRITEBYTECODE=1

fail()
{
	echo "FAIL: $*" >&2
	exit 1
}

# What can tell why a test failed, before it is removed.
pc_at_exit() # STATUS
{
	case $1 in 0|77) return ;; esac
	[ -z "$PC_JOB" ] || pc_log "$PC_JOB" | grep -v ' envp\[\| argv\[' | tail -n 60
	[ ! -f "$PC_DIR/log/riptided" ] || tail -n 20 "$PC_DIR/log/riptided"
} >&2
# begin [NAME=VALUE...]: a private CUPS, in whose folder the test goes on.
begin()
{
	pc_start "$@" || exit
	cd "$PC_DIR" || exit 99
}

# queue NAME DRIVER [URI]: adds it, as pc_queue does.
queue()
{
	pc_queue "$@" || fail "no queue $1"
}

# sample_ppds: CUPS' own drivers, in the folder ppd.
sample_ppds()
{
	ppdc -l en -d ppd "$(cups-config --datadir)/drv/sample.drv" >/dev/null 2>&1 ||
		fail "ppdc cannot compile CUPS' own drivers"
}

# make_pdf FILE WIDTH HEIGHT [WIDTH HEIGHT...]: a page of each size, in points.
make_pdf()
{
	local file=$1

	shift
	gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile="$file" \
		-c "/sizes [$*] def" -f "$RIPTIDE_SOURCE/tests/e2e/page.ps" ||
		fail "Ghostscript cannot make $file"
}

# From now on gstoraster draws the pages of documents, and $PC_DIR/tap/JOB is the raster that our
# filter has got in that job: from gstoraster, or as a job.
tapped=
tap()
{
	tapped='-o riptide-rip=gstoraster'
	mkdir "$PC_DIR/tap"
	[ "$(id -u)" != 0 ] || chown lp "$PC_DIR/tap"
	mv "$PC_DIR/lib/filter/rastertoriptide" "$PC_DIR/lib/filter/rastertoriptide.real"
	cat >"$PC_DIR/lib/filter/rastertoriptide" <<-END
		#!/bin/sh
		cat -- "\${6:--}" | tee "$PC_DIR/tap/\$1" |
			"$PC_DIR/lib/filter/rastertoriptide.real" "\$1" "\$2" "\$3" "\$4" "\$5"
	END
	mv "$PC_DIR/lib/filter/gstoraster" "$PC_DIR/lib/filter/gstoraster.real"
	cat >"$PC_DIR/lib/filter/gstoraster" <<-END
		#!/bin/sh
		"$PC_DIR/lib/filter/gstoraster.real" "\$@" | tee "$PC_DIR/tap/\$1"
	END
	chmod 755 "$PC_DIR/lib/filter/rastertoriptide" "$PC_DIR/lib/filter/gstoraster"
}

# The page that the last job has drawn, as a file that can be printed again.
drawn()
{
	cp "$PC_DIR/tap/$PC_JOB" "$PC_DIR/drawn.ras" && echo "$PC_DIR/drawn.ras"
}

# print QUEUE FILE [LP-ARGUMENT...]: and wait until it is completed.  Without the driver's tone
# curve, because the oracle has none, unless an argument asks for one.
print()
{
	local queue=$1 file=$2

	shift 2
	print_with_tones "$queue" "$file" -o halftone-dot-gain=none "$@"
}

# The same as the driver has it.
print_with_tones()
{
	case $2 in
	*.ras) set -- "$@" -o document-format=application/vnd.cups-raster ;;
	esac
	# shellcheck disable=SC2086 # two words
	pc_print "$@" $tapped || fail "lp does not take $2 for $1"
	pc_wait "$PC_JOB" || fail "job $PC_JOB ($*) is $(pc_state "$PC_JOB")"
}

# test_ppd PPD: cupstestppd, with the filters of the private CUPS.  Those it only
# takes if they are root's.
test_ppd()
{
	local ignore=

	[ "$(id -u)" = 0 ] || ignore='-I filters'
	# shellcheck disable=SC2086
	CUPS_SERVERBIN=$PC_DIR/lib cupstestppd $ignore "$1"
}

# The screen that a driver of riptide.drv has by default.
screen_of() # NAME
{
	case $1 in
	pcl5) echo clustered ;;
	raster) echo floyd-steinberg ;;
	zpl*) echo labels ;;
	*) echo blue-noise ;;
	esac
}

# right_dots FORMAT QUEUE [ARGUMENT of expected-dots...]: whether the last job of a
# queue printed what the oracle makes of the job's raster.
right_dots()
{
	local format=$1 queue=$2

	shift 2
	rm -f "$PC_DIR"/expected-* "$PC_DIR"/printed-*
	"$tests/tools/expected-dots" "$@" "$PC_DIR/tap/$PC_JOB" "$PC_DIR/expected" &&
		"$tests/tools/decode-dots" "$format" "$PC_DIR/out/$queue" "$PC_DIR/printed" &&
		"$tests/tools/compare-dots" "$PC_DIR/expected" "$PC_DIR/printed" ||
		fail "$queue: job $PC_JOB did not print the right dots"
}

# right_tones FORMAT QUEUE [ARGUMENT of riptide halftone...]: whether the last job of a queue
# printed what the command makes of the job's raster.
right_tones()
{
	local format=$1 queue=$2

	shift 2
	rm -f "$PC_DIR"/expected* "$PC_DIR"/printed-*
	"$RIPTIDE_BUILD/riptide" halftone "$@" -o "$PC_DIR/expected.ras" "$PC_DIR/tap/$PC_JOB" &&
		"$tests/tools/decode-dots" raster "$PC_DIR/expected.ras" "$PC_DIR/expected" &&
		"$tests/tools/decode-dots" "$format" "$PC_DIR/out/$queue" "$PC_DIR/printed" &&
		"$tests/tools/compare-dots" "$PC_DIR/expected" "$PC_DIR/printed" ||
		fail "$queue: job $PC_JOB did not print the right tones"
}

# logged_pages JOB: the total of page_log; 0 if the job has no line there.
logged_pages()
{
	awk -v job="$1" '$2 == job { pages += $4 } END { print pages + 0 }' \
		"$PC_DIR/log/page_log" 2>/dev/null || echo 0
}

# pages_are JOB TOTAL
pages_are()
{
	[ "$(logged_pages "$1")" = "$2" ] ||
		fail "page_log has $(logged_pages "$1") pages of job $1, not $2"
}

# A printer that takes some data and then stalls.  A queue with the device
# hold:/NAME/KIB writes $PC_DIR/out/NAME; after so many KiB it makes
# $PC_DIR/hold/NAME.held and waits for $PC_DIR/hold/NAME.go.
hold_backend()
{
	mkdir "$PC_DIR/hold"
	cat >"$PC_DIR/lib/backend/hold" <<-END
		#!/bin/sh
		[ \$# != 0 ] || { echo 'direct hold "Unknown" "A printer that stalls"'; exit; }
		name=\${DEVICE_URI#hold:/} kib=\${DEVICE_URI##*/}
		name=\${name%/*}
		rm -f "$PC_DIR/hold/\$name.held"
		{
			dd bs=1024 count="\$kib" iflag=fullblock status=none
			touch "$PC_DIR/hold/\$name.held"
			while [ ! -e "$PC_DIR/hold/\$name.go" ]; do sleep 0.05; done
			cat
		} >"$PC_DIR/out/\$name"
	END
	chmod 700 "$PC_DIR/lib/backend/hold" # cupsd runs such backends as root
}

# print_held QUEUE FILE [LP-ARGUMENT...]: prints on such a queue, of the same name,
# and waits until it stalls.
print_held()
{
	local queue=$1 file=$2

	shift 2
	rm -f "$PC_DIR/hold/$queue".*
	pc_print "$queue" "$file" -o halftone-dot-gain=none "$@" ||
		fail "lp does not take $file for $queue"
	pc_wait_for 300 [ -e "$PC_DIR/hold/$queue.held" ] || fail "no data has come to $queue"
}

release()
{
	touch "$PC_DIR/hold/$1.go"
}

# The process number of the last job's pdftoriptide, or rastertoriptide.
filter_pid()
{
	pc_log "$PC_JOB" | sed -n 's|.*Started filter .*toriptide (PID \([0-9]*\)).*|\1|p'
}

# Whether the last job's filter sleeps and has done nothing since this was asked last.
filter_was=
filter_rests()
{
	local before=$filter_was

	filter_was=$(sed 's/.*) //' "/proc/$(filter_pid)/stat" 2>/dev/null | cut -d' ' -f1,12,13)
	[ "${filter_was%% *}" = S ] && [ "$filter_was" = "$before" ]
}

# warnings JOB: how many there are about the daemon.
warnings()
{
	pc_log "$1" | grep -c '^W .*riptided'
}

# A number that the daemon tells (riptide status --json), of itself or of its first
# session; 0 if there is none.
daemon_says() # NAME
{
	local value

	value=$("$RIPTIDE_BUILD/riptide" status --socket "$PC_SOCKET" --json | tr '{,' '\n\n' |
		sed -n "s/^\"$1\":\([0-9]*\).*/\1/p" | head -n 1)
	echo "${value:-0}"
}

sessions_are()
{
	[ "$(daemon_says session_count)" = "$1" ]
}
