/*
 * Messages with columns of carry, from one worker to the next on another carry line.
 *
 * A message has the next columns of a strip, row after row of the carry; strips follow each
 * other in order.  Receives are posted ahead.  Used by one thread.
 */
#ifndef RIP_CARRY_MAIL_H
#define RIP_CARRY_MAIL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
