/* libcupsfilters, loaded when it is needed. */
#include "colour_library.h"

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
	bool logs; /* 2.x: the functions that set something also take a log and its data */
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
		void (*v2)(void *cmyk, int channel, int count, const float *points, void *log,
			   void *data);
	} set_curve;
	union {
		void (*v1)(void *cmyk, int channel, float gamma, float density);
		void (*v2)(void *cmyk, int channel, float gamma, float density, void *log,
			   void *data);
	} set_gamma;
} library;

static const struct {
	const char *name; /* after cups or cf */
	void *function;   /* where its address goes */
} functions[] = {
	{ "CMYKNew", &library.cmyk_new },        { "CMYKDelete", &library.cmyk_delete },
	{ "CMYKDoBlack", &library.do_black },    { "CMYKDoRGB", &library.do_rgb },
	{ "CMYKSetBlack", &library.set_black },  { "CMYKSetCurve", &library.set_curve },
	{ "CMYKSetGamma", &library.set_gamma },
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
		/* POSIX lets a pointer to data become one to a function, ISO C does not. */
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

/* Held while stderr leads nowhere, and for the curves. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Before the library may write on stderr.  Returns what show() takes. */
static int hide(void)
{
	int kept = -1, nowhere;

	pthread_mutex_lock(&lock);
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
	if (kept >= 0) {
		fflush(stderr);
		dup2(kept, STDERR_FILENO);
		close(kept);
	}
	pthread_mutex_unlock(&lock);
}

/* What a curve is made of. */
struct wish {
	unsigned count; /* of the points; 0: gamma and density */
	float    gamma, density;
	float    points[RIP_COLOUR_POINTS + 2][2]; /* 1.28 reads two points behind the last one */
};

/* The curves made last, so that a job's log tells each once and not for every page. */
static struct {
	struct wish wish;
	bool        made;
	short       curve[256];
} recent[8];

static void set(void *cmyk, const struct wish *wish)
{
	if (wish->count > 0 && library.logs)
		library.set_curve.v2(cmyk, 0, (int)wish->count, wish->points[0], NULL, NULL);
	else if (wish->count > 0)
		library.set_curve.v1(cmyk, 0, (int)wish->count, wish->points[0]);
	else if (library.logs)
		library.set_gamma.v2(cmyk, 0, wish->gamma, wish->density, NULL, NULL);
	else
		library.set_gamma.v1(cmyk, 0, wish->gamma, wish->density);
}

/* Reads the curve of an object with one channel. */
static void read_curve(const void *cmyk, short curve[256])
{
	unsigned char ink[256];

	for (unsigned i = 0; i < 256; i++)
		ink[i] = (unsigned char)i;
	library.do_black(cmyk, ink, curve, 256);
}

/* wish: its padding and what it does not use are zeros, since it is compared as bytes. */
static bool get_curve(const struct wish *wish, short curve[256])
{
	const size_t count = sizeof recent / sizeof *recent;
	const int kept = hide();
	static size_t next;
	void *cmyk = NULL;
	size_t i = 0;

	while (i < count && !(recent[i].made && !memcmp(&recent[i].wish, wish, sizeof *wish)))
		i++;
	if (i == count)
		cmyk = library.cmyk_new(1);
	if (cmyk) {
		i = next++ % count;
		set(cmyk, wish);
		read_curve(cmyk, recent[i].curve);
		library.cmyk_delete(cmyk);
		memcpy(&recent[i].wish, wish, sizeof *wish);
		recent[i].made = true;
	}
	if (i < count)
		memcpy(curve, recent[i].curve, sizeof recent[i].curve);
	show(kept);
	return i < count;
}

bool rip_colour_gamma(float gamma, float density, short curve[256])
{
	struct wish wish;

	memset(&wish, 0, sizeof wish);
	wish.gamma = gamma;
	wish.density = density;
	return get_curve(&wish, curve);
}

bool rip_colour_points(unsigned count, const float (*points)[2], short curve[256])
{
	struct wish wish;

	memset(&wish, 0, sizeof wish);
	wish.count = count;
	memcpy(wish.points, points, count * sizeof *points);
	return get_curve(&wish, curve);
}

void *rip_colour_cmyk_new(const float black[2])
{
	void *cmyk = library.cmyk_new(INKS);
	const int kept = hide();

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
