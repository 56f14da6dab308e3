# The PPDs of other drivers: verdicts, edits, and the command.
TESTS += tests/adopt/adopt.sh
EXTRA_DIST += tests/adopt/README.md
check_PROGRAMS += tests/adopt/write-ppd-kinds
PPD_KINDS = tests/adopt/ppd_kinds.c tests/adopt/ppd_kinds.h
tests_adopt_write_ppd_kinds_SOURCES = tests/adopt/write-ppd-kinds.c $(PPD_KINDS)
cmocka_tests += tests/adopt/test-adopt
tests_adopt_test_adopt_SOURCES = tests/adopt/test-adopt.c $(PPD_KINDS)
