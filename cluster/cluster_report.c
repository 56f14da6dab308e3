#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "halftone/simd/isa.h"
#include "image/complain.h"

/* Of a rank: sums over its workers; memory in KiB. */
enum { READ, WAIT, COMPUTE, WRITE, MESSAGES, CARRY_BYTES, READ_BYTES, MEMORY, FIGURES };

static void sum_up(const struct rip_cluster *cluster, const struct rip_worker *workers,
		   double *figures)
{
	struct rusage usage;

	for (int i = 0; i < FIGURES; i++)
		figures[i] = 0;
	for (uint32_t i = 0; i < cluster->threads; i++) {
		const struct rip_worker *worker = &workers[i];

		figures[READ] += worker->strips.read_seconds;
		figures[WAIT] += worker->wait_seconds;
		figures[COMPUTE] += worker->compute_seconds;
		figures[WRITE] += worker->strips.write_seconds;
		figures[MESSAGES] += (double)worker->link.messages;
		figures[CARRY_BYTES] += (double)worker->link.bytes;
		figures[READ_BYTES] += (double)worker->strips.bytes_read;
	}
	getrusage(RUSAGE_SELF, &usage);
	figures[MEMORY] = (double)usage.ru_maxrss;
}

static void print_list(const char *name, const double *all, int ranks, int which,
		       const char *format)
{
	printf(",\"%s\":[", name);
	for (int i = 0; i < ranks; i++) {
		if (i > 0)
			putchar(',');
		printf(format, all[i * FIGURES + which]);
	}
	putchar(']');
}

static double total(const double *all, int ranks, int which)
{
	double sum = 0;

	for (int i = 0; i < ranks; i++)
		sum += all[i * FIGURES + which];
	return sum;
}

static void print(const struct rip_cluster *cluster, const double *all, double seconds)
{
	const struct rip_cluster_options *options = &cluster->options;
	const struct rip_page_spec *spec = &cluster->spec;
	const int ranks = cluster->ranks.count;
	const double pixels = (double)spec->width * cluster->file.image->height;
	const enum rip_cluster_link link = options->link == RIP_LINK_NONE ? RIP_LINK_NONE :
					   cluster->window ? RIP_LINK_WINDOW : RIP_LINK_MESSAGE;

	printf("{\"method\":\"%s\",\"isa\":\"%s\",\"ranks\":%d,\"workers\":%u,\"link\":\"%s\""
	       ",\"one_node\":%s",
	       options->method->name, cluster->isa->name, ranks, cluster->workers,
	       rip_cluster_link_names[link], cluster->ranks.one_node ? "true" : "false");
	printf(",\"screen\":\"%s\",\"levels\":%u,\"sample_bits\":%u,\"width\":%u,\"height\":%u",
	       spec->screen->name, spec->levels, spec->sample_bits, spec->width,
	       cluster->file.image->height);
	printf(",\"rows\":%u,\"columns\":%u,\"in_memory\":%s", cluster->plan.rows,
	       cluster->plan.columns, options->bench ? "true" : "false");
	printf(",\"ms\":%.4f,\"mpixels_per_s\":%.1f", 1e3 * seconds, 1e-6 * pixels / seconds);
	print_list("read_ms", all, ranks, READ, "%.3f");
	print_list("wait_ms", all, ranks, WAIT, "%.3f");
	print_list("compute_ms", all, ranks, COMPUTE, "%.3f");
	print_list("write_ms", all, ranks, WRITE, "%.3f");
	print_list("read_bytes", all, ranks, READ_BYTES, "%.0f");
	print_list("peak_memory_kib", all, ranks, MEMORY, "%.0f");
	printf(",\"messages\":%.0f,\"carry_bytes\":%.0f,\"waiting_share\":%.4f}\n",
	       total(all, ranks, MESSAGES), total(all, ranks, CARRY_BYTES),
	       1e-3 * total(all, ranks, WAIT) / (seconds * cluster->workers));
	fflush(stdout);
}

void rip_cluster_report(const struct rip_cluster *cluster, const struct rip_worker *workers,
			double seconds)
{
	const int ranks = cluster->ranks.count;
	double *all = calloc((size_t)ranks, FIGURES * sizeof *all), mine[FIGURES];

	if (!all) { /* the others would wait for this one */
		rip_complain(-ENOMEM, "out of memory");
		rip_ranks_abort(&cluster->ranks);
	}
	sum_up(cluster, workers, mine);
	for (int i = READ; i <= WRITE; i++)
		mine[i] *= 1e3;
	MPI_Gather(mine, FIGURES, MPI_DOUBLE, all, FIGURES, MPI_DOUBLE, 0, cluster->ranks.comm);
	if (cluster->ranks.rank == 0)
		print(cluster, all, seconds);
	free(all);
}
