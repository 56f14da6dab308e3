#include "queue_ppd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "image/complain.h"

/* CUPS 2 has no other functions for it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Opens the PPD with its defaults marked. */
static int open_ppd(const char *queue, const char *path, ppd_file_t **ppd)
{
	const char *fetched = queue ? cupsGetPPD(queue) : NULL;

	*ppd = NULL;
	if (queue && !fetched)
		return rip_complain(-ENOENT, "cannot read the PPD of the queue %s: %s", queue,
				    cupsLastErrorString());
	*ppd = ppdOpenFile(queue ? fetched : path);
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

int rip_queue_ppd_header(const char *queue, const char *path, cups_page_header2_t *header)
{
	ppd_file_t *ppd;
	int r = open_ppd(queue, path, &ppd);

	if (r < 0)
		return r;
	memset(header, 0, sizeof *header);
	if (cupsRasterInterpretPPD(header, ppd, 0, NULL, NULL) != 0)
		r = rip_complain(-EBADMSG, "%s: the PPD describes no raster", queue ? queue : path);
	ppdClose(ppd);
	return r;
}

int rip_queue_ppd_default(const char *queue, const char *path, const char *keyword, char *value,
			  size_t size)
{
	const char *fetched = queue ? cupsGetPPD(queue) : NULL;
	ppd_file_t *ppd = fetched || path ? ppdOpenFile(fetched ? fetched : path) : NULL;
	const ppd_option_t *option = ppd ? ppdFindOption(ppd, keyword) : NULL;

	if (option)
		snprintf(value, size, "%s", option->defchoice);
	if (fetched)
		unlink(fetched);
	if (ppd)
		ppdClose(ppd);
	return option ? 0 : -ENOENT;
}
