/* Methods: their names. */
#include "method.h"

#include "system/ascii.h"


static const char *const names[RIP_METHODS] = {
	[RIP_METHOD_AUTO] = "auto", [RIP_METHOD_ED] = "ed",     [RIP_METHOD_EC] = "ec",
	[RIP_METHOD_PWED] = "pwed", [RIP_METHOD_PWEC] = "pwec", [RIP_METHOD_BWED] = "bwed",
	[RIP_METHOD_BWEC] = "bwec", [RIP_METHOD_SIMD] = "simd",
};

const char *rip_method_name(int method)
{
	return method >= 0 && method < RIP_METHODS ? names[method] : "?";
}

int rip_method_find(const char *name)
{
	for (int i = 0; i < RIP_METHODS; i++)
		if (rip_same_name(name, names[i]))
			return i;
	return -1;
}

int rip_method_wants_gpu(int method)
{
	return method >= RIP_METHOD_PWED && method <= RIP_METHOD_BWEC;
}
