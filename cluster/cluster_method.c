#include "cluster_method.h"

#include <stddef.h>
#include <strings.h>

const struct rip_cluster_method *const rip_cluster_methods[] = {
	&rip_method_wave,
	NULL
};

const struct rip_cluster_method *rip_cluster_method_find(const char *name)
{
	for (int i = 0; rip_cluster_methods[i]; i++)
		if (!strcasecmp(name, rip_cluster_methods[i]->name))
			return rip_cluster_methods[i];
	return NULL;
}
