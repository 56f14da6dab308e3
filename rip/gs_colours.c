/* Colours that Ghostscript draws beside the pages, and what is made of them. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gs.h"
#include "kept_black.h"
#include "system/number.h"
#include "system/refuse.h"
#include "system/write_all.h"

#define fail(of, error, ...) rip_refuse_as(error, (of)->why, sizeof (of)->why, __VA_ARGS__)

/* Has Ghostscript draw a page of colours, by commands that define `draw`.  0 or -errno, not
 * reported. */
static int draw_colours(struct rip_gs *gs, const char *definition, const char *draw,
			uint32_t columns, uint32_t rows, void *samples, size_t size)
{
	const struct rip_gs_config *config = &gs->config;
	const char *answer;
	char page[320];
	int r;

	rip_number_print(page, sizeof page,
			 "{ << /PageSize [%.9g %.9g] /PageUsesTransparency false"
			 " /NumRenderingThreads 0 /Install { [1 0 0 1 0 0] setmatrix } >>"
			 " setpagedevice %s } stopped { rtfailed } { (done) rtsay } ifelse\n",
			 (columns + .1) * 72 / config->x_dpi, (rows + .1) * 72 / config->y_dpi,
			 draw);
	rip_gs_process_forget(&gs->process);
	r = rip_gs_process_send(&gs->process, definition);
	if (r == 0)
		r = rip_gs_process_send(&gs->process, page);
	if (r == 0)
		r = rip_gs_read_header(gs, columns, rows);
	if (r == 0)
		r = rip_gs_process_read(&gs->process, samples, size);
	return r < 0 ? r : rip_gs_process_answer(&gs->process, &answer);
}

/* Reports why colours could not be drawn, or nothing if there is a reason already. */
static int colours_failed(struct rip_gs *gs, int r)
{
	if (r == -ENODATA)
		return rip_gs_complained(gs, -EBADMSG, "a table of colours cannot be drawn");
	return r == -EPROTO ? r : rip_gs_broken(gs, r);
}

int rip_gs_check_intent(struct rip_gs *gs)
{
	static const uint8_t black[4] = { 0, 0, 0, 255 };
	uint8_t inks[4];
	int r = draw_colours(gs, "", "0 0 0 1 setcmykcolor 0 0 9 9 rectfill showpage", 1, 1, inks,
			     sizeof inks);

	gs->other_intent = r == -ENODATA || (r == 0 && memcmp(inks, black, sizeof inks));
	return r < 0 && r != -ENODATA ? colours_failed(gs, r) : gs->other_intent;
}

int rip_gs_draw_greys(struct rip_gs *gs)
{
	int r = draw_colours(gs, rip_greys_commands, "rtgreys", 256, 1, gs->greys.inks,
			     sizeof gs->greys.inks);

	if (r < 0)
		return colours_failed(gs, r);
	gs->greys.overprint = gs->config.black_overprint;
	rip_greys_init(&gs->greys);
	return 0;
}

/* Makes the profiles of kept_black.h, once for all processes.  0 or -errno, with the reason. */
static int make_profiles(struct rip_gs *gs)
{
	const bool has_inks = gs->config.profiled;
	uint8_t *colours = malloc(RIP_KEPT_BLACK_BYTES), *wide = malloc(RIP_KEPT_WIDE_BYTES);
	uint8_t *inks = has_inks ? malloc(RIP_KEPT_INK_BYTES) : NULL;
	int r = !colours || !wide || (has_inks && !inks) ? -ENOMEM :
		draw_colours(gs, rip_kept_black_commands, "rtcube", RIP_KEPT_BLACK_COLUMNS,
			     RIP_KEPT_BLACK_GRID, colours, RIP_KEPT_BLACK_BYTES);

	if (r == 0)
		r = draw_colours(gs, "", "rtwide", RIP_KEPT_BLACK_COLUMNS, RIP_KEPT_BLACK_GRID,
				 wide, RIP_KEPT_WIDE_BYTES);
	if (r == 0 && has_inks)
		r = draw_colours(gs, "", "rtinks", RIP_KEPT_INK_COLUMNS, RIP_KEPT_INK_GRID, inks,
				 RIP_KEPT_INK_BYTES);
	if (r == 0)
		gs->profiles = rip_kept_black_profiles(colours, wide, inks,
						       &gs->profiles_size);
	if (r == 0 && !gs->profiles)
		r = -ENOMEM;
	free(colours);
	free(wide);
	free(inks);
	return r < 0 ? colours_failed(gs, r) : 0;
}

int rip_gs_keep_black(struct rip_gs *gs)
{
	struct rip_gs_process *process = &gs->process;
	const char *answer;
	char keep[320];
	int r = gs->profiles ? 0 : make_profiles(gs);

	if (r < 0)
		return r;
	snprintf(keep, sizeof keep, "[ (Text) %s] %s rtkeep\n",
		 gs->config.keep_black == RIP_KEEP_BLACK_TEXT ? "" : "(Graphic) ",
		 gs->config.profiled ? rip_kept_black_inks : rip_kept_black_spaces);
	r = rip_gs_process_send(process, rip_kept_black_commands);
	r = r < 0 ? rip_gs_broken(gs, r) : rip_gs_ask(gs, "(ready) rtsay\n", &answer);
	if (r < 0)
		return r;
	/* In the file, which has been read: through the pipe, they would take half a second. */
	if (ftruncate(gs->commands, 0) < 0 || lseek(gs->commands, 0, SEEK_SET) < 0)
		r = -errno;
	if (r == 0)
		r = rip_write_all(gs->commands, gs->profiles, gs->profiles_size);
	return r < 0 ? rip_gs_broken(gs, r) : rip_gs_ask(gs, keep, &answer);
}

/* Makes the profile in an object without a process, and copies it to a file.  The file or -errno,
 * with the reason. */
static int make_pure_black(struct rip_gs *gs)
{
	uint8_t *profile = malloc(RIP_PURE_BLACK_BYTES);
	int file = -1, r = profile ? rip_gs_begin(gs) : fail(gs, -ENOMEM, "%s", strerror(ENOMEM));
	size_t bytes = 0;

	if (r == 0) {
		r = draw_colours(gs, rip_pure_black, "rtdrawpure", RIP_PURE_BLACK_COLUMNS,
				 RIP_PURE_BLACK_ROWS, profile, RIP_PURE_BLACK_BYTES);
		r = r < 0 ? colours_failed(gs, r) : 0;
	}
	if (r == 0 && !(bytes = rip_pure_black_profile(profile)))
		r = fail(gs, -EPROTO, "Ghostscript has written something that is no profile");
	if (r == 0)
		r = file = rip_gs_memory_file("profile");
	if (r >= 0) {
		r = rip_write_all(file, profile, bytes);
		if (r < 0)
			close(file);
	}
	free(profile);
	return r < 0 ? r : file;
}

int rip_gs_pure_black(const struct rip_gs_config *of, char *why, size_t size)
{
	/* Grey stays as it is. */
	static const char *const arguments[] = { "-dUseFastColor", NULL };
	struct rip_gs_jail jail;
	struct rip_gs_config config = {
		.document = of->document, .contone = RIP_CONTONE_GREY, .x_dpi = 72, .y_dpi = 72,
		.arguments = arguments, .prologue = rip_pure_black_wanted,
		.jail = &jail, .log = of->log, .warn = of->warn, .context = of->context,
	};
	struct rip_gs gs;
	int r = rip_gs_jail_open(&jail, RIP_GS_PROGRAM, NULL, of->document, 0, why, size);

	if (r < 0)
		return r;
	rip_gs_init(&gs, &config);
	r = make_pure_black(&gs);
	if (r < 0)
		snprintf(why, size, "%s", gs.why[0] ? gs.why : strerror(-r));
	rip_gs_finish(&gs);
	rip_gs_jail_close(&jail);
	return r;
}
