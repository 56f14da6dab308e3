#!/bin/sh
# riptide adopt on queues with CUPS' own drivers: the printers get our dots, bit by bit; release
# restores the PPDs, also after an administrator's changes; a queue that would not print stays.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
tap
make_pdf page.pdf 288 432
# For the trial: the filters of this CUPS.
CUPS_SERVERBIN=$PC_DIR/lib CUPS_SERVERROOT=$PC_DIR/etc CUPS_DATADIR=$PC_DIR/share
export CUPS_SERVERBIN CUPS_SERVERROOT CUPS_DATADIR
sample_ppds

# ppd_of QUEUE FILE: the PPD that the server has.
ppd_of()
{
	cp "etc/ppd/$1.ppd" "$2" || fail "no PPD of $1"
}

# ppd_is QUEUE FILE WHAT: the PPD that the server has is that one.
ppd_is()
{
	cmp "etc/ppd/$1.ppd" "$2" || fail "$3"
}

# says WORDS: the last command did.
says()
{
	grep -q "$1" stdout || fail "not \"$1\": $(cat stdout)"
}

# succeeds COMMAND...: with no word on standard error.
succeeds()
{
	"$@" >stdout 2>stderr || fail "$*: $(cat stderr)"
	[ ! -s stderr ] || fail "$*: $(cat stderr)"
}

# fails WORDS COMMAND...
fails()
{
	local words=$1

	shift
	! "$@" >stdout 2>stderr || fail "$* did not fail"
	grep -q "$words" stderr || fail "$*: not \"$words\": $(cat stderr)"
}

# adopt ARGUMENT...: its trial has the job number 1, and leaves a raster in tap/ that lp may not
# replace.
adopt()
{
	succeeds "$riptide" adopt "$@"
	rm -f tap/*
}

# adopt_and_print NAME PPD FORMAT SCREEN [LP-ARGUMENT...]: adopts a queue with that PPD, prints, and
# releases it.
adopt_and_print()
{
	local name=$1 ppd=$PC_DIR/ppd/$2.ppd format=$3 screen=$4

	shift 4
	queue "$name" "$ppd"
	queue "$name-other" "$ppd"
	ppd_of "$name" "$name.before"
	succeeds "$riptide" adopt --check "$name"
	says "^yes  *$name: rasterto"
	succeeds "$riptide" adopt --diff "$name"
	ppd_is "$name" "$name.before" "--diff has changed $name"
	adopt "$name"
	says "^$name is adopted: rasterto.*; riptide release $name goes back\.$"
	ppd_of "$name" "$name.adopted"
	test_ppd "$name.adopted" >stdout || fail "cupstestppd: $(cat stdout)"
	print "$name" page.pdf "$@"
	right_dots "$format" "$name" --screen "$screen"
	pages_are "$PC_JOB" 1
	print "$name" page.pdf "$@" -o halftone-screen=atkinson
	right_dots "$format" "$name" --screen atkinson
	# The administrator changes defaults of the vendor's and of ours.
	lpadmin -p "$name" -o PageSize=w288h432 -o halftone-screen=stucki || fail "lpadmin $name"
	lpadmin -p "$name-other" -o PageSize=w288h432 || fail "lpadmin $name-other"
	print "$name" page.pdf "$@"
	right_dots "$format" "$name" --screen stucki
	succeeds "$riptide" release "$name"
	ppd_is "$name" "etc/ppd/$name-other.ppd" "$name is not as it would be without adopt"
	fails "was not adopted" "$riptide" release "$name"
}

adopt_and_print laser laserjet pcl clustered -o Resolution=600dpi
adopt_and_print label zebra zpl blue-noise

# By a filter of ours that starts the driver.
queue chain ppd/laserjet.ppd
ppd_of chain chain.before
adopt --chain --screen bayer --printer none chain
print chain page.pdf
right_dots pcl chain --screen bayer
pages_are "$PC_JOB" 1
succeeds "$riptide" release chain
ppd_is chain chain.before "chain is not restored"

# Documents by way of pdftoriptide: our dots also when gstoraster draws them; without it, what
# pdftoriptide makes by hand.
queue rip ppd/laserjet.ppd
ppd_of rip rip.before
mv lib/filter/pdftoriptide pdftoriptide
fails "the queue rip was not changed" "$riptide" adopt --rip rip
grep -q "pdftoriptide got nothing" stderr || fail "without pdftoriptide: $(cat stderr)"
rm -f tap/*
ppd_is rip rip.before "rip has changed"
mv pdftoriptide lib/filter/pdftoriptide
adopt --rip rip
ppd_of rip rip.adopted
test_ppd rip.adopted >stdout || fail "cupstestppd: $(cat stdout)"
print rip page.pdf
right_dots pcl rip --screen clustered
pages_are "$PC_JOB" 1
pc_print rip page.pdf -o halftone-dot-gain=none && pc_wait "$PC_JOB" || fail "rip does not print"
pages_are "$PC_JOB" 1
! pc_log "$PC_JOB" | grep -q 'tarted .*/gstoraster' || fail "gstoraster has drawn the page"
export PPD="$PC_DIR/rip.adopted" RIPTIDE_SOCKET=none
lib/filter/pdftopdf 1 user title 1 "" page.pdf 2>/dev/null |
	lib/filter/pdftoriptide 1 user title 1 halftone-dot-gain=none 2>/dev/null >by-hand
unset PPD RIPTIDE_SOCKET
cmp by-hand out/rip || fail "the queue rip prints something else than pdftoriptide by hand"
succeeds "$riptide" release rip
ppd_is rip rip.before "rip is not restored"

# Inks, and a printer with pins.
queue inks ppd/deskjet.ppd
adopt inks
print inks page.pdf
right_dots pcl inks --screen blue-noise
queue pins ppd/epson24.ppd
adopt pins
print pins page.pdf -o Resolution=180dpi
right_dots escp pins --screen floyd-steinberg

# A driver that fails, one that prints nothing, and one that prints always the same.
rm lib/filter/rastertohp
for what in 'cat >/dev/null; exit 1' 'cat >/dev/null' 'cat >/dev/null; echo same'; do
	printf '#!/bin/sh\n%s\n' "$what" >lib/filter/rastertohp
	chmod 755 lib/filter/rastertohp
	fails "the queue chain was not changed" "$riptide" adopt chain
	ppd_is chain chain.before "chain has changed: $what"
	case $what in
	*exit*) grep -q 'fails in the same way without riptide' stderr ;;
	*) ! grep -q 'without riptide' stderr ;;
	esac || fail "wrong blame: $(cat stderr)"
done

# Whoever interrupts the trial finds no filters and files afterwards.  Root's filters run as cupsd's
# user, and SIGXFSZ is not ignored, as it is in riptide.  (cupsfilter ignores SIGPIPE itself.)
cat >lib/filter/rastertohp <<-END
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
chmod 755 lib/filter/rastertohp
# As the user that is configured now.
chmod 777 tap
sed -i '/^Group /d; s/^User .*/user	nobody\ngroup daemon/' etc/cups-files.conf

# leaves WHAT: fails if the trial has left a process or its folder.
leaves()
{
	local status

	status=$(cat tap/stray tap/stray-session | sed "1i$driver" | sed 's,.*,/proc/&/status,')
	# shellcheck disable=SC2086 # words
	nothing_left() { ! grep -qs '^State:[^Z]*$' $status && [ ! -d "$folder" ]; }
	pc_wait_for 60 nothing_left || fail "$1 leaves $(ls -d "$folder" 2>&1), or one of $status"
}

# interrupted SIGNAL: ends a trial by that signal.
interrupted()
{
	rm -f tap/*
	"$riptide" adopt chain >stdout 2>stderr &
	trial=$!
	pc_wait_for 60 [ -s tap/driver ] || fail "the trial starts no driver: $(cat stderr)"
	read -r driver folder <tap/driver
	[ -d "$folder" ] || fail "no folder $folder"
	kill -"$1" $trial
	wait $trial
}

interrupted KILL
leaves "a killed trial"
interrupted TERM
[ $? = 143 ] || fail "SIGTERM does not end the trial: $(cat stderr)"
[ ! -d "$folder" ] || fail "the interrupted trial leaves $folder"
leaves "the interrupted trial"
: >ends
rm -f tap/*
fails "the queue chain was not changed" "$riptide" adopt chain
read -r driver folder <tap/driver
[ ! -d "$folder" ] || fail "a trial leaves $folder"
leaves "a trial whose driver ends"
[ $((0x$(cat tap/ignored) & 0x1000000)) = 0 ] || fail "filters ignore signals: $(cat tap/ignored)"
[ "$(cat tap/user)" = "$([ "$(id -u)" = 0 ] && echo nobody daemon ||
	echo "$(id -un) $(id -Gn)")" ] ||
	fail "the filters run as $(cat tap/user)"
rm -f tap/*
refused_as() # GROUP-OR-USER-COMMAND WORDS: to root
{
	sed -i "$1" etc/cups-files.conf
	[ "$(id -u)" != 0 ] || fails "$2" "$riptide" adopt chain
}
refused_as 's/^user.*/User root/' "root tries no filters as root"
refused_as 's/^User root/User nobody-at-all/' "no user nobody-at-all.*see User in cups-files.conf"
refused_as 's/^User .*/User lp/; s/^group .*/Group nobody-at-all/' \
	"no group nobody-at-all.*see Group in cups-files.conf"
# Numbers are valid, too, and need no name.
user=$([ "$(id -u)" = 0 ] && echo lp || id -un)
number=$([ "$(id -u)" = 0 ] && echo 61234 || id -u)
sed -i "s/^User .*/User $number/; s/^Group .*/Group $(id -g "$user")/" etc/cups-files.conf

# One whose data always have the same size.
printf '#!/bin/sh\ncat\n' >lib/filter/rastertohp
chmod 755 lib/filter/rastertohp
adopt chain
succeeds "$riptide" release chain

# What cannot be.
queue postscript ppd/generic.ppd
fails "takes PostScript" "$riptide" adopt postscript
fails "cannot read the PPD of the queue nowhere" "$riptide" adopt nowhere
fails "the queue postscript: cannot write temporary files to /nonexistent (TMPDIR): No such file" \
	env TMPDIR=/nonexistent "$riptide" adopt --check postscript
fails "the queue postscript: cannot write temporary files to /nonexistent (TMPDIR): No such file" \
	env TMPDIR=/nonexistent "$riptide" target --queue postscript -o target.pdf
fails "the queue nowhere: The printer or class does not exist" env TMPDIR=/nonexistent "$riptide" \
	adopt nowhere

# A raw queue among all others, and no server.
lpadmin -p raw -v "file://$PC_DIR/out/raw" -E 2>/dev/null || fail "no raw queue"
succeeds "$riptide" adopt --check raw postscript
says '^no  *raw: the queue has no PPD\.$'
succeeds "$riptide" adopt --check --json raw
says '^{"queue":"raw","verdict":"no",.*"statements":0}$'
fails "the queue raw has no PPD$" "$riptide" adopt raw

# No PPD of which TMPDIR took only a part, where libcups does not read the server's file itself.
adopt chain
ppd_of chain chain.adopted
without_space()
{
	fails "^riptide: cannot read the PPD of the queue chain: cannot write temporary files to " \
		env CUPS_SERVERROOT="$PC_DIR" bash -c 'ulimit -f 4; exec "$@"' bash "$riptide" "$@"
}
without_space release chain
without_space adopt --check chain
without_space preview --queue chain page.pdf
ppd_is chain chain.adopted "a part of a PPD is what chain has"
succeeds env CUPS_SERVERROOT="$PC_DIR" "$riptide" release chain

# The package's script gives queues their PPDs back when it is removed, and not when it is upgraded;
# it names those that have no others.
ppd_of chain chain.before
prerm()
{
	succeeds env CUPS_SERVERROOT="$PC_DIR/etc" PATH="$RIPTIDE_BUILD:$PATH" \
		sh "$RIPTIDE_SOURCE/contrib/debian/riptide.prerm" "$1"
}
adopt --chain chain
ppd_of chain chain.adopted
prerm upgrade
ppd_is chain chain.adopted "an upgrade of the package releases a queue"
prerm remove
ppd_is chain chain.before "the removal of the package does not release a queue"
prerm remove
ppd_is chain chain.before "the removal of the package changes a queue"
queue ours riptide-pcl5
removed() # RIPTIDE-FOLDER [NAME=VALUE]
{
	env CUPS_SERVERROOT="$PC_DIR/etc" ${2+"$2"} PATH="$1:$PATH" \
		sh "$RIPTIDE_SOURCE/contrib/debian/riptide.prerm" remove >stdout 2>stderr
}
removed "$RIPTIDE_BUILD" || fail "the removal fails: $(cat stderr)"
grep -q '^riptide: these queues have drivers of riptide, .*: ours; ' stderr ||
	fail "the removal does not name the queue ours: $(cat stderr)"
lpadmin -x ours
# Without a server, the file is restored, or the package stays.
adopt chain
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/riptide
chmod 755 bin/riptide
! removed bin || fail "a removal that breaks a queue succeeds"
grep -q '^riptide: these queues need riptide and cannot be released: chain; ' stderr ||
	fail "the removal says: $(cat stderr)"
removed "$RIPTIDE_BUILD" CUPS_SERVER="$PC_DIR/none" || fail "the removal fails: $(cat stderr)"
ppd_is chain chain.before "without a server, the removal does not release a queue"
succeeds "$riptide" release chain
# The server's file then forgets what belongs to an adoption, of the queues that are released only.
mkdir -p stopped/ppd
cp chain.adopted stopped/ppd/chain.ppd
echo '*%riptide{ damaged' >stopped/ppd/stuck.ppd
printer() # QUEUE [OPTIONS]
{
	printf '<Printer %s>\nInfo A printer\n%sOption media a4\n</Printer>\n' "$1" "${2-}"
}
ours='Option riptide-adopted --screen stucki
Option halftone-calibration chain
'
{ printer chain "$ours"; printer stuck "$ours"; } >stopped/printers.conf
{ printer chain; printer stuck "$ours"; } >stopped/wanted.conf
! env CUPS_SERVERROOT="$PC_DIR/stopped" CUPS_SERVER="$PC_DIR/none" PATH="$RIPTIDE_BUILD:$PATH" \
	sh "$RIPTIDE_SOURCE/contrib/debian/riptide.prerm" remove >stdout 2>stderr ||
	fail "a removal that breaks the queue stuck succeeds"
cmp stopped/ppd/chain.ppd chain.before ||
	fail "beside a queue that cannot be released, the removal does not release another one"
cmp stopped/printers.conf stopped/wanted.conf ||
	fail "the removal leaves $(cat stopped/printers.conf)"

# The queue remembers how it was adopted, so that it can be adopted again after an update of its
# driver has given it another PPD.
remembers() # WHAT
{
	lpoptions -p chain >stdout
	case $1 in
	'') ! grep -q riptide-adopted stdout ;;
	*) grep -qE " riptide-adopted=$(echo "$1" | sed "s/+/[+]/g")( |\$)" stdout ;;
	esac || fail "chain remembers not '$1': $(cat stdout)"
}
remembers ''
adopt --chain --screen stucki --printer none chain
remembers yes+chain+screen:stucki+printer:none
ppd_of chain chain.adopted
adopt --again
[ ! -s stdout ] || fail "--again without need: $(cat stdout)"
lpadmin -p chain -P ppd/laserjet.ppd 2>/dev/null || fail "no other PPD for chain"
adopt --again
says '^chain is adopted: '
[ "$(wc -l <stdout)" = 1 ] || fail "--again of others: $(cat stdout)"
ppd_is chain chain.adopted "--again does something else than adopt"
remembers yes+chain+screen:stucki+printer:none
lpadmin -p chain -P ppd/generic.ppd 2>/dev/null || fail "no PPD for PostScript"
fails "^riptide: chain cannot be adopted again: .*PostScript.*; riptide release chain forgets it$" \
	"$riptide" adopt --again
succeeds "$riptide" release chain
says "^chain has another PPD already; "
remembers ''
fails "was not adopted" "$riptide" release chain
lpadmin -p chain -P ppd/laserjet.ppd 2>/dev/null || fail "no PPD for chain"
ppd_of chain chain.before
adopt --again
ppd_is chain chain.before "--again adopts what was released"

# Its calibration ends with the adoption, so that the next one does not turn it on.
adopt --rip chain
remembers yes+rip
lpadmin -p chain -o halftone-calibration-default=gloss 2>/dev/null || fail "no calibration"
succeeds "$riptide" release chain
says "^chain is as it was before riptide adopt, .* halftone-calibration=gloss; "
remembers ''
! lpoptions -p chain | grep halftone-calibration || fail "release leaves a calibration"
lpadmin -p chain -o halftone-calibration-default=gloss 2>/dev/null || fail "no calibration"
fails "was not adopted" "$riptide" release chain
lpoptions -p chain | grep -q halftone-calibration ||
	fail "release without adoption removes a calibration"
lpadmin -p chain -R halftone-calibration-default || fail "the calibration stays"

# All queues.
succeeds "$riptide" adopt --check --all
for what in 'yes  *chain' 'no  *raw' 'no  *postscript'; do
	says "^$what: "
done
adopt --all
for what in 'chain is adopted' 'no  *raw' 'no  *postscript'; do
	says "^$what: "
done
for queue in $(lpstat -e); do
	"$riptide" release "$queue" >/dev/null 2>&1
done
ppd_is chain chain.before "--all cannot be released"

# A class has the PPD of its first queue for libcups, and none of its own.
lpadmin -p chain -c pool && lpadmin -p raw -c pool || fail "no class"
succeeds "$riptide" adopt --check pool chain
says '^no  *pool: it is a class; what counts are its queues: chain, raw\.$'
says '^yes  *chain: '
for command in adopt release; do
	fails "^riptide: pool is a class; what counts are its queues: chain, raw$" "$riptide" \
		$command pool
done
fails "the queue raw has no PPD$" "$riptide" target --queue raw -o raw.ras
