#include "pages.h"

#include <errno.h>

#include "terminal.h"

#define BANDS_MAX 8

/* Bands small enough to stay in a cache on their way through the stages, and
 * rows enough for every lane and thread of an engine. */
#define BAND_BYTES    ((size_t)2 << 20)
#define BAND_ROWS_MIN 64
#define BAND_ROWS_MAX 1024
#define BAND_BYTES_MAX ((size_t)64 << 20) /* however wide the page */

struct flow {
	const struct rip_page_job *job;
	struct rip_halftoner *halftoner;
	struct rip_band *bands[BANDS_MAX];
	unsigned count;    /* bands made */
	unsigned in_flight;
	unsigned next;     /* the band to be filled next */
	uint32_t rows_read, rows_written;
};

static uint32_t good_rows(const struct rip_page_job *job)
{
	size_t row = rip_band_size(&job->spec, 2) - rip_band_size(&job->spec, 1);
	size_t rows = BAND_BYTES / row;

	if (rows < BAND_ROWS_MIN)
		rows = BAND_ROWS_MIN;
	if (rows > BAND_ROWS_MAX)
		rows = BAND_ROWS_MAX;
	if (rows > BAND_BYTES_MAX / row)
		rows = BAND_BYTES_MAX / row;
	return rows ? (uint32_t)rows : 1;
}

/* As many bands as may be in flight, and one to be filled meanwhile. */
static int make_bands(struct flow *flow)
{
	const struct rip_page_job *job = flow->job;
	uint32_t rows = job->band_rows ? job->band_rows : good_rows(job);
	uint32_t limit = rip_halftoner_band_rows(flow->halftoner);
	unsigned wanted = rip_halftoner_depth(flow->halftoner) + 1;

	if (rows > limit)
		rows = limit;
	if (rows > job->height)
		rows = job->height;
	if (wanted > BANDS_MAX)
		wanted = BANDS_MAX;
	for (; flow->count < wanted; flow->count++) {
		int r = rip_band_new(&job->spec, rows, &flow->bands[flow->count]);

		if (r < 0)
			return rip_complain(r, "%s: out of memory for bands of %u rows", job->name, rows);
	}
	return 0;
}

static int collect(struct flow *flow)
{
	const struct rip_page_job *job = flow->job;
	struct rip_band *band;
	int r = rip_halftoner_collect(flow->halftoner, &band);

	if (r < 0)
		return r;
	flow->in_flight--;
	for (uint32_t row = 0; r == 0 && row < rip_band_rows(band); row++, flow->rows_written++)
		r = job->write(job->context, band, row);
	rip_progress(job->name, job->number, flow->rows_written, job->height);
	return r;
}

/* Fills the next band, and gives it away when there is room in flight. */
static int submit(struct flow *flow)
{
	const struct rip_page_job *job = flow->job;
	struct rip_band *band = flow->bands[flow->next];
	int r = 0;

	flow->next = (flow->next + 1) % flow->count;
	rip_band_reset(band);
	while (r == 0 && flow->rows_read < job->height &&
	       rip_band_rows(band) < rip_band_capacity(band)) {
		r = job->read(job->context, band);
		flow->rows_read++;
	}
	if (r == 0 && flow->in_flight == flow->count - 1)
		r = collect(flow);
	if (r == 0)
		r = rip_halftoner_submit(flow->halftoner, band);
	if (r == 0)
		flow->in_flight++;
	return r;
}

int rip_page_job_run(const struct rip_page_job *job, struct rip_halftoner **halftoner)
{
	struct flow flow = { .job = job, .halftoner = *halftoner };
	int r = rip_halftoner_begin(*halftoner, &job->spec, job->height, job->start);

	if (r == 0)
		r = make_bands(&flow);
	while (r == 0 && flow.rows_read < job->height)
		r = submit(&flow);
	while (r == 0 && flow.in_flight > 0)
		r = collect(&flow);
	if (r < 0) {
		rip_halftoner_free(*halftoner);
		*halftoner = NULL;
	}
	for (unsigned i = 0; i < flow.count; i++)
		rip_band_free(flow.bands[i]);
	return r;
}
