# The filter, without its main(), for tests too.
noinst_LIBRARIES += filter/libfilter.a
filter_libfilter_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(SYSTEMD_CFLAGS) \
	-DRIP_CUPS_SERVERBIN='"$(cups_serverbin)"'
filter_libfilter_a_SOURCES = \
	filter/ink/colour_cube.c filter/ink/colour_cube.h \
	filter/ink/colour_library.c filter/ink/colour_library.h \
	filter/pdf/device_page.c filter/pdf/device_page.h \
	filter/chain/contone_filter.c filter/chain/contone_filter.h \
	filter/ink/dot_inks.c filter/ink/dot_inks.h \
	filter/page/dots.c filter/page/dots.h \
	filter/pdf/foomatic_command.c filter/pdf/foomatic_command.h \
	filter/pdf/gs_stand_in.c filter/pdf/gs_stand_in.h \
	filter/page/header.c filter/page/header.h \
	filter/ink/ink_count.c filter/ink/ink_count.h \
	filter/ink/ink_report.c filter/ink/ink_report.h filter/ink/ink_tally.c filter/ink/ink_tally.h \
	filter/ink/light_inks.c filter/ink/light_inks.h \
	filter/ink/light_limit.c filter/ink/light_limit.h \
	filter/chain/next_filter.c filter/chain/next_filter.h \
	filter/report.c filter/report.h \
	filter/options.c filter/options.h \
	filter/page/page.c filter/page/page.h \
	filter/page/page_plan.c filter/page/page_plan.h \
	filter/page/pass.c filter/page/pass.h \
	filter/pdf/pdf_job.c filter/pdf/pdf_job.h \
	filter/pdf/object_colours.c filter/pdf/object_colours.h \
	filter/pdf/pdf_header.c filter/pdf/pdf_header.h \
	filter/ink/profile.c filter/ink/profile.h \
	filter/pdf/pwg_options.c filter/pdf/pwg_options.h \
	filter/pdf/raster_document.c filter/pdf/raster_document.h \
	filter/queue.c filter/queue.h \
	filter/page/raster_job.c filter/page/raster_job.h \
	filter/ink/separation.c filter/ink/separation.h \
	filter/page/sheet.c filter/page/sheet.h \
	filter/page/sink.c filter/page/sink.h \
	filter/page/source.c filter/page/source.h \
	filter/start.c filter/start.h \
	filter/page/tone_curves.c filter/page/tone_curves.h \
	filter/page/vendor_curve.c filter/page/vendor_curve.h \
	filter/ink/vendor_profile.c filter/ink/vendor_profile.h

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
