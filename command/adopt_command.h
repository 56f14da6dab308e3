/*
 * riptide adopt, riptide release: a printer with its vendor's driver prints our dots, and stops
 * doing so.
 */
#ifndef RIP_ADOPT_COMMAND_H
#define RIP_ADOPT_COMMAND_H

/* argv[0] is the command's name.  Return the exit status. */
int rip_adopt_command(int argc, char **argv);
int rip_release_command(int argc, char **argv);

#endif
