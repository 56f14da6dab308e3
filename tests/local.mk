# No test runs for ever, and each log ends with the time that the test took.
LOG_COMPILER = $(srcdir)/tests/tools/run-test
EXTRA_DIST += tests/tools/run-test

AM_TESTS_ENVIRONMENT = \
	RIPTIDE_BUILD='$(abs_top_builddir)'; RIPTIDE_SOURCE='$(abs_top_srcdir)'; \
	export RIPTIDE_BUILD RIPTIDE_SOURCE;

# Tests and their programs that one build is enough for: those that need CUPS, systemd or MPI, those
# whose code this build's C compiler does not make, and long measurements of quality.  The rooms add
# theirs.
once_tests =
once_programs =

# Tests that ThreadSanitizer runs: of all that starts threads, one that has each of them at work; and what
# else of check_PROGRAMS these start.
thread_tests =
thread_programs =

# Tests that take minutes and of which a short one says most: in make check and contrib/check --all, not in
# contrib/check.  A test that has a long part leaves it out where RIPTIDE_TEST_SHORT is set.
long_tests =

# The tests of the first rooms take longest: none of them is left alone at the end.
include tests/tools/local.mk
include tests/container/local.mk
include tests/cluster/local.mk
include tests/e2e/local.mk
include tests/unit/local.mk
include tests/daemon/local.mk
include tests/gpu/local.mk
include tests/engine/local.mk
include tests/quality/local.mk
include tests/tone/local.mk
include tests/adopt/local.mk
include tests/filter/local.mk
include tests/command/local.mk
include tests/fuzz/local.mk
include tests/library/local.mk
include tests/bench/local.mk
include tests/project/local.mk
EXTRA_DIST += tests/README.md tests/FAULTS.md

# What contrib/check runs: all but the long tests.
check-short:
	RIPTIDE_TEST_SHORT=yes $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter-out $(long_tests),$(TESTS))'
# What it repeats with another compiler, which makes other code of the arithmetic;
check-compiler:
	$(MAKE) $(AM_MAKEFLAGS) check-code \
		TESTS='$(filter tests/unit/% tests/engine/% tests/tone/%,$(TESTS))'
# and with sanitizers.  Where RIPTIDE_TEST_REPEATED is set, another build runs all cases of a test, and
# this one may leave out those that only compare.
check-code:
	RIPTIDE_TEST_REPEATED=yes $(MAKE) $(AM_MAKEFLAGS) check-short TESTS='$(filter-out $(once_tests),$(TESTS))' \
		check_PROGRAMS='$(filter-out $(once_programs),$(check_PROGRAMS))'
# And with ThreadSanitizer.
check-threads:
	$(MAKE) $(AM_MAKEFLAGS) check-code TESTS='$(filter $(thread_tests),$(TESTS))' \
		check_PROGRAMS='$(filter $(thread_tests) $(thread_programs),$(check_PROGRAMS))'
.PHONY: check-short check-compiler check-code check-threads
