#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cups/ppd.h>

#include "system/ascii.h"
#include "system/number.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* How much an edge of a page may differ from a sheet's, as a part of it, and what is added to
 * every difference. */
#define DIFFERENCE     .01
#define DIFFERENCE_MIN (DIFFERENCE / 100)

/* The difference counts for less than all others. */
#define SCORE_SIZE    9999. /* of the same size */
#define SCORE_AREA    4999. /* of the same imageable area */
#define RANK_SIZE     10000
#define OTHER_NAME    1000  /* is lost by a sheet that was not asked for */

static const char *value_of(const struct rip_queue *queue, const char *keyword)
{
	const ppd_attr_t *attr = ppdFindAttr(queue->ppd, keyword, NULL);

	return attr && attr->value ? attr->value : "";
}

void rip_sheet_duplexer(const struct rip_queue *queue, struct rip_duplexer *duplexer)
{
	const char *side = value_of(queue, "cupsBackSide");
	const char *margin = value_of(queue, "APDuplexRequiresFlippedMargin");
	const ppd_file_t *ppd = queue->ppd;

	*duplexer = (struct rip_duplexer){
		.flipped = rip_same_name(side, "Flipped"),
		.manual_tumble = rip_same_name(side, "ManualTumble"),
		.rotated = rip_same_name(side, "Rotated") || (!*side && ppd->flip_duplex),
		.margin = rip_same_name(margin, "True"),
		.no_margin = rip_same_name(margin, "False"),
	};
}

void rip_sheet_back(const struct rip_duplexer *duplexer, const cups_page_header2_t *header,
		    unsigned index, struct rip_back *back)
{
	*back = (struct rip_back){ false, false, false, false };
	if (!header->Duplex || index % 2 == 0)
		return;
	if (header->Tumble ? duplexer->manual_tumble : duplexer->rotated) {
		back->mirror_x = back->mirror_y = back->margins_x = true;
		back->margins_y = !duplexer->margin;
	} else if (duplexer->flipped && header->Tumble) {
		back->mirror_x = back->margins_x = true;
		back->margins_y = !duplexer->no_margin;
	} else if (duplexer->flipped) {
		back->mirror_y = true;
		back->margins_y = duplexer->no_margin;
	}
}

/* A sheet's margins: left, bottom, right, top. */
static void margins_of(const ppd_size_t *size, float margins[4])
{
	margins[0] = size->left;
	margins[1] = size->bottom;
	margins[2] = size->width - size->right;
	margins[3] = size->length - size->top;
}

/* How well a page matches a sheet, or its imageable area: `most` or less; -1: not. */
static long match(const ppd_size_t *size, double along, double across, double most)
{
	along = fabs(along) / size->length + DIFFERENCE_MIN;
	across = fabs(across) / size->width + DIFFERENCE_MIN;
	if (along >= DIFFERENCE || across >= DIFFERENCE)
		return -1;
	return (long)(most - along * across * most / DIFFERENCE / DIFFERENCE);
}

/* The same with all that counts, for a page that was turned already; 0: no match. */
static long score_of(const ppd_size_t *size, const char *asked, float width, float height)
{
	long score = match(size, height - size->length, width - size->width, SCORE_SIZE);

	if (score >= 0) {
		score += RANK_SIZE;
	} else {
		score = match(size, height - size->top + size->bottom,
			      width - size->right + size->left, SCORE_AREA);
		if (score < 0)
			return 0;
	}
	return rip_same_name(asked, size->name) ? score : score - OTHER_NAME;
}

static const ppd_size_t *find_size(const ppd_file_t *ppd, const char *asked, float width,
				   float height)
{
	const ppd_size_t *best = NULL;
	long most = 0;

	for (int i = 0; i < ppd->num_sizes; i++) {
		const ppd_size_t *size = &ppd->sizes[i];
		long score = 0;

		/* The job's own size is named by its measures, as all sizes that the PPD lacks. */
		if (size->length != 0 && size->width != 0 && !rip_same_name(size->name, "Custom"))
			score = score_of(size, asked, width, height);
		if (score > most) {
			most = score;
			best = size;
		}
	}
	return best;
}

static void exchange(float *a, float *b)
{
	const float c = *a;

	*a = *b;
	*b = c;
}

/* Takes the margins of a sheet that is not turned, left, bottom, right, top. */
static void take_margins(struct rip_sheet *sheet, const float own[4], const struct rip_back *back)
{
	float *to = sheet->margins;

	/* Of a turned page the left is the sheet's top, and so on. */
	for (int i = 0; i < 4; i++)
		to[i] = own[(i + (sheet->landscape ? 3 : 0)) % 4];
	if (sheet->landscape ? back->margins_y : back->margins_x)
		exchange(&to[0], &to[2]);
	if (sheet->landscape ? back->margins_x : back->margins_y)
		exchange(&to[1], &to[3]);
}

void rip_sheet_find(const struct rip_queue *queue, const char *asked, float width, float height,
		    const struct rip_back *back, struct rip_sheet *sheet)
{
	const ppd_file_t *ppd = queue->ppd;
	const ppd_size_t *size = find_size(ppd, asked, width, height);
	float own[4];

	*sheet = (struct rip_sheet){ .media = { width, height } };
	if (!size) {
		size = find_size(ppd, asked, height, width);
		sheet->landscape = size != NULL;
	}
	if (size) {
		sheet->media[sheet->landscape] = size->width;
		sheet->media[!sheet->landscape] = size->length;
		margins_of(size, own);
		snprintf(sheet->name, sizeof sheet->name, "%s", size->name);
	} else {
		const float *most = ppd->custom_max;

		memcpy(own, ppd->custom_margins, sizeof own);
		sheet->landscape = (width > most[0] || height > most[1]) && width <= most[1] &&
				   height <= most[0];
		if (sheet->landscape)
			exchange(&sheet->media[0], &sheet->media[1]);
		rip_number_print(sheet->name, sizeof sheet->name, "Custom.%.2fx%.2f", (double)width,
				 (double)height);
	}
	take_margins(sheet, own, back);
}
