#include "halftone_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "system/ascii.h"
#include "command/terminal.h"

int rip_option_toner_save(const char *command, const char *value, unsigned *percent)
{
	const int parsed = rip_tone_parse_toner_save(value);

	if (parsed < 0)
		return rip_wrong_usage(command, "--toner-save \"%s\" is not valid: choose "
				       RIP_TONE_TONER_SAVES, value);
	*percent = (unsigned)parsed;
	return RIP_GO_ON;
}

int rip_option_drops(const char *command, const struct rip_drops *drops, unsigned levels)
{
	char needed[RIP_DROPS_NEEDED_MAX];

	if (!drops->count || rip_drops_known(drops, levels))
		return RIP_GO_ON;
	rip_drops_needed(levels, needed);
	return rip_wrong_usage(command, "--drops has %u, and %u levels need %s: one for each level above 0, with 3"
			       " levels or more", drops->count, levels, needed);
}

int rip_option_compression(const char *command, const char *value, enum rip_tiff_compression *compression)
{
	for (int i = 0; i < RIP_TIFF_COMPRESSIONS; i++)
		if (rip_same_name(value, rip_tiff_compressions[i])) {
			*compression = (enum rip_tiff_compression)i;
			return RIP_GO_ON;
		}
	return rip_wrong_usage(command, "--compression \"%s\" is none of lzw, packbits, g4, deflate, none",
			       value);
}

int rip_option_compression_check(const char *command, enum rip_tiff_compression compression, unsigned levels)
{
	if (compression == RIP_TIFF_G4 && levels > 2)
		return rip_wrong_usage(command, "--compression g4 is for 2 levels, not %u", levels);
	return RIP_GO_ON;
}

#define COMMAND "halftone"

static const char help[] =
	"Usage: riptide halftone [OPTION]... [-o OUT] [IN]\n"
	"Halftones an image: turns its tones into dots.\n"
	"\n"
	"IN   PGM (P5), JPEG, PNG, TIFF or CUPS raster; - or nothing: standard input.\n"
	"OUT  PBM for 2 levels, PGM for more, or PNG (.png); CUPS raster for CUPS raster, TIFF for\n"
	"     TIFF; - or nothing: standard output.  A file appears when it is complete.\n"
	"\n"
	RIP_HALFTONE_DOTS_HELP
	"\n"
	"Options for TIFF:\n"
	"  --compression NAME    lzw, packbits, g4, deflate, none (lzw)\n"
	"  --composite           all inks in one file, instead of a file for each\n"
	"  --plane-names LIST    what the files of the inks are called: c,m,y,k\n"
	"\n"
	RIP_HALFTONE_SPEED_HELP
	"\n"
	"  -o, --output OUT      write to OUT\n"
	"  -h, --help            print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-halftone(1).\n";

enum { COMPRESSION = RIP_HALFTONE_OWN, COMPOSITE, PLANE_NAMES };

static const struct option long_options[] = {
	RIP_HALFTONE_LONG_OPTIONS,
	{ "compression", required_argument, NULL, COMPRESSION },
	{ "composite", no_argument, NULL, COMPOSITE },
	{ "plane-names", required_argument, NULL, PLANE_NAMES },
	{ NULL, 0, NULL, 0 }
};

static int parse_socket(const char *command, const char *value, const char **path)
{
	if (!*value)
		return rip_wrong_usage(command, "--socket \"\" is not a path; none means in-process");
	*path = strcmp(value, "none") ? value : NULL;
	return RIP_GO_ON;
}

/* Takes the number that a value was parsed to; negative: it is not one of the choices. */
static int take_number(const char *command, const char *option, const char *value, int parsed,
		       const char *choices, unsigned *number)
{
	if (parsed < 0)
		return rip_wrong_usage(command, "%s \"%s\" is not valid: choose %s", option, value,
				       choices);
	*number = (unsigned)parsed;
	return RIP_GO_ON;
}

/* One of the options about tones. */
static int parse_tone(const char *command, struct rip_tone_choice *tone, int option,
		      const char *value)
{
	char known[256];
	int n;

	switch (option) {
	case RIP_HALFTONE_DOT_GAIN:
		n = rip_tone_parse_gain(value);
		rip_tone_list_gains(known, sizeof known);
		if (!strcmp(value, "help")) {
			puts(known);
			return 0;
		}
		if (n < 0)
			return rip_wrong_usage(command, "--dot-gain \"%s\": choose %s", value, known);
		rip_tone_choose_gain(tone, n);
		return RIP_GO_ON;
	case RIP_HALFTONE_TARGET:
		n = rip_tone_parse_target(value);
		if (n < 0)
			return rip_wrong_usage(command, "--target \"%s\": choose " RIP_TONE_TARGETS,
					       value);
		tone->target = (enum rip_target)n;
		return RIP_GO_ON;
	case RIP_HALFTONE_DENSITY:
		return take_number(command, "--density", value, rip_tone_parse_density(value),
				   RIP_TONE_DENSITIES, &tone->density);
	case RIP_HALFTONE_GAMMA:
		return take_number(command, "--gamma", value, rip_tone_parse_gamma(value), RIP_TONE_GAMMAS,
				   &tone->gamma);
	case RIP_HALFTONE_LIGHT_STRENGTH:
		return take_number(command, "--light-strength", value, rip_tone_parse_light_strength(value),
				   RIP_TONE_LIGHT_STRENGTHS, &tone->light_strength);
	case RIP_HALFTONE_DROPS:
		if (!rip_drops_parse(&tone->drops, value))
			return rip_wrong_usage(command, "--drops \"%s\" is not valid: choose %s", value,
					       RIP_TONE_DROPS);
		return RIP_GO_ON;
	default:
		return take_number(command, "--ink-limit", value, rip_tone_parse_ink_limit(value),
				   RIP_TONE_INK_LIMITS, &tone->ink_limit);
	}
}

/* One of the options for TIFF. */
static int parse_tiff(struct rip_halftone_options *options, int option, const char *value)
{
	static const char *const names[] = { "--compression", "--composite", "--plane-names" };

	if (!options->tiff_option)
		options->tiff_option = names[option - COMPRESSION];
	switch (option) {
	case COMPRESSION:
		return rip_option_compression(COMMAND, value, &options->compression);
	case COMPOSITE:
		options->composite = true;
		return RIP_GO_ON;
	default:
		options->plane_names = value;
		return RIP_GO_ON;
	}
}

int rip_option_halftone(const char *command, int option, const char *value, char **argv,
			const char *help_text, struct rip_halftone_options *options)
{
	switch (option) {
	case RIP_HALFTONE_METHOD:
		return rip_option_method(command, value, &options->method);
	case RIP_HALFTONE_BAND:
		return rip_option_number(command, "--band", value, 1, RIP_WIDTH_MAX,
					 &options->band_rows);
	case RIP_HALFTONE_DOT_GAIN:
	case RIP_HALFTONE_TARGET:
	case RIP_HALFTONE_DENSITY:
	case RIP_HALFTONE_GAMMA:
	case RIP_HALFTONE_INK_LIMIT:
	case RIP_HALFTONE_LIGHT_STRENGTH:
	case RIP_HALFTONE_DROPS:
		return parse_tone(command, &options->tone, option, value);
	case RIP_HALFTONE_TONER_SAVE:
		return rip_option_toner_save(command, value, &options->tone.toner_save);
	case RIP_HALFTONE_LIGHT_INKS:
		return take_number(command, "--light-inks", value, rip_light_inks_parse(value),
				   RIP_LIGHT_INKS_VALUES, &options->light_inks);
	case RIP_HALFTONE_INK:
		if (!*value)
			return rip_wrong_usage(command, "--ink \"\" is no name of an ink");
		if (rip_ink_meant(value))
			return rip_wrong_usage(command, "--ink \"%s\" is nearly %s: write that, or a name"
					       " that is less like it for another ink", value,
					       rip_ink_meant(value));
		options->ink = rip_ink_of_name(value);
		options->ink_named = true;
		return RIP_GO_ON;
	case RIP_HALFTONE_SOCKET:
		return parse_socket(command, value, &options->socket);
	default:
		return rip_option_image(command, option, value, argv, help_text, &options->image);
	}
}

int rip_halftone_options_check(const char *command, const char *input, int argc, char **argv,
			       struct rip_halftone_options *options)
{
	const int status = rip_option_image_name(command, input, argc, argv, &options->image);

	if (status != RIP_GO_ON)
		return status;
	if (options->socket && options->image.common.device.choice == RIP_CHOOSE_GPU)
		return rip_wrong_usage(command, "with --socket the daemon chooses the device:"
				       " riptided --device gpu");
	if (options->image.curve && rip_is_standard(options->image.curve) &&
	    rip_is_standard(options->image.in))
		return rip_wrong_usage(command, "curve and %s cannot both be standard input", input);
	return RIP_GO_ON;
}

int rip_halftone_options_check_drops(const char *command, const struct rip_halftone_options *options)
{
	return rip_option_drops(command, &options->tone.drops, options->image.common.levels);
}

int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct rip_halftone_options)RIP_HALFTONE_DEFAULTS;
	while ((option = getopt_long(argc, argv, RIP_IMAGE_SHORT_OPTIONS, long_options, NULL)) != -1) {
		status = option == COMPRESSION || option == COMPOSITE || option == PLANE_NAMES ?
			parse_tiff(options, option, optarg) :
			rip_option_halftone(COMMAND, option, optarg, argv, help, options);
		if (status != RIP_GO_ON)
			return status;
	}
	status = rip_halftone_options_check(COMMAND, "image", argc, argv, options);
	if (status != RIP_GO_ON)
		return status;
	status = rip_halftone_options_check_drops(COMMAND, options);
	if (status != RIP_GO_ON)
		return status;
	status = rip_option_compression_check(COMMAND, options->compression, options->image.common.levels);
	if (status != RIP_GO_ON)
		return status;
	if (options->composite && options->plane_names)
		return rip_wrong_usage(COMMAND, "--composite makes one file, --plane-names several: choose"
				       " one of them");
	return RIP_GO_ON;
}
