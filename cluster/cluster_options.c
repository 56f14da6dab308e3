#include "config.h"

#include "cluster_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cluster_method.h"
#include "command/terminal.h"
#include "image/complain.h"
#include "image/out_name.h"
#include "system/ascii.h"

const char *const rip_cluster_link_names[] = { "auto", "window", "message", "none", NULL };

static const char help[] =
	"Usage: mpirun -n P riptide-mpi [OPTION]... -o OUT IN\n"
	"Halftones one image on many processes, with the dots of riptide halftone.\n"
	"\n"
	"IN   PGM (P5) only, a file that all ranks can read.\n"
	"OUT  PBM for 2 levels, PGM for more: a file that all ranks can write.  It appears\n"
	"     when it is complete.\n"
	"\n"
	RIP_IMAGE_HELP
	"\n"
	"Options that change only the speed:\n"
	"  --method NAME         how ranks share the image (wave); help lists the methods\n"
	"  --rows R              rows of a strip\n"
	"  --columns K           columns of errors that are passed on at a time\n"
	"  --link NAME           how errors go between ranks of a machine: auto, window, message\n"
	"  --isa NAME            the CPU's instruction set; help lists them\n"
	"  --threads N           threads of a rank (its share of the processors)\n"
	"\n"
	"  --stats               print one line of JSON about the run on standard output\n"
	"  --bench N             halftone N times in memory, and print one such line for each\n"
	"  -o, --output OUT      write to OUT\n"
	"  -h, --help            print this and exit\n"
	"  --version             print the version and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-mpi(1).\n";

enum { METHOD = RIP_OPTION_PROGRAM, ROWS, COLUMNS, LINK, STATS, BENCH, PRINT_VERSION };

static const struct option long_options[] = {
	RIP_IMAGE_LONG_OPTIONS,
	{ "method", required_argument, NULL, METHOD },
	{ "rows", required_argument, NULL, ROWS },
	{ "columns", required_argument, NULL, COLUMNS },
	{ "link", required_argument, NULL, LINK },
	{ "stats", no_argument, NULL, STATS },
	{ "bench", required_argument, NULL, BENCH },
	{ "version", no_argument, NULL, PRINT_VERSION },
	{ NULL, 0, NULL, 0 }
};

static int parse_method(const char *value, const struct rip_cluster_method **method)
{
	*method = rip_cluster_method_find(value);
	if (*method)
		return RIP_GO_ON;
	if (!strcmp(value, "help")) {
		for (int i = 0; rip_cluster_methods[i]; i++)
			printf("%-8s %s\n", rip_cluster_methods[i]->name,
			       rip_cluster_methods[i]->about);
		return 0;
	}
	return rip_wrong_usage(NULL, "the method \"%s\" is not valid;"
			       " --method help lists the valid ones", value);
}

static int parse_link(const char *value, enum rip_cluster_link *link)
{
	for (int i = 0; rip_cluster_link_names[i]; i++)
		if (rip_same_name(value, rip_cluster_link_names[i])) {
			*link = (enum rip_cluster_link)i;
			return RIP_GO_ON;
		}
	return rip_wrong_usage(NULL, "the link \"%s\" is not valid;"
			       " valid values are auto, window, message", value);
}

static int parse_option(struct rip_cluster_options *options, int option, const char *value,
			char **argv)
{
	switch (option) {
	case METHOD:
		return parse_method(value, &options->method);
	case ROWS:
		return rip_option_number(NULL, "--rows", value, 1, RIP_WIDTH_MAX, &options->rows);
	case COLUMNS:
		return rip_option_number(NULL, "--columns", value, 1, RIP_WIDTH_MAX,
					 &options->columns);
	case LINK:
		return parse_link(value, &options->link);
	case STATS:
		options->stats = true;
		return RIP_GO_ON;
	case BENCH:
		return rip_option_number(NULL, "--bench", value, 1, 10000, &options->bench);
	case PRINT_VERSION:
		puts("riptide-mpi " PACKAGE_VERSION);
		return 0;
	default:
		return rip_option_image(NULL, option, value, argv, help, &options->image);
	}
}

/* What is wrong with the options as a whole. */
static int check(const struct rip_cluster_options *options)
{
	const struct rip_image_options *image = &options->image;

	if (rip_is_standard(image->in))
		return rip_wrong_usage(NULL, "name the image:"
				       " all ranks read it, so it must be a file");
	if (rip_is_standard(image->out) || rip_out_name_descriptor(image->out) >= 0)
		return rip_wrong_usage(NULL, "name the output with -o:"
				       " all ranks write it, so it must be a file");
	if (rip_suffix_check(NULL, image->out, RIP_SUFFIX(PNM), ".pbm or .pgm", "") != RIP_GO_ON)
		return 2;
	if (image->curve && rip_is_standard(image->curve))
		return rip_wrong_usage(NULL, "the curve must be a file: all ranks read it");
	if (image->common.device.choice == RIP_CHOOSE_GPU)
		return rip_wrong_usage(NULL, "riptide-mpi does not use GPUs");
	if (options->link == RIP_LINK_NONE && !options->bench)
		return rip_wrong_usage(NULL, "--link none makes wrong dots: it needs --bench");
	return RIP_GO_ON;
}

int rip_cluster_options_parse(struct rip_cluster_options *options, int argc, char **argv)
{
	int option, status;

	*options = (struct rip_cluster_options){
		.image = RIP_IMAGE_DEFAULTS, .method = rip_cluster_methods[0],
	};
	rip_usage_program("riptide-mpi");
	rip_complain_as("riptide-mpi", NULL); /* the rank has no name yet */
	while ((option = getopt_long(argc, argv, RIP_IMAGE_SHORT_OPTIONS, long_options,
				     NULL)) != -1) {
		status = parse_option(options, option, optarg, argv);
		if (status != RIP_GO_ON)
			return status;
	}
	status = rip_option_image_name(NULL, "image", argc, argv, &options->image);
	return status == RIP_GO_ON ? check(options) : status;
}
