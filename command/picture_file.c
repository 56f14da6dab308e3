#include "picture_file.h"

#include <errno.h>
#include <stdlib.h>

#include "image/complain.h"
#include "image/image.h"

static int begin(void *context, const struct rip_dot_page *page)
{
	struct rip_picture_file *picture = context;
	char header[RIP_PNM_HEADER_MAX];

	if (picture->is_png)
		return rip_png_begin_dots(&picture->png, picture->file, page->width, page->height,
					  page->levels, page->x_dpi, page->y_dpi);
	picture->width = page->width;
	picture->levels = page->levels;
	free(picture->line);
	picture->line = malloc(rip_pnm_line_size(page->width, page->levels));
	if (!picture->line)
		return rip_complain(-ENOMEM, "%s: out of memory", picture->file->name);
	return rip_out_file_write(picture->file, header,
				  rip_pnm_header(page->width, page->height, page->levels, header));
}

static int row(void *context, const uint8_t *const planes[])
{
	struct rip_picture_file *picture = context;
	size_t size;

	if (picture->is_png)
		return rip_png_dots(&picture->png, planes[0]);
	size = rip_pnm_line(planes[0], picture->width, picture->levels, picture->line);
	return rip_out_file_write(picture->file, picture->line, size);
}

static int end(void *context)
{
	struct rip_picture_file *picture = context;
	int r = picture->is_png ? rip_png_end(&picture->png) : rip_out_file_flush(picture->file);

	rip_png_finish(&picture->png);
	return r;
}

struct rip_dot_receiver rip_picture_file_receiver(struct rip_picture_file *picture)
{
	return (struct rip_dot_receiver){ begin, row, end, picture };
}

void rip_picture_file_finish(struct rip_picture_file *picture)
{
	rip_png_finish(&picture->png);
	free(picture->line);
	picture->line = NULL;
}
