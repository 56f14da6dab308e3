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
