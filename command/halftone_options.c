#include "halftone_options.h"

#include <string.h>

#include "rip/document.h"
#include "system/ascii.h"
#include "command/terminal.h"

int rip_option_drops(const char *command, const struct rip_drops *drops, unsigned levels)
{
	char needed[RIP_DROPS_NEEDED_MAX];

	if (!drops->count || rip_drops_known(drops, levels))
		return RIP_GO_ON;
	rip_drops_needed(levels, needed);
	return rip_wrong_usage(command, "--drops has %u, and %u levels need %s: one for each level"
			       " above 0, with 3 levels or more", drops->count, levels, needed);
}

int rip_option_compression_check(const char *command, enum rip_tiff_compression *compression,
				 unsigned levels)
{
	if (*compression == RIP_TIFF_COMPRESSIONS)
		*compression = RIP_TIFF_LZW;
	if (*compression == RIP_TIFF_G4 && levels > 2)
		return rip_wrong_usage(command, "--compression g4 is for 2 levels, not %u", levels);
	return RIP_GO_ON;
}

void rip_printer_option_choose(const struct rip_printer_option *printer,
			       struct rip_tone_choice *tone)
{
	if (printer->printer >= 0)
		rip_tone_choose_gain(tone, printer->printer);
	if (printer->dot_gain >= 0)
		rip_tone_choose_gain(tone, printer->dot_gain);
}

/* Points, or none. */
static int find_dot_gain(const char *value)
{
	const int gain = rip_tone_parse_gain(value);

	return gain >= RIP_GAIN_POINTS || rip_same_name(value, "none") ? gain : -1;
}

static int set_drops(const char *value, void *drops)
{
	return rip_drops_parse(drops, value) ? RIP_GO_ON : RIP_OPTION_INVALID;
}

static int set_ink(const char *value, void *halftone_options)
{
	struct rip_halftone_options *options = halftone_options;

	options->ink = rip_ink_of_name(value);
	options->ink_named = value;
	return *value && !rip_ink_meant(value) ? RIP_GO_ON : RIP_OPTION_INVALID;
}

int rip_set_process_inks(const char *value, void *letters)
{
	const unsigned count = rip_ink_list(value, letters);

	return count && strspn(letters, "CMYK") == count ? RIP_GO_ON : RIP_OPTION_INVALID;
}

int rip_set_pages(const char *value, void *pages)
{
	*(const char **)pages = value;
	return rip_page_list_valid(value) ? RIP_GO_ON : RIP_OPTION_INVALID;
}

static int set_socket(const char *value, void *path)
{
	*(const char **)path = strcmp(value, "none") ? value : NULL;
	return *value ? RIP_GO_ON : RIP_OPTION_INVALID;
}

#define AT(member) offsetof(struct rip_printer_option, member)

const struct rip_option_row rip_printer_rows[] = {
	RIP_PRINTER_ROW(AT(printer), "the printer, whose dot gain is corrected: laser, inkjet,"
			" thermal, none (none); help lists all"),
	{ RIP_FOUND("dot-gain", "POINTS", AT(dot_gain), find_dot_gain, "none, 0 to 40",
		    "its dot gain if it was measured, 0 to 40 (that of --printer); none: not"
		    " corrected"), .job = "halftone-dot-gain", .proposed = "none" },
	{ .name = NULL }
};

#undef AT
#define AT(member) offsetof(struct rip_tone_choice, member)

const struct rip_option_row rip_tone_rows[] = {
	{ RIP_FOUND("target", "TARGET", AT(target), rip_tone_parse_target, RIP_TONE_TARGETS,
		    "what paper shows with --printer: print, linear (print)"),
	  .job = "halftone-target", .proposed = "print linear" },
	{ RIP_FOUND("density", "PERCENT", AT(density), rip_tone_parse_density, RIP_TONE_DENSITIES,
		    "how dark to print, 50 to 200 (100)"), .job = "halftone-density",
	  .basic = true },
	{ RIP_FOUND("gamma", "GAMMA", AT(gamma), rip_tone_parse_gamma, RIP_TONE_GAMMAS,
		    "above 1 lightens, 0.2 to 5 (1)"), .job = "halftone-gamma" },
	{ RIP_FOUND("ink-limit", "PERCENT", AT(ink_limit), rip_tone_parse_ink_limit,
		    RIP_TONE_INK_LIMITS, "the most ink in a place, 100 for one full ink (none)"),
	  .job = "halftone-ink-limit", .proposed = "none" },
	{ RIP_FOUND("toner-save", "LEVEL", AT(toner_save), rip_tone_parse_toner_save,
		    RIP_TONE_TONER_SAVES,
		    "less ink inside areas, not at edges: 0 to 3, or 10 to 80 percent (0)"),
	  .job = "toner-save", .basic = true, .proposed = "0 1 2 3" },
	{ RIP_FOUND("edges", "ON", AT(edges), rip_tone_parse_edges, RIP_TONE_EDGES,
		    "clustered screens: on for finer cells at edges and in thin lines (off)"),
	  .job = "halftone-edges", .proposed = "off on" },
	{ RIP_VALUE("drops", "SIZES", AT(drops), set_drops, RIP_TONE_DROPS,
		    "the drops of the levels: 3,7,14 picolitres, or 40%,70%,100% of the largest"
		    " one's area (none)"), .job = "halftone-drops",
	  .proposed = "none" },
	{ .name = NULL }
};

#undef AT
#define AT(member) offsetof(struct rip_halftone_options, member)

const struct rip_option_row rip_ink_rows[] = {
	{ RIP_VALUE("ink", "NAME", 0, set_ink,
		    "cyan, magenta, yellow, black, C, M, Y, K, or a name that is less like them",
		    "the ink of an image with one plane: cyan, magenta, yellow, black, or C, M, Y,"
		    " K, or any other (black); masks have an angle for each ink"),
	  .meant = rip_ink_meant, .proposed = "cyan magenta yellow black" },
	{ RIP_FOUND("light-inks", "INKS", AT(light_inks), rip_light_inks_parse,
		    RIP_LIGHT_INKS_VALUES,
		    "raster: print cm, k or cmk with light inks, too (none)"),
	  .job = "halftone-light-inks", .proposed = "none cm k cmk" },
	{ RIP_FOUND("light-strength", "PERCENT", AT(tone.light_strength),
		    rip_tone_parse_light_strength, RIP_TONE_LIGHT_STRENGTHS,
		    "a tint of the dark ink as dark as full light ink, 5 to 50 (30)"),
	  .job = "halftone-light-strength" },
	RIP_REGISTRATION_ROW(AT(tone.registration)),
	{ .name = NULL }
};

const struct rip_option_row rip_speed_rows[] = {
	{ RIP_FOUND("method", "NAME", AT(method), rip_method_find, NULL,
		    "who computes the dots (auto); help lists the methods"),
	  .list = rip_method_choice, .job = "halftone" },
	RIP_DEVICE_ROW(AT(image.common.device)),
	RIP_ISA_ROW(AT(image.common.isa)),
	RIP_THREADS_ROW(AT(image.common.threads),
			"threads (as many as keep up with reading, and are idle)"),
	{ RIP_NUMBER("band", "LINES", AT(band_rows), 1, RIP_WIDTH_MAX,
		     "rows that are halftoned at a time") },
	{ RIP_VALUE("socket", "PATH", AT(socket), set_socket, "a path, or none",
		    "use the riptided that listens on PATH; none: in-process"),
	  .proposed = RIP_FILES " none" },
	{ .name = NULL }
};

#define COMMAND "halftone"

static const struct rip_option_row tiff_rows[] = {
	RIP_COMPRESSION_ROW(AT(compression), "lzw, packbits, g4, deflate, none (lzw)"),
	{ RIP_FLAG("composite", AT(composite),
		   "all inks in one file, instead of a file for each") },
	{ RIP_ARGUMENT(TEXT, "plane-names", "LIST", AT(plane_names),
		       "what the files of the inks are called: c,m,y,k") },
	{ .name = NULL }
};

static const struct rip_option_row output_rows[] = {
	RIP_OUTPUT_ROW(AT(image.out), "write to OUT"),
	{ .name = NULL }
};

int rip_halftone_options_check(const char *command, const char *input, int argc, char **argv,
			       struct rip_halftone_options *options)
{
	const int status = rip_option_image_name(command, input, argc, argv, &options->image);

	if (status != RIP_GO_ON)
		return status;
	rip_printer_option_choose(&options->printer, &options->tone);
	if (options->socket && options->image.common.device.choice == RIP_CHOOSE_GPU)
		return rip_wrong_usage(command, "with --socket the daemon chooses the device:"
				       " riptided --device gpu");
	if (options->image.curve && rip_is_standard(options->image.curve) &&
	    rip_is_standard(options->image.in))
		return rip_wrong_usage(command, "curve and %s cannot both be standard input",
				       input);
	return RIP_GO_ON;
}

static const char before[] =
	"Usage: riptide halftone [OPTION]... [-o OUT] [IN]\n"
	"Halftones an image: turns its tones into dots.\n"
	"\n"
	"IN   PGM (P5), JPEG, PNG, TIFF or CUPS raster; - or nothing: standard input.\n"
	"OUT  PBM for 2 levels, PGM for more, or PNG (.png); CUPS raster for CUPS raster, TIFF"
	" for\n"
	"     TIFF; - or nothing: standard output.  A file appears when it is complete.\n";

int rip_halftone_options_parse(struct rip_halftone_options *options, int argc, char **argv)
{
	const struct rip_command_group groups[] = {
		RIP_HALFTONE_DOTS_GROUPS(options), { tiff_rows, options, "Options for TIFF:\n" },
		RIP_HALFTONE_SPEED_GROUP(options), { output_rows, options, "" }, { 0 }
	};
	const struct rip_command_line line = {
		.command = COMMAND, .groups = groups,
		.before = before,
	};
	int status;

	*options = (struct rip_halftone_options)RIP_HALFTONE_DEFAULTS;
	options->compression = RIP_TIFF_COMPRESSIONS;
	status = rip_options_parse(&line, argc, argv);
	if (status == RIP_GO_ON)
		status = rip_halftone_options_check(COMMAND, "image", argc, argv, options);
	if (status == RIP_GO_ON)
		status = rip_option_drops(COMMAND, &options->tone.drops,
					  options->image.common.levels);
	if (status != RIP_GO_ON)
		return status;
	options->tiff_option = options->compression != RIP_TIFF_COMPRESSIONS ? "--compression" :
			       options->composite ? "--composite" :
			       options->plane_names ? "--plane-names" : NULL;
	status = rip_option_compression_check(COMMAND, &options->compression,
					      options->image.common.levels);
	if (status == RIP_GO_ON && options->composite && options->plane_names)
		return rip_wrong_usage(COMMAND, "--composite makes one file,"
				       " --plane-names several: choose one of them");
	return status;
}
