# The command: its command line, the names of all languages, picture files, PDF, charts and
# calibrations.
command_once_tests = tests/command/turkish.sh tests/command/riptide-tiff.sh \
	tests/command/plates.sh tests/command/png.sh \
	tests/command/temporary-space.sh tests/command/argyll.sh tests/command/barcode.sh \
	tests/command/completion.sh
TESTS += $(command_once_tests) tests/command/riptide-cli.sh tests/command/riptide-halftone.sh \
	tests/command/riptide-socket.sh tests/command/rip.sh tests/command/rip-gs.sh \
	tests/command/riptide-preview.sh \
	tests/command/riptide-target.sh tests/command/riptide-calibrate.sh
once_tests += $(command_once_tests)
thread_tests += tests/command/rip-gs.sh
EXTRA_DIST += tests/command/halftone_plan.h tests/command/png-model.py \
	tests/command/preview-model.py tests/command/chartread.py

# Its objects, and its picture files.
cmocka_tests += \
	tests/command/test-image-read tests/command/test-curve-file tests/command/test-bench \
	tests/command/test-image-dots tests/command/test-raster-dots tests/command/test-scan \
	tests/command/test-tiff tests/command/test-scan-tiff tests/command/test-calibration \
	tests/command/test-out-file
tests_command_test_image_read_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS)
tests_command_test_scan_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS) $(PNG_CFLAGS) $(CUPS_CFLAGS)
# Sanitizers look at what reads scans, and would make the simulated scanner many times as slow.
tests_command_test_scan_CFLAGS = $(filter-out -fsanitize=%,$(AM_CFLAGS))
tests_command_test_scan_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(TIFF_CFLAGS)
tests_command_test_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(TIFF_CFLAGS)
tests_command_test_image_dots_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_command_test_raster_dots_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
