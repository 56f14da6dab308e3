/* Letters of ASCII, in the locale of the environment: tests/command/turkish.sh runs it in
 * Turkish. */
#include "tests/tools/testing.h"

#include <locale.h>

#include "halftone/screen/mask_screen.h"
#include "halftone/screen/method.h"
#include "system/ascii.h"

TEST(letters)
{
	static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
			  lower[] = "abcdefghijklmnopqrstuvwxyz";

	for (int i = 1; i < 256; i++) {
		const char c = (char)i, *up = strchr(upper, c), *low = strchr(lower, c);

		assert_int_equal(rip_lower(c), up ? lower[up - upper] : c);
		assert_int_equal(rip_upper(c), low ? upper[low - lower] : c);
		assert_int_equal(rip_is_upper(c), up != NULL);
		assert_int_equal(rip_is_space(c), strchr(" \t\n\v\f\r", c) != NULL);
	}
	assert_false(rip_is_upper('\0') || rip_is_space('\0'));
}

TEST(names)
{
	assert_true(rip_same_name("", ""));
	assert_true(rip_same_name("Bi-Level", "bI-lEVEL"));
	assert_false(rip_same_name("bi-level", "bi-leve"));
	assert_false(rip_same_name("bi", "bi-level"));
	assert_false(rip_same_name("\xc4\xb0", "\xe4\xb0"));
	assert_true(rip_same_start("CLUSTERED-141", "clustered-", 10));
	assert_true(rip_same_start("a", "b", 0));
	assert_true(rip_same_start("a", "A", 9));
	assert_false(rip_same_start("cluster", "clustered-", 10));
	assert_true(rip_has_word("image/PWG-raster", "pwg"));
	assert_true(rip_has_word("tray-MIDDLE", "middle"));
	assert_false(rip_has_word("midd", "middle"));
	assert_false(rip_has_word("", "middle"));
}

/* Names of ours. */
TEST(ours)
{
	assert_true(rip_screen_find("BLUE-NOISE") >= 0);
	assert_true(rip_mask_screen_known("BI-LEVEL"));
	assert_true(rip_method_find("SIMD") >= 0);
}

BEFORE_TESTS
{
	const char *locale = setlocale(LC_ALL, "");

	printf("# in %s\n", locale ? locale : "no locale");
}
