/*
 * An image as a PDF document of one page, which Ghostscript then draws in its jail as it draws
 * other pages.  The pixels are decoded here, by the readers of picture files, which refuse damage
 * that Ghostscript would pass over; and they are not compressed, because nobody keeps the document.
 */
#include "config.h"

#include "transform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/complain.h"
#include "image/image_pdf.h"
#include "system/temporary_space.h"

#define USUAL_DPI 72 /* of images that do not say it */

/* The readers give one channel of an image, so that each has one of its own. */
struct channels {
	struct rip_input  inputs[3];
	struct rip_image *images[3];
	uint8_t          *rows[3];
	unsigned          count;
};

static void finish(struct channels *channels)
{
	for (unsigned i = 0; i < channels->count; i++) {
		if (channels->images[i])
			channels->images[i]->ops->close(channels->images[i]);
		rip_input_close(&channels->inputs[i]);
		free(channels->rows[i]);
	}
}

/* 0 or -errno (reported). */
static int begin(struct channels *channels, const struct rip_transform_request *request)
{
	const unsigned wanted = request->type->contone == RIP_CONTONE_GREY ? 1 : 3;
	int r = 0;

	while (r == 0 && channels->count < wanted) {
		const unsigned i = channels->count++;
		struct rip_image *image;

		r = rip_input_open(&channels->inputs[i], request->file);
		if (r == 0)
			r = rip_image_open(&channels->inputs[i], request->image,
					   wanted > 1 ? (int)i : -1, &channels->images[i]);
		if (r < 0)
			break;
		image = channels->images[i];
		channels->rows[i] = malloc((size_t)image->width * (image->sample_bits / 8));
		if (!channels->rows[i])
			r = rip_complain(-ENOMEM, "%s: out of memory", request->file);
		if (image->width != channels->images[0]->width ||
		    image->height != channels->images[0]->height)
			r = rip_complain(-EBADMSG, "%s has changed while it was read",
					 request->file);
	}
	return r;
}

/* Writes the image's rows, each with all channels.  0 or -errno (reported). */
static int write_rows(struct channels *channels, struct rip_image_pdf *pdf)
{
	const struct rip_image *image = channels->images[0];
	uint8_t *line = malloc((size_t)image->width * channels->count);
	int r = 0;

	if (!line)
		return rip_complain(-ENOMEM, "%s: out of memory", image->input->name);
	for (uint32_t y = 0; r == 0 && y < image->height; y++) {
		for (unsigned c = 0; r == 0 && c < channels->count; c++) {
			const uint8_t *bytes = channels->rows[c];
			const uint16_t *words = (const uint16_t *)channels->rows[c];

			r = channels->images[c]->ops->row(channels->images[c], channels->rows[c]);
			for (uint32_t x = 0; r == 0 && x < image->width; x++)
				line[(size_t)x * channels->count + c] =
					image->sample_bits == 8 ? bytes[x] :
					(uint8_t)((words[x] + 128u) / 257);
		}
		if (r == 0) /* an error is seen at the end */
			rip_image_pdf_row(pdf, line, (size_t)image->width * channels->count);
	}
	for (unsigned c = 0; r == 0 && c < channels->count; c++) {
		r = channels->images[c]->ops->end(channels->images[c]);
		r = r < 0 ? r : 0;
	}
	free(line);
	return r;
}

/* 0 or -errno (reported). */
static int write_document(struct channels *channels, int fd)
{
	const struct rip_image *image = channels->images[0];
	const bool has_dpi = image->x_dpi && image->y_dpi;
	const struct rip_image_pdf_page page = {
		.width = image->width, .height = image->height,
		.x_dpi = has_dpi ? image->x_dpi : USUAL_DPI,
		.y_dpi = has_dpi ? image->y_dpi : USUAL_DPI,
		.bits = 8, .colours = channels->count == 1 ? "/DeviceGray" : "/DeviceRGB",
	};
	struct rip_image_pdf pdf;
	char why[256];
	int r, written;

	rip_image_pdf_begin(&pdf, 0, rip_image_pdf_to_file, &fd);
	rip_image_pdf_page(&pdf, &page);
	r = write_rows(channels, &pdf);
	rip_image_pdf_end_page(&pdf);
	written = rip_image_pdf_end(&pdf);
	rip_image_pdf_finish(&pdf);
	if (r == 0 && written < 0) {
		r = rip_temporary_space_refuse(-written, why, sizeof why);
		rip_complain(r, "%s: %s", image->input->name, why);
	}
	return r;
}

int rip_transform_image(const struct rip_transform_request *request)
{
	struct channels channels = { .count = 0 };
	int fd = rip_temporary_space_file(), r = begin(&channels, request);
	char why[256];

	if (r == 0 && fd < 0) {
		r = rip_temporary_space_refuse(-fd, why, sizeof why);
		rip_complain(r, "%s: %s", request->file, why);
	}
	if (r == 0)
		r = write_document(&channels, fd);
	finish(&channels);
	if (r == 0 && lseek(fd, 0, SEEK_SET) < 0)
		r = rip_complain(-errno, "%s: %s", request->file, strerror(errno));
	if (r == 0)
		fchmod(fd, 0444); /* Ghostscript may run as another user */
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}
