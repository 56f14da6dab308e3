/*
 * print-simulated NAME: the mean reflectance, of paper's 1, of a square PBM (P4) on standard input
 * as the printer of this name in simulated_paper.c prints it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tone/simulated_paper.h"

int main(int argc, char **argv)
{
	const struct simulated_printer *printer = simulated_printers;
	unsigned side, height;
	uint8_t *dots;

	while (argc == 2 && strcmp(printer->name, argv[1]) &&
	       ++printer < simulated_printers + SIMULATED_PRINTERS)
		;
	if (argc != 2 || printer == simulated_printers + SIMULATED_PRINTERS ||
	    scanf("P4 %u %u", &side, &height) != 2 || side != height || side % 8 || side > 4096 ||
	    getchar() != '\n' || !(dots = malloc((size_t)side * side)))
		return 99;
	for (unsigned i = 0; i < side * side; i += 8) {
		const int byte = getchar();

		for (unsigned j = 0; j < 8; j++)
			dots[i + j] = byte >> (7 - j) & 1;
	}
	printf("%.6f\n", simulated_print(printer, dots, side, 2, 1));
	free(dots);
	return ferror(stdin) || feof(stdin) ? 99 : 0;
}
