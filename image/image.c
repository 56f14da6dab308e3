#include "image.h"

#include <errno.h>
#include <string.h>

#include "halftone/screen/arith.h"
#include "complain.h"

/* A file with a lower resolution says nothing about paper. */
#define PAPER_DPI_MIN 150

int rip_image_check_size(const struct rip_input *input, uint64_t width, uint64_t height)
{
	if (width == 0 || height == 0)
		return rip_complain(-EBADMSG, "%s: the image is %llu x %llu pixels:"
				    " nothing to halftone", input->name,
				    (unsigned long long)width, (unsigned long long)height);
	if (width > RIP_WIDTH_MAX || height > RIP_WIDTH_MAX)
		return rip_complain(-EBADMSG, "%s: the image is %llu x %llu pixels;"
				    " at most %u columns and rows can be halftoned", input->name,
				    (unsigned long long)width, (unsigned long long)height,
				    RIP_WIDTH_MAX);
	return 0;
}

void rip_image_set_dpi(struct rip_image *image, uint32_t x_dpi, uint32_t y_dpi)
{
	if (x_dpi < PAPER_DPI_MIN || y_dpi < PAPER_DPI_MIN)
		return;
	image->x_dpi = x_dpi;
	image->y_dpi = y_dpi;
}

struct rip_mask_use rip_image_mask_use(const struct rip_image *image)
{
	return (struct rip_mask_use){
		.x_dpi = image->x_dpi, .y_dpi = image->y_dpi, .light = true, .planes = 1,
		.inks = { RIP_INK_BLACK },
	};
}

struct magic {
	const char *bytes;
	size_t      length;
	int         kind;
	const char *instead; /* of formats that are not read: what the file is, and what to do */
};

/* The readers report more about files that begin like their format. */
static const struct magic magics[] = {
	{ "P5", 2, RIP_IMAGE_PNM, NULL },
	{ "\xff\xd8", 2, RIP_IMAGE_JPEG, NULL },
	{ "\x89PNG", 4, RIP_IMAGE_PNG, NULL },
	{ "RaSt", 4, RIP_IMAGE_RASTER, NULL },
	{ "tSaR", 4, RIP_IMAGE_RASTER, NULL },
	{ "RaS2", 4, RIP_IMAGE_RASTER, NULL },
	{ "2SaR", 4, RIP_IMAGE_RASTER, NULL },
	{ "RaS3", 4, RIP_IMAGE_RASTER, NULL },
	{ "3SaR", 4, RIP_IMAGE_RASTER, NULL },
	{ "UNIR", 4, RIP_IMAGE_RASTER, NULL },
	{ "II*\0", 4, RIP_IMAGE_TIFF, NULL },
	{ "MM\0*", 4, RIP_IMAGE_TIFF, NULL },
	{ "II+\0", 4, RIP_IMAGE_TIFF, NULL },
	{ "MM\0+", 4, RIP_IMAGE_TIFF, NULL },
	{ "P1", 2, -EBADMSG, "a PBM file: it has two levels already" },
	{ "P4", 2, -EBADMSG, "a PBM file: it has two levels already" },
	{ "P2", 2, -EBADMSG, "a plain-text PGM file: convert it to binary with pamtopnm" },
	{ "P3", 2, -EBADMSG, "a colour image: convert it to grey with ppmtopgm" },
	{ "P6", 2, -EBADMSG, "a colour image: convert it to grey with ppmtopgm" },
	{ "P7", 2, -EBADMSG, "a PAM file: convert it with pamtopnm" },
	{ "%PDF", 4, -EBADMSG, "a PDF file: riptide rip makes its dots" },
};

/* NULL: none of them. */
static const struct magic *find_magic(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
		if (n >= magics[i].length && !memcmp(bytes, magics[i].bytes, magics[i].length))
			return &magics[i];
	return NULL;
}

enum rip_image_kind rip_image_detect(const uint8_t *bytes, size_t n)
{
	const struct magic *magic = find_magic(bytes, n);

	return magic && magic->kind > 0 ? (enum rip_image_kind)magic->kind : RIP_IMAGE_UNKNOWN;
}

int rip_image_kind(struct rip_input *input)
{
	const struct magic *magic;
	const uint8_t *bytes;
	ssize_t n = rip_input_peek(input, 8, &bytes);

	if (n < 0)
		return (int)n;
	if (n == 0)
		return rip_complain(-EBADMSG, "%s is empty", input->name);
	magic = find_magic(bytes, (size_t)n);
	if (!magic)
		return rip_complain(-EBADMSG, "%s is neither PGM (P5) nor JPEG, PNG, TIFF,"
				    " CUPS, PWG or Apple raster", input->name);
	return magic->kind > 0 ? magic->kind :
		rip_complain(magic->kind, "%s is %s", input->name, magic->instead);
}
