/* Halftones CUPS raster to CUPS raster, with the filter's code. */
#include "halftone_job.h"

#include <string.h>

#include "filter/ink/dot_inks.h"
#include "tone/ink_name.h"
#include "filter/report.h"
#include "filter/page/page.h"
#include "image/complain.h"
#include "command/terminal.h"

struct raster {
	struct rip_halftone_job *job;
	struct rip_source   source;
	struct rip_sink     sink;
	struct rip_page_plan plan;
	bool warned_of_inks;
};

/* Receives the messages of the filter's code. */
static void log_message(void *context, enum riptide_log_level level, const char *text)
{
	const struct raster *raster = context;

	if (level >= RIPTIDE_LOG_WARNING && raster->sink.error && !raster->job->receiver)
		rip_complain(0, "cannot write %s: %s", raster->job->output.name,
			     strerror(raster->sink.error));
	else
		rip_complain_log((void *)raster->job->input.name, level, text);
}

static void progress(void *context, unsigned percent)
{
	const struct raster *raster = context;

	rip_progress(raster->job->input.name, raster->source.page, percent, 100);
}

/* Who looks at dots takes those of several levels, too. */
static int check_header(const struct raster *raster, const cups_page_header2_t *in,
			struct rip_geometry *geometry, unsigned *levels, char *why, size_t size)
{
	const unsigned bits = in->cupsBitsPerColor;
	const unsigned asked = raster->job->options.image.common.levels;
	const bool several = raster->job->receiver && (bits == 2 || bits == 4);

	*levels = several ? (rip_dot_bits(asked) == bits ? asked : 1u << bits) :
		  bits == 1 ? 2 : asked;
	return several ? rip_header_check_dots(in, geometry, why, size) :
			 rip_header_check(in, geometry, why, size);
}

/* Names the inks that the page's colour space does not, for whoever looks at the dots.
 * 0, or -EINVAL and why. */
static int name_inks(struct raster *raster, const cups_page_header2_t *in,
		     struct rip_output *output, char *why, size_t size)
{
	const bool named = output->inks[0] != RIP_INK_OTHER;
	const char *letters = raster->job->inks;
	bool certain = true;

	if (letters && named)
		return rip_refuse(why, size, "its colour space %s names its inks:"
				  " --inks is for pages that do not",
				  rip_color_space_name(in->cupsColorSpace));
	if (named)
		return 0;
	if (letters && strlen(letters) != output->planes)
		return rip_refuse(why, size, "it has %u inks, and not the %zu of --inks %s",
				  output->planes, strlen(letters), letters);
	if (!letters)
		letters = rip_dot_inks_guess(in, raster->source.pwg, &certain);
	if (!letters)
		return 0;
	for (uint32_t p = 0; p < output->planes; p++)
		output->inks[p] = rip_ink_of_letter(letters[p]);
	if (!certain && !raster->warned_of_inks)
		rip_complain(0, "%s: page %u does not say what its %u inks are: taken as %s,"
			     " whose small letters are light inks (--inks names others)",
			     raster->job->input.name, raster->source.page, output->planes, letters);
	raster->warned_of_inks |= !certain;
	return 0;
}

/* One page, starting with its header.  0 or -errno (reported). */
static int do_page(struct raster *raster, const cups_page_header2_t *in)
{
	struct rip_page_plan *plan = &raster->plan;
	struct rip_geometry *g = &plan->geometry;
	unsigned levels;
	char why[256];
	int r = check_header(raster, in, g, &levels, why, sizeof why);
	const bool dots = r == 0 && g->sample_bits < 8;

	if (r == 0)
		r = rip_light_inks_add(in, raster->job->options.light_inks, g, why, sizeof why);
	if (r == 0)
		r = rip_header_rewrite(in, g, levels, false, raster->source.pwg, &plan->out,
				       &plan->output, why, sizeof why);
	if (r == 0 && raster->job->receiver)
		r = name_inks(raster, in, &plan->output, why, sizeof why);
	if (r < 0)
		return rip_complain(r, "%s: page %u: %s", raster->job->input.name,
				    raster->source.page, why);
	r = rip_source_begin(&raster->source, in, g->lines);
	if (r < 0)
		return rip_complain(r, "%s: page %u: %s", raster->job->input.name,
				    raster->source.page, raster->source.why);
	if (!dots) {
		rip_page_mask_use(in, g, &plan->use);
		plan->number = raster->source.page;
		r = rip_halftone_plan(raster->job, plan, (1u << g->sample_bits) - 1);
	}
	if (r == 0)
		r = rip_sink_begin(&raster->sink, &plan->out, &plan->output);
	if (r == 0)
		r = dots ? rip_page_copy(&raster->source, &raster->sink, g) :
			   rip_page_halftone(&raster->source, &raster->sink, plan,
					     raster->job->riptide);
	return r < 0 ? r : rip_sink_end(&raster->sink);
}

static int do_pages(struct raster *raster)
{
	struct rip_input *input = &raster->job->input;
	const uint8_t *bytes;
	ssize_t ahead = rip_input_peek(input, 1, &bytes);
	cups_page_header2_t header;
	int r;

	if (ahead < 0)
		return (int)ahead;
	r = rip_source_open_after(&raster->source, input->fd, bytes, (size_t)ahead);
	while (r == 0) {
		r = rip_source_header(&raster->source, &header);
		if (r == 0)
			r = do_page(raster, &header);
		else if (r < 0)
			rip_complain(r, "%s: page %u: %s", input->name, raster->source.page,
				     raster->source.why);
	}
	if (r < 0 && raster->source.page == 0)
		rip_complain(r, "%s: %s", input->name, raster->source.why);
	return r == RIP_SOURCE_END ? 0 : r;
}

int rip_halftone_raster(struct rip_halftone_job *job)
{
	struct raster raster = { .job = job };
	const struct rip_report_listener listener = { log_message, progress, &raster };
	int r;

	rip_report_listen(&listener);
	rip_sink_init(&raster.sink, job->output.fd, false, false);
	raster.sink.receiver = job->receiver;
	r = do_pages(&raster);
	rip_sink_finish(&raster.sink);
	rip_source_close(&raster.source);
	rip_report_listen(NULL);
	rip_page_plan_finish(&raster.plan);
	return r;
}
