#include "config.h"

#include "web_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Forms with a file (RFC 7578).  PAPPL 1.3 reads them, too, but does not tell a file from a field
 * with a file's name, reads behind the end of some, and forgets the file's own name.
 *
 * Each part is the delimiter "--BOUNDARY", headers, an empty line, data; the last delimiter has
 * "--" behind it.  What is not so ends the form.
 */

struct form_reader {
	const char *at, *end;
	char   delimiter[128]; /* with the line end before it */
	size_t length;
};

/* Reads the whole body.  False: there is more than RIP_WEB_UPLOAD_MAX, or no memory. */
static bool read_body(struct rip_web *web, size_t *size)
{
	http_t *http = papplClientGetHTTP(web->client);
	const size_t room = RIP_WEB_UPLOAD_MAX + 1;
	const http_state_t state = httpGetState(http);
	ssize_t n = 0;

	*size = 0;
	web->upload.body = malloc(room + 1);
	while (web->upload.body && *size < room &&
	       (n = httpRead2(http, web->upload.body + *size, room - *size)) > 0)
		*size += (size_t)n;
	/* The rest is read all the same: else the browser would not read our answer. */
	if (httpGetState(http) == state)
		httpFlush(http);
	web->upload.too_large = *size == room;
	if (web->upload.body)
		web->upload.body[*size] = '\0';
	return web->upload.body && !web->upload.too_large && n >= 0;
}

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
static bool take_part(struct rip_web *web, struct form_reader *in)
{
	const char *headers = in->at + 2, *data, *end;
	char name[64], file[256], value[1024];
	size_t size;

	if (in->end - in->at < 2 || memcmp(in->at, "\r\n", 2))
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
		if (size && !web->upload.data) {
			web->upload.data = data;
			web->upload.size = size;
			keep_name(&web->upload, file);
		}
	} else if (*name && size < sizeof value && !memchr(data, '\0', size)) {
		snprintf(value, sizeof value, "%.*s", (int)size, data);
		web->count = cupsAddOption(name, value, web->count, &web->form);
	}
	return true;
}

void rip_web_upload(struct rip_web *web)
{
	const char *type = httpGetField(papplClientGetHTTP(web->client), HTTP_FIELD_CONTENT_TYPE);
	struct form_reader in;
	size_t size;

	if (!read_body(web, &size))
		return;
	in.at = web->upload.body;
	in.end = in.at + size;
	if (find_delimiter(&in, type))
		while (take_part(web, &in))
			;
}
