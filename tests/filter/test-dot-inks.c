/* The inks of dots, from the headers that the filter makes. */
#include "tests/tools/testing.h"

#include "filter/ink/dot_inks.h"
#include "filter/page/header.h"
#include "filter/ink/light_inks.h"
#include "tone/ink_name.h"
#include "tests/tools/raster.h"

/* A page's dots with light inks: their header, and their inks. */
static bool make(cups_cspace_t space, unsigned set, unsigned levels, bool pwg,
		 cups_page_header2_t *dots, struct rip_output *output)
{
	const cups_page_header2_t in = raster_page(space, CUPS_ORDER_CHUNKED, 8, 16, 16);
	struct rip_geometry geometry;
	char why[256];

	assert_int_equal(rip_header_check(&in, &geometry, why, sizeof why), 0);
	assert_int_equal(rip_light_inks_add(&in, set, &geometry, why, sizeof why), 0);
	if (rip_header_rewrite(&in, &geometry, levels, pwg, false, dots, output, why, sizeof why) <
	    0)
		return false; /* too many bits for PWG raster */
	return dots->cupsColorSpace >= CUPS_CSPACE_DEVICE1 &&
	       dots->cupsColorSpace <= CUPS_CSPACE_DEVICEF;
}

static bool are(const struct rip_output *output, const char *letters)
{
	assert_int_equal(letters ? strlen(letters) : 0, output->planes);
	for (uint32_t p = 0; p < output->planes; p++)
		if (rip_ink_of_letter(letters[p]) != output->inks[p])
			return false;
	return true;
}

/* With both cupsStrings, each page's inks are known; without, those of CMYK pages are guessed. */
TEST(all)
{
	static const cups_cspace_t spaces[] = {
		CUPS_CSPACE_K,    CUPS_CSPACE_CMY,    CUPS_CSPACE_CMYK,
		CUPS_CSPACE_KCMY, CUPS_CSPACE_KCMYcm,
	};
	static const struct {
		const char *name;
		unsigned    set;
	} lights[] = {
		{ "cm", RIP_LIGHT_C | RIP_LIGHT_M }, { "k", RIP_LIGHT_K },
		{ "cmk", RIP_LIGHT_C | RIP_LIGHT_M | RIP_LIGHT_K },
	};
	unsigned pages = 0;

	for (size_t s = 0; s < COUNT(spaces); s++)
		for (unsigned n = 0; n < COUNT(lights) * 6; n++) {
			const char *light = lights[n % 3].name;
			const unsigned levels = n / 6 == 0 ? 2 : n / 6 == 1 ? 3 : 16;
			const bool pwg = n / 3 % 2;
			cups_page_header2_t dots;
			struct rip_output output;
			bool certain;

			if (!make(spaces[s], lights[n % 3].set, levels, pwg, &dots, &output))
				continue;
			pages++;
			memset(dots.cupsString, 0, sizeof dots.cupsString);
			if (spaces[s] == CUPS_CSPACE_K || spaces[s] == CUPS_CSPACE_CMYK)
				assert_true(are(&output, rip_dot_inks_guess(&dots, pwg, &certain)));
			else
				assert_non_null(rip_dot_inks_guess(&dots, pwg, &certain));
			assert_false(certain);
			/* A PPD's choices have a cupsString each, or share one. */
			if (s != 3 && s != 4)
				snprintf(dots.cupsString[n % 16], 64,
					 "riptide:toner-save=0,halftone-light-inks=%s,"
					 "halftone-inks=cmyk",
					 light);
			else {
				snprintf(dots.cupsString[0], 64, "riptide:Halftone-Inks=KCMY");
				snprintf(dots.cupsString[15], 64, "riptide:halftone-light-inks=%s",
					 output.planes == 7              ? "cmk" :
					 spaces[s] == CUPS_CSPACE_KCMYcm ? "cm" :
									   light);
			}
			assert_true(are(&output, rip_dot_inks_guess(&dots, pwg, &certain)));
			assert_true(certain);
		}
	assert_int_equal(pages, 54);
}

/* Pages of other kinds, and strings of others. */
TEST(others)
{
	cups_page_header2_t dots = raster_page(CUPS_CSPACE_CMYK, CUPS_ORDER_CHUNKED, 8, 16, 16);
	bool certain;

	for (unsigned space = 0; space < 70; space++) {
		dots.cupsColorSpace = space;
		assert_int_equal(rip_dot_inks_guess(&dots, false, &certain) != NULL,
				 space == 49 || space == 52 || space == 53 || space == 54);
	}
	dots.cupsColorSpace = CUPS_CSPACE_DEVICE7;
	strcpy(dots.cupsString[0], "halftone-inks=kcmy,halftone-light-inks=cmk");
	assert_string_equal(rip_dot_inks_guess(&dots, false, &certain), "CMYKcmk");
	assert_false(certain);
	memset(dots.cupsString, 'x', sizeof dots.cupsString); /* without an end */
	memcpy(dots.cupsString[15], "riptide:", 8);
	assert_string_equal(rip_dot_inks_guess(&dots, false, &certain), "CMYKcmk");
	assert_false(certain);
}

TEST(letters)
{
	static const char *const wrong[] = {
		"", ",", "K,", ",K", "x", "CC", "CMYKcmkC", "Cy", "cyan,", "cyan,C", "cyanyellow",
		"a name that is long",
	};
	static const char *const right[][2] = {
		{ "kKmC", "kKmC" }, { "CMYKcmk", "CMYKcmk" }, { "CMYK,cm", "CMYKcm" }, { "k", "k" },
		{ "black", "K" }, { "Cyan,BLACK,m", "CKm" }, { "C,yellow", "CY" },
	};
	char letters[RIP_INK_LETTERS];

	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_int_equal(rip_ink_list(wrong[i], letters), 0);
	for (size_t i = 0; i < COUNT(right); i++) {
		assert_int_equal(rip_ink_list(right[i][0], letters), strlen(right[i][1]));
		assert_string_equal(letters, right[i][1]);
	}
	assert_int_equal(rip_ink_of_letter('k'), RIP_INK_LIGHT_BLACK);
	assert_int_equal(rip_ink_of_letter('C'), RIP_INK_CYAN);
	assert_int_equal(rip_ink_of_name("c"), RIP_INK_CYAN);
	assert_int_equal(rip_ink_of_name("yellow"), RIP_INK_YELLOW);
	assert_int_equal(rip_ink_of_name("kK"), RIP_INK_OTHER);
}
