#include "output_suffix.h"

#include <stddef.h>
#include <string.h>

#include "option.h"
#include "system/ascii.h"
#include "terminal.h"

static const struct {
	const char        *suffix;
	enum rip_file_kind kind;
} suffixes[] = {
	{ ".pbm", RIP_FILE_PNM }, { ".pgm", RIP_FILE_PNM }, { ".ppm", RIP_FILE_PNM }, { ".pnm", RIP_FILE_PNM },
	{ ".ras", RIP_FILE_RASTER }, { ".raster", RIP_FILE_RASTER }, { ".pwg", RIP_FILE_RASTER },
	{ ".urf", RIP_FILE_RASTER }, { ".tif", RIP_FILE_TIFF }, { ".tiff", RIP_FILE_TIFF },
	{ ".png", RIP_FILE_PNG }, { ".jpg", RIP_FILE_JPEG }, { ".jpeg", RIP_FILE_JPEG }, { ".pdf", RIP_FILE_PDF },
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
