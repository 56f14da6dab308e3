/*
 * The password of the web pages: PAPPL keeps a hash of it.
 */
#ifndef RIP_APP_PASSWORD_H
#define RIP_APP_PASSWORD_H

#include <pappl/pappl.h>
#include <stdbool.h>

/* Whether there is a password.  To be called before pages are served: from then on, the right
 * password is taken, also one of an earlier version, and no other one. */
bool rip_app_password_load(pappl_system_t *system);

#endif
