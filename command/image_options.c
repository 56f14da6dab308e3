#include "image_options.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "image/out_name.h"
#include "terminal.h"

int rip_option_image(const char *command, int option, const char *value, char **argv,
		     const char *help, struct rip_image_options *options)
{
	switch (option) {
	case RIP_OPTION_RESOLUTION:
		return rip_option_resolution(command, value, &options->x_dpi, &options->y_dpi);
	case RIP_OPTION_CURVE:
		options->curve = value;
		return RIP_GO_ON;
	case RIP_OPTION_START:
		return rip_option_start(command, value, &options->start);
	case 'o':
		if (!*value)
			return rip_wrong_usage(command, "the name of the output is empty: name a file with -o");
		options->out = rip_out_name_descriptor(value) == STDOUT_FILENO ? "-" : value;
		return RIP_GO_ON;
	default:
		return rip_option_common(command, option, value, argv, help, &options->common);
	}
}

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
	const int out = rip_is_standard(options->out) ? STDOUT_FILENO : rip_out_name_descriptor(options->out);

	if (out >= 0 && isatty(out))
		return rip_wrong_usage(command, "the %s would go to the terminal: name a file with -o,"
				       " or redirect standard output", output);
	if (rip_is_standard(options->in) && isatty(STDIN_FILENO))
		return rip_wrong_usage(command, "the %s would come from the terminal: name a file, or"
				       " redirect standard input", input);
	return RIP_GO_ON;
}

bool rip_is_standard(const char *name)
{
	return !name || !strcmp(name, "-");
}

void rip_image_options_resolution(const struct rip_image_options *options, uint32_t *x_dpi,
				  uint32_t *y_dpi)
{
	if (options->x_dpi) {
		*x_dpi = options->x_dpi;
		*y_dpi = options->y_dpi;
	}
}
