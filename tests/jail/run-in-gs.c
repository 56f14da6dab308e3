/*
 * run-in-gs DOCUMENT.pdf POSTSCRIPT [ARGUMENT of Ghostscript...]
 *
 * Starts Ghostscript as those do who print, with or without the jail as the settings say, but with
 * -dNOSAFER and these arguments: as if its own protection were broken.  It runs the PostScript and
 * draws the first page.  Its messages come on standard output.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rip/gs.h"

static void print(void *context, const char *line)
{
	(void)context;
	puts(line);
}

int main(int argc, char **argv)
{
	const double matrix[6] = { 1, 0, 0, -1, 0, 72 };
	const char *arguments[RIP_GS_ARGUMENTS_MAX + 1] = { "-dNOSAFER" };
	static struct rip_gs_jail jail;
	struct rip_gs_config config = {
		.document = argc > 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1,
		.contone = RIP_CONTONE_GREY,
		.x_dpi = 72,
		.y_dpi = 72,
		.arguments = arguments,
		.jail = &jail,
		.log = print,
		.warn = print,
	};
	struct rip_gs gs;
	struct rip_gs_page page;
	char why[400] = "";
	uint8_t row[72];
	int r;

	if (config.document < 0)
		return 99;
	config.prologue = argv[2];
	for (int i = 3; i < argc && i < RIP_GS_ARGUMENTS_MAX; i++)
		arguments[i - 2] = argv[i];
	setvbuf(stdout, NULL, _IOLBF, 0);
	r = rip_gs_jail_open(&jail, "gs", arguments, config.document, 0, why, sizeof why);
	if (r < 0) {
		puts(why);
		return 1;
	}
	rip_gs_init(&gs, &config);
	r = rip_gs_open(&gs);
	if (r == 0)
		r = rip_gs_page(&gs, 1, &page);
	if (r == 0)
		r = rip_gs_draw(&gs, 72, 72, matrix, 1);
	for (int i = 0; r == 0 && i < 72; i++)
		r = rip_gs_read(&gs, row, sizeof row);
	if (r == 0)
		r = rip_gs_end(&gs);
	puts(r == 0 ? "DRAWN" : gs.why);
	rip_gs_finish(&gs);
	rip_gs_jail_close(&jail);
	return r < 0;
}
