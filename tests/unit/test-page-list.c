/* Lists of pages. */
#include "tests/tools/testing.h"

#include <limits.h>

#include "rip/document.h"

static void resolves(const char *text, unsigned pages, const char *expected)
{
	char made[200] = "";
	unsigned *list, count, missing;

	assert_true(!text || rip_page_list_valid(text));
	assert_int_equal(rip_page_list_resolve(text, pages, &list, &count, &missing), 0);
	for (unsigned i = 0; i < count; i++)
		snprintf(made + strlen(made), sizeof made - strlen(made), "%s%u", i ? " " : "",
			 list[i]);
	assert_string_equal(made, expected);
	free(list);
}

TEST(lists)
{
	resolves(NULL, 3, "1 2 3");
	resolves(NULL, 0, "");
	resolves("2", 3, "2");
	resolves("1-3", 3, "1 2 3");
	resolves("2-", 4, "2 3 4");
	resolves("-2", 4, "1 2");
	resolves("4,1-2,4", 4, "4 1 2 4");
	resolves("3-3", 3, "3");
}

TEST(missing_pages)
{
	static const struct {
		const char *text;
		unsigned    missing;
	} cases[] = { { "4", 4 }, { "1-5", 5 }, { "5-", 5 }, { "1,2,9,1", 9 } };
	unsigned *list, count, missing;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(rip_page_list_valid(cases[i].text));
		assert_int_equal(rip_page_list_resolve(cases[i].text, 3, &list, &count, &missing),
				 -ERANGE);
		assert_int_equal(missing, cases[i].missing);
	}
	assert_int_equal(rip_page_list_resolve("1-10000001", 20000000, &list, &count, &missing),
			 -E2BIG);
}

/* The list of pages that come one after the other. */
TEST(in_order)
{
	static const struct {
		const char *text, *taken; /* of pages 1 to 6 */
		unsigned    last, missing; /* of 3 pages */
	} cases[] = {
		{ NULL, "yyyyyy", UINT_MAX, 0 }, { "2", "nynnnn", 2, 0 },
		{ "5,1-2", "yynnyn", 5, 5 }, { "4-", "nnnyyy", UINT_MAX, 4 },
		{ "3-,1", "ynyyyy", UINT_MAX, 0 }, { "-3", "yyynnn", 3, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (unsigned page = 1; page <= 6; page++)
			assert_int_equal(rip_page_list_has(cases[i].text, page),
					 cases[i].taken[page - 1] == 'y');
		assert_int_equal(rip_page_list_last(cases[i].text), cases[i].last);
		assert_int_equal(rip_page_list_missing(cases[i].text, 3), cases[i].missing);
	}
}

TEST(invalid)
{
	static const char *const texts[] = { "",     "0",   "-",   "a",     "1,",          ",1",
					     "1--2", "3-2", "1 2", "1-2-3", "99999999999", "-0",
					     "1;2" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (rip_page_list_valid(texts[i]))
			fail_msg("\"%s\" is taken for a list", texts[i]);
}
