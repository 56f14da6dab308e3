#include "config.h"

#include "web_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_message.h"

/*
 * The first pages: of the server, with its printers, and of a printer, with what it does, its
 * buttons and its last jobs.  In place of PAPPL's, whose buttons anybody may press.
 */

#define JOBS_SHOWN 10

/* ---- what a printer does ---- */

/* What is said of a printer. */
struct printer_row {
	int  id, jobs;
	unsigned state; /* 0, 1, 2: idle, printing, stopped */
	bool holding;
	pappl_preason_t reasons;
	char name[128], model[128], path[256], icon[256];
};

static void take_printer(pappl_printer_t *printer, struct printer_row *row)
{
	pappl_pr_driver_data_t data;

	papplPrinterGetDriverData(printer, &data);
	row->id = papplPrinterGetID(printer);
	row->jobs = papplPrinterGetNumberOfActiveJobs(printer);
	row->state = (unsigned)papplPrinterGetState(printer) - IPP_PSTATE_IDLE;
	row->holding = papplPrinterIsHoldingNewJobs(printer);
	row->reasons = papplPrinterGetReasons(printer);
	snprintf(row->name, sizeof row->name, "%s", papplPrinterGetName(printer));
	snprintf(row->model, sizeof row->model, "%s", data.make_and_model);
	papplPrinterGetPath(printer, "", row->path, sizeof row->path);
	papplPrinterGetPath(printer, "icon-md.png", row->icon, sizeof row->icon);
}

static void put_reasons(struct rip_web *web, pappl_preason_t now)
{
	char key[96];

	for (size_t i = 0; i < RIP_APP_REASONS; i++)
		if (now & rip_app_reasons[i].reason)
			rip_web_put(web, " <b>%s</b>",
				    rip_web_pappl_text(web, "printer-state-reasons",
						       rip_app_reasons[i].keyword, key));
}

/* The icon, the state, and the model. */
static void put_state(struct rip_web *web, const struct printer_row *row)
{
	static const char *const classes[] = { "idle", "processing", "stopped" };

	if (row->state >= sizeof classes / sizeof classes[0])
		return;
	rip_web_put(web, "<div class=\"printer\"><img class=\"%s\" src=\"%s\" alt=\"\"><p>%s",
		    classes[row->state], row->icon,
		    rip_web_say(web, (enum rip_web_text)(RIP_SAY_IDLE + row->state)));
	if (row->jobs)
		rip_web_put(web, " %s: %d.", rip_web_say(web, RIP_SAY_WAITING), row->jobs);
	if (row->holding)
		rip_web_put(web, " %s", rip_web_say(web, RIP_SAY_HOLDING));
	put_reasons(web, row->reasons);
	rip_web_put(web, "<br>%s", row->model);
	if (row->id == papplSystemGetDefaultPrinterID(web->system))
		rip_web_put(web, "<br>%s", rip_web_say(web, RIP_SAY_IS_DEFAULT));
	rip_web_put(web, "</p></div>\n");
}

/* ---- buttons ---- */

static void put_buttons(struct rip_web *web)
{
	rip_web_form(web, "");
	rip_web_put(web, "<div class=\"buttons\">\n");
	rip_web_put_button(web, "action", "test", RIP_SAY_TEST_PAGE);
	if (papplPrinterGetState(web->printer) == IPP_PSTATE_STOPPED)
		rip_web_put_button(web, "action", "resume", RIP_SAY_RESUME);
	else
		rip_web_put_button(web, "action", "pause", RIP_SAY_PAUSE);
	if (papplPrinterIsHoldingNewJobs(web->printer))
		rip_web_put_button(web, "action", "release", RIP_SAY_RELEASE_NEW);
	else
		rip_web_put_button(web, "action", "hold", RIP_SAY_HOLD_NEW);
	if (papplPrinterGetID(web->printer) != papplSystemGetDefaultPrinterID(web->system))
		rip_web_put_button(web, "action", "default", RIP_SAY_MAKE_DEFAULT);
	rip_web_put(web, "</div></form>\n");
}

static void print_test_page(struct rip_web *web)
{
	const char *user = papplClientGetUsername(web->client), *file;
	pappl_pr_driver_data_t data;
	char path[PATH_MAX];

	papplPrinterGetDriverData(web->printer, &data);
	file = data.testpage_cb(web->printer, path, sizeof path);
	if (file && papplJobCreateWithFile(web->printer, user && *user ? user : "web",
					   "application/pdf",
					   rip_web_say(web, RIP_SAY_TEST_PAGE_NAME), 0, NULL, file))
		web->banner = rip_web_say(web, RIP_SAY_TEST_PAGE_PRINTS);
	else
		web->banner = rip_web_say(web, RIP_SAY_FAILED);
}

static void act(struct rip_web *web)
{
	const char *action = rip_web_value(web, "action");
	bool done = true;

	if (!action)
		action = "";
	if (!strcmp(action, "test"))
		print_test_page(web);
	else if (!strcmp(action, "pause"))
		papplPrinterPause(web->printer);
	else if (!strcmp(action, "resume"))
		papplPrinterResume(web->printer);
	else if (!strcmp(action, "hold"))
		done = papplPrinterHoldNewJobs(web->printer);
	else if (!strcmp(action, "release"))
		done = papplPrinterReleaseHeldNewJobs(web->printer,
						      papplClientGetUsername(web->client));
	else if (!strcmp(action, "default"))
		papplSystemSetDefaultPrinterID(web->system, papplPrinterGetID(web->printer));
	else
		web->banner = rip_web_say(web, RIP_SAY_WRONG);
	if (!done)
		web->banner = rip_web_say(web, RIP_SAY_FAILED);
}

/* ---- the pages ---- */

static void put_status(struct rip_web *web)
{
	char place[128];
	struct printer_row row;

	take_printer(web->printer, &row);
	put_state(web, &row);
	if (papplPrinterGetLocation(web->printer, place, sizeof place) && *place)
		rip_web_put(web, "<p>%s: %s</p>\n", rip_web_say(web, RIP_SAY_LOCATION), place);
	put_buttons(web);
	rip_web_put(web, "<div class=\"buttons\">\n");
	rip_web_put_link(web, "config", RIP_SAY_NAME_AND_PLACE);
	rip_web_put_link(web, "delete", RIP_SAY_DELETE);
	rip_web_put(web, "</div>\n<h2>%s</h2>\n", rip_web_say(web, RIP_SAY_LAST_JOBS));
	rip_web_put_jobs(web, 1, JOBS_SHOWN, false);
	rip_web_put(web, "<div class=\"buttons\">\n");
	rip_web_put_link(web, "jobs", RIP_SAY_ALL_JOBS);
	rip_web_put(web, "</div>\n");
}

bool rip_web_status(pappl_client_t *client, void *printer)
{
	static const struct rip_web_page page = {
		RIP_SAY_STATUS, .is_open = true, .follows_jobs = true, .act = act,
		.put = put_status,
	};

	return rip_web_answer(client, printer, &page);
}

struct printers {
	size_t count;
	struct printer_row *row;
};

/* PAPPL's callback, which has a lock on its printers: nobody's browser may keep that. */
static void add_printer(pappl_printer_t *printer, void *data)
{
	struct printers *all = data;
	struct printer_row *row = realloc(all->row, (all->count + 1) * sizeof *row);

	if (!row)
		return;
	all->row = row;
	take_printer(printer, &row[all->count++]);
}

static void put_home(struct rip_web *web)
{
	struct printers all = { 0 };

	rip_web_put(web, "<div class=\"printers\">\n");
	papplSystemIteratePrinters(web->system, add_printer, &all);
	for (size_t i = 0; i < all.count; i++) {
		rip_web_put(web, "<section><h2><a href=\"%s\">%s</a></h2>\n", all.row[i].path,
			    all.row[i].name);
		put_state(web, &all.row[i]);
		rip_web_put(web, "</section>\n");
	}
	free(all.row);
	rip_web_put(web, "</div>\n");
	if (!all.count)
		rip_web_put_text(web, RIP_SAY_NO_PRINTERS);
	rip_web_put(web, "<div class=\"buttons\">\n");
	rip_web_put_link(web, "addprinter", RIP_SAY_ADD);
	rip_web_put_link(web, "config", RIP_SAY_NAME_AND_PLACE);
	if (!papplSystemGetAuthService(web->system))
		rip_web_put_link(web, "security", RIP_SAY_PASSWORD);
	if (papplSystemGetOptions(web->system) & PAPPL_SOPTIONS_WEB_LOG)
		rip_web_put_link(web, "logs", RIP_SAY_LOG);
	rip_web_put(web, "</div>\n");
}

bool rip_web_home(pappl_client_t *client, void *data)
{
	static const struct rip_web_page page = {
		RIP_SAY_PRINTERS, .is_open = true, .put = put_home,
	};

	return rip_web_answer(client, NULL, &page);
}
