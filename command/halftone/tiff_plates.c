/* The TIFF files that the dots of a document go to. */
#include "config.h"

#include "tiff_plates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/page/dots.h"
#include "halftone/engine.h"
#include "image/complain.h"
#include "image/out_name.h"
#include "system/ascii.h"

/* Takes the next name from a list; false at its end. */
static bool next_name(const char **list, const char **name, size_t *length)
{
	if (!*list)
		return false;
	*name = *list;
	*length = strcspn(*list, ",");
	*list = (*list)[*length] ? *list + *length + 1 : NULL;
	return true;
}

/* Makes "NAME(INK).tif" of "NAME.tif".  NULL: no memory. */
static char *plate_path(const char *out, const char *ink, size_t length)
{
	const char *suffix = strrchr(out, '.');
	char *path, *name;
	size_t stem;

	if (!suffix || (!rip_same_name(suffix, ".tif") && !rip_same_name(suffix, ".tiff")))
		suffix = out + strlen(out);
	stem = (size_t)(suffix - out);
	if (asprintf(&path, "%.*s(%.*s)%s", (int)stem, out, (int)length, ink, suffix) < 0)
		return NULL;
	for (name = path + stem; *name; name++)
		if (*name == '/')
			*name = '_';
	return path;
}

/* The names of the files.  0 or -errno. */
static int make_paths(struct rip_tiff_plates *plates, const struct rip_tiff_plates_spec *spec,
		      const struct rip_tiff_page *page)
{
	const char *list = spec->plane_names, *name;
	size_t length;
	int r;

	if (plates->count == 1 && !list) {
		plates->paths[0] = strdup(spec->out);
		return plates->paths[0] ? 0 : rip_complain(-ENOMEM, "%s: out of memory", spec->out);
	}
	r = rip_out_name_check_regular(spec->out);
	if (r < 0)
		return r;
	for (unsigned i = 0; i < plates->count; i++) {
		name = page->names[i];
		length = strlen(name);
		if (spec->plane_names && (!next_name(&list, &name, &length) || length == 0))
			return rip_complain(-EINVAL,
					    "--plane-names %s has no name for plane %u of %u",
					    spec->plane_names, i + 1, plates->count);
		plates->paths[i] = plate_path(spec->out, name, length);
		if (!plates->paths[i])
			return rip_complain(-ENOMEM, "%s: out of memory", spec->out);
		for (unsigned j = 0; j < i; j++)
			if (!strcmp(plates->paths[i], plates->paths[j]))
				return rip_complain(-EINVAL, "inks %u and %u would both be written"
						    " to %s: give them names with --plane-names",
						    j + 1, i + 1, plates->paths[i]);
	}
	return !spec->plane_names || !list ? 0 :
	       rip_complain(-EINVAL, "--plane-names %s has more names"
			    " than the image has planes (%u)", spec->plane_names, plates->count);
}

int rip_tiff_plates_open(struct rip_tiff_plates *plates, const struct rip_tiff_plates_spec *spec,
			 const struct rip_tiff_page *page)
{
	const bool big = rip_tiff_writer_needs_big(spec->compression, spec->bytes);
	int r;

	plates->composite = spec->composite;
	plates->count = spec->composite ? 1 : page->planes;
	r = make_paths(plates, spec, page);
	for (unsigned i = 0; r == 0 && i < plates->count; i++) {
		r = rip_out_name_check_input(plates->paths[i], spec->input);
		if (r == 0)
			r = rip_out_name_check_curve(plates->paths[i], spec->curve);
		if (r == 0)
			r = rip_out_file_open(&plates->files[i], plates->paths[i]);
		if (r == 0)
			r = rip_tiff_writer_open(&plates->writers[i], &plates->files[i],
						 spec->compression, big);
	}
	return r;
}

int rip_tiff_plates_begin(struct rip_tiff_plates *plates, const struct rip_tiff_page *page,
			  uint32_t levels)
{
	const bool inks = page->colours == RIP_TIFF_INKS;
	const struct rip_tiff_dots dots = {
		.width = page->width, .height = page->height, .levels = levels,
		.planes = plates->composite ? page->planes : 1,
		.inks = inks && plates->composite, .names = page->names, .tags = &page->tags,
	};
	int r = 0;

	/* The pages were checked, but somebody may have written to the file since. */
	if (!plates->composite && page->planes != plates->count)
		return rip_complain(-EBADMSG, "%s: the input has changed while it was read",
				    plates->paths[0]);
	plates->inks = inks;
	plates->width = page->width;
	plates->levels = levels;
	plates->planes = page->planes;
	for (unsigned i = 0; r == 0 && i < plates->count; i++)
		r = rip_tiff_writer_begin(&plates->writers[i], &dots);
	return r;
}

int rip_tiff_plates_line(struct rip_tiff_plates *plates, const uint8_t *const dots[])
{
	const bool invert = plates->inks && !plates->composite;
	int r = 0;

	for (uint32_t p = 0; r == 0 && p < plates->planes; p++) {
		struct rip_tiff_writer *writer = &plates->writers[plates->composite ? 0 : p];
		const uint32_t plane = plates->composite ? p : 0;

		rip_dots_copy(dots[p], plates->width, rip_dot_bits(plates->levels), plates->levels,
			      invert, rip_tiff_writer_place(writer, plane));
		r = rip_tiff_writer_row(writer, plane);
	}
	return r;
}

int rip_tiff_plates_end(struct rip_tiff_plates *plates)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < plates->count; i++)
		r = rip_tiff_writer_end(&plates->writers[i]);
	return r;
}

int rip_tiff_plates_commit(struct rip_tiff_plates *plates)
{
	for (unsigned i = 0; i < plates->count; i++)
		rip_tiff_writer_finish(&plates->writers[i]);
	return rip_out_files_commit(plates->files, plates->count);
}

void rip_tiff_plates_finish(struct rip_tiff_plates *plates)
{
	for (unsigned i = 0; i < plates->count; i++) {
		rip_tiff_writer_finish(&plates->writers[i]);
		rip_out_file_abandon(&plates->files[i]);
		free(plates->paths[i]);
		plates->paths[i] = NULL;
	}
	plates->count = 0;
}
