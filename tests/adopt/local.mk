# The PPDs of other drivers: verdicts, edits, and the command.
TESTS += tests/adopt/adopt.sh
EXTRA_DIST += tests/adopt/README.md
check_PROGRAMS += tests/adopt/write-ppd-kinds
tests_adopt_write_ppd_kinds_SOURCES = tests/adopt/write-ppd-kinds.c tests/adopt/ppd_kinds.c \
	tests/adopt/ppd_kinds.h
cmocka_tests += tests/adopt/test-adopt
