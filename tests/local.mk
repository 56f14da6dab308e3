# Unit tests: one program for each object, with cmocka.
if CMOCKA
# -- halftone --
TESTS += tests/test-arith tests/test-band
check_PROGRAMS += tests/test-arith tests/test-band
tests_test_arith_SOURCES = tests/test-arith.c tests/testing.h
tests_test_arith_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_test_band_SOURCES = tests/test-band.c tests/testing.h
tests_test_band_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)

# -- wire --

# -- daemon --

# -- filter --

endif

# -- filter: what its scripts use --
EXTRA_DIST += tests/oracle.c tests/oracle.h

# End-to-end tests: scripts with a private CUPS.

EXTRA_DIST += tests/testing.h
