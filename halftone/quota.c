#include "quota.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 1024
#define PROCESSORS_MAX 1000000

/* Looks at a group's folder. */
typedef void look_at_group(const char *folder, bool v2, void *context);

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

/* A group and all above it, up to the mount, which a path from outside of this namespace may not
 * have. */
static void walk(const char *mount, const char *group, bool v2, look_at_group *look, void *context)
{
	char folder[PATH_MAX_BYTES];
	const size_t top = strlen(mount);

	if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
		snprintf(folder, sizeof folder, "%s", mount);
	for (;;) {
		char *slash;

		look(folder, v2, context);
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

/* Looks at all groups of this process that a controller may limit. */
static void look_at_groups(const char *root, const char *controller, look_at_group *look,
			   void *context)
{
	char path[PATH_MAX_BYTES], line[PATH_MAX_BYTES];
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
		if (*controllers && !has_word(controllers, controller))
			continue;
		snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%.100s", root,
			 *controllers ? "/" : "", controllers);
		walk(path, group, !*controllers, look, context);
	}
	if (file)
		fclose(file);
}

/* ---- processors ---- */

static void read_limit(const char *folder, bool v2, void *limit)
{
	char words[2][32], period[2][32];

	if (v2 && read_words(folder, "cpu.max", words) == 2)
		limit_by(words[0], words[1], limit);
	else if (!v2 && read_words(folder, "cpu.cfs_quota_us", words) >= 1 &&
		 read_words(folder, "cpu.cfs_period_us", period) >= 1)
		limit_by(words[0], period[0], limit);
}

unsigned rip_cpu_quota(const char *root)
{
	unsigned limit = 0;

	look_at_groups(root, "cpu", read_limit, &limit);
	return limit;
}

unsigned rip_cpu_quota_share(unsigned processors, unsigned quota, unsigned sharers)
{
	if (quota && quota / sharers < processors)
		processors = quota / sharers;
	return processors ? processors : 1;
}

/* ---- memory ---- */

/* A number of bytes in a group's file; `otherwise` if there is none, or "max". */
static uint64_t read_bytes(const char *folder, const char *name, uint64_t otherwise)
{
	char words[2][32], *end;
	uint64_t bytes;

	if (read_words(folder, name, words) < 1 || words[0][0] < '0' || words[0][0] > '9')
		return otherwise;
	bytes = strtoull(words[0], &end, 10);
	return *end ? otherwise : bytes;
}

/* The number behind a name in a file of such lines, with the folder before the file's name; 0: it
 * is not there. */
static uint64_t read_line(const char *folder, const char *name, const char *key)
{
	char path[PATH_MAX_BYTES + 64], line[128];
	const size_t length = strlen(key);
	uint64_t number = 0;
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, key, length) && (line[length] == ' ' || line[length] == ':'))
			number = strtoull(line + length + 1, NULL, 10);
	if (file)
		fclose(file);
	return number;
}

/* Files that nobody uses at the moment count as used, and are the first to go. */
static void read_memory(const char *folder, bool v2, void *context)
{
	struct rip_memory *memory = context;
	const uint64_t high = v2 ? read_bytes(folder, "memory.high", UINT64_MAX) : UINT64_MAX;
	const uint64_t used = read_bytes(folder,
					 v2 ? "memory.current" : "memory.usage_in_bytes", 0);
	const uint64_t files = read_line(folder, "memory.stat",
					 v2 ? "inactive_file" : "total_inactive_file");
	const uint64_t kept = used > files ? used - files : 0;
	uint64_t most = read_bytes(folder, v2 ? "memory.max" : "memory.limit_in_bytes", UINT64_MAX);

	most = high < most ? high : most;
	if (most < memory->total)
		memory->total = most;
	if (most - (kept < most ? kept : most) < memory->left)
		memory->left = most - (kept < most ? kept : most);
}

struct rip_memory rip_memory_quota(const char *root)
{
	struct rip_memory memory = { UINT64_MAX, UINT64_MAX };
	char folder[PATH_MAX_BYTES];
	uint64_t kib;

	snprintf(folder, sizeof folder, "%s/proc", root);
	kib = read_line(folder, "meminfo", "MemTotal");
	if (kib)
		memory.total = kib * 1024;
	kib = read_line(folder, "meminfo", "MemAvailable");
	if (kib)
		memory.left = kib * 1024;
	look_at_groups(root, "memory", read_memory, &memory);
	return memory;
}
