/*
 * Halftoning of other projects and papers, 8 bits to 1, for comparison.  Only those that
 * configure has found are available.
 */
#ifndef RIP_PEERS_H
#define RIP_PEERS_H

#include <stddef.h>
#include <stdint.h>

struct peer {
	const char *name;
	/* Prepares for an image.  0, or -1 with a message on stderr. */
	int (*open)(uint32_t width, uint32_t height);
	/* Halftones an image.  dots gets a byte for each dot, 1 for light and 0 for ink;
	 * if it is NULL, the result stays inside the peer.  0, or -1. */
	int (*run)(const uint8_t *in, size_t pitch, uint8_t *dots, size_t dots_pitch);
	void (*close)(void);
};

/* Ended by a name of NULL. */
extern const struct peer peers[];

/* EvenTone for the inks cyan, magenta and yellow of a page together: bytes of ink, and dots, 1 for
 * ink.  0, or -1: it is not installed, or failed. */
int eventone_inks(const uint8_t *const ink[3], uint32_t width, uint32_t height,
		  uint8_t *const dots[3]);

/* The names of those that configure has not found, with what provides them; ended by NULL. */
extern const char *const peers_missing[];

#endif
