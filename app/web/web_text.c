#include "config.h"

#include "web_text.h"

#include <string.h>

#include "system/ascii.h"

#define SAY(name, english, german) [RIP_SAY_##name] = { english, german },
static const char *const texts[RIP_SAY_COUNT][RIP_WEB_LANGUAGES] = {
#include "web_text.inc"
};
#undef SAY

static const char *const names[RIP_WEB_LANGUAGES] = { "en", "de" };

const char *rip_web_text(enum rip_web_language language, enum rip_web_text text)
{
	return texts[text][language];
}

const char *rip_web_language_name(enum rip_web_language language)
{
	return names[language];
}

enum rip_web_language rip_web_language(const char *accepted)
{
	while (accepted && *accepted) {
		accepted += strspn(accepted, ", \t");
		for (int i = 0; i < RIP_WEB_LANGUAGES; i++)
			if (rip_same_start(accepted, names[i], 2) && strchr("-,; \t", accepted[2]))
				return (enum rip_web_language)i;
		accepted += strcspn(accepted, ",");
	}
	return RIP_WEB_ENGLISH;
}
