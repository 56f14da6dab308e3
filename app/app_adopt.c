#include "config.h"

#include "app/app_adopt.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app_places.h"
#include "app/drivers.h"
#include "system/child.h"

/* The driver's name is the file's, without folder and ending. */
static int make_name(const char *file, char *name, size_t size)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t i, length = strlen(base);

	if (length > 4 && !strcmp(base + length - 4, ".ppd"))
		length -= 4;
	if (length == 0 || length >= size || base[0] == '.') {
		fprintf(stderr, RIP_APP_NAME ": %s does not name a driver: give the PPD a name of "
			"1 to %zu letters\n", file, size - 1);
		return -EINVAL;
	}
	memcpy(name, base, length);
	name[length] = '\0';
	for (i = 0; i < RIP_APP_DRIVERS; i++)
		if (!strcmp(rip_app_drivers[i].name, name)) {
			fprintf(stderr, RIP_APP_NAME ": %s would be a driver of riptide's own; "
				"give the PPD another name\n", name);
			return -EEXIST;
		}
	return 0;
}

/* What riptide adopt says goes to standard error. */
static int run_adopt(const char *file, const char *name)
{
	char output[PATH_MAX], new[PATH_MAX];
	const char *argv[] = { rip_app_places.command, "adopt", "--rip", "-o", new, "--", file,
			       NULL };
	int status, r;
	pid_t pid;

	snprintf(output, sizeof output, "%s/%s.ppd", rip_app_places.ppds, name);
	snprintf(new, sizeof new, "%s/.%s.new.ppd", rip_app_places.ppds, name);
	unlink(new);
	pid = rip_child_start(argv[0], (char *const *)argv, NULL, 0);
	r = pid < 0 ? (int)pid : 0;
	if (r == 0 && (waitpid(pid, &status, 0) != pid || status != 0)) {
		unlink(new);
		return -EPERM;
	}
	if (r == 0 && rename(new, output) < 0)
		r = -errno;
	if (r < 0)
		fprintf(stderr, RIP_APP_NAME ": cannot adopt %s with %s: %s\n", file, argv[0],
			strerror(-r));
	return r;
}

int rip_app_adopt(int argc, char *argv[])
{
	static char name[64];
	int i, r;

	for (i = 2; i < argc - 1; i++) {
		const char *file = argv[i + 1];

		if (strcmp(argv[i], "-o") || strncmp(file, "ppd=", 4))
			continue;
		file += 4;
		if ((r = make_name(file, name, sizeof name)) < 0 ||
		    (r = rip_app_places_find(getenv("RIPTIDE_APP_STATE"))) < 0 ||
		    (r = run_adopt(file, name)) < 0)
			return r;
		argv[i] = (char *)"-m";
		argv[i + 1] = name;
	}
	return 0;
}
