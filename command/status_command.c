/* riptide status. */
#include "config.h"

#include "status_command.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option.h"
#include "status_print.h"
#include "status_watch.h"
#include "terminal.h"
#include "wire/client.h"

static const char usage[] =
	"Usage: riptide status [--socket PATH] [--json | --metrics] [--watch]\n"
	"Shows what the daemon riptided is doing.\n"
	"\n"
	"  --socket PATH  the daemon's socket (default: $RIPTIDE_SOCKET, or\n"
	"                 " RIP_DEFAULT_SOCKET ")\n"
	"  --json         print one JSON object in one line\n"
	"  --metrics      print the text format of Prometheus\n"
	"  --watch        show it again every second, until q or Ctrl-C is pressed\n"
	"  --help         print this and exit\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage, 3 no daemon.\n";

enum format { TABLE, JSON, METRICS };

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

static int print(enum format format, const struct rip_status_reply *reply)
{
	if (format == JSON)
		rip_status_print_json(stdout, reply);
	else if (format == METRICS)
		rip_status_print_metrics(stdout, reply);
	else
		rip_status_print(stdout, reply, NULL);
	if (fflush(stdout) || ferror(stdout)) {
		perror("riptide status: standard output");
		return 1;
	}
	return 0;
}

int rip_status_command(int argc, char **argv)
{
	enum { OPTION_SOCKET = 256, OPTION_JSON, OPTION_METRICS, OPTION_WATCH, OPTION_HELP };
	static const struct option options[] = {
		{ "socket", required_argument, NULL, OPTION_SOCKET },
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "metrics", no_argument, NULL, OPTION_METRICS },
		{ "watch", no_argument, NULL, OPTION_WATCH },
		{ "help", no_argument, NULL, OPTION_HELP },
		{ 0 },
	};
	static struct rip_status_reply reply;
	const char *path = getenv("RIPTIDE_SOCKET"), *terminal = getenv("TERM");
	enum format format = TABLE;
	bool json = false, metrics = false, watched = false;
	int option, status;

	if (!path || !*path)
		path = RIP_DEFAULT_SOCKET;
	optind = 0; /* who called us may have used getopt before */
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		switch (option) {
		case OPTION_SOCKET:
			path = optarg;
			break;
		case OPTION_JSON:
			json = true;
			format = JSON;
			break;
		case OPTION_METRICS:
			metrics = true;
			format = METRICS;
			break;
		case OPTION_WATCH:
			watched = true;
			break;
		case OPTION_HELP:
			return fputs(usage, stdout) < 0 || fflush(stdout) ? 1 : 0;
		default:
			return rip_option_bad("status", option, argv);
		}
	}
	if (optind < argc)
		return rip_wrong_usage("status", "it takes no arguments, only options");
	if (json && metrics)
		return rip_wrong_usage("status", "--json and --metrics cannot be combined");
	if (watched && format != TABLE)
		return rip_wrong_usage("status", "--watch cannot be combined with --json or --metrics");
	if (watched && (!isatty(STDOUT_FILENO) || !terminal || !strcmp(terminal, "dumb")))
		return rip_wrong_usage("status", "--watch needs a terminal");
	status = ask(path, &reply);
	if (status)
		return status;
	return watched ? rip_status_watch(path, &reply) : print(format, &reply);
}
