# Unit tests: one program for each object, with cmocka.
if CMOCKA
# -- halftone --
halftone_tests = \
	tests/unit/test-arith tests/unit/test-engine tests/unit/test-band tests/unit/test-rows \
	tests/unit/test-simd tests/unit/test-kernel tests/unit/test-plain-planes
TESTS += $(halftone_tests)
check_PROGRAMS += $(halftone_tests)
tests_unit_test_arith_SOURCES = tests/unit/test-arith.c tests/tools/testing.h
tests_unit_test_arith_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
MASK_ENGINE = tests/tools/mask_engine.c tests/tools/mask_engine.h
tests_unit_test_engine_SOURCES = tests/unit/test-engine.c $(MASK_ENGINE) tests/tools/testing.h
tests_unit_test_engine_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_band_SOURCES = tests/unit/test-band.c tests/tools/testing.h
tests_unit_test_band_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_unit_test_simd_SOURCES = tests/unit/test-simd.c tests/tools/testing.h
tests_unit_test_simd_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_unit_test_kernel_SOURCES = tests/unit/test-kernel.c tests/tools/testing.h
tests_unit_test_kernel_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_unit_test_plain_planes_SOURCES = tests/unit/test-plain-planes.c tests/tools/testing.h
tests_unit_test_plain_planes_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_unit_test_rows_SOURCES = tests/unit/test-rows.c tests/tools/testing.h
tests_unit_test_rows_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)

# -- wire --
TESTS += tests/unit/test-codec tests/unit/test-check tests/unit/test-connection tests/unit/test-ring tests/unit/test-client tests/unit/test-halftoner
check_PROGRAMS += tests/unit/test-codec tests/unit/test-check tests/unit/test-connection tests/unit/test-ring tests/unit/test-client tests/unit/test-halftoner
tests_unit_test_check_SOURCES = tests/unit/test-check.c $(MASK_ENGINE) tests/tools/testing.h
tests_unit_test_check_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_codec_SOURCES = tests/unit/test-codec.c tests/tools/testing.h
tests_unit_test_codec_LDADD = wire/libwire.a $(CMOCKA_LIBS)
tests_unit_test_connection_SOURCES = tests/unit/test-connection.c tests/tools/testing.h
tests_unit_test_connection_LDADD = wire/libwire.a $(CMOCKA_LIBS)
tests_unit_test_ring_SOURCES = tests/unit/test-ring.c tests/tools/testing.h
tests_unit_test_ring_LDADD = wire/libwire.a $(CMOCKA_LIBS)
FAKE_DAEMON = tests/unit/fake_daemon.c tests/unit/fake_daemon.h tests/unit/sample_page.h
tests_unit_test_client_SOURCES = tests/unit/test-client.c $(FAKE_DAEMON) tests/tools/testing.h
tests_unit_test_client_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_halftoner_SOURCES = tests/unit/test-halftoner.c $(FAKE_DAEMON) tests/tools/testing.h
tests_unit_test_halftoner_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)

TESTS += \
	tests/unit/test-image-read tests/unit/test-curve-file tests/unit/test-bench \
	tests/unit/test-image-dots tests/unit/test-raster-dots
check_PROGRAMS += \
	tests/unit/test-image-read tests/unit/test-curve-file tests/unit/test-bench \
	tests/unit/test-image-dots tests/unit/test-raster-dots
tests_unit_test_bench_SOURCES = tests/unit/test-bench.c tests/tools/run.h tests/tools/testing.h
tests_unit_test_bench_LDADD = command/libcommand.a image/libimage.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_unit_test_image_read_SOURCES = tests/unit/test-image-read.c tests/tools/run.h tests/tools/testing.h
tests_unit_test_image_read_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS)
tests_unit_test_image_read_LDADD = command/libcommand.a image/libimage.a $(JPEG_LIBS) $(CMOCKA_LIBS)
tests_unit_test_curve_file_SOURCES = tests/unit/test-curve-file.c tests/tools/run.h tests/tools/testing.h
tests_unit_test_curve_file_LDADD = command/libcommand.a image/libimage.a $(CMOCKA_LIBS)
tests_unit_test_image_dots_SOURCES = tests/unit/test-image-dots.c tests/tools/run.h tests/tools/oracle.c \
	tests/tools/oracle.h tests/tools/testing.h
tests_unit_test_image_dots_LDADD = $(CMOCKA_LIBS) -lm
tests_unit_test_raster_dots_SOURCES = tests/unit/test-raster-dots.c tests/tools/run.h tests/tools/oracle.c \
	tests/tools/oracle.h tests/tools/testing.h
tests_unit_test_raster_dots_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_unit_test_raster_dots_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS) -lm

# -- filter --
filter_tests = \
	tests/unit/test-dots tests/unit/test-header tests/unit/test-options tests/unit/test-raster-source \
	tests/unit/test-raster-filter tests/unit/test-raster-faults
TESTS += $(filter_tests)
check_PROGRAMS += $(filter_tests)
tests_unit_test_dots_SOURCES = tests/unit/test-dots.c tests/tools/testing.h
tests_unit_test_dots_LDADD = filter/libfilter.a $(CMOCKA_LIBS) -lm
tests_unit_test_header_SOURCES = tests/unit/test-header.c tests/tools/raster.c tests/tools/raster.h tests/tools/testing.h
tests_unit_test_header_LDADD = filter/libfilter.a $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_unit_test_options_SOURCES = tests/unit/test-options.c tests/tools/testing.h
tests_unit_test_options_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_unit_test_raster_source_SOURCES = tests/unit/test-raster-source.c tests/tools/raster.c tests/tools/raster.h
tests_unit_test_raster_source_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_unit_test_raster_filter_SOURCES = \
	tests/unit/test-raster-filter.c tests/tools/raster.c tests/tools/raster.h tests/tools/oracle.c tests/tools/oracle.h
tests_unit_test_raster_filter_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS) -lm
tests_unit_test_raster_faults_SOURCES = tests/unit/test-raster-faults.c tests/tools/raster.c tests/tools/raster.h
tests_unit_test_raster_faults_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS)

endif

# The tests of halftone/ on another architecture, emulated.
TESTS += tests/unit/neon.sh
EXTRA_DIST += tests/unit/neon.sh tests/unit/emulated/cmocka.h
