/* Fits a printer to what was read on a printed page: Nelder and Mead's search. */
#include "tone/fit.h"

#include <math.h>

#define PARAMETERS_MAX 4
#define STEPS          400 /* of the search, at most; each evaluates the cost once or more */
#define SIZES          25  /* sizes that are tried at first */

/* Parameters are searched as deviations from the prior, in standard deviations. */
struct parameter {
	size_t offset;
	double deviation, least, most;
};

static const struct parameter of_discs[] = {
	{ offsetof(struct rip_printer, radius), 0.15, 0.5, 1.35 },
	{ offsetof(struct rip_printer, scatter), 0, 0, 200 },
	{ offsetof(struct rip_printer, jitter), 0.05, 0, 0.25 },
};

static const struct parameter of_spot[] = {
	{ offsetof(struct rip_printer, threshold), 0.1, 0.1, 0.62 },
	{ offsetof(struct rip_printer, scatter), 0, 0, 200 },
	{ offsetof(struct rip_printer, spot), 0.06, 0.2, 0.6 },
	{ offsetof(struct rip_printer, softness), 0.03, 0.01, 0.2 },
};

#define SCATTER_DEVIATION 0.3 /* pixels */

struct problem {
	const struct rip_printer *prior;
	const struct parameter   *parameters;
	int                       count; /* of parameters */
	const struct rip_reading *readings;
	unsigned                  reading_count;
};

static double *value_of(struct rip_printer *printer, const struct parameter *parameter)
{
	return (double *)(void *)((char *)printer + parameter->offset);
}

/* One of the prior's standard deviations. */
static double unit_of(const struct problem *problem, int i)
{
	const double deviation = problem->parameters[i].deviation;

	return deviation > 0 ? deviation : SCATTER_DEVIATION * 25400 / problem->prior->dpi;
}

/* The printer at a point; returns how far the point is out of bounds. */
static double printer_at(const struct problem *problem, const double *point,
			 struct rip_printer *printer)
{
	double outside = 0;

	*printer = *problem->prior;
	for (int i = 0; i < problem->count; i++) {
		const struct parameter *parameter = &problem->parameters[i];
		double *value = value_of(printer, parameter);
		const double wanted = *value + point[i] * unit_of(problem, i);

		*value = fmin(fmax(wanted, parameter->least), parameter->most);
		outside += fabs(wanted - *value) / unit_of(problem, i);
	}
	return outside;
}

/* Tint less reference, in L*. */
static double difference(const struct rip_printer *printer, const struct rip_reading *reading)
{
	const double tint = rip_area_of_tint(printer, reading->pattern, reading->levels,
					     reading->tone);
	const double reference = reading->figure ? rip_area_of_figure(printer, reading->figure) :
				 reading->area;

	return rip_lightness(printer, tint) - rip_lightness(printer, reference);
}

static double cost(const struct problem *problem, const double *point)
{
	struct rip_printer printer;
	double sum = 1000 * printer_at(problem, point, &printer);

	for (unsigned i = 0; i < problem->reading_count; i++) {
		const double d = difference(&printer, &problem->readings[i]) /
				 problem->readings[i].deviation;

		sum += d * d;
	}
	for (int i = 0; i < problem->count; i++)
		sum += point[i] * point[i];
	return sum;
}

/* ---- Nelder and Mead ---- */

struct vertex {
	double point[PARAMETERS_MAX], cost;
};

static void place_vertex(const struct problem *problem, struct vertex *vertex)
{
	vertex->cost = cost(problem, vertex->point);
}

/* Puts the best vertex first and the worst last. */
static void sort(struct vertex *vertices, int count)
{
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && vertices[j].cost < vertices[j - 1].cost; j--) {
			const struct vertex swap = vertices[j];

			vertices[j] = vertices[j - 1];
			vertices[j - 1] = swap;
		}
}

/* The point on the line from the worst vertex through the centre of the others. */
static struct vertex along(const struct problem *problem, const struct vertex *vertices,
			   double factor)
{
	const int n = problem->count;
	struct vertex result = { { 0 }, 0 };

	for (int i = 0; i < n; i++) {
		double centre = 0;

		for (int k = 0; k < n; k++)
			centre += vertices[k].point[i] / n;
		result.point[i] = centre + factor * (centre - vertices[n].point[i]);
	}
	place_vertex(problem, &result);
	return result;
}

static void shrink(const struct problem *problem, struct vertex *vertices)
{
	for (int k = 1; k <= problem->count; k++) {
		for (int i = 0; i < problem->count; i++)
			vertices[k].point[i] = (vertices[k].point[i] + vertices[0].point[i]) / 2;
		place_vertex(problem, &vertices[k]);
	}
}

static void search(const struct problem *problem, struct vertex *vertices)
{
	const int n = problem->count;

	for (int step = 0; step < STEPS; step++) {
		struct vertex next, farther;

		sort(vertices, n + 1);
		if (vertices[n].cost - vertices[0].cost < 1e-6)
			break;
		next = along(problem, vertices, 1);
		if (next.cost < vertices[0].cost) {
			farther = along(problem, vertices, 2);
			vertices[n] = farther.cost < next.cost ? farther : next;
			continue;
		}
		if (next.cost < vertices[n - 1].cost) {
			vertices[n] = next;
			continue;
		}
		next = along(problem, vertices, next.cost < vertices[n].cost ? 0.5 : -0.5);
		if (next.cost < vertices[n].cost)
			vertices[n] = next;
		else
			shrink(problem, vertices);
	}
	sort(vertices, n + 1);
}

void rip_printer_fit(struct rip_printer *printer, const struct rip_reading *readings,
		     unsigned count, double *residual)
{
	const struct rip_printer prior = *printer;
	const bool discs = printer->kind == RIP_PRINTER_DISCS;
	const struct problem problem = {
		.prior = &prior,
		.parameters = discs ? of_discs : of_spot,
		.count = discs ? 3 : 4,
		.readings = readings, .reading_count = count,
	};
	struct vertex vertices[PARAMETERS_MAX + 1], best = { { 0 }, 0 };
	double sum = 0;

	if (printer->kind != RIP_PRINTER_NONE && count > 0) {
		place_vertex(&problem, &best);
		for (int i = 0; i < SIZES; i++) {
			struct vertex vertex = { { 0 }, 0 };
			const double least = problem.parameters[0].least;
			const double most = problem.parameters[0].most;
			const double size = least + (most - least) * i / (SIZES - 1);

			vertex.point[0] = (size - *value_of(printer, &problem.parameters[0])) /
					  unit_of(&problem, 0);
			place_vertex(&problem, &vertex);
			if (vertex.cost < best.cost)
				best = vertex;
		}
		for (int k = 0; k <= problem.count; k++) {
			vertices[k] = best;
			if (k > 0)
				vertices[k].point[k - 1] += k == 1 ? 0.2 : 0.5;
			place_vertex(&problem, &vertices[k]);
		}
		search(&problem, vertices);
		printer_at(&problem, vertices[0].point, printer);
	}
	for (unsigned i = 0; i < count; i++)
		sum += pow(difference(printer, &readings[i]), 2);
	if (residual)
		*residual = count > 0 ? sqrt(sum / count) : 0;
}
