/* engine_cuda.h for builds without CUDA, and for programs that use no GPU: there is no
 * device. */
#include "config.h"

#include "gpu/engine_cuda.h"

#include <errno.h>
#include <stdio.h>

int rip_engine_cuda_new(const struct rip_cuda_config *config, struct rip_engine **engine,
			char *why, size_t size)
{
	(void)config;
	*engine = NULL;
	if (why)
#ifdef HAVE_CUDA
		snprintf(why, size, "this program leaves GPUs to riptided");
#else
		snprintf(why, size, "this riptide was built without CUDA");
#endif
	return -ENODEV;
}

int rip_engine_cuda_devices(void)
{
	return 0;
}

struct rip_cuda_counts rip_engine_cuda_counts(struct rip_engine *engine)
{
	(void)engine;
	return (struct rip_cuda_counts){ 0 };
}

uint64_t rip_engine_cuda_pinned_bytes(void)
{
	return 0;
}

uint64_t rip_engine_cuda_page_bytes(const struct rip_engine *engine,
				    const struct rip_page_spec *spec)
{
	(void)engine;
	(void)spec;
	return 0;
}

void rip_engine_cuda_trim(struct rip_engine *engine)
{
	(void)engine;
}

int rip_engine_cuda_pin(struct rip_engine *engine, void *memory, size_t size)
{
	(void)engine;
	(void)memory;
	(void)size;
	return -ENODEV;
}

void rip_engine_cuda_unpin(struct rip_engine *engine, void *memory)
{
	(void)engine;
	(void)memory;
}
