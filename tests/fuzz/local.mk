# Fuzzers: tests/fuzz/fuzz-X.c has one function.  Every build replays its corpus as
# a test; --enable-fuzzers also links it with libFuzzer: tests/fuzz/README.md.
fuzz_replays = \
	tests/fuzz/replay-codec tests/fuzz/replay-session tests/fuzz/replay-ring \
	tests/fuzz/replay-settings tests/fuzz/replay-header tests/fuzz/replay-options \
	tests/fuzz/replay-cal tests/fuzz/replay-tiff tests/fuzz/replay-ppd \
	tests/fuzz/replay-raster tests/fuzz/replay-rows
TESTS += $(fuzz_replays) tests/fuzz/oss-fuzz.sh
once_tests += tests/fuzz/oss-fuzz.sh
long_tests += tests/fuzz/oss-fuzz.sh
check_PROGRAMS += $(fuzz_replays)
EXTRA_DIST += tests/fuzz/README.md tests/fuzz/fuzz.h tests/fuzz/left-out \
	tests/fuzz/build.sh $(subst replay,corpus,$(fuzz_replays))
# The fuzzer of rastertoriptide keeps curves, and has no threads.
QUICK_JOBS = -Wl,--wrap=rip_plane_curve_new,--wrap=rip_engine_thread_new,--wrap=rip_cpu_count
# Not from tests/libtests.a: libFuzzer counts what it runs of them.
SESSION_WORLD = tests/daemon/daemon_world.c tests/daemon/daemon_world.h \
	tests/daemon/failing_engine.c tests/daemon/failing_engine.h
tests_fuzz_replay_codec_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-codec.c
tests_fuzz_replay_session_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-session.c $(SESSION_WORLD)
tests_fuzz_replay_ring_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-ring.c
tests_fuzz_replay_settings_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-settings.c
tests_fuzz_replay_header_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-header.c
tests_fuzz_replay_options_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-options.c
tests_fuzz_replay_cal_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-cal.c
tests_fuzz_replay_tiff_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-tiff.c
tests_fuzz_replay_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(TIFF_CFLAGS)
tests_fuzz_replay_ppd_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-ppd.c
tests_fuzz_replay_raster_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-raster.c
tests_fuzz_replay_raster_LDFLAGS = $(AM_LDFLAGS) $(QUICK_JOBS)
tests_fuzz_replay_rows_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-rows.c
if FUZZERS
LDFLAGS_FUZZ = $(AM_LDFLAGS) -fsanitize=fuzzer $(LIBRARY_FOLDER)
noinst_PROGRAMS += \
	tests/fuzz/fuzz-codec tests/fuzz/fuzz-session tests/fuzz/fuzz-ring \
	tests/fuzz/fuzz-settings tests/fuzz/fuzz-header tests/fuzz/fuzz-options \
	tests/fuzz/fuzz-cal tests/fuzz/fuzz-tiff tests/fuzz/fuzz-ppd \
	tests/fuzz/fuzz-raster tests/fuzz/fuzz-rows
tests_fuzz_fuzz_session_SOURCES = tests/fuzz/fuzz-session.c $(SESSION_WORLD)
tests_fuzz_fuzz_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(TIFF_CFLAGS)
tests_fuzz_fuzz_codec_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_session_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_ring_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_settings_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_header_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_options_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_cal_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_tiff_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_ppd_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_raster_LDFLAGS = $(LDFLAGS_FUZZ) $(QUICK_JOBS)
tests_fuzz_fuzz_rows_LDFLAGS = $(LDFLAGS_FUZZ)
endif
