#include "config.h"

#include "web_page.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cups/raster.h>

#include "app/app_places.h"
#include "app/app_run.h"
#include "app/web.h"

/*
 * Small pictures of what was printed: riptide-transform draws the first page on the job's paper,
 * and 3 x 3 of its pixels become one of the picture's.
 *
 * They are STATE/cache/jobs/PRINTER-JOB.png, for this user alone, as long as PAPPL remembers the
 * job: the last 100 that are done.
 */

#define LONG_SIDE    240  /* of a picture, in pixels */
#define FINE         3    /* as many times as fine is it drawn */
#define WIDTH_MAX    2000 /* of what is drawn, in pixels */

/* The printer's file without its ending.  Where it ends. */
static size_t begin_path(pappl_printer_t *printer, char path[PATH_MAX])
{
	char name[80];

	return (size_t)snprintf(path, PATH_MAX, "%s/jobs/%s-", rip_app_places.cache,
				rip_app_printer_file(printer, name, sizeof name));
}

void rip_web_job_file(pappl_printer_t *printer, int id, char path[PATH_MAX])
{
	const size_t n = begin_path(printer, path);

	snprintf(path + n, PATH_MAX - n, "%d.png", id);
}

/* ---- those of jobs that are gone ---- */

/* The job of a file, or 0: it is another printer's. */
static int id_of(const char *file, const char *begin)
{
	const size_t length = strlen(begin);
	const char *digits = file + length, *end;

	if (strncmp(file, begin, length) || !isdigit((unsigned char)*digits))
		return 0;
	end = digits + strspn(digits, "0123456789");
	return end - digits < 10 && !strcmp(end, ".png") ? atoi(digits) : 0;
}

/* Removes all pictures of a printer, or only those of jobs that PAPPL has forgotten. */
static void remove_pictures(pappl_printer_t *printer, bool all)
{
	char folder[PATH_MAX], *begin;
	const struct dirent *entry;
	DIR *files;
	int id;

	begin_path(printer, folder);
	begin = strrchr(folder, '/');
	*begin++ = '\0';
	files = opendir(folder);
	while (files && (entry = readdir(files)) != NULL) {
		id = id_of(entry->d_name, begin);
		if (id && (all || !papplPrinterFindJob(printer, id)))
			unlinkat(dirfd(files), entry->d_name, 0);
	}
	if (files)
		closedir(files);
}

void rip_app_web_forget(pappl_printer_t *printer)
{
	remove_pictures(printer, true);
}

/* ---- a new one ---- */

/* What riptide-transform is told: the job's paper, as coarse as the picture needs, and its first
 * page. */
struct drawing {
	char resolution[16], media[128], pages[48];
};

static void plan(pappl_job_t *job, struct drawing *how)
{
	pappl_pr_options_t *options = papplJobCreatePrintOptions(job, 0, true);
	int width = 21000, length = 29700, longer, dpi;
	unsigned first = 1;

	if (options && options->media.size_width > 0 && options->media.size_length > 0) {
		width = options->media.size_width;
		length = options->media.size_length;
	}
	if (options && options->first_page > 0)
		first = options->first_page;
	papplJobDeletePrintOptions(options);
	longer = width > length ? width : length;
	dpi = FINE * LONG_SIDE * 2540 / longer;
	snprintf(how->resolution, sizeof how->resolution, "%ddpi",
		 dpi < 10 ? 10 : dpi > 600 ? 600 : dpi);
	snprintf(how->media, sizeof how->media,
		 "media-col={media-size={x-dimension=%d y-dimension=%d}}", width, length);
	snprintf(how->pages, sizeof how->pages, "page-ranges=%u-%u", first, first);
}

/* The mean of FINE rows becomes one row of the picture. */
static bool reduce(cups_raster_t *raster, const rip_app_header *header, unsigned char *line,
		   unsigned *sums, unsigned char *out)
{
	const unsigned samples = header->cupsWidth / FINE * 3;

	memset(sums, 0, samples * sizeof *sums);
	for (unsigned y = 0; y < FINE; y++) {
		if (cupsRasterReadPixels(raster, line, header->cupsBytesPerLine) !=
		    header->cupsBytesPerLine)
			return false;
		for (unsigned i = 0; i < samples * FINE; i++)
			sums[i / (3 * FINE) * 3 + i % 3] += line[i];
	}
	for (unsigned i = 0; i < samples; i++)
		out[i] = (unsigned char)((sums[i] + FINE * FINE / 2) / (FINE * FINE));
	return true;
}

/* The file's first page as a picture.  False: it is none. */
static bool write_picture(int fd, const char *path)
{
	cups_raster_t *raster = cupsRasterOpen(fd, CUPS_RASTER_READ);
	png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
	unsigned char *pixels = NULL, *line = NULL;
	rip_app_header header;
	unsigned *sums = NULL;
	bool ok = raster && cupsRasterReadHeader2(raster, &header) &&
		  header.cupsBitsPerPixel == 24 && header.cupsWidth >= FINE &&
		  header.cupsWidth <= WIDTH_MAX && header.cupsHeight >= FINE &&
		  header.cupsHeight <= WIDTH_MAX && header.cupsBytesPerLine == header.cupsWidth * 3;

	if (ok) {
		image.width = header.cupsWidth / FINE;
		image.height = header.cupsHeight / FINE;
		pixels = malloc((size_t)image.width * image.height * 3);
		line = malloc(header.cupsBytesPerLine);
		sums = malloc(image.width * 3 * sizeof *sums);
		ok = pixels && line && sums;
	}
	for (unsigned y = 0; ok && y < image.height; y++)
		ok = reduce(raster, &header, line, sums, pixels + (size_t)y * image.width * 3);
	ok = ok && png_image_write_to_file(&image, path, 0, pixels, 0, NULL);
	cupsRasterClose(raster);
	free(pixels);
	free(line);
	free(sums);
	return ok;
}

/* A document that keeps its renderer busy for ever does not keep a processor busy as long as a slow
 * printer prints. */
static void limit(pid_t pid)
{
	const struct rlimit seconds = { RIP_APP_PICTURE_SECONDS, RIP_APP_PICTURE_SECONDS };

	if (pid > 0)
		prlimit(pid, RLIMIT_CPU, &seconds, NULL);
}

void rip_app_web_picture_begin(struct rip_app_picture *picture, pappl_job_t *job, const char *file,
			       const char *type)
{
	struct drawing how;
	const char *argv[] = { "riptide-transform", "-i", type, "-m", "image/pwg-raster", "-t",
			       "srgb_8", "-r", how.resolution, "-o", how.media, "-o", how.pages,
			       "-f", picture->drawn, file, NULL };

	picture->job = job;
	snprintf(picture->path, sizeof picture->path, "%s/jobs", rip_app_places.cache);
	mkdir(picture->path, 0700);
	rip_web_job_file(papplJobGetPrinter(job), papplJobGetID(job), picture->path);
	snprintf(picture->drawn, sizeof picture->drawn, "%.*s.pwg.new", PATH_MAX - 16,
		 picture->path);
	plan(job, &how);
	rip_app_run_start(rip_app_places.transform, argv, &picture->run);
	limit(picture->run.pid);
}

void rip_app_web_picture_end(struct rip_app_picture *picture, bool printed)
{
	pappl_printer_t *printer = papplJobGetPrinter(picture->job);
	char new[PATH_MAX + 8];
	struct rip_app_said said;
	int fd, r;

	snprintf(new, sizeof new, "%s.new", picture->path);
	r = rip_app_run_wait(&picture->run, printed ? RIP_APP_PICTURE_SECONDS : 0, &said);
	fd = r || !printed ? -1 : open(picture->drawn, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (printed && (fd < 0 || !write_picture(fd, new) || rename(new, picture->path) < 0))
		papplLogJob(picture->job, PAPPL_LOGLEVEL_INFO, "No picture of the job: %.200s",
			    said.error);
	if (fd >= 0)
		close(fd);
	unlink(new);
	unlink(picture->drawn);
	remove_pictures(printer, false);
}
