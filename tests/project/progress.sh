#!/bin/bash
# Long steps of contrib/check and contrib/package report that they go on; the reports end
# with the step, and with the script if that is killed.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
cat >script <<END
. "$source/contrib/common.sh"
RIPTIDE_PROGRESS_SECONDS=\$2
echo "CC this.o" >progress.log
begin_progress progress.log
eval "\$1"
end_progress
END

# Until it has reported.
timeout 120 bash script "until [[ -s said ]]; do sleep .1; done" 1 >said 2>&1 ||
	complain "a long step does not report"
[[ $(cat said) =~ ^"    ... for "[0-9]+" s: CC this.o" ]] || complain "it reports \"$(cat said)\""
said=$(timeout 120 bash script true 1000 2>&1)
[[ ! $said ]] || complain "a short step reports \"$said\""

# Whoever reads the script's output sees its end when it is killed.
mkfifo pipe
bash script "touch begun; while :; do sleep .1; done" 1 >pipe 2>&1 &
pid=$!
exec 8<pipe
wait_for 60 eval '[[ -e begun ]] || gone $pid'
kill -KILL $pid
wait $pid 2>/dev/null
timeout 120 cat <&8 >/dev/null || complain "reports go on when the script is killed"

# contrib/package names all that is missing, at once, and nothing that only the tests need if there
# are none.
mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
for name; do :; done
case $name in
dpkg-dev | debhelper | libcmocka-dev) exit 1 ;;
esac
echo installed
END
chmod 755 bin/dpkg-query
lacks() # PACKAGES [NAME=VALUE]
{
	said=$(env PATH="$folder/bin:$PATH" ${2+"$2"} timeout 60 "$source/contrib/package" \
		-o "$folder/out" 2>&1)
	[[ $said == "package: packages are missing; to install them: sudo apt-get install $1" ]] ||
		complain "contrib/package says \"$said\", not $1"
}
lacks "dpkg-dev debhelper libcmocka-dev"
lacks "dpkg-dev debhelper" DEB_BUILD_OPTIONS="nocheck noautodbgsym"
finish
