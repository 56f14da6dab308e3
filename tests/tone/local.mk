# The tone model, and the curves that it makes on simulated paper.
EXTRA_DIST += tests/tone/argyll
TESTS += tests/tone/pattern-table.sh tests/tone/tone_quality
once_tests += tests/tone/pattern-table.sh tests/tone/tone_quality
once_programs += tests/tone/tone_quality tone/tables/measure
EXTRA_DIST += tests/tone/pattern-table.sh
check_PROGRAMS += tests/tone/tone_quality
tests_tone_tone_quality_SOURCES = tests/tone/tone_quality.c \
	tests/tone/simulated_paper.c tests/tone/simulated_paper.h \
	tone/tables/field_dots.c tone/tables/field_dots.h
tests_tone_tone_quality_LDADD = command/libcommand.a image/libimage.a system/libsystem.la $(TONE_LIBS)

if CMOCKA
tone_tests = tests/tone/test-cgats tests/tone/test-cal \
	tests/tone/test-printer tests/tone/test-dot-cover tests/tone/test-curve-for \
	tests/tone/test-calibrated tests/tone/test-light-ink
TESTS += $(tone_tests)
check_PROGRAMS += $(tone_tests)
tests_tone_test_printer_SOURCES = tests/tone/test-printer.c tests/tools/comma_locale.h tests/tools/testing.h \
	tone/tables/field_dots.c tone/tables/field_dots.h
tests_tone_test_printer_LDADD = $(TONE_LIBS) $(CMOCKA_LIBS)
tests_tone_test_dot_cover_SOURCES = tests/tone/test-dot-cover.c tests/tools/testing.h
tests_tone_test_dot_cover_LDADD = $(TONE_LIBS) $(CMOCKA_LIBS)
tests_tone_test_curve_for_SOURCES = tests/tone/test-curve-for.c tests/tools/testing.h
tests_tone_test_curve_for_LDADD = $(TONE_LIBS) $(CMOCKA_LIBS)
tests_tone_test_light_ink_SOURCES = tests/tone/test-light-ink.c tests/tools/testing.h
tests_tone_test_light_ink_LDADD = $(TONE_LIBS) $(CMOCKA_LIBS)
tests_tone_test_cgats_SOURCES = tests/tone/test-cgats.c tests/tools/testing.h
tests_tone_test_cgats_LDADD = tone/libtone.la $(CMOCKA_LIBS)
tests_tone_test_cal_SOURCES = tests/tone/test-cal.c tests/tools/testing.h
tests_tone_test_cal_LDADD = tone/libtone.la $(CMOCKA_LIBS)
tests_tone_test_calibrated_SOURCES = tests/tone/test-calibrated.c tests/tools/testing.h
tests_tone_test_calibrated_LDADD = $(TONE_LIBS) $(CMOCKA_LIBS)
endif
