/* The tone curves of a page's planes. */
#include "filter/tone_curves.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/page_screen.h"
#include "halftone/cpu.h"
#include "tone/calibrated.h"

/* The printer that the curves are for. */
static struct rip_printer printer_of(const struct rip_tone_curves_key *key)
{
	struct rip_printer printer;

	rip_printer_preset(&printer, rip_printer_names[key->choice.preset],
			   key->page.dpi > 0 ? key->page.dpi : 600);
	if (key->choice.gain >= 0)
		rip_printer_set_gain(&printer, key->choice.gain);
	return printer;
}

static bool has_vendor(const struct rip_tone_curves_key *key, uint32_t plane)
{
	return key->page.vendor[plane].points > 0 || key->page.vendor[plane].gamma > 0;
}

/* The x that the caller's curve and the vendor's make of a sample. */
static uint16_t x_before(const struct rip_tone_curves_key *key, uint32_t plane, uint32_t sample)
{
	const uint32_t x = key->page.first ? key->page.first[sample] :
			   key->page.sample_bits == 8 ? 257 * sample : sample;
	const double ink = (key->page.light ? 65535 - x : x) / 65535.0;
	uint32_t after;

	if (!has_vendor(key, plane))
		return (uint16_t)x;
	after = (uint32_t)lrint(65535 * rip_vendor_curve_at(&key->page.vendor[plane], ink));
	return (uint16_t)(key->page.light ? 65535 - after : after);
}

/* The name of a plane's ink in a calibration. */
static const char *ink_name(enum rip_ink ink)
{
	static const char *const names[] = {
		[RIP_INK_OTHER] = "", [RIP_INK_BLACK] = "K", [RIP_INK_CYAN] = "C",
		[RIP_INK_MAGENTA] = "M", [RIP_INK_YELLOW] = "Y",
	};

	return names[ink];
}

/* What a plane's printer does with tones: a response, or a finished curve of 256 points, or
 * neither: none of them is known. */
struct correction {
	const struct rip_response *response;
	const uint16_t *finished;
	double solid;
};

/* Finds it.  response: memory for one. */
static struct correction correction_of(const struct rip_tone_curves_key *key,
				       const struct rip_printer *printer, uint32_t plane,
				       struct rip_response *response)
{
	const struct rip_pattern *pattern = key->patterns[plane];
	const struct rip_cal *cal = key->page.cal;
	const char *ink = ink_name(key->page.inks[plane]);
	const double dpi = key->page.dpi > 0 ? key->page.dpi : 600;
	struct correction correction = { .solid = printer->solid };
	struct rip_printer model;

	if (!pattern)
		return correction;
	if (cal && rip_cal_is_ours(cal)) {
		if (rip_cal_response(cal, ink, pattern, key->page.levels, dpi, response)) {
			correction.response = response;
			if (rip_cal_printer(cal, ink, dpi, &model))
				correction.solid = model.solid;
			return correction;
		}
	} else if (cal && rip_cal_ink(cal, ink)) {
		correction.finished = rip_cal_ink(cal, ink)->curve;
		return correction;
	}
	if (printer->kind != RIP_PRINTER_NONE) {
		rip_response_of(response, printer, pattern, key->page.levels);
		correction.response = response;
	}
	return correction;
}

/* Sends what a curve gives through a finished one, of ink. */
static void put_finished(const uint16_t *finished, bool light, uint32_t count, uint16_t *curve)
{
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t ink = light ? 65535u - curve[v] : curve[v];
		const uint32_t i = ink / 257, rest = ink % 257;
		const uint32_t sent = rest ? (finished[i] * (257 - rest) + finished[i + 1] * rest + 128) / 257 :
					     finished[i];

		curve[v] = (uint16_t)(light ? 65535u - sent : sent);
	}
}

static uint16_t *make_curve(const struct rip_tone_curves_key *key, const struct rip_printer *printer,
			    uint32_t plane)
{
	const uint32_t count = 1u << key->page.sample_bits;
	const bool before = key->page.first || has_vendor(key, plane);
	const uint32_t steps = before ? 65536 : count;
	uint16_t *curve = malloc(count * sizeof *curve), *by_x = curve;
	struct rip_wish wish = RIP_WISH_NOTHING;
	struct rip_response response;
	struct correction correction;

	if (before)
		by_x = malloc(steps * sizeof *by_x);
	if (curve && by_x) {
		wish.gamma = key->choice.gamma / 1000.0;
		wish.density = key->choice.density / 100.0;
		wish.target = key->choice.target;
		correction = correction_of(key, printer, plane, &response);
		wish.response = correction.response;
		wish.solid = correction.solid;
		rip_curve_for(&wish, key->page.light, steps, by_x);
		if (correction.finished)
			put_finished(correction.finished, key->page.light, steps, by_x);
		for (uint32_t v = 0; before && v < count; v++)
			curve[v] = by_x[x_before(key, plane, v)];
	} else {
		free(curve);
		curve = NULL;
	}
	if (before)
		free(by_x);
	return curve;
}

static bool needs_curves(const struct rip_tone_curves_key *key, const struct rip_printer *printer)
{
	bool needs = key->page.first || key->choice.gamma != 1000 || key->choice.density != 100 ||
		     printer->kind != RIP_PRINTER_NONE || key->page.cal;

	for (uint32_t p = 0; p < key->page.planes; p++)
		needs |= has_vendor(key, p);
	return needs;
}

static void free_curves(struct rip_tone_curves *curves)
{
	for (uint32_t p = 0; p < RIP_PLANES_MAX; p++) {
		for (uint32_t q = p + 1; q < RIP_PLANES_MAX; q++)
			if (curves->curves[q] == curves->curves[p])
				curves->curves[q] = NULL;
		free(curves->curves[p]);
		curves->curves[p] = NULL;
	}
}

static void free_screen(struct rip_tone_screen *screen)
{
	for (uint32_t p = 0; p < RIP_PLANES_MAX; p++)
		free(screen->thresholds[p]);
	memset(screen, 0, sizeof *screen);
}

void rip_tone_curves_finish(struct rip_tone_curves *curves)
{
	free_curves(curves);
	free_screen(&curves->screens[0]);
	free_screen(&curves->screens[1]);
	memset(curves, 0, sizeof *curves);
}

/* 0 or -ENOMEM. */
static int make_curves(struct rip_tone_curves *curves)
{
	const struct rip_tone_curves_key *key = &curves->key;
	const struct rip_printer printer = printer_of(key);

	curves->one = true;
	if (!needs_curves(key, &printer))
		return 0;
	for (uint32_t p = 0; p < key->page.planes; p++) {
		for (uint32_t q = 0; q < p && !curves->curves[p]; q++)
			if (key->patterns[q] == key->patterns[p] &&
			    (!key->page.cal || key->page.inks[q] == key->page.inks[p]) &&
			    !memcmp(&key->page.vendor[q], &key->page.vendor[p],
				    sizeof key->page.vendor[p]))
				curves->curves[p] = curves->curves[q];
		if (!curves->curves[p])
			curves->curves[p] = make_curve(key, &printer, p);
		if (!curves->curves[p])
			return -ENOMEM;
		curves->one &= curves->curves[p] == curves->curves[0];
	}
	return 0;
}

/* ---- curves in thresholds ---- */

static bool can_fold(const struct rip_tone_curves *curves)
{
	const struct rip_tone_page *page = &curves->key.page;
	const uint32_t last = (1u << page->sample_bits) - 1;
	bool can = page->levels == 2 && curves->curves[0];

	/* Extreme samples never reach a mask. */
	for (uint32_t p = 0; can && p < page->planes; p++)
		can = curves->key.masks[p] && curves->curves[p][0] == 0 &&
		      curves->curves[p][last] == RIP_FULL;
	return can;
}

/* The number of samples, from 0 on, whose curve is at most x. */
static uint32_t samples_up_to(const uint16_t *curve, uint32_t count, uint32_t x)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (curve[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* 0 or -ENOMEM. */
static int fold(struct rip_tone_curves *curves, const struct rip_screen *screen)
{
	const struct rip_tone_page *page = &curves->key.page;
	const uint32_t count = 1u << page->sample_bits, unit = page->sample_bits == 8 ? 257 : 1;
	struct rip_tone_screen *folded;

	curves->newest = !curves->newest;
	folded = &curves->screens[curves->newest];
	free_screen(folded);
	folded->base = *screen;
	for (uint32_t p = 0; p < page->planes; p++) {
		const struct rip_mask *mask = screen->masks[p];
		const size_t size = (size_t)mask->height * mask->width;
		uint16_t *thresholds = malloc(size * sizeof *thresholds);

		if (!thresholds)
			return -ENOMEM;
		for (size_t i = 0; i < size; i++)
			thresholds[i] = (uint16_t)(unit * samples_up_to(curves->curves[p], count,
									mask->thresholds[i]) - 1);
		folded->thresholds[p] = thresholds;
		folded->masks[p] = (struct rip_mask){ mask->height, mask->width, thresholds };
		folded->base.masks[p] = &folded->masks[p];
	}
	curves->folded = true;
	return 0;
}

const struct rip_screen *rip_tone_curves_screen(const struct rip_tone_curves *curves,
						const struct rip_screen *screen)
{
	return curves->folded ? &curves->screens[curves->newest].base : screen;
}

const uint16_t *rip_tone_curves_curve(const struct rip_tone_curves *curves)
{
	return curves->folded || !curves->one ? NULL : curves->curves[0];
}

void rip_tone_curves_row(const struct rip_tone_curves *curves, uint32_t plane, uint32_t bits,
			 const void *samples, uint32_t width, uint16_t *x)
{
	const uint16_t *curve = curves->curves[plane];

	if (bits == 8) {
		const uint8_t *from = samples;

		for (uint32_t j = 0; j < width; j++)
			x[j] = curve ? curve[from[j]] : (uint16_t)(257 * from[j]);
	} else {
		const uint16_t *from = samples;

		for (uint32_t j = 0; j < width; j++)
			x[j] = curve ? curve[from[j]] : from[j];
	}
}

bool rip_tone_curves_apply(const struct rip_tone_curves *curves)
{
	return !curves->folded && !curves->one;
}

/* ---- the ink limit ---- */

/* x of a sample. */
static uint32_t x_of(const struct rip_tone_curves *curves, uint32_t plane, uint32_t sample)
{
	return curves->curves[plane] ? curves->curves[plane][sample] :
	       curves->key.page.sample_bits == 8 ? 257 * sample : sample;
}

/* Whether the point b is above the chord from a to c. */
static bool is_corner(const double *y, int a, int b, int c)
{
	return (y[b] - y[a]) * (c - a) > (y[c] - y[a]) * (b - a);
}

/* The largest sum of samples that cannot exceed the limit.  With s the sum of the samples of n
 * planes, and C a concave function that is nowhere below a curve, the curves add up to at most n C(s / n)
 * (Jensen's inequality). */
static uint32_t safe_sum(const struct rip_tone_curves *curves)
{
	const uint32_t planes = curves->key.page.planes;
	double most[256], concave[256];
	int corners[256], count = 0;
	uint32_t sum = 0;

	/* The upper hull of the highest curve. */
	for (int v = 0; v < 256; v++) {
		most[v] = 0;
		for (uint32_t p = 0; p < planes; p++)
			if (x_of(curves, p, (uint32_t)v) > most[v])
				most[v] = x_of(curves, p, (uint32_t)v);
		while (count > 1 && !is_corner(most, corners[count - 2], corners[count - 1], v))
			count--;
		corners[count++] = v;
	}
	for (int i = 0, v = 0; v < 256; v++) {
		const int a = corners[i], b = i + 1 < count ? corners[i + 1] : a;

		concave[v] = v == a ? most[a] : most[a] + (most[b] - most[a]) * (v - a) / (b - a);
		i += v + 1 == b;
	}
	/* Rounded up to whole samples, which is never too low. */
	while (sum < 255 * planes && planes * concave[(sum + planes) / planes] <= curves->limit)
		sum++;
	return sum;
}

/* Sets the inks of a pixel with these x. */
static void limit_pixel(const struct rip_tone_curves *curves, uint32_t x[RIP_PLANES_MAX])
{
	const int black = curves->key.page.black;
	const uint32_t planes = curves->key.page.planes;
	const uint32_t k = black < 0 ? 0 : x[black];
	const uint32_t rest = k < curves->limit ? curves->limit - k : 0;
	uint32_t sum = 0, factor;

	for (uint32_t p = 0; p < planes; p++)
		sum += x[p];
	sum -= k;
	if (sum <= rest)
		return;
	/* Below 1 in units of 2^-16. */
	factor = (uint32_t)(((uint64_t)rest << 16) / sum);
	for (uint32_t p = 0; p < planes; p++)
		if ((int)p != black)
			x[p] = x[p] * factor >> 16;
}

static uint32_t get(const struct rip_tone_curves *curves, const void *row, uint32_t j)
{
	return curves->key.page.sample_bits == 8 ? ((const uint8_t *)row)[j] : ((const uint16_t *)row)[j];
}

/* Limits the pixels from one column to another. */
static void limit_run(const struct rip_tone_curves *curves, void *const planes[], uint32_t from,
		      uint32_t to)
{
	const uint32_t bits = curves->key.page.sample_bits, unit = bits == 8 ? 257 : 1;
	const uint32_t count = curves->key.page.planes;

	for (uint32_t j = from; j < to; j++) {
		uint32_t x[RIP_PLANES_MAX];

		for (uint32_t p = 0; p < count; p++)
			x[p] = x_of(curves, p, get(curves, planes[p], j));
		limit_pixel(curves, x);
		for (uint32_t p = 0; p < count; p++) {
			const uint32_t sample = get(curves, planes[p], j);
			const uint16_t *curve = curves->curves[p];
			uint32_t scaled;

			if (x[p] == x_of(curves, p, sample))
				continue;
			scaled = !curve ? x[p] / unit :
				 curve[0] > x[p] ? 0 : samples_up_to(curve, sample, x[p]) - 1;
			if (bits == 8)
				((uint8_t *)planes[p])[j] = (uint8_t)scaled;
			else
				((uint16_t *)planes[p])[j] = (uint16_t)scaled;
		}
	}
}

/* Pixels whose sums are compared at once.  The compiler makes vectors of loops of this length. */
#define BLOCK 256

/* The largest samples of all planes in a block, added up: never below its largest sum, and nearly
 * that where a picture is smooth. */
static inline __attribute__((always_inline)) uint32_t largest(void *const planes[], uint32_t count,
							      uint32_t from)
{
	uint32_t sum = 0;

	for (uint32_t p = 0; p < count; p++) {
		const uint8_t *row = (const uint8_t *)planes[p] + from;
		uint8_t most = 0;

		for (int i = 0; i < BLOCK; i++)
			most = row[i] > most ? row[i] : most;
		sum += most;
	}
	return sum;
}

/* The largest sum in a block. */
static uint32_t largest_sum(void *const planes[], uint32_t count, uint32_t from)
{
	uint16_t sums[BLOCK] = { 0 }, most = 0;

	for (uint32_t p = 0; p < count; p++) {
		const uint8_t *row = (const uint8_t *)planes[p] + from;

		for (int i = 0; i < BLOCK; i++)
			sums[i] = (uint16_t)(sums[i] + row[i]);
	}
	for (int i = 0; i < BLOCK; i++)
		most = sums[i] > most ? sums[i] : most;
	return most;
}

/* The first block from column j on that may exceed the limit; width - width % BLOCK if there is
 * none. */
static uint32_t next_block(const struct rip_tone_curves *curves, void *const planes[], uint32_t width,
			   uint32_t j)
{
	while (j + BLOCK <= width && largest(planes, curves->key.page.planes, j) <= curves->safe)
		j += BLOCK;
	return j;
}

#if defined __x86_64__
__attribute__((target("avx2"))) static uint32_t
next_block_avx2(const struct rip_tone_curves *curves, void *const planes[], uint32_t width, uint32_t j)
{
	while (j + BLOCK <= width && largest(planes, curves->key.page.planes, j) <= curves->safe)
		j += BLOCK;
	return j;
}
#else
#define next_block_avx2 next_block
#endif

void rip_tone_curves_limit(const struct rip_tone_curves *curves, void *const planes[],
			   uint32_t width)
{
	const bool avx2 = rip_cpu_features() & RIP_CPU_AVX2;
	const uint32_t count = curves->key.page.planes;
	uint32_t j = 0;

	while (curves->key.page.sample_bits == 8) {
		j = avx2 ? next_block_avx2(curves, planes, width, j) :
			   next_block(curves, planes, width, j);
		if (j + BLOCK > width)
			break;
		if (largest_sum(planes, count, j) > curves->safe)
			limit_run(curves, planes, j, j + BLOCK);
		j += BLOCK;
	}
	/* The rest is the end of a whole block, if the row is as long as one. */
	if (curves->key.page.sample_bits == 16 || width < BLOCK ||
	    largest(planes, count, width - BLOCK) > curves->safe)
		limit_run(curves, planes, j, width);
}

/* ---- a page ---- */

/* The plane of black ink; -1: none. */
static int black_plane(unsigned space)
{
	return space == CUPS_CSPACE_CMYK ? 3 : space == CUPS_CSPACE_KCMY ? 0 : -1;
}

void rip_tone_page_of(struct rip_tone_page *page, const cups_page_header2_t *header,
		      const struct rip_geometry *geometry, const struct rip_screen *screen,
		      unsigned levels)
{
	const unsigned x_dpi = header->HWResolution[0], y_dpi = header->HWResolution[1];
	struct rip_mask_use use;

	*page = (struct rip_tone_page){
		.screen = screen, .planes = geometry->planes, .sample_bits = geometry->sample_bits,
		.levels = levels, .dpi = x_dpi < y_dpi ? x_dpi : y_dpi, .light = geometry->light,
		.black = black_plane(header->cupsColorSpace),
	};
	rip_page_mask_use(header, geometry, &use);
	memcpy(page->inks, use.inks, geometry->planes * sizeof *page->inks);
}

void rip_tone_page_vendor(struct rip_tone_page *page, struct rip_tone_choice *choice,
			  const struct rip_queue *queue, const char *model,
			  const cups_page_header2_t *header, bool *warned)
{
	char media[sizeof header->MediaType + 1];
	const struct rip_vendor_page vendor = {
		.model = model ? model : "", .media = media,
		.x_dpi = header->HWResolution[0], .y_dpi = header->HWResolution[1],
	};

	snprintf(media, sizeof media, "%.*s", (int)sizeof header->MediaType, header->MediaType);
	for (uint32_t p = 0; p < page->planes; p++)
		rip_vendor_curve_find(&page->vendor[p], queue, &vendor, page->inks[p], warned);
	if (!choice->ink_limit_set)
		choice->ink_limit = rip_vendor_ink_limit(queue, &vendor, warned);
}

int rip_tone_curves_make(struct rip_tone_curves *curves, const struct rip_tone_choice *choice,
			 const struct rip_tone_page *page)
{
	const uint32_t most = choice->ink_limit * 65535u / 100;
	struct rip_tone_curves_key key;

	memset(&key, 0, sizeof key); /* with its padding: it is compared as bytes */
	memcpy(&key.choice, choice, sizeof key.choice);
	memcpy(&key.page, page, sizeof key.page);
	key.page.screen = NULL; /* its patterns matter */
	for (uint32_t p = 0; p < page->planes; p++) {
		key.patterns[p] = rip_pattern_of(page->screen, p);
		if (page->screen->kind == RIP_SCREEN_MASK)
			key.masks[p] = page->screen->masks[p];
	}
	if (!memcmp(&key, &curves->key, sizeof key))
		return 0;
	free_curves(curves);
	curves->key = key;
	curves->folded = false;
	curves->limit = !page->light && most < 65535u * page->planes ? most : 0;
	if (make_curves(curves) < 0 || (can_fold(curves) && fold(curves, page->screen) < 0)) {
		rip_tone_curves_finish(curves);
		return -ENOMEM;
	}
	if (curves->limit > 0 && page->sample_bits == 8)
		curves->safe = safe_sum(curves);
	return 0;
}

void rip_tone_curves_tell(const struct rip_tone_curves *curves, char *text, size_t size)
{
	const struct rip_tone_choice *choice = &curves->key.choice;
	const struct rip_printer printer = printer_of(&curves->key);

	snprintf(text, size, "dot gain %s (%.1f points), target %s, density %u %%, gamma %u.%03u, "
		 "ink limit %u %%", rip_printer_names[choice->preset],
		 printer.kind == RIP_PRINTER_NONE ? 0 : rip_printer_gain(&printer),
		 rip_target_names[choice->target], choice->density, choice->gamma / 1000,
		 choice->gamma % 1000, choice->ink_limit);
	if (curves->key.page.cal)
		snprintf(text, size, "calibration %s, target %s, density %u %%, gamma %u.%03u, ink limit"
			 " %u %%", choice->calibration, rip_target_names[choice->target],
			 choice->density, choice->gamma / 1000, choice->gamma % 1000,
			 choice->ink_limit);
}
