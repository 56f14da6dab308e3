# -- riptide --
bin_PROGRAMS += riptide
riptide_SOURCES = command/riptide.c
riptide_LDADD = command/libcommand.a adopt/libadopt.a image/libimage.a filter/libfilter.a rip/librip.a \
	$(RIP_LIBS) $(TONE_LIBS) $(JPEG_LIBS) $(PNG_LIBS) $(TIFF_LIBS) $(CUPS_LIBS) $(SYSTEMD_LIBS)

# Its parts, a library for the tests' sake.
noinst_LIBRARIES += command/libcommand.a
command_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS) $(PNG_CFLAGS) $(TIFF_CFLAGS)
command_libcommand_a_SOURCES = \
	command/commands.h \
	command/terminal.c command/terminal.h \
	command/option.c command/option.h \
	command/image_options.c command/image_options.h \
	command/curve_file.c command/curve_file.h \
	command/halftone_options.c command/halftone_options.h \
	command/halftone_job.c command/halftone_job.h command/halftone_grey.c command/halftone_raster.c \
	command/halftone_tiff.c command/tiff_plates.c command/tiff_plates.h \
	command/halftone_command.c \
	command/json.c command/json.h \
	command/preview_options.c command/preview_options.h \
	command/preview_dots.c command/preview_dots.h command/preview_pdf.c command/preview_pdf.h \
	command/preview_picture.c command/preview_picture.h \
	command/temporary_folder.c command/temporary_folder.h \
	command/preview_report.c command/preview_report.h \
	command/preview_command.c \
	command/rip_options.c command/rip_options.h command/rip_output.c command/rip_output.h \
	command/rip_command.c \
	command/bench.h command/bench_size.c command/bench_picture.c command/bench_run.c command/bench_report.c \
	command/bench_costs.c \
	command/bench_command.c \
	command/status_command.c \
	command/status_print.c command/status_table.c command/status_print.h \
	command/status_watch.c command/status_watch.h \
	command/status_ink.c command/status_ink.h command/ink_amounts.c command/ink_amounts.h \
	command/paper_size.c command/paper_size.h command/queue_ppd.c command/queue_ppd.h \
	command/chart.c command/chart.h command/chart_font.h command/wedge_layout.h \
	command/patch_layout.c command/patch_layout.h command/argyll_files.c command/argyll_files.h \
	command/target_pages.c command/target_pages.h command/target_file.c command/target_file.h \
	command/target_pdf.c command/target_pdf.h command/target_command.c \
	command/calibration.c command/calibration.h command/measured_file.c command/measured_file.h \
	command/curve_picture.c command/curve_picture.h command/queue_request.c command/queue_request.h \
	command/queue_option.c command/queue_option.h \
	command/queue_calibration.c command/queue_calibration.h \
	command/scan.c command/scan.h command/scan_wedge.c \
	command/calibrate_options.c command/calibrate_options.h \
	command/calibrate_command.c \
	command/ppd_file.c command/ppd_file.h \
	command/adopt_options.c command/adopt_options.h \
	command/adopt_screen.c command/adopt_screen.h \
	command/adopt_queue.c command/adopt_queue.h command/adopt_trial.c command/adopt_trial.h \
	command/trial_process.c command/trial_process.h \
	command/adopt_command.c
