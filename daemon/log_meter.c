/* Counting log lines of one kind. */
#include "config.h"

#include "log_meter.h"

bool rip_log_meter_take(struct rip_log_meter *meter, int64_t now_ms, uint64_t burst)
{
	const bool may = meter->written < burst;

	if (!meter->written && !meter->left_out)
		meter->began_ms = now_ms;
	if (may)
		meter->written++;
	else
		meter->left_out++;
	return may;
}

bool rip_log_meter_over(const struct rip_log_meter *meter, int64_t now_ms)
{
	return (meter->written || meter->left_out) &&
	       now_ms - meter->began_ms >= RIP_LOG_PERIOD_MS;
}

uint64_t rip_log_meter_end(struct rip_log_meter *meter)
{
	const uint64_t left_out = meter->left_out;

	meter->written = meter->left_out = 0;
	return left_out;
}

int64_t rip_log_meter_due(const struct rip_log_meter *meter)
{
	return meter->left_out ? meter->began_ms + RIP_LOG_PERIOD_MS : INT64_MAX;
}
