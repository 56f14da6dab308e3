#!/bin/bash
# Builds the fuzzers for OSS-Fuzz, which calls this with libFuzzer, clang's flags and these folders
# in the environment:
#
#	SRC    the checkout is $SRC/riptide
#	WORK   for what is built
#	OUT    gets the fuzzers, the libraries that they need, and their first inputs
#
# The image needs what `contrib/install-deps --list` names, and python3.
set -euo pipefail
: "${CC:=clang}" "${CFLAGS:=-O1 -g1}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
source=$SRC/riptide
if [[ $LIB_FUZZING_ENGINE != -fsanitize=fuzzer ]]; then
	echo "build.sh: LIB_FUZZING_ENGINE is $LIB_FUZZING_ENGINE: only libFuzzer is known" >&2
	exit 1
fi

[[ -e $source/configure ]] || (cd "$source" && autoreconf -fi)
mkdir -p "$WORK/riptide" "$OUT/lib"
cd "$WORK/riptide"
"$source/configure" --enable-fuzzers --without-cuda --disable-hardening \
	CC="$CC" CFLAGS="$CFLAGS"
fuzzers=()
for file in "$source"/tests/fuzz/fuzz-*.c; do
	file=${file##*/}
	fuzzers+=("tests/fuzz/${file%.c}")
done
# Where they run, there are no libraries but those beside them.
make -j"$(nproc)" LIBRARY_FOLDER="-Wl,-rpath,'\$\$ORIGIN/lib'" "${fuzzers[@]}"
for fuzzer in "${fuzzers[@]}"; do
	name=${fuzzer##*/}
	cp "$fuzzer" "$OUT/"
	ldd "$fuzzer" | awk '$2 == "=>" { print $3 }' |
		grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libresolv)\.so' |
		xargs -r cp -L -t "$OUT/lib"
	python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" \
		"$source/tests/fuzz/corpus${name#fuzz}"/*
	printf '[libfuzzer]\nmax_len = 4096\nclose_fd_mask = 3\n' >"$OUT/$name.options"
done
