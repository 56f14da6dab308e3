/*
 * Any bytes as a calibration: it is taken, every curve in range and never falling, and what
 * is written from it gives the same again; or refused with a reason that a terminal can show.
 */
#include "tests/fuzz/fuzz.h"

#include "tone/cal.h"
#include "tone/cgats.h"

/* Every word that a table points at is there. */
static void check_tables(const struct rip_cgats *file)
{
	size_t length = 0;

	insist(file->count >= 1 && file->count <= RIP_CGATS_TABLES_MAX);
	for (unsigned t = 0; t < file->count; t++) {
		const struct rip_cgats_table *table = &file->tables[t];

		insist(table->field_count <= RIP_CGATS_FIELDS_MAX);
		for (unsigned i = 0; i < table->keyword_count; i++)
			length += strlen(table->keywords[i]->text) +
				  strlen(table->keywords[i][1].text);
		for (unsigned i = 0; i < table->field_count; i++)
			length += strlen(table->fields[i].text);
		for (size_t i = 0; i < (size_t)table->rows * table->field_count; i++)
			length += strlen(table->cells[i].text);
	}
	insist(length < RIP_CGATS_BYTES_MAX);
}

static void check_curves(const struct rip_cal *cal)
{
	insist(cal->inks >= 1 && cal->inks <= RIP_CAL_INKS_MAX && cal->notes <= RIP_CAL_NOTES_MAX);
	for (unsigned i = 0; i < cal->inks; i++) {
		insist(rip_cal_ink(cal, cal->ink[i].name) == &cal->ink[i]);
		for (unsigned j = 1; j < RIP_CAL_POINTS; j++)
			insist(cal->ink[i].curve[j] >= cal->ink[i].curve[j - 1]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rip_cal cal, again;
	struct rip_cgats file;
	char why[160] = "", *text;
	size_t bytes;

	if (rip_cgats_parse(&file, (const char *)data, size, why, sizeof why) < 0) {
		insist_reason(why, sizeof why);
		return 0;
	}
	check_tables(&file);
	rip_cgats_finish(&file);
	memset(&cal, 0, sizeof cal);
	if (rip_cal_parse(&cal, (const char *)data, size, why, sizeof why) < 0) {
		insist_reason(why, sizeof why);
		return 0;
	}
	check_curves(&cal);
	text = rip_cal_format(&cal, "Sun Nov 22 09:31:07 2026", &bytes);
	if (text && rip_cal_parse(&again, text, bytes, why, sizeof why) == 0)
		insist(!memcmp(&cal, &again, sizeof cal));
	else
		insist(!text);
	free(text);
	return 0;
}
