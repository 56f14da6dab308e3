/*
 * riptide halftone: halftones an image or a raster.
 */
#ifndef RIP_HALFTONE_COMMAND_H
#define RIP_HALFTONE_COMMAND_H

/* argv[0] is the command's name.  Returns the exit status: 0 done, 1 failed, 2
 * wrong usage. */
int rip_halftone_command(int argc, char **argv);

#endif
