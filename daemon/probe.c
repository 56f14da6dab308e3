/* Looks for a GPU in a thread of its own. */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "gpu/engine_cuda.h"
#include "scheduler.h"
#include "settings.h"
#include "wire/protocol.h"

struct rip_probe {
	pthread_t   thread;
	int         number;
	int         fd;
	atomic_bool ended;  /* what follows can be read */
	int         result;
	int         count;
	struct rip_engine *failed; /* to be freed first, or NULL */
	struct rip_engine *engine; /* NULL once it was taken */
	char        why[RIP_REASON_MAX + 1];
};

static void *look(void *argument)
{
	struct rip_probe *probe = argument;
	const struct rip_cuda_config config = { .method = RIP_METHOD_AUTO,
						.device = probe->number,
						/* a band each, as clients divide the ring; those
						 * of long rows may be several chunks */
						.chunk_bytes = RIP_RING_IN / RIP_BANDS_IN_FLIGHT,
						.chunks = RIP_ON_THEIR_WAY };
	const uint64_t one = 1;

	if (probe->failed)
		probe->failed->ops->free(probe->failed);
	probe->result = rip_engine_cuda_new(&config, &probe->engine, probe->why,
					    sizeof probe->why);
	if (probe->result < 0) {
		probe->engine = NULL;
		if (!probe->why[0])
			snprintf(probe->why, sizeof probe->why, "%s", strerror(-probe->result));
	}
	probe->count = rip_engine_cuda_devices();
	atomic_store(&probe->ended, true);
	(void)!write(probe->fd, &one, sizeof one); /* cannot fail: it is the only one */
	return NULL;
}

int rip_probe_new(int number, struct rip_engine *failed, struct rip_probe **out)
{
	struct rip_probe *probe = calloc(1, sizeof *probe);
	sigset_t all, before;
	int r;

	*out = NULL;
	if (!probe)
		return -ENOMEM;
	probe->number = number;
	probe->failed = failed;
	probe->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (probe->fd < 0) {
		r = -errno;
		free(probe);
		return r;
	}
	/* Threads that the driver makes must not take the event loop's signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = -pthread_create(&probe->thread, NULL, look, probe);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r < 0) {
		close(probe->fd);
		free(probe);
		return r;
	}
	*out = probe;
	return 0;
}

int rip_probe_fd(const struct rip_probe *probe)
{
	return probe->fd;
}

int rip_probe_result(struct rip_probe *probe, struct rip_engine **engine, int *count, char *why,
		     size_t size)
{
	if (!atomic_load(&probe->ended))
		return -EAGAIN;
	*engine = probe->engine;
	probe->engine = NULL;
	*count = probe->count;
	snprintf(why, size, "%s", probe->why);
	return probe->result;
}

bool rip_probe_free(struct rip_probe *probe)
{
	if (!probe)
		return true;
	if (!atomic_load(&probe->ended)) {
		pthread_detach(probe->thread);
		return false;
	}
	pthread_join(probe->thread, NULL);
	if (probe->engine)
		probe->engine->ops->free(probe->engine);
	close(probe->fd);
	free(probe);
	return true;
}
