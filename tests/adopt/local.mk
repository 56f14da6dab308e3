# The PPDs of other drivers: verdicts, edits, and the command.
TESTS += tests/adopt/adopt.sh
EXTRA_DIST += tests/adopt/adopt.sh tests/adopt/README.md
check_PROGRAMS += tests/adopt/write-ppd-kinds
tests_adopt_write_ppd_kinds_SOURCES = tests/adopt/write-ppd-kinds.c \
	tests/adopt/ppd_kinds.c tests/adopt/ppd_kinds.h
tests_adopt_write_ppd_kinds_LDADD = adopt/libadopt.a
if CMOCKA
TESTS += tests/adopt/test-adopt
check_PROGRAMS += tests/adopt/test-adopt
tests_adopt_test_adopt_SOURCES = tests/adopt/test-adopt.c tests/adopt/ppd_kinds.c \
	tests/adopt/ppd_kinds.h tests/tools/testing.h
tests_adopt_test_adopt_LDADD = adopt/libadopt.a $(CMOCKA_LIBS)
endif
