/* Teams of threads that run SIMD kernels: several clients, planes of pages in strips, and rest
 * when there is no work. */
#define _GNU_SOURCE 1 /* for sets of processors */
#include "tests/tools/testing.h"

#include <pthread.h>
#include <sched.h>

#include "halftone/cpu.h"
#include "halftone/quota.h"
#include "halftone/threads/simd_planes.h"
#include "simd_page.h"
#include "simd_tests.h"

static const struct rip_isa *best(void)
{
	const struct rip_isa *isa = rip_isa_best();

	return isa->has_simd ? isa : NULL;
}

/* One client of a team: pages of some planes, in bands, pushed in various ways. */
static void *use_team(void *argument)
{
	enum { PLANES = 4, PIECES = 5 };
	struct rip_team *team = argument;
	struct rip_team_queue queue;

	assert_int_equal(rip_team_queue_init(&queue, team, sizeof(struct rip_simd_task)), 0);
	for (int round = 0; round < SIMD_ROUNDS(12); round++) {
		const uint32_t width = 1 + rip_test_below(2000), count = 1 + rip_test_below(400);
		struct simd_page pages[PLANES];
		struct rip_simd_strip pieces[PLANES * PIECES];
		uint32_t n = 0;

		for (int p = 0; p < PLANES; p++) {
			simd_fs_page_init(&pages[p], width, count, 1, NO_CURVE,
					  2 + rip_test_below(3));
			simd_page_clear(&pages[p]);
		}
		/* Some pieces of each plane, in order of rows, at once and one by one. */
		for (uint32_t row = 0, i = 0, rows; row < count; row += rows, i++) {
			rows = i == PIECES - 1 ? count - row : 1 + rip_test_below(count - row);
			for (int p = 0; p < PLANES; p++)
				pieces[n++] = simd_strip_part(&pages[p].strip, row, rows);
			if (rip_test_below(2)) {
				assert_int_equal(rip_simd_queue_push(&queue, best(), pieces, n), 0);
				n = 0;
				if (rip_test_below(2))
					rip_team_queue_wait(&queue);
			}
		}
		assert_int_equal(rip_simd_queue_push(&queue, best(), pieces, n), 0);
		rip_team_queue_wait(&queue);
		for (int p = 0; p < PLANES; p++) {
			simd_page_check(&pages[p], "team", "");
			simd_page_finish(&pages[p]);
		}
	}
	rip_team_queue_finish(&queue);
	rip_team_queue_finish(&queue);
	return NULL;
}

TEST(team)
{
	static const unsigned sizes[] = { 1, 2, 3, 8 };
	const struct rip_isa *isa = best();
	struct rip_team *team, *same, *other;

	if (!isa)
		skip();
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), sizes[i], &team), 0);
		use_team(team);
		rip_team_put(team);
	}
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 2, &team), 0);
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 2, &same), 0);
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 3, &other), 0);
	assert_true(team == same && team != other);
	rip_team_put(other);
	rip_team_put(same);
	use_team(team);
	rip_team_put(team);
	rip_team_put(NULL);
}

/* The random numbers of the clients' pages come from one place: each has its turn. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *client(void *argument)
{
	struct rip_team *team = argument;
	struct rip_team_queue queue;

	assert_int_equal(rip_team_queue_init(&queue, team, sizeof(struct rip_simd_task)), 0);
	for (int round = 0; round < SIMD_ROUNDS(20); round++) {
		AUTO(simd_page_finish) struct simd_page page;

		pthread_mutex_lock(&turn);
		simd_fs_page_init(&page, 1 + rip_test_below(3000), 1 + rip_test_below(300), 1,
				  NO_CURVE, 2 + rip_test_below(3));
		pthread_mutex_unlock(&turn);
		simd_page_clear(&page);
		assert_int_equal(rip_simd_queue_push(&queue, best(), &page.strip, 1), 0);
		rip_team_queue_wait(&queue);
		simd_page_check(&page, "client", "");
	}
	rip_team_queue_finish(&queue);
	return NULL;
}

TEST(clients)
{
	enum { CLIENTS = 5 };
	const struct rip_isa *isa = best();
	struct rip_team *team;
	pthread_t threads[CLIENTS];

	if (!isa)
		skip();
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 3, &team), 0);
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, client, team), 0);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	rip_team_put(team);
}

/* Planes of a page: strips of any height, those of one row too, all of one push. */
TEST(planes)
{
	enum { PLANES = 3 };
	const struct rip_isa *isa = best();
	struct rip_team *team;

	if (!isa)
		skip();
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 3, &team), 0);
	for (int round = 0; round < SIMD_ROUNDS(40); round++) {
		const struct rip_page_spec spec = { .width = 1 + rip_test_below(2500),
						    .planes = PLANES,
						    .levels = 2 + rip_test_below(15),
						    .sample_bits = 8,
						    .screen = &rip_screens[RIP_FLOYD_STEINBERG] };
		const uint32_t count = 1 + rip_test_below(300);
		struct rip_tone tone;
		struct rip_simd_planes planes;
		struct rip_strip strips[PLANES * 300];
		struct simd_page pages[PLANES];
		unsigned n = 0;

		assert_int_equal(rip_tone_init(&tone, &spec), 0);
		assert_int_equal(rip_simd_planes_init(&planes, &spec, &tone, isa, team), 0);
		for (uint32_t p = 0; p < PLANES; p++) {
			const struct rip_simd_strip *r = &pages[p].strip;

			simd_fs_page_init(&pages[p], spec.width, count, 1, NO_CURVE, spec.levels);
			simd_page_clear(&pages[p]);
			rip_simd_planes_import(&planes, p, r->carry[0]);
			for (uint32_t row = 0, rows; row < count; row += rows) {
				const struct rip_simd_strip at = simd_strip_part(r, row, 1);

				rows = rip_test_below(3) ? 1 + rip_test_below(4) :
							   1 + rip_test_below(200);
				rows = rows < count - row ? rows : count - row;
				strips[n++] = (struct rip_strip){
					.plane = p, .rows = rows,
					.in = at.in, .in_pitch = at.in_pitch,
					.out = at.out, .out_pitch = at.out_pitch,
				};
			}
		}
		assert_int_equal(rip_simd_planes_push(&planes, strips, n), 0);
		rip_simd_planes_wait(&planes);
		for (uint32_t p = 0; p < PLANES; p++) {
			rip_simd_planes_export(&planes, p, pages[p].strip.carry[0]);
			simd_page_check(&pages[p], "planes", "");
			simd_page_finish(&pages[p]);
		}
		rip_simd_planes_finish(&planes);
		rip_tone_finish(&tone);
	}
	rip_team_put(team);
}

/* Threads without work sleep. */
TEST(idle)
{
	const struct timespec rest = { .tv_nsec = 300000000 };
	const struct rip_isa *isa = best();
	struct rip_team *team;
	double before;

	if (!isa)
		skip();
	assert_int_equal(rip_team_get(isa, rip_simd_memory(isa), 8, &team), 0);
	use_team(team);
	before = simd_seconds(CLOCK_PROCESS_CPUTIME_ID);
	nanosleep(&rest, NULL);
	assert_true(simd_seconds(CLOCK_PROCESS_CPUTIME_ID) - before < 0.05);
	rip_team_put(team);
}

/* What is allowed counts, not what there is. */
TEST(processors)
{
	const unsigned quota = rip_cpu_quota(""); /* of this machine, see test-quota */
	cpu_set_t before, one;
	unsigned count;
	int first = 0;

	assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
	count = (unsigned)CPU_COUNT(&before);
	assert_int_equal(rip_cpu_count(), quota && quota < count ? quota : count);
	while (!CPU_ISSET(first, &before))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_int_equal(rip_cpu_count(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}
