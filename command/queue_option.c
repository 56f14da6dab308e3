#include "queue_option.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cups/cups.h>

#include "image/complain.h"
#include "queue_request.h"
#include "system/ascii.h"

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
				    "cannot find the queue %s: %s", queue, rip_queue_error());
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
