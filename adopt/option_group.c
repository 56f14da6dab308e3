#include "option_group.h"

#include <stdio.h>
#include <string.h>

#include "option_words.h"
#include "system/ascii.h"

#define CHOICES_MAX 20

struct choice {
	const char   *name;
	enum rip_word word;   /* RIP_WORDS: the name itself is shown */
	const char   *number; /* before the word, or NULL */
};

struct group_option {
	const char   *keyword;
	enum rip_word word;
	const char   *value; /* the default */
	struct choice choices[CHOICES_MAX];
	unsigned      count;
};

/* How the texts of one language are written. */
struct voice {
	unsigned          language;
	enum rip_encoding encoding;
	char              prefix[16]; /* "de." or empty: the PPD's main language */
};

static const struct choice methods[] = {
	{ "auto", RIP_WORD_FASTEST, NULL },
	{ "bwec", RIP_WORDS, NULL }, { "bwed", RIP_WORDS, NULL }, { "pwec", RIP_WORDS, NULL },
	{ "pwed", RIP_WORDS, NULL }, { "simd", RIP_WORDS, NULL }, { "ec", RIP_WORDS, NULL },
	{ "ed", RIP_WORDS, NULL }, { NULL, RIP_WORDS, NULL }
};

static const struct choice screens[] = {
	{ "clustered", RIP_WORD_CLUSTERED, NULL },
	{ "clustered-106", RIP_WORD_CLUSTERED_106, NULL },
	{ "blue-noise", RIP_WORD_BLUE_NOISE, NULL },
	{ "floyd-steinberg", RIP_WORD_FLOYD_STEINBERG, NULL },
	{ "jarvis-judice-ninke", RIP_WORD_JARVIS, NULL },
	{ "stucki", RIP_WORD_STUCKI, NULL },
	{ "burkes", RIP_WORD_BURKES, NULL },
	{ "sierra", RIP_WORD_SIERRA, NULL },
	{ "atkinson", RIP_WORD_ATKINSON, NULL },
	{ "blue-noise-mask", RIP_WORD_BLUE_NOISE_MASK, NULL },
	{ "bayer", RIP_WORD_BAYER, NULL },
	{ "bi-level", RIP_WORD_BI_LEVEL, NULL },
	{ NULL, RIP_WORDS, NULL }
};

static const struct choice gains[] = {
	{ "none", RIP_WORD_NO, NULL },
	{ "laser", RIP_WORD_LASER, NULL },
	{ "inkjet", RIP_WORD_INKJET, NULL },
	{ "thermal", RIP_WORD_THERMAL, NULL },
	{ "10", RIP_WORD_POINTS, "10" },
	{ "15", RIP_WORD_POINTS, "15" },
	{ "20", RIP_WORD_POINTS, "20" },
	{ "25", RIP_WORD_POINTS, "25" },
	{ "30", RIP_WORD_POINTS, "30" },
	{ NULL, RIP_WORDS, NULL }
};

static const struct choice densities[] = {
	{ "50", RIP_WORD_LIGHTEST, "50 %" },
	{ "70", RIP_WORDS, "70 %" },
	{ "85", RIP_WORDS, "85 %" },
	{ "100", RIP_WORD_NORMAL, "100 %" },
	{ "115", RIP_WORDS, "115 %" },
	{ "130", RIP_WORDS, "130 %" },
	{ "150", RIP_WORDS, "150 %" },
	{ "200", RIP_WORD_DARKEST, "200 %" },
	{ NULL, RIP_WORDS, NULL }
};

static const struct choice rips[] = {
	{ "pdftoriptide", RIP_WORDS, NULL }, { "gstoraster", RIP_WORDS, NULL },
	{ "pdftoraster", RIP_WORDS, NULL }, { NULL, RIP_WORDS, NULL }
};

/* The option with those choices, and one for its default if it is none of them. */
static struct group_option make_option(const char *keyword, enum rip_word word, const char *value,
				 const struct choice *choices)
{
	struct group_option option = { .keyword = keyword, .word = word, .value = value };

	for (; choices->name; choices++) {
		option.choices[option.count++] = *choices;
		if (rip_same_name(choices->name, value))
			option.value = choices->name;
	}
	for (unsigned i = 0; i < option.count; i++)
		if (option.value == option.choices[i].name)
			return option;
	option.choices[option.count++] = (struct choice){ value, RIP_WORDS, NULL };
	return option;
}

static void describe(const struct choice *choice, const struct voice *voice, char *text,
		     size_t size)
{
	char word[RIP_WORD_BYTES_MAX];

	if (choice->word == RIP_WORDS)
		snprintf(text, size, "%s", choice->number ? choice->number : choice->name);
	else if (!choice->number)
		snprintf(text, size, "%s",
			 rip_word_text(choice->word, voice->language, voice->encoding, word));
	else
		snprintf(text, size, strchr(choice->number, '%') ? "%s (%s)" : "%s %s",
			 choice->number,
			 rip_word_text(choice->word, voice->language, voice->encoding, word));
}

static void write_option(struct rip_growing_text *out, const char *eol,
			 const struct group_option *option, const struct voice *voice)
{
	char text[RIP_WORD_BYTES_MAX + 16], word[RIP_WORD_BYTES_MAX];

	rip_word_text(option->word, voice->language, voice->encoding, word);
	if (*voice->prefix) {
		rip_text_line(out, eol, "*%sTranslation %s/%s: \"\"", voice->prefix,
			      option->keyword, word);
	} else {
		rip_text_line(out, eol, "*OpenUI *%s/%s: PickOne", option->keyword, word);
		rip_text_line(out, eol, "*OrderDependency: 20 AnySetup *%s", option->keyword);
		rip_text_line(out, eol, "*Default%s: %s", option->keyword, option->value);
	}
	for (unsigned i = 0; i < option->count; i++) {
		describe(&option->choices[i], voice, text, sizeof text);
		rip_text_line(out, eol, "*%s%s %s/%s: \"\"", voice->prefix, option->keyword,
			      option->choices[i].name, text);
	}
	if (!*voice->prefix)
		rip_text_line(out, eol, "*CloseUI: *%s", option->keyword);
}

static enum rip_encoding encoding_of(const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "LanguageEncoding", NULL);

	if (s && rip_slice_is(s->value, "UTF-8"))
		return RIP_ENCODING_UTF8;
	return s && (rip_slice_is(s->value, "ISOLatin1") || rip_slice_is(s->value, "WindowsANSI")) ?
		RIP_ENCODING_LATIN1 : RIP_ENCODING_ASCII;
}

/* Whether the vendor has an option that rastertoriptide would take for its own `halftone`. */
static bool has_halftone(const struct rip_ppd_text *ppd)
{
	for (size_t i = 0; i < ppd->count; i++)
		if (ppd->statements[i].option.size == 9 &&
		    rip_same_start(ppd->statements[i].option.text, "*halftone", 9) &&
		    rip_slice_find(ppd->statements[i].keyword, "OpenUI"))
			return true;
	return false;
}

/* Writes all of it in one language. */
static void write_group(struct rip_growing_text *out, const char *eol,
			const struct group_option *options, unsigned count,
			const struct voice *voice)
{
	char word[RIP_WORD_BYTES_MAX];

	rip_word_text(RIP_WORD_HALFTONING, voice->language, voice->encoding, word);
	if (*voice->prefix)
		rip_text_line(out, eol, "*%sTranslation Halftoning/%s: \"\"", voice->prefix, word);
	else
		rip_text_line(out, eol, "*OpenGroup: Halftoning/%s", word);
	for (unsigned i = 0; i < count; i++)
		write_option(out, eol, &options[i], voice);
	if (!*voice->prefix)
		rip_text_line(out, eol, "*CloseGroup: Halftoning");
}

void rip_option_group_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			    const struct rip_option_group *group)
{
	const struct rip_ppd_statement *version = rip_ppd_find(ppd, "LanguageVersion", NULL);
	const struct rip_ppd_statement *others = rip_ppd_find(ppd, "cupsLanguages", NULL);
	const struct rip_slice list = others ? others->value : (struct rip_slice){ "", 0 };
	const char *class = group->printer, *preset = group->preset, *screen = group->screen;
	const unsigned language = version ? rip_language_find(version->value) : 0;
	struct voice voice = { language, encoding_of(ppd), "" };
	struct group_option options[5];
	struct rip_slice name;
	unsigned count = 0;

	if (!screen)
		screen = !class ? "floyd-steinberg" :
			 !strcmp(class, "laser") ? "clustered" : "blue-noise";
	if (!preset)
		preset = class ? class : "none";
	/* cupstestppd does not want a keyword to begin with another one. */
	if (has_halftone(ppd))
		options[count++] = make_option("riptideHalftone", RIP_WORD_COMPUTED_BY, "auto",
					       methods);
	options[count++] = make_option(has_halftone(ppd) ? "riptideScreen" : "halftone-screen",
				       RIP_WORD_SCREEN, screen, screens);
	options[count++] = make_option("riptideDotGain", RIP_WORD_DOT_GAIN, preset, gains);
	options[count++] = make_option("riptideDensity", RIP_WORD_DENSITY, "100", densities);
	if (group->rip)
		options[count++] = make_option("riptideRip", RIP_WORD_DRAWN_BY, rips[0].name, rips);
	write_group(out, ppd->eol, options, count, &voice);
	for (size_t at = 0, end; at < list.size; at = end + 1) {
		for (end = at; end < list.size && list.text[end] != ' ' && list.text[end] != '\t';)
			end++;
		if (end - at < 2 || end - at > 10)
			continue;
		name = (struct rip_slice){ list.text + at, end - at };
		voice = (struct voice){ rip_language_find(name), RIP_ENCODING_UTF8, "" };
		snprintf(voice.prefix, sizeof voice.prefix, "%.*s.", (int)(end - at),
			 list.text + at);
		write_group(out, ppd->eol, options, count, &voice);
	}
}
