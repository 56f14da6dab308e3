/*
 * The messages between the filter and the daemon: riptide-protocol(7).
 *
 * A UNIX stream socket carries messages of a fixed size for their type, little
 * endian: 4 bytes length (of the whole message), 2 bytes type, 2 bytes 0, body.
 * Pixels, dots, curves and carries travel in two sealed memfds, the ring, which
 * READY brings; control values travel on the socket only.  A session is one job
 * of one client: HELLO, then pages, each of them bands.
 *
 *	client                        daemon
 *	HELLO                         READY + ring | BUSY | NO_ACCELERATOR | REFUSED
 *	PAGE                          [QUEUED | WORKING every 500 ms]
 *	                              PAGE_READY | PAGE_REFUSED
 *	BAND                          [QUEUED | WORKING every 500 ms] BAND_DONE
 *	END                           (closes)
 *	STATUS (instead of HELLO)     STATUS_REPLY
 *	                              GOODBYE (the daemon ends the session)
 */
#ifndef RIP_PROTOCOL_H
#define RIP_PROTOCOL_H

#include <stdint.h>

#include "halftone/engine.h"

#define RIP_PROTOCOL_MAGIC    0x54504952u /* "RIPT" */
#define RIP_PROTOCOL_VERSION  4
#define RIP_DEFAULT_SOCKET    "/run/riptide/riptide.sock"

#define RIP_SILENCE_MS        2000 /* a client abandons a daemon that is silent for longer */
#define RIP_HEARTBEAT_MS      500  /* QUEUED or WORKING while a band waits or runs */
/* Heartbeats do not keep a client for ever.  It waits for one answer at most RIP_ANSWER_MS,
 * plus a millisecond for every RIP_ANSWER_RATE samples of the work (columns of all planes,
 * for a page).  After that it is faster by itself: no client's engine is as slow as
 * RIP_ANSWER_RATE.  Even a long queue is answered sooner: if 64 sessions share one
 * worker at 20 samples a microsecond (plain C on a small board), their bands of 4 MiB take
 * 14 s in turn. */
#define RIP_ANSWER_MS         20000
#define RIP_ANSWER_RATE       1000
#define RIP_HELLO_MS          2000 /* a client sends HELLO or STATUS within this */
#define RIP_IDLE_MS           600000 /* a session without a message for longer ends */

#define RIP_QUEUE_NAME_MAX    127 /* bytes */
#define RIP_REASON_MAX        127 /* bytes */
#define RIP_BANDS_IN_FLIGHT   4   /* bands of a session that are sent and not yet done */
#define RIP_BAND_ROWS_MAX     65536 /* rows of all strips of a band together: a row takes
				     time however narrow it is.  No client with a ring of
				     16 MiB and rows that begin at multiples of 64 bytes
				     has room for more in one of four slots. */
#define RIP_STEP_MAX          32  /* samples of a pixel */
#define RIP_GPUS_MAX          16  /* that a daemon uses */
#define RIP_STATUS_SESSIONS   64  /* sessions that one STATUS_REPLY lists */

enum rip_message_type {
	/* from the client */
	RIP_HELLO = 1,
	RIP_PAGE,
	RIP_BAND,
	RIP_END,
	RIP_STATUS,
	RIP_DEVICES,
	/* from the daemon */
	RIP_READY = 64,
	RIP_BUSY,
	RIP_NO_ACCELERATOR,
	RIP_REFUSED,
	RIP_PAGE_READY,
	RIP_PAGE_REFUSED,
	RIP_QUEUED,
	RIP_WORKING,
	RIP_BAND_DONE,
	RIP_GOODBYE,
	RIP_STATUS_REPLY,
	RIP_DEVICES_REPLY
};

struct rip_hello {
	uint32_t magic;   /* RIP_PROTOCOL_MAGIC */
	uint32_t version; /* RIP_PROTOCOL_VERSION */
	uint32_t job;     /* the job's number, 0 if there is none */
	uint32_t method;  /* enum rip_method */
	char     queue[RIP_QUEUE_NAME_MAX + 1]; /* NUL-terminated and NUL-padded */
};

struct rip_ready {
	uint32_t version;     /* RIP_PROTOCOL_VERSION */
	uint32_t max_width;   /* columns */
	uint32_t max_planes;
	uint32_t max_bands;   /* in flight */
	uint64_t in_size;     /* bytes of the ring's input area */
	uint64_t out_size;    /* bytes of the ring's output area */
	uint32_t takes_pixels; /* 1: bands of chunked pixels are done as fast as bands of planes */
	char     device[64];  /* what halftones and how, for people: "NVIDIA H200, bwec" */
};

/* BUSY, NO_ACCELERATOR, REFUSED, PAGE_REFUSED and GOODBYE bring a reason. */
struct rip_reason {
	uint32_t version; /* that the daemon speaks */
	char     text[RIP_REASON_MAX + 1];
};

enum rip_page_start { RIP_PAGE_NOISE, RIP_PAGE_ZERO, RIP_PAGE_CARRY };

/* Begins a page, and ends the one before.  curve_values is 0 (none), 256 or
 * 65536; the curve is read from the input area before PAGE_READY is sent, and so
 * are the start carries (RIP_PAGE_CARRY): planes * reach * width values, plane
 * after plane. */
struct rip_page_message {
	uint32_t page;        /* counts from 1 */
	uint32_t width;       /* columns */
	uint32_t height;      /* rows, for progress; 0: not known */
	uint32_t planes;
	uint32_t levels;
	uint32_t sample_bits; /* 8 or 16 */
	uint32_t screen;      /* enum rip_screen_id; others are answered by PAGE_REFUSED */
	uint32_t start;       /* enum rip_page_start */
	uint32_t curve_values;
	uint64_t curve_offset; /* bytes into the input area, even */
	uint64_t carry_offset; /* bytes into the input area, even */
	/* For screens that couple the planes: */
	uint64_t inks;        /* enum rip_ink, 4 bits a plane from the lowest on */
	uint32_t light;       /* 1: samples are light; else 0 */
	uint32_t fade;        /* struct rip_coupling */
	/* What the pixels of bands go through, if one of these is not 0: then they have 8 bits a
	 * sample.  Under a limit, the curves never fall.  page_limit.h makes an ink limit of it. */
	uint32_t ink_limit;    /* 65535 for each full ink; 0: no limit */
	uint32_t black;        /* the plane that the limit does not change; planes: none */
	uint32_t pixel_curves; /* planes: each has one, of 256 values; 0: none has */
	uint64_t pixel_offset; /* bytes into the input area, even: curve after curve */
	uint32_t optional;     /* 1: PAGE_REFUSED if the client does it as well (page_place.h) */
};

/* Rows of one plane in a band.  They begin a pitch apart: in_pitch >= width * sample_bits / 8
 * (even for 16 bits), out_pitch >= dot bytes.  In a band of pixels, at in_offset are the numbers of
 * the lines that they are in, 16 bits each in the host's byte order, and ascending: the daemon
 * takes other numbers for some that do.  The last row ends with its last sample or
 * dot; nothing after that belongs to the strip. */
struct rip_band_strip {
	uint32_t plane;
	uint32_t rows;
	uint32_t in_pitch;   /* bytes */
	uint32_t out_pitch;  /* bytes */
	uint64_t in_offset;  /* bytes into the input area, even for 16 bits and for numbers */
	uint64_t out_offset; /* bytes into the output area */
	uint64_t carry_offset; /* bytes into the output area, even: reach * width values,
				  the plane's carry after these rows */
};

/* Each plane at most once; coupled planes all, in their order, with the same rows.  At most
 * RIP_BAND_ROWS_MAX rows in all.  A band of pixels has lines of
 * width pixels each, whose sample p is plane p's: line_pitch >= width * step * sample_bits / 8
 * (even for 16 bits), and no strip has more rows than there are lines.  Of other bands, no two
 * strips overlap in the input area.  In the output area no dots or carry overlap others of the
 * band, each of them taken from its first byte to its last. */
struct rip_band_message {
	uint32_t seq;    /* the client's number, counts up by 1 from 0 in a session */
	uint32_t rows;   /* rows of the page that are complete after this band, transparent
			    ones included; for progress */
	uint32_t count;  /* strips, 1..planes; the message is as long as these need */
	uint32_t lines;  /* of pixels, up to RIP_PIXEL_LINES_MAX; 0: the strips have their rows */
	uint32_t step;   /* samples of a pixel: planes..RIP_STEP_MAX */
	uint32_t line_pitch;  /* bytes */
	uint64_t line_offset; /* bytes into the input area, even for 16 bits */
	struct rip_band_strip strips[RIP_PLANES_MAX];
};

/* QUEUED, WORKING and BAND_DONE.  seq is a band in flight; while a page is being
 * opened, the number that its first band will have. */
struct rip_band_state {
	uint32_t seq;
};

struct rip_session_status {
	uint32_t job;
	uint32_t method;   /* enum rip_method */
	uint32_t page;     /* 0: none yet */
	uint32_t width;
	uint32_t height;   /* 0: not known */
	uint32_t planes;
	uint32_t rows;     /* rows done of this page */
	uint32_t bands;    /* in flight */
	uint32_t pid;      /* of the peer */
	uint32_t age_ms;
	uint64_t samples;  /* samples halftoned in this session: rows * width of planes */
	char     queue[RIP_QUEUE_NAME_MAX + 1];
};

enum rip_gpu_state {
	RIP_GPU_USED,    /* it halftones */
	RIP_GPU_SOUGHT,  /* it is being looked for */
	RIP_GPU_MISSING, /* it was not found, or cannot be used */
	RIP_GPU_FAILED,  /* it has failed, and will be tried again */
	RIP_GPU_STATES
};

/* A GPU of the daemon. */
struct rip_gpu_status {
	uint32_t number;
	uint32_t state;    /* enum rip_gpu_state */
	uint32_t sessions; /* that have it */
	uint32_t failures; /* since the daemon started */
	char     name[64]; /* empty: not known */
	char     why[RIP_REASON_MAX + 1]; /* why it is not in use; empty if it is */
};

struct rip_devices_reply {
	uint32_t count;
	struct rip_gpu_status gpu[RIP_GPUS_MAX];
};

/* Where the pages went that clients asked for. */
enum rip_page_place {
	RIP_PLACE_GPU,    /* a GPU of the daemon */
	RIP_PLACE_CPU,    /* the daemon's processors */
	/* back to the client: */
	RIP_PLACE_SMALL,  /* it takes longer to send than to halftone */
	RIP_PLACE_BUSY,   /* the GPUs have as many pages as they are faster with */
	RIP_PLACE_NO_GPU, /* none is in use */
	RIP_PLACE_MEMORY, /* the memory for sessions is in use */
	RIP_PLACE_UNFIT,  /* a daemon cannot do it */
	RIP_PLACES
};

struct rip_status_reply {
	uint32_t version;
	uint32_t pid;
	uint64_t uptime_ms;
	uint64_t jobs;      /* sessions begun */
	uint64_t pages;     /* pages begun */
	uint64_t bands;     /* bands done */
	uint64_t samples;   /* samples halftoned */
	uint64_t busy_us;   /* time that engines worked, all workers added */
	uint32_t workers;
	uint32_t refused;   /* clients refused, before or during a session */
	char     program[32]; /* the daemon's version */
	char     device[64];  /* what halftones */
	char     accelerator[RIP_REASON_MAX + 1]; /* why there is none; empty if there is one */
	uint64_t memory;     /* bytes that sessions are charged, retained memory included */
	uint64_t max_memory; /* bytes that they may be */
	uint64_t retained_bytes; /* of ended sessions, whose rings clients still hold */
	uint64_t resident;       /* bytes of the daemon that are in memory, whatever for */
	uint32_t retained;       /* how many such rings */
	uint32_t max_sessions;
	uint32_t sessions;  /* how many there are; at most RIP_STATUS_SESSIONS follow */
	uint32_t count;     /* how many follow */
	uint64_t placed[RIP_PLACES]; /* pages, by enum rip_page_place */
	struct rip_session_status session[RIP_STATUS_SESSIONS];
	/* not in this message: what rip_client_status() has got by DEVICES */
	struct rip_devices_reply devices;
};

struct rip_message {
	uint32_t type; /* enum rip_message_type */
	union {
		struct rip_hello        hello;
		struct rip_ready        ready;
		struct rip_reason       reason;
		struct rip_page_message page;
		struct rip_band_message band;
		struct rip_band_state   state;
		struct rip_status_reply status;
		struct rip_devices_reply devices;
	};
};

#endif
