#!/bin/bash
# Long steps of contrib/check and contrib/package report that they go on; the reports end
# with the step, and with the script if that is killed.
set -uo pipefail

source=${RIPTIDE_SOURCE:-$PWD}
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
failed=0
cat >"$folder/script" <<END
. "$source/contrib/common.sh"
RIPTIDE_PROGRESS_SECONDS=1
echo "CC this.o" >"$folder/log"
begin_progress "$folder/log"
\$1
end_progress
END

said=$(timeout 30 bash "$folder/script" "sleep 3.5" 2>&1)
[[ $said =~ ^"    ... for "[12]" s: CC this.o"$'\n' ]] || { echo "FAILED: it reports \"$said\""; failed=1; }
said=$(timeout 30 bash "$folder/script" true 2>&1)
[[ ! $said ]] || { echo "FAILED: a short step reports \"$said\""; failed=1; }

# Whoever reads the script's output sees its end when it is killed.
start=$SECONDS
timeout -s KILL 2 bash "$folder/script" "sleep 2.2" 2>&1 | cat >/dev/null
((SECONDS - start < 8)) || { echo "FAILED: reports go on for $((SECONDS - start)) s"; failed=1; }
exit $failed
