/*
 * The live table.  Each frame is one write of whole lines over the previous frame, without
 * clearing it first, so nothing flickers.  It never has more lines than the terminal, so
 * nothing scrolls.
 */
#include "config.h"

#include "status.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/write_all.h"
#include "wire/client.h"

#define WATCH_MS 1000

/* Switches to the alternate screen, without cursor and wrapping; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
/* A terminal that supports synchronized output shows what is between these at once. */
#define BEGIN "\033[?2026h\033[H"
#define END   "\033[J\033[?2026l"

static volatile sig_atomic_t ended, suspended, resized;

static void note(int signal_number)
{
	if (signal_number == SIGWINCH)
		resized = 1;
	else if (signal_number == SIGTSTP)
		suspended = 1;
	else
		ended = 1;
}

/* Signals only interrupt a wait, so that the terminal always gets its settings back. */
static void set_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH };
	const struct sigaction action = { .sa_handler = note };

	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Returns false if the terminal is gone. */
static bool put(const char *text, size_t size)
{
	return rip_write_all(STDOUT_FILENO, text, size) == 0;
}

static bool puts_all(const char *text)
{
	return put(text, strlen(text));
}

/* --- the terminal -------------------------------------------------------------- */

struct screen {
	bool           keys;   /* standard input is the terminal, too */
	struct termios before; /* its settings */
	unsigned       columns, rows;
};

static void measure(struct screen *screen)
{
	struct winsize size;
	bool known;

	resized = 0; /* first: a signal from here on means another size */
	known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
	screen->columns = known ? size.ws_col : 80;
	screen->rows = known ? size.ws_row : 24;
}

/* Keys arrive one by one and without echo; Ctrl-C and Ctrl-Z still send signals. */
static bool enter(struct screen *screen)
{
	struct termios raw = screen->before;

	if (screen->keys) {
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	}
	measure(screen);
	return puts_all(ENTER);
}

static void leave(const struct screen *screen)
{
	puts_all(LEAVE);
	if (screen->keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->before);
}

/* Ctrl-Z: the shell has its terminal until we are in the foreground again. */
static bool suspend(struct screen *screen)
{
	leave(screen);
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	suspended = 0;
	set_signals();
	return enter(screen);
}

/* --- pictures ------------------------------------------------------------------ */

/* Writes the lines of a frame, each cleared to its end, the last one without a newline. */
static bool show(const char *text, size_t size)
{
	char *frame = NULL;
	size_t frame_size = 0;
	FILE *out = open_memstream(&frame, &frame_size);
	bool good;

	if (!out)
		return true; /* skip this frame */
	fputs(BEGIN, out);
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			fputs("\033[K", out);
		if (text[i] != '\n' || i + 1 < size)
			fputc(text[i], out);
	}
	fputs(END, out);
	good = fclose(out) != 0 || put(frame, frame_size);
	free(frame);
	return good;
}

/* What is shown: the table, or why there is none. */
struct sight {
	const char *path;
	int         outcome; /* of the last request */
	char        reason[RIP_REASON_MAX + 1];
	struct rip_status_reply reply[2];
	unsigned    now;     /* the newer reply */
	bool        compare; /* with the older one */
};

static void show_absence(FILE *out, const struct screen *screen, const struct sight *sight)
{
	char text[RIP_REASON_MAX + 256];

	snprintf(text, sizeof text, "%s on %.107s: %s",
		 sight->outcome == RIP_CLIENT_ABSENT ? "no daemon" : "cannot ask the daemon",
		 sight->path, sight->reason);
	fprintf(out, "%.*s\n", (int)screen->columns, text);
}

static bool draw(const struct screen *screen, const struct sight *sight)
{
	const struct rip_status_view view = {
		.before = sight->compare ? &sight->reply[!sight->now] : NULL,
		.columns = screen->columns,
		.rows = screen->rows > 2 ? screen->rows - 2 : screen->rows,
		.live = true,
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool good;

	if (!out)
		return true;
	if (sight->outcome == 0)
		rip_status_print(out, &sight->reply[sight->now], &view);
	else
		show_absence(out, screen, sight);
	if (screen->rows > 2)
		fputs("\nq: quit\n", out);
	good = fclose(out) != 0 || show(text, size);
	free(text);
	return good;
}

/* Asks again.  The replies of two daemons are not compared. */
static void ask(struct sight *sight)
{
	const unsigned next = !sight->now;
	const bool was_there = sight->outcome == 0;

	sight->outcome = rip_client_status(sight->path, &sight->reply[next], sight->reason);
	if (sight->outcome == 0)
		sight->now = next;
	sight->compare = sight->outcome == 0 && was_there &&
			 sight->reply[0].pid == sight->reply[1].pid &&
			 sight->reply[sight->now].uptime_ms > sight->reply[!sight->now].uptime_ms;
}

/* Waits until `until`, or for something to happen.  Returns whether to go on. */
static bool wait_for_key(struct screen *screen, int64_t until)
{
	struct pollfd pfd = { .fd = screen->keys ? STDIN_FILENO : -1, .events = POLLIN };
	const int64_t left = until - rip_clock_ms();
	char key;

	if (left > 0 && poll(&pfd, 1, (int)left) > 0) {
		if (read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q' || key == 4)
			return false;
	}
	return !ended;
}

int rip_status_watch(const char *path, const struct rip_status_reply *first)
{
	static struct sight sight;
	struct screen screen = { 0 };
	bool good;

	screen.keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &screen.before) == 0;
	sight.path = path;
	sight.reply[0] = *first;
	set_signals();
	good = enter(&screen);
	while (good && !ended) {
		const int64_t next = rip_clock_ms() + WATCH_MS;

		good = draw(&screen, &sight);
		while (good && !ended && rip_clock_ms() < next) {
			if (!wait_for_key(&screen, next))
				goto done;
			if (suspended)
				good = suspend(&screen);
			if (resized)
				measure(&screen);
			if (good && rip_clock_ms() < next) /* a key, or another size */
				good = draw(&screen, &sight);
		}
		if (!ended)
			ask(&sight);
	}
done:
	leave(&screen);
	return good ? 0 : 1;
}
