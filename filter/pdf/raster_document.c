#include "config.h"

#include "raster_document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/ppd.h>

#include "filter/page/header.h"
#include "rip/document.h"
#include "system/ascii.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* PPDs have sizes in whole points, rasters in whole pixels: A4 is 595 x 842 points to the former,
 * and 595.2 x 841.9 at 600 dpi to the latter. */
#define SAME_SIZE  1.0
#define COPIES_MAX 9999

/* Bytes of lines of a document that does not fit, 2000 pages A4 at 600 dpi: a small file may unpack
 * to any number of them.  Whether the rest is whole is left to rastertopdf. */
#define UNFIT_MAX (UINT64_C(1) << 36)

#define FILE_HEADER_MAX 12 /* bytes, that of Apple raster */

/* ---- whether a page fits ---- */

/* Whether the samples of one colour space are those of another, but for their polarity.  What
 * Ghostscript's profiles change is not among them. */
static bool is_same_colour(unsigned in, unsigned out)
{
	const bool rgb = in == CUPS_CSPACE_RGB || in == CUPS_CSPACE_SRGB;

	if (rip_color_space_planes(out) == 1)
		return rip_color_space_inks(in) && rip_color_space_planes(in) == 1;
	return rgb && (out == CUPS_CSPACE_RGB || out == CUPS_CSPACE_SRGB || out == CUPS_CSPACE_CMY);
}

/* Whether a page of the document becomes a page of the job: its header, and the part of its pixels.
 * 0; -EINVAL and why not. */
static int fit(const struct rip_pdf_header *header, const cups_page_header2_t *in,
	       cups_page_header2_t *page, struct rip_source_cut *cut, char *why, size_t size)
{
	const ppd_size_t *sheet = ppdPageSize(header->queue->ppd, NULL);
	const unsigned *dpi = in->HWResolution, *wanted = header->job.HWResolution;
	const unsigned space = header->job.cupsColorSpace, turned = 0xffffffff;
	double width, height, m[6];
	int r;

	if (!sheet || !dpi[0] || dpi[0] != wanted[0] || dpi[1] != wanted[1])
		return rip_refuse(why, size, "it has %u x %u dpi, the queue %u x %u", dpi[0],
				  dpi[1], wanted[0], wanted[1]);
	if (!is_same_colour(in->cupsColorSpace, space) || in->cupsBitsPerColor != 8 ||
	    in->cupsBitsPerPixel != 8 * rip_color_space_planes(space))
		return rip_refuse(why, size, "it has %u bits in %s, the queue 8 in %s",
				  in->cupsBitsPerColor, rip_color_space_name(in->cupsColorSpace),
				  rip_color_space_name(space));
	if (in->cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform] == turned ||
	    in->cupsInteger[CUPS_RASTER_PWG_FeedTransform] == turned)
		return rip_refuse(why, size, "it is turned for a duplexer");
	width = in->cupsWidth * 72. / dpi[0];
	height = in->cupsHeight * 72. / dpi[1];
	if (fabs(width - sheet->width) >= SAME_SIZE || fabs(height - sheet->length) >= SAME_SIZE)
		return rip_refuse(why, size, "it has %.1f x %.1f points, the sheet %.1f x %.1f",
				  width, height, (double)sheet->width, (double)sheet->length);
	r = rip_pdf_header_page(header, 0, sheet->width, sheet->length, page, m, why, size);
	if (r < 0)
		return r;
	if (fabs(m[0] - dpi[0] / 72.) > 1e-6 || fabs(m[3] + dpi[1] / 72.) > 1e-6)
		return rip_refuse(why, size, "the sheet is turned, or larger than its paper");
	*cut = (struct rip_source_cut){
		.left = -(int32_t)lround(m[0] * (sheet->width - width) / 2 + m[4]),
		.top = -(int32_t)lround(m[3] * (sheet->length + height) / 2 + m[5]),
		.width = page->cupsWidth, .height = page->cupsHeight,
		.invert = rip_color_space_light(in->cupsColorSpace) != rip_color_space_light(space),
		.white = rip_color_space_light(space) ? 0xff : 0,
	};
	return 0;
}

/* ---- the document ---- */

static int add_page(struct rip_raster_document *d, off_t header)
{
	/* Room for 1, 2, 4, ... pages. */
	if ((d->pages & (d->pages - 1)) == 0) {
		const size_t room = d->pages ? 2 * (size_t)d->pages : 1;
		off_t *more = d->pages < RIP_PAGE_LIST_MAX ?
			      realloc(d->headers, room * sizeof *more) : NULL;

		if (!more)
			return -ENOMEM;
		d->headers = more;
	}
	d->headers[d->pages++] = header;
	return 0;
}

/* Reads all lines of a page. */
static int pass_lines(struct rip_source *source, const cups_page_header2_t *in, uint32_t lines)
{
	uint8_t *line = malloc(in->cupsBytesPerLine);
	int r = line ? rip_source_begin(source, in, lines) : -ENOMEM;

	for (uint32_t i = 0; r == 0 && i < lines; i++)
		r = rip_source_read(source, line, in->cupsBytesPerLine);
	free(line);
	return r;
}

/* Reads a page, whose header begins at that place of the file.  0; RIP_SOURCE_END: there is none;
 * -errno, and the source's `why`. */
static int scan_page(struct rip_raster_document *d, struct rip_source *source)
{
	const off_t at = rip_source_tell(source);
	const size_t size = sizeof source->why;
	struct rip_geometry geometry;
	cups_page_header2_t in, page;
	struct rip_source_cut cut;
	char why[128];
	int r = at < 0 ? (int)at : rip_source_header(source, &in);

	if (r)
		return r;
	r = rip_header_check(&in, &geometry, source->why, size);
	if (r < 0)
		return r;
	if (!d->misfit[0] && fit(d->header, &in, &page, &cut, why, sizeof why) < 0)
		rip_refuse(d->misfit, sizeof d->misfit, "page %u: %s", source->page, why);
	if (d->misfit[0])
		d->unfit += (uint64_t)in.cupsBytesPerLine * geometry.lines;
	if (d->unfit > UNFIT_MAX)
		return RIP_SOURCE_END;
	r = pass_lines(source, &in, geometry.lines);
	return r < 0 ? r : add_page(d, at);
}

int rip_raster_document_open(struct rip_raster_document *d, int fd,
			     const struct rip_pdf_header *header, char *why, size_t size)
{
	struct rip_source source;
	int r;

	d->fd = fd;
	d->header = header;
	if (!header)
		rip_refuse(d->misfit, sizeof d->misfit, "another filter is to draw the pages");
	r = lseek(fd, 0, SEEK_SET) < 0 ? -errno : rip_source_open(&source, fd);
	while (r == 0)
		r = scan_page(d, &source);
	if (r < 0 && source.page == 0)
		rip_refuse(why, size, "%s", source.why);
	else if (r < 0)
		rip_refuse(why, size, "page %u: %s", source.page,
			   source.why[0] ? source.why : strerror(-r));
	rip_source_close(&source);
	return r < 0 ? r : 0;
}

int rip_raster_document_next(void *context, struct rip_source *source, cups_page_header2_t *header)
{
	struct rip_raster_document *d = context;
	uint8_t head[FILE_HEADER_MAX];
	struct rip_source_cut cut;
	cups_page_header2_t in;
	size_t size;
	int r;

	rip_source_close(source);
	if (d->next == d->count)
		return RIP_SOURCE_END;
	size = (size_t)d->headers[0]; /* the first page follows the file's header */
	if (pread(d->fd, head, size, 0) != (ssize_t)size ||
	    lseek(d->fd, d->headers[d->list[d->next]], SEEK_SET) < 0)
		return rip_refuse_as(-EIO, source->why, sizeof source->why, "cannot read it again");
	r = rip_source_open_after(source, d->fd, head, size);
	if (r == 0)
		r = rip_source_header(source, &in);
	source->page = ++d->next;
	if (r == 0)
		r = fit(d->header, &in, header, &cut, source->why, sizeof source->why);
	return r == 0 ? rip_source_begin_cut(source, &in, &cut) : r == RIP_SOURCE_END ? -EIO : r;
}

void rip_raster_document_close(struct rip_raster_document *d)
{
	free(d->headers);
	free(d->list);
	d->headers = NULL;
	d->list = NULL;
	d->pages = d->count = d->next = 0;
}

/* ---- what pdftopdf would do with the pages ---- */

static const char *value_of(const struct rip_options *options, const char *name)
{
	return cupsGetOption(name, options->count, options->job);
}

/* Whether a value is one of some words with blanks between them. */
static bool is_one_of(const char *value, const char *words)
{
	const size_t length = strlen(value);

	for (; *words; words += strspn(words, " ")) {
		const size_t word = strcspn(words, " ");

		if (word == length && rip_same_start(words, value, length))
			return true;
		words += word;
	}
	return false;
}

static bool is_true(const char *value)
{
	return value && is_one_of(value, "true on yes");
}

/* The job's option that changes pages in a way that only pdftopdf knows, or NULL. */
static const char *find_change(const struct rip_options *options, ppd_file_t *ppd)
{
#define NO "false off no"
	static const struct {
		const char *name, *harmless; /* its values that change nothing */
	} known[] = {
		{ "number-up", "1" }, { "booklet", NO }, { "page-border", "none" },
		{ "mirror", NO }, { "landscape", NO }, { "orientation-requested", "0 3 7" },
		{ "print-scaling", "auto auto-fit none" }, { "fitplot", NO },
		{ "fit-to-page", NO }, { "fill", NO }, { "ipp-attribute-fidelity", NO },
		{ "position", "center" }, { "page-set", "all" }, { "page-label", "" },
	};
	const ppd_choice_t *mirror = ppdFindMarkedChoice(ppd, "MirrorPrint");
	const char *label = getenv("CLASSIFICATION");

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		const char *value = value_of(options, known[i].name);

		if (value && !is_one_of(value, known[i].harmless))
			return known[i].name;
	}
	if (mirror && is_true(mirror->choice))
		return "MirrorPrint";
	return label && *label ? "CLASSIFICATION" : NULL;
}

/* Whether pdftopdf takes sheets for printed on both sides. */
static bool is_duplex(const struct rip_options *options, ppd_file_t *ppd)
{
	static const char *const names[] = { "Duplex", "JCLDuplex", "EFDuplex", "KD03Duplex" };
	const char *sides = value_of(options, "sides");

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const ppd_choice_t *choice = ppdFindMarkedChoice(ppd, names[i]);

		if (choice && is_one_of(choice->choice, "DuplexNoTumble DuplexTumble LongEdge "
							"ShortEdge Top Bottom"))
			return true;
	}
	return is_true(value_of(options, "Duplex")) ||
	       (sides && is_one_of(sides, "two-sided-long-edge two-sided-short-edge"));
}

/* Whether the last page comes first. */
static bool is_reverse(const struct rip_options *options, ppd_file_t *ppd)
{
	const char *value = value_of(options, "OutputOrder");
	const ppd_choice_t *choice;
	const ppd_attr_t *attr = NULL;

	value = value ? value : value_of(options, "output-order");
	value = value ? value : value_of(options, "page-delivery");
	if (!value) {
		choice = ppdFindMarkedChoice(ppd, "OutputBin");
		attr = choice ? ppdFindAttr(ppd, "PageStackOrder", choice->choice) : NULL;
		attr = attr ? attr : ppdFindAttr(ppd, "DefaultOutputOrder", NULL);
		choice = ppdFindMarkedChoice(ppd, "OutputOrder");
		value = choice ? choice->choice : attr ? attr->value : NULL;
	}
	return value && is_one_of(value, "Reverse reverse-order");
}

static bool is_collated(const struct rip_options *options)
{
	const char *value = value_of(options, "multiple-document-handling");

	if (is_true(value_of(options, "Collate")))
		return true;
	if (value)
		return !rip_same_name(value, "separate-documents-uncollated-copies");
	value = value_of(options, "sheet-collate");
	return value && !rip_same_name(value, "uncollated");
}

/* Makes the list: every wanted page, once for each copy. */
static int make_list(struct rip_raster_document *d, const char *ranges, bool reverse,
		     unsigned copies, bool collated)
{
	unsigned *wanted = malloc(((size_t)d->pages + 1) * sizeof *wanted), count = 0;

	for (unsigned i = 0; wanted && i < d->pages; i++) {
		const unsigned page = reverse ? d->pages - 1 - i : i;

		if (rip_page_list_has(ranges, page + 1))
			wanted[count++] = page;
	}
	if (wanted && count <= RIP_PAGE_LIST_MAX / copies)
		d->list = malloc(((size_t)count * copies + 1) * sizeof *d->list);
	for (unsigned i = 0; d->list && i < count * copies; i++)
		d->list[d->count++] = wanted[collated ? i % count : i / copies];
	free(wanted);
	return d->list ? 0 : -ENOMEM;
}

/* Whether only pdftopdf can do what the job asks for; then why is told. */
static bool find_misfit(struct rip_raster_document *d, const struct rip_pdf_header *header,
			const char *change, bool duplex)
{
	struct rip_back back;

	rip_sheet_back(&header->duplexer, &header->job, 1, &back);
	if (change)
		rip_refuse(d->misfit, sizeof d->misfit, "the job has the option %s", change);
	else if (header->profile[0])
		rip_refuse(d->misfit, sizeof d->misfit, "the queue has a colour profile");
	else if (duplex != (header->job.Duplex != CUPS_FALSE))
		rip_refuse(d->misfit, sizeof d->misfit, "pdftopdf prints on %s, the page's header "
			   "on %s", duplex ? "both sides" : "one side",
			   duplex ? "one side" : "both sides");
	else if (back.mirror_x || back.mirror_y)
		rip_refuse(d->misfit, sizeof d->misfit, "the backs of sheets are mirrored");
	return d->misfit[0];
}

int rip_raster_document_arrange(struct rip_raster_document *d, struct rip_pdf_header *header,
				const struct rip_options *options, const char *text, char *why,
				size_t size)
{
	ppd_file_t *ppd = header->queue->ppd;
	const char *change = find_change(options, ppd), *ranges = value_of(options, "page-ranges");
	const char *even = rip_queue_attribute(header->queue, "cupsEvenDuplex");
	const char *given = value_of(options, "copies");
	const int number = atoi(given && atoi(given) > 0 ? given : text);
	const unsigned copies = number < 1 ? 1 : number > COPIES_MAX ? COPIES_MAX : number;
	const bool duplex = is_duplex(options, ppd), reverse = is_reverse(options, ppd);
	const bool many = copies > 1, ours = many && ppd->manual_copies;
	const bool collated = many && (is_collated(options) || (ours && duplex));

	if (!change && ranges && !rip_page_list_valid(ranges))
		change = "page-ranges";
	if (!change && many && !ours && collated)
		change = "Collate"; /* the printer, or pdftopdf */
	if (!change && ppdFindOption(ppd, "Copies"))
		change = "Copies";
	if (find_misfit(d, header, change, duplex))
		return 0;
	header->job.NumCopies = ours ? 1 : copies;
	header->job.Collate = CUPS_FALSE;
	if (make_list(d, ranges, reverse, ours ? copies : 1, collated) < 0)
		return rip_refuse_as(-ENOMEM, why, size, "%u pages and %u copies are too many",
				     d->pages, copies);
	if (duplex && (reverse || collated || is_true(even)) &&
	    d->count / (ours ? copies : 1) % 2 == 1)
		rip_refuse(d->misfit, sizeof d->misfit, "the last sheet needs an empty back");
	return 0;
}
