#include "command/option.h"

#include <stdlib.h>

#include "halftone_job.h"
#include "command/terminal.h"

/* Under mpirun every process would halftone the whole image.  Reported by the first one. */
static int refuse_mpi(void)
{
	static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };
	static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK" };

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const char *size = getenv(sizes[i]), *rank = getenv(ranks[i]);

		if (!size || atoi(size) < 2)
			continue;
		if (!rank || atoi(rank) == 0)
			rip_wrong_usage("halftone", "each of %d MPI processes would halftone the"
					" whole image:"
					" run riptide-mpi, in which they share it", atoi(size));
		return 2;
	}
	return RIP_GO_ON;
}

int rip_halftone_command(int argc, char **argv)
{
	struct rip_halftone_job job = { .input = { .fd = -1 }, .output = { .fd = -1 } };
	int status = rip_halftone_options_parse(&job.options, argc, argv);
	int r;

	if (status == RIP_GO_ON)
		status = refuse_mpi();
	if (status == RIP_GO_ON)
		status = rip_option_image_terminals("halftone", "image", "dots",
						    &job.options.image);
	if (status != RIP_GO_ON)
		return status;
	r = rip_halftone_run(&job);
	rip_halftone_finish(&job);
	return r < 0 ? 1 : r;
}
