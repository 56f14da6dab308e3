#include "config.h"

#include "gs_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "system/child.h"
#include "system/clock.h"
#include "system/write_all.h"

/* Pixels that wait to be read, at most. */
#define PIXEL_BYTES (1 << 20)

/* Pixels of a file that are waited for, and for how long until the file is looked at again. */
#define FILE_BYTES   (4 << 20)
#define FILE_WAIT_MS 2

/* How long a process that has closed its pipes may take to end. */
#define END_STEPS   50
#define END_STEP_NS 10000000

void rip_gs_process_init(struct rip_gs_process *p, void (*log)(void *context, const char *line),
			 void (*warn)(void *context, const char *text), void *context)
{
	memset(p, 0, sizeof *p);
	pthread_mutex_init(&p->lock, NULL);
	p->commands = p->pixels = p->messages = -1;
	p->log = log;
	p->warn = warn;
	p->context = context;
}

static void close_all(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* For pixels: it takes large writes for half of a pipe's time, which has to get memory for every
 * 4096 bytes.  0 or -errno. */
static int fast_pipe(int ends[2])
{
	const int size = PIXEL_BYTES;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	shutdown(ends[1], SHUT_RD);
	return 0;
}

/* A file that keeps the order of writes.  0 or -errno. */
static int appending_file(int ends[2])
{
	ends[1] = memfd_create("pixels", MFD_CLOEXEC);
	if (ends[1] < 0 || fcntl(ends[1], F_SETFL, O_APPEND) < 0)
		return -errno;
	ends[0] = fcntl(ends[1], F_DUPFD_CLOEXEC, 0);
	return ends[0] < 0 ? -errno : 0;
}

static void choose_word(struct rip_gs_process *p)
{
	unsigned char bytes[8];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		memcpy(bytes, &(pid_t[2]){ getpid(), (pid_t)(size_t)p }, sizeof bytes);
	strcpy(p->word, "riptide-");
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(p->word + strlen(p->word), 3, "%02x", bytes[i]);
}

int rip_gs_process_start(struct rip_gs_process *p, struct rip_gs_jail *jail, char *const argv[],
			 int document, int commands)
{
	int pipes[6] = { -1, -1, -1, -1, -1, -1 }; /* commands, pixels, messages */
	char missing[RIP_GS_JAIL_TEXT];
	pid_t pid;
	int r = 0;

	for (int i = 0; r == 0 && i < 3; i++)
		r = i != 1 ? rip_child_pipe(pipes + 2 * i) :
		    p->in_file ? appending_file(pipes + 2) : fast_pipe(pipes + 2);
	if (r < 0)
		goto done;
	if (!p->in_file)
		fcntl(pipes[2], F_SETFL, O_NONBLOCK);
	fcntl(pipes[4], F_SETFL, O_NONBLOCK);
	choose_word(p);
	p->answered = false;
	rip_gs_process_forget(p);
	p->line_used = 0;
	p->status = 0;
	p->ended = p->halted = false;
	p->there = p->taken = 0;

	p->jail = jail;
	pid = rip_gs_jail_start(jail, argv, (const int[]){ pipes[0], pipes[3], pipes[5], document,
							   commands }, missing);
	if (*missing && p->log)
		p->log(p->context, missing);
	if (pid < 0) {
		r = pid;
		goto done;
	}
	pthread_mutex_lock(&p->lock);
	p->pid = pid;
	if (p->killed)
		kill(pid, SIGKILL);
	pthread_mutex_unlock(&p->lock);
	p->commands = pipes[1];
	p->pixels = pipes[2];
	p->messages = pipes[4];
	pipes[1] = pipes[2] = pipes[4] = -1;
done:
	close_all(pipes, 6);
	return r;
}

void rip_gs_process_forget(struct rip_gs_process *p)
{
	p->complaint[0] = '\0';
	p->lacks_file = false;
}

/* Complaints that do no harm: of the dynamic linker, about LD_PRELOAD, by which stdbuf works; and
 * of fontconfig, which finds the fonts without its files, too. */
static bool is_harmless(const char *line)
{
	static const char *const starts[] = {
		"ERROR: ld.so:", "Fontconfig error: No writable cache",
	};

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (!strncmp(line, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static bool tells_of_error(const char *line)
{
	if (is_harmless(line))
		return false;
	return strstr(line, "rror") || strstr(line, "annot ") || strstr(line, "assword") ||
	       strstr(line, "nvalid");
}

/* "Could not open temporary file", "Could not open the scratch file" */
static bool tells_of_file(const char *line)
{
	return strstr(line, "ould not open ") &&
	       (strstr(line, "temporary file") || strstr(line, "scratch file"));
}

/* "Can't find (or can't open) font file /...", "Could not open ..." */
static bool tells_of_refusal(const char *line)
{
	return strstr(line, "an't open") || strstr(line, "ould not open") ||
	       strstr(line, "nable to open") || strstr(line, "annot open") ||
	       strstr(line, "invalidfileaccess");
}

/* One message, without its end of line. */
static void take_line(struct rip_gs_process *p)
{
	const size_t word = strlen(p->word);
	const char *text = p->line;
	char refused[RIP_GS_JAIL_TEXT];

	p->line[p->line_used] = '\0';
	p->line_used = 0;
	if (!strncmp(p->line, p->word, word) && p->line[word] == ' ') {
		strcpy(p->answer, p->line + word + 1);
		p->answered = true;
		return;
	}
	text += strspn(text, " *");
	if (!*text)
		return;
	p->lacks_file |= tells_of_file(text);
	if (!p->complaint[0] && (tells_of_error(text) || tells_of_file(text)))
		strcpy(p->complaint, text);
	if (p->log)
		p->log(p->context, text);
	if (p->warn && tells_of_refusal(text) && rip_gs_jail_refused(p->jail, text, refused))
		p->warn(p->context, refused);
}

/* Reads the messages that are there.  0; -EPIPE: no more will come. */
static int read_messages(struct rip_gs_process *p)
{
	char bytes[4096];
	ssize_t n;

	do
		n = read(p->messages, bytes, sizeof bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (n == 0) {
		p->ended = true;
		return -EPIPE;
	}
	for (ssize_t i = 0; i < n; i++)
		if (bytes[i] == '\n' || bytes[i] == '\r')
			take_line(p);
		else if (p->line_used < RIP_GS_TEXT_MAX)
			p->line[p->line_used++] = bytes[i];
	return 0;
}

/* Reads the last messages of a process that has closed a pipe. */
static void read_last_messages(struct rip_gs_process *p)
{
	struct pollfd poll_fd = { .fd = p->messages, .events = POLLIN };

	while (read_messages(p) == 0 && poll(&poll_fd, 1, 100) > 0)
		;
	p->ended = true;
}

static void let_run(struct rip_gs_process *p)
{
	if (p->halted)
		kill(p->pid, SIGCONT);
	p->halted = false;
}

int rip_gs_process_send(struct rip_gs_process *p, const char *text)
{
	int r;

	let_run(p);
	r = rip_write_all(p->commands, text, strlen(text));
	if (r == -EPIPE)
		read_last_messages(p);
	return r;
}

/* Waits for pipes of Ghostscript, at most so many milliseconds (-1: any), and as long as the limit
 * allows.  0, -ETIMEDOUT, other -errno. */
static int wait_for(struct rip_gs_process *p, struct pollfd *fds, nfds_t count, int most_ms)
{
	const int64_t start = p->limit_us ? rip_clock_us() : 0, left = p->limit_us - p->waited_us;
	int r;

	if (p->limit_us && left <= 0)
		return -ETIMEDOUT;
	if (p->limit_us && (most_ms < 0 || left / 1000 < most_ms))
		most_ms = (int)(left / 1000 + 1);
	r = poll(fds, count, most_ms);
	if (p->limit_us)
		p->waited_us += rip_clock_us() - start;
	return r < 0 && errno != EINTR ? -errno : 0;
}

int rip_gs_process_answer(struct rip_gs_process *p, const char **answer)
{
	let_run(p);
	while (!p->answered) {
		struct pollfd poll_fd = { .fd = p->messages, .events = POLLIN };
		int r = wait_for(p, &poll_fd, 1, -1);

		if (r == 0)
			r = read_messages(p);
		if (r < 0)
			return r;
	}
	p->answered = false;
	*answer = p->answer;
	return 0;
}

static int measure(struct rip_gs_process *p)
{
	struct stat info;

	if (fstat(p->pixels, &info) < 0)
		return -errno;
	p->there = info.st_size;
	return 0;
}

/* Halts it.  From then on nothing is written, unless somebody else lets it run: a shell does, for
 * all processes of a job. */
static void halt(struct rip_gs_process *p)
{
	const struct timespec pause = { .tv_nsec = 100000 };
	siginfo_t info = { .si_pid = 0 };

	while (kill(p->pid, SIGSTOP) == 0 &&
	       waitid(P_PID, (id_t)p->pid, &info, WSTOPPED | WEXITED | WNOWAIT | WNOHANG) == 0 &&
	       info.si_pid == 0)
		nanosleep(&pause, NULL);
	p->halted = true;
}

/* Empties the file, of which all is read, unless there is more in it by now.  0 or -errno. */
static int empty(struct rip_gs_process *p)
{
	int r;

	halt(p);
	r = measure(p);
	if (r < 0 || p->there > p->taken)
		return r;
	p->there = p->taken = 0;
	return ftruncate(p->pixels, 0) < 0 ? -errno : 0;
}

/* All that was there is read: waits for more in the file.  As rip_gs_process_read(). */
static int fill(struct rip_gs_process *p)
{
	int r = p->halted ? empty(p) : 0;

	if (r == 0 && p->there > p->taken)
		return 0;
	let_run(p);
	while (r == 0 && p->there - p->taken < FILE_BYTES && !p->answered) {
		struct pollfd poll_fd = { .fd = p->messages, .events = POLLIN };

		r = wait_for(p, &poll_fd, 1, FILE_WAIT_MS);
		if (r == 0 && poll_fd.revents)
			r = read_messages(p);
		if (measure(p) < 0)
			return -errno;
	}
	if (r == 0 && !p->answered) {
		halt(p);
		r = measure(p);
	}
	/* All pixels are written before the answer is, or before it ends. */
	if (p->there > p->taken && (r == 0 || r == -EPIPE))
		return 0;
	return r < 0 ? r : -ENODATA;
}

static int read_file(struct rip_gs_process *p, char *at, size_t n)
{
	while (n > 0) {
		const size_t left = (size_t)(p->there - p->taken), most = n < left ? n : left;
		const ssize_t got = most ? pread(p->pixels, at, most, p->taken) : 0;

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got > 0) {
			at += got;
			n -= (size_t)got;
			p->taken += got;
		} else if (got == 0) {
			const int r = fill(p);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

bool rip_gs_process_has_sought(const struct rip_gs_process *p, uint64_t bytes)
{
	return lseek(p->pixels, 0, SEEK_CUR) != (off_t)bytes;
}

int rip_gs_process_read(struct rip_gs_process *p, void *to, size_t n)
{
	char *at = to;

	if (p->in_file)
		return read_file(p, at, n);
	while (n > 0) {
		struct pollfd fds[2] = { { .fd = p->pixels, .events = POLLIN },
					 { .fd = p->messages, .events = POLLIN } };
		/* Before the read: all pixels are written before the answer is. */
		const bool answered = p->answered;
		const ssize_t r = read(p->pixels, at, n);
		int waited;

		if (r > 0) {
			at += r;
			n -= (size_t)r;
			continue;
		}
		if (r < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (r == 0) {
			read_last_messages(p);
			return -EPIPE;
		}
		if (answered)
			return -ENODATA;
		waited = wait_for(p, fds, 2, -1);
		if (waited < 0)
			return waited;
		if (fds[1].revents && read_messages(p) == -EPIPE && !(fds[0].revents & POLLIN))
			return -EPIPE;
	}
	return 0;
}

void rip_gs_process_kill(struct rip_gs_process *p)
{
	pthread_mutex_lock(&p->lock);
	p->killed = true;
	if (p->pid > 0)
		kill(p->pid, SIGKILL);
	pthread_mutex_unlock(&p->lock);
}

void rip_gs_process_stop(struct rip_gs_process *p)
{
	const pid_t pid = p->pid;

	close_all(&p->commands, 1);
	close_all(&p->pixels, 1);
	close_all(&p->messages, 1);
	if (pid <= 0)
		return;
	/* Its pipes close a moment before it ends; its own status tells more than our signal. */
	for (int i = 0; p->ended && i < END_STEPS; i++) {
		siginfo_t info = { .si_pid = 0 };

		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid)
			break;
		nanosleep(&(struct timespec){ .tv_nsec = END_STEP_NS }, NULL);
	}
	/* Nobody may kill a process of this number once it has been waited for. */
	pthread_mutex_lock(&p->lock);
	kill(pid, SIGKILL);
	while (waitpid(pid, &p->status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
	pthread_mutex_unlock(&p->lock);
}

void rip_gs_process_finish(struct rip_gs_process *p)
{
	rip_gs_process_stop(p);
	pthread_mutex_destroy(&p->lock);
}
