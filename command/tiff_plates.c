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
#include "image/out_file.h"
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

/* The names of the files.  names: of the inks.  0 or -errno. */
static int make_paths(struct rip_tiff_plates *plates, const char (*names)[RIP_TIFF_NAME_MAX])
{
	const struct rip_tiff_plates_spec *spec = &plates->spec;
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
		name = names[i];
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
			 uint32_t planes, const char (*names)[RIP_TIFF_NAME_MAX])
{
	int r;

	plates->spec = *spec;
	plates->count = spec->composite ? 1 : planes;
	r = make_paths(plates, names);
	for (unsigned i = 0; r == 0 && i < plates->count; i++) {
		r = rip_out_name_check_input(plates->paths[i], spec->input);
		if (r == 0)
			r = rip_out_name_check_file(plates->paths[i], spec->curve, "curve");
		if (r == 0)
			r = rip_out_file_open(&plates->files[i], plates->paths[i]);
	}
	return r;
}

static int begin(void *context, const struct rip_dot_page *page)
{
	struct rip_tiff_plates *plates = context;
	const enum rip_tiff_compression compression = plates->spec.compression;
	const bool composite = plates->spec.composite;
	const struct rip_tiff_dots dots = {
		.width = page->width, .height = page->height, .levels = page->levels,
		.planes = composite ? page->planes : 1,
		.inks = plates->page->colours == RIP_TIFF_INKS && composite,
		.names = plates->page->names, .tags = &plates->page->tags,
	};
	int r = 0;

	/* The pages were checked, but somebody may have written to the file since. */
	if (!composite && page->planes != plates->count)
		return rip_complain(-EBADMSG, "%s: the input has changed while it was read",
				    plates->paths[0]);
	plates->dots = *page;
	for (unsigned i = 0; r == 0 && i < plates->count; i++) {
		struct rip_tiff_writer *writer = &plates->writers[i];

		if (!writer->tiff)
			r = rip_tiff_writer_open(writer, &plates->files[i], compression,
						 rip_tiff_writer_needs_big(compression,
									   plates->bytes));
		if (r == 0)
			r = rip_tiff_writer_begin(writer, &dots);
	}
	return r;
}

static int row(void *context, const uint8_t *const dots[])
{
	struct rip_tiff_plates *plates = context;
	const struct rip_dot_page *page = &plates->dots;
	const bool composite = plates->spec.composite;
	const bool invert = plates->page->colours == RIP_TIFF_INKS && !composite;
	int r = 0;

	for (uint32_t p = 0; r == 0 && p < page->planes; p++) {
		struct rip_tiff_writer *writer = &plates->writers[composite ? 0 : p];
		const uint32_t plane = composite ? p : 0;

		rip_dots_copy(dots[p], page->width, rip_dot_bits(page->levels), page->levels,
			      invert, rip_tiff_writer_place(writer, plane));
		r = rip_tiff_writer_row(writer, plane);
	}
	return r;
}

static int end(void *context)
{
	struct rip_tiff_plates *plates = context;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < plates->count; i++)
		r = rip_tiff_writer_end(&plates->writers[i]);
	return r;
}

struct rip_dot_receiver rip_tiff_plates_receiver(struct rip_tiff_plates *plates)
{
	return (struct rip_dot_receiver){ begin, row, end, plates };
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
