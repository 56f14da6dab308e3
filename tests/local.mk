# No test runs for ever, and each log ends with the time that the test took.
LOG_COMPILER = $(srcdir)/tests/tools/run-test

AM_TESTS_ENVIRONMENT = \
	RIPTIDE_BUILD='$(abs_top_builddir)'; RIPTIDE_SOURCE='$(abs_top_srcdir)'; \
	export RIPTIDE_BUILD RIPTIDE_SOURCE;

# A test program is made of PROGRAM.c, and linked with these libraries, unless its room has SOURCES
# and LDADD for it.  Of the archives the linker takes what is called.
LDADD = $(LIBTESTS) daemon/libdaemon.a command/libcommand.a adopt/libadopt.a image/libimage.a \
	filter/libfilter.a rip/librip.a \
	$(RIP_NOGPU_LIBS) $(JPEG_LIBS) $(PNG_LIBS) $(TIFF_LIBS) $(CUPS_LIBS) $(SYSTEMD_LIBS) \
	$(CMOCKA_LIBS) -lm

# Tests that need cmocka.
cmocka_tests =

# Tests and their programs that one build is enough for: those that need CUPS, systemd or MPI, those
# whose code this build's C compiler does not make, and long measurements of quality.  The rooms add
# theirs.
once_tests =
once_programs =

# Tests that ThreadSanitizer runs: of all that starts threads, one that has each of them at work;
# and what else of check_PROGRAMS these start.
thread_tests =
thread_programs =

# Tests that take minutes and of which a short one says most: in make check and contrib/check --all,
# not in contrib/check.  A test that has a long part leaves it out where RIPTIDE_TEST_SHORT is set.
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
include tests/app/local.mk
include tests/labels/local.mk
include tests/fuzz/local.mk
include tests/jail/local.mk
include tests/library/local.mk
include tests/bench/local.mk
include tests/project/local.mk
# What tests with cmocka share.
if CMOCKA
check_LIBRARIES = tests/libtests.a
tests_libtests_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(TIFF_CFLAGS)
tests_libtests_a_SOURCES = $(ORACLE) tests/tools/raster.c tests/tools/raster.h \
	tests/tools/tiff_file.c tests/tools/tiff_file.h \
	tests/unit/fake_daemon.c tests/unit/fake_daemon.h tests/unit/sample_page.h \
	tests/adopt/ppd_kinds.c tests/adopt/ppd_kinds.h \
	tests/daemon/failing_engine.c tests/daemon/failing_engine.h tests/daemon/daemon_world.c \
	tests/daemon/daemon_world.h \
	tests/daemon/daemon_fixture.c tests/daemon/daemon_fixture.h tests/daemon/daemon_job.c \
	tests/daemon/daemon_job.h \
	tests/filter/job_options.c tests/filter/job_options.h
LIBTESTS = tests/libtests.a
TESTS += $(cmocka_tests)
check_PROGRAMS += $(cmocka_tests)
endif
EXTRA_DIST += tests/README.md tests/FAULTS.md $(filter %.sh,$(TESTS))

# What contrib/check runs: all but the long tests.
check-short:
	RIPTIDE_TEST_SHORT=yes $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter-out $(long_tests),$(TESTS))'
# What it repeats with another compiler, which makes other code of the arithmetic.  All other
# programs are compiled for the warnings, which clang's optimizer does not change, and not linked;
compiler_folders = tests/unit/% tests/engine/% tests/tone/%
compiler_programs = $(filter $(compiler_folders) halftone/screen/generate,$(check_PROGRAMS))
check-compiler:
	$(MAKE) $(AM_MAKEFLAGS) $(noinst_LTLIBRARIES) rip/librip.a $(check_LIBRARIES)
	$(MAKE) $(AM_MAKEFLAGS) LINK=: CFLAGS='$(CFLAGS) -O0 -g0 -U_FORTIFY_SOURCE' $(PROGRAMS) \
		$(filter-out $(compiler_programs) $(once_programs),$(check_PROGRAMS))
	$(MAKE) $(AM_MAKEFLAGS) check-code TESTS='$(filter $(compiler_folders),$(TESTS))' \
		check_PROGRAMS='$(compiler_programs)' PROGRAMS=
# and with sanitizers.  Where RIPTIDE_TEST_REPEATED is set, another build runs all cases of a test,
# and this one may leave out those that only compare.
check-code:
	RIPTIDE_TEST_REPEATED=yes $(MAKE) $(AM_MAKEFLAGS) check-short TESTS='$(filter-out $(once_tests),$(TESTS))' \
		check_PROGRAMS='$(filter-out $(once_programs),$(check_PROGRAMS))'
# And with ThreadSanitizer.  Where RIPTIDE_TEST_THREADS is set, another build reads and prints pages of
# all kinds, and a test may leave out those that start no other threads.
check-threads:
	RIPTIDE_TEST_THREADS=yes $(MAKE) $(AM_MAKEFLAGS) check-code TESTS='$(filter $(thread_tests),$(TESTS))' \
		check_PROGRAMS='$(filter $(thread_tests) $(thread_programs),$(check_PROGRAMS))'
# And with an emulator of another processor: programs only (tests/container/arm64.sh).  qemu ignores
# MADV_REMOVE, gives a program descriptors that it has no room for, has no execveat(), and stops at
# other places than a program that is canceled or measured.
not_emulated = tests/unit/test-ring tests/unit/test-connection tests/unit/test-child \
	tests/unit/test-page-workers tests/filter/test-raster-faults \
	tests/filter/test-raster-limits tests/filter/test-raster-filter
emulated_tests = $(filter-out %.sh $(not_emulated), \
	$(filter $(compiler_folders) tests/filter/% tests/fuzz/% $(emulated_command),$(TESTS)))
# Of the command what reads and makes pictures and pages.
emulated_command = tests/command/test-transform tests/command/test-image-read \
	tests/command/test-image-dots tests/command/test-raster-dots
check-emulated:
	$(MAKE) $(AM_MAKEFLAGS) check-code TESTS='$(emulated_tests)' \
		LOG_COMPILER='$(LOG_COMPILER) $(EMULATOR)' \
		check_PROGRAMS='$(emulated_tests)'
.PHONY: check-short check-compiler check-code check-threads check-emulated
