/* A printer application for black-and-white PCL lasers, with dots from libriptide.
 *
 *	cc pappl-pcl.c -o pappl-pcl $(pkg-config --cflags --libs pappl riptide)
 *	./pappl-pcl server -o server-port=8000 &
 *	./pappl-pcl add -d laser -m pcl -v socket://192.0.2.7
 *	./pappl-pcl submit -d laser picture.png
 *
 * The driver supports raster types of 8 bits only.  So PAPPL passes it grey lines, and does not
 * dither them itself.  Each line is pushed, and the rows of dots that are ready go to the printer;
 * at the end of the page the rest follows.  PAPPL refuses PDF and text: clients send them as
 * raster.
 *
 * The printer's web page chooses the screen, and so does a job with the IPP attribute "halftone",
 * as `pappl-pcl submit -o halftone=blue-noise` sends it.  A queue of CUPS for it (lpadmin -m
 * everywhere) does not pass that option on: its jobs have the screen of the web page. */
#include <pappl/pappl.h>
#include <riptide.h>

#define DPI        600
#define LEFT (DPI / 4) /* pixels that a PCL printer leaves white on the left and on the right, */
#define TOP        (DPI / 6) /* and at the top and the bottom */

#define MAX_SCREENS 32

/* What a job keeps from callback to callback. */
struct dots {
	struct riptide *riptide;
	uint8_t        *row;   /* of dots */
	unsigned        width, height; /* that the printer prints, in pixels */
	bool            light; /* samples and dots are light; PCL wants ink */
	bool failed; /* the rest of the job is dropped: PAPPL ignores write_line()'s result */
};

static void log_riptide(void *context, enum riptide_log_level level, const char *text)
{
	static const pappl_loglevel_t levels[] = {
		[RIPTIDE_LOG_DEBUG] = PAPPL_LOGLEVEL_DEBUG,
		[RIPTIDE_LOG_INFO] = PAPPL_LOGLEVEL_INFO,
		[RIPTIDE_LOG_WARNING] = PAPPL_LOGLEVEL_WARN,
		[RIPTIDE_LOG_ERROR] = PAPPL_LOGLEVEL_ERROR,
	};

	papplLogJob(context, levels[level], "%s", text);
}

static bool start_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	const struct riptide_config config = {
		.size = sizeof config, .queue = papplPrinterGetName(papplJobGetPrinter(job)),
		.job = (uint32_t)papplJobGetID(job), .log = log_riptide, .context = job,
	};
	struct dots *dots = calloc(1, sizeof *dots);

	(void)options;
	if (!dots || riptide_new(&config, &dots->riptide) < 0) {
		free(dots);
		return false;
	}
	if (papplDevicePuts(device, "\033E") <= 0) {
		riptide_free(dots->riptide);
		free(dots);
		return false;
	}
	papplJobSetData(job, dots);
	return true;
}

/* A job in the printer's own language: all that is printed comes from this program. */
static bool refuse_file(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	(void)options, (void)device;
	papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s is not printed: send raster, PNG or JPEG.",
		    papplJobGetFormat(job));
	return false;
}

/* The job's screen, or else the printer's. */
static void get_screen(pappl_job_t *job, const pappl_pr_options_t *options, char *screen,
		       size_t size)
{
	const char *name = cupsGetOption("halftone", options->num_vendor, options->vendor);
	ipp_t *attributes = papplPrinterGetDriverAttributes(papplJobGetPrinter(job));

	if (!name)
		name = ippGetString(ippFindAttribute(attributes, "halftone-default", IPP_TAG_ZERO),
				    0, NULL);
	snprintf(screen, size, "%s", name ? name : "clustered");
	ippDelete(attributes);
}

/* Any client can send any header.  PAPPL has checked that a line fits its width.  For a page of 1
 * bit, PAPPL 1.3 gives the driver the header of its own page of 8 bits, with lines that it did not
 * convert: this function cannot detect that, and the job prints garbage. */
static bool check_header(pappl_job_t *job, const cups_page_header2_t *header)
{
	if (header->cupsBitsPerPixel == 8 && header->cupsBitsPerColor == 8 &&
	    (header->cupsColorSpace == CUPS_CSPACE_K || header->cupsColorSpace == CUPS_CSPACE_SW ||
	     header->cupsColorSpace == CUPS_CSPACE_W) &&
	    header->HWResolution[0] == DPI && header->HWResolution[1] == DPI &&
	    header->cupsWidth > 2 * LEFT && header->cupsHeight > 2 * TOP)
		return true;
	papplLogJob(job, PAPPL_LOGLEVEL_ERROR,
		    "The page is not grey of 8 bits at %d dpi, or too small.", DPI);
	return false;
}

static bool start_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device,
		       unsigned page)
{
	const cups_page_header2_t *header = &options->header;
	struct dots *dots = papplJobGetData(job);
	char screen[64];
	struct riptide_page grey = {
		.size = sizeof grey,
		.width = header->cupsWidth - 2 * LEFT,
		.height = header->cupsHeight - 2 * TOP,
		.light = header->cupsColorSpace != CUPS_CSPACE_K,
		.x_dpi = DPI,
		.y_dpi = DPI,
		.screen = screen,
		.preset = "laser",
		.number = page,
	};

	dots->failed = true;
	if (!check_header(job, header))
		return false;
	get_screen(job, options, screen, sizeof screen);
	dots->width = grey.width;
	dots->height = grey.height;
	dots->light = grey.light;
	free(dots->row);
	dots->row = malloc(riptide_dot_bytes(grey.width, 2));
	if (!dots->row || riptide_begin(dots->riptide, &grey) < 0)
		return false;
	dots->failed = false;
	/* The size of the paper, where the raster begins, how large it is, and no compression. */
	return papplDevicePrintf(device,
				 "\033&u%dD\033&l%dA\033&l0E\033*p0x%dY\033*t%dR\033*r%uS\033*r%uT"
				 "\033*r1A\033*b0M",
				 DPI, header->cupsPageSize[1] == 792 ? 2 : 26, TOP, DPI,
				 dots->width, dots->height) > 0;
}

/* Sends the rows that are ready. */
static bool send_ready(struct dots *dots, pappl_device_t *device)
{
	const size_t bytes = riptide_dot_bytes(dots->width, 2);

	while (riptide_pull(dots->riptide, 0, dots->row, 0, 1) == 1) {
		for (size_t i = 0; i < bytes && dots->light; i++)
			dots->row[i] ^= 0xff;
		if (dots->light && dots->width % 8) /* the unused bits stay white */
			dots->row[bytes - 1] &= (uint8_t)(0xff00 >> dots->width % 8);
		if (papplDevicePrintf(device, "\033*b%zuW", bytes) < 0 ||
		    papplDeviceWrite(device, dots->row, bytes) < 0)
			return false;
	}
	return true;
}

static bool write_line(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device,
		       unsigned y, const unsigned char *line)
{
	struct dots *dots = papplJobGetData(job);

	(void)options;
	if (!dots->failed && y >= TOP && y - TOP < dots->height)
		dots->failed = riptide_push(dots->riptide, 0, line + LEFT, 0, 1) < 0 ||
			       !send_ready(dots, device);
	return !dots->failed;
}

static bool end_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device,
		     unsigned page)
{
	struct dots *dots = papplJobGetData(job);

	(void)options;
	(void)page;
	return !dots->failed && riptide_flush(dots->riptide) == 0 && send_ready(dots, device) &&
	       papplDevicePuts(device, "\033*rC\f") > 0;
}

static bool end_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
	struct dots *dots = papplJobGetData(job);

	(void)options;
	papplJobSetData(job, NULL);
	riptide_free(dots->riptide);
	free(dots->row);
	free(dots);
	return papplDevicePuts(device, "\033E") > 0;
}

/* The screens that a job may ask for. */
static ipp_t *driver_attributes(void)
{
	const char *names[MAX_SCREENS], *name;
	ipp_t *attributes = ippNew();
	int count = 0;

	for (uint32_t i = 0; (name = riptide_screen_name(i)) != NULL && count < MAX_SCREENS; i++)
		if (!strstr(name, "-LPI")) /* stands for clustered-106 and others */
			names[count++] = name;
	ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, "halftone-supported", count,
		      NULL, names);
	ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, "halftone-default", NULL,
		     "clustered");
	return attributes;
}

static bool driver(pappl_system_t *system, const char *name, const char *uri, const char *id,
		   pappl_pr_driver_data_t *data, ipp_t **attributes, void *context)
{
	(void)system, (void)name, (void)uri, (void)id, (void)context;
	data->printfile_cb = refuse_file;
	data->format =
		"application/vnd.hp-pcl"; /* without it, a job with PDF or text crashes PAPPL 1.3 */
	data->rstartjob_cb = start_job;
	data->rstartpage_cb = start_page;
	data->rwriteline_cb = write_line;
	data->rendpage_cb = end_page;
	data->rendjob_cb = end_job;
	snprintf(data->make_and_model, sizeof data->make_and_model, "PCL laser with riptide");
	data->kind = PAPPL_KIND_DOCUMENT;
	data->ppm = 20;
	data->raster_types = PAPPL_PWG_RASTER_TYPE_BLACK_8 | PAPPL_PWG_RASTER_TYPE_SGRAY_8;
	data->color_supported = PAPPL_COLOR_MODE_AUTO | PAPPL_COLOR_MODE_MONOCHROME;
	data->color_default = PAPPL_COLOR_MODE_MONOCHROME;
	data->num_resolution = 1;
	data->x_resolution[0] = data->y_resolution[0] = data->x_default = data->y_default = DPI;
	data->num_vendor = 1;
	data->vendor[0] = "halftone";
	*attributes = driver_attributes();
	data->left_right = LEFT * 2540 / DPI;
	data->bottom_top = TOP * 2540 / DPI + 1; /* rounded up: PAPPL then places pictures at TOP */
	data->num_media = 2;
	data->media[0] = "iso_a4_210x297mm";
	data->media[1] = "na_letter_8.5x11in";
	data->num_source = data->num_type = 1;
	data->source[0] = "main";
	data->type[0] = "stationery";
	data->media_default = (pappl_media_col_t){
		.bottom_margin = data->bottom_top, .top_margin = data->bottom_top,
		.left_margin = data->left_right, .right_margin = data->left_right,
		.size_width = 21000, .size_length = 29700, .size_name = "iso_a4_210x297mm",
		.source = "main", .type = "stationery",
	};
	data->media_ready[0] = data->media_default;
	return true;
}

int main(int argc, char *argv[])
{
	static pappl_pr_driver_t drivers[] = { { "pcl", "PCL laser with riptide", NULL, NULL } };

	/* The web page of a server without a footer crashes in PAPPL 1.3. */
	return papplMainloop(argc, argv, "1.0", "Dots from libriptide", 1, drivers, NULL, driver,
			     NULL, NULL, NULL, NULL, NULL);
}
