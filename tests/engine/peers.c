/* Other people's halftoning. */
#include "config.h"

#include "peers.h"
#include "pinwheel.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_ZIMG
#include <zimg.h>

/* zimg: grey 8 to depth 1, full range, error diffusion; a byte a dot. */
static struct {
	zimg_filter_graph *graph;
	void *tmp;
	uint8_t *out;
	size_t pitch;
	uint32_t width, height;
} zimg;

static int zimg_open(uint32_t width, uint32_t height)
{
	zimg_image_format from, to;
	zimg_graph_builder_params params;
	size_t tmp_size = 0;
	char message[256];

	zimg.width = width;
	zimg.height = height;
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

static int zimg_run(const uint8_t *in, size_t pitch, uint8_t *dots, size_t dots_pitch)
{
	zimg_image_buffer_const from = { .version = ZIMG_API_VERSION };
	zimg_image_buffer to = { .version = ZIMG_API_VERSION };

	from.plane[0].data = in;
	from.plane[0].stride = (ptrdiff_t)pitch;
	from.plane[0].mask = ZIMG_BUFFER_MAX;
	to.plane[0].data = zimg.out;
	to.plane[0].stride = (ptrdiff_t)zimg.pitch;
	to.plane[0].mask = ZIMG_BUFFER_MAX;
	if (zimg_filter_graph_process(zimg.graph, &from, &to, zimg.tmp, NULL, NULL, NULL, NULL))
		return -1;
	for (uint32_t i = 0; dots && i < zimg.height; i++)
		memcpy(dots + i * dots_pitch, zimg.out + i * zimg.pitch, zimg.width);
	return 0;
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
#define CUPS_MAX_LUT     CF_MAX_LUT
#endif

/* libcupsfilters: cupsDitherLine, a byte a dot. */
static struct {
	cups_dither_t *dither;
	cups_lut_t *lut;
	short ink[256]; /* of a light sample; its inputs are 12 bits deep */
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
	for (int v = 0; v < 256; v++)
		cups.ink[v] = (short)(CUPS_MAX_LUT * (255 - v) / 255);
	cups.line = malloc(width * sizeof *cups.line);
	cups.out = malloc(width);
	return cups.dither && cups.lut && cups.line && cups.out ? 0 : -1;
}

static int cups_run(const uint8_t *in, size_t pitch, uint8_t *dots, size_t dots_pitch)
{
	for (uint32_t i = 0; i < cups.height; i++, in += pitch) {
		for (uint32_t j = 0; j < cups.width; j++)
			cups.line[j] = cups.ink[in[j]];
		cupsDitherLine(cups.dither, cups.lut, cups.line, 1, cups.out);
		for (uint32_t j = 0; dots && j < cups.width; j++)
			dots[i * dots_pitch + j] = !cups.out[j];
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

#ifdef HAVE_GUTENPRINT
#include <gutenprint/gutenprint.h>
#include <gutenprint/dither.h>

/* Gutenprint: its EvenTone, for a printer with one size of dots, a bit a dot. */
static struct {
	unsigned char  *packed;
	unsigned short *line;
	uint32_t width, height;
} eventone;

static int eventone_width(stp_image_t *image)
{
	return (int)eventone.width;
}

static void eventone_discard(void *file, const char *text, size_t size)
{
}

static int eventone_open(uint32_t width, uint32_t height)
{
	static bool ready;

	if (!ready && stp_init()) {
		fprintf(stderr, "Gutenprint: it finds no data of its own\n");
		return -1;
	}
	ready = true;
	eventone.width = width;
	eventone.height = height;
	eventone.packed = malloc((width + 7) / 8);
	eventone.line = malloc(width * sizeof *eventone.line);
	return eventone.packed && eventone.line ? 0 : -1;
}

/* Prepares a page of some inks, each of which gets its dots in a row of its own. */
static stp_vars_t *eventone_page(stp_image_t *image, const int inks[], unsigned count,
				 unsigned char *const packed[])
{
	static const stp_dotsize_t size = { 1, 1.0 };
	static const stp_shade_t shade = { 1.0, 1, &size };
	stp_vars_t *v = stp_vars_create();

	if (!v)
		return NULL;
	stp_set_driver(v, "escp2-ex");
	stp_set_outfunc(v, eventone_discard);
	stp_set_errfunc(v, eventone_discard);
	stp_set_string_parameter(v, "DitherAlgorithm", "EvenTone");
	stp_set_string_parameter(v, "ChannelBitDepth", "8");
	stp_set_string_parameter(v, "PrintingMode", count > 1 ? "Color" : "BW");
	stp_set_string_parameter(v, "InputImageType", count > 1 ? "CMY" : "Grayscale");
	stp_dither_init(v, image, (int)eventone.width, 1, 1);
	for (unsigned p = 0; p < count; p++)
		stp_dither_add_channel(v, packed[p], (unsigned char)inks[p], 0);
	stp_set_float_parameter(v, "GCRLower", 0.25);
	stp_set_float_parameter(v, "GCRUpper", 0.5);
	for (unsigned p = 0; p < count; p++)
		stp_dither_set_inks_full(v, inks[p], 1, &shade, 1.0, 1.0);
	stp_dither_set_ink_spread(v, 13);
	return v;
}

static int eventone_run(const uint8_t *in, size_t pitch, uint8_t *dots, size_t dots_pitch)
{
	stp_image_t image = { .width = eventone_width };
	stp_vars_t *v = eventone_page(&image, (const int[]){ STP_ECOLOR_K }, 1, &eventone.packed);

	if (!v)
		return -1;
	for (uint32_t i = 0; i < eventone.height; i++, in += pitch) {
		for (uint32_t j = 0; j < eventone.width; j++)
			eventone.line[j] = (unsigned short)((255 - in[j]) * 257);
		stp_dither_internal(v, (int)i, eventone.line, 0, 0, NULL);
		for (uint32_t j = 0; dots && j < eventone.width; j++)
			dots[i * dots_pitch + j] = !(eventone.packed[j / 8] >> (7 - j % 8) & 1);
	}
	stp_vars_destroy(v);
	return 0;
}

static void eventone_close(void)
{
	free(eventone.packed);
	free(eventone.line);
}

int eventone_inks(const uint8_t *const ink[3], uint32_t width, uint32_t height,
		  uint8_t *const dots[3])
{
	static const int inks[3] = { STP_ECOLOR_C, STP_ECOLOR_M, STP_ECOLOR_Y };
	const size_t pitch = (width + 7) / 8;
	stp_image_t image = { .width = eventone_width };
	unsigned char *packed = malloc(3 * pitch);
	unsigned short *line = malloc(3 * width * sizeof *line);
	stp_vars_t *v = NULL;

	if (packed && line && eventone_open(width, height) == 0) {
		v = eventone_page(&image, inks, 3,
				  (unsigned char *const[]){ packed, packed + pitch,
							    packed + 2 * pitch });
		eventone_close();
	}
	for (uint32_t i = 0; v && i < height; i++) {
		const size_t row = (size_t)i * width;

		for (uint32_t j = 0; j < 3 * width; j++)
			line[j] = (unsigned short)(ink[j % 3][row + j / 3] * 257);
		stp_dither_internal(v, (int)i, line, 0, 0, NULL);
		for (uint32_t j = 0; j < 3 * width; j++)
			dots[j / width][row + j % width] =
				packed[j / width * pitch + j % width / 8] >> (7 - j % width % 8) &
				1;
	}
	if (v)
		stp_vars_destroy(v);
	free(packed);
	free(line);
	return v ? 0 : -1;
}
#else
int eventone_inks(const uint8_t *const ink[3], uint32_t width, uint32_t height,
		  uint8_t *const dots[3])
{
	return -1;
}
#endif

/* Pinwheel error diffusion, written here after the papers. */
static struct {
	struct pinwheel *state;
	uint8_t *out;
	uint32_t width, height;
} pinwheel;

static int pinwheel_open(uint32_t width, uint32_t height)
{
	pinwheel.width = width;
	pinwheel.height = height;
	pinwheel.state = pinwheel_new(width, height);
	pinwheel.out = malloc((size_t)width * height);
	return pinwheel.state && pinwheel.out ? 0 : -1;
}

static int pinwheel_run(const uint8_t *in, size_t pitch, uint8_t *dots, size_t dots_pitch)
{
	pinwheel_halftone(pinwheel.state, in, pitch, dots ? dots : pinwheel.out,
			  dots ? dots_pitch : pinwheel.width);
	return 0;
}

static void pinwheel_close(void)
{
	pinwheel_free(pinwheel.state);
	free(pinwheel.out);
}

/* Pillow: a Python that has the picture, and halftones it whenever it gets a byte. */
static const char pillow_script[] =
	"import socket, sys\n"
	"try:\n"
	"    from PIL import Image\n"
	"except ImportError:\n"
	"    sys.exit(3)\n"
	"width, height = int(sys.argv[1]), int(sys.argv[2])\n"
	"line = socket.socket(fileno=0)\n"
	"line.sendall(b'y')\n"
	"data = bytearray(width * height)\n"
	"at = memoryview(data)\n"
	"while len(at):\n"
	"    at = at[line.recv_into(at):]\n"
	"image = Image.frombuffer('L', (width, height), bytes(data), 'raw', 'L', 0, 1)\n"
	"while line.recv(1):\n"
	"    image.convert('1')\n"
	"    line.sendall(b'y')\n";

extern char **environ;

static struct {
	pid_t    pid;
	int      line;
	bool     has_picture;
	uint32_t width, height;
} pillow;

static bool pillow_says_done(void)
{
	char done;

	return recv(pillow.line, &done, 1, 0) == 1;
}

static void pillow_close(void)
{
	close(pillow.line);
	waitpid(pillow.pid, NULL, 0);
}

/* Whether that Python is there, and has Pillow. */
static bool pillow_start(const char *python, uint32_t width, uint32_t height)
{
	char columns[16], rows[16];
	char *const arguments[] = { (char *)python, (char *)"-c", (char *)pillow_script,
				    columns,        rows,         NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], r;

	snprintf(columns, sizeof columns, "%u", width);
	snprintf(rows, sizeof rows, "%u", height);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
	r = posix_spawnp(&pillow.pid, python, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (r) {
		close(ends[0]);
		return false;
	}
	pillow.line = ends[0];
	if (pillow_says_done())
		return true;
	pillow_close();
	return false;
}

static int pillow_open(uint32_t width, uint32_t height)
{
	pillow.width = width;
	pillow.height = height;
	pillow.has_picture = false;
	/* A Python of one's own may come before the system's. */
	if (pillow_start("python3", width, height) ||
	    pillow_start("/usr/bin/python3", width, height))
		return 0;
	fprintf(stderr, "Pillow is left out: no python3 here has it (Debian: python3-pil)\n");
	return -1;
}

static bool pillow_send(const uint8_t *data, size_t size)
{
	while (size > 0) {
		const ssize_t n = send(pillow.line, data, size, MSG_NOSIGNAL);

		if (n < 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

static int pillow_run(const uint8_t *in, size_t pitch, uint8_t *dots, size_t dots_pitch)
{
	const uint8_t go = 'g';

	if (dots)
		return -1; /* the dots stay in Python */
	for (uint32_t i = 0; i < pillow.height && !pillow.has_picture; i++)
		if (!pillow_send(in + i * pitch, pillow.width))
			return -1;
	pillow.has_picture = true;
	return pillow_send(&go, 1) && pillow_says_done() ? 0 : -1;
}

const struct peer peers[] = {
#ifdef HAVE_ZIMG
	{ "zimg", zimg_open, zimg_run, zimg_close },
#endif
#ifdef HAVE_CUPSFILTERS
	{ "cupsDitherLine", cups_open, cups_run, cups_close },
#endif
#ifdef HAVE_GUTENPRINT
	{ "EvenTone", eventone_open, eventone_run, eventone_close },
#endif
	{ "pinwheel", pinwheel_open, pinwheel_run, pinwheel_close },
	{ "Pillow", pillow_open, pillow_run, pillow_close },
	{ 0 },
};

const char *const peers_missing[] = {
#ifndef HAVE_ZIMG
	"zimg (Debian: libzimg-dev)",
#endif
#ifndef HAVE_CUPSFILTERS
	"cupsDitherLine (Debian: libcupsfilters-dev)",
#endif
#ifndef HAVE_GUTENPRINT
	"EvenTone (Debian: libgutenprint-dev)",
#endif
	NULL,
};
