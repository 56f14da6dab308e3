#include "cluster_model.h"

static double largest(double a, double b)
{
	return a > b ? a : b;
}

double rip_cluster_model(const struct rip_cluster_shape *shape,
			 const struct rip_cluster_costs *costs, uint32_t r, uint32_t k)
{
	const uint32_t p = shape->workers, strips = (shape->height - 1) / r + 1;
	const uint32_t rounds = (strips - 1) / p + 1, in_last = (strips - 1) % p;
	const double column = r * costs->pixel;
	const double far = largest(k, shape->lag) * column + costs->message + costs->latency;
	const double near = p > 1 ? largest(shape->step, shape->lag) * column + costs->near : 0;
	const double ring = shape->far * far + (p - shape->far) * near;
	const double messages = shape->far ? (double)shape->width / k * costs->message : 0;
	const double strip = ((double)shape->width + shape->lag) * column + messages;

	return (rounds - 1) * largest(strip, ring) + ring / p * in_last + strip;
}
