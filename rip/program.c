#include "config.h"

#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool can_run(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool rip_program_exists(const char *name)
{
	const char *folder = getenv("PATH");
	char path[PATH_MAX];

	if (strchr(name, '/'))
		return can_run(name);
	folder = folder ? folder : "/bin:/usr/bin"; /* execvp()'s */
	for (;;) {
		const size_t length = strcspn(folder, ":");
		const int n = snprintf(path, sizeof path, "%.*s/%s", length ? (int)length : 1,
				       length ? folder : ".", name);

		if (n > 0 && (size_t)n < sizeof path && can_run(path))
			return true;
		if (!folder[length])
			return false;
		folder += length + 1;
	}
}
