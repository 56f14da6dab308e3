#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "image/complain.h"
#include "image/out_file.h"
#include "command/queue_request.h"
#include "system/ascii.h"
#include "system/replace_file.h"

#define OPTION "halftone-calibration"
#define BEFORE "RIPTIDE_BEFORE" /* the queue's calibration before this one, or none */
#define QUEUE  "RIPTIDE_QUEUE"  /* which that note is about */

struct paths {
	char now[PATH_MAX], old[PATH_MAX + 8];
	char fresh[PATH_MAX + 16]; /* what becomes old */
};

static int find_paths(const char *name, struct paths *paths)
{
	char why[160];
	int r = rip_cal_path(rip_cal_folder(), name, paths->now, sizeof paths->now,
			     why, sizeof why);

	if (r < 0)
		return rip_complain(r, "\"%s\": %s; choose one with --name", name, why);
	snprintf(paths->old, sizeof paths->old, "%s.old", paths->now);
	snprintf(paths->fresh, sizeof paths->fresh, "%s.new", paths->old);
	return 0;
}

int rip_queue_calibration_check(const char *name)
{
	struct paths paths;

	return find_paths(name, &paths);
}

int rip_queue_calibration_may_write(void)
{
	char folder[PATH_MAX], *slash;

	snprintf(folder, sizeof folder, "%s", rip_cal_folder());
	/* What is not there is made in what is. */
	while (access(folder, F_OK) < 0 && errno == ENOENT && (slash = strrchr(folder, '/')) &&
	       slash > folder)
		*slash = '\0';
	return access(folder, W_OK) == 0 || errno != EACCES ? 0 :
	       rip_complain(-EACCES, "you may not write to %s: run the command with sudo", folder);
}

/* Makes the folder of calibrations, and those above it.  Filters run as lp, so everybody may
 * enter them, whatever the umask. */
static int make_folder(void)
{
	char folder[PATH_MAX], *slash = folder;

	snprintf(folder, sizeof folder, "%s", rip_cal_folder());
	while (slash) {
		slash = *slash ? strchr(slash + 1, '/') : NULL;
		if (slash)
			*slash = '\0';
		if (mkdir(folder, 0755) == 0 ? chmod(folder, 0755) < 0 : errno != EEXIST)
			return rip_complain(-errno, "cannot create the folder %s: %s",
					    folder, strerror(errno));
		if (slash)
			*slash = '/';
	}
	return 0;
}

/* Writes all of a calibration, but does not rename the file yet. */
static int write_unfinished(const struct rip_cal *cal, const char *path, bool shared,
			    struct rip_out_file *file)
{
	char created[32];
	const time_t now = time(NULL);
	size_t bytes;
	char *text;
	int r = rip_out_file_open(file, path);

	strftime(created, sizeof created, "%a %b %d %H:%M:%S %Y", localtime(&now));
	text = rip_cal_format(cal, created, &bytes);
	if (r == 0 && !text)
		r = rip_complain(-ENOMEM, "out of memory");
	if (r == 0 && shared && fchmod(file->fd, 0644) < 0)
		r = rip_complain(-errno, "cannot make %s readable: %s", path, strerror(errno));
	if (r == 0)
		r = rip_out_file_write(file, text, bytes);
	if (r == 0)
		r = rip_out_file_flush(file);
	free(text);
	return r;
}

int rip_calibration_write(const struct rip_cal *cal, const char *path, bool shared)
{
	struct rip_out_file file;
	int r = write_unfinished(cal, path, shared, &file);

	if (r == 0)
		r = rip_out_file_commit(&file);
	rip_out_file_abandon(&file);
	return r;
}

/* Puts a complete file in its place, and keeps the one that was there.  Behind a symbolic link, the
 * file is kept and replaced, not the link. */
static int replace(const struct paths *paths, struct rip_out_file *file)
{
	bool kept;
	int r;

	unlink(paths->fresh); /* of a run that was ended here */
	kept = linkat(AT_FDCWD, paths->now, AT_FDCWD, paths->fresh, AT_SYMLINK_FOLLOW) == 0;
	if (!kept && errno != ENOENT)
		return rip_complain(-errno, "cannot keep the calibration before as %s: %s",
				    paths->old, strerror(errno));
	r = rip_out_file_commit(file);
	if (r < 0 && kept)
		unlink(paths->fresh);
	/* What was kept for an earlier calibration of this name is not the one before. */
	if (r < 0)
		return r;
	if (kept)
		r = rip_file_rename(AT_FDCWD, paths->fresh, paths->old);
	else if (unlink(paths->old) < 0 && errno != ENOENT)
		r = -errno;
	return r < 0 ? rip_complain(r, "cannot keep the calibration before as %s: %s", paths->old,
				    strerror(-r)) : 0;
}

/* A queue's name as a note: it may have letters that cannot stand in the file. */
static void queue_note(const char *queue, char note[RIP_CAL_NOTE_MAX])
{
	snprintf(note, RIP_CAL_NOTE_MAX, "%s", queue);
	for (; *note; note++)
		if (*note <= ' ' || *note > '~' || *note == '"')
			*note = '?';
}

/* Whether the queue of a note is deleted.  Of a note with ? the name is not known. */
static bool owner_is_gone(const char *owner)
{
	return !strchr(owner, '?') && rip_queue_is_gone(owner);
}

/* A note of the calibration that is there, until the next call.  NULL: there is none. */
static const char *note_of(const struct paths *paths, const char *name)
{
	static struct rip_cal cal;
	char why[200];

	return rip_cal_load(&cal, paths->now, why, sizeof why) == 0 ? rip_cal_note(&cal, name) :
	       NULL;
}

/* A calibration and what --undo brings back belong to one queue: of another one, nothing may be
 * overwritten or taken away.  Older files do not name their queue.  heir: of a queue that is
 * deleted, it may. */
static int check_owner(const struct paths *paths, const char *queue, const char *name, bool heir,
		       const char *remedy)
{
	const char *owner = note_of(paths, QUEUE);
	char own[RIP_CAL_NOTE_MAX];

	queue_note(queue, own);
	return !owner || rip_same_name(owner, own) || (heir && owner_is_gone(owner)) ? 0 :
	       rip_complain(-EPERM, "the calibration %s is of the queue %s: %s",
			    name, owner, remedy);
}

int rip_queue_calibration_install(const char *queue, const char *defaults, const char *name,
				  struct rip_cal *cal)
{
	char before[RIP_CAL_NAME_MAX + 1], own[RIP_CAL_NOTE_MAX];
	struct rip_out_file file = { .fd = -1 };
	struct paths paths;
	int r = find_paths(name, &paths);

	if (r == 0)
		r = check_owner(&paths, queue, name, true, "choose another --name,"
				" or undo that one first");
	rip_queue_option_find(defaults, OPTION, before, sizeof before);
	queue_note(queue, own);
	if (r == 0 && (rip_cal_set_note(cal, BEFORE, *before ? before : "none") < 0 ||
		       rip_cal_set_note(cal, QUEUE, own) < 0))
		r = rip_complain(-ENOSPC,
				 "the calibration has too many keywords that begin with RIPTIDE_");
	if (r == 0)
		r = make_folder();
	/* The queue is told when the file is complete and before it appears: each step that may
	 * fail leaves the queue with what it had. */
	if (r == 0)
		r = write_unfinished(cal, paths.now, true, &file);
	if (r == 0)
		r = rip_queue_option_set(queue, OPTION, name);
	if (r == 0) {
		r = replace(&paths, &file);
		if (r < 0)
			rip_queue_option_set(queue, OPTION, before);
	}
	rip_out_file_abandon(&file);
	if (r == 0)
		printf("%s prints with %s from now on; riptide calibrate --undo %s goes back.\n",
		       queue, paths.now, queue);
	return r;
}

/* What the queue had before a calibration; its own name: an older file of that name. */
static void find_before(const struct paths *paths, const char *name,
			char before[RIP_CAL_NAME_MAX + 1])
{
	const char *note = note_of(paths, BEFORE);

	snprintf(before, RIP_CAL_NAME_MAX + 1, "%s", note ? note : name);
	if (!strcmp(before, name) && access(paths->old, F_OK) < 0)
		*before = '\0';
	if (rip_same_name(before, "none"))
		*before = '\0';
}

int rip_queue_calibration_undo(const char *queue, const char *defaults)
{
	char name[RIP_CAL_NAME_MAX + 1], before[RIP_CAL_NAME_MAX + 1];
	struct paths paths;
	int r = 0;

	rip_queue_option_find(defaults, OPTION, name, sizeof name);
	if (!*name || rip_same_name(name, "none"))
		return rip_complain(-ENOENT, "the queue %s has no calibration", queue);
	r = find_paths(name, &paths);
	if (r == 0)
		r = check_owner(&paths, queue, name, false,
				"undo it there, or choose another one with lpadmin");
	if (r < 0)
		return r;
	find_before(&paths, name, before);
	/* The queue first: it must never print with a file that is gone. */
	if (strcmp(before, name))
		r = rip_queue_option_set(queue, OPTION, before);
	if (r == 0) {
		r = rip_file_rename(AT_FDCWD, paths.old, paths.now);
		if (r < 0 && r != -ENOENT)
			return rip_complain(r, "cannot rename %s: %s", paths.old, strerror(-r));
		if (r < 0 && unlink(paths.now) < 0 && errno != ENOENT)
			return rip_complain(-errno, "cannot remove %s: %s",
					    paths.now, strerror(errno));
		r = 0;
	}
	if (r == 0 && !strcmp(before, name))
		printf("The last calibration of %s is undone:"
		       " it prints with the one before it again.\n", queue);
	else if (r == 0 && *before)
		printf("The last calibration of %s is undone: it prints with %s again.\n",
		       queue, before);
	else if (r == 0)
		printf("The last calibration of %s is undone: it prints without one.\n", queue);
	return r;
}
