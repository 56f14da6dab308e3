#include "adopt_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "image/complain.h"
#include "image/out_name.h"
#include "command/option.h"
#include "system/ascii.h"
#include "command/terminal.h"
#include "tone/preset.h"

static const char adopt_help[] =
	"Usage: riptide adopt [OPTION]... QUEUE|FILE.ppd\n"
	"       riptide adopt --check [--json] --all|QUEUE|FILE.ppd...\n"
	"       riptide adopt --all [OPTION]...\n"
	"       riptide adopt --again\n"
	"Lets a printer that has its vendor's driver print riptide's dots.\n"
	"\n"
	"The PPD of the queue, or FILE.ppd, is edited; riptide release restores it.  First a test\n"
	"page goes through the edited queue's filters, into a file.\n"
	"\n"
	"  --check               only say whether the driver can print riptide's dots, and why\n"
	"  --json                the same, a JSON object a line\n"
	"  --diff                only show what would change\n"
	"  --chain               start the driver's filter from ours, for programs that ignore\n"
	"                        cupsPreFilter\n"
	"  --rip                 print documents through pdftoriptide, in less time\n"
	"  --screen NAME         the queue's screen (that of the class of printer)\n"
	"  --preset NAME         laser, inkjet, thermal or none (the class of printer)\n"
	"  --force               adopt with a driver that nobody has tried\n"
	"  --all                 every queue that can be adopted\n"
	"  --again               every queue that was adopted and has got another PPD since, with\n"
	"                        the options of then\n"
	"  -o, --output OUT      write the PPD to OUT, and change nothing else\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed or refused, 2 wrong usage.  See riptide-adopt(1).\n";

static const char release_help[] =
	"Usage: riptide release [OPTION]... QUEUE|FILE.ppd\n"
	"Restores the PPD that riptide adopt has edited, byte for byte.  Defaults that were changed\n"
	"since stay changed.\n"
	"\n"
	"  --diff                only show what would change\n"
	"  -o, --output OUT      write the PPD to OUT, and change nothing else\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-adopt(1).\n";

enum { CHECK = RIP_OPTION_OWN, JSON, DIFF, CHAIN, RIP, SCREEN, PRESET, FORCE, ALL, AGAIN };

static const struct option adopt_long[] = {
	{ "check", no_argument, NULL, CHECK },
	{ "json", no_argument, NULL, JSON },
	{ "diff", no_argument, NULL, DIFF },
	{ "chain", no_argument, NULL, CHAIN },
	{ "rip", no_argument, NULL, RIP },
	{ "screen", required_argument, NULL, SCREEN },
	{ "preset", required_argument, NULL, PRESET },
	{ "force", no_argument, NULL, FORCE },
	{ "all", no_argument, NULL, ALL },
	{ "again", no_argument, NULL, AGAIN },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static const struct option release_long[] = {
	{ "diff", no_argument, NULL, DIFF },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static int parse_preset(const char *value, const char **preset)
{
	for (const char *const *name = rip_printer_names; *name; name++)
		if (rip_same_name(*name, value)) {
			*preset = *name;
			return RIP_GO_ON;
		}
	return rip_wrong_usage("adopt", "--preset %s: there is laser, inkjet, thermal and none", value);
}

static int parse_option(struct rip_adopt_options *options, int option, char **argv)
{
	const char *command = options->undo ? "release" : "adopt";
	struct rip_screen_option screen;

	switch (option) {
	case CHECK:
		options->check = true;
		return RIP_GO_ON;
	case JSON:
		options->json = true;
		return RIP_GO_ON;
	case DIFF:
		options->diff = true;
		return RIP_GO_ON;
	case CHAIN:
		options->chain = true;
		return RIP_GO_ON;
	case RIP:
		options->rip = true;
		return RIP_GO_ON;
	case SCREEN:
		options->screen = optarg;
		return rip_option_screen("adopt", optarg, &screen);
	case PRESET:
		return parse_preset(optarg, &options->preset);
	case FORCE:
		options->force = true;
		return RIP_GO_ON;
	case ALL:
		options->all = true;
		return RIP_GO_ON;
	case AGAIN:
		options->again = true;
		return RIP_GO_ON;
	case 'o':
		options->out = rip_out_name_descriptor(optarg) == STDOUT_FILENO ? "-" : optarg;
		return RIP_GO_ON;
	case 'h':
		fputs(options->undo ? release_help : adopt_help, stdout);
		return 0;
	}
	return rip_option_bad(command, option, argv);
}

/* Which queues and files are meant. */
static int check_names(const struct rip_adopt_options *options, const char *command)
{
	const bool many = options->all || options->again;

	if (many && options->count > 0)
		return rip_wrong_usage(command, "\"%s\": --all and --again find the queues themselves",
				       options->names[0]);
	if (many && (options->diff || options->out))
		return rip_wrong_usage(command, "--diff and --output are for one queue or PPD at a time");
	if (options->again && (options->all || options->check || options->chain || options->rip ||
			       options->screen || options->preset || options->force))
		return rip_wrong_usage(command, "--again adopts with the options of before, and takes no others");
	if (options->count == 0 && !many)
		return rip_wrong_usage(command, "no queue and no PPD is given");
	if (options->count > 1 && !options->check)
		return rip_wrong_usage(command, "\"%s\": only one queue or PPD at a time, except with --check",
				       options->names[1]);
	return RIP_GO_ON;
}

int rip_adopt_options_parse(struct rip_adopt_options *options, bool undo, int argc, char **argv)
{
	const char *command = undo ? "release" : "adopt";
	int option, status;

	*options = (struct rip_adopt_options){ .undo = undo };
	while ((option = getopt_long(argc, argv, ":o:h", undo ? release_long : adopt_long, NULL)) != -1) {
		status = parse_option(options, option, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	options->names = argv + optind;
	options->count = argc - optind;
	if (options->json && !options->check)
		return rip_wrong_usage(command, "--json needs --check");
	if (options->check && (options->diff || options->out || options->screen ||
			       options->preset || options->rip))
		return rip_wrong_usage(command, "--check changes and writes nothing: it goes with --json, "
						"--chain and --force only");
	if (options->diff && options->out)
		return rip_wrong_usage(command, "--diff writes no PPD: it does not go with --output");
	return check_names(options, command);
}

int rip_adopt_options_write(const struct rip_adopt_options *options, char words[RIP_ADOPT_WORDS_MAX])
{
	const int size = snprintf(words, RIP_ADOPT_WORDS_MAX, "yes%s%s%s%s%s%s%s", options->chain ? "+chain" : "",
				  options->rip ? "+rip" : "", options->force ? "+force" : "",
				  options->screen ? "+screen:" : "", options->screen ? options->screen : "",
				  options->preset ? "+preset:" : "", options->preset ? options->preset : "");

	return size < RIP_ADOPT_WORDS_MAX ? 0 : rip_complain(-ENOSPC, "the options are too long to be remembered");
}

int rip_adopt_options_read(struct rip_adopt_options *options, char *words)
{
	struct rip_screen_option screen;
	char *rest;
	int status = RIP_GO_ON;

	for (char *word = strtok_r(words, "+", &rest); word && status == RIP_GO_ON; word = strtok_r(NULL, "+", &rest))
		if (!strcmp(word, "chain")) {
			options->chain = true;
		} else if (!strcmp(word, "rip")) {
			options->rip = true;
		} else if (!strcmp(word, "force")) {
			options->force = true;
		} else if (!strncmp(word, "screen:", 7)) {
			options->screen = word + 7;
			status = rip_option_screen("adopt", options->screen, &screen);
		} else if (!strncmp(word, "preset:", 7)) {
			status = parse_preset(word + 7, &options->preset);
		} else if (strcmp(word, "yes")) {
			status = rip_wrong_usage("adopt", "\"%s\" is no option of adopt's that can be remembered", word);
		}
	return status == RIP_GO_ON ? 0 : -EINVAL;
}

bool rip_adopt_is_file(const char *name)
{
	const size_t length = strlen(name);

	return strchr(name, '/') || (length > 4 && rip_same_name(name + length - 4, ".ppd")) ||
	       (length > 7 && rip_same_name(name + length - 7, ".ppd.gz"));
}
