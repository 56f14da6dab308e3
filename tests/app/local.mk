# Tests of riptide-printer-app, with a server of its own each.
app_tests = tests/app/print.sh tests/app/formats.sh tests/app/everywhere.sh tests/app/faults.sh \
	tests/app/printers.sh
TESTS += $(app_tests)
once_tests += $(app_tests)
EXTRA_DIST += tests/app/library.sh
