# Readers and writers of picture files.
noinst_LIBRARIES += image/libimage.a
image_libimage_a_CPPFLAGS = $(AM_CPPFLAGS) $(JPEG_CFLAGS) $(PNG_CFLAGS) $(TIFF_CFLAGS)
image_libimage_a_SOURCES = \
	image/complain.c image/complain.h \
	image/input.c image/input.h \
	image/out_file.c image/out_file.h image/out_name.c \
	image/image.c image/image.h \
	image/image_pnm.c image/image_jpeg.c image/image_png.c \
	image/image_pdf.c image/image_pdf.h \
	image/png_file.c image/png_file.h \
	image/tiff.h image/tiff_io.c image/tiff_page.c \
	image/tiff_reader.c image/tiff_writer.c
