/*
 * Limits how many log lines of one kind are written: a burst in each period.  A period begins
 * with a line and lasts ten seconds.  Further lines are counted, so that their number can be
 * logged.
 *
 * A client that can make the daemon log a line can make it log a hundred thousand.  A journal
 * that then drops lines by itself drops those that matter too.
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

/* Counts a line.  Returns whether it is one of the first `burst` of its period.  A period that
 * is over must have been ended before. */
bool rip_log_meter_take(struct rip_log_meter *meter, int64_t now_ms, uint64_t burst);

/* Whether a period has begun and is over. */
bool rip_log_meter_over(const struct rip_log_meter *meter, int64_t now_ms);

/* Ends the period.  Returns how many lines were left out in it. */
uint64_t rip_log_meter_end(struct rip_log_meter *meter);

/* When to log the number of lines left out; INT64_MAX if there are none. */
int64_t rip_log_meter_due(const struct rip_log_meter *meter);

#endif
