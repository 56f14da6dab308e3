#include "edit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "system/refuse.h"

#define TYPE "application/vnd.cups-raster"

/* What the line for documents costs more than the driver's: less than gstoraster (99), so that
 * documents take it; more than imagetoraster (100) without imagetopdf (65), so that images stay
 * raster. */
#define MORE_COST 50

/* An edit: what is read, what to do, and how far it is. */
struct edit {
	const struct rip_ppd_text  *ppd;
	const struct rip_edit_plan *plan;
	struct rip_foomatic_plan    foomatic;
	bool has_head, has_group;
};

static bool opens_ui(const struct rip_ppd_statement *s)
{
	return rip_slice_is(s->keyword, "OpenGroup") || rip_slice_is(s->keyword, "OpenUI") ||
	       rip_slice_is(s->keyword, "JCLOpenUI");
}

/* Adds code with 8 bits for each 1 bit.  pixels: cupsBitsPerPixel too. */
static void add_eight_bits(struct rip_growing_text *out, struct rip_slice all, bool pixels)
{
	const char *from = all.text, *end = all.text + all.size, *color, *pixel, *at;
	bool is_one;

	for (;;) {
		color = rip_code_number(all, from, "cupsBitsPerColor");
		pixel = pixels ? rip_code_number(all, from, "cupsBitsPerPixel") : NULL;
		at = !color || (pixel && pixel < color) ? pixel : color;
		if (!at)
			break;
		rip_text_add(out, from, (size_t)(at - from));
		/* A number that only begins with 1 stays: 16 does not become 86. */
		is_one = *at == '1' && (at + 1 == end || at[1] < '0' || at[1] > '9');
		rip_text_add(out, is_one ? "8" : at, 1);
		from = at + 1;
	}
	rip_text_add(out, from, (size_t)(end - from));
}

/* Whether it is a choice, or the default, of the option whose choices for contone go. */
static bool is_dropped(const struct edit *edit, size_t i)
{
	const struct rip_adoption *v = edit->plan->verdict;

	return v->only && rip_slice_is(edit->ppd->statements[i].keyword, v->only) &&
	       v->choices.statements[i].sets_contone;
}

static bool is_default(const struct rip_ppd_statement *s, const char *option)
{
	return option && s->keyword.size == strlen(option) + 7 &&
	       rip_slice_starts(s->keyword, "Default") &&
	       !memcmp(s->keyword.text + 7, option, s->keyword.size - 7);
}

/* The first choice of the option that stays. */
static struct rip_slice first_choice(const struct edit *edit)
{
	for (size_t i = 0; i < edit->ppd->count; i++) {
		const struct rip_ppd_statement *s = &edit->ppd->statements[i];

		if (rip_slice_is(s->keyword, edit->plan->verdict->only) && s->option.size &&
		    !is_dropped(edit, i))
			return s->option;
	}
	return (struct rip_slice){ "", 0 };
}

/* The colour spaces that are halftoned; 0: all.  pdftoriptide would halftone all pages, also those
 * that rastertoriptide passes on because their choices do not change, so it needs a list. */
static unsigned long long halftoned_spaces(const struct rip_edit_plan *plan)
{
	const struct rip_adoption *v = plan->verdict;

	if (v->pages || !plan->rip || v->kind != RIP_ADOPTION_PARTLY || v->only)
		return v->pages;
	return v->choices.dot_spaces;
}

static void add_spaces(struct rip_growing_text *out, const char *eol, unsigned long long pages)
{
	char spaces[64] = "";

	for (int space = 0; space < RIP_SPACES; space++)
		if (pages >> space & 1)
			snprintf(spaces + strlen(spaces), sizeof spaces - strlen(spaces), "%s%s",
				 *spaces ? " " : "", rip_space_name(space));
	if (pages)
		rip_text_line(out, eol, "*riptideColorSpaces: \"%s\"", spaces);
}

/* Whether the PPD can have a line that sends documents through pdftoriptide; if not, why. */
static bool may_have_pdf_line(const struct rip_ppd_text *ppd, char *why, size_t size)
{
	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];
		const bool pdf = rip_slice_starts(s->value, "application/vnd.cups-pdf ") ||
				 rip_slice_starts(s->value, "application/pdf ");
		const bool pwg = rip_slice_starts(s->value, "image/pwg-raster ");
		const bool urf = rip_slice_starts(s->value, "image/urf ");

		if (!rip_is_filter(s) || (!pdf && !pwg && !urf))
			continue;
		rip_refuse_as(0, why, size, pdf ?
			       "--rip is not possible: line %u of the PPD has a filter for PDF" :
			       "--rip is not possible: the driver in line %u takes %s raster",
			       s->line, urf ? "Apple" : "PWG");
		return false;
	}
	return true;
}

/* The statement that the line for documents follows: CUPS ignores each cupsFilter of a PPD that has
 * a cupsFilter2, so this is the first cupsFilter2 that takes raster, else the first of any kind,
 * else the driver's. */
static const struct rip_ppd_statement *statement_in_force(const struct rip_ppd_text *ppd,
							  const struct rip_ppd_statement *driver)
{
	const struct rip_ppd_statement *first = NULL;

	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];

		if (!rip_slice_is(s->keyword, "cupsFilter2"))
			continue;
		if (rip_raster_program(s).size)
			return s;
		if (!first)
			first = s;
	}
	return first ? first : driver;
}

/* Adds the lines that send documents through pdftoriptide, also those of raster, and of PostScript
 * that CUPS does not make PDF of, with what the driver's line has of keyword, destination and cost.
 * driver: that line; NULL: ours, which costs 0. */
static void add_pdf_lines(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			  const struct rip_ppd_statement *driver)
{
	static const char *const types[] = {
		"application/vnd.cups-pdf", "application/vnd.adobe-reader-postscript",
		"image/urf", "image/pwg-raster",
	};
	struct rip_slice rest = { "", 0 }, type = rest;
	unsigned cost = 0;

	driver = driver ? statement_in_force(ppd, driver) : NULL;
	if (driver) {
		rest = driver->value;
		rip_slice_word(&rest);
		if (rip_slice_is(driver->keyword, "cupsFilter2"))
			type = rip_slice_word(&rest);
		cost = rip_slice_number(rip_slice_word(&rest));
	}
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		rip_text_line(out, ppd->eol, "*%s: \"%s %.*s%s%u pdftoriptide\"",
			      type.size ? "cupsFilter2" : "cupsFilter", types[i], (int)type.size,
			      type.text, type.size ? " " : "",
			      (cost < 1000 ? cost : 1000) + MORE_COST);
}

/* Writes what is needed once, at the filter line s. */
static void add_head(struct rip_growing_text *out, const struct edit *edit,
		     const struct rip_ppd_statement *s)
{
	const struct rip_edit_plan *plan = edit->plan;
	const struct rip_adoption *v = plan->verdict;
	const char *eol = edit->ppd->eol;
	const struct rip_slice ours = { RIP_FOOMATIC_FILTER, strlen(RIP_FOOMATIC_FILTER) };
	const struct rip_slice next = v->foomatic ? ours : rip_raster_program(s);

	rip_text_line(out, eol, "*riptideAdopted: \"1\"");
	if (plan->chain || plan->rip || v->foomatic)
		rip_text_line(out, eol, "*riptideNextFilter: \"%.*s\"", (int)next.size, next.text);
	if (!plan->chain && !v->foomatic)
		rip_text_line(out, eol, "*cupsPreFilter: \"" TYPE " 0 rastertoriptide\"");
	if (v->foomatic)
		rip_text_line(out, eol, "*cupsFilter: \"" TYPE " 0 rastertoriptide\"");
	if (plan->rip)
		add_pdf_lines(out, edit->ppd, v->foomatic ? NULL : s);
	rip_text_line(out, eol, "*riptideMaxLevels: \"2\"");
	if (plan->group.printer)
		rip_text_line(out, eol, "*riptidePrinter: \"%s\"", plan->group.printer);
	add_spaces(out, eol, halftoned_spaces(plan));
}

/* What takes the place of a statement, if anything does: true, and its text, which may be none. */
static bool replace(struct rip_growing_text *new, const struct edit *edit, size_t i)
{
	const struct rip_ppd_statement *s = &edit->ppd->statements[i];
	const struct rip_adoption *v = edit->plan->verdict;
	const struct rip_slice program = rip_raster_program(s);
	const char *eol = edit->ppd->eol;

	if (v->foomatic)
		return rip_foomatic_replace(new, edit->ppd, &edit->foomatic, s);
	if (program.size && edit->plan->chain) {
		/* The driver's line, with us in its place. */
		rip_text_line(new, eol, "*%.*s: \"%.*srastertoriptide\"", (int)s->keyword.size,
			      s->keyword.text, (int)(s->value.size - program.size), s->value.text);
		return true;
	}
	if (v->choices.statements[i].gives_dots) {
		add_eight_bits(new, s->all, v->choices.statements[i].space == RIP_SPACE_K);
		/* The last line of the file may lack its end. */
		if (new->size && new->bytes[new->size - 1] != '\n' &&
		    new->bytes[new->size - 1] != '\r')
			rip_text_add(new, eol, strlen(eol));
		return true;
	}
	if (is_default(s, v->only)) {
		const struct rip_slice choice = first_choice(edit);

		rip_text_line(new, eol, "*Default%s: %.*s", v->only, (int)choice.size, choice.text);
		return true;
	}
	return is_dropped(edit, i);
}

/* Writes one statement, edited or as it is, and before it what is added there. */
static void edit_statement(struct rip_growing_text *out, struct edit *edit, size_t i)
{
	const struct rip_ppd_text *ppd = edit->ppd;
	const struct rip_ppd_statement *s = &ppd->statements[i];
	struct rip_growing_text new = { .size = 0 };
	const bool replaced = replace(&new, edit, i);

	if (!edit->has_head &&
	    (rip_raster_program(s).size ||
	     (edit->plan->verdict->foomatic && rip_slice_is(s->keyword, "cupsFilter")))) {
		add_head(&new, edit, s);
		edit->has_head = true;
	}
	if (!edit->has_group && opens_ui(s)) {
		rip_option_group_write(&new, ppd, &edit->plan->group,
				       (edit->plan->verdict->choices.dot_spaces &
					~(1ull << RIP_SPACE_K)) != 0);
		edit->has_group = true;
	}
	if (new.size) {
		rip_record_begin(out, ppd->eol);
		rip_text_add(out, new.bytes, new.size);
		rip_record_end(out, ppd->eol);
	}
	if (replaced)
		rip_record_removed(out, s->all, ppd->eol);
	else
		rip_text_add(out, s->all.text, s->all.size);
	out->failed |= new.failed;
	out->too_long |= new.too_long;
	rip_text_free(&new);
}

/* Whether release would restore the bytes of before. */
static bool undoes_itself(const struct rip_growing_text *out, const char *text, size_t size)
{
	struct rip_growing_text restored = { .size = 0 };
	char why[200];
	const int r = rip_record_restore(&restored, out->bytes, out->size, why, sizeof why);
	const bool same = r == 0 && restored.size == size && !memcmp(restored.bytes, text, size);

	rip_text_free(&restored);
	return same;
}

int rip_edit_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
		   const struct rip_edit_plan *plan, char *why, size_t size)
{
	const enum rip_adoption_kind kind = plan->verdict->kind;
	struct edit edit = { .ppd = ppd, .plan = plan };
	const char *text = ppd->count ? ppd->statements[0].all.text : "";
	const struct rip_slice last = ppd->count ? ppd->statements[ppd->count - 1].all :
						  (struct rip_slice){ text, 0 };
	const size_t text_size = (size_t)(last.text + last.size - text);

	*why = '\0';
	if ((kind != RIP_ADOPTION_YES && kind != RIP_ADOPTION_PARTLY &&
	     kind != RIP_ADOPTION_UNKNOWN) ||
	    !plan->verdict->choices.statements)
		return rip_refuse_as(-EINVAL, why, size, "%s", plan->verdict->reason);
	if (rip_record_found(text, text_size))
		return rip_refuse_as(-EINVAL, why, size, "it has comments of riptide adopt,"
				      " but not what it adds");
	if (plan->rip && !plan->verdict->foomatic && !may_have_pdf_line(ppd, why, size))
		return -EINVAL;
	rip_foomatic_plan(&edit.foomatic, ppd);
	for (size_t i = 0; i < ppd->count; i++)
		edit_statement(out, &edit, i);
	if (out->failed)
		return rip_refuse_as(-ENOMEM, why, size, "out of memory");
	if (out->too_long)
		return rip_refuse_as(-EINVAL, why, size, "a line would have more than the %d bytes"
				      " that a PPD allows", RIP_TEXT_LINE_MAX);
	if (!edit.has_head)
		return rip_refuse_as(-EINVAL, why, size,
				      "the PPD has no cupsFilter line to replace");
	if (!edit.has_group)
		return rip_refuse_as(-EINVAL, why, size, "the PPD has no options");
	if (!undoes_itself(out, text, text_size))
		return rip_refuse_as(-EPROTO, why, size, "the edit would not be undone exactly;"
				      " please report this PPD");
	return 0;
}
