/*
 * riptide bench: measures the engines of this machine.
 */
#ifndef RIP_BENCH_COMMAND_H
#define RIP_BENCH_COMMAND_H

/* argv[0] is the command's name.  Returns the exit status: 0 done, 1 failed (also
 * when two methods do not give the same dots), 2 wrong usage. */
int rip_bench_command(int argc, char **argv);

#endif
