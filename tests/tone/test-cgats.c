/* The parser of CGATS: good files, each kind of wrong one with its line, and numbers. */
#include "tests/tools/testing.h"

#include <math.h>

#include "tone/cgats.h"

static struct rip_cgats file;
static char why[200];

static int parse(const char *text)
{
	why[0] = '\0';
	return rip_cgats_parse(&file, text, strlen(text), why, sizeof why);
}

static void refuses(const char *text, const char *reason)
{
	assert_int_equal(parse(text), -EBADMSG);
	assert_string_equal(why, reason);
	assert_null(file.text); /* nothing is left to free */
}

#define HEAD "CTI3\nNUMBER_OF_FIELDS 2\nBEGIN_DATA_FORMAT\nA B\nEND_DATA_FORMAT\n"

TEST(tables)
{
	const struct rip_cgats_table *table;
	double number;

	assert_int_equal(
		parse("# made by hand\nCTI3  # its type\n\nDESCRIPTOR \"two words # no comment\"\n"
		      "NUMBER_OF_FIELDS 3\r\nBEGIN_DATA_FORMAT\nSAMPLE_ID K_K \"LAB L\" "
		      "END_DATA_FORMAT\n"
		      "NUMBER_OF_SETS 2\nBEGIN_DATA\nA1 -12.5\n3e-2 A2\t.5 1. END_DATA\n"
		      "CAL\nBEGIN_DATA_FORMAT\nX\nEND_DATA_FORMAT\nBEGIN_DATA\nEND_DATA"),
		0);
	assert_int_equal(file.count, 2);
	table = rip_cgats_table(&file, "CTI3");
	assert_non_null(table);
	assert_string_equal(rip_cgats_value(table, "DESCRIPTOR"), "two words # no comment");
	assert_null(rip_cgats_value(table, "CREATED"));
	assert_int_equal(table->rows, 2);
	assert_int_equal(rip_cgats_field(table, "LAB L"), 2);
	assert_int_equal(rip_cgats_field(table, "LAB"), -1);
	assert_int_equal(rip_cgats_number(table, 0, 2, &number, why, sizeof why), 0);
	assert_true(fabs(number - .03) < 1e-12);
	assert_int_equal(rip_cgats_number(table, 1, 0, &number, why, sizeof why), -EBADMSG);
	assert_string_equal(why, "line 11: the SAMPLE_ID is not a number");
	table = rip_cgats_table(&file, "CAL");
	assert_int_equal(table->rows, 0);
	assert_null(rip_cgats_table(&file, "CTI1"));
	rip_cgats_finish(&file);
	rip_cgats_finish(&file);
}

TEST(wrong)
{
	refuses("", "line 1: the file is empty");
	refuses("# nothing\n", "line 1: the file is empty");
	refuses("%PDF-1.4 x\n", "line 1: no CGATS table begins here");
	refuses("\"CAL\"\n", "line 1: no CGATS table begins here");
	refuses("CAL", "line 1: the table has no data");
	refuses("CAL\nNAME\nX 1\n", "line 2: a keyword without a value");
	refuses("CAL\nNAME \"a\nb\"\n", "line 2: a text in quotes does not end");
	refuses("CAL\nNAME \"a", "line 2: a text in quotes does not end");
	refuses("CAL\nN\001AME 1", "line 2: a control character is in the text");
	refuses("CAL\nBEGIN_DATA\n", "line 2: data comes before its format");
	refuses("CAL\nBEGIN_DATA_FORMAT\nEND_DATA_FORMAT\n", "line 2: a table has no fields");
	refuses("CAL\nBEGIN_DATA_FORMAT\nA\n", "line 4: END_DATA_FORMAT is missing");
	refuses(HEAD "BEGIN_DATA_FORMAT\nA\nEND_DATA_FORMAT\n",
		"line 6: a table has two data formats");
	refuses(HEAD "BEGIN_DATA\n1 2\n3\nEND_DATA\n", "line 9: the last row has 1 of 2 cells");
	refuses(HEAD "BEGIN_DATA\n1 2\n", "line 8: END_DATA is missing");
	refuses(HEAD "NUMBER_OF_SETS 2\nBEGIN_DATA\n1 2\nEND_DATA\n",
		"line 7: NUMBER_OF_SETS is not 1, which is what the table has");
	refuses("CAL\nNUMBER_OF_FIELDS x\nBEGIN_DATA_FORMAT\nA\nEND_DATA_FORMAT\n",
		"line 3: NUMBER_OF_FIELDS is not 1, which is what the table has");
}

TEST(limits)
{
	const size_t bytes = RIP_CGATS_BYTES_MAX + 1;
	char *text = malloc(bytes), *end;

	memset(text, ' ', bytes);
	assert_int_equal(rip_cgats_parse(&file, text, bytes, why, sizeof why), -EBADMSG);
	assert_string_equal(why, "it is larger than 8 MiB");
	end = stpcpy(text, "CAL\n");
	for (unsigned i = 0; i <= RIP_CGATS_KEYWORDS_MAX; i++)
		end = stpcpy(end, "A 1\n");
	refuses(text, "line 130: more than 128 keywords");
	end = stpcpy(text, "CAL\nBEGIN_DATA_FORMAT\n");
	for (unsigned i = 0; i <= RIP_CGATS_FIELDS_MAX; i++)
		end = stpcpy(end, "A ");
	stpcpy(end, "END_DATA_FORMAT\n");
	refuses(text, "line 2: a table has too many fields");
	end = text;
	for (unsigned i = 0; i <= RIP_CGATS_TABLES_MAX; i++)
		end = stpcpy(end,
			     "CAL\nBEGIN_DATA_FORMAT\nA\nEND_DATA_FORMAT\nBEGIN_DATA\nEND_DATA\n");
	refuses(text, "line 97: more than 16 tables");
	free(text);
}

TEST(decimals)
{
	static const struct {
		const char *text;
		double number;
	} good[] = {
		{ "0", 0 },
		{ "-0.5", -.5 },
		{ "+7", 7 },
		{ ".25", .25 },
		{ "12.", 12 },
		{ "1e3", 1000 },
		{ "1.5E-2", .015 },
		{ "00012", 12 },
		{ "0.00392157", .00392157 },
		{ "0.33333333333333333333333333333333", 1 / 3. },
		{ "1e15", 1e15 },
		{ "0e300", 0 },
		{ "5e-300", 5e-300 },
	};
	static const char *const wrong[] = {
		"", "-", ".", "e5", "1e", "1e-", "1,5", "0x10", "nan", "inf", "1e16", "1 ", "--1",
		"99999999999999999999", "1e999999999999",
	};
	double number;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_true(rip_cgats_decimal(good[i].text, &number));
		assert_true(fabs(number - good[i].number) <= 1e-12 * fabs(good[i].number));
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(rip_cgats_decimal(wrong[i], &number));
}
