# Every engine against the oracle; with --bench, against its peers.
TESTS += tests/checkengine
check_PROGRAMS += tests/checkengine
tests_checkengine_SOURCES = \
	tests/checkengine.c tests/checkengine.h tests/checkengine_bench.c \
	tests/peers.c tests/peers.h tests/oracle.c tests/oracle.h
tests_checkengine_CPPFLAGS = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS) $(ZIMG_CFLAGS)
tests_checkengine_LDADD = gpu/libgpu.a halftone/libhalftone.a $(CUPSFILTERS_LIBS) $(ZIMG_LIBS) -lm

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
TESTS += tests/test-codec tests/test-connection tests/test-ring
check_PROGRAMS += tests/test-codec tests/test-connection tests/test-ring
tests_test_codec_SOURCES = tests/test-codec.c tests/testing.h
tests_test_codec_LDADD = wire/libwire.a $(CMOCKA_LIBS)
tests_test_connection_SOURCES = tests/test-connection.c tests/testing.h
tests_test_connection_LDADD = wire/libwire.a $(CMOCKA_LIBS)
tests_test_ring_SOURCES = tests/test-ring.c tests/testing.h
tests_test_ring_LDADD = wire/libwire.a $(CMOCKA_LIBS)

# -- daemon --

# -- filter --

endif

# End-to-end tests: scripts with a private CUPS.

# The project itself: rooms, scripts.
TESTS += tests/rooms.sh tests/shell.sh
EXTRA_DIST += tests/rooms.sh tests/shell.sh

# What contrib/check runs under sanitizers: the programs.
list-unit-tests:
	@echo $(filter $(check_PROGRAMS),$(TESTS))
.PHONY: list-unit-tests

EXTRA_DIST += tests/testing.h
