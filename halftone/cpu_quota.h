/*
 * The processor time that the control groups of this process allow: cpu.max of version 2,
 * cpu.cfs_quota_us of version 1 (a container's --cpus, systemd's CPUQuota=).
 */
#ifndef RIP_CPU_QUOTA_H
#define RIP_CPU_QUOTA_H

/* How many processors' time the process gets, rounded up; 0: there is no limit.  The strictest of
 * its group and all groups above counts.  root: before /proc and /sys, "" outside of tests.  Any
 * thread; reads files at each call. */
unsigned rip_cpu_quota(const char *root);

/* The processors of one of `sharers` processes (1 or more) with one quota (0: no limit), each of
 * which may run on so many processors.  1 or more. */
unsigned rip_cpu_quota_share(unsigned processors, unsigned quota, unsigned sharers);

#endif
