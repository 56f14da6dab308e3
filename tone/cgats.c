#include "cgats.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/ascii.h"
#include "system/number.h"
#include "system/refuse.h"

/* The text while it is parsed. */
struct parser {
	struct rip_cgats *file;
	unsigned count; /* words */
	unsigned at;
	char    *why;
	size_t   size;
};

#define bad(parser, line, format, ...) \
	rip_refuse_as(-EBADMSG, (parser)->why, (parser)->size, "line %u: " format, line, \
		      ##__VA_ARGS__)

/* Counts the words of the text, or cuts them out of it if there is memory for them.  0 or
 * -EBADMSG. */
static int split(struct parser *parser, size_t bytes, struct rip_cgats_word *words)
{
	char *text = parser->file->text;
	uint32_t line = 1;
	bool first = true;
	unsigned count = 0;

	for (size_t i = 0; i < bytes;) {
		const bool quoted = text[i] == '"';
		const size_t begin = i + quoted;
		bool ends_line;

		if (rip_is_space(text[i])) {
			ends_line = text[i++] == '\n';
			line += ends_line;
			first |= ends_line;
			continue;
		}
		if (text[i] == '#') {
			while (i < bytes && text[i] != '\n')
				i++;
			continue;
		}
		for (i = begin;
		     i < bytes && !(quoted ? text[i] == '"' : rip_is_space(text[i])); i++)
			if ((unsigned char)text[i] < ' ' && text[i] != '\t')
				return bad(parser, line, "%s", quoted && text[i] == '\n' ?
					   "a text in quotes does not end" :
					   "a control character is in the text");
		if (quoted && i == bytes)
			return bad(parser, line, "a text in quotes does not end");
		if (words)
			words[count] = (struct rip_cgats_word){ text + begin, line, quoted, first };
		count++;
		first = false;
		if (i == bytes)
			break;
		ends_line = text[i] == '\n';
		line += ends_line;
		first = ends_line;
		if (words)
			text[i] = '\0';
		i++;
	}
	if (words) /* one more, which ends them */
		words[count] = (struct rip_cgats_word){ text + bytes, line, false, true };
	parser->count = count;
	return 0;
}

static const struct rip_cgats_word *here(const struct parser *parser)
{
	return &parser->file->words[parser->at];
}

static bool at_end(const struct parser *parser)
{
	return parser->at == parser->count;
}

static bool is(const struct rip_cgats_word *word, const char *text)
{
	return !word->quoted && !strcmp(word->text, text);
}

/* The words up to `end`, which is skipped.  0 or -EBADMSG. */
static int words_until(struct parser *parser, const char *end, const struct rip_cgats_word **words,
		       unsigned *count)
{
	*words = here(parser);
	while (!at_end(parser) && !is(here(parser), end))
		parser->at++;
	*count = (unsigned)(here(parser) - *words);
	if (at_end(parser))
		return bad(parser, here(parser)->line, "%s is missing", end);
	parser->at++;
	return 0;
}

/* A count that the table states, which must be right: programs that skip by it would read
 * something else. */
static int check_count(const struct parser *parser, const struct rip_cgats_table *table,
		       const char *keyword, unsigned count, uint32_t line)
{
	const char *value = rip_cgats_value(table, keyword);
	double number;

	if (!value)
		return 0;
	if (!rip_cgats_decimal(value, &number) || number != count)
		return bad(parser, line, "%s is not %u, which is what the table has", keyword,
			   count);
	return 0;
}

static int read_fields(struct parser *parser, struct rip_cgats_table *table)
{
	const uint32_t line = here(parser)[-1].line;
	const bool again = table->field_count > 0;
	unsigned count;
	int r = words_until(parser, "END_DATA_FORMAT", &table->fields, &count);

	if (r < 0)
		return r;
	if (again)
		return bad(parser, line, "a table has two data formats");
	if (count == 0 || count > RIP_CGATS_FIELDS_MAX)
		return bad(parser, line, "a table has %s fields", count ? "too many" : "no");
	table->field_count = count;
	return check_count(parser, table, "NUMBER_OF_FIELDS", table->field_count, line);
}

static int read_rows(struct parser *parser, struct rip_cgats_table *table)
{
	const uint32_t line = here(parser)[-1].line;
	unsigned count;
	int r;

	if (!table->field_count)
		return bad(parser, line, "data comes before its format");
	r = words_until(parser, "END_DATA", &table->cells, &count);
	if (r < 0)
		return r;
	if (count % table->field_count)
		return bad(parser, here(parser)[-1].line, "the last row has %u of %u cells",
			   count % table->field_count, table->field_count);
	table->rows = count / table->field_count;
	return check_count(parser, table, "NUMBER_OF_SETS", table->rows, line);
}

/* A keyword and its value.  KEYWORD "X", which declares that X is one, is like any other. */
static int read_keyword(struct parser *parser, struct rip_cgats_table *table)
{
	const struct rip_cgats_word *keyword = here(parser);

	if (keyword->quoted || parser->at + 1 >= parser->count || keyword[1].first)
		return bad(parser, keyword->line, "a keyword without a value");
	if (table->keyword_count == RIP_CGATS_KEYWORDS_MAX)
		return bad(parser, keyword->line, "more than %u keywords", RIP_CGATS_KEYWORDS_MAX);
	table->keywords[table->keyword_count++] = keyword;
	parser->at += 2;
	return 0;
}

/* One table, up to the end of its data. */
static int read_table(struct parser *parser, struct rip_cgats_table *table)
{
	const struct rip_cgats_word *type = here(parser);
	int r = 0;

	/* A keyword has its value in the same line. */
	if (type->quoted || strlen(type->text) > 31 ||
	    !(type[1].first || parser->at + 1 == parser->count))
		return bad(parser, type->line, "no CGATS table begins here");
	table->type = type->text;
	parser->at++;
	while (r == 0) {
		const struct rip_cgats_word *word = here(parser);

		if (at_end(parser))
			return bad(parser, word->line, "the table has no data");
		if (is(word, "BEGIN_DATA")) {
			parser->at++;
			return read_rows(parser, table);
		}
		if (is(word, "BEGIN_DATA_FORMAT")) {
			parser->at++;
			r = read_fields(parser, table);
		} else {
			r = read_keyword(parser, table);
		}
	}
	return r;
}

static int read_tables(struct parser *parser)
{
	struct rip_cgats *file = parser->file;
	int r = 0;

	if (at_end(parser))
		return bad(parser, 1, "the file is empty");
	while (r == 0 && !at_end(parser)) {
		if (file->count == RIP_CGATS_TABLES_MAX)
			return bad(parser, here(parser)->line, "more than %u tables",
				   RIP_CGATS_TABLES_MAX);
		r = read_table(parser, &file->tables[file->count++]);
	}
	return r;
}

int rip_cgats_parse(struct rip_cgats *file, const char *text, size_t bytes, char *why, size_t size)
{
	struct parser parser = { .file = file, .why = why, .size = size };
	int r;

	*file = (struct rip_cgats){ 0 };
	if (bytes > RIP_CGATS_BYTES_MAX)
		return rip_refuse_as(-EBADMSG, why, size, "it is larger than %u MiB",
				     RIP_CGATS_BYTES_MAX >> 20);
	file->text = malloc(bytes + 1);
	if (!file->text)
		goto no_memory;
	memcpy(file->text, text, bytes);
	file->text[bytes] = '\0';
	r = split(&parser, bytes, NULL);
	if (r == 0) {
		file->words = calloc((size_t)parser.count + 1, sizeof *file->words);
		if (!file->words)
			goto no_memory;
		r = split(&parser, bytes, file->words);
	}
	if (r == 0)
		r = read_tables(&parser);
	if (r < 0)
		rip_cgats_finish(file);
	return r;

no_memory:
	rip_cgats_finish(file);
	return rip_refuse_as(-ENOMEM, why, size, "out of memory");
}

void rip_cgats_finish(struct rip_cgats *file)
{
	free(file->words);
	free(file->text);
	*file = (struct rip_cgats){ 0 };
}

const struct rip_cgats_table *rip_cgats_table(const struct rip_cgats *file, const char *type)
{
	for (unsigned i = 0; i < file->count; i++)
		if (!strcmp(file->tables[i].type, type))
			return &file->tables[i];
	return NULL;
}

const char *rip_cgats_value(const struct rip_cgats_table *table, const char *keyword)
{
	for (unsigned i = 0; i < table->keyword_count; i++)
		if (!strcmp(table->keywords[i]->text, keyword))
			return table->keywords[i][1].text;
	return NULL;
}

int rip_cgats_field(const struct rip_cgats_table *table, const char *name)
{
	for (unsigned i = 0; i < table->field_count; i++)
		if (!strcmp(table->fields[i].text, name))
			return (int)i;
	return -1;
}

int rip_cgats_number(const struct rip_cgats_table *table, unsigned row, unsigned field,
		     double *number, char *why, size_t size)
{
	const struct rip_cgats_word *cell = &table->cells[(size_t)row * table->field_count + field];

	if (rip_cgats_decimal(cell->text, number))
		return 0;
	return rip_refuse_as(-EBADMSG, why, size, "line %u: the %.40s is not a number", cell->line,
			     table->fields[field].text);
}

bool rip_cgats_decimal(const char *text, double *number)
{
	char *end;
	const double value = rip_number_read(text, &end);

	/* Not what strtod() takes, too: blanks, hexadecimal numbers, names of no numbers. */
	if (end == text || *end || text[strspn(text, "+-.0123456789eE")] || fabs(value) > 1e15)
		return false;
	*number = value;
	return true;
}

bool rip_cgats_digits(const char **text, double *number)
{
	char word[12] = "";
	const char *at = *text;

	at += strspn(at, "0123456789");
	if (*at == '.' && at > *text)
		at += 1 + strspn(at + 1, "0123456789");
	if (at == *text || at - *text > 10)
		return false;
	memcpy(word, *text, (size_t)(at - *text));
	*number = rip_number_read(word, NULL);
	*text = at;
	return true;
}
