# What several tests use.
EXTRA_DIST += tests/tools/testing.h tests/tools/common.h tests/tools/run.h tests/tools/define_dots.h tests/tools/memory.h tests/tools/random_image.h tests/tools/unix_socket.h

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
# It has no threads, and ThreadSanitizer would make it many times as slow.
tests_tools_decode_dots_CFLAGS = $(filter-out -fsanitize=thread,$(AM_CFLAGS))
tests_tools_decode_dots_LDADD = $(CUPS_LIBS)
tests_tools_compare_dots_SOURCES = tests/tools/compare-dots.c tests/tools/dot_planes.c tests/tools/dot_planes.h
tests_tools_job_attribute_SOURCES = tests/tools/job-attribute.c
tests_tools_job_attribute_LDADD = $(CUPS_LIBS)

# Page headers as text.
check_PROGRAMS += tests/tools/raster-headers
tests_tools_raster_headers_SOURCES = tests/tools/raster-headers.c
tests_tools_raster_headers_LDADD = $(CUPS_LIBS)

# Pages before they are halftoned.
check_PROGRAMS += tests/tools/contone-pages tests/tools/compare-contone
once_programs += tests/tools/contone-pages tests/tools/compare-contone
tests_tools_contone_pages_SOURCES = tests/tools/contone-pages.c
tests_tools_contone_pages_LDADD = filter/libfilter.a rip/librip.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(SYSTEMD_LIBS)
tests_tools_compare_contone_SOURCES = tests/tools/compare-contone.c
tests_tools_compare_contone_LDADD = $(CUPS_LIBS)

# What simulated paper shows of dots.
check_PROGRAMS += tests/tools/print-simulated
tests_tools_print_simulated_SOURCES = tests/tools/print-simulated.c \
	tests/tone/simulated_paper.c tests/tone/simulated_paper.h
tests_tools_print_simulated_LDADD = -lm

# A service in the place of colord.
check_PROGRAMS += tests/tools/fake-colord
tests_tools_fake_colord_CPPFLAGS = $(AM_CPPFLAGS) $(SYSTEMD_CFLAGS)
tests_tools_fake_colord_SOURCES = tests/tools/fake-colord.c
tests_tools_fake_colord_LDADD = $(SYSTEMD_LIBS)
