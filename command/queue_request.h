/*
 * IPP requests about a queue of the local server.
 */
#ifndef RIP_QUEUE_REQUEST_H
#define RIP_QUEUE_REQUEST_H

#include <cups/cups.h>

/* A request of the current user, to be sent by cupsDoRequest(), which frees it. */
ipp_t *rip_queue_request(ipp_op_t operation, const char *queue);

#endif
