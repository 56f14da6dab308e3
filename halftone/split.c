/* Chunked pixels into planes. */
#include "split.h"

#include "rows.h"

void rip_split(const void *chunked, uint32_t width, uint32_t stride, uint32_t sample_bits,
	       void *const planes[], uint32_t count)
{
	const struct rip_row_ops *ops = rip_row_ops();

	if (sample_bits == 8 && stride == 3)
		ops->split8x3(chunked, width, planes, count);
	else if (sample_bits == 8 && stride == 4)
		ops->split8x4(chunked, width, planes, count);
	else if (sample_bits == 8)
		rip_split8_from(0, chunked, width, stride, planes, count);
	else if (stride == 3)
		ops->split16x3(chunked, width, planes, count);
	else if (stride == 4)
		ops->split16x4(chunked, width, planes, count);
	else
		rip_split16_from(0, chunked, width, stride, planes, count);
}
