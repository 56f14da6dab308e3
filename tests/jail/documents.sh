#!/bin/bash
# At least 100 documents of all kinds have the same dots with the jail of Ghostscript and without
# it, drawn by one thread and by several: fonts embedded, missing and made by hand, images, shades,
# patterns, colour spaces and profiles, transparency, forms and notes, large pages whose lists go
# into files, encrypted and damaged ones.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs python3 pdftocairo
umask 022
export RIPTIDE_SOCKET=none LC_ALL=C
mkdir spool documents
export TMPDIR=$folder/spool

# --- pages in PostScript, of 200 points ---
declare -A pages
fonts="Helvetica Times-Roman Courier Symbol ZapfDingbats Palatino-Roman Bookman-Demi"
fonts+=" AvantGarde-Book NotAnyFont"
pages[text]="/y 180 def [ $(printf '/%s ' $fonts) ]
	{ findfont 14 scalefont setfont 10 y moveto (Jail 123 fi \\344\\366) show /y y 19 sub def
	} forall"
pages[kerned]='/Times-Italic findfont [20 5 -3 24 0 0] makefont setfont 10 100 moveto 3 0
	(AVATAR) ashow 10 60 moveto
	(outline) true charpath 0.3 setlinewidth stroke'
pages[type3]='8 dict begin /FontType 3 def /FontMatrix [.001 0 0 .001 0 0] def /FontBBox [0
	0 1000 1000] def
	/Encoding 256 array def 0 1 255 { Encoding exch /.notdef put } for Encoding 97 /square put
	/BuildGlyph { pop pop 1000 0 0 0 750 750 setcachedevice 0 0 750 750 rectfill } bind def
	/BuildChar { 1 index /Encoding get exch get 1 index /BuildGlyph get exec } bind def
	currentdict end
	/Own exch definefont pop /Own findfont 30 scalefont setfont 10 90 moveto (aaaa) show'
pages[axial]='<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 200 200] /Extend [true true]
	/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1.5 >> >> shfill'
pages[radial]='<< /ShadingType 3 /ColorSpace /DeviceCMYK /Coords [100 100 10 100 100 90] /Function
	<< /FunctionType 2 /Domain [0 1] /C0 [0 1 0 0] /C1 [1 0 0 .5] /N 1 >> >> shfill'
pages[function]='<< /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Matrix [200 0
	0 200 0 0]
	/Function << /FunctionType 0 /Domain [0 1 0 1] /Range [0 1] /Size [2 2] /BitsPerSample 8
	/DataSource <00ff8040> >> >> shfill'
pages[mesh]='<< /ShadingType 4 /ColorSpace /DeviceRGB /DataSource [0 0 0 1 0 0  0 200 0 0 1
	0  0 100 200 0 0 1] >> shfill'
pages[lattice]='<< /ShadingType 5 /ColorSpace /DeviceGray /VerticesPerRow 2 /DataSource [0
	0 0  200 0 1  0 200 1  200 200 0] >> shfill'
pages[coons]='<< /ShadingType 6 /ColorSpace /DeviceRGB /DataSource [0 20 20 0 80 40 120 20
	180 60 200 120 160 180 180 120
	200 80 160 20 180 80 120 40 80 1 0 0 0 1 0 0 0 1 1 1 0] >> shfill'
profile=$(find -L /usr/share/color /usr/share/ghostscript -name 'srgb.icc' 2>/dev/null | head -n 1)
image='gsave 180 180 scale'
pages[bits]="$image 16 16 1 [16 0 0 16 0 0] { <a5c3 7e81> } image grestore"
pages[stencil]="0 0 1 setrgbcolor $image 32 32 true [32 0 0 32 0 0] { <f0f0a5c3> }
	imagemask grestore"
pages[grey8]="$image 16 16 8 [16 0 0 -16 0 16] { <00112233445566778899aabbccddeeff> } image
	grestore"
pages[grey2]="$image 16 16 2 [16 0 0 -16 0 16] { <1b1be4e4> } image grestore"
pages[rgb8]="$image 8 8 8 [8 0 0 8 0 0] {
	<ff000000ff000000ffffff00ff00ff00ffff7f7f7fffffff> } false 3 colorimage grestore"
pages[cmyk8]="$image 4 4 8 [4 0 0 4 0 0] { <ff00000000ff00000000ff00000000ff> } false 4
	colorimage grestore"
pages[rgb12]="$image /DeviceRGB setcolorspace << /ImageType 1 /Width 4 /Height 4
	/BitsPerComponent 12 /Decode [0 1 0 1 0 1]
	/ImageMatrix [4 0 0 4 0 0] /DataSource { <fff000800 123456789 abcdef012 000fff000> } >>
	image grestore"
pages[interpolated]="$image /DeviceGray setcolorspace << /ImageType 1 /Width 4 /Height 4
	/BitsPerComponent 8 /Decode [1 0]
	/Interpolate true /ImageMatrix [4 0 0 4 0 0] /DataSource { <004080ff> } >> image grestore"
pages[indexed]="$image [/Indexed /DeviceRGB 3 <ff000000ff000000ffffffff>] setcolorspace <<
	/ImageType 1 /Width 8 /Height 8
	/BitsPerComponent 2 /Decode [0 3] /ImageMatrix [8 0 0 8 0 0] /DataSource { <1be4> } >>
	image grestore"
pages[keyed]="$image /DeviceRGB setcolorspace << /ImageType 4 /Width 2 /Height 2
	/BitsPerComponent 8 /Decode [0 1 0 1 0 1]
	/MaskColor [255 255 0 0 0 0] /ImageMatrix [2 0 0 2 0 0] /DataSource { <ff000000ff00> } >>
	image grestore"
pages[tiles]='<< /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10
	/YStep 10 /PaintProc
	{ pop 1 0 0 setrgbcolor 0 0 5 5 rectfill 0 1 0 setrgbcolor 5 5 5 5 rectfill } >> matrix
	makepattern setpattern
	10 10 180 180 rectfill'
pages[uncoloured]='<< /PatternType 1 /PaintType 2 /TilingType 2 /BBox [0 0 8 8] /XStep 9
	/YStep 9 /PaintProc
	{ pop 4 4 3 0 360 arc fill } >> [1 .3 0 1 0 0] makepattern [/Pattern /DeviceCMYK]
	setcolorspace
	0 1 1 0 5 -1 roll setcolor 10 10 180 180 rectfill'
pages[shadepattern]='<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray
	/Coords [0 0 200 0] /Function
	<< /FunctionType 2 /Domain [0 1] /N 1 >> >> >> matrix makepattern setpattern
	/Helvetica-Bold findfont 80 scalefont
	setfont 0 60 moveto (Shade) show'
pages[cie]='[/CIEBasedABC << /WhitePoint [.9505 1 1.089] /MatrixABC [.4124 .2126 .0193
	.3576 .7152 .1192 .1805 .0722 .9505]
	/DecodeABC [ { 2.2 exp } bind dup dup ] >>] setcolorspace 0 .1 1 { dup dup 1 exch sub .5
	setcolor 180 mul 10 18 180 rectfill } for'
pages[lab]='[/CIEBasedA << /WhitePoint [.9505 1 1.089] /DecodeA { 1.8 exp } >>] setcolorspace
	0 .1 1 { dup setcolor 180 mul 10 18 180 rectfill } for'
pages[profile]='[/ICCBased << /N 3 /DataSource profile (r) file >>] setcolorspace
	0 .1 1 { dup .5 1 index setcolor 180 mul 10 18 180 rectfill } for'
pages[separation]='[/Separation (Orange) /DeviceCMYK { dup .5 mul exch 0 3 1 roll 0 }] setcolorspace
	0 .1 1 { dup setcolor 180 mul 10 18 180 rectfill } for'
pages[devicen]='[/DeviceN [/Cyan /Spot] /DeviceCMYK { 0 exch 0 }] setcolorspace 0 .2 1 {
	dup 1 index setcolor
	180 mul 10 30 180 rectfill } for'
pages[black]='0 0 0 1 setcmykcolor 10 10 80 180 rectfill 1 1 1 1 setcmykcolor 110 10 80 180
	rectfill'
pages[lines]='0 .2 4 { dup setlinewidth 45 mul 5 add 10 exch 10 moveto 0 180 rlineto stroke } for
	[3 1 1] 0 setdash 0 setlinewidth 100 100 90 0 360 arc stroke'
pages[clips]='100 100 90 0 360 arc clip newpath 0 5 200 { dup 400 div setgray 0 exch 200 2
	rectfill } for'
pages[evenodd]='100 190 moveto 40 10 lineto 195 130 lineto 5 130 lineto 160 10 lineto
	closepath eofill'
pages[turned]='90 rotate 0 -200 translate /Helvetica findfont 30 scalefont setfont 20 20
	moveto (Turned) show'
pages[opacity]='.5 .setfillconstantalpha 1 0 0 setrgbcolor 20 20 120 120 rectfill 0 0 1
	setrgbcolor 60 60 120 120 rectfill'
pages[overprint]='true setoverprint 1 0 0 0 setcmykcolor 20 20 120 120 rectfill 0 1 0 0
	setcmykcolor 60 60 120 120 rectfill'
pages[notes]='[ /Rect [20 20 180 60] /Contents (A note) /Subtype /FreeText /DA (/Helv 12 Tf
	0 g) /ANN pdfmark
	[ /Rect [20 80 180 120] /Border [0 0 2] /Color [1 0 0] /Page 1 /Subtype /Link /ANN pdfmark
	10 10 40 40 rectfill'
pages[form]='<< /FormType 1 /BBox [0 0 50 50] /Matrix [1 0 0 1 0 0] /PaintProc { pop 0 0 40
	40 rectfill } >>
	0 1 3 { 50 mul 0 gsave translate dup execform grestore } for pop'
for mode in Multiply Screen Overlay Darken ColorDodge SoftLight Difference Luminosity; do
	pages[blend-$mode]="0 .6 .9 setrgbcolor 10 10 130 130 rectfill /$mode .setblendmode .9 .7
	0 setrgbcolor
		60 60 130 130 rectfill"
done
pages[many]='0 1 2999 { dup 7919 mul 200 mod exch 104729 mul 200 mod moveto 9 5 rlineto
	stroke } for'

# --- documents of them ---
write() # NAME ARGUMENT...: a document of a page, by pdfwrite with these arguments
{
	local name=$1 page=${1%%.*}

	gs -q -dSAFER -dBATCH -dNOPAUSE -dALLOWPSTRANSPARENCY -sDEVICE=pdfwrite "${@:2}" \
		-o "documents/$name.pdf" --permit-file-read="$profile" \
		-c "/profile ($profile) def << /PageSize [200 200] >> setpagedevice
		${pages[$page]} showpage" >said 2>&1 ||
		complain "$name: Ghostscript makes no document: $(cat said)"
}
for page in "${!pages[@]}"; do
	write "$page.bare" -dCompatibilityLevel=1.4 -dEmbedAllFonts=false -dCompressPages=false
	write "$page.new" -dCompatibilityLevel=1.7 -dEmbedAllFonts=true -dAutoFilterColorImages=true
	pdftocairo -pdf "documents/$page.new.pdf" "documents/$page.cairo.pdf" 2>/dev/null ||
		complain "$page: pdftocairo makes no document"
done
for page in text type3 rgb8 blend-Multiply opacity; do
	write "$page.encrypted" -sOwnerPassword=owner -dEncryptionR=3 -dKeyLength=128 \
		-dCompatibilityLevel=1.4
	write "$page.icc" -sColorConversionStrategy=CMYK -dProcessColorModel=/DeviceCMYK
done
# One thread for each four bands: large pages, whose lists go into files.
for page in text many rgb8; do
	pages[large-$page]="<< /PageSize [842 1191] >> setpagedevice 4.2 4.2 scale ${pages[$page]}"
	write "large-$page"
done
mkdir damaged
python3 "$source/tests/filter/damage-pdf.py" 27 40 damaged \
	documents/{text,tiles,rgb8,opacity,axial}.*.pdf || exit 99
for file in damaged/*; do
	mv "$file" "documents/damaged-${file##*/}"
done

# --- the same dots ---
printf 'riptide-jail = off\n' >off.conf
printf 'riptide-jail = on\n' >on.conf
draw() # SETTINGS WORKERS FILE: its dots are in dots-SETTINGS-WORKERS
{
	local out=dots-$1-$2 model=grey dpi=150

	rm -f "$out"
	case $3 in
	*large*) dpi=1200 ;;
	*.cairo*) model=rgb ;;
	*.new* | *.icc*) model=cmyk ;;
	esac
	RIPTIDE_CONFIG=$folder/$1.conf timeout 120 "$riptide" rip -r $dpi --model $model \
		--workers "$2" \
		--format cups -o "$out" "$3" 2>"said-$1-$2"
	echo $? >"status-$1-$2"
	[[ -e $out ]] || : >"$out"
}
printed=0
for file in documents/*; do
	draw off 1 "$file"
	for how in "on 1" "on 8" "off 8"; do
		# shellcheck disable=SC2086
		draw $how "$file"
		cmp -s dots-off-1 "dots-${how/ /-}" && cmp -s status-off-1 "status-${how/ /-}" ||
			complain "$file, ${how/ / with threads: }: other dots: \
$(cat said-off-1) / $(cat "said-${how/ /-}")"
	done
	[[ ! -s dots-off-1 || $(cat status-off-1) != 0 ]] || ((printed++))
done
echo "$printed documents printed of $(find documents -type f | wc -l), Ghostscript $(gs --version)"
((printed >= 100)) || complain "only $printed documents were printed"
[[ ! $(ls "$TMPDIR") ]] || complain "left in TMPDIR: $(ls "$TMPDIR")"
finish
