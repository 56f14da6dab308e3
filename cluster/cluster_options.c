#include "config.h"

#include "worker.h"

#include <stddef.h>
#include <stdio.h>

#include "system/ascii.h"
#include "command/terminal.h"
#include "image/complain.h"
#include "image/out_file.h"

/* All of them, the default first; ended by NULL. */
static const struct rip_cluster_method *const methods[] = {
	&rip_method_wave,
	&rip_method_lines,
	&rip_method_blocks,
	&rip_method_zigzag,
	NULL
};

const char *const rip_cluster_link_names[] = { "auto", "window", "message", "none", NULL };

static int set_method(const char *value, void *method)
{
	for (int i = 0; methods[i]; i++)
		if (rip_same_name(value, methods[i]->name)) {
			*(const struct rip_cluster_method **)method = methods[i];
			return RIP_GO_ON;
		}
	return RIP_OPTION_INVALID;
}

static const char *list_method(unsigned i)
{
	static char text[128];
	const struct rip_cluster_method *method = methods[i];

	if (!method)
		return NULL;
	snprintf(text, sizeof text, "%-7s  %s", method->name, method->about);
	return text;
}

#define AT(member) offsetof(struct rip_cluster_options, member)

static const struct rip_option_row speed_rows[] = {
	{ RIP_VALUE("method", "NAME", AT(method), set_method, NULL,
		    "how ranks share the image (wave); help lists the methods"),
	  .list = list_method },
	{ RIP_NUMBER("rows", "R", AT(rows), 1, RIP_WIDTH_MAX, "rows of a strip") },
	{ RIP_NUMBER("columns", "K", AT(columns), 1, RIP_WIDTH_MAX,
		     "columns of errors that are passed on at a time") },
	{ RIP_NAME("link", "NAME", AT(link), rip_cluster_link_names,
		   "how errors go between ranks of a machine: auto, window, message"),
	  .choices = "auto, window, message" },
	RIP_ISA_ROW(AT(image.common.isa)),
	RIP_THREADS_ROW(AT(image.common.threads),
			"threads of a rank (its share of the processors)"),
	{ .name = NULL }
};

static const struct rip_option_row output_rows[] = {
	{ RIP_VALUE("device", NULL, AT(image.common.device), rip_set_device, "auto, cpu", NULL) },
	{ RIP_FLAG("stats", AT(stats), "print one line of JSON about the run on standard output") },
	{ RIP_NUMBER("bench", "N", AT(bench), 1, 10000,
		     "halftone N times in memory, and print one such line for each") },
	{ RIP_FLAG("version", AT(version), "print the version and exit") },
	RIP_OUTPUT_ROW(AT(image.out), "write to OUT"),
	{ .name = NULL }
};

/* What is wrong with the options as a whole. */
static int check(const struct rip_cluster_options *options)
{
	const struct rip_image_options *image = &options->image;

	if (rip_is_standard(image->in))
		return rip_wrong_usage(NULL,
				       "name the image: all ranks read it, so it must be a file");
	if (rip_is_standard(image->out) || rip_out_name_descriptor(image->out) >= 0)
		return rip_wrong_usage(NULL, "name the output with -o: all ranks write it, "
				       "so it must be a file");
	if (rip_suffix_check(NULL, image->out, RIP_SUFFIX_DOTS, ".pbm or .pgm", "") != RIP_GO_ON ||
	    rip_suffix_check_levels(NULL, rip_suffix_kind(image->out), image->common.levels,
				    false) != RIP_GO_ON)
		return 2;
	if (image->curve && rip_is_standard(image->curve))
		return rip_wrong_usage(NULL, "the curve must be a file: all ranks read it");
	if (image->common.device.choice == RIP_CHOOSE_GPU)
		return rip_wrong_usage(NULL, "riptide-mpi does not use GPUs");
	if (options->link == RIP_LINK_NONE && !options->bench)
		return rip_wrong_usage(NULL, "--link none makes wrong dots: it needs --bench");
	return RIP_GO_ON;
}

static const char before[] =
	"Usage: mpirun -n P riptide-mpi [OPTION]... -o OUT IN\n"
	"Halftones one image on many processes, with the dots of riptide halftone.\n"
	"\n"
	"IN   PGM (P5) only, a file that all ranks can read.\n"
	"OUT  PBM for 2 levels, PGM for more: a file that all ranks can write.  It appears\n"
	"     when it is complete.\n";

int rip_cluster_options_parse(struct rip_cluster_options *options, int argc, char **argv)
{
	const struct rip_command_group groups[] = {
		{ rip_resolution_rows, &options->image, "Options that change the dots:\n" },
		{ rip_dots_rows, &options->image, NULL },
		{ speed_rows, options, "Options that change only the speed:\n" },
		{ output_rows, options, "" }, { 0 }
	};
	const struct rip_command_line line = {
		.groups = groups,
		.before = before,
		.after = "Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-mpi(1).",
	};
	int status;

	*options = (struct rip_cluster_options){
		.image = RIP_IMAGE_DEFAULTS, .method = methods[0],
	};
	rip_usage_program("riptide-mpi");
	rip_complain_as("riptide-mpi", NULL); /* the rank has no name yet */
	status = rip_options_parse(&line, argc, argv);
	if (status == RIP_GO_ON && options->version) {
		puts("riptide-mpi " PACKAGE_VERSION);
		return 0;
	}
	if (status == RIP_GO_ON)
		status = rip_option_image_name(NULL, "image", argc, argv, &options->image);
	return status == RIP_GO_ON ? check(options) : status;
}
