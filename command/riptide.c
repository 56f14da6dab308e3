/*
 * riptide: the command.  See riptide(1).
 */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"
#include "halftone/simd/isa_environment.h"
#include "image/complain.h"
#include "system/ascii.h"
#include "system/standard_streams.h"
#include "terminal.h"
#include "tone/cal.h"

struct subcommand {
	const char *name;
	int       (*run)(int argc, char **argv);
	const char *what;
};

static const struct subcommand entries[] = {
	{ "halftone", rip_halftone_command, "halftone an image or a raster" },
	{ "rip", rip_rip_command, "make the dots of a PDF document's pages" },
	{ "preview", rip_preview_command, "show what a page's dots look like on paper" },
	{ "adopt", rip_adopt_command, "let a queue with its vendor's driver print riptide's dots" },
	{ "release", rip_release_command, "give an adopted queue its driver's dots back" },
	{ "target", rip_target_command, "make a chart to calibrate a printer with" },
	{ "calibrate", rip_calibrate_command, "calibrate a printer by its printed chart" },
	{ "status", rip_status_command, "show what the daemon is doing" },
	{ "bench", rip_bench_command, "measure how fast this machine halftones" },
};

#define ENTRIES (sizeof entries / sizeof entries[0])

static void print_help(void)
{
	puts("Usage: riptide COMMAND [ARGUMENT]...\n"
	     "       riptide help [COMMAND]\n"
	     "       riptide --help | --version\n"
	     "Halftoning for printers: turns tones into dots.\n");
	for (size_t i = 0; i < ENTRIES; i++)
		printf("  %-10s %s\n", entries[i].name, entries[i].what);
	puts("\nSee riptide(1); rastertoriptide(8) for printing, riptided(8) for the daemon.");
}

static const struct subcommand *find(const char *name)
{
	for (size_t i = 0; i < ENTRIES; i++)
		if (!strcmp(name, entries[i].name))
			return &entries[i];
	return NULL;
}

static int unknown(const char *name)
{
	for (size_t i = 0; i < ENTRIES; i++)
		if (rip_nearly_same(name, entries[i].name))
			return rip_wrong_usage(NULL, "\"%s\" is not a command: did you mean %s?",
					       name, entries[i].name);
	return rip_wrong_usage(NULL, "\"%s\" is not a command", name);
}

static int help(int argc, char **argv)
{
	static char option[] = "--help";
	const struct subcommand *entry = argc > 1 ? find(argv[1]) : NULL;

	if (argc > 2)
		return rip_wrong_usage(NULL, "help takes one command");
	if (entry)
		return entry->run(2, (char *[]){ argv[1], option, NULL });
	if (argc > 1 && strcmp(argv[1], "help"))
		return unknown(argv[1]);
	print_help();
	return 0;
}

/* Returns the exit status. */
static int run(int argc, char **argv)
{
	const struct subcommand *entry;

	if (argc < 2)
		return rip_wrong_usage(NULL, "no command is given");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help();
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("riptide " PACKAGE_VERSION);
		return 0;
	}
	if (!strcmp(argv[1], "help"))
		return help(argc - 1, argv + 1);
	entry = find(argv[1]);
	return entry ? entry->run(argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
	if (rip_standard_streams_guard() < 0)
		return 1;
	setlocale(LC_CTYPE, ""); /* for rip_text_show(); numbers stay as in C */
	rip_complain_as("riptide", rip_progress_clear);
	/* If the reader goes away or a file may not grow, write() fails, and that is reported
	 * like any other error. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	rip_isa_limit_from_environment();
	rip_cal_use_folder(getenv("RIPTIDE_CALIBRATIONS"));
	return rip_standard_output_finish("riptide", run(argc, argv));
}
