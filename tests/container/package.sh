# shellcheck shell=bash
# The packages alone: what they install and start, what an upgrade does to a daemon that
# runs, and what is left behind.

install_package() # NAME
{
	inside dpkg -i "/mnt/$1.deb" >"$work/dpkg" 2>&1 ||
		{ cat "$work/dpkg"; fail "the package $1 cannot be installed"; }
}

has_files() # PACKAGE FILE...
{
	local file files

	files=$(inside dpkg -L "$1")
	shift
	for file; do
		[[ $'\n'$files$'\n' == *$'\n'$file$'\n'* ]] || fail "no $file"
	done
}

state() # UNIT
{
	inside systemctl is-active "$1"
}

unit() # UNIT PROPERTY
{
	inside systemctl show -P "$2" "$1"
}

state_is() # UNIT STATE
{
	[[ $(state "$1") == "$2" ]]
}

must_be() # UNIT STATE WHEN
{
	pc_wait_for 10 state_is "$1" "$2" || fail "$3: $1 is $(state "$1"), not $2"
}

# Who may do what with the socket.
socket_permissions() # WHEN
{
	local is

	is=$(inside stat -c '%U:%G %a %F' /run/riptide/riptide.sock)
	[[ $is == 'root:lp 660 socket' ]] || fail "$1: the socket is $is"
	is=$(inside stat -c '%U:%G %a' /run/riptide)
	[[ $is == 'root:root 755' ]] || fail "$1: the folder of the socket is $is"
}

# What the sandbox of a process is in fact.
confined() # PID UID-PATTERN
{
	local line

	line=$(inside grep -E '^(Uid|NoNewPrivs|Seccomp|Cap(Eff|Prm|Bnd|Amb)):' \
		"/proc/$1/status" |
		awk '{ print $1 $2 }' | tr '\n' ' ')
	[[ $line =~ ^Uid:$2' 'CapPrm:0+' 'CapEff:0+' 'CapBnd:0+' 'CapAmb:0+' '\
NoNewPrivs:1' 'Seccomp:2' '$ ]] ||
		fail "process $1 is not confined: $line"
}

# The nice value of all threads of the daemon.
daemon_is_nice() # NUMBER
{
	local is

	# After the name, which may have spaces, the 17th.
	is=$(sed 's/.*) //' "$container/proc/$(unit riptided MainPID)/task/"*/stat |
		cut -d ' ' -f 17 | sort -u)
	[[ $is == "$1" ]] || fail "the daemon has the nice value '$is', not $1"
}

# Every file of the system, but for those that are always written, and those that cupsd writes some
# time after a queue was added or removed.
list_files()
{
	inside find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp \
		-o -path '/etc/cups/printers.conf*' -o -path '/etc/cups/subscriptions.conf*' \
		-o -path /var/tmp -o -path /var/log -o -path /run/systemd -o -path /run/udev \
		-o -path /var/cache -o -path /var/lib/dpkg -o -path /var/lib/apt \
		-o -path '/var/lib/systemd/*' \
		-a ! -path '/var/lib/systemd/deb-systemd*' \) -prune -o -print | sort
	inside find /run /var/lib/private -path /run/systemd -prune -o -print 2>/dev/null | sort
	inside getent passwd
	inside getent group
}

# An update of a driver undoes the adoption of its queues, and riptide's trigger does it again.
# Makes the queues adopted, and ours with a driver of riptide.
test_driver_update()
{
	local ppd=/etc/cups/ppd/adopted.ppd

	inside lpadmin -p adopted -v socket://localhost \
		-E -m drv:///sample.drv/laserjet.ppd 2>/dev/null ||
		fail "lpadmin"
	inside lpadmin -p ours -v socket://localhost \
		-E -m drv:///riptide.drv/riptide-pcl5.ppd 2>/dev/null ||
		fail "lpadmin"
	inside cp $ppd /tmp/vendor.ppd
	inside riptide adopt --screen stucki adopted >"$work/adopt" 2>&1 ||
		fail "riptide adopt: $(cat "$work/adopt")"
	inside cp $ppd /tmp/adopted.ppd
	# What the package of a driver does.
	inside sh -c "cd /usr/share/cups/ppd-updaters &&
		echo DRIVER_REGEXP=drv:///sample.drv/ >sample.ppd-updater
		echo 'GENNICKNAME_REGEXP=s/,.*//' >>/usr/share/cups/ppd-updaters/sample.ppd-updater"
	inside dpkg-trigger --no-await /usr/share/cups/ppd-updaters || fail "dpkg-trigger"
	inside dpkg --configure --pending >"$work/dpkg" 2>&1 ||
		fail "the triggers fail: $(cat "$work/dpkg")"
	inside rm /usr/share/cups/ppd-updaters/sample.ppd-updater
	grep -q 'PPD for printer adopted updated' "$work/dpkg" ||
		fail "cups updates nothing: $(cat "$work/dpkg")"
	inside cmp $ppd /tmp/adopted.ppd ||
		fail "the update of a driver undoes an adoption: $(cat "$work/dpkg")"
}

# With CUPS stopped, the removal restores the queue's file, and names the queue that cannot print.
test_removal()
{
	inside systemctl stop cups.socket cups.path cups.service || fail "cups does not stop"
	inside apt-get remove -y riptide >"$work/dpkg" 2>&1 || fail "cannot be removed"
	grep -q '^riptide: these queues have drivers of riptide, .*: ours; ' "$work/dpkg" ||
		fail "the removal does not name the queue ours: $(cat "$work/dpkg")"
	inside cmp /etc/cups/ppd/adopted.ppd /tmp/vendor.ppd ||
		fail "the removal leaves an adopted queue: $(cat "$work/dpkg")"
	inside systemctl start cups.socket cups.path cups.service || fail "cups does not start"
	! inside lpoptions -p adopted | grep riptide ||
		fail "the queue remembers that it was adopted"
	inside lpadmin -x adopted
	inside lpadmin -x ours
	inside rm /tmp/vendor.ppd /tmp/adopted.ppd
}

test_package()
{
	local before after score drivers before_pid
	local queue=/etc/cups/ppd/upgraded.ppd conffile=/etc/riptide/riptided.conf

	before=$(list_files)
	install_package riptide
	must_be riptided.socket active installed
	state_is riptided.service inactive || fail "the daemon runs, though no job came"
	[[ $(inside systemctl is-enabled riptided.socket) == enabled ]] ||
		fail "the socket is not there after a boot"
	[[ ! $(inside dpkg --verify riptide) ]] || fail "files are not as the package has them"
	inside systemctl is-active -q cups.service || fail "cups.service did not survive"

	# Each program with its manual, and the completion.
	has_files riptide /usr/bin/riptide{,-transform} \
		/usr/libexec/riptide/bin/ipptransform /usr/sbin/riptided \
		/usr/lib/cups/filter/{raster,pdf}toriptide \
		/usr/share/man/man1/riptide{,-halftone,-release}.1.gz \
		/usr/share/man/man8/riptided.8.gz \
		/usr/share/man/man8/{raster,pdf}toriptide.8.gz \
		/usr/share/man/man5/riptided.conf.5.gz \
		/usr/share/man/man7/riptide-protocol.7.gz $conffile \
		/usr/share/bash-completion/completions/riptide{,d} \
		/usr/share/cups/mime/riptide.{types,convs}
	! inside dpkg -L riptide | grep riptide-mpi ||
		fail "the package riptide has files of riptide-mpi"

	score=$(inside systemd-analyze verify --man=no riptided.service riptided.socket 2>&1) ||
		fail "systemd-analyze verify: $score"
	[[ ! $score ]] || fail "systemd-analyze verify: $score"
	score=$(inside systemd-analyze security --no-pager riptided.service |
		sed -n 's/.*Overall exposure level for .*: \([0-9.]*\) .*/\1/p')
	echo "systemd-analyze security: $score"
	awk "BEGIN { exit !(\"$score\" != \"\" && $score <= 1.5) }" ||
		fail "the unit's exposure is '$score', not 1.5 at most"

	drivers=$(inside lpinfo -m | grep -c 'riptide\.drv')
	((drivers == $(grep -c PCFileName "$RIPTIDE_SOURCE/ppd/riptide.drv"))) ||
		fail "lpinfo lists $drivers drivers"

	# An upgrade, with a daemon that runs, its configuration, and a queue.
	inside sed -i '$a # of the administrator' $conffile
	inside lpadmin -p upgraded -v socket://localhost -E \
		-m drv:///riptide.drv/riptide-pcl5.ppd 2>/dev/null || fail "lpadmin"
	inside riptide status >/dev/null || fail "riptide status"
	must_be riptided.service active "riptide status"
	# systemd may not give it another one in this container, and starts it.
	daemon_is_nice "$(ps -o ni= -p "$leader" | tr -d ' ')"
	before_pid=$(unit riptided MainPID)
	inside sed -i '1a *% of the version before' $queue
	inside rm /var/cache/cups/ppd-updates # else it is no new version to cups
	install_package riptide
	must_be riptided.socket active upgraded
	must_be riptided.service active upgraded
	[[ $(unit riptided MainPID) != "$before_pid" ]] || fail "the old daemon still runs"
	inside grep -q 'of the administrator' $conffile || fail "the configuration is gone"
	inside grep -q riptide $queue || fail "the queue has lost its PPD"
	! inside grep -q 'version before' $queue ||
		fail "the queue has the PPD of the version before"
	socket_permissions upgraded
	inside lpadmin -x upgraded

	test_driver_update
	test_removal
	[[ $(state riptided.socket) == inactive && $(state riptided.service) == inactive ]] ||
		fail "removed, and runs: socket $(state riptided.socket), service $(state riptided)"
	[[ ! $(inside systemctl list-unit-files --no-legend 'riptide*') ]] ||
		fail "systemd still knows the units"
	inside grep -q 'of the administrator' $conffile || fail "removed with its configuration"
	# What the filter and riptide calibrate write.
	inside sh -c 'mkdir -p /etc/riptide/calibration /var/cache/cups/riptide &&
		touch /etc/riptide/calibration/q.cal /etc/riptide/calibration/q.cal.old \
			/var/cache/cups/riptide/q.ink'
	inside dpkg --purge riptide >"$work/dpkg" 2>&1 || fail "cannot be purged"
	[[ ! -s $work/dpkg || $(cat "$work/dpkg") != *"not removed"* ]] ||
		fail "purged: $(cat "$work/dpkg")"
	! inside test -e /var/cache/cups/riptide || fail "the ink of queues is left behind"
	after=$(list_files)
	[[ $before == "$after" ]] ||
		fail "left behind: $(diff <(echo "$before") <(echo "$after"))"
}

# A program of somebody else runs with libriptide0 alone.
test_library_packages()
{
	local before after

	before=$(list_files)
	install_package libriptide0
	install_package libriptide-dev
	[[ ! $(inside dpkg --verify libriptide0 libriptide-dev) ]] ||
		fail "files are not as the packages have them"
	inside sh -c 'cd /usr/lib && ls */libriptide.so.0 */libriptide.so */libriptide.a \
		*/pkgconfig/riptide.pc' >"$work/ls" ||
		fail "libriptide is not all there: $(cat "$work/ls")"
	has_files libriptide-dev /usr/include/riptide.h /usr/share/man/man3/riptide.3.gz \
		/usr/share/man/man3/riptide_push.3.gz \
		/usr/share/doc/libriptide-dev/examples/pgm-to-pbm.c
	cp "$RIPTIDE_BUILD/contrib/examples/.libs/pgm-to-pbm" "$container/tmp/pgm-to-pbm" ||
		fail "there is no example to run"
	python3 -c 'import random, sys; sys.stdout.buffer.write(
		b"P5 1000 100 255\n" + random.Random(1).randbytes(1000 * 100))' \
		>"$container/tmp/page.pgm"
	"$RIPTIDE_BUILD/riptide" halftone -o "$work/want.pbm" "$container/tmp/page.pgm" ||
		fail "riptide halftone"
	inside sh -c '/tmp/pgm-to-pbm </tmp/page.pgm >/tmp/page.pbm' ||
		fail "the example does not run"
	cmp <(tail -c 12500 "$work/want.pbm") <(tail -c 12500 "$container/tmp/page.pbm") ||
		fail "other dots than those of riptide halftone"
	inside dpkg --purge libriptide-dev libriptide0 >"$work/dpkg" 2>&1 ||
		fail "libriptide cannot be purged"
	rm -f "$container/tmp/"{pgm-to-pbm,page.pgm,page.pbm}
	after=$(list_files)
	[[ $before == "$after" ]] ||
		fail "libriptide left behind: $(diff <(echo "$before") <(echo "$after"))"
}

# riptide-mpi needs nothing of the package riptide.
test_mpi_package()
{
	local before after
	local run=(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
		OMPI_MCA_orte_execute_quiet=1
		mpirun --oversubscribe -n 2 riptide-mpi)

	if [[ ! -e $share/riptide-mpi.deb ]]; then
		echo "the package riptide-mpi was not tested: install libopenmpi-dev"
		return
	fi
	before=$(list_files)
	install_package riptide-mpi
	[[ ! $(inside dpkg --verify riptide-mpi) ]] || fail "files are not as the package has them"
	has_files riptide-mpi /usr/bin/riptide-mpi /usr/share/man/man1/riptide-mpi.1.gz \
		/usr/share/bash-completion/completions/riptide-mpi
	python3 -c 'import random, sys; sys.stdout.buffer.write(
		b"P5 1001 700 255\n" + random.Random(1).randbytes(1001 * 700))' \
		>"$container/tmp/page.pgm"
	"$RIPTIDE_BUILD/riptide" halftone -o "$work/want.pbm" "$container/tmp/page.pgm" ||
		fail "riptide halftone"
	inside "${run[@]}" -o /tmp/page.pbm /tmp/page.pgm || fail "riptide-mpi of the package fails"
	cmp "$work/want.pbm" "$container/tmp/page.pbm" ||
		fail "other dots than those of riptide halftone"
	inside dpkg --purge riptide-mpi >"$work/dpkg" 2>&1 || fail "riptide-mpi cannot be purged"
	after=$(list_files)
	[[ $before == "$after" ]] ||
		fail "riptide-mpi left behind: $(diff <(echo "$before") <(echo "$after"))"
}

# contrib/debian/tests, as Debian runs them after each change of what riptide uses.  The container
# is the isolation that they ask for.
test_autopkgtest()
{
	local name status=0 expected=0 inside_seconds=900

	for name in riptide libriptide0 libriptide-dev riptide-printer-app; do
		[[ ! -e $share/$name.deb ]] || install_package $name
	done
	name=$(sed -n 's/^Tests: //p' "$RIPTIDE_SOURCE/contrib/debian/tests/control" | wc -l)
	# Without its package, a test is skipped.
	[[ -e $share/riptide-printer-app.deb ]] || expected=2 name=$((name - 1))
	inside autopkgtest --no-built-binaries --ignore-restrictions=isolation-container \
		/mnt/source \
		-- null >"$work/autopkgtest" 2>&1 || status=$?
	((status == expected)) ||
		fail "autopkgtest ends with $status: $(cat "$work/autopkgtest")"
	(($(sed '1,/ summary$/d' "$work/autopkgtest" | grep -cE '^[a-z]+ +PASS$') == name)) ||
		fail "not $name tests passed: $(tail -n 20 "$work/autopkgtest")"
}
