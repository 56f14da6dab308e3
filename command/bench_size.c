/* The sizes that a benchmark is asked for. */
#include "bench.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cups/cups.h>
#include <cups/pwg.h>

#define PAPER_MAX 64 /* bytes of a name */

/* Takes a number of at most 8 digits from the front of the text. */
static bool take_number(const char **text, uint64_t *number)
{
	const size_t length = strspn(*text, "0123456789");

	if (length < 1 || length > 8)
		return false;
	*number = strtoull(*text, NULL, 10);
	*text += length;
	return true;
}

/* A paper by any of its names: a PPD's (A4, Letter, Env10), PWG's (iso_a4_210x297mm) or IPP's
 * old one (na-letter), without regard to case.  NULL if libcups knows none. */
static const pwg_media_t *find_paper(const char *text, size_t length)
{
	char lower[PAPER_MAX], title[PAPER_MAX], name[PAPER_MAX];
	const pwg_media_t *paper;

	if (length < 1 || length >= PAPER_MAX)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("._-", text[i]))
			return NULL;
		name[i] = text[i];
		lower[i] = (char)tolower((unsigned char)text[i]);
		title[i] = i ? lower[i] : (char)toupper((unsigned char)text[i]);
	}
	name[length] = lower[length] = title[length] = '\0';
	paper = pwgMediaForPPD(name);
	if (!paper)
		paper = pwgMediaForPPD(title);
	if (!paper)
		paper = pwgMediaForLegacy(lower);
	if (!paper)
		paper = pwgMediaForPWG(lower);
	return paper && paper->width > 0 && paper->length > 0 ? paper : NULL;
}

/* Hundredths of a millimetre, of which an inch has 2540, as pixels. */
static uint64_t pixels(int length, uint64_t dpi)
{
	return ((uint64_t)length * dpi + 1270) / 2540;
}

int rip_bench_add_size(struct rip_bench *bench, const char *text)
{
	struct rip_bench_size *size = &bench->sizes[bench->size_count];
	const char *rest = strchr(text, '@');
	uint64_t width, height, dpi;

	if (bench->size_count == RIP_BENCH_SIZES_MAX)
		return -E2BIG;
	if (rest) {
		const pwg_media_t *paper = find_paper(text, (size_t)(rest++ - text));

		if (!paper || !take_number(&rest, &dpi))
			return -EINVAL;
		width = pixels(paper->width, dpi);
		height = pixels(paper->length, dpi);
	} else {
		rest = text;
		if (!take_number(&rest, &width))
			return -EINVAL;
		height = width;
		if (*rest == 'x' || *rest == 'X') {
			rest++;
			if (!take_number(&rest, &height))
				return -EINVAL;
		} else if (*rest == 'k' || *rest == 'K') {
			rest++;
			width = height = width * 1024;
		}
	}
	if (*rest || width < 1 || width > RIP_WIDTH_MAX || height < 1 || height > RIP_WIDTH_MAX)
		return -EINVAL;
	*size = (struct rip_bench_size){ .width = (uint32_t)width, .height = (uint32_t)height };
	snprintf(size->name, sizeof size->name, "%s", text);
	bench->size_count++;
	return 0;
}
