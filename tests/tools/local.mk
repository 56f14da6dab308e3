# What several tests use.
EXTRA_DIST += tests/tools/run-test tests/tools/common.sh tests/tools/pictures.py \
	tests/tools/testing.h \
	tests/tools/common.h tests/tools/run.h tests/tools/guarded.h tests/tools/comma_locale.h \
	tests/tools/define_dots.h tests/tools/memory.h tests/tools/random_image.h \
	tests/tools/unix_socket.h
DOT_PLANES = tests/tools/dot_planes.c tests/tools/dot_planes.h
ORACLE = tests/tools/oracle.c tests/tools/oracle.h tests/tools/mask_dots.c tests/tools/mask_dots.h

# Dots that are expected, and dots out of printers' data; page headers as text; pages before they
# are halftoned; what simulated paper shows of dots; a service in the place of colord; a picture as
# raster; what a scanner sees of dots. Tests start them often, so that they are linked with no
# library that they do not need.
check_PROGRAMS += \
	tests/tools/expected-dots tests/tools/decode-dots tests/tools/compare-dots \
	tests/tools/job-attribute \
	tests/tools/raster-headers tests/tools/contone-pages tests/tools/compare-contone \
	tests/tools/print-simulated tests/tools/fake-colord tests/tools/pnm-raster \
	tests/tools/scan-dots
once_programs += tests/tools/compare-contone tests/tools/scan-dots
tests_tools_expected_dots_SOURCES = tests/tools/expected-dots.c $(ORACLE) $(DOT_PLANES)
tests_tools_expected_dots_LDADD = halftone/.libs/libhalftone.a $(CUPS_LIBS) -lm
tests_tools_decode_dots_SOURCES = \
	tests/tools/decode-dots.c tests/tools/decode-escp.c tests/tools/decode-pcl.c \
	tests/tools/decode-raster.c \
	tests/tools/decode-zpl.c tests/tools/decode.h $(DOT_PLANES)
# It has no threads, and ThreadSanitizer would make it many times as slow.
tests_tools_decode_dots_CFLAGS = $(filter-out -fsanitize=thread,$(AM_CFLAGS))
tests_tools_decode_dots_LDADD = $(CUPS_LIBS)
tests_tools_compare_dots_SOURCES = tests/tools/compare-dots.c $(DOT_PLANES)
tests_tools_compare_dots_LDADD =
tests_tools_job_attribute_LDADD = $(CUPS_LIBS)
tests_tools_raster_headers_LDADD = $(CUPS_LIBS)
tests_tools_compare_contone_LDADD = $(CUPS_LIBS)
tests_tools_print_simulated_SOURCES = tests/tools/print-simulated.c $(SIMULATED_PAPER)
tests_tools_print_simulated_LDADD = -lm
tests_tools_fake_colord_CPPFLAGS = $(AM_CPPFLAGS) $(SYSTEMD_CFLAGS)
tests_tools_fake_colord_LDADD = $(SYSTEMD_LIBS)
tests_tools_pnm_raster_LDADD = $(CUPS_LIBS)
tests_tools_scan_dots_LDADD = -lm
