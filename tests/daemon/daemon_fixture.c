/* A real riptided, and pages to send it. */
#include "tests/tools/common.h"

#include "daemon_fixture.h"

#include <dirent.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "halftone/page/tone.h"
#include "tests/tools/define_dots.h"
#include "tests/tools/unix_socket.h"

#define PATIENCE_MS 60000

struct daemon riptided;

const struct rip_page_spec a4 = PLAIN_PAGE(4961, 1);

/* --- the daemon ---------------------------------------------------------------- */

void daemon_init(struct daemon *daemon)
{
	signal(SIGPIPE, SIG_IGN); /* the daemon may be gone when something is sent to it */
	memset(daemon, 0, sizeof *daemon);
	strcpy(daemon->folder, "/tmp/riptide-test-XXXXXX");
	assert_non_null(mkdtemp(daemon->folder));
	snprintf(daemon->socket, sizeof daemon->socket, "%s/s", daemon->folder);
	snprintf(daemon->log, sizeof daemon->log, "%s/log", daemon->folder);
	snprintf(daemon->config, sizeof daemon->config, "%s/conf", daemon->folder);
}

void riptided_start(const char *device, const char *settings, const char *gpu)
{
	setenv("RIPTIDE_TEST_GPU", gpu, 1);
	daemon_init(&riptided);
	daemon_configure(&riptided, settings);
	daemon_start(&riptided, (const char *const[]){ "--device", device, "--config",
						       riptided.config, NULL });
}

void riptided_finish(int status)
{
	if (riptided.pid)
		assert_int_equal(daemon_stop(&riptided, SIGTERM), status);
	daemon_finish(&riptided);
}

void daemon_configure(const struct daemon *daemon, const char *text)
{
	FILE *file = fopen(daemon->config, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void run(const struct daemon *daemon, const char *const *arguments)
{
	const char *program = getenv("RIPTIDED");
	const char *argv[24] = { "riptided", "--config", "/dev/null", "--socket", daemon->socket };
	const struct { int resource; size_t limit; } limits[] = {
		{ RLIMIT_NOFILE, daemon->descriptor_limit }, { RLIMIT_AS, daemon->memory_limit },
		{ RLIMIT_FSIZE, daemon->file_limit },
	};
	int n = 5, log = open(daemon->log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	while (arguments && *arguments && n < 23)
		argv[n++] = *arguments++;
	/* It must not outlive a test that is killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		_exit(126);
	for (size_t i = 0; i < COUNT(limits); i++)
		if (limits[i].limit)
			setrlimit(limits[i].resource,
				  &(struct rlimit){ limits[i].limit, limits[i].limit });
	if (daemon->listener) {
		char pid[16];

		snprintf(pid, sizeof pid, "%d", (int)getpid());
		if (dup2(daemon->listener, 3) < 0 || fcntl(3, F_SETFD, 0) < 0 ||
		    setenv("LISTEN_FDS", "1", 1) < 0 || setenv("LISTEN_PID", pid, 1) < 0)
			_exit(126);
	}
	unsetenv("JOURNAL_STREAM");
	unsetenv("NOTIFY_SOCKET");
	execv(program ? program : "./riptided", (char *const *)argv);
	perror("riptided");
	_exit(127);
}

bool daemon_try(struct daemon *daemon, const char *const *arguments)
{
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];
	int tries = PATIENCE_MS / 5;
	siginfo_t info;

	daemon->pid = fork_child();
	if (daemon->pid == 0)
		run(daemon, arguments);
	while (rip_client_status(daemon->socket, &reply, reason) != 0 ||
	       reply.pid != (uint32_t)daemon->pid) {
		info.si_pid = 0;
		assert_int_equal(waitid(P_PID, (id_t)daemon->pid, &info,
					WEXITED | WNOHANG | WNOWAIT), 0);
		if (info.si_pid)
			return false;
		assert_true(tries-- > 0);
		usleep(5000);
	}
	return true;
}

void daemon_start(struct daemon *daemon, const char *const *arguments)
{
	assert_true(daemon_try(daemon, arguments));
}

/* How many reports of sanitizers its log has; if any, all of it is shown. */
static unsigned reports_of(const struct daemon *daemon)
{
	const unsigned reports =
		daemon_said(daemon, "Sanitizer") + daemon_said(daemon, "runtime error");
	char command[256];

	if (reports) {
		snprintf(command, sizeof command, "cat '%s' >&2", daemon->log);
		(void)!system(command);
	}
	return reports;
}

int daemon_wait(struct daemon *daemon)
{
	int status, tries = PATIENCE_MS / 5;
	pid_t r;

	while ((r = waitpid(daemon->pid, &status, WNOHANG)) == 0) {
		if (tries-- == 0)
			kill(daemon->pid, SIGKILL);
		usleep(5000);
	}
	assert_int_equal(r, daemon->pid);
	daemon->pid = 0;
	assert_int_equal(reports_of(daemon), 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int daemon_stop(struct daemon *daemon, int signal_number)
{
	assert_int_equal(kill(daemon->pid, signal_number), 0);
	return daemon_wait(daemon);
}

void daemon_listen(struct daemon *daemon)
{
	daemon->listener = unix_listen(daemon->socket);
}

int daemon_connect(const struct daemon *daemon)
{
	return unix_connect(daemon->socket);
}

double daemon_cpu_seconds(const struct daemon *daemon)
{
	unsigned long user, system;
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)daemon->pid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
				"%lu %lu", &user, &system), 2);
	fclose(file);
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

unsigned daemon_said(const struct daemon *daemon, const char *text)
{
	char line[4096];
	unsigned count = 0;
	FILE *log = fopen(daemon->log, "re");

	while (log && fgets(line, sizeof line, log))
		count += strstr(line, text) != NULL;
	if (log)
		fclose(log);
	return count;
}

void daemon_finish(struct daemon *daemon)
{
	if (daemon->pid)
		daemon_stop(daemon, SIGKILL);
	if (daemon->listener)
		close(daemon->listener);
	unlink(daemon->socket);
	unlink(daemon->log);
	unlink(daemon->config);
	rmdir(daemon->folder);
}

unsigned daemon_descriptors(const struct daemon *daemon)
{
	char path[64];
	unsigned count = 0;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)daemon->pid);
	folder = opendir(path);
	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

unsigned daemon_memory(const struct daemon *daemon)
{
	char path[64], line[256];
	unsigned kilobytes = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/status", (int)daemon->pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "VmRSS: %u", &kilobytes) == 1)
			break;
	fclose(file);
	return kilobytes;
}

void daemon_await_sessions(const struct daemon *daemon, unsigned sessions)
{
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];

	/* It may have no descriptor for us yet. */
	AWAIT(rip_client_status(daemon->socket, &reply, reason) == 0 && reply.sessions == sessions);
}

void daemon_await_descriptors(const struct daemon *daemon, unsigned descriptors)
{
	AWAIT(daemon_descriptors(daemon) <= descriptors);
}

struct rip_status_reply daemon_status(const struct daemon *daemon)
{
	struct rip_status_reply reply;
	char reason[RIP_REASON_MAX + 1];

	assert_int_equal(rip_client_status(daemon->socket, &reply, reason), 0);
	return reply;
}

struct rip_message daemon_hello(void)
{
	return (struct rip_message){ .type = RIP_HELLO, .hello.magic = RIP_PROTOCOL_MAGIC,
				     .hello.version = RIP_PROTOCOL_VERSION };
}

void daemon_hear(struct rip_connection *connection, struct rip_message *message)
{
	struct pollfd pfd = { .fd = connection->fd, .events = POLLIN };
	int r;

	while ((r = rip_connection_receive(connection, message)) == -EAGAIN)
		assert_true(poll(&pfd, 1, 60000) > 0);
	assert_int_equal(r, 0);
}

/* --- pages --------------------------------------------------------------------- */

/* The next number of a xorshift sequence, whose state is not 0. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint32_t below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((next(state) >> 16) % n);
}

static size_t row_bytes(const struct page *page)
{
	return (size_t)page->spec.width * (page->spec.sample_bits / 8);
}

static const uint8_t *row_of(const struct page *page, uint32_t plane, uint32_t row)
{
	return page->samples + ((size_t)plane * page->height + row) * row_bytes(page);
}

void page_fill(const struct page *page, struct rip_band *band, uint32_t first, uint32_t rows)
{
	rip_band_reset(band, first);
	page_put(page, band, first, rows);
}

uint32_t page_step(const struct page *page)
{
	return page->spec.planes > 1 ? page->spec.planes + page->height % 2 : 0;
}

size_t page_pitch(const struct page *page)
{
	return page_step(page) * row_bytes(page) + page->spec.width % 3 * 2;
}

/* Puts rows as lines of pixels.  false: the band takes rows. */
static bool put_lines(const struct page *page, struct rip_band *band, uint32_t first, uint32_t rows)
{
	const uint32_t step = page_step(page);
	const size_t bytes = page->pixels ? 1 : page->spec.sample_bits / 8;
	uint32_t room;
	uint8_t *line = rip_band_line(band, &room), *at;

	if (!line)
		return false;
	assert_true(rows <= room);
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t p = 0; p < page->spec.planes; p++) {
			const uint8_t *from =
				!page->pixels ? row_of(page, p, first + row) :
						page->pixels + ((size_t)p * page->height + first +
								row) * page->spec.width;

			at = line + row * page_pitch(page) + p * bytes;
			for (uint32_t x = 0; x < page->spec.width; x++, at += step * bytes)
				memcpy(at, from + x * bytes, bytes);
		}
	rip_band_commit_lines(band, line, page_pitch(page), step, rows);
	return true;
}

void page_put(const struct page *page, struct rip_band *band, uint32_t first, uint32_t rows)
{
	if (put_lines(page, band, first, rows))
		return;
	for (uint32_t row = first; row < first + rows; row++)
		for (uint32_t plane = 0; plane < page->spec.planes; plane++) {
			memcpy(rip_band_row(band, plane), row_of(page, plane, row),
			       row_bytes(page));
			rip_band_commit(band, plane);
		}
}

static uint8_t *dots_of(const struct page *page, uint32_t plane, uint32_t row)
{
	return page->dots + ((size_t)plane * page->height + row) *
				    rip_dot_bytes(page->spec.width, page->spec.levels);
}

static void make_dots(struct page *page)
{
	const size_t bytes = rip_dot_bytes(page->spec.width, page->spec.levels);
	struct rip_band *band;

	assert_int_equal(rip_band_new(&page->spec, page->height, &band), 0);
	page_fill(page, band, 0, page->height);
	define_dots(&page->spec, page->start, band, page->carry);
	for (uint32_t plane = 0; plane < page->spec.planes; plane++)
		for (uint32_t row = 0; row < page->height; row++)
			memcpy(dots_of(page, plane, row), rip_band_dots(band, plane, row), bytes);
	rip_band_free(band);
}

/* The samples become those of random pixels, through an ink limit or curves. */
static void limit_page(struct page *page, uint64_t *state)
{
	const uint32_t width = page->spec.width, planes = page->spec.planes;
	const uint32_t most = below(state, 4) ? 65535 + below(state, 65535) : 0;
	const size_t rows = (size_t)planes * page->height;
	uint16_t *of[RIP_PLANES_MAX] = { NULL };

	page->curves = malloc(planes * sizeof *page->curves);
	page->pixels = malloc(rows * width);
	assert_non_null(page->curves);
	assert_non_null(page->pixels);
	for (uint32_t p = 0; p < planes; p++) {
		uint32_t x = 0;

		for (uint32_t v = 0; v < 256; v++, x += below(state, 512))
			page->curves[p][v] = (uint16_t)(x < 65535 ? x : 65535);
		of[p] = below(state, 3) ? page->curves[p] : NULL;
	}
	assert_int_equal(rip_ink_limit_init(&page->limit, most, planes, 8,
					    (int)below(state, planes + 1) - 1, of),
			 0);
	for (size_t row = 0; row < rows; row++) {
		const uint32_t kind = below(state, 4);

		for (uint32_t x = 0; x < width; x++)
			page->pixels[row * width + x] =
				kind == 0 ? 0 : kind == 1 ? 255 : (uint8_t)(next(state) >> 8);
	}
	for (uint32_t y = 0; y < page->height; y++) {
		uint8_t *samples = malloc((size_t)planes * width);
		void *at[RIP_PLANES_MAX];

		assert_non_null(samples);
		for (uint32_t p = 0; p < planes; p++) {
			at[p] = samples + p * width;
			memcpy(at[p], page->pixels + ((size_t)p * page->height + y) * width, width);
		}
		if (page->limit.most > 0)
			rip_ink_limit_apply(&page->limit, at, width);
		for (uint32_t p = 0; p < planes; p++) {
			uint8_t *to = page->samples +
				      ((size_t)p * page->height + y) * row_bytes(page);

			if (page->spec.sample_bits == 16)
				rip_tone_row(of[p], 8, at[p], width, (uint16_t *)(void *)to);
			else
				memcpy(to, at[p], width);
		}
		free(samples);
	}
}

void page_init(struct page *page, const struct rip_page_spec *spec, uint32_t height,
	       uint64_t seed)
{
	const uint32_t most = rip_test_repeated() ? 1000 : 5000; /* pixels in a row */
	uint64_t state = seed * 2 + 1;
	size_t rows;

	memset(page, 0, sizeof *page);
	page->height = height;
	if (spec) {
		page->spec = *spec;
	} else {
		page->spec = (struct rip_page_spec){
			.width = 1 + below(&state, below(&state, 2) ? 70 : most),
			.planes = 1 + below(&state, 4),
			.levels = below(&state, 2) ? 2 : 2 + below(&state, 15),
			.sample_bits = below(&state, 3) ? 8 : 16,
			.screen = &rip_screens[below(&state, 2) ? 0 : below(&state, RIP_SCREENS)],
		};
		page->start = below(&state, 4) ? RIP_START_NOISE : RIP_START_ZERO;
	}
	if (!spec && below(&state, 3) == 0) {
		size_t values = (size_t)1 << page->spec.sample_bits;

		page->curve = malloc(values * sizeof *page->curve);
		assert_non_null(page->curve);
		for (size_t i = 0; i < values; i++)
			page->curve[i] = (uint16_t)next(&state);
		page->spec.curve = page->curve;
	}
	rows = (size_t)page->spec.planes * height;
	page->samples = malloc(rows * row_bytes(page));
	page->dots = malloc(rows * rip_dot_bytes(page->spec.width, page->spec.levels));
	page->carry = malloc(page->spec.planes * rip_carry_values(&page->spec) * sizeof(int16_t));
	assert_non_null(page->samples);
	assert_non_null(page->dots);
	assert_non_null(page->carry);
	for (size_t row = 0; row < rows; row++) {
		uint8_t *bytes = page->samples + row * row_bytes(page);
		uint32_t kind = below(&state, 4);

		for (size_t i = 0; i < row_bytes(page); i++)
			bytes[i] = kind == 0 ? 0 : kind == 1 ? 255 : (uint8_t)(next(&state) >> 8);
	}
	if (!spec && page->spec.planes > 1 && below(&state, 2))
		limit_page(page, &state);
	make_dots(page);
}

void page_finish(struct page *page)
{
	free(page->curve);
	rip_ink_limit_finish(&page->limit);
	free(page->curves);
	free(page->pixels);
	free(page->samples);
	free(page->dots);
	free(page->carry);
}

unsigned page_compare(const struct page *page, struct rip_band *band, uint32_t first)
{
	const size_t bytes = rip_dot_bytes(page->spec.width, page->spec.levels);
	unsigned wrong = 0;

	for (uint32_t plane = 0; plane < page->spec.planes; plane++)
		for (uint32_t row = 0; row < rip_band_rows(band); row++)
			wrong += memcmp(rip_band_dots(band, plane, row),
					dots_of(page, plane, first + row), bytes) != 0;
	return wrong;
}

struct in_flight {
	struct rip_band *band;
	uint32_t         first; /* row */
};

unsigned page_send(const struct page *page, struct rip_client *client, uint32_t number,
		   uint32_t rows, int *fault, unsigned *wrong)
{
	const size_t values = rip_carry_values(&page->spec);
	AUTO_FREE int16_t *carry = malloc(page->spec.planes * values * sizeof *carry);
	struct in_flight bands[RIP_BANDS_IN_FLIGHT];
	unsigned sent = 0, done = 0;
	uint32_t row = 0;

	assert_non_null(carry);
	*wrong = 0;
	for (uint32_t plane = 0; plane < page->spec.planes; plane++)
		rip_carry_start(&page->spec, plane, page->start, carry + plane * values);
	client->line_pitch = page_step(page) ? page_pitch(page) : 0;
	client->limit = page->pixels ? &page->limit : NULL;
	*fault = rip_client_page(client, &page->spec, number, page->height, page->start, NULL);
	if (*fault == 0 && rows > rip_client_band_rows(client))
		rows = rip_client_band_rows(client);
	while (*fault == 0 && (row < page->height || done < sent)) {
		struct in_flight *at = &bands[sent % RIP_BANDS_IN_FLIGHT];

		if (row < page->height && sent - done < rip_client_bands(client)) {
			uint32_t count = page->height - row < rows ? page->height - row : rows;
			struct rip_strip strips[RIP_PLANES_MAX];
			/* In the ring, as lib/ does; some pages are copied there. */
			void *room = number % 8 ? rip_client_room(client, rows) : NULL;

			assert_int_equal(rip_band_new(&page->spec, count, &at->band), 0);
			at->first = row;
			rip_band_reset(at->band, row);
			if (room && client->line_pitch)
				rip_band_move_to_pixels(at->band, room, client->line_pitch,
							page_step(page), client->limit);
			else if (room)
				rip_band_move_to(at->band, room);
			page_put(page, at->band, row, count);
			row += count;
			if (rip_band_strips(at->band, strips) == 0) {
				if (room)
					rip_client_give_back(client, room);
				*wrong += page_compare(page, at->band, at->first);
				rip_band_free(at->band);
				continue;
			}
			sent++;
			*fault = rip_client_send(client, at->band, row);
		} else {
			at = &bands[done % RIP_BANDS_IN_FLIGHT];
			*fault = rip_client_receive(client, at->band, carry);
			if (*fault == 0) {
				*wrong += page_compare(page, at->band, at->first);
				rip_band_free(at->band);
				done++;
			}
		}
	}
	for (uint32_t plane = 0; *fault == 0 && plane < page->spec.planes; plane++)
		*wrong += memcmp(carry + plane * values, page->carry + plane * values,
				 values * sizeof *carry) != 0;
	for (unsigned i = done; i < sent; i++)
		rip_band_free(bands[i % RIP_BANDS_IN_FLIGHT].band);
	return done;
}

void page_print(const struct page *page, struct rip_client *client, uint32_t number, uint32_t rows)
{
	unsigned wrong;
	int fault;

	page_send(page, client, number, rows, &fault, &wrong);
	if (fault)
		print_error("the session failed: %s\n", client->reason);
	assert_int_equal(fault, 0);
	assert_int_equal(wrong, 0);
}

void page_check(const struct page *page, const char *socket, uint32_t job, uint32_t rows)
{
	struct rip_client client;

	assert_int_equal(rip_client_open(&client, socket, job, "test", RIP_METHOD_AUTO), 0);
	page_print(page, &client, 1, rows);
	rip_client_finish(&client);
}

void page_check_random(uint64_t seed, uint32_t height, const char *socket, uint32_t job)
{
	AUTO(page_finish) struct page page;

	page_init(&page, NULL, height, seed);
	page_check(&page, socket, job, 10);
}
