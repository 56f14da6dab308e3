/* The queue's PPD. */
#include "queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/ppd.h>

#include "filter/report.h"
#include "halftone/screen/arith.h"
#include "system/ascii.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define PWG_TYPE "image/pwg-raster"

void rip_queue_ppd_error(char *why, size_t size)
{
	int line;
	const ppd_status_t status = ppdLastError(&line);

	/* Any other file, and an empty one. */
	if (line <= 1 && (status == PPD_MISSING_PPDADOBE4 || status == PPD_MISSING_ASTERISK))
		snprintf(why, size, "it is no PPD: it does not begin with *PPD-Adobe");
	else
		snprintf(why, size, "line %d: %s", line, ppdErrorString(status));
}

int rip_queue_open(struct rip_queue *queue, const char *path)
{
	char why[256];
	int error;

	queue->ppd = NULL;
	if (!path || !*path) {
		rip_debug("the queue has no PPD");
		return 0;
	}
	if (access(path, R_OK) < 0) {
		error = errno;
		/* cupsd and cupsfilter may name one that does not exist. */
		if (error == ENOENT) {
			rip_debug("the queue has no PPD: there is no %s", path);
			return 0;
		}
		rip_error("cannot read the PPD %s: %s", path, strerror(error));
		return -error;
	}
	queue->ppd = ppdOpenFile(path);
	if (queue->ppd)
		return 0;
	rip_queue_ppd_error(why, sizeof why);
	rip_error("cannot read the PPD %s: %s", path, why);
	return -EBADMSG;
}

void rip_queue_close(struct rip_queue *queue)
{
	if (queue->ppd)
		ppdClose(queue->ppd);
	queue->ppd = NULL;
}

const char *rip_queue_default(const struct rip_queue *queue, const char *keyword)
{
	const ppd_option_t *option = queue->ppd ? ppdFindOption(queue->ppd, keyword) : NULL;

	return option ? option->defchoice : NULL;
}

const char *rip_queue_attribute(const struct rip_queue *queue, const char *keyword)
{
	const ppd_attr_t *attr = queue->ppd ? ppdFindAttr(queue->ppd, keyword, NULL) : NULL;

	return attr ? attr->value : NULL;
}

const char *rip_queue_line(const struct rip_queue *queue, const char *keyword, const char *spec,
			   bool next)
{
	ppd_attr_t *attr = !queue->ppd ? NULL :
			   next ? ppdFindNextAttr(queue->ppd, keyword, NULL) :
				  ppdFindAttr(queue->ppd, keyword, NULL);

	while (attr && !(attr->value && rip_same_name(attr->spec, spec)))
		attr = ppdFindNextAttr(queue->ppd, keyword, NULL);
	return attr ? attr->value : NULL;
}

unsigned rip_queue_max_levels(const struct rip_queue *queue)
{
	const char *value = rip_queue_attribute(queue, "riptideMaxLevels");
	const long most = value ? strtol(value, NULL, 10) : RIP_LEVELS_MAX;

	return most < RIP_LEVELS_MIN || most > RIP_LEVELS_MAX ? RIP_LEVELS_MAX : (unsigned)most;
}

/* A cupsFilter or cupsFilter2 line. */
struct ppd_line {
	char source[272], destination[272]; /* "" if the line names none */
	char program[1024];
	int  cost;
};

/* source/type [dest/type] cost [maxsize(n)] program, as cupsd reads it. */
static bool parse_line(const char *text, bool two, struct ppd_line *line)
{
	char *program = line->program, *end;

	line->destination[0] = '\0';
	if (two ? sscanf(text, "%271s %271s %d %1023[^\n]", line->source, line->destination,
			 &line->cost, program) != 4 :
		  sscanf(text, "%271s %d %1023[^\n]", line->source, &line->cost, program) != 3)
		return false;
	if (!strchr(line->source, '/') || (two && !strchr(line->destination, '/')))
		return false;
	if (!strncmp(program, "maxsize(", 8) && (end = strchr(program, ')'))) {
		for (end++; *end == ' ' || *end == '\t'; end++)
			;
		memmove(program, end, strlen(end) + 1);
	}
	end = program + strlen(program);
	while (end > program && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		*--end = '\0';
	return true;
}

static const char *const filter_names[] = {
	[RIP_RASTER_FILTER] = RIP_FILTER_NAME, [RIP_PDF_FILTER] = RIP_PDF_FILTER_NAME,
};

static bool names(const struct ppd_line *line, enum rip_filter filter)
{
	const char *slash = strrchr(line->program, '/');

	return !strcmp(slash ? slash + 1 : line->program, filter_names[filter]);
}

/* Whether a type is one of the filter's input types, or "*", which means any type to cupsd. */
static bool is_input(const char *type, enum rip_filter filter)
{
	static const char *const types[][7] = {
		[RIP_RASTER_FILTER] = { "application/vnd.cups-raster", PWG_TYPE, "image/urf",
					"application/*", "image/*", "*/*", NULL },
		/* It also takes raster documents, but a line for those must not outrank its line
		 * for PDF, which decides what follows both. */
		[RIP_PDF_FILTER] = { "application/vnd.cups-pdf", "application/pdf", "application/*",
				     "*/*", NULL },
	};

	for (int i = 0; types[filter][i]; i++)
		if (rip_same_name(type, types[filter][i]))
			return true;
	return false;
}

/* How well a line matches a job with this final type: 0 that type, and a source that the filter
 * takes; 1 that type; 2 such a source; -1 not at all. */
static int holds(const struct ppd_line *line, enum rip_filter filter, const char *final)
{
	const char *type = line->destination[0] ? line->destination : line->source;

	const bool input = is_input(line->source, filter);

	if (final && rip_same_name(type, final))
		return input ? 0 : 1;
	return input ? 2 : -1;
}

/* The first line of a keyword that can be parsed, or the next one after `last`. */
static ppd_attr_t *find_line(ppd_file_t *ppd, const char *keyword, const ppd_attr_t *last,
			     struct ppd_line *line)
{
	const bool two = strchr(keyword, '2');
	ppd_attr_t *attr = last ? ppdFindNextAttr(ppd, keyword, NULL) :
				  ppdFindAttr(ppd, keyword, NULL);

	while (attr && !(attr->value && parse_line(attr->value, two, line)))
		attr = ppdFindNextAttr(ppd, keyword, NULL);
	return attr;
}

/* The keyword of the lines that count. */
static const char *line_keyword(ppd_file_t *ppd)
{
	return ppdFindAttr(ppd, "cupsFilter2", NULL) ? "cupsFilter2" : "cupsFilter";
}

/* Whether a line matches; *best is the best match. */
static bool find_best(ppd_file_t *ppd, enum rip_filter filter, const char *final,
		      struct ppd_line *best)
{
	const char *keyword = line_keyword(ppd);
	const ppd_attr_t *attr = NULL;
	struct ppd_line line;
	int best_rank = 3;

	while ((attr = find_line(ppd, keyword, attr, &line))) {
		const int rank = holds(&line, filter, final);

		if (rank < 0 || rank > best_rank || (rank == best_rank && line.cost >= best->cost))
			continue;
		*best = line;
		best_rank = rank;
	}
	return best_rank < 3;
}

/* Whether a line of one keyword names a filter of riptide. */
static bool starts_us(ppd_file_t *ppd, const char *keyword)
{
	const ppd_attr_t *attr = NULL;
	struct ppd_line line;

	while ((attr = find_line(ppd, keyword, attr, &line)))
		if (names(&line, RIP_RASTER_FILTER) || names(&line, RIP_PDF_FILTER))
			return true;
	return false;
}

bool rip_queue_starts_us(const struct rip_queue *queue)
{
	return queue->ppd && (starts_us(queue->ppd, "cupsPreFilter") ||
			      starts_us(queue->ppd, line_keyword(queue->ppd)));
}

bool rip_queue_is_foreign(const struct rip_queue *queue)
{
	return (rip_queue_attribute(queue, "cupsPreFilter") ||
		rip_queue_attribute(queue, "cupsFilter2") ||
		rip_queue_attribute(queue, "cupsFilter")) && !rip_queue_starts_us(queue);
}

void rip_queue_place(const struct rip_queue *queue, enum rip_filter filter, const char *final,
		     struct rip_place_in_chain *place)
{
	struct ppd_line line;
	const bool ours = queue->ppd && find_best(queue->ppd, filter, final, &line) &&
			  names(&line, filter);

	place->next = ours ? rip_queue_attribute(queue, "riptideNextFilter") : NULL;
	place->last = ours && !place->next;
	if (place->next)
		place->pwg = rip_same_name(line.source, PWG_TYPE);
	else
		place->pwg = (final && rip_same_name(final, PWG_TYPE)) ||
			     (ours && rip_same_name(line.destination, PWG_TYPE));
	rip_debug("%s; the page log is %s",
		  place->pwg ? "writing PWG raster" : "writing CUPS raster",
		  place->last ? "ours" : "another's");
}
