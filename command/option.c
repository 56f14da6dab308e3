#include "option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/out_file.h"
#include "system/ascii.h"
#include "terminal.h"

#define OPTIONS_MAX 64  /* of a command */
#define LONG_OPTION 256 /* above all letters */

#define PROPOSED_NUMBERS 16 /* at most so many */

#define FEW_OPTIONS 9   /* of which -h shows all */

#define HELP_INDENT 24 /* columns before what an option is for */
#define HELP_WIDTH  96 /* columns of the help */

static const struct rip_option_row help_rows[] = {
	{ RIP_FLAG("help", 0, "print this and exit"), .letter = 'h', .basic = true },
	{ .name = NULL }
};

/* All rows of a command, and last --help. */
struct rows {
	const struct rip_option_row *option[OPTIONS_MAX];
	const struct rip_command_group *group[OPTIONS_MAX]; /* of each */
	const char *value[OPTIONS_MAX]; /* the last one given of each, or NULL */
	unsigned count;
};

static void add_group(struct rows *rows, const struct rip_command_group *group)
{
	for (const struct rip_option_row *o = group->options; o->name; o++) {
		if (rows->count == OPTIONS_MAX)
			abort();
		rows->group[rows->count] = group;
		rows->option[rows->count++] = o;
	}
}

static void collect(struct rows *rows, const struct rip_command_line *line)
{
	static const struct rip_command_group help = { .options = help_rows };

	for (const struct rip_command_group *group = line->groups; group->options; group++)
		add_group(rows, group);
	add_group(rows, &help);
}

/* Prints a text from its column on, broken between words. */
static void print_wrapped(const char *text, size_t column)
{
	while (*text) {
		const size_t length = strcspn(text, " ");

		if (column > HELP_INDENT && column + 1 + length > HELP_WIDTH) {
			printf("\n%*s", HELP_INDENT, "");
			column = HELP_INDENT;
		}
		column += (size_t)printf("%s%.*s", column > HELP_INDENT ? " " : "",
					 (int)length, text);
		text += length + strspn(text + length, " ");
	}
	putchar('\n');
}

static void print_row(const struct rip_option_row *option)
{
	size_t column = (size_t)printf(option->letter ? "  -%c, " : "  ", option->letter);

	column += (size_t)printf("--%s%s%s", option->name, option->argument ? " " : "",
				 option->argument ? option->argument : "");
	if (column >= HELP_INDENT) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(HELP_INDENT - column), "");
	print_wrapped(option->help, HELP_INDENT);
}

static int print_help(const struct rip_command_line *line, const struct rows *rows, bool basic)
{
	const struct rip_command_group *shown = NULL;

	basic = basic && rows->count > FEW_OPTIONS;
	puts(line->before);
	for (unsigned i = 0; i < rows->count; i++) {
		if (!rows->option[i]->help || (basic && !rows->option[i]->basic))
			continue;
		if (!basic && rows->group[i] != shown && rows->group[i]->heading)
			printf("%s%s", shown ? "\n" : "", rows->group[i]->heading);
		shown = rows->group[i];
		print_row(rows->option[i]);
	}
	puts(basic ? "\n--help shows all options." : "");
	if (line->after)
		puts(line->after);
	else
		printf("Exit status: 0 done, 1 failed, 2 wrong usage.  See riptide-%s(1).\n",
		       line->command);
	return 0;
}

/* The name at i, perhaps with a remark; NULL: there are no more. */
static const char *choice(const struct rip_option_row *option, unsigned i)
{
	return option->list ? option->list(i) : option->names ? option->names[i] : NULL;
}

/* The rest of a line of the list: what may be proposed for a value. */
static void print_proposed(const struct rip_option_row *option)
{
	const bool is_number = option->kind == RIP_OPTION_NUMBER;
	const char *name, *remark;

	if (option->kind != RIP_OPTION_FLAG)
		putchar('\t');
	if (option->many)
		fputs(", ", stdout);
	if (option->proposed)
		printf("%s ", option->proposed);
	else if (option->kind == RIP_OPTION_FILE || option->kind == RIP_OPTION_OUTPUT)
		fputs(RIP_FILES, stdout);
	else if (is_number && option->max - option->min < PROPOSED_NUMBERS)
		for (unsigned n = option->min; n <= option->max; n++)
			printf("%u ", n);
	for (unsigned i = 0; (name = choice(option, i)); i++) {
		remark = strstr(name, "  ");
		if (!remark || strncmp(remark + strspn(remark, " "), "not", 3))
			printf("%.*s ", (int)strcspn(name, " "), name);
	}
	putchar('\n');
}

/* For completions, a line an option, and one for its letter.  If it takes a value: a tab, and what
 * may be proposed; a comma comes first if these are for a list. */
static int print_list(const struct rows *rows)
{
	for (unsigned i = 0; i < rows->count; i++) {
		const struct rip_option_row *option = rows->option[i];

		if (!option->help)
			continue;
		printf("--%s", option->name);
		print_proposed(option);
		if (option->letter) {
			printf("-%c", option->letter);
			print_proposed(option);
		}
	}
	return 0;
}

/* Appends a name to a list in words. */
static void append(char *names, size_t size, const char *name)
{
	const size_t used = strlen(names);
	const char *remark = strstr(name, "  ");

	snprintf(names + used, size - used, "%s%.*s", used ? ", " : "",
		 (int)(remark ? (size_t)(remark - name) : strlen(name)), name);
}

/* Says what is valid instead.  Returns 2. */
static int invalid(const char *command, const struct rip_option_row *option, const char *value)
{
	const char *name, *meant = option->meant ? option->meant(value) : NULL;
	char choices[512] = "";

	for (unsigned i = 0; (name = choice(option, i)); i++)
		append(choices, sizeof choices, name);
	if (option->kind == RIP_OPTION_NUMBER)
		snprintf(choices, sizeof choices, "%u to %u", option->min, option->max);
	if (option->kind == RIP_OPTION_FILE || option->kind == RIP_OPTION_OUTPUT)
		snprintf(choices, sizeof choices, "a file");
	return rip_wrong_usage(command, "--%s \"%s\" is %s%s: %schoose %s", option->name, value,
			       meant ? "nearly " : "not valid", meant ? meant : "",
			       meant ? "write that, or " : "",
			       option->choices ? option->choices : choices);
}

static int print_names(const struct rip_option_row *option)
{
	const char *name;

	for (unsigned i = 0; (name = choice(option, i)); i++)
		puts(name);
	return 0;
}

long long rip_option_whole(const char *value, unsigned min, unsigned max)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 10);
	return value[0] < '0' || value[0] > '9' || *end || errno || n < (long long)min ||
	       n > (long long)max ? -1 : n;
}

static long long find_name(const char *const *names, const char *value)
{
	for (unsigned i = 0; names[i]; i++)
		if (rip_same_name(names[i], value))
			return i;
	return -1;
}

/* The value as a number; -1: it is not valid. */
static long long to_number(const struct rip_option_row *option, const char *value)
{
	switch (option->kind) {
	case RIP_OPTION_NUMBER:
		return rip_option_whole(value, option->min, option->max);
	case RIP_OPTION_NAME:
		return find_name(option->names, value);
	default:
		return option->find(value);
	}
}

/* RIP_GO_ON, RIP_OPTION_INVALID, or an exit status. */
static int set(const struct rip_option_row *option, const char *value, void *at)
{
	long long n;

	switch (option->kind) {
	case RIP_OPTION_FLAG:
		*(bool *)at = true;
		return RIP_GO_ON;
	case RIP_OPTION_NUMBER:
	case RIP_OPTION_NAME:
	case RIP_OPTION_FOUND:
		n = to_number(option, value);
		if (n >= 0)
			*(unsigned *)at = (unsigned)n;
		return n >= 0 ? RIP_GO_ON : RIP_OPTION_INVALID;
	case RIP_OPTION_VALUE:
		return option->set(value, at);
	default:
		if (!*value && option->kind != RIP_OPTION_TEXT)
			return RIP_OPTION_INVALID;
		*(const char **)at = option->kind == RIP_OPTION_OUTPUT &&
				     rip_out_name_descriptor(value) == STDOUT_FILENO ? "-" : value;
		return RIP_GO_ON;
	}
}

int rip_option_set(const char *command, const struct rip_option_row *option, const char *value,
		   void *values)
{
	const int status = set(option, value, (char *)values + option->offset);

	if (status != RIP_OPTION_INVALID)
		return status;
	return choice(option, 0) && !strcmp(value, "help") ? print_names(option)
							   : invalid(command, option, value);
}

/* Writes the job's text: each job option once, with the value that was given last. */
static int make_job(const struct rip_command_line *line, const struct rows *rows)
{
	size_t used = 0;

	for (unsigned i = 0; line->job && i < rows->count; i++)
		if (rows->option[i]->job && rows->value[i] && used < line->job_size)
			used += (size_t)snprintf(line->job + used, line->job_size - used, "%s=%s ",
						 rows->option[i]->job, rows->value[i]);
	return !line->job || used < line->job_size ? RIP_GO_ON :
	       rip_wrong_usage(line->command, "the options are longer"
			       " than the %zu bytes of a job's", line->job_size - 1);
}

/* Whether getopt_long() complains of a long option that it knows and that has a value.  It says the
 * same of an unknown letter, which may stand in the argument that comes next. */
static bool takes_no_value(char **argv)
{
	const char *last = argv[optind - 1], *next = argv[optind];
	const bool is_letter = next && optopt < LONG_OPTION && next[0] == '-' && next[1] != '-' &&
			       strchr(next + 1, optopt);

	return optopt && !is_letter && !strncmp(last, "--", 2) && strchr(last, '=');
}

/* Reports an option that is unknown, or that lacks a value or should have none: what getopt_long()
 * returns as '?' or ':'.  Returns 2. */
static int bad_option(const char *command, int what, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	/* A long option has no letter, or a number that is none. */
	const char *option = optopt > 0 && optopt < LONG_OPTION ? letter : argv[optind - 1];

	if (what == '?' && takes_no_value(argv))
		return rip_wrong_usage(command, "the option %.*s takes no value",
				       (int)strcspn(argv[optind - 1], "="), argv[optind - 1]);
	return rip_wrong_usage(command, what == ':' ? "the option %s requires a value"
						    : "unknown option %s", option);
}

/* The row that getopt_long() has found. */
static unsigned row_of(const struct rows *rows, int found)
{
	unsigned i = 0;

	if (found >= LONG_OPTION)
		return (unsigned)(found - LONG_OPTION);
	while (rows->option[i]->letter != found)
		i++;
	return i;
}

/* An option that was found, with its value in optarg.  RIP_GO_ON or an exit status. */
static int take(const struct rip_command_line *line, struct rows *rows, int found)
{
	const unsigned row = row_of(rows, found);
	const struct rip_option_row *option = rows->option[row];

	if (option == help_rows)
		return print_help(line, rows, found == 'h');
	rows->value[row] = optarg;
	return rip_option_set(line->command, option, optarg, rows->group[row]->values);
}

int rip_options_parse(const struct rip_command_line *line, int argc, char **argv)
{
	struct option options[OPTIONS_MAX + 1] = { 0 };
	char letters[2 * OPTIONS_MAX + 2] = ":";
	size_t used = 1;
	struct rows rows = { .count = 0 };
	int found, status = RIP_GO_ON;

	collect(&rows, line);
	if (argc == 2 && !strcmp(argv[1], "--list-options"))
		return print_list(&rows);
	for (unsigned i = 0; i < rows.count; i++) {
		const struct rip_option_row *option = rows.option[i];
		const bool flag = option->kind == RIP_OPTION_FLAG;

		options[i] = (struct option){ option->name, flag ? no_argument : required_argument,
					      NULL, LONG_OPTION + (int)i };
		if (option->letter) {
			letters[used++] = option->letter;
			if (!flag)
				letters[used++] = ':';
		}
	}
	optind = 0; /* getopt_long() starts anew */
	while (status == RIP_GO_ON &&
	       (found = getopt_long(argc, argv, letters, options, NULL)) != -1)
		status = found == '?' || found == ':' ? bad_option(line->command, found, argv)
						      : take(line, &rows, found);
	for (int i = optind; status == RIP_GO_ON && i < argc; i++)
		if (!*argv[i])
			status = rip_wrong_usage(line->command, "the name \"\" is empty");
	return status == RIP_GO_ON ? make_job(line, &rows) : status;
}
