#!/bin/bash
# riptide halftone where the world is not as it should be: each wrong input is one
# line on standard error, exit 1, and no output file; and where it is unusual:
# pipes, devices, signals, little memory.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99

pgm() # WIDTH HEIGHT: a picture
{
	printf 'P5\n%d %d\n255\n' "$1" "$2"
	head -c $(($1 * $2)) /dev/zero | tr '\0' 'a'
}

# What must fail with one line that has these words, and leave nothing.
refuses() # WORDS COMMAND...
{
	refuses_with "${wanted:-1}" "$@"
}

# The dots are those of good.pbm, or others.
same_dots() # WHAT ARGUMENT...
{
	"$riptide" halftone "${@:2}" | cmp - good.pbm || complain "$1"
}

other_dots() # WHAT ARGUMENT...
{
	! "$riptide" halftone "${@:2}" | cmp -s - good.pbm || complain "$1"
}

halftone() { refuses "$1" "$riptide" halftone "${@:2}"; }

pgm 65 40 >good.pgm
"$riptide" halftone good.pgm >good.pbm || complain "a good image is refused"
[[ $(head -c 9 good.pbm | tr '\n' ' ') == "P4 65 40 " && $(wc -c <good.pbm) == $((9 + 9 * 40)) ]] ||
	complain "the PBM file is not what it should be"

# --- wrong files ---
: >empty
echo hello >text
head -c 500 good.pgm >cut.pgm
printf 'P5 0 0 255\n' >nothing.pgm
printf 'P5 2 1 3\n\4\1' >high.pgm
printf '\377\330\377\340garbage' >bad.jpg
printf 'P5 3 3 255\naaaaaaaaaGARBAGE' >tail.pgm
halftone "is empty" -o out empty
halftone "neither PGM" -o out text
halftone "is truncated" -o out cut.pgm
printf '%%PDF-1.7\n' >doc.pdf
halftone "doc.pdf is a PDF file: riptide rip makes its dots" -o out doc.pdf
halftone "nothing to halftone" -o out nothing.pgm
halftone "above the maxval" -o out high.pgm
halftone "bad.jpg" -o out bad.jpg
halftone "what follows the image" -o out tail.pgm
# The suffix of another format would mislead whoever opens the file.
for name in out.tif out.TIFF out.jpg out.pdf out.ras; do
	wanted=2 halftone "-o $name: choose a name with .pbm, .pgm or .png, not ${name#out}" \
		-o "$name" good.pgm
done
"$build/tests/tools/pnm-raster" good.pgm 300 pwg 18 >good.pwg || exit 99
for name in out.pwg out.urf out.png; do
	wanted=2 halftone "-o $name: choose a name with .ras, not ${name#out}" -o "$name" good.pwg
done
wanted=2 halftone "pbm is for 2 levels, and pgm for more" -o out.PBM --levels 4 good.pgm
# What reads PGM or PPM reads PBM too.
for name in out.pnm out.pgm out.ppm out.dots ./out.d/dots; do
	mkdir -p out.d
	"$riptide" halftone -o "$name" good.pgm && [[ $(head -c 2 "$name") == P4 ]] ||
		complain "$name is refused"
	rm -r out*
done
halftone "Is a directory" -o out /
halftone "No such file" -o out missing.pgm
halftone "No such file" -o missing/out good.pgm
halftone "Not a directory" -o good.pgm/out good.pgm
halftone "socket" -o out --socket "$folder/socket" good.pgm
halftone "is empty" </dev/null
if [[ $EUID == 0 ]]; then
	cp good.pgm unreadable.pgm
	chmod 0 unreadable.pgm
	chmod 755 .
	mkdir closed
	chmod 555 closed
	if command -v setpriv >/dev/null; then
		nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
		refuses "Permission denied" "${nobody[@]}" "$riptide" halftone unreadable.pgm
		refuses "Permission denied" "${nobody[@]}" "$riptide" halftone -o closed/out \
			good.pgm
	fi
	rm -r unreadable.pgm closed
fi

# --- curves ---
seq 0 257 65535 >identity
same_dots "the identity is none" --curve identity good.pgm
seq 0 254 >short
{ cat short; echo 65536; } >high
{ cat short; echo -1; } >negative
halftone "short, line 256: the file ends after 255" -o out --curve short good.pgm
halftone "high, line 256" -o out --curve high good.pgm
halftone "negative, line 256" -o out --curve negative good.pgm
halftone "No such file" -o out --curve missing good.pgm
halftone "Is a directory" -o out --curve / good.pgm

# --- tones ---
tones="--printer none --dot-gain none --target linear --density 100 --gamma 1 --ink-limit none"
tones+=" --toner-save 0"
# shellcheck disable=SC2086
same_dots "tones without effect change dots" $tones good.pgm
for option in "--printer laser" "--dot-gain 25" "--density 60" "--gamma 2" "--toner-save 1"; do
	# shellcheck disable=SC2086
	other_dots "$option changes nothing" $option good.pgm
done
# --curve comes first: a curve to the extremes leaves nothing to correct.
{ for _ in {0..127}; do echo 0; done; for _ in {128..255}; do echo 65535; done; } >extremes
"$riptide" halftone --curve extremes good.pgm >extremes.pbm
"$riptide" halftone --curve extremes --printer laser --gamma 2 good.pgm | cmp - extremes.pbm ||
	complain "--curve does not come first"
[[ $("$riptide" halftone --printer help) == laser*$'\nlaser-600\n'*none ]] ||
	complain "--printer help"
# A dot gain is that of the printer, in whatever order they come, or else of a laser.
gains() # OPTION...
{
	"$riptide" halftone "$@" good.pgm | cksum
}
[[ $(gains --printer inkjet --dot-gain 12) == $(gains --dot-gain 12 --printer inkjet) ]] ||
	complain "the order of --printer and --dot-gain matters"
[[ $(gains --printer inkjet --dot-gain 12) != $(gains --dot-gain 12) ]] ||
	complain "--dot-gain without its printer"
[[ $(gains --printer laser --dot-gain 12) == $(gains --dot-gain 12) ]] ||
	complain "--dot-gain is not of a laser"
[[ $(gains --printer laser --dot-gain none) == $(gains) ]] || complain "--dot-gain none corrects"
while IFS='|' read -r option values words; do
	for value in $values; do
		fails_with 2 "$option \"$value\" is not valid: choose $words" "$riptide" halftone \
			"--$option" "$value" good.pgm
	done
done <<-'END'
	dot-gain|41 laser|none, 0 to 40
	printer|20|laser, laser-600
	target|paper|print, linear
	density|49|50 to 200
	gamma|0|0.2 to 5
	toner-save|5|none, 0 to 3, and 10 to 80 percent
	ink-limit|99|none, 100 to 1600
	edges|yes|off, on
END

# Fine edges: the dots of a grey square change, and are the same however many rows and threads there
# are; other screens do not.  Where dots would lose ink, they are as without, and a line says so.
{
	printf 'P5 96 96 255 '
	for y in {0..95}; do
		for x in {0..95}; do
			((x < 8 || x >= 88 || y < 8 || y >= 88)) && printf '\377' || printf '\200'
		done
	done
} >grey.pgm
fine() # OPTION...
{
	"$riptide" halftone --screen clustered --resolution 600 "$@" grey.pgm
}
fine >coarse.pbm
fine --edges on >fine.pbm || complain "--edges fails"
! cmp -s coarse.pbm fine.pbm || complain "--edges changes nothing"
fine --edges off | cmp - coarse.pbm || complain "--edges off changes dots"
fine --edges on --band 3 --threads 3 | cmp - fine.pbm || complain "--edges depends on the band"
fine --edges on --isa c | cmp - fine.pbm || complain "--edges depends on the instruction set"
"$riptide" halftone --screen blue-noise grey.pgm >plain.pbm
"$riptide" halftone --screen blue-noise --edges on grey.pgm | cmp - plain.pbm ||
	complain "--edges changes blue-noise"
fine --density 80 >coarse.pbm
fine --density 80 --edges on 2>err | cmp - coarse.pbm || complain "--edges with a density of 80"
grep -q 'halftone-edges=off, because' err ||
	complain "--edges without effect says nothing: $(cat err)"

# Toner save: of a black square with a hole, the edges stay black, also with 3 rows at a time.
# Barcodes of bi-level do not change.
{
	printf 'P5 96 96 255 '
	for y in {0..95}; do
		for x in {0..95}; do
			((x < 8 || x >= 88 || y < 8 || y >= 88 || (x == 40 && y == 40))) &&
				printf '\377' || printf '\0'
		done
	done
} >square.pgm
"$riptide" halftone --toner-save 60% square.pgm >saved.pbm || complain "--toner-save fails"
"$riptide" halftone --toner-save 3 --band 3 square.pgm | cmp - saved.pbm ||
	complain "--toner-save depends on the band"
tail -c $((12 * 96)) saved.pbm | od -An -v -tu1 -w12 | awk '
	{ for (i = 1; i <= 12; i++) for (b = 7; b >= 0; b--)
		bits[NR - 1] = bits[NR - 1] int($i / 2 ^ b) % 2 }
	END {
		for (y = 0; y < 96; y++) for (x = 0; x < 96; x++) {
			dot = substr(bits[y], x + 1, 1)
			area = x >= 8 && x < 88 && y >= 8 && y < 88 && !(x == 40 && y == 40)
			inside = x >= 10 && x < 86 && y >= 10 && y < 86 &&
				!(x >= 38 && x <= 42 && y >= 38 && y <= 42)
			if (!inside && dot != area) bad++
			if (inside) { all++; dots += dot }
		}
		exit bad > 0 || dots < .38 * all || dots > .42 * all
	}' || complain "--toner-save is not 60 % less inside, and black at the edges"
"$riptide" halftone --screen bi-level square.pgm >plain.pbm
"$riptide" halftone --screen bi-level --toner-save 3 square.pgm | cmp - plain.pbm ||
	complain "--toner-save changes bi-level"

# --- screens ---
halftone "good.pgm: no screen clustered-999 at 300 x 300 dpi" -o out --screen clustered-999 \
	--resolution 300 good.pgm
"$riptide" halftone --screen clustered good.pgm >clustered.pbm || complain "no clustered screen"
"$riptide" halftone --screen clustered --resolution 600x600 good.pgm | cmp - clustered.pbm ||
	complain "the resolution of a PGM file is not 600"
"$riptide" halftone --screen clustered --resolution 1200 good.pgm | cmp -s - clustered.pbm &&
	complain "the resolution changes nothing"
"$riptide" halftone --screen bi-level good.pgm | tail -c +10 | tr -d '\377' | tr -d '\200' |
	grep -q . &&
	complain "bi-level has dots in dark grey" # a: 97 of 255

# --- where the output goes ---
pgm 3000 3000 >large.pgm
if [[ -w /dev/full ]]; then
	for image in good large; do
		refuses "No space left" "$riptide" halftone -o /dev/full $image.pgm
		refuses "No space left" bash -c "'$riptide' halftone $image.pgm >/dev/full"
	done
fi
refuses "File too large" bash -c "ulimit -f 40; '$riptide' halftone -o out large.pgm"
refuses "Broken pipe" bash \
	-c "'$riptide' halftone large.pgm | (exec <&-; sleep 0.2); exit \${PIPESTATUS[0]}"
refuses "Bad file descriptor" bash -c "'$riptide' halftone good.pgm >&-"
refuses "Bad file descriptor" bash -c "'$riptide' halftone -o out <&-"
"$riptide" halftone -o /dev/null good.pgm || complain "/dev/null does not take it"
[[ -c /dev/null ]] || complain "/dev/null was replaced"
mkfifo fifo
timeout 120 cat fifo >through &
timeout 120 "$riptide" halftone -o fifo good.pgm || complain "a FIFO does not take it"
wait
cmp through good.pbm || complain "what went through the FIFO differs"

# What a shell has opened is written where it stands, and not replaced.
for name in /dev/stdout /dev/stderr /dev/fd/3 /proc/self/fd/3 /proc/thread-self/fd/3 link; do
	ln -sf /dev/fd/3 link
	case $name in
		*out) number=1 ;;
		*err) number=2 ;;
		*) number=3 ;;
	esac
	for mode in ">>" ">" "<>"; do
		echo keep >log
		(
			eval "exec $number$mode log"
			[[ $mode == ">>" ]] || echo keep >&$number
			"$riptide" halftone -o $name good.pgm
			echo after >&$number
		)
		cmp log <(echo keep; cat good.pbm; echo after) ||
			complain "-o $name of $mode log gives another file"
	done
	rm link
done
same_dots "-o /dev/stdout gives other dots to a pipe" -o /dev/stdout good.pgm
refuses "Bad file descriptor" bash -c "'$riptide' halftone -o /dev/stdout good.pgm >&-"
refuses "Bad file descriptor" "$riptide" halftone -o /dev/fd/7 good.pgm
refuses "Bad file descriptor" bash -c "'$riptide' halftone -o /dev/fd/7 good.pgm 7<log"
sleep 60 >>log &
refuses "name the file itself" "$riptide" halftone -o /proc/$!/fd/1 good.pgm
kill $!
wait $! 2>/dev/null
rm log

# --- pipes, and reading a byte at a time ---
cat good.pgm | same_dots "a pipe gives other dots"
cat good.pgm | same_dots "- gives other dots" - -o -
(
	for ((i = 0; i < 20; i++)); do
		dd bs=1 count=1 status=none
	done <good.pgm
	tail -c +21 good.pgm
) | same_dots "slow bytes give other dots"

# --- the output file: beside and renamed, with the rights of the one before ---
umask 027
"$riptide" halftone -o out.pbm good.pgm
[[ $(stat -c %a out.pbm) == 640 ]] || complain "a new file has mode $(stat -c %a out.pbm)"
echo before >out.pbm
chmod 604 out.pbm
ln out.pbm before
ln -s out.pbm link
"$riptide" halftone -o link good.pgm
cmp -s out.pbm good.pbm || complain "through a link: not written"
[[ -L link ]] || complain "the link was replaced"
[[ $(stat -c %a out.pbm) == 604 ]] || complain "a replaced file has mode $(stat -c %a out.pbm)"
[[ $(cat before) == before ]] || complain "a file was written into, not replaced"
echo before >out.pbm
"$riptide" halftone -o out.pbm cut.pgm 2>/dev/null
[[ $(cat out.pbm) == before ]] || complain "a failure touched the file that was there"
rm -f out.pbm before link

# Names as long as they can be, also without room for the end of the temporary one.
for letter in x é; do
	long=$(printf "$letter%.0s" {1..300} | LC_ALL=C cut -b -254 | iconv -c -f utf-8 -t utf-8)y
	mkdir long
	"$riptide" halftone -o "long/$long" good.pgm ||
		complain "a name of $(printf %s "$long" | wc -c) bytes is refused"
	[[ $(ls long) == "$long" ]] && cmp "long/$long" good.pbm ||
		complain "a long name: $(ls long)"
	rm -r long
done
refuses "File name too long" "$riptide" halftone -o "x$long" good.pgm

# --- signals: nothing is left behind ---
ulimit -c 0

# The unfinished file, by its name or, where the file system allows files without one, by its
# descriptor.
unfinished() # PID
{
	find . -name 'out.pbm.*'
	find "/proc/$1/fd" -lname "$PWD/*(deleted)" 2>/dev/null
}

for signal in INT TERM HUP QUIT XCPU KILL; do
	mkfifo slow
	# a background job of a script ignores SIGINT and SIGQUIT: env puts that right
	env --default-signal=INT,QUIT "$riptide" halftone -o out.pbm slow 2>stderr &
	pid=$!
	exec 5>slow
	printf 'P5 1000 1000 255\n' >&5
	head -c 500000 /dev/zero | tr '\0' 'a' >&5
	wait_for 60 eval '[[ $(unfinished $pid) ]]' ||
		complain "SIG$signal: there was no unfinished file"
	[[ ! -e out.pbm ]] || complain "SIG$signal: the file was there before it was complete"
	[[ $signal == KILL && $(unfinished $pid) == ./* ]] &&
		signal=TERM # it has to have a name here
	kill -s "$signal" "$pid"
	wait "$pid" 2>/dev/null
	status=$?
	((status == 128 + $(kill -l "$signal"))) || complain "SIG$signal: exit status $status"
	[[ -z $(find . -name 'out*') ]] || complain "SIG$signal: left $(find . -name 'out*')"
	exec 5>&-
	rm -f slow stderr out*
done

# --- an input is not replaced ---
cp good.pgm input.pgm
cp good.pgm saved.pgm
ln -s input.pgm to-input
ln input.pgm other-name
for i in {0..255}; do echo $((i * 257)); done >curve
cp curve saved-curve
for name in input.pgm ./input.pgm to-input other-name; do
	halftone "it is the input: name another file with -o" --levels 4 -o $name input.pgm
	refuses "it is the input" "$riptide" halftone --levels 4 -o $name - <input.pgm
done
halftone "it is the curve: name another file" --curve curve -o curve good.pgm
cmp input.pgm saved.pgm && cmp curve saved-curve || complain "an input was replaced"

# --- under mpirun, one line of the first process names the program for that ---
for variable in OMPI_COMM_WORLD PMI; do
	refuses_with 2 riptide-mpi env "${variable}_SIZE=3" "${variable}_RANK=0" "$riptide" \
		halftone -o out good.pgm
	# The other ranks say nothing.
	env "${variable}_SIZE=3" "${variable}_RANK=1" "$riptide" halftone -o out good.pgm 2>stderr
	[[ $? == 2 && ! -e out && ! -s stderr ]] ||
		complain "$variable: rank 1: $(ls out) $(cat stderr)"
	env "${variable}_SIZE=1" "${variable}_RANK=0" "$riptide" halftone -o out good.pgm ||
		complain "$variable: one process is refused"
	rm -f out stderr
done

# --- memory: what a header claims is not allocated, and height costs nothing ---
# (a sanitizer's shadow does not fit under a limit)
if "$riptide" halftone --help >/dev/null &&
	(ulimit -v 300000 && "$riptide" --version) >/dev/null 2>&1; then
	ulimit -v 300000
	printf 'P5 100000 100000 255\nabc' >claim.pgm
	printf 'P5 16777215 16777215 65535\nabc' >wide.pgm
	halftone "claim.pgm is truncated: it ends in row 1 of 100000" -o out claim.pgm
	halftone "is truncated" -o out claim.pgm --screen stucki --levels 16
	halftone "wide.pgm" -o out wide.pgm
	(
		printf 'P5 1000 300000 255\n'
		head -c 300000000 /dev/zero | tr '\0' 'a'
	) | timeout 60 "$riptide" halftone --threads 1 >tall || complain "300,000 rows are too many"
	[[ $(wc -c <tall) == $((15 + 125 * 300000)) ]] ||
		complain "300,000 rows: $(wc -c <tall) bytes"
else
	echo "memory is not tested: this build does not run under a limit"
fi

finish
