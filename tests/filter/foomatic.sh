#!/bin/bash
# rastertofoomatic with commands of our own: the request arrives whatever descriptors are open, and what
# cannot be right is refused.
set -uo pipefail

build=$(realpath "${RIPTIDE_BUILD:-$PWD}")
folder=$(mktemp -d) || exit 99
trap 'cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 99
failed=0
export RIPTIDE_SOCKET=none LC_ALL=C PPD=$folder/queue.ppd
unset FINAL_CONTENT_TYPE

complain() # TEXT
{
	echo "FAILED: $1"
	failed=1
}

make_ppd() # COMMAND SETTING
{
	cat >queue.ppd <<-END
		*PPD-Adobe: "4.3"
		*FormatVersion: "4.3"
		*FileVersion: "1.0"
		*LanguageVersion: English
		*LanguageEncoding: ISOLatin1
		*PCFileName: "FOO.PPD"
		*Product: "(Foo)"
		*PSVersion: "(3010.000) 0"
		*Manufacturer: "Foo"
		*ModelName: "Foo"
		*ShortNickName: "Foo"
		*NickName: "Foo"
		*ColorDevice: False
		*DefaultColorSpace: Gray
		*FoomaticRIPCommandLine: "$1"
		*FoomaticRIPOption Fixed: enum CmdLine A 100
		*FoomaticRIPOptionSetting Fixed=One: "$2"
		*OpenUI *PageSize: PickOne
		*DefaultPageSize: Small
		*PageSize Small: "<</PageSize[200 200]>>setpagedevice"
		*CloseUI: *PageSize
		*DefaultImageableArea: Small
		*ImageableArea Small: "0 0 200 200"
		*DefaultPaperDimension: Small
		*PaperDimension Small: "200 200"
	END
}

run() # FILE
{
	timeout 60 "$build/rastertofoomatic" 7 user title 1 "" "$1" >out 2>err
}

refused() # WHAT WORDS FILE
{
	run "$3" && complain "$1: not refused"
	grep -q "^ERROR: .*$2" err || complain "$1: $(cat err)"
	[[ ! -e ran ]] || complain "$1: the command ran"
}

# A page of 400 x 300 black dots: uncompressed CUPS raster.
python3 - >dots.ras <<'END' || exit 99
import struct, sys
header = bytearray(1796)
for at, number in ((276, 600), (280, 600), (340, 1), (372, 400), (376, 300), (384, 1), (388, 1), (392, 50),
		   (400, 3), (420, 1)):
    struct.pack_into("=I", header, at, number)
sys.stdout.buffer.write((b"RaS3" if sys.byteorder == "big" else b"3SaR") + header + bytes([0x5a]) * 15000)
END

command='gs -sDEVICE=pbmraw -sOutputFile=- -%A | cat'
make_ppd "$command" " -q"
run dots.ras || complain "a page: $(cat err)"
mv out expected
[[ $(head -c 2 expected) == P4 ]] || complain "no PBM comes out"
for ((most = 4; most < 10; most++)); do
	for ((i = 4; i <= most; i++)); do
		eval "exec $i</dev/null"
	done
	run dots.ras || complain "descriptors 4 to $most are open: $(cat err)"
	cmp expected out || complain "descriptors 4 to $most are open: other data"
done
for ((i = 4; i < 10; i++)); do
	eval "exec $i<&-"
done

# cupsImagingBBox is no number, or a very large one.
for bytes in '\377\377\377\377' '\177\160\177\160' '\160\177\160\177'; do
	cp dots.ras box.ras
	# shellcheck disable=SC2059
	printf "$bytes" | dd of=box.ras bs=1 seek=440 conv=notrunc status=none
	refused "the box $bytes" "cupsImagingBBox begins at" box.ras
done

# What is too long is not cut.
long=$(printf 'x%.0s' {1..150})
long=$(for ((i = 0; i < 30; i++)); do echo "$long&&"; done)x # folded lines
make_ppd "touch ran; gs -sDEVICE=pbmraw -sOutputFile=- - | cat; : $long" ""
refused "a long command" "longer than 4095 bytes" dots.ras
make_ppd "touch ran; gs -sDEVICE=pbmraw -sOutputFile=- -%A | cat" " ; : $long"
refused "a long setting" "longer than 4095 bytes" dots.ras
# shellcheck disable=SC2016 # the command's
make_ppd 'gs -sDEVICE=pbmraw -sOutputFile=- $(seq 5000) | cat' ""
refused "long arguments" "more than 16384 bytes of arguments" dots.ras

# CUPS's filters are programs for the command, however long PATH is.
mkdir -p bin/filter
printf '#!/bin/sh\nexec cat\n' >bin/filter/encoder
chmod 755 bin/filter/encoder
make_ppd "gs -sDEVICE=pbmraw -sOutputFile=- -%A | encoder" " -q"
CUPS_SERVERBIN=$folder/bin PATH=$PATH:/$(printf 'x%.0s' {1..9000}) run dots.ras || complain "a long PATH: $(cat err)"
cmp expected out || complain "a long PATH: other data"
exit $failed
