#!/bin/bash
# The folder for temporary files is missing, cannot be written to, or is full: riptide rip and
# preview say so in one line, and no page lacks what Ghostscript could not write there.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs

inside=() # what the commands run in

# Exit status 1, one line with these words, and no output.
fails() # WORDS ARGUMENT...
{
	echo "# ${inside[*]} ${*:2}"
	fails_with 1 "$1" "${inside[@]}" "$riptide" "${@:2}"
	[[ $(cat stderr) == *"set TMPDIR to another folder" ]] ||
		complain "${*:2}: no advice: $(cat stderr)"
}

# A page of many lines, which Ghostscript lists in a file; and one that is small.
lines='<< /PageSize [612 792] >> setpagedevice
0 1 12000 { /i exch def i 7 mul 600 mod i 13 mul 780 mod moveto
	i 3 mul 500 mod i 11 mul 700 mod lineto
	i 100 mod 100 div setgray stroke } for showpage'
make_pdf lines.pdf "$lines"
make_pdf pages.pdf "$lines $lines"
make_pdf small.pdf '<< /PageSize [72 72] >> setpagedevice 9 9 30 30 rectfill showpage'
ppds=()
if command -v ppdc >/dev/null; then
	make_ppds
	ppds=(ppds/riptide-pcl5.ppd)
	# gstoraster draws for light inks.
	[[ ! -x $gstoraster ]] || ppds+=(ppds/riptide-escp2-photo.ppd)
fi
((${#ppds[@]} == 2)) || leave_out "no ppdc or no gstoraster: preview was not checked completely"

# Pages without files of Ghostscript's: their lists are in memory.
prints() # ARGUMENT...: as before
{
	local expected="expected $*"

	echo "# ${inside[*]} $*"
	expected=${expected//\//-}
	[[ -e $expected ]] || "$riptide" "$@" >"$expected" 2>stderr || complain "$*: $(cat stderr)"
	timeout 120 "${inside[@]}" "$riptide" "$@" >dots 2>stderr ||
		complain "${inside[*]}: $*: $(cat stderr)"
	[[ ! -s stderr ]] || complain "${inside[*]}: $*: $(cat stderr)"
	cmp "$expected" dots || complain "${inside[*]}: $*: other dots"
}

# --- no folder ---
mkdir closed
: >file
chmod 500 closed
unusable=("$folder/missing:No such file or directory" "$folder/file:Not a directory")
((EUID == 0)) || unusable+=("$folder/closed:Permission denied")
for one in "${unusable[@]}"; do
	words="cannot write temporary files to ${one%:*} (TMPDIR): ${one##*:}"
	inside=(env TMPDIR="${one%:*}")
	prints rip lines.pdf
	prints rip --model cmyk -r 300 --format cups lines.pdf
	fails "standard input: $words" rip -o out.pbm - < <(cat lines.pdf)
	for ppd in "${ppds[@]:0:1}"; do
		prints preview --ppd "$ppd" lines.pdf
	done
	for ppd in "${ppds[@]:1}"; do
		fails "$words" preview -o out.png --ppd "$ppd" lines.pdf
	done
done

# --- a Ghostscript that needs files all the same ---
mkdir bin
cat >bin/gs <<'END'
#!/bin/sh
echo "GPL Ghostscript 10.00.0: **** Could not open temporary file $TMPDIR/gs_XXXXXX" >&2
echo "**** Unable to open the initial device, quitting." >&2
exit 1
END
chmod +x bin/gs
no_jail
inside=(env TMPDIR="$folder/missing" PATH="$folder/bin:$PATH")
missing="cannot write temporary files to $folder/missing (TMPDIR): No such file or directory"
fails "lines.pdf: $missing" \
	rip -o out.pbm lines.pdf
# The same where it takes no commands any more.
sed -i 's/^exit/exec <\&-; sleep 1; exit/' bin/gs
fails "lines.pdf: $missing" \
	rip -o out.pbm lines.pdf
# A folder that can be written to is not blamed.
"${inside[@]}" TMPDIR="$folder" "$riptide" rip -o out.pbm lines.pdf 2>stderr &&
	complain "succeeds without a page"
[[ $(cat stderr) == \
	"riptide: lines.pdf: Ghostscript has ended: GPL Ghostscript"*\
"Could not open temporary file"* ]] ||
	complain "a reason that is only Ghostscript's: $(cat stderr)"

unset RIPTIDE_CONFIG
# --- a folder that is full, or read-only: file systems in a namespace of their own ---
mkdir space
# mounted OPTIONS COMMAND...: with $folder/space as TMPDIR
cat >mounted <<'END'
#!/bin/sh
options=$1
shift
mount -t tmpfs -o "$options" tmpfs space || exit 99
TMPDIR=$PWD/space exec "$@"
END
chmod +x mounted
if unshare -rm ./mounted size=16k true 2>/dev/null; then
	inside=(unshare -rm ./mounted ro)
	prints rip lines.pdf
	fails "cannot write temporary files to $folder/space (TMPDIR): Read-only file system" rip \
		-o out.pbm - \
		< <(cat lines.pdf)
	words="cannot write temporary files to $folder/space (TMPDIR): No space left on device: "
	words+="make room there"
	# No space for a copy of the document, for lists, or for long ones.
	for size in 16k 200k 300k; do
		inside=(unshare -rm ./mounted "size=$size")
		prints rip --workers 2 pages.pdf
		for ppd in "${ppds[@]:1}"; do
			fails "$words" preview -o out.png --ppd "$ppd" lines.pdf
		done
	done
	inside=(unshare -rm ./mounted size=16k)
	fails "standard input: $words" rip -o out.pbm - < <(cat lines.pdf)
	# Space that is taken when Ghostscript has begun with its files: it begins again, without.
	cat >bin/gs <<-END
		#!/bin/bash
		echo "\$*" >>starts
		fallocate -l $((520 * 1024 - 600))K space/taken || exit 1
		exec "$(command -v gs)" "\$@"
	END
	no_jail
	inside=(unshare -rm ./mounted size=520m env PATH="$folder/bin:$PATH")
	prints rip --workers 1 lines.pdf
	[[ $(wc -l <starts) == 2 && $(grep -c memory starts) == 1 ]] ||
		complain "not drawn again: $(cat starts)"
else
	leave_out "no file system can be mounted: a full folder was not tried"
fi
finish
