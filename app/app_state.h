/*
 * What the application keeps: printers, their defaults, jobs that are not printed, and the password
 * of the web pages.  It survives a kill: each version of the file is whole.
 *
 * Used by the main thread.
 */
#ifndef RIP_APP_STATE_H
#define RIP_APP_STATE_H

#include <pappl/pappl.h>
#include <stdbool.h>

/* Loads the state, and has PAPPL save it when it changes. */
void rip_app_state_load(pappl_system_t *system);

/* PAPPL's pages for administration are open to everybody unless there is PAM or a password.  So at
 * the first start there is one, in a file that only root and this user can read.  False: it cannot
 * be written (reported). */
bool rip_app_state_close_pages(pappl_system_t *system);

#endif
