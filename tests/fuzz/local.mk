# Fuzzers: tests/fuzz/fuzz-X.c has one function.  Every build replays its corpus as
# a test; --enable-fuzzers also links it with libFuzzer: tests/fuzz/README.md.
fuzz_replays = \
	tests/fuzz/replay-codec tests/fuzz/replay-session tests/fuzz/replay-ring \
	tests/fuzz/replay-settings tests/fuzz/replay-header tests/fuzz/replay-options \
	tests/fuzz/replay-cal tests/fuzz/replay-tiff tests/fuzz/replay-ppd
TESTS += $(fuzz_replays)
check_PROGRAMS += $(fuzz_replays)
EXTRA_DIST += \
	tests/fuzz/README.md tests/fuzz/fuzz.h tests/fuzz/corpus-codec tests/fuzz/corpus-session \
	tests/fuzz/corpus-ring tests/fuzz/corpus-settings tests/fuzz/corpus-header \
	tests/fuzz/corpus-options tests/fuzz/corpus-cal tests/fuzz/corpus-tiff tests/fuzz/corpus-ppd
fuzz_codec_libs = wire/libwire.la
fuzz_daemon_libs = daemon/libdaemon.a $(RIP_NOGPU_LIBS) $(SYSTEMD_LIBS)
fuzz_filter_libs = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS)
fuzz_tiff_libs = image/libimage.a tone/libtone.la system/libsystem.la $(TIFF_LIBS)
fuzz_session_sources = tests/fuzz/fuzz-session.c tests/daemon/daemon_world.c tests/daemon/daemon_world.h \
	tests/daemon/failing_engine.c tests/daemon/failing_engine.h

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
tests_fuzz_replay_cal_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-cal.c
tests_fuzz_replay_cal_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-cal"'
tests_fuzz_replay_cal_LDADD = tone/libtone.la
tests_fuzz_replay_tiff_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-tiff.c
tests_fuzz_replay_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(TIFF_CFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-tiff"'
tests_fuzz_replay_tiff_LDADD = $(fuzz_tiff_libs)
tests_fuzz_replay_ppd_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz-ppd.c
tests_fuzz_replay_ppd_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_CORPUS='"tests/fuzz/corpus-ppd"'
tests_fuzz_replay_ppd_LDADD = adopt/libadopt.a
if FUZZERS
LDFLAGS_FUZZ = $(AM_LDFLAGS) -fsanitize=fuzzer
noinst_PROGRAMS += \
	tests/fuzz/fuzz-codec tests/fuzz/fuzz-session tests/fuzz/fuzz-ring \
	tests/fuzz/fuzz-settings tests/fuzz/fuzz-header tests/fuzz/fuzz-options \
	tests/fuzz/fuzz-cal tests/fuzz/fuzz-tiff tests/fuzz/fuzz-ppd
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
tests_fuzz_fuzz_cal_SOURCES = tests/fuzz/fuzz-cal.c
tests_fuzz_fuzz_cal_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_cal_LDADD = tone/libtone.la
tests_fuzz_fuzz_tiff_SOURCES = tests/fuzz/fuzz-tiff.c
tests_fuzz_fuzz_tiff_CPPFLAGS = $(AM_CPPFLAGS) $(TIFF_CFLAGS)
tests_fuzz_fuzz_tiff_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_tiff_LDADD = $(fuzz_tiff_libs)
tests_fuzz_fuzz_ppd_SOURCES = tests/fuzz/fuzz-ppd.c
tests_fuzz_fuzz_ppd_LDFLAGS = $(LDFLAGS_FUZZ)
tests_fuzz_fuzz_ppd_LDADD = adopt/libadopt.a
endif
