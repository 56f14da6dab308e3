#include "calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"
#include "image/complain.h"
#include "image/out_file.h"
#include "image/png_file.h"
#include "system/ascii.h"

/* Pixels.  The pictures of the inks stand beside each other. */
#define SIDE   401 /* of a grid */
#define MARGIN 40
#define CELL   (SIDE + MARGIN)
#define HEIGHT (SIDE + 2 * MARGIN + 10)

struct picture {
	uint32_t width;
	uint8_t *pixels; /* RGB */
};

static void dot(struct picture *picture, double x, double y, uint32_t left, int thick,
		const uint8_t colour[3])
{
	const int column = (int)left + (int)(x * (SIDE - 1) + .5);
	const int row = MARGIN + (int)((1 - y) * (SIDE - 1) + .5);

	for (int i = -thick; i <= thick; i++)
		for (int j = -thick; j <= thick; j++)
			memcpy(picture->pixels +
			       ((size_t)(row + i) * picture->width + column + j) * 3, colour, 3);
}

static void draw_grid(struct picture *picture, uint32_t left)
{
	static const uint8_t grey[3] = { 210, 210, 210 }, dark[3] = { 120, 120, 120 };

	for (unsigned i = 0; i <= 10; i++)
		for (unsigned j = 0; j < SIDE; j++) {
			dot(picture, i / 10., j / (SIDE - 1.), left, 0, i % 10 ? grey : dark);
			dot(picture, j / (SIDE - 1.), i / 10., left, 0, i % 10 ? grey : dark);
		}
	for (unsigned j = 0; j < SIDE; j++)
		dot(picture, j / (SIDE - 1.), j / (SIDE - 1.), left, 0, grey);
}

static void draw_text(struct picture *picture, uint32_t left, uint32_t top, const char *text)
{
	struct rip_chart chart;

	if (rip_chart_new(&chart, SIDE, 16, 2, false) < 0)
		return;
	rip_chart_text(&chart, 0, 0, 2, text);
	for (uint32_t y = 0; y < 16; y++)
		for (uint32_t x = 0; x < SIDE; x++)
			if (chart.ink[y * chart.pitch + x / 8] & (0x80 >> (x % 8)))
				memset(picture->pixels +
				       ((size_t)(top + y) * picture->width + left + x) * 3, 40, 3);
	rip_chart_finish(&chart);
}

static void draw_ink(struct picture *picture, const struct rip_calibration_ink *ink,
		     const struct rip_cal_ink *column, const char *screen, uint32_t left)
{
	static const struct {
		char name;
		uint8_t colour[3];
	} colours[] = {
		{ 'C', { 0, 150, 200 } }, { 'M', { 210, 0, 120 } }, { 'Y', { 200, 170, 0 } },
		{ 'K', { 0, 0, 0 } },
	};
	const uint8_t *colour = colours[3].colour;
	char text[64];

	for (unsigned i = 0; i < 4; i++)
		if (colours[i].name == ink->name[0])
			colour = colours[i].colour;
	draw_grid(picture, left);
	for (unsigned i = 0; i < 4 * SIDE; i++) {
		const double x = i / (4 * SIDE - 1.), sent = x * (RIP_CAL_POINTS - 1);
		const unsigned s = sent < RIP_CAL_POINTS - 2 ? (unsigned)sent : RIP_CAL_POINTS - 2;
		const double after = column->curve[s] +
				     (column->curve[s + 1] - column->curve[s]) * (sent - s);

		dot(picture, x, rip_response_area(&ink->response, x), left, 0, colour);
		dot(picture, x, after / 65535, left, 1, colour);
	}
	snprintf(text, sizeof text, "%s: %s", ink->name, screen);
	draw_text(picture, left, 12, text);
	draw_text(picture, left, MARGIN + SIDE + 8, "printed thin, sent thick");
}

static int write_file(const struct picture *picture, const char *path)
{
	const size_t length = strlen(path);
	struct rip_out_file file;
	int r = rip_out_file_open(&file, path);

	if (r == 0 && length > 4 && rip_same_name(path + length - 4, ".pgm")) {
		char header[40];
		const int n = snprintf(header, sizeof header, "P5\n%u %u\n255\n",
				       picture->width, HEIGHT);

		r = rip_out_file_write(&file, header, (size_t)n);
		for (size_t i = 0; r == 0 && i < (size_t)picture->width * HEIGHT; i++) {
			const uint8_t *p = picture->pixels + 3 * i;
			const uint8_t grey = (uint8_t)((p[0] * 2 + p[1] * 5 + p[2]) / 8);

			r = rip_out_file_write(&file, &grey, 1);
		}
	} else if (r == 0) {
		r = rip_png_write(&file, picture->pixels, picture->width, HEIGHT, 3, 0);
	}
	if (r == 0)
		r = rip_out_file_commit(&file);
	rip_out_file_abandon(&file);
	return r;
}

int rip_curve_picture_write(const struct rip_calibration *calibration, const struct rip_cal *cal,
			    const char *path)
{
	struct picture picture = { .width = MARGIN + CELL * calibration->inks };
	const size_t bytes = (size_t)picture.width * HEIGHT * 3;
	int r;

	picture.pixels = malloc(bytes);
	if (!picture.pixels)
		return rip_complain(-ENOMEM, "out of memory");
	memset(picture.pixels, 255, bytes);
	for (unsigned i = 0; i < calibration->inks; i++)
		draw_ink(&picture, calibration->ink[i], &cal->ink[i], calibration->screen,
			 MARGIN + CELL * i);
	r = write_file(&picture, path);
	free(picture.pixels);
	return r;
}
