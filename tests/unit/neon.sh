#!/bin/bash
# The tests of halftone/ on 64-bit Arm: built with a cross compiler and run by an
# emulator, so that the NEON functions are tested on every machine.
set -uo pipefail

cd "${srcdir:-.}" || exit 99
compiler=${RIPTIDE_ARM_CC:-aarch64-linux-gnu-gcc}
emulator=
for name in qemu-aarch64 qemu-aarch64-static; do
	command -v "$name" >/dev/null && emulator=$name && break
done
if ! command -v "$compiler" >/dev/null || [[ ! $emulator ]]; then
	echo "needs $compiler and qemu-aarch64 (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user)"
	exit 77
fi

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
for test in test-band test-rows test-simd; do
	if ! "$compiler" -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -static -pthread \
		-Itests/unit/emulated -I. "tests/unit/$test.c" halftone/*.c halftone/arm/*.c \
		-o "$work/$test"; then
		echo "$test: does not compile"
		failed=1
	elif ! timeout 300 "$emulator" "$work/$test"; then
		echo "$test: FAILED"
		failed=1
	fi
done
exit $failed
