# No test runs for ever.
LOG_COMPILER = timeout
AM_LOG_FLAGS = --foreground -k 10 600

# Every engine against the oracle; with --bench, against its peers.
TESTS += tests/checkengine tests/quality.sh
EXTRA_DIST += tests/quality.sh
check_PROGRAMS += tests/checkengine
tests_checkengine_SOURCES = \
	tests/checkengine.c tests/checkengine.h tests/checkengine_bench.c \
	tests/checkengine_quality.c \
	tests/peers.c tests/peers.h tests/oracle.c tests/oracle.h
tests_checkengine_CPPFLAGS = $(AM_CPPFLAGS) $(CUPSFILTERS_CFLAGS) $(ZIMG_CFLAGS)
tests_checkengine_LDADD = daemon/libcommand.a $(GPU_LIBS) halftone/libhalftone.a $(CUPSFILTERS_LIBS) $(ZIMG_LIBS) -lm

# How long the filter takes, beside one that only reads and writes.
check_PROGRAMS += tests/peer-filter tests/alternate
EXTRA_DIST += tests/bench-filter.sh tests/bench-chain.sh
tests_peer_filter_SOURCES = tests/peer-filter.c
tests_peer_filter_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_peer_filter_LDADD = $(CUPS_LIBS)
tests_alternate_SOURCES = tests/alternate.c

# The GPU's kernels, compiled as C++ and run as fibers.
if HAVE_CXX17
TESTS += tests/gpu-emulated
check_PROGRAMS += tests/gpu-emulated
tests_gpu_emulated_SOURCES = tests/gpu-emulated.cc
tests_gpu_emulated_CXXFLAGS = $(EMULATED_FLAGS)
tests_gpu_emulated_LDADD = $(emulated_objects) halftone/libhalftone.a
tests_gpu_emulated_DEPENDENCIES = $(emulated_objects) halftone/libhalftone.a
EMULATED_FLAGS = -std=gnu++17 -O1 -Wall -Wextra -Wno-unknown-pragmas -include $(top_srcdir)/tests/cuda_fibers.hh
emulated_objects = tests/emulated-pwed.o tests/emulated-pwec.o tests/emulated-bwed.o \
	tests/emulated-bwec.o tests/emulated-wavefront.o
$(emulated_objects): tests/emulated-%.o: gpu/%.cu $(gpu_headers) tests/cuda_fibers.hh halftone/arith.h
	$(AM_V_CXX)$(MKDIR_P) $(@D) && $(CXX) $(AM_CPPFLAGS) $(EMULATED_FLAGS) -DRIP_WAVE_RING=128 \
		$(CXXFLAGS) -x c++ -c -o $@ $<
CLEANFILES += $(emulated_objects)

# The wavefront with larger rings: in the smallest, all that is kept is also in use.
TESTS += tests/gpu-emulated-ring
check_PROGRAMS += tests/gpu-emulated-ring
tests_gpu_emulated_ring_SOURCES = tests/gpu-emulated.cc
tests_gpu_emulated_ring_CXXFLAGS = $(EMULATED_FLAGS) -DONLY_WAVE
ring_objects = tests/emulated-pwed.o tests/emulated-pwec.o tests/emulated-bwed.o \
	tests/emulated-bwec.o tests/ring-wavefront.o
tests_gpu_emulated_ring_LDADD = $(ring_objects) halftone/libhalftone.a
tests_gpu_emulated_ring_DEPENDENCIES = $(ring_objects) halftone/libhalftone.a
tests/ring-wavefront.o: gpu/wavefront.cu $(gpu_headers) tests/cuda_fibers.hh halftone/arith.h
	$(AM_V_CXX)$(MKDIR_P) $(@D) && $(CXX) $(AM_CPPFLAGS) $(EMULATED_FLAGS) -DRIP_WAVE_RING=256 \
		$(CXXFLAGS) -x c++ -c -o $@ $(srcdir)/gpu/wavefront.cu
CLEANFILES += tests/ring-wavefront.o

# The engine around them, on an emulated GPU.
TESTS += tests/gpu-engine-emulated.sh
check_PROGRAMS += tests/gpu-check-emulated
tests_gpu_check_emulated_SOURCES = tests/gpu-check.c
tests_gpu_check_emulated_LDADD = $(emulated_host) $(emulated_objects) halftone/libhalftone.a
tests_gpu_check_emulated_DEPENDENCIES = $(emulated_host) $(emulated_objects) halftone/libhalftone.a
tests_gpu_check_emulated_LINK = $(CXXLD) $(AM_CXXFLAGS) $(CXXFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -o $@
emulated_host = tests/emulated-engine_cuda.o tests/emulated-cuda_copy.o tests/emulated-cuda_lane.o \
	tests/emulated-cuda_launcher.o tests/emulated-cuda_page.o tests/emulated-cuda_published.o
$(emulated_host): tests/emulated-%.o: gpu/%.cu $(gpu_headers) tests/cuda_fibers.hh \
		tests/cuda_host.hh gpu/engine_cuda.h halftone/engine.h
	$(AM_V_CXX)$(MKDIR_P) $(@D) && $(CXX) $(AM_CPPFLAGS) $(EMULATED_FLAGS) \
		-include $(top_srcdir)/tests/cuda_host.hh -DRIP_WAVE_RING=128 $(CXXFLAGS) -x c++ -c -o $@ $<
CLEANFILES += $(emulated_host)

# The same without tickets: blocks that run wait for blocks that do not.  It has to fail.
TESTS += tests/gpu-mutant
XFAIL_TESTS += tests/gpu-mutant
check_PROGRAMS += tests/gpu-mutant
tests_gpu_mutant_SOURCES = tests/gpu-emulated.cc
tests_gpu_mutant_CXXFLAGS = $(EMULATED_FLAGS) -DONLY_WAVE
tests_gpu_mutant_LDADD = $(mutant_objects) halftone/libhalftone.a
tests_gpu_mutant_DEPENDENCIES = $(mutant_objects) halftone/libhalftone.a
mutant_objects = tests/emulated-pwed.o tests/emulated-pwec.o tests/emulated-bwed.o \
	tests/emulated-bwec.o tests/mutant-wavefront.o
tests/mutant-wavefront.cu: gpu/wavefront.cu
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		$(SED) 's/atomicAdd(wave.ticket, 1u)/wave.first + blockIdx.x/' $< >$@ && ! cmp -s $< $@
tests/mutant-wavefront.o: tests/mutant-wavefront.cu $(gpu_headers) tests/cuda_fibers.hh
	$(AM_V_CXX)$(CXX) $(AM_CPPFLAGS) -I$(top_srcdir)/gpu $(EMULATED_FLAGS) -DRIP_WAVE_RING=128 \
		$(CXXFLAGS) -x c++ -c -o $@ tests/mutant-wavefront.cu
CLEANFILES += tests/mutant-wavefront.cu tests/mutant-wavefront.o
endif
EXTRA_DIST += tests/cuda_fibers.hh tests/gpu-emulated.cc tests/gpu-engine-emulated.sh \
	tests/cuda_host.hh

# With a GPU: all kernels, their failures, the sanitizers, the benchmark.
EXTRA_DIST += tests/check-gpu tests/gpu-check.c tests/gpu-bench.cu \
	tests/gpu-throughput.cu tests/gpu-ring.cu tests/gpu_timing.hh tests/gpu-hazards \
	tests/gpu-product
check-gpu:
	NVCC='$(NVCC)' CC='$(CC)' $(srcdir)/tests/check-gpu
.PHONY: check-gpu

# Unit tests: one program for each object, with cmocka.
if CMOCKA
# -- halftone --
TESTS += tests/test-arith tests/test-band tests/test-rows tests/test-simd
check_PROGRAMS += tests/test-arith tests/test-band tests/test-rows tests/test-simd
tests_test_arith_SOURCES = tests/test-arith.c tests/testing.h
tests_test_arith_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_test_band_SOURCES = tests/test-band.c tests/testing.h
tests_test_band_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_test_simd_SOURCES = tests/test-simd.c tests/testing.h
tests_test_simd_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)
tests_test_rows_SOURCES = tests/test-rows.c tests/testing.h
tests_test_rows_LDADD = halftone/libhalftone.a $(CMOCKA_LIBS)

# -- wire --
TESTS += tests/test-codec tests/test-connection tests/test-ring tests/test-client tests/test-halftoner
check_PROGRAMS += tests/test-codec tests/test-connection tests/test-ring tests/test-client tests/test-halftoner
tests_test_codec_SOURCES = tests/test-codec.c tests/testing.h
tests_test_codec_LDADD = wire/libwire.a $(CMOCKA_LIBS)
tests_test_connection_SOURCES = tests/test-connection.c tests/testing.h
tests_test_connection_LDADD = wire/libwire.a $(CMOCKA_LIBS)
tests_test_ring_SOURCES = tests/test-ring.c tests/testing.h
tests_test_ring_LDADD = wire/libwire.a $(CMOCKA_LIBS)
FAKE_DAEMON = tests/fake_daemon.c tests/fake_daemon.h tests/sample_page.h
tests_test_client_SOURCES = tests/test-client.c $(FAKE_DAEMON) tests/testing.h
tests_test_client_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_test_halftoner_SOURCES = tests/test-halftoner.c $(FAKE_DAEMON) tests/testing.h
tests_test_halftoner_LDADD = $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)

# -- daemon --
daemon_tests = tests/test-log tests/test-daemon-settings tests/test-daemon-check tests/test-daemon-scheduler \
	tests/test-daemon-session tests/test-daemon-status tests/test-daemon \
	tests/test-daemon-clients tests/test-daemon-reload tests/test-daemon-gpu \
	tests/test-daemon-kept tests/test-faults tests/test-scarcity
daemon_test_libs = daemon/libdaemon.a daemon/libstatus.a daemon/libcommand.a $(RIP_NOGPU_LIBS) \
	$(SYSTEMD_LIBS) $(CMOCKA_LIBS)
TESTS += $(daemon_tests)
check_PROGRAMS += $(daemon_tests)
tests_test_log_SOURCES = tests/test-log.c tests/testing.h
tests_test_log_LDADD = $(daemon_test_libs)
tests_test_daemon_settings_SOURCES = tests/test-daemon-settings.c tests/testing.h
tests_test_daemon_settings_LDADD = $(daemon_test_libs)
tests_test_daemon_check_SOURCES = tests/test-daemon-check.c tests/testing.h
tests_test_daemon_check_LDADD = $(daemon_test_libs)
tests_test_daemon_scheduler_SOURCES = tests/test-daemon-scheduler.c tests/testing.h
tests_test_daemon_scheduler_LDADD = $(daemon_test_libs)
tests_test_daemon_session_SOURCES = tests/test-daemon-session.c tests/daemon_world.c \
	tests/daemon_world.h tests/failing_engine.c tests/failing_engine.h tests/testing.h
tests_test_daemon_session_LDADD = $(daemon_test_libs)
tests_test_daemon_status_SOURCES = tests/test-daemon-status.c tests/testing.h
tests_test_daemon_status_LDADD = $(daemon_test_libs)
DAEMON_FIXTURE = tests/daemon_fixture.c tests/daemon_fixture.h
tests_test_daemon_SOURCES = tests/test-daemon.c $(DAEMON_FIXTURE) tests/testing.h
tests_test_daemon_LDADD = $(daemon_test_libs)
tests_test_daemon_clients_SOURCES = tests/test-daemon-clients.c $(DAEMON_FIXTURE) tests/testing.h
tests_test_daemon_clients_LDADD = $(daemon_test_libs)
tests_test_daemon_reload_SOURCES = tests/test-daemon-reload.c $(DAEMON_FIXTURE) tests/testing.h
tests_test_daemon_reload_LDADD = $(daemon_test_libs)
tests_test_daemon_gpu_SOURCES = tests/test-daemon-gpu.c $(DAEMON_FIXTURE) tests/testing.h
tests_test_daemon_gpu_LDADD = $(daemon_test_libs)
tests_test_daemon_kept_SOURCES = tests/test-daemon-kept.c $(DAEMON_FIXTURE) tests/testing.h
tests_test_daemon_kept_LDADD = $(daemon_test_libs)
DAEMON_JOB = tests/daemon_job.c tests/daemon_job.h $(DAEMON_FIXTURE)
tests_test_faults_SOURCES = tests/test-faults.c $(DAEMON_JOB) tests/testing.h
tests_test_faults_LDADD = $(daemon_test_libs)
tests_test_scarcity_SOURCES = tests/test-scarcity.c $(DAEMON_JOB) tests/testing.h
tests_test_scarcity_LDADD = $(daemon_test_libs)
# riptided with a GPU that fails when it is told to, on a system that has nothing left.
check_PROGRAMS += tests/riptided-faulty
tests_riptided_faulty_SOURCES = daemon/riptided.c tests/fake_gpu.c tests/fake_scarcity.c
tests_riptided_faulty_CPPFLAGS = $(riptided_CPPFLAGS)
tests_riptided_faulty_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc \
	-Wl,--wrap=realloc,--wrap=pthread_create
tests_riptided_faulty_LDADD = $(riptided_LDADD)

TESTS += \
	tests/test-image-read tests/test-curve-file tests/test-bench \
	tests/test-image-dots tests/test-raster-dots
check_PROGRAMS += \
	tests/test-image-read tests/test-curve-file tests/test-bench \
	tests/test-image-dots tests/test-raster-dots
tests_test_bench_SOURCES = tests/test-bench.c tests/run.h tests/testing.h
tests_test_bench_LDADD = daemon/libcommand.a $(RIP_NOGPU_LIBS) $(CMOCKA_LIBS)
tests_test_image_read_SOURCES = tests/test-image-read.c tests/run.h tests/testing.h
tests_test_image_read_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS)
tests_test_image_read_LDADD = daemon/libcommand.a $(JPEG_LIBS) $(CMOCKA_LIBS)
tests_test_curve_file_SOURCES = tests/test-curve-file.c tests/run.h tests/testing.h
tests_test_curve_file_LDADD = daemon/libcommand.a $(CMOCKA_LIBS)
tests_test_image_dots_SOURCES = tests/test-image-dots.c tests/run.h tests/oracle.c \
	tests/oracle.h tests/testing.h
tests_test_image_dots_LDADD = $(CMOCKA_LIBS) -lm
tests_test_raster_dots_SOURCES = tests/test-raster-dots.c tests/run.h tests/oracle.c \
	tests/oracle.h tests/testing.h
tests_test_raster_dots_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_test_raster_dots_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS) -lm

# -- filter --
filter_tests = \
	tests/test-dots tests/test-header tests/test-options tests/test-raster-source \
	tests/test-raster-filter tests/test-raster-faults
TESTS += $(filter_tests)
check_PROGRAMS += $(filter_tests)
tests_test_dots_SOURCES = tests/test-dots.c tests/testing.h
tests_test_dots_LDADD = filter/libfilter.a $(CMOCKA_LIBS)
tests_test_header_SOURCES = tests/test-header.c tests/raster.c tests/raster.h tests/testing.h
tests_test_header_LDADD = filter/libfilter.a $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_test_options_SOURCES = tests/test-options.c tests/testing.h
tests_test_options_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_test_raster_source_SOURCES = tests/test-raster-source.c tests/raster.c tests/raster.h
tests_test_raster_source_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS) $(CMOCKA_LIBS)
tests_test_raster_filter_SOURCES = \
	tests/test-raster-filter.c tests/raster.c tests/raster.h tests/oracle.c tests/oracle.h
tests_test_raster_filter_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS) -lm
tests_test_raster_faults_SOURCES = tests/test-raster-faults.c tests/raster.c tests/raster.h
tests_test_raster_faults_LDADD = $(CUPS_LIBS) $(CMOCKA_LIBS)

endif

# Fuzzers: tests/fuzz/fuzz-X.c has one function.  Every build replays its corpus as
# a test; --enable-fuzzers also links it with libFuzzer: tests/fuzz/README.md.
fuzz_replays = \
	tests/fuzz/replay-codec tests/fuzz/replay-session tests/fuzz/replay-ring \
	tests/fuzz/replay-settings tests/fuzz/replay-header tests/fuzz/replay-options
TESTS += $(fuzz_replays)
check_PROGRAMS += $(fuzz_replays)
EXTRA_DIST += \
	tests/fuzz/README.md tests/fuzz/corpus-codec tests/fuzz/corpus-session \
	tests/fuzz/corpus-ring tests/fuzz/corpus-settings tests/fuzz/corpus-header \
	tests/fuzz/corpus-options
fuzz_codec_libs = wire/libwire.a
fuzz_daemon_libs = daemon/libdaemon.a $(RIP_NOGPU_LIBS) $(SYSTEMD_LIBS)
fuzz_filter_libs = filter/libfilter.a $(RIP_NOGPU_LIBS) $(CUPS_LIBS)
fuzz_session_sources = tests/fuzz/fuzz-session.c tests/daemon_world.c tests/daemon_world.h \
	tests/failing_engine.c tests/failing_engine.h

tests_fuzz_replay_codec_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-codec.c
tests_fuzz_replay_codec_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-codec"'
tests_fuzz_replay_codec_LDADD = $(fuzz_codec_libs)
tests_fuzz_replay_session_SOURCES = tests/fuzz/replay.c $(fuzz_session_sources)
tests_fuzz_replay_session_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-session"'
tests_fuzz_replay_session_LDADD = $(fuzz_daemon_libs)
tests_fuzz_replay_ring_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-ring.c
tests_fuzz_replay_ring_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-ring"'
tests_fuzz_replay_ring_LDADD = $(fuzz_daemon_libs)
tests_fuzz_replay_settings_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-settings.c
tests_fuzz_replay_settings_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-settings"'
tests_fuzz_replay_settings_LDADD = $(fuzz_daemon_libs)
tests_fuzz_replay_header_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-header.c
tests_fuzz_replay_header_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-header"'
tests_fuzz_replay_header_LDADD = $(fuzz_filter_libs)
tests_fuzz_replay_options_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-options.c
tests_fuzz_replay_options_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-options"'
tests_fuzz_replay_options_LDADD = $(fuzz_filter_libs)
if FUZZERS
LDFLAGS_FUZZ = $(AM_LDFLAGS) -fsanitize=fuzzer
noinst_PROGRAMS += \
	tests/fuzz/fuzz-codec tests/fuzz/fuzz-session tests/fuzz/fuzz-ring \
	tests/fuzz/fuzz-settings tests/fuzz/fuzz-header tests/fuzz/fuzz-options
tests_fuzz_fuzz_codec_SOURCES = tests/fuzz/fuzz-codec.c
tests_fuzz_fuzz_codec_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_codec_LDADD = $(fuzz_codec_libs)
tests_fuzz_fuzz_session_SOURCES = $(fuzz_session_sources)
tests_fuzz_fuzz_session_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_session_LDADD = $(fuzz_daemon_libs)
tests_fuzz_fuzz_ring_SOURCES = tests/fuzz/fuzz-ring.c
tests_fuzz_fuzz_ring_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_ring_LDADD = $(fuzz_daemon_libs)
tests_fuzz_fuzz_settings_SOURCES = tests/fuzz/fuzz-settings.c
tests_fuzz_fuzz_settings_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_settings_LDADD = $(fuzz_daemon_libs)
tests_fuzz_fuzz_header_SOURCES = tests/fuzz/fuzz-header.c
tests_fuzz_fuzz_header_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_header_LDADD = $(fuzz_filter_libs)
tests_fuzz_fuzz_options_SOURCES = tests/fuzz/fuzz-options.c
tests_fuzz_fuzz_options_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_options_LDADD = $(fuzz_filter_libs)
endif

# End-to-end tests: scripts with a private CUPS.
AM_TESTS_ENVIRONMENT = \
	RIPTIDE_BUILD='$(abs_top_builddir)'; RIPTIDE_SOURCE='$(abs_top_srcdir)'; \
	export RIPTIDE_BUILD RIPTIDE_SOURCE;
e2e_tests = \
	tests/e2e/ppd.sh tests/e2e/queues.sh tests/e2e/pages.sh tests/e2e/vendor.sh \
	tests/e2e/daemon.sh tests/e2e/cancel.sh tests/e2e/slow.sh
TESTS += $(e2e_tests)
EXTRA_DIST += $(e2e_tests) tests/e2e/library.sh tests/e2e/page.ps
check_PROGRAMS += \
	tests/expected-dots tests/decode-dots tests/compare-dots tests/job-attribute
tests_expected_dots_SOURCES = \
	tests/expected-dots.c tests/oracle.c tests/oracle.h tests/dots.c tests/dots.h
tests_expected_dots_LDADD = $(CUPS_LIBS) -lm
tests_decode_dots_SOURCES = \
	tests/decode-dots.c tests/decode-escp.c tests/decode-pcl.c tests/decode-raster.c \
	tests/decode-zpl.c tests/decode.h tests/dots.c tests/dots.h
tests_decode_dots_LDADD = $(CUPS_LIBS)
tests_compare_dots_SOURCES = tests/compare-dots.c tests/dots.c tests/dots.h
tests_job_attribute_SOURCES = tests/job-attribute.c
tests_job_attribute_LDADD = $(CUPS_LIBS)

# The command.
TESTS += tests/riptide-cli.sh tests/riptide-halftone.sh tests/riptide-socket.sh
EXTRA_DIST += tests/riptide-cli.sh tests/riptide-halftone.sh tests/riptide-socket.sh

# The daemon as systemd runs it.
TESTS += tests/e2e-daemon.sh tests/status.sh tests/soak.sh
EXTRA_DIST += tests/e2e-daemon.sh tests/status.sh tests/soak.sh tests/bench-fairness.sh

# The daemon in the sandbox of its unit.
TESTS += tests/sandbox.sh
EXTRA_DIST += tests/sandbox.sh tests/sandbox-calls tests/sandbox-calls.txt
if SECCOMP
check_PROGRAMS += tests/sandbox
endif
tests_sandbox_SOURCES = tests/sandbox.c
tests_sandbox_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS)
tests_sandbox_LDADD = $(SECCOMP_LIBS)

# The package, systemd and CUPS in a container.
container_tests = tests/container/systemd.sh
TESTS += $(container_tests)
EXTRA_DIST += $(container_tests) tests/container/library.sh tests/container/package.sh \
	tests/container/service.sh

# Completion for bash.
TESTS += tests/completion.sh
EXTRA_DIST += tests/completion.sh

# The tests of halftone/ on another architecture, emulated.
TESTS += tests/neon.sh
EXTRA_DIST += tests/neon.sh tests/emulated/cmocka.h

# The project itself: rooms, scripts, manual pages and help, installation.
project_tests = tests/rooms.sh tests/clocks.sh tests/shell.sh tests/manpages.sh tests/install.sh
TESTS += $(project_tests)
EXTRA_DIST += $(project_tests)

# What contrib/check runs with every compiler and sanitizer: what needs neither CUPS
# nor systemd.
list-program-tests:
	@echo $(filter-out tests/e2e% $(container_tests) $(project_tests),$(TESTS))
.PHONY: list-program-tests

EXTRA_DIST += tests/testing.h tests/README.md
