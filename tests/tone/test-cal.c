/* Calibrations: files of ArgyllCMS, our own, wrong ones, and files that must not be trusted. */
#include "tests/tools/testing.h"

#include "tone/cal.h"

static struct rip_cal cal, again;
static char why[200];

static int parse(const char *text)
{
	why[0] = '\0';
	return rip_cal_parse(&cal, text, strlen(text), why, sizeof why);
}

static char *sample(const char *name)
{
	static char path[4096];
	const char *source = getenv("RIPTIDE_SOURCE");

	snprintf(path, sizeof path, "%s/tests/tone/argyll/%s", source ? source : ".", name);
	return path;
}

/* printcal's curve, at two of its points, and synthcal's straight one of seven inks. */
TEST(argyll)
{
	static const char *const light[] = { "C", "M", "Y", "K", "c", "m", "k" };

	chmod(sample("printcal-k.cal"), 0644); /* a checkout may be writable for the group */
	assert_int_equal(rip_cal_load(&cal, sample("printcal-k.cal"), why, sizeof why), 0);
	assert_int_equal(cal.inks, 1);
	assert_string_equal(cal.ink[0].name, "K");
	assert_int_equal(cal.ink[0].curve[0], 0);
	assert_int_equal(cal.ink[0].curve[1], (int)(.00482018 * 65535 + .5));
	assert_int_equal(cal.ink[0].curve[4], (int)(.0192772 * 65535 + .5));
	chmod(sample("synthcal-light.cal"), 0644);
	assert_int_equal(rip_cal_load(&cal, sample("synthcal-light.cal"), why, sizeof why), 0);
	assert_int_equal(cal.inks, 7);
	for (unsigned i = 0; i < 7; i++) {
		const struct rip_cal_ink *ink = rip_cal_ink(&cal, light[i]);

		assert_non_null(ink);
		for (unsigned j = 0; j < 256; j++)
			assert_in_range(ink->curve[j], j * 257 - (j > 0), j * 257 + 1);
	}
	assert_null(rip_cal_ink(&cal, "y"));
	assert_int_equal(rip_cal_load(&cal, sample("grey.ti3"), why, sizeof why), -EBADMSG);
	assert_string_equal(why, "it has no table CAL: it is no calibration");
}

/* What is written is read again to the bit, notes too. */
TEST(round_trip)
{
	for (unsigned run = 0; run < 50; run++) {
		size_t bytes;
		AUTO_FREE char *text;

		memset(&cal, 0, sizeof cal);
		cal.inks = 1 + rip_test_below(RIP_CAL_INKS_MAX);
		for (unsigned i = 0; i < cal.inks; i++) {
			uint32_t value = 0;

			sprintf(cal.ink[i].name, "%c", 'a' + (int)i);
			for (unsigned j = 0; j < 256; j++) {
				value += rip_test_below(run % 2 ? 256 : 60000);
				cal.ink[i].curve[j] = (uint16_t)(value < 65535 ? value : 65535);
			}
		}
		assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_SCREEN",
						  "clustered-106 600x600 2"),
				 0);
		assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_X", "old"), 0);
		assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_X", "new"), 0);
		text = rip_cal_format(&cal, "Sun Nov 22 09:31:07 2026", &bytes);
		assert_non_null(text);
		memset(&again, 0, sizeof again);
		assert_int_equal(rip_cal_parse(&again, text, bytes, why, sizeof why), 0);
		assert_memory_equal(&cal, &again, sizeof cal);
		assert_string_equal(rip_cal_note(&again, "RIPTIDE_X"), "new");
		assert_null(rip_cal_note(&again, "RIPTIDE_Y"));
	}
}

TEST(notes)
{
	char name[32];

	memset(&cal, 0, sizeof cal);
	assert_int_equal(rip_cal_set_note(&cal, "SCREEN", "x"), -EINVAL);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_A B", "x"), -EINVAL);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_A", ""), -EINVAL);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_A", "a \"b\""), -EINVAL);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_A", "a\nb"), -EINVAL);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_A123456789012345678901234567890", "x"),
			 -EINVAL);
	for (unsigned i = 0; i < RIP_CAL_NOTES_MAX; i++) {
		sprintf(name, "RIPTIDE_%u", i);
		assert_int_equal(rip_cal_set_note(&cal, name, "x"), 0);
	}
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_A", "x"), -ENOSPC);
	assert_int_equal(rip_cal_set_note(&cal, "RIPTIDE_7", "y"), 0);
}

#define TABLE(fields, rows) \
	"CAL\nBEGIN_DATA_FORMAT\n" fields "\nEND_DATA_FORMAT\nBEGIN_DATA\n" rows "\nEND_DATA\n"

static void refuses(const char *text, const char *reason)
{
	memset(&cal, 7, sizeof cal);
	again = cal;
	assert_int_equal(parse(text), -EBADMSG);
	assert_string_equal(why, reason);
	assert_memory_equal(&cal, &again, sizeof cal);
}

TEST(wrong)
{
	refuses("nothing", "line 1: the table has no data");
	refuses(TABLE("A B", "0 0\n1 1"), "the table CAL has no column _I");
	refuses(TABLE("K_I", "0\n1"), "the table CAL has no column for an ink");
	refuses(TABLE("K_I X_K", "0 0\n1 1"), "the table CAL has no column for an ink");
	refuses(TABLE("K_I K_\"", "0 0\n1 1"), "the table CAL has no column for an ink");
	refuses(TABLE("K_I K_K", "0 0"), "the curves have fewer than 2 points");
	refuses(TABLE("K_I K_K", "0 0\n.9 1"), "the curves do not go from 0 to 1");
	refuses(TABLE("K_I K_K", ".1 0\n1 1"), "the curves do not go from 0 to 1");
	refuses(TABLE("K_I K_K", "0 0\n.5 .5\n.5 .6\n1 1"), "line 8: the K_I does not rise");
	refuses(TABLE("K_I K_K", "0 0\n.5 .5\n1 .49"), "line 8: the curve K_K falls");
	refuses(TABLE("K_I K_K", "0 0\n1 1.01"), "line 7: the K_K is not between 0 and 1");
	refuses(TABLE("K_I K_K", "0 -1\n1 1"), "line 6: the K_K is not between 0 and 1");
	refuses(TABLE("K_I K_K", "0 0\n1 nan"), "line 7: the K_K is not a number");
	refuses(TABLE("K_I K_K K_K", "0 0 0\n1 1 1"), "two columns are for the same ink");
	refuses(TABLE("X_I X_a X_b X_c X_d X_e X_f X_g X_h X_i X_j X_k X_l X_m X_n X_o X_p X_q",
		      "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"),
		"there are more than 16 inks");
	/* A fall within the rounding of others becomes level, not a fall. */
	assert_int_equal(parse(TABLE("K_I GRAY_K", "0 0\n.5 .5\n.75 .4995\n1 1.0005")), 0);
	assert_string_equal(cal.ink[0].name, "K");
	for (unsigned j = 1; j < 256; j++)
		assert_true(cal.ink[0].curve[j] >= cal.ink[0].curve[j - 1]);
	assert_int_equal(cal.ink[0].curve[255], 65535);
}

static void refuses_file(const char *path, int error, const char *reason)
{
	assert_int_equal(rip_cal_load(&cal, path, why, sizeof why), error);
	assert_string_equal(why, reason);
}

static void write_file(const char *path, const char *text, size_t bytes)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, bytes, file), bytes);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0644), 0);
}

TEST(files)
{
	static const char good[] = TABLE("K_I K_K", "0 0\n1 1");
	char folder[] = "/tmp/riptide-cal-XXXXXX", path[64], *large;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/x.cal", folder);
	refuses_file(path, -ENOENT, "cannot open it: No such file or directory");
	refuses_file(folder, -EBADMSG, "it is not a file");
	assert_int_equal(mkfifo(path, 0644), 0);
	refuses_file(path, -EBADMSG, "it is not a file");
	assert_int_equal(unlink(path), 0);
	write_file(path, good, sizeof good - 1);
	assert_int_equal(rip_cal_load(&cal, path, why, sizeof why), 0);
	assert_int_equal(cal.ink[0].curve[100], 25700);
	chmod(path, 0664);
	refuses_file(path, -EPERM, "others than its owner may write it (chmod go-w)");
	chmod(path, 0646);
	refuses_file(path, -EPERM, "others than its owner may write it (chmod go-w)");
	chmod(path, 0644);
	if (geteuid() == 0) { /* only root may give a file away */
		assert_int_equal(chown(path, 12345, 0), 0);
		refuses_file(path, -EPERM, "it does not belong to root");
		assert_int_equal(chown(path, 0, 0), 0);
	}
	large = calloc(1, RIP_CAL_BYTES_MAX + 1);
	memset(large, ' ', RIP_CAL_BYTES_MAX + 1);
	memcpy(large, good, sizeof good - 1);
	write_file(path, large, RIP_CAL_BYTES_MAX);
	assert_int_equal(rip_cal_load(&cal, path, why, sizeof why), 0);
	write_file(path, large, RIP_CAL_BYTES_MAX + 1);
	refuses_file(path, -EBADMSG, "it is larger than 1 MiB");
	free(large);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

TEST(paths)
{
	static const char *const wrong[] = {
		"",         ".",
		"..",       "../x",
		"a/b",      ".hidden",
		"-o",       "_x",
		"a b",      "a\n",
		"\xc3\xa4", "none",
		"None",     "12345678901234567890123456789012345678901234567890123456789012345",
	};
	char path[100];

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(rip_cal_path("/etc", wrong[i], path, sizeof path, why, sizeof why),
				 -EINVAL);
	assert_int_equal(rip_cal_path("/etc/x", "Office-2.matt", path, sizeof path, why,
				      sizeof why),
			 0);
	assert_string_equal(path, "/etc/x/Office-2.matt.cal");
	assert_int_equal(rip_cal_path("/etc/x", "Office", path, 16, why, sizeof why), -EINVAL);
	assert_non_null(strstr(rip_cal_folder(), "/riptide/calibration"));
	rip_cal_use_folder("");
	assert_non_null(strstr(rip_cal_folder(), "/riptide/calibration"));
	rip_cal_use_folder("/tmp/x");
	assert_string_equal(rip_cal_folder(), "/tmp/x");
}
