/*
 * What the daemon logs.
 *
 * Under systemd lines go to the journal, with fields that can be searched for
 * (journalctl RIPTIDE_JOB=12, or MESSAGE_ID=...).  Otherwise each is one line of text on
 * stderr: level, event, key=value, message.  Of queue names, what is not printable is
 * escaped, so that it does nothing to a terminal; job titles and user names never come
 * here.
 *
 * A client must not be able to fill the log: of one event and priority, only so many
 * lines are written in ten seconds (log_meter.h), and one line says how many more there
 * were.  Logging never blocks (log_output.h): lines that nobody takes are dropped, and
 * one line says how many.
 *
 * Any thread may call rip_log(), after rip_log_init().
 */
#ifndef RIP_LOG_H
#define RIP_LOG_H

#include <stdint.h>
#include <sys/types.h>
#include <syslog.h> /* LOG_ERR, LOG_WARNING, LOG_INFO, LOG_DEBUG */

enum rip_event {
	RIP_EVENT_START,         /* the daemon is ready */
	RIP_EVENT_STOP,          /* the daemon ends */
	RIP_EVENT_CONFIG,        /* something about the configuration */
	RIP_EVENT_DEVICE,        /* a device was found, or none, or it failed */
	RIP_EVENT_SESSION_BEGIN, /* a job is served */
	RIP_EVENT_SESSION_END,   /* a job's session ended normally */
	RIP_EVENT_SESSION_FAULT, /* it ended because the client or the daemon failed */
	RIP_EVENT_REFUSED,       /* a client was refused */
	RIP_EVENT_ENGINE_FAULT,  /* the CPU engine takes over a page */
	RIP_EVENT_SYSTEM,        /* a system call failed */
	RIP_EVENTS
};

/* What was done: journal fields only, the message says it too. */
struct rip_log_done {
	uint64_t pages, bands, samples;
	uint64_t time_us;   /* duration */
	uint64_t engine_us; /* time that engines worked for it */
	uint64_t wait_us;   /* time that it waited for a worker */
};

/* What a line is about.  Fields that are 0 or NULL are left out. */
struct rip_log_subject {
	uint32_t    job;
	const char *queue;  /* as the client gave it */
	uint32_t    page;
	const char *method;
	const char *device;
	const char *why_no_gpu; /* why the CPU does what a GPU would do */
	const struct rip_log_done *done;
	pid_t       pid;    /* of the client */
	uid_t       uid;    /* of the client; only with a pid */
};

/* Finds out where lines go.  Lines less important than max_priority (a LOG_
 * value) are left out. */
void rip_log_init(int max_priority);

/* Changes what is left out. */
void rip_log_limit(int max_priority);

/* Logs a line.  subject may be NULL. */
void rip_log(int priority, enum rip_event event, const struct rip_log_subject *subject,
	     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports how many lines were left out and dropped, if it is time.  Returns when to call
 * again (CLOCK_MONOTONIC, milliseconds), INT64_MAX: after another rip_log(). */
int64_t rip_log_tick(int64_t now_ms);

/* Reports it for the last time: at the end of the program, or before it ends otherwise. */
void rip_log_finish(void);

#endif
