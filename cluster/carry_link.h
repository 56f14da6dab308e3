/*
 * The carry's way from strip to strip.
 *
 * Strip s belongs to worker s mod `workers`; a worker is a thread of a rank.  Neighbouring
 * workers whose ranks share memory, or are one rank, also share one carry line, which is
 * replaced in place: each strip follows the one above by a counter of the columns that are
 * ready.  From the last worker that shares a line to the first one of the next line the carry
 * goes in messages.
 *
 * Waiting ends: a strip waits only for strips with smaller numbers, each worker does its strips
 * in order, and a message that was sent needs nothing but the receiver, which is never
 * ahead of the sender's strip.
 *
 * A link belongs to one worker, and is used by its thread.
 */
#ifndef RIP_CARRY_LINK_H
#define RIP_CARRY_LINK_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "halftone/engine.h"
#include "ranks.h"

/*
 * Messages with columns of carry, from one worker to the next on another carry line.
 *
 * A message has the next columns of a strip, row after row of the carry; strips follow each
 * other in order.  Receives are posted ahead.  Used by one thread.
 */

struct rip_carry_mail;

/* Mail to (send) or from a rank; messages of up to `columns` columns with `reach` rows.  0 or
 * -ENOMEM. */
int  rip_carry_mail_new(MPI_Comm comm, int rank, bool send, uint32_t columns, int reach,
			struct rip_carry_mail **mail);
void rip_carry_mail_free(struct rip_carry_mail *mail); /* NULL is allowed */

/* The next message that has come: how many columns it has, 0 if there is none.  It stays until
 * rip_carry_mail_take() copies it to the rows, from column `first` on. */
uint32_t rip_carry_mail_look(struct rip_carry_mail *mail);
void     rip_carry_mail_take(struct rip_carry_mail *mail, int16_t *const rows[], uint32_t first);

/* Sends columns of the rows: copies them, so they may change at once.  Waits only while too many
 * messages are on their way. */
void rip_carry_mail_send(struct rip_carry_mail *mail, int16_t *const rows[], uint32_t first,
			 uint32_t columns);

/* Lets messages go on that have been sent. */
void rip_carry_mail_poll(struct rip_carry_mail *mail);

/* Waits until all messages have left. */
void rip_carry_mail_flush(struct rip_carry_mail *mail);

struct rip_carry_config {
	const struct rip_ranks     *ranks;
	const struct rip_page_spec *spec;
	uint32_t strips;   /* of the image */
	uint32_t columns;  /* of a message: half as many are worth one, twice as many fit */
	uint32_t workers, first, count; /* of all ranks; of this rank: the first, and how many */
	bool     window;   /* the ranks of a node share memory */
	bool     none;     /* pass on nothing, and never wait: for benchmarks */
};

/* The columns that a worker's strip has passed on: strip + 1 in the upper half. */
struct rip_carry_counter {
	_Alignas(64) _Atomic uint64_t passed;
};

/* The carry line of a rank. */
struct rip_carry_line {
	struct rip_carry_config config;
	uint32_t first, count; /* the workers that share it */
	struct rip_carry_counter *counters; /* of these */
	int16_t *rows[RIP_REACH_MAX];
	void    *memory;
	MPI_Win  window; /* MPI_WIN_NULL: memory of this rank */
	int      before, after; /* the ranks to get messages from, and to send them to */
};

struct rip_carry_mail;

struct rip_carry_link {
	struct rip_carry_line *line;
	uint32_t worker;        /* of those that share the line */
	uint64_t strip;
	uint32_t arrived, passed; /* columns of this strip */
	struct rip_carry_mail *in, *out; /* messages; NULL: by counter */
	uint64_t messages, bytes; /* sent */
};

/* All ranks call these at once.  0 or -errno (reported). */
int  rip_carry_line_open(struct rip_carry_line *line, const struct rip_carry_config *config);
void rip_carry_line_close(struct rip_carry_line *line);

/* Puts the carry that the page starts with into the line.  All ranks call it, before a run. */
void rip_carry_line_start(struct rip_carry_line *line, enum rip_start start);

/* The link of worker number `worker` of all.  0 or -errno (reported). */
int  rip_carry_link_open(struct rip_carry_link *link, struct rip_carry_line *line, uint32_t worker);
void rip_carry_link_close(struct rip_carry_link *link); /* may be called twice */

/* Begins the worker's next strip. */
void rip_carry_link_begin(struct rip_carry_link *link, uint64_t strip);

/* How many columns of the strip's carry are in the line.  Never waits. */
uint32_t rip_carry_link_arrived(struct rip_carry_link *link);

/* Waits until there are as many as `columns`.  Returns how many there are. */
uint32_t rip_carry_link_wait(struct rip_carry_link *link, uint32_t columns);

/* Passes on that so many columns of the carry after the strip are ready in the line; in the
 * end all of them. */
void rip_carry_link_pass(struct rip_carry_link *link, uint32_t columns);

/* Waits until all that was passed on has left.  After the worker's last strip. */
void rip_carry_link_flush(struct rip_carry_link *link);

#endif
