#include "queue_request.h"

ipp_t *rip_queue_request(ipp_op_t operation, const char *queue)
{
	ipp_t *request = ippNewRequest(operation);
	char uri[HTTP_MAX_URI];

	httpAssembleURIf(HTTP_URI_CODING_ALL, uri, sizeof uri, "ipp", NULL, "localhost", 0,
			 "/printers/%s", queue);
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL, uri);
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name", NULL, cupsUser());
	return request;
}
