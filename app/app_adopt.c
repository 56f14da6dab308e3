#include "config.h"

#include "app/app_adopt.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app_driver.h"
#include "app/app_places.h"
#include "system/child.h"

/* ---- from the web page ---- */

/* Whether two files have the same bytes. */
static bool are_same(const char *one, const char *other)
{
	FILE *a = fopen(one, "re"), *b = fopen(other, "re");
	char left[4096], right[4096];
	size_t n = 0;
	bool same = a && b;

	do {
		if (same)
			n = fread(left, 1, sizeof left, a);
		same = same && fread(right, 1, sizeof right, b) == n && !memcmp(left, right, n);
	} while (same && n == sizeof left);
	same = same && !ferror(a) && !ferror(b);
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return same;
}

/* PAPPL's own word is no name, either. */
static bool is_taken(const char *name)
{
	return rip_app_driver_is_own(name) || !strcmp(name, "auto");
}

/* The name of the vendor's file without its ending, in letters that need no quotes anywhere. */
static void plain_name(const char *vendors, char base[50])
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				   "0123456789-_+.";
	size_t n = strlen(vendors), i;

	if (n > 4 && !strcmp(vendors + n - 4, ".ppd"))
		n -= 4;
	snprintf(base, 50, "%.*s", n < 49 ? (int)n : 49, n ? vendors : "driver");
	for (i = 0; base[i]; i++)
		if (!strchr(good, base[i]) || (i == 0 && (*base == '.' || *base == '-')))
			base[i] = '_';
}

int rip_app_adopt_keep(const char *file, const char *vendors, char name[64], bool *made)
{
	char path[PATH_MAX], base[50];
	int i, r = -EEXIST;

	*made = false;
	plain_name(vendors, base);
	for (i = 1; i < 100 && r == -EEXIST; i++) {
		if (i == 1)
			snprintf(name, 64, "%s", base);
		else
			snprintf(name, 64, "%s-%d", base, i);
		snprintf(path, sizeof path, "%s/%s.ppd", rip_app_places.ppds, name);
		if (is_taken(name))
			continue;
		r = link(file, path) < 0 ? -errno : 0;
		*made = r == 0;
		if (r == -EEXIST && are_same(file, path))
			r = 0;
	}
	unlink(file);
	return r;
}

/* ---- from the command line ---- */

/* The driver's name is the file's, without folder and ending. */
static int make_name(const char *file, char *name, size_t size)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t length = strlen(base);

	if (length > 4 && !strcmp(base + length - 4, ".ppd"))
		length -= 4;
	if (length == 0 || length >= size || base[0] == '.') {
		fprintf(stderr, RIP_APP_NAME ": %s does not name a driver: give the PPD a name of "
			"1 to %zu letters\n", file, size - 1);
		return -EINVAL;
	}
	memcpy(name, base, length);
	name[length] = '\0';
	if (is_taken(name)) {
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
