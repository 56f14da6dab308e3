# Tests of libriptide: its functions, its binary interface, and the examples.
cmocka_tests += tests/library/test-riptide tests/library/test-riptide-run \
	tests/library/test-riptide-refused \
	tests/library/test-riptide-process
EXTRA_DIST += tests/library/library_object.h
thread_tests += tests/library/test-riptide-run tests/library/test-riptide-process
tests_library_test_riptide_process_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create

# With the shared library, as its users have it.
check_PROGRAMS += contrib/examples/pgm-to-pbm
contrib_examples_pgm_to_pbm_CPPFLAGS = -I$(top_srcdir)/lib
contrib_examples_pgm_to_pbm_SOURCES = contrib/examples/pgm-to-pbm.c
contrib_examples_pgm_to_pbm_LDADD = libriptide.la
contrib_examples_pgm_to_pbm_LINK = $(LIBTOOL_LINK)
if PAPPL1
check_PROGRAMS += contrib/examples/pappl-pcl
once_programs += contrib/examples/pappl-pcl
contrib_examples_pappl_pcl_CPPFLAGS = -I$(top_srcdir)/lib $(PAPPL_CFLAGS)
contrib_examples_pappl_pcl_SOURCES = contrib/examples/pappl-pcl.c
contrib_examples_pappl_pcl_LDADD = libriptide.la $(PAPPL_LIBS)
contrib_examples_pappl_pcl_LINK = $(LIBTOOL_LINK)
endif
TESTS += tests/library/pappl.sh tests/library/abi.sh tests/library/examples.sh
once_tests += tests/library/pappl.sh
EXTRA_DIST += tests/library/pappl-pages.py tests/library/pappl-slow.py tests/library/abi.txt \
	tests/library/random_page.h
check_PROGRAMS += tests/library/print-abi
tests_library_print_abi_LDADD =
