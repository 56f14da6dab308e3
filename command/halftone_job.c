/* One run of `riptide halftone` or `riptide preview`. */
#include "halftone_job.h"

#include <errno.h>

#include "image/complain.h"
#include "terminal.h"

/* Logs warnings and errors.  context: a bool that is true to log nothing. */
static void log_line(void *context, enum rip_log_level level, const char *text)
{
	const bool *silent = context;

	if (level >= RIP_LOG_WARNING && !*silent)
		rip_complain(0, "%s", text);
}

/* A GPU named by --device must be there.  A GPU method only tries one, and falls back to the
 * processor.  `auto` means the processor, which halftones one image before a GPU has
 * started. */
static int make_halftoner(struct rip_halftone_job *job)
{
	const struct rip_halftone_options *options = &job->options;
	struct rip_halftoner_config config = {
		.socket = options->socket,
		.required = options->socket != NULL,
		.method = options->method,
		.isa = options->image.common.isa,
		.threads = options->image.common.threads,
		.want_gpu = options->image.common.device.choice == RIP_CHOOSE_GPU,
		.device = options->image.common.device.number,
		.log = log_line,
		.context = &job->trying,
	};
	int r;

	if (!options->socket && options->image.common.device.choice == RIP_CHOOSE_AUTO &&
	    rip_method_wants_gpu((int)options->method)) {
		struct rip_halftoner_config gpu = config;

		gpu.want_gpu = true;
		job->trying = true;
		r = rip_halftoner_new(&gpu, &job->halftoner);
		job->trying = false;
		if (r == 0)
			return 0;
	}
	return rip_halftoner_new(&config, &job->halftoner);
}

int rip_halftone_run(struct rip_halftone_job *job)
{
	const struct rip_image_options *options = &job->options.image;
	int kind, r;

	if (options->curve) {
		r = rip_curve_file_read(&job->curve, options->curve);
		if (r < 0)
			return r;
	}
	r = job->input.fd < 0 ? rip_input_open(&job->input, options->in) : 0;
	if (r < 0)
		return r;
	kind = rip_image_kind(&job->input);
	if (kind < 0)
		return kind;
	if (job->options.tiff_option && kind != RIP_IMAGE_TIFF)
		return rip_complain(-EINVAL, "%s is not TIFF, and %s is only for TIFF", job->input.name,
				    job->options.tiff_option);
	if (job->options.light_inks &&
	    (kind == RIP_IMAGE_PNM || kind == RIP_IMAGE_JPEG || kind == RIP_IMAGE_TIFF))
		return rip_complain(-EINVAL, "%s is not CUPS raster, and --light-inks is only for that",
				    job->input.name);
	/* Before the halftoner starts threads, because the main thread handles out_file.c's
	 * signals. */
	if (kind == RIP_IMAGE_TIFF)
		r = rip_halftone_tiff_open(job);
	else if (!job->receiver)
		r = rip_out_file_open(&job->output, options->out);
	if (r == 0)
		r = make_halftoner(job);
	if (r < 0)
		return r;
	switch (kind) {
	case RIP_IMAGE_PNM:
		r = rip_halftone_images(job, rip_image_pnm_open);
		break;
	case RIP_IMAGE_JPEG:
		r = rip_halftone_images(job, rip_image_jpeg_open);
		break;
	case RIP_IMAGE_TIFF:
		return rip_halftone_tiff(job);
	default:
		r = rip_halftone_raster(job);
		break;
	}
	return r < 0 || job->receiver ? r : rip_out_file_commit(&job->output);
}

void rip_halftone_finish(struct rip_halftone_job *job)
{
	rip_progress_clear();
	rip_halftoner_free(job->halftoner); /* before the bands that it may still have */
	rip_pump_finish(&job->pump);
	rip_halftone_tiff_close(job);
	if (!job->receiver) /* which may have a file of its own */
		rip_out_file_abandon(&job->output);
	rip_input_close(&job->input);
	rip_curve_file_finish(&job->curve);
}

double rip_halftone_dpi(const struct rip_halftone_job *job, unsigned x_dpi, unsigned y_dpi)
{
	rip_image_options_resolution(&job->options.image, &x_dpi, &y_dpi);
	return x_dpi < y_dpi ? x_dpi : y_dpi;
}

int rip_halftone_screen(struct rip_halftone_job *job, const struct rip_mask_use *use,
			const struct rip_screen **screen)
{
	const struct rip_image_options *options = &job->options.image;
	struct rip_mask_use mine = *use;
	char why[256];
	int r;

	*screen = options->common.screen.screen;
	if (*screen)
		return 0;
	rip_image_options_resolution(options, &mine.x_dpi, &mine.y_dpi);
	r = rip_page_mask(&job->screens, options->common.screen.mask, &mine, screen, why, sizeof why);
	return r < 0 ? rip_complain(r, "%s: %s", job->input.name, why) : 0;
}
