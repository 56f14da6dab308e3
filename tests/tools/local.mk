# What several tests use.
EXTRA_DIST += tests/tools/testing.h tests/tools/run.h

# Dots that are expected, and dots out of printers' data.
check_PROGRAMS += \
	tests/tools/expected-dots tests/tools/decode-dots tests/tools/compare-dots tests/tools/job-attribute
tests_tools_expected_dots_SOURCES = \
	tests/tools/expected-dots.c tests/tools/oracle.c tests/tools/oracle.h tests/tools/dot_planes.c tests/tools/dot_planes.h \
	tests/tools/mask_dots.c tests/tools/mask_dots.h
tests_tools_expected_dots_LDADD = halftone/libhalftone.la $(CUPS_LIBS) -lm
tests_tools_decode_dots_SOURCES = \
	tests/tools/decode-dots.c tests/tools/decode-escp.c tests/tools/decode-pcl.c tests/tools/decode-raster.c \
	tests/tools/decode-zpl.c tests/tools/decode.h tests/tools/dot_planes.c tests/tools/dot_planes.h
tests_tools_decode_dots_LDADD = $(CUPS_LIBS)
tests_tools_compare_dots_SOURCES = tests/tools/compare-dots.c tests/tools/dot_planes.c tests/tools/dot_planes.h
tests_tools_job_attribute_SOURCES = tests/tools/job-attribute.c
tests_tools_job_attribute_LDADD = $(CUPS_LIBS)

# Page headers as text.
check_PROGRAMS += tests/tools/raster-headers
tests_tools_raster_headers_SOURCES = tests/tools/raster-headers.c
tests_tools_raster_headers_LDADD = $(CUPS_LIBS)
