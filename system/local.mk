# Small helpers around system calls: child processes, pipes, the clock; and letters of ASCII.
noinst_LTLIBRARIES += system/libsystem.la
system_libsystem_la_SOURCES = \
	system/ascii.h \
	system/child.c system/child.h \
	system/clock.h \
	system/large_pipe.c system/large_pipe.h \
	system/number.h \
	system/refuse.h \
	system/replace_file.c system/replace_file.h \
	system/temporary_space.c system/temporary_space.h \
	system/write_all.c system/write_all.h
