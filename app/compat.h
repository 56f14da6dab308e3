/*
 * PAPPL 1.3 and 1.4 with libcups 2, and PAPPL 2 with libcups 3: what differs, under one name.  The
 * sources are written for PAPPL 1 where the two differ by a name only.
 */
#ifndef RIP_APP_COMPAT_H
#define RIP_APP_COMPAT_H

#include <pappl/pappl.h>

#ifdef PAPPL_API_VERSION_MAJOR

typedef size_t rip_app_count; /* of options, trays ... */
typedef cups_page_header_t rip_app_header;

#define CUPS_UTF8         CUPS_ENCODING_UTF_8
#define CUPS_ISO8859_1    CUPS_ENCODING_ISO8859_1
#define CUPS_ISO8859_2    CUPS_ENCODING_ISO8859_2
#define CUPS_ISO8859_5    CUPS_ENCODING_ISO8859_5
#define CUPS_JIS_X0213    CUPS_ENCODING_JIS_X0213
#define CUPS_MAC_ROMAN    CUPS_ENCODING_MAC_ROMAN
#define CUPS_WINDOWS_1252 CUPS_ENCODING_WINDOWS_1252

#define PAPPL_PWG_RASTER_TYPE_BLACK_8 PAPPL_RASTER_TYPE_BLACK_8
#define PAPPL_PWG_RASTER_TYPE_SGRAY_8 PAPPL_RASTER_TYPE_SGRAY_8
#define PAPPL_PWG_RASTER_TYPE_SRGB_8  PAPPL_RASTER_TYPE_SRGB_8

/* A callback's parameters behind the job, and those of a filter. */
#define RIP_APP_DOCUMENT int document,
#define RIP_APP_FILTER   int document, pappl_pr_options_t *given,

/* The parameters of a callback for errors of devices. */
#define RIP_APP_DEVICE_ERROR void *data, const char *message

/* The server allows one document a job.  A job whose raster is read while it comes has none. */
#define papplJobGetFilename(job) papplJobGetDocumentFilename(job, 1)
#define papplJobGetFormat(job) \
	(papplJobGetNumberOfDocuments(job) ? papplJobGetDocumentFormat(job, 1) : "image/pwg-raster")
#define papplJobCreatePrintOptions(job, pages, colour) \
	(papplJobCreatePrintOptions)(job, papplJobGetNumberOfDocuments(job) ? 1 : 0, pages, colour)

/* PDF, JPEG and PNG are printed by filters of ours, not by ipptransform. */
#define RIP_APP_SYSTEM PAPPL_SOPTIONS_NO_FILTERS

/* PAPPL begins and ends raster for every job, and asks for each copy of a document on its own.  Our
 * filters make all of them at once, as CUPS's do, so what comes after the first is not printed. */
#define RIP_APP_EMPTY_RASTER     true
#define RIP_APP_IS_REPEATED(job) (papplJobGetCopiesCompleted(job) > 0)

/* PAPPL 2.0b1 crashes at data of a format that nobody names. */
static inline const char *rip_app_unknown(const unsigned char *header, size_t size, void *data)
{
	(void)header, (void)size, (void)data;
	return "application/octet-stream";
}
#define RIP_APP_NAME_UNKNOWN(system) papplSystemSetMIMECallback(system, rip_app_unknown, NULL)

#define httpAddrLocalhost(address)          httpAddrIsLocalhost(address)
#define httpRead2(http, bytes, size)        httpRead(http, bytes, size)
#define httpWrite2(http, bytes, size)       httpWrite(http, bytes, size)
#define cupsRasterReadHeader2(raster, page) cupsRasterReadHeader(raster, page)

#else

typedef int rip_app_count;
typedef cups_page_header2_t rip_app_header;

#define RIP_APP_DOCUMENT
#define RIP_APP_FILTER
#define RIP_APP_DEVICE_ERROR const char *message, void *data
#define RIP_APP_SYSTEM 0
#define RIP_APP_EMPTY_RASTER         false
#define RIP_APP_NAME_UNKNOWN(system) ((void)0)
#define RIP_APP_IS_REPEATED(job)     false

#endif
#endif
