#!/bin/bash
# What an administrator gets: the package, installed in a container with a systemd and a
# CUPS of its own, printed with, watched, mistreated and removed again.
#
# Skipped where no container can be started, or no packages be had for one.
set -uo pipefail

# shellcheck source-path=SCRIPTDIR source=../e2e/library.sh
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-.}/tests/container/library.sh"
# shellcheck source-path=SCRIPTDIR source=package.sh
. "${RIPTIDE_SOURCE:-.}/tests/container/package.sh"
# shellcheck source-path=SCRIPTDIR source=service.sh
. "${RIPTIDE_SOURCE:-.}/tests/container/service.sh"
# shellcheck source-path=SCRIPTDIR source=app.sh
. "${RIPTIDE_SOURCE:-.}/tests/container/app.sh"

# told SECTION: how long it took.
told()
{
	echo "$1: $((SECONDS - told_at)) s"
	told_at=$SECONDS
}
told_at=0

for program in riptide contrib/examples/.libs/pgm-to-pbm; do
	[[ -x $RIPTIDE_BUILD/$program ]] ||
		fail "$RIPTIDE_BUILD/$program is not built: make check TESTS="
done
application=yes
container_prepare
lint
told "the system and the package"

container_boot --drop-capability=CAP_SYS_NICE # as where root is not the machine's
test_package
test_library_packages
test_mpi_package
container_stop
told "installed, upgraded and removed"

container_boot
test_service
container_stop
told "printed with"

container_boot
test_app
container_stop
told "the printer application"

container_boot
test_autopkgtest
container_stop
told "tested as Debian tests packages"
