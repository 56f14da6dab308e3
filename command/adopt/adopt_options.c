#include "adopt.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "image/complain.h"
#include "command/common_options.h"
#include "system/ascii.h"
#include "command/terminal.h"
#include "tone/tone_choice.h"

#define AT(member) offsetof(struct rip_adopt_options, member)

#define DIFF_ROW   { RIP_FLAG("diff", AT(diff), "only show what would change") }
#define OUTPUT_ROW { RIP_ARGUMENT(OUTPUT, "output", "OUT", AT(out), \
			"write the PPD to OUT, and change nothing else"), \
			.letter = 'o', .basic = true }

static const struct rip_option_row adopt_rows[] = {
	{ RIP_FLAG("check", AT(check),
		   "only say whether the driver can print riptide's dots, and why"),
	  .basic = true },
	{ RIP_FLAG("json", AT(json), "the same, a JSON object a line") },
	DIFF_ROW,
	{ RIP_FLAG("chain", AT(chain),
		   "start the driver's filter from ours, for programs that ignore cupsPreFilter") },
	{ RIP_FLAG("rip", AT(rip), "print documents through pdftoriptide, in less time") },
	{ RIP_VALUE("screen", "NAME", AT(screen), rip_set_screen_name, NULL,
		    "the queue's screen (that of the class of printer)"), .list = rip_screen_choice,
	  .basic = true },
	RIP_PRINTER_ROW(AT(printer), "laser, inkjet, thermal or none (that of the driver); help"
			" lists all"),
	{ RIP_FLAG("force", AT(force), "adopt with a driver that nobody has tried") },
	{ RIP_FLAG("all", AT(all), "every queue that can be adopted"), .basic = true },
	{ RIP_FLAG("again", AT(again),
		   "every queue that was adopted and has got another PPD since, with the options of"
		   " then") },
	OUTPUT_ROW,
	{ .name = NULL }
};

static const struct rip_option_row release_rows[] = { DIFF_ROW, OUTPUT_ROW, { .name = NULL } };

static const struct rip_command_line adopt_line = {
	.command = "adopt",
	.before = "Usage: riptide adopt [OPTION]... QUEUE|FILE.ppd\n"
		  "       riptide adopt --check [--json] --all|QUEUE|FILE.ppd...\n"
		  "       riptide adopt --all [OPTION]...\n"
		  "       riptide adopt --again\n"
		  "Lets a printer that has its vendor's driver print riptide's dots.\n"
		  "\n"
		  "The PPD of the queue, or FILE.ppd, is edited; riptide release restores it."
		  "  First a\n"
		  "test page goes through the edited queue's filters, into a file.\n",
	.after = "Exit status: 0 done, 1 failed or refused, 2 wrong usage.  See riptide-adopt(1).",
};

static const struct rip_command_line release_line = {
	.command = "release",
	.before = "Usage: riptide release [OPTION]... QUEUE|FILE.ppd\n"
		  "Restores the PPD that riptide adopt has edited, byte for byte."
		  "  Defaults that were\n"
		  "changed since stay changed.\n",
	.after = "Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-adopt(1).",
};

/* Which queues and files are meant. */
static int check_names(const struct rip_adopt_options *options, const char *command)
{
	const bool many = options->all || options->again;

	if (many && options->count > 0)
		return rip_wrong_usage(command, "\"%s\": --all and --again"
				       " find the queues themselves", options->names[0]);
	if (many && (options->diff || options->out))
		return rip_wrong_usage(command,
				       "--diff and --output are for one queue or PPD at a time");
	if (options->again && (options->all || options->check || options->chain || options->rip ||
			       options->screen || options->printer >= 0 || options->force))
		return rip_wrong_usage(command, "--again adopts with the options of before,"
				       " and takes no others");
	if (options->count == 0 && !many)
		return rip_wrong_usage(command, "no queue and no PPD is given");
	if (options->count > 1 && !options->check)
		return rip_wrong_usage(command, "\"%s\": only one queue or PPD at a time%s",
				       options->names[1],
				       options->undo ? "" : ", except with --check");
	return RIP_GO_ON;
}

int rip_adopt_options_parse(struct rip_adopt_options *options, bool undo, int argc, char **argv)
{
	struct rip_command_line line = undo ? release_line : adopt_line;
	const struct rip_command_group groups[] = {
		{ undo ? release_rows : adopt_rows, options, NULL }, { 0 }
	};
	const char *command = line.command;
	int status;

	*options = (struct rip_adopt_options){ .undo = undo, .printer = -1 };
	line.groups = groups;
	status = rip_options_parse(&line, argc, argv);
	if (status != RIP_GO_ON)
		return status;
	options->names = argv + optind;
	options->count = argc - optind;
	if (options->json && !options->check)
		return rip_wrong_usage(command, "--json needs --check");
	if (options->check && (options->diff || options->out || options->screen ||
			       options->printer >= 0 || options->rip))
		return rip_wrong_usage(command, "--check changes and writes nothing:"
				       " it goes with --json, --chain and --force only");
	if (options->diff && options->out)
		return rip_wrong_usage(command, "--diff writes no PPD:"
				       " it does not go with --output");
	return check_names(options, command);
}

int rip_adopt_options_write(const struct rip_adopt_options *options,
			    char words[RIP_ADOPT_WORDS_MAX])
{
	const int size = snprintf(words, RIP_ADOPT_WORDS_MAX, "yes%s%s%s%s%s%s%s",
				  options->chain ? "+chain" : "", options->rip ? "+rip" : "",
				  options->force ? "+force" : "", options->screen ? "+screen:" : "",
				  options->screen ? options->screen : "",
				  options->printer >= 0 ? "+printer:" : "",
				  options->printer >= 0 ? rip_printer_names[options->printer] : "");

	if (size >= RIP_ADOPT_WORDS_MAX)
		return rip_complain(-ENOSPC, "the options are too long to be remembered");
	return 0;
}

int rip_adopt_options_read(struct rip_adopt_options *options, char *words)
{
	char *rest;
	int status = RIP_GO_ON;

	for (char *word = strtok_r(words, "+", &rest); word && status == RIP_GO_ON;
	     word = strtok_r(NULL, "+", &rest))
		if (!strcmp(word, "chain")) {
			options->chain = true;
		} else if (!strcmp(word, "rip")) {
			options->rip = true;
		} else if (!strcmp(word, "force")) {
			options->force = true;
		} else if (!strncmp(word, "screen:", 7)) {
			status = rip_set_screen_name(word + 7, &options->screen);
		} else if (!strncmp(word, "printer:", 8)) {
			options->printer = rip_tone_parse_gain(word + 8);
			if (options->printer < 0 || options->printer >= RIP_GAIN_POINTS)
				status = RIP_OPTION_INVALID;
		} else if (strcmp(word, "yes")) {
			status = RIP_OPTION_INVALID;
		}
	if (status == RIP_OPTION_INVALID)
		rip_complain(0, "the queue remembers an option of adopt's that is not valid");
	return status == RIP_GO_ON ? 0 : -EINVAL;
}

bool rip_adopt_is_file(const char *name)
{
	const size_t length = strlen(name);

	return strchr(name, '/') || (length > 4 && rip_same_name(name + length - 4, ".ppd")) ||
	       (length > 7 && rip_same_name(name + length - 7, ".ppd.gz"));
}
