#include "config.h"

#include "pwg_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/ppd.h>
#include <cups/pwg.h>

#include "filter/report.h"
#include "system/ascii.h"

/* CUPS 2 has no other functions for a filter to read a PPD. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define NAMES_MAX 8

/* The options of a job, and what its option media says. */
struct given {
	ppd_file_t    *ppd;
	int            count;
	cups_option_t *options;
	char           size[128], source[128], type[128]; /* or empty */
};

/* The names of an option, which may come first by any of them. */
struct names {
	const char *name[NAMES_MAX];
};

#define NAMES(...) (&(const struct names){ { __VA_ARGS__ } })

/* The value of the first name that the job has and the PPD has not. */
static const char *find(const struct given *given, const struct names *names)
{
	for (int i = 0; i < NAMES_MAX && names->name[i]; i++) {
		const char *value = cupsGetOption(names->name[i], given->count, given->options);

		if (value && !ppdFindOption(given->ppd, names->name[i]))
			return value;
	}
	return NULL;
}

static bool is_one_of(const char *value, const struct names *names)
{
	for (int i = 0; i < NAMES_MAX && names->name[i]; i++)
		if (rip_same_name(value, names->name[i]))
			return true;
	return false;
}

static bool begins(const char *value, const char *with)
{
	return rip_same_start(value, with, strlen(with));
}

static const pwg_media_t *find_size(const char *name)
{
	const pwg_media_t *size = pwgMediaForPWG(name);

	return size ? size : pwgMediaForPPD(name);
}

/* Splits the option media: sizes, trays and types, with commas between them. */
static void split_media(struct given *given)
{
	static const char *const words[] = {
		"tray", "feed", "capacity", "upper", "top", "middle", "lower", "bottom", "left",
		"right", "side", "main",
	};
	const char *media = cupsGetOption("media", given->count, given->options);

	while (media && *media) {
		const int length = (int)strcspn(media, ",");
		const pwg_media_t *size;
		char part[128];
		bool source = false;

		snprintf(part, sizeof part, "%.*s", length, media);
		media += length + (media[length] == ',');
		size = find_size(part);
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			source = source || rip_has_word(part, words[i]);
		if (size && !given->size[0])
			snprintf(given->size, sizeof given->size, "%s", size->pwg);
		else if (!size && source && !given->source[0])
			memcpy(given->source, part, sizeof part);
		else if (!size && !source)
			memcpy(given->type, part, sizeof part);
	}
}

/* Puts a text into a field of 64 bytes. */
static void put(char field[64], const char *text)
{
	if (text)
		snprintf(field, 64, "%.63s", text);
}

static void set_texts(const struct given *given, cups_page_header2_t *job)
{
	static const char *const contents[][2] = {
		{ "automatic", "Automatic" }, { "graphics", "Graphics" }, { "photo", "Photo" },
		{ "text", "Text" }, { "text-and-graphics", "TextAndGraphics" },
		{ "TextAndGraphics", "TextAndGraphics" },
	};
	static const char *const intents[][2] = {
		{ "absolute", "Absolute" }, { "automatic", "Automatic" },
		{ "perceptual", "Perceptual" }, { "relative", "Relative" },
		{ "relative-bpc", "RelativeBpc" }, { "saturation", "Saturation" },
	};
	const char *value = find(given, NAMES("media-type", "MediaType"));

	put(job->MediaClass, "PwgRaster");
	put(job->MediaColor, find(given, NAMES("media-color", "MediaColor")));
	put(job->MediaType, value ? value : given->type[0] ? given->type : NULL);
	value = find(given, NAMES("print-content-optimize", "output-type", "OutputType"));
	for (size_t i = 0; value && i < sizeof contents / sizeof contents[0]; i++)
		if (rip_same_name(value, contents[i][0]))
			put(job->OutputType, contents[i][1]);
	value = find(given, NAMES("print-rendering-intent", "PrintRenderingIntent",
				  "RenderingIntent"));
	for (size_t i = 0; value && i < sizeof intents / sizeof intents[0]; i++)
		if (!strcmp(value, intents[i][0]))
			put(job->cupsRenderingIntent, intents[i][1]);
}

static void set_sides(const struct given *given, cups_page_header2_t *job)
{
	static const struct names one = {
		{ "None", "Off", "False", "No", "one-sided", "OneSided" }
	};
	const char *value = find(given, NAMES("sides", "Duplex"));

	if (value && is_one_of(value, &one)) {
		job->Duplex = CUPS_FALSE;
	} else if (value && (is_one_of(value, NAMES("On", "True", "Yes")) ||
			     begins(value, "two-sided") || begins(value, "TwoSided") ||
			     begins(value, "Duplex"))) {
		job->Duplex = CUPS_TRUE;
		if (begins(value, "DuplexTumble"))
			job->Tumble = CUPS_TRUE;
		if (begins(value, "DuplexNoTumble"))
			job->Tumble = CUPS_FALSE;
	}
	value = find(given, NAMES("sides", "Tumble"));
	if (!value)
		return;
	if (is_one_of(value, &one) ||
	    is_one_of(value, NAMES("two-sided-long-edge", "TwoSidedLongEdge", "DuplexNoTumble")))
		job->Tumble = CUPS_FALSE;
	else if (is_one_of(value, NAMES("On", "True", "Yes", "two-sided-short-edge",
					"TwoSidedShortEdge", "DuplexTumble")))
		job->Tumble = CUPS_TRUE;
}

static void set_resolution(const struct given *given, cups_page_header2_t *job)
{
	const char *value = find(given, NAMES("printer-resolution", "Resolution"));
	char *rest;
	long x, y;

	if (!value)
		return;
	x = y = strtol(value, &rest, 10);
	if (rest > value && x > 0 && *rest == 'x')
		y = strtol(rest + 1, &rest, 10);
	if (rest == value || x <= 0 || y <= 0 || x > 100000 || y > 100000 ||
	    (*rest && !is_one_of(rest, NAMES("dpi", "dpc", "dpcm"))))
		return;
	if (is_one_of(rest, NAMES("dpc", "dpcm"))) {
		x = x * 254 / 100;
		y = y * 254 / 100;
	}
	job->HWResolution[0] = (unsigned)x;
	job->HWResolution[1] = (unsigned)y;
}

/* MediaPosition of a tray; -1: it has none. */
static int find_position(const char *value)
{
	static const char *const trays[] = {
		"", "Main", "Alternate", "LargeCapacity", "Manual", "Envelope", "Disc", "Photo",
		"Hagaki", "MainRoll", "AlternateRoll", "Top", "Middle", "Bottom", "Side", "Left",
		"Right", "Center", "Rear", "ByPassTray",
	};
	char name[16];

	if (begins(value, "Auto") || begins(value, "Default"))
		return 0;
	for (size_t i = 1; i < sizeof trays / sizeof trays[0]; i++)
		if (rip_same_name(value, trays[i]))
			return (int)i;
	for (int i = 1; i <= 20; i++) {
		snprintf(name, sizeof name, "Tray%d", i);
		if (rip_same_name(value, name))
			return 19 + i;
		snprintf(name, sizeof name, "Roll%d", i);
		if (i <= 10 && rip_same_name(value, name))
			return 39 + i;
	}
	return -1;
}

static void set_media(const struct given *given, cups_page_header2_t *job)
{
	const char *value = find(given, NAMES("media-position", "MediaPosition", "media-source",
					      "MediaSource", "InputSlot"));
	const pwg_media_t *size;
	int position;

	if (!value && given->source[0])
		value = given->source;
	position = value ? find_position(value) : -1;
	if (position >= 0)
		job->MediaPosition = (unsigned)position;
	value = find(given, NAMES("media-weight", "MediaWeight", "media-weight-metric",
				  "MediaWeightMetric"));
	if (value)
		job->MediaWeight = (unsigned)atol(value);
	value = find(given, NAMES("feed-orientation", "feed-direction", "LeadingEdge"));
	if (value && rip_same_name(value, "ShortEdgeFirst"))
		job->LeadingEdge = CUPS_EDGE_TOP;
	else if (value && rip_same_name(value, "LongEdgeFirst"))
		job->LeadingEdge = CUPS_EDGE_RIGHT;
	value = find(given, NAMES("media-size", "MediaSize", "page-size", "PageSize"));
	if (!value && given->size[0])
		value = given->size;
	size = value ? find_size(value) : NULL;
	if (value && !size)
		size = pwgMediaForLegacy(value);
	if (size)
		put(job->cupsPageSizeName, size->pwg);
}

static void set_colours(const struct given *given, cups_page_header2_t *job)
{
	/* Names with a * are beginnings: _8 or -16 may follow. */
	static const struct {
		const char *name;
		unsigned    space;
	} models[] = {
		{ "AdobeRgb*", CUPS_CSPACE_ADOBERGB }, { "adobe-rgb*", CUPS_CSPACE_ADOBERGB },
		{ "auto-monochrome", CUPS_CSPACE_SW }, { "bi-level", CUPS_CSPACE_K },
		{ "process-bi-level", CUPS_CSPACE_K }, { "Black*", CUPS_CSPACE_K },
		{ "process-monochrome", CUPS_CSPACE_SW }, { "Mono*", CUPS_CSPACE_SW },
		{ "color", CUPS_CSPACE_SRGB }, { "Cmyk*", CUPS_CSPACE_CMYK },
		{ "Cmy*", CUPS_CSPACE_CMY }, { "Sgray*", CUPS_CSPACE_SW },
		{ "Gray*", CUPS_CSPACE_SW }, { "Srgb*", CUPS_CSPACE_SRGB },
		{ "Rgbw*", CUPS_CSPACE_RGBW }, { "Rgb*", CUPS_CSPACE_RGB },
	};
	const char *value = find(given, NAMES("pwg-raster-document-type", "PwgRasterDocumentType",
					      "print-color-mode", "PrintColorMode",
					      "color-space", "ColorSpace",
					      "color-model", "ColorModel"));
	int colours;

	if (!value)
		return;
	for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
		const size_t length = strcspn(models[i].name, "*");

		if (rip_same_start(value, models[i].name, length) &&
		    (models[i].name[length] == '*' || !value[length])) {
			job->cupsColorSpace = (cups_cspace_t)models[i].space;
			return;
		}
	}
	if (sscanf(value, "%*6[deviceDEVICE]%d%*1[_-]", &colours) == 1 && colours >= 1 &&
	    colours <= 15)
		job->cupsColorSpace = (cups_cspace_t)(CUPS_CSPACE_DEVICE1 - 1 + colours);
}

/* How the backs of sheets are turned in the stream: cupsInteger[1] and [2]. */
static void set_transforms(const struct given *given, cups_page_header2_t *job)
{
	const char *value = find(given, NAMES("pwg-raster-document-sheet-back",
					      "PwgRasterDocumentSheetBack"));
	unsigned *cross = &job->cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform];
	unsigned *feed = &job->cupsInteger[CUPS_RASTER_PWG_FeedTransform];
	const unsigned turned = (unsigned)-1;

	*cross = *feed = 1;
	if (!value || !job->Duplex)
		return;
	if (rip_same_name(value, "Flipped"))
		*(job->Tumble ? cross : feed) = turned;
	else if (job->Tumble ? begins(value, "Manual") : rip_same_name(value, "Rotated"))
		*cross = *feed = turned;
}

/* What these fields of CUPS raster are used for in PWG raster. */
static void set_integers(const struct given *given, cups_page_header2_t *job)
{
	static const struct {
		struct names names;
		int          index;
		long         least, most;
	} numbers[] = {
		{ { { "job-impressions", "JobImpressions", "Impressions" } },
		  CUPS_RASTER_PWG_TotalPageCount, 0, 0x7fffffff },
		{ { { "print-quality", "PrintQuality", "Quality" } },
		  CUPS_RASTER_PWG_PrintQuality, 3, 5 },
		{ { { "vendor-identifier", "VendorIdentifier" } },
		  CUPS_RASTER_PWG_VendorIdentifier, -0x7fffffff, 0x7fffffff },
	};

	memset(job->cupsInteger, 0, sizeof job->cupsInteger);
	set_transforms(given, job);
	/* libcups writes this into every PWG raster, whatever the header says. */
	job->cupsInteger[CUPS_RASTER_PWG_AlternatePrimary] = 0xffffff;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		const char *value = find(given, &numbers[i].names);
		const long number = value ? strtol(value, NULL, 10) : 0;

		if (value && number >= numbers[i].least && number <= numbers[i].most)
			job->cupsInteger[numbers[i].index] = (unsigned)number;
	}
}

void rip_pwg_options(const struct rip_queue *queue, int count, cups_option_t *options,
		     cups_page_header2_t *job)
{
	struct given given = { .ppd = queue->ppd, .count = count, .options = options };
	const char *copies = find(&given, NAMES("copies", "Copies", "num-copies", "NumCopies"));

	split_media(&given);
	set_texts(&given, job);
	set_sides(&given, job);
	set_resolution(&given, job);
	set_media(&given, job);
	set_colours(&given, job);
	if (copies)
		job->NumCopies = (unsigned)atol(copies);
	job->cupsBorderlessScalingFactor = 0;
	job->cupsColorOrder = CUPS_ORDER_CHUNKED;
	job->AdvanceDistance = 0;
	job->AdvanceMedia = CUPS_ADVANCE_NONE;
	job->Collate = job->ManualFeed = job->MirrorPrint = job->NegativePrint = CUPS_FALSE;
	job->OutputFaceUp = job->Separations = job->TraySwitch = CUPS_FALSE;
	job->cupsMediaType = job->cupsCompression = 0;
	job->cupsRowCount = job->cupsRowFeed = job->cupsRowStep = 0;
	set_integers(&given, job);
	memset(job->cupsReal, 0, sizeof job->cupsReal);
	memset(job->cupsString, 0, sizeof job->cupsString);
	memset(job->cupsMarkerType, 0, sizeof job->cupsMarkerType);
}
