# The peers.
peer_sources = tests/engine/peers.c tests/engine/peers.h tests/engine/pinwheel.c \
	tests/engine/pinwheel.h
peer_cppflags = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS) $(ZIMG_CFLAGS) $(GUTENPRINT_CFLAGS)
peer_libs = $(CUPSFILTERS_LIBS) $(CUPS_LIBS) $(ZIMG_LIBS) $(GUTENPRINT_LIBS) -lm

# Every engine against the oracle; with --bench, against its peers.
TESTS += tests/engine/checkengine tests/engine/quality.sh
once_tests += tests/engine/quality.sh
check_PROGRAMS += tests/engine/checkengine
tests_engine_checkengine_SOURCES = \
	tests/engine/checkengine.c tests/engine/checkengine.h tests/engine/checkengine_bench.c \
	tests/engine/checkengine_quality.c \
	$(peer_sources) tone/fft.c tone/fft.h tests/tools/oracle.c tests/tools/oracle.h
tests_engine_checkengine_CPPFLAGS = $(peer_cppflags)
tests_engine_checkengine_LDADD = command/libcommand.a image/libimage.a system/.libs/libsystem.a \
	$(GPU_LIBS) halftone/.libs/libhalftone.a $(peer_libs)
