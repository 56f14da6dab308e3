/*
 * cfFilterRiptide() in this process: the dots of rastertoriptide, alone, in threads and in a chain of
 * libcupsfilters; its messages, cancel and a closed pipe; what it leaves of the process's state.
 */
#include "tests/tools/testing.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>

#include "filter/riptide-cupsfilters.h"
#include "tests/tools/raster.h"
#include "tests/tools/run.h"

/* Whatever is logged. */
struct log {
	atomic_uint lines, errors, warnings, progress;
	char        last_error[256];
};

__attribute__((format(printf, 3, 4)))
static void log_line(void *context, cf_loglevel_t level, const char *format, ...)
{
	struct log *log = context;
	va_list args;

	log->lines++;
	log->warnings += level == CF_LOGLEVEL_WARN;
	log->progress += level == CF_LOGLEVEL_CONTROL;
	if (level != CF_LOGLEVEL_ERROR)
		return;
	log->errors++;
	va_start(args, format);
	vsnprintf(log->last_error, sizeof log->last_error, format, args);
	va_end(args);
}

static cf_filter_data_t job_data(struct log *log)
{
	return (cf_filter_data_t){
		.printer = (char *)"test", .job_id = 7, .copies = 1, .logfunc = log_line, .logdata = log,
		.back_pipe = { -1, -1 }, .side_pipe = { -1, -1 },
	};
}

static int memory_file(const struct bytes *content)
{
	return content ? rip_run_file(content->data, content->size) : rip_run_file("", 0);
}

static void read_all(int fd, struct bytes *to)
{
	char buffer[65536];
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		bytes_add(to, buffer, (size_t)n);
	assert_int_equal(n, 0);
}

/* A stream of two pages, of which each has 72 x 36 points at 300 dpi. */
static void make_pages(struct bytes *stream, cups_cspace_t space)
{
	raster_begin(stream, RASTER_V3, false);
	for (int i = 0; i < 2; i++) {
		cups_page_header2_t page = raster_page(space, 0, 8, 300, 150);

		page.PageSize[0] = 72;
		page.PageSize[1] = 36;
		page.cupsPageSize[0] = 72;
		page.cupsPageSize[1] = 36;
		page.cupsImagingBBox[2] = 72;
		page.cupsImagingBBox[3] = 36;
		raster_add(stream, RASTER_V3, false, page, NULL);
	}
}

/* What rastertoriptide makes of a stream. */
static void make_expected(const struct bytes *stream, const char *options, const char *type, struct run *run)
{
	memset(run, 0, sizeof *run);
	run->options = options;
	run->env[0] = type;
	run_filter(run, stream);
	assert_true(WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0);
}

static void assert_closed(int fd)
{
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(errno, EBADF);
}

/* Runs the function on a stream, and compares with the dots of rastertoriptide. */
static void same(const struct bytes *stream, cf_filter_data_t *data, cf_filter_out_format_t *format,
		 const struct run *expected)
{
	const int in = memory_file(stream), out = memory_file(NULL), copy = dup(out);
	AUTO(bytes_free) struct bytes dots = { 0 };

	assert_int_equal(cfFilterRiptide(in, out, 1, data, format), 0);
	read_all(copy, &dots);
	close(copy);
	assert_int_equal(dots.size, expected->out.size);
	assert_memory_equal(dots.data, expected->out.data, dots.size);
}

/* Options of the job, of its attributes and of the printer count as in a filter's command line. */
TEST(options)
{
	cf_filter_out_format_t pwg = CF_FILTER_OUT_FORMAT_PWG_RASTER, raster = CF_FILTER_OUT_FORMAT_CUPS_RASTER;
	AUTO(bytes_free) struct bytes stream = { 0 };
	struct log log = { 0 };
	AUTO(run_free) struct run plain, bayer, in_pwg;
	char socket[200] = "/";
	cf_filter_data_t data;
	int in, out;

	make_pages(&stream, CUPS_CSPACE_CMYK);
	make_expected(&stream, "", NULL, &plain);
	make_expected(&stream, "halftone-screen=bayer", NULL, &bayer);
	make_expected(&stream, "", "FINAL_CONTENT_TYPE=image/pwg-raster", &in_pwg);
	assert_true(plain.out.size != bayer.out.size ||
		    memcmp(plain.out.data, bayer.out.data, plain.out.size) != 0);

	data = job_data(&log);
	in = memory_file(&stream);
	out = memory_file(NULL);
	assert_int_equal(cfFilterRiptide(in, out, 1, &data, NULL), 0);
	assert_closed(in);
	assert_closed(out);
	same(&stream, &data, NULL, &plain);
	assert_int_equal(log.errors, 0);
	assert_true(log.progress > 0);
	same(&stream, &data, &pwg, &in_pwg);
	data.final_content_type = (char *)"image/pwg-raster";
	same(&stream, &data, NULL, &in_pwg);
	same(&stream, &data, &raster, &plain);

	data = job_data(&log);
	data.num_options = cupsAddOption("halftone-screen", "bayer", 0, &data.options);
	same(&stream, &data, NULL, &bayer);
	cupsFreeOptions(data.num_options, data.options);

	data = job_data(&log);
	data.job_attrs = ippNew();
	ippAddString(data.job_attrs, IPP_TAG_JOB, IPP_TAG_KEYWORD, "halftone-screen", NULL, "bayer");
	same(&stream, &data, NULL, &bayer);
	ippDelete(data.job_attrs);

	data = job_data(&log);
	data.printer_attrs = ippNew();
	ippAddString(data.printer_attrs, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, "halftone-screen-default", NULL,
		     "bayer");
	same(&stream, &data, NULL, &bayer);
	data.num_options = cupsAddOption("halftone-screen", "floyd-steinberg", 0, &data.options);
	same(&stream, &data, NULL, &plain);
	cupsFreeOptions(data.num_options, data.options);
	ippDelete(data.printer_attrs);

	/* The program names the socket: one with too long a name is reported. */
	data = job_data(&log);
	memset(socket + 1, 'x', sizeof socket - 2);
	log.warnings = 0;
	cfFilterDataAddExt(&data, "riptide-socket", (char *)"none");
	same(&stream, &data, NULL, &plain);
	assert_int_equal(log.warnings, 0);
	cfFilterDataAddExt(&data, "riptide-socket", socket);
	same(&stream, &data, NULL, &plain);
	assert_int_equal(log.warnings, 1);
	cfFilterDataRemoveExt(&data, "riptide-socket");

	/* Without a log. */
	data = (cf_filter_data_t){ 0 };
	same(&stream, &data, NULL, &plain);
}

struct worker {
	pthread_t thread;
	struct bytes stream;
	struct run expected;
	struct log log;
	bool damaged; /* its input is no raster */
};

static void *work(void *context)
{
	struct worker *w = context;
	cf_filter_data_t data = job_data(&w->log);

	for (int i = 0; i < 10; i++) {
		if (w->damaged)
			assert_int_equal(cfFilterRiptide(memory_file(&w->stream), memory_file(NULL), 1, &data,
							 NULL), 1);
		else
			same(&w->stream, &data, NULL, &w->expected);
	}
	return NULL;
}

/* Several jobs at once, of which each has its own messages and dots. */
TEST(threads)
{
	static const cups_cspace_t spaces[] = { CUPS_CSPACE_K, CUPS_CSPACE_CMYK, CUPS_CSPACE_RGB, 0 };
	struct worker workers[4];

	memset(workers, 0, sizeof workers);
	for (int i = 0; i < 4; i++) {
		workers[i].damaged = i == 3;
		if (i == 3) {
			bytes_add(&workers[i].stream, "no raster at all", 16);
			continue;
		}
		make_pages(&workers[i].stream, spaces[i]);
		make_expected(&workers[i].stream, "", NULL, &workers[i].expected);
	}
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(workers[i].thread, NULL);
		assert_int_equal(workers[i].log.errors, i == 3 ? 10 : 0);
		bytes_free(&workers[i].stream);
		if (i < 3)
			run_free(&workers[i].expected);
	}
	assert_non_null(strstr(workers[3].log.last_error, "cfFilterRiptide: the input is no"));
}

/* Reads the dots of a raster, page by page. */
static void read_dots(const struct bytes *stream, struct bytes *dots)
{
	struct bytes_reader reader = { stream, 0 };
	cups_raster_t *raster = cupsRasterOpenIO(bytes_read, &reader, CUPS_RASTER_READ);
	cups_page_header2_t header;
	uint8_t *page;

	assert_non_null(raster);
	while ((page = raster_read(raster, &header))) {
		assert_int_equal(header.cupsBitsPerColor, 1);
		assert_int_equal(header.cupsWidth, 300);
		assert_int_equal(header.cupsHeight, 150);
		bytes_add(dots, page, header.cupsHeight * header.cupsBytesPerLine);
		free(page);
	}
	cupsRasterClose(raster);
}

/* In front of cfFilterRasterToPWG(), each in a process that cfFilterChain() forks. */
TEST(chain)
{
	cf_filter_out_format_t format = CF_FILTER_OUT_FORMAT_CUPS_RASTER;
	cf_filter_filter_in_chain_t ours = { cfFilterRiptide, &format, (char *)"cfFilterRiptide" };
	cf_filter_filter_in_chain_t pwg = { cfFilterRasterToPWG, NULL, (char *)"cfFilterRasterToPWG" };
	const int out = memory_file(NULL), copy = dup(out);
	AUTO(bytes_free) struct bytes stream = { 0 }, got = { 0 }, dots = { 0 }, expected_dots = { 0 };
	cups_array_t *chain = cupsArrayNew(NULL, NULL);
	struct log log = { 0 };
	cf_filter_data_t data = job_data(&log);
	AUTO(run_free) struct run expected;

	make_pages(&stream, CUPS_CSPACE_K);
	make_expected(&stream, "halftone-screen=blue-noise", NULL, &expected);
	data.final_content_type = (char *)"image/pwg-raster";
	data.num_options = cupsAddOption("halftone-screen", "blue-noise", 0, &data.options);
	cupsArrayAdd(chain, &ours);
	cupsArrayAdd(chain, &pwg);
	if (cfFilterChain(memory_file(&stream), out, 1, &data, chain))
		fail_msg("%s", log.last_error);
	read_all(copy, &got);
	close(copy);
	assert_memory_equal(got.data, "RaS2", 4);
	read_dots(&got, &dots);
	read_dots(&expected.out, &expected_dots);
	assert_int_equal(dots.size, 2 * 150 * 38);
	assert_int_equal(dots.size, expected_dots.size);
	assert_memory_equal(dots.data, expected_dots.data, dots.size);
	cupsArrayDelete(chain);
	cupsFreeOptions(data.num_options, data.options);
}

/* Canceled at the n-th question. */
static int canceled(void *context)
{
	int *left = context;

	return --*left < 0;
}

/* Input that does not come, and output that nobody reads, end with the job. */
TEST(cancel)
{
	struct log log = { 0 };
	AUTO(bytes_free) struct bytes stream = { 0 };
	cf_filter_data_t data = job_data(&log);
	int left = 3, in[2], out[2];

	data.iscanceledfunc = canceled;
	data.iscanceleddata = &left;
	assert_int_equal(pipe(in), 0);
	assert_int_equal(cfFilterRiptide(in[0], memory_file(NULL), 0, &data, NULL), 1);
	assert_closed(in[0]);
	assert_true(left < 0);
	close(in[1]);

	make_pages(&stream, CUPS_CSPACE_CMYK);
	assert_int_equal(pipe(out), 0);
	fcntl(out[1], F_SETPIPE_SZ, 4096);
	left = 10;
	assert_int_equal(cfFilterRiptide(memory_file(&stream), out[1], 1, &data, NULL), 1);
	assert_true(left < 0);
	assert_closed(out[1]);
	close(out[0]);
	assert_int_equal(log.errors, 0);
}

/* A reader that is gone is one error, and no signal; handlers, mask and locale stay. */
TEST(closed_pipe)
{
	struct log log = { 0 };
	AUTO(bytes_free) struct bytes stream = { 0 };
	cf_filter_data_t data = job_data(&log);
	struct sigaction before;
	sigset_t mask, pending;
	const locale_t locale = uselocale((locale_t)0);
	int out[2];

	make_pages(&stream, CUPS_CSPACE_CMYK);
	assert_int_equal(signal(SIGPIPE, SIG_DFL) == SIG_ERR, 0);
	assert_int_equal(pipe(out), 0);
	close(out[0]);
	assert_int_equal(cfFilterRiptide(memory_file(&stream), out[1], 1, &data, NULL), 1);
	assert_int_equal(log.errors, 1);
	assert_non_null(strstr(log.last_error, "cannot write the raster: Broken pipe"));
	sigaction(SIGPIPE, NULL, &before);
	assert_true(before.sa_handler == SIG_DFL);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	assert_false(sigismember(&mask, SIGPIPE));
	sigpending(&pending);
	assert_false(sigismember(&pending, SIGPIPE));
	assert_true(uselocale((locale_t)0) == locale);
}

/* A caller without a standard input may get 0 as the descriptor for the output. */
TEST(descriptor_0)
{
	struct log log = { 0 };
	AUTO(bytes_free) struct bytes stream = { 0 }, dots = { 0 };
	AUTO(run_free) struct run expected;
	cf_filter_data_t data = job_data(&log);
	const int input = dup(STDIN_FILENO), output = memory_file(NULL);

	make_pages(&stream, CUPS_CSPACE_K);
	make_expected(&stream, "", NULL, &expected);
	assert_int_equal(dup2(output, STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(cfFilterRiptide(memory_file(&stream), STDIN_FILENO, 1, &data, NULL), 0);
	assert_closed(STDIN_FILENO);
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	}
	read_all(output, &dots);
	close(output);
	assert_int_equal(dots.size, expected.out.size);
	assert_memory_equal(dots.data, expected.out.data, dots.size);
}

TEST(refused)
{
	cf_filter_out_format_t format = CF_FILTER_OUT_FORMAT_PDF;
	AUTO(bytes_free) struct bytes stream = { 0 };
	struct log log = { 0 };
	cf_filter_data_t data = job_data(&log);

	make_pages(&stream, CUPS_CSPACE_K);
	assert_int_equal(cfFilterRiptide(memory_file(&stream), memory_file(NULL), 1, &data, &format), 1);
	assert_int_equal(log.errors, 1);
	assert_non_null(strstr(log.last_error, "only CUPS raster and PWG raster"));
	stream.size -= 20;
	assert_int_equal(cfFilterRiptide(memory_file(&stream), memory_file(NULL), 1, &data, NULL), 1);
	assert_int_equal(log.errors, 2);
	assert_non_null(strstr(log.last_error, "page 2: the raster ends in line"));
}
