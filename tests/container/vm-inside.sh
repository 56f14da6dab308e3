# shellcheck shell=bash
# What vm.sh runs in its machine, as root, when all has started: whole, with all that Debian's
# kernel has; bare, without Landlock.  Lines that begin with == are shown; the last one says that
# all is well.
set -uo pipefail
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
out=/var/tmp/out settings=/etc/riptide/riptided.conf errors=/var/log/cups/error_log

say()
{
	echo "== $*"
}

fail()
{
	tail -n 60 $errors
	journalctl --no-pager -q -n 60
	say "FAIL: $*"
	exit 1
}

# Our programs and Ghostscript, and the profile of AppArmor that each runs in, again and again.
watch_profiles()
{
	local process program

	while sleep 0.1; do
		ls -l /proc/[0-9]*/exe 2>/dev/null | sed -nE \
			's#.* /proc/(.*)/exe -> .*/(.*toriptide|gs|riptided)$#\1 \2#p' |
			while read -r process program; do
				echo "$program runs in $(cat "/proc/$process/attr/current")"
			done 2>/dev/null
	done
}

# Prints a file, and waits until the job has ended.  Leaves what the printer got in $out/NAME, if
# anything, the job's log in $log, and the lines of watch_profiles() in $profiles.
lp_file() # NAME FILE [LP-ARGUMENT...]
{
	local name=$1 tries watcher

	shift
	rm -f $out/gray
	watch_profiles >$out/profiles &
	watcher=$!
	job=$(lp -d gray -o media=A6 "$@") || fail "$name: lp"
	job=${job#*gray-} job=${job%% *}
	for ((tries = 300; tries; tries--)); do
		! grep -aqE "\[Job $job\] Job (completed|stopped|aborted)" $errors || break
		sleep 1
	done
	((tries)) || fail "$name: job $job does not end"
	kill $watcher
	profiles=$(grep '(\|unconfined' $out/profiles | sort -u)
	log=$(grep -a "\[Job $job\]" $errors)
	[[ ! -s $out/gray ]] || mv $out/gray "$out/$name"
}

must_print() # NAME FILE [LP-ARGUMENT...]
{
	lp_file "$@"
	[[ -s $out/$1 ]] || fail "$1: job $job printed nothing"
	! grep -a '^[EW]' <<<"$log" | grep -v 'it has been silent' ||
		fail "$1: job $job complains"
	say "$1: job $job has printed; $(paste -sd ';' <<<"$profiles" | sed 's/;/; /g')"
}

# What the jail lacks, by the job's log.
lacks()
{
	grep -a '^D.* its jail lacks ' <<<"$log" | sed 's/.*does not have: *//'
}

# What AppArmor has refused to anybody since the machine started.
denied()
{
	journalctl --no-pager -q -o cat | grep -a 'apparmor="DENIED"'
}

# The first job makes systemd start the daemon, which may take longer here than a filter waits for
# it: then a later one is done by the daemon.
must_print_by_daemon() # NAME FILE [LP-ARGUMENT...]
{
	local tries

	for ((tries = 5; tries; tries--)); do
		must_print "$@"
		journalctl --sync
		[[ ! $(journalctl --no-pager -q -u riptided "RIPTIDE_JOB=$job" \
			RIPTIDE_EVENT=session-end) ]] || return 0
	done
	fail "$1: the daemon did not do job $job"
}

whole()
{
	# Without triggers: cups would look through its drivers for a minute.
	dpkg --no-triggers -i /mnt/riptide.deb || fail "the package cannot be installed"
	echo FileDevice Yes >>/etc/cups/cups-files.conf
	sed -i 's/^LogLevel.*/LogLevel debug/' /etc/cups/cupsd.conf
	systemctl restart cups.service || fail "cups.service does not start again"
	lpadmin -p gray -v file://$out/gray -E -m drv:///riptide.drv/riptide-raster.ppd ||
		fail "lpadmin"
	say "installed"

	# The jail first, without a daemon.
	systemctl stop riptided.socket riptided.service
	printf '%s\n' 'riptide-jail = require' >$settings
	must_print jail /mnt/page.pdf
	say "the jail lacks: $(lacks)"
	[[ $profiles == *"gs runs in /usr/sbin/cupsd//third_party (enforce)"* ]] ||
		fail "Ghostscript is not confined"

	printf '%s\n' 'device = cpu' 'idle-exit = 600' 'riptide-jail = require' >$settings
	systemctl start riptided.socket || fail "there is no socket"
	[[ $(systemctl is-active riptided.service) != active ]] || fail "the daemon runs already"
	# As the oracle has it.
	must_print_by_daemon raster /mnt/gray.raster -o halftone=bwec -o halftone-dot-gain=none
	must_print_by_daemon both /mnt/page.pdf
}

bare()
{
	printf '%s\n' 'riptide-jail = on' >$settings
	must_print jail /mnt/page.pdf
	[[ $(lacks) == Landlock* ]] || fail "no line about Landlock, or several: $(lacks)"
	say "the jail lacks: $(lacks)"

	printf '%s\n' 'riptide-jail = require' >$settings
	lp_file required /mnt/page.pdf
	[[ ! -e $out/required ]] || fail "printed without what is required"
	grep -a "^E.*riptide-jail = require in $settings" <<<"$log" || fail "no reason is given"
	say "the jail is required: job $job is refused"
}

install -d -m 755 $out
rm -f $out/*
say "$(uname -r), $(cat /sys/kernel/security/lsm)"
cupsd=$(cat "/proc/$(systemctl show -P MainPID cups.service)/attr/current")
[[ $cupsd == '/usr/sbin/cupsd (enforce)' ]] || fail "cupsd is not confined: $cupsd"
say "cupsd runs in $cupsd"
say "the sandbox of cups.service: $(systemctl show cups.service |
	grep -E '^(Protect|Private|Restrict|NoNewP|SystemCallFilter|Dynamic|ReadOnly)' |
	grep -vE '=(no|default|)$' || echo none)"
case $(cat /mnt/part) in
whole) whole ;;
bare) bare ;;
esac
# cupsd itself is refused net_admin by its profile.
denied
! denied | grep -E 'riptid|third_party' >/dev/null ||
	fail "AppArmor has refused our programs something"
say "AppArmor has refused our programs nothing"
cp $errors $out/
journalctl --no-pager -q >$out/journal
tar -C $out -cf /dev/nvme0n3 .
say "done"
