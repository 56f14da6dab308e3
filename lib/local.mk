# Halftones a page through the daemon, or in-process if it is not available.
noinst_LTLIBRARIES += lib/libhalftoner.la
lib_libhalftoner_la_SOURCES = \
	lib/child.c lib/child.h \
	lib/engine_thread.c lib/engine_thread.h \
	lib/halftoner.c lib/halftoner.h \
	lib/large_pipe.c lib/large_pipe.h \
	lib/pump.c lib/pump.h \
	lib/ring_page.c lib/ring_page.h \
	lib/write_all.c lib/write_all.h

# What a program that halftones links with, in this order: one that may use a GPU itself,
# and one that leaves it to the daemon.
RIP_LIBS = lib/libhalftoner.la wire/libwire.la $(GPU_LIBS) halftone/libhalftone.la
RIP_NOGPU_LIBS = lib/libhalftoner.la wire/libwire.la gpu/libnogpu.la halftone/libhalftone.la
