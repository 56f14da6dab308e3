#!/bin/bash
# The web pages of riptide-printer-app in Chromium: clicked through, on a wide screen and on a
# telephone, in English and German.  All that the pages ask for comes from the server.
#
# RIPTIDE_PICTURES: a folder for pictures of the pages.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99
need python3 ppdc
part "the pages in a browser (install chromium and chromium-driver)" chromium chromedriver || finish

ppdc -d . /usr/share/cups/drv/sample.drv >/dev/null 2>&1
start_app
add_printer laser pcl5
add_printer photo escp2-photo
timeout 600 python3 "$source/tests/app/browser.py" "$port" "$(cat state/web-password)" \
	"${RIPTIDE_PICTURES-}" || failed=1
stop_app
finish
