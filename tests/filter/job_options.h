/*
 * For the tests of options: jobs with options, pages and PPDs, and the warnings about them.
 * Functions fail the test if something is wrong with the test itself.
 */
#ifndef RIP_TESTS_JOB_OPTIONS_H
#define RIP_TESTS_JOB_OPTIONS_H

#include "filter/options.h"
#include "filter/queue.h"

/* Opens a queue whose PPD has these lines. */
void open_queue(struct rip_queue *queue, const char *lines);

/* The lines of an option with this default in a PPD; valid until the next call. */
char *option_lines(const char *keyword, const char *standard);

/* Catches what is written to stderr, until warnings() returns it and the number of lines that begin
 * with WARNING. */
void catch_stderr(void);
unsigned warnings(char text[4096]);

/* A job: its options, two of its pages' cupsStrings, lines of a PPD; each may be NULL. */
struct set_up {
	const char *job, *page0, *page7, *ppd;
};

/* What the pages of a job get.  Returns the number of warnings, and their text. */
unsigned choose(const struct set_up *s, struct rip_choice *choice, char text[4096]);

#endif
