/* The workers that draw pages: what they refuse, and that each failure has its reason in words. The
 * pages themselves are tested through riptide rip and pdftoriptide. */
#include "tests/tools/testing.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "rip/page_workers.h"
#include "tests/tools/run.h"

#define MEMORY (256u << 20) /* bytes that a test without memory may still take */

static const char document[] =
	"%PDF-1.4\n"
	"1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
	"2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n"
	"3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 36 36] >> endobj\n"
	"trailer << /Root 1 0 R /Size 4 >>\n"
	"%%EOF\n";

/* One run of a document with one page, placed as `placed` says. */
struct run {
	struct rip_placed_page placed;
	struct rip_workers     workers;
	unsigned               lines, ended; /* pages */
	unsigned               again;  /* the last page that was drawn at the second attempt */
};

static int place(void *context, unsigned worker, const struct rip_worked_page *page,
		 struct rip_placed_page *placed, char *why, size_t size)
{
	const struct run *run = context;

	*placed = run->placed;
	return 0;
}

static int begin(void *context, const struct rip_worked_page *page)
{
	return 0;
}

static int line(void *context, const uint8_t *const planes[])
{
	struct run *run = context;

	run->lines++;
	return 0;
}

static int end(void *context, const struct rip_worked_page *page)
{
	struct run *run = context;

	run->ended++;
	if (page->attempts > 1)
		run->again = page->index + 1;
	return 0;
}

static void ignore(void *context, enum riptide_log_level level, const char *text)
{
}

static struct run cmyk_page(uint32_t width)
{
	return (struct run){ .placed = {
				     .matrix = { 1, 0, 0, -1, 0, 36 },
				     .page = { .size = sizeof(struct riptide_page),
					       .width = width,
					       .height = 36,
					       .planes = 4,
					       .levels = 2,
					       .sample_bits = 8 },
				     .sources = { { 0, false },
						  { 1, false },
						  { 2, false },
						  { 3, false } },
			     } };
}

/* Returns what rip_workers_run() did.  With so much memory; 0: all. */
static int do_page(struct run *run, size_t memory)
{
	static const unsigned list[] = { 1 };
	AUTO_CLOSE const int fd = rip_run_file(document, sizeof document - 1);
	const struct rip_workers_config config = {
		.gs = { .document = fd, .contone = RIP_CONTONE_CMYK, .x_dpi = 72, .y_dpi = 72 },
		.riptide = { .size = sizeof config.riptide,
			     .socket = "none",
			     .threads = 1,
			     .log = ignore },
		.workers = 1,
		.place = place,
		.begin = begin,
		.line = line,
		.end = begin,
		.context = run,
	};
	struct rlimit before, limit;
	long pages;
	FILE *file;
	int r;

	assert_true(fd >= 0);
	r = rip_workers_open(&run->workers, &config);
	if (r < 0)
		fail_msg("%s", run->workers.why);
	if (memory) {
		file = fopen("/proc/self/statm", "re");
		assert_non_null(file);
		assert_int_equal(fscanf(file, "%ld", &pages), 1);
		fclose(file);
		assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
		limit = before;
		limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + memory;
		assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
	}
	r = rip_workers_run(&run->workers, list, 1);
	if (memory)
		assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	rip_workers_close(&run->workers);
	return r;
}

TEST(a_page)
{
	struct run run = cmyk_page(36);
	int r = do_page(&run, 0);

	if (r < 0)
		fail_msg("%s", run.workers.why);
	assert_int_equal(run.lines, 36);
}

/* Several pages have a thread each; one page alone has those of all processors, in Ghostscript as
 * well. */
TEST(threads_of_a_page)
{
	static const unsigned list[] = { 1, 1, 1, 1, 1 };

	for (unsigned pages = 1; pages <= 5; pages++) {
		struct run run = cmyk_page(36);
		AUTO_CLOSE const int fd = rip_run_file(document, sizeof document - 1);
		const struct rip_workers_config config = {
			.gs = { .document = fd,
				.contone = RIP_CONTONE_CMYK,
				.x_dpi = 72,
				.y_dpi = 72 },
			.riptide = { .size = sizeof config.riptide,
				     .socket = "none",
				     .log = ignore },
			.workers = 4,
			.place = place,
			.begin = begin,
			.line = line,
			.end = begin,
			.context = &run,
		};

		assert_int_equal(rip_workers_open(&run.workers, &config), 0);
		assert_int_equal(rip_workers_run(&run.workers, list, pages), 0);
		assert_int_equal(run.workers.config.riptide.threads, pages == 1 ? 0 : 1);
		assert_int_equal(run.workers.gs_threads, 4 / pages);
		assert_int_equal(run.lines, pages * 36);
		rip_workers_close(&run.workers);
	}
}

/* What a Ghostscript does that fails: it ends; or it has no memory for a page. */
#define ENDS "exit 3"
#define LACKS_MEMORY \
	"while read -r line; do case $line in\n" \
	"/rtword*) word=${line#*\\(}; word=${word%%)*} ;;\n" \
	"rtopen) echo \"$word pages 1\" >&2 ;;\n" \
	"*rtpage) echo \"$word page 36 36 0\" >&2 ;;\n" \
	"*rtdraw) echo \"$word failed VMerror\" >&2 ;;\n" \
	"esac; done"

/* A program gs that counts its starts, and fails at some of them. */
static void make_gs(char *path, const char *fails, const char *how)
{
	char text[700];
	int fd, n;

	fd = mkstemp(path);
	assert_true(fd >= 0);
	n = snprintf(text, sizeof text,
		     "#!/bin/sh\necho >>%s.starts\nstart=$(wc -l <%s.starts)\n"
		     "if [ $start %s ]; then\n%s\nfi\nexec " RIP_GS_PROGRAM " \"$@\"\n",
		     path, path, fails, how);
	assert_true((size_t)n < sizeof text);
	assert_int_equal(write(fd, text, (size_t)n), n);
	assert_int_equal(fchmod(fd, 0700), 0);
	close(fd);
	snprintf(text, sizeof text, "%s.conf", path); /* scripts do not start in the jail */
	fd = open(text, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "riptide-jail = off\n", 19), 19);
	close(fd);
	setenv("RIPTIDE_CONFIG", text, 1);
}

/* The starts of that program, which is removed. */
static unsigned count_starts(const char *path)
{
	char starts[64];
	struct stat status;

	snprintf(starts, sizeof starts, "%s.starts", path);
	assert_int_equal(stat(starts, &status), 0);
	unlink(starts);
	unlink(path);
	unlink(getenv("RIPTIDE_CONFIG"));
	unsetenv("RIPTIDE_CONFIG");
	return (unsigned)status.st_size;
}

/* 10 pages by one worker, whose Ghostscript is replaced after 3.  Its starts that fail, and how;
 * the result, the pages that there are then, the starts, or 0 for any, and the page that is drawn
 * twice, or 0. */
static void replaced(const char *fails, const char *how, int result, unsigned pages,
		     unsigned starts, unsigned again)
{
	static const unsigned list[10] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	char path[] = "/tmp/test-page-workers-XXXXXX";
	struct run run = cmyk_page(36);
	const int fd = rip_run_file(document, sizeof document - 1);
	const struct rip_workers_config config = {
		.gs = { .document = fd, .contone = RIP_CONTONE_CMYK, .x_dpi = 72, .y_dpi = 72 },
		.program = path,
		.riptide = { .size = sizeof config.riptide, .socket = "none", .log = ignore },
		.workers = 1,
		.gs_pages = 3,
		.place = place,
		.begin = begin,
		.line = line,
		.end = end,
		.context = &run,
	};
	unsigned counted;

	make_gs(path, fails, how);
	assert_int_equal(rip_workers_open(&run.workers, &config), 0);
	assert_int_equal(rip_workers_run(&run.workers, list, 10), result);
	assert_string_equal(run.workers.why, !result ? "" : !strcmp(how, ENDS) ?
			    "page 1: Ghostscript has ended with status 3" :
			    "page 1: Ghostscript has run out of memory: the page cannot be drawn");
	rip_workers_close(&run.workers);
	close(fd);
	assert_int_equal(run.ended, pages);
	assert_int_equal(run.lines, 36 * pages);
	assert_int_equal(run.again, again);
	counted = count_starts(path);
	assert_int_equal(counted, starts ? starts : counted);
}

TEST(replaced_after_pages)
{
	replaced("-eq 0", ENDS, 0, 10, 4, 0);
}

/* A page whose new Ghostscript ends is drawn by one more. */
TEST(replacement_that_ends)
{
	replaced("-eq 2", ENDS, 0, 10, 5, 4);
	replaced("-eq 2", LACKS_MEMORY, 0, 10, 5, 4);
	replaced("-eq 1", LACKS_MEMORY, 0, 10, 5, 1);
}

/* The first one ends while the document is opened; or the second, too. */
TEST(first_one_that_ends)
{
	char path[] = "/tmp/test-page-workers-XXXXXX";
	const struct rip_workers_config config = {
		.gs = { .document = STDIN_FILENO,
			.contone = RIP_CONTONE_CMYK,
			.x_dpi = 72,
			.y_dpi = 72 },
		.program = path,
		.workers = 2,
	};
	struct rip_workers workers;

	replaced("-eq 1", ENDS, 0, 10, 5, 0);
	make_gs(path, "-ge 1", ENDS);
	assert_int_equal(rip_workers_open(&workers, &config), -EPIPE);
	assert_string_equal(workers.why, "Ghostscript has ended with status 3");
	rip_workers_close(&workers);
	assert_int_equal(count_starts(path), 2);
}

TEST(replacements_that_end)
{
	/* The worker may begin with page 5 before it is stopped. */
	replaced("-ge 2", ENDS, -EPIPE, 3, 0, 0);
	replaced("-ge 2", LACKS_MEMORY, -EPIPE, 3, 0, 0);
}

/* More planes than samples, a sample that Ghostscript's pixels lack, or one that no plane takes
 * because two share another one, must not be written to rows that nobody has. */
TEST(planes_without_samples)
{
	struct run run;

	for (unsigned planes = 1; planes <= RIPTIDE_PLANES_MAX + 1; planes++) {
		run = cmyk_page(36);
		run.placed.page.planes = planes <= RIPTIDE_PLANES_MAX ? planes : 4;
		if (planes == 4)
			run.placed.sources[2].sample = 4;
		if (planes > RIPTIDE_PLANES_MAX)
			run.placed.sources[2].sample = 1;
		assert_int_equal(do_page(&run, 0), -EINVAL);
		assert_non_null(strstr(run.workers.why, "page 1: "));
		assert_non_null(strstr(run.workers.why, "4 samples"));
	}
}

static void lacks_memory(uint32_t width)
{
	struct run run = cmyk_page(width);

	if (RIP_TEST_SANITIZED) {
		print_message("a sanitizer reserves memory: not tested\n");
		skip();
	}
	assert_int_equal(do_page(&run, MEMORY), -ENOMEM);
	assert_string_equal(run.workers.why, "page 1: Cannot allocate memory");
}

TEST(no_memory_for_the_queue)
{
	lacks_memory(1u << 30);
}

TEST(no_memory_for_a_line)
{
	lacks_memory(1u << 26);
}

BEFORE_TESTS
{
	if (system("command -v " RIP_GS_PROGRAM " >/dev/null") != 0) {
		printf("gs is not installed: install the package ghostscript\n");
		exit(77);
	}
	/* as the programs do: a command to a Ghostscript that has ended must be an error */
	signal(SIGPIPE, SIG_IGN);
}
