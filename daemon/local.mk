# -- riptided --
sbin_PROGRAMS += riptided
noinst_LIBRARIES += daemon/libdaemon.a
daemon_libdaemon_a_SOURCES = \
	daemon/log.c daemon/log.h daemon/log_meter.c daemon/log_meter.h \
	daemon/settings.c daemon/settings.h \
	daemon/check.c daemon/check.h \
	daemon/scheduler.c daemon/scheduler.h \
	daemon/probe.c daemon/probe.h \
	daemon/device.c daemon/device.h \
	daemon/sheet.c daemon/sheet.h \
	daemon/session.c daemon/session.h \
	daemon/guest.c daemon/guest.h \
	daemon/listener.c daemon/listener.h \
	daemon/kept.c daemon/kept.h \
	daemon/server.c daemon/server.h daemon/server_private.h \
	daemon/server_admit.c daemon/server_device.c daemon/server_reload.c \
	daemon/server_report.c
riptided_SOURCES = daemon/riptided.c
riptided_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_SYSCONFDIR='"$(sysconfdir)"'
riptided_LDADD = daemon/libdaemon.a $(RIP_LIBS) $(SYSTEMD_LIBS)

# -- riptide --
bin_PROGRAMS += riptide
riptide_SOURCES = daemon/riptide.c
riptide_LDADD = daemon/libstatus.a daemon/libcommand.a filter/libfilter.a \
	$(RIP_LIBS) $(JPEG_LIBS) $(CUPS_LIBS)

# Its parts, a library for the tests' sake.
noinst_LIBRARIES += daemon/libcommand.a
daemon_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS) $(CUPS_CFLAGS)
daemon_libcommand_a_SOURCES = \
	daemon/terminal.c daemon/terminal.h \
	daemon/input.c daemon/input.h \
	daemon/out_file.c daemon/out_file.h \
	daemon/options.c daemon/options.h \
	daemon/curve_file.c daemon/curve_file.h \
	daemon/image.c daemon/image.h \
	daemon/image_pnm.c daemon/image_jpeg.c \
	daemon/halftone_options.c daemon/halftone_options.h \
	daemon/halftone_job.h daemon/halftone_grey.c daemon/halftone_raster.c \
	daemon/halftone_command.c daemon/halftone_command.h \
	daemon/bench.h daemon/bench_picture.c daemon/bench_run.c daemon/bench_report.c \
	daemon/bench_costs.c \
	daemon/bench_command.c daemon/bench_command.h

# -- riptide status --
noinst_LIBRARIES += daemon/libstatus.a
daemon_libstatus_a_SOURCES = \
	daemon/status_command.c daemon/status_command.h \
	daemon/status_print.c daemon/status_table.c daemon/status_print.h \
	daemon/status_watch.c daemon/status_watch.h
