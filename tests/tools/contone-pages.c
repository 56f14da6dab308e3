/*
 * contone-pages OPTIONS FILE: the pages of a PDF file as pdftoriptide has Ghostscript draw them for
 * the queue of the environment's PPD, before they are halftoned, as CUPS raster of 8 bits a colour
 * on standard output.  It has the locale of the environment, which must not matter.
 */
#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "filter/options.h"
#include "filter/pdf/pdf_header.h"
#include "rip/page_reader.h"

static void log_line(void *context, const char *text)
{
	fprintf(stderr, "Ghostscript: %s\n", text);
}

static int fail(const char *why)
{
	fprintf(stderr, "contone-pages: %s\n", why);
	return 99;
}

/* Reads the rows of a page that is being drawn, and writes them chunked. */
static int write_page(struct rip_page_reader *reader, const cups_page_header2_t *page,
		      cups_raster_t *raster)
{
	const unsigned planes = page->cupsNumColors;
	uint8_t *rows = malloc(page->cupsBytesPerLine), *line = malloc(page->cupsBytesPerLine);
	void *starts[4] = { NULL };
	int r = rows && line ? 0 : -1;

	for (unsigned p = 0; r == 0 && p < planes; p++)
		starts[p] = rows + (size_t)p * page->cupsWidth;
	for (unsigned y = 0; r == 0 && y < page->cupsHeight; y++) {
		r = rip_page_reader_lines(reader, starts, 1);
		for (unsigned x = 0; r == 0 && x < page->cupsWidth; x++)
			for (unsigned p = 0; p < planes; p++)
				line[x * planes + p] = rows[(size_t)p * page->cupsWidth + x];
		if (r == 0 && !cupsRasterWritePixels(raster, line, page->cupsBytesPerLine))
			r = -1;
	}
	free(rows);
	free(line);
	return r;
}

/* Draws a page of the document. */
static int draw(struct rip_gs *gs, const struct rip_pdf_header *header, unsigned number,
		cups_raster_t *raster)
{
	struct rip_page_reader reader = { 0 };
	struct rip_placed_page placed = { 0 };
	struct rip_gs_page paper;
	cups_page_header2_t page;
	char why[256] = "";
	int r = rip_renderer_of(gs)->page(gs, number, &paper);

	if (r == 0)
		r = rip_pdf_header_page(header, number - 1, paper.width, paper.height, &page,
					placed.matrix, why, sizeof why);
	if (r < 0)
		return fail(why[0] ? why : gs->why);
	placed.page.height = page.cupsHeight;
	placed.page.width = page.cupsWidth;
	placed.page.planes = page.cupsNumColors;
	rip_pdf_header_contone(page.cupsColorSpace, placed.sources);
	if (rip_page_reader_check(gs, &placed) < 0 ||
	    rip_page_reader_begin(&reader, gs, &placed) < 0 ||
	    rip_renderer_of(gs)->draw(gs, page.cupsWidth, page.cupsHeight, placed.matrix, 1) < 0)
		r = fail(gs->why);
	else if (!cupsRasterWriteHeader2(raster, &page) || write_page(&reader, &page, raster) < 0 ||
		 rip_renderer_of(gs)->end(gs) != 0)
		r = fail(gs->why[0] ? gs->why : "cannot write the page");
	rip_page_reader_finish(&reader);
	return r;
}

int main(int argc, char **argv)
{
	static struct rip_pdf_header header;
	static struct rip_gs gs;
	static struct rip_gs_jail jail;
	const int document = argc == 3 ? open(argv[2], O_RDONLY | O_CLOEXEC) : -1;
	cups_raster_t *raster = cupsRasterOpen(STDOUT_FILENO, CUPS_RASTER_WRITE);
	struct rip_plane_source sources[4];
	struct rip_gs_config config = { .document = document, .jail = &jail, .log = log_line };
	struct rip_options options;
	struct rip_choice choice;
	struct rip_queue queue;
	char why[320];
	int r = 0;

	setlocale(LC_ALL, "");
	if (document < 0 || !raster)
		return fail("there is no document, or no raster");
	if (rip_queue_open(&queue, getenv("PPD")) < 0)
		return 1;
	if (rip_pdf_header_init(&header, &queue, getenv("PRINTER"), argv[1],
				getenv("FINAL_CONTENT_TYPE"), document, why, sizeof why) < 0)
		return fail(why);
	rip_options_init(&options, argv[1], &queue);
	rip_pdf_header_colours(&header, options.count, options.job);
	config.contone = rip_pdf_header_contone(header.job.cupsColorSpace, sources);
	config.x_dpi = header.job.HWResolution[0];
	config.y_dpi = header.job.HWResolution[1];
	config.arguments = header.arguments;
	config.prologue = header.prologue;
	rip_options_page(&options, &header.job, &choice);
	rip_options_finish(&options);
	config.pure_black = choice.pure_black;
	config.by_kind = header.colours.by_kind;
	config.keep_black = config.by_kind ? RIP_KEEP_BLACK_NONE : choice.keep_black;
	config.black_overprint = choice.black_overprint;
	config.output_intent = header.managed;
	config.profiled = header.profile[0] != '\0';
	if (rip_gs_jail_open(&jail, "gs", config.arguments, document, 0, why, sizeof why) < 0)
		return fail(why);
	rip_gs_init(&gs, &config);
	if (rip_renderer_of(&gs)->open(&gs) < 0)
		r = fail(gs.why);
	for (unsigned number = 1; r == 0 && number <= gs.pages; number++)
		r = draw(&gs, &header, number, raster);
	rip_gs_finish(&gs);
	rip_gs_jail_close(&jail);
	cupsRasterClose(raster);
	rip_queue_close(&queue);
	return r;
}
