#include "config.h"

#include "key_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ascii.h"
#include "refuse.h"

#define WHY_MAX   384 /* what is wrong with one key */
#define UTF8_MARK "\xef\xbb\xbf" /* with which some editors begin a file */

/* Cuts white space off both ends. */
static char *trim(char *s)
{
	char *end;

	while (rip_is_space(*s))
		s++;
	end = s + strlen(s);
	while (end > s && rip_is_space(end[-1]))
		end--;
	*end = '\0';
	return s;
}

/* One line: NULL, or what is wrong with it (in why). */
static const char *read_line(char *line, rip_key_taker *take, void *context, char *why, size_t size)
{
	char *key = trim(line), *equals;

	if (!*key || *key == '#')
		return NULL;
	equals = strchr(key, '=');
	if (!equals)
		return "a line is `key = value`, or begins with #";
	*equals = '\0';
	return take(context, trim(key), trim(equals + 1), why, size) ? NULL : why;
}

int rip_key_file_read(FILE *file, const char *path, rip_key_taker *take, void *context,
		      char *error, size_t size)
{
	const size_t mark = sizeof UTF8_MARK - 1;
	char *line = NULL, why[WHY_MAX];
	const char *wrong = NULL;
	size_t room = 0;
	ssize_t length;
	int number = 0, r = 0;

	while (!wrong && (length = getline(&line, &room, file)) >= 0) {
		const bool has_mark = number++ == 0 && !strncmp(line, UTF8_MARK, mark);

		wrong = strlen(line) != (size_t)length
			? "a NUL byte is in this line"
			: read_line(line + (has_mark ? mark : 0), take, context, why, sizeof why);
	}
	if (wrong)
		r = rip_refuse(error, size, "%s:%d: %s", path, number, wrong);
	else if (ferror(file))
		r = rip_refuse_as(errno ? -errno : -EIO, error, size, "%s: %s", path,
				  strerror(errno ? errno : EIO));
	free(line);
	return r;
}
