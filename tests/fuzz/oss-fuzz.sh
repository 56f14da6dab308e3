#!/bin/bash
# What OSS-Fuzz would build and run: each fuzzer has its libraries beside it, takes its first
# inputs, and makes others of them.
set -uo pipefail

source=$(realpath "${srcdir:-.}")
for tool in clang python3; do
	command -v $tool >/dev/null || { echo "needs $tool"; exit 77; }
done
if ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
		clang -x c -fsanitize=fuzzer,address -o /dev/null - 2>/dev/null; then
	echo "needs clang's runtime for fuzzers (Debian: libclang-rt-14-dev)"
	exit 77
fi
if [[ -e $source/config.status ]]; then
	echo "the source was configured in place: it cannot be built elsewhere"
	exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work"/{src,out}
ln -s "$source" "$work/src/riptide"
if ! env -u MAKEFLAGS -u MAKELEVEL SRC="$work/src" WORK="$work" OUT="$work/out" CC=clang \
		CFLAGS="-O1 -gline-tables-only -fsanitize=address,fuzzer-no-link" \
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
		"$source/tests/fuzz/build.sh" >"$work/log" 2>&1; then
	tail -n 40 "$work/log"
	exit 1
fi

# Elsewhere the folders in which it was built do not exist.
mv "$work/out" "$work/moved"
rm -rf "$work/riptide"
failed=0 count=0
for file in "$source"/tests/fuzz/fuzz-*.c; do
	name=${file##*/} name=${name%.c}
	mkdir "$work/$name"
	python3 -m zipfile -e "$work/moved/${name}_seed_corpus.zip" "$work/$name" || failed=1
	libraries=$(ldd "$work/moved/$name")
	if grep -E 'not found|=> [^ ]*/libcups' <<<"$libraries" | grep -vF "$work/moved/lib/"; then
		echo "$name: not with the library beside it"
		failed=1
	fi
	if ! timeout 300 "$work/moved/$name" -runs=500 -max_len=4096 -close_fd_mask=3 \
			-artifact_prefix="$work/" "$work/$name" >"$work/log" 2>&1; then
		echo "$name: FAILED"
		tail -n 40 "$work/log"
		failed=1
	fi
	((count++))
done
echo "$count fuzzers"
exit $failed
