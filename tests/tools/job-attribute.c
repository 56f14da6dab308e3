/*
 * job-attribute JOB NAME: the value of a job's attribute, as the scheduler at
 * CUPS_SERVER tells it; nothing and exit status 1 if it has none.  (ipptool, which
 * does this too, cannot talk to a UNIX domain socket.)
 */
#include <cups/cups.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	ipp_t *request = ippNewRequest(IPP_OP_GET_JOB_ATTRIBUTES), *reply;
	ipp_attribute_t *attribute;
	char value[1024];

	if (argc != 3) {
		fputs("usage: job-attribute JOB NAME\n", stderr);
		return 2;
	}
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL,
		     "ipp://localhost/");
	ippAddInteger(request, IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id", atoi(argv[1]));
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name", NULL,
		     cupsUser());
	ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "requested-attributes", NULL,
		     argv[2]);
	reply = cupsDoRequest(CUPS_HTTP_DEFAULT, request, "/");
	attribute = ippFindAttribute(reply, argv[2], IPP_TAG_ZERO);
	if (!attribute) {
		fprintf(stderr, "job %s has no %s: %s\n", argv[1], argv[2], cupsLastErrorString());
		ippDelete(reply);
		return 1;
	}
	ippAttributeString(attribute, value, sizeof(value));
	puts(value);
	ippDelete(reply);
	return 0;
}
