/*
 * A driver, as its PPD describes it: what clients are offered, and the PPD's words for it.
 *
 * It belongs to a printer, lives as long as that, and never changes, so any thread may read it.
 */
#ifndef RIP_APP_PPD_H
#define RIP_APP_PPD_H

#include <limits.h>
#include <stdbool.h>

#include "app/compat.h"

/* What a client says, and the PPD's word for it. */
struct rip_app_choice {
	char name[64];   /* of IPP: "iso_a4_210x297mm", "tray-1", "clustered" */
	char choice[42]; /* of the PPD: "A4", "Tray1", "clustered" */
};

struct rip_app_choices {
	char keyword[42]; /* of the PPD: "InputSlot"; empty: it has no such option */
	int  count, preset; /* preset: the PPD's default, an index */
	struct rip_app_choice *list;
};

/* The place of a choice by its name of IPP; -1: there is none. */
int rip_app_choice_index(const struct rip_app_choices *choices, const char *name);

/* An option that clients know by an attribute of its own. */
struct rip_app_option {
	char name[64]; /* of the attribute: "halftone-screen", "darkness" */
	struct rip_app_choices choices;
};

struct rip_app_driver {
	char ppd[PATH_MAX / 2]; /* the file */
	char class[32];         /* of printers, as riptide has them: "laser" */
	char final[64];         /* the type of what pdftoriptide writes, by the PPD; or empty */
	struct rip_app_choices media, sources, types, resolutions, colours, sides;
	int  mono, colour; /* choices of `colours` for grey and for colour, or -1 */
	int  option_count;
	struct rip_app_option options[PAPPL_MAX_VENDOR];
};

/* What PAPPL keeps itself. */
struct rip_app_ppd_facts {
	char model[128];             /* UTF-8 */
	bool colour, label;
	bool grey_first;             /* the PPD's default is grey */
	int  ppm;                    /* pages a minute, 1 or more */
	int  left_right, bottom_top; /* margins of the default size, in hundredths of a mm */
};

/* NULL, and why says what is wrong with the file.  To be freed by rip_app_ppd_free(). */
struct rip_app_driver *rip_app_ppd_read(const char *path, struct rip_app_ppd_facts *facts,
					char *why, size_t size);

/* NULL is allowed. */
void rip_app_ppd_free(struct rip_app_driver *driver);

#endif
