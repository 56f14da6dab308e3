#include "tests/tools/common.h"

#include "tests/filter/job_options.h"
#include "tests/tools/run.h"

/* ---- a queue with a PPD of these lines ---- */

void open_queue(struct rip_queue *queue, const char *lines)
{
	static const char head[] =
		"*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
		"*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n*PCFileName: \"T.PPD\"\n"
		"*Manufacturer: \"T\"\n*Product: \"(T)\"\n*ModelName: \"T\"\n*NickName: \"T\"\n"
		"*ShortNickName: \"T\"\n*PSVersion: \"(3010.000) 0\"\n*LanguageLevel: \"3\"\n";
	char path[64];
	int fd = memfd_create("ppd", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, head, sizeof head - 1), sizeof head - 1);
	assert_int_equal(write(fd, lines, strlen(lines)), strlen(lines));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	rip_queue_open(queue, path);
	close(fd);
	assert_non_null(queue->ppd);
}

char *option_lines(const char *keyword, const char *standard)
{
	static char text[512];

	snprintf(text, sizeof text,
		 "*OpenUI *%s/T: PickOne\n*Default%s: %s\n*%s %s/T: \"\"\n"
		 "*%s other/T: \"\"\n*CloseUI: *%s\n",
		 keyword, keyword, standard, keyword, standard, keyword, keyword);
	return text;
}

/* ---- what is said on stderr meanwhile ---- */

static struct rip_capture capture;

void catch_stderr(void)
{
	rip_capture_begin(&capture);
}

unsigned warnings(char text[4096])
{
	AUTO_FREE char *said = rip_capture_end(&capture);
	unsigned count = 0;

	snprintf(text, 4096, "%s", said);
	for (char *at = text; (at = strstr(at, "WARNING: ")); at++)
		count++;
	return count;
}

/* ---- a job ---- */

unsigned choose(const struct set_up *s, struct rip_choice *choice, char text[4096])
{
	AUTO(rip_queue_close) struct rip_queue queue = { NULL };
	struct rip_options options;
	cups_page_header2_t header;

	memset(&header, 0, sizeof header);
	if (s->page0)
		memcpy(header.cupsString[0], s->page0, strnlen(s->page0, 64));
	if (s->page7)
		memcpy(header.cupsString[7], s->page7, strnlen(s->page7, 64));
	catch_stderr();
	if (s->ppd)
		open_queue(&queue, s->ppd);
	rip_options_init(&options, s->job, &queue);
	for (int page = 0; page < 3; page++) /* every page, but one warning */
		rip_options_page(&options, &header, choice);
	rip_options_finish(&options);
	return warnings(text);
}
