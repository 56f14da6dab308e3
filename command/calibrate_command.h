/* `riptide calibrate`: makes a printer's calibration and gives it to a queue. */
#ifndef RIP_CALIBRATE_COMMAND_H
#define RIP_CALIBRATE_COMMAND_H

/* The command; argv[0] is its name.  Returns the exit status. */
int rip_calibrate_command(int argc, char **argv);

#endif
