# What a printer makes of dots, and calibrations.
noinst_LIBRARIES += tone/libtone.a
tone_libtone_a_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_SYSCONFDIR='"$(sysconfdir)"'
tone_libtone_a_SOURCES = \
	tone/cgats.c tone/cgats.h \
	tone/cal.c tone/cal.h
