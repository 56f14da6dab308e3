/* Halftones grey images to PBM, PGM or PNG. */
#include "halftone_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/complain.h"
#include "image/png_file.h"
#include "image/pnm_lines.h"
#include "command/terminal.h"

/* A grey image that is being halftoned. */
struct grey {
	struct rip_image  *image;
	struct rip_out_file *output;
	const struct rip_dot_receiver *receiver; /* instead of the output, or NULL */
	uint32_t           levels;
	unsigned           number; /* which image of the stream, from 1 */
	uint8_t           *line; /* a row of the output file */
	struct rip_toner_save *toner; /* that the rows go through, or NULL */
	struct rip_page_plan plan;
	bool               is_png; /* the output */
	struct rip_png     png;
};

static int read_image(void *context, void *to, uint32_t lines)
{
	struct rip_image *image = ((struct grey *)context)->image;
	const size_t bytes = (size_t)image->width * (image->sample_bits / 8);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < lines; i++)
		r = image->ops->row(image, (uint8_t *)to + i * bytes);
	return r;
}

static int read_rows(void *context, void *const rows[], uint32_t lines)
{
	struct grey *grey = context;

	return grey->toner ? rip_toner_save_rows(grey->toner, rows, 1, lines) :
			     read_image(grey, rows[0], lines);
}

static int write_row(void *context, const uint8_t *const dots[])
{
	struct grey *grey = context;
	size_t size;

	if (grey->receiver)
		return grey->receiver->row(grey->receiver->context, dots);
	if (grey->is_png)
		return rip_png_dots(&grey->png, dots[0]);
	size = rip_pnm_line(dots[0], grey->image->width, grey->levels, grey->line);
	return rip_out_file_write(grey->output, grey->line, size);
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct grey *grey = context;

	rip_progress(grey->image->input->name, grey->number, written, lines);
}

/* A page for a receiver, or the header of the file. */
static int begin(struct grey *grey, const struct rip_halftone_options *options)
{
	char header[RIP_PNM_HEADER_MAX];
	struct rip_dot_page page = {
		.width = grey->image->width, .height = grey->image->height, .planes = 1,
		.levels = grey->levels, .x_dpi = grey->image->x_dpi, .y_dpi = grey->image->y_dpi,
		.light = true, .inks = { options->ink },
	};

	rip_image_options_resolution(&options->image, &page.x_dpi, &page.y_dpi);
	if (grey->receiver)
		return grey->receiver->begin(grey->receiver->context, &page);
	if (grey->is_png)
		return rip_png_begin_dots(&grey->png, grey->output, page.width, page.height,
					  page.levels, page.x_dpi, page.y_dpi);
	return rip_out_file_write(grey->output, header,
				  rip_pnm_header(page.width, page.height, page.levels, header));
}

static int end(struct grey *grey)
{
	if (grey->receiver)
		return grey->receiver->end(grey->receiver->context);
	return grey->is_png ? rip_png_end(&grey->png) : 0;
}

static int run(struct rip_halftone_job *job, struct grey *grey)
{
	const struct riptide_stream stream = {
		.size = sizeof stream, .read = read_rows, .write = write_row, .progress = progress,
		.context = grey,
	};
	struct riptide_page page;
	char inks[RIP_PLANES_MAX + 1];

	rip_page_plan_put(&grey->plan, inks, &page);
	return riptide_run(job->riptide, &page, &stream);
}

static int halftone_image(struct rip_halftone_job *job, struct rip_image *image, unsigned number)
{
	const struct rip_image_options *options = &job->options.image;
	struct grey grey = {
		.image = image, .output = &job->output, .receiver = job->receiver,
		.levels = options->common.levels, .number = number, .line = malloc(image->width),
		.is_png = !job->receiver && rip_suffix_kind(options->out) == RIP_FILE_PNG,
		.plan = {
			.number = number,
			.geometry = { .width = image->width, .height = image->height, .planes = 1,
				      .stride = 1, .sample_bits = image->sample_bits,
				      .light = true },
			.use = rip_image_mask_use(image),
		},
	};
	int r;

	grey.plan.use.inks[0] = job->options.ink;
	r = rip_halftone_plan(job, &grey.plan, image->maxval);
	if (r == 0 && (!grey.line ||
		       rip_page_plan_toner(&grey.plan, read_image, &grey, &grey.toner) < 0))
		r = rip_complain(-ENOMEM, "%s: out of memory", job->input.name);
	if (r == 0)
		r = begin(&grey, &job->options);
	if (r == 0)
		r = run(job, &grey);
	if (r == 0)
		r = end(&grey);
	rip_png_finish(&grey.png);
	free(grey.line);
	rip_toner_save_free(grey.toner);
	rip_page_plan_finish(&grey.plan);
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
		if (r > 0 && !job->receiver &&
		    rip_suffix_kind(job->options.image.out) == RIP_FILE_PNG)
			r = rip_complain(-EINVAL, "%s has several images, and a PNG file takes one:"
					 " choose a name with .pbm or .pgm", job->input.name);
		if (image)
			image->ops->close(image);
	} while (r > 0);
	return r;
}
