#!/bin/bash
# How long CUPS's gstoraster and rastertoriptide take behind each other, joined by a pipe
# as cupsd joins them: K at 600 dpi, 16 pages of text and a photo page.
#
#	tests/bench/bench-chain.sh [FILTER...]
#
# from the folder of a build.  FILTER: other builds of rastertoriptide to measure beside this
# one, in turn with it; `cat` stands for no filter at all.  Wall time, medians of
# RIPTIDE_BENCH_RUNS (11), and how many times the first one's.  This is no test: it fails
# only if something fails, or if two filters make different dots.
set -euo pipefail

build=${RIPTIDE_BUILD:-$PWD}
runs=${RIPTIDE_BENCH_RUNS:-11}
gstoraster=$(cups-config --serverbin)/filter/gstoraster
filters=("$build/rastertoriptide" "$@")
for program in "${filters[0]}" "$gstoraster"; do
	[[ -x $program ]] && continue
	echo "bench-chain.sh: there is no $program: build riptide, and install cups-filters" >&2
	exit 1
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/text.ps" <<'EOT'
%!PS
/line (The quick brown fox jumps over the lazy dog, and 0123456789 more of them. ) def
1 1 16 {
	/Times-Roman findfont 11 scalefont setfont
	/page exch def
	0 1 54 { dup 50 exch 14 mul 40 add moveto page add 7 mod line length exch sub
		line 0 3 -1 roll getinterval show line show } for
	showpage
} for
EOT
cat >"$work/photo.ps" <<'EOT'
%!PS
/line 1240 string def /y 0 def
gsave 595 842 scale
<< /ImageType 1 /Width 1240 /Height 1754 /BitsPerComponent 8 /Decode [0 1]
   /ImageMatrix [1240 0 0 -1754 0 1754]
   /DataSource { 0 1 1239 { line exch dup dup y mul 97 idiv exch y add 31 idiv add
	200 mod 25 add put } for /y y 1 add def line } >> image
grestore showpage
EOT
for page in text photo; do
	gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=pdfwrite -dDEVICEWIDTHPOINTS=595 \
		-dDEVICEHEIGHTPOINTS=842 -sOutputFile="$work/$page.pdf" "$work/$page.ps"
done
export PPD=$work/k.ppd RIPTIDE_SOCKET=none FINAL_CONTENT_TYPE=application/vnd.cups-raster
cat >"$PPD" <<'EOT'
*PPD-Adobe: "4.3"
*ColorDevice: False
*OpenUI *Resolution: PickOne
*OrderDependency: 10 AnySetup *Resolution
*DefaultResolution: 600dpi
*Resolution 600dpi: "<</HWResolution[600 600]/cupsColorSpace 3/cupsBitsPerColor 8>>setpagedevice"
*CloseUI: *Resolution
*OpenUI *PageSize: PickOne
*OrderDependency: 20 AnySetup *PageSize
*DefaultPageSize: A4
*PageSize A4: "<</PageSize[595 842]/ImagingBBox null>>setpagedevice"
*CloseUI: *PageSize
*OpenUI *PageRegion: PickOne
*OrderDependency: 20 AnySetup *PageRegion
*DefaultPageRegion: A4
*PageRegion A4: "<</PageSize[595 842]/ImagingBBox null>>setpagedevice"
*CloseUI: *PageRegion
*DefaultImageableArea: A4
*ImageableArea A4: "12 12 583 830"
*DefaultPaperDimension: A4
*PaperDimension A4: "595 842"
EOT

chain() # FILTER PAGE OUT
{
	local filter=("$1" 1 user title 1 '')

	[[ $1 != cat ]] || filter=(cat)
	"$gstoraster" 1 user title 1 '' "$work/$2.pdf" 2>"$work/log" | "${filter[@]}" >"$3" 2>>"$work/log"
}

for page in text photo; do
	for ((i = 0; i < ${#filters[@]}; i++)); do
		: >"$work/times.$i"
		if ! chain "${filters[i]}" $page "$work/out.$i"; then
			echo "bench-chain.sh: ${filters[i]} failed:" >&2
			tail -n 5 "$work/log" >&2
			exit 1
		fi
		[[ ${filters[i]} == cat ]] || cmp "$work/out.0" "$work/out.$i"
	done
	for ((run = 0; run < runs; run++)); do
		for ((i = 0; i < ${#filters[@]}; i++)); do
			begin=${EPOCHREALTIME/./}
			chain "${filters[i]}" $page /dev/null
			echo $((${EPOCHREALTIME/./} - begin)) >>"$work/times.$i"
		done
	done
	for ((i = 0; i < ${#filters[@]}; i++)); do
		sort -n "$work/times.$i" | awk -v name="${filters[i]}" -v page=$page \
			-v first="$(sort -n "$work/times.0" | sed -n "$((runs / 2 + 1))p")" '
			{ t[NR] = $1 }
			END { m = t[int(NR / 2) + 1]
			      printf "%-6s %7.1f ms (%.1f to %.1f)  %5.2f  %s\n", page, m / 1000,
				     t[1] / 1000, t[NR] / 1000, m / first, name }'
	done
done
