/*
 * What the control groups of this process allow: processor time, by cpu.max of version 2 and
 * cpu.cfs_quota_us of version 1 (a container's --cpus, systemd's CPUQuota=), and memory, by
 * memory.max, memory.high and memory.limit_in_bytes.
 *
 * The strictest of the process's group and all groups above counts.  root: before /proc and /sys,
 * "" outside of tests.  Any thread; files are read at each call.
 */
#ifndef RIP_QUOTA_H
#define RIP_QUOTA_H

#include <stdint.h>

/* How many processors' time the process gets, rounded up; 0: there is no limit. */
unsigned rip_cpu_quota(const char *root);

/* The processors of one of `sharers` processes (1 or more) with one quota (0: no limit), each of
 * which may run on so many processors.  1 or more. */
unsigned rip_cpu_quota_share(unsigned processors, unsigned quota, unsigned sharers);

struct rip_memory {
	uint64_t total, left; /* bytes; UINT64_MAX: not known */
};

/* The memory that the process and others like it may take, and how much of it is left: the
 * machine's (MemTotal, MemAvailable), or a group's if that is less. */
struct rip_memory rip_memory_quota(const char *root);

#endif
