#!/bin/bash
# Attacks out of Ghostscript, in PostScript (attacks.ps), in the syntax of PDF, and as code in its
# process (native-attack.c).  Its own protection is off.  Each of them succeeds without the jail; in
# the jail none reads a content, changes a file, starts a process or reaches a peer, and none hangs.
#
#	attacks.sh [NAME...]	these only
#
# All happens in namespaces with a made-up world, as a user without privileges.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs python3 unshare setpriv
library=
for name in /usr/libexec/coreutils /usr/lib/coreutils /usr/lib64/coreutils; do
	[[ $library || ! -e $name/libstdbuf.so ]] || library=$name/libstdbuf.so
done
native=$build/tests/jail/.libs/native-attack.so run=$build/tests/jail/run-in-gs
user=$(id -u lp 2>/dev/null) group=$(id -g lp 2>/dev/null)

# --- outside: as another user, into the namespaces
# -----------------------------------------------------
if [[ ! ${RIPTIDE_INSIDE-} ]]; then
	[[ $library ]] || { echo \
		"no libstdbuf.so of coreutils, whose place the attacks take"; exit 77; }
	chmod 755 .
	as=()
	if ((EUID == 0)); then
		[[ $user ]] || { echo "no user lp"; exit 77; }
		as=(setpriv --reuid "$user" --regid "$group" --clear-groups)
	fi
	into=(unshare --user --map-current-user --keep-caps --mount --pid --net --ipc --fork
		--mount-proc)
	"${as[@]}" "${into[@]}" true 2>why ||
		{ echo "no namespaces for users: $(cat why)"; exit 77; }
	# What the build folder is below may be closed to that user.
	cp "$native" native.so
	cp "$(dirname "$run")/.libs/run-in-gs" run-in-gs 2>/dev/null || cp "$run" run-in-gs
	chmod 755 native.so run-in-gs
	cp "$0" attacks.sh
	cp "$source/tests/jail/attacks.ps" .
	mkdir -p tests/tools
	cp "$source/tests/tools/common.sh" tests/tools/
	chmod -R go+rX .
	RIPTIDE_INSIDE=$folder RIPTIDE_SOURCE=$folder RIPTIDE_BUILD=$folder timeout 900 "${as[@]}" \
		"${into[@]}" \
		bash "$folder/attacks.sh" "$@"
	status=$?
	((status != 124)) || complain "hangs"
	((status == 0 || status == 77)) || complain "exit status $status"
	finish
fi

# --- inside: the world
# -----------------------------------------------------------------------------------
native=$RIPTIDE_INSIDE/native.so run=$RIPTIDE_INSIDE/run-in-gs
here=$RIPTIDE_INSIDE
if [[ ! ${RIPTIDE_WORLD-} ]]; then
	# The files of this test stay reachable below another name.
	mount -t tmpfs tmpfs /mnt && mkdir /mnt/here && cp -r "$here"/* /mnt/here/ &&
		mount -t tmpfs tmpfs /tmp &&
		mount -t tmpfs tmpfs /home && mkdir /home/somebody && ip link set lo up || exit 99
	mount --bind /mnt/here/native.so "$library" || exit 99
	export RIPTIDE_WORLD=yes RIPTIDE_INSIDE=/mnt/here RIPTIDE_SOURCE=/mnt/here \
		RIPTIDE_BUILD=/mnt/here
	cd /
	exec setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all bash \
		/mnt/here/attacks.sh "$@"
fi
grep -q '^CapEff:.0*$' /proc/self/status || { echo "capabilities are left"; exit 99; }
make_world()
{
	rm -rf /tmp/w /tmp/spool /tmp/fonts
	mkdir -p /tmp/w/empty /tmp/w/Encoding /tmp/spool /tmp/fonts
	echo "TOPSECRET" >/tmp/w/secret
	echo "do not change" >/tmp/w/victim
	echo "pwned" | tee /tmp/w/program.ps >/tmp/w/Encoding/program
	echo "font" >/tmp/fonts/font
	mkfifo /tmp/w/pipe
	chmod 644 /tmp/w/secret
	touch -d 2020-01-01 /tmp/w/* /tmp/fonts/* /tmp/spool /tmp/w
}
# The state of the world.
world()
{
	# The private folder has come and gone in spool.
	find /tmp/w /tmp/fonts "$here/page.pdf" -printf '%p %y %m %U %n %s %T@\n' |
		grep -v '^/tmp/w/socket' | sort
	find /tmp/spool -printf '%p %y %m %U %n %s\n' | sort
	cat /tmp/w/secret /tmp/w/victim /tmp/fonts/font 2>/dev/null
}
make_pdf "$here/page.pdf" '<< /PageSize [72 72] >> setpagedevice 9 9 30 30 rectfill showpage'
# Peers: sockets, a segment and a queue of SystemV, a process.
cat >peers.py <<'END'
import ctypes, os, select, signal, socket, sys
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
memory = libc.shmget(0x7274, 4096, 0o1600)
ctypes.memmove(libc.shmat(memory, None, 0), b"TOPSECRET\0", 10)
libc.msgget(0x7274, 0o1600)
listeners = []
for address in "/tmp/peers", "\0abstract":
    one = socket.socket(socket.AF_UNIX)
    one.bind(address)
    listeners.append(one)
tcp = socket.socket()
tcp.bind(("127.0.0.1", 7777))
listeners.append(tcp)
for one in listeners:
    one.listen(100)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 7777))
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
print("ready", flush=True)
signal.pause()
END
python3 peers.py >peers.log 2>&1 &
peers=$!
wait_for 10 grep -q ready peers.log || { echo "no peers: $(cat peers.log)"; exit 99; }

# --- the attacks
# -------------------------------------------------------------------------------------------
echo "riptide-jail = off" >off.conf
echo "riptide-jail = require" >on.conf
chmod 600 ./*.conf
prologue='/pwned { (\nPWNED\n) print flush } def
/leak { 60000 string readstring pop (TOPSECRET) search { pwned } if } def
'
# attack off|on DOCUMENT POSTSCRIPT NAME-OF-CODE [ARGUMENT...]: whether it succeeds; `said` has the
# messages
attack()
{
	local status

	make_world
	ln -s /tmp/peers /tmp/w/socket
	world >before
	timeout -k 5 20 env SECRET=TOPSECRET TMPDIR=/tmp/spool HOME=/nonexistent \
		RIPTIDE_CONFIG="$folder/$1.conf" \
		GS_ATTACK="$4" GS_VICTIM="$peers" "$run" "$2" "$prologue{ $3 } stopped clear
" "${@:5}" >said 2>&1
	status=$?
	((status < 124)) || { echo "hangs, or dies: status $status" >>said; return 0; }
	! grep -aqE 'PWNED|TOPSECRET' said || return 0
	[[ $1 == off ]] && return 1
	world >after
	cmp -s before after || { diff before after >>said; return 0; }
	return 1
}
count=0
# tried NAME DOCUMENT POSTSCRIPT NAME-OF-CODE [ARGUMENT...]
tried()
{
	[[ ! $only || $1 == $only* || $only == *" $1 "* ]] || return
	if attack off "${@:2}"; then
		((count++))
	else
		echo "$1 does nothing without the jail: not counted"
		[[ ! $only ]] || cat said
		return
	fi
	! attack on "${@:2}" || complain "$1 succeeds in the jail: $(cat said)"
	grep -aq '^DRAWN$' said || [[ $1 == draw_* || $1 == font:* ]] || broken+=("$1")
}
only=${*:+ $* }
broken=()
while IFS=$'\t' read -r name program; do
	[[ ! $name || $name == %* ]] || tried "$name" "$here/page.pdf" "$program" ""
done <"$here/attacks.ps"
postscript=$count

# Documents: PostScript in a font, which Ghostscript's old reader of PDF runs.
pdf_of() # CONTENT-STREAM-DICTIONARY CONTENT [FONT]
{
	local font=${3-}

	printf '%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n'
	printf '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n'
	printf '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] /Contents 4 0 R\n'
	printf '/Resources << /Font << /F 5 0 R >> >> >> endobj\n'
	printf '4 0 obj << /Length %d %s >> stream\n%s\nendstream endobj\n' "${#2}" "$1" "$2"
	printf '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /X /FirstChar 65 /LastChar 65\n'
	printf '/Widths [500] /FontDescriptor 6 0 R >> endobj\n'
	printf '6 0 obj << /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 9 9]\n'
	printf '/FontFile 7 0 R >> endobj\n'
	printf '7 0 obj << /Length %d /Length1 %d /Length2 0 /Length3 0 >>\n' \
		"${#font}" "${#font}"
	printf 'stream\n%s\nendstream endobj\n' "$font"
	printf 'trailer << /Root 1 0 R /Size 8 >>\n%%%%EOF\n'
}
text='BT /F 12 Tf 9 9 Td (A) Tj ET'
for program in '(/tmp/w/secret) (r) file 99 string readstring pop print' \
		'(/tmp/w/program.ps) (r) file pop (PWNED) print' \
		'(/tmp/w/new) (w) file pop (PWNED) print' \
		'(/tmp/w/victim) (a) file pop (PWNED) print' \
		'(/tmp/w/victim) deletefile (PWNED) print' \
		'(/tmp/w/victim) (/tmp/w/other) renamefile (PWNED) print' \
		'(%pipe%echo PW""NED >&2) (w) file closefile' \
		'(/tmp/w/*) { pop (PWNED) print } 1000 string filenameforall' \
		'(SECRET) getenv { print } if'; do
	pdf_of "" "$text" "%!PS-AdobeFont-1.0: X
{ $program } stopped clear (\\n) print flush" >font.pdf
	tried "font: $program" "$PWD/font.pdf" "(/dev/fd/3) (r) file runpdf" "" -dNEWPDF=false
done
pdf=$((count - postscript))

attack off "$here/page.pdf" "" list
mapfile -t names < <(grep -aE '^[a-z0-9_]+$' said)
((${#names[@]} > 50)) || complain "the code is not loaded: $(cat said)"
for name in "${names[@]}"; do
	tried "$name" "$here/page.pdf" "" "$name"
done
kill -0 $peers || complain "the peers have ended"
echo "$count attacks succeed without the jail: $postscript in PostScript, $pdf in PDF," \
	"$((count - postscript - pdf)) in code"
((${#broken[@]} == 0)) || echo "in the jail no page is drawn after: ${broken[*]}"
[[ $only ]] || ((count >= 50)) || complain "fewer than 50 attacks"
finish
