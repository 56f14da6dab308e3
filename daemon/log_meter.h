/*
 * How many log lines of one kind are written: a burst in each period, which begins with
 * a line and lasts ten seconds.  The others are counted, so that they can be told.
 *
 * What a client can make the daemon say it can make it say a hundred thousand times; a
 * journal that throws lines away by itself then throws away those that matter too.
 *
 * Time is a parameter, in milliseconds of CLOCK_MONOTONIC.  All zeros is a new meter.
 */
#ifndef RIP_LOG_METER_H
#define RIP_LOG_METER_H

#include <stdbool.h>
#include <stdint.h>

#define RIP_LOG_PERIOD_MS 10000

struct rip_log_meter {
	int64_t  began_ms; /* of the period, if a line was counted in it */
	uint64_t written;
	uint64_t left_out;
};

/* Counts a line: whether it is one of the first `burst` of its period.  A period that is
 * over must have been ended. */
bool rip_log_meter_take(struct rip_log_meter *meter, int64_t now_ms, uint64_t burst);

/* Whether a period is there and over. */
bool rip_log_meter_over(const struct rip_log_meter *meter, int64_t now_ms);

/* Ends the period.  Returns how many lines were left out in it. */
uint64_t rip_log_meter_end(struct rip_log_meter *meter);

/* When lines that were left out are to be told: INT64_MAX if there are none. */
int64_t rip_log_meter_due(const struct rip_log_meter *meter);

#endif
