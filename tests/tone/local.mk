# What a printer makes of dots, and calibrations.
EXTRA_DIST += tests/tone/argyll
if CMOCKA
tone_tests = tests/tone/test-cgats tests/tone/test-cal
TESTS += $(tone_tests)
check_PROGRAMS += $(tone_tests)
tests_tone_test_cgats_SOURCES = tests/tone/test-cgats.c tests/tools/testing.h
tests_tone_test_cgats_LDADD = tone/libtone.a $(CMOCKA_LIBS)
tests_tone_test_cal_SOURCES = tests/tone/test-cal.c tests/tools/testing.h
tests_tone_test_cal_LDADD = tone/libtone.a $(CMOCKA_LIBS)
endif
