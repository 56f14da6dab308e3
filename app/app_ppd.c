#include "config.h"

#include "app/app_ppd.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/transcode.h>

#include "adopt/ppd_text.h"
#include "system/ascii.h"
#include "system/number.h"

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

/* ---- options, as statements from *OpenUI to *CloseUI; libcups 3 reads no PPDs ---- */

struct ui {
	struct rip_slice keyword;
	const struct rip_ppd_statement *at, *end; /* behind *OpenUI, and *CloseUI */
	bool one;         /* one of its choices */
	bool installable; /* tells what is built into the printer */
};

static bool same(struct rip_slice slice, const char *text)
{
	return slice.size == strlen(text) && rip_same_start(slice.text, text, slice.size);
}

/* The first text in a slice, without what stands behind a slash. */
static void copy(char *to, size_t size, struct rip_slice from)
{
	const char *slash = memchr(from.text ? from.text : "", '/', from.size);

	snprintf(to, size, "%.*s", (int)(slash ? slash - from.text : (ptrdiff_t)from.size),
		 from.text ? from.text : "");
}

static bool is_opened(const struct rip_ppd_statement *s)
{
	return rip_slice_is(s->keyword, "OpenUI") || rip_slice_is(s->keyword, "JCLOpenUI");
}

static bool is_closed(const struct rip_ppd_statement *s)
{
	return rip_slice_is(s->keyword, "CloseUI") || rip_slice_is(s->keyword, "JCLCloseUI");
}

/* The next option behind `ui`, which begins as { .end = NULL }. */
static bool next_ui(const struct rip_ppd_text *ppd, struct ui *ui)
{
	const struct rip_ppd_statement *s = ui->end ? ui->end : ppd->statements;
	const struct rip_ppd_statement *end = ppd->statements + ppd->count;

	for (; s < end && !is_opened(s); s++) {
		if (rip_slice_is(s->keyword, "OpenGroup"))
			ui->installable = rip_slice_starts(s->value, "InstallableOptions");
		else if (rip_slice_is(s->keyword, "CloseGroup"))
			ui->installable = false;
	}
	if (s == end)
		return false;
	ui->keyword = s->option;
	if (rip_slice_starts(ui->keyword, "*")) {
		ui->keyword.text++;
		ui->keyword.size--;
	}
	ui->one = !same(s->value, "PickMany");
	for (ui->at = ui->end = s + 1; ui->end < end && !is_closed(ui->end) &&
	     !is_opened(ui->end);)
		ui->end++;
	return true;
}

static bool find_ui(const struct rip_ppd_text *ppd, const char *keyword, struct ui *found)
{
	*found = (struct ui){ .end = NULL };
	while (next_ui(ppd, found))
		if (same(found->keyword, keyword))
			return true;
	return false;
}

/* Whether a choice is one word, of ASCII: a blank would make two options of a job of it, and IPP
 * has no other letters in keywords. */
static bool is_word(const char *choice)
{
	while (*choice > ' ' && *choice < 127)
		choice++;
	return !*choice;
}

/* The next choice of an option; NULL: there is none. */
static const struct rip_ppd_statement *next_choice(struct ui *ui, char *choice, size_t size)
{
	while (ui->at < ui->end) {
		const struct rip_ppd_statement *s = ui->at++;

		if (!s->option.size || !rip_slice_equal(s->keyword, ui->keyword))
			continue;
		copy(choice, size, s->option);
		if (is_word(choice))
			return s;
	}
	return NULL;
}

static int count_choices(struct ui ui)
{
	char choice[42];
	int count = 0;

	while (next_choice(&ui, choice, sizeof choice))
		count++;
	return count;
}

/* The default; empty: none. */
static void find_preset(const struct rip_ppd_text *ppd, struct rip_slice keyword, char *preset,
			size_t size)
{
	const struct rip_ppd_statement *s = NULL;
	char name[64];

	snprintf(name, sizeof name, "Default%.*s", (int)keyword.size, keyword.text);
	s = rip_ppd_find(ppd, name, NULL);
	copy(preset, size, s ? s->value : (struct rip_slice){ "", 0 });
}

/* The value of a statement; empty: there is none. */
static void find_value(const struct rip_ppd_text *ppd, const char *keyword, char *value,
		       size_t size)
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, keyword, NULL);

	snprintf(value, size, "%.*s", s ? (int)s->value.size : 0, s ? s->value.text : "");
}

/* The value of a statement as UTF-8, which IPP wants.  As CUPS has it, a PPD is in Latin 1 unless
 * it names another encoding. */
static void find_text(const struct rip_ppd_text *ppd, const char *keyword, char text[128])
{
	static const struct {
		const char *name;
		cups_encoding_t encoding;
	} encodings[] = {
		{ "UTF-8", CUPS_UTF8 }, { "ISOLatin1", CUPS_ISO8859_1 },
		{ "ISOLatin2", CUPS_ISO8859_2 }, { "ISOLatin5", CUPS_ISO8859_5 },
		{ "JIS83-RKSJ", CUPS_JIS_X0213 }, { "MacStandard", CUPS_MAC_ROMAN },
		{ "WindowsANSI", CUPS_WINDOWS_1252 },
	};
	cups_encoding_t encoding = CUPS_ISO8859_1;
	cups_utf32_t letters[256];
	char value[256], name[16];
	size_t n = 127;

	find_value(ppd, keyword, value, sizeof value);
	find_value(ppd, "LanguageEncoding", name, sizeof name);
	for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
		if (rip_same_name(encodings[i].name, name))
			encoding = encodings[i].encoding;
	if (encoding == CUPS_UTF8 && cupsUTF8ToUTF32(letters, (void *)value, 256) < 0)
		encoding = CUPS_ISO8859_1; /* it is not what the PPD says */
	if (encoding == CUPS_UTF8 && strlen(value) > n) {
		while ((value[n] & 0xc0) == 0x80) /* in the middle of a letter */
			n--;
		value[n] = '\0';
	}
	cupsCharsetToUTF8((void *)text, value, 128, encoding);
}

/* The numbers of a page size, such as *PaperDimension A4: "595 842". */
static int size_numbers(const struct rip_ppd_text *ppd, const char *keyword, const char *name,
			float numbers[4])
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, keyword, name);
	char text[128];
	int n;

	snprintf(text, sizeof text, "%.*s", s ? (int)s->value.size : 0, s ? s->value.text : "");
	n = rip_number_scan(text, "%f %f %f %f", &numbers[0], &numbers[1], &numbers[2],
			    &numbers[3]);
	for (int i = 0; i < n; i++)
		if (!(numbers[i] >= 0 && numbers[i] < 1e5f))
			return 0;
	return n;
}

int rip_app_choice_index(const struct rip_app_choices *choices, const char *name)
{
	for (int i = 0; i < choices->count; i++)
		if (!strcmp(choices->list[i].name, name))
			return i;
	return -1;
}

/* Adds a choice, unless there is one of the name.  False without memory. */
static bool add_choice(struct rip_app_choices *choices, const char *name, const char *choice)
{
	struct rip_app_choice *more;

	if (rip_app_choice_index(choices, name) >= 0)
		return true;
	more = realloc(choices->list, (size_t)(choices->count + 1) * sizeof *more);
	if (!more)
		return false;
	choices->list = more;
	more += choices->count++;
	snprintf(more->name, sizeof more->name, "%s", name);
	snprintf(more->choice, sizeof more->choice, "%s", choice);
	return true;
}

static void set_preset(struct rip_app_choices *choices, const char *choice)
{
	for (int i = 0; i < choices->count; i++)
		if (!strcmp(choices->list[i].choice, choice))
			choices->preset = i;
}

/* The choices of an option under IPP's names, or as they are, without regard to case. */
static bool read_choices(const struct rip_ppd_text *ppd, struct ui ui, bool pwg,
			 struct rip_app_choices *choices)
{
	char name[64], choice[42];

	copy(choices->keyword, sizeof choices->keyword, ui.keyword);
	while (next_choice(&ui, choice, sizeof choice)) {
		if (pwg)
			name_choice(choices->keyword, choice, name, sizeof name);
		else
			snprintf(name, sizeof name, "%s", choice);
		for (size_t j = 0; name[j]; j++)
			name[j] = rip_lower(name[j]);
		if (!add_choice(choices, name, choice))
			return false;
	}
	find_preset(ppd, ui.keyword, choice, sizeof choice);
	set_preset(choices, choice);
	return true;
}

/* Those of an option that the PPD need not have. */
static bool read_part(const struct rip_ppd_text *ppd, const char *keyword, bool pwg,
		      struct rip_app_choices *choices)
{
	struct ui ui;

	return !find_ui(ppd, keyword, &ui) || read_choices(ppd, ui, pwg, choices);
}

/* ---- the parts of a page that IPP has names for ---- */

static void read_margins(const struct rip_ppd_text *ppd, const char *size,
			 struct rip_app_ppd_facts *facts)
{
	float page[4], area[4], right, top; /* in points; area: left, bottom, right, top */

	if (size_numbers(ppd, "PaperDimension", size, page) < 2 ||
	    size_numbers(ppd, "ImageableArea", size, area) < 4)
		return;
	right = page[0] - area[2];
	top = page[1] - area[3];
	facts->left_right = PWG_FROM_POINTS(area[0] > right ? area[0] : right);
	facts->bottom_top = PWG_FROM_POINTS(area[1] > top ? area[1] : top);
}

static bool read_media(const struct rip_ppd_text *ppd, struct rip_app_driver *driver,
		       struct rip_app_ppd_facts *facts)
{
	const pwg_media_t *pwg;
	char choice[42];
	float page[4];
	struct ui ui;

	if (!find_ui(ppd, "PageSize", &ui))
		return false;
	snprintf(driver->media.keyword, sizeof driver->media.keyword, "PageSize");
	while (next_choice(&ui, choice, sizeof choice)) {
		if (size_numbers(ppd, "PaperDimension", choice, page) < 2 || page[0] < 1 ||
		    page[1] < 1)
			continue;
		pwg = pwgMediaForSize(PWG_FROM_POINTS(page[0]), PWG_FROM_POINTS(page[1]));
		if (pwg && pwg->pwg && !add_choice(&driver->media, pwg->pwg, choice))
			return false;
	}
	find_preset(ppd, ui.keyword, choice, sizeof choice);
	set_preset(&driver->media, choice);
	read_margins(ppd, choice, facts);
	return driver->media.count > 0;
}

/* Dots an inch across and down: of the choice's name, or of the code that sets it. */
static bool find_dpi(const char *text, struct rip_slice code, int dpi[2])
{
	char set[256], *at;

	snprintf(set, sizeof set, "%.*s", (int)code.size, code.size ? code.text : "");
	at = strstr(set, "HWResolution");
	dpi[1] = 0;
	if (sscanf(text, "%dx%d", &dpi[0], &dpi[1]) < 1 &&
	    (!at || sscanf(at, "HWResolution [ %d %d", &dpi[0], &dpi[1]) < 2))
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

/* The PPD's default stands for others of the same name. */
static bool add_resolution(struct rip_app_choices *all, const char *name, const char *choice,
			   const char *preset)
{
	const int place = rip_app_choice_index(all, name);

	if (place < 0)
		return add_choice(all, name, choice);
	if (!strcmp(choice, preset))
		snprintf(all->list[place].choice, sizeof all->list[place].choice, "%s", choice);
	return true;
}

static bool read_resolutions(const struct rip_ppd_text *ppd, struct rip_app_driver *driver)
{
	struct rip_app_choices *all = &driver->resolutions;
	const struct rip_slice keyword = { "Resolution", 10 }, no_code = { "", 0 };
	const struct rip_ppd_statement *s;
	char choice[42], preset[42], name[32];
	struct ui ui;
	int dpi[2];

	find_preset(ppd, keyword, preset, sizeof preset);
	if (!find_ui(ppd, keyword.text, &ui))
		ui = (struct ui){ .end = NULL };
	while ((s = next_choice(&ui, choice, sizeof choice))) {
		if (!find_dpi(choice, s->value, dpi))
			continue;
		snprintf(name, sizeof name, dpi[0] == dpi[1] ? "%ddpi" : "%dx%ddpi", dpi[0],
			 dpi[1]);
		if (!add_resolution(all, name, choice, preset))
			return false;
	}
	/* Without the option, or with words alone. */
	if (all->count == 0)
		return add_choice(all, find_dpi(preset, no_code, dpi) ? preset : "300dpi", "");
	copy(all->keyword, sizeof all->keyword, keyword);
	qsort(all->list, (size_t)all->count, sizeof *all->list, compare_resolutions);
	set_preset(all, preset);
	drop_resolutions(all);
	return true;
}

static bool is_grey(const char *name)
{
	return !strncmp(name, "gray", 4) || !strncmp(name, "grey", 4) ||
	       !strncmp(name, "mono", 4) || !strcmp(name, "black") || !strcmp(name, "bw");
}

/* Foomatic's drivers say ColorMode, which is taken for it if grey is a choice. */
static bool read_colours(const struct rip_ppd_text *ppd, struct rip_app_driver *driver,
			 struct rip_app_ppd_facts *facts)
{
	struct rip_app_choices *all = &driver->colours;
	char colour[8];
	struct ui ui;
	const bool usual = find_ui(ppd, "ColorModel", &ui);
	int i;

	driver->mono = driver->colour = -1;
	if (!read_part(ppd, usual ? "ColorModel" : "ColorMode", false, all))
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
	find_value(ppd, "ColorDevice", colour, sizeof colour);
	facts->colour = rip_same_name(colour, "True") && driver->colour >= 0;
	facts->grey_first = driver->mono >= 0 && all->preset == driver->mono;
	return true;
}

/* ---- all other options ---- */

static bool is_offered(const struct rip_app_driver *driver, const struct ui *ui)
{
	unsigned i;

	if (same(ui->keyword, driver->colours.keyword))
		return false;
	for (i = 0; i < sizeof not_offered / sizeof not_offered[0]; i++)
		if (same(ui->keyword, not_offered[i]))
			return false;
	return ui->one && !ui->installable && count_choices(*ui) > 1;
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

static bool read_options(const struct rip_ppd_text *ppd, struct rip_app_driver *driver)
{
	struct ui ui = { .end = NULL };
	struct rip_app_option *added;
	char keyword[42];

	while (next_ui(ppd, &ui) && driver->option_count < PAPPL_MAX_VENDOR) {
		if (!is_offered(driver, &ui))
			continue;
		added = &driver->options[driver->option_count++];
		copy(keyword, sizeof keyword, ui.keyword);
		name_option(keyword, added->name, sizeof added->name);
		if (!read_choices(ppd, ui, false, &added->choices))
			return false;
	}
	return true;
}

/* *cupsFilter2: "SOURCE DESTINATION COST PROGRAM". */
static void read_final_type(const struct rip_ppd_text *ppd, struct rip_app_driver *driver)
{
	const struct rip_ppd_statement *s;
	char line[256], type[64], program[64];

	for (s = ppd->statements; s < ppd->statements + ppd->count; s++) {
		if (!rip_slice_is(s->keyword, "cupsFilter2"))
			continue;
		snprintf(line, sizeof line, "%.*s", (int)s->value.size, s->value.text);
		if (sscanf(line, "%*s %63s %*d %63s", type, program) == 2 &&
		    !strcmp(program, "pdftoriptide"))
			snprintf(driver->final, sizeof driver->final, "%s", type);
	}
}

static bool read_all(const struct rip_ppd_text *ppd, struct rip_app_driver *driver,
		     struct rip_app_ppd_facts *facts)
{
	char ppm[16];

	read_final_type(ppd, driver);
	find_value(ppd, "riptidePrinter", driver->class, sizeof driver->class);
	if (!*driver->class)
		snprintf(driver->class, sizeof driver->class, "laser");
	find_text(ppd, "NickName", facts->model);
	if (!*facts->model)
		find_text(ppd, "ModelName", facts->model);
	if (!*facts->model)
		snprintf(facts->model, sizeof facts->model, "Printer");
	find_value(ppd, "Throughput", ppm, sizeof ppm);
	facts->ppm = atoi(ppm) > 0 ? atoi(ppm) : 1;
	facts->label = strstr(facts->model, "abel") != NULL;
	return read_media(ppd, driver, facts) && read_resolutions(ppd, driver) &&
	       read_colours(ppd, driver, facts) &&
	       read_part(ppd, "InputSlot", true, &driver->sources) &&
	       read_part(ppd, "MediaType", true, &driver->types) &&
	       read_part(ppd, "Duplex", false, &driver->sides) && read_options(ppd, driver);
}

struct rip_app_driver *rip_app_ppd_read(const char *path, struct rip_app_ppd_facts *facts,
					char *why, size_t size)
{
	struct rip_app_driver *driver = calloc(1, sizeof *driver);
	struct rip_ppd_text ppd = { .count = 0 };
	FILE *file = fopen(path, "re");
	ssize_t bytes = -1;
	char *text = NULL, wrong[160];
	size_t room = 0;
	bool ok = false;

	memset(facts, 0, sizeof *facts);
	errno = file ? 0 : errno;
	if (file)
		bytes = getdelim(&text, &room, '\0', file);
	if (bytes < 0) {
		snprintf(why, size, "%s: %s", path, errno ? strerror(errno) : "the file is empty");
	} else if (rip_ppd_text_parse(&ppd, text, (size_t)bytes, wrong, sizeof wrong) < 0) {
		snprintf(why, size, "%s: %s", path, wrong);
	} else if (driver) {
		snprintf(driver->ppd, sizeof driver->ppd, "%s", path);
		ok = read_all(&ppd, driver, facts);
		snprintf(why, size, "it has no page sizes or resolutions");
	} else {
		snprintf(why, size, "%s", strerror(ENOMEM));
	}
	if (file)
		fclose(file);
	rip_ppd_text_finish(&ppd);
	free(text);
	if (ok)
		return driver;
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
