#include "halftone_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "curve_file.h"
#include "halftone_options.h"
#include "image.h"
#include "out_file.h"
#include "pages.h"
#include "terminal.h"

struct command {
	struct rip_halftone_options options;
	struct rip_input      input;
	struct rip_out_file     output;
	struct rip_curve_file curve;
	struct rip_halftoner *halftoner;
};

/* One grey image on its way. */
struct grey {
	struct rip_image  *image;
	struct rip_out_file *output;
	uint32_t           levels;
	uint8_t           *line; /* a row of the output file */
};

static int read_grey(void *context, struct rip_band *band)
{
	struct grey *grey = context;
	int r = grey->image->ops->row(grey->image, rip_band_row(band, 0));

	if (r == 0)
		rip_band_commit(band, 0);
	return r;
}

/* PBM: 1 is black, so the dots of light are turned round; the bits behind the
 * last column stay 0. */
static size_t pbm_line(const uint8_t *dots, uint32_t width, uint8_t *line)
{
	const size_t bytes = rip_dot_bytes(width, 2);

	for (size_t i = 0; i < bytes; i++)
		line[i] = (uint8_t)~dots[i];
	if (width % 8)
		line[bytes - 1] &= (uint8_t)(0xff00 >> (width % 8));
	return bytes;
}

/* PGM: a byte for each level. */
static size_t pgm_line(const uint8_t *dots, uint32_t width, uint32_t levels, uint8_t *line)
{
	const uint32_t bits = rip_dot_bits(levels), in_byte = 8 / bits;
	const uint8_t mask = (uint8_t)((1 << bits) - 1);

	for (uint32_t j = 0; j < width; j++)
		line[j] = (uint8_t)(dots[j / in_byte] >> (8 - bits * (j % in_byte + 1))) & mask;
	return width;
}

static int write_grey(void *context, const struct rip_band *band, uint32_t row)
{
	struct grey *grey = context;
	const uint8_t *dots = rip_band_dots(band, 0, row);
	size_t size = grey->levels == 2
			      ? pbm_line(dots, grey->image->width, grey->line)
			      : pgm_line(dots, grey->image->width, grey->levels, grey->line);

	return rip_out_file_write(grey->output, grey->line, size);
}

static int write_grey_header(const struct grey *grey)
{
	char header[64];
	int n;

	if (grey->levels == 2)
		n = snprintf(header, sizeof header, "P4\n%u %u\n", grey->image->width,
			     grey->image->height);
	else
		n = snprintf(header, sizeof header, "P5\n%u %u\n%u\n", grey->image->width,
			     grey->image->height, grey->levels - 1);
	return rip_out_file_write(grey->output, header, (size_t)n);
}

static int halftone_grey(struct command *command, struct rip_image *image, uint32_t number)
{
	struct grey grey = { image, &command->output, command->options.levels, NULL };
	uint16_t *curve = NULL;
	struct rip_page_job job;
	int r = rip_curve_file_table(&command->curve, image->maxval, image->sample_bits, &curve);

	grey.line = malloc(image->width);
	if (r < 0 || !grey.line) {
		r = rip_complain(-ENOMEM, "%s: out of memory", command->input.name);
		goto done;
	}
	job = (struct rip_page_job){
		.spec = { .width = image->width,
			  .planes = 1,
			  .levels = command->options.levels,
			  .sample_bits = image->sample_bits,
			  .filter = command->options.filter,
			  .curve = curve },
		.height = image->height,
		.start = command->options.start,
		.band_rows = command->options.band_rows,
		.read = read_grey,
		.write = write_grey,
		.context = &grey,
		.name = command->input.name,
		.number = number,
	};
	r = write_grey_header(&grey);
	if (r == 0)
		r = rip_page_job_run(&job, &command->halftoner);
done:
	free(grey.line);
	free(curve);
	return r;
}

static int halftone_images(struct command *command,
			   int (*open)(struct rip_input *, struct rip_image **))
{
	int r;
	uint32_t number = 1;

	do {
		struct rip_image *image;

		r = open(&command->input, &image);
		if (r < 0)
			return r;
		r = halftone_grey(command, image, number++);
		if (r == 0)
			r = image->ops->end(image);
		image->ops->close(image);
	} while (r > 0);
	return r;
}

static void log_line(void *context, enum rip_log_level level, const char *text)
{
	(void)context;
	if (level >= RIP_LOG_WARNING)
		rip_complain(0, "%s", text);
}

static void log_nothing(void *context, enum rip_log_level level, const char *text)
{
}

/* A GPU that is asked for by name has to be there.  One that only a method's name
 * asks for is tried, and otherwise the processor does it.  `auto` is the
 * processor: one image is done there before a GPU has started. */
static int make_halftoner(struct command *command)
{
	const struct rip_halftone_options *options = &command->options;
	struct rip_halftoner_config config = {
		.socket = options->socket,
		.required = options->socket != NULL,
		.method = options->method,
		.isa = options->isa,
		.threads = options->threads,
		.want_gpu = options->device.choice == RIP_CHOOSE_GPU,
		.device = options->device.number,
		.log = log_line,
	};

	if (!options->socket && options->device.choice == RIP_CHOOSE_AUTO &&
	    rip_method_wants_gpu((int)options->method)) {
		struct rip_halftoner_config gpu = config;

		gpu.want_gpu = true;
		gpu.log = log_nothing;
		if (rip_halftoner_new(&gpu, &command->halftoner) == 0)
			return 0;
	}
	return rip_halftoner_new(&config, &command->halftoner);
}

/* Everything between the command line and the exit status.  0 or -errno. */
static int run(struct command *command)
{
	const struct rip_halftone_options *options = &command->options;
	int kind, r;

	if (options->curve) {
		r = rip_curve_file_read(&command->curve, options->curve);
		if (r < 0)
			return r;
	}
	r = rip_input_open(&command->input, options->in);
	if (r < 0)
		return r;
	kind = rip_image_kind(&command->input);
	if (kind < 0)
		return kind;
	/* Before the halftoner makes threads: out_file.c's signals are the main
	 * thread's. */
	r = rip_out_file_open(&command->output, options->out);
	if (r < 0)
		return r;
	r = make_halftoner(command);
	if (r < 0)
		return r;
	switch (kind) {
	case RIP_IMAGE_PNM:
		r = halftone_images(command, rip_image_pnm_open);
		break;
	default:
		r = halftone_images(command, rip_image_jpeg_open);
		break;
	}
	return r < 0 ? r : rip_out_file_commit(&command->output);
}

/* Binary data on a terminal helps nobody. */
static int refuse_terminals(const struct rip_halftone_options *options)
{
	if ((!options->out || !strcmp(options->out, "-")) && isatty(STDOUT_FILENO))
		return rip_wrong_usage("halftone", "the dots would go to the terminal: name a file"
				       " with -o, or redirect standard output");
	if ((!options->in || !strcmp(options->in, "-")) && isatty(STDIN_FILENO))
		return rip_wrong_usage("halftone", "the image would come from the terminal: name a file,"
				       " or redirect standard input");
	return RIP_GO_ON;
}

int rip_halftone_command(int argc, char **argv)
{
	struct command command = { .input = { .fd = -1 }, .output = { .fd = -1 } };
	int status = rip_halftone_options_parse(&command.options, argc, argv);
	int r;

	if (status == RIP_GO_ON)
		status = refuse_terminals(&command.options);
	if (status != RIP_GO_ON)
		return status;
	r = run(&command);
	rip_progress_clear();
	rip_halftoner_free(command.halftoner);
	rip_out_file_abandon(&command.output);
	rip_input_close(&command.input);
	rip_curve_file_finish(&command.curve);
	return r < 0 ? 1 : 0;
}
