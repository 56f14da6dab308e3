#!/bin/bash
# Manual pages and help.  Every page renders without a warning; every program
# answers --help and --version, says so if it cannot, has a page, and every option
# that its help names stands there.
set -uo pipefail

srcdir=${srcdir:-.}
failed=0
complain()
{
	echo "$*"
	failed=1
}

for tool in groff mandoc; do
	command -v $tool >/dev/null || missing=${missing:-}${missing:+ and }$tool
done

shopt -s nullglob
pages=(man/*.[1-9])
((${#pages[@]})) || complain "no manual pages in $PWD/man"
for page in "${pages[@]}"; do
	if command -v groff >/dev/null; then
		# Not break: the paths of a build may be longer than a line.
		said=$(groff -man -Tutf8 -ww -Wbreak -rLL=78n "$page" 2>&1 >/dev/null)
		[[ ! $said ]] || complain "groff warns: $said"
	fi
	if command -v mandoc >/dev/null; then
		said=$(mandoc -T lint -W error "$page" 2>&1) || complain "mandoc: $said"
	fi
done

# A request that changes fonts from word to word writes them without blanks.
said=$(grep -nE '^\.[BIR][BIR] .* [,;.)] [A-Za-z]' "$srcdir"/man/*.in)
[[ ! $said ]] || complain "words run together: $said"

version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' config.h)
[[ $version ]] || complain "no version in config.h"

# Commands that are described with another one, and those that take another one's options.
declare -A described=([release]=adopt) shares=([preview]=halftone)

# What a page says, without fonts and escapes.
text_of() # PAGE
{
	sed 's/\\-/-/g; s/\\f.//g' "man/$1"
}

# Both to stdout, nothing to stderr, and nothing is waited for.
answers() # PAGE PROGRAM [COMMAND]
{
	local page=$1 text='' option said noise
	shift

	[[ ! -e man/$page ]] || text=$(text_of "$page")
	[[ ! ${2-} || $text ]] || complain "there is no page $page"
	[[ ! ${2-} || ! ${shares[$2]-} ]] || text+=$(text_of "riptide-${shares[$2]}.1")

	noise=$(mktemp)
	for option in --help --version; do
		# A command of riptide is the same program: it has help only.
		[[ $option == --help || $# == 1 ]] || continue
		if ! said=$(timeout 120 "$@" $option </dev/null 2>"$noise"); then
			complain "$* $option fails: $(cat "$noise")"
		fi
		[[ $said ]] || complain "$* $option says nothing"
		[[ ! -s $noise ]] || complain "$* $option writes to stderr: $(cat "$noise")"
		[[ $option == --help || $said == *" $version"* ]] ||
			complain "$* --version says \"$said\", but this is $version"
		if [[ $page != none && -w /dev/full ]]; then
			"$@" $option >/dev/full 2>"$noise" </dev/null &&
				complain "$* $option: a full disk is no error"
			[[ $(cat "$noise") == *": cannot write standard output: No space left"* &&
				$(wc -l <"$noise") == 1 ]] ||
				complain "$* $option: a full disk: $(cat "$noise")"
		fi
		[[ $option == --version || ! $text ]] && continue
		while read -r name; do
			[[ $name == --help && ${2-} ]] ||
				grep -qE -- "$name([^a-z-]|\$)" <<<"$text" ||
				complain "$* has an option $name, which is not in $page"
		done < <(grep -oE -- '--[a-z][a-z-]*' <<<"$said" | sort -u)
	done
	rm -f "$noise"
}

programs=0 mpi=
[[ ! -x ./riptide-mpi ]] || mpi=riptide-mpi:1
[[ ! -x ./riptide-printer-app ]] || mpi+=" riptide-printer-app:1"
for program in riptide:1 riptide-transform:1 riptided:8 rastertoriptide:8 pdftoriptide:8 \
		rastertofoomatic:8 $mpi; do
	name=${program%:*} page=${program/:/.}
	[[ -x ./$name ]] || { complain "there is no program $name here"; continue; }
	((programs++))
	[[ -e man/$page ]] || complain "$name has no manual page man/$page"
	answers "$page" "./$name"
done
# Each command that the help of riptide lists has a help, and a page with all its options.
# riptide(1) and the help name the page.
mapfile -t commands < <(./riptide --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
((${#commands[@]} >= 6)) || complain "riptide --help lists only the commands ${commands[*]}"
for command in "${commands[@]}"; do
	page=riptide-${described[$command]-$command}
	answers "$page.1" ./riptide "$command"
	grep -q "^\.BR $page (1)" <(text_of riptide.1) ||
		complain "riptide.1 does not name $page(1)"
	grep -qF "See $page(1)" <(timeout 120 ./riptide "$command" --help) ||
		complain "the help of $command does not name $page(1)"
done
# The synopsis of a command has all its options, those with a letter by that; or it refers to
# another command's.
for command in "${commands[@]}"; do
	synopsis=$(awk -v command="$command" '
		/^\.SH / { on = 0 }
		/^\.SY / { on = $0 == ".SY \"riptide " command "\"" }
		/^\.YS/ { on = 0 }
		on' <(text_of "riptide-${described[$command]-$command}.1"))
	[[ ! ${shares[$command]-} || $synopsis != *"options of riptide ${shares[$command]}"* ]] ||
		continue
	while read -r name; do
		[[ $name == --help ]] || grep -qE -- "$name([^a-z-]|\$)" <<<"$synopsis" ||
			complain "riptide $command has an option $name," \
				"which is not in its synopsis"
	done < <(timeout 120 ./riptide "$command" --help | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p')
done
for script in install-deps demo cluster-demo check check-on private-cups; do
	answers none "$srcdir/contrib/$script"
done

# What the daemon says and reads: each event with its number, each key of its file.
plain() { sed 's/\\-/-/g' "man/$1"; } # no pipe: grep -q would break it
events=0 keys=0
while read -r event id; do
	((events++))
	grep -q "^$event *$id " < <(plain riptided.8) ||
		complain "riptided.8 does not have the event $event with $id"
done < <(sed -n 's/.*{ "\([a-z-]*\)", *"\([0-9a-f]\{32\}\)".*/\1 \2/p' "$srcdir/daemon/log.c")
while read -r key; do
	((keys++))
	grep -qx "\.B $key" < <(plain riptided.conf.5) ||
		complain "riptided.conf.5 does not have the key $key"
	grep -q "^#$key = " contrib/riptided.conf ||
		complain "contrib/riptided.conf does not have the key $key"
done < <(sed -n 's/.*strcmp(key, "\([a-z-]*\)").*/\1/p' "$srcdir/daemon/settings.c")
((events > 5 && keys > 5)) ||
	complain "$events events and $keys keys found: what this test looks for has changed"
# What the example says is what is built in: with its lines in force nothing changes, and
# all of them are understood.
example=$(mktemp)
sed "s/^#\([a-z-]* = \)/\1/; s|^socket = .*|socket = $example/s|" contrib/riptided.conf >"$example"
said=$(timeout 120 ./riptided --device cpu --config "$example" 2>&1)
[[ $said == *"cannot make the folder $example"* ||
	$said == *"the folder $example of the socket"* ]] || complain "contrib/riptided.conf: $said"
rm -f "$example"

((failed == 0)) || exit 1
if [[ ${missing:-} ]]; then
	echo "help and versions are right, but the pages were not rendered: install $missing"
	exit 77
fi
echo "${#pages[@]} pages, $programs programs"
