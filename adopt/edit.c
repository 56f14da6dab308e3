#include "edit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "foomatic.h"
#include "pdf_line.h"
#include "record.h"

#define TYPE "application/vnd.cups-raster"

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
static bool is_dropped(const struct rip_edit_plan *plan, const struct rip_ppd_statement *s,
		       size_t i)
{
	return plan->verdict->only && rip_slice_is(s->keyword, plan->verdict->only) &&
	       plan->verdict->choices.statements[i].sets_contone;
}

static bool is_default(const struct rip_ppd_statement *s, const char *option)
{
	return option && s->keyword.size == strlen(option) + 7 &&
	       !memcmp(s->keyword.text, "Default", 7) &&
	       !memcmp(s->keyword.text + 7, option, s->keyword.size - 7);
}

/* The first choice of the option that stays. */
static struct rip_slice first_choice(const struct rip_ppd_text *ppd,
				     const struct rip_edit_plan *plan)
{
	for (size_t i = 0; i < ppd->count; i++)
		if (rip_slice_is(ppd->statements[i].keyword, plan->verdict->only) &&
		    ppd->statements[i].option.size && !is_dropped(plan, &ppd->statements[i], i))
			return ppd->statements[i].option;
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

/* Writes what is needed once, at the filter line s.  next: the driver's program, if we start it. */
static void add_head(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
		     const struct rip_edit_plan *plan, const struct rip_ppd_statement *s,
		     struct rip_slice next)
{
	const struct rip_adoption *v = plan->verdict;
	const char *eol = ppd->eol;

	rip_text_line(out, eol, "*riptideAdopted: \"1\"");
	if (plan->chain || plan->rip || v->foomatic)
		rip_text_line(out, eol, "*riptideNextFilter: \"%.*s\"", (int)next.size, next.text);
	if (!plan->chain && !v->foomatic)
		rip_text_line(out, eol, "*cupsPreFilter: \"" TYPE " 0 rastertoriptide\"");
	if (v->foomatic)
		rip_text_line(out, eol, "*cupsFilter: \"" TYPE " 0 rastertoriptide\"");
	if (plan->rip)
		rip_pdf_line_write(out, ppd, v->foomatic ? NULL : s);
	rip_text_line(out, eol, "*riptideMaxLevels: \"2\"");
	if (plan->group.printer)
		rip_text_line(out, eol, "*riptidePrinter: \"%s\"", plan->group.printer);
	add_spaces(out, eol, halftoned_spaces(plan));
}

/* The driver's line, with us in its place. */
static void add_filter_line(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			    const struct rip_ppd_statement *s, struct rip_slice program)
{
	rip_text_line(out, ppd->eol, "*%.*s: \"%.*srastertoriptide\"", (int)s->keyword.size,
		      s->keyword.text, (int)(s->value.size - program.size), s->value.text);
}

/* Where an edit has come. */
struct progress {
	bool has_head, has_group;
	struct rip_foomatic_plan foomatic;
};

/* What takes the place of a statement, if anything does: true, and its text, which may be none. */
static bool replace(struct rip_growing_text *new, const struct rip_ppd_text *ppd,
		    const struct rip_edit_plan *plan, size_t i, const struct progress *progress)
{
	const struct rip_ppd_statement *s = &ppd->statements[i];
	const struct rip_adoption *v = plan->verdict;
	const struct rip_slice program = rip_raster_program(s);

	if (v->foomatic)
		return rip_foomatic_replace(new, ppd, &progress->foomatic, s);
	if (program.size && plan->chain) {
		add_filter_line(new, ppd, s, program);
		return true;
	}
	if (v->choices.statements[i].gives_dots) {
		add_eight_bits(new, s->all, v->choices.statements[i].space == RIP_SPACE_K);
		/* The last line of the file may lack its end. */
		if (new->size && new->bytes[new->size - 1] != '\n' &&
		    new->bytes[new->size - 1] != '\r')
			rip_text_add(new, ppd->eol, strlen(ppd->eol));
		return true;
	}
	if (is_default(s, v->only)) {
		rip_text_line(new, ppd->eol, "*Default%s: %.*s", v->only,
			      (int)first_choice(ppd, plan).size, first_choice(ppd, plan).text);
		return true;
	}
	return is_dropped(plan, s, i);
}

/* Writes one statement, edited or as it is, and before it what is added there. */
static void edit_statement(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			   const struct rip_edit_plan *plan, size_t i, struct progress *progress)
{
	const struct rip_ppd_statement *s = &ppd->statements[i];
	const bool foomatic = plan->verdict->foomatic;
	const struct rip_slice program = rip_raster_program(s);
	const struct rip_slice ours = { RIP_FOOMATIC_FILTER, strlen(RIP_FOOMATIC_FILTER) };
	struct rip_growing_text new = { .size = 0 };
	const bool replaced = replace(&new, ppd, plan, i, progress);

	if (!progress->has_head &&
	    (program.size || (foomatic && rip_slice_is(s->keyword, "cupsFilter")))) {
		add_head(&new, ppd, plan, s, foomatic ? ours : program);
		progress->has_head = true;
	}
	if (!progress->has_group && opens_ui(s)) {
		rip_option_group_write(&new, ppd, &plan->group);
		progress->has_group = true;
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
	struct progress progress = { .has_head = false };
	const char *text = ppd->count ? ppd->statements[0].all.text : "";
	const struct rip_slice last = ppd->count ? ppd->statements[ppd->count - 1].all :
						  (struct rip_slice){ text, 0 };

	*why = '\0';
	if ((kind != RIP_ADOPTION_YES && kind != RIP_ADOPTION_PARTLY &&
	     kind != RIP_ADOPTION_UNKNOWN) ||
	    !plan->verdict->choices.statements) {
		snprintf(why, size, "%s", plan->verdict->reason);
		return -EINVAL;
	}
	if (rip_record_found(text, (size_t)(last.text + last.size - text))) {
		snprintf(why, size, "it has comments of riptide adopt, but not what it adds");
		return -EINVAL;
	}
	if (plan->rip && !rip_pdf_line_possible(ppd, plan->verdict->foomatic, why, size))
		return -EINVAL;
	rip_foomatic_plan(&progress.foomatic, ppd);
	for (size_t i = 0; i < ppd->count; i++)
		edit_statement(out, ppd, plan, i, &progress);
	if (out->failed) {
		snprintf(why, size, "out of memory");
		return -ENOMEM;
	}
	if (out->too_long) {
		snprintf(why, size, "a line would have more than the %d bytes that a PPD allows",
			 RIP_TEXT_LINE_MAX);
		return -EINVAL;
	}
	if (!progress.has_head) {
		snprintf(why, size, "the PPD has no cupsFilter line to replace");
		return -EINVAL;
	}
	if (!progress.has_group) {
		snprintf(why, size, "the PPD has no options");
		return -EINVAL;
	}
	if (!undoes_itself(out, text, (size_t)(last.text + last.size - text))) {
		snprintf(why, size, "the edit would not be undone exactly; please report this PPD");
		return -EPROTO;
	}
	return 0;
}
