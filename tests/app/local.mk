# Tests of riptide-printer-app, with a server of its own each.
app_tests = tests/app/print.sh tests/app/formats.sh tests/app/everywhere.sh tests/app/faults.sh \
	tests/app/printers.sh tests/app/vendors.sh tests/app/cups.sh tests/app/discovery.sh \
	tests/app/web.sh tests/app/browser.sh
TESTS += $(app_tests)
once_tests += $(app_tests)
long_tests += tests/app/browser.sh
EXTRA_DIST += tests/app/library.sh tests/app/network.sh tests/app/web.py tests/app/browser.py
if PAPPL
cmocka_tests += tests/app/test-app-ppd
tests_app_test_app_ppd_CPPFLAGS = $(AM_CPPFLAGS) $(PAPPL_CFLAGS)
tests_app_test_app_ppd_SOURCES = tests/app/test-app-ppd.c app/app_ppd.c
tests_app_test_app_ppd_LDADD = $(LIBTESTS) adopt/libadopt.a system/.libs/libsystem.a $(PAPPL_LIBS) $(CMOCKA_LIBS)
endif
