#include "preview.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/json.h"

#define SUMS_MAX (sizeof ((struct rip_preview_report *)NULL)->sums / sizeof(struct rip_preview_sum))

/* NULL: there are too many inks. */
static struct rip_preview_sum *sum_of(struct rip_preview_report *report, const char *name)
{
	unsigned i = 0;

	while (i < report->count && strcmp(report->sums[i].name, name))
		i++;
	if (i == SUMS_MAX)
		return NULL;
	if (i == report->count) {
		report->sums[i] = (struct rip_preview_sum){ .full = 0 };
		snprintf(report->sums[i].name, sizeof report->sums[i].name, "%s", name);
		report->count++;
	}
	return &report->sums[i];
}

static void print_line(const struct rip_preview_report *report, const char *what,
		       const struct rip_preview_sum *sum)
{
	printf("%-10s %-4s %7.3f %%  %10.3f cm2", what, sum->name,
	       100 * sum->full / sum->pages, 1e4 * sum->full);
	if (report->options->amounts.count)
		printf("  %9.4f %s", sum->amount, rip_ink_amounts_unit(&report->options->amounts));
	putchar('\n');
}

static void print_json_ink(const struct rip_preview_report *report,
			   const struct rip_preview_sum *sum)
{
	rip_json_string("ink", sum->name);
	printf("\"percent\":%.6f,\"full_cm2\":%.6f", 100 * sum->full / sum->pages, 1e4 * sum->full);
	if (report->options->amounts.count)
		printf(",\"%s\":%.6f",
		       rip_ink_amounts_unit(&report->options->amounts), sum->amount);
}

void rip_preview_report_page(struct rip_preview_report *report, unsigned number,
			     const struct rip_dot_page *page, const struct rip_ink_count *count,
			     const char *picture)
{
	const bool json = report->options->json;
	char what[24];

	report->pages++;
	if (json) {
		printf("{\"page\":%u,\"width\":%u,\"height\":%u,"
		       "\"x_dpi\":%u,\"y_dpi\":%u,\"levels\":%u,",
		       number, page->width, page->height, page->x_dpi, page->y_dpi, page->levels);
		if (picture)
			rip_json_string("picture", picture);
		printf("\"inks\":[");
	}
	snprintf(what, sizeof what, "page %u", number);
	for (uint32_t p = 0; p < page->planes; p++) {
		struct rip_preview_sum sum = {
			.full = rip_ink_count_area(count, page, p),
			.pages = rip_dot_page_area(page),
		}, *all;

		rip_ink_name(page, p, sum.name);
		sum.amount = rip_ink_amount(&report->options->amounts, p, sum.full);
		all = sum_of(report, sum.name);
		if (all) {
			all->full += sum.full;
			all->pages += sum.pages;
			all->amount += sum.amount;
		}
		if (json) {
			printf("%s{\"dots\":%" PRIu64 ",", p ? "," : "",
			       rip_ink_count_ink(count, page, p));
			print_json_ink(report, &sum);
			putchar('}');
		} else if (!report->quiet) {
			print_line(report, what, &sum);
		}
	}
	if (json)
		puts("]}");
	fflush(stdout);
}

void rip_preview_report_end(const struct rip_preview_report *report)
{
	if (report->options->json) {
		printf("{\"pages\":%u,\"inks\":[", report->pages);
		for (unsigned i = 0; i < report->count; i++) {
			printf("%s{", i ? "," : "");
			print_json_ink(report, &report->sums[i]);
			putchar('}');
		}
		puts("]}");
	} else if (report->pages > 1 && !report->quiet) {
		for (unsigned i = 0; i < report->count; i++)
			print_line(report, "all pages", &report->sums[i]);
	}
}
