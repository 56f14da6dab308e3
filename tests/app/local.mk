# Tests of riptide-printer-app, with a server of its own each.
app_tests = tests/app/print.sh tests/app/formats.sh tests/app/everywhere.sh tests/app/faults.sh \
	tests/app/printers.sh tests/app/vendors.sh tests/app/cups.sh tests/app/discovery.sh \
	tests/app/web.sh tests/app/browser.sh
TESTS += $(app_tests)
once_tests += $(app_tests)
long_tests += tests/app/browser.sh
EXTRA_DIST += tests/app/library.sh tests/app/network.sh tests/app/web.py tests/app/browser.py
