#!/bin/bash
# Debian's own kernel, AppArmor and systemd, in a virtual machine: queues print through the
# installed package in cups.service, which AppArmor confines; Ghostscript's jail has all that it
# requires; and a kernel without Landlock prints, too.
#
# The processor is emulated, so that this runs wherever the container tests do.  It has neither a
# network nor AVX-512.  Two boots and five pages take minutes.  Skipped where no such system can be
# had.
set -uo pipefail

# shellcheck source-path=SCRIPTDIR source=../e2e/library.sh
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-.}/tests/container/library.sh"

packages=systemd,systemd-sysv,udev,dbus,cups,cups-filters,ghostscript,apparmor
packages+=,linux-image-cloud-amd64
boot_seconds=900 # at most

# Runs a command in the system as it is in its folder, without what was changed in it before.
in_root() # COMMAND...
{
	timeout -k 5 300 systemd-nspawn -q -D "$root" --volatile=overlay --register=no --keep-unit \
		--private-network --machine="riptide-$$" --bind="$share":/mnt --console=pipe \
		"$@" </dev/null >"$work/log" 2>&1 || fail "$*: $(tail -n 5 "$work/log")"
	forget_machine
}

# The page, and the dots of the processor of this machine: by the filter that is in the package,
# and the raster of which the oracle makes the others.
make_expected()
{
	in_root bash -ec '
		dpkg --unpack /mnt/riptide.deb >/mnt/log
		gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=/mnt/page.pdf \
			-c "/sizes [216 144] def" -f /mnt/page.ps
		/usr/lib/cups/daemon/cups-driverd cat drv:///riptide.drv/riptide-raster.ppd \
			>/mnt/gray.ppd
		for type in pdf raster; do
			cupsfilter -p /mnt/gray.ppd -o media=A6 -e -m application/vnd.cups-$type \
				/mnt/page.pdf >/mnt/gray.$type 2>/mnt/log
		done
		PPD=/mnt/gray.ppd /usr/lib/cups/filter/pdftoriptide 1 lp title 1 \
			"media=A6 number-up=1 print-color-mode=monochrome" /mnt/gray.pdf \
			>/mnt/jail.expected'
	[[ -s $share/jail.expected && -s $share/gray.raster ]] ||
		fail "there are no dots to compare"
}

# The disk, and what starts the tests in there when all else has started.
make_disk()
{
	local unit=$work/riptide-vm.service

	cat >"$unit" <<-'END'
		[Unit]
		After=multi-user.target cups.service
		SuccessAction=poweroff-force
		FailureAction=poweroff-force
		[Service]
		Type=oneshot
		StandardOutput=tty
		StandardError=tty
		TTYPath=/dev/ttyS0
		TTYVHangup=no
		ExecStart=/bin/sh -c 'tar -C /mnt -xf /dev/nvme0n2 && exec bash /mnt/inside'
	END
	truncate -s 3G "$work/disk"
	mkfs.ext4 -q -d "$root" "$work/disk" || fail "mkfs.ext4"
	{
		echo cd /etc/systemd/system
		echo "write $unit riptide-vm.service"
		echo cd multi-user.target.wants
		echo "symlink riptide-vm.service /etc/systemd/system/riptide-vm.service"
	} | debugfs -w -f - "$work/disk" >/dev/null 2>&1 || fail "debugfs"
}

# Starts the machine, and waits until it has done a part of vm-inside.sh, and shows its steps.  The
# files of that are in $work/PART.
boot() # PART [KERNEL-ARGUMENT...]
{
	local part=$1 begin=$SECONDS machine shown=0 lines file number=0
	local disks=(-device "nvme,id=nvme,serial=riptide")

	shift
	echo "$part" >"$share/part"
	tar -C "$share" -cf "$work/share.tar" .
	rm -f "$work/results"
	truncate -s 64M "$work/results"
	# Of what qemu has, Debian's kernels know NVMe without a module.
	for file in disk share.tar results; do
		disks+=(-drive "file=$work/$file,if=none,id=$file,format=raw,cache=unsafe"
			-device "nvme-ns,drive=$file,bus=nvme,nsid=$((++number))")
	done
	qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 1536 \
		-nodefaults -no-user-config -no-reboot -display none -serial stdio \
		-kernel "$work/vmlinuz" \
		-append "root=/dev/nvme0n1 rw console=ttyS0 panic=-1 quiet $* \
				systemd.mask=serial-getty@ttyS0.service" \
		"${disks[@]}" </dev/null >"$work/console" 2>&1 &
	machine=$!
	echo $machine >"$work/leader" # for container_clear
	while kill -0 $machine 2>/dev/null; do
		sleep 1
		lines=$(wc -l <"$work/console")
		if ((lines > shown)); then
			sed -n "$((shown + 1)),$lines{s/\r*\$//;/^== /p}" "$work/console"
			shown=$lines
		fi
		if ((SECONDS - begin > boot_seconds)); then
			kill -KILL $machine
			tail -n 60 "$work/console" >&2
			fail "$part: not done after $boot_seconds s"
		fi
	done
	rm "$work/leader"
	mkdir "$work/$part"
	tar -C "$work/$part" -xf "$work/results" 2>/dev/null
	if ! wait $machine || ! grep -aq '^== done' "$work/console"; then
		tail -n 60 "$work/console" >&2
		fail "$part: the machine ended early"
	fi
	echo "$part: $((SECONDS - begin)) s"
}

dots_are() # FILE EXPECTED WHAT
{
	cmp "$work/$1" "$share/$2" || fail "$3: other dots"
	echo "$3: the right dots"
}

# What rastertoriptide and the daemon made of the raster is what the oracle makes of it.
test_oracle()
{
	PC_DIR=$work/pages PC_JOB=1
	mkdir -p "$PC_DIR/tap" "$PC_DIR/out"
	cp "$share/gray.raster" "$PC_DIR/tap/1"
	cp "$work/whole/raster" "$PC_DIR/out/gray"
	right_dots raster gray
	echo "rastertoriptide with the daemon: the right dots"
}

[[ $(dpkg --print-architecture 2>/dev/null) == amd64 ]] && grep -q '^ID=debian' /etc/os-release ||
	skip "only Debian's kernel for x86-64 is started"
for tool in qemu-system-x86_64:qemu-system-x86 mkfs.ext4:e2fsprogs debugfs:e2fsprogs; do
	command -v "${tool%:*}" >/dev/null || skip "install the package ${tool#*:}"
done
container_prepare
cp "$RIPTIDE_SOURCE/tests/container/vm-inside.sh" "$share/inside" || fail "cp"
cp "$root"/boot/vmlinuz-* "$work/vmlinuz" || fail "the system has no kernel"
make_expected
make_disk
echo "the system and the package: $SECONDS s"

boot whole
dots_are whole/jail jail.expected "pdftoriptide, jail required"
dots_are whole/both jail.expected "pdftoriptide with the daemon"
test_oracle
boot bare lsm=lockdown,yama,apparmor
dots_are bare/jail jail.expected "pdftoriptide without Landlock"
