/* A network of a given latency and bandwidth, between the program and MPI (by MPI's profiling
 * interface): each message has the time in it when it may arrive.  Only messages of int16_t,
 * the carry, are delayed. */
#include "stretched.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "system/clock.h"

#define SLOTS 128 /* more than the program has messages under way */
#define STAMP 4   /* int16_t that hold the time */

struct slot {
	int16_t    *memory;   /* the time, then the values */
	void       *box;      /* where the program wants the values; NULL: the slot is free */
	MPI_Request request;  /* MPI_REQUEST_NULL: the message has come */
	MPI_Request *handle;  /* the program's, where it tests it */
	int         values;
};

static struct slot receiving[SLOTS];
static int16_t *sending[SLOTS];
static unsigned sent, received;
static double free_at; /* when all that was sent has left this rank */

static int16_t *need(int values)
{
	int16_t *memory = malloc((size_t)(STAMP + values) * sizeof *memory);

	if (!memory)
		abort();
	return memory;
}

int MPI_Isend(const void *values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	const double factor = rip_stretched_number("STRETCH_FACTOR"), now = rip_clock_s();
	int16_t **memory = &sending[sent++ % SLOTS];
	double at;

	if (type != MPI_INT16_T)
		return PMPI_Isend(values, count, type, rank, tag, comm, request);
	free_at = (free_at > now ? free_at : now) +
		  factor * count * (double)sizeof **memory /
			  rip_stretched_number("STRETCH_BANDWIDTH");
	at = free_at + factor * rip_stretched_number("STRETCH_LATENCY");
	free(*memory);
	*memory = need(count);
	memcpy(*memory, &at, sizeof at);
	memcpy(*memory + STAMP, values, (size_t)count * sizeof **memory);
	return PMPI_Isend(*memory, STAMP + count, type, rank, tag, comm, request);
}

int MPI_Irecv(void *box, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	struct slot *slot = &receiving[received++ % SLOTS];
	int r;

	if (type != MPI_INT16_T)
		return PMPI_Irecv(box, count, type, rank, tag, comm, request);
	if (slot->box)
		abort();
	free(slot->memory);
	slot->memory = need(count);
	slot->box = box;
	r = PMPI_Irecv(slot->memory, STAMP + count, type, rank, tag, comm, &slot->request);
	*request = slot->request;
	slot->handle = request;
	return r;
}

/* Ranks that are done leave the processors to the others. */
int MPI_Barrier(MPI_Comm comm)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	MPI_Request request;
	int done = 0, r = PMPI_Ibarrier(comm, &request);

	while (r == MPI_SUCCESS && !done) {
		r = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (!done)
			nanosleep(&nap, NULL);
	}
	return r;
}

static struct slot *slot_of(const MPI_Request *request)
{
	for (int i = 0; i < SLOTS; i++)
		if (receiving[i].box && receiving[i].handle == request)
			return &receiving[i];
	return NULL;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct slot *slot = *request == MPI_REQUEST_NULL ? NULL : slot_of(request);
	MPI_Status come;
	double at;

	if (!slot)
		return PMPI_Test(request, flag, status);
	if (slot->request != MPI_REQUEST_NULL) {
		PMPI_Test(&slot->request, flag, &come);
		if (!*flag)
			return MPI_SUCCESS;
		slot->request = MPI_REQUEST_NULL;
		PMPI_Get_count(&come, MPI_INT16_T, &slot->values);
		slot->values -= STAMP;
	}
	memcpy(&at, slot->memory, sizeof at);
	*flag = rip_clock_s() >= at;
	if (!*flag)
		return MPI_SUCCESS;
	memcpy(slot->box, slot->memory + STAMP, (size_t)slot->values * sizeof *slot->memory);
	slot->box = NULL;
	*request = MPI_REQUEST_NULL;
	if (status != MPI_STATUS_IGNORE)
		PMPI_Status_set_elements(status, MPI_INT16_T, slot->values);
	return MPI_SUCCESS;
}
