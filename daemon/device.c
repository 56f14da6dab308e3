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

static void free_engine(struct rip_engine *engine)
{
	if (engine)
		engine->ops->free(engine);
}

static void explain(struct rip_device *device, const char *why)
{
	snprintf(device->why_no_gpu, sizeof device->why_no_gpu, "%s", why);
}

bool rip_device_look(struct rip_device *device)
{
	int r;

	if (device->kind == RIP_DEVICE_CPU || device->probe || device->gpu || device->gpu_failed)
		return false;
	r = rip_probe_new(device->number, &device->probe);
	explain(device, r < 0 ? strerror(-r) : "still looking for one");
	device->overdue = false;
	return r == 0;
}

int rip_device_init(struct rip_device *device, const struct rip_settings *settings)
{
	int r;

	*device = (struct rip_device){ .kind = settings->device,
				       .number = settings->device_number };
	r = make_cpu(device);
	if (r < 0) {
		rip_device_finish(device);
		return r;
	}
	if (device->kind == RIP_DEVICE_CPU)
		explain(device, "the configured device is cpu");
	else
		rip_device_look(device);
	return 0;
}

bool rip_device_finish(struct rip_device *device)
{
	if (!rip_probe_free(device->probe))
		return false;
	device->probe = NULL;
	for (int method = 0; method < RIP_METHODS; method++) {
		free_engine(device->cpu[method]);
		device->cpu[method] = NULL;
	}
	free_engine(device->gpu);
	free_engine(device->gpu_failed);
	device->gpu = device->gpu_failed = NULL;
	return true;
}

int rip_device_found(struct rip_device *device)
{
	char why[RIP_REASON_MAX + 1];
	int r = rip_probe_result(device->probe, &device->gpu, why, sizeof why);

	if (r == -EAGAIN)
		return r;
	explain(device, why);
	rip_probe_free(device->probe);
	device->probe = NULL;
	device->overdue = false;
	return r;
}

void rip_device_overdue(struct rip_device *device)
{
	explain(device, "its driver does not answer");
	device->overdue = true;
}

bool rip_device_ready(const struct rip_device *device)
{
	return device->kind != RIP_DEVICE_GPU || !device->probe;
}

struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method)
{
	return device->cpu[rip_method_wants_gpu(method) ? RIP_METHOD_AUTO : method];
}

struct rip_engine *rip_device_engine(const struct rip_device *device, enum rip_method method)
{
	if (device->gpu && (rip_method_wants_gpu(method) || method == RIP_METHOD_AUTO))
		return device->gpu;
	/* Until it is known whether there is a GPU, the CPU does its work. */
	if (device->kind == RIP_DEVICE_AUTO && device->probe && !device->overdue &&
	    (rip_method_wants_gpu(method) || method == RIP_METHOD_AUTO))
		return rip_device_fallback(device, method);
	/* What runs on the CPU runs as fast in the client, and without copies. */
	if (device->kind == RIP_DEVICE_AUTO)
		return NULL;
	return rip_device_fallback(device, method);
}

bool rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why)
{
	if (engine == device->gpu_failed)
		return false;
	if (!device->gpu || engine != device->gpu)
		return true;
	device->gpu_failed = device->gpu;
	device->gpu = NULL;
	snprintf(device->why_no_gpu, sizeof device->why_no_gpu, "%s failed: %s",
		 engine->device, why);
	return true;
}

uint64_t rip_device_staging(const struct rip_device *device)
{
	return device->gpu || device->gpu_failed ? rip_engine_cuda_pinned_bytes() : 0;
}

void rip_device_trim(struct rip_device *device)
{
	if (device->gpu)
		rip_engine_cuda_trim(device->gpu);
}

const char *rip_device_name(const struct rip_device *device)
{
	const struct rip_engine *engine = rip_device_engine(device, RIP_METHOD_AUTO);

	return engine ? engine->device : "none";
}
