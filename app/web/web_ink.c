#include "config.h"

#include "web_page.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/app_places.h"
#include "app/web.h"
#include "system/replace_file.h"

/*
 * The ink of a printer: in sum, as the filters add it up (filter/ink/ink_tally.h); and by job, as
 * each job's filter says it at its end.  The jobs are lines of a file of the printer:
 *
 *	ID TIME INK AREA INK AREA ...     in square centimetres of full ink
 *
 * A job whose pages have options of their own is printed in parts, and has a line for each.
 */

#define JOBS_MAX    50      /* that are shown */
#define BYTES_MAX   65536   /* of the file; then its first half goes */
#define INKS_MAX    16      /* of a printer */
#define LETTERS     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/* ---- what jobs say ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Forgets the first half of a file that has become too long: another one takes its place. */
static void shorten(const char *path)
{
	char *text = malloc(BYTES_MAX * 2), *half, new[PATH_MAX + 8];
	FILE *file = fopen(path, "re"), *shorter = NULL;
	size_t n = text && file ? fread(text, 1, BYTES_MAX * 2 - 1, file) : 0;
	bool ok;

	snprintf(new, sizeof new, "%s.new", path);
	if (n > BYTES_MAX) {
		text[n] = '\0';
		half = strchr(text + n / 2, '\n');
		shorter = half ? fopen(new, "we") : NULL;
	}
	if (shorter) {
		ok = fputs(half + 1, shorter) >= 0 && fflush(shorter) == 0 &&
		     rip_file_sync(fileno(shorter)) == 0;
		ok = fclose(shorter) == 0 && ok;
		if (!ok || rip_file_rename(AT_FDCWD, new, path) < 0)
			unlink(new);
	}
	if (file)
		fclose(file);
	free(text);
}

void rip_app_web_message(pappl_job_t *job, const char *text)
{
	static const char begin[] = "ink of the job: ";
	char path[PATH_MAX], ink[12];
	int length = 0;
	double area;
	FILE *file;

	if (strncmp(text, begin, strlen(begin)))
		return;
	rip_web_file(papplJobGetPrinter(job), "jobs", path);
	pthread_mutex_lock(&lock);
	file = fopen(path, "ae");
	if (file) {
		fprintf(file, "%d %lld", papplJobGetID(job), (long long)time(NULL));
		for (text += strlen(begin);
		     sscanf(text, "%11[" LETTERS "] %lf cm2%n", ink, &area, &length) == 2 &&
		     length > 0;
		     text += strspn(text, "; ")) {
			fprintf(file, " %s %.3f", ink, area);
			text += length;
			length = 0;
		}
		putc('\n', file);
		fclose(file);
		shorten(path);
	}
	pthread_mutex_unlock(&lock);
}

/* ---- numbers ---- */

static void put_number(struct rip_web *web, double number)
{
	rip_web_put_tenths(web, number > 0 ? (unsigned long)(number * 10 + .5) : 0);
}

/* ---- in sum ---- */

/* An ink of the printer: its name, what it covered in full, and what it had of the paper. */
static void put_ink(struct rip_web *web, const char *ink, uint64_t full, uint64_t paper)
{
	const double share = paper ? 100 * (double)full / (double)paper : 0;

	rip_web_put(web, "<tr><td>%s</td><td class=\"number\">", rip_web_ink_name(web, ink));
	put_number(web, (double)full / 1000);
	rip_web_put(web, "</td><td class=\"number\">");
	put_number(web, share);
	rip_web_put(web, " %%</td><td class=\"bar\"><span class=\"ink-%s\" style=\"width:%d%%\">"
			 "</span></td></tr>\n", ink, share > 100 ? 100 : (int)(share + .5));
}

static void put_sums(struct rip_web *web)
{
	char path[PATH_MAX], name[80], ink[12], head[32] = "";
	uint64_t since = 0, jobs = 0, pages = 0, full, paper;
	FILE *file;

	snprintf(path, sizeof path, "%s/riptide/%s.ink", rip_app_places.cache,
		 rip_app_printer_file(web->printer, name, sizeof name));
	file = fopen(path, "re");
	if (!file || !fgets(head, sizeof head, file) || strcmp(head, "riptide ink 1\n") ||
	    fscanf(file, "since %" SCNu64 " jobs %" SCNu64 " pages %" SCNu64, &since, &jobs,
		   &pages) != 3) {
		rip_web_put_text(web, RIP_SAY_INK_NONE);
	} else {
		rip_web_put(web, "<p>%s: %lu. %s: %lu, %s ", rip_web_say(web, RIP_SAY_JOBS),
			    (unsigned long)jobs, rip_web_say(web, RIP_SAY_PAGES),
			    (unsigned long)pages, rip_web_say(web, RIP_SAY_SINCE));
		rip_web_put_date(web, (long long)since);
		rip_web_put(web, ".</p>\n<table class=\"list\"><thead><tr><th>%s</th>"
				 "<th class=\"number\">%s</th><th class=\"number\">%s</th><th></th>"
				 "</tr></thead><tbody>\n", rip_web_say(web, RIP_SAY_COLOUR),
			    rip_web_say(web, RIP_SAY_AREA), rip_web_say(web, RIP_SAY_COVERAGE));
		while (fscanf(file, " %11[" LETTERS "] %" SCNu64 " %" SCNu64, ink, &full,
			      &paper) == 3)
			put_ink(web, ink, full, paper);
		rip_web_put(web, "</tbody></table>\n");
	}
	if (file)
		fclose(file);
}

/* ---- by job ---- */

struct inked_job {
	int       id;
	long long when;
	char     *inks; /* the rest of its lines */
	char      name[128]; /* what PAPPL knows; it may have forgotten the job */
	int       pages;
};

struct inked_jobs {
	unsigned    count; /* of all lines; the last ones are kept */
	struct inked_job job[JOBS_MAX];
};

/* PAPPL's callback, which has a lock on its jobs. */
static void name_job(pappl_job_t *job, void *data)
{
	struct inked_jobs *list = data;

	for (unsigned i = 0; i < list->count && i < JOBS_MAX; i++) {
		struct inked_job *line = &list->job[i];

		if (line->id != papplJobGetID(job))
			continue;
		snprintf(line->name, sizeof line->name, "%s", papplJobGetName(job));
		line->pages = papplJobGetImpressionsCompleted(job);
	}
}

static void add_part(struct inked_job *job, const char *inks)
{
	char *both;

	if (job->inks && asprintf(&both, "%s %s", job->inks, inks) >= 0) {
		free(job->inks);
		job->inks = both;
	}
}

static void read_jobs(struct rip_web *web, struct inked_jobs *list)
{
	char text[512], path[PATH_MAX];
	struct inked_job *job;
	FILE *file;
	int id, length;
	long long when;

	rip_web_file(web->printer, "jobs", path);
	pthread_mutex_lock(&lock);
	file = fopen(path, "re");
	while (file && fgets(text, sizeof text, file)) {
		if (sscanf(text, "%d %lld%n", &id, &when, &length) != 2)
			continue;
		job = &list->job[(list->count + JOBS_MAX - 1) % JOBS_MAX];
		if (list->count && job->id == id) {
			add_part(job, text + length);
			continue;
		}
		job = &list->job[list->count++ % JOBS_MAX];
		free(job->inks);
		*job = (struct inked_job){ .id = id, .when = when };
		job->inks = strdup(text + length);
	}
	if (file)
		fclose(file);
	pthread_mutex_unlock(&lock);
	papplPrinterIterateAllJobs(web->printer, name_job, list, 1, 0);
}

/* Each ink of a job with all that it covered. */
static void put_inks(struct rip_web *web, const char *inks)
{
	struct {
		char   name[12];
		double area;
	} sum[INKS_MAX] = { { .area = 0 } };
	unsigned count = 0, i;
	char ink[12];
	int length;
	double area;

	for (; sscanf(inks, " %11[" LETTERS "] %lf%n", ink, &area, &length) == 2; inks += length) {
		for (i = 0; i < count && strcmp(sum[i].name, ink); i++)
			;
		if (i == INKS_MAX)
			continue;
		if (i == count)
			snprintf(sum[count++].name, sizeof sum[i].name, "%s", ink);
		sum[i].area += area;
	}
	for (i = 0; i < count; i++) {
		rip_web_put(web, "<span class=\"area\">%s ", rip_web_ink_name(web, sum[i].name));
		put_number(web, sum[i].area);
		rip_web_put(web, "</span> ");
	}
}

static void put_job(struct rip_web *web, const struct inked_job *job)
{
	rip_web_put(web, "<tr><td class=\"extra\">%d</td><td>%s</td><td>", job->id,
		    job->name[0] ? job->name : "-");
	rip_web_put_date(web, job->when);
	rip_web_put(web, "</td><td class=\"number\">%d</td><td>", job->pages);
	put_inks(web, job->inks ? job->inks : "");
	rip_web_put(web, "</td></tr>\n");
}

/* The last ones, the newest first. */
static void put_jobs(struct rip_web *web)
{
	struct inked_jobs *list = calloc(1, sizeof *list);

	if (!list)
		return;
	read_jobs(web, list);
	if (list->count)
		rip_web_put(web, "<h2>%s</h2><table class=\"list\"><thead><tr>"
				 "<th class=\"extra\">%s</th><th>%s</th><th>%s</th>"
				 "<th class=\"number\">%s</th><th>%s</th></tr></thead><tbody>\n",
			    rip_web_say(web, RIP_SAY_INK_JOBS), rip_web_say(web, RIP_SAY_JOB),
			    rip_web_say(web, RIP_SAY_NAME), rip_web_say(web, RIP_SAY_WHEN),
			    rip_web_say(web, RIP_SAY_PAGES), rip_web_say(web, RIP_SAY_AREA));
	for (unsigned i = 0; i < JOBS_MAX && i < list->count; i++)
		put_job(web, &list->job[(list->count - 1 - i) % JOBS_MAX]);
	rip_web_put(web, list->count ? "</tbody></table>\n" : "");
	for (unsigned i = 0; i < JOBS_MAX; i++)
		free(list->job[i].inks);
	free(list);
}

static void put(struct rip_web *web)
{
	rip_web_put_text(web, RIP_SAY_INK_INTRO);
	rip_web_put(web, "<h2>%s</h2>\n", rip_web_say(web, RIP_SAY_INK_ALL));
	put_sums(web);
	put_jobs(web);
}

bool rip_web_ink(pappl_client_t *client, void *printer)
{
	static const struct rip_web_page page = { RIP_SAY_INK, .put = put };

	return rip_web_answer(client, printer, &page);
}
