/*
 * Error diffusion of other projects, 8 bits to 1, for comparison.  Only those that configure
 * has found are available.
 */
#ifndef RIP_PEERS_H
#define RIP_PEERS_H

#include <stddef.h>
#include <stdint.h>

struct peer {
	const char *name;
	/* Prepares for an image.  0, or -1 with a message on stderr. */
	int (*open)(uint32_t width, uint32_t height);
	/* Halftones an image; the result stays inside the peer. */
	int (*run)(const uint8_t *in, size_t pitch);
	void (*close)(void);
};

/* Ended by a name of NULL. */
extern const struct peer peers[];

#endif
