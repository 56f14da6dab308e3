/* The public face of this folder: objects, pages, and what they are checked for. */
#include "config.h"

#include "riptide.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/isa.h"
#include "page_check.h"
#include "page_mask.h"
#include "plane_curves.h"
#include "preset_curves.h"
#include "row_flow.h"
#include "tone/preset.h"
#include "wire/protocol.h"

#define ERROR_MAX 512

/* riptide.h stands alone, with constants of its own. */
_Static_assert(RIPTIDE_PLANES_MAX == RIP_PLANES_MAX, "planes");
_Static_assert(RIPTIDE_LEVELS_MAX == RIP_LEVELS_MAX, "levels");
_Static_assert(RIPTIDE_WIDTH_MAX == RIP_WIDTH_MAX, "width");
_Static_assert((int)RIPTIDE_LOG_DEBUG == RIP_LOG_DEBUG && (int)RIPTIDE_LOG_INFO == RIP_LOG_INFO &&
	       (int)RIPTIDE_LOG_WARNING == RIP_LOG_WARNING && (int)RIPTIDE_LOG_ERROR == RIP_LOG_ERROR, "log");

static _Thread_local char last_error[ERROR_MAX]; /* of riptide_new() */

struct riptide {
	struct riptide_config config;    /* its strings are this object's; socket: NULL is none */
	struct rip_halftoner *halftoner; /* NULL before the first page, and after an error */
	bool     left_daemon;            /* of halftoners that are gone */
	char     error[ERROR_MAX];

	/* the page */
	bool     open;
	int      lost;                   /* the error that it ended with, or 0 */
	uint32_t number;
	struct rip_page_spec     spec;   /* as the caller sees it */
	struct rip_page_screens  screens;
	struct rip_preset_curves presets;
	struct rip_plane_curves  curves;
	struct rip_row_flow      flow;
	uint8_t *staging; /* a row of each plane, whose curves are applied here; or NULL */
};

/* ---- errors ---- */

static void log_line(void *context, enum rip_log_level level, const char *text)
{
	struct riptide *riptide = context;

	if (level == RIP_LOG_ERROR)
		snprintf(riptide->error, sizeof riptide->error, "%s", text);
	if (riptide->config.log)
		riptide->config.log(riptide->config.context, (enum riptide_log_level)level, text);
}

__attribute__((format(printf, 3, 4)))
static int fail(struct riptide *riptide, int r, const char *format, ...)
{
	char text[ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	log_line(riptide, RIP_LOG_ERROR, text);
	return r;
}

const char *riptide_error(const struct riptide *riptide)
{
	return riptide ? riptide->error : last_error;
}

/* ---- structs that grow ---- */

/* Copies a caller's struct, which may be of another version, to one of ours.  0; -EINVAL: its
 * size makes no sense; -E2BIG: it has values that we do not know. */
static int take_struct(void *to, size_t size, const void *from, size_t from_size, size_t least)
{
	const uint8_t *bytes = from;

	if (from_size < least || from_size > 65536)
		return -EINVAL;
	for (size_t i = size; i < from_size; i++)
		if (bytes[i])
			return -E2BIG;
	memset(to, 0, size);
	memcpy(to, from, from_size < size ? from_size : size);
	return 0;
}

static int fail_struct(struct riptide *riptide, int r, const char *name, size_t size)
{
	if (r == -E2BIG)
		return fail(riptide, r, "struct %s sets a field that this version of the library does not have",
			    name);
	return fail(riptide, r, "struct %s has a size of %zu bytes that this library cannot use", name, size);
}

static int check_flags(struct riptide *riptide, uint32_t flags, uint32_t known)
{
	return flags & ~known ? fail(riptide, -E2BIG, "flags 0x%x: this version of the library does not have 0x%x",
				     flags, flags & ~known) : 0;
}

#define LEAST_CONFIG sizeof(size_t)
#define LEAST_PAGE   offsetof(struct riptide_page, height)

/* ---- objects ---- */

/* riptided's socket; NULL: none. */
static const char *socket_of(const struct riptide_config *config)
{
	const char *path = config->socket;

	if (!path)
		path = secure_getenv("RIPTIDE_SOCKET");
	if (!path || !*path)
		return RIP_DEFAULT_SOCKET;
	return strcmp(path, "none") ? path : NULL;
}

static int method_of(struct riptide *riptide, const char *name)
{
	const int method = rip_method_find(name ? name : "auto");

	return method < 0 ? fail(riptide, -ENOENT, "no method is called \"%.40s\"", name) : method;
}

/* Makes the halftoner for a page with this screen, or keeps the one that there is. */
static int want_halftoner(struct riptide *riptide, int method, const struct rip_screen *screen)
{
	const struct riptide_config *config = &riptide->config;
	const struct rip_halftoner_config wanted = {
		.socket = riptide->left_daemon ? NULL : config->socket,
		.screen = screen,
		.required = config->flags & RIPTIDE_REQUIRE_DAEMON,
		.job = config->job, .queue = config->queue,
		.method = (enum rip_method)method, .isa = config->isa, .threads = config->threads,
		.alone = config->threads == 1,
		.want_gpu = config->flags & RIPTIDE_REQUIRE_GPU, .device = (int)config->device - 1,
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
	int method = method_of(riptide, config->method), r = 0;

	config->socket = socket_of(config);
	/* All of them are copied, or none is ours. */
	if (keep_string(&config->socket) | keep_string(&config->queue) |
	    keep_string(&config->method) | keep_string(&config->isa))
		r = fail(riptide, -ENOMEM, "%s", strerror(ENOMEM));
	if (r == 0 && method < 0)
		r = method;
	if (r == 0)
		r = check_flags(riptide, config->flags, RIPTIDE_REQUIRE_DAEMON | RIPTIDE_REQUIRE_GPU);
	if (r == 0 && config->isa && !rip_isa_find(config->isa))
		r = fail(riptide, -ENOENT, "no instruction set is called \"%.40s\"", config->isa);
	if (r == 0 && config->isa && !rip_isa_usable(rip_isa_find(config->isa)))
		r = fail(riptide, -ENOTSUP, "this CPU has no %s", config->isa);
	if (r == 0 && config->flags & RIPTIDE_REQUIRE_DAEMON && !config->socket)
		r = fail(riptide, -ECONNREFUSED, "riptided is required, and the socket is \"none\"");
	if (r == 0 && config->flags)
		r = want_halftoner(riptide, method, NULL);
	return r;
}

int riptide_new(const struct riptide_config *config, struct riptide **out)
{
	struct riptide *riptide = calloc(1, sizeof *riptide);
	int r = 0;

	*out = NULL;
	if (!riptide) {
		snprintf(last_error, sizeof last_error, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	if (config)
		r = take_struct(&riptide->config, sizeof riptide->config, config, config->size, LEAST_CONFIG);
	if (r < 0)
		fail_struct(riptide, r, "riptide_config", config->size);
	else
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
	rip_plane_curves_finish(&riptide->curves);
	rip_preset_curves_finish(&riptide->presets);
	free(riptide->staging);
	free((char *)riptide->config.socket);
	free((char *)riptide->config.queue);
	free((char *)riptide->config.method);
	free((char *)riptide->config.isa);
	free(riptide);
}

const char *riptide_device(const struct riptide *riptide)
{
	return riptide->halftoner ? rip_halftoner_device(riptide->halftoner) : "none";
}

int riptide_left_daemon(const struct riptide *riptide)
{
	return riptide->left_daemon ||
	       (riptide->halftoner && rip_halftoner_left_daemon(riptide->halftoner));
}

/* ---- pages ---- */

/* The page is lost.  The bands that the halftoner still has go with it. */
static int lose(struct riptide *riptide, int r)
{
	riptide->lost = r;
	riptide->left_daemon = riptide_left_daemon(riptide);
	rip_halftoner_free(riptide->halftoner);
	riptide->halftoner = NULL;
	rip_row_flow_reset(&riptide->flow);
	return r;
}

static int find_screen(struct riptide *riptide, const char *name, const struct rip_mask_use *use)
{
	const int id = rip_screen_find(name ? name : rip_screens[RIP_FLOYD_STEINBERG].name);
	char why[256];
	int r;

	if (id >= 0) {
		riptide->spec.screen = &rip_screens[id];
		return 0;
	}
	r = rip_page_mask(&riptide->screens, name, use, &riptide->spec.screen, why, sizeof why);
	return r < 0 ? fail(riptide, r, "%s", why) : 0;
}

/* The screen and the curves of a page that was checked. */
static int prepare(struct riptide *riptide, const struct riptide_page *page)
{
	struct rip_mask_use use;
	char why[256];
	int r = rip_page_use(page, &use, why, sizeof why);

	if (r < 0)
		return fail(riptide, r, "%s", why);
	riptide->spec = (struct rip_page_spec){
		.width = page->width, .planes = page->planes, .levels = page->levels,
		.sample_bits = page->sample_bits,
	};
	r = find_screen(riptide, page->screen, &use);
	if (r < 0)
		return r;
	r = rip_preset_curves_make(&riptide->presets, page, &riptide->spec, &use, why, sizeof why);
	if (r < 0)
		return fail(riptide, r, "%s", why);
	r = rip_plane_curves_set(&riptide->curves, &riptide->spec,
				 (const uint16_t *const *)riptide->presets.curves);
	free(riptide->staging);
	riptide->staging = NULL;
	if (r == 0 && rip_plane_curves_differ(&riptide->curves)) {
		riptide->staging = malloc((size_t)page->planes * page->width * (page->sample_bits / 8));
		r = riptide->staging ? 0 : -ENOMEM;
	}
	return r < 0 ? fail(riptide, r, "%s", strerror(-r)) : 0;
}

/* Takes the caller's page, complete and checked. */
static int take_page(struct riptide *riptide, const struct riptide_page *callers,
		     struct riptide_page *page)
{
	char why[256];
	int r = take_struct(page, sizeof *page, callers, callers->size, LEAST_PAGE);

	if (r < 0)
		return fail_struct(riptide, r, "riptide_page", callers->size);
	r = rip_page_check(page, why, sizeof why);
	return r < 0 ? fail(riptide, r, "%s", why) : check_flags(riptide, page->flags, RIPTIDE_START_ZERO);
}

static void end_page(struct riptide *riptide)
{
	int r = riptide->open && !riptide->lost ? rip_row_flow_end(&riptide->flow) : 0;

	if (r < 0)
		lose(riptide, r);
	riptide->open = false;
	riptide->lost = 0;
}

int riptide_begin(struct riptide *riptide, const struct riptide_page *callers)
{
	struct riptide_page page;
	struct rip_page_spec spec;
	int r;

	end_page(riptide);
	r = take_page(riptide, callers, &page);
	if (r == 0)
		r = prepare(riptide, &page);
	if (r == 0)
		r = want_halftoner(riptide, method_of(riptide, riptide->config.method), riptide->spec.screen);
	if (r < 0) {
		/* The screen of the bands may be gone, and that of the next page at its address. */
		rip_row_flow_reset(&riptide->flow);
		return r;
	}
	riptide->number = page.number ? page.number : riptide->number + 1;
	spec = riptide->spec;
	rip_plane_curves_spec(&riptide->curves, &spec);
	r = rip_row_flow_begin(&riptide->flow, riptide->halftoner, &spec, page.height,
			       page.flags & RIPTIDE_START_ZERO ? RIP_START_ZERO : RIP_START_NOISE,
			       page.band_rows);
	if (r < 0)
		return lose(riptide, r);
	riptide->open = true;
	return 0;
}

/* ---- rows ---- */

/* Whether the page can take or give rows of a plane. */
static int check_plane(struct riptide *riptide, uint32_t plane)
{
	if (!riptide->open)
		return fail(riptide, -EINVAL, "no page is begun");
	if (plane >= riptide->spec.planes)
		return fail(riptide, -EINVAL, "plane %u: the page has %u", plane, riptide->spec.planes);
	return riptide->lost;
}

static size_t row_bytes(const struct riptide *riptide)
{
	return (size_t)riptide->spec.width * (riptide->spec.sample_bits / 8);
}

void *riptide_place(struct riptide *riptide, uint32_t plane, uint32_t *rows)
{
	void *at;
	int r = check_plane(riptide, plane);

	if (r == 0)
		r = rip_row_flow_place(&riptide->flow, plane, false, &at, rows);
	if (r == -EINVAL && riptide->open && plane < riptide->spec.planes && !riptide->lost)
		fail(riptide, r, "plane %u has all of its %u rows", plane, riptide->flow.pushed[plane]);
	else if (r < 0 && r != -EINVAL && !riptide->lost)
		lose(riptide, r);
	if (r != 0) {
		*rows = r < 0;
		return NULL;
	}
	if (!riptide->staging)
		return at;
	*rows = 1;
	return riptide->staging + plane * row_bytes(riptide);
}

/* How many rows may be pushed from the place that riptide_place() gives; 0: the samples lie elsewhere. */
static uint32_t room_at(const struct riptide *riptide, uint32_t plane, const void *samples)
{
	if (riptide->staging)
		return samples == riptide->staging + plane * row_bytes(riptide);
	return rip_row_flow_room(&riptide->flow, plane, samples);
}

/* Pushes a row of samples whose curve is applied here. */
static int push_curved(struct riptide *riptide, uint32_t plane, const void *samples)
{
	uint32_t rows;
	void *at;
	int r = rip_row_flow_place(&riptide->flow, plane, true, &at, &rows);

	if (r < 0)
		return r;
	rip_plane_curves_row(&riptide->curves, plane, riptide->spec.sample_bits, samples,
			     riptide->spec.width, at);
	return rip_row_flow_commit(&riptide->flow, plane, 1);
}

int riptide_push(struct riptide *riptide, uint32_t plane, const void *samples, ptrdiff_t pitch,
		 uint32_t rows)
{
	const uint8_t *from = samples;
	uint32_t room;
	int r = check_plane(riptide, plane);

	if (r < 0 || rows == 0)
		return r;
	if (rows > (riptide->flow.height ? riptide->flow.height : RIP_WIDTH_MAX) -
		   riptide->flow.pushed[plane])
		return fail(riptide, -EINVAL, "plane %u: %u rows are pushed after %u, and the page has %u",
			    plane, rows, riptide->flow.pushed[plane], riptide->flow.height);
	room = room_at(riptide, plane, from);
	if (room > 0 && rows > room)
		return fail(riptide, -EINVAL, "plane %u: %u rows are pushed from a place for %u", plane, rows, room);
	if (room == 0 && riptide->spec.sample_bits == 16 && ((uintptr_t)from | (size_t)pitch) & 1)
		return fail(riptide, -EINVAL, "plane %u: samples of 16 bits are pushed from an odd address or with an odd pitch",
			    plane);
	if (pitch == 0)
		pitch = (ptrdiff_t)row_bytes(riptide);
	if (riptide->staging)
		for (; r == 0 && rows > 0; rows--, from += pitch)
			r = push_curved(riptide, plane, from);
	else if (room > 0)
		r = rip_row_flow_commit(&riptide->flow, plane, rows);
	else
		r = rip_row_flow_put(&riptide->flow, plane, from, pitch, rows);
	return r < 0 ? lose(riptide, r) : 0;
}

int riptide_flush(struct riptide *riptide)
{
	int r = check_plane(riptide, 0);

	if (r == 0)
		r = rip_row_flow_flush(&riptide->flow);
	return r < 0 && !riptide->lost && riptide->open ? lose(riptide, r) : r;
}

const void *riptide_peek(struct riptide *riptide, uint32_t plane)
{
	return check_plane(riptide, plane) < 0 ? NULL : rip_row_flow_dots(&riptide->flow, plane);
}

int riptide_pull(struct riptide *riptide, uint32_t plane, void *dots, ptrdiff_t pitch, uint32_t rows)
{
	const size_t bytes = rip_dot_bytes(riptide->spec.width, riptide->spec.levels);
	uint8_t *to = dots;
	uint32_t done = 0;
	int r = check_plane(riptide, plane);

	if (r < 0)
		return r;
	if (pitch == 0)
		pitch = (ptrdiff_t)bytes;
	for (; done < rows; done++) {
		const uint8_t *row = rip_row_flow_dots(&riptide->flow, plane);

		if (!row)
			break;
		if (to)
			memcpy(to + (ptrdiff_t)done * pitch, row, bytes);
		rip_row_flow_take(&riptide->flow, plane);
	}
	return (int)done;
}

/* ---- facts ---- */

size_t riptide_dot_bytes(uint32_t width, uint32_t levels)
{
	return rip_dot_bytes(width, levels);
}

const char *riptide_screen_name(uint32_t number)
{
	return rip_screen_choice(number);
}

const char *riptide_preset_name(uint32_t number)
{
	for (uint32_t i = 0; rip_printer_names[i]; i++)
		if (i == number)
			return rip_printer_names[i];
	return NULL;
}

const char *riptide_version(void)
{
	return PACKAGE_VERSION;
}
