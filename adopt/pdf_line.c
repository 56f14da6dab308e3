#include "config.h"

#include "pdf_line.h"

#include <stdio.h>
#include <string.h>

#include "adoption.h"
#include "system/ascii.h"

/* What the line costs more than the driver's: less than gstoraster (99), so that documents take it;
 * more than imagetoraster (100) without imagetopdf (65), so that images stay raster. */
#define MORE_COST 50

static bool begins(struct rip_slice value, const char *text)
{
	return value.size >= strlen(text) && !memcmp(value.text, text, strlen(text));
}

bool rip_pdf_line_possible(const struct rip_ppd_text *ppd, bool foomatic, char *why, size_t size)
{
	for (size_t i = 0; i < ppd->count && !foomatic; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];

		if (!rip_is_filter(s))
			continue;
		if (begins(s->value, "application/vnd.cups-pdf ") ||
		    begins(s->value, "application/pdf ")) {
			snprintf(why, size, "--rip is not possible:"
				 " line %u of the PPD has a filter for PDF", s->line);
			return false;
		}
		if (rip_raster_program(s).size && begins(s->value, "image/pwg-raster ")) {
			snprintf(why, size, "--rip is not possible:"
				 " the driver in line %u takes PWG raster", s->line);
			return false;
		}
	}
	return true;
}

/* The statement to follow: CUPS ignores each cupsFilter of a PPD that has a cupsFilter2, so this is
 * the first cupsFilter2 that takes raster, else the first of any kind, else the driver's. */
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

/* Takes the next word from a value; empty: there is none. */
static struct rip_slice next_word(struct rip_slice *rest)
{
	struct rip_slice word;

	while (rest->size && rip_is_space(*rest->text))
		rest->text++, rest->size--;
	word = (struct rip_slice){ rest->text, 0 };
	while (word.size < rest->size && !rip_is_space(word.text[word.size]))
		word.size++;
	rest->text += word.size;
	rest->size -= word.size;
	return word;
}

/* A cost, at most 1000; 0: it is no number. */
static unsigned read_cost(struct rip_slice word)
{
	const char *const text = word.text;
	unsigned cost = 0;

	for (size_t i = 0; i < word.size && text[i] >= '0' && text[i] <= '9' && cost < 1000; i++)
		cost = 10 * cost + (unsigned)(text[i] - '0');
	return cost < 1000 ? cost : 1000;
}

void rip_pdf_line_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			const struct rip_ppd_statement *driver)
{
	struct rip_slice rest = { "", 0 }, type = rest;
	unsigned cost = 0;

	driver = driver ? statement_in_force(ppd, driver) : NULL;
	if (driver) {
		rest = driver->value;
		next_word(&rest);
		if (rip_slice_is(driver->keyword, "cupsFilter2"))
			type = next_word(&rest);
		cost = read_cost(next_word(&rest));
	}
	rip_text_line(out, ppd->eol, "*%s: \"application/vnd.cups-pdf %.*s%s%u pdftoriptide\"",
		      type.size ? "cupsFilter2" : "cupsFilter", (int)type.size, type.text,
		      type.size ? " " : "", cost + MORE_COST);
}
