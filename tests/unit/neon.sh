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
	echo "needs $compiler and qemu-aarch64" \
		"(Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user)"
	exit 77
fi

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
flags=(-std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -pthread)

# All of halftone/ as objects in a folder.
compile_halftone() # FOLDER FLAG...
{
	local to=$1 file object

	shift
	mkdir -p "$to"
	for file in halftone/*.c halftone/*/*.c halftone/simd/arm/*.c; do
		[[ $file != */generate.c ]] || continue
		object=${file//\//_}
		"$compiler" "${flags[@]}" "$@" -I. -c "$file" -o "$to/${object%.c}.o" || failed=1
	done
}

compile_halftone "$work/little" -O2
for test in test-band test-rows test-simd test-simd-team test-kernel \
	test-simd-screens test-mask test-blue-noise-colour; do
	oracle=
	[[ $test != test-blue-noise-colour ]] || oracle=tests/tools/oracle.c
	# shellcheck disable=SC2086
	if ! "$compiler" "${flags[@]}" -O2 -static -DSIMD_EMULATED=1 -Itests/unit/emulated -I. \
		"tests/unit/$test.c" $oracle "$work"/little/*.o -o "$work/$test" -lm; then
		echo "$test: does not compile"
		failed=1
	elif ! timeout 300 "$emulator" "$work/$test"; then
		echo "$test: FAILED"
		failed=1
	fi
done

# Big endian: there NEON is not used, and nothing may ask for it.  No C library is needed
# to see that: all objects together lack no function of ours.
mkdir -p "$work/include/gnu"
: >"$work/include/gnu/stubs-lp64_be.h" # glibc has it where it is installed for big endian
compile_halftone "$work/big" -O1 -mbig-endian -isystem "$work/include"
if ! "$compiler" -mbig-endian -nostdlib -r "$work"/big/*.o -o "$work/big/all"; then
	echo "big endian: does not link"
	failed=1
else
	symbols=$("${compiler%gcc}nm" "$work/big/all") || exit 99
	if ! grep -q ' T rip_row_ops$' <<<"$symbols"; then
		echo "big endian: what this test looks for has changed"
		failed=1
	elif grep ' U rip_' <<<"$symbols"; then
		echo "big endian: the functions above are missing"
		failed=1
	fi
fi
exit $failed
