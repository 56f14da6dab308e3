#include "config.h"

#include "gs_stand_in.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/large_pipe.h"
#include "system/refuse.h"
#include "system/write_all.h"

#define REQUEST_MAX (16u << 10)

bool rip_gs_is_stand_in(void)
{
	return getenv(RIP_GS_REQUEST) != NULL;
}

/* ---- in the place of Ghostscript ---- */

/* Sends the arguments, each with its NUL, and an empty one as the end. */
static int send_arguments(int fd, int argc, char **argv)
{
	int r = 0;

	for (int i = 1; r == 0 && i < argc; i++)
		if (argv[i][0])
			r = rip_write_all(fd, argv[i], strlen(argv[i]) + 1);
	if (r == 0)
		r = rip_write_all(fd, "", 1);
	close(fd);
	return r;
}

static int copy(int from, int to)
{
	static uint8_t bytes[256 << 10];
	ssize_t n;

	rip_large_pipe(to);
	while ((n = read(from, bytes, sizeof bytes)) != 0) {
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		r = rip_write_all(to, bytes, (size_t)n);
		if (r < 0)
			return r;
	}
	return 0;
}

int rip_gs_stand_in(int argc, char **argv)
{
	const int request = (int)strtol(getenv(RIP_GS_REQUEST), NULL, 10);
	int to = -1, r;

	for (int i = 1; i < argc; i++) {
		/* Scripts choose by it among the ways to print colours. */
		if (!strcmp(argv[i], "--version"))
			return puts("10.00.0") < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
		if (!strcmp(argv[i], "-sOutputFile=-"))
			to = STDOUT_FILENO;
		if (!strcmp(argv[i], "-sOutputFile=|cat 1>&3"))
			to = 3;
	}
	if (to < 0)
		return EXIT_FAILURE;
	r = send_arguments(request, argc, argv);
	if (r == 0)
		r = copy(RIP_GS_DATA, to);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- the request ---- */

static bool parse_pair(const char *text, uint32_t *x, uint32_t *y)
{
	double first, second;
	const int n = sscanf(text, "%lfx%lf", &first, &second);

	if (n == 1)
		second = first;
	if (n < 1 || !(first >= 1 && first <= 1000000 && second >= 1 && second <= 1000000))
		return false;
	*x = (uint32_t)first;
	*y = (uint32_t)second;
	return true;
}

static int parse_argument(const char *text, struct rip_gs_request *request, bool *has_device,
			  char *why, size_t size)
{
	static const struct { const char *name; enum rip_gs_device device; } devices[] = {
		{ "pbmraw", RIP_GS_PBM }, { "pksmraw", RIP_GS_PKSM }, { "bitcmyk", RIP_GS_BITCMYK },
		{ "cups", RIP_GS_CUPS },
	};

	if (!strncmp(text, "-sDEVICE=", 9)) {
		for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
			if (!strcmp(text + 9, devices[i].name)) {
				request->device = devices[i].device;
				*has_device = true;
				return 0;
			}
		return rip_refuse(why, size, "the driver asks for Ghostscript's device %.40s, "
				  "which takes no dots; choose 1 bit a colour", text + 9);
	}
	if (!strncmp(text, "-dcupsBitsPerColor=", 19) && strcmp(text + 19, "1") != 0)
		return rip_refuse(why, size,
				  "the driver asks for %.8s bits a colour; choose 1 bit a colour",
				  text + 19);
	if ((!strncmp(text, "-g", 2) && !parse_pair(text + 2, &request->width, &request->height)) ||
	    (!strncmp(text, "-r", 2) && !parse_pair(text + 2, &request->x_dpi, &request->y_dpi)))
		return rip_refuse(why, size, "the driver asks for a page with %.60s", text);
	return 0;
}

int rip_gs_request_read(int fd, struct rip_gs_request *request, char *why, size_t size)
{
	char bytes[REQUEST_MAX];
	bool has_device = false;
	size_t used = 0;
	ssize_t n;
	int r = 0;

	memset(request, 0, sizeof *request);
	/* The end is an empty argument. */
	while (used < 2 || bytes[used - 1] || bytes[used - 2]) {
		if (used == sizeof bytes)
			return rip_refuse_as(-E2BIG, why, size, "the driver's command gives "
					     "Ghostscript more than %zu bytes of arguments", used);
		n = read(fd, bytes + used, sizeof bytes - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return rip_refuse_as(n < 0 ? -errno : -EPIPE, why, size,
					     "the driver's command has not started Ghostscript");
		used += (size_t)n;
	}
	for (const char *at = bytes; r == 0 && *at; at += strlen(at) + 1)
		r = parse_argument(at, request, &has_device, why, size);
	if (r == 0 && !has_device)
		r = rip_refuse(why, size, "the driver's command asks for no device of Ghostscript");
	return r;
}
