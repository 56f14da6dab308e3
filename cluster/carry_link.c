#include "carry_link.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/threads/team.h"
#include "halftone/wave.h"
#include "image/complain.h"

#define LINE 64 /* bytes that a processor keeps together */

/* --- the line ----------------------------------------------------------------------------- */

static size_t row_bytes(const struct rip_carry_line *line)
{
	return rip_round_up((RIP_WAVE_PAD + (size_t)line->config.spec->width + RIP_WAVE_PAD) *
			sizeof(int16_t));
}

static size_t line_size(const struct rip_carry_line *line)
{
	return line->count * sizeof *line->counters +
	       (size_t)line->config.spec->screen->reach * row_bytes(line);
}

/* Memory of the first rank of the node, for all its ranks; *at is where it begins. */
static void allocate_shared(struct rip_carry_line *line, char **at)
{
	const struct rip_ranks *ranks = line->config.ranks;
	const size_t size = ranks->node_rank == 0 ? line_size(line) + LINE : 0;
	char text[MPI_MAX_ERROR_STRING];
	MPI_Aint whole;
	int unit, length, error;

	MPI_Comm_set_errhandler(ranks->node, MPI_ERRORS_RETURN);
	error = MPI_Win_allocate_shared((MPI_Aint)size, 1, MPI_INFO_NULL, ranks->node, at,
					&line->window);
	MPI_Comm_set_errhandler(ranks->node, MPI_ERRORS_ARE_FATAL);
	if (error != MPI_SUCCESS) { /* other ranks may still wait for this one in there */
		MPI_Error_string(error, text, &length);
		rip_complain(-ENOMEM, "cannot share memory with the other ranks of this machine"
			     " (%s): --link message does not need it", text);
		rip_ranks_abort(ranks);
	}
	MPI_Win_shared_query(line->window, 0, &whole, &unit, at);
	/* Begins and ends nowhere: atomics order what ranks read and write. */
	MPI_Win_lock_all(MPI_MODE_NOCHECK, line->window);
	*at += -(uintptr_t)*at % LINE; /* the same in all ranks: maps begin with pages */
}

/* Memory of this rank, or of the first rank of the node for all its ranks. */
static int allocate(struct rip_carry_line *line)
{
	const struct rip_carry_config *config = &line->config;
	char *at;

	if (!config->window) {
		line->memory = aligned_alloc(LINE, rip_round_up(line_size(line)));
		at = line->memory;
	} else {
		allocate_shared(line, &at);
	}
	if (!at)
		return rip_complain(-ENOMEM, "out of memory for the carry");
	if (!config->window || config->ranks->node_rank == 0)
		memset(at, 0, line_size(line));
	line->counters = (struct rip_carry_counter *)(void *)at;
	at += line->count * sizeof *line->counters;
	for (int i = 0; i < config->spec->screen->reach; i++, at += row_bytes(line))
		line->rows[i] = (int16_t *)(void *)at + RIP_WAVE_PAD;
	return 0;
}

/* The first worker of this node, and how many it has. */
static void share_with_node(struct rip_carry_line *line)
{
	const struct rip_carry_config *config = &line->config;

	MPI_Allreduce(&config->first, &line->first, 1, MPI_UINT32_T, MPI_MIN, config->ranks->node);
	MPI_Allreduce(&config->count, &line->count, 1, MPI_UINT32_T, MPI_SUM, config->ranks->node);
}

int rip_carry_line_open(struct rip_carry_line *line, const struct rip_carry_config *config)
{
	const struct rip_ranks *ranks = config->ranks;

	*line = (struct rip_carry_line){ .config = *config, .first = config->first,
					 .count = config->count, .window = MPI_WIN_NULL };
	line->before = ranks->rank;
	line->after = ranks->rank;
	if (config->window) {
		share_with_node(line);
		line->before = ranks->node_first;
		line->after = ranks->node_first + ranks->node_count - 1;
	}
	line->before = (line->before + ranks->count - 1) % ranks->count;
	line->after = (line->after + 1) % ranks->count;
	return allocate(line);
}

void rip_carry_line_close(struct rip_carry_line *line)
{
	if (line->window != MPI_WIN_NULL) {
		MPI_Win_unlock_all(line->window);
		MPI_Win_free(&line->window);
	}
	free(line->memory);
	line->memory = NULL;
}

void rip_carry_line_start(struct rip_carry_line *line, enum rip_start start)
{
	const struct rip_carry_config *config = &line->config;
	const struct rip_page_spec *spec = config->spec;

	MPI_Barrier(config->ranks->comm); /* the run before has ended everywhere */
	for (uint32_t i = 0; i < config->count; i++)
		atomic_store(&line->counters[config->first - line->first + i].passed, 0);
	if (config->ranks->rank == 0) {
		for (int i = 0; i < spec->screen->reach; i++)
			memset(line->rows[i], 0, spec->width * sizeof(int16_t));
		if (spec->screen->reach > 0 && start == RIP_START_NOISE)
			for (uint32_t j = 0; j < spec->width; j++)
				line->rows[0][j] = rip_start_noise(j, 0);
	}
	MPI_Barrier(config->ranks->comm);
}

/* --- a link ------------------------------------------------------------------------------- */

int rip_carry_link_open(struct rip_carry_link *link, struct rip_carry_line *line, uint32_t worker)
{
	const struct rip_carry_config *config = &line->config;
	const int reach = config->spec->screen->reach;
	const uint32_t width = config->spec->width;
	const uint32_t most = config->columns < width / 2 ? 2 * config->columns : width;
	int r = 0;

	*link = (struct rip_carry_link){ .line = line, .worker = worker - line->first };
	if (line->count == line->config.workers || config->none || reach == 0)
		return 0;
	if (link->worker == 0)
		r = rip_carry_mail_new(config->ranks->comm, line->before, false, most, reach,
				       &link->in);
	if (r == 0 && link->worker == line->count - 1)
		r = rip_carry_mail_new(config->ranks->comm, line->after, true, most, reach,
				       &link->out);
	return r < 0 ? rip_complain(r, "out of memory for messages") : 0;
}

void rip_carry_link_close(struct rip_carry_link *link)
{
	rip_carry_mail_free(link->in);
	rip_carry_mail_free(link->out);
	link->in = link->out = NULL;
}

void rip_carry_link_begin(struct rip_carry_link *link, uint64_t strip)
{
	link->strip = strip;
	link->arrived = link->passed = 0;
}

/* The columns that a worker of this line has passed on of a strip. */
static uint32_t passed_by(const struct rip_carry_line *line, uint32_t worker, uint64_t strip)
{
	const uint64_t value = atomic_load_explicit(&line->counters[worker].passed,
						    memory_order_acquire);
	const uint64_t number = value >> 32;

	return number == strip + 1 ? (uint32_t)value :
	       number > strip ? line->config.spec->width : 0;
}

/* How many columns of the line the last strip of the round before has passed on: they may be
 * overwritten. */
static uint32_t free_columns(const struct rip_carry_link *link)
{
	const struct rip_carry_line *line = link->line;
	const uint32_t last = line->count - 1;

	if (link->strip < line->config.workers)
		return line->config.spec->width;
	return passed_by(line, last, link->strip + last - line->config.workers);
}

static void receive(struct rip_carry_link *link)
{
	const struct rip_carry_line *line = link->line;
	uint32_t come;

	while (link->arrived < line->config.spec->width &&
	       (come = rip_carry_mail_look(link->in)) > 0 &&
	       free_columns(link) >= link->arrived + come) {
		rip_carry_mail_take(link->in, line->rows, link->arrived);
		link->arrived += come;
	}
}

uint32_t rip_carry_link_arrived(struct rip_carry_link *link)
{
	const struct rip_carry_line *line = link->line;

	if (link->strip == 0 || line->config.none || line->config.spec->screen->reach == 0)
		return line->config.spec->width;
	if (link->in)
		receive(link);
	else
		link->arrived = passed_by(line, (link->worker + line->count - 1) % line->count,
					  link->strip - 1);
	return link->arrived;
}

uint32_t rip_carry_link_wait(struct rip_carry_link *link, uint32_t columns)
{
	uint32_t arrived;

	for (unsigned spins = 0; (arrived = rip_carry_link_arrived(link)) < columns; spins++) {
		if (link->out)
			rip_carry_mail_poll(link->out);
		if (spins < 1000)
			rip_team_pause();
		else
			sched_yield();
	}
	return arrived;
}

static void send_ready(struct rip_carry_link *link, uint32_t columns)
{
	const struct rip_carry_config *config = &link->line->config;
	const uint32_t width = config->spec->width, worth = (config->columns + 1) / 2;

	while (link->passed < columns && (columns == width || columns - link->passed >= worth)) {
		uint32_t n = columns - link->passed;

		n = n < 2 * config->columns ? n : 2 * config->columns;
		rip_carry_mail_send(link->out, link->line->rows, link->passed, n);
		link->passed += n;
		link->messages++;
		link->bytes += (uint64_t)n * sizeof(int16_t) *
			       (unsigned)config->spec->screen->reach;
	}
	rip_carry_mail_poll(link->out);
}

void rip_carry_link_pass(struct rip_carry_link *link, uint32_t columns)
{
	struct rip_carry_line *line = link->line;

	if (link->out && link->strip + 1 < line->config.strips)
		send_ready(link, columns);
	else
		link->passed = columns;
	atomic_store_explicit(&line->counters[link->worker].passed,
			      (link->strip + 1) << 32 | link->passed, memory_order_release);
}

void rip_carry_link_flush(struct rip_carry_link *link)
{
	if (link->out)
		rip_carry_mail_flush(link->out);
}
