/* The ink of pages and jobs, for the log. */
#include "ink_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "filter/report.h"

#define TEXT_MAX 800 /* bytes; a line has at most 1024 */

/* Adds areas of full ink and of its page to the sums of the ink; pages with too many different
 * inks are not summed up. */
static void add(struct rip_ink_report *report, const char *name, double area, double paper)
{
	uint32_t i = 0;

	while (i < report->count && strcmp(report->names[i], name))
		i++;
	if (i == RIP_PLANES_MAX)
		return;
	if (i == report->count) {
		memcpy(report->names[i], name, RIP_INK_NAME_MAX);
		report->areas[i] = report->papers[i] = 0;
		report->count++;
	}
	report->areas[i] += area;
	report->papers[i] += paper;
}

static bool is_black(enum rip_ink ink)
{
	return ink == RIP_INK_BLACK || ink == RIP_INK_LIGHT_BLACK;
}

/* Tells whether a page is grey, and counts it. */
static void tell_colour(struct rip_ink_report *report, unsigned page, unsigned copies,
			const struct rip_sink *sink)
{
	bool has_black = false, has_colour = false;

	for (uint32_t p = 0; p < sink->page.planes; p++) {
		if (is_black(sink->page.inks[p]))
			has_black = true;
		else if (rip_ink_count_ink(&sink->ink, &sink->page, p) > 0)
			has_colour = true;
	}
	if (!has_black)
		return;
	*(has_colour ? &report->colour : &report->grey) += copies;
	rip_debug("page %u: %s", page, has_colour ? "colour" : "grey");
}

void rip_ink_report_page(struct rip_ink_report *report, unsigned page, unsigned copies,
			 bool duplex, const struct rip_sink *sink)
{
	const double printed = copies ? copies : 1, paper = rip_dot_page_area(&sink->page);
	char text[TEXT_MAX] = "";
	size_t used = 0;

	report->pages += copies ? copies : 1;
	report->front = duplex && !report->front;
	if (!duplex || report->front)
		report->sheets += copies ? copies : 1;
	for (uint32_t p = 0; p < sink->page.planes && used < sizeof text; p++) {
		const double area = rip_ink_count_area(&sink->ink, &sink->page, p);
		char name[RIP_INK_NAME_MAX] = "";

		rip_ink_name(&sink->page, p, name);
		add(report, name, area * printed, paper * printed);
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3f %%, %.3f cm2",
					 p ? "; " : "", name,
					 100 * rip_ink_count_share(&sink->ink, &sink->page, p),
					 1e4 * area);
	}
	rip_debug("page %u: ink: %s", page, text);
	tell_colour(report, page, copies ? copies : 1, sink);
}

void rip_ink_report_job(const struct rip_ink_report *report)
{
	char text[TEXT_MAX] = "", colours[64] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < report->count && used < sizeof text; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3f cm2",
					 i ? "; " : "", report->names[i], 1e4 * report->areas[i]);
	if (report->count)
		rip_debug("ink of the job: %s", text);
	if (report->grey || report->colour)
		rip_debug("pages of the job: %" PRIu64 " grey, %" PRIu64 " colour", report->grey,
			  report->colour);
	if (report->grey || report->colour)
		snprintf(colours, sizeof colours, ", %" PRIu64 " grey, %" PRIu64 " colour",
			 report->grey, report->colour);
	if (report->count)
		rip_report_job("%" PRIu64 " sheet%s, %" PRIu64 " side%s%s; %s", report->sheets,
			       report->sheets == 1 ? "" : "s", report->pages,
			       report->pages == 1 ? "" : "s", colours, text);
}
