#!/bin/bash
# riptide built for 64-bit Arm by a cross compiler, and its tests of arithmetic, engines, tones and
# filters, which an emulator of the processor runs.
#
# In a system in a folder that has Debian's libraries of both processors, so that none of this
# machine's packages change.  Skipped where no such system can be had.
set -uo pipefail

# shellcheck source-path=SCRIPTDIR source=../e2e/library.sh
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-.}/tests/container/library.sh"

tools=make,pkgconf,cups-ppdc,gcc-aarch64-linux-gnu,qemu-user
libraries=(libc6 libcups2 libcupsfilters libjpeg libpng libtiff libsystemd libseccomp libcmocka)
libraries=("${libraries[@]/%/-dev:arm64}")

[[ $(dpkg --print-architecture 2>/dev/null) == amd64 ]] || skip "the tools are those of x86-64"
[[ ! -e $RIPTIDE_SOURCE/config.status ]] ||
	skip "the source was configured in place: it cannot be built elsewhere"
container_begin
container_root "$tools,$(IFS=,; echo "${libraries[*]}")" --architectures=amd64,arm64
source=$(realpath "$RIPTIDE_SOURCE")
echo "the system: $SECONDS s"

mkdir "$work/build"
# A program that a test starts is a script that starts the emulator: the kernel does not know it.
cat >"$work/build/build" <<'END'
set -e
cd /build
begin=$SECONDS
export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
/source/configure --build=x86_64-linux-gnu --host=aarch64-linux-gnu PKG_CONFIG=pkg-config \
	--without-cuda --enable-werror CFLAGS='-O2 -g1'
make -j"$(nproc)"
make -j"$(nproc)" check-emulated TESTS=
mkdir emulated
for program in rastertoriptide riptide riptided; do
	mv $program emulated/
	printf '#!/bin/sh\nexec qemu-aarch64 -0 "$0" /build/emulated/%s "$@"\n' $program >$program
	chmod 755 $program
done
echo "built in $((SECONDS - begin)) s"
make -j"$(nproc)" check-emulated EMULATOR=qemu-aarch64
echo "tested in $((SECONDS - begin)) s"
END
timeout -k 10 3600 systemd-nspawn -q -D "$root" --volatile=overlay --register=no --keep-unit \
	--private-network --machine="riptide-$$" --bind-ro="$source":/source \
	--bind="$work/build":/build --console=pipe bash /build/build </dev/null >"$work/log" 2>&1
status=$?
forget_machine
grep -aE '^(# (PASS|SKIP|FAIL|ERROR): *[1-9]|(FAIL|ERROR|SKIP):|built in|tested in)' "$work/log"
if ((status != 0)); then
	cat "$work/build/test-suite.log" 2>/dev/null || tail -n 60 "$work/log"
	fail "it does not build for Arm, or a test fails there"
fi
! grep -q '^SKIP: ' "$work/log" ||
	fail "a test is skipped there: one that cannot run belongs into not_emulated"
# Enough that nothing was left out.
(($(sed -n 's/^# PASS: *//p' "$work/log" | tail -n 1) > 50)) || fail "too few tests ran"
