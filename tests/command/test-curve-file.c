/* Tone curves from files: what they mean, and what is said of wrong ones. */
#include "tests/tools/testing.h"

#include "command/curve_file.h"
#include "tests/tools/run.h"

static int read_text(const char *text, struct rip_curve_file *curve, char **said)
{
	struct rip_capture capture;
	int fd = rip_run_file(text, strlen(text)), r;
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	rip_capture_begin(&capture);
	r = rip_curve_file_read(curve, path);
	*said = rip_capture_end(&capture);
	close(fd);
	return r;
}

/* `count` numbers, a line each, then `more`. */
static char *numbers(unsigned count, unsigned step, const char *more)
{
	char *text = malloc((size_t)count * 6 + strlen(more) + 1), *end = text;

	for (unsigned i = 0; i < count; i++)
		end += sprintf(end, "%u\n", i * step);
	strcpy(end, more);
	return text;
}

static void refused(char *text, const char *words)
{
	struct rip_curve_file curve;
	const char *newline;
	AUTO_FREE char *said;
	int r = read_text(text, &curve, &said);

	newline = strchr(said, '\n');
	if (r >= 0 || !strstr(said, words) || !newline || newline[1])
		fail_msg("\"%.30s\" gave %d and \"%s\", not \"%s\"", text, r, said, words);
	free(text);
}

TEST(wrong)
{
	refused(strdup(""), "line 1: the file ends after 0 numbers");
	refused(numbers(255, 1, ""), "line 256: the file ends after 255 numbers");
	refused(numbers(256, 1, "5"), "the file ends after 257 numbers");
	refused(numbers(65535, 1, ""), "the file ends after 65535 numbers");
	refused(numbers(65536, 1, "5"), "line 65537: more than 65536 numbers");
	refused(strdup("1\n2\n65536\n"), "line 3: a number is larger than 65535");
	refused(strdup("1\n2\n99999999999999999999999\n"), "line 3: a number is larger");
	refused(strdup("1\n-2\n"), "line 2: a curve is made of whole numbers");
	refused(strdup("1\n# ok -2\n2.5\n"), "line 3: a curve is made of whole numbers");
	refused(strdup("1\n\n\nx\n"), "line 4: a curve is made of whole numbers");
}

static struct rip_curve_file good(char *text)
{
	struct rip_curve_file curve;
	AUTO_FREE char *said;

	if (read_text(text, &curve, &said) < 0)
		fail_msg("%s", said);
	assert_string_equal(said, "");
	free(text);
	return curve;
}

TEST(tones)
{
	struct rip_curve_file none = { 0 };
	struct rip_curve_file curve = good(numbers(256, 100, "# end"));

	for (unsigned x = 0; x < 65536; x++) {
		/* i * 100 at 257 * i is 100/257 of x, rounded */
		assert_int_equal(rip_curve_file_tone(&curve, (uint16_t)x),
				 (x * 100 * 2 + 257) / 514);
		assert_int_equal(rip_curve_file_tone(&none, (uint16_t)x), x);
	}
	rip_curve_file_finish(&curve);
	curve = good(numbers(65536, 1, ""));
	curve.values[300] = 7;
	assert_int_equal(rip_curve_file_tone(&curve, 300), 7);
	assert_int_equal(rip_curve_file_tone(&curve, 65535), 65535);
	rip_curve_file_finish(&curve);
}

/* A curve that falls is interpolated as well. */
TEST(falling)
{
	char text[256 * 6 + 1], *end = text;
	struct rip_curve_file curve;

	for (unsigned i = 0; i < 256; i++)
		end += sprintf(end, "%u ", 65535 - i * 257);
	curve = good(strdup(text));
	for (unsigned x = 0; x < 65536; x++)
		assert_int_equal(rip_curve_file_tone(&curve, (uint16_t)x), 65535 - x);
	rip_curve_file_finish(&curve);
}

TEST(tables)
{
	static const unsigned maxvals[] = { 1, 2, 7, 100, 254, 255, 256, 1023, 65534, 65535 };
	struct rip_curve_file none = { 0 }, curve = good(numbers(256, 250, ""));

	for (size_t k = 0; k < sizeof maxvals / sizeof maxvals[0]; k++) {
		const unsigned maxval = maxvals[k], bits = maxval < 256 ? 8 : 16;
		AUTO_FREE uint16_t *table, *curved;

		assert_int_equal(rip_curve_file_table(&none, maxval, bits, &table), 0);
		assert_int_equal(rip_curve_file_table(&curve, maxval, bits, &curved), 0);
		assert_true((table == NULL) == (maxval == 255 || maxval == 65535));
		for (unsigned v = 0; v <= maxval; v++) {
			const uint64_t x = (65535ull * v * 2 + maxval) / (2 * maxval);

			if (table)
				assert_int_equal(table[v], x);
			assert_int_equal(curved[v], (x * 250 * 2 + 257) / 514);
		}
	}
	rip_curve_file_finish(&curve);
}
