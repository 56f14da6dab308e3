# The filter, without its main(), for tests too.
noinst_LIBRARIES += filter/libfilter.a
filter_libfilter_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(SYSTEMD_CFLAGS) \
	-DRIP_CUPS_SERVERBIN='"$(cups_serverbin)"'
filter_libfilter_a_SOURCES = \
	filter/cancel.c filter/cancel.h \
	filter/colour_cube.c filter/colour_cube.h \
	filter/colour_library.c filter/colour_library.h \
	filter/device_page.c filter/device_page.h \
	filter/colord.c filter/colord.h \
	filter/contone_filter.c filter/contone_filter.h \
	filter/contone_job.c filter/contone_job.h \
	filter/dot_inks.c filter/dot_inks.h \
	filter/dots.c filter/dots.h \
	filter/foomatic_command.c filter/foomatic_command.h \
	filter/gs_stand_in.c filter/gs_stand_in.h \
	filter/header.c filter/header.h \
	filter/ink_count.c filter/ink_count.h \
	filter/ink_report.c filter/ink_report.h filter/ink_tally.c filter/ink_tally.h \
	filter/ink_limit.c filter/ink_limit.h \
	filter/light_inks.c filter/light_inks.h \
	filter/light_limit.c filter/light_limit.h \
	filter/next_filter.c filter/next_filter.h \
	filter/report.c filter/report.h \
	filter/options.c filter/options.h \
	filter/page.c filter/page.h \
	filter/page_cal.c filter/page_cal.h \
	filter/page_screen.c filter/page_screen.h \
	filter/page_tones.c filter/page_tones.h \
	filter/pass.c filter/pass.h \
	filter/pdf_job.c filter/pdf_job.h \
	filter/pdf_header.c filter/pdf_header.h \
	filter/profile.c filter/profile.h \
	filter/pwg_options.c filter/pwg_options.h \
	filter/queue.c filter/queue.h \
	filter/raster_job.c filter/raster_job.h \
	filter/screen_choice.c filter/screen_choice.h \
	filter/separation.c filter/separation.h \
	filter/sheet.c filter/sheet.h \
	filter/shown.c filter/shown.h \
	filter/sink.c filter/sink.h \
	filter/source.c filter/source.h \
	filter/start.c filter/start.h \
	filter/tone_choice.c filter/tone_choice.h \
	filter/tone_curves.c filter/tone_curves.h \
	filter/vendor_curve.c filter/vendor_curve.h \
	filter/vendor_profile.c filter/vendor_profile.h

cupsfilterdir = $(cups_serverbin)/filter
cupsfilter_PROGRAMS = rastertoriptide pdftoriptide rastertofoomatic
rastertoriptide_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
rastertoriptide_SOURCES = filter/rastertoriptide.c
rastertoriptide_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS)
pdftoriptide_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
pdftoriptide_SOURCES = filter/pdftoriptide.c
pdftoriptide_LDADD = filter/libfilter.a rip/librip.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS) $(SYSTEMD_LIBS)
rastertofoomatic_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) -DRIP_CUPS_SERVERBIN='"$(cups_serverbin)"'
rastertofoomatic_SOURCES = filter/rastertofoomatic.c
rastertofoomatic_LDADD = filter/libfilter.a $(RIP_NOGPU_LIBS) $(TONE_LIBS) $(CUPS_LIBS)

# -- cfFilterRiptide(), a filter function of libcupsfilters 2 --
if CUPSFILTERS2
lib_LTLIBRARIES += libriptide-cupsfilters.la
libriptide_cupsfilters_la_LIBTOOLFLAGS =
libriptide_cupsfilters_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(CUPSFILTERS_CFLAGS)
libriptide_cupsfilters_la_SOURCES = \
	filter/cf_filter.c \
	filter/cancel.c filter/colour_cube.c filter/colour_library.c filter/dots.c filter/header.c filter/ink_count.c filter/ink_limit.c \
	filter/ink_report.c filter/light_inks.c filter/light_limit.c filter/options.c filter/page.c \
	filter/page_cal.c filter/page_screen.c filter/page_tones.c filter/pass.c filter/queue.c \
	filter/raster_job.c filter/report.c filter/screen_choice.c filter/separation.c \
	filter/sheet.c filter/shown.c filter/sink.c filter/source.c filter/tone_choice.c \
	filter/tone_curves.c filter/vendor_curve.c filter/vendor_profile.c
libriptide_cupsfilters_la_LIBADD = $(RIP_NOGPU_LIBS) $(CUPSFILTERS_LIBS) $(CUPS_LIBS)
# As libriptide_la_LDFLAGS in lib/local.mk.
libriptide_cupsfilters_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(srcdir)/filter/riptide-cupsfilters.map
EXTRA_libriptide_cupsfilters_la_DEPENDENCIES = filter/riptide-cupsfilters.map
include_HEADERS += filter/riptide-cupsfilters.h
pkgconfig_DATA += filter/riptide-cupsfilters.pc
endif
generated += filter/riptide-cupsfilters.pc
EXTRA_DIST += filter/cf_filter.c filter/riptide-cupsfilters.h filter/riptide-cupsfilters.map
