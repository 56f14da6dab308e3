/*
 * A session with the daemon, seen from the filter and the tools.
 *
 * Every call ends when the daemon has been silent for RIP_SILENCE_MS, counted from the
 * call or from the last whole message, whichever was later.  Signs of life alone do not
 * help it for ever: a call that waits for a page or a band also ends after a time that
 * depends on its size (RIP_ANSWER_MS).  Messages that already lie in the socket are read
 * before a deadline counts, since this process may have been stopped itself.
 *
 * Everything that the daemon sends is checked.  Signals do not end a wait.  Used by one
 * thread.
 */
#ifndef RIP_CLIENT_H
#define RIP_CLIENT_H

#include <stdbool.h>

#include "exchange.h"
#include "halftone/page/band.h"
#include "ring.h"

struct rip_client {
	struct rip_connection connection;
	struct rip_ring       ring;
	struct rip_ready      ready;
	struct rip_page_spec  spec;  /* of the page that is open; curve is NULL */
	rip_reason            reason; /* of the last refusal or fault */
	int64_t               answer_ms; /* RIP_ANSWER_MS; tests may change it after open */
	/* Of the next page's pixels, if its bands move there: rip_client_page() sets it to 0 if the
	 * daemon does not take them. */
	size_t                line_pitch;
	bool                  optional; /* of the next pages, as in struct rip_page_message */
	const struct rip_ink_limit *limit; /* as in struct rip_pixels, of 8 bits; or NULL */
	/* the rest is private to client.c */
	bool                  faulty;    /* the session has failed */
	uint32_t              band_rows; /* rows of a plane that a slot of the ring holds */
	uint32_t              slots;     /* 1..RIP_BANDS_IN_FLIGHT, for this page */
	uint32_t              sent, done; /* bands: sequence numbers */
	uint32_t              rooms;     /* of the input area; 0: it is not divided yet */
	uint32_t              taken;     /* those in use: bits */
	uint32_t              room_rows; /* rows of a plane that a room holds */
	size_t                sent_from[RIP_BANDS_IN_FLIGHT]; /* by slot: where */
	size_t                slot_out;  /* bytes of a slot */
	size_t                in_pitch, out_pitch, carry_pitch; /* bytes: a row, a row of dots,
								   a plane's carry */
	int16_t              *arrived;   /* the carries of a band before they are checked */
};

/* Connects without blocking, and sends HELLO.  queue may be NULL.  Returns
 *   0            the daemon sent READY
 *   > 0          an outcome of exchange.h
 *   -ETIMEDOUT   no answer in time
 *   -ECONNRESET  the daemon closed the connection
 *   -EPROTO      the daemon breaks the protocol, or has another version of it
 *   -EACCES      this process may not connect, or the daemon does not serve it
 *   -EINVAL      the path cannot be that of a socket
 * or another -errno.  Anything but 0 leaves a reason (printable ASCII, a clause that can
 * follow "riptided: "), and the client is finished. */
int rip_client_open(struct rip_client *client, const char *path, uint32_t job,
		    const char *queue, enum rip_method method);

/* Begins a page; no band may be in flight.  carry: planes *
 * rip_carry_values(spec) values to start with, or NULL for start.  0;
 * RIP_CLIENT_REFUSED, after which another page may still be begun; a fault as
 * above: this and every fault below leaves the session for rip_client_finish(). */
int rip_client_page(struct rip_client *client, const struct rip_page_spec *spec, uint32_t page,
		    uint32_t height, enum rip_start start, const int16_t *carry);

/* How many rows a band may have at most, and how many bands may be in flight. */
uint32_t rip_client_band_rows(const struct rip_client *client);
uint32_t rip_client_bands(const struct rip_client *client);

/* Room in the ring for the grey rows of a band, for rip_band_move_to() and
 * rip_band_move_to_pixels(); NULL: there is none.
 * rows: of a plane in the band, as for all bands of the page.  The room belongs to the band until
 * rip_client_receive(), or until rip_client_give_back() or the next page if it is not sent.
 *
 * A bad daemon may change what is there at any time, but not take it away: the file is sealed
 * against shrinking (ring.h).  That is harmless: any value of a sample is a sample for every engine
 * (daemon/ring_page.h relies on it, too).  The page gets wrong dots, which the daemon could have
 * sent as well. */
void *rip_client_room(struct rip_client *client, uint32_t rows);
void  rip_client_give_back(struct rip_client *client, const void *room);

/* Sends a band; its grey rows are copied into the ring unless they are there.  page_rows: rows of
 * the page at the end of this band.  At most rip_client_bands() may be in flight.  A
 * band without grey rows must not be sent.  0, or a fault. */
int rip_client_send(struct rip_client *client, struct rip_band *band, uint32_t page_rows);

/* Waits for the oldest band in flight, and copies its dots into the band that
 * was sent and the carry of its planes into carry (planes * values; planes
 * without grey rows keep theirs).  0, or a fault: then carry is as it was, and
 * dots may have been written, but not the input.  A carry out of range is an
 * -EPROTO. */
int rip_client_receive(struct rip_client *client, struct rip_band *band, int16_t *carry);

/* Asks for the daemon's status over a connection of its own.  Returns as
 * rip_client_open() does.  The texts of the reply are as the daemon sent them:
 * escape them. */
int rip_client_status(const char *path, struct rip_status_reply *reply, rip_reason reason);

/* Ends the session: says END if that is true, and closes.  Before that, all bands must have left
 * the ring (rip_band_move_back()), because the daemon now frees it.  But it stays mapped, for those
 * who still write there. */
void rip_client_leave(struct rip_client *client);

/* The same, and unmaps; reason stays.  May be called twice, and after rip_client_leave(). */
void rip_client_finish(struct rip_client *client);

#endif
