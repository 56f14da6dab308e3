/* The filter's place in the chain of a queue, and queues without a PPD. */
#include "tests/tools/testing.h"

#include "tests/filter/job_options.h"

#define FILTER2(text) "*cupsFilter2: \"" text "\"\n"
#define FILTER(text)  "*cupsFilter: \"" text "\"\n"
#define RASTER        "application/vnd.cups-raster"
#define PWG           "image/pwg-raster"
#define PDF           "application/vnd.cups-pdf"

struct place_case {
	const char *lines, *final;
	bool        last, pwg;
};

static void check_place(enum rip_filter filter, const struct place_case *expected, const char *next)
{
	AUTO(rip_queue_close) struct rip_queue queue = { NULL };
	struct rip_place_in_chain place;
	char text[4096];

	catch_stderr();
	if (expected->lines)
		open_queue(&queue, expected->lines);
	rip_queue_place(&queue, filter, expected->final, &place);
	warnings(text);
	if (place.last != expected->last || place.pwg != expected->pwg)
		fail_msg("%s with %s: last %d, PWG %d", expected->lines, expected->final,
			 place.last, place.pwg);
	if ((place.next || next) && (!place.next || !next || strcmp(place.next, next)))
		fail_msg("%s with %s: next filter %s", expected->lines, expected->final,
			 place.next);
}

TEST(place)
{
	static const struct place_case cases[] = {
		/* no PPD (NULL), or one that names nobody */
		{ NULL, NULL, false, false },
		{ NULL, PWG, false, true },
		{ NULL, RASTER, false, false },
		{ "", RASTER, false, false },
		/* way A: a vendor's driver behind us */
		{ FILTER(RASTER " 0 rastertohp") "*cupsPreFilter: \"" RASTER
						 " 0 rastertoriptide\"\n",
		  RASTER, false, false },
		{ FILTER(RASTER " 0 rastertohp"), "prefilter/q", false, false },
		/* way B: a type of ours in between */
		{ FILTER("application/vnd.riptide-raster 0 rastertohp"),
		  "application/vnd.riptide-raster", false, false },
		{ FILTER("application/vnd.riptide-raster 0 rastertohp"), "printer/q", false,
		  false },
		/* we are the driver */
		{ FILTER(RASTER " 0 rastertoriptide"), RASTER, true, false },
		{ FILTER(RASTER " 0 rastertoriptide"), "printer/q", true, false },
		{ FILTER(RASTER " 0 rastertoriptide"), NULL, true, false },
		{ FILTER(RASTER " 50 /opt/x/rastertoriptide"), RASTER, true, false },
		{ FILTER("APPLICATION/vnd.CUPS-raster 0 rastertoriptide"), RASTER, true, false },
		{ FILTER(RASTER " 0 maxsize(1000) rastertoriptide"), RASTER, true, false },
		{ FILTER(RASTER "\t0\trastertoriptide "), RASTER, true, false },
		{ FILTER("application/* 0 rastertoriptide"), "printer/q", true, false },
		{ FILTER(PWG " 0 rastertoriptide"), PWG, true, true },
		{ FILTER(RASTER " 0 rastertoriptide2"), RASTER, false, false },
		{ FILTER(RASTER " 0 -"), RASTER, false, false },
		{ FILTER(RASTER " rastertoriptide"), RASTER, false, false },
		/* two drivers: the one for this job's type */
		{ FILTER(RASTER " 0 rastertoriptide")
			  FILTER("application/vnd.cups-postscript 0 hpps"),
		  "application/vnd.cups-postscript", false, false },
		{ FILTER("application/vnd.cups-postscript 0 hpps")
			  FILTER(RASTER " 0 rastertoriptide"),
		  RASTER, true, false },
		{ FILTER(RASTER " 100 rastertoriptide") FILTER(PWG " 0 rastertopclm"), RASTER, true,
		  false },
		{ FILTER(RASTER " 100 rastertoriptide") FILTER(RASTER " 10 rastertohp"), RASTER,
		  false, false },
		{ FILTER(RASTER " 10 rastertoriptide") FILTER(RASTER " 100 rastertohp"),
		  "printer/q", true, false },
		/* cupsFilter2 */
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), PWG, true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), "printer/q", true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), NULL, true, true },
		{ FILTER2(RASTER " application/vnd.riptide-raster 0 rastertoriptide"),
		  "application/vnd.riptide-raster", true, false },
		{ FILTER2(RASTER " " PWG " 0 rastertopwg"), PWG, false, true },
		{ FILTER2(RASTER " " PWG " 0 maxsize(9) rastertoriptide"), PWG, true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertopwg")
			  FILTER2(RASTER " image/urf 0 rastertoriptide"),
		  "image/urf", true, false },
		/* one cupsFilter2 line hides all cupsFilter lines */
		{ FILTER2("application/pdf application/pdf 0 -")
			  FILTER(RASTER " 0 rastertoriptide"),
		  "application/pdf", false, false },
		{ FILTER2("application/pdf application/pdf 0 -")
			  FILTER(RASTER " 0 rastertoriptide"),
		  RASTER, false, false },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide") FILTER(RASTER " 0 rastertohp"), PWG,
		  true, true },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		check_place(RIP_RASTER_FILTER, &cases[i], NULL);
}

/* riptideNextFilter counts where the line names the filter; it then gets what the line's source
 * is. */
TEST(next_filter)
{
#define NEXT "*riptideNextFilter: \"brlaser\"\n"
	static const struct place_case chained[] = {
		{ FILTER(RASTER " 0 rastertoriptide") NEXT, RASTER, false, false },
		{ FILTER(RASTER " 0 rastertoriptide") NEXT, "printer/q", false, false },
		{ FILTER2(RASTER " application/x 0 rastertoriptide") NEXT, "application/x", false,
		  false },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide") NEXT, PWG, false, false },
		{ FILTER(PWG " 0 rastertoriptide") NEXT, PWG, false, true },
	};
	static const struct place_case others[] = {
		{ FILTER(RASTER " 0 rastertohp") NEXT, RASTER, false, false },
		{ NEXT, RASTER, false, false },
		{ FILTER(PDF " 0 pdftoriptide") FILTER(RASTER " 10 rastertohp") NEXT, RASTER, false,
		  false },
	};
	static const struct place_case pdf = { FILTER(PDF " 0 pdftoriptide")
						       FILTER(RASTER " 0 rastertoriptide") NEXT,
					       PDF, false, false };
	/* The printer takes PWG raster as it is. */
	static const struct place_case direct = { FILTER2(PWG " printer/x 0 -")
							  FILTER2(PDF " printer/x 50 pdftoriptide")
								  NEXT,
						  "printer/x", false, false };

	for (size_t i = 0; i < COUNT(chained); i++)
		check_place(RIP_RASTER_FILTER, &chained[i], "brlaser");
	for (size_t i = 0; i < COUNT(others); i++)
		check_place(RIP_RASTER_FILTER, &others[i], NULL);
	check_place(RIP_PDF_FILTER, &pdf, "brlaser");
	check_place(RIP_PDF_FILTER, &direct, "brlaser");
}

/* Two ways to one type: each filter is the last one of its own. */
TEST(place_of_two)
{
	static const struct place_case raster = { FILTER2(PDF " " PWG " 0 pdftoriptide") FILTER2(
							  RASTER " " PWG " 0 rastertoriptide"),
						  PWG, true, true };
	static const struct place_case pdf[] = {
		{ FILTER2(PDF " " PWG " 0 pdftoriptide")
			  FILTER2(RASTER " " PWG " 0 rastertoriptide"),
		  PWG, true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide")
			  FILTER2(PDF " " PWG " 0 pdftoriptide"),
		  PWG, true, true },
		{ FILTER2(RASTER " " PWG " 0 rastertopwg") FILTER2(PDF " " PWG " 0 pdftoriptide"),
		  NULL, true, true },
		{ FILTER(RASTER " 0 rastertohp")
			  FILTER("application/vnd.riptide-pages 0 rastertohp"),
		  "application/vnd.riptide-pages", false, false },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide"), PWG, false, true },
	};

	check_place(RIP_RASTER_FILTER, &raster, NULL);
	for (size_t i = 0; i < COUNT(pdf); i++)
		check_place(RIP_PDF_FILTER, &pdf[i], NULL);
}

TEST(starts_us)
{
	static const struct {
		const char *lines;
		bool        ours;
	} cases[] = {
		{ "", false },
		{ FILTER("application/vnd.cups-postscript 0 foomatic-rip"), false },
		{ FILTER(RASTER " 0 rastertohp"), false },
		{ FILTER(RASTER " 0 rastertoriptide2"), false },
		{ FILTER(RASTER " 0 rastertohp") "*cupsPreFilter: \"" RASTER " 0 pdftoraster\"\n",
		  false },
		{ FILTER(RASTER " 0 rastertohp") "*riptideNextFilter: \"rastertohp\"\n", false },
		{ FILTER2(RASTER " printer/q 0 rastertohp") FILTER(RASTER " 0 rastertoriptide"),
		  false },
		{ FILTER(RASTER " 0 rastertohp") "*cupsPreFilter: \"" RASTER
						 " 0 rastertoriptide\"\n",
		  true },
		{ FILTER(RASTER " 0 rastertoriptide") "*riptideNextFilter: \"rastertofoomatic\"\n",
		  true },
		{ FILTER(RASTER " 0 rastertohp") FILTER(PDF " 0 /opt/x/pdftoriptide"), true },
		{ FILTER2(RASTER " " PWG " 0 rastertoriptide")
			  FILTER2(PDF " " PWG " 50 pdftoriptide"),
		  true },
	};
	struct rip_queue queue = { NULL };

	assert_false(rip_queue_starts_us(&queue));
	for (size_t i = 0; i < COUNT(cases); i++) {
		open_queue(&queue, cases[i].lines);
		if (rip_queue_starts_us(&queue) != cases[i].ours)
			fail_msg("%s: not %d", cases[i].lines, cases[i].ours);
		rip_queue_close(&queue);
	}
}

TEST(no_ppd)
{
	static const struct {
		const char *path;
		int         result;
		const char *words;
	} cases[] = {
		{ NULL, 0, "the queue has no PPD\n" },
		{ "", 0, "the queue has no PPD\n" },
		/* cupsd and cupsfilter may name one that does not exist. */
		{ "/nonexistent/q.ppd", 0,
		  "the queue has no PPD: there is no /nonexistent/q.ppd\n" },
		{ "/dev/null", -EBADMSG,
		  "cannot read the PPD /dev/null: it is no PPD: it does not begin with" },
		{ "/dev/null/q.ppd", -ENOTDIR,
		  "cannot read the PPD /dev/null/q.ppd: Not a directory\n" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		AUTO(rip_queue_close) struct rip_queue queue;
		char text[4096];

		catch_stderr();
		assert_int_equal(rip_queue_open(&queue, cases[i].path), cases[i].result);
		assert_int_equal(warnings(text), 0);
		if (!strstr(text, cases[i].words))
			fail_msg("\"%s\" does not say %s", text, cases[i].words);
		assert_null(queue.ppd);
		assert_null(rip_queue_default(&queue, "halftone"));
	}
}
