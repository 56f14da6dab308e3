# shellcheck shell=bash
# The printer application as its package installs it: what it prints, what outlives the server, who
# may administer it, and what is left behind.

app_unit=riptide-printer-app.service
app_state=/var/lib/private/riptide-printer-app
app_far=192.0.2.1 # an address of this machine that is not the loopback one

app() # SUB-COMMAND [ARGUMENT...]
{
	inside riptide-printer-app "$@"
}

# A printer at port 9100, which keeps what it got last, and a page for it.
start_printer()
{
	cat >"$share/printer.py" <<-'END'
		import os
		import socket

		printer = socket.create_server(("127.0.0.1", 9100))
		while True:
		    connection, _ = printer.accept()
		    with connection, open("/var/tmp/printing", "wb") as file:
		        while data := connection.recv(65536):
		            file.write(data)
		    os.rename("/var/tmp/printing", "/var/tmp/printed")
	END
	inside systemd-run -q --unit=printer python3 /mnt/printer.py || fail "no printer"
	inside gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=/var/tmp/page.pdf \
		-c '/sizes [595 842] def' -f /mnt/page.ps || fail "Ghostscript makes no PDF"
}

printed()
{
	inside test -s /var/tmp/printed
}

# Prints the page: what the printer gets is what it got first.
app_prints() # WHEN [COMMAND...]
{
	local when=$1 command=(ipptool -tf /var/tmp/page.pdf ipp://127.0.0.1:8010/ipp/print/laser
		print-job.test)

	shift
	(($# == 0)) || command=("$@")
	inside rm -f /var/tmp/printed
	inside "${command[@]}" >"$work/said" 2>&1 ||
		fail "$when: ${command[0]}: $(tail -n 20 "$work/said")"
	pc_wait_for 60 printed || fail "$when: nothing is printed"
	inside test -e /var/tmp/first || inside cp /var/tmp/printed /var/tmp/first
	inside cmp /var/tmp/printed /var/tmp/first || fail "$when: another page"
	echo "$when: the page is printed"
}

answers()
{
	inside curl -s -o /dev/null http://127.0.0.1:8010/
}

app_must_answer() # WHEN
{
	must_be $app_unit active "$1"
	pc_wait_for 20 answers || fail "$1: the server does not answer"
}

# The printers, as the server says them, and their settings, as it has saved them.
settings()
{
	app printers
	inside grep -E '^<Printer|-default ' $app_state/printers.state
}

modified()
{
	settings | grep -q '^halftone-screen-default bayer$'
}

app_restarted() # PID
{
	local pid

	pid=$(unit $app_unit MainPID)
	[[ $pid != 0 && $pid != "$1" ]] && state_is $app_unit active
}

app_survives() # WHEN
{
	app_must_answer "$1"
	[[ $(settings) == "$kept" ]] ||
		fail "$1: other settings: $(diff <(echo "$kept") <(settings))"
	app_prints "$1"
}

# The status of HTTP that a page has.
page_status() # HOST PATH [CURL-ARGUMENT...]
{
	inside curl -sk -o /dev/null -w '%{http_code}' "${@:3}" "https://$1:8010$2"
}

# Adds lines to the unit's part [Service], instead of those before.
app_drop_in() # [LINE...]
{
	local folder=/run/systemd/system/$app_unit.d

	inside mkdir -p $folder
	printf '%s\n' '[Service]' "$@" >"$container$folder/test.conf"
	inside systemctl daemon-reload && inside systemctl restart $app_unit || fail "systemctl"
	app_must_answer "with $*"
}

# The login by a password of its own, from another address.
test_app_password()
{
	local password session form='name="password"' url=https://$app_far:8010/config

	[[ $(inside stat -c %a $app_state/web-password) == 600 ]] ||
		fail "the password's file is not private"
	password=$(inside cat $app_state/web-password)
	inside curl -sk "$url" >"$work/page" || fail "no TLS: $(inside curl -k "$url" 2>&1)"
	grep -q "$form" "$work/page" || fail "the pages are open"
	session=$(sed -n 's/.*name="session" value="\([^"]*\)".*/\1/p' "$work/page")
	inside curl -sk -d "session=$session" --data-urlencode "password=x$password" "$url" \
		>"$work/page"
	grep -q "$form" "$work/page" || fail "any password is a login"
	inside curl -sk -d "session=$session" --data-urlencode "password=$password" "$url" \
		>"$work/page"
	grep -q "$form" "$work/page" && fail "the password is refused"
	grep -q 'name="location"' "$work/page" ||
		fail "the login shows no page: $(cat "$work/page")"
	! app add -u "ipp://$app_far:8010/" -d stranger -m pcl5 -v socket://127.0.0.1 \
		>/dev/null 2>&1 || fail "another machine can add printers"
	app_prints "from another machine" ipptool -tf /var/tmp/page.pdf \
		ipp://$app_far:8010/ipp/print/laser print-job.test
}

# The login by PAM, which the administrator turns on.
test_app_pam()
{
	local login status

	inside useradd -G lpadmin rosalinde && inside useradd hugo &&
		inside sh -c 'printf "%s\n" rosalinde:Morgentau hugo:Abendrot | chpasswd' ||
		fail "no users"
	app_drop_in SupplementaryGroups=shadow \
		'Environment="OPTIONS=-o auth-service=riptide-printer-app"'
	for login in : 401 rosalinde:Abendrot 401 nobody: 401 rosalinde: 401 hugo:Abendrot 401 \
			rosalinde:Morgentau 200; do
		case $login in
		*:*)
			status=$(page_status $app_far /config -u "$login")
			continue ;;
		esac
		[[ $status == "$login" ]] || fail "PAM: $status for a login, not $login"
	done
	app_drop_in
	inside userdel rosalinde && inside userdel hugo || fail "userdel"
	inside rm -f /etc/subuid- /etc/subgid-
}

# What Ghostscript's jail lacks, by the journal of a job.
jail_lacks() # LINE...
{
	app_drop_in 'Environment="OPTIONS=-o log-level=debug"' "$@"
	app_prints "with $*" >/dev/null
	inside journalctl --sync
	inside journalctl --no-pager -q -o cat "_SYSTEMD_INVOCATION_ID=$(unit $app_unit \
		InvocationID)" >"$work/job"
	grep -q 'sheet, ' "$work/job" || fail "the journal knows no page"
	sed -n 's/.* its jail lacks .*: //p' "$work/job"
}

# The unit leaves the jail all that it has without the unit.
test_app_jail()
{
	local in_unit without

	in_unit=$(jail_lacks) || exit
	without=$(jail_lacks RestrictNamespaces=no SystemCallFilter= ProtectProc=default \
		PrivateUsers=no) || exit
	app_drop_in
	[[ $in_unit == "$without" ]] ||
		fail "the jail lacks $in_unit, but without the unit ${without:-nothing}"
	echo "the jail lacks ${in_unit:-nothing}, also without the unit"
}

test_app()
{
	local before after score pid said kept

	if [[ ! -e $share/riptide-printer-app.deb ]]; then
		echo "the package riptide-printer-app was not tested: install libpappl-dev"
		return
	fi
	before=$(list_files)
	install_package riptide
	install_package riptide-printer-app
	app_must_answer installed
	[[ ! $(inside dpkg --verify riptide-printer-app) ]] ||
		fail "files are not as the package has them"
	[[ $(inside systemctl is-enabled $app_unit) == enabled ]] ||
		fail "the application is not there after a boot"
	has_files riptide-printer-app /usr/bin/riptide-printer-app /etc/pam.d/riptide-printer-app \
		/usr/share/man/man1/riptide-printer-app.1.gz \
		/usr/share/riptide-printer-app/{test-page.ps,ppd/riptide-pcl5.ppd}
	said=$(inside systemd-analyze verify --man=no $app_unit 2>&1) && [[ ! $said ]] ||
		fail "systemd-analyze verify: $said"
	# It needs the network and USB, and namespaces for the jail; the rest is as riptided has it.
	score=$(inside systemd-analyze security --no-pager $app_unit |
		sed -n 's/.*Overall exposure level for .*: \([0-9.]*\) .*/\1/p')
	echo "systemd-analyze security: $score"
	awk "BEGIN { exit !(\"$score\" != \"\" && $score <= 2.1) }" ||
		fail "the unit's exposure is '$score', not 2.1 at most"
	confined "$(unit $app_unit MainPID)" '[1-9][0-9]*'
	! inside journalctl --no-pager -q -u $app_unit | grep 'DNS-SD:' ||
		fail "the printers are not announced"

	nsenter -t "$leader" -n ip address add $app_far/32 dev lo || fail "no other address"
	start_printer
	app add -d laser -m pcl5 -v socket://127.0.0.1:9100 || fail "no printer is added"
	app modify -d laser -o halftone-screen=bayer || fail "the printer is not modified"
	pc_wait_for 60 modified || fail "the printer has other settings: $(settings)"
	kept=$(settings)
	app_prints installed

	inside systemctl restart $app_unit || fail "systemctl restart"
	app_survives restarted
	pid=$(unit $app_unit MainPID)
	inside systemctl kill -s KILL $app_unit
	pc_wait_for 20 app_restarted "$pid" || fail "killed, and nobody starts it"
	app_survives killed
	pid=$(unit $app_unit MainPID)
	install_package riptide-printer-app
	app_restarted "$pid" || fail "upgraded, and the old server still runs"
	app_survives upgraded

	test_app_password
	test_app_pam
	test_app_jail
	inside rm -r "/run/systemd/system/$app_unit.d"
	app_survives "after the logins"

	inside systemctl stop printer
	inside dpkg --remove riptide-printer-app >"$work/dpkg" 2>&1 || fail "cannot be removed"
	[[ $(state $app_unit) == inactive ]] || fail "removed, and runs"
	inside test -s $app_state/printers.state || fail "removed with its printers"
	inside dpkg --purge riptide-printer-app riptide >"$work/dpkg" 2>&1 ||
		fail "cannot be purged"
	after=$(list_files)
	[[ $before == "$after" ]] ||
		fail "left behind: $(diff <(echo "$before") <(echo "$after"))"
}
