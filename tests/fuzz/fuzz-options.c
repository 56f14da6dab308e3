/*
 * Any bytes as a job's options, as cupsStrings of two pages, and as a cupsFilter
 * line of a PPD: what is chosen is always something that there is.
 *
 * The parts stand behind each other, each ended by a NUL.
 */
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>

#include "filter/report.h"
#include "filter/options.h"
#include "filter/queue.h"
#include "halftone/screen/mask_screen.h"
#include "halftone/screen/arith.h"

/* Instead of filter/report.c: nobody wants to read this much. */
static unsigned warnings;

void rip_report_write(enum riptide_log_level level, const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	warnings += level == RIPTIDE_LOG_WARNING;
}

void rip_report_log(void *context, enum riptide_log_level level, const char *text)
{
	rip_report_write(level, "%s", text);
}

void rip_report_page(unsigned page, unsigned copies)
{
}

void rip_report_progress(unsigned percent)
{
}

/* The next part as a string of its own. */
static char *next(const uint8_t **data, size_t *size)
{
	const size_t length = strnlen((const char *)*data, *size);
	char *part = malloc(length + 1);

	memcpy(part, *data, length);
	part[length] = '\0';
	*data += length < *size ? length + 1 : length;
	*size -= length < *size ? length + 1 : length;
	return part;
}

static void open_queue(struct rip_queue *queue, char *line)
{
	static const char head[] =
		"*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*Manufacturer: \"T\"\n"
		"*ModelName: \"T\"\n*NickName: \"T\"\n*ShortNickName: \"T\"\n*PCFileName: "
		"\"T.PPD\"\n"
		"*Product: \"(T)\"\n*PSVersion: \"(1) 0\"\n*LanguageVersion: English\n"
		"*LanguageEncoding: ISOLatin1\n*FileVersion: \"1.0\"\n"
		"*OpenUI *riptideLevels/L: PickOne\n*DefaultriptideLevels: 4\n"
		"*riptideLevels 4/4: \"\"\n*CloseUI: *riptideLevels\n";
	char path[64];
	FILE *file;
	int fd = memfd_create("ppd", MFD_CLOEXEC);

	for (char *at = line; *at; at++)
		if (*at == '"' || *at == '\n' || *at == '\r' || (unsigned char)*at < 32)
			*at = ' ';
	file = fdopen(fd, "w");
	fprintf(file, "%s*cupsFilter: \"%s\"\n*cupsFilter2: \"%s\"\n", head, line, line);
	fflush(file);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	rip_queue_open(queue, path);
	fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *job = next(&data, &size), *line = next(&data, &size), *type = next(&data, &size);
	struct rip_queue queue = { NULL };
	struct rip_place_in_chain place;
	struct rip_options options;
	cups_page_header2_t header;
	struct rip_choice choice, same;

	warnings = 0;
	memset(&header, 0, sizeof header);
	if (*line)
		open_queue(&queue, line);
	rip_queue_place(&queue, size % 2 ? RIP_RASTER_FILTER : RIP_PDF_FILTER, *type ? type : NULL,
			&place);
	rip_options_init(&options, job, &queue);
	rip_queue_close(&queue);
	for (int page = 0; page < 2; page++) {
		size_t n = size < sizeof header.cupsString ? size : sizeof header.cupsString;

		memcpy(header.cupsString, data, n);
		data += n;
		size -= n;
		rip_options_page(&options, &header, &choice);
		rip_options_page(&options, &header, &same);
		insist((unsigned)choice.method < RIP_METHODS);
		insist(choice.wish_count <= RIP_PLACE_COUNT);
		for (unsigned i = 0; i < choice.wish_count; i++)
			insist(choice.wishes[i].id >= 0 ?
				       choice.wishes[i].id < RIP_SCREENS :
				       rip_mask_screen_known(choice.wishes[i].mask));
		insist(choice.levels >= RIP_LEVELS_MIN && choice.levels <= RIP_LEVELS_MAX);
		insist(!memcmp(&choice, &same, sizeof choice));
	}
	/* One for each option and place, one for what is none, one for two screens, one for
	 * the PPD. */
	insist(warnings <= RIP_PLACE_COUNT * (RIP_OPTION_COUNT + 2) + 1);
	rip_options_finish(&options);
	free(type);
	free(line);
	free(job);
	return 0;
}
