/*
 * What Ghostscript writes, any bytes, as pdftoriptide reads it: answers, messages, the headers and
 * the pixels of pages.
 *
 *	kind       2 bytes: samples of a pixel, the order of the planes, toner save, size
 *	pieces     a byte, the length and whether they are messages or pixels; and so many bytes
 *
 * In messages, the byte 1 is the random word that answers begin with: a document cannot know it,
 * but Ghostscript can. */
#include "tests/fuzz/fuzz.h"

#include "rip/page_reader.h"

#define SIZE_MAX_BYTES (64u << 10)
#define PAGES 3

struct text {
	uint8_t bytes[SIZE_MAX_BYTES];
	size_t  size;
};

static void add(struct text *text, const void *bytes, size_t n)
{
	if (n > sizeof text->bytes - text->size)
		n = sizeof text->bytes - text->size;
	memcpy(text->bytes + text->size, bytes, n);
	text->size += n;
}

static int new_file(const struct text *text)
{
	const int fd = memfd_create("gs", MFD_CLOEXEC);

	insist(fd >= 0 && write(fd, text->bytes, text->size) == (ssize_t)text->size &&
	       lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void log_line(void *context, const char *line)
{
	(void)context;
	insist(strlen(line) <= RIP_GS_TEXT_MAX);
}

static void split(struct rip_gs_process *process, const uint8_t *data, size_t size)
{
	static struct text messages, pixels;
	static const char word[] = "riptide-1";

	messages.size = pixels.size = 0;
	while (size) {
		const unsigned head = *data++;
		const size_t n = head / 2 < size - 1 ? head / 2 : size - 1;

		if (head % 2)
			add(&pixels, data, n);
		for (size_t i = 0; !(head % 2) && i < n; i++)
			add(&messages, data[i] == 1 ? (const void *)word : data + i,
			    data[i] == 1 ? sizeof word - 1 : 1);
		data += n;
		size -= n + 1;
	}
	strcpy(process->word, word);
	process->messages = new_file(&messages);
	process->pixels = new_file(&pixels);
	process->commands = memfd_create("commands", MFD_CLOEXEC);
}

/* Reads the lines of a page, none outside of its rows. */
static int read_page(struct rip_page_reader *reader, struct rip_gs *gs,
		     const struct rip_placed_page *placed)
{
	const struct riptide_page *page = &placed->page;
	const uint32_t at_once = page->planes > 1 ? 1 : 3;
	uint8_t *rows[RIP_CONTONE_SAMPLES_MAX] = { NULL };
	int r = rip_page_reader_begin(reader, gs, placed);

	for (uint32_t p = 0; p < page->planes; p++)
		rows[p] = malloc((size_t)page->width * at_once);
	for (uint32_t y = 0; r == 0 && y < page->height; y += at_once)
		r = rip_page_reader_lines(reader, (void *const *)rows,
					  page->height - y < at_once ? page->height - y : at_once);
	for (uint32_t p = 0; p < page->planes; p++)
		free(rows[p]);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rip_gs_jail jail = { .renderer = &rip_ghostscript };
	static struct rip_gs gs;
	const unsigned kind = size > 0 ? data[0] : 0, shape = size > 1 ? data[1] : 0;
	const struct rip_gs_config config = {
		.contone = (enum rip_contone)(kind % 3), .x_dpi = 300, .y_dpi = 300, .jail = &jail,
		.log = log_line, .warn = log_line,
	};
	const double matrix[6] = { 1, 0, 0, -1, 0, 72 };
	struct rip_page_reader reader = { .gs = NULL };
	struct rip_placed_page placed = {
		.page = { .size = sizeof placed.page,
			  .width = 1 + shape % 16,
			  .height = 1 + shape / 16 },
		.around.toner = { .edge = kind / 32 % 4, .full_is_0 = kind / 128 },
	};
	struct rip_gs_page page;
	int r;

	if (size < 2)
		return 0;
	placed.page.planes = rip_contone_samples(config.contone);
	for (unsigned p = 0; p < placed.page.planes; p++)
		placed.sources[p] = (struct rip_plane_source){
			(p + kind / 3) % placed.page.planes, kind / 128 };
	rip_gs_init(&gs, &config);
	gs.process.jail = &jail;
	split(&gs.process, data + 2, size - 2);
	insist(rip_page_reader_check(&gs, &placed) == 0);
	for (unsigned n = 1; n <= PAGES; n++) {
		r = rip_gs_page(&gs, n, &page);
		if (r == 0)
			insist(page.width >= 0 && page.width <= RIP_GS_PAGE_MAX &&
			       page.height >= 0 && page.height <= RIP_GS_PAGE_MAX);
		if (r == 0)
			r = rip_gs_draw(&gs, placed.page.width, placed.page.height, matrix, 1);
		if (r == 0)
			r = read_page(&reader, &gs, &placed);
		if (r == 0)
			r = rip_gs_end(&gs);
		if (r != 0)
			insist(memchr(gs.why, 0, sizeof gs.why) && gs.why[0]);
		if (r == -EPIPE || r == -EPROTO)
			break;
	}
	rip_page_reader_finish(&reader);
	rip_gs_finish(&gs);
	return 0;
}
