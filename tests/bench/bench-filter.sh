#!/bin/bash
# How long rastertoriptide takes, beside a filter that only reads the same raster with
# libcups, line by line into one buffer, and writes constant dots (peer-filter.c).
#
#	tests/bench/bench-filter.sh [PAGE...]
#
# from the folder of a build, after `make check TESTS=`.  A page is SPACE-DPI-KIND: K, SW,
# RGB or CMYK; photo (grey everywhere), text (no grey at all, as most pages) or smooth (text
# with anti-aliasing: grey in about half of its rows).  Medians of
# RIPTIDE_BENCH_RUNS (11), in turn; user + sys and wall, and how many times the peer's.
# The pages lie in the page cache, what comes out goes to /dev/shm.  The last line of
# each goes through riptided with the CPU engine: one more process, on any processor;
# all others are bound to one.  This is no test: it fails only if something fails.
set -euo pipefail

build=${RIPTIDE_BUILD:-$PWD}
source=${RIPTIDE_SOURCE:-$(dirname "$0")/../..}
runs=${RIPTIDE_BENCH_RUNS:-11}
(($#)) || set -- K-600-text K-600-photo CMYK-600-text CMYK-600-photo
for program in rastertoriptide riptided tests/bench/peer-filter tests/bench/alternate; do
	[[ -x $build/$program ]] && continue
	echo "bench-filter.sh: $build/$program is not built: make, and then make check TESTS=" >&2
	exit 1
done
if ! command -v gs >/dev/null; then
	echo "bench-filter.sh: gs (Ghostscript) is not installed; it makes the pages" >&2
	exit 1
fi

work=$(mktemp -d)
out=$(mktemp -p /dev/shm)
daemon=
finish()
{
	[[ ! $daemon ]] || kill "$daemon"
	rm -rf "$work" "$out"
}
trap finish EXIT

raster() # SPACE DPI KIND FILE
{
	local -A spaces=([RGB]=1 [K]=3 [CMYK]=6 [SW]=18)
	local -A pages=([photo]=photo [text]=text [smooth]=text)
	local alpha=1

	if [[ ! ${spaces[$1]-} || ! ${pages[$3]-} ]]; then
		echo "bench-filter.sh: $1-$2-$3 is no page:" \
			"K, SW, RGB or CMYK; dpi; photo, text or smooth" >&2
		return 1
	fi
	[[ $3 != smooth ]] || alpha=4
	gs -q -dNOPAUSE -dBATCH -sDEVICE=cups -r"$2" -dDEVICEWIDTHPOINTS=595 \
		-dDEVICEHEIGHTPOINTS=842 \
		-dTextAlphaBits=$alpha -dGraphicsAlphaBits=$alpha -dcupsBitsPerColor=8 \
		-dcupsColorOrder=0 \
		-dcupsColorSpace="${spaces[$1]}" -sOutputFile="$4" \
		"$source/tests/bench/${pages[$3]}.ps" 2>/dev/null
}

"$build/riptided" --device cpu --socket "$work/socket" 2>"$work/daemon.log" &
daemon=$!

lscpu | sed -n 's/^Model name: */# /p'
echo "# $(nproc) processors, Linux $(uname -r), $(date -u '+%Y-%m-%d %H:%M') UTC, load $(cut -d' ' \
	-f1-3 /proc/loadavg)"
# The last processor that we may run on: the first one has most of the interrupts.
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
for page; do
	IFS=- read -r space dpi kind <<<"$page"
	raster "$space" "$dpi" "$kind" "$work/page.ras"
	filter=("$build/rastertoriptide" 1 user title 1 '')
	echo "$page, $runs runs"
	"$build/tests/bench/alternate" "$runs" "$work/page.ras" "$out" \
		-- CPU="$cpu" "$build/tests/bench/peer-filter" \
		-- RIPTIDE_SOCKET=none CPU="$cpu" "${filter[@]}" \
		-- RIPTIDE_SOCKET=none RIPTIDE_ISA_MASK=avx2 CPU="$cpu" "${filter[@]}" \
		-- RIPTIDE_SOCKET=none RIPTIDE_ISA_MASK=c CPU="$cpu" "${filter[@]}" \
		-- RIPTIDE_SOCKET="$work/socket" "${filter[@]}" | sed "s|$build/||g; s|$work/||g"
	rm "$work/page.ras"
done
