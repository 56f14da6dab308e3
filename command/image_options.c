#include "image_options.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "image/out_name.h"
#include "terminal.h"

static const char *const starts[] = {
	[RIP_START_NOISE] = "noise", [RIP_START_ZERO] = "zero", NULL
};

#define AT(member) offsetof(struct rip_image_options, member)

const struct rip_option_row rip_dots_rows[] = {
	RIP_LEVELS_ROW(AT(common.levels)),
	RIP_SCREEN_ROW(AT(common.screen),
		       "how dots are placed (floyd-steinberg); help lists the screens"),
	{ RIP_ARGUMENT(TEXT, "curve", "FILE", AT(curve),
		       "a tone curve: 256 or 65536 numbers from 0 to 65535"),
	  .proposed = RIP_FILES },
	{ RIP_NAME("start", "noise|zero", AT(start), starts,
		   "the errors that a page starts with (noise)") },
	{ .name = NULL }
};

int rip_option_image_name(const char *command, const char *input, int argc, char **argv,
			  struct rip_image_options *options)
{
	if (optind < argc)
		options->in = argv[optind++];
	if (optind < argc)
		return rip_wrong_usage(command, "one %s at a time: unexpected argument \"%s\"",
				       input, argv[optind]);
	return RIP_GO_ON;
}

int rip_option_image_terminals(const char *command, const char *input, const char *output,
			       const struct rip_image_options *options)
{
	const int out = rip_is_standard(options->out) ? STDOUT_FILENO :
							rip_out_name_descriptor(options->out);

	if (out >= 0 && isatty(out))
		return rip_wrong_usage(command, "the %s would go to the terminal:"
				       " name a file with -o, or redirect standard output", output);
	if (rip_is_standard(options->in) && isatty(STDIN_FILENO))
		return rip_wrong_usage(command, "the %s would come from the terminal:"
				       " name a file, or redirect standard input", input);
	return RIP_GO_ON;
}

bool rip_is_standard(const char *name)
{
	return !name || !strcmp(name, "-");
}

void rip_image_options_resolution(const struct rip_image_options *options, uint32_t *x_dpi,
				  uint32_t *y_dpi)
{
	if (options->dpi.x) {
		*x_dpi = options->dpi.x;
		*y_dpi = options->dpi.y;
	}
}
