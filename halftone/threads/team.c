/* Teams of threads that compute tasks. */
#include "team.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/clock.h"

/* How long a thread that finds nothing to do looks for more before it sleeps: about what
 * waking it takes on a virtual machine, or what a small band does. */
#define SPIN_NS 50000

/* How long a thread sleeps that waits for one without a processor. */
#define NAP_NS 50000

/* Work that is worth waking others for. */
#define WORTH_WAKING_NS 65000

struct rip_team {
	const void *kind;
	size_t memory;
	unsigned threads, references;
	pid_t process;         /* whose helpers they are: a child of fork() has none of them */
	struct rip_team *next; /* in teams */

	pthread_mutex_t lock; /* of all below, and of queues and tasks */
	pthread_cond_t  work; /* helpers wait for a task to take */
	pthread_cond_t  done; /* queues wait for a task to end */
	struct rip_team_queue *queues; /* that have open tasks, the oldest first */
	unsigned sleeping;    /* helpers */
	bool     stop;
	atomic_uint events;   /* counts what a helper may have waited for */
	unsigned started;     /* helpers */
	struct helper {
		struct rip_team *team;
		void            *memory;
		pthread_t        thread;
	} helpers[]; /* threads - 1 */
};

static pthread_mutex_t teams_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rip_team *teams;

/* --- memory of a thread --------------------------------------------------------------- */

/* NULL is an error only where the team has memory. */
static int memory_new(const struct rip_team *team, void **memory)
{
	const size_t size = (team->memory + 63) & ~(size_t)63;

	*memory = size > 0 ? aligned_alloc(64, size) : NULL;
	if (size > 0 && !*memory)
		return -ENOMEM;
	if (size > 0)
		memset(*memory, 0, 64);
	return 0;
}

/* --- spinning --------------------------------------------------------------------------- */

/* Waits for a while until *what is no longer `from`.  false: it still is. */
static bool spin(const atomic_uint *what, unsigned from)
{
	const int64_t end = rip_clock_ns() + SPIN_NS;

	do {
		for (int i = 0; i < 16; i++) {
			if (atomic_load_explicit(what, memory_order_acquire) != from)
				return true;
			rip_team_pause();
		}
	} while (rip_clock_ns() < end);
	return false;
}

/* --- tasks ------------------------------------------------------------------------------ */

void rip_team_task_init(struct rip_team_task *task)
{
	atomic_store_explicit(&task->next, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < task->groups && i < RIP_TEAM_COUNTERS; i++)
		atomic_store_explicit(&task->progress[i].columns, 0, memory_order_relaxed);
}

/* The group above will be ready soon, unless its thread has no processor: then this one
 * leaves it its own, and at last sleeps, or it would use up the processor time that a
 * control group has for both. */
uint64_t rip_team_task_wait(struct rip_team_task *task, uint32_t n, uint32_t columns)
{
	const uint64_t wanted = rip_team_counter_value(n, columns);
	uint64_t published;

	for (unsigned spins = 0; (published = rip_team_task_published(task, n)) < wanted; spins++)
		if (spins < 1000)
			rip_team_pause();
		else if (spins < 1100)
			sched_yield();
		else
			nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
	return published;
}

/* The task with the fewest workers that can use one more; of a queue, or of all. */
static struct rip_team_task *find_locked(struct rip_team_queue *queue, bool all)
{
	struct rip_team_task *best = NULL;

	for (; queue; queue = all ? queue->next : NULL)
		for (uint32_t i = 0; i < queue->count; i++) {
			struct rip_team_task *task = queue->tasks[i];

			if (!task->done && !rip_team_task_is_drawn(task) &&
			    (!task->after || task->after->done) &&
			    task->workers < task->threads_max &&
			    (!best || task->workers < best->workers))
				best = task;
		}
	return best;
}

static void unlink_locked(struct rip_team *team, struct rip_team_queue *queue)
{
	struct rip_team_queue **at = &team->queues;

	while (*at != queue)
		at = &(*at)->next;
	*at = queue->next;
}

/* Wakes one helper, as that takes the caller some microseconds; it wakes two more, if there
 * is work for them. */
static void wake_locked(struct rip_team *team)
{
	atomic_fetch_add_explicit(&team->events, 1, memory_order_relaxed);
	if (team->sleeping)
		pthread_cond_signal(&team->work);
}

/* Unlocks while it works.  Who leaves last ends the task: nobody joins when all groups are
 * drawn. */
static void work_locked(struct rip_team *team, struct rip_team_task *task,
			void *memory)
{
	struct rip_team_queue *queue = task->queue;

	task->workers++;
	pthread_mutex_unlock(&team->lock);
	task->run(task, memory);
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
static void wake_more_locked(struct rip_team *team, struct rip_team_task *task)
{
	task->workers++;
	for (int i = 0; i < 2 && team->sleeping && find_locked(team->queues, true); i++)
		pthread_cond_signal(&team->work);
	task->workers--;
}

static void *help(void *argument)
{
	struct helper *helper = argument;
	struct rip_team *team = helper->team;
	bool slept = false;

	pthread_mutex_lock(&team->lock);
	while (!team->stop) {
		struct rip_team_task *task = find_locked(team->queues, true);
		unsigned events;

		if (task) {
			if (slept)
				wake_more_locked(team, task);
			slept = false;
			work_locked(team, task, helper->memory);
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
static void start_locked(struct rip_team *team)
{
	sigset_t all, before;

	if (team->started == team->threads - 1)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the caller's business */
	for (; team->started < team->threads - 1; team->started++) {
		struct helper *helper = &team->helpers[team->started];

		helper->team = team;
		if (memory_new(team, &helper->memory) < 0 ||
		    pthread_create(&helper->thread, NULL, help, helper) != 0) {
			free(helper->memory);
			break;
		}
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- teams ------------------------------------------------------------------------------- */

int rip_team_get(const void *kind, size_t memory, unsigned threads, struct rip_team **out)
{
	struct rip_team *team;
	int r = 0;

	pthread_mutex_lock(&teams_lock);
	for (team = teams; team; team = team->next)
		if (team->kind == kind && team->threads == threads && team->process == getpid())
			break;
	if (team) {
		team->references++;
	} else if ((team = calloc(1, sizeof *team + (threads - 1) * sizeof team->helpers[0]))) {
		team->kind = kind;
		team->memory = memory;
		team->threads = threads;
		team->process = getpid();
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

static void team_free(struct rip_team *team)
{
	pthread_mutex_lock(&team->lock);
	team->stop = true;
	atomic_fetch_add_explicit(&team->events, 1, memory_order_relaxed);
	pthread_cond_broadcast(&team->work);
	pthread_mutex_unlock(&team->lock);
	for (unsigned i = 0; i < team->started; i++) {
		pthread_join(team->helpers[i].thread, NULL);
		free(team->helpers[i].memory);
	}
	pthread_cond_destroy(&team->done);
	pthread_cond_destroy(&team->work);
	pthread_mutex_destroy(&team->lock);
	free(team);
}

void rip_team_put(struct rip_team *team)
{
	struct rip_team **at = &teams;

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

unsigned rip_team_threads(const struct rip_team *team)
{
	return team->threads;
}

/* --- queues ------------------------------------------------------------------------------- */

int rip_team_queue_init(struct rip_team_queue *queue, struct rip_team *team, size_t task_size)
{
	memset(queue, 0, sizeof *queue);
	queue->team = team;
	queue->task_size = (task_size + 63) & ~(size_t)63;
	return memory_new(team, &queue->memory);
}

void rip_team_queue_finish(struct rip_team_queue *queue)
{
	if (!queue->team)
		return;
	rip_team_queue_wait(queue);
	for (uint32_t i = 0; i < queue->room; i++)
		free(queue->tasks[i]);
	free(queue->tasks);
	free(queue->memory);
	queue->team = NULL;
}

/* Tasks stay where they are: others may work on them. */
static int make_room(struct rip_team_queue *queue, uint32_t count)
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
		struct rip_team_task *task = aligned_alloc(64, queue->task_size);

		if (!task)
			return -ENOMEM;
		queue->tasks[queue->room] = task;
	}
	return 0;
}

/* Starts the next `count` tasks, which are filled. */
static void start_tasks(struct rip_team_queue *queue, uint32_t count)
{
	struct rip_team *team = queue->team;
	uint64_t ns = 0;

	if (count == 0)
		return;
	pthread_mutex_lock(&team->lock);
	for (uint32_t i = 0; i < count; i++) {
		struct rip_team_task *task = queue->tasks[queue->count];

		task->queue = queue;
		task->after = NULL;
		task->workers = 0;
		task->done = false;
		for (uint32_t k = queue->count; !task->after && k > 0; k--)
			if (queue->tasks[k - 1]->carry == task->carry)
				task->after = queue->tasks[k - 1];
		ns += task->ns;
		queue->count++;
	}
	if (atomic_fetch_add_explicit(&queue->open, count, memory_order_relaxed) == 0) {
		struct rip_team_queue **at = &team->queues;

		while (*at)
			at = &(*at)->next;
		*at = queue;
		queue->next = NULL;
	}
	start_locked(team);
	if (ns >= WORTH_WAKING_NS)
		wake_locked(team);
	pthread_mutex_unlock(&team->lock);
}

int rip_team_queue_push(struct rip_team_queue *queue, uint32_t count, rip_team_fill *fill,
			const void *context)
{
	uint32_t filled = 0;
	int r;

	if (rip_team_queue_is_empty(queue))
		queue->count = 0; /* earlier tasks are done */
	r = make_room(queue, queue->count + count);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < count; i++)
		filled += fill(queue->tasks[queue->count + filled], context, i);
	start_tasks(queue, filled);
	return 0;
}

void rip_team_queue_wait(struct rip_team_queue *queue)
{
	struct rip_team *team = queue->team;
	unsigned open;

	if (rip_team_queue_is_empty(queue))
		return;
	pthread_mutex_lock(&team->lock);
	while ((open = atomic_load_explicit(&queue->open, memory_order_relaxed)) > 0) {
		struct rip_team_task *task = find_locked(queue, false);

		if (task) {
			work_locked(team, task, queue->memory);
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
