#!/bin/sh
# The drivers: CUPS lists them, cupstestppd passes them, they ask for 8 bits and
# offer what the filter knows.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

pc_start || exit
ppds="escp escp2 pcl-color pcl5 pwg raster zpl-203 zpl-300"

lpinfo -m | sed -n 's|^drv:///riptide.drv/riptide-\(.*\)\.ppd Riptide .*|\1|p' | sort >"$PC_DIR/listed"
[ "$(tr '\n' ' ' <"$PC_DIR/listed")" = "$ppds " ] || fail "lpinfo -m lists $(cat "$PC_DIR/listed")"

for name in $ppds; do
	ppd=$PC_DIR/etc/ppd/$name.ppd
	pc_queue "$name" "riptide-$name" || fail "no queue $name"
	test_ppd "$ppd" >"$PC_DIR/said" 2>&1 || {
		cat "$PC_DIR/said"
		fail "cupstestppd does not pass $name"
	}
	# Known: names of sizes that CUPS itself uses, and a prefix that was promised.
	if grep WARN "$PC_DIR/said" | grep -v 'should be the Adobe standard name\|common prefix'; then
		fail "cupstestppd warns of $name"
	fi
	grep '^\*Resolution ' "$ppd" | grep -v '/cupsBitsPerColor 8/' &&
		fail "$name does not ask for 8 bits"
	[ "$(sed -n 's/^\*halftone \([a-z]*\).*/\1/p' "$ppd" | sort | tr '\n' ' ')" = \
		'auto bwec bwed ec ed pwec pwed simd ' ] || fail "$name lacks a method"
	[ "$(grep -c '^\*halftone-error-filter ' "$ppd")" = 6 ] || fail "$name lacks an error filter"
	grep -q '^\*Defaulthalftone: auto' "$ppd" || fail "$name does not begin with auto"
done
echo "$ppds: passed"
