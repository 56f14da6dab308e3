#!/bin/bash
# The suites of ipptool for IPP 1.1, IPP 2.0 and IPP Everywhere, from another address: the client is
# in a network namespace of its own, at the other end of a cable.  From there nothing may be
# administered, neither by IPP nor on the web pages, and neither over IPv4 nor over IPv6.
# shellcheck source-path=SCRIPTDIR source=network.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/network.sh" || exit 99
need curl
suites=/usr/share/cups/ipptool
[[ -e $suites/ipp-everywhere.test ]] || { echo "no suites of ipptool in $suites"; exit 77; }

start_app
add_printer laser pcl5
make_pdf page.pdf '<< /PageSize [300 300] >> setpagedevice 0.5 setgray clippath fill showpage'
gs -q -dBATCH -dNOPAUSE -sDEVICE=jpeggray -r72 -g400x560 -sOutputFile=page.jpg \
	-c '0.5 setgray clippath fill showpage' || exit 99

sleep 1.2 # it must have been up for a second
for suite in ipp-1.1 ipp-2.0 ipp-everywhere; do
	on_far ipptool -tI -f page.jpg \
		"ipp://10.9.0.1:$port/ipp/print/laser" "$suites/$suite.test" >"$suite" 2>&1
	passed=$(grep -c '\[PASS' "$suite") bad=$(grep -c '\[FAIL' "$suite")
	echo "$suite: $passed passed, $bad failed, $(grep -c '\[SKIP' "$suite") skipped"
	((passed >= 25 && bad == 0)) ||
		complain "$suite: $passed passed, $bad failed: $(grep -A 4 '\[FAIL' "$suite")"
done

# From there nobody administers anything without the password.
get() # PATH [CURL-ARGUMENT...]
{
	on_far curl -gs "${@:2}" "http://$near:$port$1"
}
for near in ${ipv6:+[fd09::1]} 10.9.0.1; do
	for page in /config /addprinter /security /laser/config /laser/media /laser/printing \
		/laser/delete /laser/jobs /laser/cancelall; do
		get "$page" >page.html
		grep -q 'name="password"' page.html ||
			complain "$page is open at $near: $(head -c 300 page.html)"
	done
	get / >page.html
	grep -q laser page.html || complain "the first page does not show the printer at $near"
	if on_far "$program" add -u "ipp://$near:$port/" -d stranger -m pcl5 \
		-v "file://$folder/printed-laser" >said 2>&1; then
		complain "somebody else can add a printer at $near"
	fi
done
password=$(cat state/web-password)
[[ $(stat -c %a state/web-password) == 600 && ${#password} == 12 ]] ||
	complain "the password's file is not private: $(ls -l state)"
session=$(get /config | sed -n 's/.*name="session" value="\([^"]*\)".*/\1/p')
for wrong in "" x "x$password" "${password}x" "${password%?}"; do
	get /config -d "session=$session" --data-urlencode "password=$wrong" >page.html
	grep -q 'name="password"' page.html || complain "the password \"$wrong\" is taken"
done
get /config -D headers -d "session=$session" --data-urlencode "password=$password" >page.html
grep -q 'name="password"' page.html && complain "the password is refused"
# The cookie is for TLS only, which this server does not have.
cookie=$(tr -d '\r' <headers | sed -n 's/^Set-Cookie: auth=\([^;]*\);.*/\1/p')
get /config -H "Cookie: auth=$cookie" >page.html
grep -q 'name="password"' page.html && complain "the login does not last"
get /config -H "Cookie: auth=${cookie/[0-9]/x}" >page.html
grep -q 'name="password"' page.html || complain "any cookie is a login"

# By default it listens on all addresses that there are; else on those of the name.
heard() # ADDRESS...
{
	local address all=

	for address in 127.0.0.1 10.9.0.1 ${ipv6:+[::1] [fd09::1]}; do
		! timeout 20 curl -gsf -o page.html "http://$address:$port/" || all+=" $address"
	done
	[[ $all == " $*" ]] || complain "the server is heard on$all, not on $*"
}
heard 127.0.0.1 10.9.0.1 ${ipv6:+[::1] [fd09::1]}
if [[ $ipv6 ]]; then
	state=
	ended=$(grep -c 'job-impressions-completed' log)
	: >printed-laser
	on_far "$program" submit -u "ipp://[fd09::1]:$port/ipp/print/laser" page.jpg >said 2>&1 ||
		complain "no job over IPv6: $(cat said)"
	wait_for 60 job_ended && [[ $state == Completed && -s printed-laser ]] ||
		complain "a job over IPv6 ends as $state"
fi
stop_app

# With TLS, pages that ask for the password are led to it, and no form goes without it.
start_app -o server-options=tls
for page in /laser/config /laser/media /laser/delete /laser/cancelall /security; do
	code=$(get $page -o page.html -w '%{http_code} %{redirect_url}')
	[[ $code == "301 https://10.9.0.1:$port$page" ]] || complain "$page without TLS: $code"
done
for page in /laser/ /laser/config /laser/media /laser/delete /security; do
	code=$(get $page -o page.html -w '%{http_code}' -d action=pause -d password=x)
	[[ $code == 426 ]] || complain "a form for $page without TLS: $code"
done
get /laser/ >page.html
grep -q "action=\"https://10.9.0.1:$port/laser/\"" page.html ||
	complain "the form goes to $(grep -o 'action="[^"]*"' page.html | head -n 1)"
get_safely() # PATH [CURL-ARGUMENT...]
{
	timeout 60 nsenter -t $far -n curl -sk "${@:2}" "https://10.9.0.1:$port$1"
}
session=$(get_safely /laser/config | sed -n 's/.*name="session" value="\([^"]*\)".*/\1/p')
get_safely /laser/config -c cookies -d "session=$session" --data-urlencode "password=$password" \
	>page.html
get_safely /laser/config -b cookies >page.html
grep -q 'name="location"' page.html || complain "no login by TLS: $(head -c 300 page.html)"
stop_app

cp /etc/hosts hosts
printf '%s both\n' 10.9.0.1 10.9.0.1 ${ipv6:+fd09::1} 10.9.0.9 >>hosts
mount --bind hosts /etc/hosts || complain "no file of hosts"
answers() { ! gone $server && curl -gsf -o page.html "http://$at:$port/"; }
for case in "both 10.9.0.1${ipv6:+ [fd09::1]}" "127.0.0.1 127.0.0.1" \
	"* 127.0.0.1 10.9.0.1${ipv6:+ [::1] [fd09::1]}" ${ipv6:+"::1 [::1]" "[::1] [::1]"}; do
	read -ra addresses <<<"${case#* }"
	at=${addresses[0]} listen=(-o "listen-hostname=${case%% *}")
	start_app
	heard "${addresses[@]}"
	stop_app
done
for wrong in 10.9.0.9 fd09::9 nowhere.invalid [::1 []; do
	timeout 20 "$program" server -o listen-hostname=$wrong -o server-port="$port" \
		-o state-directory="$folder/other" >said 2>&1 && complain "it listens on $wrong"
	grep -qF "riptide-printer-app: listen-hostname=$wrong: " said || complain "$(cat said)"
done

# A kernel without IPv6.
cat >no-ipv6.py <<'END'
import ctypes
import errno
import os
import socket
import sys


class Compare(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int),
                ("value", ctypes.c_uint64), ("other", ctypes.c_uint64)]


seccomp = ctypes.CDLL("libseccomp.so.2")
seccomp.seccomp_init.restype = ctypes.c_void_p
filters = ctypes.c_void_p(seccomp.seccomp_init(0x7FFF0000))  # allow
equal = Compare(0, 4, socket.AF_INET6, 0)
if (seccomp.seccomp_rule_add_array(filters, 0x00050000 | errno.EAFNOSUPPORT,
                                   seccomp.seccomp_syscall_resolve_name(b"socket"), 1,
                                   ctypes.byref(equal)) or seccomp.seccomp_load(filters)):
    sys.exit("no seccomp here")
os.execv(sys.argv[1], sys.argv[1:])
END
printf '#!/bin/sh\nexec python3 "%s/no-ipv6.py" "%s" "$@"\n' "$folder" "$program" >without
chmod +x without
program=$folder/without listen=() at=127.0.0.1
start_app
heard 127.0.0.1 10.9.0.1
stop_app
! grep "Unable to create listener" log || complain "a kernel without IPv6 is an error"
finish
