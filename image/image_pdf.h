/*
 * A PDF document that is written while its images come: each page is one image of the page's size,
 * so that Ghostscript draws it pixel for pixel at its resolution.  Grey and colours are those of
 * the device: nothing converts them.
 *
 * Functions return 0 or -errno, of which nothing is reported: that of the first error, after which
 * nothing more is written.  Used by one thread.
 */
#ifndef RIP_IMAGE_PDF_H
#define RIP_IMAGE_PDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct rip_image_pdf {
	int    (*write)(void *context, const void *bytes, size_t size); /* 0 or -errno */
	void    *context;
	int      level;  /* of zlib: 1 to 9; 0: images are not compressed */
	uint64_t at;     /* bytes written */
	uint64_t *where; /* the objects of all pages */
	unsigned pages;
	bool     inside; /* a page */
	uint64_t begin;  /* of its image's data */
	z_stream deflated;
	int      error;  /* the first one: -errno */
};

struct rip_image_pdf_page {
	uint32_t width, height, x_dpi, y_dpi; /* none is 0 */
	unsigned bits;      /* of a sample */
	const char *colours; /* PDF's names: "/DeviceGray", "/DeviceGray /Decode [1 0]" */
};

/* To be finished, also after an error. */
int rip_image_pdf_begin(struct rip_image_pdf *pdf, int level,
			int (*write)(void *context, const void *bytes, size_t size), void *context);

/* For that: a descriptor. */
int rip_image_pdf_to_file(void *fd, const void *bytes, size_t size);

/* Begins a page; its image's rows follow, each in full bytes, or parts of them. */
int rip_image_pdf_page(struct rip_image_pdf *pdf, const struct rip_image_pdf_page *page);
int rip_image_pdf_row(struct rip_image_pdf *pdf, const void *bytes, size_t size);
int rip_image_pdf_end_page(struct rip_image_pdf *pdf);

/* Ends the document. */
int rip_image_pdf_end(struct rip_image_pdf *pdf);

/* May be called twice. */
void rip_image_pdf_finish(struct rip_image_pdf *pdf);

#endif
