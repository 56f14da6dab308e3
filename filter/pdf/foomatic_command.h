/*
 * The command line that foomatic-rip would run for a job: FoomaticRIPCommandLine of the queue's
 * PPD, with the settings of the chosen options in place of %A to %Z.  Source: the Foomatic
 * specification, and foomaticrip.c of cups-filters.
 *
 * Options of the types enum, bool and int are known.  Copies is what the page header asks
 * for; N-up is left out, because pdftopdf has done it.
 */
#ifndef RIP_FOOMATIC_COMMAND_H
#define RIP_FOOMATIC_COMMAND_H

#include <stddef.h>

#include <cups/raster.h>

#include "filter/queue.h"

/* Makes the command.  options: argv[5]; page: the header of the first page.  Returns 0 and
 * *command, which the caller frees; -ENOENT: the PPD has no such line; -EINVAL or -ENOMEM.  After
 * an error why (size bytes) is set. */
int rip_foomatic_command(const struct rip_queue *queue, const char *options,
			 const cups_page_header2_t *page, char **command, char *why, size_t size);

#endif
