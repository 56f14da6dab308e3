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

# Smooth shapes, edges and grain; neither white nor black.
cat >"$work/photo.ps" <<'EOF'
%!PS
2012 srand
/W 620 def /H 877 def
/line W string def
/y 0 def
/clamp { dup 2 lt { pop 2 } { dup 253 gt { pop 253 } if } ifelse } bind def
595 842 scale
<< /ImageType 1 /Width W /Height H /BitsPerComponent 8 /Decode [0 1] /Interpolate true
   /ImageMatrix [W 0 0 H neg 0 H]
   /DataSource {
	0 1 W 1 sub {
		/x exch def
		x 0.9 mul y 0.6 mul add sin 40 mul
		x y mul 300 div sin 30 mul add
		y 7 div 60 add add
		x 90 idiv y 90 idiv add 2 mod 25 mul add
		rand 16 mod add 8 sub clamp cvi line x 3 -1 roll put
	} for
	/y y 1 add def line } >> image
showpage
EOF

cat >"$work/text.ps" <<'EOF'
%!PS
/Helvetica findfont 11 scalefont setfont
1 1 60 {
	/n exch def
	50 800 n 12.5 mul sub moveto
	(Line ) show n 10 string cvs show
	( the quick brown fox jumps over the lazy dog, and is as quick as ever: 0123456789) show
} for
showpage
EOF

raster() # SPACE DPI KIND FILE
{
	local -A spaces=([RGB]=1 [K]=3 [CMYK]=6 [SW]=18) pages=([photo]=photo [text]=text [smooth]=text)
	local alpha=1

	if [[ ! ${spaces[$1]-} || ! ${pages[$3]-} ]]; then
		echo "bench-filter.sh: $1-$2-$3 is no page: K, SW, RGB or CMYK; dpi; photo, text or smooth" >&2
		return 1
	fi
	[[ $3 != smooth ]] || alpha=4
	gs -q -dNOPAUSE -dBATCH -sDEVICE=cups -r"$2" -dDEVICEWIDTHPOINTS=595 -dDEVICEHEIGHTPOINTS=842 \
		-dTextAlphaBits=$alpha -dGraphicsAlphaBits=$alpha -dcupsBitsPerColor=8 -dcupsColorOrder=0 \
		-dcupsColorSpace="${spaces[$1]}" -sOutputFile="$4" "$work/${pages[$3]}.ps" 2>/dev/null
}

"$build/riptided" --device cpu --socket "$work/socket" 2>"$work/daemon.log" &
daemon=$!

lscpu | sed -n 's/^Model name: */# /p'
echo "# $(nproc) processors, Linux $(uname -r), $(date -u '+%Y-%m-%d %H:%M') UTC, load $(cut -d' ' -f1-3 /proc/loadavg)"
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
