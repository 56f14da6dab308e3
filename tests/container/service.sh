# shellcheck shell=bash
# Jobs through the real cups.service and the daemon that systemd starts for them.

# What is no default of CUPS: printing into files, and a log that tells how jobs end.
prepare_cups()
{
	inside sh -c '
		echo FileDevice Yes >>/etc/cups/cups-files.conf
		sed -i "s/^LogLevel.*/LogLevel debug/" /etc/cups/cupsd.conf
		mkdir -m 755 /var/tmp/out
		systemctl restart cups.service' || fail "cups.service does not start again"
	PC_DIR=$work/pages
	mkdir -p "$PC_DIR/tap"
	ln -s "$container/var/log/cups" "$PC_DIR/log"
	ln -s "$container/var/tmp/out" "$PC_DIR/out"
}

# Makes two queues, and the 8-bit raster that their filters get.
make_queues()
{
	local queue

	inside gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=/var/tmp/page.pdf \
		-c '/sizes [595 842] def' -f /mnt/page.ps || fail "Ghostscript makes no PDF"
	for queue in gray:riptide-raster laser:riptide-pcl5; do
		inside lpadmin -p "${queue%:*}" -v "file:///var/tmp/out/${queue%:*}" -E \
			-m "drv:///riptide.drv/${queue#*:}.ppd" 2>/dev/null || fail "lpadmin"
		inside cupsfilter -p "/etc/cups/ppd/${queue%:*}.ppd" -e \
			-m application/vnd.cups-raster /var/tmp/page.pdf \
			>"$PC_DIR/${queue%:*}.ras" 2>/dev/null || fail "cupsfilter"
	done
}

# Prints the page, and sees to it that the dots are right: those of the first job of
# the queue are what the oracle says, all others the same.  A title and a user that
# must not be found anywhere.  gstoraster draws it, and nobody gives it another profile, since its
# samples are what the oracle has.
lp_page() # QUEUE WHEN
{
	local queue=$1 when=$2 said

	rm -f "$PC_DIR/out/$queue"
	said=$(inside lp -d "$queue" -o halftone=bwec -o halftone-dot-gain=none \
		-o riptide-rip=gstoraster -o halftone-black=profile \
		-t Offertentwurf -U rosalinde /var/tmp/page.pdf) ||
		fail "$when: lp fails"
	PC_JOB=${said#*"$queue-"}
	PC_JOB=${PC_JOB%% *}
	pc_wait "$PC_JOB" 60 || fail "$when: job $PC_JOB is $(pc_state "$PC_JOB")"
	if [[ ! -e $PC_DIR/$queue ]]; then
		ln -s "../$queue.ras" "$PC_DIR/tap/$PC_JOB"
		right_dots "$([[ $queue == gray ]] && echo raster || echo pcl)" "$queue"
		cp "$PC_DIR/out/$queue" "$PC_DIR/$queue"
	fi
	cmp "$PC_DIR/$queue" "$PC_DIR/out/$queue" || fail "$when: other dots"
	echo "$when: the right dots"
}

# The journal's lines of the daemon that have FIELD=VALUE, as JSON.
journal() # [FIELD=VALUE...]
{
	inside journalctl --sync
	inside journalctl --no-pager -q -u riptided -o json "$@"
}

journal_has()
{
	[[ $(journal "$@") ]]
}

# Prints the page through the daemon.  A filter waits for a silent daemon for 2 s only,
# and says so in a warning; a machine that is busy may need longer to start one, so
# then it may try again.
daemon_page() # QUEUE WHEN
{
	local try

	for try in 1 2 3; do
		lp_page "$@"
		if pc_wait_for 5 journal_has "RIPTIDE_JOB=$PC_JOB" RIPTIDE_EVENT=session-end &&
				[[ $(warnings "$PC_JOB") == 0 ]]; then
			return
		fi
		pc_log "$PC_JOB" | grep '^W .*riptided' || break
	done
	fail "$2: the daemon did not do job $PC_JOB"
}

configure() # restart|reload LINE...
{
	local how=$1

	shift
	printf '%s\n' "$@" >"$container/etc/riptide/riptided.conf"
	inside systemctl "$how" riptided.service
}

first_jobs()
{
	local field line

	state_is riptided.service inactive || fail "the daemon runs before the first job"
	socket_permissions "before the first job"
	lp_page gray "without an accelerator"
	must_be riptided.service active "after the first job"
	! journal_has "RIPTIDE_JOB=$PC_JOB" RIPTIDE_EVENT=session-end ||
		fail "a daemon without an accelerator did a job"
	lp_page laser "without an accelerator, PCL"
	socket_permissions "after the first job"

	configure restart 'device = cpu' 'idle-exit = 600' || fail "the daemon does not start"
	daemon_page gray "in the daemon"
	line=$(journal "RIPTIDE_JOB=$PC_JOB" RIPTIDE_EVENT=session-end)
	for field in '"RIPTIDE_QUEUE":"gray"' '"RIPTIDE_PAGE":"1"' '"RIPTIDE_METHOD":"' \
			'"RIPTIDE_DEVICE":"CPU' '"RIPTIDE_CLIENT_UID":"7"' '"MESSAGE_ID":"' \
			'"PRIORITY":"6"'; do
		[[ $line == *"$field"* ]] || fail "the journal has no $field: $line"
	done
	daemon_page laser "in the daemon, PCL"

	socket_permissions "after jobs in the daemon"
	as lp riptide status >/dev/null || fail "lp may not connect"
	! as nobody riptide status >/dev/null 2>&1 || fail "nobody may connect"

	confined "$(unit riptided MainPID)" '6[0-9]{4}'
	daemon_is_nice -10
}

# What an administrator does to it between jobs.
managed()
{
	local pid line

	configure restart 'device = cpu' 'idle-exit = 1' || fail "the daemon does not start"
	must_be riptided.service inactive "idle for a second"
	[[ $(unit riptided Result) == success ]] ||
		fail "idle, and ended by $(unit riptided Result)"
	must_be riptided.socket active "idle for a second"
	daemon_page gray "after it ended of idleness"

	configure restart 'device = cpu' 'idle-exit = 600' || fail "the daemon does not start"
	inside systemctl stop riptided.service 2>/dev/null || fail "systemctl stop"
	state_is riptided.service inactive || fail "stopped, and still runs"
	must_be riptided.socket active "the service stopped"
	daemon_page gray "after systemctl stop"

	pid=$(unit riptided MainPID)
	inside systemctl restart riptided.service || fail "systemctl restart"
	[[ $(unit riptided MainPID) != "$pid" ]] || fail "restarted, and the same process"
	daemon_page gray "after systemctl restart"

	inside systemctl restart riptided.socket || fail "systemctl restart of the socket"
	socket_permissions "after a restart of the socket"
	inside systemctl start riptided.service || fail "systemctl start"
	daemon_page gray "after systemctl start"

	# A wrong configuration changes nothing, a right one counts at once.
	pid=$(unit riptided MainPID)
	configure reload 'device = cpu' '' 'idle-exit = soon' 2>/dev/null &&
		fail "systemctl reload takes a wrong configuration"
	daemon_page gray "after systemctl reload, wrongly configured"
	[[ $(journal) == *riptided.conf:3:* ]] || fail "the journal does not tell the wrong line"
	state_is riptided.service active && [[ $(unit riptided MainPID) == "$pid" ]] ||
		fail "reloaded, and another process"
	configure reload 'device = cpu' 'idle-exit = 1' || fail "systemctl reload"
	must_be riptided.service inactive "reloaded with idle-exit = 1"
	[[ $(unit riptided Result) == success ]] ||
		fail "idle, and ended by $(unit riptided Result)"

	# A typing error costs no job; it is reported with its line.
	configure restart '# a comment' 'devise = cpu' && fail "a wrong configuration is taken"
	lp_page gray "with a wrong configuration"
	[[ $(warnings "$PC_JOB") == 0 ]] ||
		fail "a wrong configuration: $(pc_log "$PC_JOB" | grep '^W')"
	must_be riptided.socket active "with a wrong configuration"
	[[ $(journal) == *riptided.conf:2:* ]] || fail "the journal does not tell the wrong line"
	configure restart 'device = cpu' || fail "the daemon does not start"
	daemon_page gray "with a right configuration"
}

kills()
{
	local i died

	died=$(journal | grep -c 'code=killed, status=9')
	for ((i = 0; i < 20; i++)); do
		inside riptide status >/dev/null || fail "no daemon before kill $i"
		inside systemctl kill -s KILL riptided.service
	done
	must_be riptided.socket active "20 kills"
	((died = $(journal | grep -c 'code=killed, status=9') - died))
	((died == 20)) || fail "$died of 20 kills hit a daemon"
	daemon_page gray "after 20 kills"
	inside sh -c 'for i in $(seq 20); do systemctl kill -s KILL riptided; done'
	must_be riptided.socket active "20 kills in a row"
	daemon_page gray "after 20 kills in a row"
	socket_permissions "after 40 kills"
}

# The watchdog ends a daemon that hangs; the job that finds it hanging is printed.
hang()
{
	local pid

	[[ $(unit riptided WatchdogUSec) != 0 ]] || fail "the unit has no watchdog"
	inside mkdir -p /run/systemd/system/riptided.service.d
	printf '[Service]\nWatchdogSec=3\n' \
		>"$container/run/systemd/system/riptided.service.d/watchdog.conf"
	inside systemctl daemon-reload
	inside systemctl restart riptided.service || fail "systemctl restart"
	pid=$(unit riptided MainPID)
	inside kill -STOP "$pid"
	lp_page gray "while the daemon hangs"
	pc_wait_for 15 journal_has "UNIT_RESULT=watchdog" ||
		fail "the watchdog does not end a daemon that hangs"
	must_be riptided.service active "ended by the watchdog"
	[[ $(unit riptided MainPID) != "$pid" ]] || fail "the daemon that hangs is still there"
	daemon_page gray "after the watchdog"
}

test_service()
{
	prepare_cups
	install_package riptide # nobody tells cups.service anything after that
	make_queues
	first_jobs
	managed
	kills
	hang
	! journal | grep -aiE 'offertentwurf|rosalinde' || fail "the journal knows title or user"
}
