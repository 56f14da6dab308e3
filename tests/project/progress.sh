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
RIPTIDE_PROGRESS_SECONDS=\$2
echo "CC this.o" >"$folder/log"
begin_progress "$folder/log"
eval "\$1"
end_progress
END

# Until it has reported.
timeout 120 bash "$folder/script" "until [[ -s $folder/said ]]; do sleep .1; done" 1 >"$folder/said" 2>&1 ||
	{ echo "FAILED: a long step does not report"; failed=1; }
said=$(cat "$folder/said")
[[ $said =~ ^"    ... for "[0-9]+" s: CC this.o" ]] || { echo "FAILED: it reports \"$said\""; failed=1; }
said=$(timeout 120 bash "$folder/script" true 1000 2>&1)
[[ ! $said ]] || { echo "FAILED: a short step reports \"$said\""; failed=1; }

# Whoever reads the script's output sees its end when it is killed.
mkfifo "$folder/pipe"
bash "$folder/script" "touch $folder/begun; while :; do sleep .1; done" 1 >"$folder/pipe" 2>&1 &
pid=$!
exec 8<"$folder/pipe"
until [[ -e $folder/begun ]]; do
	kill -0 $pid || break
	sleep .1
done
kill -KILL $pid
wait $pid 2>/dev/null
timeout 120 cat <&8 >/dev/null || { echo "FAILED: reports go on when the script is killed"; failed=1; }

# contrib/package names all that is missing, at once, and nothing that only the tests need if there are none.
mkdir "$folder/bin"
cat >"$folder/bin/dpkg-query" <<'END'
#!/bin/sh
for name; do :; done
case $name in
dpkg-dev | debhelper | libcmocka-dev) exit 1 ;;
esac
echo installed
END
chmod 755 "$folder/bin/dpkg-query"
lacks() # PACKAGES [NAME=VALUE]
{
	said=$(env PATH="$folder/bin:$PATH" ${2+"$2"} timeout 60 "$source/contrib/package" -o "$folder/out" 2>&1)
	[[ $said == "package: packages are missing; to install them: sudo apt-get install $1" ]] ||
		{ echo "FAILED: contrib/package says \"$said\", not $1"; failed=1; }
}
lacks "dpkg-dev debhelper libcmocka-dev"
lacks "dpkg-dev debhelper" DEB_BUILD_OPTIONS="nocheck noautodbgsym"
exit $failed
