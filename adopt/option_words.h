/*
 * The words of the options in an adopted PPD, in several languages.  Any thread.
 */
#ifndef RIP_OPTION_WORDS_H
#define RIP_OPTION_WORDS_H

#include "ppd_text.h"

enum rip_word {
	RIP_WORD_HALFTONING, RIP_WORD_COMPUTED_BY, RIP_WORD_FASTEST, RIP_WORD_SCREEN,
	RIP_WORD_CLUSTERED, RIP_WORD_CLUSTERED_106, RIP_WORD_BLUE_NOISE, RIP_WORD_FLOYD_STEINBERG,
	RIP_WORD_JARVIS, RIP_WORD_STUCKI, RIP_WORD_BURKES, RIP_WORD_SIERRA, RIP_WORD_ATKINSON,
	RIP_WORD_BLUE_NOISE_MASK, RIP_WORD_BAYER, RIP_WORD_BI_LEVEL, RIP_WORD_DOT_GAIN, RIP_WORD_NO,
	RIP_WORD_LASER, RIP_WORD_INKJET, RIP_WORD_THERMAL, RIP_WORD_POINTS, RIP_WORD_DENSITY,
	RIP_WORD_LIGHTEST, RIP_WORD_NORMAL, RIP_WORD_DARKEST, RIP_WORD_DRAWN_BY,
	RIP_WORDS
};

#define RIP_WORD_BYTES_MAX 80

enum rip_encoding { RIP_ENCODING_ASCII, RIP_ENCODING_LATIN1, RIP_ENCODING_UTF8 };

/* The language of a code such as "de" or "fr_CA", or of a name such as "German"; 0 (English) if
 * there are no words of it. */
unsigned rip_language_find(struct rip_slice name);

/* A word in a language; in English where the encoding cannot write it.  Returns text. */
const char *rip_word_text(enum rip_word word, unsigned language, enum rip_encoding encoding,
			  char text[RIP_WORD_BYTES_MAX]);

#endif
