/*
 * What a job's filters say on standard error, as filter(7) describes it: to the log, and into the
 * state of job and printer.
 */
#ifndef RIP_APP_MESSAGE_H
#define RIP_APP_MESSAGE_H

#include <pappl/pappl.h>
#include <stdbool.h>
#include <stddef.h>

struct rip_app_messages {
	pappl_job_t *job;
	bool   counts;     /* whether the job counts pages as they are printed */
	bool   failed;
	bool   explained;  /* why has been said, or will have been if it fails */
	int    pages;      /* that are printed */
	char   line[2048]; /* as far as it has come */
	size_t length;
};

/* The words of STATE, which are IPP's of printer-state-reasons, and PAPPL's bits for them. */
#define RIP_APP_REASONS 13
extern const struct rip_app_reason {
	const char     *keyword;
	pappl_preason_t reason;
} rip_app_reasons[RIP_APP_REASONS];

/* What has come of their text. */
void rip_app_message(struct rip_app_messages *messages, const char *text, size_t size);

/* The job fails, and this is why, unless a filter has said it. */
void rip_app_message_fail(struct rip_app_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
