/*
 * One end of a connection: sends and receives complete messages over a UNIX stream socket,
 * with descriptors.  Both sides use it; it never blocks.  Owned and used by one thread.
 */
#ifndef RIP_CONNECTION_H
#define RIP_CONNECTION_H

#include <stdbool.h>

#include "codec.h"

struct rip_connection {
	int     fd;         /* owned; -1 when closed */
	size_t  in_used;    /* bytes of in[] that have arrived */
	size_t  out_used;   /* bytes of out[] still to be sent */
	int     in_fds[2];  /* received descriptors that nobody has taken, or -1 */
	int     out_fds[2]; /* descriptors that go with the first byte of out[], or -1 */
	char    why[RIP_REASON_MAX + 1]; /* after -EPROTO: what is wrong with what came */
	uint8_t in[RIP_MESSAGE_MAX];
	uint8_t out[2 * RIP_MESSAGE_MAX];
};

/* Takes ownership of fd, and makes it non-blocking and close-on-exec. */
void rip_connection_init(struct rip_connection *connection, int fd);

/* Closes everything.  May be called twice. */
void rip_connection_finish(struct rip_connection *connection);

/* Queues a message, with two descriptors or none (fds NULL; they stay the
 * caller's and must stay open until the message is out), and sends what can be
 * sent.  0; -ENOBUFS if the peer has not read for so long that out[] is full;
 * -EPIPE and the like when the peer is gone. */
int rip_connection_send(struct rip_connection *connection, const struct rip_message *message,
			const int fds[2]);

/* Sends what is queued, as far as it goes.  0, or an error as above. */
int rip_connection_flush(struct rip_connection *connection);

/* Whether something is still queued: wait for POLLOUT too. */
bool rip_connection_pending(const struct rip_connection *connection);

/* The next whole message: 0; -EAGAIN if there is none yet; -ECONNRESET at the
 * end of the stream; -EPROTO, and why, for what is no message, truncated control
 * data, or descriptors in any number but 0 and 2; -EMFILE or -ENFILE if there is no room for those
 * that came.  Descriptors that come with READY
 * are then in in_fds for the caller to take (he sets them to -1); any others
 * are an -EPROTO. */
int rip_connection_receive(struct rip_connection *connection, struct rip_message *message);

#endif
