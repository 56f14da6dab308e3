/*
 * The commands of riptide.  argv[0] is the command's name.  Each returns its exit status: 0 done,
 * 1 failed, 2 wrong usage; rip_status_command() also 3, no daemon.
 */
#ifndef RIP_COMMANDS_H
#define RIP_COMMANDS_H

int rip_adopt_command(int argc, char **argv);
int rip_bench_command(int argc, char **argv); /* also 1 when methods give different dots */
int rip_calibrate_command(int argc, char **argv);
int rip_halftone_command(int argc, char **argv);
int rip_preview_command(int argc, char **argv);
int rip_release_command(int argc, char **argv);
int rip_rip_command(int argc, char **argv);
int rip_status_command(int argc, char **argv);
int rip_target_command(int argc, char **argv);

#endif
