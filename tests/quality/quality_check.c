/* The measures are right, good screens are good by them, and bad ones bad. */
#include "quality_check.h"

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "judge.h"
#include "tone/fft.h"
#include "tests/tools/memory.h"

static int failures;

__attribute__((format(printf, 2, 3))) static void expect(bool holds, const char *format, ...)
{
	va_list arguments;

	if (holds)
		return;
	failures++;
	fprintf(stderr, "quality: ");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\n");
}

/* Against the definition, and back again. */
static void check_fft(void)
{
	enum { ROWS = 8, COLUMNS = 32, N = ROWS * COLUMNS };
	float complex field[N], result[N];
	double worst = 0;

	for (int k = 0; k < N; k++)
		result[k] = field[k] = (float)((k * 37 + 11) % 101) / 101 -
				       I * (float)(k * k % 89) / 89;
	expect(rip_fft_2d(result, ROWS, COLUMNS), "no memory for a transform");
	for (int u = 0; u < ROWS; u++)
		for (int v = 0; v < COLUMNS; v++) {
			double complex sum = 0;

			for (int i = 0; i < ROWS; i++)
				for (int j = 0; j < COLUMNS; j++)
					sum += field[i * COLUMNS + j] *
					       cexp(-2 * M_PI * I *
						    ((double)(u * i) / ROWS +
						     (double)(v * j) / COLUMNS));
			worst = fmax(worst, cabs(sum - result[u * COLUMNS + v]));
		}
	expect(worst < 1e-4, "a transform is wrong by %g", worst);
	expect(rip_fft_2d_inverse(result, ROWS, COLUMNS), "no memory for a transform");
	worst = 0;
	for (int k = 0; k < N; k++)
		worst = fmax(worst, cabsf(result[k] - field[k]));
	expect(worst < 1e-5, "a transform and its inverse differ by %g", worst);
}

/* A wave of one frequency: its power is 1/2 of its amplitude's square, seen as the eye's filter
 * says. */
static void check_spectrum(void)
{
	AUTO_FREE float *field = need(malloc(FIELD_SIDE * FIELD_SIDE * sizeof *field));
	AUTO_FREE float *spectrum = need(malloc(256 * 256 * sizeof *spectrum));
	const double f = 20 / 256.0;
	double seen, want;

	for (int i = 0; i < FIELD_SIDE; i++)
		for (int j = 0; j < FIELD_SIDE; j++)
			field[i * FIELD_SIDE + j] = (float)(5 + 0.25 * cos(2 * M_PI * f * i));
	field_spectrum(field, spectrum);
	for (int dpi = 300; dpi <= 600; dpi += 300) {
		seen = seen_power(spectrum, dpi);
		want = 0.25 * 0.25 / 2 * pow(eye_sees(f, dpi), 2);
		expect(fabs(seen / want - 1) < 0.02, "of a wave the eye sees %g at %d dpi, not %g",
		       seen, dpi, want);
	}
	/* 5.17 cycles a degree are seen with 1/e: at 600 dpi that is 1/23.9 of a pixel. */
	expect(fabs(eye_sees(1 / 23.93, 600) - exp(-1)) < 1e-3,
	       "the eye's filter is not Nasanen's");
}

/* What Group 4 makes of a row of 1728 pixels. */
static void expect_bits(const uint8_t *above, const uint8_t *row, uint64_t want, const char *what)
{
	const uint64_t bits = group4_bits(above, row, 1728);

	expect(bits == want, "Group 4: %d bits of %s, not %d", (int)bits, what, (int)want);
}

static void check_printer_data(void)
{
	/* Apple's example of PackBits: 24 bytes become 15. */
	static const uint8_t bytes[24] = {
		0xaa, 0xaa, 0xaa, 0x80, 0x00, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa, 0x80, 0x00,
		0x2a, 0x22, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa,
	};
	uint8_t white[1728] = { 0 }, row[1728] = { 0 }, next[1728] = { 0 };
	uint8_t dots[4 * 16];
	struct printer_data data;

	expect(packbits_size(bytes, sizeof bytes) == 15, "PackBits: %zu bytes, not 15",
	       packbits_size(bytes, sizeof bytes));
	memset(white, 0, sizeof white);
	expect(packbits_size(white, 1728) == 28, "PackBits: %zu bytes of a white row",
	       packbits_size(white, 1728));
	/* T.6: a white row is V0; 3 black pixels after 100 white ones are a horizontal code with
	 * runs of 64 + 36 (5 + 8 bits) and 3 (2 bits), then V0; shifted by one: VR1, VR1, V0. */
	expect_bits(white, white, 1, "a white row");
	memset(row + 100, 1, 3);
	expect_bits(white, row, 3 + 13 + 2 + 1, "a run");
	memset(next + 101, 1, 3);
	expect_bits(row, next, 3 + 3 + 1, "a shift");
	expect_bits(row, white, 4 + 1, "a pass");
	/* Black from the first pixel: a white run of 0 (8 bits), one of 1728 black (13 and 10). */
	memset(row, 1, sizeof row);
	expect_bits(white, row, 3 + 8 + 13 + 10, "black");
	expect_bits(row, row, 2, "black again");
	memset(dots, 1, sizeof dots);
	dots[5] = dots[6] = dots[15] = 0;
	measure_printer_data(dots, 16, 4, &data);
	expect(data.transitions == 4 && data.plain == 8, "transitions: %d", (int)data.transitions);
}

/* A picture displaced by a tenth of a row: nothing remains when that is taken out. */
static void check_fidelity(void)
{
	AUTO_FREE uint8_t *light = need(malloc(256 * 256)), *dots = need(malloc(256 * 256));
	struct picture p = { .width = 256, .height = 256, .light = light };
	struct fidelity f;

	/* Black and white, so that dots can be the picture itself. */
	for (int k = 0; k < 256 * 256; k++)
		p.light[k] = k / 256 / 16 % 2 ? 255 : 0;
	for (int k = 0; k < 256 * 256; k++)
		dots[k] = p.light[k] != 0;
	measure_fidelity(&p, dots, &f);
	expect(f.psnr_600 > 90, "dots that are the picture differ from it: %.1f dB", f.psnr_600);
	for (int i = 0; i < 256; i++)
		for (int j = 0; j < 256; j += 8)
			dots[i * 256 + j] = p.light[(i + 255) % 256 * 256 + j] != 0;
	measure_fidelity(&p, dots, &f);
	expect(fabs(f.down - 0.125) < 0.04 && fabs(f.right) < 0.01,
	       "a displacement of 1/8 down is measured as %.3f down, %.3f right", f.down, f.right);
	expect(f.still_600 > f.psnr_600 + 6,
	       "without its displacement a picture has %.1f dB, with it %.1f", f.still_600,
	       f.psnr_600);
}

/* Solid ink covers all, single dots what a disc covers; the laser prints large areas as they
 * are. */
static void check_paper(void)
{
	AUTO_FREE uint8_t *dots = need(calloc(FIELD_SIDE, FIELD_SIDE));
	struct ink_on_paper ink;
	double area[LASER_THRESHOLDS];

	print_with_ink(dots, FIELD_SIDE, &ink);
	expect(ink.area == 100, "solid ink covers %.1f %%", ink.area);
	memset(dots, 1, FIELD_SIDE * FIELD_SIDE);
	for (int i = 0; i < FIELD_SIDE; i += 8)
		for (int j = 0; j < FIELD_SIDE; j += 8)
			dots[i * FIELD_SIDE + j] = 0;
	print_with_ink(dots, FIELD_SIDE, &ink);
	expect(fabs(ink.area - 100 * M_PI * 0.5625 / 64) < 0.1, "dots of ink cover %.2f %%",
	       ink.area);
	/* A single dot's exposure is 0.54 in its centre. */
	print_with_laser(dots, FIELD_SIDE, area);
	expect(area[0] > area[1] && area[1] > 0 && area[2] == 0,
	       "single dots of toner cover %.2f, %.2f, %.2f %%", area[0], area[1], area[2]);
	for (int k = 0; k < FIELD_SIDE * FIELD_SIDE; k++)
		dots[k] = k % FIELD_SIDE / 64 % 2 == 0;
	print_with_laser(dots, FIELD_SIDE, area);
	/* Where the exposure of a straight edge is 0.45, 0.126 sigma beside it, and twice in 128
	 * pixels. */
	expect(fabs(area[0] - 50.088) < 0.03 && fabs(area[1] - 50) < 0.03 &&
		       fabs(area[2] - 49.912) < 0.03,
	       "stripes of toner cover %.3f, %.3f, %.3f %%", area[0], area[1], area[2]);
}

static struct grey_verdict judged(const struct dot_source *source, int grey)
{
	struct grey_verdict v = { 0 };

	expect(judge_grey(source, grey, &v), "%s: grey %d was not judged", source->name, grey);
	return v;
}

/* The mean of worms at greys where Floyd and Steinberg's are strong. */
static double mean_worms(const struct dot_source *source)
{
	return (judged(source, 86).texture.worms + judged(source, 127).texture.worms +
		judged(source, 168).texture.worms) / 3;
}

/* Blue noise has no strong worms where a table of its weights is most likely to have them. */
static void check_blue_noise_worms(const struct dot_source *source)
{
	static const int inks[] = { 3, 43, 64, 85, 106 };

	for (size_t k = 0; k < sizeof inks / sizeof *inks; k++) {
		const double worms = judged(source, 255 - inks[k]).texture.worms;

		expect(worms < 4.8, "blue-noise: worms of %.1f dB with ink %d", worms, inks[k]);
	}
}

/* The peer that is written here keeps the tone, but for what the centres of its blocks lose, and
 * its blocks show: 14 does not divide the patch. */
static void check_pinwheel(void)
{
	for (const struct peer *p = peers; p->name; p++)
		if (!strcmp(p->name, "pinwheel")) {
			struct dot_source source;
			struct grey_verdict v;

			dot_source_of_peer(p, &source);
			v = judged(&source, 191);
			expect(v.tone_error < 0.5, "pinwheel: tone of grey 191 is %.3f of 255 away",
			       v.tone_error);
			v = judged(&source, 64);
			expect(v.texture.line > 1, "pinwheel: its blocks do not show: %.2f %%",
			       v.texture.line);
			return;
		}
	expect(false, "pinwheel is not among the peers");
}

/* Greys at which the figures of each kind of screen are known. */
static void check_screens(struct rip_engine *engine)
{
	static const int greys[] = { 12, 85, 128, 191, 243 };
	struct dot_source floyd, source;
	double worms;

	dot_source_of_screen(&rip_screens[RIP_FLOYD_STEINBERG], engine, &floyd);
	for (size_t k = 0; k < sizeof greys / sizeof *greys; k++) {
		const struct grey_verdict v = judged(&floyd, greys[k]);

		expect(v.tone_error <= 0.05, "Floyd-Steinberg: tone of grey %d is %.3f of 255 away",
		       v.grey, v.tone_error);
		expect(v.texture.noise_600 < -46, "Floyd-Steinberg: noise of grey %d is %.1f dB",
		       v.grey, v.texture.noise_600);
		expect(k != 1 || v.texture.line > 1, "Floyd-Steinberg: no crystals at 1/3: %.2f %%",
		       v.texture.line);
	}
	worms = mean_worms(&floyd);
	expect(worms > 8, "Floyd-Steinberg: worms of only %.1f dB", worms);
	for (int id = 0; id < RIP_SCREENS; id++)
		if (!strcmp(rip_screens[id].name, "blue-noise")) {
			double blue;

			dot_source_of_screen(&rip_screens[id], engine, &source);
			blue = mean_worms(&source);
			check_blue_noise_worms(&source);
			expect(blue < worms - 3,
			       "blue-noise: worms of %.1f dB, Floyd-Steinberg %.1f", blue, worms);
			for (size_t k = 0; k < sizeof greys / sizeof *greys; k++) {
				const struct grey_verdict v = judged(&source, greys[k]);

				expect(v.tone_error <= 0.03,
				       "blue-noise: tone of grey %d is %.3f of 255 away", v.grey,
				       v.tone_error);
				expect(v.texture.noise_600 < -52,
				       "blue-noise: noise of grey %d is %.1f dB", v.grey,
				       v.texture.noise_600);
				expect(v.texture.line < 1,
				       "blue-noise: crystals at grey %d: %.2f %%", v.grey,
				       v.texture.line);
			}
		}
	check_pinwheel();
	/* What is bad must be found bad. */
	dot_source_of_noise(&source);
	expect(judged(&source, 128).texture.noise_600 > -40, "white noise is found quiet: %.1f dB",
	       judged(&source, 128).texture.noise_600);
	expect(judged(&source, 128).texture.worms < 1, "white noise is found to have worms");
	dot_source_of_crystals(&source);
	expect(judged(&source, 100).texture.line > 1, "a mask of 2x2 is found to have no crystals");
	expect(judged(&source, 100).tone_error > 20,
	       "a mask of 2x2 is found to have the right tone");
}

/* Inks together against inks apart.  One field is within 0.3 dB of the mean of four. */
static void check_colours(struct rip_engine *engine)
{
	struct colour_gain gains[COLOUR_GAINS];

	expect(colour_gains(engine, gains), "colours were not halftoned");
	for (int k = 0; k < COLOUR_GAINS && gains[k].name; k++) {
		printf("# %s: %.2f dB less noise with inks together\n", gains[k].name,
		       gains[k].gain);
		expect(gains[k].gain >= gains[k].least - 0.3,
		       "blue-noise-colour: of %s the noise is less by %.1f dB only", gains[k].name,
		       gains[k].gain);
		expect(gains[k].tone <= 0.03, "blue-noise-colour: tone of %s is %.3f of 255 away",
		       gains[k].name, gains[k].tone);
	}
}

int quality_check(struct rip_engine *engine)
{
	check_fft();
	check_spectrum();
	check_printer_data();
	check_fidelity();
	check_paper();
	check_screens(engine);
	check_colours(engine);
	printf("quality: %d failures\n", failures);
	return failures != 0;
}
