#include "queue_ppd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "filter/options.h"
#include "filter/report.h"
#include "image/complain.h"

/* CUPS 2 has no other functions for it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Opens the PPD with its defaults marked.  fd: or NULL; gets a descriptor of the file. */
static int open_ppd(const char *queue, const char *path, ppd_file_t **ppd, int *fd)
{
	const char *fetched = queue ? cupsGetPPD(queue) : NULL;

	*ppd = NULL;
	if (queue && !fetched)
		return rip_complain(-ENOENT, "cannot read the PPD of the queue %s: %s", queue,
				    cupsLastErrorString());
	*ppd = ppdOpenFile(queue ? fetched : path);
	if (fd)
		*fd = open(queue ? fetched : path, O_RDONLY | O_CLOEXEC);
	if (queue)
		unlink(fetched);
	if (!*ppd) {
		int line;
		const ppd_status_t status = ppdLastError(&line);

		return rip_complain(-EBADMSG, "%s: line %d: %s", queue ? queue : path, line,
				    ppdErrorString(status));
	}
	ppdMarkDefaults(*ppd);
	return 0;
}

/* The header by the defaults of an open PPD.  name: for messages. */
static int interpret(ppd_file_t *ppd, const char *name, cups_page_header2_t *header)
{
	memset(header, 0, sizeof *header);
	if (cupsRasterInterpretPPD(header, ppd, 0, NULL, NULL) != 0)
		return rip_complain(-EBADMSG, "%s: the PPD describes no raster", name);
	return 0;
}

int rip_queue_ppd_header(const char *queue, const char *path, cups_page_header2_t *header)
{
	ppd_file_t *ppd;
	int r = open_ppd(queue, path, &ppd, NULL);

	if (r < 0)
		return r;
	r = interpret(ppd, queue ? queue : path, header);
	ppdClose(ppd);
	return r;
}

int rip_queue_ppd_open(const char *queue, const char *path, struct rip_queue *opened, int *fd)
{
	ppd_file_t *ppd;
	int r;

	*fd = -1;
	r = open_ppd(queue, path, &ppd, fd);

	opened->ppd = ppd;
	return r;
}

/* Reports what the filter's rules for options warn of. */
static void warn(void *context, enum riptide_log_level level, const char *text)
{
	if (level >= RIPTIDE_LOG_WARNING)
		rip_complain(0, "%s: %s", (const char *)context, text);
}

static void no_progress(void *context, unsigned percent)
{
	(void)context;
	(void)percent;
}

int rip_queue_page(const char *queue, const char *path, const char *defaults,
		   struct rip_queue_page *page)
{
	char name[256];
	const struct rip_report_listener listener = { warn, no_progress, name };
	cups_page_header2_t header;
	struct rip_options options;
	struct rip_choice choice;
	const char *called = queue ? queue : path;
	ppd_file_t *ppd;
	int r = open_ppd(queue, path, &ppd, NULL);

	if (r < 0)
		return r;
	r = interpret(ppd, called, &header);
	if (r == 0) {
		snprintf(name, sizeof name, "%s", called);
		rip_report_listen(&listener);
		rip_options_init(&options, defaults, &(struct rip_queue){ .ppd = ppd });
		rip_options_page(&options, &header, &choice);
		rip_report_listen(NULL);
		page->x_dpi = header.HWResolution[0];
		page->y_dpi = header.HWResolution[1];
		page->levels = choice.levels;
		page->drops = choice.tone.drops;
		snprintf(page->screen, sizeof page->screen, "%s",
			 !choice.wish_count ? rip_screens[RIP_FLOYD_STEINBERG].name :
			 choice.wishes[0].id < 0 ? choice.wishes[0].mask :
						   rip_screens[choice.wishes[0].id].name);
		snprintf(page->printer, sizeof page->printer, "%s",
			 rip_options_printer(&options, &choice));
		rip_options_finish(&options);
	}
	ppdClose(ppd);
	return r;
}
