/* Strips without samples, and a wave that sleeps as long as a wave would compute.  They stand in
 * for cluster/worker.c, halftone/wave.c and the wait of cluster/carry_link.c. */
#include "stretched.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "cluster/carry_link.h"
#include "system/clock.h"
#include "cluster/worker.h"
#include "halftone/wave.h"

/* Of the AVX-512 kernel: rows of a group, columns that a row is behind the row above, columns
 * that are computed at a time. */
#define LANES 64u
#define SKEW  4u
#define BLOCK 64u

#define NAP 0.3e-6 /* seconds between looks for messages, stretched as well */

double rip_stretched_number(const char *name)
{
	const char *text = getenv(name);

	if (!text) {
		fprintf(stderr, "riptide-mpi-stretched: %s is not set\n", name);
		exit(1);
	}
	return atof(text);
}

/* --- strips ------------------------------------------------------------------------------- */

int rip_strip_store_open(struct rip_strip_store *store, const struct rip_page_file *file,
			 const struct rip_page_spec *spec, uint32_t rows, uint32_t first,
			 uint32_t step, bool in_memory)
{
	*store = (struct rip_strip_store){
		.file = file, .rows = rows, .count = (file->image->height - 1) / rows + 1,
		.first = first, .step = step, .in_memory = in_memory,
	};
	return 0;
}

void rip_strip_store_close(struct rip_strip_store *store)
{
}

int rip_strip_store_get(struct rip_strip_store *store, uint64_t strip, struct rip_strip *rows)
{
	const uint32_t left = store->file->image->height - (uint32_t)strip * store->rows;

	*rows = (struct rip_strip){ .rows = left < store->rows ? left : store->rows };
	return 0;
}

int rip_strip_store_put(struct rip_strip_store *store, uint64_t strip)
{
	return 0;
}

int rip_strip_store_read(struct rip_strip_store *store, uint64_t strip)
{
	return rip_strip_store_put(store, strip);
}

int rip_strip_store_read_all(struct rip_strip_store *store)
{
	return 0;
}

int rip_strip_store_write_all(struct rip_strip_store *store)
{
	return 0;
}

/* --- the wave ----------------------------------------------------------------------------- */

struct rip_wave {
	uint32_t width, rows, front;
	double   second; /* of computing, stretched, for a pixel */
};

/* When this rank has computed all that it was given: if it wakes up late, it is soon back on
 * time. */
static double busy_until;

int rip_wave_new(const struct rip_page_spec *spec, const struct rip_isa *isa, uint32_t rows,
		 struct rip_wave **out)
{
	struct rip_wave *wave = calloc(1, sizeof *wave);

	if (!wave)
		abort();
	wave->width = spec->width;
	wave->second = rip_stretched_number("STRETCH_FACTOR") /
		       rip_stretched_number("STRETCH_RATE");
	prctl(PR_SET_TIMERSLACK, 1);
	busy_until = rip_clock_s();
	*out = wave;
	return 0;
}

void rip_wave_free(struct rip_wave *wave)
{
	free(wave);
}

void rip_wave_begin(struct rip_wave *wave, const struct rip_strip *strip, int16_t *const carry[])
{
	wave->rows = strip->rows;
	wave->front = 0;
}

static void compute(const struct rip_wave *wave, uint32_t columns)
{
	struct timespec at;

	busy_until += wave->second * columns * wave->rows;
	if (busy_until <= rip_clock_s())
		return;
	at.tv_sec = (time_t)busy_until;
	at.tv_nsec = (long)(1e9 * (busy_until - (double)at.tv_sec));
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

int rip_wave_advance(struct rip_wave *wave, uint32_t arrived, uint32_t *ready)
{
	const uint32_t lag = rip_wave_lag(wave, wave->rows);

	compute(wave, arrived - wave->front);
	wave->front = arrived;
	if (arrived == wave->width)
		compute(wave, SKEW * LANES); /* the last row of each group */
	*ready = arrived == wave->width ? wave->width : arrived > lag ? arrived - lag : 0;
	return 0;
}

uint32_t rip_wave_lag(const struct rip_wave *wave, uint32_t rows)
{
	return SKEW * rows + BLOCK;
}

uint32_t rip_wave_block(const struct rip_wave *wave)
{
	return BLOCK;
}

uint32_t rip_wave_lanes(const struct rip_wave *wave)
{
	return LANES;
}

/* --- waiting ------------------------------------------------------------------------------ */

/* What the linker (--wrap) puts in place of rip_carry_link_wait(): ranks that wait leave the
 * processors to those that work, and the time until then is lost. */
uint32_t __wrap_rip_carry_link_wait(struct rip_carry_link *link, uint32_t columns);

uint32_t __wrap_rip_carry_link_wait(struct rip_carry_link *link, uint32_t columns)
{
	const struct timespec nap = {
		.tv_nsec = (long)(1e9 * NAP * rip_stretched_number("STRETCH_FACTOR")),
	};
	uint32_t arrived;

	while ((arrived = rip_carry_link_arrived(link)) < columns) {
		if (link->out)
			rip_carry_mail_poll(link->out);
		nanosleep(&nap, NULL);
	}
	busy_until = rip_clock_s();
	return arrived;
}
