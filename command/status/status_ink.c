#include "status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image/complain.h"
#include "wire/codec.h"

#define CACHE "/var/cache/cups" /* of CUPS, where the environment names no other */
#define INKS_MAX 64 /* columns of a table */
#define UNIT  1e7 /* thousandths of a square centimetre in a square metre */

/* ---- files ---- */

static int is_tally(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name), ending = strlen(RIP_INK_TALLY_ENDING);

	return *entry->d_name != '.' && length > ending &&
	       length - ending <= RIP_INK_TALLY_QUEUE_MAX &&
	       !strcmp(entry->d_name + length - ending, RIP_INK_TALLY_ENDING);
}

/* The first length bytes of path are that of the folder.  0, also for a file that is damaged
 * (reported) or gone meanwhile; or -errno. */
static int add(struct rip_ink_queues *queues, int folder, const char *path, int length,
	       const char *file)
{
	struct rip_ink_queue *queue = &queues->queue[queues->count];
	int r;

	if (queues->count == RIP_INK_QUEUES_MAX)
		return 0;
	r = rip_ink_tally_read(folder, file, &queue->tally);
	r = r == -ELOOP ? -EBADMSG : r; /* a link */
	if (r == -EBADMSG)
		rip_complain(r, "WARNING: the ink in %.*s/%s is not shown: the file is damaged",
			     length, path, file);
	if (r < 0)
		return r == -EBADMSG || r == -ENOENT ? 0 : r;
	snprintf(queue->name, sizeof queue->name, "%.*s",
		 (int)(strlen(file) - strlen(RIP_INK_TALLY_ENDING)), file);
	queues->count++;
	return 0;
}

/* What can be read of those files; r and path of the first one that cannot. */
static int add_all(struct rip_ink_queues *queues, int folder, struct dirent *const entries[],
		   int count, char *path, size_t size)
{
	const size_t length = strlen(path);
	int result = 0;

	queues->queue = calloc(RIP_INK_QUEUES_MAX, sizeof *queues->queue);
	if (!queues->queue)
		return -ENOMEM;
	for (int i = 0; i < count; i++) {
		const int r = add(queues, folder, path, (int)length, entries[i]->d_name);

		if (result == 0 && r < 0) {
			result = r;
			snprintf(path + length, size - length, "/%s", entries[i]->d_name);
		}
	}
	return result;
}

int rip_ink_queues_read(struct rip_ink_queues *queues, char *path, size_t size)
{
	const char *cache = getenv("CUPS_CACHEDIR");
	struct dirent **entries = NULL;
	int folder, count, r;

	*queues = (struct rip_ink_queues){ 0 };
	snprintf(path, size, "%s/" RIP_INK_TALLY_FOLDER, cache && *cache ? cache : CACHE);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return errno == ENOENT ? 0 : -errno;
	count = scandir(path, &entries, is_tally, alphasort);
	r = count < 0 ? -errno : add_all(queues, folder, entries, count, path, size);
	for (int i = 0; i < count; i++)
		free(entries[i]);
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

/* The inks of all queues, in their order. */
struct inks {
	uint32_t    count;
	const char *name[INKS_MAX];
	int         width[INKS_MAX]; /* of their columns */
};

static uint32_t place_of(struct inks *inks, const char *name)
{
	uint32_t at = 0, i;

	while (at < inks->count && strcmp(inks->name[at], name))
		at++;
	if (at < inks->count || at == INKS_MAX)
		return at;
	for (i = inks->count++;
	     i > 0 && rip_ink_tally_rank(inks->name[i - 1]) > rip_ink_tally_rank(name); i--) {
		inks->name[i] = inks->name[i - 1];
		inks->width[i] = inks->width[i - 1];
	}
	inks->name[i] = name;
	inks->width[i] = 0;
	return i;
}

/* What a queue has taken of an ink, or "-".  The length. */
static int show_ink(char text[32], const struct rip_ink_tally *tally, const char *name,
		    const struct rip_ink_amounts *amounts)
{
	for (uint32_t k = 0; k < tally->count; k++)
		if (!strcmp(tally->ink[k].name, name))
			return amounts->count ?
			       snprintf(text, 32, "%.3f", amount_of(amounts, tally, k)) :
			       snprintf(text, 32, "%.1f", (double)tally->ink[k].full / 1000);
	return snprintf(text, 32, "-");
}

static int wider(int width, int than)
{
	return width > than ? width : than;
}

void rip_ink_queues_print(FILE *out, const struct rip_ink_queues *queues,
			  const struct rip_ink_amounts *amounts)
{
	const char *unit = amounts->count ? rip_ink_amounts_unit(amounts) : "cm2";
	char name[4 * RIP_INK_TALLY_QUEUE_MAX + 1], text[32];
	struct inks inks = { 0 };
	int queue = 5, jobs = 4, pages = 5;

	for (unsigned i = 0; i < queues->count; i++) {
		const struct rip_ink_tally *tally = &queues->queue[i].tally;

		rip_text_show(name, sizeof name, queues->queue[i].name);
		queue = wider(queue, (int)rip_status_columns(name));
		jobs = wider(jobs, snprintf(NULL, 0, "%" PRIu64, tally->jobs));
		pages = wider(pages, snprintf(NULL, 0, "%" PRIu64, tally->pages));
		for (uint32_t k = 0; k < tally->count; k++) {
			const uint32_t at = place_of(&inks, tally->ink[k].name);
			const int width = snprintf(NULL, 0, "%s %s", tally->ink[k].name, unit);

			if (at < INKS_MAX)
				inks.width[at] =
					wider(wider(inks.width[at], width),
					      show_ink(text, tally, tally->ink[k].name, amounts));
		}
	}
	if (!queues->count)
		return;
	fprintf(out, "%-*s  %-10s  %*s  %*s", queue, "QUEUE", "SINCE",
		jobs, "JOBS", pages, "PAGES");
	for (uint32_t k = 0; k < inks.count; k++)
		fprintf(out, "  %*s %s", inks.width[k] - 1 - (int)strlen(unit), inks.name[k], unit);
	putc('\n', out);
	for (unsigned i = 0; i < queues->count; i++) {
		const struct rip_ink_tally *tally = &queues->queue[i].tally;
		const time_t since = (time_t)tally->since;
		char date[32] = "-";
		struct tm broken;

		rip_text_show(name, sizeof name, queues->queue[i].name);
		if (localtime_r(&since, &broken))
			strftime(date, sizeof date, "%Y-%m-%d", &broken);
		fprintf(out, "%s%*s  %-10s  %*" PRIu64 "  %*" PRIu64, name,
			queue - (int)rip_status_columns(name), "", date,
			jobs, tally->jobs, pages, tally->pages);
		for (uint32_t k = 0; k < inks.count; k++) {
			show_ink(text, tally, inks.name[k], amounts);
			fprintf(out, "  %*s", inks.width[k], text);
		}
		putc('\n', out);
	}
}

static void print_json_ink(FILE *out, const struct rip_ink_tally *tally, uint32_t ink,
			   const struct rip_ink_amounts *amounts)
{
	fprintf(out, "{\"ink\":\"%s\",\"percent\":%.6f,\"full_cm2\":%" PRIu64 ".%03" PRIu64,
		tally->ink[ink].name, percent(tally, ink), tally->ink[ink].full / 1000,
		tally->ink[ink].full % 1000);
	if (amounts->count)
		fprintf(out, ",\"%s\":%.6f",
			rip_ink_amounts_unit(amounts), amount_of(amounts, tally, ink));
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
		fprintf(out, ",\"since\":%" PRIu64 ",\"jobs\":%" PRIu64 ",\"pages\":%" PRIu64
			",\"inks\":[", tally->since, tally->jobs, tally->pages);
		for (uint32_t k = 0; k < tally->count; k++) {
			fputs(k ? "," : "", out);
			print_json_ink(out, tally, k, amounts);
		}
		fputs("]}", out);
	}
	putc(']', out);
}

/* ---- CSV ---- */

/* A name as JSON has it, but for quotation marks, which CSV doubles (RFC 4180). */
static void print_csv_name(FILE *out, const char *name)
{
	putc('"', out);
	for (; *name; name++)
		if (*name == '"')
			fputs("\"\"", out);
		else if (*name < ' ' || *name > '~' || *name == '\\')
			fprintf(out, "\\x%02x", (unsigned char)*name);
		else
			putc(*name, out);
	putc('"', out);
}

void rip_ink_queues_print_csv(FILE *out, const struct rip_ink_queues *queues,
			      const struct rip_ink_amounts *amounts)
{
	fputs("queue,since,jobs,pages,ink,percent,full_cm2", out);
	if (amounts->count)
		fprintf(out, ",%s", rip_ink_amounts_unit(amounts));
	putc('\n', out);
	for (unsigned i = 0; i < queues->count; i++) {
		const struct rip_ink_tally *tally = &queues->queue[i].tally;

		for (uint32_t k = 0; k < tally->count; k++) {
			print_csv_name(out, queues->queue[i].name);
			fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%.6f,%" PRIu64
				".%03" PRIu64, tally->since, tally->jobs, tally->pages,
				tally->ink[k].name, percent(tally, k), tally->ink[k].full / 1000,
				tally->ink[k].full % 1000);
			if (amounts->count)
				fprintf(out, ",%.6f", amount_of(amounts, tally, k));
			putc('\n', out);
		}
	}
}

/* ---- metrics ---- */

static void print_label(FILE *out, const char *name, const struct rip_ink_queue *queue,
			const char *ink)
{
	fprintf(out, "riptide_%s{queue=", name);
	rip_status_print_string(out, queue->name);
	if (ink)
		fprintf(out, ",ink=\"%s\"", ink);
	fputs("} ", out);
}

/* A counter of each ink of each queue; paper: of the pages, else of full ink, as an area or as what
 * it takes. */
static void print_inks(FILE *out, const struct rip_ink_queues *queues, const char *name,
		       const char *help, bool paper, const struct rip_ink_amounts *amounts)
{
	rip_status_print_head(out, name, "counter", help);
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
	rip_status_print_head(out, "queue_jobs_total", "counter", "Jobs printed, by queue.");
	for (unsigned i = 0; i < queues->count; i++) {
		print_label(out, "queue_jobs_total", &queues->queue[i], NULL);
		fprintf(out, "%" PRIu64 "\n", queues->queue[i].tally.jobs);
	}
	rip_status_print_head(out, "queue_pages_total", "counter", "Pages printed, by queue.");
	for (unsigned i = 0; i < queues->count; i++) {
		print_label(out, "queue_pages_total", &queues->queue[i], NULL);
		fprintf(out, "%" PRIu64 "\n", queues->queue[i].tally.pages);
	}
	print_inks(out, queues, "queue_ink_square_metres_total",
		   "Area of full ink, by queue and ink.", false, NULL);
	print_inks(out, queues, "queue_paper_square_metres_total",
		   "Area of the pages, by queue and ink.", true, NULL);
	if (amounts->count)
		print_inks(out, queues, amounts->volume ? "queue_ink_millilitres_total" :
							  "queue_ink_grams_total",
			   "What the ink takes, by --ink-per-m2.", false, amounts);
}
