/* The options for TIFF that several commands have. */
#ifndef RIP_TIFF_OPTION_H
#define RIP_TIFF_OPTION_H

#include "image/tiff_writer.h"

/* Parses the value of --compression.  RIP_GO_ON, or the exit status, as in option.h. */
int rip_option_compression(const char *command, const char *value, enum rip_tiff_compression *compression);

/* Checks it against --levels, in the same way. */
int rip_option_compression_check(const char *command, enum rip_tiff_compression compression, unsigned levels);

#endif
