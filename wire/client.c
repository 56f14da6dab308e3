#include "config.h"

#include "client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page_limit.h"
#include "system/clock.h"

/* With fewer rows in a band, copying the carry costs too much beside the pixels.  Then the
 * ring is divided into fewer, taller slots. */
#define ROWS_ENOUGH 32

/* After a deadline, at most so many messages that lie in the socket are still read: more
 * heartbeats than fit into it. */
#define BACKLOG 4096

/* Maps the ring that came with READY. */
static int accept_ring(struct rip_client *client)
{
	struct rip_connection *connection = &client->connection;
	const struct rip_ready *ready = &client->ready;
	int r;

	if (ready->in_size > PTRDIFF_MAX || ready->out_size > PTRDIFF_MAX)
		return rip_exchange_nonsense(client->reason, "its ring does not fit in memory");
	r = rip_ring_map(&client->ring, connection->in_fds[0], connection->in_fds[1],
			 (size_t)ready->in_size, (size_t)ready->out_size);
	connection->in_fds[0] = connection->in_fds[1] = -1;
	if (r == -EPROTO)
		return rip_exchange_nonsense(client->reason,
					     "its ring has wrong seals or a wrong size");
	return r < 0 ? rip_exchange_fault(client->reason, r) : 0;
}

int rip_client_open(struct rip_client *client, const char *path, uint32_t job,
		    const char *queue, enum rip_method method)
{
	struct rip_message hello = { .type = RIP_HELLO, .hello = {
		.magic = RIP_PROTOCOL_MAGIC, .version = RIP_PROTOCOL_VERSION, .job = job,
		.method = method,
	} };
	struct rip_message answer;
	int r;

	memset(client, 0, sizeof *client);
	client->answer_ms = RIP_ANSWER_MS;
	client->ring.in_fd = client->ring.out_fd = -1;
	client->connection.fd = -1;
	rip_text_set(hello.hello.queue, sizeof hello.hello.queue, queue ? queue : "");
	r = rip_exchange_connect(&client->connection, path, client->reason);
	if (r == 0)
		r = rip_exchange_say(&client->connection, &hello, client->reason);
	if (r == 0)
		r = rip_exchange_await(&client->connection, &answer, client->reason);
	if (r == 0 && answer.type == RIP_READY) {
		client->ready = answer.ready;
		if (answer.ready.version != RIP_PROTOCOL_VERSION)
			r = rip_exchange_other_version(client->reason, answer.ready.version);
		else
			r = accept_ring(client);
	} else if (r == 0) {
		r = rip_exchange_refusal(&answer, client->reason);
	}
	if (r != 0) {
		client->faulty = true;
		rip_client_finish(client);
	}
	return r;
}

/* Rows of dots begin at multiples of 64 bytes, for the vector stores of the
 * engines.  A pitch that is a multiple of a high power of two is avoided, because then all
 * rows would use the same few sets of the cache. */
static size_t pitch_of(size_t bytes)
{
	const size_t pitch = rip_round_up(bytes);

	return pitch % 1024 ? pitch : pitch + 64;
}

/* The most rows of all planes that fit into so many bytes of the input area. */
static size_t rows_in(const struct rip_client *client, const struct rip_page_spec *spec, size_t in)
{
	const size_t rows = (in / spec->planes & ~(size_t)63) / client->in_pitch;
	const size_t aligned = 64 * (spec->planes + 1);
	size_t lines;

	if (!client->line_pitch)
		return rows;
	lines = in < aligned ? 0 :
		(in - aligned) / (client->line_pitch + spec->planes * sizeof(uint16_t));
	lines = lines < RIP_PIXEL_LINES_MAX ? lines : RIP_PIXEL_LINES_MAX;
	return lines < rows ? lines : rows;
}

/* Divides the ring into slots for this page.  false: it is too small for one row. */
static bool plan(struct rip_client *client, const struct rip_page_spec *spec)
{
	const struct rip_ring *ring = &client->ring;

	client->in_pitch = rip_band_pitch(spec);
	client->out_pitch = pitch_of(rip_dot_bytes(spec->width, spec->levels));
	client->carry_pitch = rip_round_up(rip_carry_values(spec) * sizeof(int16_t));
	for (uint32_t slots = client->ready.max_bands; slots > 0; slots--) {
		const size_t in = ring->in_size / slots;
		const size_t out = ring->out_size / slots & ~(size_t)63;
		const size_t carries = spec->planes * client->carry_pitch;
		size_t rows, out_rows;

		if (out < carries)
			continue;
		rows = rows_in(client, spec, in);
		out_rows = (out - carries) / (spec->planes * client->out_pitch);
		if (rows > out_rows)
			rows = out_rows;
		if (rows < (slots > 2 ? ROWS_ENOUGH : 1))
			continue;
		client->slots = slots;
		client->slot_out = out;
		if (rows > RIP_BAND_ROWS_MAX / spec->planes)
			rows = RIP_BAND_ROWS_MAX / spec->planes;
		client->band_rows = (uint32_t)rows;
		return true;
	}
	return false;
}

static int refuse(struct rip_client *client, const char *why)
{
	snprintf(client->reason, sizeof client->reason, "%s", why);
	return RIP_CLIENT_REFUSED;
}

/* Copies curves and start carry into the ring, and their places into PAGE.  The slots are
 * not in use before PAGE_READY.  false: they do not fit. */
static bool lay_out(struct rip_client *client, const struct rip_page_spec *spec,
		    const int16_t *carry, struct rip_page_message *page)
{
	const size_t curve_size = spec->curve ? sizeof(uint16_t) << spec->sample_bits : 0;
	const struct rip_ink_limit *limit = client->line_pitch ? client->limit : NULL;
	const size_t carry_size =
		carry ? spec->planes * rip_carry_values(spec) * sizeof(int16_t) : 0;

	if (curve_size + carry_size + rip_ink_limit_curve_bytes(limit) > client->ring.in_size)
		return false;
	rip_page_limit_put(limit, client->ring.in, curve_size + carry_size, page);
	if (spec->curve) {
		memcpy(client->ring.in, spec->curve, curve_size);
		page->curve_values = 1u << spec->sample_bits;
	}
	if (carry) {
		memcpy(client->ring.in + curve_size, carry, carry_size);
		page->carry_offset = curve_size;
		page->start = RIP_PAGE_CARRY;
	}
	return true;
}

/* Waits for the next message that is no heartbeat.  Heartbeats must name one of the `count`
 * oldest bands in flight.  They prolong the wait, but not beyond the time that a work of so
 * many samples may take (RIP_ANSWER_MS). */
static int await_answer(struct rip_client *client, uint32_t count, uint64_t samples,
			struct rip_message *message)
{
	const int64_t allowed = client->answer_ms + (int64_t)(samples / RIP_ANSWER_RATE);
	const int64_t end = rip_clock_ms() + allowed;
	unsigned more = BACKLOG;

	for (;;) {
		int r = rip_exchange_await_until(&client->connection, end, message, client->reason);

		if (r == 0 && message->type != RIP_QUEUED && message->type != RIP_WORKING)
			return 0;
		if (r == 0 && message->state.seq - client->done >= count)
			return rip_exchange_nonsense(client->reason,
						     "it reported a band that was not sent");
		if (rip_clock_ms() >= end && (r == -ETIMEDOUT || (r == 0 && more-- == 0))) {
			snprintf(client->reason, sizeof client->reason,
				 "it has not finished within %lld s", (long long)(allowed / 1000));
			return -ETIMEDOUT;
		}
		if (r < 0)
			return r;
	}
}

int rip_client_page(struct rip_client *client, const struct rip_page_spec *spec, uint32_t page,
		    uint32_t height, enum rip_start start, const int16_t *carry)
{
	const int screen = spec->screen ? rip_screen_id(spec->screen) : -1;
	struct rip_message message = { .type = RIP_PAGE };
	int16_t *arrived;
	int r;

	if (rip_page_spec_check(spec) < 0 || client->sent != client->done)
		return rip_exchange_fault(client->reason, -EINVAL);
	message.page = (struct rip_page_message){
		.page = page,
		.width = spec->width,
		.height = height,
		.planes = spec->planes,
		.levels = spec->levels,
		.sample_bits = spec->sample_bits,
		.screen = (uint32_t)screen,
		.start = start == RIP_START_ZERO ? RIP_PAGE_ZERO : RIP_PAGE_NOISE,
		.light = spec->coupling.light,
		.fade = spec->coupling.fade,
		.optional = client->optional,
	};
	for (uint32_t p = 0; p < spec->planes; p++)
		message.page.inks |= (uint64_t)spec->coupling.inks[p] << 4 * p;
	client->slots = 0;
	client->rooms = client->taken = 0;
	client->line_pitch = client->ready.takes_pixels ? client->line_pitch : 0;
	if (screen < 0)
		return refuse(client, "this screen is not sent to a daemon");
	if (spec->width > client->ready.max_width || spec->planes > client->ready.max_planes)
		return refuse(client, "the page is wider or has more planes than it takes");
	if (!plan(client, spec) || !lay_out(client, spec, carry, &message.page))
		return refuse(client, "its ring is too small for a row of the page");
	arrived = rip_carry_new(spec, spec->planes);
	if (!arrived)
		return rip_exchange_fault(client->reason, -ENOMEM);
	free(client->arrived);
	client->arrived = arrived;
	client->spec = *spec;
	client->spec.curve = NULL;

	r = rip_exchange_say(&client->connection, &message, client->reason);
	if (r == 0) /* heartbeats for a page have the number of its first band */
		r = await_answer(client, 1, (uint64_t)spec->planes * spec->width, &message);
	if (r == 0 && message.type == RIP_PAGE_REFUSED) {
		client->slots = 0;
		rip_text_escape(client->reason, sizeof client->reason, message.reason.text);
		return RIP_CLIENT_REFUSED;
	}
	if (r == 0 && message.type != RIP_PAGE_READY)
		r = rip_exchange_fault(client->reason, -EPROTO);
	client->faulty = r < 0;
	return r;
}

uint32_t rip_client_band_rows(const struct rip_client *client)
{
	return client->band_rows;
}

uint32_t rip_client_bands(const struct rip_client *client)
{
	return client->slots;
}

static size_t room_size(const struct rip_client *client)
{
	const size_t rows = rip_band_room_size(&client->spec, client->room_rows);
	const size_t lines = !client->line_pitch ? 0 :
		rip_band_pixels_size(&client->spec, client->room_rows, client->line_pitch);

	return lines > rows ? lines : rows;
}

void *rip_client_room(struct rip_client *client, uint32_t rows)
{
	const uint32_t most = client->slots + 1; /* one is filled while the others are in flight */
	size_t rooms;

	if (client->slots == 0 || rows > client->band_rows)
		return NULL;
	if (client->rooms == 0) {
		client->room_rows = rows;
		rooms = client->ring.in_size / room_size(client);
		client->rooms = rooms < most ? (uint32_t)rooms : most;
		/* A daemon page-locks what is used of the ring: of the output area no more than
		 * so many rows need. */
		client->slot_out = rip_round_up(client->spec.planes *
						(client->carry_pitch + rows * client->out_pitch));
	}
	/* The first one that is free: if bands are done soon, few rooms are used, and those are in
	 * the caches. */
	for (uint32_t i = 0; i < client->rooms && rows <= client->room_rows; i++) {
		if (client->taken & 1u << i)
			continue;
		client->taken |= 1u << i;
		return client->ring.in + i * room_size(client);
	}
	return NULL;
}

/* Frees the room that lies there in the input area. */
static void give_back(struct rip_client *client, size_t offset)
{
	client->taken &= ~(1u << offset / room_size(client));
}

void rip_client_give_back(struct rip_client *client, const void *room)
{
	give_back(client, (size_t)((const uint8_t *)room - client->ring.in));
}

/* Where in the ring the samples are; false: they lie elsewhere. */
static bool is_in_ring(const struct rip_client *client, const void *samples, size_t *offset)
{
	*offset = (uintptr_t)samples - (uintptr_t)client->ring.in;
	return *offset < client->ring.in_size;
}

/* Sets the places of strip i of a band in the output area. */
static void place(const struct rip_client *client, uint32_t seq, uint32_t rows_before, unsigned i,
		  struct rip_band_strip *strip)
{
	const uint32_t slot = seq % client->slots;
	const size_t dots = client->spec.planes * client->carry_pitch;

	strip->out_pitch = (uint32_t)client->out_pitch;
	strip->carry_offset = slot * client->slot_out + i * client->carry_pitch;
	strip->out_offset = slot * client->slot_out + dots + rows_before * client->out_pitch;
}

static void copy_rows(void *to, ptrdiff_t to_pitch, const void *from, ptrdiff_t from_pitch,
		      size_t bytes, uint32_t rows)
{
	for (uint32_t i = 0; i < rows; i++)
		memcpy((uint8_t *)to + i * to_pitch, (const uint8_t *)from + i * from_pitch,
		       bytes);
}

/* The rows of a plane that a band of this page may have. */
static uint32_t most_rows(const struct rip_client *client)
{
	return client->rooms ? client->room_rows : client->band_rows;
}

/* Copies strips into a room of the ring.  0, or -EINVAL. */
static int copy_strips(struct rip_client *client, struct rip_strip *strips, unsigned count)
{
	const size_t row = (size_t)client->spec.width * (client->spec.sample_bits / 8);
	const ptrdiff_t pitch = (ptrdiff_t)client->in_pitch;
	uint8_t *at = rip_client_room(client, most_rows(client));

	if (!at)
		return -EINVAL;
	for (unsigned i = 0; i < count; i++) {
		copy_rows(at, pitch, strips[i].in, strips[i].in_pitch, row, strips[i].rows);
		strips[i].in = at;
		strips[i].in_pitch = pitch;
		at += rip_round_up(strips[i].rows * client->in_pitch);
	}
	return 0;
}

/* Describes the input of a band: where its strips are in the ring. */
static void describe(const struct rip_client *client, const struct rip_strip *strips,
		     struct rip_band_message *m)
{
	const struct rip_pixels *pixels = strips[0].pixels;
	size_t offset;

	if (pixels) {
		is_in_ring(client, pixels->lines, &offset);
		m->lines = pixels->count;
		m->step = pixels->step;
		m->line_pitch = (uint32_t)pixels->pitch;
		m->line_offset = offset;
	}
	for (uint32_t i = 0; i < m->count; i++) {
		is_in_ring(client, pixels ? strips[i].line_numbers : strips[i].in, &offset);
		m->strips[i].plane = strips[i].plane;
		m->strips[i].rows = strips[i].rows;
		m->strips[i].in_offset = offset;
		m->strips[i].in_pitch = pixels ? sizeof *strips[i].line_numbers :
						 (uint32_t)strips[i].in_pitch;
	}
}

int rip_client_send(struct rip_client *client, struct rip_band *band, uint32_t page_rows)
{
	struct rip_message message = { .type = RIP_BAND };
	struct rip_band_message *m = &message.band;
	struct rip_strip strips[RIP_PLANES_MAX];
	uint32_t rows_before = 0;
	size_t offset;
	int r = 0;

	m->count = rip_band_strips(band, strips);
	if (m->count == 0 || client->slots == 0 || client->sent - client->done >= client->slots)
		return rip_exchange_fault(client->reason, -EINVAL);
	for (uint32_t i = 0; i < m->count; i++)
		if (strips[i].rows > most_rows(client))
			return rip_exchange_fault(client->reason, -EINVAL);
	if (!strips[0].pixels && !is_in_ring(client, strips[0].in, &offset))
		r = copy_strips(client, strips, m->count);
	if (r < 0)
		return rip_exchange_fault(client->reason, r);
	m->seq = client->sent;
	m->rows = page_rows;
	describe(client, strips, m);
	for (uint32_t i = 0; i < m->count; i++) {
		place(client, m->seq, rows_before, i, &m->strips[i]);
		rows_before += strips[i].rows;
	}
	client->sent_from[m->seq % client->slots] = m->strips[0].in_offset;
	r = rip_exchange_say(&client->connection, &message, client->reason);
	client->sent++;
	client->faulty = r < 0;
	return r;
}

/* Waits until the oldest band is done. */
static int await_done(struct rip_client *client, const struct rip_strip *strips, unsigned count)
{
	struct rip_message message;
	uint64_t samples = 0;
	int r;

	for (unsigned i = 0; i < count; i++)
		samples += (uint64_t)strips[i].rows * client->spec.width;
	r = await_answer(client, client->sent - client->done, samples, &message);

	if (r < 0)
		return r;
	if (message.type != RIP_BAND_DONE)
		return rip_exchange_fault(client->reason, -EPROTO);
	if (message.state.seq != client->done)
		return rip_exchange_nonsense(client->reason,
					     "it finished a band in the wrong order");
	return 0;
}

/* The connection is closed: reads the messages that are left, for the reason.  The fault. */
static int last_words(struct rip_client *client)
{
	struct rip_message message;
	int r;

	do
		r = rip_exchange_await(&client->connection, &message, client->reason);
	while (r == 0);
	return r;
}

/* Copies the results out of the slot: dots to the band, carries to client->arrived.  The
 * carries are checked there, where the daemon cannot change them. */
static int fetch(struct rip_client *client, const struct rip_strip *strips, unsigned count)
{
	const size_t row = rip_dot_bytes(client->spec.width, client->spec.levels);
	const size_t values = rip_carry_values(&client->spec);
	struct pollfd pfd = { .fd = client->connection.fd, .events = POLLRDHUP };
	uint32_t rows_before = 0;

	for (unsigned i = 0; i < count; i++) {
		int16_t *carry = client->arrived + i * values;
		struct rip_band_strip at;

		place(client, client->done, rows_before, i, &at);
		copy_rows(strips[i].out, strips[i].out_pitch, client->ring.out + at.out_offset,
			  at.out_pitch, row, strips[i].rows);
		memcpy(carry, client->ring.out + at.carry_offset, values * sizeof *carry);
		if (rip_carry_check(&client->spec, carry) < 0)
			return rip_exchange_nonsense(client->reason,
						     "it returned a carry that is out of range");
		rows_before += strips[i].rows;
	}
	/* The daemon closes the connection before it punches holes into the ring.  So the
	 * copy is good if the connection is still open now. */
	if (poll(&pfd, 1, 0) < 0)
		return rip_exchange_fault(client->reason, -errno);
	return pfd.revents & (POLLRDHUP | POLLHUP | POLLERR) ? last_words(client) : 0;
}

int rip_client_receive(struct rip_client *client, struct rip_band *band, int16_t *carry)
{
	const size_t values = rip_carry_values(&client->spec);
	struct rip_strip strips[RIP_PLANES_MAX];
	const unsigned count = rip_band_strips(band, strips);
	int r = -EINVAL;

	if (client->sent == client->done || count == 0)
		return rip_exchange_fault(client->reason, -EINVAL);
	r = await_done(client, strips, count);
	if (r == 0)
		r = fetch(client, strips, count);
	client->faulty = r < 0;
	if (r < 0)
		return r;
	for (unsigned i = 0; i < count; i++)
		memcpy(carry + strips[i].plane * values, client->arrived + i * values,
		       values * sizeof *carry);
	give_back(client, client->sent_from[client->done % client->slots]);
	client->done++;
	return 0;
}

void rip_client_leave(struct rip_client *client)
{
	const struct rip_message end = { .type = RIP_END };

	if (client->connection.fd < 0)
		return;
	if (!client->faulty && client->sent == client->done)
		(void)rip_connection_send(&client->connection, &end, NULL);
	rip_connection_finish(&client->connection);
}

void rip_client_finish(struct rip_client *client)
{
	rip_client_leave(client);
	rip_ring_finish(&client->ring);
	free(client->arrived);
	client->arrived = NULL;
}
