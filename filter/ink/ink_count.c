/* How much ink a page of dots takes. */
#include "ink_count.h"

#include <stdio.h>
#include <string.h>

#include "system/inline.h"
#include "tone/ink_name.h"

/* The bits of all dots that stand for 1, 2, 4 and 8. */
static const uint64_t bits_of[3][4] = {
	{ 0xffffffffffffffffu },
	{ 0x5555555555555555u, 0xaaaaaaaaaaaaaaaau },
	{ 0x1111111111111111u, 0x2222222222222222u, 0x4444444444444444u, 0x8888888888888888u },
};

RIP_INLINE uint64_t sum_of(uint64_t dots, uint32_t bits)
{
	const uint64_t *of = bits_of[bits / 2];
	uint64_t sum = 0;

	for (uint32_t b = 0; b < bits; b++)
		sum += (uint64_t)__builtin_popcountll(dots & of[b]) << b;
	return sum;
}

RIP_INLINE uint64_t sum_words(const uint8_t *dots, uint64_t bytes,
								uint32_t bits)
{
	uint64_t sum = 0, word;

	for (uint64_t i = 0; i < bytes; i += 8) {
		memcpy(&word, dots + i, 8);
		sum += sum_of(word, bits);
	}
	return sum;
}

/* By the popcount instruction, which not every x86-64 processor has. */
#ifdef __x86_64__
__attribute__((target("popcnt")))
static uint64_t sum_fast(const uint8_t *dots, uint64_t bytes, uint32_t bits)
{
	return bits == 1 ? sum_words(dots, bytes, 1) : sum_words(dots, bytes, bits);
}
#endif

uint64_t rip_ink_count_row(const uint8_t *dots, uint32_t width, uint32_t bits)
{
	const uint64_t all = (uint64_t)width * bits, bytes = all / 8, whole = bytes / 8 * 8;
	uint64_t word = 0, sum;

#ifdef __x86_64__
	sum = __builtin_cpu_supports("popcnt") ? sum_fast(dots, whole, bits) :
						 sum_words(dots, whole, bits);
#else
	sum = sum_words(dots, whole, bits);
#endif
	memcpy(&word, dots + whole, bytes - whole);
	sum += sum_of(word, bits);
	if (all % 8)
		sum += sum_of(dots[bytes] & (0xff00u >> all % 8 & 0xff), bits);
	return sum;
}

unsigned rip_ink_count_highest(const uint8_t *dots, uint32_t width, uint32_t bits)
{
	unsigned highest = 0;

	for (uint64_t at = 0; at < (uint64_t)width * bits; at += bits) {
		const unsigned level = dots[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);

		highest = level > highest ? level : highest;
	}
	return highest;
}

static uint64_t full(const struct rip_dot_page *page)
{
	return (uint64_t)page->width * page->height * (page->levels - 1);
}

uint64_t rip_ink_count_ink(const struct rip_ink_count *count, const struct rip_dot_page *page,
			   uint32_t plane)
{
	uint64_t levels = count->levels[plane];

	/* Dots that arrive as such may have levels that their page has not. */
	levels = levels < full(page) ? levels : full(page);
	return page->light ? full(page) - levels : levels;
}

double rip_ink_count_share(const struct rip_ink_count *count, const struct rip_dot_page *page,
			   uint32_t plane)
{
	return (double)rip_ink_count_ink(count, page, plane) / (double)full(page);
}

double rip_dot_page_area(const struct rip_dot_page *page)
{
	const double inch = 0.0254;

	return (page->width * inch / (page->x_dpi ? page->x_dpi : 600)) *
	       (page->height * inch / (page->y_dpi ? page->y_dpi : 600));
}

double rip_ink_count_area(const struct rip_ink_count *count, const struct rip_dot_page *page,
			  uint32_t plane)
{
	return rip_ink_count_share(count, page, plane) * rip_dot_page_area(page);
}

void rip_ink_name(const struct rip_dot_page *page, uint32_t plane, char name[RIP_INK_NAME_MAX])
{
	if (page->inks[plane] != RIP_INK_OTHER)
		snprintf(name, RIP_INK_NAME_MAX, "%s", rip_ink_letter(page->inks[plane]));
	else
		snprintf(name, RIP_INK_NAME_MAX, "%u", plane + 1);
}
