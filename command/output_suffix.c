#include "output_suffix.h"

#include <stddef.h>
#include <string.h>

#include "system/ascii.h"

static const struct {
	const char        *suffix;
	enum rip_file_kind kind;
} suffixes[] = {
	{ ".pbm", RIP_FILE_PNM }, { ".pgm", RIP_FILE_PNM }, { ".ppm", RIP_FILE_PNM }, { ".pnm", RIP_FILE_PNM },
	{ ".ras", RIP_FILE_RASTER }, { ".raster", RIP_FILE_RASTER }, { ".pwg", RIP_FILE_RASTER },
	{ ".urf", RIP_FILE_RASTER }, { ".tif", RIP_FILE_TIFF }, { ".tiff", RIP_FILE_TIFF },
	{ ".png", RIP_FILE_PNG }, { ".jpg", RIP_FILE_JPEG }, { ".jpeg", RIP_FILE_JPEG }, { ".pdf", RIP_FILE_PDF },
};

const char *rip_suffix_of_other(const char *out, enum rip_file_kind kind)
{
	const char *folder = out ? strrchr(out, '/') : NULL;
	const char *suffix = out ? strrchr(folder ? folder : out, '.') : NULL;

	for (size_t i = 0; suffix && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (rip_same_name(suffix, suffixes[i].suffix))
			return suffixes[i].kind == kind ? NULL : suffix;
	return NULL;
}
