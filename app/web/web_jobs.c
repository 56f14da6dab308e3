#include "config.h"

#include "web_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The page of a printer's jobs, in place of PAPPL's.  Others' documents are private: so their
 * pictures, names and users are only here, where PAPPL asks for a login.
 */

#define JOBS_PAGE 50

struct job_row {
	int  id, pages;
	char name[128], user[64];
	ipp_jstate_t state;
	bool canceling;
	time_t when;
};

struct job_rows {
	int count, max;
	struct job_row *row;
};

/* PAPPL's callback, which has a lock on its jobs: nobody's browser may keep that. */
static void take_job(pappl_job_t *job, void *data)
{
	struct job_rows *rows = data;
	struct job_row *row;

	if (rows->count == rows->max)
		return;
	row = &rows->row[rows->count++];
	row->id = papplJobGetID(job);
	row->pages = papplJobGetImpressionsCompleted(job);
	row->state = papplJobGetState(job);
	row->canceling = papplJobIsCanceled(job);
	row->when = row->state > IPP_JSTATE_STOPPED ? papplJobGetTimeCompleted(job) :
		    row->state > IPP_JSTATE_HELD    ? papplJobGetTimeProcessed(job) :
						      papplJobGetTimeCreated(job);
	snprintf(row->name, sizeof row->name, "%s", papplJobGetName(job));
	snprintf(row->user, sizeof row->user, "%s", papplJobGetUsername(job));
}

static const char *say_state(const struct rip_web *web, const struct job_row *row)
{
	switch (row->state) {
	case IPP_JSTATE_PENDING:   return rip_web_say(web, RIP_SAY_JOB_WAITS);
	case IPP_JSTATE_HELD:	   return rip_web_say(web, RIP_SAY_JOB_HELD);
	case IPP_JSTATE_ABORTED:   return rip_web_say(web, RIP_SAY_JOB_FAILED);
	case IPP_JSTATE_CANCELED:  return rip_web_say(web, RIP_SAY_JOB_CANCELED);
	case IPP_JSTATE_COMPLETED: return rip_web_say(web, RIP_SAY_JOB_DONE);
	default:
		return rip_web_say(web, row->canceling ? RIP_SAY_JOB_CANCELED :
							 RIP_SAY_JOB_PRINTS);
	}
}

static void put_picture(struct rip_web *web, int id)
{
	char file[PATH_MAX], path[256];

	rip_web_job_file(web->printer, id, file);
	if (access(file, R_OK) == 0)
		rip_web_put(web, "<img src=\"%s?job=%d\" loading=\"lazy\" alt=\"\">",
			    rip_web_path(web, "job.png", path, sizeof path), id);
	else
		rip_web_put(web, "<span class=\"none\"></span>");
}

static void put_row(struct rip_web *web, const struct job_row *row, bool manage)
{
	char id[16];

	snprintf(id, sizeof id, "%d", row->id);
	rip_web_put(web, "<div class=\"job\">");
	if (manage)
		put_picture(web, row->id);
	rip_web_put(web, "<div>");
	if (manage)
		rip_web_put(web, "<b>%s</b><br>%s, ", row->name, row->user);
	rip_web_put_date(web, (long long)row->when);
	rip_web_put(web, "<br><span class=\"state-%d\">%s</span>", (int)row->state,
		    say_state(web, row));
	if (row->pages)
		rip_web_put(web, ", %s: %d", rip_web_say(web, RIP_SAY_PAGES), row->pages);
	rip_web_put(web, " <span class=\"number\">#%s</span>", id);
	if (manage && row->state < IPP_JSTATE_CANCELED && !row->canceling) {
		rip_web_put(web, "<div class=\"buttons\">");
		rip_web_put_button(web, "cancel", id, RIP_SAY_CANCEL);
		if (row->state == IPP_JSTATE_PENDING)
			rip_web_put_button(web, "hold", id, RIP_SAY_HOLD);
		else if (row->state == IPP_JSTATE_HELD)
			rip_web_put_button(web, "release", id, RIP_SAY_RELEASE);
		rip_web_put(web, "</div>");
	}
	rip_web_put(web, "</div></div>\n");
}

int rip_web_put_jobs(struct rip_web *web, int first, int count, bool manage)
{
	struct job_rows rows = { .max = count, .row = calloc((size_t)count, sizeof *rows.row) };

	if (!rows.row)
		return 0;
	papplPrinterIterateAllJobs(web->printer, take_job, &rows, first, count);
	rip_web_put(web, "<div class=\"jobs\">\n");
	for (int i = 0; i < rows.count; i++)
		put_row(web, &rows.row[i], manage);
	rip_web_put(web, "</div>\n");
	if (!rows.count)
		rip_web_put_text(web, RIP_SAY_NO_JOBS);
	free(rows.row);
	return rows.count;
}

/* The job that the form names by a button, or NULL. */
static pappl_job_t *named(struct rip_web *web, const char *button)
{
	const int id = rip_web_number(web, button, 1, 999999);

	return id > 0 ? papplPrinterFindJob(web->printer, id) : NULL;
}

static void act(struct rip_web *web)
{
	const char *user = papplClientGetUsername(web->client);
	pappl_job_t *job;
	bool done = true;

	if ((job = named(web, "cancel")) != NULL)
		papplJobCancel(job);
	else if ((job = named(web, "hold")) != NULL)
		done = papplJobHold(job, user, "indefinite", 0);
	else if ((job = named(web, "release")) != NULL)
		done = papplJobRelease(job, user);
	else
		web->banner = rip_web_say(web, RIP_SAY_WRONG);
	if (!done)
		web->banner = rip_web_say(web, RIP_SAY_FAILED);
}

static void put_page(struct rip_web *web)
{
	const int from = rip_web_number(web, "from", 1, 999999), first = from < 1 ? 1 : from;
	char earlier[32];
	int count;

	rip_web_form(web, "jobs");
	rip_web_put(web, "<input type=\"hidden\" name=\"from\" value=\"%d\">\n", first);
	count = rip_web_put_jobs(web, first, JOBS_PAGE, true);
	rip_web_put(web, "</form>\n<div class=\"buttons\">\n");
	snprintf(earlier, sizeof earlier, "jobs?from=%d", first + count);
	if (count == JOBS_PAGE &&
	    (int)papplPrinterGetNumberOfJobs(web->printer) >= first + count)
		rip_web_put_link(web, earlier, RIP_SAY_EARLIER);
	if (papplPrinterGetNumberOfActiveJobs(web->printer))
		rip_web_put_link(web, "cancelall", RIP_SAY_CANCEL_ALL);
	rip_web_put(web, "</div>\n");
}

bool rip_web_jobs(pappl_client_t *client, void *printer)
{
	static const struct rip_web_page page = {
		RIP_SAY_JOBS, .follows_jobs = true, .act = act, .put = put_page,
	};

	return rip_web_answer(client, printer, &page);
}

bool rip_web_job_picture(pappl_client_t *client, void *printer)
{
	char path[PATH_MAX];
	struct rip_web web;
	bool alive;
	int id;

	if (!rip_web_begin(&web, client, printer))
		return true;
	id = rip_web_number(&web, "job", 1, 999999);
	rip_web_job_file(printer, id, path);
	if (id < 0)
		alive = papplClientRespond(client, HTTP_STATUS_BAD_REQUEST, NULL, NULL, 0, 0);
	else if (!papplPrinterFindJob(printer, id)) /* the file goes with the next job */
		alive = papplClientRespond(client, HTTP_STATUS_NOT_FOUND, NULL, NULL, 0, 0);
	else
		alive = rip_web_send_file(&web, path);
	rip_web_end(&web);
	return alive;
}
