/*
 * A compressed row is a list of pieces.  Each has two counts of 16 bits, of zeros and of bytes
 * after them, and those bytes.  The counts of a row add up to its length.
 */
#include "config.h"

#include "page_workers.h"
#include "system/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 131072 /* of a block, unless a line needs more */
#define COUNT_MAX   65535
#define PIECE       4      /* bytes of the counts */

/* A page that is being written holds at most this, so that a slow reader stops its worker. */
#define URGENT_BYTES (2u << 20)

/* After which somebody who waits looks again, even if nothing has changed. */
#define WAIT_US INT64_C(1000000)

/* How often a page that is being written is flushed at most. */
#define FLUSH_NS 10000000

/* Blocks of BLOCK_BYTES that a room keeps: the memory of a new one must be mapped and cleared by
 * the system. */
#define SPARES_MAX 8

struct rip_line_block {
	struct rip_line_block *next;
	size_t  size, used;
	uint8_t bytes[];
};

void rip_line_room_init(struct rip_line_room *room, size_t limit)
{
	memset(room, 0, sizeof *room);
	pthread_mutex_init(&room->lock, NULL);
	pthread_cond_init(&room->changed, NULL);
	room->limit = limit;
}

void rip_line_room_writes(struct rip_line_room *room, bool begins)
{
	if (room->stalled_us)
		atomic_store_explicit(&room->writing_us, begins ? rip_clock_us() : 0,
				      memory_order_relaxed);
}

bool rip_line_room_is_stalled(const struct rip_line_room *room)
{
	const int64_t since = atomic_load_explicit(&room->writing_us, memory_order_relaxed);

	return since && rip_clock_us() - since > room->stalled_us;
}

void rip_line_room_wait(struct rip_line_room *room)
{
	const int64_t until = rip_clock_us() + WAIT_US;
	const struct timespec time = { until / 1000000, until % 1000000 * 1000 };

	pthread_cond_clockwait(&room->changed, &room->lock, CLOCK_MONOTONIC, &time);
}

void rip_line_room_finish(struct rip_line_room *room)
{
	while (room->spare) {
		struct rip_line_block *block = room->spare;

		room->spare = block->next;
		free(block);
	}
	room->spares = 0;
	pthread_cond_destroy(&room->changed);
	pthread_mutex_destroy(&room->lock);
}

int rip_line_queue_init(struct rip_line_queue *queue, struct rip_line_room *room, uint32_t planes,
			uint32_t row_bytes)
{
	memset(queue, 0, sizeof *queue);
	queue->room = room;
	queue->planes = planes;
	queue->row_bytes = row_bytes;
	queue->line = malloc((size_t)planes * row_bytes);
	return queue->line ? 0 : -ENOMEM;
}

static void free_block(struct rip_line_queue *queue, struct rip_line_block *block)
{
	struct rip_line_room *room = queue->room;

	if (!block)
		return;
	pthread_mutex_lock(&room->lock);
	room->used -= block->size;
	if (block->size == BLOCK_BYTES && room->spares < SPARES_MAX) {
		block->next = room->spare;
		room->spare = block;
		room->spares++;
		block = NULL;
	}
	pthread_cond_broadcast(&room->changed);
	pthread_mutex_unlock(&room->lock);
	free(block);
}

void rip_line_queue_finish(struct rip_line_queue *queue)
{
	while (queue->first) {
		struct rip_line_block *block = queue->first;

		queue->first = block->next;
		free_block(queue, block);
	}
	free_block(queue, queue->filling);
	free_block(queue, queue->emptying);
	free(queue->line);
	queue->last = queue->filling = queue->emptying = NULL;
	queue->line = NULL;
}

void rip_line_queue_urge(struct rip_line_queue *queue)
{
	struct rip_line_room *room = queue->room;

	pthread_mutex_lock(&room->lock);
	queue->urgent = true;
	pthread_cond_broadcast(&room->changed);
	pthread_mutex_unlock(&room->lock);
}

/* Bytes of a queue that its taker has not begun; under the lock. */
static size_t held(const struct rip_line_queue *queue)
{
	size_t bytes = 0;

	for (const struct rip_line_block *block = queue->first; block; block = block->next)
		bytes += block->size;
	return bytes;
}

/* Whether a block of this size has to wait; under the lock. */
static bool must_wait(const struct rip_line_queue *queue, size_t size)
{
	if (queue->urgent)
		return held(queue) > URGENT_BYTES;
	return queue->room->used + size > queue->room->limit;
}

static int new_block(struct rip_line_queue *queue, size_t size)
{
	struct rip_line_room *room = queue->room;
	struct rip_line_block *block = NULL;
	bool stopped, gives_up = false;

	size = size > BLOCK_BYTES ? size : BLOCK_BYTES;
	pthread_mutex_lock(&room->lock);
	room->waiting++;
	pthread_cond_broadcast(&room->changed);
	while (!room->stopped && !gives_up && must_wait(queue, size)) {
		rip_line_room_wait(room);
		gives_up = !queue->patient && rip_line_room_is_stalled(room);
	}
	room->waiting--;
	stopped = room->stopped;
	if (!stopped && !gives_up) {
		room->used += size;
		room->peak = room->used > room->peak ? room->used : room->peak;
		if (size == BLOCK_BYTES && room->spare) {
			block = room->spare;
			room->spare = block->next;
			room->spares--;
		}
	}
	pthread_mutex_unlock(&room->lock);
	if (stopped || gives_up)
		return stopped ? -ECANCELED : -EBUSY;
	if (!block)
		block = malloc(sizeof *block + size);
	if (!block) {
		pthread_mutex_lock(&room->lock);
		room->used -= size;
		pthread_mutex_unlock(&room->lock);
		return -ENOMEM;
	}
	*block = (struct rip_line_block){ .size = size };
	queue->filling = block;
	return 0;
}

/* The most bytes that a row of n bytes takes: a piece for each run of zeros with what follows it,
 * which is no longer than the row, and for each COUNT_MAX bytes. */
static size_t row_bound(size_t n)
{
	return n + PIECE * (2 + n / COUNT_MAX);
}

/* The end of a run of zeros that begins at i. */
static size_t after_zeros(const uint8_t *row, size_t i, size_t n)
{
	uint64_t word;

	for (; n - i >= 8; i += 8) {
		memcpy(&word, row + i, 8);
		if (word)
			break;
	}
	while (i < n && !row[i])
		i++;
	return i;
}

/* Whether one of the next four words is 0. */
static bool has_zero_word(const uint8_t *at)
{
	uint64_t words[4];

	memcpy(words, at, sizeof words);
	return !words[0] || !words[1] || !words[2] || !words[3];
}

/* The next run of zeros from i on that is long enough to be stored as its length, or n.  Every
 * run of 15 is, and shorter ones where a word is 0 of those that are looked at. */
static size_t next_zeros(const uint8_t *row, size_t i, size_t n)
{
	const size_t start = i;
	uint64_t word;

	while (n - i >= 32 && !has_zero_word(row + i))
		i += 32;
	for (; n - i >= 8; i += 8) {
		memcpy(&word, row + i, 8);
		if (!word)
			break;
	}
	if (n - i < 8)
		return n;
	while (i > start && !row[i - 1])
		i--;
	return i;
}

/* Compresses a row; returns the bytes that it takes, at most row_bound(n). */
static size_t pack(const uint8_t *row, size_t n, uint8_t *to)
{
	uint8_t *at = to;

	for (size_t i = 0; i < n;) {
		size_t zeros = after_zeros(row, i, n) - i, other;
		uint16_t counts[2];

		zeros = zeros < COUNT_MAX ? zeros : COUNT_MAX;
		other = next_zeros(row, i + zeros, n) - i - zeros;
		other = other < COUNT_MAX ? other : COUNT_MAX;
		counts[0] = (uint16_t)zeros;
		counts[1] = (uint16_t)other;
		memcpy(at, counts, PIECE);
		memcpy(at + PIECE, row + i + zeros, other);
		at += PIECE + other;
		i += zeros + other;
	}
	return (size_t)(at - to);
}

/* Restores a row; returns the bytes that it took. */
static size_t unpack(const uint8_t *from, size_t n, uint8_t *row)
{
	const uint8_t *at = from;

	for (size_t i = 0; i < n;) {
		uint16_t counts[2];

		memcpy(counts, at, PIECE);
		memset(row + i, 0, counts[0]);
		memcpy(row + i + counts[0], at + PIECE, counts[1]);
		i += (size_t)counts[0] + counts[1];
		at += PIECE + counts[1];
	}
	return (size_t)(at - from);
}

/* Gives the block that is being filled to the taker; if it has to wait for its turn, without the
 * part that is not used. */
static void hand_over(struct rip_line_queue *queue, bool waits)
{
	struct rip_line_room *room = queue->room;
	struct rip_line_block *block = queue->filling;
	size_t unused = 0;

	if (block && waits && block->used < block->size / 2) {
		struct rip_line_block *less = realloc(block, sizeof *block + block->used);

		if (less) {
			block = less;
			unused = block->size - block->used;
			block->size = block->used;
		}
	}
	pthread_mutex_lock(&room->lock);
	room->used -= unused;
	if (block) {
		if (queue->first)
			queue->last->next = block;
		else
			queue->first = block;
		queue->last = block;
		queue->filling = NULL;
	}
	pthread_cond_broadcast(&room->changed);
	pthread_mutex_unlock(&room->lock);
}

static bool is_urgent(struct rip_line_queue *queue)
{
	bool urgent;

	pthread_mutex_lock(&queue->room->lock);
	urgent = queue->urgent;
	pthread_mutex_unlock(&queue->room->lock);
	return urgent;
}

int rip_line_queue_put(struct rip_line_queue *queue, const uint8_t *const rows[])
{
	const size_t bound = queue->planes * row_bound(queue->row_bytes);

	if (queue->filling && queue->filling->size - queue->filling->used < bound)
		hand_over(queue,
			  queue->filling->used < queue->filling->size / 2 && !is_urgent(queue));
	if (!queue->filling) {
		int r = new_block(queue, bound);

		if (r < 0)
			return r;
	}
	for (uint32_t p = 0; p < queue->planes; p++)
		queue->filling->used += pack(rows[p], queue->row_bytes,
					     queue->filling->bytes + queue->filling->used);
	queue->put++;
	return 0;
}

void rip_line_queue_flush(struct rip_line_queue *queue)
{
	int64_t now;

	if (!queue->filling)
		return;
	now = rip_clock_ns();
	if (now - queue->flushed_ns < FLUSH_NS || !is_urgent(queue))
		return;
	queue->flushed_ns = now;
	hand_over(queue, false);
}

void rip_line_queue_end(struct rip_line_queue *queue)
{
	hand_over(queue, !is_urgent(queue));
	pthread_mutex_lock(&queue->room->lock);
	queue->ended = true;
	pthread_cond_broadcast(&queue->room->changed);
	pthread_mutex_unlock(&queue->room->lock);
}

/* Gets the next block.  0, 1 or -ECANCELED. */
static int next_block(struct rip_line_queue *queue)
{
	struct rip_line_room *room = queue->room;
	int r = 0;

	free_block(queue, queue->emptying);
	queue->emptying = NULL;
	queue->at = 0;
	pthread_mutex_lock(&room->lock);
	while (!room->stopped && !queue->first && !queue->ended)
		pthread_cond_wait(&room->changed, &room->lock);
	if (room->stopped) {
		r = -ECANCELED;
	} else if (queue->first) {
		queue->emptying = queue->first;
		queue->first = queue->first->next;
		pthread_cond_broadcast(&room->changed);
	} else {
		r = 1;
	}
	pthread_mutex_unlock(&room->lock);
	return r;
}

int rip_line_queue_take(struct rip_line_queue *queue, const uint8_t *rows[])
{
	if (!queue->emptying || queue->at == queue->emptying->used) {
		int r = next_block(queue);

		if (r != 0)
			return r;
	}
	for (uint32_t p = 0; p < queue->planes; p++) {
		uint8_t *row = queue->line + (size_t)p * queue->row_bytes;

		queue->at += unpack(queue->emptying->bytes + queue->at, queue->row_bytes, row);
		rows[p] = row;
	}
	return 0;
}
