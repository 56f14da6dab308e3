#include "common_options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "halftone/simd/isa.h"
#include "image/complain.h"
#include "system/ascii.h"
#include "terminal.h"
#include "image/out_file.h"

int rip_set_screen(const char *value, void *screen_option)
{
	struct rip_screen_option *screen = screen_option;
	const int found = rip_screen_find(value);

	if (found < 0 && !rip_mask_screen_known(value))
		return RIP_OPTION_INVALID;
	*screen = (struct rip_screen_option){ .screen = found < 0 ? NULL : &rip_screens[found],
					      .mask = found < 0 ? value : NULL,
					      .labels = rip_screen_is_labels(value) };
	return RIP_GO_ON;
}

int rip_set_screen_name(const char *value, void *name)
{
	struct rip_screen_option screen;

	*(const char **)name = value;
	return rip_set_screen(value, &screen);
}

/* Appends a line on a number of lines: those of every ink, and their angle. */
static size_t say_cells(char *to, size_t size, const struct rip_mask_use *use, unsigned lpi)
{
	static const char *const names[] = { "cyan", "magenta", "yellow", "black" };
	const struct rip_cell_inks *inks = rip_mask_screen_cells(use, lpi);
	const struct rip_cell_table *const cells[] = { &inks->cyan, &inks->cyan, &inks->yellow,
						       &inks->black };
	size_t used = (size_t)snprintf(to, size, "\n  %4u clustered-%u:", use->x_dpi, lpi);

	for (int i = 0; i < 4; i++) {
		const double angle = atan2(cells[i]->b, cells[i]->a) * 180 / acos(-1);

		used += (size_t)snprintf(to + used, size - used, "%s %s %.0f at %.0f\302\260",
					 i ? "," : "", names[i],
					 hypot(cells[i]->a, cells[i]->b) / cells[i]->n * use->x_dpi,
					 i == 1 ? 90 - angle : angle);
	}
	return used;
}

const char *rip_screen_choice_cells(unsigned i)
{
	static const uint32_t dpis[] = { 300, 600, 1200, 2400, 2540 };
	static char text[8000];
	const char *name = rip_screen_choice(i);
	size_t used;

	if (!name || !strstr(name, "LPI"))
		return name;
	used = (size_t)snprintf(text, sizeof text, "%s  by dots an inch of the printer:"
				" lines an inch of every ink, and their angle, on pages in"
				" colour", name);
	for (size_t d = 0; d < sizeof dpis / sizeof *dpis; d++) {
		struct rip_mask_use use = { .x_dpi = dpis[d], .y_dpi = dpis[d], .planes = 4 };
		unsigned lpi[RIP_CELL_FAMILIES], count;

		memcpy(use.inks, rip_inks_cmyk, sizeof rip_inks_cmyk);
		count = rip_mask_screen_lpi(dpis[d], dpis[d], lpi, RIP_CELL_FAMILIES);
		for (unsigned n = 0; n < count; n++)
			used += say_cells(text + used, sizeof text - used, &use,
					  lpi[n]);
	}
	return text;
}

#define RESOLUTION_MAX 100000

int rip_set_resolution(const char *value, void *at)
{
	const size_t length = strspn(value, "0123456789x");
	struct rip_dpi *dpi = at;
	unsigned long x, y;
	char end;

	/* Only digits, and few enough of them. */
	if (length >= 16 || (value[length] && !rip_same_name(value + length, "dpi")))
		return RIP_OPTION_INVALID;
	switch (sscanf(value, "%lux%lu%c", &x, &y, &end)) {
	case 1:
		y = strchr(value, 'x') ? 0 : x;
		break;
	case 2:
		break;
	case 3:
		if (end == value[length])
			break;
		return RIP_OPTION_INVALID;
	default:
		return RIP_OPTION_INVALID;
	}
	if (x < 1 || x > RESOLUTION_MAX || y < 1 || y > RESOLUTION_MAX)
		return RIP_OPTION_INVALID;
	*dpi = (struct rip_dpi){ (unsigned)x, (unsigned)y };
	return RIP_GO_ON;
}

const char *rip_method_choice(unsigned i)
{
	return i < RIP_METHODS ? rip_method_name((int)i) : NULL;
}

int rip_set_device(const char *value, void *at)
{
	static const char *const names[] = { "auto", "cpu", "gpu" };
	struct rip_device_option *device = at;
	const long long n = rip_option_whole(value, 0, 1023);

	*device = (struct rip_device_option){ .choice = RIP_CHOOSE_GPU, .number = (int)n };
	for (unsigned i = 0; n < 0 && i < 3; i++)
		if (rip_same_name(value, names[i])) {
			device->choice = (enum rip_device_choice)i;
			return RIP_GO_ON;
		}
	return n >= 0 ? RIP_GO_ON : RIP_OPTION_INVALID;
}

/* Those that were built, and whether they run here. */
const char *rip_isa_choice(unsigned i)
{
	static char text[64];

	for (const struct rip_isa *isa = rip_isas; isa->name; isa++)
		if (isa->built && i-- == 0) {
			snprintf(text, sizeof text, "%-9s  %s", isa->name,
				 rip_isa_usable(isa) ? "runs here" : "not on this CPU");
			return text;
		}
	return NULL;
}

int rip_set_isa(const char *value, void *name)
{
	const struct rip_isa *found = rip_isa_find(value);

	if (!found)
		return RIP_OPTION_INVALID;
	if (!found->built || !rip_isa_usable(found)) {
		rip_complain(-ENOTSUP, "this %s does not support instruction set %s",
			     found->built ? "CPU" : "build", found->name);
		return 1;
	}
	*(const char **)name = found->name;
	return RIP_GO_ON;
}

static const struct {
	const char        *suffix;
	enum rip_file_kind kind;
} suffixes[] = {
	{ ".pbm", RIP_FILE_PBM }, { ".pgm", RIP_FILE_PGM },
	{ ".ppm", RIP_FILE_PPM }, { ".pnm", RIP_FILE_PNM },
	{ ".ras", RIP_FILE_RASTER }, { ".raster", RIP_FILE_RASTER }, { ".pwg", RIP_FILE_PWG },
	{ ".urf", RIP_FILE_URF }, { ".tif", RIP_FILE_TIFF }, { ".tiff", RIP_FILE_TIFF },
	{ ".png", RIP_FILE_PNG }, { ".jpg", RIP_FILE_JPEG }, { ".jpeg", RIP_FILE_JPEG },
	{ ".pdf", RIP_FILE_PDF },
};

static const char *suffix_of(const char *out)
{
	const char *folder = out ? strrchr(out, '/') : NULL;

	return out ? strrchr(folder ? folder : out, '.') : NULL;
}

enum rip_file_kind rip_suffix_kind(const char *out)
{
	const char *suffix = suffix_of(out);

	for (size_t i = 0; suffix && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (rip_same_name(suffix, suffixes[i].suffix))
			return suffixes[i].kind;
	return RIP_FILE_UNKNOWN;
}

int rip_suffix_check(const char *command, const char *out, unsigned kinds, const char *choices,
		     const char *more)
{
	const enum rip_file_kind kind = rip_suffix_kind(out);

	if (kind == RIP_FILE_UNKNOWN || kinds & 1u << kind)
		return RIP_GO_ON;
	return rip_wrong_usage(command, "-o %s: choose a name with %s, not %s%s", out, choices,
			       suffix_of(out), more);
}

int rip_suffix_check_levels(const char *command, enum rip_file_kind kind, unsigned levels,
			    bool exact)
{
	return (kind == RIP_FILE_PBM && levels > 2) ||
	       (kind == RIP_FILE_PGM && levels == 2 && exact) ?
	       rip_wrong_usage(command, "pbm is for 2 levels, and pgm for more") : RIP_GO_ON;
}

static const char *const starts[] = {
	[RIP_START_NOISE] = "noise", [RIP_START_ZERO] = "zero", NULL
};

#define AT(member) offsetof(struct rip_image_options, member)

const struct rip_option_row rip_resolution_rows[] = {
	RIP_RESOLUTION_ROW(AT(dpi), 0, "1 to 100000",
			   "dots an inch, for masks: 600, 600x1200 (the image's, or 600)"),
	{ .name = NULL }
};

const struct rip_option_row rip_dots_rows[] = {
	RIP_LEVELS_ROW(AT(common.levels)),
	RIP_SCREEN_ROW(AT(common.screen),
		       "how dots are placed (floyd-steinberg); help lists the screens"),
	{ RIP_ARGUMENT(FILE, "curve", "FILE", AT(curve),
		       "a tone curve: 256 or 65536 numbers from 0 to 65535") },
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
