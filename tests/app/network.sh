# For the tests of riptide-printer-app that need another machine: sourced at the start, in the place
# of library.sh.  This machine is `near`, 10.9.0.1 and fd09::1, and the other one `far`, 10.9.0.2
# and fd09::2: network namespaces at the two ends of a cable.  What these tests mount is mounted for
# them alone.
# shellcheck shell=bash
# shellcheck disable=SC2034 # what tests use
# shellcheck source-path=SCRIPTDIR source=library.sh
if [[ ! ${RIPTIDE_TEST_INSIDE-} ]]; then
	export RIPTIDE_TEST_INSIDE=yes
	for way in "unshare -nmu" "unshare -rnmu"; do
		$way true 2>/dev/null && exec $way "$0"
	done
	echo "no network namespaces here"
	exit 77
fi
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need ip nsenter
echo near >/proc/sys/kernel/hostname

unshare -nu sh -c 'echo far >/proc/sys/kernel/hostname; echo >apart; exec sleep 1000' &
far=$!
wait_for 20 test -s apart || complain "no second namespace"
# A command on the other machine.
on_far() # COMMAND...
{
	nsenter -t $far -n -u "$@"
}
on_far ip link set lo up
ip link set lo up && ip link add near type veth peer name far netns $far &&
	ip address add 10.9.0.1/24 dev near && ip link set near up &&
	on_far ip address add 10.9.0.2/24 dev far && on_far ip link set far up ||
	{ echo "no cables here"; exit 77; }
# Whether the machines have IPv6, too.
ip address add fd09::1/64 dev near nodad 2>/dev/null &&
	on_far ip address add fd09::2/64 dev far nodad && ipv6=yes || ipv6=
listen=()
