/*
 * A page and its bands whose pixels, curve and carries change while they are read:
 * a timer's signal scribbles over the ring's input area, between any two instructions
 * of the code that reads it, as a hostile client could.  Whatever is read, the dots
 * that come out are levels, carries are in range, and nothing else is written.
 *
 *	bytes 0..11  page: width (2), planes, levels, bits and curve and start, screen,
 *	             curve offset (2), carry offset (2), method, 1: bands have pixels
 *	then bands   of pixels: lines, samples, pitch, offset (2);
 *	             strips: rows, pitches, offsets (14 bytes); at most BANDS
 *	the rest     what is scribbled
 */
#include "tests/fuzz/fuzz.h"

#include <signal.h>
#include <time.h>

#include "wire/check.h"
#include "daemon/ring_page.h"
#include "halftone/engine_cpu.h"

#define IN    (160 << 10) /* bytes: a curve for 16 bits, and some */
#define OUT   (16 << 10)
#define WIDTH 140
#define BANDS 4
#define SCRIBBLE_NS 200000 /* so often */
#define UNTOUCHED 0xa5

/* What the signal writes, and where; in is NULL while it must not. */
static struct {
	uint8_t *volatile in;
	struct input      what;
	size_t            at;
	unsigned          turn;
} scribbler;

static unsigned take(struct input *input, unsigned bytes)
{
	unsigned value = 0;

	for (; bytes; bytes--, input->data += input->size > 0, input->size -= input->size > 0)
		value = value << 8 | (input->size ? *input->data : 0);
	return value;
}

NO_COVERAGE static void scribble(int signal_number)
{
	for (size_t i = 0; scribbler.in && i < scribbler.what.size; i++) {
		/* A stride that comes to every place, odd ones too. */
		scribbler.in[scribbler.at] = (uint8_t)(scribbler.what.data[i] + scribbler.turn);
		scribbler.at = (scribbler.at + 4093) % IN;
	}
	scribbler.turn++;
}

static void setup(void)
{
	const struct itimerspec often = { { 0, SCRIBBLE_NS }, { 0, SCRIBBLE_NS } };
	struct sigaction action = { .sa_handler = scribble, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2 };
	timer_t timer;

	insist(sigaction(SIGUSR2, &action, NULL) == 0);
	insist(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	insist(timer_settime(timer, 0, &often, NULL) == 0);
}

/* The page that the first bytes say; mostly one that may be. */
static void read_page(struct input *input, struct rip_page_message *page, unsigned *method,
		      bool *pixels)
{
	unsigned kinds;

	*page = (struct rip_page_message){ .page = 1, .width = 1 + take(input, 2) % WIDTH };
	page->planes = 1 + take(input, 1) % 4;
	page->levels = 2 + take(input, 1) % 15;
	kinds = take(input, 1);
	page->sample_bits = kinds & 1 ? 16 : 8;
	page->curve_values = kinds & 2 ? 1u << page->sample_bits : 0;
	page->start = (kinds >> 2) % 3;
	page->screen = take(input, 1) % RIP_SCREENS;
	page->curve_offset = 2 * take(input, 2);
	page->carry_offset = 2 * take(input, 2);
	page->inks = (uint64_t)page->curve_offset * 0x9e3779b97f4a7c15u & 0x7777777777777777u;
	page->light = kinds >> 7;
	page->fade = (uint32_t)page->carry_offset & 65535;
	*method = take(input, 1) % RIP_METHODS;
	kinds = take(input, 1);
	*pixels = kinds & 1;
	/* Curves from where the start carries are; those of most inputs fall somewhere. */
	page->ink_limit = kinds & 2 ? page->fade * page->planes : 0;
	page->pixel_curves = kinds & 4 ? page->planes : 0;
	page->black = (kinds >> 3) % (page->planes + 1);
	page->pixel_offset = page->carry_offset;
}

static void read_pixels(struct input *input, const struct rip_page_spec *spec,
			struct rip_band_message *band)
{
	band->lines = 1 + take(input, 1) % 6;
	band->step = spec->planes + take(input, 1) % 3;
	band->line_pitch = spec->width * band->step * (spec->sample_bits / 8) + 2 * take(input, 1);
	band->line_offset = 2 * take(input, 2);
}

static void read_band(struct input *input, const struct rip_page_spec *spec, bool pixels,
		      struct rip_band_message *band)
{
	const bool coupled = rip_screen_couples(spec->screen);
	const unsigned some = 1 + take(input, 1) % spec->planes, first = take(input, 1);
	const unsigned count = coupled ? spec->planes : some;

	memset(band, 0, sizeof *band);
	band->count = count;
	if (pixels)
		read_pixels(input, spec, band);
	for (unsigned i = 0; i < count; i++) {
		struct rip_band_strip *strip = &band->strips[i];

		strip->plane = coupled ? i : (first + i) % spec->planes;
		strip->rows = 1 + take(input, 1) % 6;
		if (coupled)
			strip->rows = band->strips[0].rows;
		strip->in_pitch = spec->width * (spec->sample_bits / 8) + 2 * take(input, 1);
		strip->out_pitch = (uint32_t)rip_dot_bytes(spec->width, spec->levels) +
				   take(input, 1);
		strip->in_offset = 2 * take(input, 3);
		if (pixels)
			strip->in_pitch = 2;
		strip->out_offset = take(input, 2);
		strip->carry_offset = 2 * take(input, 2);
	}
}

NO_COVERAGE static void check_dots(const uint8_t *out, const struct rip_page_spec *spec,
				   const struct rip_band_strip *strip)
{
	const unsigned bits = rip_dot_bits(spec->levels);

	if (spec->levels == 1u << bits)
		return; /* any bits are levels */
	for (uint32_t row = 0; row < strip->rows; row++) {
		const uint8_t *dots = out + strip->out_offset + (size_t)row * strip->out_pitch;

		for (uint32_t x = 0; x < spec->width; x++)
			insist((dots[x * bits / 8] >> (8 - bits - x * bits % 8) &
				((1u << bits) - 1)) < spec->levels);
	}
}

/* Checks what a band wrote to out, which was UNTOUCHED, and makes it so again. */
static void check_out(uint8_t *out, const struct rip_page_spec *spec,
		      const struct rip_band_message *band)
{
	static int16_t carry[2 * WIDTH];
	static uint8_t untouched[OUT];
	const size_t carry_bytes = rip_carry_values(spec) * sizeof(int16_t);

	for (uint32_t i = 0; i < band->count; i++) {
		const struct rip_band_strip *strip = &band->strips[i];

		check_dots(out, spec, strip);
		memcpy(carry, out + strip->carry_offset, carry_bytes);
		insist(rip_carry_check(spec, carry) == 0);
		for (uint32_t row = 0; row < strip->rows; row++)
			memset(out + strip->out_offset + (size_t)row * strip->out_pitch, UNTOUCHED,
			       rip_dot_bytes(spec->width, spec->levels));
		memset(out + strip->carry_offset, UNTOUCHED, carry_bytes);
	}
	memset(untouched, UNTOUCHED, OUT);
	insist(memcmp(out, untouched, OUT) == 0);
}

static void halftone(struct rip_ring_page *ring_page, const struct rip_page_message *page,
		     struct input *input, const struct rip_page_spec *spec, bool pixels)
{
	const struct rip_ring_sizes room = { IN, OUT };
	const uint32_t bits = rip_page_message_pixel_bits(page);
	static struct rip_band_message bands[BANDS];
	char reason[RIP_REASON_MAX + 1];
	unsigned count = 0;
	int r;

	while (count < BANDS && input->size > 32) {
		uint64_t samples;

		read_band(input, spec, pixels, &bands[count]);
		if (rip_check_band(&bands[count], spec, bits, &room, &samples, reason) ==
		    RIP_VERDICT_GOOD)
			count++;
	}
	if (!input->size)
		return;
	scribbler.what = *input;
	scribbler.in = ring_page->ring.in;
	r = rip_ring_page_begin(ring_page, page, spec);
	insist(r == 0 || r == -ERANGE); /* a start carry */
	for (unsigned i = 0; r == 0 && i < count; i++) {
		r = rip_ring_page_band(ring_page, &bands[i], NULL, false);
		insist(r == 0);
		check_out(ring_page->ring.out, &ring_page->spec, &bands[i]);
	}
	scribbler.in = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rip_engine *engines[RIP_METHODS];
	static uint8_t *in, *out;
	static bool ready;
	const struct rip_ring_sizes room = { IN, OUT };
	struct input input = { data, size };
	struct rip_page_message page;
	struct rip_ring_page ring_page = { .ring = { .in_fd = -1, .out_fd = -1 } };
	char reason[RIP_REASON_MAX + 1];
	struct rip_page_spec spec;
	unsigned method;
	bool pixels;

	if (!ready)
		setup();
	ready = true;
	read_page(&input, &page, &method, &pixels);
	if (rip_check_page(&page, &room, &spec, reason) != RIP_VERDICT_GOOD)
		return 0;
	if (!engines[method]) {
		const struct rip_cpu_config config = { .method = method, .threads = 1 };

		insist(rip_engine_cpu_new(&config, &engines[method]) == 0);
	}
	ring_page.engine = ring_page.fallback = engines[method];
	/* On the heap, where AddressSanitizer watches the ends. */
	if (!in)
		in = malloc(IN), out = malloc(OUT);
	ring_page.ring.in = in;
	ring_page.ring.out = out;
	memset(ring_page.ring.out, UNTOUCHED, OUT);
	memset(ring_page.ring.in, size ? data[size - 1] : 0, IN);
	halftone(&ring_page, &page, &input, &spec, pixels);
	ring_page.ring.in = ring_page.ring.out = NULL;
	rip_ring_page_finish(&ring_page);
	return 0;
}
