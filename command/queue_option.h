/*
 * A queue's default of an option, as `lpadmin -o NAME-default=VALUE` sets it.  Errors are
 * reported on standard error, and returned as a negative errno.  Used by one thread.
 */
#ifndef RIP_QUEUE_OPTION_H
#define RIP_QUEUE_OPTION_H

/* Sets the default of a queue's option; value NULL: removes it. */
int rip_queue_option_set(const char *queue, const char *option, const char *value);

#endif
