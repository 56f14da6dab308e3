#include "config.h"

#include "app/app_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/web.h"

/* What the job's state says stays the first one: others follow from it. */
static void explain(struct rip_app_messages *messages, const char *text)
{
	papplLogJob(messages->job, PAPPL_LOGLEVEL_ERROR, "%s", text);
	if (!messages->explained)
		papplJobSetMessage(messages->job, "%s", text);
	messages->explained = true;
}

void rip_app_message_fail(struct rip_app_messages *messages, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	explain(messages, text);
	messages->failed = true;
}

/* The most urgent ones first, as people are told. */
const struct rip_app_reason rip_app_reasons[RIP_APP_REASONS] = {
	{ "offline", PAPPL_PREASON_OFFLINE },
	{ "media-empty", PAPPL_PREASON_MEDIA_EMPTY },
	{ "media-jam", PAPPL_PREASON_MEDIA_JAM },
	{ "media-low", PAPPL_PREASON_MEDIA_LOW },
	{ "media-needed", PAPPL_PREASON_MEDIA_NEEDED },
	{ "cover-open", PAPPL_PREASON_COVER_OPEN },
	{ "door-open", PAPPL_PREASON_DOOR_OPEN },
	{ "input-tray-missing", PAPPL_PREASON_INPUT_TRAY_MISSING },
	{ "marker-supply-empty", PAPPL_PREASON_MARKER_SUPPLY_EMPTY },
	{ "marker-supply-low", PAPPL_PREASON_MARKER_SUPPLY_LOW },
	{ "toner-empty", PAPPL_PREASON_TONER_EMPTY },
	{ "toner-low", PAPPL_PREASON_TONER_LOW },
	{ "other", PAPPL_PREASON_OTHER },
};

/* "+toner-low-warning,media-empty" or "-toner-low". */
static void change_state(pappl_printer_t *printer, char *list)
{
	const bool remove = *list == '-';
	pappl_preason_t found = PAPPL_PREASON_NONE;
	char *word, *rest = NULL;
	size_t length;
	unsigned i;

	for (word = strtok_r(list, "+-, \t", &rest); word; word = strtok_r(NULL, ", \t", &rest))
		for (i = 0; i < RIP_APP_REASONS; i++) {
			length = strlen(rip_app_reasons[i].keyword);
			if (!strncmp(word, rip_app_reasons[i].keyword, length) &&
			    (!word[length] || word[length] == '-'))
				found |= rip_app_reasons[i].reason;
		}
	papplPrinterSetReasons(printer, remove ? PAPPL_PREASON_NONE : found,
			       remove ? found : PAPPL_PREASON_NONE);
}

/* "1 2" (a page and its copies) or "total 3". */
static void count_pages(struct rip_app_messages *messages, const char *text)
{
	int page, copies;

	if (sscanf(text, "total %d", &page) == 1) {
		copies = page - messages->pages;
	} else if (sscanf(text, "%d %d", &page, &copies) != 2) {
		return;
	}
	if (copies <= 0)
		return;
	messages->pages += copies;
	if (messages->counts)
		papplJobSetImpressionsCompleted(messages->job, copies);
}

static void take_line(struct rip_app_messages *messages, char *line)
{
	static const struct {
		const char *prefix;
		pappl_loglevel_t level;
	} levels[] = {
		{ "WARNING: ", PAPPL_LOGLEVEL_WARN }, { "WARN: ", PAPPL_LOGLEVEL_WARN },
		{ "NOTICE: ", PAPPL_LOGLEVEL_INFO }, { "INFO: ", PAPPL_LOGLEVEL_INFO },
		{ "DEBUG: ", PAPPL_LOGLEVEL_DEBUG }, { "DEBUG2: ", PAPPL_LOGLEVEL_DEBUG },
	};
	pappl_loglevel_t level = PAPPL_LOGLEVEL_DEBUG;
	const char *text = line;
	unsigned i;

	if (!strncmp(line, "ERROR: ", 7)) {
		explain(messages, line + 7);
		return;
	}
	if (!strncmp(line, "STATE: ", 7))
		change_state(papplJobGetPrinter(messages->job), line + 7);
	else if (!strncmp(line, "PAGE: ", 6))
		count_pages(messages, line + 6);
	for (i = 0; i < sizeof levels / sizeof levels[0]; i++) {
		const size_t length = strlen(levels[i].prefix);

		if (!strncmp(line, levels[i].prefix, length)) {
			level = levels[i].level;
			text = line + length;
			break;
		}
	}
	rip_app_web_message(messages->job, text);
	papplLogJob(messages->job, level, "%s", text);
}

void rip_app_message(struct rip_app_messages *messages, const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (text[i] != '\n') {
			if (messages->length < sizeof messages->line - 1)
				messages->line[messages->length++] = text[i];
			continue;
		}
		messages->line[messages->length] = '\0';
		take_line(messages, messages->line);
		messages->length = 0;
	}
}
