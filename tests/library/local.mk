# Tests of libriptide: its functions, its binary interface, and the examples.
if CMOCKA
TESTS += tests/library/test-riptide tests/library/test-riptide-run tests/library/test-riptide-refused \
	tests/library/test-riptide-process
check_PROGRAMS += tests/library/test-riptide tests/library/test-riptide-run tests/library/test-riptide-refused \
	tests/library/test-riptide-process
thread_tests += tests/library/test-riptide-run tests/library/test-riptide-process
tests_library_test_riptide_SOURCES = tests/library/test-riptide.c tests/library/random_page.h \
	tests/unit/fake_daemon.c tests/unit/fake_daemon.h tests/library/library_object.h tests/tools/testing.h
tests_library_test_riptide_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_library_test_riptide_run_SOURCES = tests/library/test-riptide-run.c tests/library/random_page.h \
	tests/tools/testing.h
tests_library_test_riptide_run_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_library_test_riptide_refused_SOURCES = tests/library/test-riptide-refused.c tests/tools/testing.h
tests_library_test_riptide_refused_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_library_test_riptide_process_SOURCES = tests/library/test-riptide-process.c tests/tools/testing.h
tests_library_test_riptide_process_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create
tests_library_test_riptide_process_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
endif

# With the shared library, as its users have it.
check_PROGRAMS += contrib/examples/pgm-to-pbm
contrib_examples_pgm_to_pbm_CPPFLAGS = -I$(top_srcdir)/lib
contrib_examples_pgm_to_pbm_SOURCES = contrib/examples/pgm-to-pbm.c
contrib_examples_pgm_to_pbm_LDADD = libriptide.la
if PAPPL
check_PROGRAMS += contrib/examples/pappl-pcl
once_programs += contrib/examples/pappl-pcl
contrib_examples_pappl_pcl_CPPFLAGS = -I$(top_srcdir)/lib $(PAPPL_CFLAGS)
contrib_examples_pappl_pcl_SOURCES = contrib/examples/pappl-pcl.c
contrib_examples_pappl_pcl_LDADD = libriptide.la $(PAPPL_LIBS)
endif
TESTS += tests/library/pappl.sh
once_tests += tests/library/pappl.sh
EXTRA_DIST += tests/library/pappl.sh tests/library/pappl-pages.py tests/library/pappl-slow.py
check_PROGRAMS += tests/library/print-abi
tests_library_print_abi_SOURCES = tests/library/print-abi.c
TESTS += tests/library/abi.sh tests/library/examples.sh
EXTRA_DIST += tests/library/abi.sh tests/library/abi.txt tests/library/examples.sh
