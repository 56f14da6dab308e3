/*
 * The suffix of an output's name.  Some outputs have a format that the name cannot choose; a name
 * with the suffix of another format would mislead the programs that read the file.
 */
#ifndef RIP_OUTPUT_SUFFIX_H
#define RIP_OUTPUT_SUFFIX_H

enum rip_file_kind {
	RIP_FILE_PNM, RIP_FILE_RASTER, /* CUPS, PWG or Apple */
	RIP_FILE_TIFF, RIP_FILE_PNG, RIP_FILE_JPEG, RIP_FILE_PDF,
};

/* The suffix of out, with its dot, if it is that of another kind of file; else NULL, as for names
 * without a suffix that is known.  out may be NULL: standard output. */
const char *rip_suffix_of_other(const char *out, enum rip_file_kind kind);

#endif
