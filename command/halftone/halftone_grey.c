/* Halftones grey images. */
#include "halftone_job.h"

#include <errno.h>

#include "image/complain.h"
#include "command/picture_file.h"
#include "command/terminal.h"

/* A grey image that is being halftoned. */
struct grey {
	struct rip_image  *image;
	const struct rip_dot_receiver *receiver;
	struct rip_around *around; /* that the rows go through, or NULL */
	struct rip_page_plan plan;
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

	return grey->around ? rip_around_rows(grey->around, rows, 1, lines) :
			      read_image(grey, rows[0], lines);
}

static int write_row(void *context, const uint8_t *const dots[])
{
	const struct rip_dot_receiver *receiver = ((struct grey *)context)->receiver;

	return receiver->row(receiver->context, dots);
}

static void progress(void *context, uint64_t written, uint64_t lines)
{
	struct grey *grey = context;

	rip_progress(grey->image->input->name, grey->plan.number, written, lines);
}

static int run(struct rip_halftone_job *job, struct grey *grey)
{
	const struct riptide_stream stream = {
		.size = sizeof stream, .read = read_rows, .write = write_row, .progress = progress,
		.context = grey,
	};
	struct rip_dot_page dots = {
		.width = grey->image->width, .height = grey->image->height, .planes = 1,
		.levels = grey->plan.output.levels, .x_dpi = grey->plan.use.x_dpi,
		.y_dpi = grey->plan.use.y_dpi, .light = true, .inks = { job->options.ink },
	};
	struct riptide_page page;
	char inks[RIP_PLANES_MAX + 1];
	int r = grey->receiver->begin(grey->receiver->context, &dots);

	rip_page_plan_put(&grey->plan, inks, &page);
	if (r == 0)
		r = riptide_run(job->riptide, &page, &stream);
	return r < 0 ? r : grey->receiver->end(grey->receiver->context);
}

static int halftone_image(struct rip_halftone_job *job, struct rip_image *image, unsigned number,
			  const struct rip_dot_receiver *receiver)
{
	struct grey grey = {
		.image = image, .receiver = receiver,
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
	if (r == 0 && rip_page_plan_around(&grey.plan, read_image, &grey, &grey.around) < 0)
		r = rip_complain(-ENOMEM, "%s: out of memory", job->input.name);
	if (r == 0)
		r = run(job, &grey);
	rip_around_free(grey.around);
	rip_page_plan_finish(&grey.plan);
	return r;
}

int rip_halftone_images(struct rip_halftone_job *job, int kind)
{
	struct rip_picture_file file = {
		.file = &job->output,
		.is_png = rip_suffix_kind(job->options.image.out) == RIP_FILE_PNG,
	};
	const struct rip_dot_receiver own = rip_picture_file_receiver(&file);
	unsigned number = 1;
	int r;

	do {
		struct rip_image *image;

		r = rip_image_open(&job->input, kind, -1, &image);
		if (r == 0)
			r = halftone_image(job, image, number++,
					   job->receiver ? job->receiver : &own);
		if (r == 0)
			r = image->ops->end(image);
		if (r > 0 && !job->receiver && file.is_png)
			r = rip_complain(-EINVAL, "%s has several images, and a PNG file takes one:"
					 " choose a name with .pbm or .pgm", job->input.name);
		if (image)
			image->ops->close(image);
	} while (r > 0);
	rip_picture_file_finish(&file);
	return r;
}
