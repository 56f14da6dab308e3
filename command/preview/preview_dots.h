/*
 * Pictures of dots for `riptide preview`: PBM (P4), as `riptide halftone` writes it, one or
 * several.  Errors are reported on standard error and returned as a negative errno.
 */
#ifndef RIP_PREVIEW_DOTS_H
#define RIP_PREVIEW_DOTS_H

#include "filter/page/sink.h"
#include "image/input.h"

/* 1: the input begins like PBM; 0: like something else; or -errno. */
int rip_preview_is_dots(struct rip_input *input);

/* Gives all pictures of the input, dots of this ink, to the receiver.  0 or -errno. */
int rip_preview_dots(struct rip_input *input, enum rip_ink ink,
		     const struct rip_dot_receiver *receiver);

#endif
