/*
 * quality: how well screens print, beside other programs' dots.
 *
 *	quality [--screens LIST] [--peers LIST] [--greys STEP] [--photo FILE]... [--json]
 *	quality --pictures FOLDER [--screens LIST] [--peers LIST] [--photo FILE]
 *	quality --colour
 *	quality --check
 *
 * For each screen and peer: the measures of texture.h over all greys 1 to 254 (with --greys
 * each STEP-th), of picture.h over a ramp and three synthetic photos (or the given files), of
 * paper.h, and of printer_data.h over the first photo.  LIST has names with commas between, or
 * is "none"; by default all are measured.  Masks are those for black at 600 dpi; NAME@DPI is the
 * one for another resolution, dot by dot.  Peers that are not installed are named.
 *
 * --pictures writes pages that show greys at four times their size, a ramp and a photo of all
 * of them side by side: greys.ps, ramp.ps, photo.ps, for Ghostscript at 72 dpi.
 *
 * It also writes colour.png (colour.h).  --colour is the table of colours of three inks.
 *
 * --check is the test: few greys, with bounds that hold for good screens and not for bad ones.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "dot_source.h"
#include "halftone/engine_cpu.h"
#include "image/complain.h"
#include "judge.h"
#include "quality_check.h"
#include "show.h"
#include "tests/tools/memory.h"

#define SOURCES_MAX 64
#define PEERS_MAX   8

static struct dot_source sources[SOURCES_MAX];
static int source_count;

/* Whether a list (NULL: everything) has a name. */
static bool is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncasecmp(at, name, length) && (at[length] == ',' || !at[length]))
			return true;
	return !list;
}

/* The screens of a list, or all. */
static bool add_screens(const char *list, struct rip_engine *engine)
{
	static const char masks[] = "clustered,clustered-141,blue-noise-mask,bayer,bi-level";
	static struct rip_mask_screen mask[SOURCES_MAX];
	char *names, *rest;
	bool ok = true;

	for (int i = 0; !list && i < RIP_SCREENS; i++)
		dot_source_of_screen(&rip_screens[i], engine, &sources[source_count++]);
	names = rest = need(strdup(!list ? masks : strcmp(list, "none") ? list : ""));
	for (char *name;
	     ok && source_count < SOURCES_MAX - PEERS_MAX && (name = strsep(&rest, ","));)
		if (*name) {
			ok = dot_source_of_name(name, engine, &mask[source_count],
						&sources[source_count]);
			source_count++;
		}
	free(names);
	return ok;
}

/* Peers that give dots; Pillow's stay in Python, and are Floyd and Steinberg's. */
static void add_peers(const char *list)
{
	struct dot_source ghostscript;

	for (const struct peer *p = peers; p->name; p++)
		if (strcmp(p->name, "Pillow") && is_listed(list, p->name))
			dot_source_of_peer(p, &sources[source_count++]);
	for (const char *const *name = peers_missing; *name; name++)
		if (!list || strcmp(list, "none"))
			fprintf(stderr, "quality: not installed when riptide was configured: %s\n",
				*name);
	if (!is_listed(list, "Ghostscript"))
		return;
	if (dot_source_of_ghostscript(&ghostscript))
		sources[source_count++] = ghostscript;
	else
		fprintf(stderr, "quality: not installed: Ghostscript (Debian: ghostscript)\n");
}

int main(int argc, char **argv)
{
	enum { SCREENS = 256, PEERS, GREYS, PHOTO, JSON, PICTURES, CHECK, COLOUR };
	static const struct option options[] = {
		{ "screens", required_argument, NULL, SCREENS },
		{ "peers", required_argument, NULL, PEERS },
		{ "greys", required_argument, NULL, GREYS },
		{ "photo", required_argument, NULL, PHOTO },
		{ "json", no_argument, NULL, JSON },
		{ "pictures", required_argument, NULL, PICTURES },
		{ "colour", no_argument, NULL, COLOUR },
		{ "check", no_argument, NULL, CHECK },
		{ 0 },
	};
	static struct picture ramp, photos[PHOTOS_MAX];
	struct assignment assignment = { .first = 1, .step = 1, .ramp = &ramp, .photos = photos };
	const char *screen_list = NULL, *peer_list = NULL, *folder = NULL;
	int shown = 0; /* the photo on a page */
	bool json = false, check = false, colour = false;
	struct rip_engine *engine;
	int failed = 0;

	rip_complain_as("quality", NULL);
	for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
		switch (o) {
		case SCREENS: screen_list = optarg; break;
		case PEERS: peer_list = optarg; break;
		case GREYS: assignment.step = atoi(optarg); break;
		case PHOTO:
			if (assignment.photo_count == PHOTOS_MAX) {
				fprintf(stderr, "quality: at most %d photos\n", PHOTOS_MAX);
				return 2;
			}
			if (!picture_read(optarg, &photos[assignment.photo_count++]))
				return 2;
			break;
		case JSON: json = true; break;
		case PICTURES: folder = optarg; break;
		case COLOUR: colour = true; break;
		case CHECK: check = true; break;
		default: return 2;
		}
	if (optind < argc || assignment.step < 1 || assignment.step > 64) {
		fprintf(stderr, "quality: no arguments but options; --greys is 1 to 64\n");
		return 2;
	}
	/* One thread: greys are small, and the tests run in parallel. */
	if (rip_engine_cpu_new(&(struct rip_cpu_config){ .method = RIP_METHOD_SIMD, .threads = 1 },
			       &engine) < 0) {
		fprintf(stderr, "quality: no CPU engine\n");
		return 1;
	}
	if (check || colour) {
		failed = check ? quality_check(engine) : !colour_table(engine);
		engine->ops->free(engine);
		return failed;
	}
	if (!add_screens(screen_list, engine))
		return 2;
	add_peers(peer_list);
	if (assignment.photo_count == 0) {
		shown = 1; /* the one with shading and edges */
		for (unsigned k = 0; k < 3; k++)
			picture_synthetic(k, &photos[assignment.photo_count++]);
	}
	picture_ramp(&ramp);
	if (folder)
		failed = (source_count > 0 &&
			  !show_pictures(folder, sources, source_count, &ramp, &photos[shown])) ||
			 !colour_pictures(folder, engine);
	else {
		AUTO_FREE struct verdict *v = need(malloc(sizeof *v));

		show_heading(json, &assignment);
		for (int k = 0; k < source_count; k++)
			if (judge(&sources[k], &assignment, v))
				show_verdict(json, &assignment, v, k == 0);
			else
				failed = 1;
		show_end(json);
	}
	engine->ops->free(engine);
	free(ramp.light);
	for (int k = 0; k < assignment.photo_count; k++)
		free(photos[k].light);
	return failed;
}
