#include "config.h"

#include "adoption.h"

#include <stdio.h>
#include <string.h>

#define GREY  "/cupsColorSpace 3/cupsColorOrder 0/cupsBitsPerColor 8"
#define COLOR "/cupsColorSpace 8/cupsColorOrder 1/cupsBitsPerColor 8"

/* "*driverName DRIVER", or "*FoomaticIDs: PRINTER DRIVER". */
struct rip_slice rip_foomatic_driver(const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "driverName", NULL);
	struct rip_slice last = { "", 0 };

	if (s && s->option.size)
		return s->option;
	s = rip_ppd_find(ppd, "FoomaticIDs", NULL);
	if (s)
		last = s->value;
	for (size_t i = 0; i < last.size;)
		if (last.text[i++] == ' ')
			last = (struct rip_slice){ last.text + i, last.size - i }, i = 0;
	return last;
}

const char *rip_foomatic_printer(struct rip_slice driver)
{
	if (driver.size > 4 && !memcmp(driver.text, "foo2", 4))
		return "laser";
	if (rip_slice_is(driver, "ptouch-pt") || rip_slice_is(driver, "ptouch-ql"))
		return "thermal";
	return NULL;
}

/* What a choice adds to the command: "*FoomaticRIPOptionSetting OPTION=CHOICE: TEXT". */
static struct rip_slice setting(const struct rip_ppd_text *ppd, const char *option,
				struct rip_slice choice)
{
	const size_t length = strlen(option);

	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];
		const struct rip_slice name = s->option;

		if (rip_slice_is(s->keyword, "FoomaticRIPOptionSetting") &&
		    name.size == length + 1 + choice.size &&
		    !memcmp(name.text, option, length) && name.text[length] == '=' &&
		    !memcmp(name.text + length + 1, choice.text, choice.size))
			return s->value;
	}
	return (struct rip_slice){ "", 0 };
}

/* "600x600", "1200x600dpi", "300".  False: these are no resolutions. */
static bool read_resolution(const char *at, const char *end, unsigned *x_dpi, unsigned *y_dpi)
{
	unsigned values[2] = { 0, 0 }, count = 0;

	for (; at < end && count < 2; at++) {
		if (*at >= '0' && *at <= '9' && values[count] < 10000)
			values[count] = 10 * values[count] + (unsigned)(*at - '0');
		else if (*at == 'x' && count == 0)
			count++;
		else
			break;
	}
	*x_dpi = values[0];
	*y_dpi = values[1] ? values[1] : values[0];
	return *x_dpi > 0;
}

/* By the command's -r, or else by the choice's name. */
static bool resolution_of(struct rip_slice set, struct rip_slice choice,
			  unsigned *x_dpi, unsigned *y_dpi)
{
	const char *at = rip_slice_find(set, "-r");

	return (at && read_resolution(at + 2, set.text + set.size, x_dpi, y_dpi)) ||
	       read_resolution(choice.text, choice.text + choice.size, x_dpi, y_dpi);
}

void rip_foomatic_plan(struct rip_foomatic_plan *plan, const struct rip_ppd_text *ppd)
{
	*plan = (struct rip_foomatic_plan){
		.resolutions = rip_ppd_find(ppd, "OpenUI", "*Resolution") != NULL,
		.colors = rip_ppd_find(ppd, "OpenUI", "*ColorMode") != NULL,
	};
	for (size_t i = 0; i < ppd->count && !plan->x_dpi; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];
		const char *name = "Resolution=";

		if (rip_slice_is(s->keyword, "FoomaticRIPOptionSetting") &&
		    s->option.size > strlen(name) && !memcmp(s->option.text, name, strlen(name)))
			resolution_of(s->value, (struct rip_slice){ s->option.text + strlen(name),
								    s->option.size - strlen(name) },
				      &plan->x_dpi, &plan->y_dpi);
	}
	if (!plan->x_dpi)
		plan->x_dpi = plan->y_dpi = 600; /* what these commands take then */
}

/* Adds a choice with other code, in one line. */
static void add_choice(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
		       const struct rip_ppd_statement *s, const char *before, const char *code)
{
	const char *colon = memchr(s->all.text, ':', s->all.size);

	rip_text_add(out, s->all.text, (size_t)(colon - s->all.text));
	rip_text_line(out, ppd->eol, ": \"%s<<%s>>setpagedevice\"", before, code);
}

/* The code that belongs to no option of the user's, and so goes with the page size. */
static void fixed_code(const struct rip_foomatic_plan *plan, char *code, size_t size)
{
	if (!plan->resolutions)
		snprintf(code, size, "/HWResolution[%u %u]%s", plan->x_dpi, plan->y_dpi,
			 plan->colors ? "" : GREY);
	else
		*code = '\0';
}

/* The sizes of a page, from *PaperDimension.  False: there are none. */
static bool paper(const struct rip_ppd_text *ppd, struct rip_slice choice, char *text, size_t size)
{
	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];

		if (rip_slice_is(s->keyword, "PaperDimension") &&
		    rip_slice_equal(s->option, choice)) {
			snprintf(text, size, "%.*s", (int)s->value.size, s->value.text);
			return s->value.size < size && strspn(text, "0123456789. ") == strlen(text);
		}
	}
	return false;
}

static bool replace_size(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			 const struct rip_foomatic_plan *plan, const struct rip_ppd_statement *s)
{
	char size[64], fixed[120], code[240];

	fixed_code(plan, fixed, sizeof fixed);
	if (rip_slice_is(s->keyword, "CustomPageSize") && rip_slice_is(s->option, "True")) {
		snprintf(code, sizeof code, "/PageSize[5 -2 roll]/ImagingBBox null%s", fixed);
		add_choice(out, ppd, s, "pop pop pop ", code);
		return true;
	}
	if (!paper(ppd, s->option, size, sizeof size))
		return false;
	snprintf(code, sizeof code, "/PageSize[%s]/ImagingBBox null%s", size, fixed);
	add_choice(out, ppd, s, "", code);
	return true;
}

static bool replace_resolution(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			       const struct rip_foomatic_plan *plan,
			       const struct rip_ppd_statement *s)
{
	char code[120];
	unsigned x_dpi, y_dpi;

	if (!resolution_of(setting(ppd, "Resolution", s->option), s->option, &x_dpi, &y_dpi))
		return false;
	snprintf(code, sizeof code, "/HWResolution[%u %u]%s", x_dpi, y_dpi,
		 plan->colors ? "" : GREY);
	add_choice(out, ppd, s, "", code);
	return true;
}

bool rip_foomatic_replace(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			  const struct rip_foomatic_plan *plan, const struct rip_ppd_statement *s)
{
	if (!s->option.size)
		return rip_slice_is(s->keyword, "cupsFilter"); /* a line of ours replaces it */
	if (!memchr(s->all.text, ':', s->all.size))
		return false; /* a choice without a value */
	if (rip_slice_is(s->keyword, "PageSize") || rip_slice_is(s->keyword, "PageRegion") ||
	    rip_slice_is(s->keyword, "CustomPageSize"))
		return replace_size(out, ppd, plan, s);
	if (plan->resolutions && rip_slice_is(s->keyword, "Resolution"))
		return replace_resolution(out, ppd, plan, s);
	if (rip_slice_is(s->keyword, "ColorMode")) {
		const struct rip_slice set = setting(ppd, "ColorMode", s->option);

		add_choice(out, ppd, s, "", rip_slice_find(set, "-c") ? COLOR : GREY);
		return true;
	}
	/* The dots of one level have one bit. */
	return rip_slice_is(s->keyword, "BitsPerPlane") && !rip_slice_is(s->option, "1-BPP");
}
