#include "config.h"

#include "adoption.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

#define EIGHT_BITS      "takes contone and makes the dots itself"
#define CONTONE_PRINTER "sends contone to the printer, which makes the dots"

/* What is known from a page that went through (dots), or from the driver's sources. */
static const struct rip_driver drivers[] = {
	{ "rastertohp", RIP_TAKES_DOTS, NULL, NULL, NULL },
	{ "rastertoepson", RIP_TAKES_DOTS, NULL, NULL, NULL },
	{ "rastertolabel", RIP_TAKES_DOTS, NULL, "thermal", NULL },
	{ "rastertobrlaser", RIP_TAKES_DOTS, NULL, "laser", NULL },
	{ "rastertoqpdl", RIP_TAKES_DOTS, NULL, "laser", NULL },
	{ "rastertosag-gdi", RIP_TAKES_DOTS, NULL, "laser", NULL },
	{ "hpcups", RIP_TAKES_DOTS, NULL, NULL, NULL },
	{ "raster2dymolw", RIP_TAKES_DOTS, NULL, "thermal", "DymoHalftoning" },
	{ "raster2dymolm", RIP_TAKES_DOTS, NULL, "thermal", "DymoHalftoning" },
	{ "epson-escpr-wrapper", RIP_TAKES_CONTONE, CONTONE_PRINTER, NULL, NULL },
	{ "epson-escpr", RIP_TAKES_CONTONE, CONTONE_PRINTER, NULL, NULL },
	{ "rastertogutenprint.", RIP_TAKES_CONTONE, EIGHT_BITS ", of 1-bit raster too",
	  NULL, NULL },
	{ "c2esp", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "c2espC", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "rastertoescpx", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "rastertopclx", RIP_TAKES_CONTONE, EIGHT_BITS, NULL, NULL },
	{ "pstoqpdl", RIP_TAKES_CONTONE, "draws the page itself, from PostScript", NULL, NULL },
	{ "hpcupsfax", RIP_TAKES_CONTONE, "makes a fax, not a print", NULL, NULL },
	{ "rastertopwg", RIP_TAKES_CONTONE, CONTONE_PRINTER, NULL, NULL },
};

static const struct rip_driver nobody_tried = { "", RIP_TAKES_UNKNOWN, NULL, NULL, NULL };

/* The driver of that name; one with RIP_TAKES_UNKNOWN and no name if there is none. */
static const struct rip_driver *find_driver(struct rip_slice program)
{
	for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
		const char *name = drivers[i].program;
		const size_t length = strlen(name);

		if (rip_slice_is(program, name) ||
		    (name[length - 1] == '.' && rip_slice_starts(program, name) &&
		     program.size > length))
			return &drivers[i];
	}
	return &nobody_tried;
}

/* The number in *cupsModelNumber; 0 if there is none, as CUPS takes it. */
static unsigned model_number(const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "cupsModelNumber", NULL);

	return s ? rip_slice_number(s->value) : 0;
}

/* HP's inkjets and lasers share some of their languages; the names of the inkjets tell. */
static bool is_inkjet(const struct rip_ppd_text *ppd)
{
	static const char *const words[] = {
		"nkjet", "eskjet", "fficejet", "hotosmart", "esignjet",
	};
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "ModelName", NULL);

	for (size_t i = 0; s && i < sizeof words / sizeof *words; i++)
		if (rip_slice_find(s->value, words[i]))
			return true;
	return false;
}

/* The class of printers, as halftone-dot-gain names it: "laser", "inkjet" or "thermal"; NULL: none
 * of them, or not known. */
static const char *printer_of(const struct rip_driver *driver, const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *language;

	if (driver->takes != RIP_TAKES_DOTS || driver->printer)
		return driver->printer;
	if (!strcmp(driver->program, "rastertohp")) /* HP_LASERJET is 0, HP_DESKJET 1 and 2 */
		return model_number(ppd) == 0 ? "laser" : "inkjet";
	if (!strcmp(driver->program, "rastertoepson")) /* 0 and 1 have pins, the others jets */
		return model_number(ppd) < 2 ? NULL : "inkjet";
	language = rip_ppd_find(ppd, "hpPrinterLanguage", NULL);
	if (strcmp(driver->program, "hpcups") || !language)
		return NULL;
	if (is_inkjet(ppd))
		return "inkjet";
	return rip_slice_starts(language->value, "lj") || rip_slice_is(language->value, "hbpl1") ?
	       "laser" : "inkjet";
}

const char *rip_adoption_name(enum rip_adoption_kind kind)
{
	static const char *const names[] = { "yes", "partly", "no", "unknown", "adopted" };

	return names[kind];
}

__attribute__((format(printf, 3, 4))) static int decide(struct rip_adoption *v,
							enum rip_adoption_kind kind,
							const char *format, ...)
{
	va_list arguments;

	v->kind = kind;
	va_start(arguments, format);
	vsnprintf(v->reason, sizeof v->reason, format, arguments);
	va_end(arguments);
	for (char *c = v->reason; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	return 0;
}

static struct rip_slice last_word(struct rip_slice value)
{
	size_t from = value.size;

	while (from && value.text[from - 1] != ' ' && value.text[from - 1] != '\t')
		from--;
	return (struct rip_slice){ value.text + from, value.size - from };
}

bool rip_is_filter(const struct rip_ppd_statement *s)
{
	return rip_slice_is(s->keyword, "cupsFilter") || rip_slice_is(s->keyword, "cupsFilter2");
}

struct rip_slice rip_raster_program(const struct rip_ppd_statement *s)
{
	return rip_is_filter(s) && (rip_slice_starts(s->value, "application/vnd.cups-raster ") ||
				    rip_slice_starts(s->value, "image/pwg-raster ")) ?
	       last_word(s->value) : (struct rip_slice){ "", 0 };
}

static struct rip_slice base_name(struct rip_slice path)
{
	const char *slash = path.size ? memrchr(path.text, '/', path.size) : NULL;

	if (slash)
		path = (struct rip_slice){ slash + 1, (size_t)(path.text + path.size - slash - 1) };
	return path;
}

static void name_driver(struct rip_adoption *v, const char *before, struct rip_slice name)
{
	snprintf(v->driver, sizeof v->driver, "%s%.*s", before,
		 (int)(name.size < 60 ? name.size : 60), name.text);
	for (char *c = v->driver; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > 126)
			*c = '?';
}

/* With a command of foomatic-rip's. */
static int decide_foomatic(struct rip_adoption *v, const struct rip_ppd_text *ppd)
{
	const struct rip_slice driver = rip_foomatic_driver(ppd);
	char why[120];
	int r;

	name_driver(v, "foomatic-rip: ", driver);
	v->printer = rip_foomatic_printer(driver);
	if (!v->printer)
		return decide(v, RIP_ADOPTION_NO,
			      "foomatic-rip drives it: it starts Ghostscript itself"
			      " and takes no raster");
	if (rip_ppd_find(ppd, "cupsFilter2", NULL))
		return decide(v, RIP_ADOPTION_NO, "the PPD starts foomatic-rip by cupsFilter2");
	r = rip_raster_choices_find(&v->choices, ppd, why, sizeof why);
	if (r == -ENOMEM)
		return r;
	if (r < 0 || v->choices.dot_spaces || v->choices.contone_spaces)
		return decide(v, RIP_ADOPTION_NO,
			      "the PPD is for foomatic-rip, but has code for raster");
	v->foomatic = true;
	return decide(v, RIP_ADOPTION_YES,
		      "%.*s prints the dots that it gets, by " RIP_FOOMATIC_FILTER,
		      (int)driver.size, driver.text);
}

/* Without a filter that takes raster. */
static int decide_without_raster(struct rip_adoption *v, const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *first = NULL;
	struct rip_slice program = { "", 0 }, type;
	const struct rip_driver *driver;

	for (size_t i = 0; i < ppd->count && !first; i++)
		if (rip_is_filter(&ppd->statements[i]))
			first = &ppd->statements[i];
	if (first)
		program = base_name(last_word(first->value));
	if (!program.size)
		return decide(v, RIP_ADOPTION_NO,
			      "the printer takes PostScript and makes the dots itself");
	if (rip_slice_is(program, "-")) {
		name_driver(v, "", last_word(first->value));
		return decide(v, RIP_ADOPTION_NO,
			      "no filter takes raster: the printer draws the pages itself");
	}
	name_driver(v, "", program);
	if (rip_slice_is(program, "foomatic-rip"))
		return decide_foomatic(v, ppd);
	driver = find_driver(program);
	if (driver->takes == RIP_TAKES_CONTONE)
		return decide(v, RIP_ADOPTION_NO, "%s %s", v->driver, driver->why);
	program = first->value;
	type = rip_slice_word(&program);
	return decide(v, RIP_ADOPTION_NO, "%s takes %.*s, and no raster", v->driver,
		      (int)(type.size < 80 ? type.size : 80), type.text);
}

/* Adds "OPTION=CHOICE" for the choices that will be halftoned, as long as there is room. */
static void list_choices(const struct rip_adoption *v, const struct rip_ppd_text *ppd, char *text,
			 size_t size)
{
	unsigned listed = 0;
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];

		if (!v->choices.statements[i].gives_dots)
			continue;
		if (listed++ == 4 || used + s->keyword.size + s->option.size + 8 > size) {
			snprintf(text + used, size - used, " ...");
			return;
		}
		used += (size_t)snprintf(text + used, size - used, "%s%.*s=%.*s", used ? ", " : "",
					 (int)s->keyword.size, s->keyword.text, (int)s->option.size,
					 s->option.text);
	}
}

/* With a driver that may take dots: by what the PPD asks for. */
static int decide_by_choices(struct rip_adoption *v, const struct rip_ppd_text *ppd,
			     const struct rip_driver *driver, bool chain)
{
	const struct rip_ppd_statement *prefilter = rip_ppd_find(ppd, "cupsPreFilter", NULL);
	const bool unknown = driver->takes == RIP_TAKES_UNKNOWN;
	unsigned long long contone;
	char why[120];
	int r;

	if (prefilter && !chain)
		return decide(v, RIP_ADOPTION_NO,
			      "the PPD has a cupsPreFilter line already (line %u)",
			      prefilter->line);
	r = rip_raster_choices_find(&v->choices, ppd, why, sizeof why);
	if (r == -ENOMEM)
		return r;
	if (r < 0)
		return decide(v, RIP_ADOPTION_NO, "%s", why);
	contone = v->choices.contone_spaces;
	if (!v->choices.dot_spaces && contone)
		return decide(v, RIP_ADOPTION_NO,
			      "the PPD asks for contone in all choices: %s makes the dots itself",
			      v->driver);
	if (!v->choices.dot_spaces)
		return decide(v, RIP_ADOPTION_NO,
			      "no choice of the PPD sets cupsBitsPerColor 1 for an ink");
	for (size_t i = 0; i < ppd->count; i++)
		if (v->choices.statements[i].gives_dots && v->choices.statements[i].gives_others)
			return decide(v, RIP_ADOPTION_NO,
				      "the choice in line %u is for dots of ink and for others,"
				      " so it cannot be changed",
				      ppd->statements[i].line);
	list_choices(v, ppd, why, sizeof why);
	/* None if the first choice is too long for the list. */
	snprintf(v->try_option, sizeof v->try_option, "%.*s",
		 *why == ' ' ? 0 : (int)strcspn(why, ","), why);
	if (contone && driver->only)
		v->only = driver->only;
	else if (contone & v->choices.dot_spaces)
		return decide(v, RIP_ADOPTION_NO, "contone and dots come in the same colour space");
	else if (contone)
		v->pages = v->choices.dot_spaces;
	if (unknown)
		return decide(v, RIP_ADOPTION_UNKNOWN,
			      "nobody has tried whether %s prints dots made before it", v->driver);
	if (v->only)
		return decide(v, RIP_ADOPTION_PARTLY,
			      "%s prints the dots that it gets with %s;"
			      " the other choices are dropped",
			      v->driver, why);
	if (v->pages || v->choices.unset || v->choices.other_spaces)
		return decide(v, RIP_ADOPTION_PARTLY,
			      "%s prints the dots that it gets in these choices only: %s",
			      v->driver, why);
	return decide(v, RIP_ADOPTION_YES, "%s prints the dots that it gets", v->driver);
}

/* Whether rastertoriptide is a filter or a prefilter of the PPD. */
static bool has_our_filter(const struct rip_ppd_text *ppd)
{
	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];

		if ((rip_is_filter(s) || rip_slice_is(s->keyword, "cupsPreFilter")) &&
		    rip_slice_is(base_name(last_word(s->value)), "rastertoriptide"))
			return true;
	}
	return false;
}

/* The filter behind ours, in whatever case its keyword is: CUPS finds it so. */
static const struct rip_ppd_statement *find_next_filter(const struct rip_ppd_text *ppd)
{
	static const char keyword[] = "riptideNextFilter";

	for (size_t i = 0; i < ppd->count; i++)
		if (ppd->statements[i].keyword.size == strlen(keyword) &&
		    rip_same_start(ppd->statements[i].keyword.text, keyword, strlen(keyword)))
			return &ppd->statements[i];
	return NULL;
}

int rip_adoption_judge(struct rip_adoption *v, const struct rip_ppd_text *ppd, bool chain)
{
	struct rip_slice program = { "", 0 };
	const struct rip_ppd_statement *next;
	const struct rip_driver *driver;
	bool two_programs = false;

	*v = (struct rip_adoption){ .kind = RIP_ADOPTION_NO };
	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_slice found = rip_raster_program(&ppd->statements[i]);

		two_programs |= found.size && program.size && !rip_slice_equal(found, program);
		if (found.size && !program.size)
			program = found;
	}
	name_driver(v, "", base_name(program));
	if (rip_ppd_find(ppd, "riptideAdopted", NULL))
		return decide(v, RIP_ADOPTION_DONE, "it was adopted before");
	if (has_our_filter(ppd))
		return decide(v, RIP_ADOPTION_NO, "it prints our dots without being adopted");
	next = find_next_filter(ppd);
	if (next) /* it would be in force, and not the driver */
		return decide(v, RIP_ADOPTION_NO, "the PPD has a riptideNextFilter line already"
			      " (line %u)", next->line);
	if (!program.size)
		return decide_without_raster(v, ppd);
	if (rip_slice_is(program, "-"))
		return decide(v, RIP_ADOPTION_NO,
			      "no driver: the printer takes the raster and makes the dots");
	driver = find_driver(base_name(program));
	v->printer = printer_of(driver, ppd);
	if (driver->takes == RIP_TAKES_CONTONE)
		return decide(v, RIP_ADOPTION_NO, "%s %s", v->driver, driver->why);
	if (two_programs)
		return decide(v, RIP_ADOPTION_NO, "several filters of the PPD take raster");
	return decide_by_choices(v, ppd, driver, chain);
}

void rip_adoption_refuse(struct rip_adoption *v, const char *before, const char *more)
{
	*v = (struct rip_adoption){ .kind = RIP_ADOPTION_NO };
	decide(v, RIP_ADOPTION_NO, "%s%s", before, more);
}

void rip_adoption_finish(struct rip_adoption *v)
{
	rip_raster_choices_finish(&v->choices);
}
