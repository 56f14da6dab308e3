/* `riptide target`: charts to print, for `riptide calibrate`. */
#ifndef RIP_TARGET_COMMAND_H
#define RIP_TARGET_COMMAND_H

/* The command; argv[0] is its name.  Returns the exit status. */
int rip_target_command(int argc, char **argv);

#endif
