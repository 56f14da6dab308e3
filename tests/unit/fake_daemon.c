#include "config.h"

#include "tests/unit/fake_daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "halftone/engine_cpu.h"
#include "halftone/page/band.h"
#include "tests/tools/memory.h"
#include "tests/tools/unix_socket.h"
#include "wire/connection.h"
#include "wire/page_limit.h"
#include "wire/ring.h"

/* One connection. */
struct session {
	struct fake_daemon   *fake;
	struct rip_connection connection;
	struct rip_ring       ring;
	struct rip_engine    *engine;
	struct rip_page      *page;
	struct rip_page_spec  spec;
	struct rip_page_limit limit;
	uint32_t              bands;
	bool                  over, said_end;
};

static void blame(struct session *s, const char *what)
{
	if (!*s->fake->fault)
		snprintf(s->fake->fault, sizeof s->fake->fault, "%s", what);
	s->over = true;
}

/* Waits until the socket is readable or the test stops us (then false). */
static bool wait_for(struct session *s, int fd, int ms)
{
	struct pollfd pfd[2] = { { .fd = s->fake->stop[0], .events = POLLIN },
				 { .fd = fd, .events = POLLIN } };

	poll(pfd, 2, ms);
	return !pfd[0].revents;
}

/* Does nothing until the peer closes or the test stops us. */
static void freeze(struct session *s)
{
	struct pollfd pfd[2] = { { .fd = s->fake->stop[0], .events = POLLIN },
				 { .fd = s->connection.fd, .events = POLLRDHUP } };

	poll(pfd, 2, -1);
	s->over = true;
}

static void say_type(struct session *s, uint32_t type, uint32_t seq);

/* Tells again and again that it is at work, until the peer closes or the test stops us. */
static void work_for_ever(struct session *s, uint32_t seq, int pause_ms)
{
	for (unsigned i = 0; !s->over && wait_for(s, -1, pause_ms); i++) {
		while (rip_connection_flush(&s->connection) == 0 &&
		       rip_connection_pending(&s->connection) && wait_for(s, -1, 1))
			;
		say_type(s, i % 3 ? RIP_QUEUED : RIP_WORKING, seq);
	}
	s->over = true;
}

static void say(struct session *s, const struct rip_message *message, const int fds[2])
{
	if (rip_connection_send(&s->connection, message, fds) < 0)
		s->over = true; /* the client has left: it may */
}

static void say_type(struct session *s, uint32_t type, uint32_t seq)
{
	struct rip_message message = { .type = type };

	message.state.seq = seq;
	say(s, &message, NULL);
}

static void say_reason(struct session *s, uint32_t type, uint32_t version, const char *text)
{
	struct rip_message message = { .type = type };

	message.reason.version = version;
	rip_text_set(message.reason.text, sizeof message.reason.text, text);
	say(s, &message, NULL);
}

static void say_bytes(struct session *s, const char *bytes, size_t size)
{
	(void)!send(s->connection.fd, bytes, size, MSG_NOSIGNAL);
}

/* With another number behind the fields that are known. */
static void say_longer(struct session *s, struct rip_message *reply)
{
	uint8_t bytes[RIP_MESSAGE_MAX + 4];
	int length;

	reply->status.version = RIP_PROTOCOL_VERSION + 1;
	length = rip_message_encode(reply, bytes, RIP_MESSAGE_MAX);
	must(length > 0 && length < 1 << 16, "STATUS_REPLY");
	memset(bytes + length, 0, 4);
	length += 4;
	bytes[0] = (uint8_t)length;
	bytes[1] = (uint8_t)(length >> 8);
	say_bytes(s, (const char *)bytes, (size_t)length);
}

static void drip(struct session *s, const struct rip_message *message)
{
	uint8_t bytes[RIP_MESSAGE_MAX];
	const int length = rip_message_encode(message, bytes, sizeof bytes);

	for (int i = 0; i < length && wait_for(s, -1, 300); i++)
		say_bytes(s, (const char *)bytes + i, 1);
	s->over = true;
}

static void on_hello(struct session *s, const struct rip_hello *hello)
{
	struct fake_daemon *fake = s->fake;
	struct rip_message ready = { .type = RIP_READY };
	const enum fake_act act = fake->act;
	int fds[2] = { s->ring.in_fd, s->ring.out_fd };

	if (hello->version != RIP_PROTOCOL_VERSION)
		blame(s, "HELLO of another version");
	ready.ready = (struct rip_ready){
		.version = RIP_PROTOCOL_VERSION + (act == FAKE_READY_VERSION),
		.max_width = fake->max_width ? fake->max_width : RIP_WIDTH_MAX,
		.max_planes = RIP_PLANES_MAX,
		.max_bands = RIP_BANDS_IN_FLIGHT,
		.in_size = s->ring.in_size + (act == FAKE_WRONG_SIZE ? 4096 : 0),
		.out_size = s->ring.out_size,
		.takes_pixels = 1,
		.device = "fake\n, ed",
	};
	s->over = act > FAKE_SILENT && act <= FAKE_NO_RING;
	switch (act) {
	case FAKE_SILENT:
		return freeze(s);
	case FAKE_DRIPS:
		return drip(s, &ready);
	case FAKE_GARBAGE:
		return say_bytes(s, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
	case FAKE_CLOSES:
		return;
	case FAKE_BUSY:
		return say_reason(s, RIP_BUSY, RIP_PROTOCOL_VERSION, "64 sessions are open");
	case FAKE_NO_ACCELERATOR:
		return say_reason(s, RIP_NO_ACCELERATOR, RIP_PROTOCOL_VERSION, "no GPU\x1b[31m");
	case FAKE_REFUSES:
		return say_reason(s, RIP_REFUSED, RIP_PROTOCOL_VERSION, "not of the group lp");
	case FAKE_REFUSES_VERSION:
		return say_reason(s, RIP_REFUSED, RIP_PROTOCOL_VERSION + 1, "version 2 only");
	case FAKE_WRONG_ANSWER:
		return say_type(s, RIP_PAGE_READY, 0);
	case FAKE_NO_RING:
		return say(s, &ready, NULL);
	case FAKE_UNSEALED:
		fds[1] = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
		must(fds[1] >= 0 && ftruncate(fds[1], (off_t)s->ring.out_size) == 0, "memfd");
		say(s, &ready, fds);
		close(fds[1]);
		return;
	default:
		return say(s, &ready, fds);
	}
}

static void on_page(struct session *s, const struct rip_page_message *m)
{
	const size_t carry = (size_t)m->width * rip_screens[m->screen].reach;
	enum rip_start start = m->start == RIP_PAGE_ZERO ? RIP_START_ZERO : RIP_START_NOISE;

	switch (s->fake->act) {
	case FAKE_REFUSES_PAGE:
		return say_reason(s, RIP_PAGE_REFUSED, RIP_PROTOCOL_VERSION, "too wide for me");
	case FAKE_SILENT_PAGE:
		return freeze(s);
	case FAKE_GOODBYE_PAGE:
		s->over = true;
		return say_reason(s, RIP_GOODBYE, RIP_PROTOCOL_VERSION, "stopping");
	case FAKE_ENDLESS_PAGE:
		return work_for_ever(s, s->bands, 300);
	case FAKE_SLOW_PAGE:
		for (int i = 0; i < 6 && wait_for(s, -1, 400); i++)
			say_type(s, i % 2 ? RIP_QUEUED : RIP_WORKING, s->bands);
		break;
	default:
		break;
	}
	if (m->curve_offset + 2 * m->curve_values > s->ring.in_size ||
	    (m->start == RIP_PAGE_CARRY &&
	     m->carry_offset + m->planes * carry * 2 > s->ring.in_size))
		return blame(s, "curve or carry outside of the ring");
	if (s->page)
		s->engine->ops->close(s->page);
	s->spec = (struct rip_page_spec){
		.width = m->width, .planes = m->planes, .levels = m->levels,
		.sample_bits = m->sample_bits, .screen = &rip_screens[m->screen],
		.curve = m->curve_values ? (const uint16_t *)(s->ring.in + m->curve_offset) : NULL,
		.coupling = { .light = m->light, .fade = m->fade },
	};
	for (uint32_t p = 0; p < m->planes; p++)
		s->spec.coupling.inks[p] = (enum rip_ink)(m->inks >> 4 * p & 15);
	must(rip_engine_open_page(s->engine, &s->spec, start, &s->page) == 0, "page");
	rip_page_limit_finish(&s->limit);
	must(rip_page_limit_take(&s->limit, m, s->ring.in) == 0, "limit");
	for (uint32_t i = 0; m->start == RIP_PAGE_CARRY && i < m->planes; i++)
		must(s->engine->ops->import_carry(s->page, i,
				(int16_t *)(s->ring.in + m->carry_offset) + i * carry) == 0,
		     "carry");
	s->fake->pages++;
	say_type(s, RIP_PAGE_READY, 0);
}

/* Halftones a band, or blames the client for one that does not fit. */
static void halftone(struct session *s, const struct rip_band_message *m)
{
	const size_t row = (size_t)s->spec.width * (s->spec.sample_bits / 8);
	const size_t dots = rip_dot_bytes(s->spec.width, s->spec.levels);
	const size_t carry = rip_carry_values(&s->spec) * sizeof(int16_t);
	const struct rip_pixels pixels = {
		.lines = s->ring.in + m->line_offset, .pitch = m->line_pitch, .count = m->lines,
		.step = m->step, .limit = s->limit.used ? &s->limit.limit : NULL,
	};
	const size_t sample = s->limit.used ? 1 : s->spec.sample_bits / 8;
	struct rip_strip strips[RIP_PLANES_MAX];
	AUTO_FREE void *rows = NULL;

	if (m->seq != s->bands || m->count > s->spec.planes)
		return blame(s, "a band out of turn, or of too many planes");
	if (m->lines > 0 &&
	    (m->step < s->spec.planes || m->line_pitch < s->spec.width * sample * m->step ||
	     m->line_offset + (uint64_t)m->lines * m->line_pitch > s->ring.in_size))
		return blame(s, "lines outside of the ring");
	for (uint32_t i = 0; i < m->count; i++) {
		const struct rip_band_strip *strip = &m->strips[i];
		const size_t least = m->lines ? 2 : row;

		if (strip->plane >= s->spec.planes || strip->in_pitch < least ||
		    strip->out_pitch < dots || strip->in_offset % 2 ||
		    strip->in_offset + (uint64_t)(strip->rows - 1) * strip->in_pitch + row >
			    s->ring.in_size ||
		    strip->out_offset + (uint64_t)(strip->rows - 1) * strip->out_pitch + dots >
			    s->ring.out_size ||
		    strip->carry_offset + carry > s->ring.out_size)
			return blame(s, "a strip outside of the ring");
		strips[i] = (struct rip_strip){
			.plane = strip->plane, .rows = strip->rows,
			.in = s->ring.in + strip->in_offset, .in_pitch = strip->in_pitch,
			.out = s->ring.out + strip->out_offset, .out_pitch = strip->out_pitch,
			.pixels = m->lines ? &pixels : NULL,
			.line_numbers = (const uint16_t *)(s->ring.in + strip->in_offset),
		};
		/* Those that it has scribbled over are only less than 65536. */
		for (uint32_t y = 0; m->lines && s->fake->act != FAKE_SCRIBBLES && y < strip->rows;
		     y++)
			if (strips[i].line_numbers[y] >= m->lines ||
			    (y && strips[i].line_numbers[y] <= strips[i].line_numbers[y - 1]))
				return blame(s, "numbers of lines that do not ascend");
	}
	if (m->lines) {
		rows = aligned_alloc(64, rip_pixels_split_size(&s->spec, strips, m->count));
		must(rows, "memory");
		rip_pixels_split(&s->spec, strips, m->count, rows);
	}
	must(s->engine->ops->push(s->page, strips, m->count) == 0, "push");
	must(s->engine->ops->pull(s->page) == 0, "pull");
	for (uint32_t i = 0; i < m->count; i++)
		must(s->engine->ops->export_carry(s->page, m->strips[i].plane,
				(int16_t *)(s->ring.out + m->strips[i].carry_offset)) == 0,
		     "export");
}

/* What is lost must not be in the ring by chance. */
static void spoil(struct session *s, const struct rip_band_message *m)
{
	for (uint32_t i = 0; i < m->count; i++) {
		const struct rip_band_strip *strip = &m->strips[i];

		memset(s->ring.out + strip->out_offset, 0x55,
		       (size_t)(strip->rows - 1) * strip->out_pitch +
			       rip_dot_bytes(s->spec.width, s->spec.levels));
	}
}

/* Overwrites all of the ring, and takes memory away from it as far as that is possible. */
static void scribble(const struct session *s)
{
	const struct rip_ring *ring = &s->ring;
	uint8_t *in = mmap(NULL, ring->in_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->in_fd, 0);

	must(in != MAP_FAILED, "mmap");
	for (size_t i = 0; i < ring->in_size; i++)
		in[i] = (uint8_t)(i * 2654435761u >> 11 ^ s->bands);
	munmap(in, ring->in_size);
	for (size_t i = 0; i < ring->out_size; i++)
		ring->out[i] = (uint8_t)(i * 2246822519u >> 9 ^ s->bands);
	must(fallocate(ring->in_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8192,
		       (off_t)ring->in_size / 3) == 0, "holes");
	must(ftruncate(ring->in_fd, 4096) < 0 && ftruncate(ring->out_fd, 4096) < 0, "seals");
}

static void on_band(struct session *s, const struct rip_band_message *m)
{
	const struct rip_band_strip *last = &m->strips[m->count - 1];
	const bool here = s->fake->act >= FAKE_DIES && m->seq == s->fake->at;

	if (!s->page)
		return blame(s, "a band without a page");
	halftone(s, m);
	if (s->over)
		return;
	s->bands++;
	s->over = here && s->fake->act != FAKE_SLOW;
	if (here && s->over && s->fake->act != FAKE_BAD_CARRY)
		spoil(s, m);
	switch (here ? s->fake->act : FAKE_WORKS) {
	case FAKE_DIES:
	case FAKE_SCRIBBLES:
		return;
	case FAKE_GOODBYE:
		return say_reason(s, RIP_GOODBYE, RIP_PROTOCOL_VERSION, "stopping");
	case FAKE_FREEZES:
		return freeze(s);
	case FAKE_GARBAGE_LATER:
		say_bytes(s, "\0\0\0\0\0\0\0\0\0", 9);
		return freeze(s);
	case FAKE_WRONG_SEQ:
		say_type(s, RIP_BAND_DONE, m->seq + 1);
		return freeze(s);
	case FAKE_WRONG_WORKING:
		say_type(s, RIP_WORKING, m->seq + RIP_BANDS_IN_FLIGHT);
		return freeze(s);
	case FAKE_STATUS_REPLY:
		say_type(s, RIP_STATUS_REPLY, 0);
		return freeze(s);
	case FAKE_ENDLESS:
		return s->over = false, work_for_ever(s, m->seq, 300);
	case FAKE_CHATTERS:
		return s->over = false, work_for_ever(s, m->seq, 0);
	case FAKE_BAD_CARRY:
		s->over = false;
		((int16_t *)(s->ring.out + last->carry_offset))[s->spec.width - 1] = INT16_MIN;
		break;
	case FAKE_SLOW:
		for (int i = 0; i < 8 && wait_for(s, -1, 400); i++)
			say_type(s, i < 2 ? RIP_QUEUED : RIP_WORKING, m->seq);
		break;
	default:
		break;
	}
	s->fake->bands++;
	say_type(s, RIP_BAND_DONE, m->seq);
	if (s->fake->act == FAKE_SCRIBBLES)
		scribble(s);
}

static void on_message(struct session *s, const struct rip_message *message)
{
	struct rip_message reply = { .type = RIP_STATUS_REPLY };

	switch (message->type) {
	case RIP_HELLO:
		return on_hello(s, &message->hello);
	case RIP_PAGE:
		return on_page(s, &message->page);
	case RIP_BAND:
		return on_band(s, &message->band);
	case RIP_END:
		s->fake->ended++;
		s->said_end = true;
		s->over = true;
		return;
	case RIP_STATUS:
		if (s->fake->act == FAKE_SILENT)
			return freeze(s);
		reply.status.version = RIP_PROTOCOL_VERSION + (s->fake->act == FAKE_READY_VERSION);
		reply.status.jobs = s->fake->sessions;
		if (s->fake->act == FAKE_LONGER_STATUS)
			return say_longer(s, &reply);
		say(s, &reply, NULL);
		return;
	default:
		return blame(s, "what only a daemon may say");
	}
}

/* Whether the client does not need the ring any more. */
static bool has_left(const struct session *s)
{
	struct pollfd pfd = { .fd = s->connection.fd, .events = POLLRDHUP };

	return s->said_end || (poll(&pfd, 1, 0) == 1 && pfd.revents);
}

static void serve(struct fake_daemon *fake, int fd)
{
	const struct rip_cpu_config cpu = { .method = RIP_METHOD_ED };
	struct session *s = calloc(1, sizeof *s);
	struct rip_message message;

	must(s && rip_engine_cpu_new(&cpu, &s->engine) == 0, "engine");
	must(rip_ring_create(&s->ring, fake->in_size, fake->out_size) == 0, "ring");
	s->fake = fake;
	rip_connection_init(&s->connection, fd);
	fake->sessions++;
	while (!s->over) {
		const int r = rip_connection_receive(&s->connection, &message);

		if (r == 0)
			on_message(s, &message);
		else if (r != -EAGAIN || !wait_for(s, fd, -1))
			break;
	}
	if (!has_left(s))
		rip_ring_leave(&s->ring);
	rip_connection_finish(&s->connection);
	rip_ring_finish(&s->ring);
	fake->closed++;
	s->engine->ops->close(s->page);
	s->engine->ops->free(s->engine);
	rip_page_limit_finish(&s->limit);
	free(s);
}

static void *run(void *data)
{
	struct fake_daemon *fake = data;

	for (;;) {
		struct pollfd pfd[2] = { { .fd = fake->stop[0], .events = POLLIN },
					 { .fd = fake->listener, .events = POLLIN } };

		poll(pfd, 2, -1);
		if (pfd[0].revents)
			return NULL;
		const int fd = accept(fake->listener, NULL, NULL);

		if (fd >= 0)
			serve(fake, fd);
	}
}

void fake_start(struct fake_daemon *fake)
{
	fake->in_size = fake->in_size ? fake->in_size : 1 << 20;
	fake->out_size = fake->out_size ? fake->out_size : 1 << 18;
	strcpy(fake->folder, "/tmp/riptide-test-XXXXXX");
	must(mkdtemp(fake->folder) != NULL, "mkdtemp");
	snprintf(fake->path, sizeof fake->path, "%s/sock", fake->folder);
	fake->listener = unix_listen(fake->path);
	must(pipe2(fake->stop, 0) == 0, "pipe");
	must(pthread_create(&fake->thread, NULL, run, fake) == 0, "thread");
}

void fake_wait(struct fake_daemon *fake, unsigned closed)
{
	for (int i = 0; i < 2000 && fake->closed < closed; i++)
		usleep(5000);
	must(fake->closed >= closed, "fake_wait");
}

void fake_stop(struct fake_daemon *fake)
{
	must(write(fake->stop[1], "x", 1) == 1, "stop");
	pthread_join(fake->thread, NULL);
	close(fake->stop[0]);
	close(fake->stop[1]);
	close(fake->listener);
	unlink(fake->path);
	rmdir(fake->folder);
}
