# The filters: their objects, and the programs from end to end.
TESTS += tests/filter/pdf-filter.sh tests/filter/chain.sh tests/filter/foomatic.sh tests/filter/drivers.sh tests/filter/contone.sh tests/filter/profiles.sh \
	tests/filter/headers.sh tests/filter/bad-pdf.sh tests/filter/contone-end.sh
once_tests += tests/filter/drivers.sh tests/filter/contone.sh tests/filter/headers.sh tests/filter/bad-pdf.sh
EXTRA_DIST += tests/filter/library.sh tests/filter/contone-end.sh tests/filter/bad-pdf.sh tests/filter/damage-pdf.py tests/filter/headers.sh tests/filter/profiles.sh tests/filter/contone.sh tests/filter/contone-pages.py tests/filter/pdf-filter.sh tests/filter/chain.sh tests/filter/foomatic.sh tests/filter/drivers.sh tests/tools/compare-driver
TESTS += tests/filter/ink-tally.sh
EXTRA_DIST += tests/filter/ink-tally.sh

if CMOCKA
filter_tests = \
	tests/filter/test-dots tests/filter/test-header tests/filter/test-options \
	tests/filter/test-tone-options tests/filter/test-queue tests/filter/test-raster-source \
	tests/filter/test-raster-filter tests/filter/test-raster-faults tests/filter/test-raster-limits \
	tests/filter/test-pass tests/filter/test-separation tests/filter/test-profile \
	tests/filter/test-light-inks tests/filter/test-dot-inks
TESTS += $(filter_tests)
thread_tests += tests/filter/test-raster-filter
check_PROGRAMS += $(filter_tests)
tests_filter_test_dots_SOURCES = tests/filter/test-dots.c tests/tools/testing.h
tests_filter_test_dots_LDADD = filter/libfilter.a $(CMOCKA_LIBS) -lm
tests_filter_test_header_SOURCES = tests/filter/test-header.c tests/tools/raster.c tests/tools/raster.h tests/tools/testing.h
tests_filter_test_header_LDADD = filter/libfilter.a $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_options_SOURCES = tests/filter/test-options.c tests/filter/job_options.c tests/filter/job_options.h tests/tools/testing.h
tests_filter_test_options_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_tone_options_SOURCES = tests/filter/test-tone-options.c tests/filter/job_options.c tests/filter/job_options.h tests/tools/comma_locale.h tests/tools/testing.h
tests_filter_test_tone_options_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_queue_SOURCES = tests/filter/test-queue.c tests/filter/job_options.c tests/filter/job_options.h tests/tools/testing.h
tests_filter_test_queue_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_raster_source_SOURCES = tests/filter/test-raster-source.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_raster_source_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_dot_inks_SOURCES = tests/filter/test-dot-inks.c tests/tools/raster.c tests/tools/raster.h tests/tools/testing.h
tests_filter_test_dot_inks_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_light_inks_SOURCES = \
	tests/filter/test-light-inks.c tests/tools/raster.c tests/tools/raster.h tests/tools/oracle.c tests/tools/oracle.h
tests_filter_test_light_inks_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
# It has no threads, and ThreadSanitizer would make its expected dots many times as slow.
tests_filter_test_raster_filter_CFLAGS = $(filter-out -fsanitize=thread,$(AM_CFLAGS))
tests_filter_test_raster_filter_SOURCES = \
	tests/filter/test-raster-filter.c tests/tools/raster.c tests/tools/raster.h tests/tools/oracle.c tests/tools/oracle.h \
	tests/tools/mask_dots.c tests/tools/mask_dots.h
tests_filter_test_raster_filter_LDADD = $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_pass_SOURCES = tests/filter/test-pass.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_pass_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_raster_faults_SOURCES = tests/filter/test-raster-faults.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_raster_faults_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_raster_limits_SOURCES = tests/filter/test-raster-limits.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_raster_limits_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_profile_SOURCES = tests/filter/test-profile.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_profile_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_filter_test_profile_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_filter_test_separation_SOURCES = tests/filter/test-separation.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_separation_CPPFLAGS = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS)
tests_filter_test_separation_LDADD = $(CUPSFILTERS_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
if CUPSFILTERS2
TESTS += tests/filter/test-cf-filter
check_PROGRAMS += tests/filter/test-cf-filter
endif
tests_filter_test_cf_filter_CPPFLAGS = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS)
tests_filter_test_cf_filter_SOURCES = tests/filter/test-cf-filter.c tests/tools/raster.c tests/tools/raster.h
tests_filter_test_cf_filter_LDADD = libriptide-cupsfilters.la $(CUPSFILTERS_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
endif

# With another version of libcupsfilters than the one that this machine prints with (contrib/check-on).
cupsfilters_tests = tests/filter/test-cf-filter tests/filter/test-separation
check-cupsfilters: rastertoriptide
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(cupsfilters_tests)' check_PROGRAMS='$(cupsfilters_tests)'
.PHONY: check-cupsfilters
