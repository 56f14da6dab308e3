/*
 * An image as a PDF document of one page, which Ghostscript then draws in its jail as it draws
 * other pages.  The pixels are decoded here, by the readers of picture files, which refuse damage
 * that Ghostscript would pass over; and they are not compressed, because nobody keeps the document.
 */
#include "config.h"

#include "transform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/complain.h"
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
static int write_rows(struct channels *channels, FILE *pdf)
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
			fwrite(line, channels->count, image->width, pdf);
	}
	for (unsigned c = 0; r == 0 && c < channels->count; c++) {
		r = channels->images[c]->ops->end(channels->images[c]);
		r = r < 0 ? r : 0;
	}
	free(line);
	return r;
}

/* 0 or -errno (reported). */
static int write_document(struct channels *channels, FILE *pdf)
{
	const struct rip_image *image = channels->images[0];
	const bool has_dpi = image->x_dpi && image->y_dpi;
	const double width = image->width * 72. / (has_dpi ? image->x_dpi : USUAL_DPI);
	const double height = image->height * 72. / (has_dpi ? image->y_dpi : USUAL_DPI);
	long places[5], end;
	char drawn[128];
	int r;

	snprintf(drawn, sizeof drawn, "%.4f 0 0 %.4f 0 0 cm /I Do", width, height);
	fputs("%PDF-1.4\n", pdf);
	places[0] = ftell(pdf);
	fputs("1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n", pdf);
	places[1] = ftell(pdf);
	fputs("2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n", pdf);
	places[2] = ftell(pdf);
	fprintf(pdf, "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 %.4f %.4f]"
		" /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >> endobj\n",
		width, height);
	places[3] = ftell(pdf);
	fprintf(pdf, "4 0 obj << /Length %zu >> stream\n%s\nendstream endobj\n", strlen(drawn),
		drawn);
	places[4] = ftell(pdf);
	fprintf(pdf, "5 0 obj << /Type /XObject /Subtype /Image /Width %u /Height %u"
		" /BitsPerComponent 8 /ColorSpace /Device%s /Length %llu >> stream\n",
		image->width, image->height, channels->count == 1 ? "Gray" : "RGB",
		(unsigned long long)image->width * image->height * channels->count);
	r = write_rows(channels, pdf);
	fputs("\nendstream endobj\n", pdf);
	end = ftell(pdf);
	fputs("xref\n0 6\n0000000000 65535 f \n", pdf);
	for (int i = 0; i < 5; i++)
		fprintf(pdf, "%010ld 00000 n \n", places[i]);
	fprintf(pdf, "trailer << /Root 1 0 R /Size 6 >>\nstartxref\n%ld\n%%%%EOF\n", end);
	return r;
}

int rip_transform_image(const struct rip_transform_request *request)
{
	struct channels channels = { .count = 0 };
	int fd = rip_temporary_space_file(), other, r = begin(&channels, request);
	FILE *pdf = NULL;
	char why[256];

	if (r == 0 && fd >= 0) {
		other = dup(fd);
		pdf = other < 0 ? NULL : fdopen(other, "w");
		if (!pdf)
			r = rip_complain(-errno, "%s: %s", request->file, strerror(errno));
		if (!pdf && other >= 0)
			close(other);
	} else if (r == 0) {
		r = rip_temporary_space_refuse(-fd, why, sizeof why);
		rip_complain(r, "%s: %s", request->file, why);
	}
	if (r == 0)
		r = write_document(&channels, pdf);
	if (pdf) {
		bool failed = ferror(pdf) != 0;

		failed |= fclose(pdf) != 0;
		if (failed && r == 0) {
			r = rip_temporary_space_refuse(errno ? errno : EIO, why, sizeof why);
			rip_complain(r, "%s: %s", request->file, why);
		}
	}
	finish(&channels);
	if (r == 0 && lseek(fd, 0, SEEK_SET) < 0)
		r = rip_complain(-errno, "%s: %s", request->file, strerror(errno));
	if (r == 0)
		fchmod(fd, 0444); /* Ghostscript may run as another user */
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}
