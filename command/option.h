/*
 * Tables of options, as in git's parse-options: a row is one option, and all that is known of
 * it.  From the rows come parsing, the help, the messages about wrong values, what the completions
 * propose, and the job options of the filters.
 *
 * A command line has groups of rows.  A group that several commands share is an array of its own;
 * each command says where the group's values go.  All tables are constant; used by the main thread.
 */
#ifndef RIP_OPTION_H
#define RIP_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#define RIP_FILES  "FILE"
#define RIP_QUEUES "QUEUE"

#define RIP_GO_ON          (-1) /* else: the exit status with which the command must end */
#define RIP_OPTION_INVALID (-2) /* of a set(): the value is none of the choices */

enum rip_option_kind {
	RIP_OPTION_FLAG,   /* a bool: true if the option is given */
	RIP_OPTION_NUMBER, /* an unsigned: min to max */
	RIP_OPTION_NAME,   /* an enum: the place in `names`; "help" prints them */
	RIP_OPTION_FOUND,  /* an enum or unsigned: what find() returns, unless that is negative */
	RIP_OPTION_TEXT,   /* a const char *: the value as it is */
	RIP_OPTION_FILE,   /* the same, but not empty */
	RIP_OPTION_OUTPUT, /* the same; "-" if it is standard output by any name */
	RIP_OPTION_VALUE,  /* what set() makes of it */
};

struct rip_option_row {
	const char *name; /* without "--"; NULL: the end of the table */
	enum rip_option_kind kind;
	const char *argument; /* in the help: "FILE"; NULL for a flag */
	size_t      offset;   /* of the value, in the values of the group */
	unsigned    min, max;
	const char *const *names; /* ends with NULL */
	int       (*find)(const char *value);
	/* RIP_GO_ON, RIP_OPTION_INVALID, or the exit status after a message. */
	int       (*set)(const char *value, void *at);
	const char *choices; /* for the message: what is valid; NULL: the names, or min to max */
	/* Lists the names: the one at i, or NULL.  The value "help" prints them, and a remark that
	 * may follow after two spaces.  If it begins with "not", completions leave the name out. */
	const char *(*list)(unsigned i);
	/* What completions propose else, with spaces between: values, RIP_FILES, RIP_QUEUES. */
	const char *proposed;
	bool        many;   /* values with commas between */
	/* What is probably meant by a value that is not valid, or NULL. */
	const char *(*meant)(const char *value);
	const char *help;   /* NULL: the option is not shown */
	const char *job;    /* the job option of the filters that this one stands for, or NULL */
	char        letter; /* or 0 */
	bool        basic;  /* -h shows it, too, where there are many options */
};

/* What rows begin with; in braces, other members may follow.  `at`: the offset. */
#define RIP_FLAG(name_, at, help_) \
	.name = name_, .kind = RIP_OPTION_FLAG, .offset = at, .help = help_
#define RIP_ARGUMENT(kind_, name_, argument_, at, help_) \
	.name = name_, .kind = RIP_OPTION_##kind_, .argument = argument_, .offset = at, \
	.help = help_
#define RIP_NUMBER(name, argument, at, min_, max_, help) \
	RIP_ARGUMENT(NUMBER, name, argument, at, help), .min = min_, .max = max_
#define RIP_NAME(name, argument, at, names_, help) \
	RIP_ARGUMENT(NAME, name, argument, at, help), .names = names_
#define RIP_FOUND(name, argument, at, find_, choices_, help) \
	RIP_ARGUMENT(FOUND, name, argument, at, help), .find = find_, .choices = choices_
#define RIP_VALUE(name, argument, at, set_, choices_, help) \
	RIP_ARGUMENT(VALUE, name, argument, at, help), .set = set_, .choices = choices_

struct rip_command_group {
	const struct rip_option_row *options;
	void       *values;  /* that the offsets count from */
	const char *heading; /* above the options in the help, after an empty line; or NULL */
};

struct rip_command_line {
	const char *command; /* "halftone", or NULL: the program has no commands */
	const char *before;  /* the help above the options, and below them; after NULL: the exit */
	const char *after;   /* statuses 0 to 2, and the command's manual page */
	const struct rip_command_group *groups; /* ends with options NULL */
	char       *job;     /* gets the job options that are given, as "NAME=VALUE ..."; or NULL */
	size_t      job_size;
};

/* Parses options, and prints the help.  RIP_GO_ON: the arguments, of which none is empty, begin
 * at argv[optind], the options moved before them; or the exit status to end with, after any
 * message was written. */
int rip_options_parse(const struct rip_command_line *line, int argc, char **argv);

/* A whole number from min to max, of digits only; -1: it is none. */
long long rip_option_whole(const char *value, unsigned min, unsigned max);

/* Parses one value, for commands that have such values elsewhere.  RIP_GO_ON or an exit status. */
int rip_option_set(const char *command, const struct rip_option_row *option, const char *value,
		   void *values);

/*
 * The commands of riptide.  argv[0] is the command's name.  Each returns its exit status: 0 done,
 * 1 failed, 2 wrong usage; rip_status_command() also 3, no daemon.
 */

int rip_adopt_command(int argc, char **argv);
int rip_bench_command(int argc, char **argv); /* also 1 when methods give different dots */
int rip_calibrate_command(int argc, char **argv);
int rip_halftone_command(int argc, char **argv);
int rip_preview_command(int argc, char **argv);
int rip_release_command(int argc, char **argv);
int rip_rip_command(int argc, char **argv);
int rip_status_command(int argc, char **argv);
int rip_target_command(int argc, char **argv);

#endif
