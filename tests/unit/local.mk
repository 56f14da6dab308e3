# Unit tests of system/, halftone/, wire/, lib/ and rip/: one program for each object, with cmocka.
cmocka_tests += \
	tests/unit/test-arith tests/unit/test-engine tests/unit/test-band tests/unit/test-rows \
	tests/unit/test-simd tests/unit/test-simd-team tests/unit/test-kernel \
	tests/unit/test-plain-planes tests/unit/test-wave tests/unit/test-blue-noise \
	tests/unit/test-blue-noise-colour \
	tests/unit/test-simd-screens tests/unit/test-mask tests/unit/test-mask-screen \
	tests/unit/test-toner-save \
	tests/unit/test-fine-edges tests/unit/test-labels \
	tests/unit/test-codec tests/unit/test-check tests/unit/test-connection \
	tests/unit/test-ring \
	tests/unit/test-client tests/unit/test-halftoner tests/unit/test-halftoner-gpu \
	tests/unit/test-ring-page \
	tests/unit/test-row-flow tests/unit/test-ink-limit \
	tests/unit/test-child tests/unit/test-temporary-space tests/unit/test-ascii \
	tests/unit/test-quota tests/unit/test-line-queue tests/unit/test-page-list \
	tests/unit/test-page-workers tests/unit/test-slots
tests_unit_test_blue_noise_colour_SOURCES = tests/unit/test-blue-noise-colour.c \
	tests/tools/oracle.c tests/tools/oracle.h
tests_unit_test_fine_edges_SOURCES = tests/unit/test-fine-edges.c tests/quality/picture.c \
	tests/quality/picture.h \
	tests/quality/printer_data.c tests/quality/printer_data.h tests/quality/texture.c \
	tests/quality/texture.h \
	tone/fft.c tone/fft.h
thread_tests += tests/unit/test-engine tests/unit/test-blue-noise-colour tests/unit/test-simd-team \
	tests/unit/test-plain-planes \
	tests/unit/test-mask tests/unit/test-kernel tests/unit/test-client \
	tests/unit/test-halftoner \
	tests/unit/test-halftoner-gpu tests/unit/test-row-flow tests/unit/test-line-queue \
	tests/unit/test-page-workers
tests_unit_test_halftoner_gpu_SOURCES = tests/unit/test-halftoner-gpu.c tests/daemon/fake_gpu.c
tests_unit_test_halftoner_gpu_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=rip_engine_cpu_new
EXTRA_DIST += tests/unit/around_page.h tests/unit/simd_page.h tests/unit/simd_tests.h tests/unit/halftoner_test.h

# The tables of the masks are what their generator makes; and the tests of halftone/ on another
# architecture, emulated.
TESTS += tests/unit/mask-table.sh tests/unit/neon.sh
once_tests += tests/unit/neon.sh
long_tests += tests/unit/neon.sh
EXTRA_DIST += tests/unit/emulated/cmocka.h tests/unit/emulated/config.h
