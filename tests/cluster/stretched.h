/*
 * riptide-mpi in slow motion: its ranks, method and links are the real ones, but computing is
 * sleeping, and messages arrive when a network of a given latency and bandwidth would have
 * brought them.  All times are a factor longer.  So the few processors of one machine can run
 * as many ranks as a cluster, and the time that they take shows how they wait for each other.
 *
 * The environment says what is slowed down:
 *
 *	STRETCH_FACTOR     how many times longer everything takes
 *	STRETCH_RATE       pixels that a rank computes in a second
 *	STRETCH_LATENCY    seconds that a message takes
 *	STRETCH_BANDWIDTH  bytes that leave a rank in a second
 *
 * Strips are neither read nor written, and there are no dots.
 */
#ifndef RIP_STRETCHED_H
#define RIP_STRETCHED_H

/* A variable of the environment; the rank ends without it. */
double rip_stretched_number(const char *name);

#endif
