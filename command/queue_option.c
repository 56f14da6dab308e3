#include "queue_option.h"

#include <errno.h>
#include <stdio.h>

#include <cups/cups.h>

#include "image/complain.h"

int rip_queue_option_set(const char *queue, const char *option, const char *value)
{
	ipp_t *request = ippNewRequest(IPP_OP_CUPS_ADD_MODIFY_PRINTER);
	char uri[HTTP_MAX_URI], name[128];

	httpAssembleURIf(HTTP_URI_CODING_ALL, uri, sizeof uri, "ipp", NULL, "localhost", 0,
			 "/printers/%s", queue);
	snprintf(name, sizeof name, "%s-default", option);
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL, uri);
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name", NULL, cupsUser());
	if (value)
		ippAddString(request, IPP_TAG_PRINTER, IPP_TAG_NAME, name, NULL, value);
	else
		ippAddInteger(request, IPP_TAG_PRINTER, IPP_TAG_DELETEATTR, name, 0);
	ippDelete(cupsDoRequest(CUPS_HTTP_DEFAULT, request, "/admin/"));
	if (cupsLastError() > IPP_STATUS_OK_CONFLICTING)
		return rip_complain(-EIO, "cannot change the queue %s: %s", queue, cupsLastErrorString());
	return 0;
}
