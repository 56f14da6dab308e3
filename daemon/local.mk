# -- riptided --
sbin_PROGRAMS += riptided
noinst_LIBRARIES += daemon/libdaemon.a
daemon_libdaemon_a_SOURCES = \
	daemon/log.c daemon/log.h daemon/log_meter.c daemon/log_meter.h \
	daemon/log_output.c daemon/log_output.h \
	daemon/settings.c daemon/settings.h \
	daemon/scheduler.c daemon/scheduler.h \
	daemon/process.c daemon/process.h \
	daemon/probe.c daemon/probe.h \
	daemon/device.c daemon/device.h \
	daemon/ring_page.c daemon/ring_page.h \
	daemon/session.c daemon/session.h \
	daemon/page_place.c daemon/page_place.h \
	daemon/daemon_client.c daemon/daemon_client.h \
	daemon/listener.c daemon/listener.h \
	daemon/device_watch.c daemon/device_watch.h daemon/reload.c daemon/reload.h \
	daemon/server_state.h daemon/server_admit.c daemon/server_report.c \
	daemon/server.c daemon/server.h
riptided_SOURCES = daemon/riptided.c
riptided_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_SYSCONFDIR='"$(sysconfdir)"'
riptided_LDADD = daemon/libdaemon.a $(RIP_LIBS) $(SYSTEMD_LIBS)
