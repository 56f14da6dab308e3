#!/bin/sh
# The screens, as users meet them: `lp -o halftone-screen=NAME` on every queue of riptide.drv
# gives the dots of that screen; the PPD's default counts where nothing is set; a method that is
# named means error diffusion, unless the job names a mask; a wrong name is reported once.  Each
# queue draws a PDF with its default and with a method; the raster of the first job is what the
# other jobs print, since drawing takes longer than all else.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
tap
make_pdf a6.pdf 298 420

# right QUEUE SCREEN [LP-ARGUMENT...]: prints $page with these arguments, which must give this
# screen.
right()
{
	local queue=$1 screen=$2 format=raster

	shift 2
	case $queue in
	pcl*) format=pcl ;;
	esc*) format=escp ;;
	zpl*) format=zpl ;;
	esac
	print "$queue" "$page" "$@"
	right_dots $format "$queue" --screen "$screen"
}

# The last job wrote so many warnings, and as many with these words.
warned() # COUNT [WORDS]
{
	[ "$(pc_log "$PC_JOB" | grep -c '^W ')" = "$1" ] &&
		[ "$(pc_log "$PC_JOB" | grep '^W ' | grep -c -- "${2-}")" = "$1" ] && return
	pc_log "$PC_JOB" | grep '^W ' >&2
	fail "job $PC_JOB has not $1 warnings with \"${2-}\""
}

# Small pages: the oracle is slow.
paper() # QUEUE
{
	case $1 in
	pcl5) echo media=EnvMonarch -o Resolution=300dpi ;;
	pcl-color) echo media=A5 -o Resolution=150dpi ;;
	escp2) echo media=A5 -o Resolution=180dpi ;;
	escp) echo media=A5 -o Resolution=360x180dpi ;;
	zpl-203 | zpl-300) echo media=w144h72 ;;
	*) echo media=A6 -o Resolution=300dpi ;;
	esac
}

screens=$("$RIPTIDE_BUILD/riptide" halftone --screen help | grep -v 'LPI\|^ ')
for queue in pcl5 pcl-color escp2 escp zpl-203 zpl-300 pwg raster; do
	default=$(screen_of "$queue")
	queue "$queue" "riptide-$queue"
	# shellcheck disable=SC2046
	set -- -o $(paper "$queue")

	echo "$queue: $default by default"
	page=a6.pdf
	right "$queue" "$default" "$@"
	page=$(drawn)
	case $queue in
	zpl-203) some=$screens ;;
	*) some='clustered blue-noise bayer' ;;
	esac
	for screen in $some; do
		[ "$screen" != "$default" ] || continue
		echo "$queue: $screen"
		right "$queue" "$screen" "$@" -o halftone-screen="$screen"
		warned 0
	done

	case $default in
	clustered) diffused=floyd-steinberg ;;
	*) diffused=$default ;;
	esac
	echo "$queue: with a method"
	page=a6.pdf
	right "$queue" "$diffused" "$@" -o halftone=bwec
	warned 0
done

for queue in pcl5 zpl-203; do
	default=$(screen_of "$queue")
	# shellcheck disable=SC2046
	set -- -o $(paper "$queue")
	page=a6.pdf
	echo "$queue: with a method and a screen"
	right "$queue" bayer "$@" -o halftone=bwec -o halftone-screen=bayer
	page=$(drawn)
	right "$queue" stucki "$@" -o halftone=bwec -o halftone-screen=stucki
	warned 0

	echo "$queue: wrong names"
	page=a6.pdf
	right "$queue" "$default" "$@" -o halftone-screen=dots
	warned 1 "halftone-screen=dots in .* is not valid; \
valid values are floyd-steinberg, .*, bi-level"
	right "$queue" "$default" "$@" -o halftone-screen=clustered-999
	warned 1 "halftone-screen=clustered-999 in .* is not possible: \
no screen clustered-999 at .* dpi: choose clustered-"
done

echo "lines an inch"
page=a6.pdf
right pcl5 clustered-106 -o media=EnvMonarch -o Resolution=300dpi -o halftone-screen=clustered-106
warned 0

echo "a queue's default"
for screen in blue-noise-mask bi-level burkes; do
	lpadmin -p zpl-203 -o halftone-screen=$screen 2>/dev/null || fail "lpadmin fails"
	right zpl-203 $screen -o media=w144h72
done
right zpl-203 sierra -o media=w144h72 -o halftone-screen=Sierra
