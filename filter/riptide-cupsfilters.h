/*
 * rastertoriptide as a filter function of libcupsfilters 2: cfFilterRiptide(3).
 *
 * For printer applications and filters that call filter functions, alone or in cfFilterChain().
 */
#ifndef RIPTIDE_CUPSFILTERS_H
#define RIPTIDE_CUPSFILTERS_H

#include <cupsfilters/filter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Halftones CUPS, PWG or Apple raster of 8 or 16 bits a colour from inputfd to outputfd, which it
 * closes.  It does not seek, and reads from a pipe as from a file.
 *
 * data: the job.  Its options, job_attrs and, for options that neither has, NAME-default in its
 * printer_attrs are those of rastertoriptide(8).  If ppdFilterLoadPPDFile() of libppd has loaded a
 * PPD file, that counts as rastertoriptide's.  final_content_type image/pwg-raster makes it write
 * PWG raster, any other or none CUPS raster.  The extension "riptide-socket" (cfFilterDataAddExt())
 * is the path of riptided's socket, or "none"; without it, the usual one.
 * parameters: a cf_filter_out_format_t that counts before final_content_type, of which
 * CF_FILTER_OUT_FORMAT_CUPS_RASTER and _PWG_RASTER are possible; or NULL.  Before
 * cfFilterRasterToPWG() in a chain it must be CF_FILTER_OUT_FORMAT_CUPS_RASTER.
 *
 * Returns 0, or 1 after an error, which was logged, or if the job was canceled.  Several threads
 * may call it at once.  It reads no environment variable of riptide's, and changes no signal
 * handler, no environment and no locale of the process. */
__attribute__((visibility("default")))
int cfFilterRiptide(int inputfd, int outputfd, int inputseekable, cf_filter_data_t *data,
		    void *parameters);

#ifdef __cplusplus
}
#endif

#endif
