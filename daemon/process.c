/* The processes that have connections. */
#include "config.h"

#include "process.h"

#include <stdlib.h>

struct rip_process *rip_process_enter(struct rip_process **list, const struct rip_process_id *id)
{
	struct rip_process *process = *list;

	while (process && !rip_process_same(&process->id, id))
		process = process->next;
	if (!process) {
		process = calloc(1, sizeof *process);
		if (!process)
			return NULL;
		process->id = *id;
		rip_share_init(&process->share);
		process->next = *list;
		*list = process;
	}
	process->connections++;
	return process;
}

void rip_process_leave(struct rip_process **list, struct rip_process *process)
{
	if (--process->connections)
		return;
	while (*list != process)
		list = &(*list)->next;
	*list = process->next;
	free(process);
}
