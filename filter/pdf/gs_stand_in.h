/*
 * A program in the place of Ghostscript in a driver's command line, such as
 *
 *	gs -sDEVICE=pbmraw -g4960x7016 -r600x600 ... -sOutputFile=- - | foo2zjs -r600x600 ...
 *
 * It sends its arguments to the filter that has started the command, and copies what the filter
 * makes of them to the encoder behind it.  So a driver's script (foo2zjs-wrapper) knows what its
 * printer needs, and the filter only has to draw what the script asks for.
 *
 * The filter runs the command in a shell.  Its descriptor RIP_GS_DATA is the filter's output; the
 * environment variable RIP_GS_REQUEST names the descriptor for the arguments.
 */
#ifndef RIP_GS_STAND_IN_H
#define RIP_GS_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RIP_GS_REQUEST "RIPTIDE_GS_REQUEST"
#define RIP_GS_DATA    9 /* one digit, because that is what every shell can redirect */

/* Whether this process runs as Ghostscript. */
bool rip_gs_is_stand_in(void);

/* Does that, and returns the exit status. */
int rip_gs_stand_in(int argc, char **argv);

enum rip_gs_device {
	RIP_GS_PBM,     /* pbmraw: one plane */
	RIP_GS_PKSM,    /* pksmraw: a page is four PBM, in the order C, M, Y, K */
	RIP_GS_BITCMYK, /* bitcmyk: four bits a pixel, C first, without a header */
	RIP_GS_CUPS,    /* cups: CUPS raster with 1 bit a colour */
};

/* What the command asks Ghostscript for. */
struct rip_gs_request {
	enum rip_gs_device device;
	uint32_t width, height; /* in pixels; 0: the page's own */
	uint32_t x_dpi, y_dpi;  /* 0: the page's own */
};

/* Reads the request from the other end of the pipe.  0; -EINVAL: it cannot be met; -EPIPE: the
 * command has not started Ghostscript; other -errno.  After an error why (size bytes) is set. */
int rip_gs_request_read(int fd, struct rip_gs_request *request, char *why, size_t size);

#endif
