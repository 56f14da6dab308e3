#!/bin/sh
# riptide adopt on queues with CUPS' own drivers: the printers get our dots, bit by bit; release
# restores the PPDs, also after an administrator's changes; a queue that would not print stays.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

pc_start || exit
tap
make_pdf "$PC_DIR/page.pdf" 288 432
riptide=$RIPTIDE_BUILD/riptide
# For the trial: the filters of this CUPS.
CUPS_SERVERBIN=$PC_DIR/lib CUPS_SERVERROOT=$PC_DIR/etc CUPS_DATADIR=$PC_DIR/share
export CUPS_SERVERBIN CUPS_SERVERROOT CUPS_DATADIR
ppdc -l en -d "$PC_DIR/ppd" "$(cups-config --datadir)/drv/sample.drv" >/dev/null 2>&1 ||
	fail "ppdc cannot compile CUPS' own drivers"

# ppd_of QUEUE FILE: the PPD that the server has.
ppd_of()
{
	cp "$PC_DIR/etc/ppd/$1.ppd" "$2" || fail "no PPD of $1"
}

# succeeds COMMAND...: with no word on standard error.
succeeds()
{
	"$@" >"$PC_DIR/stdout" 2>"$PC_DIR/stderr" || fail "$*: $(cat "$PC_DIR/stderr")"
	[ ! -s "$PC_DIR/stderr" ] || fail "$*: $(cat "$PC_DIR/stderr")"
}

# fails WORDS COMMAND...
fails()
{
	local words=$1

	shift
	! "$@" >"$PC_DIR/stdout" 2>"$PC_DIR/stderr" || fail "$* did not fail"
	grep -q "$words" "$PC_DIR/stderr" || fail "$*: not \"$words\": $(cat "$PC_DIR/stderr")"
}

# adopt ARGUMENT...: its trial has the job number 1, and leaves a raster in tap/ that lp may not
# replace.
adopt()
{
	succeeds "$riptide" adopt "$@"
	rm -f "$PC_DIR"/tap/*
}

# adopt_and_print NAME PPD FORMAT SCREEN [LP-ARGUMENT...]: adopts a queue with that PPD, prints, and
# releases it.
adopt_and_print()
{
	local name=$1 ppd=$PC_DIR/ppd/$2.ppd format=$3 screen=$4

	shift 4
	pc_queue "$name" "$ppd" || fail "no queue $name"
	pc_queue "$name-other" "$ppd" || fail "no other queue $name"
	ppd_of "$name" "$PC_DIR/$name.before"
	succeeds "$riptide" adopt --check "$name"
	grep -q "^yes  *$name: rasterto" "$PC_DIR/stdout" || fail "verdict: $(cat "$PC_DIR/stdout")"
	succeeds "$riptide" adopt --diff "$name"
	ppd_of "$name" "$PC_DIR/now"
	cmp "$PC_DIR/now" "$PC_DIR/$name.before" || fail "--diff has changed $name"
	adopt "$name"
	grep -q "^$name is adopted: rasterto.*; riptide release $name goes back\.$" "$PC_DIR/stdout" ||
		fail "adopt $name: $(cat "$PC_DIR/stdout")"
	ppd_of "$name" "$PC_DIR/$name.adopted"
	test_ppd "$PC_DIR/$name.adopted" >"$PC_DIR/stdout" || fail "cupstestppd: $(cat "$PC_DIR/stdout")"
	print "$name" "$PC_DIR/page.pdf" "$@"
	right_dots "$format" "$name" --screen "$screen"
	pages_are "$PC_JOB" 1
	print "$name" "$PC_DIR/page.pdf" "$@" -o halftone-screen=atkinson
	right_dots "$format" "$name" --screen atkinson
	# The administrator changes defaults of the vendor's and of ours.
	lpadmin -p "$name" -o PageSize=w288h432 -o halftone-screen=stucki || fail "lpadmin $name"
	lpadmin -p "$name-other" -o PageSize=w288h432 || fail "lpadmin $name-other"
	print "$name" "$PC_DIR/page.pdf" "$@"
	right_dots "$format" "$name" --screen stucki
	succeeds "$riptide" release "$name"
	ppd_of "$name" "$PC_DIR/now"
	ppd_of "$name-other" "$PC_DIR/expected"
	cmp "$PC_DIR/now" "$PC_DIR/expected" || fail "$name is not as it would be without adopt"
	fails "was not adopted" "$riptide" release "$name"
}

adopt_and_print laser laserjet pcl clustered -o Resolution=600dpi
adopt_and_print label zebra zpl blue-noise

# By a filter of ours that starts the driver.
pc_queue chain "$PC_DIR/ppd/laserjet.ppd" || fail "no queue chain"
ppd_of chain "$PC_DIR/chain.before"
adopt --chain --screen bayer --printer none chain
print chain "$PC_DIR/page.pdf"
right_dots pcl chain --screen bayer
pages_are "$PC_JOB" 1
succeeds "$riptide" release chain
ppd_of chain "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "chain is not restored"

# Documents by way of pdftoriptide: our dots also when gstoraster draws them; without it, what
# pdftoriptide makes by hand.
pc_queue rip "$PC_DIR/ppd/laserjet.ppd" || fail "no queue rip"
ppd_of rip "$PC_DIR/rip.before"
mv "$PC_DIR/lib/filter/pdftoriptide" "$PC_DIR/pdftoriptide"
fails "the queue rip was not changed" "$riptide" adopt --rip rip
grep -q "pdftoriptide got nothing" "$PC_DIR/stderr" || fail "without pdftoriptide: $(cat "$PC_DIR/stderr")"
rm -f "$PC_DIR"/tap/*
ppd_of rip "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/rip.before" || fail "rip has changed"
mv "$PC_DIR/pdftoriptide" "$PC_DIR/lib/filter/pdftoriptide"
adopt --rip rip
ppd_of rip "$PC_DIR/rip.adopted"
test_ppd "$PC_DIR/rip.adopted" >"$PC_DIR/stdout" || fail "cupstestppd: $(cat "$PC_DIR/stdout")"
print rip "$PC_DIR/page.pdf"
right_dots pcl rip --screen clustered
pages_are "$PC_JOB" 1
pc_print rip "$PC_DIR/page.pdf" -o halftone-dot-gain=none && pc_wait "$PC_JOB" || fail "rip does not print"
pages_are "$PC_JOB" 1
! pc_log "$PC_JOB" | grep -q 'tarted .*/gstoraster' || fail "gstoraster has drawn the page"
export PPD="$PC_DIR/rip.adopted" RIPTIDE_SOCKET=none
"$PC_DIR/lib/filter/pdftopdf" 1 user title 1 "" "$PC_DIR/page.pdf" 2>/dev/null |
	"$PC_DIR/lib/filter/pdftoriptide" 1 user title 1 halftone-dot-gain=none 2>/dev/null >"$PC_DIR/by-hand"
unset PPD RIPTIDE_SOCKET
cmp "$PC_DIR/by-hand" "$PC_DIR/out/rip" || fail "the queue rip prints something else than pdftoriptide by hand"
succeeds "$riptide" release rip
ppd_of rip "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/rip.before" || fail "rip is not restored"

# Inks, and a printer with pins.
pc_queue inks "$PC_DIR/ppd/deskjet.ppd" || fail "no queue inks"
adopt inks
print inks "$PC_DIR/page.pdf"
right_dots pcl inks --screen blue-noise
pc_queue pins "$PC_DIR/ppd/epson24.ppd" || fail "no queue pins"
adopt pins
print pins "$PC_DIR/page.pdf" -o Resolution=180dpi
right_dots escp pins --screen floyd-steinberg

# A driver that fails, one that prints nothing, and one that prints always the same.
rm "$PC_DIR/lib/filter/rastertohp"
for what in 'cat >/dev/null; exit 1' 'cat >/dev/null' 'cat >/dev/null; echo same'; do
	printf '#!/bin/sh\n%s\n' "$what" >"$PC_DIR/lib/filter/rastertohp"
	chmod 755 "$PC_DIR/lib/filter/rastertohp"
	fails "the queue chain was not changed" "$riptide" adopt chain
	ppd_of chain "$PC_DIR/now"
	cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "chain has changed: $what"
	case $what in
	*exit*) grep -q 'fails in the same way without riptide' "$PC_DIR/stderr" ;;
	*) ! grep -q 'without riptide' "$PC_DIR/stderr" ;;
	esac || fail "wrong blame: $(cat "$PC_DIR/stderr")"
done

# Whoever interrupts the trial finds no filters and files afterwards.  Root's filters run as cupsd's user, and
# SIGXFSZ is not ignored, as it is in riptide.  (cupsfilter ignores SIGPIPE itself.)
cat >"$PC_DIR/lib/filter/rastertohp" <<-END
	#!/bin/sh
	sed -n 's/^SigIgn:\t//p' /proc/self/status >"$PC_DIR/tap/ignored"
	echo "\$(id -un) \$(id -Gn)" >"$PC_DIR/tap/user"
	# Two that go on behind its back, in its own session and in another one.
	(sleep 1000 & echo "\$!" >"$PC_DIR/tap/stray")
	(setsid sh -c 'echo "\$\$" >"$PC_DIR/tap/stray-session"; exec sleep 1000' &)
	while [ ! -s "$PC_DIR/tap/stray-session" ]; do
		sleep .1
	done
	echo "\$\$ \${PPD%/ppd}" >"$PC_DIR/tap/driver.new"
	mv "$PC_DIR/tap/driver.new" "$PC_DIR/tap/driver"
	[ ! -e "$PC_DIR/ends" ] || exit 1
	exec sleep 100
END
chmod 755 "$PC_DIR/lib/filter/rastertohp"
# As the user that is configured now.
chmod 777 "$PC_DIR/tap"
sed -i '/^Group /d; s/^User .*/user	nobody\ngroup daemon/' "$PC_DIR/etc/cups-files.conf"

# leaves WHAT: fails if the trial has left a process or its folder.
leaves()
{
	local process i=0

	for process in "$driver" $(cat "$PC_DIR/tap/stray" "$PC_DIR/tap/stray-session"); do
		while grep -q '^State:[^Z]*$' "/proc/$process/status" 2>/dev/null; do
			i=$((i + 1))
			[ $i -lt 600 ] || fail "$1 leaves $(tr '\0' ' ' <"/proc/$process/cmdline")"
			sleep .1
		done
	done
	while [ -d "$folder" ]; do
		i=$((i + 1))
		[ $i -lt 600 ] || fail "$1 leaves $folder"
		sleep .1
	done
}

# interrupted SIGNAL: ends a trial by that signal.
interrupted()
{
	local i=0

	rm -f "$PC_DIR"/tap/*
	"$riptide" adopt chain >"$PC_DIR/stdout" 2>"$PC_DIR/stderr" &
	trial=$!
	until [ -s "$PC_DIR/tap/driver" ]; do
		i=$((i + 1))
		[ $i -lt 600 ] || fail "the trial starts no driver: $(cat "$PC_DIR/stderr")"
		sleep .1
	done
	read -r driver folder <"$PC_DIR/tap/driver"
	[ -d "$folder" ] || fail "no folder $folder"
	kill -"$1" $trial
	wait $trial
}

interrupted KILL
leaves "a killed trial"
interrupted TERM
[ $? = 143 ] || fail "SIGTERM does not end the trial: $(cat "$PC_DIR/stderr")"
[ ! -d "$folder" ] || fail "the interrupted trial leaves $folder"
leaves "the interrupted trial"
: >"$PC_DIR/ends"
rm -f "$PC_DIR"/tap/*
fails "the queue chain was not changed" "$riptide" adopt chain
read -r driver folder <"$PC_DIR/tap/driver"
[ ! -d "$folder" ] || fail "a trial leaves $folder"
leaves "a trial whose driver ends"
[ $((0x$(cat "$PC_DIR/tap/ignored") & 0x1000000)) = 0 ] ||
	fail "filters ignore signals: $(cat "$PC_DIR/tap/ignored")"
[ "$(cat "$PC_DIR/tap/user")" = "$([ "$(id -u)" = 0 ] && echo nobody daemon || echo "$(id -un) $(id -Gn)")" ] ||
	fail "the filters run as $(cat "$PC_DIR/tap/user")"
rm -f "$PC_DIR"/tap/*
sed -i 's/^user.*/User root/' "$PC_DIR/etc/cups-files.conf"
[ "$(id -u)" != 0 ] || fails "root tries no filters as root" "$riptide" adopt chain
sed -i 's/^User root/User nobody-at-all/' "$PC_DIR/etc/cups-files.conf"
[ "$(id -u)" != 0 ] || fails "no user nobody-at-all.*see User in cups-files.conf" "$riptide" adopt chain
sed -i 's/^User .*/User lp/; s/^group .*/Group nobody-at-all/' "$PC_DIR/etc/cups-files.conf"
[ "$(id -u)" != 0 ] || fails "no group nobody-at-all.*see Group in cups-files.conf" "$riptide" adopt chain
# Numbers are valid, too, and need no name.
user=$([ "$(id -u)" = 0 ] && echo lp || id -un)
number=$([ "$(id -u)" = 0 ] && echo 61234 || id -u)
sed -i "s/^User .*/User $number/; s/^Group .*/Group $(id -g "$user")/" "$PC_DIR/etc/cups-files.conf"

# One whose data always have the same size.
printf '#!/bin/sh\ncat\n' >"$PC_DIR/lib/filter/rastertohp"
chmod 755 "$PC_DIR/lib/filter/rastertohp"
adopt chain
succeeds "$riptide" release chain

# What cannot be.
pc_queue postscript "$PC_DIR/ppd/generic.ppd" || fail "no queue postscript"
fails "takes PostScript" "$riptide" adopt postscript
fails "cannot read the PPD of the queue nowhere" "$riptide" adopt nowhere
fails "the queue postscript: cannot write temporary files to /nonexistent (TMPDIR): No such file" \
	env TMPDIR=/nonexistent "$riptide" adopt --check postscript
fails "the queue postscript: cannot write temporary files to /nonexistent (TMPDIR): No such file" \
	env TMPDIR=/nonexistent "$riptide" target --queue postscript -o "$PC_DIR/target.pdf"
fails "the queue nowhere: The printer or class does not exist" env TMPDIR=/nonexistent "$riptide" adopt nowhere

# A raw queue among all others, and no server.
lpadmin -p raw -v "file://$PC_DIR/out/raw" -E 2>/dev/null || fail "no raw queue"
succeeds "$riptide" adopt --check raw postscript
grep -q '^no  *raw: the queue has no PPD\.$' "$PC_DIR/stdout" || fail "raw: $(cat "$PC_DIR/stdout")"
succeeds "$riptide" adopt --check --json raw
grep -q '^{"queue":"raw","verdict":"no",.*"statements":0}$' "$PC_DIR/stdout" || fail "raw: $(cat "$PC_DIR/stdout")"
fails "the queue raw has no PPD$" "$riptide" adopt raw

# No PPD of which TMPDIR took only a part, where libcups does not read the server's file itself.
adopt chain
ppd_of chain "$PC_DIR/chain.adopted"
without_space()
{
	fails "^riptide: cannot read the PPD of the queue chain: cannot write temporary files to " \
		env CUPS_SERVERROOT="$PC_DIR" bash -c 'ulimit -f 4; exec "$@"' bash "$riptide" "$@"
}
without_space release chain
without_space adopt --check chain
without_space preview --queue chain "$PC_DIR/page.pdf"
ppd_of chain "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/chain.adopted" || fail "a part of a PPD is what chain has"
succeeds env CUPS_SERVERROOT="$PC_DIR" "$riptide" release chain

# The package's script gives queues their PPDs back when it is removed, and not when it is upgraded; it names
# those that have no others.
ppd_of chain "$PC_DIR/chain.before"
prerm()
{
	succeeds env CUPS_SERVERROOT="$PC_DIR/etc" PATH="$RIPTIDE_BUILD:$PATH" \
		sh "$RIPTIDE_SOURCE/contrib/debian/riptide.prerm" "$1"
	ppd_of chain "$PC_DIR/now"
}
adopt --chain chain
ppd_of chain "$PC_DIR/chain.adopted"
prerm upgrade
cmp "$PC_DIR/now" "$PC_DIR/chain.adopted" || fail "an upgrade of the package releases a queue"
prerm remove
cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "the removal of the package does not release a queue"
prerm remove
cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "the removal of the package changes a queue"
pc_queue ours riptide-pcl5 ||
	fail "no queue with a driver of ours"
removed() # RIPTIDE-FOLDER [NAME=VALUE]
{
	env CUPS_SERVERROOT="$PC_DIR/etc" ${2+"$2"} PATH="$1:$PATH" \
		sh "$RIPTIDE_SOURCE/contrib/debian/riptide.prerm" remove >"$PC_DIR/stdout" 2>"$PC_DIR/stderr"
}
removed "$RIPTIDE_BUILD" || fail "the removal fails: $(cat "$PC_DIR/stderr")"
grep -q '^riptide: these queues have drivers of riptide, .*: ours; ' "$PC_DIR/stderr" ||
	fail "the removal does not name the queue ours: $(cat "$PC_DIR/stderr")"
lpadmin -x ours
# Without a server, the file is restored, or the package stays.
adopt chain
mkdir "$PC_DIR/bin"
printf '#!/bin/sh\nexit 1\n' >"$PC_DIR/bin/riptide"
chmod 755 "$PC_DIR/bin/riptide"
! removed "$PC_DIR/bin" || fail "a removal that breaks a queue succeeds"
grep -q '^riptide: these queues need riptide and cannot be released: chain; ' "$PC_DIR/stderr" ||
	fail "the removal says: $(cat "$PC_DIR/stderr")"
removed "$RIPTIDE_BUILD" CUPS_SERVER="$PC_DIR/none" || fail "the removal fails: $(cat "$PC_DIR/stderr")"
ppd_of chain "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "without a server, the removal does not release a queue"
succeeds "$riptide" release chain
# The server's file then forgets what belongs to an adoption, of the queues that are released only.
mkdir -p "$PC_DIR/stopped/ppd"
cp "$PC_DIR/chain.adopted" "$PC_DIR/stopped/ppd/chain.ppd"
echo '*%riptide{ damaged' >"$PC_DIR/stopped/ppd/stuck.ppd"
printer() # QUEUE [OPTIONS]
{
	printf '<Printer %s>\nInfo A printer\n%sOption media a4\n</Printer>\n' "$1" "${2-}"
}
ours='Option riptide-adopted --screen stucki
Option halftone-calibration chain
'
{ printer chain "$ours"; printer stuck "$ours"; } >"$PC_DIR/stopped/printers.conf"
{ printer chain; printer stuck "$ours"; } >"$PC_DIR/stopped/wanted.conf"
! env CUPS_SERVERROOT="$PC_DIR/stopped" CUPS_SERVER="$PC_DIR/none" PATH="$RIPTIDE_BUILD:$PATH" \
	sh "$RIPTIDE_SOURCE/contrib/debian/riptide.prerm" remove >"$PC_DIR/stdout" 2>"$PC_DIR/stderr" ||
	fail "a removal that breaks the queue stuck succeeds"
cmp "$PC_DIR/stopped/ppd/chain.ppd" "$PC_DIR/chain.before" ||
	fail "beside a queue that cannot be released, the removal does not release another one"
cmp "$PC_DIR/stopped/printers.conf" "$PC_DIR/stopped/wanted.conf" ||
	fail "the removal leaves $(cat "$PC_DIR/stopped/printers.conf")"

# The queue remembers how it was adopted, so that it can be adopted again after an update of its driver has
# given it another PPD.
remembers() # WHAT
{
	lpoptions -p chain >"$PC_DIR/stdout"
	case $1 in
	'') ! grep -q riptide-adopted "$PC_DIR/stdout" ;;
	*) grep -qE " riptide-adopted=$(echo "$1" | sed "s/+/[+]/g")( |\$)" "$PC_DIR/stdout" ;;
	esac || fail "chain remembers not '$1': $(cat "$PC_DIR/stdout")"
}
remembers ''
adopt --chain --screen stucki --printer none chain
remembers yes+chain+screen:stucki+printer:none
ppd_of chain "$PC_DIR/chain.adopted"
adopt --again
[ ! -s "$PC_DIR/stdout" ] || fail "--again without need: $(cat "$PC_DIR/stdout")"
lpadmin -p chain -P "$PC_DIR/ppd/laserjet.ppd" 2>/dev/null || fail "no other PPD for chain"
adopt --again
grep -q '^chain is adopted: ' "$PC_DIR/stdout" || fail "--again: $(cat "$PC_DIR/stdout")"
[ "$(wc -l <"$PC_DIR/stdout")" = 1 ] || fail "--again of others: $(cat "$PC_DIR/stdout")"
ppd_of chain "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/chain.adopted" || fail "--again does something else than adopt"
remembers yes+chain+screen:stucki+printer:none
lpadmin -p chain -P "$PC_DIR/ppd/generic.ppd" 2>/dev/null || fail "no PPD for PostScript"
fails "^riptide: chain cannot be adopted again: .*PostScript.*; riptide release chain forgets it$" \
	"$riptide" adopt --again
succeeds "$riptide" release chain
grep -q "^chain has another PPD already; " "$PC_DIR/stdout" || fail "release: $(cat "$PC_DIR/stdout")"
remembers ''
fails "was not adopted" "$riptide" release chain
lpadmin -p chain -P "$PC_DIR/ppd/laserjet.ppd" 2>/dev/null || fail "no PPD for chain"
ppd_of chain "$PC_DIR/chain.before"
adopt --again
ppd_of chain "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "--again adopts what was released"

# Its calibration ends with the adoption, so that the next one does not turn it on.
adopt --rip chain
remembers yes+rip
lpadmin -p chain -o halftone-calibration-default=gloss 2>/dev/null || fail "no calibration"
succeeds "$riptide" release chain
grep -q "^chain is as it was before riptide adopt, .* halftone-calibration=gloss; " "$PC_DIR/stdout" ||
	fail "release says nothing of the calibration: $(cat "$PC_DIR/stdout")"
remembers ''
! lpoptions -p chain | grep halftone-calibration || fail "release leaves a calibration"
lpadmin -p chain -o halftone-calibration-default=gloss 2>/dev/null || fail "no calibration"
fails "was not adopted" "$riptide" release chain
lpoptions -p chain | grep -q halftone-calibration || fail "release without adoption removes a calibration"
lpadmin -p chain -R halftone-calibration-default || fail "the calibration stays"

# All queues.
succeeds "$riptide" adopt --check --all
for what in 'yes  *chain' 'no  *raw' 'no  *postscript'; do
	grep -q "^$what: " "$PC_DIR/stdout" || fail "--check --all: $(cat "$PC_DIR/stdout")"
done
adopt --all
for what in 'chain is adopted' 'no  *raw' 'no  *postscript'; do
	grep -q "^$what: " "$PC_DIR/stdout" || fail "--all: $(cat "$PC_DIR/stdout")"
done
for queue in $(lpstat -e); do
	"$riptide" release "$queue" >/dev/null 2>&1
done
ppd_of chain "$PC_DIR/now"
cmp "$PC_DIR/now" "$PC_DIR/chain.before" || fail "--all cannot be released"

# A class has the PPD of its first queue for libcups, and none of its own.
lpadmin -p chain -c pool && lpadmin -p raw -c pool || fail "no class"
succeeds "$riptide" adopt --check pool chain
grep -q '^no  *pool: it is a class; what counts are its queues: chain, raw\.$' "$PC_DIR/stdout" &&
	grep -q '^yes  *chain: ' "$PC_DIR/stdout" || fail "pool: $(cat "$PC_DIR/stdout")"
fails "^riptide: pool is a class; what counts are its queues: chain, raw$" "$riptide" adopt pool
fails "^riptide: pool is a class; what counts are its queues: chain, raw$" "$riptide" release pool
fails "the queue raw has no PPD$" "$riptide" target --queue raw -o "$PC_DIR/raw.ras"
