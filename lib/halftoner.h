/*
 * Halftones a page through the daemon, or in-process if it is not available.
 *
 * Bands go to the daemon if there is one that is faster than this process, and
 * otherwise to an engine in a thread of this process.  If the daemon is silent for
 * RIP_SILENCE_MS, goes away or breaks the protocol, it is not used again, and the page
 * continues in-process from the last good carry; the band that the daemon had still has
 * its input.  The dots are the same in every case.
 *
 *	begin the page; submit each band; collect the oldest band when its buffer is
 *	needed again or the page ends.
 *
 * Reading and halftoning overlap: up to rip_halftoner_depth() bands may be
 * submitted and not collected.
 *
 * What is reported through log(), each once for a halftoner:
 *	DEBUG    no daemon; it is busy, or has no accelerator; a page does not fit
 *	         its ring; a GPU method without a GPU, or a page's screen that the
 *	         GPU does not support (WARNING with want_gpu); a session that ended while
 *	         the caller was blocked
 *	WARNING  a daemon that is silent, goes away, has another version, refuses us or
 *	         breaks the protocol; a GPU of this process that fails in the middle of a
 *	         page
 *	ERROR    why a function fails
 *
 * Used by one thread; log() is called in that thread.  Unless it is alone, the halftoner starts one
 * more for the engine, with all signals blocked.  A signal does not interrupt a wait (at most
 * RIP_SILENCE_MS for the daemon, or the time for a band in-process).  A program that must
 * end at once on SIGTERM exits from the signal handler.
 */
#ifndef RIP_HALFTONER_H
#define RIP_HALFTONER_H

#include <stdbool.h>

#include "riptide.h"
#include "halftone/page/band.h"

struct rip_halftoner_config {
	const char *socket;    /* the daemon's, or NULL: in-process */
	/* Of the first page, or NULL.  A session is opened when a page comes whose screen the
	 * daemon may do: never for masks and bi-level, which take less time than the way there. */
	const struct rip_screen *screen;
	bool        required;  /* fail if the daemon on `socket` is absent, busy or without
				  accelerator, and ask at once, whatever the screen; but replace
				  a daemon that is lost later in-process */
	uint32_t    job;       /* 0: none */
	const char *queue;     /* for the daemon's log; may be NULL */
	enum rip_method method;
	const char *isa;       /* as in rip_cpu_config */
	unsigned    threads;   /* 0: as many as are worth it and idle (job_threads.h) */
	bool        alone;     /* in-process only the caller's thread does work */
	bool        want_gpu;  /* in-process on the GPU, or fail */
	int         device;    /* with want_gpu: its number, or -1 */
	void      (*log)(void *context, enum riptide_log_level level, const char *text);
	void       *context;
};

struct rip_halftoner;

/* 0, or -errno after logging the reason at RIPTIDE_LOG_ERROR.  The strings must live as long as
 * the halftoner. */
int  rip_halftoner_new(const struct rip_halftoner_config *config, struct rip_halftoner **halftoner);
/* Makes *halftoner (NULL at first) suit the next page: keeps it if its method is the config's, else
 * replaces it.  The new one does not use a daemon that the old one gave up.  Returns as
 * rip_halftoner_new(). */
int  rip_halftoner_want(const struct rip_halftoner_config *config,
			struct rip_halftoner **halftoner);
void rip_halftoner_free(struct rip_halftoner *halftoner); /* NULL is allowed */

/* Writes a line to log(), for users of the halftoner. */
void rip_halftoner_log(const struct rip_halftoner *halftoner, enum riptide_log_level level,
		       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The engine in use, for people: "CPU (c), ec", "riptided: NVIDIA H200, bwec". */
const char *rip_halftoner_device(const struct rip_halftoner *halftoner);

/* Whether the daemon was given up.  Then other halftoners of the same job must not use it
 * either. */
bool rip_halftoner_left_daemon(const struct rip_halftoner *halftoner);

/* Pixels of the next page may be sent as they are, if a daemon takes them: pitch, step and limit as
 * in struct rip_pixels; 0: not. */
void rip_halftoner_want_pixels(struct rip_halftoner *halftoner, size_t pitch, uint32_t step,
			       const struct rip_ink_limit *limit);

/* Begins a page; height is for the daemon's status (0: unknown).  All bands
 * of the previous page must have been collected.  0 or -errno (logged). */
int rip_halftoner_begin(struct rip_halftoner *halftoner, const struct rip_page_spec *spec,
			uint32_t height, enum rip_start start);

/* How many bands may be in flight (at least 1), and how many rows a band of this
 * page may have at most (at least 1; what the daemon's ring holds, UINT32_MAX
 * in-process).  They do not change until the next begin. */
unsigned rip_halftoner_depth(const struct rip_halftoner *halftoner);
uint32_t rip_halftoner_band_rows(const struct rip_halftoner *halftoner);

/* Has a band without rows, which will be the next one submitted, filled in the daemon's ring, if
 * there is room, with pixels where they are wanted: then its samples need not be copied there.  If
 * the daemon is given up, in any other call, the band leaves the ring.  Places that rip_band_row()
 * and rip_band_line() gave before can still be written until the next begin.  true: there is no
 * room for pixels before the oldest band is collected. */
bool rip_halftoner_fill(struct rip_halftoner *halftoner, struct rip_band *band);

/* Submits a full band.  It must not be touched until collect returns it. */
int rip_halftoner_submit(struct rip_halftoner *halftoner, struct rip_band *band);

/* Whether a daemon halftones the page. */
bool rip_halftoner_is_on_daemon(const struct rip_halftoner *halftoner);

/* Whether a daemon does, and has not had a band of this session before. */
bool rip_halftoner_is_new_there(const struct rip_halftoner *halftoner);

/* Whether the page is halftoned in submit, because the caller is alone. */
bool rip_halftoner_is_alone(const struct rip_halftoner *halftoner);

/* Whether collect would not wait for the oldest submitted band.  For the daemon's: false. */
bool rip_halftoner_is_done(struct rip_halftoner *halftoner);

/* Returns the oldest submitted band, with its dots.  0 or -errno (logged). */
int rip_halftoner_collect(struct rip_halftoner *halftoner, struct rip_band **band);

/* To be called if the caller was blocked by something else (a slow printer) since its last
 * call.  If the session ended meanwhile, the page continues in-process without a warning. */
void rip_halftoner_was_blocked(struct rip_halftoner *halftoner);

#endif
