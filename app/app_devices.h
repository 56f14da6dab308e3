/*
 * Printers that are plugged in or answer in the network, and the drivers that they get.
 */
#ifndef RIP_APP_DEVICES_H
#define RIP_APP_DEVICES_H

#include <stdbool.h>

#include "app/compat.h"

/* The sub-commands devices and drivers, in place of PAPPL's, for main(): PAPPL 1.4 and 2 look for
 * devices in the server, PAPPL 2 gives those that it finds by DNS-SD another service's name and no
 * device id, and all make a server for `drivers`, with a port and a password.  False: it is another
 * sub-command, or there are arguments that only PAPPL knows. */
bool rip_app_devices_command(int argc, char *argv[]);

/* Calls `put` for each device that a child process finds, until it returns true.  A child, because
 * PAPPL 1.3 frees devices that Avahi still writes into, waits for itself for ever where Avahi was
 * restarted, and aborts where it does not run; what was found before that counts.  0; or what
 * rip_app_run_in_turn() returns, and `why` has the reason. */
int rip_app_devices_find(pappl_device_cb_t put, void *data, char why[512]);

/* The sub-command add, for main(): if its arguments are "-m auto" and a device that was found by
 * DNS-SD, puts the driver in the place of auto.  PAPPL asks such a printer by SNMP only, which few
 * answer, and does not see what it announces. */
void rip_app_devices_choose(int argc, char *argv[]);

#endif
