/* The engines that the daemon has. */
#include "config.h"

#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gpu/engine_cuda.h"
#include "halftone/engine_cpu.h"
#include "scheduler.h"

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

/* ---- which GPUs there are ---- */

static void lock(const struct rip_device *device)
{
	pthread_mutex_lock((pthread_mutex_t *)&device->lock);
}

static void unlock(const struct rip_device *device)
{
	pthread_mutex_unlock((pthread_mutex_t *)&device->lock);
}

static bool is_ready(const struct rip_device *device, const struct rip_gpu *gpu)
{
	bool ready;

	lock(device);
	ready = gpu->ready;
	unlock(device);
	return ready;
}

unsigned rip_device_gpus(const struct rip_device *device)
{
	unsigned count = 0;

	for (unsigned i = 0; i < device->gpu_count; i++)
		count += is_ready(device, &device->gpus[i]);
	return count;
}

bool rip_device_looking(const struct rip_device *device)
{
	for (unsigned i = 0; i < device->gpu_count; i++)
		if (device->gpus[i].probe && !device->gpus[i].overdue)
			return true;
	return false;
}

bool rip_device_searching(const struct rip_device *device)
{
	for (unsigned i = 0; i < device->gpu_count; i++)
		if (device->gpus[i].probe)
			return true;
	return false;
}

/* The GPU of this engine, or NULL. */
static struct rip_gpu *gpu_of_locked(struct rip_device *device, const struct rip_engine *engine)
{
	for (unsigned i = 0; engine && i < device->gpu_count; i++)
		if (device->gpus[i].engine == engine)
			return &device->gpus[i];
	return NULL;
}

/* Why no GPU is in use: what is known of the first one. */
static void explain(struct rip_device *device)
{
	const char *why = device->kind == RIP_DEVICE_CPU ? "the configured device is cpu"
			  : rip_device_gpus(device) > 0  ? ""
							 : device->gpus[0].why;

	snprintf(device->why_no_gpu, sizeof device->why_no_gpu, "%s", why);
}

static void explain_gpu(struct rip_device *device, struct rip_gpu *gpu, const char *why)
{
	snprintf(gpu->why, sizeof gpu->why, "%s", why);
	explain(device);
}

bool rip_device_look(struct rip_device *device, struct rip_gpu *gpu)
{
	struct rip_engine *failed = NULL;
	bool look;
	int r;

	lock(device);
	look = !gpu->probe && !gpu->ready && !gpu->unreported && !gpu->users;
	if (look) {
		failed = gpu->engine;
		gpu->engine = NULL;
	}
	unlock(device);
	if (!look)
		return false;
	r = rip_probe_new(gpu->number, failed, &gpu->probe);
	if (r < 0) {
		lock(device);
		gpu->engine = failed; /* still to be freed */
		gpu->retry_ms = rip_now_ms() + RIP_RETRY_MS;
		unlock(device);
	}
	gpu->overdue = false;
	if (!gpu->lost)
		explain_gpu(device, gpu, r < 0 ? strerror(-r) : "still looking for one");
	return r == 0;
}

/* Of all GPUs, more are looked for when it is known how many there are. */
static void add_gpu(struct rip_device *device, int number)
{
	device->gpus[device->gpu_count] = (struct rip_gpu){ .number = number };
	device->gpu_count++;
	rip_device_look(device, &device->gpus[device->gpu_count - 1]);
}

int rip_device_init(struct rip_device *device, const struct rip_settings *settings)
{
	int r;

	*device = (struct rip_device){ .kind = settings->device };
	pthread_mutex_init(&device->lock, NULL);
	r = make_cpu(device);
	if (r < 0) {
		rip_device_finish(device);
		return r;
	}
	device->all = settings->gpu_count == 0;
	if (device->kind != RIP_DEVICE_CPU && device->all)
		add_gpu(device, 0);
	for (unsigned i = 0; device->kind != RIP_DEVICE_CPU && i < settings->gpu_count; i++)
		add_gpu(device, settings->gpus[i]);
	explain(device);
	return 0;
}

bool rip_device_finish(struct rip_device *device)
{
	bool hangs = false;

	for (unsigned i = 0; i < device->gpu_count; i++) {
		hangs = !rip_probe_free(device->gpus[i].probe) || hangs;
		device->gpus[i].probe = NULL;
	}
	if (hangs)
		return false;
	for (int method = 0; method < RIP_METHODS; method++) {
		free_engine(device->cpu[method]);
		device->cpu[method] = NULL;
	}
	for (unsigned i = 0; i < device->gpu_count; i++)
		free_engine(device->gpus[i].engine);
	device->gpu_count = 0;
	pthread_mutex_destroy(&device->lock);
	return true;
}

/* Twice as long after each failure in a row. */
static int64_t retry_after_ms(unsigned row)
{
	int64_t after = RIP_RETRY_MS;

	for (; row > 1 && after < RIP_RETRY_MOST_MS; row--)
		after *= 2;
	return after < RIP_RETRY_MOST_MS ? after : RIP_RETRY_MOST_MS;
}

/* Of several GPUs of one type, a user wants to know which. */
static void name_engine(struct rip_engine *engine, int number)
{
	char name[sizeof engine->device];

	snprintf(name, sizeof name, "%.40s (GPU %d)", engine->device, number);
	memcpy(engine->device, name, sizeof name);
}

int rip_device_found(struct rip_device *device, struct rip_gpu *gpu, int64_t now_ms)
{
	struct rip_engine *engine = NULL;
	char why[RIP_REASON_MAX + 1];
	int count, r = rip_probe_result(gpu->probe, &engine, &count, why, sizeof why);

	if (r == -EAGAIN)
		return r;
	rip_probe_free(gpu->probe);
	gpu->probe = NULL;
	gpu->overdue = false;
	if (r == 0) {
		if (count > 1)
			name_engine(engine, gpu->number);
		memcpy(gpu->name, engine->device, sizeof gpu->name);
		gpu->lost = gpu->gone = false;
		device->had_gpu = true;
		lock(device);
		gpu->engine = engine;
		gpu->ready = true;
		gpu->found_ms = now_ms;
		unlock(device);
	} else if (gpu->lost) {
		gpu->gone = true;
		lock(device);
		gpu->row++;
		gpu->retry_ms = now_ms + retry_after_ms(gpu->row);
		unlock(device);
	}
	explain_gpu(device, gpu, why);
	for (int n = (int)device->gpu_count; device->all && n < count && n < RIP_GPUS_MAX; n++)
		add_gpu(device, n);
	explain(device);
	return r;
}

void rip_device_overdue(struct rip_device *device, struct rip_gpu *gpu)
{
	gpu->overdue = true;
	explain_gpu(device, gpu, "its driver does not answer");
}

int64_t rip_device_retry_ms(struct rip_device *device, struct rip_gpu *gpu, int64_t now_ms)
{
	int64_t at;

	lock(device);
	if (!gpu->lost || gpu->probe)
		at = INT64_MAX;
	else if (gpu->users || gpu->unreported) /* its pages have not moved yet */
		at = now_ms + 1000 > gpu->retry_ms ? now_ms + 1000 : gpu->retry_ms;
	else
		at = gpu->retry_ms;
	unlock(device);
	return at;
}

bool rip_device_ready(const struct rip_device *device)
{
	return device->kind != RIP_DEVICE_GPU || device->had_gpu;
}

bool rip_device_gone(const struct rip_device *device)
{
	bool gone = device->had_gpu && rip_device_gpus(device) == 0;

	for (unsigned i = 0; i < device->gpu_count; i++)
		gone = gone && device->gpus[i].lost == device->gpus[i].gone;
	return gone;
}

/* ---- which engine a session gets ---- */

/* The GPU with the fewest sessions, or NULL. */
static struct rip_gpu *least_loaded_locked(struct rip_device *device)
{
	struct rip_gpu *best = NULL;

	for (unsigned i = 0; i < device->gpu_count; i++) {
		struct rip_gpu *gpu = &device->gpus[i];

		if (gpu->ready && (!best || gpu->users < best->users))
			best = gpu;
	}
	return best;
}

struct rip_engine *rip_device_fallback(const struct rip_device *device, enum rip_method method)
{
	return device->cpu[rip_method_wants_gpu(method) ? RIP_METHOD_AUTO : method];
}

static bool wants_gpu(enum rip_method method)
{
	return rip_method_wants_gpu(method) || method == RIP_METHOD_AUTO;
}

/* The engine for a method if no GPU does it, or NULL. */
static struct rip_engine *cpu_engine(const struct rip_device *device, enum rip_method method)
{
	/* Until it is known whether there is a GPU, the CPU does its work. */
	if (device->kind == RIP_DEVICE_AUTO && rip_device_looking(device) && !device->had_gpu &&
	    wants_gpu(method))
		return rip_device_fallback(device, method);
	/* What runs on the CPU runs as fast in the client, and without copies. */
	if (device->kind == RIP_DEVICE_AUTO)
		return NULL;
	return rip_device_fallback(device, method);
}

bool rip_device_serves(const struct rip_device *device, enum rip_method method)
{
	return (wants_gpu(method) && rip_device_gpus(device) > 0) || cpu_engine(device, method);
}

struct rip_engine *rip_device_hold(struct rip_device *device, enum rip_method method)
{
	struct rip_engine *engine = NULL;

	lock(device);

	struct rip_gpu *gpu = wants_gpu(method) ? least_loaded_locked(device) : NULL;

	if (gpu) {
		gpu->users++;
		engine = gpu->engine;
	}
	unlock(device);
	return engine ? engine : cpu_engine(device, method);
}

bool rip_device_is_gpu(struct rip_device *device, const struct rip_engine *engine)
{
	struct rip_gpu *gpu;
	bool ready;

	lock(device);
	gpu = gpu_of_locked(device, engine);
	ready = gpu && gpu->ready;
	unlock(device);
	return ready;
}

void rip_device_release(struct rip_device *device, const struct rip_engine *engine)
{
	lock(device);

	struct rip_gpu *gpu = gpu_of_locked(device, engine);

	if (gpu)
		gpu->users--;
	unlock(device);
}

/* ---- failures ---- */

/* The first time that the engine of a GPU fails. */
static void fail_locked(struct rip_gpu *gpu, int64_t now_ms)
{
	gpu->ready = false;
	gpu->unreported = true;
	gpu->row = now_ms - gpu->found_ms >= RIP_SOUND_MS ? 1 : gpu->row + 1;
}

struct rip_engine *rip_device_replace(void *argument, struct rip_engine *failed)
{
	struct rip_device *device = argument;
	struct rip_engine *engine = NULL;
	struct rip_gpu *gpu, *other;

	lock(device);
	gpu = gpu_of_locked(device, failed);
	if (gpu && gpu->ready)
		fail_locked(gpu, rip_now_ms());
	other = gpu ? least_loaded_locked(device) : NULL;
	if (other) {
		other->users++;
		engine = other->engine;
	}
	unlock(device);
	return engine;
}

bool rip_device_failed(struct rip_device *device, const struct rip_engine *engine,
		       const char *why)
{
	const int64_t now_ms = rip_now_ms();
	char text[RIP_REASON_MAX + 1];
	struct rip_gpu *gpu;
	bool news = true;

	lock(device);
	gpu = gpu_of_locked(device, engine);
	if (gpu) {
		if (gpu->ready)
			fail_locked(gpu, now_ms);
		news = gpu->unreported;
		gpu->unreported = false;
		if (news)
			gpu->retry_ms = now_ms + retry_after_ms(gpu->row);
	}
	unlock(device);
	if (gpu && news) {
		gpu->lost = true;
		gpu->failed_times++;
		snprintf(text, sizeof text, "%s failed: %s", engine->device, why);
		explain_gpu(device, gpu, text);
	}
	return news;
}

/* ---- memory and names ---- */

uint64_t rip_device_staging(const struct rip_device *device)
{
	return device->had_gpu ? rip_engine_cuda_pinned_bytes() : 0;
}

uint64_t rip_device_page_staging(struct rip_device *device, const struct rip_engine *engine,
				 const struct rip_page_spec *spec)
{
	bool gpu;

	lock(device);
	gpu = gpu_of_locked(device, engine) != NULL;
	unlock(device);
	return gpu ? rip_engine_cuda_page_bytes(engine, spec) : 0;
}

void rip_device_trim(struct rip_device *device)
{
	for (unsigned i = 0; i < device->gpu_count; i++)
		if (is_ready(device, &device->gpus[i]))
			rip_engine_cuda_trim(device->gpus[i].engine);
}

void rip_device_describe(struct rip_device *device, const struct rip_gpu *gpu,
			 struct rip_gpu_status *status)
{
	lock(device);
	*status = (struct rip_gpu_status){
		.number = (uint32_t)gpu->number,
		.state = gpu->ready ? RIP_GPU_USED
			 : gpu->lost || gpu->unreported ? RIP_GPU_FAILED
			 : gpu->probe                   ? RIP_GPU_SOUGHT
							: RIP_GPU_MISSING,
		.sessions = gpu->users,
		.failures = gpu->failed_times,
	};
	unlock(device);
	snprintf(status->name, sizeof status->name, "%s", gpu->name);
	if (status->state != RIP_GPU_USED)
		snprintf(status->why, sizeof status->why, "%s", gpu->why);
}

void rip_device_name(const struct rip_device *device, char *name, size_t size)
{
	const struct rip_engine *cpu = cpu_engine(device, RIP_METHOD_AUTO);
	const unsigned count = rip_device_gpus(device);
	unsigned first = 0;

	while (count && !is_ready(device, &device->gpus[first]))
		first++;
	if (count > 1) {
		const char *one = device->gpus[first].engine->device;
		const char *number = strstr(one, " (GPU ");

		snprintf(name, size, "%u GPUs: %.*s", count,
			 number ? (int)(number - one) : (int)strlen(one), one);
	} else {
		snprintf(name, size, "%s", count ? device->gpus[first].engine->device
					   : cpu ? cpu->device
						 : "none");
	}
}
