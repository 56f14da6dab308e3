/*
 * A real riptided on a socket in a temporary folder, and pages that are
 * halftoned through it and compared with the engine of this process.
 *
 * The daemon is the program that the environment names in RIPTIDED, or
 * ./riptided.  Its log lines go to a file in the folder.
 */
#ifndef RIP_DAEMON_FIXTURE_H
#define RIP_DAEMON_FIXTURE_H

#include <stdbool.h>
#include <sys/types.h>

#include "halftone/page/ink_limit.h"
#include "tests/tools/define_dots.h"
#include "wire/client.h"

struct daemon {
	pid_t pid;          /* 0: not running */
	unsigned descriptor_limit; /* that it is started with; 0: ours */
	size_t   memory_limit;     /* bytes of address space; 0: ours */
	size_t   file_limit;       /* bytes that a file may have; 0: ours */
	int      listener;         /* passed to it as systemd passes a socket; 0: none */
	char  folder[64];
	char  socket[96];
	char  log[96];
	char  config[96];      /* for daemon_configure() */
};

/* Makes the folder, without a daemon. */
void daemon_init(struct daemon *daemon);

/* The daemon of a test, which is started with a device, the text of a configuration file, and a GPU
 * as fake_gpu.c understands it; and stopped by SIGTERM, if it has not ended, with this status. */
extern struct daemon riptided;

void riptided_start(const char *device, const char *settings, const char *gpu);
void riptided_finish(int status);

/* Writes a configuration file, to be named by --config. */
void daemon_configure(const struct daemon *daemon, const char *text);

/* Starts it with more arguments (up to a NULL), and waits until it listens. */
void daemon_start(struct daemon *daemon, const char *const *arguments);

/* The same; returns false if it ends instead, and then daemon_wait() says how. */
bool daemon_try(struct daemon *daemon, const char *const *arguments);

/* Waits at most 10 seconds for its end.  Returns its exit status, or -signal. */
int daemon_wait(struct daemon *daemon);

/* Sends a signal and waits. */
int daemon_stop(struct daemon *daemon, int signal_number);

/* Removes the folder.  Fails the test if the daemon's log has a sanitizer's
 * report. */
void daemon_finish(struct daemon *daemon);

/* Makes a socket that listens at `socket`, to be passed to the daemon. */
void daemon_listen(struct daemon *daemon);

/* Connects to `socket` and sends nothing.  Ends the process if that fails. */
int daemon_connect(const struct daemon *daemon);

/* The CPU time that it has used, in seconds. */
double daemon_cpu_seconds(const struct daemon *daemon);

/* How often its log has this text. */
unsigned daemon_said(const struct daemon *daemon, const char *text);

/* Its open descriptors (including connections that it has yet to close), and its resident
 * memory in kilobytes. */
unsigned daemon_descriptors(const struct daemon *daemon);
unsigned daemon_memory(const struct daemon *daemon);

/* Waits until it has that many sessions, or at most that many descriptors. */
void daemon_await_sessions(const struct daemon *daemon, unsigned sessions);
void daemon_await_descriptors(const struct daemon *daemon, unsigned descriptors);

/* Its answer to STATUS. */
struct rip_status_reply daemon_status(const struct daemon *daemon);

/* HELLO, for who talks to it without rip_client; and what it says next. */
struct rip_message daemon_hello(void);
void daemon_hear(struct rip_connection *connection, struct rip_message *message);

/* A page of A4 at 600 dpi. */
extern const struct rip_page_spec a4;

/* A page of random grey, white and black rows. */
struct page {
	struct rip_page_spec spec;
	uint32_t height;
	enum rip_start start;
	uint16_t *curve;   /* or NULL */
	uint8_t *samples;  /* plane after plane, row after row */
	/* Of some pages, pixels of 8 bits that become these samples through a limit; or NULL. */
	uint8_t *pixels;
	struct rip_ink_limit limit;
	uint16_t (*curves)[256];
	uint8_t *dots;     /* as the engine of this process makes them */
	int16_t *carry;    /* after the last row, as that engine leaves it */
};

/* The page of a seed: its spec is random too if spec is NULL. */
void page_init(struct page *page, const struct rip_page_spec *spec, uint32_t height,
	       uint64_t seed);
void page_finish(struct page *page);

/* Puts `rows` rows of the page from row `first` on into a band, which is emptied. */
void page_fill(const struct page *page, struct rip_band *band, uint32_t first, uint32_t rows);

/* The samples of its pixels, if it has more than one plane; and the bytes from line to line. */
uint32_t page_step(const struct page *page);
size_t page_pitch(const struct page *page);

/* The same without emptying it; as pixels, if the band has moved to those of that page. */
void page_put(const struct page *page, struct rip_band *band, uint32_t first, uint32_t rows);

/* Compares a halftoned band with the page, from row `first` on.  Returns the number of rows
 * that differ. */
unsigned page_compare(const struct page *page, struct rip_band *band, uint32_t first);

/* Halftones it through a session in bands of at most `rows` rows, several in flight.  Returns
 * the number of bands done before an error (all of them if fault is 0).  *wrong: the number of
 * rows whose dots differ, and of planes whose final carry differs. */
unsigned page_send(const struct page *page, struct rip_client *client, uint32_t number,
		   uint32_t rows, int *fault, unsigned *wrong);

/* The same, and it must succeed with the right dots. */
void page_print(const struct page *page, struct rip_client *client, uint32_t number, uint32_t rows);

/* A complete session with one page, whose dots must be right; and with a random page of so many
 * rows. */
void page_check(const struct page *page, const char *socket, uint32_t job, uint32_t rows);
void page_check_random(uint64_t seed, uint32_t height, const char *socket, uint32_t job);

#endif
