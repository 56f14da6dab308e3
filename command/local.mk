# -- riptide --
bin_PROGRAMS += riptide
riptide_SOURCES = command/riptide.c
riptide_LDADD = command/libcommand.a adopt/libadopt.a image/libimage.a filter/libfilter.a rip/librip.a \
	$(RIP_LIBS) $(TONE_LIBS) $(JPEG_LIBS) $(PNG_LIBS) $(TIFF_LIBS) $(CUPS_LIBS) $(SYSTEMD_LIBS)

# Its parts, a library for the tests' sake.
noinst_LIBRARIES += command/libcommand.a
command_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(PNG_CFLAGS) $(TIFF_CFLAGS) \
	-DRIP_SYSCONFDIR='"$(sysconfdir)"'
command_libcommand_a_SOURCES = \
	command/terminal.c command/terminal.h \
	command/common_options.c command/common_options.h command/option.c command/option.h \
	command/curve_file.c command/curve_file.h \
	command/halftone_options.c command/halftone_options.h \
	command/halftone/halftone_job.c command/halftone/halftone_job.h command/halftone/halftone_grey.c command/halftone/halftone_raster.c \
	command/halftone/halftone_tiff.c command/tiff_plates.c command/tiff_plates.h command/picture_file.c command/picture_file.h \
	command/json.c command/json.h \
	command/preview/preview_options.c \
	command/preview/preview.h command/preview/preview_dots.c command/preview/preview_pdf.c \
	command/preview/preview_picture.c \
	command/preview/preview_report.c \
	command/preview/preview_command.c \
	command/rip/rip.h command/rip/rip_options.c command/rip/rip_output.c \
	command/rip/rip_command.c \
	command/bench/bench.h command/bench/bench_picture.c command/bench/bench_run.c command/bench/bench_report.c \
	command/bench/bench_command.c \
	command/status/status.h command/status/status_command.c \
	command/status/status_print.c command/status/status_table.c \
	command/status/status_watch.c \
	command/status/status_ink.c command/ink_amounts.c command/ink_amounts.h \
	command/paper_size.c command/paper_size.h command/queue_ppd.c command/queue_ppd.h \
	command/measure/target.h command/measure/calibrate.h command/measure/chart.c command/measure/chart_font.h \
	command/measure/patch_layout.c command/measure/argyll_files.c \
	command/measure/target_pages.c command/measure/target_file.c \
	command/measure/target_command.c \
	command/measure/calibration.c command/measure/measured_file.c \
	command/measure/curve_picture.c command/queue_request.c command/queue_request.h \
	command/measure/queue_calibration.c \
	command/measure/scan.c command/measure/scan_wedge.c \
	command/measure/calibrate_options.c \
	command/measure/calibrate_command.c \
	command/adopt/adopt.h command/adopt/adopt_options.c command/adopt/adopt_queue.c \
	command/adopt/adopt_trial.c \
	command/adopt/trial_process.c \
	command/adopt/adopt_command.c \
	command/transform/transform.h command/transform/transform_request.c \
	command/transform/transform_page.c command/transform/transform_image.c \
	command/transform/transform_output.c command/transform/transform_job.c

# -- riptide-transform --
bin_PROGRAMS += riptide-transform
riptide_transform_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
riptide_transform_SOURCES = command/transform/riptide_transform.c
riptide_transform_LDADD = command/libcommand.a image/libimage.a filter/libfilter.a rip/librip.a \
	$(RIP_NOGPU_LIBS) $(TONE_LIBS) $(JPEG_LIBS) $(PNG_LIBS) $(CUPS_LIBS) $(SYSTEMD_LIBS)

# Its other name, in a folder that an administrator puts first in PATH: in $(bindir) it would be in
# the way of libcups 3's.
transformdir = $(libexecdir)/riptide/bin
install-exec-hook:
	$(MKDIR_P) '$(DESTDIR)$(transformdir)'
	rm -f '$(DESTDIR)$(transformdir)/ipptransform'
	$(LN_S) '$(bindir)/riptide-transform' '$(DESTDIR)$(transformdir)/ipptransform'
uninstall-local:
	rm -f '$(DESTDIR)$(transformdir)/ipptransform'
