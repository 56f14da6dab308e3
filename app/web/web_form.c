#include "config.h"

#include "web_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/ascii.h"

/*
 * Forms, of ours and of PAPPL's pages: behind "?" in the address, as a body of the same kind, or as
 * parts (RFC 7578), which can be files.
 *
 * PAPPL's library finds papplClientGetForm() here before its own, which in 1.3.1 crashes at parts
 * that are shorter than their delimiter, before anybody has logged in, and does not tell a file
 * from a field with a file's name.
 *
 * Each part is the delimiter "--BOUNDARY", headers, an empty line, data; the last delimiter has
 * "--" behind it.  What is not so ends the form, and so do too many values: CUPS keeps them sorted,
 * and half a million, which somebody who has not logged in may send, would take minutes.
 */

#define FIELDS_MAX 500   /* of a form; the largest of our pages has 100 */
#define FORM_MAX   65536 /* bytes, of pages that take no file */

/* ---- NAME=VALUE&NAME=VALUE ---- */

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, rip_lower(c)) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Decodes up to the end or to one of these letters.  What does not fit is lost.  Where it ends. */
static const char *decode(const char *at, const char *end, const char *stop, char *text,
			  size_t size)
{
	size_t n = 0;
	char c;

	for (; at < end && *at && !strchr(stop, *at); at++) {
		c = *at == '+' ? ' ' : *at;
		if (c == '%' && end - at > 2 && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0) {
			c = (char)(16 * hex_digit(at[1]) + hex_digit(at[2]));
			at += 2;
		}
		if (c && n + 1 < size)
			text[n++] = c;
	}
	text[n] = '\0';
	return at;
}

static int read_pairs(const char *at, const char *end, cups_option_t **form)
{
	char name[256], value[2048];
	int count = 0;

	while (at < end && *at && count < FIELDS_MAX) {
		at = decode(at, end, "=&", name, sizeof name);
		value[0] = '\0';
		if (at < end && *at == '=')
			at = decode(at + 1, end, "&", value, sizeof value);
		if (*name)
			count = cupsAddOption(name, value, count, form);
		at += at < end;
	}
	return count;
}

/* ---- parts ---- */

struct form_reader {
	const char *at, *end;
	char   delimiter[128]; /* with the line end before it */
	size_t length;
};

static bool find_delimiter(struct form_reader *in, const char *type)
{
	const char *boundary = strstr(type, "boundary=");
	size_t n;

	if (!boundary)
		return false;
	boundary += strlen("boundary=");
	boundary += *boundary == '"';
	n = strcspn(boundary, "\"; \r\n");
	in->length = n + 4;
	if (n == 0 || in->length >= sizeof in->delimiter)
		return false;
	snprintf(in->delimiter, sizeof in->delimiter, "\r\n--%.*s", (int)n, boundary);
	/* Nothing stands before the first one. */
	if ((size_t)(in->end - in->at) < n + 2 || memcmp(in->at, in->delimiter + 2, n + 2))
		return false;
	in->at += n + 2;
	return true;
}

/* The text between NAME=" and the next quote; empty if there is none. */
static void read_parameter(const char *headers, size_t size, const char *name, char *text,
			   size_t room)
{
	const char *at = memmem(headers, size, name, strlen(name));
	const char *end = headers + size, *quote;

	*text = '\0';
	if (!at)
		return;
	at += strlen(name);
	quote = memchr(at, '"', (size_t)(end - at));
	if (quote && (size_t)(quote - at) < room)
		snprintf(text, room, "%.*s", (int)(quote - at), at);
}

/* What the file was called on the other machine, as a name that any file may have. */
static void keep_name(struct rip_web_upload *upload, const char *name)
{
	size_t n = 0;
	const char *at;

	for (at = name; *at; at++)
		if (*at == '/' || *at == '\\')
			name = at + 1;
	for (; *name && n + 1 < sizeof upload->name; name++)
		upload->name[n++] = (*name > ' ' && *name < 127) ? *name : '_';
	upload->name[n] = '\0';
}

/* Takes the next part, and goes behind its delimiter.  False: that was the last one, or none. */
static bool take_part(struct form_reader *in, struct rip_web_upload *upload, int *count,
		      cups_option_t **form)
{
	const char *headers = in->at + 2, *data, *end;
	char name[64], file[256], value[2048];
	size_t size;

	if (*count == FIELDS_MAX || in->end - in->at < 2 || memcmp(in->at, "\r\n", 2))
		return false;
	data = memmem(in->at, (size_t)(in->end - in->at), "\r\n\r\n", 4);
	if (!data || data < headers)
		return false;
	size = (size_t)(data - headers);
	data += 4;
	end = memmem(data, (size_t)(in->end - data), in->delimiter, in->length);
	if (!end)
		return false;
	in->at = end + in->length;
	read_parameter(headers, size, " name=\"", name, sizeof name);
	read_parameter(headers, size, " filename=\"", file, sizeof file);
	size = (size_t)(end - data);
	if (memmem(headers, (size_t)(data - headers), " filename=\"", 11)) {
		/* Without a file a browser sends an empty one. */
		if (size && !upload->data) {
			upload->data = data;
			upload->size = size;
			keep_name(upload, file);
		}
	} else if (*name && size < sizeof value && !memchr(data, '\0', size)) {
		snprintf(value, sizeof value, "%.*s", (int)size, data);
		*count = cupsAddOption(name, value, *count, form);
	}
	return true;
}

static int read_parts(const char *type, size_t size, struct rip_web_upload *upload,
		      cups_option_t **form)
{
	struct form_reader in = { .at = upload->body, .end = upload->body + size };
	int count = 0;

	if (find_delimiter(&in, type))
		while (take_part(&in, upload, &count, form))
			;
	return count;
}

/* ---- the body ---- */

/* Reads all of it.  False: there are more than `max` bytes, or no memory. */
static bool read_body(http_t *http, struct rip_web_upload *upload, size_t max, size_t *size)
{
	const size_t room = max + 1;
	const http_state_t state = httpGetState(http);
	ssize_t n = 0;

	*size = 0;
	upload->body = malloc(room + 1);
	while (upload->body && *size < room &&
	       (n = httpRead2(http, upload->body + *size, room - *size)) > 0)
		*size += (size_t)n;
	/* The rest is read all the same: else the browser would not read our answer. */
	if (httpGetState(http) == state)
		httpFlush(http);
	upload->too_large = *size == room;
	if (upload->body)
		upload->body[*size] = '\0';
	return upload->body && !upload->too_large && n >= 0;
}

static int read_form(pappl_client_t *client, struct rip_web_upload *upload, size_t max,
		     cups_option_t **form)
{
	http_t *http = papplClientGetHTTP(client);
	const char *type = httpGetField(http, HTTP_FIELD_CONTENT_TYPE);
	const char *query = papplClientGetOptions(client);
	size_t size;

	memset(upload, 0, sizeof *upload);
	*form = NULL;
	if (papplClientGetMethod(client) == HTTP_STATE_GET)
		return query ? read_pairs(query, query + strlen(query), form) : 0;
	if (!read_body(http, upload, max, &size))
		return 0;
	if (!strncmp(type, "multipart/form-data", 19))
		return read_parts(type, size, upload, form);
	return read_pairs(upload->body, upload->body + size, form);
}

int rip_web_read_form(pappl_client_t *client, struct rip_web_upload *upload, cups_option_t **form)
{
	return read_form(client, upload, RIP_WEB_UPLOAD_MAX, form);
}

/* For PAPPL's pages, which take no files, and for the login. */
rip_app_count papplClientGetForm(pappl_client_t *client, cups_option_t **form)
{
	struct rip_web_upload upload;
	int count;

	if (!form)
		return 0;
	*form = NULL;
	if (!client)
		return 0;
	count = read_form(client, &upload, FORM_MAX, form);
	free(upload.body);
	return (rip_app_count)count;
}
