/* Threads that run SIMD tasks. */
#include "simd_team.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long a thread that finds nothing to do looks for more until it sleeps: about what
 * waking it takes, on a virtual machine, or what a strip does. */
#define SPIN_NS 50000

/* Pixels that are worth waking others for: what one thread does meanwhile. */
#define WORTH_WAKING (1u << 19)

struct rip_team_task {
	struct rip_simd_task  simd;
	struct rip_simd_queue *queue;
	struct rip_team_task  *after;   /* the last one with the same carry, or NULL */
	unsigned               workers; /* threads in it */
	bool                   done;
};

struct rip_simd_team {
	const struct rip_simd_isa *isa;
	unsigned threads, references;
	struct rip_simd_team *next; /* in teams */

	pthread_mutex_t lock; /* of all below, and of queues and tasks */
	pthread_cond_t  work; /* helpers wait for a task to take */
	pthread_cond_t  done; /* queues wait for a task to end */
	struct rip_simd_queue *queues; /* that have open tasks, the oldest first */
	unsigned sleeping;    /* helpers */
	bool     stop;
	atomic_uint events;   /* counts what a helper may have waited for */
	unsigned started;     /* helpers */
	struct helper {
		struct rip_simd_team  *team;
		struct rip_simd_memory memory;
		pthread_t              thread;
	} helpers[]; /* threads - 1 */
};

static pthread_mutex_t teams_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rip_simd_team *teams;

/* --- memory of a thread --------------------------------------------------------------- */

static int memory_new(struct rip_simd_memory *memory, const struct rip_simd_isa *isa)
{
	const struct rip_simd_kernel *kernels[] = { isa->wide, isa->narrow };

	for (int i = 0; i < 2; i++) {
		memory->ready[i] = false;
		memory->kernels[i] = NULL;
	}
	for (int i = 0; i < 2; i++)
		if (kernels[i] && !(memory->kernels[i] = aligned_alloc(64, kernels[i]->size)))
			return -ENOMEM;
	return 0;
}

static void memory_free(struct rip_simd_memory *memory)
{
	for (int i = 0; i < 2; i++)
		free(memory->kernels[i]);
}

static void run(struct rip_simd_task *task, const struct rip_simd_isa *isa,
		struct rip_simd_memory *memory)
{
	const int i = task->kernel == isa->narrow;

	if (!memory->ready[i])
		task->kernel->init(memory->kernels[i]);
	memory->ready[i] = true;
	task->kernel->run(memory->kernels[i], task);
}

/* --- spinning --------------------------------------------------------------------------- */

/* Until *what is no more `from`, for a while.  false: it still is. */
static bool spin(const atomic_uint *what, unsigned from)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (int i = 0; i < 16; i++) {
			if (atomic_load_explicit(what, memory_order_acquire) != from)
				return true;
			rip_simd_pause();
		}
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000000000LL + now.tv_nsec - start.tv_nsec < SPIN_NS);
	return false;
}

/* --- tasks ------------------------------------------------------------------------------ */

/* The task with the fewest workers that can use one more; of a queue, or of all. */
static struct rip_team_task *find_locked(struct rip_simd_queue *queue, bool all)
{
	struct rip_team_task *best = NULL;

	for (; queue; queue = all ? queue->next : NULL)
		for (uint32_t i = 0; i < queue->count; i++) {
			struct rip_team_task *task = queue->tasks[i];

			if (!task->done && !rip_simd_task_is_drawn(&task->simd) &&
			    (!task->after || task->after->done) &&
			    task->workers < task->simd.threads_max &&
			    (!best || task->workers < best->workers))
				best = task;
		}
	return best;
}

static void unlink_locked(struct rip_simd_team *team, struct rip_simd_queue *queue)
{
	struct rip_simd_queue **at = &team->queues;

	while (*at != queue)
		at = &(*at)->next;
	*at = queue->next;
}

/* Wakes one helper, as that takes the caller some microseconds; it wakes two more, if there
 * is work for them. */
static void wake_locked(struct rip_simd_team *team)
{
	atomic_fetch_add_explicit(&team->events, 1, memory_order_relaxed);
	if (team->sleeping)
		pthread_cond_signal(&team->work);
}

/* Unlocks while it works.  Who leaves last ends the task: nobody joins when all groups are
 * drawn. */
static void work_locked(struct rip_simd_team *team, struct rip_team_task *task,
			struct rip_simd_memory *memory)
{
	struct rip_simd_queue *queue = task->queue;

	task->workers++;
	pthread_mutex_unlock(&team->lock);
	run(&task->simd, team->isa, memory);
	pthread_mutex_lock(&team->lock);
	if (--task->workers > 0 || task->done)
		return;
	task->done = true;
	if (atomic_load_explicit(&queue->open, memory_order_relaxed) == 1)
		unlink_locked(team, queue);
	else
		wake_locked(team); /* for one that comes after it */
	/* From here on the queue may be gone. */
	atomic_fetch_sub_explicit(&queue->open, 1, memory_order_release);
	pthread_cond_broadcast(&team->done);
}

/* --- helpers ---------------------------------------------------------------------------- */

/* For who was woken, and will work on a task. */
static void wake_more_locked(struct rip_simd_team *team, struct rip_team_task *task)
{
	task->workers++;
	for (int i = 0; i < 2 && team->sleeping && find_locked(team->queues, true); i++)
		pthread_cond_signal(&team->work);
	task->workers--;
}

static void *help(void *argument)
{
	struct helper *helper = argument;
	struct rip_simd_team *team = helper->team;
	bool slept = false;

	pthread_mutex_lock(&team->lock);
	while (!team->stop) {
		struct rip_team_task *task = find_locked(team->queues, true);
		unsigned events;

		if (task) {
			if (slept)
				wake_more_locked(team, task);
			slept = false;
			work_locked(team, task, &helper->memory);
			continue;
		}
		events = atomic_load_explicit(&team->events, memory_order_relaxed);
		pthread_mutex_unlock(&team->lock);
		spin(&team->events, events);
		pthread_mutex_lock(&team->lock);
		while (!team->stop &&
		       atomic_load_explicit(&team->events, memory_order_relaxed) == events) {
			team->sleeping++;
			pthread_cond_wait(&team->work, &team->lock);
			team->sleeping--;
			slept = true;
		}
	}
	pthread_mutex_unlock(&team->lock);
	return NULL;
}

/* Fewer threads than asked for are no error: the one that waits does the work, too. */
static void start_locked(struct rip_simd_team *team)
{
	sigset_t all, before;

	if (team->started == team->threads - 1)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the caller's business */
	for (; team->started < team->threads - 1; team->started++) {
		struct helper *helper = &team->helpers[team->started];

		helper->team = team;
		if (memory_new(&helper->memory, team->isa) < 0 ||
		    pthread_create(&helper->thread, NULL, help, helper) != 0) {
			memory_free(&helper->memory);
			break;
		}
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- teams ------------------------------------------------------------------------------- */

int rip_simd_team_get(const struct rip_simd_isa *isa, unsigned threads, struct rip_simd_team **out)
{
	struct rip_simd_team *team;
	int r = 0;

	pthread_mutex_lock(&teams_lock);
	for (team = teams; team; team = team->next)
		if (team->isa == isa && team->threads == threads)
			break;
	if (team) {
		team->references++;
	} else if ((team = calloc(1, sizeof *team + (threads - 1) * sizeof team->helpers[0]))) {
		team->isa = isa;
		team->threads = threads;
		team->references = 1;
		pthread_mutex_init(&team->lock, NULL);
		pthread_cond_init(&team->work, NULL);
		pthread_cond_init(&team->done, NULL);
		team->next = teams;
		teams = team;
	} else {
		r = -ENOMEM;
	}
	pthread_mutex_unlock(&teams_lock);
	*out = team;
	return r;
}

static void team_free(struct rip_simd_team *team)
{
	pthread_mutex_lock(&team->lock);
	team->stop = true;
	atomic_fetch_add_explicit(&team->events, 1, memory_order_relaxed);
	pthread_cond_broadcast(&team->work);
	pthread_mutex_unlock(&team->lock);
	for (unsigned i = 0; i < team->started; i++) {
		pthread_join(team->helpers[i].thread, NULL);
		memory_free(&team->helpers[i].memory);
	}
	pthread_cond_destroy(&team->done);
	pthread_cond_destroy(&team->work);
	pthread_mutex_destroy(&team->lock);
	free(team);
}

void rip_simd_team_put(struct rip_simd_team *team)
{
	struct rip_simd_team **at = &teams;

	if (!team)
		return;
	pthread_mutex_lock(&teams_lock);
	if (--team->references > 0) {
		team = NULL;
	} else {
		while (*at != team)
			at = &(*at)->next;
		*at = team->next;
	}
	pthread_mutex_unlock(&teams_lock);
	if (team)
		team_free(team);
}

/* --- queues ------------------------------------------------------------------------------- */

int rip_simd_queue_init(struct rip_simd_queue *queue, struct rip_simd_team *team)
{
	memset(queue, 0, sizeof *queue);
	queue->team = team;
	return memory_new(&queue->memory, team->isa);
}

void rip_simd_queue_finish(struct rip_simd_queue *queue)
{
	if (!queue->team)
		return;
	rip_simd_queue_wait(queue);
	for (uint32_t i = 0; i < queue->room; i++)
		free(queue->tasks[i]);
	free(queue->tasks);
	memory_free(&queue->memory);
	queue->team = NULL;
}

/* Room for that many tasks.  Tasks stay where they are: others may work on them. */
static int make_room(struct rip_simd_queue *queue, uint32_t count)
{
	struct rip_team_task **tasks;

	if (count <= queue->room)
		return 0;
	tasks = malloc(count * sizeof *tasks);
	if (!tasks)
		return -ENOMEM;
	pthread_mutex_lock(&queue->team->lock);
	if (queue->room)
		memcpy(tasks, queue->tasks, queue->room * sizeof *tasks);
	free(queue->tasks);
	queue->tasks = tasks;
	pthread_mutex_unlock(&queue->team->lock);
	for (; queue->room < count; queue->room++) {
		struct rip_team_task *task =
			aligned_alloc(_Alignof(struct rip_team_task), sizeof *task);

		if (!task)
			return -ENOMEM;
		queue->tasks[queue->room] = task;
	}
	return 0;
}

int rip_simd_queue_push(struct rip_simd_queue *queue, const struct rip_simd_strip *strips,
			uint32_t count)
{
	struct rip_simd_team *team = queue->team;
	uint64_t pixels = 0;
	int r;

	if (count == 0)
		return 0;
	if (atomic_load_explicit(&queue->open, memory_order_acquire) == 0)
		queue->count = 0; /* those of before are done */
	r = make_room(queue, queue->count + count);
	if (r < 0)
		return r;
	pthread_mutex_lock(&team->lock);
	for (uint32_t i = 0; i < count; i++) {
		struct rip_team_task *task = queue->tasks[queue->count];

		task->queue = queue;
		task->after = NULL;
		task->workers = 0;
		task->done = false;
		for (uint32_t k = queue->count; !task->after && k > 0; k--)
			if (queue->tasks[k - 1]->simd.strip.carry == strips[i].carry)
				task->after = queue->tasks[k - 1];
		rip_simd_task_init(&task->simd, team->isa, &strips[i], team->threads);
		pixels += (uint64_t)strips[i].width * strips[i].rows;
		queue->count++;
	}
	if (atomic_fetch_add_explicit(&queue->open, count, memory_order_relaxed) == 0) {
		struct rip_simd_queue **at = &team->queues;

		while (*at)
			at = &(*at)->next;
		*at = queue;
		queue->next = NULL;
	}
	start_locked(team);
	if (pixels >= WORTH_WAKING)
		wake_locked(team);
	pthread_mutex_unlock(&team->lock);
	return 0;
}

void rip_simd_queue_wait(struct rip_simd_queue *queue)
{
	struct rip_simd_team *team = queue->team;
	unsigned open;

	if (atomic_load_explicit(&queue->open, memory_order_acquire) == 0)
		return;
	pthread_mutex_lock(&team->lock);
	while ((open = atomic_load_explicit(&queue->open, memory_order_relaxed)) > 0) {
		struct rip_team_task *task = find_locked(queue, false);

		if (task) {
			work_locked(team, task, &queue->memory);
			continue;
		}
		pthread_mutex_unlock(&team->lock);
		if (spin(&queue->open, open) &&
		    atomic_load_explicit(&queue->open, memory_order_acquire) == 0)
			return;
		pthread_mutex_lock(&team->lock);
		if (atomic_load_explicit(&queue->open, memory_order_relaxed) == open &&
		    !find_locked(queue, false))
			pthread_cond_wait(&team->done, &team->lock);
	}
	pthread_mutex_unlock(&team->lock);
}
