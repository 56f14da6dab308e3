/*
 * The command lines of riptide adopt and riptide release.
 */
#ifndef RIP_ADOPT_OPTIONS_H
#define RIP_ADOPT_OPTIONS_H

#include <stdbool.h>

struct rip_adopt_options {
	bool check;         /* say what would be done, for any number of files and queues */
	bool json;          /* the same as JSON lines */
	bool diff;          /* show the change, and make none */
	bool chain;         /* our filter as the only one */
	bool rip;           /* documents go through pdftoriptide */
	bool force;         /* adopt with a driver that is not known */
	bool all;           /* every queue that can be adopted */
	bool again;         /* every queue that was adopted and has got another PPD since */
	bool undo;          /* riptide release */
	const char *screen; /* the default, or NULL: that of the class of printer */
	int         printer; /* the place in rip_printer_names[]; -1: the driver's class */
	const char *out;    /* the file to write; "-": standard output, by whatever name; or NULL */
	char      **names;  /* queues and files */
	int         count;
};

/* RIP_GO_ON (common_options.h), or the exit status.  undo: the command is riptide release. */
int rip_adopt_options_parse(struct rip_adopt_options *options, bool undo, int argc, char **argv);

#define RIP_ADOPT_WORDS_MAX 128

/* How a queue is adopted, as a text without spaces: "yes", "yes+rip+screen:stucki" ...
 * -ENOSPC (reported): it is too long. */
int rip_adopt_options_write(const struct rip_adopt_options *options,
			    char words[RIP_ADOPT_WORDS_MAX]);

/* Takes that from such a text, which is changed and must live as long as the options.
 * 0, or -EINVAL: it is none, as a line on standard error says. */
int rip_adopt_options_read(struct rip_adopt_options *options, char *words);

/* Whether a name is that of a file: it has a slash or ends with .ppd or .ppd.gz. */
bool rip_adopt_is_file(const char *name);

#endif
