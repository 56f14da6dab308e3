/* What a page of a TIFF file is. */
#include "config.h"

#include "tiff.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "halftone/screen/arith.h"
#include "tone/ink_name.h"

/* A file with a lower resolution says nothing about paper. */
#define PAPER_DPI_MIN 150

#define RESOLUTION_MAX 1e6f /* what is above is nonsense */

const char rip_tiff_cmyk_names[4][RIP_TIFF_NAME_MAX] = { "Cyan", "Magenta", "Yellow", "Black" };

static uint16_t tag16(TIFF *tiff, uint32_t tag, uint16_t otherwise)
{
	uint16_t value;

	return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : otherwise;
}

static int check_size(struct rip_tiff_page *page, TIFF *tiff, const char *name)
{
	if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width) ||
	    !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height) ||
	    page->width == 0 || page->height == 0)
		return rip_complain(-EBADMSG, "%s: the image has no pixels: nothing to halftone",
				    name);
	if (page->width > RIP_WIDTH_MAX || page->height > RIP_WIDTH_MAX)
		return rip_complain(-EBADMSG, "%s: the image is %u x %u pixels;"
				    " at most %u columns and rows can be halftoned",
				    name, page->width, page->height, RIP_WIDTH_MAX);
	return 0;
}

static int check_samples(struct rip_tiff_page *page, TIFF *tiff, const char *name)
{
	const uint16_t format = tag16(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);

	page->file_bits = tag16(tiff, TIFFTAG_BITSPERSAMPLE, 1);
	page->bits = page->file_bits == 2 || page->file_bits == 4 ? 8 : page->file_bits;
	page->separate = page->planes > 1 &&
			 tag16(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
			 PLANARCONFIG_SEPARATE;
	if (page->bits != 1 && page->bits != 8 && page->bits != 16)
		return rip_complain(-EBADMSG, "%s has %u bits a sample: convert it to 8 or 16",
				    name, page->file_bits);
	if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
		return rip_complain(-EBADMSG, "%s has samples that are not plain unsigned numbers:"
				    " convert it to 8 or 16 bits", name);
	if ((uint64_t)page->width * page->planes * ((page->bits + 7) / 8) > RIP_TIFF_LINE_MAX)
		return rip_complain(-EFBIG, "%s: a row of %u pixels with %u samples takes more"
				    " than %u MiB", name, page->width, page->planes,
				    (unsigned)(RIP_TIFF_LINE_MAX >> 20));
	return 0;
}

/* The samples that are neither grey nor inks nor RGB. */
static int check_extra(const struct rip_tiff_page *page, TIFF *tiff, const char *name)
{
	uint16_t count = 0, *kinds = NULL;

	if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds))
		count = 0;
	for (uint16_t i = 0; i < count; i++)
		if (page->colours != RIP_TIFF_INKS || kinds[i] != EXTRASAMPLE_UNSPECIFIED)
			return rip_complain(-EBADMSG, "%s has transparency or other channels"
					    " beside its colours: flatten it first", name);
	return 0;
}

static int unknown_colours(const char *name, uint16_t photometric, bool takes_rgb)
{
	/* A scan of a colour's chart must not become grey, so that is not proposed. */
	const char *better = takes_rgb ? "RGB" : "grey or CMYK";

	if (photometric == PHOTOMETRIC_PALETTE)
		return rip_complain(-EBADMSG, "%s has a palette: convert it to %s", name, better);
	return rip_complain(-EBADMSG, "%s has colours of TIFF's kind %u: convert it to %s", name,
			    photometric, better);
}

static int check_colours(struct rip_tiff_page *page, TIFF *tiff, const char *name, bool takes_rgb)
{
	const uint16_t samples = tag16(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
	uint16_t photometric;
	uint32_t expected = 1;

	if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric))
		return rip_complain(-EBADMSG, "%s does not say what its colours are"
				    " (PhotometricInterpretation)", name);
	switch (photometric) {
	case PHOTOMETRIC_MINISWHITE:
		page->inverted = true;
		break;
	case PHOTOMETRIC_MINISBLACK:
		break;
	case PHOTOMETRIC_SEPARATED:
		page->colours = RIP_TIFF_INKS;
		expected = samples;
		break;
	case PHOTOMETRIC_RGB:
	case PHOTOMETRIC_YCBCR:
		page->colours = RIP_TIFF_RGB;
		expected = 3;
		break;
	default:
		return unknown_colours(name, photometric, takes_rgb);
	}
	page->planes = samples;
	if (samples > RIP_TIFF_INKS_MAX)
		return rip_complain(-EBADMSG, "%s has %u colours; at most %u can be halftoned",
				    name, samples, RIP_TIFF_INKS_MAX);
	if (samples < expected || samples == 0)
		return rip_complain(-EBADMSG, "%s has %u samples a pixel, too few for its colours",
				    name, samples);
	if (samples > expected)
		return rip_complain(-EBADMSG, "%s has transparency or other channels"
				    " beside its colours: flatten it first", name);
	return 0;
}

/* The names in the file; or those of CMYK; or numbers.  Photoshop's channels beyond CMYK have no
 * names here. */
static void name_inks(struct rip_tiff_page *page, TIFF *tiff)
{
	const bool cmyk = tag16(tiff, TIFFTAG_INKSET, INKSET_CMYK) == INKSET_CMYK;
	const char *names = NULL;
	uint16_t count = 0;

	if (!TIFFGetField(tiff, TIFFTAG_INKNAMES, &names) ||
	    !TIFFGetField(tiff, TIFFTAG_NUMBEROFINKS, &count))
		count = 0;
	for (uint32_t i = 0; i < page->planes; i++) {
		char *name = page->names[i];

		if (i < count) {
			snprintf(name, RIP_TIFF_NAME_MAX, "%s", names);
			names += strlen(names) + 1;
			rip_make_printable(name);
		}
		if (!*name && cmyk && page->planes >= 4 && i < 4)
			memcpy(name, rip_tiff_cmyk_names[i], RIP_TIFF_NAME_MAX);
		if (!*name)
			snprintf(name, RIP_TIFF_NAME_MAX, "Ink %u", i + 1);
		page->inks[i] = rip_ink_of_name(name);
	}
}

/* Its own dots of 2 and 4 bits look like tones otherwise. */
static bool is_by_riptide(TIFF *tiff)
{
	const char *software;

	return TIFFGetField(tiff, TIFFTAG_SOFTWARE, &software) &&
	       !strncmp(software, RIP_TIFF_SOFTWARE, strlen(RIP_TIFF_SOFTWARE));
}

static uint32_t to_dpi(float resolution, uint16_t unit)
{
	const double dpi = unit == RESUNIT_CENTIMETER ? resolution * 2.54 : resolution;
	const bool is_paper = unit != RESUNIT_NONE && dpi >= PAPER_DPI_MIN && dpi <= 100000;

	return is_paper ? (uint32_t)(dpi + .5) : 0;
}

static void read_tags(struct rip_tiff_page *page, TIFF *tiff)
{
	struct rip_tiff_tags *tags = &page->tags;
	const char *name;

	tags->unit = tag16(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
	tags->orientation = tag16(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
	if (!TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &tags->x_resolution) ||
	    !TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &tags->y_resolution) ||
	    !(tags->x_resolution > 0 && tags->x_resolution < RESOLUTION_MAX &&
	      tags->y_resolution > 0 && tags->y_resolution < RESOLUTION_MAX))
		tags->x_resolution = tags->y_resolution = 0;
	if (!TIFFGetField(tiff, TIFFTAG_PAGENUMBER, &tags->page_number[0], &tags->page_number[1]))
		tags->page_number[0] = tags->page_number[1] = 0;
	if (TIFFGetField(tiff, TIFFTAG_PAGENAME, &name))
		snprintf(tags->page_name, sizeof tags->page_name, "%s", name);
	page->x_dpi = to_dpi(tags->x_resolution, tags->unit);
	page->y_dpi = to_dpi(tags->y_resolution, tags->unit);
	if (page->x_dpi == 0 || page->y_dpi == 0)
		page->x_dpi = page->y_dpi = 0;
}

/* Whether a shell takes a file's name as it is. */
static bool is_plain_word(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._/+-";

	return *name != '-' && !name[strspn(name, plain)];
}

static int refuse_rgb(const struct rip_tiff_page *page, const char *name)
{
	if (page->colours != RIP_TIFF_RGB)
		return 0;
	return rip_complain(-EBADMSG, "%s is RGB: separate it into inks first, with"
			    " tiff2pdf -o page.pdf %s and"
			    " gs -sDEVICE=tiffsep -r%u -o page.tif page.pdf", name,
			    is_plain_word(name) ? name : "IN.tif",
			    page->x_dpi ? page->x_dpi : 600);
}

int rip_tiff_page_describe(struct rip_tiff_page *page, TIFF *tiff, struct rip_tiff_io *io,
			   bool takes_rgb)
{
	int r;

	*page = (struct rip_tiff_page){ .colours = RIP_TIFF_GREY, .inks = { RIP_INK_BLACK } };
	r = check_size(page, tiff, io->name);
	if (r == 0)
		r = check_colours(page, tiff, io->name, takes_rgb);
	if (r == 0)
		r = check_samples(page, tiff, io->name);
	if (r == 0)
		r = check_extra(page, tiff, io->name);
	if (r < 0)
		return r;
	page->levels = page->bits != page->file_bits && is_by_riptide(tiff);
	if (page->levels)
		page->bits = page->file_bits;
	if (page->colours == RIP_TIFF_INKS)
		name_inks(page, tiff);
	read_tags(page, tiff);
	return takes_rgb || io->error ? io->error : refuse_rgb(page, io->name);
}

size_t rip_tiff_page_line(const struct rip_tiff_page *page)
{
	const uint64_t samples = (uint64_t)page->width * (page->separate ? 1 : page->planes);

	return (size_t)((samples * page->bits + 7) / 8);
}
