# Unit tests of halftone/, wire/ and lib/: one program for each object, with cmocka.
if CMOCKA
# -- halftone --
halftone_tests = \
	tests/unit/test-arith tests/unit/test-engine tests/unit/test-band tests/unit/test-rows \
	tests/unit/test-simd tests/unit/test-simd-team tests/unit/test-kernel \
	tests/unit/test-plain-planes tests/unit/test-wave tests/unit/test-blue-noise \
	tests/unit/test-simd-screens \
	tests/unit/test-mask tests/unit/test-mask-screen tests/unit/test-toner-save
TESTS += $(halftone_tests)
check_PROGRAMS += $(halftone_tests)
tests_unit_test_arith_SOURCES = tests/unit/test-arith.c tests/tools/testing.h
tests_unit_test_arith_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_engine_SOURCES = tests/unit/test-engine.c tests/tools/testing.h
tests_unit_test_engine_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_band_SOURCES = tests/unit/test-band.c tests/tools/testing.h
tests_unit_test_band_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
SIMD_PAGE = tests/unit/simd_page.h tests/unit/simd_tests.h tests/tools/guarded.h tests/tools/testing.h
tests_unit_test_simd_SOURCES = tests/unit/test-simd.c $(SIMD_PAGE)
tests_unit_test_simd_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_simd_team_SOURCES = tests/unit/test-simd-team.c $(SIMD_PAGE)
tests_unit_test_simd_team_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_kernel_SOURCES = tests/unit/test-kernel.c tests/tools/testing.h
tests_unit_test_kernel_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_plain_planes_SOURCES = tests/unit/test-plain-planes.c tests/tools/testing.h
tests_unit_test_plain_planes_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_blue_noise_SOURCES = tests/unit/test-blue-noise.c tests/tools/testing.h
tests_unit_test_blue_noise_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_simd_screens_SOURCES = tests/unit/test-simd-screens.c $(SIMD_PAGE)
tests_unit_test_simd_screens_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_wave_SOURCES = tests/unit/test-wave.c tests/tools/testing.h
tests_unit_test_wave_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_mask_SOURCES = \
	tests/unit/test-mask.c tests/tools/guarded.h tests/tools/testing.h
tests_unit_test_mask_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_mask_screen_SOURCES = tests/unit/test-mask-screen.c tests/tools/testing.h
tests_unit_test_mask_screen_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_toner_save_SOURCES = tests/unit/test-toner-save.c tests/tools/testing.h
tests_unit_test_toner_save_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_rows_SOURCES = tests/unit/test-rows.c tests/tools/testing.h
tests_unit_test_rows_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)

thread_tests += tests/unit/test-engine tests/unit/test-simd-team tests/unit/test-plain-planes \
	tests/unit/test-mask tests/unit/test-kernel

# -- wire, lib --
TESTS += tests/unit/test-codec tests/unit/test-check tests/unit/test-connection tests/unit/test-ring tests/unit/test-client tests/unit/test-halftoner \
	tests/unit/test-halftoner-gpu tests/unit/test-ring-page tests/unit/test-row-flow
check_PROGRAMS += tests/unit/test-codec tests/unit/test-check tests/unit/test-connection tests/unit/test-ring tests/unit/test-client tests/unit/test-halftoner \
	tests/unit/test-halftoner-gpu tests/unit/test-ring-page tests/unit/test-row-flow
thread_tests += tests/unit/test-client tests/unit/test-halftoner tests/unit/test-halftoner-gpu \
	tests/unit/test-row-flow
tests_unit_test_check_SOURCES = tests/unit/test-check.c tests/tools/testing.h
tests_unit_test_check_LDADD = daemon/libdaemon.a $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_codec_SOURCES = tests/unit/test-codec.c tests/tools/testing.h
tests_unit_test_codec_LDADD = wire/libwire.la $(CMOCKA_LIBS)
tests_unit_test_connection_SOURCES = tests/unit/test-connection.c tests/tools/testing.h
tests_unit_test_connection_LDADD = wire/libwire.la $(CMOCKA_LIBS)
tests_unit_test_ring_SOURCES = tests/unit/test-ring.c tests/tools/testing.h
tests_unit_test_ring_LDADD = wire/libwire.la $(CMOCKA_LIBS)
FAKE_DAEMON = tests/unit/fake_daemon.c tests/unit/fake_daemon.h tests/unit/sample_page.h
tests_unit_test_client_SOURCES = tests/unit/test-client.c $(FAKE_DAEMON) tests/tools/testing.h
tests_unit_test_client_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
HALFTONER_TEST = tests/unit/halftoner_test.h $(FAKE_DAEMON) tests/tools/testing.h
tests_unit_test_row_flow_SOURCES = tests/unit/test-row-flow.c $(FAKE_DAEMON) tests/tools/testing.h
tests_unit_test_row_flow_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_halftoner_SOURCES = tests/unit/test-halftoner.c $(HALFTONER_TEST)
tests_unit_test_halftoner_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_unit_test_halftoner_gpu_SOURCES = tests/unit/test-halftoner-gpu.c tests/daemon/fake_gpu.c $(HALFTONER_TEST)
tests_unit_test_halftoner_gpu_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=rip_engine_cpu_new
tests_unit_test_halftoner_gpu_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)

tests_unit_test_ring_page_SOURCES = tests/unit/test-ring-page.c \
	tests/daemon/failing_engine.c tests/daemon/failing_engine.h tests/tools/testing.h
tests_unit_test_ring_page_LDADD = daemon/libdaemon.a $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)

# -- system --
TESTS += tests/unit/test-child tests/unit/test-temporary-space tests/unit/test-ascii
check_PROGRAMS += tests/unit/test-child tests/unit/test-temporary-space tests/unit/test-ascii
tests_unit_test_ascii_SOURCES = tests/unit/test-ascii.c tests/tools/testing.h
tests_unit_test_ascii_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_child_SOURCES = tests/unit/test-child.c tests/tools/testing.h
tests_unit_test_child_LDADD = system/libsystem.la $(CMOCKA_LIBS)
tests_unit_test_temporary_space_SOURCES = tests/unit/test-temporary-space.c tests/tools/testing.h
tests_unit_test_temporary_space_LDADD = system/libsystem.la $(CMOCKA_LIBS)

# -- rip --
TESTS += tests/unit/test-cpu-quota tests/unit/test-line-queue tests/unit/test-page-list tests/unit/test-page-workers
check_PROGRAMS += tests/unit/test-cpu-quota tests/unit/test-line-queue tests/unit/test-page-list tests/unit/test-page-workers
thread_tests += tests/unit/test-line-queue tests/unit/test-page-workers
tests_unit_test_cpu_quota_SOURCES = tests/unit/test-cpu-quota.c tests/tools/testing.h
tests_unit_test_cpu_quota_LDADD = halftone/libhalftone.la $(CMOCKA_LIBS)
tests_unit_test_line_queue_SOURCES = tests/unit/test-line-queue.c tests/tools/testing.h
tests_unit_test_line_queue_LDADD = rip/librip.a $(CMOCKA_LIBS)
tests_unit_test_page_list_SOURCES = tests/unit/test-page-list.c tests/tools/testing.h
tests_unit_test_page_list_LDADD = rip/librip.a $(CMOCKA_LIBS)
tests_unit_test_page_workers_SOURCES = tests/unit/test-page-workers.c tests/tools/testing.h
tests_unit_test_page_workers_LDADD = rip/librip.a $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
endif

# The tables of the masks are what their generator makes.
TESTS += tests/unit/mask-table.sh
EXTRA_DIST += tests/unit/mask-table.sh

# The tests of halftone/ on another architecture, emulated.
TESTS += tests/unit/neon.sh
once_tests += tests/unit/neon.sh
long_tests += tests/unit/neon.sh
EXTRA_DIST += tests/unit/neon.sh tests/unit/emulated/cmocka.h tests/unit/emulated/config.h
