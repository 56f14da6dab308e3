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
