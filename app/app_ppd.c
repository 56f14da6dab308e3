#include "config.h"

#include "app/app_ppd.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/ppd.h>

#include "system/ascii.h"

/* CUPS 2 has no other functions to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Options that have an attribute of their own in IPP, or that are not for clients: who computes the
 * dots (they are the same), and who draws documents.  Foomatic's Copies would print copies of each
 * copy. */
static const char *const not_offered[] = {
	"PageSize", "PageRegion", "InputSlot", "MediaType", "Resolution", "ColorModel", "Duplex",
	"Copies", "halftone", "riptideRip", "riptideHalftone", "riptideLevels",
};

/* Attributes of IPP that a vendor's option may share the name, but not the meaning with. */
static const char *const reserved[] = {
	"copies", "finishings", "media", "media-col", "media-source", "media-type", "number-up",
	"orientation-requested", "output-bin", "overrides", "page-delivery", "page-ranges",
	"print-color-mode", "print-content-optimize", "print-darkness", "print-quality",
	"print-rendering-intent", "print-scaling", "print-speed", "printer-resolution", "sides",
};

/* Keywords of the PPD that riptide's filters know by another name. */
static const struct {
	const char *keyword, *name;
} names[] = {
	{ "riptideScreen", "halftone-screen" },
	{ "riptideDotGain", "halftone-dot-gain" },
	{ "riptideDensity", "halftone-density" },
	{ "riptideTonerSave", "toner-save" },
	{ "riptideEdges", "halftone-edges" },
	{ "riptideBlack", "halftone-black" },
	{ "riptideBlackPreservation", "black-preservation" },
	{ "riptideBlackOverprint", "black-overprint" },
	{ "riptideColorMode", "pages-without-color" },
	{ "riptideRegistration", "halftone-registration" },
	{ "riptideInks", "halftone-inks" },
	{ "riptideLightInks", "halftone-light-inks" },
	{ "riptideLightStrength", "halftone-light-strength" },
};

/* Words of PPDs and those of PWG 5101.1. */
static const struct {
	const char *keyword, *choice, *name;
} words[] = {
	{ "InputSlot", "Default", "auto" },     { "InputSlot", "Auto", "auto" },
	{ "InputSlot", "Tray", "main" },        { "InputSlot", "Cassette", "main" },
	{ "InputSlot", "Upper", "top" },        { "InputSlot", "Lower", "bottom" },
	{ "InputSlot", "Multipurpose", "by-pass-tray" },
	{ "InputSlot", "MPTray", "by-pass-tray" },
	{ "MediaType", "Plain", "stationery" }, { "MediaType", "PlainPaper", "stationery" },
	{ "MediaType", "Bond", "stationery-bond" },
	{ "MediaType", "Glossy", "photographic-glossy" },
	{ "MediaType", "Special", "stationery-inkjet" },
};

/* "Tray1" becomes "tray-1", "ManualFeed" "manual-feed"; what a keyword cannot have, "-". */
static void make_keyword(const char *text, char *name, size_t size)
{
	size_t n = 0;
	bool apart;

	for (; *text && n + 2 < size; text++) {
		const unsigned char c = (unsigned char)*text;

		apart = n > 0 && name[n - 1] != '-' &&
			((isupper(c) && !isupper((unsigned char)text[-1])) ||
			 (isdigit(c) && !isdigit((unsigned char)text[-1])));
		if (apart && isalnum((unsigned char)text[-1]))
			name[n++] = '-';
		name[n++] = isalnum(c) || c == '_' || c == '-' ? rip_lower((char)c) : '-';
	}
	name[n] = '\0';
}

/* IPP's word for a choice of the PPD. */
static void name_choice(const char *keyword, const char *choice, char *name, size_t size)
{
	unsigned i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (rip_same_name(words[i].keyword, keyword) &&
		    rip_same_name(words[i].choice, choice)) {
			snprintf(name, size, "%s", words[i].name);
			return;
		}
	make_keyword(choice, name, size);
}

/* Makes room for `count` choices of an option. */
static bool make_choices(struct rip_app_choices *choices, const char *keyword, int count)
{
	snprintf(choices->keyword, sizeof choices->keyword, "%s", keyword);
	choices->list = calloc((size_t)(count > 0 ? count : 1), sizeof *choices->list);
	return choices->list != NULL;
}

static void add_choice(struct rip_app_choices *choices, const char *name, const char *choice)
{
	struct rip_app_choice *added;
	int i;

	for (i = 0; i < choices->count; i++)
		if (!strcmp(choices->list[i].name, name))
			return;
	added = &choices->list[choices->count++];
	snprintf(added->name, sizeof added->name, "%s", name);
	snprintf(added->choice, sizeof added->choice, "%s", choice);
}

static void set_preset(struct rip_app_choices *choices, const char *choice)
{
	int i;

	for (i = 0; i < choices->count; i++)
		if (choice && !strcmp(choices->list[i].choice, choice))
			choices->preset = i;
}

/* The choices of an option under IPP's names, or as they are, without regard to case. */
static bool read_choices(ppd_file_t *ppd, const char *keyword, bool pwg,
			 struct rip_app_choices *choices)
{
	const ppd_option_t *option = ppdFindOption(ppd, keyword);
	char name[64];
	int i;

	if (!option)
		return true;
	if (!make_choices(choices, option->keyword, option->num_choices))
		return false;
	for (i = 0; i < option->num_choices; i++) {
		const char *choice = option->choices[i].choice;
		size_t j;

		if (pwg)
			name_choice(keyword, choice, name, sizeof name);
		else
			snprintf(name, sizeof name, "%s", choice);
		for (j = 0; name[j]; j++)
			name[j] = rip_lower(name[j]);
		add_choice(choices, name, choice);
	}
	set_preset(choices, option->defchoice);
	return true;
}

/* ---- the parts of a page that IPP has names for ---- */

static bool read_media(ppd_file_t *ppd, struct rip_app_driver *driver,
		       struct rip_app_ppd_facts *facts)
{
	const ppd_option_t *option = ppdFindOption(ppd, "PageSize");
	const ppd_size_t *size;
	const pwg_media_t *pwg;
	int i;

	if (!option || !make_choices(&driver->media, "PageSize", ppd->num_sizes))
		return false;
	for (i = 0; i < ppd->num_sizes; i++) {
		size = &ppd->sizes[i];
		if (size->width < 1 || size->length < 1)
			continue; /* Custom */
		pwg = pwgMediaForSize(PWG_FROM_POINTS(size->width), PWG_FROM_POINTS(size->length));
		if (pwg && pwg->pwg)
			add_choice(&driver->media, pwg->pwg, size->name);
	}
	set_preset(&driver->media, option->defchoice);
	size = ppdPageSize(ppd, option->defchoice);
	if (size) {
		facts->left_right = (int)(size->left > size->width - size->right ?
			PWG_FROM_POINTS(size->left) : PWG_FROM_POINTS(size->width - size->right));
		facts->bottom_top = (int)(size->bottom > size->length - size->top ?
			PWG_FROM_POINTS(size->bottom) : PWG_FROM_POINTS(size->length - size->top));
	}
	return driver->media.count > 0;
}

/* Dots an inch across and down: of the choice's name, or of the code that sets it. */
static bool find_dpi(const char *text, const char *code, int dpi[2])
{
	const char *set = code ? strstr(code, "HWResolution") : NULL;

	dpi[1] = 0;
	if (sscanf(text, "%dx%d", &dpi[0], &dpi[1]) < 1 &&
	    (!set || sscanf(set, "HWResolution [ %d %d", &dpi[0], &dpi[1]) < 2))
		return false;
	if (!dpi[1])
		dpi[1] = dpi[0];
	return dpi[0] > 0 && dpi[1] > 0;
}

/* By size: PAPPL's draft is the first one and its best quality the last one. */
static int compare_resolutions(const void *a, const void *b)
{
	return atoi(((const struct rip_app_choice *)a)->name) -
	       atoi(((const struct rip_app_choice *)b)->name);
}

/* PAPPL has room for few: the coarsest and the finest ones stay, and the PPD's default. */
static void drop_resolutions(struct rip_app_choices *all)
{
	int i;

	while (all->count > PAPPL_MAX_RESOLUTION) {
		i = all->preset == 1 ? 2 : 1;
		memmove(&all->list[i], &all->list[i + 1],
			(size_t)(all->count - i - 1) * sizeof *all->list);
		all->count--;
		all->preset -= all->preset > i;
	}
}

static bool read_resolutions(ppd_file_t *ppd, struct rip_app_driver *driver)
{
	const ppd_option_t *option = ppdFindOption(ppd, "Resolution");
	const ppd_attr_t *attribute = ppdFindAttr(ppd, "DefaultResolution", NULL);
	struct rip_app_choices *all = &driver->resolutions;
	char name[32];
	int i, dpi[2];

	if (!make_choices(all, option ? "Resolution" : "", option ? option->num_choices : 1))
		return false;
	for (i = 0; option && i < option->num_choices; i++) {
		const ppd_choice_t *choice = &option->choices[i];

		if (!find_dpi(choice->choice, choice->code, dpi))
			continue;
		snprintf(name, sizeof name, dpi[0] == dpi[1] ? "%ddpi" : "%dx%ddpi", dpi[0],
			 dpi[1]);
		add_choice(all, name, choice->choice);
	}
	if (all->count == 0) {
		all->keyword[0] = '\0'; /* words alone, or nothing */
		add_choice(all, attribute && find_dpi(attribute->value, NULL, dpi) ?
			   attribute->value : "300dpi", "");
	}
	qsort(all->list, (size_t)all->count, sizeof *all->list, compare_resolutions);
	set_preset(all, option ? option->defchoice : NULL);
	drop_resolutions(all);
	return true;
}

static bool is_grey(const char *name)
{
	return !strncmp(name, "gray", 4) || !strncmp(name, "grey", 4) ||
	       !strncmp(name, "mono", 4) || !strcmp(name, "black") || !strcmp(name, "bw");
}

/* Foomatic's drivers say ColorMode, which is taken for it if grey is a choice. */
static bool read_colours(ppd_file_t *ppd, struct rip_app_driver *driver,
			 struct rip_app_ppd_facts *facts)
{
	struct rip_app_choices *all = &driver->colours;
	const bool usual = ppdFindOption(ppd, "ColorModel") != NULL;
	int i;

	driver->mono = driver->colour = -1;
	if (!read_choices(ppd, usual ? "ColorModel" : "ColorMode", false, all))
		return false;
	for (i = all->count - 1; i >= 0; i--)
		if (is_grey(all->list[i].name))
			driver->mono = i;
		else if (driver->colour < 0 || strcmp(all->list[driver->colour].name, "color"))
			driver->colour = i;
	if (all->count && !is_grey(all->list[all->preset].name))
		driver->colour = all->preset;
	if (!usual && (driver->mono < 0 || driver->colour < 0)) {
		free(all->list);
		memset(all, 0, sizeof *all);
		driver->mono = driver->colour = -1;
	}
	facts->colour = ppd->color_device && driver->colour >= 0;
	facts->grey_first = driver->mono >= 0 && all->preset == driver->mono;
	return true;
}

/* ---- all other options ---- */

static bool is_offered(const struct rip_app_driver *driver, const ppd_option_t *option)
{
	unsigned i;

	if (rip_same_name(driver->colours.keyword, option->keyword))
		return false;
	for (i = 0; i < sizeof not_offered / sizeof not_offered[0]; i++)
		if (rip_same_name(not_offered[i], option->keyword))
			return false;
	return option->num_choices > 1 &&
	       (option->ui == PPD_UI_PICKONE || option->ui == PPD_UI_BOOLEAN);
}

static void name_option(const char *keyword, char *name, size_t size)
{
	char plain[48];
	unsigned i;

	make_keyword(keyword, plain, sizeof plain);
	snprintf(name, size, "%s", plain);
	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (rip_same_name(names[i].keyword, keyword))
			snprintf(name, size, "%s", names[i].name);
	for (i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
		if (!strcmp(reserved[i], name))
			snprintf(name, size, "driver-%s", plain);
}

static bool read_options(ppd_file_t *ppd, struct rip_app_driver *driver)
{
	const ppd_group_t *group;
	struct rip_app_option *added;
	const ppd_option_t *option;
	int i, j;

	for (i = 0; i < ppd->num_groups; i++) {
		group = &ppd->groups[i];
		if (!strcmp(group->name, "InstallableOptions"))
			continue;
		for (j = 0; j < group->num_options; j++) {
			option = &group->options[j];
			if (!is_offered(driver, option) || driver->option_count == PAPPL_MAX_VENDOR)
				continue;
			added = &driver->options[driver->option_count++];
			name_option(option->keyword, added->name, sizeof added->name);
			if (!read_choices(ppd, option->keyword, false, &added->choices))
				return false;
		}
	}
	return true;
}

/* *cupsFilter2: "SOURCE DESTINATION COST PROGRAM". */
static void read_final_type(ppd_file_t *ppd, struct rip_app_driver *driver)
{
	const ppd_attr_t *line = ppdFindAttr(ppd, "cupsFilter2", NULL);
	char type[64], program[64];

	for (; line; line = ppdFindNextAttr(ppd, "cupsFilter2", NULL))
		if (line->value && sscanf(line->value, "%*s %63s %*d %63s", type, program) == 2 &&
		    !strcmp(program, "pdftoriptide"))
			snprintf(driver->final, sizeof driver->final, "%s", type);
}

struct rip_app_driver *rip_app_ppd_read(const char *path, struct rip_app_ppd_facts *facts,
					char *why, size_t size)
{
	struct rip_app_driver *driver = calloc(1, sizeof *driver);
	ppd_file_t *ppd = ppdOpenFile(path);
	ppd_status_t error;
	int line = 0;

	memset(facts, 0, sizeof *facts);
	snprintf(why, size, "it has no page sizes or resolutions");
	if (!ppd) {
		error = ppdLastError(&line);
		snprintf(why, size, "%s, line %d: %s", path, line, ppdErrorString(error));
	}
	if (!ppd || !driver)
		goto fail;
	ppdMarkDefaults(ppd);
	read_final_type(ppd, driver);
	snprintf(driver->ppd, sizeof driver->ppd, "%s", path);
	snprintf(facts->model, sizeof facts->model, "%s",
		 ppd->nickname ? ppd->nickname : ppd->modelname ? ppd->modelname : "Printer");
	facts->ppm = ppd->throughput > 0 ? ppd->throughput : 1;
	facts->label = strstr(facts->model, "abel") != NULL;
	if (!read_media(ppd, driver, facts) || !read_resolutions(ppd, driver) ||
	    !read_colours(ppd, driver, facts) ||
	    !read_choices(ppd, "InputSlot", true, &driver->sources) ||
	    !read_choices(ppd, "MediaType", true, &driver->types) ||
	    !read_choices(ppd, "Duplex", false, &driver->sides) || !read_options(ppd, driver))
		goto fail;
	ppdClose(ppd);
	return driver;
fail:
	if (ppd)
		ppdClose(ppd);
	rip_app_ppd_free(driver);
	return NULL;
}

void rip_app_ppd_free(struct rip_app_driver *driver)
{
	int i;

	if (!driver)
		return;
	free(driver->media.list);
	free(driver->sources.list);
	free(driver->types.list);
	free(driver->resolutions.list);
	free(driver->colours.list);
	free(driver->sides.list);
	for (i = 0; i < driver->option_count; i++)
		free(driver->options[i].choices.list);
	free(driver);
}
