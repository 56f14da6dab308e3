# Halftones a page through the daemon, or in-process if it is not available.
noinst_LTLIBRARIES += lib/libhalftoner.la
lib/.libs/libhalftoner.a: lib/libhalftoner.la ;
lib_libhalftoner_la_SOURCES = \
	lib/engine_thread.c lib/engine_thread.h \
	lib/halftoner.c lib/halftoner.h \
	lib/job_threads.c lib/job_threads.h \
	lib/page_check.c lib/page_check.h \
	lib/page_mask.c lib/page_mask.h \
	lib/plane_curves.c lib/plane_curves.h \
	lib/preset_curves.c lib/preset_curves.h \
	lib/riptide.h lib/riptide_object.c lib/riptide_object.h \
	lib/riptide_page.c lib/riptide_rows.c lib/riptide_run.c \
	lib/row_flow.c lib/row_flow.h

# What a program that halftones links with, in this order: one that may use a GPU itself,
# and one that leaves it to the daemon.
RIP_LIBS = lib/.libs/libhalftoner.a wire/.libs/libwire.a $(GPU_LIBS) $(TONE_LIBS)
RIP_NOGPU_LIBS = lib/.libs/libhalftoner.a wire/.libs/libwire.a gpu/.libs/libnogpu.a $(TONE_LIBS)

# -- libriptide, for drivers: what riptide.map names, and nothing else --
lib_LTLIBRARIES += libriptide.la
libriptide_la_LIBTOOLFLAGS =
libriptide_la_SOURCES =
libriptide_la_LIBADD = lib/libhalftoner.la wire/libwire.la gpu/libnogpu.la tone/libtone.la \
	halftone/libhalftone.la -lm
# CURRENT:REVISION:AGE.  Something added: CURRENT and AGE + 1, and REVISION 0.  Something removed
# or changed: CURRENT + 1, the others 0, and a new node in riptide.map.
libriptide_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 \
	-Wl,--version-script=$(srcdir)/lib/riptide.map
EXTRA_libriptide_la_DEPENDENCIES = lib/riptide.map
include_HEADERS = lib/riptide.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/riptide.pc
generated += lib/riptide.pc
EXTRA_DIST += lib/riptide.map
