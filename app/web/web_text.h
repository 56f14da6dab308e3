/*
 * What the pages say: the table of web_text.inc, a column for each language.  Pure; any thread.
 */
#ifndef RIP_WEB_TEXT_H
#define RIP_WEB_TEXT_H

enum rip_web_language { RIP_WEB_ENGLISH, RIP_WEB_GERMAN, RIP_WEB_LANGUAGES };

#define SAY(name, english, german) RIP_SAY_##name,
enum rip_web_text {
#include "web_text.inc"
	RIP_SAY_COUNT
};
#undef SAY

const char *rip_web_text(enum rip_web_language language, enum rip_web_text text);

/* The language of a browser: the first one of its list (Accept-Language) that the table has, else
 * English. */
enum rip_web_language rip_web_language(const char *accepted);

/* As HTML's attribute lang has it: "en". */
const char *rip_web_language_name(enum rip_web_language language);

#endif
