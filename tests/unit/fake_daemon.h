/*
 * A daemon for tests, in a thread of the test.  It halftones correctly, and at a place that the
 * test chooses it misbehaves.  It serves one connection after the other, on a socket in a
 * temporary folder.
 */
#ifndef RIP_FAKE_DAEMON_H
#define RIP_FAKE_DAEMON_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum fake_act {
	FAKE_WORKS,
	/* instead of READY */
	FAKE_SILENT,         /* accepts and says nothing */
	FAKE_DRIPS,          /* sends a READY, but a byte every 300 ms */
	FAKE_GARBAGE,
	FAKE_CLOSES,
	FAKE_BUSY,
	FAKE_NO_ACCELERATOR,
	FAKE_REFUSES,        /* this client */
	FAKE_REFUSES_VERSION,
	FAKE_READY_VERSION,  /* READY of a later version, and its STATUS_REPLY */
	FAKE_LONGER_STATUS,  /* STATUS_REPLY of a later version that has more fields */
	FAKE_WRONG_ANSWER,   /* PAGE_READY */
	FAKE_NO_RING,        /* READY without descriptors */
	FAKE_UNSEALED,
	FAKE_WRONG_SIZE,
	/* instead of PAGE_READY */
	FAKE_REFUSES_PAGE,
	FAKE_SILENT_PAGE,
	FAKE_GOODBYE_PAGE,
	FAKE_SLOW_PAGE,      /* WORKING for 2.4 s, then right */
	FAKE_ENDLESS_PAGE,   /* QUEUED, for ever */
	/* instead of the BAND_DONE of band `at` */
	FAKE_DIES,           /* closes */
	FAKE_SCRIBBLES,      /* closes, and has overwritten the whole ring after every band */
	FAKE_GOODBYE,        /* says so first */
	FAKE_FREEZES,
	FAKE_GARBAGE_LATER,
	FAKE_WRONG_SEQ,
	FAKE_WRONG_WORKING,  /* works on a band that nobody sent */
	FAKE_BAD_CARRY,      /* out of range, in the last plane */
	FAKE_STATUS_REPLY,   /* that nobody asked for */
	FAKE_ENDLESS,        /* QUEUED and WORKING, for ever */
	FAKE_CHATTERS,       /* WORKING without a pause, for ever */
	/* with it */
	FAKE_DONE_AND_GONE,  /* when the ring's memory is gone with the session */
	FAKE_SLOW,           /* WORKING for 3.2 s, then right */
};

struct fake_daemon {
	/* the test's, before fake_start() */
	enum fake_act act;
	uint32_t at;       /* the band, counted from 0 in a session */
	size_t   in_size;  /* of the ring; 0: 1 MiB */
	size_t   out_size; /* 0: 256 KiB */
	uint32_t max_width; /* 0: any */

	char        path[64]; /* of its socket */
	atomic_uint closed;   /* sessions that it has ended; at any time */
	/* the test's again after fake_stop() */
	unsigned sessions, pages, bands; /* begun, begun, done */
	unsigned ended;     /* with END */
	char     fault[96]; /* what a client did wrong; empty: nothing */

	char      folder[48];
	int       listener, stop[2];
	pthread_t thread;
};

void fake_start(struct fake_daemon *fake);
void fake_wait(struct fake_daemon *fake, unsigned closed); /* until it has ended so many */
void fake_stop(struct fake_daemon *fake); /* also removes the folder */

#endif
