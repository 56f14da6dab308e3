/*
 * A page of ours in PAPPL's web interface, of a printer or of the server: who asks for it, in
 * which language, with which form; and what a printer has of it.
 *
 * A request has its own struct rip_web, which belongs to the thread that PAPPL answers it in.
 */
#ifndef RIP_WEB_PAGE_H
#define RIP_WEB_PAGE_H

#include <limits.h>
#include <pappl/pappl.h>
#include <stdbool.h>

#include "app/app_printer.h"
#include "web_text.h"

/* A file that came with a form; web_form.c. */
struct rip_web_upload {
	char       *body; /* all that came, or NULL */
	const char *data; /* a part of it: the file; NULL: there is none */
	size_t      size;
	char        name[128]; /* without folders, as far as it is ASCII */
	bool        too_large; /* more came than RIP_WEB_UPLOAD_MAX bytes: there is no form */
};

#define RIP_WEB_UPLOAD_MAX (2 << 20)

struct rip_web {
	pappl_client_t  *client;
	pappl_system_t  *system;
	pappl_printer_t *printer; /* or NULL: a page of the server */
	const struct rip_app_driver *driver; /* of the printer */
	enum rip_web_language language;
	int            count; /* of the form, or of what stands behind "?" */
	cups_option_t *form;
	bool           posted; /* it is a form of ours, with its token: it may change something */
	const char    *banner; /* what is said above the page, or NULL */
	int            refresh; /* seconds until the page is loaded again; 0: it is not */
	char           detail[512]; /* and behind that: from a child, or empty */
	struct rip_web_upload upload;
};

/* Begins to answer.  False: somebody who may not see the page has been told so.  Else
 * rip_web_end(). */
bool rip_web_begin(struct rip_web *web, pappl_client_t *client, pappl_printer_t *printer);

void rip_web_end(struct rip_web *web);

/* A page that is a heading and what is below it. */
struct rip_web_page {
	enum rip_web_text title;
	bool is_open;      /* everybody may see it: only its forms need a login */
	bool follows_jobs; /* it is loaded again and again while the printer has jobs */
	void (*act)(struct rip_web *web); /* does what a form asks for; or NULL */
	void (*put)(struct rip_web *web);
};

/* A callback of PAPPL's for such a page. */
bool rip_web_answer(pappl_client_t *client, pappl_printer_t *printer,
		    const struct rip_web_page *page);

/* Reads the form of a request.  upload->body is to be freed.  How many values there are. */
int rip_web_read_form(pappl_client_t *client, struct rip_web_upload *upload, cups_option_t **form);

/* Text of the page's HTML: strings of %s are escaped, the format is not. */
#define rip_web_put(web, ...) papplClientHTMLPrintf((web)->client, __VA_ARGS__)

/* A sentence in the reader's language. */
const char *rip_web_say(const struct rip_web *web, enum rip_web_text text);

/* A text of PAPPL's: NAME.VALUE, or the value if it has none.  key: room for the text. */
const char *rip_web_pappl_text(const struct rip_web *web, const char *name, const char *value,
			       char key[96]);

/* The page around ours: PAPPL's, with the banner. */
void rip_web_header(struct rip_web *web, enum rip_web_text title);
void rip_web_footer(struct rip_web *web);

/* Begins a form that may change something.  It ends with "</form>". */
void rip_web_form(struct rip_web *web, const char *page);

/* A sentence as a paragraph. */
void rip_web_put_text(struct rip_web *web, enum rip_web_text text);

/* A link to a page of the printer or of the server, which looks like a button. */
void rip_web_put_link(struct rip_web *web, const char *page, enum rip_web_text text);

/* A button of a form, which sends NAME=VALUE. */
void rip_web_put_button(struct rip_web *web, const char *name, const char *value,
			enum rip_web_text text);

/* A choice of a list, which is selected if its value is `chosen` (or NULL). */
void rip_web_put_choice(struct rip_web *web, const char *value, const char *title,
			const char *chosen);

/* A form's value; NULL: it has none. */
const char *rip_web_value(const struct rip_web *web, const char *name);

/* The same as a number, if it is one from `low` to `high`, else -1. */
int rip_web_number(const struct rip_web *web, const char *name, int low, int high);

/* A number with one digit behind the point, or the comma. */
void rip_web_put_tenths(struct rip_web *web, unsigned long tenths);

/* The name of an ink's letter; others as they are. */
const char *rip_web_ink_name(const struct rip_web *web, const char *ink);

/* Answers with a file that has the type image/png, or with a status that it is not there.  False:
 * the connection broke. */
bool rip_web_send_file(struct rip_web *web, const char *path);

/* A moment as a reader's date. */
void rip_web_put_date(struct rip_web *web, long long when);

/* The path of a page of the printer, or of the server; or its whole address, where the page asks
 * for the password and this one came unencrypted from another machine. */
const char *rip_web_address(const struct rip_web *web, const char *page, char *address,
			    size_t size);

/* The path alone. */
const char *rip_web_path(const struct rip_web *web, const char *page, char *path, size_t size);

/* The path of a printer's file in the folder of what the pages make, which is made, too. */
void rip_web_file(pappl_printer_t *printer, const char *name, char path[PATH_MAX]);

/* ---- options of the printer that the driver has by an attribute of its own ---- */

/* NULL: it has no such option. */
const struct rip_app_option *rip_web_option(const struct rip_web *web, const char *name);

/* Whether an option has a value, which is also one of argv and URLs: letters, digits, "-", "." and
 * "_". */
bool rip_web_has_value(const struct rip_app_option *option, const char *value);

/* What the option is set to for the printer. */
const char *rip_web_default(const struct rip_web *web, const struct rip_app_option *option,
			    char value[64]);

/* What people call an option, and its meaning in a sentence (or NULL); the same for a value.
 * text: room for what is not in the table. */
const char *rip_web_option_title(const struct rip_web *web, const char *name, const char **why);
const char *rip_web_value_title(const struct rip_web *web, const char *name, const char *value,
				char text[96], const char **why);

/* A list of the values of an option, in a form. */
void rip_web_put_values(struct rip_web *web, const char *field,
			const struct rip_app_option *option, const char *chosen);

/* The values of an option that rip_web_has_value(), in the order in which they are shown: their
 * places in its list.  How many. */
#define RIP_WEB_VALUES 64
int rip_web_order(const struct rip_app_option *option, int places[RIP_WEB_VALUES]);

/* Whether a screen is for special purposes: the others are shown first. */
bool rip_web_screen_is_rare(const char *name);

/* ---- jobs ---- */

/* Puts the jobs from the first-th newest on, `count` at most.  manage: with names, users, pictures
 * and buttons; only for those who may administer.  How many jobs were put. */
int rip_web_put_jobs(struct rip_web *web, int first, int count, bool manage);

/* The file of a job's picture; it may not be there. */
void rip_web_job_file(pappl_printer_t *printer, int id, char path[PATH_MAX]);

/* ---- the pages: PAPPL's callbacks ---- */

/* of a printer */
bool rip_web_status(pappl_client_t *client, void *printer); /* everybody may see it */
bool rip_web_jobs(pappl_client_t *client, void *printer);
bool rip_web_job_picture(pappl_client_t *client, void *printer); /* a picture */
bool rip_web_screens(pappl_client_t *client, void *printer);
bool rip_web_preview(pappl_client_t *client, void *printer); /* a picture */
bool rip_web_printing(pappl_client_t *client, void *printer);
bool rip_web_calibrate(pappl_client_t *client, void *printer);
bool rip_web_ink(pappl_client_t *client, void *printer);
bool rip_web_config(pappl_client_t *client, void *printer); /* NULL: of the server */

/* of the server */
bool rip_web_home(pappl_client_t *client, void *data); /* everybody may see it */
bool rip_web_add(pappl_client_t *client, void *data);

#endif
