#!/bin/bash
# The jail of Ghostscript as those see it who print: its settings, what it lacks on some systems,
# what it refuses, the same dots, and that nothing is left of it.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need gs ppdc
umask 022
export RIPTIDE_SOCKET=none LC_ALL=C
make_ppds
export PPD=$folder/ppds/riptide-raster.ppd
# Others, as whom root's Ghostscript runs, may not enter this folder; it needs to enter none.
mkdir spool
export TMPDIR=$folder/spool
page='/Helvetica findfont 40 scalefont setfont 20 50 moveto (Jail) show'
make_pdf one.pdf "<< /PageSize [200 200] >> setpagedevice $page showpage"

filter() # FILE
{
	timeout 120 "$build/pdftoriptide" 7 user title 1 "Resolution=300dpi" "$1" >dots 2>err
}
settings() # LINE...
{
	printf '%s\n' "$@" >settings.conf
	export RIPTIDE_CONFIG=$folder/settings.conf
}
is_empty() { [[ ! $(ls "$TMPDIR") ]]; }

# --- the same dots, and the settings
# -------------------------------------------------------------------
does "$riptide" rip -r 300 one.pdf -o jail.pbm
filter one.pdf || complain "in the jail: $(cat err)"
cp dots jail.ras
wait_for 60 is_empty || complain "left in TMPDIR: $(ls "$TMPDIR")"
settings "riptide-jail = off"
does "$riptide" rip -r 300 one.pdf -o off.pbm
filter one.pdf || complain "without the jail: $(cat err)"
cmp jail.pbm off.pbm && cmp jail.ras dots || complain "other dots in the jail"
settings "# keys of the daemon's" "device = cpu" "riptide-jail = require"
does "$riptide" rip -r 300 one.pdf -o require.pbm
cmp jail.pbm require.pbm || complain "other dots with require"
settings "threads = 1" "riptide-jail = perhaps"
fails_with 1 "settings.conf:2: riptide-jail: 'perhaps' is not off, on or require" "$riptide" rip \
	one.pdf -o out.pbm
filter one.pdf && complain "pdftoriptide takes a wrong setting"
[[ $(grep -ac '^ERROR: ' err) == 1 && ! -s dots ]] || complain "a wrong setting: $(cat err)"
settings "riptide-jail-folders = fonts"
fails_with 1 "riptide-jail-folders: 'fonts' is not absolute paths" "$riptide" rip one.pdf -o out.pbm
settings "riptide-jail = off"
chmod g+w settings.conf
fails_with 1 "settings.conf: its group or others may write to it" "$riptide" rip one.pdf -o out.pbm
settings "riptide-jail = on"
chmod 644 settings.conf
if ((EUID == 0)); then
	chown 7 settings.conf
	fails_with 1 "settings.conf: it does not belong to root" "$riptide" rip one.pdf -o out.pbm
	chown 0 settings.conf
	# What only root may read, Ghostscript gets as a copy.
	chmod 600 one.pdf
	does "$riptide" rip -r 300 one.pdf -o closed.pbm
	cmp jail.pbm closed.pbm || complain "other dots of a document that only root may read"
	chmod 644 one.pdf
fi
unset RIPTIDE_CONFIG

# --- systems that lack something
# ------------------------------------------------------------------------ without.py
# landlock|seccomp|namespaces ERROR COMMAND...: as on a kernel without it, or in a container that
# refuses it
cat >without.py <<'END'
import ctypes, errno, os, struct, sys
what, error = sys.argv[1], getattr(errno, sys.argv[2])
step = lambda code, then, other, k: struct.pack("HBBI", code, then, other, k)
prctl = {"x86_64": 157}.get(os.uname().machine, 167)
load, equal, least, result = 0x20, 0x15, 0x35, 0x06
if what == "landlock":
    steps = [step(load, 0, 0, 0), step(least, 0, 2, 444), step(least, 1, 0, 447)]
elif what == "namespaces": # unshare()
    steps = [step(load, 0, 0, 0), step(equal, 0, 1, {"x86_64": 272}.get(os.uname().machine, 97))]
else: # prctl(PR_SET_SECCOMP)
    steps = [step(load, 0, 0, 0), step(equal, 0, 3, prctl),
	     step(load, 0, 0, 16), step(equal, 0, 1, 22)]
steps += [step(result, 0, 0, 0x00050000 | error), step(result, 0, 0, 0x7fff0000)]
program = ctypes.create_string_buffer(b"".join(steps))
head = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.c_char_p(head)):
    sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[3], sys.argv[3:])
END
if part "no python3: systems without Landlock or seccomp" python3; then
	for lack in "landlock ENOSYS Landlock" "landlock EOPNOTSUPP Landlock" \
			"landlock EPERM Landlock" \
			"seccomp EPERM seccomp" "seccomp EINVAL seccomp" \
			"namespaces EPERM namespaces" \
			"namespaces ENOSPC namespaces"; do
		read -r what error name <<<"$lack"
		timeout 120 python3 without.py "$what" "$error" "$build/pdftoriptide" 7 user title \
			1 "Resolution=300dpi" \
			one.pdf >dots 2>err || complain "$lack: $(cat err)"
		cmp jail.ras dots || complain "$lack: other dots"
		[[ $(grep -ac "^DEBUG: .*its jail lacks what this system does not have:.* $name" \
			err) == 1 ]] ||
			complain "$lack: not one DEBUG line: $(cat err)"
		! grep -aE '^(WARNING|ERROR): ' err || complain "$lack: more than DEBUG"
		[[ $what != namespaces ]] || continue # not required
		settings "riptide-jail = require"
		fails_with 1 "riptide-jail = require" python3 without.py "$what" "$error" \
			"$riptide" rip one.pdf -o out.pbm
		unset RIPTIDE_CONFIG
	done
fi

# --- what Ghostscript is in there
# -----------------------------------------------------------------------
hold() # starts Ghostscript on a page that is never read; $pid and $gs_pid
{
	rm -f fifo
	mkfifo fifo
	SECRET=secret "$build/pdftoriptide" 7 user title 1 "riptide-workers=1" \
		many.pdf 2>err >fifo &
	pid=$!
	exec 8<fifo
	head -c 1000 <&8 >/dev/null
	gs_pid=$(ghostscripts_of $pid)
	[[ $gs_pid ]] || complain "no Ghostscript: $(cat err)"
}
of_gs() # FIELD of its status
{
	sed -n "s/^$1:[[:space:]]*\([^[:space:]]*\).*/\1/p" "/proc/$gs_pid/status"
}
make_pdf many.pdf "400 { << /PageSize [595 842] >> setpagedevice $page showpage } repeat"
hold
[[ $(of_gs NoNewPrivs) == 1 && $(of_gs Seccomp) == 2 ]] || complain "$(cat "/proc/$gs_pid/status")"
[[ $(of_gs CapEff)$(of_gs CapPrm)$(of_gs CapAmb) =~ ^0*$ ]] ||
	complain "Ghostscript has capabilities"
if ((EUID == 0)); then
	[[ $(of_gs Uid) == "$(id -u lp)" && $(of_gs Gid) == "$(id -g lp)" ]] ||
		complain "root's Ghostscript is $(of_gs Uid)"
	[[ $(of_gs CapBnd) =~ ^0*$ ]] || complain "Ghostscript can get capabilities"
fi
tr '\0' '\n' <"/proc/$gs_pid/environ" >environment
grep -qE '^(SECRET|PPD|PATH)=' environment &&
	complain "the environment is not cut: $(cat environment)"
if [[ $(readlink "/proc/$gs_pid/ns/mnt") != "$(readlink /proc/self/ns/mnt)" ]]; then
	[[ ! $(find "/proc/$gs_pid/root/home" "/proc/$gs_pid/root/var/spool" -mindepth 1) ]] ||
		complain "not hidden"
	[[ -e /proc/$gs_pid/root/usr/share ]] || complain "Ghostscript does not see /usr/share"
else
	leave_out "no namespaces of mounts for users"
fi
grep -qx TMPDIR=/dev/fd/4 environment || complain "no private folder: $(cat environment)"
grep -E 'core file|open files' "/proc/$gs_pid/limits" >limits
[[ $(awk '{ print $(NF - 2), $(NF - 1) }' limits | tr '\n' ' ') =~ ^0\ (0|bytes)\ 256\ 256\ $ ||
	$(cat limits) =~ " 0 "+" 0 ".*" 256 "+" 256 " ]] ||
	complain "limits: $(cat limits)"
# --- nothing is left
# ------------------------------------------------------------------------------------
private=("$TMPDIR"/riptide-gs-*)
[[ -d ${private[0]} && ${#private[@]} == 1 && $(stat -c %a "${private[0]}") == 700 ]] ||
	complain "folders: ${private[*]}"
: >"${private[0]}/gs_left"
kill -KILL $pid
wait $pid 2>/dev/null
wait_for 20 is_empty || complain "left after SIGKILL of the filter: $(find "$TMPDIR")"
wait_for 20 gone "$gs_pid" || complain "Ghostscript is left"
exec 8<&-
hold
: >"$(echo "$TMPDIR"/riptide-gs-*)/gs_left"
kill -KILL "$gs_pid" # another one is started
cat <&8 >/dev/null
exec 8<&-
wait $pid || complain "SIGKILL of Ghostscript: $(cat err)"
wait_for 20 is_empty || complain "left after SIGKILL of Ghostscript: $(find "$TMPDIR")"
hold
kill -TERM $pid
wait_for 20 is_empty || complain "left after SIGTERM: $(find "$TMPDIR")"
wait_for 20 gone "$gs_pid" || complain "Ghostscript is left after SIGTERM"
exec 8<&-

# --- scripts, and folders that are not its own
# ------------------------------------------------------------
mkdir bin
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v gs)" >bin/gs
chmod 755 bin/gs
fails_with 1 "bin/gs is a script, and Ghostscript's jail starts no second program: \
set riptide-jail = off in " \
	env PATH="$folder/bin:$PATH" "$riptide" rip one.pdf -o out.pbm
# A font elsewhere, to which a link in a folder of fonts leads.
font=$(find /usr/share/fonts -name '*.pfb' -o -name '*.t1' 2>/dev/null | sort | head -n 1)
name=$(strings "$font" 2>/dev/null | sed -n 's,^/FontName /\([^ ]*\).*,\1,p')
elsewhere=$(mktemp -d /var/tmp/test-jail-XXXXXX)
cleanup="rm -rf '$elsewhere'"
if [[ $name ]]; then
	chmod 755 "$elsewhere"
	mkdir "$elsewhere/fonts" "$elsewhere/links"
	# A font of another name than all that Ghostscript has.
	sed "s,$name,$(tr 'A-Za-z' 'X' <<<"$name"),g" "$font" >"$elsewhere/fonts/font.pfb"
	ln -s "$elsewhere/fonts/font.pfb" "$elsewhere/links/"
	{
		printf '%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n'
		printf '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n'
		printf '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]\n'
		printf '/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj\n'
		printf '4 0 obj << /Length 36 >> stream\n'
		printf 'BT /F 40 Tf 20 50 Td (Jail) Tj ET   \nendstream endobj\n'
		printf '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /%s >> endobj\n' \
			"$(tr 'A-Za-z' 'X' <<<"$name")"
		printf 'trailer << /Root 1 0 R /Size 6 >>\n%%%%EOF\n'
	} >foreign.pdf
	export GS_FONTPATH=$elsewhere/links
	filter foreign.pdf || complain "a font by a link: $(cat err)"
	cp dots linked.ras
	! grep -a '^WARNING: ' err || complain "a WARNING of a font by a link"
	settings "riptide-jail = off"
	filter foreign.pdf
	cmp linked.ras dots || complain "other dots with a font by a link"
	unset GS_FONTPATH
	filter foreign.pdf
	! cmp -s linked.ras dots ||
		complain "the font makes no difference: what this test looks for has changed"
	unset RIPTIDE_CONFIG
else
	leave_out "no font: a font elsewhere"
fi
# A file that is refused, and of which Ghostscript complains.
settings "riptide-jail = on"
if part "no cc: a message of Ghostscript" cc; then
	cat >gs.c <<-END
		#include <stdio.h>
		int main(void)
		{
			fprintf(stderr, "Could not open the profile %s here\\n",
				"$elsewhere/profile");
			return 3;
		}
	END
	: >"$elsewhere/profile"
	cc -o bin/gs gs.c 2>/dev/null &&
		PATH=$folder/bin:$PATH "$riptide" rip one.pdf -o out.pbm 2>stderr &&
		complain "a Ghostscript that ends"
	refused="refuses files of $elsewhere: .* add it to riptide-jail-folders in"
	(($(grep -c "$refused $folder/settings.conf\$" stderr) == 1)) ||
		complain "not one warning of a file that is refused: $(cat stderr)"
	# Folders that fontconfig names are allowed, without a word of Ghostscript's.
	settings "riptide-jail = on"
	echo "<fontconfig><dir>/nowhere</dir><dir>$elsewhere</dir></fontconfig>" >fonts.conf
	FONTCONFIG_FILE=$folder/fonts.conf PATH=$folder/bin:$PATH "$riptide" rip one.pdf \
		-o out.pbm 2>stderr
	! grep "refuses files" stderr || complain "a folder that fontconfig names is refused"
	settings "riptide-jail-folders = $elsewhere"
	PATH=$folder/bin:$PATH "$riptide" rip one.pdf -o out.pbm 2>stderr
	! grep "refuses files" stderr || complain "a warning of a file that is allowed"
fi
finish
