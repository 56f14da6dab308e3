#include "cluster_method.h"

#include <stddef.h>

#include "system/ascii.h"

const struct rip_cluster_method *const rip_cluster_methods[] = {
	&rip_method_wave,
	&rip_method_lines,
	&rip_method_blocks,
	&rip_method_zigzag,
	NULL
};

const struct rip_cluster_method *rip_cluster_method_find(const char *name)
{
	for (int i = 0; rip_cluster_methods[i]; i++)
		if (rip_same_name(name, rip_cluster_methods[i]->name))
			return rip_cluster_methods[i];
	return NULL;
}
