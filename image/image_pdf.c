#include "image_pdf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/write_all.h"

#define CATALOG 1
#define PAGES   2
#define FIRST   3 /* the first page's */
#define OBJECTS_OF_PAGE 4 /* the page, what it draws, the image, and the image's length */

int rip_image_pdf_to_file(void *fd, const void *bytes, size_t size)
{
	return rip_write_all(*(const int *)fd, bytes, size);
}

static void put_bytes(struct rip_image_pdf *pdf, const void *bytes, size_t size)
{
	pdf->at += size;
	if (pdf->error == 0)
		pdf->error = pdf->write(pdf->context, bytes, size);
}

__attribute__((format(printf, 2, 3))) static void put(struct rip_image_pdf *pdf,
						      const char *format, ...)
{
	char text[1024];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	put_bytes(pdf, text, (size_t)n);
}

int rip_image_pdf_begin(struct rip_image_pdf *pdf, int level,
			int (*write)(void *context, const void *bytes, size_t size), void *context)
{
	*pdf = (struct rip_image_pdf){ .write = write, .context = context, .level = level };
	put(pdf, "%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n");
	return pdf->error;
}

/* ---- a page ---- */

static bool grow(struct rip_image_pdf *pdf)
{
	const size_t count = ((size_t)pdf->pages + 1) * OBJECTS_OF_PAGE;
	uint64_t *more = realloc(pdf->where, count * sizeof *more);

	if (more)
		pdf->where = more;
	if (!more || (pdf->level && deflateInit(&pdf->deflated, pdf->level) != Z_OK))
		return false;
	pdf->pages++;
	pdf->inside = true;
	return true;
}

/* Begins an object of the page; its number. */
static unsigned begin_object(struct rip_image_pdf *pdf, unsigned which)
{
	const unsigned index = (pdf->pages - 1) * OBJECTS_OF_PAGE + which;

	pdf->where[index] = pdf->at;
	put(pdf, "%u 0 obj\n", FIRST + index);
	return FIRST + index;
}

/* Points with six places; printf()'s %f depends on the locale. */
static const char *points(char text[32], uint32_t pixels, uint32_t dpi)
{
	const uint64_t millionths = ((uint64_t)pixels * 72000000 + dpi / 2) / dpi;

	snprintf(text, 32, "%" PRIu64 ".%06u", millionths / 1000000,
		 (unsigned)(millionths % 1000000));
	return text;
}

int rip_image_pdf_page(struct rip_image_pdf *pdf, const struct rip_image_pdf_page *page)
{
	char width[32], height[32], draws[128];
	unsigned first;

	if (pdf->error == 0 && !grow(pdf))
		pdf->error = -ENOMEM;
	if (pdf->error < 0)
		return pdf->error;
	points(width, page->width, page->x_dpi);
	points(height, page->height, page->y_dpi);
	first = begin_object(pdf, 0);
	put(pdf, "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Contents %u 0 R"
	    " /Resources << /XObject << /I %u 0 R >> >> >>\nendobj\n", PAGES, width, height,
	    first + 1, first + 2);
	snprintf(draws, sizeof draws, "%s 0 0 %s 0 0 cm /I Do", width, height);
	begin_object(pdf, 1);
	put(pdf, "<< /Length %zu >>\nstream\n%s\nendstream\nendobj\n", strlen(draws), draws);
	begin_object(pdf, 2);
	put(pdf, "<< /Type /XObject /Subtype /Image /Width %u /Height %u /BitsPerComponent %u"
	    " /ColorSpace %s%s /Length %u 0 R >>\nstream\n", page->width, page->height, page->bits,
	    page->colours, pdf->level ? " /Filter /FlateDecode" : "", first + 3);
	pdf->begin = pdf->at;
	return pdf->error;
}

/* Compresses what there is, and writes what comes out. */
static void squeeze(struct rip_image_pdf *pdf, const void *bytes, size_t size, int flush)
{
	uint8_t out[16384];

	pdf->deflated.next_in = (uint8_t *)bytes;
	pdf->deflated.avail_in = (unsigned)size;
	do {
		pdf->deflated.next_out = out;
		pdf->deflated.avail_out = sizeof out;
		deflate(&pdf->deflated, flush);
		put_bytes(pdf, out, sizeof out - pdf->deflated.avail_out);
	} while (pdf->error == 0 && pdf->deflated.avail_out == 0);
}

int rip_image_pdf_row(struct rip_image_pdf *pdf, const void *bytes, size_t size)
{
	if (pdf->error == 0 && !pdf->inside)
		pdf->error = -EINVAL;
	if (pdf->error == 0 && pdf->level)
		squeeze(pdf, bytes, size, Z_NO_FLUSH);
	else if (pdf->error == 0)
		put_bytes(pdf, bytes, size);
	return pdf->error;
}

int rip_image_pdf_end_page(struct rip_image_pdf *pdf)
{
	uint64_t length;

	if (pdf->error == 0 && !pdf->inside)
		pdf->error = -EINVAL;
	if (pdf->error < 0)
		return pdf->error;
	if (pdf->level) {
		squeeze(pdf, NULL, 0, Z_FINISH);
		deflateEnd(&pdf->deflated);
	}
	pdf->inside = false;
	length = pdf->at - pdf->begin;
	put(pdf, "\nendstream\nendobj\n");
	begin_object(pdf, 3);
	put(pdf, "%" PRIu64 "\nendobj\n", length);
	return pdf->error;
}

/* ---- the document ---- */

int rip_image_pdf_end(struct rip_image_pdf *pdf)
{
	const unsigned objects = pdf->pages * OBJECTS_OF_PAGE;
	uint64_t catalog, pages, table;

	if (pdf->error == 0 && pdf->inside)
		pdf->error = -EINVAL;
	catalog = pdf->at;
	put(pdf, "%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", CATALOG, PAGES);
	pages = pdf->at;
	put(pdf, "%d 0 obj\n<< /Type /Pages /Count %u /Kids [", PAGES, pdf->pages);
	for (unsigned i = 0; i < objects; i += OBJECTS_OF_PAGE)
		put(pdf, " %u 0 R", FIRST + i);
	put(pdf, " ] >>\nendobj\n");
	table = pdf->at;
	put(pdf, "xref\n0 %u\n0000000000 65535 f \n%010" PRIu64 " 00000 n \n%010" PRIu64
	    " 00000 n \n", FIRST + objects, catalog, pages);
	for (unsigned i = 0; i < objects; i++)
		put(pdf, "%010" PRIu64 " 00000 n \n", pdf->where[i]);
	put(pdf, "trailer\n<< /Size %u /Root %d 0 R >>\nstartxref\n%" PRIu64 "\n%%%%EOF\n",
	    FIRST + objects, CATALOG, table);
	return pdf->error;
}

void rip_image_pdf_finish(struct rip_image_pdf *pdf)
{
	if (pdf->inside && pdf->level)
		deflateEnd(&pdf->deflated);
	pdf->inside = false;
	free(pdf->where);
	pdf->where = NULL;
}
