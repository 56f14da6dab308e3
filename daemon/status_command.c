/* riptide status. */
#include "config.h"

#include "status_command.h"

#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "options.h"
#include "status_print.h"
#include "terminal.h"
#include "wire/client.h"

#define WATCH_MS 1000

static const char usage[] =
	"Usage: riptide status [--socket PATH] [--json | --metrics] [--watch]\n"
	"Tells what the daemon riptided does.\n"
	"\n"
	"  --socket PATH  the daemon's socket (default: $RIPTIDE_SOCKET, or\n"
	"                 " RIP_DEFAULT_SOCKET ")\n"
	"  --json         one JSON object in one line\n"
	"  --metrics      in the text format of Prometheus\n"
	"  --watch        again every second, until q or Ctrl-C is pressed\n"
	"  --help         print this and exit\n"
	"\n"
	"Exit status: 0 told, 1 failed, 2 wrong usage, 3 no daemon.\n";

enum format { TABLE, JSON, METRICS };

/* Asks once.  Returns the exit status; why it is not 0 has been said. */
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
	fprintf(stderr, "riptide status: the daemon on %s does not tell: %s\n", path, reason);
	return 1;
}

static int print(enum format format, const struct rip_status_reply *reply)
{
	if (format == JSON)
		rip_status_print_json(stdout, reply);
	else if (format == METRICS)
		rip_status_print_metrics(stdout, reply);
	else
		rip_status_print(stdout, reply, NULL, 0);
	if (fflush(stdout) || ferror(stdout)) {
		perror("riptide status: standard output");
		return 1;
	}
	return 0;
}

/* --- watching ------------------------------------------------------------------ */

static struct termios terminal_before;
static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

/* Keys come one by one and are not shown; signals only end the loop, so that the
 * terminal always gets its settings back. */
static void begin_watch(bool keys)
{
	struct sigaction action = { .sa_handler = interrupt };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	if (keys) {
		struct termios terminal = terminal_before;

		terminal.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
	}
	fputs("\033[?1049h\033[?25l", stdout); /* the other screen, without a cursor */
}

static void end_watch(bool keys)
{
	fputs("\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	if (keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
}

static unsigned terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Waits for the next time.  Returns whether the user wants to go on. */
static bool wait_for_key(bool keys)
{
	struct pollfd pfd = { .fd = keys ? STDIN_FILENO : -1, .events = POLLIN };
	char key;

	if (poll(&pfd, 1, WATCH_MS) > 0)
		return read(STDIN_FILENO, &key, 1) == 1 && key != 'q' && key != 'Q' && key != 4;
	return !interrupted;
}

/* Shows one reply, or why there is none: a daemon that is restarted is waited for. */
static void show(const char *path, int outcome, const char *reason,
		 const struct rip_status_reply *reply, const struct rip_status_reply *before)
{
	const unsigned columns = terminal_columns();

	fputs("\033[H\033[2J", stdout);
	if (outcome == 0)
		rip_status_print(stdout, reply, before, columns);
	else
		printf("no daemon on %s: %s\n", path, reason);
	fputs("\nq: quit", stdout);
	fflush(stdout);
}

static int watch(const char *path)
{
	static struct rip_status_reply replies[2];
	char reason[RIP_REASON_MAX + 1] = "";
	const bool keys = tcgetattr(STDIN_FILENO, &terminal_before) == 0;
	bool have_before = false;
	int outcome = ask(path, &replies[0]);

	if (outcome)
		return outcome;
	begin_watch(keys);
	for (unsigned turn = 0; ; turn ^= 1) {
		const struct rip_status_reply *before = &replies[turn ^ 1];

		if (have_before && before->pid != replies[turn].pid)
			have_before = false;
		show(path, outcome, reason, &replies[turn], have_before ? before : NULL);
		have_before = outcome == 0;
		if (!wait_for_key(keys) || interrupted)
			break;
		outcome = rip_client_status(path, &replies[turn ^ 1], reason);
	}
	end_watch(keys);
	return 0;
}

/* --- the command --------------------------------------------------------------- */

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
	const char *path = getenv("RIPTIDE_SOCKET");
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
		return rip_wrong_usage("status", "it takes no arguments but options");
	if (json && metrics)
		return rip_wrong_usage("status", "--json and --metrics exclude each other");
	if (watched && format != TABLE)
		return rip_wrong_usage("status", "--watch is for people: without --json and --metrics");
	if (watched && !isatty(STDOUT_FILENO))
		return rip_wrong_usage("status", "--watch needs a terminal");
	if (watched)
		return watch(path);
	status = ask(path, &reply);
	return status ? status : print(format, &reply);
}
