# riptide-printer-app.  It is linked with no engine: each job is a child process.
app_sources = \
	app/app_adopt.c app/app_adopt.h app/app_child.c app/app_child.h \
	app/app_devices.c app/app_devices.h app/app_driver.c app/app_driver.h \
	app/app_job.c app/app_job.h \
	app/app_message.c app/app_message.h app/app_options.c app/app_options.h \
	app/app_parts.c app/app_parts.h app/app_password.c app/app_password.h \
	app/app_places.c app/app_places.h app/app_ppd.c app/app_ppd.h \
	app/app_printer.c app/app_printer.h app/app_raster.c app/app_raster.h \
	app/app_run.c app/app_run.h \
	app/app_state.c app/app_state.h app/compat.h app/web.c app/web.h
EXTRA_DIST += app/web/sample.pdf app/web/style.css
if PAPPL
bin_PROGRAMS += riptide-printer-app
riptide_printer_app_CPPFLAGS = $(AM_CPPFLAGS) $(PAPPL_CFLAGS) $(PNG_CFLAGS) \
	-DRIP_CUPS_SERVERBIN='"$(cups_serverbin)"' -DRIP_COMMAND='"$(bindir)/riptide"' \
	-DRIP_APP_DATA='"$(appdir)"'
riptide_printer_app_SOURCES = app/riptide_printer_app.c $(app_sources)
riptide_printer_app_LDADD = image/libimage.a adopt/libadopt.a $(TONE_LIBS) $(PAPPL_LIBS) $(PNG_LIBS)

# Our drivers as PPDs, the test page, the page of the previews, and the style of the web pages.
appdir = $(datadir)/riptide-printer-app
appppddir = $(appdir)/ppd
appppd_DATA = $(addprefix app/ppd/,$(addsuffix .ppd,riptide-pcl5 riptide-pcl-color riptide-escp2 \
	riptide-escp2-photo riptide-escp riptide-zpl-203 riptide-zpl-300 riptide-pwg))
app_DATA = app/test-page.ps app/sample.pdf app/style.css
app/test-page.ps: contrib/demo-page.ps
app/sample.pdf: app/web/sample.pdf
app/style.css: app/web/style.css
$(app_DATA):
	$(AM_V_GEN)$(MKDIR_P) app && cp '$<' $@
$(appppd_DATA): app/ppd/stamp
app/ppd/stamp: ppd/riptide.drv
	$(AM_V_GEN)rm -rf app/ppd && $(PPDC) -l en -d app/ppd '$(srcdir)/ppd/riptide.drv' >/dev/null 2>&1 && \
	touch $@
CLEANFILES += $(app_DATA) $(appppd_DATA) app/ppd/riptide-raster.ppd app/ppd/stamp

# Its web pages.
riptide_printer_app_SOURCES += \
	app/web/web_add.c app/web/web_calibrate.c app/web/web_config.c app/web/web_form.c \
	app/web/web_home.c app/web/web_ink.c app/web/web_jobs.c app/web/web_jobs.h \
	app/web/web_page.c app/web/web_page.h app/web/web_picture.c app/web/web_preview.c \
	app/web/web_preview.h app/web/web_printing.c app/web/web_screens.c app/web/web_text.c \
	app/web/web_text.h app/web/web_text.inc
endif
