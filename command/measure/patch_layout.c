#include "target.h"

#include <stdio.h>

/* Millimetres: what an i1 Pro reads along its ruler. */
#define WIDTH  8.0
#define HEIGHT 10.0
#define BAR    1.0
#define PITCH  14.0
#define LABELS 8.0 /* numbers on the left, names above */
#define MARGIN 4.0 /* between the last patches and the marks */

#define ROWS_MAX 17 /* two strips have all steps */
#define MIX      14 /* has no divisor in common with RIP_PATCH_STEPS */

static uint32_t pixels(uint32_t dpi, double mm)
{
	return (uint32_t)(mm * dpi / 25.4 + .5);
}

bool rip_patch_layout_make(struct rip_patch_layout *layout, uint32_t dpi, uint32_t left,
			   uint32_t top, uint32_t width, uint32_t height)
{
	const uint32_t row = pixels(dpi, HEIGHT) + pixels(dpi, BAR);
	const uint32_t around = pixels(dpi, LABELS) + pixels(dpi, MARGIN) + pixels(dpi, BAR);
	unsigned rows;

	if (height < around + row)
		return false;
	rows = (height - around) / row;
	rows = rows < ROWS_MAX ? rows : ROWS_MAX;
	*layout = (struct rip_patch_layout){
		.rows = rows, .strips = (RIP_PATCH_STEPS + rows - 1) / rows,
		.x = left + pixels(dpi, LABELS), .y = top + pixels(dpi, LABELS) + pixels(dpi, BAR),
		.width = pixels(dpi, WIDTH), .height = pixels(dpi, HEIGHT), .bar = pixels(dpi, BAR),
		.pitch = pixels(dpi, PITCH), .left = left, .top = top,
	};
	layout->right = layout->x + (layout->strips - 1) * layout->pitch + layout->width +
			pixels(dpi, MARGIN);
	layout->bottom = layout->y + rows * row + pixels(dpi, MARGIN);
	return layout->bar > 0 && layout->right <= left + width && layout->bottom <= top + height;
}

int rip_patch_step(unsigned patch)
{
	return patch < RIP_PATCH_STEPS ? (int)(patch * MIX % RIP_PATCH_STEPS) : -1;
}

struct rip_patch_box rip_patch_box(const struct rip_patch_layout *layout, unsigned patch)
{
	const unsigned strip = patch / layout->rows, row = patch % layout->rows;

	return (struct rip_patch_box){
		layout->x + strip * layout->pitch, layout->y + row * (layout->height + layout->bar),
		layout->width, layout->height,
	};
}

struct rip_patch_box rip_patch_bar(const struct rip_patch_layout *layout, unsigned strip,
				   unsigned row)
{
	struct rip_patch_box box = rip_patch_box(layout, strip * layout->rows);

	box.y += row * (layout->height + layout->bar) - layout->bar;
	box.height = layout->bar;
	return box;
}

bool rip_patch_bar_is_black(const struct rip_patch_layout *layout, unsigned strip, unsigned row)
{
	const unsigned patch = strip * layout->rows + row;
	const int above = row > 0 ? rip_patch_step(patch - 1) : 0;
	const int below = row < layout->rows ? rip_patch_step(patch) : 0;
	const int lighter = above < below ? above : below, darker = above > below ? above : below;

	return RIP_PATCH_STEPS - 1 - darker > lighter;
}

void rip_patch_strip_name(unsigned strip, char name[RIP_PATCH_NAME_MAX])
{
	if (strip < 26)
		snprintf(name, RIP_PATCH_NAME_MAX, "%c", 'A' + (int)strip);
	else
		snprintf(name, RIP_PATCH_NAME_MAX, "%c%c", 'A' + (int)(strip / 26 - 1) % 26,
			 'A' + (int)(strip % 26));
}
