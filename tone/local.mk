# What paper makes of dots, and the tone curves and calibrations that correct it.
noinst_LTLIBRARIES += tone/libtone.la
tone/.libs/libtone.a: tone/libtone.la ;
tone_libtone_la_CPPFLAGS = $(AM_CPPFLAGS) -DRIP_SYSCONFDIR='"$(sysconfdir)"'
tone_libtone_la_SOURCES = \
	tone/coverage.c tone/coverage.h \
	tone/fft.c tone/fft.h \
	tone/pattern.c tone/pattern.h tone/pattern_table.c \
	tone/printer.c tone/printer.h \
	tone/preset.c tone/preset.h \
	tone/area.c tone/area.h \
	tone/tone_choice.c tone/tone_choice.h \
	tone/ink_name.c tone/ink_name.h \
	tone/page_curves.c tone/page_curves.h \
	tone/plane_curve.c tone/plane_curve.h \
	tone/fit.c tone/fit.h \
	tone/cgats.c tone/cgats.h \
	tone/cal.c tone/cal.h \
	tone/calibrated.c tone/calibrated.h \
	tone/dot_cover.c tone/dot_cover.h \
	tone/ink_colour.c tone/ink_colour.h \
	tone/soft_proof.c tone/soft_proof.h

# The tables of the patterns: the file in the tree is what this program prints (a test measures
# some of them anew).
check_PROGRAMS += tone/tables/measure
tone_tables_measure_CPPFLAGS = $(AM_CPPFLAGS) # objects of its own, not libtool's
tone_tables_measure_SOURCES = tone/tables/measure.c \
	tone/tables/field_dots.c tone/tables/field_dots.h tone/coverage.c tone/coverage.h \
	tone/fft.c tone/fft.h tone/pattern.h
tone_tables_measure_LDADD = halftone/.libs/libhalftone.a -lm

tone-tables: tone/tables/measure
	tone/tables/measure > pattern_table.new
	mv pattern_table.new $(srcdir)/tone/pattern_table.c
.PHONY: tone-tables

# What a program that makes tone curves links with.
TONE_LIBS = tone/.libs/libtone.a halftone/.libs/libhalftone.a system/.libs/libsystem.a -lm
