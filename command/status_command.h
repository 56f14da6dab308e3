/*
 * riptide status: shows what the daemon is doing.
 */
#ifndef RIP_STATUS_COMMAND_H
#define RIP_STATUS_COMMAND_H

/* argv[0] is "status".  Returns the exit status: 0 done, 1 failed, 2 wrong usage,
 * 3 no daemon. */
int rip_status_command(int argc, char **argv);

#endif
