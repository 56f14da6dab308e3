# -- riptide --
bin_PROGRAMS += riptide
riptide_SOURCES = command/riptide.c
riptide_LDADD = command/libcommand.a image/libimage.a filter/libfilter.a rip/librip.a \
	$(RIP_LIBS) $(JPEG_LIBS) $(CUPS_LIBS) -lm

# Its parts, a library for the tests' sake.
noinst_LIBRARIES += command/libcommand.a
command_libcommand_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
command_libcommand_a_SOURCES = \
	command/terminal.c command/terminal.h \
	command/option.c command/option.h \
	command/curve_file.c command/curve_file.h \
	command/halftone_options.c command/halftone_options.h \
	command/halftone_job.h command/halftone_grey.c command/halftone_raster.c \
	command/halftone_command.c command/halftone_command.h \
	command/json.c command/json.h \
	command/rip_options.c command/rip_options.h command/rip_output.c command/rip_output.h \
	command/rip_command.c command/rip_command.h \
	command/bench.h command/bench_size.c command/bench_picture.c command/bench_run.c command/bench_report.c \
	command/bench_costs.c \
	command/bench_command.c command/bench_command.h \
	command/status_command.c command/status_command.h \
	command/status_print.c command/status_table.c command/status_print.h \
	command/status_watch.c command/status_watch.h
