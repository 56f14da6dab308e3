/* libcupsfilters, loaded when it is needed. */
#include "filter/colour_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "filter/report.h"

#define INKS 4

static struct {
	bool ready;
	bool logs; /* 2.x: the functions that set something take one for messages, too, and its data */
	void *(*cmyk_new)(int channels);
	void (*cmyk_delete)(void *cmyk);
	void (*do_black)(const void *cmyk, const unsigned char *black, short *inks, int pixels);
	void (*do_rgb)(const void *cmyk, const unsigned char *rgb, short *inks, int pixels);
	union {
		void (*v1)(void *cmyk, float lower, float upper);
		void (*v2)(void *cmyk, float lower, float upper, void *log, void *data);
	} set_black;
	union {
		void (*v1)(void *cmyk, int channel, int count, const float *points);
		void (*v2)(void *cmyk, int channel, int count, const float *points, void *log, void *data);
	} set_curve;
	union {
		void (*v1)(void *cmyk, int channel, float gamma, float density);
		void (*v2)(void *cmyk, int channel, float gamma, float density, void *log, void *data);
	} set_gamma;
	void *(*rgb_new)(int count, void *samples, int size, int channels);
	void (*rgb_delete)(void *rgb);
	void (*rgb_do)(void *rgb, const unsigned char *from, unsigned char *to, int pixels);
} library;

static const struct {
	const char *name; /* after cups or cf */
	void *function;   /* where its address goes */
} functions[] = {
	{ "CMYKNew", &library.cmyk_new },        { "CMYKDelete", &library.cmyk_delete },
	{ "CMYKDoBlack", &library.do_black },    { "CMYKDoRGB", &library.do_rgb },
	{ "CMYKSetBlack", &library.set_black },  { "CMYKSetCurve", &library.set_curve },
	{ "CMYKSetGamma", &library.set_gamma },  { "RGBNew", &library.rgb_new },
	{ "RGBDelete", &library.rgb_delete },    { "RGBDoRGB", &library.rgb_do },
};

/* Loads one version. */
static bool load(const char *file, const char *prefix)
{
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; handle && i < sizeof functions / sizeof *functions; i++) {
		char name[32];
		void *found;

		snprintf(name, sizeof name, "%s%s", prefix, functions[i].name);
		found = dlsym(handle, name);
		if (!found) {
			dlclose(handle);
			return false;
		}
		/* POSIX lets a pointer to data be converted to one to a function, ISO C does not. */
		memcpy(functions[i].function, &found, sizeof found);
	}
	return handle;
}

static void load_either(void)
{
	library.logs = load("libcupsfilters.so.2", "cf");
	library.ready = library.logs || load("libcupsfilters.so.1", "cups");
}

bool rip_colour_library(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_either);
	return library.ready;
}

/* 1.28 writes lines for the log of CUPS on stderr.  Where the messages are not for that log, they would
 * reach a user: stderr leads nowhere meanwhile.  Returns what show() takes. */
static int hide(void)
{
	int kept = -1, nowhere;

	if (library.logs || rip_report_to_scheduler())
		return -1;
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0)
		kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (kept >= 0) {
		fflush(stderr);
		dup2(nowhere, STDERR_FILENO);
	}
	if (nowhere >= 0)
		close(nowhere);
	return kept;
}

static void show(int kept)
{
	if (kept < 0)
		return;
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
}

/* Reads the curve of the only channel of a new object, and deletes this. */
static bool read_curve(void *cmyk, short curve[256])
{
	unsigned char ink[256];

	if (!cmyk)
		return false;
	for (unsigned i = 0; i < 256; i++)
		ink[i] = (unsigned char)i;
	library.do_black(cmyk, ink, curve, 256);
	library.cmyk_delete(cmyk);
	return true;
}

bool rip_colour_gamma(float gamma, float density, short curve[256])
{
	void *cmyk = library.cmyk_new(1);
	const int kept = hide();

	if (cmyk && library.logs)
		library.set_gamma.v2(cmyk, 0, gamma, density, NULL, NULL);
	else if (cmyk)
		library.set_gamma.v1(cmyk, 0, gamma, density);
	show(kept);
	return read_curve(cmyk, curve);
}

bool rip_colour_points(unsigned count, const float (*points)[2], short curve[256])
{
	float padded[RIP_COLOUR_POINTS + 2][2] = { { 0 } }; /* 1.28 reads two points behind the last one */
	void *cmyk = library.cmyk_new(1);
	const int kept = hide();

	memcpy(padded, points, count * sizeof *padded);
	if (cmyk && library.logs)
		library.set_curve.v2(cmyk, 0, (int)count, padded[0], NULL, NULL);
	else if (cmyk)
		library.set_curve.v1(cmyk, 0, (int)count, padded[0]);
	show(kept);
	return read_curve(cmyk, curve);
}

void *rip_colour_cmyk_new(const float black[2])
{
	void *cmyk = library.cmyk_new(INKS);
	const int kept = cmyk && black ? hide() : -1;

	if (cmyk && black && library.logs)
		library.set_black.v2(cmyk, black[0], black[1], NULL, NULL);
	else if (cmyk && black)
		library.set_black.v1(cmyk, black[0], black[1]);
	show(kept);
	return cmyk;
}

void rip_colour_cmyk_do(const void *cmyk, const unsigned char *rgb, short *inks, int pixels)
{
	library.do_rgb(cmyk, rgb, inks, pixels);
}

void rip_colour_cmyk_delete(void *cmyk)
{
	library.cmyk_delete(cmyk);
}

void *rip_colour_profile_new(unsigned size, struct rip_colour_sample *samples)
{
	return library.rgb_new((int)(size * size * size), samples, (int)size, INKS);
}

void rip_colour_profile_do(void *profile, const unsigned char *rgb, unsigned char *inks, int pixels)
{
	library.rgb_do(profile, rgb, inks, pixels);
}

void rip_colour_profile_delete(void *profile)
{
	library.rgb_delete(profile);
}
