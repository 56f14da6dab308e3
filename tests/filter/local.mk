# The filters: their objects, and the programs from end to end.
TESTS += tests/filter/pdf-filter.sh tests/filter/chain.sh tests/filter/foomatic.sh \
	tests/filter/drivers.sh tests/filter/raster-document.sh \
	tests/filter/contone.sh tests/filter/profiles.sh tests/filter/headers.sh \
	tests/filter/bad-pdf.sh \
	tests/filter/contone-end.sh tests/filter/ink-tally.sh tests/filter/black.sh \
	tests/filter/slots.sh tests/filter/poppler.sh
once_tests += tests/filter/drivers.sh tests/filter/contone.sh tests/filter/headers.sh \
	tests/filter/bad-pdf.sh \
	tests/filter/black.sh tests/filter/slots.sh tests/filter/poppler.sh
EXTRA_DIST += tests/filter/library.sh tests/filter/damage-pdf.py tests/filter/contone-pages.py \
	tests/filter/black.py tests/tools/compare-driver

cmocka_tests += \
	tests/filter/test-dots tests/filter/test-header tests/filter/test-options \
	tests/filter/test-tone-options tests/filter/test-queue tests/filter/test-raster-source \
	tests/filter/test-raster-filter tests/filter/test-raster-faults \
	tests/filter/test-raster-limits \
	tests/filter/test-pass tests/filter/test-separation tests/filter/test-profile \
	tests/filter/test-light-inks tests/filter/test-dot-inks
thread_tests += tests/filter/test-raster-filter
# Sanitizers look at the filter, and would make the expected dots many times as slow.
tests_filter_test_raster_filter_CFLAGS = $(filter-out -fsanitize=%,$(AM_CFLAGS))
tests_filter_test_raster_filter_SOURCES = tests/filter/test-raster-filter.c $(ORACLE) \
	tests/tools/raster.c tests/tools/raster.h
tests_filter_test_profile_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_filter_test_separation_CPPFLAGS = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS)
tests_filter_test_separation_LDADD = tests/libtests.a $(CUPSFILTERS_LIBS) $(CUPS_LIBS) \
	$(CMOCKA_LIBS)

# With another version of libcupsfilters than the one that this machine prints with
# (contrib/check-on).
cupsfilters_tests = tests/filter/test-separation
check-cupsfilters: rastertoriptide
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(cupsfilters_tests)' check_PROGRAMS='$(cupsfilters_tests)'
.PHONY: check-cupsfilters
