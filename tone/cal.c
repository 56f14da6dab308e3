#include "config.h"

#include "cal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgats.h"
#include "system/ascii.h"
#include "system/refuse.h"

#define NOTE_PREFIX "RIPTIDE_"

/* Rounding and smoothing in other programs: curves may fall by this, and leave 0 to 1 by
 * this. */
#define SLACK 0.001

#define ROWS_MAX 4096

/* The columns of a .cal file. */
struct cal_points {
	const struct rip_cgats_table *table;
	unsigned asked; /* the column "I" */
	double   from[ROWS_MAX], to[ROWS_MAX];
};

#define LETTERS_AND_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

#define bad(why, size, ...) rip_refuse_as(-EBADMSG, why, size, __VA_ARGS__)

/* A value of 0 to 1, or a little past them. */
static int read_value(const struct rip_cgats_table *table, unsigned row, unsigned field,
		      double *value, char *why, size_t size)
{
	int r = rip_cgats_number(table, row, field, value, why, size);

	if (r < 0)
		return r;
	if (*value < -SLACK || *value > 1 + SLACK)
		return bad(why, size, "line %u: the %.40s is not between 0 and 1",
			   table->cells[row * table->field_count + field].line,
			   table->fields[field].text);
	*value = *value < 0 ? 0 : *value > 1 ? 1 : *value;
	return 0;
}

static int read_asked(struct cal_points *points, char *why, size_t size)
{
	const struct rip_cgats_table *table = points->table;
	const unsigned rows = table->rows;
	int r = 0;

	if (rows < 2 || rows > ROWS_MAX)
		return bad(why, size, "the curves have %s points",
			   rows < 2 ? "fewer than 2" : "more than 4096");
	for (unsigned i = 0; r == 0 && i < rows; i++) {
		r = read_value(table, i, points->asked, &points->from[i], why, size);
		if (r == 0 && i > 0 && points->from[i] <= points->from[i - 1])
			r = bad(why, size, "line %u: the %.40s does not rise",
				table->cells[i * table->field_count].line,
				table->fields[points->asked].text);
	}
	if (r == 0 && (points->from[0] > SLACK || points->from[rows - 1] < 1 - SLACK))
		r = bad(why, size, "the curves do not go from 0 to 1");
	return r;
}

/* The curve at 256 places, from a table's points. */
static void resample(const struct cal_points *points, uint16_t curve[RIP_CAL_POINTS])
{
	const double *from = points->from, *to = points->to;
	const unsigned last = points->table->rows - 1;
	unsigned j = 0;

	for (unsigned i = 0; i < RIP_CAL_POINTS; i++) {
		const double x = (double)i / (RIP_CAL_POINTS - 1);
		double y;

		while (j + 1 < last && from[j + 1] <= x)
			j++;
		y = x <= from[0] ? to[0] : x >= from[last] ? to[last] :
		    to[j] + (to[j + 1] - to[j]) * (x - from[j]) / (from[j + 1] - from[j]);
		curve[i] = (uint16_t)(65535 * y + .5);
	}
}

static int read_ink(struct cal_points *points, unsigned field, const char *name,
		    struct rip_cal_ink *ink, char *why, size_t size)
{
	const struct rip_cgats_table *table = points->table;
	double most = 0;

	for (unsigned i = 0; i < table->rows; i++) {
		double value;
		int r = read_value(table, i, field, &value, why, size);

		if (r < 0)
			return r;
		if (value < most - SLACK)
			return bad(why, size, "line %u: the curve %.40s falls",
				   table->cells[i * table->field_count + field].line,
				   table->fields[field].text);
		most = value > most ? value : most;
		points->to[i] = most;
	}
	snprintf(ink->name, sizeof ink->name, "%s", name);
	resample(points, ink->curve);
	return 0;
}

/* The name of the ink that a column is for; NULL: it is none.  prefix: of the column "I", with
 * its _; targen writes GRAY_ where printcal writes K_. */
static const char *ink_of(const char *field, const char *prefix, size_t length)
{
	const char *name = NULL;

	if (!strncmp(field, prefix, length))
		name = field + length;
	else if (!strncmp(field, "GRAY_", 5))
		name = field + 5;
	if (!name || !*name || strlen(name) > 3 || !strcmp(name, "I") ||
	    name[strspn(name, LETTERS_AND_DIGITS)])
		return NULL;
	return name;
}

static int read_inks(struct cal_points *points, struct rip_cal *cal, char *why, size_t size)
{
	const struct rip_cgats_table *table = points->table;
	const char *asked = table->fields[points->asked].text;
	const size_t length = strlen(asked) - 1;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < table->field_count; i++) {
		const char *name = ink_of(table->fields[i].text, asked, length);

		if (!name)
			continue;
		if (cal->inks == RIP_CAL_INKS_MAX)
			return bad(why, size, "there are more than 16 inks");
		if (rip_cal_ink(cal, name))
			return bad(why, size, "two columns are for the same ink");
		r = read_ink(points, i, name, &cal->ink[cal->inks++], why, size);
	}
	if (r == 0 && cal->inks == 0)
		r = bad(why, size, "the table CAL has no column for an ink");
	return r;
}

/* A note that is too long, or too many of them, are not from us: they are left out. */
static void read_notes(const struct rip_cgats_table *table, struct rip_cal *cal)
{
	for (unsigned i = 0; i < table->keyword_count; i++) {
		const struct rip_cgats_word *keyword = table->keywords[i];

		if (!strncmp(keyword->text, NOTE_PREFIX, strlen(NOTE_PREFIX)))
			(void)rip_cal_set_note(cal, keyword->text, keyword[1].text);
	}
}

/* Finds the column of what was asked for: "K_I", "CMYK_I". */
static int find_asked(struct cal_points *points, char *why, size_t size)
{
	for (unsigned i = 0; i < points->table->field_count; i++) {
		const char *name = points->table->fields[i].text;
		const size_t length = strlen(name);

		if (length >= 3 && !strcmp(name + length - 2, "_I")) {
			points->asked = i;
			return 0;
		}
	}
	return bad(why, size, "the table CAL has no column _I");
}

static int read_table(const struct rip_cgats_table *table, struct rip_cal *cal, char *why,
		      size_t size)
{
	struct cal_points *points;
	int r;

	if (!table)
		return bad(why, size, "it has no table CAL: it is no calibration");
	points = malloc(sizeof *points);
	if (!points)
		return rip_refuse_as(-ENOMEM, why, size, "out of memory");
	points->table = table;
	r = find_asked(points, why, size);
	if (r == 0)
		r = read_asked(points, why, size);
	if (r == 0)
		r = read_inks(points, cal, why, size);
	free(points);
	return r;
}

int rip_cal_parse(struct rip_cal *cal, const char *text, size_t bytes, char *why, size_t size)
{
	struct rip_cgats file;
	struct rip_cal *made;
	int r = rip_cgats_parse(&file, text, bytes, why, size);

	if (r < 0)
		return r;
	made = calloc(1, sizeof *made);
	r = made ? read_table(rip_cgats_table(&file, "CAL"), made, why, size) :
		   rip_refuse_as(-ENOMEM, why, size, "out of memory");
	if (r == 0) {
		read_notes(rip_cgats_table(&file, "CAL"), made);
		*cal = *made;
	}
	free(made);
	rip_cgats_finish(&file);
	return r;
}

/* Checks who may have written the file that is open as fd. */
static int check_file(int fd, size_t *bytes, char *why, size_t size)
{
	struct stat info;

	if (fstat(fd, &info) < 0)
		return rip_refuse_as(-errno, why, size, "cannot read it: %s", strerror(errno));
	if (!S_ISREG(info.st_mode))
		return bad(why, size, "it is not a file");
	if (info.st_uid != 0 && info.st_uid != geteuid())
		return rip_refuse_as(-EPERM, why, size, "it does not belong to root");
	if (info.st_mode & (S_IWGRP | S_IWOTH))
		return rip_refuse_as(-EPERM, why, size,
			      "others than its owner may write it (chmod go-w)");
	if (info.st_size > RIP_CAL_BYTES_MAX)
		return bad(why, size, "it is larger than 1 MiB");
	*bytes = (size_t)info.st_size;
	return 0;
}

int rip_cal_load(struct rip_cal *cal, const char *path, char *why, size_t size)
{
	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char *text = NULL;
	size_t bytes = 0;
	int r;

	if (fd < 0)
		return rip_refuse_as(-errno, why, size, "cannot open it: %s", strerror(errno));
	r = check_file(fd, &bytes, why, size);
	if (r == 0 && !(text = malloc(bytes + 1)))
		r = rip_refuse_as(-ENOMEM, why, size, "cannot read it: %s", strerror(ENOMEM));
	if (r == 0) {
		const ssize_t got = pread(fd, text, bytes, 0);

		r = got < 0 ? rip_refuse_as(-errno, why, size, "cannot read it: %s",
					    strerror(errno)) :
			      rip_cal_parse(cal, text, (size_t)got, why, size);
	}
	close(fd);
	free(text);
	return r;
}

/* value/65535 with nine places, which give back every curve exactly.  What printf() writes
 * for %f depends on the locale. */
static void put_value(FILE *out, uint16_t value)
{
	const uint64_t billionths = (value * UINT64_C(1000000000) + 32767) / 65535;

	fprintf(out, " %u.%09u", (unsigned)(billionths / 1000000000),
		(unsigned)(billionths % 1000000000));
}

char *rip_cal_format(const struct rip_cal *cal, const char *created, size_t *bytes)
{
	char inks[RIP_CAL_INKS_MAX * 4] = "";
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	if (!out)
		return NULL;
	for (unsigned i = 0; i < cal->inks; i++)
		strcat(inks, cal->ink[i].name);
	fprintf(out, "CAL    \n\nDESCRIPTOR \"Argyll Device Calibration Curves\"\n"
		"ORIGINATOR \"riptide\"\nCREATED \"%s\"\n"
		"DEVICE_CLASS \"OUTPUT\"\nCOLOR_REP \"%s\"\n", created, inks);
	for (unsigned i = 0; i < cal->notes; i++)
		fprintf(out, "KEYWORD \"%s\"\n%s \"%s\"\n", cal->note[i].name, cal->note[i].name,
			cal->note[i].value);
	fprintf(out, "\nNUMBER_OF_FIELDS %u\nBEGIN_DATA_FORMAT\n%s_I", cal->inks + 1, inks);
	for (unsigned i = 0; i < cal->inks; i++)
		fprintf(out, " %s_%s", inks, cal->ink[i].name);
	fprintf(out, "\nEND_DATA_FORMAT\n\nNUMBER_OF_SETS %u\nBEGIN_DATA\n", RIP_CAL_POINTS);
	for (unsigned j = 0; j < RIP_CAL_POINTS; j++) {
		put_value(out, (uint16_t)(j * 257));
		for (unsigned i = 0; i < cal->inks; i++)
			put_value(out, cal->ink[i].curve[j]);
		fputc('\n', out);
	}
	fputs("END_DATA\n", out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

const struct rip_cal_ink *rip_cal_ink(const struct rip_cal *cal, const char *name)
{
	for (unsigned i = 0; i < cal->inks; i++)
		if (!strcmp(cal->ink[i].name, name))
			return &cal->ink[i];
	return NULL;
}

const char *rip_cal_note(const struct rip_cal *cal, const char *name)
{
	for (unsigned i = 0; i < cal->notes; i++)
		if (!strcmp(cal->note[i].name, name))
			return cal->note[i].value;
	return NULL;
}

static bool is_plain(const char *text, size_t max, bool spaces)
{
	size_t length = 0;

	for (; text[length]; length++)
		if (text[length] < (spaces ? ' ' : '!') || text[length] > '~' ||
		    text[length] == '"' || length == max)
			return false;
	return length > 0;
}

int rip_cal_set_note(struct rip_cal *cal, const char *name, const char *value)
{
	struct rip_cal_note *note = NULL;

	if (strncmp(name, NOTE_PREFIX, strlen(NOTE_PREFIX)) ||
	    !is_plain(name, sizeof note->name - 1, false) ||
	    !is_plain(value, sizeof note->value - 1, true))
		return -EINVAL;
	for (unsigned i = 0; i < cal->notes && !note; i++)
		if (!strcmp(cal->note[i].name, name))
			note = &cal->note[i];
	if (!note && cal->notes == RIP_CAL_NOTES_MAX)
		return -ENOSPC;
	if (!note)
		note = &cal->note[cal->notes++];
	*note = (struct rip_cal_note){ 0 };
	strcpy(note->name, name);
	strcpy(note->value, value);
	return 0;
}

static bool is_name(const char *name)
{
	return *name && !strchr("._-", *name) && !name[strspn(name, LETTERS_AND_DIGITS "._-")] &&
	       strlen(name) <= RIP_CAL_NAME_MAX;
}

int rip_cal_path(const char *folder, const char *name, char *path, size_t path_size, char *why,
		 size_t size)
{
	if (rip_same_name(name, "none"))
		return rip_refuse(why, size, "\"none\" stands for no calibration");
	if (!is_name(name))
		return rip_refuse(why, size, "a calibration's name has 1 to %u letters, digits, and"
				  " . _ - (not in front)", RIP_CAL_NAME_MAX);
	if ((size_t)snprintf(path, path_size, "%s/%s.cal", folder, name) >= path_size)
		return rip_refuse_as(-EINVAL, why, size,
			      "the name of the folder of calibrations is too long");
	return 0;
}

static const char *folder_in_use = RIP_SYSCONFDIR "/riptide/calibration";

void rip_cal_use_folder(const char *folder)
{
	if (folder && *folder)
		folder_in_use = folder;
}

const char *rip_cal_folder(void)
{
	return folder_in_use;
}
