# End-to-end tests: scripts with a private CUPS; and the daemon as systemd starts it.
e2e_tests = \
	tests/e2e/ppd.sh tests/e2e/queues.sh tests/e2e/screens.sh tests/e2e/pages.sh \
	tests/e2e/vendor.sh \
	tests/e2e/pdf.sh tests/e2e/daemon.sh tests/e2e/cancel.sh tests/e2e/slow.sh \
	tests/e2e/calibrate.sh tests/e2e/adopt.sh tests/e2e/drivers.sh tests/e2e/activation.sh
TESTS += $(e2e_tests)
once_tests += $(e2e_tests)
EXTRA_DIST += tests/e2e/library.sh tests/e2e/page.ps
