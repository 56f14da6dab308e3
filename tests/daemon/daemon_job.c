/* A job as the filter does it. */
#include "tests/tools/common.h"

#include "daemon_job.h"

#include <sys/prctl.h>

#include "lib/halftoner.h"

static void note(void *context, enum riptide_log_level level, const char *text)
{
	struct job *job = context;

	job->warnings += level == RIPTIDE_LOG_WARNING;
	if (level >= RIPTIDE_LOG_WARNING)
		snprintf(job->said, sizeof job->said, "%s", text);
}

/* One page: the bands that are in flight are a ring of those that were made. */
static int print_page(struct job *job, struct rip_halftoner *halftoner, const struct page *page)
{
	struct rip_band *bands[RIP_BANDS_IN_FLIGHT] = { NULL }, *band;
	uint32_t first[RIP_BANDS_IN_FLIGHT], row = 0, rows = job->rows;
	unsigned given = 0, taken = 0, depth;
	int r;

	rip_halftoner_want_pixels(halftoner, page_pitch(page), page_step(page),
				   page->pixels ? &page->limit : NULL);
	r = rip_halftoner_begin(halftoner, &page->spec, page->height, page->start);

	depth = rip_halftoner_depth(halftoner);
	if (rows > rip_halftoner_band_rows(halftoner))
		rows = rip_halftoner_band_rows(halftoner);
	for (unsigned i = 0; r == 0 && i < depth; i++)
		r = rip_band_new(&page->spec, rows, &bands[i]);
	while (r == 0 && (row < page->height || taken < given)) {
		if (row < page->height && given - taken < depth) {
			const unsigned at = given++ % depth;
			const uint32_t count = page->height - row < rows ? page->height - row :
									   rows;

			rip_band_reset(bands[at], row);
			if (given % 3) /* else it is copied to the ring */
				rip_halftoner_fill(halftoner, bands[at]);
			page_put(page, bands[at], row, count);
			first[at] = row;
			row += count;
			r = rip_halftoner_submit(halftoner, bands[at]);
		} else {
			const unsigned at = taken++ % depth;

			r = rip_halftoner_collect(halftoner, &band);
			if (r == 0)
				job->wrong += band == bands[at]
						      ? page_compare(page, band, first[at]) : 1;
		}
	}
	for (unsigned i = 0; i < depth; i++)
		if (r == 0)
			rip_band_free(bands[i]);
	return r;
}

int job_print(struct job *job, const struct page *const *pages, unsigned count)
{
	const struct rip_halftoner_config config = {
		.socket = job->socket, .job = job->number, .queue = "test", .device = -1,
		.threads = 1, .log = note, .context = job,
	};
	struct rip_halftoner *halftoner;
	int r;

	job->warnings = job->wrong = 0;
	job->said[0] = '\0';
	r = rip_halftoner_new(&config, &halftoner);
	for (unsigned i = 0; r == 0 && i < count; i++)
		r = print_page(job, halftoner, pages[i]);
	rip_halftoner_free(halftoner);
	return r;
}

pid_t job_fork(const struct job *job, const struct page *const *pages, unsigned count,
	       unsigned warnings)
{
	struct job own = *job;
	pid_t pid;
	int r;

	pid = fork_child();
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(600);
	r = job_print(&own, pages, count);
	if (r < 0 || own.wrong || own.warnings > warnings) {
		fprintf(stderr, "job %u: %s, %u rows are wrong, %u warnings: %s\n", own.number,
			strerror(-r), own.wrong, own.warnings, own.said);
		_exit(1);
	}
	_exit(0);
}

bool job_ended(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
