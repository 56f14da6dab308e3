#include "status_ink.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image/complain.h"
#include "status_print.h"
#include "wire/codec.h"

#define CACHE "/var/cache/cups" /* of CUPS, where the environment names no other */
#define UNIT  1e7 /* thousandths of a square centimetre in a square metre */

/* ---- files ---- */

static int is_tally(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name), ending = strlen(RIP_INK_TALLY_ENDING);

	return *entry->d_name != '.' && length > ending && length - ending <= RIP_INK_TALLY_QUEUE_MAX &&
	       !strcmp(entry->d_name + length - ending, RIP_INK_TALLY_ENDING);
}

/* path: of the folder. */
static void add(struct rip_ink_queues *queues, int folder, const char *path, const char *file)
{
	struct rip_ink_queue *queue = &queues->queue[queues->count];
	int r;

	if (queues->count == RIP_INK_QUEUES_MAX)
		return;
	r = rip_ink_tally_read(folder, file, &queue->tally);
	if (r < 0 && r != -ENOENT) /* removed meanwhile */
		rip_complain(r, "WARNING: the ink in %s/%s is not shown: %s", path, file,
			     r == -EBADMSG ? "the file is damaged" : strerror(-r));
	if (r < 0)
		return;
	snprintf(queue->name, sizeof queue->name, "%.*s",
		 (int)(strlen(file) - strlen(RIP_INK_TALLY_ENDING)), file);
	queues->count++;
}

int rip_ink_queues_read(struct rip_ink_queues *queues, char *path, size_t size)
{
	const char *cache = getenv("CUPS_CACHEDIR");
	struct dirent **entries = NULL;
	int folder, count, r = 0;

	*queues = (struct rip_ink_queues){ 0 };
	snprintf(path, size, "%s/" RIP_INK_TALLY_FOLDER, cache && *cache ? cache : CACHE);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return errno == ENOENT ? 0 : -errno;
	count = scandir(path, &entries, is_tally, alphasort);
	if (count < 0)
		r = -errno;
	else if (!(queues->queue = calloc(RIP_INK_QUEUES_MAX, sizeof *queues->queue)))
		r = -ENOMEM;
	for (int i = 0; i < count; i++) {
		if (r == 0)
			add(queues, folder, path, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	close(folder);
	return r;
}

void rip_ink_queues_finish(struct rip_ink_queues *queues)
{
	free(queues->queue);
	*queues = (struct rip_ink_queues){ 0 };
}

/* ---- text ---- */

static double percent(const struct rip_ink_tally *tally, uint32_t ink)
{
	return tally->ink[ink].paper ?
	       100 * (double)tally->ink[ink].full / (double)tally->ink[ink].paper : 0;
}

static double amount_of(const struct rip_ink_amounts *amounts, const struct rip_ink_tally *tally,
			uint32_t ink)
{
	return rip_ink_amount(amounts, ink, (double)tally->ink[ink].full / UNIT);
}

void rip_ink_queues_print(FILE *out, const struct rip_ink_queues *queues,
			  const struct rip_ink_amounts *amounts)
{
	for (unsigned i = 0; i < queues->count; i++) {
		const struct rip_ink_tally *tally = &queues->queue[i].tally;
		const time_t since = (time_t)tally->since;
		char name[4 * RIP_INK_TALLY_QUEUE_MAX + 1], date[32] = "";
		struct tm broken;

		rip_text_show(name, sizeof name, queues->queue[i].name);
		if (localtime_r(&since, &broken))
			strftime(date, sizeof date, " since %Y-%m-%d", &broken);
		fprintf(out, "Ink of %s%s: %" PRIu64 " job%s, %" PRIu64 " page%s\n", name, date, tally->jobs,
			tally->jobs == 1 ? "" : "s", tally->pages, tally->pages == 1 ? "" : "s");
		for (uint32_t k = 0; k < tally->count; k++) {
			fprintf(out, "  %-4s %7.3f %%  %12.3f cm2", tally->ink[k].name, percent(tally, k),
				(double)tally->ink[k].full / 1000);
			if (amounts->count)
				fprintf(out, "  %10.4f %s", amount_of(amounts, tally, k),
					rip_ink_amounts_unit(amounts));
			putc('\n', out);
		}
	}
}

static void print_json_ink(FILE *out, const struct rip_ink_tally *tally, uint32_t ink,
			   const struct rip_ink_amounts *amounts)
{
	fprintf(out, "{\"ink\":\"%s\",\"percent\":%.6f,\"full_cm2\":%" PRIu64 ".%03" PRIu64,
		tally->ink[ink].name, percent(tally, ink), tally->ink[ink].full / 1000,
		tally->ink[ink].full % 1000);
	if (amounts->count)
		fprintf(out, ",\"%s\":%.6f", rip_ink_amounts_unit(amounts), amount_of(amounts, tally, ink));
	putc('}', out);
}

void rip_ink_queues_print_json(FILE *out, const struct rip_ink_queues *queues,
			       const struct rip_ink_amounts *amounts)
{
	fputs("\"ink\":[", out);
	for (unsigned i = 0; i < queues->count; i++) {
		const struct rip_ink_tally *tally = &queues->queue[i].tally;

		fprintf(out, "%s{\"queue\":", i ? "," : "");
		rip_status_print_string(out, queues->queue[i].name);
		fprintf(out, ",\"since\":%" PRIu64 ",\"jobs\":%" PRIu64 ",\"pages\":%" PRIu64 ",\"inks\":[",
			tally->since, tally->jobs, tally->pages);
		for (uint32_t k = 0; k < tally->count; k++) {
			fputs(k ? "," : "", out);
			print_json_ink(out, tally, k, amounts);
		}
		fputs("]}", out);
	}
	putc(']', out);
}

/* ---- metrics ---- */

static void print_label(FILE *out, const char *name, const struct rip_ink_queue *queue, const char *ink)
{
	fprintf(out, "riptide_%s{queue=", name);
	rip_status_print_string(out, queue->name);
	if (ink)
		fprintf(out, ",ink=\"%s\"", ink);
	fputs("} ", out);
}

static void print_head(FILE *out, const char *name, const char *help)
{
	fprintf(out, "# HELP riptide_%s %s\n# TYPE riptide_%s counter\n", name, help, name);
}

/* A counter of each ink of each queue; paper: of the pages, else of full ink, as an area or as what it
 * takes. */
static void print_inks(FILE *out, const struct rip_ink_queues *queues, const char *name, const char *help,
		       bool paper, const struct rip_ink_amounts *amounts)
{
	print_head(out, name, help);
	for (unsigned i = 0; i < queues->count; i++) {
		const struct rip_ink_tally *tally = &queues->queue[i].tally;

		for (uint32_t k = 0; k < tally->count; k++) {
			const uint64_t area = paper ? tally->ink[k].paper : tally->ink[k].full;

			print_label(out, name, &queues->queue[i], tally->ink[k].name);
			if (amounts)
				fprintf(out, "%.6f\n", amount_of(amounts, tally, k));
			else
				fprintf(out, "%" PRIu64 ".%07" PRIu64 "\n", area / (uint64_t)UNIT,
					area % (uint64_t)UNIT);
		}
	}
}

void rip_ink_queues_print_metrics(FILE *out, const struct rip_ink_queues *queues,
				  const struct rip_ink_amounts *amounts)
{
	if (!queues->count)
		return;
	print_head(out, "queue_jobs_total", "Jobs printed, by queue.");
	for (unsigned i = 0; i < queues->count; i++) {
		print_label(out, "queue_jobs_total", &queues->queue[i], NULL);
		fprintf(out, "%" PRIu64 "\n", queues->queue[i].tally.jobs);
	}
	print_head(out, "queue_pages_total", "Pages printed, by queue.");
	for (unsigned i = 0; i < queues->count; i++) {
		print_label(out, "queue_pages_total", &queues->queue[i], NULL);
		fprintf(out, "%" PRIu64 "\n", queues->queue[i].tally.pages);
	}
	print_inks(out, queues, "queue_ink_square_metres_total", "Area of full ink, by queue and ink.", false,
		   NULL);
	print_inks(out, queues, "queue_paper_square_metres_total", "Area of the pages, by queue and ink.",
		   true, NULL);
	if (amounts->count)
		print_inks(out, queues, amounts->volume ? "queue_ink_millilitres_total" :
							  "queue_ink_grams_total",
			   "What the ink takes, by --ink-per-m2.", false, amounts);
}
