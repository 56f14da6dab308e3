/* write-ppd-kinds FOLDER: writes each kind of PPD into FOLDER/NAME.ppd, and a line "NAME VERDICT"
 * for each to standard output. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd_kinds.h"

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc == 2 && i < ppd_kind_count; i++) {
		char path[4096], *text = ppd_kind_text(&ppd_kinds[i]);
		FILE *file;

		snprintf(path, sizeof path, "%s/%s.ppd", argv[1], ppd_kinds[i].name);
		file = fopen(path, "w");
		if (!text || !file || fwrite(text, 1, strlen(text), file) != strlen(text) ||
		    fclose(file)) {
			perror(path);
			return 1;
		}
		free(text);
		printf("%s %s\n", ppd_kinds[i].name, rip_adoption_name(ppd_kinds[i].verdict));
	}
	return argc != 2;
}
