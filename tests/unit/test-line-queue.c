/* The queue of lines: what goes in comes out, within its room, and nobody waits for ever. */
#include "tests/tools/testing.h"

#include <pthread.h>

#include "rip/page_workers.h"

#define PLANES 4

struct line_test {
	struct rip_line_queue queue;
	uint32_t lines;
	uint64_t seed;
	int      result;
};

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* A row of runs: white, black, and noise, of all lengths. */
static void make_row(uint64_t *state, uint8_t *row, uint32_t n)
{
	for (uint32_t i = 0; i < n;) {
		const uint32_t kind = next(state) % 4;
		uint32_t run = next(state) % (next(state) % 8 ? 20 : 200000);

		for (; run > 0 && i < n; run--)
			row[i++] = kind < 2 ? 0 : kind == 2 ? 0xff : (uint8_t)next(state);
	}
}

static void make_line(uint64_t *state, struct rip_line_queue *queue, uint8_t *rows[PLANES])
{
	for (uint32_t p = 0; p < queue->planes; p++)
		make_row(state, rows[p], queue->row_bytes);
}

static void new_rows(uint8_t *rows[PLANES], uint32_t n)
{
	for (int p = 0; p < PLANES; p++) {
		rows[p] = malloc(n);
		assert_non_null(rows[p]);
	}
}

static void free_rows(uint8_t *rows[PLANES])
{
	for (int p = 0; p < PLANES; p++)
		free(rows[p]);
}

static void *put_all(void *data)
{
	struct line_test *test = data;
	uint64_t state = test->seed;
	uint8_t *rows[PLANES];

	new_rows(rows, test->queue.row_bytes);
	for (uint32_t line = 0; test->result == 0 && line < test->lines; line++) {
		make_line(&state, &test->queue, rows);
		test->result = rip_line_queue_put(&test->queue, (const uint8_t *const *)rows);
		if (line % 7 == 0)
			rip_line_queue_flush(&test->queue);
	}
	rip_line_queue_end(&test->queue);
	free_rows(rows);
	return NULL;
}

static void take_all(struct line_test *test)
{
	uint64_t state = test->seed;
	const uint8_t *taken[PLANES];
	uint8_t *rows[PLANES];

	new_rows(rows, test->queue.row_bytes);
	for (uint32_t line = 0; line < test->lines; line++) {
		make_line(&state, &test->queue, rows);
		assert_int_equal(rip_line_queue_take(&test->queue, taken), 0);
		for (uint32_t p = 0; p < test->queue.planes; p++)
			assert_memory_equal(taken[p], rows[p], test->queue.row_bytes);
	}
	assert_int_equal(rip_line_queue_take(&test->queue, taken), 1);
	free_rows(rows);
}

/* Lines of any width and number of planes, with little room. */
TEST(round_trip)
{
	static const uint32_t widths[] = { 1, 7, 8, 9, 620, 65535, 65536, 200000 };

	for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
		struct line_test test = { .lines = widths[w] > 1000 ? 40 : 3000,
					  .seed = rip_test_random() };
		struct rip_line_room room;
		pthread_t thread;

		rip_line_room_init(&room, 300000);
		assert_int_equal(rip_line_queue_init(&test.queue, &room, 1 + rip_test_below(PLANES),
						     widths[w]), 0);
		rip_line_queue_urge(&test.queue);
		assert_int_equal(pthread_create(&thread, NULL, put_all, &test), 0);
		take_all(&test);
		pthread_join(thread, NULL);
		assert_int_equal(test.result, 0);
		rip_line_queue_finish(&test.queue);
		assert_int_equal(room.used, 0);
		rip_line_room_finish(&room);
	}
}

static unsigned waiting(struct rip_line_room *room)
{
	unsigned n;

	pthread_mutex_lock(&room->lock);
	n = room->waiting;
	pthread_mutex_unlock(&room->lock);
	return n;
}

static void wait_until_waiting(struct rip_line_room *room, unsigned n)
{
	for (int i = 0; i < 10000 && waiting(room) != n; i++)
		usleep(1000);
	assert_int_equal(waiting(room), n);
}

/* Two pages: the second one fills the room and waits; the first, which is written, goes on. */
TEST(limited)
{
	struct line_test first = { .lines = 3000, .seed = rip_test_random() };
	struct line_test second = { .lines = 3000, .seed = rip_test_random() };
	struct rip_line_room room;
	pthread_t threads[2];

	rip_line_room_init(&room, 600000);
	assert_int_equal(rip_line_queue_init(&first.queue, &room, 2, 1000), 0);
	assert_int_equal(rip_line_queue_init(&second.queue, &room, 2, 1000), 0);
	assert_int_equal(pthread_create(&threads[1], NULL, put_all, &second), 0);
	wait_until_waiting(&room, 1);
	rip_line_queue_urge(&first.queue);
	assert_int_equal(pthread_create(&threads[0], NULL, put_all, &first), 0);
	take_all(&first);
	pthread_join(threads[0], NULL);
	rip_line_queue_finish(&first.queue);
	rip_line_queue_urge(&second.queue);
	take_all(&second);
	pthread_join(threads[1], NULL);
	rip_line_queue_finish(&second.queue);
	assert_int_equal(first.result, 0);
	assert_int_equal(second.result, 0);
	/* The limit, and what the page that is written may hold. */
	assert_true(room.peak <= 600000 + (2u << 20) + 2 * 131072);
	rip_line_room_finish(&room);
}

static size_t used(struct rip_line_room *room)
{
	size_t bytes;

	pthread_mutex_lock(&room->lock);
	bytes = room->used;
	pthread_mutex_unlock(&room->lock);
	return bytes;
}

/* A page that is written waits for a reader who takes nothing, whatever room there is. */
TEST(urgent)
{
	struct line_test test = { .lines = 30000, .seed = rip_test_random() };
	struct rip_line_room room;
	pthread_t thread;
	size_t before = 0;

	rip_line_room_init(&room, 1 << 30);
	assert_int_equal(rip_line_queue_init(&test.queue, &room, 2, 1000), 0);
	rip_line_queue_urge(&test.queue);
	assert_int_equal(pthread_create(&thread, NULL, put_all, &test), 0);
	/* Until it adds nothing more: it waits, or has put all. */
	for (int same = 0; same < 100 || before <= 2u << 20; same++) {
		const size_t now = used(&room);

		same = now == before ? same : 0;
		before = now;
		usleep(1000);
	}
	assert_true(before <= (2u << 20) + 2 * 131072);
	take_all(&test);
	pthread_join(thread, NULL);
	assert_int_equal(test.result, 0);
	assert_true(room.peak <= (2u << 20) + 3 * 131072);
	rip_line_queue_finish(&test.queue);
	rip_line_room_finish(&room);
}

/* A job that ends wakes whoever waits for room, and whoever waits for lines. */
TEST(stopped)
{
	struct line_test test = { .lines = 3000, .seed = rip_test_random() };
	const uint8_t *rows[PLANES];
	struct rip_line_room room;
	pthread_t thread;

	rip_line_room_init(&room, 200000);
	assert_int_equal(rip_line_queue_init(&test.queue, &room, 2, 1000), 0);
	assert_int_equal(pthread_create(&thread, NULL, put_all, &test), 0);
	wait_until_waiting(&room, 1);
	pthread_mutex_lock(&room.lock);
	room.stopped = true;
	pthread_cond_broadcast(&room.changed);
	pthread_mutex_unlock(&room.lock);
	pthread_join(thread, NULL);
	assert_int_equal(test.result, -ECANCELED);
	assert_int_equal(rip_line_queue_take(&test.queue, rows), -ECANCELED);
	rip_line_queue_finish(&test.queue);
	assert_int_equal(room.used, 0);
	rip_line_room_finish(&room);
}

/* White pages wait in next to no room, also if a line fills a block. */
static void white_page(uint32_t width, int lines)
{
	static uint8_t row[200000];
	const uint8_t *rows[] = { row };
	struct rip_line_room room;
	struct rip_line_queue queue;

	rip_line_room_init(&room, 1 << 30);
	assert_int_equal(rip_line_queue_init(&queue, &room, 1, width), 0);
	for (int line = 0; line < lines; line++)
		assert_int_equal(rip_line_queue_put(&queue, rows), 0);
	rip_line_queue_end(&queue);
	assert_true(room.used <= (size_t)lines * 4 * (1 + width / 65535));
	rip_line_queue_finish(&queue);
	rip_line_room_finish(&room);
}

TEST(white)
{
	white_page(620, 7016);
	white_page(200000, 300);
}
