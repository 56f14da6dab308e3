# Makes and enters Debian and Ubuntu systems in a folder.  For contrib/check and tests/container.
# shellcheck shell=bash

# The release of this machine, such as bookworm.
own_release()
{
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# Prints the sources of a release, one a line, from the mirrors where apt gets this machine's own
# release.
system_sources() # RELEASE
{
	local own

	own=$(own_release)
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
			'Created-By: Packages' 2>/dev/null |
		sed -n 's/ \(Debian\|Ubuntu\)$//p' | grep -w "$own" | sort -u |
		sed "s/^\(deb [^ ]* \)$own/\1$1/"
}

# Makes a system of a release in a new folder.  options: a file for apt's options, which the
# system keeps; mmdebstrap gets the arguments after it.  What that says goes to standard output.
make_system() # RELEASE FOLDER PACKAGES OPTIONS [ARGUMENT...]
{
	# How apt gets out of here, if that is configured.
	apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-)' >"$4"
	system_sources "$1" | timeout -k 20 600 mmdebstrap --variant=minbase --include="$3" \
		--aptopt="$4" --aptopt='APT::Install-Recommends "false"' "${@:5}" "$1" "$2" - 2>&1
}

# Runs a command as root of a system in a folder: with processes, mounts and control groups of its
# own, and with the network and the devices of this machine.  Replaces the calling process, so call
# it in a subshell.  SIGKILL ends it, with all processes in there; it ignores SIGTERM.
in_system() # FOLDER COMMAND...
{
	local folder

	folder=$(realpath "$1")
	shift
	cp -L --remove-destination /etc/resolv.conf /etc/hosts "$folder/etc/"
	# Packages start no services.
	printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
	chmod 755 "$folder/usr/sbin/policy-rc.d"
	# The folder has to be the root of a mount for systemd-nspawn to work in it.
	exec unshare --mount --propagation private --pid --fork --kill-child --ipc --uts --cgroup \
		bash -c '
		set -e
		cd "$1"
		shift
		mount --bind . .
		cd "$PWD"
		mount -t proc proc proc
		mount -t sysfs sysfs sys
		mount -t cgroup2 cgroup2 sys/fs/cgroup
		mount --rbind /dev dev
		mount -t tmpfs -o mode=755 tmpfs run
		mkdir run/lock run/before
		pivot_root . run/before
		cd /
		umount -l run/before
		rmdir run/before
		exec "$@"' - "$folder" \
		/usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
		${http_proxy+"http_proxy=$http_proxy"} ${https_proxy+"https_proxy=$https_proxy"} \
		${no_proxy+"no_proxy=$no_proxy"} "$@"
}
