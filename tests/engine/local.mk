# Every engine against the oracle; with --bench, against its peers.
TESTS += tests/engine/checkengine tests/engine/quality.sh
EXTRA_DIST += tests/engine/quality.sh
check_PROGRAMS += tests/engine/checkengine
tests_engine_checkengine_SOURCES = \
	tests/engine/checkengine.c tests/engine/checkengine.h tests/engine/checkengine_bench.c \
	tests/engine/checkengine_quality.c \
	tests/engine/peers.c tests/engine/peers.h tests/tools/guarded.h tests/tools/oracle.c tests/tools/oracle.h
tests_engine_checkengine_CPPFLAGS = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS) $(ZIMG_CFLAGS)
tests_engine_checkengine_LDADD = command/libcommand.a image/libimage.a $(GPU_LIBS) halftone/libhalftone.a $(CUPSFILTERS_LIBS) $(CUPS_LIBS) $(ZIMG_LIBS) -lm
