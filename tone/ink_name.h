/*
 * What inks are called: a process ink by its name or letter, a light ink by its letter.
 *
 *	Cyan  Magenta  Yellow  Black     light inks
 *	C     M        Y       K         c  m  k
 *
 * Pure functions; any thread may call them.
 */
#ifndef RIP_INK_NAME_H
#define RIP_INK_NAME_H

#include "halftone/screen/mask_screen.h"

/* The letter of an ink, as calibrations name it; empty: it has none. */
const char *rip_ink_letter(enum rip_ink ink);

/* The name of a process ink; NULL: it is none. */
const char *rip_ink_full_name(enum rip_ink ink);

/* The ink of a letter, or RIP_INK_OTHER. */
enum rip_ink rip_ink_of_letter(char letter);

/* The process ink of a name such as "Cyan", or of its letter, "C", in upper or lower case,
 * because there are no light inks here.  RIP_INK_OTHER: it is another ink's name. */
enum rip_ink rip_ink_of_name(const char *name);

/* The name of the process ink that is probably meant by another one's, such as "Cyn"; or NULL. */
const char *rip_ink_meant(const char *name);

#define RIP_INK_LETTERS 8 /* with the NUL: as many as there are letters */

/* Reads letters such as "CMYKcmk", or names with commas between, such as "cyan,black", and writes
 * them as letters.  How many, or 0: something is no ink, or comes twice. */
unsigned rip_ink_list(const char *text, char letters[RIP_INK_LETTERS]);

#endif
