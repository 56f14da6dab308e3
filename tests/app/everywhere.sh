#!/bin/bash
# The suites of ipptool for IPP 1.1, IPP 2.0 and IPP Everywhere, from another address: the client is
# in a network namespace of its own, at the other end of a cable.  From there nothing may be
# administered, neither by IPP nor on the web pages.
# shellcheck source-path=SCRIPTDIR source=library.sh
if [[ ! ${RIPTIDE_TEST_INSIDE-} ]]; then
	export RIPTIDE_TEST_INSIDE=yes
	for way in "unshare -n" "unshare -rn"; do
		$way true 2>/dev/null && exec $way "$0"
	done
	echo "no network namespaces here"
	exit 77
fi
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need ip nsenter curl
suites=/usr/share/cups/ipptool
[[ -e $suites/ipp-everywhere.test ]] || { echo "no suites of ipptool in $suites"; exit 77; }

unshare -n sleep 300 &
far=$!
wait_for 20 eval '[[ $(readlink /proc/$far/ns/net) != $(readlink /proc/$$/ns/net) ]]' ||
	complain "no second namespace"
ip link set lo up && ip link add near type veth peer name far netns $far &&
	ip address add 10.9.0.1/24 dev near && ip link set near up &&
	nsenter -t $far -n ip address add 10.9.0.2/24 dev far &&
	nsenter -t $far -n ip link set far up || { echo "no cables here"; exit 77; }

listen=()
start_app
add_printer laser pcl5
make_pdf page.pdf '<< /PageSize [300 300] >> setpagedevice 0.5 setgray clippath fill showpage'
gs -q -dBATCH -dNOPAUSE -sDEVICE=jpeggray -r72 -g400x560 -sOutputFile=page.jpg \
	-c '0.5 setgray clippath fill showpage' || exit 99

sleep 1.2 # it must have been up for a second
for suite in ipp-1.1 ipp-2.0 ipp-everywhere; do
	timeout 300 nsenter -t $far -n ipptool -tI -f page.jpg \
		"ipp://10.9.0.1:$port/ipp/print/laser" "$suites/$suite.test" >"$suite" 2>&1
	passed=$(grep -c '\[PASS' "$suite") bad=$(grep -c '\[FAIL' "$suite")
	echo "$suite: $passed passed, $bad failed, $(grep -c '\[SKIP' "$suite") skipped"
	((passed >= 25 && bad == 0)) ||
		complain "$suite: $passed passed, $bad failed: $(grep -A 4 '\[FAIL' "$suite")"
done

# From there nobody administers anything without the password.
get() # PATH [CURL-ARGUMENT...]
{
	timeout 60 nsenter -t $far -n curl -s "${@:2}" "http://10.9.0.1:$port$1"
}
for page in /config /addprinter /security /laser/config /laser/media /laser/printing \
	/laser/delete /laser/jobs /laser/cancelall; do
	get "$page" >page.html
	grep -q 'name="password"' page.html || complain "$page is open: $(head -c 300 page.html)"
done
get / >page.html
grep -q laser page.html || complain "the first page does not show the printer"
if timeout 60 nsenter -t $far -n "$program" add -u "ipp://10.9.0.1:$port/" -d stranger -m pcl5 \
	-v "file://$folder/printed-laser" >said 2>&1; then
	complain "somebody else can add a printer"
fi
password=$(cat state/web-password)
[[ $(stat -c %a state/web-password) == 600 && ${#password} == 12 ]] ||
	complain "the password's file is not private: $(ls -l state)"
session=$(get /config | sed -n 's/.*name="session" value="\([^"]*\)".*/\1/p')
get /config -D headers -d "session=$session" --data-urlencode "password=$password" >page.html
grep -q 'name="password"' page.html && complain "the password is refused"
# The cookie is for TLS only, which this server does not have.
cookie=$(tr -d '\r' <headers | sed -n 's/^Set-Cookie: auth=\([^;]*\);.*/\1/p')
get /config -H "Cookie: auth=$cookie" >page.html
grep -q 'name="password"' page.html && complain "the login does not last"
get /config -H "Cookie: auth=${cookie/[0-9]/x}" >page.html
grep -q 'name="password"' page.html || complain "any cookie is a login"
stop_app

# With TLS, our pages are led to it, and no form goes without it.
start_app -o server-options=tls
code=$(get /laser/config -o page.html -w '%{http_code} %{redirect_url}')
[[ $code == "301 https://10.9.0.1:$port/laser/config" ]] || complain "without TLS: $code"
code=$(get /laser/ -o page.html -w '%{http_code}' -d action=pause)
[[ $code == 426 ]] || complain "a form without TLS: $code"
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
finish
