# The command.
TESTS += tests/command/riptide-cli.sh tests/command/riptide-halftone.sh tests/command/riptide-socket.sh
EXTRA_DIST += tests/command/library.sh \
	tests/command/riptide-cli.sh tests/command/riptide-halftone.sh tests/command/riptide-socket.sh

# The names of all of them, in Turkish.
TESTS += tests/command/turkish.sh
once_tests += tests/command/turkish.sh
EXTRA_DIST += tests/command/turkish.sh

# TIFF, and plates.
TESTS += tests/command/riptide-tiff.sh tests/command/plates.sh
once_tests += tests/command/riptide-tiff.sh tests/command/plates.sh
EXTRA_DIST += tests/command/riptide-tiff.sh tests/command/plates.sh

# PNG.
TESTS += tests/command/png.sh
once_tests += tests/command/png.sh
EXTRA_DIST += tests/command/png.sh tests/command/png-model.py

# From PDF to dots.
TESTS += tests/command/rip.sh tests/command/rip-gs.sh tests/command/temporary-space.sh
once_tests += tests/command/temporary-space.sh
thread_tests += tests/command/rip-gs.sh
EXTRA_DIST += tests/command/rip.sh tests/command/rip-gs.sh tests/command/temporary-space.sh
check_PROGRAMS += tests/tools/pnm-raster
tests_tools_pnm_raster_SOURCES = tests/tools/pnm-raster.c
tests_tools_pnm_raster_LDADD = $(CUPS_LIBS)

# What a page looks like on paper.
TESTS += tests/command/riptide-preview.sh
EXTRA_DIST += tests/command/riptide-preview.sh tests/command/preview-model.py

# Charts and calibrations.
TESTS += tests/command/riptide-target.sh tests/command/riptide-calibrate.sh
EXTRA_DIST += tests/command/riptide-target.sh tests/command/riptide-calibrate.sh

# Charts for ArgyllCMS.
TESTS += tests/command/argyll.sh
once_tests += tests/command/argyll.sh
EXTRA_DIST += tests/command/argyll.sh tests/command/chartread.py

# Barcodes on labels.
TESTS += tests/command/barcode.sh
once_tests += tests/command/barcode.sh
once_programs += tests/tools/scan-dots
EXTRA_DIST += tests/command/barcode.sh
check_PROGRAMS += tests/tools/scan-dots
tests_tools_scan_dots_SOURCES = tests/tools/scan-dots.c
tests_tools_scan_dots_LDADD = -lm

# Completion for bash.
TESTS += tests/command/completion.sh
once_tests += tests/command/completion.sh
EXTRA_DIST += tests/command/completion.sh

# Its objects, and its picture files.
if CMOCKA
TESTS += \
	tests/command/test-image-read tests/command/test-curve-file tests/command/test-bench \
	tests/command/test-image-dots tests/command/test-raster-dots tests/command/test-scan \
	tests/command/test-tiff tests/command/test-scan-tiff tests/command/test-calibration \
	tests/command/test-out-file
check_PROGRAMS += \
	tests/command/test-image-read tests/command/test-curve-file tests/command/test-bench \
	tests/command/test-image-dots tests/command/test-raster-dots tests/command/test-scan \
	tests/command/test-tiff tests/command/test-scan-tiff tests/command/test-calibration \
	tests/command/test-out-file
tests_command_test_calibration_SOURCES = tests/command/test-calibration.c tests/tools/testing.h
tests_command_test_calibration_LDADD = $(riptide_LDADD) $(CMOCKA_LIBS)
tests_command_test_out_file_SOURCES = tests/command/test-out-file.c tests/tools/testing.h
tests_command_test_out_file_LDADD = $(riptide_LDADD) $(CMOCKA_LIBS)
tests_command_test_bench_SOURCES = tests/command/test-bench.c tests/tools/run.h tests/tools/testing.h
tests_command_test_bench_LDADD = command/libcommand.a image/libimage.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_command_test_image_read_SOURCES = tests/command/test-image-read.c tests/tools/run.h tests/tools/testing.h
tests_command_test_image_read_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS)
tests_command_test_image_read_LDADD = command/libcommand.a image/libimage.a system/libsystem.la $(JPEG_LIBS) $(PNG_LIBS) $(CMOCKA_LIBS)
tests_command_test_scan_SOURCES = tests/command/test-scan.c tests/tools/run.h tests/tools/testing.h
tests_command_test_scan_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS) $(PNG_CFLAGS) $(CUPS_CFLAGS)
tests_command_test_scan_LDADD = command/libcommand.a image/libimage.a system/libsystem.la $(JPEG_LIBS) $(PNG_LIBS) $(TIFF_LIBS) \
	$(TONE_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS) -lm
tests_command_test_scan_tiff_SOURCES = tests/command/test-scan-tiff.c tests/tools/run.h tests/tools/testing.h \
	tests/tools/tiff_file.c tests/tools/tiff_file.h
tests_command_test_scan_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(TIFF_CFLAGS)
tests_command_test_scan_tiff_LDADD = command/libcommand.a image/libimage.a system/libsystem.la $(JPEG_LIBS) $(PNG_LIBS) $(TIFF_LIBS) \
	$(TONE_LIBS) $(CMOCKA_LIBS) -lm
tests_command_test_tiff_SOURCES = tests/command/test-tiff.c tests/tools/run.h tests/tools/oracle.c \
	tests/tools/oracle.h tests/tools/testing.h tests/tools/mask_dots.c tests/tools/mask_dots.h \
	tests/tools/tiff_file.c tests/tools/tiff_file.h
tests_command_test_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(TIFF_CFLAGS)
tests_command_test_tiff_LDADD = halftone/libhalftone.la $(TIFF_LIBS) $(CMOCKA_LIBS) -lm
tests_command_test_curve_file_SOURCES = tests/command/test-curve-file.c tests/tools/run.h tests/tools/testing.h
tests_command_test_curve_file_LDADD = command/libcommand.a image/libimage.a system/libsystem.la $(CMOCKA_LIBS)
tests_command_test_image_dots_SOURCES = tests/command/test-image-dots.c tests/command/halftone_plan.h tests/tools/run.h tests/tools/oracle.c \
	tests/tools/oracle.h tests/tools/testing.h tests/tools/mask_dots.c tests/tools/mask_dots.h
tests_command_test_image_dots_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_command_test_image_dots_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS) -lm
tests_command_test_raster_dots_SOURCES = tests/command/test-raster-dots.c tests/command/halftone_plan.h tests/tools/run.h tests/tools/oracle.c \
	tests/tools/oracle.h tests/tools/testing.h tests/tools/mask_dots.c tests/tools/mask_dots.h
tests_command_test_raster_dots_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_command_test_raster_dots_LDADD = halftone/libhalftone.la $(CUPS_LIBS) $(CMOCKA_LIBS) -lm
endif
