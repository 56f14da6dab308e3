# Small helpers around system calls: child processes and their jail, pipes, the clock; configuration files; letters
# of ASCII.
noinst_LTLIBRARIES += system/libsystem.la
system/.libs/libsystem.a: system/libsystem.la ;
system_libsystem_la_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_SYSCONFDIR='"$(sysconfdir)"'
system_libsystem_la_SOURCES = \
	system/ascii.h \
	system/child.c system/child.h \
	system/clock.h \
	system/draw_settings.c system/draw_settings.h \
	system/jail.c system/jail.h \
	system/inline.h \
	system/key_file.c system/key_file.h \
	system/large_pipe.c system/large_pipe.h \
	system/number.h \
	system/refuse.h \
	system/private_folder.c system/private_folder.h \
	system/replace_file.c system/replace_file.h \
	system/standard_streams.c system/standard_streams.h \
	system/temporary_space.c system/temporary_space.h \
	system/write_all.c system/write_all.h
