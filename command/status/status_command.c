/* riptide status. */
#include "config.h"

#include "command/option.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "status.h"
#include "command/terminal.h"
#include "wire/client.h"

enum format { TABLE, JSON, CSV, METRICS };

/* Asks once.  Returns the exit status, and reports why it is not 0. */
static int ask(const char *path, struct rip_status_reply *reply)
{
	char reason[RIP_REASON_MAX + 1] = "";
	int r;

	if (!strcmp(path, "none")) {
		fputs("riptide status: no daemon is used: the socket is \"none\"\n", stderr);
		return 3;
	}
	r = rip_client_status(path, reply, reason);
	if (r == 0)
		return 0;
	if (r == RIP_CLIENT_ABSENT) {
		fprintf(stderr, "riptide status: no daemon on %s: %s\n", path, reason);
		return 3;
	}
	fprintf(stderr, "riptide status: cannot ask the daemon on %s: %s\n", path, reason);
	return 1;
}

/* reply: NULL: only the ink. */
static void print(enum format format, const struct rip_status_reply *reply,
		  const struct rip_ink_queues *queues, const struct rip_ink_amounts *amounts)
{
	switch (format) {
	case JSON:
		putchar('{');
		if (reply) {
			rip_status_print_json(stdout, reply);
			putchar(',');
		}
		rip_ink_queues_print_json(stdout, queues, amounts);
		puts("}");
		break;
	case CSV:
		rip_ink_queues_print_csv(stdout, queues, amounts);
		break;
	case METRICS:
		if (reply)
			rip_status_print_metrics(stdout, reply);
		rip_ink_queues_print_metrics(stdout, queues, amounts);
		break;
	default:
		if (!reply) {
			rip_ink_queues_print(stdout, queues, amounts);
			break;
		}
		rip_status_print(stdout, reply, NULL);
		if (queues->count)
			printf("%sink       of %u queue%s: riptide status --ink\n",
			       reply->count ? "\n" : "",
			       queues->count, queues->count == 1 ? "" : "s");
	}
}

/* reply: NULL: only the ink, which must be readable then.  An exit status. */
static int show(enum format format, const struct rip_status_reply *reply,
		const struct rip_ink_amounts *amounts)
{
	struct rip_ink_queues queues;
	char path[PATH_MAX];
	int r = rip_ink_queues_read(&queues, path, sizeof path);

	if (r < 0 && !reply)
		fprintf(stderr, "riptide status: cannot read %s: %s%s\n", path, strerror(-r),
			r == -EACCES ? ": run the command with sudo" : "");
	if (r == 0 || reply || queues.count)
		print(format, reply, &queues, amounts);
	if (r == 0 && !reply && format == TABLE && !queues.count)
		printf("No job of a queue has been counted in %s.\n", path);
	rip_ink_queues_finish(&queues);
	return r < 0 && !reply ? 1 : 0;
}

struct options {
	const char *path; /* of the socket */
	bool json, csv, metrics, watched, ink;
	struct rip_ink_amounts amounts;
};

#define AT(member) offsetof(struct options, member)

static const struct rip_option_row rows[] = {
	{ RIP_ARGUMENT(FILE, "socket", "PATH", AT(path),
		       "the daemon's socket"
		       " (default: $RIPTIDE_SOCKET, or " RIP_DEFAULT_SOCKET ")") },
	{ RIP_FLAG("ink", AT(ink), "the ink, a row for each queue, also without a daemon") },
	RIP_INK_AMOUNTS_ROW(AT(amounts)),
	{ RIP_FLAG("json", AT(json), "print one JSON object in one line") },
	{ RIP_FLAG("csv", AT(csv), "with --ink: CSV, a line for each ink of each queue") },
	{ RIP_FLAG("metrics", AT(metrics), "print the text format of Prometheus") },
	{ RIP_FLAG("watch", AT(watched),
		   "show it again every second, until q or Ctrl-C is pressed") },
	{ .name = NULL }
};

static const char before[] =
	"Usage: riptide status [OPTION]...\n"
	"Shows what the daemon riptided is doing, or the ink that queues have taken.\n";

/* RIP_GO_ON or an exit status. */
static int parse(struct options *o, int argc, char **argv)
{
	const struct rip_command_group groups[] = { { rows, o, NULL }, { 0 } };
	const struct rip_command_line line = {
		.command = "status", .groups = groups,
		.before = before,
		.after = "Exit status: 0 done, 1 failed, 2 wrong usage, 3 no daemon.  See"
			 " riptide-status(1).",
	};

	return rip_options_parse(&line, argc, argv);
}

/* What excludes each other.  RIP_GO_ON or an exit status. */
static int check(const struct options *o, bool arguments)
{
	const char *terminal = getenv("TERM");

	if (arguments)
		return rip_wrong_usage("status", "it takes no arguments, only options");
	if (o->json && o->metrics)
		return rip_wrong_usage("status", "--json and --metrics cannot be combined");
	if (o->csv && (o->json || o->metrics || !o->ink))
		return rip_wrong_usage("status", "--csv is for --ink, and not combined with --json"
				       " or --metrics");
	if (o->watched && (o->json || o->metrics || o->ink))
		return rip_wrong_usage("status", "--watch cannot be combined with --json,"
				       " --metrics or --ink");
	if (o->amounts.count && !o->ink && !o->json && !o->metrics)
		return rip_wrong_usage("status", "--ink-per-m2 needs --ink, --json or --metrics");
	if (o->watched && (!isatty(STDOUT_FILENO) || !terminal || !strcmp(terminal, "dumb")))
		return rip_wrong_usage("status", "--watch needs a terminal");
	return RIP_GO_ON;
}

int rip_status_command(int argc, char **argv)
{
	static struct rip_status_reply reply;
	struct options o = { .path = getenv("RIPTIDE_SOCKET") };
	int status;

	if (!o.path || !*o.path)
		o.path = RIP_DEFAULT_SOCKET;
	status = parse(&o, argc, argv);
	if (status == RIP_GO_ON)
		status = check(&o, optind < argc);
	if (status != RIP_GO_ON)
		return status;
	status = o.ink ? 0 : ask(o.path, &reply);
	if (status)
		return status;
	if (o.watched)
		return rip_status_watch(o.path, &reply);
	return show(o.json ? JSON : o.csv ? CSV : o.metrics ? METRICS : TABLE,
		    o.ink ? NULL : &reply, &o.amounts);
}
