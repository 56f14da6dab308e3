#!/bin/sh
# The drivers: CUPS lists them, cupstestppd passes them, they ask for 8 bits and
# offer what the filter knows.
. "${RIPTIDE_SOURCE:-.}/tests/e2e/library.sh"

begin
ppds="escp escp2 escp2-photo pcl-color pcl5 pwg raster zpl-203 zpl-300"

lpinfo -m | sed -n 's|^drv:///riptide.drv/riptide-\(.*\)\.ppd Riptide .*|\1|p' | sort >listed
[ "$(tr '\n' ' ' <listed)" = "$ppds " ] || fail "lpinfo -m lists $(cat listed)"

# What the command knows, except clustered-LPI.
"$RIPTIDE_BUILD/riptide" halftone --screen help | grep -v 'LPI\|^ ' | sort >screens
[ "$(wc -l <screens)" -ge 10 ] || fail "the command does not list the screens"

for name in $ppds; do
	ppd=$PC_DIR/etc/ppd/$name.ppd
	queue "$name" "riptide-$name"
	test_ppd "$ppd" >said 2>&1 || {
		cat said
		fail "cupstestppd does not pass $name"
	}
	# Known: names of sizes that CUPS itself uses, and a prefix that was promised.
	if grep WARN said | grep -v 'should be the Adobe standard name\|common prefix'; then
		fail "cupstestppd warns of $name"
	fi
	grep '^\*Resolution ' "$ppd" | grep -v '/cupsBitsPerColor 8/' &&
		fail "$name does not ask for 8 bits"
	[ "$(sed -n 's/^\*halftone \([a-z]*\).*/\1/p' "$ppd" | sort | tr '\n' ' ')" = \
		'auto bwec bwed ec ed pwec pwed simd ' ] || fail "$name lacks a method"
	sed -n 's/^\*halftone-screen \([a-z0-9-]*\).*/\1/p' "$ppd" | sort >offered
	# Only printers with several inks have a screen for them, and no laser does.
	case $name in
	escp2 | escp2-photo | pcl-color | raster) together=blue-noise-colour ;;
	*) together= ;;
	esac
	[ "$(grep -c '^\*riptideRegistration ' "$ppd")" = "$([ "$together" ] && echo 4 ||
		echo 0)" ] ||
		fail "$name offers a registration that it should not, or none"
	[ "$(grep -c '^\*riptideEdges ' "$ppd")" = "$([ "$name" = pcl5 ] && echo 2 || echo 0)" ] ||
		fail "$name offers fine edges though it is no laser, or lacks them"
	{
		grep -v '^blue-noise-colour$' screens | grep -v '^labels$'
		case $name in zpl*) echo labels ;; esac
		[ ! "$together" ] || echo $together
		[ "$name" != pcl5 ] || echo clustered-106
	} | sort | cmp -s - offered || fail "$name offers the screens $(tr '\n' ' ' <offered)"
	# Each choice also goes into the page header, with its own name.
	screen='\([a-z0-9-]*\)'
	sed -n "s|^\*halftone-screen $screen/.*(riptide:halftone-screen=$screen).*|\1 \2|p" \
		"$ppd" | awk '$1 != $2 { wrong++ } END { exit wrong || NR != '"$(wc \
		-l <offered)"' }' ||
		fail "$name: a choice of halftone-screen has the wrong code"
	for option in riptideDotGain:halftone-dot-gain riptideDensity:halftone-density \
		riptideLevels:halftone-levels riptideTonerSave:toner-save \
		riptideRegistration:halftone-registration riptideEdges:halftone-edges; do
		grep "^\*${option%:*} " "$ppd" |
			grep -v "^\*${option%:*} \([^/]*\)/.*(riptide:${option#*:}=\1)" \
			>said
		[ ! -s said ] || fail "$name: a choice without its code: $(cat said)"
	done
	[ "$(grep -c '^\*riptideDensity [0-9]*/.*(riptide:' "$ppd")" = 8 ] ||
		fail "$name lacks a density"
	[ "$(grep -c '^\*riptideTonerSave [0-3]/.*(riptide:' "$ppd")" = 4 ] ||
		fail "$name lacks toner save"
	grep -q "^\*Defaulthalftone-screen: $(screen_of "$name")\$" "$ppd" ||
		fail "$name: not $(screen_of "$name") by default"
	grep -q '^\*Defaulthalftone: auto' "$ppd" || fail "$name does not begin with auto"
done
echo "$ppds: passed"
