/* One run of `riptide halftone` or `riptide preview`. */
#include "halftone_job.h"

#include <errno.h>
#include <stdlib.h>

#include "command/option.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "command/terminal.h"

/* Logs warnings and errors.  context: a bool that is true to log nothing. */
static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	const bool *silent = context;

	if (level >= RIPTIDE_LOG_WARNING && !*silent)
		rip_complain(0, "%s", text);
}

/* A GPU named by --device must be there.  A GPU method only tries one, and falls back to the
 * processor.  `auto` means the processor, which halftones one image before a GPU has
 * started. */
static int make_riptide(struct rip_halftone_job *job)
{
	const struct rip_halftone_options *options = &job->options;
	const struct rip_common_options *common = &options->image.common;
	struct riptide_config config = {
		.size = sizeof config, .socket = options->socket ? options->socket : "none",
		.method = rip_method_name((int)options->method), .isa = common->isa,
		.threads = common->threads, .device = (uint32_t)(common->device.number + 1),
		.flags = RIPTIDE_OVERLAP, .log = log_line, .context = &job->trying,
	};
	int r;

	if (options->socket)
		config.flags |= RIPTIDE_REQUIRE_DAEMON;
	if (common->device.choice == RIP_CHOOSE_GPU)
		config.flags |= RIPTIDE_REQUIRE_GPU;
	if (!options->socket && common->device.choice == RIP_CHOOSE_AUTO &&
	    rip_method_wants_gpu((int)options->method)) {
		struct riptide_config gpu = config;

		gpu.flags |= RIPTIDE_REQUIRE_GPU;
		job->trying = true;
		r = riptide_new(&gpu, &job->riptide);
		job->trying = false;
		if (r == 0)
			return 0;
	}
	return riptide_new(&config, &job->riptide);
}

/* The format of the dots depends on that of the input.  RIP_GO_ON, or 2: wrong usage. */
static int check_suffix(const struct rip_halftone_job *job, int kind)
{
	const char *out = job->options.image.out;
	int status;

	if (kind == RIP_IMAGE_TIFF)
		return rip_suffix_check("halftone", out, RIP_SUFFIX(TIFF), ".tif",
					", because the dots of TIFF are TIFF");
	if (kind == RIP_IMAGE_RASTER)
		return rip_suffix_check("halftone", out, RIP_SUFFIX(RASTER), ".ras",
					", because the dots of raster are raster");
	status = rip_suffix_check("halftone", out, RIP_SUFFIX_DOTS | RIP_SUFFIX(PNG),
				  ".pbm, .pgm or .png", "");
	return status != RIP_GO_ON ? status :
	       rip_suffix_check_levels("halftone", rip_suffix_kind(out),
				       job->options.image.common.levels, false);
}

int rip_halftone_run(struct rip_halftone_job *job)
{
	const struct rip_image_options *options = &job->options.image;
	int kind, r;

	if (options->curve) {
		r = rip_out_name_check_file(options->out, options->curve, "curve");
		if (r == 0)
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
		return rip_complain(-EINVAL, "%s is not TIFF, and %s is only for TIFF",
				    job->input.name, job->options.tiff_option);
	if (job->inks && kind != RIP_IMAGE_RASTER)
		return rip_complain(-EINVAL, "%s is not raster, and --inks is only for that",
				    job->input.name);
	if (job->options.ink_named && kind == RIP_IMAGE_RASTER)
		return rip_complain(-EINVAL, "%s is raster, whose pages say what their inks are,"
				    " and --ink is not for that", job->input.name);
	if (job->options.light_inks && kind != RIP_IMAGE_RASTER)
		return rip_complain(-EINVAL, "%s is not CUPS raster,"
				    " and --light-inks is only for that", job->input.name);
	r = job->receiver ? RIP_GO_ON : check_suffix(job, kind);
	if (r != RIP_GO_ON)
		return r;
	r = 0;
	/* Before libriptide starts threads, because the main thread handles out_file.c's
	 * signals. */
	if (kind == RIP_IMAGE_TIFF)
		r = rip_halftone_tiff_open(job);
	else if (!job->receiver)
		r = rip_out_name_check_input(options->out, job->input.fd);
	if (r == 0 && kind != RIP_IMAGE_TIFF && !job->receiver)
		r = rip_out_file_open(&job->output, options->out);
	if (r == 0)
		r = make_riptide(job);
	if (r < 0)
		return r;
	if (kind == RIP_IMAGE_TIFF)
		return rip_halftone_tiff(job);
	r = kind == RIP_IMAGE_RASTER ? rip_halftone_raster(job) :
				       rip_halftone_images(job, kind);
	return r < 0 || job->receiver ? r : rip_out_file_commit(&job->output);
}

void rip_halftone_finish(struct rip_halftone_job *job)
{
	rip_progress_clear();
	riptide_free(job->riptide);
	rip_halftone_tiff_close(job);
	if (!job->receiver) /* which may have a file of its own */
		rip_out_file_abandon(&job->output);
	rip_input_close(&job->input);
	rip_curve_file_finish(&job->curve);
	free(job->first);
}

int rip_halftone_plan(struct rip_halftone_job *job, struct rip_page_plan *plan, uint32_t maxval)
{
	const struct rip_image_options *options = &job->options.image;
	const struct rip_screen_option *screen = &options->common.screen;
	char why[256];
	int r;

	rip_image_options_resolution(options, &plan->use.x_dpi, &plan->use.y_dpi);
	plan->screen = screen->screen;
	plan->labels = screen->labels;
	if (!plan->screen) {
		r = rip_mask_screen_init(&plan->mask, screen->mask, &plan->use, why, sizeof why);
		if (r < 0)
			return rip_complain(r, "%s: %s", job->input.name, why);
		plan->screen = &plan->mask.base;
	}
	plan->output.levels = options->common.levels;
	plan->method = job->options.method;
	plan->tone = job->options.tone;
	plan->flags = options->start == RIP_START_ZERO ? RIPTIDE_START_ZERO : 0;
	plan->band_rows = job->options.band_rows;
	free(job->first);
	r = rip_curve_file_table(&job->curve, maxval, plan->geometry.sample_bits, &job->first);
	plan->first = job->first;
	if (r == 0)
		r = rip_page_plan_tones(plan, &job->planner);
	return r < 0 ? rip_complain(r, "%s: out of memory", job->input.name) : 0;
}

/* ---- riptide halftone ---- */

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
			rip_wrong_usage("halftone", "each of %d MPI processes would halftone the"
					" whole image:"
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
		status = rip_option_image_terminals("halftone", "image", "dots",
						    &job.options.image);
	if (status != RIP_GO_ON)
		return status;
	r = rip_halftone_run(&job);
	rip_halftone_finish(&job);
	return r < 0 ? 1 : r;
}
