/*
 * riptide-mpi: one image, halftoned by the processes of an MPI job.  The dots are those of
 * `riptide halftone`, for every size and number of processes.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker.h"
#include "command/curve_file.h"
#include "command/terminal.h"
#include "halftone/quota.h"
#include "halftone/simd/isa.h"
#include "halftone/simd/isa_environment.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "system/clock.h"
#include "system/standard_streams.h"

/* --- options ------------------------------------------------------------------------------ */

/* Rank 0 parses first, so that only one rank says what is wrong. */
static int parse(struct rip_cluster_options *options, int argc, char **argv)
{
	int rank, status = RIP_GO_ON;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		status = rip_cluster_options_parse(options, argc, argv);
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank > 0 && status == RIP_GO_ON)
		status = rip_cluster_options_parse(options, argc, argv);
	MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return status;
}

/* How many ranks of this node have the same value, of so many bytes. */
static unsigned sharers(const struct rip_ranks *ranks, const void *mine, size_t size)
{
	char *all = calloc((size_t)ranks->node_count, size);
	unsigned same = 0;

	if (!all) {
		rip_complain(-ENOMEM, "out of memory");
		rip_ranks_abort(ranks);
	}
	MPI_Allgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, ranks->node);
	for (int i = 0; i < ranks->node_count; i++)
		same += !memcmp(mine, all + (size_t)i * size, size);
	free(all);
	return same;
}

/* The processors that a rank of this node may use, if those with the same processors, or the same
 * quota of their time, share them: mpirun starts those of a machine in its own group. */
static uint32_t own_processors(const struct rip_ranks *ranks)
{
	const unsigned quota = rip_cpu_quota("");
	unsigned same;
	cpu_set_t mine;

	CPU_ZERO(&mine); /* stays so if there are more processors than it has bits */
	sched_getaffinity(0, sizeof mine, &mine);
	same = sharers(ranks, &mine, sizeof mine);
	return rip_cpu_quota_share((unsigned)CPU_COUNT(&mine) / same, quota,
				   sharers(ranks, &quota, sizeof quota));
}

/* How many workers there are, and which are in this rank. */
static void count_workers(struct rip_cluster *cluster, bool threads_may_send)
{
	const struct rip_ranks *ranks = &cluster->ranks;
	uint32_t last;

	cluster->threads = own_processors(ranks);
	if (cluster->options.method->processes)
		cluster->threads = 1;
	if (cluster->options.image.common.threads)
		cluster->threads = cluster->options.image.common.threads;
	if (!threads_may_send)
		cluster->threads = 1;
	MPI_Scan(&cluster->threads, &last, 1, MPI_UINT32_T, MPI_SUM, ranks->comm);
	cluster->first_worker = last - cluster->threads;
	MPI_Allreduce(&cluster->threads, &cluster->workers, 1, MPI_UINT32_T, MPI_SUM, ranks->comm);
}

/* --- the page ----------------------------------------------------------------------------- */

/* The screen that was asked for; a mask is made for the image.  0 or -errno (reported). */
static int find_screen(struct rip_cluster *cluster)
{
	const struct rip_image_options *options = &cluster->options.image;
	struct rip_mask_use use = rip_image_mask_use(cluster->file.image);
	char why[256];
	int r;

	if (options->common.screen.labels) {
		if (cluster->ranks.rank == 0)
			rip_complain(-ENOTSUP, "--screen labels: barcodes are found in whole "
				     "pages, which no process has: take blue-noise, or riptide "
				     "halftone");
		return -ENOTSUP;
	}
	cluster->spec.screen = options->common.screen.screen;
	/* The image has one ink, which is alone (blue_noise_colour.h): the same dots. */
	if (cluster->spec.screen && rip_screen_couples(cluster->spec.screen))
		cluster->spec.screen = &rip_screens[RIP_BLUE_NOISE];
	if (cluster->spec.screen)
		return 0;
	rip_image_options_resolution(options, &use.x_dpi, &use.y_dpi);
	r = rip_mask_screen_init(&cluster->mask, options->common.screen.mask, &use, why,
				 sizeof why);
	cluster->spec.screen = &cluster->mask.base;
	if (r < 0 && cluster->ranks.rank == 0) /* it is the same in all ranks */
		rip_complain(r, "%s: %s", cluster->file.input.name, why);
	return r;
}

/* Rank 0 first, so that only one rank says what is wrong.  0 or -errno (reported), the same in
 * all ranks. */
static int read_curve(const struct rip_cluster *cluster, struct rip_curve_file *curve)
{
	const char *path = cluster->options.image.curve;
	const int rank = cluster->ranks.rank;
	int r = rank == 0 ? rip_out_name_check_file(cluster->options.image.out, path, "curve") : 0;

	if (r == 0 && path && rank == 0)
		r = rip_curve_file_read(curve, path);
	r = rip_ranks_agree(&cluster->ranks, r);
	if (r == 0 && path && rank > 0)
		r = rip_curve_file_read(curve, path);
	return rip_ranks_agree(&cluster->ranks, r);
}

/* What every rank must know of the page.  0 or -errno (reported), the same in all ranks. */
static int open_page(struct rip_cluster *cluster, struct rip_curve_file *curve, uint16_t **table)
{
	const struct rip_image_options *options = &cluster->options.image;
	const struct rip_image *image;
	int r = read_curve(cluster, curve);

	if (r == 0)
		r = rip_page_file_open(&cluster->file, &cluster->ranks, options->in, options->out,
				       options->common.levels);
	if (r < 0)
		return r;
	image = cluster->file.image;
	r = rip_curve_file_table(curve, image->maxval, image->sample_bits, table);
	if (r < 0)
		rip_complain(r, "%s: out of memory", cluster->file.input.name);
	cluster->spec = (struct rip_page_spec){
		.width = image->width, .planes = 1, .levels = options->common.levels,
		.sample_bits = image->sample_bits, .curve = *table,
	};
	if (r == 0)
		r = find_screen(cluster);
	return rip_ranks_agree(&cluster->ranks, r);
}

/* A strip has at most the rows of the image, and a message its columns. */
static void limit_plan(struct rip_cluster *cluster)
{
	struct rip_cluster_plan *plan = &cluster->plan;

	if (plan->rows > cluster->file.image->height)
		plan->rows = cluster->file.image->height;
	if (plan->columns > cluster->spec.width)
		plan->columns = cluster->spec.width;
}

/* The same in all ranks. */
static int make_plan(struct rip_cluster *cluster)
{
	const struct rip_cluster_options *options = &cluster->options;
	const char *isa = options->image.common.isa;
	int r;

	cluster->isa = isa ? rip_isa_find(isa) : rip_isa_best();
	cluster->window = options->link == RIP_LINK_WINDOW ||
			  (options->link == RIP_LINK_AUTO && !options->method->processes);
	cluster->plan = (struct rip_cluster_plan){ options->rows, options->columns };
	limit_plan(cluster);
	r = options->method->plan(cluster, &cluster->plan);
	limit_plan(cluster);
	return r;
}

/* --- runs --------------------------------------------------------------------------------- */

/* In memory: reads first and writes last, and times only what is between. */
static int transfer(const struct rip_cluster *cluster, struct rip_worker *workers,
		    int (*move)(struct rip_strip_store *))
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && cluster->options.bench && i < cluster->threads; i++)
		r = move(&workers[i].strips);
	return rip_ranks_agree(&cluster->ranks, r);
}

static int run_all(struct rip_cluster *cluster, struct rip_worker *workers)
{
	const struct rip_cluster_options *options = &cluster->options;
	const unsigned runs = options->bench ? options->bench : 1;
	int r = transfer(cluster, workers, rip_strip_store_read_all);

	for (unsigned i = 0; r == 0 && i < runs; i++) {
		double start;

		rip_carry_line_start(&cluster->line, options->image.start);
		start = rip_clock_s();
		rip_workers_run(cluster, workers);
		MPI_Barrier(cluster->ranks.comm);
		if (options->stats || options->bench)
			rip_cluster_report(cluster, workers, rip_clock_s() - start);
	}
	if (r == 0)
		r = transfer(cluster, workers, rip_strip_store_write_all);
	return r;
}

static int run(struct rip_cluster *cluster)
{
	const struct rip_carry_config carry = {
		.ranks = &cluster->ranks,
		.spec = &cluster->spec,
		.strips = (cluster->file.image->height - 1) / cluster->plan.rows + 1,
		.columns = cluster->plan.columns,
		.workers = cluster->workers,
		.first = cluster->first_worker,
		.count = cluster->threads,
		.window = cluster->window,
		.none = cluster->options.link == RIP_LINK_NONE,
	};
	struct rip_worker *workers = calloc(cluster->threads, sizeof *workers);
	int r = workers ? 0 : rip_complain(-ENOMEM, "out of memory");

	r = rip_ranks_agree(&cluster->ranks, r);
	if (r == 0)
		r = rip_ranks_agree(&cluster->ranks, rip_carry_line_open(&cluster->line, &carry));
	if (r == 0)
		r = rip_ranks_agree(&cluster->ranks,
				    rip_workers_open(cluster, &cluster->line, workers));
	if (r == 0)
		r = run_all(cluster, workers);
	if (workers)
		rip_workers_close(cluster, workers);
	rip_carry_line_close(&cluster->line);
	free(workers);
	return r;
}

/* Whether mpirun, which started this rank and passes its standard error on, writes to a
 * terminal. */
static bool mpirun_has_terminal(void)
{
	char path[64];
	bool is_terminal;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), STDERR_FILENO);
	fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	is_terminal = fd >= 0 && isatty(fd);
	if (fd >= 0)
		close(fd);
	return is_terminal;
}

/* Everything between the command line and the exit status.  0 or -errno. */
static int halftone(struct rip_cluster *cluster)
{
	struct rip_curve_file curve = { 0 };
	uint16_t *table = NULL;
	int r = open_page(cluster, &curve, &table);

	if (getenv("OMPI_COMM_WORLD_RANK") && mpirun_has_terminal())
		rip_progress_show();
	if (r == 0)
		r = make_plan(cluster);
	if (r == 0)
		r = run(cluster);
	rip_progress_clear();
	if (r == 0 && cluster->options.link != RIP_LINK_NONE)
		r = rip_page_file_commit(&cluster->file, &cluster->ranks);
	rip_page_file_close(&cluster->file);
	free(table);
	rip_curve_file_finish(&curve);
	return r;
}

/* --- the end ------------------------------------------------------------------------------ */

static int find_pmix_plugin(struct dl_phdr_info *info, size_t size, void *name)
{
	if (!strstr(info->dlpi_name, "/mca_pmix_"))
		return 0;
	*(char **)name = strdup(info->dlpi_name);
	return 1; /* MPI_Init() unloads all but the one that works here */
}

/* Open MPI 4.1 unloads its plugin for PMIx in MPI_Finalize() while a thread of PMIx may still call
 * it: on a busy machine, a rank whose work was done then ended by SIGSEGV.  So the plugin stays
 * loaded until the process ends.  Where PMIx is no plugin, there is nothing to do. */
static void keep_pmix_plugin(void)
{
	char *name = NULL;

	/* Not in the callback, which holds a lock of the loader. */
	if (dl_iterate_phdr(find_pmix_plugin, &name) && name)
		dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	free(name);
}

int main(int argc, char **argv)
{
	struct rip_cluster cluster = { .line.window = MPI_WIN_NULL };
	int provided, status, r;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	rip_isa_limit_from_environment();
	status = parse(&cluster.options, argc, argv);
	if (status == RIP_GO_ON) {
		r = rip_ranks_init(&cluster.ranks, argc, argv);
		if (r == 0) {
			count_workers(&cluster, provided == MPI_THREAD_MULTIPLE);
			r = halftone(&cluster);
		}
		rip_ranks_finish(&cluster.ranks);
		status = r < 0 ? 1 : 0;
	}
	keep_pmix_plugin();
	MPI_Finalize();
	return rip_standard_output_finish("riptide-mpi", status);
}
