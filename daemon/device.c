/* The engines that the daemon has. */
#include "config.h"

#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gpu/engine_cuda.h"
#include "halftone/engine_cpu.h"

/* Workers run bands of several sessions side by side, so an engine needs no
 * threads of its own. */
static int make_cpu(struct rip_device *device)
{
	int r = 0;

	for (int method = 0; r == 0 && method < RIP_METHODS; method++) {
		const struct rip_cpu_config config = { .method = method, .threads = 1 };

		if (!rip_method_wants_gpu(method))
			r = rip_engine_cpu_new(&config, &device->cpu[method]);
	}
	return r;
}

int rip_device_init(struct rip_device *device, const struct rip_settings *settings)
{
	int r;

	*device = (struct rip_device){ .kind = settings->device };
	r = make_cpu(device);
	if (r == 0 && settings->device == RIP_DEVICE_CPU) {
		snprintf(device->why_no_gpu, sizeof device->why_no_gpu, "the device was set to cpu");
	} else if (r == 0) {
		const struct rip_cuda_config config = { .method = RIP_METHOD_AUTO,
							.device = settings->device_number };

		r = rip_engine_cuda_new(&config, &device->gpu, device->why_no_gpu,
					sizeof device->why_no_gpu);
		if (r < 0 && !device->why_no_gpu[0])
			snprintf(device->why_no_gpu, sizeof device->why_no_gpu, "%s", strerror(-r));
		if (settings->device == RIP_DEVICE_AUTO)
			r = 0;
	}
	if (r < 0)
		rip_device_finish(device);
	return r;
}

static void free_engine(struct rip_engine *engine)
{
	if (engine)
		engine->ops->free(engine);
}

void rip_device_finish(struct rip_device *device)
{
	for (int method = 0; method < RIP_METHODS; method++) {
		free_engine(device->cpu[method]);
		device->cpu[method] = NULL;
	}
	free_engine(device->gpu);
	free_engine(device->gpu_failed);
	device->gpu = device->gpu_failed = NULL;
}

struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method)
{
	return device->cpu[rip_method_wants_gpu(method) ? RIP_METHOD_AUTO : method];
}

struct rip_engine *rip_device_engine(const struct rip_device *device, enum rip_method method)
{
	if (device->gpu && (rip_method_wants_gpu(method) || method == RIP_METHOD_AUTO))
		return device->gpu;
	/* What runs on the CPU runs as fast in the client, and without copies. */
	if (device->kind == RIP_DEVICE_AUTO)
		return NULL;
	return rip_device_fallback(device, method);
}

void rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why)
{
	if (!device->gpu || engine != device->gpu)
		return;
	device->gpu_failed = device->gpu;
	device->gpu = NULL;
	snprintf(device->why_no_gpu, sizeof device->why_no_gpu, "%s failed: %s",
		 engine->device, why);
}

const char *rip_device_name(const struct rip_device *device)
{
	const struct rip_engine *engine = rip_device_engine(device, RIP_METHOD_AUTO);

	return engine ? engine->device : "none";
}
