/* riptided: halftones the bands of many print jobs.  See riptided(8). */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"
#include "halftone/simd/isa_environment.h"
#include "listener.h"
#include "log.h"
#include "server.h"
#include "settings.h"
#include "system/standard_streams.h"

#define MMAP_THRESHOLD (256 << 10)
#define TURN_NS        100000 /* the shortest that Linux takes */
#define DEFAULT_CONFIG RIP_SYSCONFDIR "/riptide/riptided.conf"
#define USUAL_CONFIG   "/etc/riptide/riptided.conf"
#define OVERLOOKED     USUAL_CONFIG " is not read: this riptided reads " DEFAULT_CONFIG
#define NO_GROUP       "group %s does not exist; only root and this user may connect"

static const char usage[] =
	"Usage: riptided [OPTION]...\n"
	"Halftones the pages of print jobs for rastertoriptide and riptide, over a UNIX\n"
	"socket.  Stays in the foreground; systemd may pass the socket.\n"
	"\n"
	"  --socket PATH    listen on PATH (default " RIP_DEFAULT_SOCKET ")\n"
	"  --device DEVICE  auto: all GPUs; without one, clients halftone by themselves\n"
	"                   (default); cpu: this machine's CPU; gpu: all GPUs, at\n"
	"                   least one; numbers such as 0,2: these GPUs, at least one\n"
	"  --config FILE    read FILE (default " DEFAULT_CONFIG ", if there is one)\n"
	"  --threads N      N workers (default 0: one for each processor)\n"
	"  --check          read the configuration, say which file that is and what is wrong\n"
	"                   with it, and exit\n"
	"  -h, --help       print this and exit\n"
	"  -V, --version    print the version and exit\n"
	"\n"
	"Exit status: 0 stopped normally, 1 failed, 2 wrong usage.  See riptided(8).\n";

/* Prints the error; returns the exit status for it. */
static int wrong_usage(const char *error)
{
	fprintf(stderr, "riptided: %s (try riptided --help)\n", error);
	return 2;
}

/* what: '?', an unknown option, or one with a value that takes none; ':', one without the
 * value that it requires. */
static int bad_option(int what, char **argv)
{
	const char letter[3] = { '-', (char)optopt, '\0' };
	const char *option = optopt > 0 && optopt < 256 ? letter : argv[optind - 1];
	char error[300];

	if (what == '?' && optopt >= 256) /* it is known */
		snprintf(error, sizeof error, "the option '%.*s' takes no value",
			 (int)strcspn(option, "="), option);
	else
		snprintf(error, sizeof error, what == ':' ? "the option '%.200s' requires a value"
							  : "unknown option '%.200s'", option);
	return wrong_usage(error);
}

/* Returns -1 to go on, or the exit status.  *check: only look at the configuration. */
static int parse(int argc, char **argv, struct rip_arguments *arguments, bool *check)
{
	enum {
		OPTION_SOCKET = 256, OPTION_DEVICE, OPTION_CONFIG, OPTION_THREADS, OPTION_CHECK
	};
	static const struct option options[] = {
		{ "socket", required_argument, NULL, OPTION_SOCKET },
		{ "device", required_argument, NULL, OPTION_DEVICE },
		{ "config", required_argument, NULL, OPTION_CONFIG },
		{ "threads", required_argument, NULL, OPTION_THREADS },
		{ "check", no_argument, NULL, OPTION_CHECK },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, ":hV", options, NULL)) != -1) {
		switch (option) {
		case OPTION_SOCKET:
			arguments->socket = optarg;
			break;
		case OPTION_DEVICE:
			arguments->device = optarg;
			break;
		case OPTION_CONFIG:
			arguments->config = optarg;
			break;
		case OPTION_THREADS:
			arguments->threads = optarg;
			break;
		case OPTION_CHECK:
			*check = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return rip_standard_output_finish("riptided", 0);
		case 'V':
			puts("riptided (riptide) " PACKAGE_VERSION);
			return rip_standard_output_finish("riptided", 0);
		default:
			return bad_option(option, argv);
		}
	}
	if (optind < argc) {
		char error[300];

		snprintf(error, sizeof error, "unexpected argument '%.200s'", argv[optind]);
		return wrong_usage(error);
	}
	return -1;
}

/* Returns -1 to go on, or the exit status. */
static int settle(const struct rip_arguments *arguments, struct rip_settings *settings)
{
	static char error[RIP_SETTINGS_ERROR_MAX];
	int r = rip_settings_settle(settings, arguments, DEFAULT_CONFIG, error, sizeof error);

	if (r == RIP_SETTINGS_USAGE)
		return wrong_usage(error);
	if (r < 0)
		fprintf(stderr, "riptided: %s\n", error);
	return r < 0 ? 1 : -1;
}

/* Whether somebody may have written the configuration where only another build reads it. */
static bool overlooks_config(const struct rip_arguments *arguments)
{
	return !arguments->config && rip_settings_overlooks(DEFAULT_CONFIG, USUAL_CONFIG);
}

static bool has_no_group(const struct rip_settings *settings)
{
	return settings->group[0] && !getgrnam(settings->group);
}

/* Prints which configuration was checked.  Returns the exit status. */
static int report_check(const struct rip_arguments *arguments, const struct rip_settings *settings)
{
	const char *path = arguments->config ? arguments->config : DEFAULT_CONFIG;

	if (overlooks_config(arguments))
		fputs("riptided: " OVERLOOKED "\n", stderr);
	if (has_no_group(settings))
		fprintf(stderr, "riptided: " NO_GROUP "\n", settings->group);
	if (access(path, F_OK) == 0)
		printf("riptided: %s is valid\n", path);
	else
		printf("riptided: %s does not exist; using the defaults\n", path);
	return rip_standard_output_finish("riptided", 0);
}

/* The event loop receives the signals.  Writing to a peer that is gone, or beyond the
 * allowed size of a file, returns an error instead of a signal. */
static void prepare_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

/* Returns the memory of wide pages to the system when it is freed: with its default, a
 * threshold that grows, glibc keeps ever larger blocks. */
static void prepare_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
#endif
}

/* A band waits for several threads of the daemon, one after the other, while clients keep all
 * processors busy.  With short turns a thread that wakes up runs sooner, and gets no more time in
 * all.  24 clients of a GPU got 0.80 instead of 0.67 times the pages of in-process (notes/gpu.md,
 * "The session's ring").  Linux does this from 6.12 on, and ignores it before. */
static void prepare_turns(void)
{
	struct { /* of sched_setattr(2): the kernel's header and <sched.h> exclude each other */
		uint32_t size, policy;
		uint64_t flags;
		int32_t  nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr;

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof attr, 0) < 0 || attr.policy != SCHED_OTHER)
		return;
	attr.runtime = TURN_NS;
	(void)syscall(SYS_sched_setattr, 0, &attr, 0); /* or turns are as long as others' */
}

static int serve(const struct rip_settings *settings, const struct rip_arguments *arguments,
		 struct rip_device *device, struct rip_listener *listener)
{
	const struct rip_server_config config = {
		.settings = settings,
		.arguments = arguments,
		.file = DEFAULT_CONFIG,
		.device = device,
		.listener = listener,
	};
	struct rip_server *server;
	int r = rip_server_new(&config, &server);

	if (r < 0) {
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "cannot start: %s", strerror(-r));
		return 1;
	}
	r = rip_server_run(server);
	if (r == -ETIMEDOUT) {
		/* Its thread cannot be ended, so nothing that it uses can be freed. */
		rip_log(LOG_ERR, RIP_EVENT_STOP, NULL, "stopped although a worker hangs");
		rip_log_finish();
		_exit(1);
	}
	rip_server_free(server);
	if (r < 0 && r != -ENODEV)
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "the event loop failed: %s", strerror(-r));
	return r < 0;
}

int main(int argc, char **argv)
{
	static struct rip_settings settings;
	static char error[RIP_SETTINGS_ERROR_MAX];
	struct rip_arguments arguments = { 0 };
	struct rip_listener listener;
	struct rip_device device;
	bool check = false;
	int status;

	if (rip_standard_streams_guard() < 0)
		return 1;
	rip_isa_limit_from_environment();
	status = parse(argc, argv, &arguments, &check);
	if (status >= 0)
		return status;
	status = settle(&arguments, &settings);
	if (check)
		return status < 0 ? report_check(&arguments, &settings) : status;
	if (status >= 0) {
		rip_listener_give_up("riptided's configuration is wrong");
		return status;
	}
	rip_log_init(settings.log_priority);
	prepare_signals();
	prepare_memory();
	prepare_turns();

	if (overlooks_config(&arguments))
		rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL, OVERLOOKED);
	if (has_no_group(&settings))
		rip_log(LOG_WARNING, RIP_EVENT_CONFIG, NULL, NO_GROUP, settings.group);
	status = rip_device_init(&device, &settings);
	if (status < 0) {
		rip_log(LOG_ERR, RIP_EVENT_DEVICE, NULL,
			"cannot start: cannot create an engine: %s", strerror(-status));
		rip_listener_give_up("riptided cannot create an engine");
		return 1;
	}
	if (rip_listener_init(&listener, settings.socket, settings.group,
			      error, sizeof error) < 0) {
		rip_log(LOG_ERR, RIP_EVENT_SYSTEM, NULL, "%s", error);
		status = 1;
	} else {
		status = serve(&settings, &arguments, &device, &listener);
		rip_listener_finish(&listener);
	}
	rip_log_finish();
	if (!rip_device_finish(&device))
		_exit(status); /* the driver hangs, and so would exit() */
	return status;
}
