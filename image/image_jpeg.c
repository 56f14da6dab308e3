/*
 * JPEG, through libjpeg-turbo, which converts to grey (or RGB, for one channel) and uses the
 * accurate integer DCT.
 *
 * After damage libjpeg warns and continues with invented pixels.  Here each of its warnings is
 * an error, because a print that looks almost right is worse than none.
 */
#include "image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "complain.h"

/* The most memory for a progressive file, which is decoded as a whole.  A few hundred bytes
 * can ask for 24 GB. */
#define PROGRESSIVE_BYTES_MAX ((uint64_t)1 << 30)

/* Encoders make about ten scans.  A file with more than this was made to take forever. */
#define SCANS_MAX 500

struct jpeg_image {
	struct rip_image image;
	struct jpeg_decompress_struct decoder;
	struct jpeg_error_mgr errors;
	struct jpeg_source_mgr source;
	struct jpeg_progress_mgr progress;
	size_t  given;    /* bytes of the input that the decoder has got */
	jmp_buf failed;   /* where each call of the decoder continues after an error, */
	int     error;    /* and why: -errno, reported */
	int     channel;  /* of RGB; -1: grey */
	JSAMPLE *rgb;     /* a row with all channels */
};

static struct jpeg_image *of(j_common_ptr decoder)
{
	return decoder->client_data;
}

/* Leaves the decoder.  error: -errno, which has been reported. */
static __attribute__((noreturn)) void leave(struct jpeg_image *jpeg, int error)
{
	jpeg->error = error;
	longjmp(jpeg->failed, 1);
}

static __attribute__((noreturn)) void on_error(j_common_ptr decoder)
{
	struct jpeg_image *jpeg = of(decoder);
	char text[JMSG_LENGTH_MAX];

	jpeg->errors.format_message(decoder, text);
	leave(jpeg, rip_complain(-EBADMSG, "%s: %s", jpeg->image.input->name, text));
}

static void on_message(j_common_ptr decoder, int level)
{
	if (level < 0) /* a warning; others are traces */
		on_error(decoder);
}

static void source_begin(j_decompress_ptr decoder)
{
}

static boolean source_fill(j_decompress_ptr decoder)
{
	struct jpeg_image *jpeg = decoder->client_data;
	const uint8_t *bytes;
	ssize_t n;

	rip_input_skip(jpeg->image.input, jpeg->given);
	jpeg->given = 0;
	n = rip_input_peek(jpeg->image.input, 1, &bytes);
	if (n < 0)
		leave(jpeg, (int)n);
	if (n == 0 && decoder->output_scanline > 0)
		leave(jpeg, rip_complain(-EBADMSG, "%s is truncated: it ends in row %u of %u",
					 jpeg->image.input->name, decoder->output_scanline + 1,
					 jpeg->image.height));
	if (n == 0)
		leave(jpeg, rip_complain(-EBADMSG, "%s is truncated", jpeg->image.input->name));
	jpeg->given = (size_t)n;
	jpeg->source.next_input_byte = bytes;
	jpeg->source.bytes_in_buffer = (size_t)n;
	return TRUE;
}

static void source_skip(j_decompress_ptr decoder, long count)
{
	struct jpeg_source_mgr *source = decoder->src;

	while (count > (long)source->bytes_in_buffer) {
		count -= (long)source->bytes_in_buffer;
		source_fill(decoder);
	}
	if (count > 0) {
		source->next_input_byte += count;
		source->bytes_in_buffer -= (size_t)count;
	}
}

static void on_progress(j_common_ptr decoder)
{
	struct jpeg_image *jpeg = of(decoder);

	if (jpeg->decoder.input_scan_number > SCANS_MAX)
		leave(jpeg, rip_complain(-EBADMSG, "%s: the JPEG file has more than %d scans",
					 jpeg->image.input->name, SCANS_MAX));
}

static int jpeg_row(struct rip_image *image, void *samples)
{
	struct jpeg_image *jpeg = (struct jpeg_image *)image;
	JSAMPROW row = samples;

	if (setjmp(jpeg->failed))
		return jpeg->error;
	jpeg_read_scanlines(&jpeg->decoder, jpeg->rgb ? &jpeg->rgb : &row, 1);
	for (uint32_t x = 0; jpeg->rgb && x < image->width; x++)
		row[x] = jpeg->rgb[3 * (size_t)x + (size_t)jpeg->channel];
	return 0;
}

static int jpeg_end(struct rip_image *image)
{
	struct jpeg_image *jpeg = (struct jpeg_image *)image;

	if (setjmp(jpeg->failed))
		return jpeg->error;
	jpeg_finish_decompress(&jpeg->decoder);
	return 0;
}

static void jpeg_close(struct rip_image *image)
{
	struct jpeg_image *jpeg = (struct jpeg_image *)image;

	if (!jpeg)
		return;
	jpeg_destroy_decompress(&jpeg->decoder);
	free(jpeg->rgb);
	free(jpeg);
}

static const struct rip_image_ops jpeg_ops = {
	.row = jpeg_row, .end = jpeg_end, .close = jpeg_close,
};

static int refuse_colours(const struct jpeg_image *jpeg)
{
	const char *name = jpeg->image.input->name;
	const struct jpeg_decompress_struct *decoder = &jpeg->decoder;

	switch (decoder->jpeg_color_space) {
	case JCS_GRAYSCALE:
	case JCS_YCbCr:
	case JCS_RGB:
		return 0;
	case JCS_CMYK:
		return rip_complain(-EBADMSG, "%s is a CMYK JPEG:"
				    " convert it to grey or RGB first", name);
	case JCS_YCCK:
		return rip_complain(-EBADMSG, "%s is a YCCK (CMYK) JPEG:"
				    " convert it to grey or RGB first", name);
	default:
		return rip_complain(-EBADMSG, "%s is a JPEG of %d unknown colours:"
				    " convert it to grey or RGB first", name,
				    decoder->num_components);
	}
}

/* A file of several scans is kept as coefficients until the last one. */
static int refuse_bomb(const struct jpeg_image *jpeg)
{
	/* jpeg_has_multiple_scans() takes no const. */
	j_decompress_ptr decoder = (j_decompress_ptr)&jpeg->decoder;
	uint64_t bytes = 0;

	if (!jpeg_has_multiple_scans(decoder))
		return 0;
	for (int i = 0; i < decoder->num_components; i++)
		bytes += (uint64_t)decoder->comp_info[i].width_in_blocks *
			 decoder->comp_info[i].height_in_blocks * sizeof(JBLOCK);
	if (bytes <= PROGRESSIVE_BYTES_MAX)
		return 0;
	return rip_complain(-EFBIG, "%s is a progressive JPEG of %u x %u pixels, which takes"
			    " %llu MiB of memory (the limit is %llu):"
			    " convert it to baseline first (jpegtran)",
			    jpeg->image.input->name, jpeg->image.width, jpeg->image.height,
			    (unsigned long long)(bytes >> 20),
			    (unsigned long long)(PROGRESSIVE_BYTES_MAX >> 20));
}

static void find_resolution(struct jpeg_image *jpeg)
{
	const struct jpeg_decompress_struct *decoder = &jpeg->decoder;
	const uint32_t unit = decoder->density_unit == 1 ? 100 :
			      decoder->density_unit == 2 ? 254 : 0;
	const uint32_t x = (decoder->X_density * unit + 50) / 100;
	const uint32_t y = (decoder->Y_density * unit + 50) / 100;

	rip_image_set_dpi(&jpeg->image, x, y);
}

/* Reads the header and starts decoding.  0 or -errno. */
static int start(struct jpeg_image *jpeg)
{
	int r;

	if (setjmp(jpeg->failed))
		return jpeg->error;
	jpeg_create_decompress(&jpeg->decoder);
	jpeg->decoder.src = &jpeg->source;
	jpeg->decoder.progress = &jpeg->progress;
	jpeg_read_header(&jpeg->decoder, TRUE);
	jpeg->image.width = jpeg->decoder.image_width;
	jpeg->image.height = jpeg->decoder.image_height;
	find_resolution(jpeg);
	r = refuse_colours(jpeg);
	if (r == 0)
		r = rip_image_check_size(jpeg->image.input, jpeg->image.width, jpeg->image.height);
	if (r == 0)
		r = refuse_bomb(jpeg);
	if (r < 0)
		return r;
	if (jpeg->channel >= 0 && jpeg->decoder.jpeg_color_space != JCS_GRAYSCALE) {
		jpeg->rgb = malloc(3 * (size_t)jpeg->image.width);
		if (!jpeg->rgb)
			return rip_complain(-ENOMEM, "%s: out of memory", jpeg->image.input->name);
		jpeg->image.is_channel = true;
	}
	jpeg->decoder.out_color_space = jpeg->rgb ? JCS_RGB : JCS_GRAYSCALE;
	jpeg->decoder.dct_method = JDCT_ISLOW;
	jpeg_start_decompress(&jpeg->decoder);
	return 0;
}

int rip_image_jpeg_open(struct rip_input *input, int channel, struct rip_image **image)
{
	struct jpeg_image *jpeg = calloc(1, sizeof *jpeg);
	int r;

	*image = NULL;
	if (!jpeg)
		return rip_complain(-ENOMEM, "%s: out of memory", input->name);
	jpeg->image = (struct rip_image){
		.ops = &jpeg_ops, .input = input, .maxval = 255, .sample_bits = 8,
		.rows_at = -1,
	};
	jpeg->channel = channel;
	jpeg->source = (struct jpeg_source_mgr){
		.init_source = source_begin,
		.fill_input_buffer = source_fill,
		.skip_input_data = source_skip,
		.resync_to_restart = jpeg_resync_to_restart,
		.term_source = source_begin,
	};
	jpeg->progress.progress_monitor = on_progress;
	jpeg->decoder.err = jpeg_std_error(&jpeg->errors);
	jpeg->decoder.client_data = jpeg;
	jpeg->errors.error_exit = on_error;
	jpeg->errors.emit_message = on_message;
	r = start(jpeg);
	if (r < 0) {
		jpeg_close(&jpeg->image);
		return r;
	}
	*image = &jpeg->image;
	return 0;
}
