/* The production engine: strips go to the launcher in chunks, dots come back. */
#include "wavefront_engine.cuh"

#include <errno.h>
#include <stdlib.h>

#include "cuda_page.cuh"
#include "wavefront_launcher.cuh"

extern "C" {
#include "halftone/screen/blue_noise_colour.h"
}

/* A chunk is on the device while it is copied in, halftoned and copied back: for 16 MiB that
 * takes three times as long as copying it in.  One more is being prepared. */
#define SLOTS 6

/* Samples in a chunk, unless a row is longer. */
static const size_t usual_chunk_bytes = 16 << 20;

struct wavefront_engine {
	rip_cuda_device   device;
	rip_wave_launcher launcher;
	size_t            chunk_bytes;
	unsigned          slots; /* that a page has */
	bool              pins;  /* as in the configuration */
};

struct wavefront_workspace {
	rip_cuda_workspace base;
	rip_wave_slot      slot[SLOTS];
	rip_cuda_buffer    scanned[SLOTS]; /* what the scan of a slot finds; on the device */
};

/* Copies of a page's carries: those that were imported, and one for each slot, with what its latest
 * chunk has left. */
#define IMPORTED 0

static unsigned copy_of(unsigned slot)
{
	return 1 + slot;
}

struct wavefront_page {
	rip_cuda_page base;
	unsigned      kind;                     /* rip_wave_kind() */
	uint32_t      groups;                   /* in a slice */
	uint32_t      sequence[RIP_PLANES_MAX]; /* of the next slice of a plane */
	unsigned      copy[RIP_PLANES_MAX];     /* of the carries that a plane's latest one is in */
	uint32_t      chunks;                   /* so far */
	rip_wave_colour colour;                 /* if planes are halftoned together: their steps */
	rip_submission *submission;             /* the chunk that is started belongs to it */
	bool          busy[SLOTS];
	unsigned      latest;                   /* the slot of the latest chunk */
};

static const wavefront_engine *engine_of(const rip_cuda_page *page)
{
	return (const wavefront_engine *)page->device;
}

static rip_wave_launcher *launcher_of(const rip_cuda_page *page)
{
	return &((wavefront_engine *)page->device)->launcher;
}

static bool couples(const rip_cuda_page *page)
{
	return page->shape.screen == RIP_BLUE_NOISE_COLOUR;
}

static rip_wave_slot *slots_of(const rip_cuda_page *page)
{
	return ((wavefront_workspace *)page->workspace)->slot;
}

static int workspace_init(rip_cuda_device *device, rip_cuda_workspace *workspace)
{
	int r = 0;

	for (rip_wave_slot &slot : ((wavefront_workspace *)workspace)->slot)
		for (cudaEvent_t *event : { &slot.sent, &slot.received })
			if (r == 0)
				r = rip_cuda_try(device, cudaEventCreateWithFlags(
								 event, cudaEventDisableTiming));
	return r;
}

static void workspace_finish(rip_cuda_device *device, rip_cuda_workspace *workspace)
{
	for (rip_wave_slot &slot : ((wavefront_workspace *)workspace)->slot) {
		for (cudaEvent_t event : { slot.sent, slot.received })
			if (event)
				cudaEventDestroy(event);
		rip_cuda_transfer_finish(device, &slot.transfer);
	}
	for (rip_cuda_buffer &scanned : ((wavefront_workspace *)workspace)->scanned)
		rip_cuda_release(device, &scanned, false);
}

static const rip_cuda_workspace_type workspace_type = { sizeof(wavefront_workspace), workspace_init,
							workspace_finish };

/* ---- chunks ---- */

/* The room for the samples of a chunk, in rows of sample_room bytes: a little more than
 * chunk_bytes, so that the padding of rows costs chunks of usual pages no row. */
static size_t chunk_room(const wavefront_engine *engine, uint32_t planes, size_t sample_room)
{
	const size_t room = engine->chunk_bytes / 16 * 17;

	return room > planes * sample_room ? room : planes * sample_room;
}

/* Whole groups, if there is room for one, and not more than a launch can take. */
static uint32_t chunk_rows(const rip_cuda_page *page, unsigned planes)
{
	const wavefront_engine *engine = engine_of(page);
	const size_t bytes = engine->chunk_bytes / (rip_gpu_align(page->row.sample_bytes) * planes);
	const size_t room = chunk_room(engine, planes, page->row.sample_room) /
			    (page->row.sample_room * planes);
	const size_t rows = bytes < room ? bytes : room;
	const size_t slice = RIP_WAVE_LANES * ((const wavefront_page *)page)->groups;
	const size_t most = RIP_WAVE_SLICES_MAX / planes * slice;

	if (rows <= RIP_WAVE_LANES)
		return rows > 0 ? (uint32_t)rows : 1;
	return (uint32_t)(rows < most ? rows / RIP_WAVE_LANES * RIP_WAVE_LANES : most);
}

/* Waits until a slot's dots are back, and stores them. */
static int finish(wavefront_page *page, unsigned i)
{
	rip_wave_slot *slot = &slots_of(&page->base)[i];
	int r;

	if (!page->busy[i])
		return 0;
	page->busy[i] = false;
	r = rip_wave_launcher_await(launcher_of(&page->base), slot);
	if (r == 0 && !slot->submission)
		rip_cuda_transfer_unstage(&slot->transfer);
	return r;
}

/* Finds a slot that is idle; if there is none, waits for that of the oldest chunk. */
static int find_slot(wavefront_page *page, unsigned *found)
{
	rip_wave_slot *slots = slots_of(&page->base);
	unsigned oldest = 0;

	for (unsigned i = 0; i < engine_of(&page->base)->slots; i++) {
		if (!page->busy[i] || rip_wave_launcher_completed(launcher_of(&page->base),
								  &slots[i])) {
			page->busy[i] = false;
			*found = i;
			return 0;
		}
		if (slots[i].number - slots[oldest].number > UINT32_MAX / 2)
			oldest = i;
	}
	*found = oldest;
	return finish(page, oldest);
}

/* ---- chunks of planes that are halftoned together ---- */

/* The steps of a page in stages. */
static void plan_stages(const rip_page_spec *spec, rip_wave_colour *colour)
{
	rip_colour_step steps[RIP_PLANES_MAX];

	*colour = rip_wave_colour();
	colour->planes = (uint8_t)spec->planes;
	rip_colour_plan(spec->coupling.inks, spec->planes, steps);
	for (uint32_t s = 0; s < spec->planes; s++) {
		const bool second = s > 0 && steps[s - 1].looks;

		colour->order[s] = (uint8_t)steps[s].plane;
		if (second)
			continue;
		colour->first[colour->stages] = (uint8_t)s;
		colour->kind[colour->stages++] = steps[s].alone   ? RIP_WAVE_ALONE
						 : steps[s].looks ? RIP_WAVE_PAIR
								  : RIP_WAVE_SINGLE;
	}
}

/* Weights are of 16 bits, and have a pitch like samples. */
static size_t weights_pitch(const rip_page_spec *spec)
{
	return rip_gpu_align(2 * (size_t)spec->width);
}

/* The bytes that a scan of so many rows writes: the struct, grey, weights. */
static size_t scan_room(const rip_page_spec *spec, size_t rows)
{
	const size_t weights = spec->coupling.fade ? rows * weights_pitch(spec) + RIP_GPU_ALIGN : 0;

	return rip_gpu_align(sizeof(rip_wave_colour)) + rip_gpu_align(rows * spec->planes) +
	       weights;
}

/* The scan of the rows of a chunk, whose first task is made. */
static void make_scan(const wavefront_page *page, unsigned number)
{
	const rip_page_spec *spec = &page->base.spec;
	rip_wave_slot *slot = &slots_of(&page->base)[number];
	unsigned char *at = ((wavefront_workspace *)page->base.workspace)->scanned[number].at;
	const rip_cuda_plane_rows *planes = slot->transfer.planes;
	rip_wave_colour *colour = &slot->scan.colour;
	rip_wave_task *task = &slot->tasks[0];

	task->colour = (rip_wave_colour *)at;
	*colour = page->colour;
	colour->rows = planes[0].rows;
	colour->grey = at + rip_gpu_align(sizeof(rip_wave_colour));
	if (spec->coupling.fade)
		colour->weights = (const uint16_t *)(colour->grey +
						     rip_gpu_align(colour->rows * spec->planes));
	colour->weights_pitch = (uint32_t)weights_pitch(spec);
	colour->words = (uint32_t)(page->base.carry_bytes / sizeof(uint64_t));
	for (uint32_t p = 0; p < spec->planes; p++) {
		const uint64_t *from = (const uint64_t *)rip_cuda_page_carry(
			&page->base, slot->copies[p], p);

		colour->in[p] = (uint64_t)(planes[p].samples - planes[0].samples);
		colour->out[p] = (uint64_t)(planes[p].dots - planes[0].dots);
		colour->in_pitch[p] = (uint32_t)planes[p].samples_pitch;
		colour->out_pitch[p] = (uint32_t)planes[p].dots_pitch;
		colour->from[p] = from - task->from;
	}
	slot->scan.shape = page->base.shape;
	slot->scan.task_colour = (rip_wave_colour *)at;
	slot->scan.in = task->in;
	slot->scan.fade = spec->coupling.fade;
	slot->scan.light = spec->coupling.light;
}

/* The tasks of the chunk in slot number i. */
static void make_tasks(wavefront_page *page, unsigned number)
{
	rip_wave_slot *slot = &slots_of(&page->base)[number];
	const unsigned copy = copy_of(number);

	for (unsigned i = 0; i < slot->transfer.count; i++) {
		const rip_cuda_plane_rows *p = &slot->transfer.planes[i];
		rip_wave_task *task = &slot->tasks[i];

		*task = rip_wave_task();
		task->in = p->samples;
		task->out = p->dots;
		task->from = (const uint64_t *)rip_cuda_page_carry(
			&page->base, page->copy[p->plane], p->plane);
		task->words = (uint64_t *)rip_cuda_page_carry(&page->base, copy, p->plane);
		task->targets = page->base.shape.targets;
		task->in_pitch = (uint32_t)p->samples_pitch;
		task->out_pitch = (uint32_t)p->dots_pitch;
		task->sequence = page->sequence[p->plane];
		task->rows = p->rows;
		task->width = page->base.spec.width;
		task->levels = page->base.spec.levels;
		task->screen = page->base.shape.screen;
		page->sequence[p->plane] += rip_wave_slices(p->rows, page->groups);
		slot->copies[i] = page->copy[p->plane];
		page->copy[p->plane] = copy;
	}
	slot->count = slot->transfer.count;
	if (couples(&page->base)) {
		slot->count = 1;
		make_scan(page, number);
	}
}

/* The carries that rows leave which were submitted are copied behind the dots. */
static void bring_carries(wavefront_page *page, unsigned number)
{
	rip_wave_slot *slot = &slots_of(&page->base)[number];
	rip_cuda_transfer *transfer = &slot->transfer;
	const unsigned copy = copy_of(number);

	transfer->carries = rip_cuda_page_carry(&page->base, copy, 0);
	transfer->host_carries = rip_cuda_page_host_carry(&page->base, copy, 0);
	transfer->carry_bytes =
		slot->submission ? page->base.spec.planes * page->base.carry_bytes : 0;
	page->base.known &= ~(1u << copy);
	page->base.known |= slot->submission ? 1u << copy : 0;
}

/* Gives a slot to the launcher: its planes get their place on the device, and tasks. */
static int submit(wavefront_page *page, unsigned number, const rip_cuda_plane_rows *planes,
		  unsigned count)
{
	rip_wave_slot *slot = &slots_of(&page->base)[number];
	int r = rip_cuda_transfer_place(page->base.device, &slot->transfer, planes, count,
					&page->base.row);

	if (r == 0 && couples(&page->base))
		r = rip_cuda_grow(page->base.device,
				  &((wavefront_workspace *)page->base.workspace)->scanned[number],
				  scan_room(&page->base.spec, planes[0].rows), false);
	if (r == 0) {
		make_tasks(page, number);
		bring_carries(page, number);
		r = rip_wave_launcher_submit(launcher_of(&page->base), slot);
	}
	page->busy[number] = r == 0;
	page->latest = number;
	return r;
}

/* Adds rows to the latest chunk, if it has not been sent and is not full; *added: whether it was
 * possible. */
static int extend_chunk(wavefront_page *page, const rip_cuda_plane_rows *planes, unsigned count,
			bool *added)
{
	rip_wave_slot *slot = &slots_of(&page->base)[page->latest];
	const uint32_t most = chunk_rows(&page->base, count);
	rip_cuda_transfer *transfer = &slot->transfer;
	bool room = page->busy[page->latest] && count == transfer->count && !slot->submission &&
		    !page->submission;

	for (unsigned i = 0; room && i < count; i++)
		room = transfer->planes[i].rows + planes[i].rows <= most;
	*added = false;
	if (!room || !rip_wave_launcher_take_back(launcher_of(&page->base), slot))
		return 0;
	*added = rip_cuda_transfer_append(transfer, planes, count, &page->base.row);
	rip_cuda_count(page->base.device, { 0, 0, *added ? count : 0, 0 });
	for (unsigned i = 0; i < transfer->count; i++) { /* as they were before the chunk */
		page->sequence[transfer->planes[i].plane] = slot->tasks[i].sequence;
		page->copy[transfer->planes[i].plane] = slot->copies[i];
	}
	return submit(page, page->latest, transfer->planes, transfer->count);
}

static int start_chunk(rip_cuda_page *base, rip_cuda_plane_rows *planes, unsigned count)
{
	wavefront_page *page = (wavefront_page *)base;
	rip_wave_slot *slot;
	unsigned found;
	bool added;
	int r = extend_chunk(page, planes, count, &added);

	if (r < 0 || added)
		return r;
	r = find_slot(page, &found);
	if (r < 0)
		return r;
	slot = &slots_of(base)[found];
	slot->number = page->chunks++;
	slot->submission = page->submission;
	slot->page = page;
	slot->kind = page->kind;
	slot->row = &base->row;
	slot->stall = rip_cuda_fails(base->device, RIP_CUDA_FAIL_STALL);
	return submit(page, found, planes, count);
}

static const rip_cuda_chunker chunker = { chunk_rows, start_chunk };

/* ---- the engine's functions ---- */

/* Words of a plane's carry. */
static uint32_t words_of(const rip_page_spec *spec)
{
	return rip_wave_words(rip_wave_per_word(rip_cuda_shape_of(spec).screen), spec->width);
}

static bool page_takes(const rip_engine *engine, const rip_page_spec *spec)
{
	const rip_gpu_shape shape = rip_cuda_shape_of(spec);
	const unsigned kind = rip_wave_kind(rip_wave_kernel(&shape), spec->planes);

	if (shape.screen != RIP_BLUE_NOISE_COLOUR)
		return rip_wave_takes(shape.screen);
	return spec->planes <= RIP_WAVE_COLOURS &&
	       rip_wave_fits(kind, ((const rip_cuda_device *)engine)->shared);
}

/* All buffers that the page will need. */
static int reserve(rip_cuda_page *page)
{
	const wavefront_engine *engine = engine_of(page);
	const size_t bytes = chunk_room(engine, page->spec.planes, page->row.sample_room);
	int r = 0;

	for (unsigned i = 0; r == 0 && i < engine->slots; i++)
		r = rip_cuda_transfer_reserve(page->device, &slots_of(page)[i].transfer, bytes,
					      !engine->pins);
	for (unsigned i = 0; r == 0 && i < engine->slots && couples(page); i++)
		r = rip_cuda_grow(page->device,
				  &((wavefront_workspace *)page->workspace)->scanned[i],
				  scan_room(&page->spec, chunk_rows(page, page->spec.planes)),
				  false);
	return r;
}

static int page_open(rip_engine *engine, const rip_page_spec *spec, rip_page **result)
{
	rip_cuda_device *device = (rip_cuda_device *)engine;
	rip_cuda_page *base;
	int r = rip_cuda_page_open(device, spec, sizeof(wavefront_page), &workspace_type,
				   words_of(spec) * sizeof(uint64_t),
				   copy_of(((wavefront_engine *)device)->slots), &base);

	*result = nullptr;
	if (r < 0)
		return r;

	wavefront_page *page = (wavefront_page *)base;

	page->kind = rip_wave_kind(rip_wave_kernel(&base->shape), spec->planes);
	page->groups = launcher_of(base)->tickets[page->kind].groups;
	if (couples(base))
		plan_stages(spec, &page->colour);
	r = reserve(base);
	if (r < 0) {
		rip_cuda_page_close(base);
		return r;
	}
	*result = &base->base;
	return 0;
}

static int page_push(rip_page *page, const rip_strip *strips, unsigned count)
{
	return rip_cuda_page_push((rip_cuda_page *)page, strips, count, &chunker);
}

static int page_pull(rip_page *base)
{
	wavefront_page *page = (wavefront_page *)base;
	int r = rip_cuda_enter(page->base.device);

	if (page->busy[page->latest])
		rip_wave_launcher_hurry(launcher_of(&page->base),
					&slots_of(&page->base)[page->latest]);
	/* All of them, also after a failure: no copy may reach the caller's memory later. */
	for (unsigned i = 0; i < SLOTS; i++) {
		const int finished = finish(page, i);

		r = r < 0 ? r : finished;
	}
	return r;
}

/* The carry of a plane, from a copy in the host's memory, after the slice before `sequence`; false
 * if it is not there. */
static bool unpack(const wavefront_page *page, int16_t *carry, unsigned copy, uint32_t plane,
		   uint32_t sequence)
{
	return rip_wave_unpack(carry, sequence,
			       (const uint64_t *)rip_cuda_page_host_carry(&page->base, copy, plane),
			       rip_wave_per_word(page->base.shape.screen), page->base.spec.width,
			       page->base.spec.screen->reach);
}

static int page_export(rip_page *base, uint32_t plane, int16_t *carry)
{
	wavefront_page *page = (wavefront_page *)base;
	int r = plane < page->base.spec.planes ? page_pull(base) : -EINVAL;

	if (r == 0)
		r = rip_cuda_page_load_carries(&page->base, page->copy[plane]);
	if (r == 0 && !unpack(page, carry, page->copy[plane], plane, page->sequence[plane]))
		r = rip_cuda_break(page->base.device, -EIO); /* some rows were not halftoned */
	return r;
}

/* The rows of a submission are back: its carries are unpacked.  In the launcher's thread. */
static void complete(rip_wave_slot *slot, int r)
{
	wavefront_page *page = slot->page;
	const unsigned copy = copy_of((unsigned)(slot - slots_of(&page->base)));

	if (r == 0)
		rip_cuda_transfer_unstage(&slot->transfer);
	for (unsigned i = 0; r == 0 && i < slot->transfer.count; i++) {
		const rip_wave_task *task = &slot->tasks[i];
		const uint32_t plane = slot->transfer.planes[i].plane;

		if (!unpack(page, slot->submission->carry[i], copy, plane,
			    task->sequence + rip_wave_slices(task->rows, page->groups)))
			r = rip_cuda_break(page->base.device, -EIO); /* as in page_export() */
	}
	slot->submission->done(slot->submission, r);
}

/* Rows that need more than one chunk are waited for. */
static int submit_large(rip_page *base, const rip_strip *strips, unsigned count,
			rip_submission *submission)
{
	int r = page_push(base, strips, count);

	for (unsigned i = 0; r == 0 && i < count; i++)
		r = page_export(base, strips[i].plane, submission->carry[i]);
	if (r < 0)
		page_pull(base);
	submission->done(submission, r);
	return 0;
}

static int page_submit(rip_page *base, const rip_strip *strips, unsigned count,
		       rip_submission *submission)
{
	wavefront_page *page = (wavefront_page *)base;
	const rip_pixels *pixels = strips[0].pixels;
	const uint32_t most = chunk_rows(&page->base, count);
	bool large = false;
	int r;

	for (unsigned i = 0; i < count; i++)
		large = large || strips[i].rows > most;
	if (pixels && (large || !rip_cuda_transfer_takes_pixels(
				       pixels, &page->base.row,
				       chunk_room(engine_of(&page->base), page->base.spec.planes,
						  page->base.row.sample_room))))
		return -E2BIG;
	if (large)
		return submit_large(base, strips, count, submission);
	page->submission = submission;
	r = page_push(base, strips, count);
	page->submission = nullptr;
	return r;
}

static int page_import(rip_page *base, uint32_t plane, const int16_t *carry)
{
	wavefront_page *page = (wavefront_page *)base;
	int r = plane < page->base.spec.planes ? rip_carry_check(&page->base.spec, carry) : -EINVAL;

	if (r == 0)
		r = page_pull(base);
	if (r < 0)
		return r;
	page->copy[plane] = IMPORTED;
	rip_wave_pack((uint64_t *)rip_cuda_page_host_carry(&page->base, IMPORTED, plane),
		      page->sequence[plane], carry, rip_wave_per_word(page->base.shape.screen),
		      page->base.spec.width, page->base.spec.screen->reach);
	return rip_cuda_page_store_carry(&page->base, IMPORTED, plane);
}

static void page_close(rip_page *base)
{
	wavefront_page *page = (wavefront_page *)base;

	if (!page)
		return;
	cudaSetDevice(page->base.device->number);
	for (unsigned i = 0; i < SLOTS; i++)
		finish(page, i);
	rip_cuda_page_close(&page->base);
}

static void engine_free(rip_engine *base)
{
	wavefront_engine *engine = (wavefront_engine *)base;

	if (!engine)
		return;
	cudaSetDevice(engine->device.number);
	engine->device.reap = nullptr; /* no launch can begin: what is released is freed at once */
	rip_wave_launcher_finish(&engine->launcher);
	rip_cuda_workspaces_free(&engine->device);
	rip_cuda_device_finish(&engine->device);
	free(engine);
}

static const rip_engine_ops ops = {
	page_takes, page_open, page_push, page_submit, true, page_pull, page_export, page_import,
	nullptr, page_close, engine_free,
};

static void reap(rip_cuda_device *device, bool wait)
{
	rip_wave_launcher_reap(&((wavefront_engine *)device)->launcher, wait);
}

uint64_t rip_wavefront_page_bytes(const rip_cuda_device *device, const rip_page_spec *spec)
{
	const wavefront_engine *engine = (const wavefront_engine *)device;
	const size_t room = rip_cuda_row_room((size_t)spec->width * spec->sample_bits / 8);
	const size_t carry = rip_gpu_align(words_of(spec) * sizeof(uint64_t));
	const uint64_t chunk = rip_cuda_transfer_staging(chunk_room(engine, spec->planes, room));

	return rip_cuda_page_carry_room(copy_of(engine->slots) * spec->planes, carry) +
	       (engine->pins ? 0 : engine->slots * chunk);
}

int rip_wavefront_engine_new(const rip_wavefront_config *config, rip_method method, int number,
			     const cudaDeviceProp *properties, rip_cuda_device **result)
{
	wavefront_engine *engine = (wavefront_engine *)calloc(1, sizeof *engine);
	int r;

	if (!engine)
		return -ENOMEM;
	rip_cuda_device_init(&engine->device, &ops, method, number, properties);
	engine->chunk_bytes = config->chunk_bytes ? config->chunk_bytes : usual_chunk_bytes;
	engine->slots = config->chunks > 0 && config->chunks < SLOTS ? config->chunks : SLOTS;
	engine->pins = config->pins;
	engine->device.spins = config->spins;
	r = rip_wave_launcher_init(&engine->launcher, &engine->device, engine->chunk_bytes / 2,
				   complete);
	if (r < 0) {
		engine_free(&engine->device.engine);
		return r;
	}
	engine->device.reap = reap;
	*result = &engine->device;
	return 0;
}
