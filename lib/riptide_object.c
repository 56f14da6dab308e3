/* The objects of riptide.h, and what its functions share. */
#include "config.h"

#include "riptide_object.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/simd/isa.h"
#include "wire/protocol.h"

/* riptide.h stands alone, with constants of its own. */
_Static_assert(RIPTIDE_PLANES_MAX == RIP_PLANES_MAX, "planes");
_Static_assert(RIPTIDE_LEVELS_MAX == RIP_LEVELS_MAX, "levels");
_Static_assert(RIPTIDE_WIDTH_MAX == RIP_WIDTH_MAX, "width");

static _Thread_local char last_error[RIP_ERROR_MAX]; /* of riptide_new() */

/* ---- errors ---- */

/* Names come from options of jobs, and what a job says must not look like lines of a log. */
static void log_line(void *context, enum riptide_log_level level, const char *text)
{
	struct riptide *riptide = context;
	char line[RIP_ERROR_MAX];

	snprintf(line, sizeof line, "%s", text);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	if (level == RIPTIDE_LOG_ERROR)
		memcpy(riptide->error, line, sizeof line);
	if (riptide->config.log)
		riptide->config.log(riptide->config.context, level, line);
}

int rip_riptide_fail(struct riptide *riptide, int r, const char *format, ...)
{
	char text[RIP_ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (riptide)
		log_line(riptide, RIPTIDE_LOG_ERROR, text);
	else
		memcpy(last_error, text, sizeof last_error);
	return r;
}

const char *riptide_error(const struct riptide *riptide)
{
	return riptide ? riptide->error : last_error;
}

int rip_riptide_lose(struct riptide *riptide, int r)
{
	riptide->lost = r;
	riptide->left_daemon = riptide_left_daemon(riptide);
	rip_halftoner_free(riptide->halftoner);
	riptide->halftoner = NULL;
	rip_row_flow_reset(&riptide->flow);
	return r;
}

/* ---- structs that grow ---- */

int rip_riptide_take(struct riptide *riptide, const char *name, void *to, size_t size,
		     const void *from, size_t from_size, size_t least)
{
	const uint8_t *bytes = from;

	/* A sizeof is a multiple of the alignment, and so no pointer is cut. */
	if (from_size < least || from_size > 65536 || from_size % sizeof(void *))
		return rip_riptide_fail(riptide, -EINVAL, "struct %s has a size of %zu bytes that "
					"this library cannot use", name, from_size);
	for (size_t i = size; i < from_size; i++)
		if (bytes[i])
			return rip_riptide_fail(riptide, -E2BIG, "struct %s sets a field that this "
						"version of the library does not have", name);
	memset(to, 0, size);
	memcpy(to, from, from_size < size ? from_size : size);
	return 0;
}

int rip_riptide_flags(struct riptide *riptide, uint32_t flags, uint32_t known)
{
	return flags & ~known ?
	       rip_riptide_fail(riptide, -E2BIG,
				"flags 0x%x: this version of the library does not have 0x%x", flags,
				flags & ~known) : 0;
}

/* ---- objects ---- */

#define REQUIRE (RIPTIDE_REQUIRE_DAEMON | RIPTIDE_REQUIRE_GPU)

/* riptided's socket; NULL: none. */
static const char *socket_of(const struct riptide_config *config)
{
	const char *path = config->socket;

	if (!path || !*path)
		return RIP_DEFAULT_SOCKET;
	return strcmp(path, "none") ? path : NULL;
}

int rip_riptide_method(struct riptide *riptide, const char *name)
{
	const int method = rip_method_find(name ? name : "auto");

	return method < 0 ? rip_riptide_fail(riptide, -ENOENT, "no method is called \"%.40s\"",
					     name) : method;
}

int rip_riptide_want_halftoner(struct riptide *riptide, int method, const struct rip_screen *screen)
{
	const struct riptide_config *config = &riptide->config;
	const struct rip_halftoner_config wanted = {
		.socket = riptide->left_daemon ? NULL : config->socket,
		.screen = screen,
		.required = config->flags & RIPTIDE_REQUIRE_DAEMON,
		.job = config->job, .queue = config->queue,
		.method = (enum rip_method)method, .isa = config->isa, .threads = config->threads,
		.alone = config->threads == 1 && !(config->flags & RIPTIDE_OVERLAP),
		.want_gpu = config->flags & RIPTIDE_REQUIRE_GPU,
		.device = (int)(config->device < INT_MAX ? config->device : INT_MAX) - 1,
		.log = log_line, .context = riptide,
	};

	return rip_halftoner_want(&wanted, &riptide->halftoner);
}

static int keep_string(const char **string)
{
	if (!*string)
		return 0;
	*string = strdup(*string);
	return *string ? 0 : -ENOMEM;
}

/* Checks the configuration, and makes its strings our own. */
static int keep_config(struct riptide *riptide)
{
	struct riptide_config *config = &riptide->config;
	int method = rip_riptide_method(riptide, config->method), r = 0;

	config->socket = socket_of(config);
	/* All of them are copied, or none is ours. */
	if (keep_string(&config->socket) | keep_string(&config->queue) |
	    keep_string(&config->method) | keep_string(&config->isa))
		r = rip_riptide_fail(riptide, -ENOMEM, "%s", strerror(ENOMEM));
	if (r == 0 && method < 0)
		r = method;
	if (r == 0)
		r = rip_riptide_flags(riptide, config->flags, REQUIRE | RIPTIDE_OVERLAP);
	if (r == 0 && config->isa && !rip_isa_find(config->isa))
		r = rip_riptide_fail(riptide, -ENOENT,
				     "no instruction set is called \"%.40s\"", config->isa);
	if (r == 0 && config->isa && !rip_isa_usable(rip_isa_find(config->isa)))
		r = rip_riptide_fail(riptide, -ENOTSUP, "this CPU has no %s", config->isa);
	if (r == 0 && config->flags & RIPTIDE_REQUIRE_DAEMON && !config->socket)
		r = rip_riptide_fail(riptide, -ECONNREFUSED,
				     "riptided is required, and the socket is \"none\"");
	if (r == 0 && config->flags & REQUIRE)
		r = rip_riptide_want_halftoner(riptide, method, NULL);
	return r;
}

int riptide_new(const struct riptide_config *config, struct riptide **out)
{
	struct riptide *riptide;
	int r = 0;

	if (!out)
		return rip_riptide_fail(NULL, -EINVAL, "there is no place for the object");
	*out = NULL;
	riptide = calloc(1, sizeof *riptide);
	if (!riptide)
		return rip_riptide_fail(NULL, -ENOMEM, "%s", strerror(ENOMEM));
	if (config)
		r = rip_riptide_take(riptide, "riptide_config",
				     &riptide->config, sizeof riptide->config,
				     config, config->size, sizeof config->size);
	if (r == 0)
		r = keep_config(riptide);
	if (r < 0) {
		snprintf(last_error, sizeof last_error, "%s", riptide->error);
		riptide_free(riptide);
		return r;
	}
	*out = riptide;
	return 0;
}

void riptide_free(struct riptide *riptide)
{
	if (!riptide)
		return;
	rip_halftoner_free(riptide->halftoner); /* before the bands that it may still have */
	rip_row_flow_reset(&riptide->flow);
	rip_ink_limit_finish(&riptide->limit);
	rip_plane_curves_finish(&riptide->curves);
	rip_page_curves_finish(&riptide->presets.of);
	rip_page_curves_finish(&riptide->fine);
	free(riptide->staging);
	free((char *)riptide->config.socket);
	free((char *)riptide->config.queue);
	free((char *)riptide->config.method);
	free((char *)riptide->config.isa);
	free(riptide);
}

const char *riptide_device(const struct riptide *riptide)
{
	return riptide && riptide->halftoner ? rip_halftoner_device(riptide->halftoner) : "none";
}

int riptide_left_daemon(const struct riptide *riptide)
{
	return riptide && (riptide->left_daemon ||
			   (riptide->halftoner && rip_halftoner_left_daemon(riptide->halftoner)));
}
