#include "worker.h"

#include <errno.h>
#include <stdlib.h>

#include "image/complain.h"
#include "system/clock.h"

#define NONE UINT64_MAX

static uint32_t rows_of(const struct rip_strip_store *store, uint64_t strip)
{
	const uint32_t left = store->file->image->height - (uint32_t)strip * store->rows;

	return left < store->rows ? left : store->rows;
}

static uint32_t band_of(const struct rip_strip_store *store, uint64_t strip)
{
	return (uint32_t)((strip - store->first) / store->step % store->bands_count);
}

int rip_strip_store_open(struct rip_strip_store *store, const struct rip_page_file *file,
			 const struct rip_page_spec *spec, uint32_t rows, uint32_t first,
			 uint32_t step, bool in_memory)
{
	uint32_t own;

	*store = (struct rip_strip_store){
		.file = file, .rows = rows, .count = (file->image->height - 1) / rows + 1,
		.first = first, .step = step, .in_memory = in_memory,
	};
	own = first < store->count ? (store->count - 1 - first) / step + 1 : 0;
	store->bands_count = in_memory || own < 1 ? own : 1;
	store->bands = calloc(store->bands_count + 1, sizeof *store->bands);
	store->held = calloc(store->bands_count + 1, sizeof *store->held);
	if (!store->bands || !store->held)
		return rip_complain(-ENOMEM, "out of memory for strips of %u rows", rows);
	for (uint32_t i = 0; i < store->bands_count; i++) {
		const int r = rip_band_new(spec, rows, &store->bands[i]);

		if (r < 0)
			return rip_complain(r, "out of memory for strips of %u rows", rows);
		store->held[i] = NONE;
	}
	return 0;
}

void rip_strip_store_close(struct rip_strip_store *store)
{
	for (uint32_t i = 0; store->bands && i < store->bands_count; i++)
		rip_band_free(store->bands[i]);
	free(store->bands);
	free(store->held);
	store->bands = NULL;
	store->held = NULL;
}

int rip_strip_store_read(struct rip_strip_store *store, uint64_t strip)
{
	const double start = rip_clock_s();
	const uint32_t i = band_of(store, strip), rows = rows_of(store, strip);
	const uint64_t next = strip + store->step;
	int r;

	if (store->held[i] == strip)
		return 0;
	store->held[i] = NONE;
	r = rip_page_file_read(store->file, store->bands[i], (uint32_t)strip * store->rows, rows);
	if (r < 0)
		return r;
	store->held[i] = strip;
	store->bytes_read += store->file->row_size * rows;
	if (next < store->count && !store->in_memory)
		rip_page_file_expect(store->file, (uint32_t)next * store->rows,
				     rows_of(store, next));
	store->read_seconds += rip_clock_s() - start;
	return 0;
}

int rip_strip_store_get(struct rip_strip_store *store, uint64_t strip, struct rip_strip *rows)
{
	const int r = rip_strip_store_read(store, strip);

	if (r < 0)
		return r;
	if (rip_band_strips(store->bands[band_of(store, strip)], rows) == 0)
		*rows = (struct rip_strip){ .rows = 0 };
	return 0;
}

static int write_strip(struct rip_strip_store *store, uint64_t strip)
{
	const double start = rip_clock_s();
	const int r = rip_page_file_write(store->file, store->bands[band_of(store, strip)],
					  (uint32_t)strip * store->rows);

	store->write_seconds += rip_clock_s() - start;
	return r;
}

int rip_strip_store_put(struct rip_strip_store *store, uint64_t strip)
{
	return store->in_memory ? 0 : write_strip(store, strip);
}

int rip_strip_store_read_all(struct rip_strip_store *store)
{
	int r = 0;

	for (uint64_t strip = store->first; r == 0 && strip < store->count; strip += store->step)
		r = rip_strip_store_read(store, strip);
	return r;
}

int rip_strip_store_write_all(struct rip_strip_store *store)
{
	int r = 0;

	for (uint64_t strip = store->first; r == 0 && strip < store->count; strip += store->step)
		r = write_strip(store, strip);
	return r;
}
