# The tone model, and the curves that it makes on simulated paper.
EXTRA_DIST += tests/tone/argyll
TESTS += tests/tone/pattern-table.sh tests/tone/tone_quality
once_tests += tests/tone/pattern-table.sh tests/tone/tone_quality tests/tone/test-rosette
once_programs += tests/tone/tone_quality tone/tables/measure
check_PROGRAMS += tests/tone/tone_quality
SIMULATED_PAPER = tests/tone/simulated_paper.c tests/tone/simulated_paper.h
FIELD_DOTS = tone/tables/field_dots.c tone/tables/field_dots.h
tests_tone_tone_quality_SOURCES = tests/tone/tone_quality.c $(SIMULATED_PAPER) $(FIELD_DOTS)
cmocka_tests += tests/tone/test-cgats tests/tone/test-cal \
	tests/tone/test-printer tests/tone/test-dot-cover tests/tone/test-curve-for \
	tests/tone/test-calibrated tests/tone/test-light-ink tests/tone/test-rosette
tests_tone_test_printer_SOURCES = tests/tone/test-printer.c $(FIELD_DOTS)
# Sanitizers look at the model, and would make what counts places many times as slow.
tests_tone_test_printer_CFLAGS = $(filter-out -fsanitize=%,$(AM_CFLAGS))
