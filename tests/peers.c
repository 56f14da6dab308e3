/* Other people's error diffusion. */
#include "config.h"

#include "peers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef HAVE_ZIMG
#include <zimg.h>

/* zimg: grey 8 to depth 1, full range, error diffusion; a byte a dot. */
static struct {
	zimg_filter_graph *graph;
	void *tmp;
	uint8_t *out;
	size_t pitch;
} zimg;

static int zimg_open(uint32_t width, uint32_t height)
{
	zimg_image_format from, to;
	zimg_graph_builder_params params;
	size_t tmp_size = 0;
	char message[256];

	zimg_image_format_default(&from, ZIMG_API_VERSION);
	from.width = width;
	from.height = height;
	from.pixel_type = ZIMG_PIXEL_BYTE;
	from.depth = 8;
	from.color_family = ZIMG_COLOR_GREY;
	from.pixel_range = ZIMG_RANGE_FULL;
	to = from;
	to.depth = 1;
	zimg_graph_builder_params_default(&params, ZIMG_API_VERSION);
	params.dither_type = ZIMG_DITHER_ERROR_DIFFUSION;
	params.cpu_type = ZIMG_CPU_AUTO_64B;
	zimg.graph = zimg_filter_graph_build(&from, &to, &params);
	if (!zimg.graph || zimg_filter_graph_get_tmp_size(zimg.graph, &tmp_size)) {
		zimg_get_last_error(message, sizeof message);
		fprintf(stderr, "zimg: %s\n", message);
		return -1;
	}
	zimg.pitch = (width + 63) / 64 * 64 + 64;
	zimg.tmp = aligned_alloc(64, (tmp_size + 63) / 64 * 64 + 64);
	zimg.out = aligned_alloc(64, zimg.pitch * height);
	return zimg.tmp && zimg.out ? 0 : -1;
}

static int zimg_run(const uint8_t *in, size_t pitch)
{
	zimg_image_buffer_const from = { .version = ZIMG_API_VERSION };
	zimg_image_buffer to = { .version = ZIMG_API_VERSION };

	from.plane[0].data = in;
	from.plane[0].stride = (ptrdiff_t)pitch;
	from.plane[0].mask = ZIMG_BUFFER_MAX;
	to.plane[0].data = zimg.out;
	to.plane[0].stride = (ptrdiff_t)zimg.pitch;
	to.plane[0].mask = ZIMG_BUFFER_MAX;
	return zimg_filter_graph_process(zimg.graph, &from, &to, zimg.tmp, NULL, NULL, NULL, NULL);
}

static void zimg_close(void)
{
	zimg_filter_graph_free(zimg.graph);
	free(zimg.tmp);
	free(zimg.out);
}
#endif

#ifdef HAVE_CUPSFILTERS
#include <cupsfilters/driver.h>

#ifdef CF_MAX_LUT /* libcupsfilters 2 has other names for the same */
typedef cf_dither_t cups_dither_t;
typedef cf_lut_t    cups_lut_t;
#define cupsDitherNew    cfDitherNew
#define cupsDitherLine   cfDitherLine
#define cupsDitherDelete cfDitherDelete
#define cupsLutNew(values, levels) cfLutNew(values, levels, NULL, NULL)
#define cupsLutDelete    cfLutDelete
#endif

/* libcupsfilters: cupsDitherLine, a byte a dot. */
static struct {
	cups_dither_t *dither;
	cups_lut_t *lut;
	short *line;
	uint8_t *out;
	uint32_t width, height;
} cups;

static int cups_open(uint32_t width, uint32_t height)
{
	static const float levels[] = { 0.0f, 1.0f };
	const int log = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);

	cups.width = width;
	cups.height = height;
	cups.dither = cupsDitherNew((int)width);
	/* It tells its table, as a filter does in a job. */
	dup2(nowhere, STDERR_FILENO);
	cups.lut = cupsLutNew(2, levels);
	dup2(log, STDERR_FILENO);
	close(nowhere);
	close(log);
	cups.line = malloc(width * sizeof *cups.line);
	cups.out = malloc(width);
	return cups.dither && cups.lut && cups.line && cups.out ? 0 : -1;
}

static int cups_run(const uint8_t *in, size_t pitch)
{
	for (uint32_t i = 0; i < cups.height; i++, in += pitch) {
		for (uint32_t j = 0; j < cups.width; j++)
			cups.line[j] = (short)(in[j] * 16); /* its inputs are 12 bits deep */
		cupsDitherLine(cups.dither, cups.lut, cups.line, 1, cups.out);
	}
	return 0;
}

static void cups_close(void)
{
	cupsDitherDelete(cups.dither);
	cupsLutDelete(cups.lut);
	free(cups.line);
	free(cups.out);
}
#endif

const struct peer peers[] = {
#ifdef HAVE_ZIMG
	{ "zimg", zimg_open, zimg_run, zimg_close },
#endif
#ifdef HAVE_CUPSFILTERS
	{ "cupsDitherLine", cups_open, cups_run, cups_close },
#endif
	{ 0 },
};
