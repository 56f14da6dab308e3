/* Chunked pixels into planes. */
#include "split.h"

/* With a constant stride the compiler can unroll and vectorise. */
#define SPLIT(TYPE, STRIDE)                                                             \
	do {                                                                            \
		const TYPE *in = chunked;                                               \
		for (uint32_t c = 0; c < count; c++) {                                  \
			TYPE *out = planes[c];                                          \
			for (size_t j = 0; j < width; j++)                              \
				out[j] = in[j * (STRIDE) + c];                          \
		}                                                                       \
	} while (0)

void rip_split(const void *chunked, uint32_t width, uint32_t stride, uint32_t sample_bits,
	       void *const planes[], uint32_t count)
{
	if (sample_bits == 16)
		SPLIT(uint16_t, stride);
	else if (stride == 3)
		SPLIT(uint8_t, 3);
	else if (stride == 4)
		SPLIT(uint8_t, 4);
	else
		SPLIT(uint8_t, stride);
}
