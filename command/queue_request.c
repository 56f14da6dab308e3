#include "queue_request.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/cups.h>
#include <cups/ppd.h>

#include "image/complain.h"
#include "system/ascii.h"
#include "system/temporary_space.h"

/* CUPS 2 has no other functions for PPDs. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

ipp_t *rip_queue_request(ipp_op_t operation, const char *queue)
{
	ipp_t *request = ippNewRequest(operation);
	char uri[HTTP_MAX_URI];

	httpAssembleURIf(HTTP_URI_CODING_ALL, uri, sizeof uri, "ipp", NULL, "localhost", 0,
			 "/printers/%s", queue);
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL, uri);
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name",
		     NULL, cupsUser());
	return request;
}

static bool server_answers(void)
{
	http_t *http = httpConnect2(cupsServer(), ippPort(), NULL, AF_UNSPEC, cupsEncryption(),
				    1, 30000, NULL);

	httpClose(http);
	return http != NULL;
}

/* Why the last request failed, also one of libcups's own: its text, or "no CUPS server at ...".
 * Valid until the next call. */
static const char *queue_error(void)
{
	static char text[512];
	const char *server = cupsServer();
	const bool own = cupsLastError() == IPP_STATUS_ERROR_INTERNAL;

	snprintf(text, sizeof text, "%s", cupsLastErrorString());
	if (server_answers()) {
		/* libcups needs a file there for a PPD. */
		if (own)
			rip_temporary_space_check(1, text, sizeof text);
		return text;
	}
	if (*server == '/')
		snprintf(text, sizeof text, "no CUPS server at %s", server);
	else
		snprintf(text, sizeof text, "no CUPS server at %s, port %d", server, ippPort());
	return text;
}

int rip_queue_unchanged(const char *queue)
{
	const ipp_status_t status = cupsLastError();

	if (status == IPP_STATUS_ERROR_FORBIDDEN || status == IPP_STATUS_ERROR_NOT_AUTHENTICATED ||
	    status == IPP_STATUS_ERROR_NOT_AUTHORIZED ||
	    status == IPP_STATUS_ERROR_CUPS_AUTHENTICATION_CANCELED)
		return rip_complain(-EACCES, "cannot change the queue %s: %s: run this with sudo,"
				    " or as a member of a group that may (SystemGroup in"
				    " cups-files.conf; Debian: lpadmin)", queue, queue_error());
	return rip_complain(-EIO, "cannot change the queue %s: %s", queue, queue_error());
}

bool rip_queue_is_class(const char *name, char *queues, size_t size)
{
	static const char *const wanted[] = { "printer-type", "member-names" };
	ipp_t *request = rip_queue_request(IPP_OP_GET_PRINTER_ATTRIBUTES, name), *answer;
	ipp_attribute_t *type, *members;
	size_t used = 0;
	bool is_class;

	ippAddStrings(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "requested-attributes",
		      sizeof wanted / sizeof wanted[0], NULL, wanted);
	answer = cupsDoRequest(CUPS_HTTP_DEFAULT, request, "/");
	type = ippFindAttribute(answer, "printer-type", IPP_TAG_ENUM);
	members = ippFindAttribute(answer, "member-names", IPP_TAG_NAME);
	is_class = type && (ippGetInteger(type, 0) & CUPS_PRINTER_CLASS);
	*queues = '\0';
	for (int i = 0; i < ippGetCount(members) && used < size; i++)
		used += (size_t)snprintf(queues + used, size - used, "%s%s", i ? ", " : "",
					 ippGetString(members, i, NULL));
	ippDelete(answer);
	return is_class;
}

int rip_queue_refuse_class(const char *name)
{
	char queues[300];

	if (!rip_queue_is_class(name, queues, sizeof queues))
		return 0;
	return rip_complain(-ENOTUNIQ, "%s is a class; what counts are its queues: %s",
			    name, queues);
}

/* After its PPD could not be fetched: whether the queue exists, but has no PPD. */
static bool is_raw(const char *queue)
{
	/* The server has not found one of the two: the queue, or its PPD. */
	if (cupsLastError() != IPP_STATUS_ERROR_NOT_FOUND)
		return false;
	ippDelete(cupsDoRequest(CUPS_HTTP_DEFAULT,
				rip_queue_request(IPP_OP_GET_PRINTER_ATTRIBUTES, queue), "/"));
	return cupsLastError() <= IPP_STATUS_OK_CONFLICTING;
}

int rip_queue_ppd_fetch(const char *queue, char path[RIP_QUEUE_PPD_PATH])
{
	struct stat status;
	time_t when = 0;
	char why[512];
	int r = 0;

	*path = '\0';
	if (cupsGetPPD3(CUPS_HTTP_DEFAULT, queue, &when, path, RIP_QUEUE_PPD_PATH) !=
	    HTTP_STATUS_OK || !*path)
		return is_raw(queue) ? -ENODATA :
		       rip_complain(-ENOENT, "cannot read the PPD of the queue %s: %s", queue,
				    queue_error());
	/* libcups says nothing if the space in TMPDIR runs out.  A link to the server's own file
	 * needs none.  Where the file ended for lack of it, nothing larger can be written now. */
	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		r = rip_temporary_space_check((size_t)status.st_size + 1, why, sizeof why);
	if (r == 0)
		return 0;
	unlink(path);
	return rip_complain(r, "cannot read the PPD of the queue %s: %s", queue, why);
}

ipp_t *rip_queue_all(void)
{
	ipp_t *request = ippNewRequest(IPP_OP_CUPS_GET_PRINTERS), *answer;

	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "requested-attributes",
		     NULL, "printer-name");
	answer = cupsDoRequest(CUPS_HTTP_DEFAULT, request, "/");
	/* Where there are no queues, none is found. */
	if (cupsLastError() <= IPP_STATUS_OK_CONFLICTING ||
	    cupsLastError() == IPP_STATUS_ERROR_NOT_FOUND)
		return answer;
	rip_complain(-EIO, "cannot list the queues: %s", queue_error());
	ippDelete(answer);
	return NULL;
}

#define SUFFIX "-default"

static bool is_ours(const char *name)
{
	return rip_same_start(name, "halftone", 8) || rip_same_start(name, "riptide", 7) ||
	       rip_same_start(name, "cupsHalftone", 12) || rip_same_name(name, "toner-save" SUFFIX);
}

/* Adds NAME=VALUE for an attribute NAME-default with one plain value.  False: there is no room. */
static bool add_option(ipp_attribute_t *attribute, char *text, size_t size)
{
	const char *name = ippGetName(attribute);
	const size_t length = name ? strlen(name) : 0, used = strlen(text);
	const size_t suffix = sizeof SUFFIX - 1;
	char value[256];

	if (length <= suffix || strcmp(name + length - suffix, SUFFIX) || !is_ours(name))
		return true;
	ippAttributeString(attribute, value, sizeof value);
	if (!*value || strpbrk(value, " \t\r\n\"'\\{}"))
		return true;
	return (size_t)snprintf(text + used, size - used, "%s%.*s=%s", used ? " " : "",
				(int)(length - suffix), name, value) < size - used;
}

int rip_queue_options(const char *queue, char *text, size_t size)
{
	ipp_t *answer = cupsDoRequest(CUPS_HTTP_DEFAULT,
				      rip_queue_request(IPP_OP_GET_PRINTER_ATTRIBUTES, queue), "/");
	const ipp_status_t status = cupsLastError();
	ipp_attribute_t *attribute = ippFirstAttribute(answer);
	bool fits = true;

	*text = '\0';
	for (; attribute && fits; attribute = ippNextAttribute(answer))
		fits = add_option(attribute, text, size);
	ippDelete(answer);
	if (status > IPP_STATUS_OK_CONFLICTING)
		return rip_complain(status == IPP_STATUS_ERROR_NOT_FOUND ? -ENOENT : -EIO,
				    "cannot find the queue %s: %s", queue, queue_error());
	return fits ? 0 : rip_complain(-ENOSPC, "the queue %s has more defaults of riptide's"
				       " options than the %zu bytes that fit", queue, size - 1);
}

bool rip_queue_is_gone(const char *queue)
{
	ippDelete(cupsDoRequest(CUPS_HTTP_DEFAULT,
				rip_queue_request(IPP_OP_GET_PRINTER_ATTRIBUTES, queue), "/"));
	return cupsLastError() == IPP_STATUS_ERROR_NOT_FOUND;
}

void rip_queue_option_find(const char *text, const char *option, char *value, size_t size)
{
	cups_option_t *options = NULL;
	const int count = cupsParseOptions(text, 0, &options);
	const char *found = cupsGetOption(option, count, options);

	snprintf(value, size, "%s", found ? found : "");
	cupsFreeOptions(count, options);
}

int rip_queue_option_set(const char *queue, const char *option, const char *value)
{
	ipp_t *request = rip_queue_request(IPP_OP_CUPS_ADD_MODIFY_PRINTER, queue);
	char name[128];

	snprintf(name, sizeof name, "%s" SUFFIX, option);
	if (value && *value)
		ippAddString(request, IPP_TAG_PRINTER, IPP_TAG_NAME, name, NULL, value);
	else
		ippAddInteger(request, IPP_TAG_PRINTER, IPP_TAG_DELETEATTR, name, 0);
	ippDelete(cupsDoRequest(CUPS_HTTP_DEFAULT, request, "/admin/"));
	if (cupsLastError() > IPP_STATUS_OK_CONFLICTING)
		return rip_queue_unchanged(queue);
	return 0;
}
