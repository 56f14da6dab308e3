/* The configuration file: what it may say, and where it is wrong. */
#include "tests/tools/testing.h"

#include <syslog.h>

#include "daemon/settings.h"

static char path[] = "/tmp/riptide-settings-XXXXXX";
static char error[RIP_SETTINGS_ERROR_MAX];
static struct rip_settings settings;

static int load(const void *text, size_t size)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	fclose(file);
	rip_settings_init(&settings);
	error[0] = '\0';
	return rip_settings_load(&settings, path, error, sizeof error);
}

static int load_text(const char *text)
{
	return load(text, strlen(text));
}

TEST(good)
{
	assert_int_equal(load_text(""), 0);
	assert_int_equal(settings.device, RIP_DEVICE_AUTO);
	assert_int_equal(settings.max_sessions, 64);
	assert_int_equal(load_text("# a comment\n\n \t\n  device=cpu\nthreads\t=  3 \r\n"
				   "socket = /tmp/a b = c\nmax-sessions = 7\n"
				   "max-sessions-per-process = 5\nmax-memory = 3G\nidle-exit = 90\n"
				   "log-level = debug\ngroup =\n"), 0);
	assert_int_equal(settings.device, RIP_DEVICE_CPU);
	assert_int_equal(settings.threads, 3);
	assert_string_equal(settings.socket, "/tmp/a b = c");
	assert_int_equal(settings.max_sessions, 7);
	assert_int_equal(settings.max_sessions_per_process, 5);
	assert_int_equal(settings.max_memory, UINT64_C(3) << 30);
	assert_int_equal(settings.idle_exit, 90);
	assert_int_equal(settings.log_priority, LOG_DEBUG);
	assert_string_equal(settings.group, "");
	assert_int_equal(load_text("device = 2"), 0);
	assert_int_equal(settings.device, RIP_DEVICE_GPU);
	assert_int_equal(settings.gpu_count, 1);
	assert_int_equal(settings.gpus[0], 2);
	assert_int_equal(load_text("device = 3,0"), 0);
	assert_int_equal(settings.gpu_count, 2);
	assert_int_equal(settings.gpus[0], 3);
	assert_int_equal(settings.gpus[1], 0);
	assert_int_equal(load_text("device = Auto"), 0);
	assert_int_equal(settings.device, RIP_DEVICE_AUTO);
	assert_int_equal(load_text("device = CPU"), 0);
	assert_int_equal(settings.device, RIP_DEVICE_CPU);
	assert_int_equal(load_text("device = 2\ndevice = GPU"), 0);
	assert_int_equal(settings.device, RIP_DEVICE_GPU);
	assert_int_equal(load_text("device = 2\ndevice = gpu"), 0);
	assert_int_equal(settings.gpu_count, 0);
	assert_int_equal(load_text("max-memory = 33554432"), 0);
	assert_int_equal(load_text("riptide-all-workers = 1024\nriptide-all-workers = auto"), 0);
	assert_int_equal(load_text("riptide-stalled-after = 86400"), 0);
	/* An editor of another system marks UTF-8. */
	assert_int_equal(load_text("\xef\xbb\xbf# a comment\nthreads = 4\n"), 0);
	assert_int_equal(settings.threads, 4);
	assert_int_equal(load_text("\xef\xbb\xbfthreads = 4"), 0);
	assert_int_equal(settings.threads, 4);
}

/* Each is refused with file, line and key, and nothing of the file is taken. */
TEST(wrong)
{
	static const char *const wrong[] = {
		"device = fpga", "device = -1", "device = 1x", "device =",
		"device = 1,", "device = ,1", "device = 0,,1", "device = 0,0", "device = cpu,0",
		"device = 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "threads = x",
		"threads = 1025", "threads = -1", "threads = 1 2", "threads = 99999999999999999999",
		"socket = relative", "socket =", "max-sessions = 0", "max-sessions = 1025",
		"max-sessions-per-process = 0", "max-memory = 1M", "max-memory = 2T",
		"max-memory = 99999999999999T", "max-memory = 64X", "max-memory = 64MB",
		"max-memory = 18446744073709551615K", "idle-exit = -5", "idle-exit = 1.5",
		"log-level = loud", "riptide-all-workers = 0", "riptide-all-workers = 1025",
		"riptide-stalled-after = 0", "riptide-stalled-after = 86401",
		"no equals sign", "unknown = 1", "Device = cpu", "= cpu",
		"\xef\xbb\xbfthreads = 4",
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		char text[256], where[64];

		snprintf(text, sizeof text, "threads = 9\n# fine\n%s\nmax-sessions = 3\n",
			 wrong[i]);
		snprintf(where, sizeof where, "%s:3: ", path);
		assert_int_equal(load_text(text), -EINVAL);
		assert_memory_equal(error, where, strlen(where));
		assert_int_equal(settings.threads, 0);
	}
	assert_int_equal(load("threads = 1\0\n", 13), -EINVAL);
	assert_non_null(strstr(error, "NUL"));
}

/* A message says what is allowed. */
TEST(what_is_allowed)
{
	assert_int_equal(load_text("idle-exit = 31536001"), -EINVAL);
	assert_non_null(strstr(error, "0 (never) to 31536000 seconds"));
	assert_int_equal(load_text("device = 0,0"), -EINVAL);
	assert_non_null(strstr(error, "each once"));
}

/* What the system cannot listen on is wrong before the daemon tries. */
TEST(long_socket)
{
	struct rip_arguments arguments = { .config = path };
	char socket[110], text[150];

	memset(socket, 'a', sizeof socket);
	socket[0] = '/';
	for (int length = 107; length <= 108; length++) {
		socket[length] = '\0';
		snprintf(text, sizeof text, "socket = %s\n", socket);
		assert_int_equal(load_text(text), length == 107 ? 0 : -EINVAL);
		assert_true(length == 107 || strstr(error, "at most 107 bytes"));
		assert_int_equal(load_text(""), 0);
		arguments.socket = socket;
		assert_int_equal(rip_settings_settle(&settings, &arguments, path, error,
						     sizeof error),
				 length == 107 ? 0 : RIP_SETTINGS_USAGE);
		assert_true(length == 107 || strstr(error, "1 to 107 bytes"));
		socket[length] = 'a';
	}
}

TEST(no_file)
{
	rip_settings_init(&settings);
	assert_int_equal(rip_settings_load(&settings, "/tmp/there is no such file", error,
					   sizeof error), -ENOENT);
	assert_non_null(strstr(error, "/tmp/there is no such file: "));
	assert_int_equal(rip_settings_load(&settings, "/tmp", error, sizeof error), -EISDIR);
}

/* The command line counts more than the file, and what is wrong with either changes
 * nothing. */
TEST(settle)
{
	struct rip_arguments arguments = { .threads = "5" };
	const char *nowhere = "/tmp/there is no such file";

	assert_int_equal(load_text("threads = 3\ndevice = cpu\nsocket = /a\n"), 0);
	assert_int_equal(rip_settings_settle(&settings, &arguments, path, error, sizeof error), 0);
	assert_int_equal(settings.threads, 5);
	assert_int_equal(settings.device, RIP_DEVICE_CPU);
	assert_string_equal(settings.socket, "/a");
	arguments.socket = "relative";
	assert_int_equal(rip_settings_settle(&settings, &arguments, path, error, sizeof error), 0);
	assert_string_equal(settings.socket, "relative");
	/* A file that is not named need not be there. */
	assert_int_equal(rip_settings_settle(&settings, &arguments, nowhere, error, sizeof error),
			 0);
	assert_int_equal(settings.device, RIP_DEVICE_AUTO);
	arguments.config = nowhere;
	settings.threads = 77;
	assert_int_equal(rip_settings_settle(&settings, &arguments, path, error, sizeof error),
			 -ENOENT);
	arguments = (struct rip_arguments){ .device = "fpga" };
	assert_int_equal(rip_settings_settle(&settings, &arguments, path, error, sizeof error),
			 RIP_SETTINGS_USAGE);
	assert_non_null(strstr(error, "--device: 'fpga' is not"));
	arguments = (struct rip_arguments){ .socket = "" };
	assert_int_equal(rip_settings_settle(&settings, &arguments, path, error, sizeof error),
			 RIP_SETTINGS_USAGE);
	arguments = (struct rip_arguments){ .config = "" };
	assert_int_equal(rip_settings_settle(&settings, &arguments, path, error, sizeof error),
			 RIP_SETTINGS_USAGE);
	assert_non_null(strstr(error, "--config"));
	assert_int_equal(settings.threads, 77);
}

/* Random lines, mostly of pieces of good ones: none crashes, and each is either
 * taken or told. */
TEST(random)
{
	static const char *const pieces[] = { "device", "threads", "socket", "max-memory", "=", " ",
					      "\n", "#", "cpu", "0", "7", "/s", "G", "\t", "\xff" };

	for (int i = 0; i < 300; i++) {
		char text[256] = "";

		for (int n = (int)(rip_test_random() % 20); n; n--)
			strcat(text, pieces[rip_test_random() % (sizeof pieces / sizeof *pieces)]);
		assert_true((load_text(text) == 0) == (error[0] == '\0'));
	}
}

/* Another file where the configuration usually is, and links to the one that is read. */
TEST(overlooked)
{
	char other[64];

	snprintf(other, sizeof other, "%s.other", path);
	assert_false(rip_settings_overlooks(path, other)); /* there is none */
	assert_false(rip_settings_overlooks(path, path));
	assert_int_equal(symlink(path, other), 0);
	assert_false(rip_settings_overlooks(path, other));
	assert_false(rip_settings_overlooks(other, path));
	assert_int_equal(unlink(other), 0);
	close(open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	assert_true(rip_settings_overlooks(path, other));
	assert_true(rip_settings_overlooks("/nowhere/at/all", other));
	assert_int_equal(unlink(other), 0);
}

BEFORE_TESTS
{
	AUTO_CLOSE const int fd = mkstemp(path);

	if (fd < 0)
		exit(99);
}

AFTER_TESTS
{
	unlink(path);
}
