#include "config.h"

#include "pdf_header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "filter/page/header.h"
#include "filter/ink/profile.h"
#include "pwg_options.h"
#include "system/ascii.h"
#include "system/number.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define COMMENT_BYTES 4096 /* of a document, in which pdftopdf's comments are */
#define COMMENT_LINES 20
#define COPIES_MAX    9999
#define FONT_PATH     "/usr/share/cups/fonts"

static bool is_true(const char *value)
{
	return value && (rip_same_name(value, "true") || rip_same_name(value, "on") ||
			 rip_same_name(value, "yes"));
}

/* Reads what pdftopdf has left for the printer to do: comments behind the first line. */
static void read_comments(int document, cups_page_header2_t *job)
{
	char text[COMMENT_BYTES + 1], *line, *rest;
	const ssize_t n = pread(document, text, COMMENT_BYTES, 0);
	int lines = -1;

	if (n <= 0)
		return;
	text[n] = '\0';
	/* Binary data may have NULs, which end the comments. */
	for (line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
		const char *value = strchr(line, ':');

		if (lines < 0 && strncmp(line, "%PDF", 4))
			continue;
		if (++lines > COMMENT_LINES)
			break;
		if (!strncmp(line, "%%PDFTOPDFNumCopies", 19) && value) {
			const long copies = strtol(value + 1, NULL, 10);

			if (copies >= 1 && copies <= COPIES_MAX)
				job->NumCopies = (unsigned)copies;
		} else if (!strncmp(line, "%%PDFTOPDFCollate", 17) && value) {
			/* gstoraster never reads it as true; what pdftopdf has not collated
			 * itself, the printer's own option collates. */
			job->Collate = CUPS_FALSE;
		}
	}
}

/* The resolution, if neither an option nor the PPD's code says it. */
static void default_resolution(const struct rip_queue *queue, cups_page_header2_t *job)
{
	const char *value = rip_queue_attribute(queue, "DefaultResolution"), *times;

	if (job->HWResolution[0] != 100 || job->HWResolution[1] != 100)
		return;
	job->HWResolution[0] = job->HWResolution[1] = 300;
	if (!value || atoi(value) <= 0)
		return;
	times = strchr(value, 'x');
	job->HWResolution[0] = job->HWResolution[1] = (unsigned)atoi(value);
	if (times && atoi(times + 1) > 0)
		job->HWResolution[1] = (unsigned)atoi(times + 1);
}

/* gstoraster passes reals with four decimals. */
static float four_decimals(float value)
{
	char text[64];

	snprintf(text, sizeof text, "%.4f", (double)value);
	return strtof(text, NULL);
}

/* The memory for a page, as the cups device reads it from RIP_MAX_CACHE: pixels drawn in memory and
 * pixels drawn in bands differ here and there.  0: Ghostscript's own. */
static long page_memory(void)
{
	static const char units[] = "kmg";
	const char *text = getenv("RIP_MAX_CACHE"), *power;
	char *unit;
	double size = text ? rip_number_read(text, &unit) : 0;

	if (!text || unit == text || !(size > 0 && size < 1e6))
		return 0;
	power = *unit ? strchr(units, rip_lower(*unit)) : NULL;
	return power ? (long)ldexp(size, 10 * (int)(power - units + 1)) :
		       (long)(size * 4 * 256 * 256); /* tiles */
}

/* The arguments with which gstoraster would have Ghostscript draw the same, but for those of
 * colours, and what is run first.  0; or -EINVAL with why. */
static int make_arguments(struct rip_pdf_header *header, const struct rip_profile *profile,
			  int count, cups_option_t *options, char *why, size_t size)
{
	const char *fonts = getenv("CUPS_FONTPATH"), *value;
	const long memory = page_memory();
	int n = 0;

	if ((size_t)snprintf(header->font_path, sizeof header->font_path, "-I%s",
			     fonts ? fonts : FONT_PATH) >= sizeof header->font_path)
		return rip_refuse(why, size, "CUPS_FONTPATH is longer than %zu bytes",
				  sizeof header->font_path - sizeof "-I");
	header->arguments[n++] = header->font_path;
	if (memory > 0) {
		snprintf(header->bitmap, sizeof header->bitmap, "-dMaxBitmap=%ld", memory);
		snprintf(header->space, sizeof header->space, "-dBufferSpace=%ld", memory);
		header->arguments[n++] = header->bitmap;
		header->arguments[n++] = header->space;
		header->band = (size_t)memory;
	}
	header->managed = profile->managed;
	if (!profile->managed) {
		header->arguments[n++] = "-dUseFastColor";
		/* Black in RGB becomes black ink, as in gstoraster's device, not three colours. */
		strcat(header->prologue, "{ } setblackgeneration { } setundercolorremoval\n");
	} else if (profile->path[0]) {
		snprintf(header->profile, sizeof header->profile, "-sOutputICCProfile=%s",
			 profile->path);
		header->arguments[n++] = header->profile;
	}
	header->arguments[n] = NULL;
	value = cupsGetOption("CenterOfPixel", count, options);
	value = value ? value : cupsGetOption("center-of-pixel", count, options);
	value = value ? value : rip_queue_attribute(header->queue, "DefaultCenterOfPixel");
	if (is_true(value)) /* paths are filled by the centres of pixels */
		strcat(header->prologue, "0 0 .setfilladjust2\n");
	return 0;
}

/* The header as libcups makes it.  0; or -EINVAL with why. */
static int interpret(struct rip_pdf_header *header, const struct rip_queue *queue,
		     const char *final_type, int count, cups_option_t *list, char *why, size_t size)
{
	ppd_file_t *ppd = queue->ppd;
	cups_page_header2_t *job = &header->job;

	memset(header, 0, sizeof *header);
	header->queue = queue;
	if (!ppd)
		return rip_refuse(why, size,
				  "the queue has no PPD: use gstoraster and rastertoriptide");
	header->pwg = (final_type && rip_has_word(final_type, "pwg")) ||
		      is_true(rip_queue_attribute(queue, "PWGRaster"));
	ppdMarkDefaults(ppd);
	cupsMarkOptions(ppd, count, list);
	if (cupsRasterInterpretPPD(job, ppd, count, list, NULL) < 0)
		return rip_refuse(why, size, "the PPD's code has no page header: %s",
				  cupsRasterErrorString() ? cupsRasterErrorString() :
							    "libcups refuses it");
	if (header->pwg)
		rip_pwg_options(queue, count, list, job);
	return 0;
}

int rip_pdf_header_job(struct rip_pdf_header *header, const struct rip_queue *queue,
		       const char *options, const char *final_type, char *why, size_t size)
{
	cups_option_t *list = NULL;
	const int count = cupsParseOptions(options, 0, &list);
	const int r = interpret(header, queue, final_type, count, list, why, size);

	cupsFreeOptions(count, list);
	return r;
}

int rip_pdf_header_init(struct rip_pdf_header *header, const struct rip_queue *queue,
			const char *printer, const char *options, const char *final_type,
			int document, char *why, size_t size)
{
	ppd_file_t *ppd = queue->ppd;
	cups_page_header2_t *job = &header->job;
	cups_option_t *list = NULL;
	const int count = cupsParseOptions(options, 0, &list);
	struct rip_profile profile;
	int r = interpret(header, queue, final_type, count, list, why, size);

	if (r == 0 && !rip_color_space_inks(job->cupsColorSpace))
		r = rip_refuse(why, size, "cupsColorSpace is %u (%s): the filter takes W, SW, RGB, "
			       "SRGB, ADOBERGB, K, CMY, CMYK and KCMY; "
			       "use gstoraster and rastertoriptide", (unsigned)job->cupsColorSpace,
			       rip_color_space_name(job->cupsColorSpace));
	if (r == 0) {
		rip_sheet_duplexer(queue, &header->duplexer);
		default_resolution(queue, job);
		read_comments(document, job);
		job->MirrorPrint = CUPS_FALSE;
		job->Orientation = CUPS_ORIENT_0;
		for (int i = 0; i < 16; i++)
			job->cupsReal[i] = four_decimals(job->cupsReal[i]);
		job->cupsBorderlessScalingFactor = four_decimals(job->cupsBorderlessScalingFactor);
		header->repeat = 1;
		if (ppd->manual_copies) {
			header->repeat = job->NumCopies > 1 ? job->NumCopies : 1;
			job->NumCopies = 1;
		} else if (job->NumCopies == 0) {
			job->NumCopies = 1;
		}
		rip_profile_find(queue, printer, count, list, &profile);
		r = make_arguments(header, &profile, count, list, why, size);
	}
	cupsFreeOptions(count, list);
	return r;
}

void rip_pdf_header_colours(struct rip_pdf_header *header, int count, cups_option_t *options)
{
	struct rip_object_colours *colours = &header->colours;
	int n = 0;

	while (header->arguments[n])
		n++;
	rip_object_colours_init(colours, &header->job, header->managed, count, options);
	for (int i = 0; i < colours->count; i++)
		header->arguments[n++] = colours->arguments[i];
	header->arguments[n] = NULL;
}

/* More than rip_header_check() allows, and nothing that an int cannot hold. */
#define PIXELS_MAX (1 << 30)

/* Pixels of a length, as the cups device computes them, in single precision. */
static int pixels(float points, unsigned dpi)
{
	return (int)fminf(points * (float)dpi / 72.0f + 0.499f, PIXELS_MAX);
}

/* The fields that tell the size and the margins.  `scale`: of borderless pages, at least 1. */
static void set_sizes(cups_page_header2_t *page, const struct rip_sheet *sheet, float scale,
		      bool pwg)
{
	const float *m = sheet->margins;
	/* On the sheet, which may be turned. */
	const int turned = sheet->landscape;
	const float size[2] = { sheet->media[turned], sheet->media[!turned] };
	const float left = m[turned], bottom = turned ? m[2] : m[1];
	const float box[4] = { left, bottom, size[0] - (turned ? m[3] : m[2]),
			       size[1] - (turned ? m[0] : m[3]) };

	for (int i = 0; i < 2; i++) {
		page->cupsPageSize[i] = pwg ? 0 : size[i];
		page->PageSize[i] = (unsigned)(size[i] * scale + .5);
		page->Margins[i] = pwg ? 0 : (unsigned)(box[i] * scale + .5);
	}
	for (int i = 0; i < 4; i++) {
		page->ImagingBoundingBox[i] = pwg ? 0 : (unsigned)(box[i] * scale + .5);
		page->cupsImagingBBox[i] = pwg ? 0 : box[i];
	}
}

/* From points of the page to pixels. */
static void set_matrix(const cups_page_header2_t *page, const struct rip_sheet *sheet, float scale,
		       double m[6])
{
	const float x = (float)page->HWResolution[0], y = (float)page->HWResolution[1];

	memset(m, 0, 6 * sizeof *m);
	if (sheet->landscape) {
		m[1] = y / 72.;
		m[2] = x / 72.;
		m[4] = -x * sheet->margins[1] / 72.;
		m[5] = -y * sheet->margins[0] / 72.;
	} else {
		m[0] = x / 72.;
		m[3] = -y / 72.;
		m[4] = -x * sheet->margins[0] / 72.;
		m[5] = y * ((float)page->PageSize[1] - sheet->margins[3]) / 72.;
	}
	for (int i = 0; i < 6; i++)
		m[i] *= scale;
}

/* Reverses the order of the pixels along x (0) or y (1). */
static void mirror(double m[6], int axis, unsigned pixels_along)
{
	m[axis] = -m[axis];
	m[axis + 2] = -m[axis + 2];
	m[axis + 4] = pixels_along - m[axis + 4];
}

int rip_pdf_header_page(const struct rip_pdf_header *header, unsigned index, double width,
			double height, cups_page_header2_t *page, double matrix[6], char *why,
			size_t size)
{
	const cups_page_header2_t *job = &header->job;
	const float factor = job->cupsBorderlessScalingFactor, scale = factor > 1 ? factor : 1;
	const uint32_t colours = rip_color_space_planes(job->cupsColorSpace);
	struct rip_sheet sheet;
	struct rip_back back;
	int columns, rows;

	if (job->cupsColorOrder == CUPS_ORDER_PLANAR && colours > 1)
		return rip_refuse(why, size, "cupsColorOrder is 2 (planar): the colours of a page "
				  "come at once here; use gstoraster and rastertoriptide");
	rip_sheet_back(&header->duplexer, job, index, &back);
	rip_sheet_find(header->queue, job->cupsPageSizeName, (float)width, (float)height, &back,
		       &sheet);
	if (header->pwg)
		memset(sheet.margins, 0, sizeof sheet.margins);
	columns = pixels(sheet.media[sheet.landscape] - sheet.margins[sheet.landscape] -
			 sheet.margins[sheet.landscape + 2], job->HWResolution[0]);
	rows = pixels(sheet.media[!sheet.landscape] - sheet.margins[!sheet.landscape] -
		      sheet.margins[!sheet.landscape + 2], job->HWResolution[1]);
	if (columns <= 0 || rows <= 0)
		return rip_refuse(why, size,
				  "the margins leave nothing of a page of %.0f x %.0f points",
				  width, height);
	*page = *job;
	memset(page->cupsPageSizeName, 0, sizeof page->cupsPageSizeName);
	memcpy(page->cupsPageSizeName, sheet.name, strlen(sheet.name));
	set_sizes(page, &sheet, scale, header->pwg);
	page->cupsWidth = (unsigned)fminf((float)columns * scale, PIXELS_MAX);
	page->cupsHeight = (unsigned)fminf((float)rows * scale, PIXELS_MAX);
	set_matrix(page, &sheet, scale, matrix);
	if (back.mirror_x)
		mirror(matrix, 0, page->cupsWidth);
	if (back.mirror_y)
		mirror(matrix, 1, page->cupsHeight);
	page->cupsBitsPerColor = 8;
	page->cupsNumColors = colours;
	if (colours > 1)
		page->cupsColorOrder = CUPS_ORDER_CHUNKED;
	page->cupsBitsPerPixel = 8 * colours;
	page->cupsBytesPerLine = page->cupsWidth * colours;
	return 0;
}

enum rip_contone rip_pdf_header_contone(unsigned space,
					struct rip_plane_source sources[4])
{
	static const unsigned straight[] = { 0, 1, 2, 3 }, black_first[] = { 3, 0, 1, 2 };
	const unsigned *order = space == CUPS_CSPACE_KCMY ? black_first : straight;

	for (int i = 0; i < 4; i++)
		sources[i] = (struct rip_plane_source){
			order[i], space == CUPS_CSPACE_K || space == CUPS_CSPACE_CMY };
	switch (rip_color_space_planes(space)) {
	case 1:
		return RIP_CONTONE_GREY;
	case 3:
		return RIP_CONTONE_RGB;
	default:
		return RIP_CONTONE_CMYK;
	}
}
