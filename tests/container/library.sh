# shellcheck shell=bash
# A throw-away container for the tests of what is installed: Debian's or Ubuntu's own
# systemd and CUPS, of the release that this machine has, and the package of this tree.
#
#	container_prepare   makes $root, the system, and the packages $share/riptide.deb and
#	                    $share/riptide-mpi.deb (where Open MPI can be built with), and, if
#	                    $application is set, $share/riptide-printer-app.deb (with PAPPL).
#	                    Ends the test with 77 where that cannot be had.
#	container_boot [ARGUMENT...]
#	                    starts it on an overlay of $root that is forgotten in the end,
#	                    with further arguments for systemd-nspawn
#	inside COMMAND...   runs a command in there, for a minute ($inside_seconds) at most
#	container_stop      ends it
#
# $container is the container's own / as seen from here, while it runs.  It sees
# $share as /mnt, and no network.  All ends when the script does: its EXIT trap is set.

: "${RIPTIDE_BUILD:=.}" "${RIPTIDE_SOURCE:=.}"
# shellcheck source-path=SCRIPTDIR source=../../contrib/debian-system.sh
. "$RIPTIDE_SOURCE/contrib/debian-system.sh"

work='' share='' root='' supervisor='' leader='' container=''
packages=systemd,systemd-sysv,dbus,cups,cups-filters,ghostscript,openmpi-bin,autopkgtest,dpkg-dev
packages+=,gcc,libc6-dev,pkgconf
inside_seconds=60

skip()
{
	echo "skipped: $*"
	exit 77
}

# What is left when all was ended hard: the container, whose process 1 takes everything
# in there along, the mounts of mmdebstrap, and files.
container_clear() # FOLDER
{
	local mounted

	[[ -d $1 ]] || return 0
	if [[ -s $1/leader ]]; then
		kill -KILL "$(cat "$1/leader")" 2>/dev/null
	fi
	findmnt -rno TARGET | grep "^$1/" | sort -r | while read -r mounted; do
		umount -l "$mounted"
	done
	rm -rf --one-file-system "$1"
}

# Sees to that if this script is killed.
container_guard()
{
	setsid bash -c "$(declare -f container_clear)
		while kill -0 $$; do sleep 1; done
		container_clear '$work'" </dev/null >/dev/null 2>&1 &
	disown
}

# What systemd-nspawn leaves where /run is no file system of its own.
forget_machine()
{
	rmdir "/run/systemd/nspawn/propagate/riptide-$$" 2>/dev/null
}

container_stop()
{
	local tries

	[[ $supervisor ]] || return 0
	[[ ! $leader ]] || inside systemctl poweroff >/dev/null 2>&1
	for ((tries = 150; tries; tries--)); do
		kill -0 "$supervisor" 2>/dev/null || break
		((tries > 50 && ${leader:-0} > 0)) ||
			kill -KILL "${leader:-$supervisor}" 2>/dev/null
		sleep 0.1
	done
	wait "$supervisor" 2>/dev/null
	rm -f "$work/leader"
	forget_machine
	supervisor='' leader='' container=''
}

container_end()
{
	local status=$?

	trap '' HUP INT TERM
	trap - EXIT
	((status == 0 || status == 77)) || container_tell
	container_stop
	container_clear "$work"
	exit $status
}

# What may tell why a test failed.
container_tell()
{
	[[ ! $container ]] || {
		inside journalctl --no-pager -n 60 -u riptided -u riptided.socket -u cups \
			-u riptide-printer-app
		tail -n 40 "$container/var/log/cups/error_log"
	}
} >&2

inside()
{
	# env -i: as in a fresh login of root.
	timeout -k 5 $inside_seconds nsenter -t "$leader" -m -u -i -p -n -C -r -w /usr/bin/env -i \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root TERM=dumb \
		DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}

as() # USER COMMAND...: inside, without further groups
{
	local user=$1

	shift
	inside setpriv --reuid="$user" --regid="$(inside id -g "$user")" --clear-groups "$@"
}

container_boot() # [NSPAWN-ARGUMENT...]
{
	local tries state=''

	systemd-nspawn -q -D "$root" --volatile=overlay --register=no --keep-unit \
		--private-network --machine="riptide-$$" --console=pipe --bind-ro="$share":/mnt \
		"$@" -b systemd.unit=multi-user.target </dev/null >"$work/console" 2>&1 &
	supervisor=$!
	for ((tries = 300; tries; tries--)); do
		kill -0 $supervisor 2>/dev/null || break
		leader=$(ps -o pid=,comm= --ppid $supervisor | awk '$2 == "systemd" { print $1 }')
		echo "$leader" >"$work/leader"
		# Not all of a system need work: degraded will do.
		[[ $leader ]] && state=$(inside systemctl is-system-running 2>&1)
		if [[ $state == running || $state == degraded ]]; then
			container=/proc/$leader/root
			return
		fi
		sleep 0.1
	done
	skip "no container starts here: $(tail -n 1 "$work/console") $state"
}

make_root() # FOLDER PACKAGES [ARGUMENT...]
{
	make_system "$release" "$1" "$2" "$work/apt.conf" "${@:3}" >"$work/mmdebstrap" ||
		skip "no packages to be had for a container: $(grep -m 1 '^E:' "$work/mmdebstrap" ||
			tail -n 1 "$work/mmdebstrap")"
}

# What the package needs to be built, by the names of this release.
build_packages()
{
	local entry name names

	sed -n '/^Build-Depends:/,/^[^ ]/{s/([^)]*)//g;s/<[^>]*>//g;s/debhelper-compat/debhelper/
		s/^ \(.*\),/\1/p}' "$RIPTIDE_SOURCE/contrib/debian/control" | tr -d ' ' |
	while read -r entry; do
		IFS='|' read -ra names <<<"$entry"
		for name in "${names[@]}"; do
			[[ ! $(apt-cache madison "$name" 2>/dev/null) ]] ||
				{ echo -n ",$name"; break; }
		done
	done
}

# With the tools of this machine, or in a system of its own that has them.
make_package()
{
	# Complete debug information, which the package does not have, would double the time.
	local source options=(DEB_BUILD_OPTIONS='nocheck noautodbgsym' DEB_CFLAGS_APPEND=-g1)
	local mpi=--with-mpi app=${application:+--with-pappl} name

	if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null; then
		pkg-config --exists ompi-c || mpi=
		pkg-config --exists 'pappl >= 1.3.1' || app=
		env "${options[@]}" timeout -k 10 3600 "$RIPTIDE_SOURCE/contrib/package" \
			-o "$share" \
			--without-cuda $mpi $app
	else
		source=$(realpath "$RIPTIDE_SOURCE")
		make_root "$work/builder" "dpkg-dev,gcc,libc6-dev,make$(build_packages)"
		[[ -e $work/builder/usr/include/pappl ]] || app=
		timeout -k 10 3600 systemd-nspawn -q -D "$work/builder" --register=no --keep-unit \
			--machine="riptide-$$" --private-network --bind-ro="$source":/source \
			--bind="$share":/mnt \
			"${options[@]/#/--setenv=}" --console=pipe \
			/source/contrib/package -o /mnt --without-cuda $mpi $app </dev/null
		forget_machine
	fi
	compgen -G "$share/riptide_*.deb" >/dev/null || fail "the package cannot be built"
	for name in riptide libriptide0 libriptide-dev ${mpi:+riptide-mpi} \
			${app:+riptide-printer-app}; do
		mv "$share/${name}_"*.deb "$share/$name.deb" || fail "there is no package $name"
	done
}

# The packages that the printer application depends on, by the names of this release.
application_packages()
{
	[[ -e $share/riptide-printer-app.deb ]] || return
	dpkg-deb -f "$share/riptide-printer-app.deb" Depends |
		sed -E 's/ \([^)]*\)//g; s/ *\|[^,]*//g; s/ //g; s/(^|,)riptide,/\1/
			s/^/,cups-ipp-utils,curl,/'
}

# What lintian says of the packages and of the source package, down to the last remark.
lint()
{
	local tree=$work/lint/riptide-0

	if ! command -v lintian >/dev/null || ! command -v dpkg-buildpackage >/dev/null; then
		echo "lintian or dpkg-dev is not installed: not asked"
		return
	fi
	mkdir -p "$tree"
	(. "$RIPTIDE_SOURCE/contrib/common.sh" && copy_tree "$tree") || fail "no copy of the source"
	version=$(sed -n 's/^AC_INIT([^,]*, \[\([^]]*\)\].*/\1/p' "$tree/configure.ac")
	mv "$tree" "${tree%-0}-$version"
	tree=$(echo "$work"/lint/riptide-*)
	tar -C "$work/lint" -cJf "$work/lint/riptide_${tree##*-}.orig.tar.xz" "${tree##*/}"
	cp -r "$tree/contrib/debian" "$tree/debian"
	(cd "$tree" && dpkg-buildpackage -S -d -us -uc --no-pre-clean) >"$work/lint/log" 2>&1 ||
		fail "no source package: $(tail -n 5 "$work/lint/log")"
	timeout -k 5 600 lintian --pedantic -I --fail-on error,warning,info,pedantic --allow-root \
		"$share"/*.deb "$work"/lint/*.changes || fail "lintian is not content"
}

# What a container needs, or the test ends with 77; and $work, which is removed in the end.
container_begin()
{
	local tool

	[[ $EUID == 0 ]] || skip "only root can start containers"
	for tool in systemd-nspawn:systemd-container mmdebstrap:mmdebstrap nsenter:util-linux \
			ps:procps apt-get:apt; do
		command -v "${tool%:*}" >/dev/null || skip "install the package ${tool#*:}"
	done
	release=$(own_release)
	[[ $(system_sources "$release") ]] ||
		skip "apt knows no packages of this release: run apt-get update"

	trap container_end EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	work=$(mktemp -d /var/tmp/riptide-container.XXXXXX) || exit
	container_guard
}

# Makes $root, a system that never changes.  It is kept in the folder $RIPTIDE_CONTAINER_CACHE, if
# there is one.  To have newer packages in it, remove it.
container_root() # PACKAGES [ARGUMENT...]
{
	root=$work/root
	if [[ ${RIPTIDE_CONTAINER_CACHE-} ]]; then
		mkdir -p "$RIPTIDE_CONTAINER_CACHE"
		root=$(realpath "$RIPTIDE_CONTAINER_CACHE")
		root+=/$release-$(cksum <<<"$1" | cut -d ' ' -f 1)
	fi
	if [[ ! -d $root ]]; then
		make_root "$work/new" "$@"
		mv -T "$work/new" "$root" 2>/dev/null || [[ -d $root ]] || fail "cannot make $root"
	fi
}

container_prepare()
{
	container_begin
	share=$work/share
	mkdir -m 755 "$share"
	cp "$RIPTIDE_SOURCE/tests/e2e/page.ps" "$share/"
	# What the tests of the packages need of the source.
	mkdir "$share/source"
	cp -r "$RIPTIDE_SOURCE/contrib" "$RIPTIDE_SOURCE/contrib/debian" "$share/source/" ||
		fail "cp"
	make_package
	container_root "$packages$(application_packages)"
}
