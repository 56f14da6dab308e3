/*
 * --toner-save, an option of `riptide halftone` and `riptide rip`.
 */
#ifndef RIP_TONER_OPTION_H
#define RIP_TONER_OPTION_H

#define RIP_TONER_SAVE_HELP \
	"  --toner-save LEVEL    less ink inside areas, not at edges: 0 to 3, or 10 to 80 percent\n" \
	"                        (0)\n"

/* Parses its value, to percent; 0: none.  RIP_GO_ON, or the exit status to end with. */
int rip_option_toner_save(const char *command, const char *value, unsigned *percent);

#endif
