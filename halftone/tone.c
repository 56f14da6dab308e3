/* What a page's samples mean. */
#include "tone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rip_tone_init(struct rip_tone *tone, const struct rip_page_spec *spec)
{
	memset(tone, 0, sizeof *tone);
	tone->levels = spec->levels;
	tone->sample_bits = spec->sample_bits;
	if (spec->curve) {
		const size_t size = sizeof *tone->curve << spec->sample_bits;

		tone->curve = malloc(size);
		if (!tone->curve)
			return -ENOMEM;
		memcpy(tone->curve, spec->curve, size);
	}
	if (spec->sample_bits == 8) {
		tone->plain8 = true;
		for (unsigned v = 0; v < 256; v++) {
			/* Two bytes, so that no compiler fears for a 16-bit load. */
			const uint8_t sample[2] = { (uint8_t)v };
			const uint32_t x = rip_tone_x(tone, sample, 0);

			tone->target8[v] = rip_target(x, spec->levels);
			if (x != 257 * v && (x == 0 || x == RIP_FULL || v == 0 || v == 255))
				tone->plain8 = false;
		}
	}
	return 0;
}

void rip_tone_finish(struct rip_tone *tone)
{
	free(tone->curve);
	tone->curve = NULL;
}

void rip_tone_targets(const struct rip_tone *tone, const void *row, size_t j, size_t count,
		      int32_t *targets)
{
	if (tone->sample_bits == 8) {
		const uint8_t *samples = (const uint8_t *)row + j;

		for (size_t i = 0; i < count; i++)
			targets[i] = tone->target8[samples[i]];
	} else if (tone->curve) {
		const uint16_t *samples = (const uint16_t *)row + j;

		for (size_t i = 0; i < count; i++)
			targets[i] = rip_target(tone->curve[samples[i]], tone->levels);
	} else {
		const uint16_t *samples = (const uint16_t *)row + j;
		const uint32_t levels = tone->levels;

		for (size_t i = 0; i < count; i++)
			targets[i] = rip_target(samples[i], levels);
	}
}
