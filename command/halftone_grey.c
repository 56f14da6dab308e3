/* Halftones grey images to PBM or PGM. */
#include "halftone_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "image/complain.h"
#include "image/pnm_lines.h"
#include "terminal.h"

/* A grey image that is being halftoned. */
struct grey {
	struct rip_image  *image;
	struct rip_out_file *output;
	uint32_t           levels;
	unsigned           number; /* which image of the stream, from 1 */
	uint8_t           *line; /* a row of the output file */
};

static int read_rows(void *context, void *const rows[], uint32_t lines)
{
	struct grey *grey = context;
	struct rip_image *image = grey->image;
	const size_t bytes = (size_t)image->width * (image->sample_bits / 8);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < lines; i++)
		r = image->ops->row(image, (uint8_t *)rows[0] + i * bytes);
	return r;
}

static int write_row(void *context, const uint8_t *const dots[])
{
	struct grey *grey = context;
	const size_t size = rip_pnm_line(dots[0], grey->image->width, grey->levels, grey->line);

	return rip_out_file_write(grey->output, grey->line, size);
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct grey *grey = context;

	rip_progress(grey->image->input->name, grey->number, written, lines);
}

static int write_header(const struct grey *grey)
{
	char header[RIP_PNM_HEADER_MAX];
	const size_t size = rip_pnm_header(grey->image->width, grey->image->height, grey->levels, header);

	return rip_out_file_write(grey->output, header, size);
}

static int halftone_image(struct rip_halftone_job *job, struct rip_image *image, unsigned number)
{
	const struct rip_image_options *options = &job->options.image;
	struct grey grey = { image, &job->output, options->common.levels, number, malloc(image->width) };
	struct rip_mask_use use = rip_image_mask_use(image);
	const struct rip_screen *screen = NULL;
	struct rip_tone_curves curves = { .one = true };
	uint16_t *first;
	int r = rip_curve_file_table(&job->curve, image->maxval, image->sample_bits, &first);

	if (r < 0 || !grey.line) {
		r = rip_complain(-ENOMEM, "%s: out of memory", job->input.name);
	} else {
		use.inks[0] = job->options.ink;
		r = rip_halftone_screen(job, &use, &screen);
	}
	if (r == 0) {
		const struct rip_tone_page tone_page = {
			.screen = screen, .planes = 1, .sample_bits = image->sample_bits,
			.levels = options->common.levels, .light = true, .black = -1,
			.dpi = rip_halftone_dpi(job, image->x_dpi, image->y_dpi), .first = first,
		};

		r = rip_tone_curves_make(&curves, &job->options.tone, &tone_page);
		if (r < 0)
			rip_complain(r, "%s: out of memory", job->input.name);
	}
	if (r == 0) {
		const struct rip_pump_page page = {
			.number = number,
			.spec = { .width = image->width, .planes = 1, .levels = options->common.levels,
				  .sample_bits = image->sample_bits,
				  .screen = rip_tone_curves_screen(&curves, screen),
				  .curve = rip_tone_curves_curve(&curves) },
			.height = image->height,
			.start = options->start,
			.band_rows = job->options.band_rows,
			.read = read_rows,
			.write = write_row,
			.progress = progress,
			.context = &grey,
		};

		r = write_header(&grey);
		if (r == 0)
			r = rip_pump_run(&job->pump, &page, job->halftoner);
	}
	free(grey.line);
	rip_tone_curves_finish(&curves);
	free(first);
	return r;
}

int rip_halftone_images(struct rip_halftone_job *job,
			int (*open)(struct rip_input *, struct rip_image **))
{
	unsigned number = 1;
	int r;

	do {
		struct rip_image *image;

		r = open(&job->input, &image);
		if (r == 0)
			r = halftone_image(job, image, number++);
		if (r == 0)
			r = image->ops->end(image);
		if (image)
			image->ops->close(image);
	} while (r > 0);
	return r;
}
