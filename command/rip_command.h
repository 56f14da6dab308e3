/*
 * riptide rip: the dots of a PDF document's pages.
 */
#ifndef RIP_RIP_COMMAND_H
#define RIP_RIP_COMMAND_H

/* Runs the command with its arguments, argv[0] being "rip".  Returns the exit status. */
int rip_rip_command(int argc, char **argv);

#endif
