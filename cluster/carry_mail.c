#include "carry_link.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Messages on their way: many for small ones, but in little memory. */
#define MANY   64
#define FEW    4
#define MEMORY 4194304 /* bytes */

#define TAG 1

struct rip_carry_mail {
	MPI_Comm comm;
	int      rank;
	bool     send;
	int      reach;
	uint32_t columns; /* that a message has at most */
	uint32_t size;    /* requests */
	uint64_t next, done; /* messages posted, and complete */
	uint32_t come;    /* columns of message `done`, 0: not looked at */
	MPI_Request *requests;
	int16_t     *boxes;
};

static int16_t *box_of(const struct rip_carry_mail *mail, uint64_t message)
{
	return mail->boxes + message % mail->size * mail->columns * (uint32_t)mail->reach;
}

static MPI_Request *request_of(const struct rip_carry_mail *mail, uint64_t message)
{
	return &mail->requests[message % mail->size];
}

static void post(struct rip_carry_mail *mail)
{
	for (; mail->next < mail->done + mail->size; mail->next++)
		MPI_Irecv(box_of(mail, mail->next), (int)mail->columns * mail->reach, MPI_INT16_T,
			  mail->rank, TAG, mail->comm, request_of(mail, mail->next));
}

int rip_carry_mail_new(MPI_Comm comm, int rank, bool send, uint32_t columns, int reach,
		       struct rip_carry_mail **out)
{
	struct rip_carry_mail *mail = calloc(1, sizeof *mail);
	const uint32_t box = columns * (uint32_t)reach * (uint32_t)sizeof(int16_t);

	*out = mail;
	if (!mail)
		return -ENOMEM;
	mail->comm = comm;
	mail->rank = rank;
	mail->send = send;
	mail->reach = reach;
	mail->columns = columns;
	mail->size = MEMORY / box > MANY ? MANY : MEMORY / box < FEW ? FEW : MEMORY / box;
	mail->requests = calloc(mail->size, sizeof *mail->requests);
	mail->boxes = malloc((size_t)mail->size * box);
	if (!mail->requests || !mail->boxes) {
		free(mail->requests);
		free(mail->boxes);
		free(mail);
		*out = NULL;
		return -ENOMEM;
	}
	if (!send)
		post(mail);
	return 0;
}

void rip_carry_mail_free(struct rip_carry_mail *mail)
{
	if (!mail)
		return;
	if (mail->send)
		rip_carry_mail_flush(mail);
	else
		for (; mail->done < mail->next; mail->done++) {
			MPI_Cancel(request_of(mail, mail->done));
			MPI_Wait(request_of(mail, mail->done), MPI_STATUS_IGNORE);
		}
	free(mail->requests);
	free(mail->boxes);
	free(mail);
}

uint32_t rip_carry_mail_look(struct rip_carry_mail *mail)
{
	MPI_Status status;
	int come, values;

	if (mail->come == 0) {
		MPI_Test(request_of(mail, mail->done), &come, &status);
		if (!come)
			return 0;
		MPI_Get_count(&status, MPI_INT16_T, &values);
		mail->come = (uint32_t)(values / mail->reach);
	}
	return mail->come;
}

void rip_carry_mail_take(struct rip_carry_mail *mail, int16_t *const rows[], uint32_t first)
{
	const int16_t *box = box_of(mail, mail->done);

	for (int i = 0; i < mail->reach; i++)
		memcpy(rows[i] + first, box + (size_t)i * mail->come, mail->come * sizeof *box);
	mail->come = 0;
	mail->done++;
	post(mail);
}

void rip_carry_mail_poll(struct rip_carry_mail *mail)
{
	int left = 1;

	for (; mail->done < mail->next; mail->done++) {
		MPI_Test(request_of(mail, mail->done), &left, MPI_STATUS_IGNORE);
		if (!left)
			break;
	}
}

void rip_carry_mail_send(struct rip_carry_mail *mail, int16_t *const rows[], uint32_t first,
			 uint32_t columns)
{
	int16_t *box = box_of(mail, mail->next);

	while (mail->next == mail->done + mail->size) {
		rip_carry_mail_poll(mail);
		sched_yield(); /* the receiver may need this processor */
	}
	for (int i = 0; i < mail->reach; i++)
		memcpy(box + (size_t)i * columns, rows[i] + first, columns * sizeof *box);
	MPI_Isend(box, (int)columns * mail->reach, MPI_INT16_T, mail->rank, TAG, mail->comm,
		  request_of(mail, mail->next));
	mail->next++;
}

void rip_carry_mail_flush(struct rip_carry_mail *mail)
{
	for (; mail->done < mail->next; mail->done++)
		MPI_Wait(request_of(mail, mail->done), MPI_STATUS_IGNORE);
}
