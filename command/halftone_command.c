#include "halftone_command.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "halftone_job.h"
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

/* Everything between the command line and the exit status.  0 or -errno. */
static int run(struct rip_halftone_job *job)
{
	const struct rip_image_options *options = &job->options.image;
	int kind, r;

	if (options->curve) {
		r = rip_curve_file_read(&job->curve, options->curve);
		if (r < 0)
			return r;
	}
	r = rip_input_open(&job->input, options->in);
	if (r < 0)
		return r;
	kind = rip_image_kind(&job->input);
	if (kind < 0)
		return kind;
	if (job->options.tiff_option && kind != RIP_IMAGE_TIFF)
		return rip_complain(-EINVAL, "%s is not TIFF, and %s is only for TIFF", job->input.name,
				    job->options.tiff_option);
	/* Before the halftoner starts threads, because the main thread handles out_file.c's
	 * signals. */
	r = kind == RIP_IMAGE_TIFF ? rip_halftone_tiff_open(job)
				   : rip_out_file_open(&job->output, options->out);
	if (r < 0)
		return r;
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
	return r < 0 ? r : rip_out_file_commit(&job->output);
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

/* Under mpirun every process would halftone the whole image.  Reported by the first one. */
static int refuse_mpi(void)
{
	static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };
	static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK" };

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const char *size = getenv(sizes[i]), *rank = getenv(ranks[i]);

		if (!size || atoi(size) < 2)
			continue;
		if (!rank || atoi(rank) == 0)
			rip_wrong_usage("halftone", "each of %d MPI processes would halftone the whole image:"
					" run riptide-mpi, in which they share it", atoi(size));
		return 2;
	}
	return RIP_GO_ON;
}

int rip_halftone_command(int argc, char **argv)
{
	struct rip_halftone_job job = { .input = { .fd = -1 }, .output = { .fd = -1 } };
	int status = rip_halftone_options_parse(&job.options, argc, argv);
	int r;

	if (status == RIP_GO_ON)
		status = refuse_mpi();
	if (status == RIP_GO_ON)
		status = rip_option_image_terminals("halftone", "image", &job.options.image);
	if (status != RIP_GO_ON)
		return status;
	r = run(&job);
	rip_progress_clear();
	rip_halftoner_free(job.halftoner); /* before the bands that it may still have */
	rip_pump_finish(&job.pump);
	rip_halftone_tiff_close(&job);
	rip_out_file_abandon(&job.output);
	rip_input_close(&job.input);
	rip_curve_file_finish(&job.curve);
	return r < 0 ? 1 : 0;
}
