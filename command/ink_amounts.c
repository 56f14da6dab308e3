#include "ink_amounts.h"

#include <stdlib.h>
#include <string.h>

int rip_ink_amounts_set(const char *value, void *at_amounts)
{
	struct rip_ink_amounts *amounts = at_amounts;
	const char *at = value;

	*amounts = (struct rip_ink_amounts){ .count = 0 };
	while (amounts->count < RIP_PLANES_MAX && *at >= '0' && *at <= '9') {
		char *end;
		const double amount = strtod(at, &end); /* numbers are as in C */
		const bool volume = !strncmp(end, "ml", 2);

		if ((!volume && *end != 'g') || !(amount > 0 && amount <= 1000) ||
		    (amounts->count && volume != amounts->volume))
			break;
		amounts->volume = volume;
		amounts->amount[amounts->count++] = amount;
		at = end + (volume ? 2 : 1);
		if (!*at)
			return RIP_GO_ON;
		if (*at++ != ',')
			break;
	}
	return RIP_OPTION_INVALID;
}

double rip_ink_amount(const struct rip_ink_amounts *amounts, uint32_t ink, double area)
{
	const unsigned last = amounts->count - 1;

	return amounts->count ? area * amounts->amount[ink < last ? ink : last] : 0;
}

const char *rip_ink_amounts_unit(const struct rip_ink_amounts *amounts)
{
	return amounts->volume ? "ml" : "g";
}
