#include "cpu_quota.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 1024
#define PROCESSORS_MAX 1000000

/* Reads the first line of a file: two words, or one. */
static int read_words(const char *folder, const char *name, char words[2][32])
{
	char path[PATH_MAX_BYTES + 64];
	FILE *file;
	int count;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "re");
	if (!file)
		return 0;
	count = fscanf(file, "%31s %31s", words[0], words[1]);
	fclose(file);
	return count;
}

/* Makes the limit stricter by a quota and a period in microseconds. */
static void limit_by(const char *quota, const char *period, unsigned *limit)
{
	const double share = strtod(quota, NULL), of = strtod(period, NULL);
	double processors;

	/* "max" and -1 are no limit. */
	if (!(share > 0) || !(of > 0) || share / of >= PROCESSORS_MAX)
		return;
	processors = share / of;
	if (processors > (unsigned)processors)
		processors += 1;
	if (*limit == 0 || (unsigned)processors < *limit)
		*limit = (unsigned)processors;
}

static void read_limit(const char *folder, bool v2, unsigned *limit)
{
	char words[2][32], period[2][32];

	if (v2 && read_words(folder, "cpu.max", words) == 2)
		limit_by(words[0], words[1], limit);
	else if (!v2 && read_words(folder, "cpu.cfs_quota_us", words) >= 1 &&
		 read_words(folder, "cpu.cfs_period_us", period) >= 1)
		limit_by(words[0], period[0], limit);
}

/* A group and all above it, up to the mount, which a path from outside of this namespace may not
 * have. */
static void walk(const char *mount, const char *group, bool v2, unsigned *limit)
{
	char folder[PATH_MAX_BYTES];
	const size_t top = strlen(mount);

	if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
		snprintf(folder, sizeof folder, "%s", mount);
	for (;;) {
		char *slash;

		read_limit(folder, v2, limit);
		slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < top)
			return;
		*slash = '\0';
	}
}

static bool has_word(const char *list, const char *word)
{
	const size_t length = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && !strncmp(list, word, length))
			return true;
	return false;
}

unsigned rip_cpu_quota(const char *root)
{
	char path[PATH_MAX_BYTES], line[PATH_MAX_BYTES];
	unsigned limit = 0;
	FILE *file;

	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) {
		/* "0::/group" of version 2, "4:cpu,cpuacct:/group" of version 1. */
		char *controllers = strchr(line, ':'), *group;

		group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group)
			continue;
		controllers++;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		if (!strcmp(group, "/"))
			*group = '\0';
		if (*controllers && !has_word(controllers, "cpu"))
			continue;
		snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%.100s", root,
			 *controllers ? "/" : "", controllers);
		walk(path, group, !*controllers, &limit);
	}
	if (file)
		fclose(file);
	return limit;
}

unsigned rip_cpu_quota_share(unsigned processors, unsigned quota, unsigned sharers)
{
	if (quota && quota / sharers < processors)
		processors = quota / sharers;
	return processors ? processors : 1;
}
