/* Runs a fuzzer's function over the corpus that is kept for it, without libFuzzer:
 * so every build has its inputs, those that once crashed among them, as a test.
 * The corpus of replay-X is tests/fuzz/corpus-X. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>

static int run(const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *file = fopen(path, "rb");
	uint8_t *copy;
	size_t size;

	if (!file) {
		perror(path);
		return 0;
	}
	size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	copy = malloc(size ? size : 1); /* its end is where a sanitizer looks */
	for (size_t i = 0; copy && i < size; i++)
		copy[i] = bytes[i];
	if (copy)
		LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	return copy != NULL;
}

int main(int argc, char **argv)
{
	const char *srcdir = getenv("srcdir"), *name = argc > 0 ? strrchr(argv[0], '-') : NULL;
	char folder[2048], path[4096];
	struct dirent *entry;
	int count = 0;
	DIR *dir;

	snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus%s", srcdir ? srcdir : ".",
		 name ? name : "");
	dir = opendir(folder);
	if (!dir) {
		perror(folder);
		return 1;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (!run(path)) {
			closedir(dir);
			return 1;
		}
		count++;
	}
	closedir(dir);
	printf("%d inputs\n", count);
	return count == 0;
}
