/*
 * The suffix of an output's name.  Some outputs have a format that the name cannot choose; a name
 * with the suffix of another format would mislead the programs that read the file.
 */
#ifndef RIP_OUTPUT_SUFFIX_H
#define RIP_OUTPUT_SUFFIX_H

enum rip_file_kind {
	RIP_FILE_UNKNOWN, RIP_FILE_PNM, RIP_FILE_RASTER, /* CUPS, PWG or Apple */
	RIP_FILE_TIFF, RIP_FILE_PNG, RIP_FILE_JPEG, RIP_FILE_PDF,
};

#define RIP_SUFFIX(kind) (1u << RIP_FILE_##kind)

/* The kind that the suffix of out stands for.  out may be NULL: standard output. */
enum rip_file_kind rip_suffix_kind(const char *out);

/* RIP_GO_ON, also for a name without a suffix that is known; or wrong usage (2, reported) for a suffix of
 * another kind than these (RIP_SUFFIX()).  choices: the suffixes to choose from; more: what follows
 * in the message. */
int rip_suffix_check(const char *command, const char *out, unsigned kinds, const char *choices,
		     const char *more);

#endif
