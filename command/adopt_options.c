#include "adopt_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "option.h"
#include "system/ascii.h"
#include "terminal.h"
#include "tone/preset.h"

static const char adopt_help[] =
	"Usage: riptide adopt [OPTION]... QUEUE|FILE.ppd\n"
	"       riptide adopt --check [--json] QUEUE|FILE.ppd...\n"
	"Lets a printer that has its vendor's driver print riptide's dots.\n"
	"\n"
	"The PPD of the queue, or FILE.ppd, is edited; riptide release restores it.  First a test\n"
	"page goes through the edited queue's filters, into a file.\n"
	"\n"
	"  --check               only say whether the driver can print our dots, and why\n"
	"  --json                the same, a JSON object a line\n"
	"  --diff                only show what would change\n"
	"  --chain               start the driver's filter from ours, for programs that ignore\n"
	"                        cupsPreFilter\n"
	"  --rip                 print documents through pdftoriptide, in less time\n"
	"  --screen NAME         the queue's screen (that of the class of printer)\n"
	"  --preset NAME         laser, inkjet, thermal or none (the class of printer)\n"
	"  --force               adopt with a driver that nobody has tried\n"
	"  --undo                the same as riptide release\n"
	"  -o, --output OUT      write the PPD to OUT, and change nothing else\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed or refused, 2 wrong usage.  See riptide(1).\n";

static const char release_help[] =
	"Usage: riptide release [OPTION]... QUEUE|FILE.ppd\n"
	"Restores the PPD that riptide adopt has edited, byte for byte.  Defaults that were changed\n"
	"since stay changed.\n"
	"\n"
	"  --diff                only show what would change\n"
	"  -o, --output OUT      write the PPD to OUT, and change nothing else\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide(1).\n";

enum { CHECK = RIP_OPTION_OWN, JSON, DIFF, CHAIN, RIP, SCREEN, PRESET, FORCE, UNDO };

static const struct option adopt_long[] = {
	{ "check", no_argument, NULL, CHECK },
	{ "json", no_argument, NULL, JSON },
	{ "diff", no_argument, NULL, DIFF },
	{ "chain", no_argument, NULL, CHAIN },
	{ "rip", no_argument, NULL, RIP },
	{ "screen", required_argument, NULL, SCREEN },
	{ "preset", required_argument, NULL, PRESET },
	{ "force", no_argument, NULL, FORCE },
	{ "undo", no_argument, NULL, UNDO },
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
	case UNDO:
		options->undo = true;
		return RIP_GO_ON;
	case 'o':
		options->out = optarg;
		return RIP_GO_ON;
	case 'h':
		fputs(options->undo ? release_help : adopt_help, stdout);
		return 0;
	}
	return rip_option_bad(command, option, argv);
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
	if (options->count == 0)
		return rip_wrong_usage(command, "no queue and no PPD is given");
	if (options->json && !options->check)
		return rip_wrong_usage(command, "--json needs --check");
	if (options->check && (options->undo || options->diff || options->out || options->screen ||
			       options->preset || options->rip))
		return rip_wrong_usage(command, "--check changes and writes nothing: it goes with --json, "
						"--chain and --force only");
	if (options->diff && options->out)
		return rip_wrong_usage(command, "--diff writes no PPD: it does not go with --output");
	if (options->count > 1 && !options->check)
		return rip_wrong_usage(command, "\"%s\": only one queue or PPD at a time, except with --check",
				       options->names[1]);
	return RIP_GO_ON;
}

bool rip_adopt_is_file(const char *name)
{
	const size_t length = strlen(name);

	return strchr(name, '/') || (length > 4 && rip_same_name(name + length - 4, ".ppd")) ||
	       (length > 7 && rip_same_name(name + length - 7, ".ppd.gz"));
}
