#include "config.h"

#include "gs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kept_black.h"
#include "system/number.h"
#include "system/refuse.h"
#include "system/temporary_space.h"
#include "system/write_all.h"

/* Since Linux 6.3: never executable, and no complaint in the kernel's log. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

/* Bytes of a band, if nothing else is said to Ghostscript. */
#define BAND_BYTES 4000000

/* What must be free in the folder for temporary files for Ghostscript's lists of what pages show.
 * A list is as large as the page's images, and of several megabytes for the lines of a map. */
#define LISTS_BYTES (512u << 20)

/* What must still fit into the folder for temporary files when a page is there: more than
 * Ghostscript writes at once. */
#define SPACE_BYTES (64 << 10)

/* With less of them for each thread, some threads wait for others at the end. */
#define BANDS_PER_THREAD 4

static const struct {
	const char *device, *magic;
	unsigned    samples;
} contones[] = {
	[RIP_CONTONE_GREY] = { "pgmraw", "P5", 1 },
	[RIP_CONTONE_RGB] = { "ppmraw", "P6", 3 },
	[RIP_CONTONE_CMYK] = { "pamcmyk32", "P7", 4 },
	[RIP_CONTONE_SEPARATIONS] = { "psdcmyk", "8B", 4 },
};

/* The commands, in PostScript.  Each clears the operand stack and answers in one line.  /rtword
 * is the word that answers begin with.  A new line comes first, because some messages of
 * Ghostscript have no end.
 *
 * pdfgetpage, pdfshowpage_init and pdfshowpage_finish are Ghostscript's; what it does between
 * the latter two, to set the page's size and matrix, is done here: from the page's box, its
 * rotation (clockwise) and its unit, and the matrix that the caller wants.  A page whose media box
 * is missing or empty is US Letter, as in Poppler and MuPDF.  What the page shows is clipped to its
 * crop box, if that is one and not empty.
 *
 * Ghostscript cannot find a page whose object comes several times in the document, unless it has
 * found the pages before it: rtwalk.
 * If it finds none, pdfgetpage leaves its operand under the null. */
static const char commands[] =
	"/rtsay { (\\n) print rtword print ( ) print print (\\n) print flush } bind def\n"
	"/rtname 64 string def\n"
	"/rtfailed { clear (\\n) print rtword print ( failed ) print\n"
	" $error /errorname get rtname cvs print (\\n) print flush } bind def\n"
	"/rtnumber { 24 string cvs print ( ) print } bind def\n"
	"/rtopen {\n"
	" { (" RIP_GS_FILE(RIP_GS_DOCUMENT) ") (r) file\n"
	" runpdfbegin pdfpagecount /rtpages exch def } stopped\n"
	" { rtfailed }\n"
	" { clear (\\n) print rtword print ( pages ) print rtpages rtnumber\n"
	" revision rtnumber (\\n) print flush }"
	" ifelse } def\n"
	"/rtbox { rtinfo /MediaBox 2 copy known { get } { pop pop null } ifelse\n"
	" dup type /arraytype eq { dup length 4 eq } { false } ifelse\n"
	" not { pop [0 0 612 792] } if aload pop\n"
	" /rty1 exch def /rtx1 exch def /rty0 exch def /rtx0 exch def\n"
	" rtx0 rtx1 gt { rtx0 rtx1 /rtx0 exch def /rtx1 exch def } if\n"
	" rty0 rty1 gt { rty0 rty1 /rty0 exch def /rty1 exch def } if\n"
	" rtx0 rtx1 eq rty0 rty1 eq or\n"
	" { /rtx0 0 def /rty0 0 def /rtx1 612 def /rty1 792 def } if } def\n"
	"/rtfind {\n"
	" pdfgetpage /rtinfo exch def\n"
	" rtinfo null eq { /rtfind cvx /undefinedresult signalerror } if\n"
	" rtbox\n"
	" /rtu rtinfo /UserUnit 2 copy known { get } { pop pop 1 } ifelse def\n"
	" /rtt rtinfo /UsesTransparency 2 copy known { get } { pop pop false } ifelse def\n"
	" /rtturn rtinfo /Rotate 2 copy known { get } { pop pop 0 } ifelse 90 div cvi 4 mod\n"
	" dup 0 lt { 4 add } if def\n"
	" /rtw rtx1 rtx0 sub rtu mul def /rth rty1 rty0 sub rtu mul def\n"
	" /rtplace [\n"
	"  [ rtu 0 0 rtu rtu rtx0 mul neg rtu rty0 mul neg ]\n"
	"  [ 0 rtu neg rtu 0 rtu rty0 mul neg rtu rtx1 mul ]\n"
	"  [ rtu neg 0 0 rtu neg rtu rtx1 mul rtu rty1 mul ]\n"
	"  [ 0 rtu rtu neg 0 rtu rty1 mul rtu rtx0 mul neg ]\n"
	" ] rtturn get def\n"
	" rtturn 2 mod 1 eq { rtw rth /rtw exch def /rth exch def } if } def\n"
	"/rtwalked 0 def\n"
	"/rtwalk { rtwalked 1 add 1 rtpage# { { pdfgetpage } stopped pop clear } for\n"
	" /rtwalked rtwalked rtpage# 2 copy lt { exch } if pop def } def\n"
	"/rtpage { /rtpage# exch def\n"
	" { rtpage# rtfind } stopped { clear rtwalk { rtpage# rtfind } stopped } { false } ifelse\n"
	" { rtfailed }\n"
	" { clear (\\n) print rtword print ( page ) print rtw rtnumber rth rtnumber\n"
	" rtt true eq { (1) } { (0) } ifelse print (\\n) print flush }\n"
	" ifelse } def\n"
	"/rtdraw { { /rtthreads exch def 2 array astore /rtsize exch def"
	" 6 array astore /rtmatrix exch def\n"
	" << /PageSize rtsize /PageUsesTransparency rtt /NumRenderingThreads rtthreads\n"
	" /Install { rtmatrix setmatrix } >>\n"
	" setpagedevice pdfshowpage_init rtplace concat\n"
	" rtinfo /CropBox 2 copy known { get } { pop pop null } ifelse\n"
	" dup type /arraytype eq { dup length 4 eq } { false } ifelse\n"
	" { aload pop 2 index sub exch 3 index sub exch 2 copy mul 0 eq\n"
	"  { 4 { pop } repeat } { rectclip } ifelse } { pop } ifelse\n"
	" rtinfo pdfshowpage_finish } stopped\n"
	" { rtfailed } { clear (done) rtsay } ifelse } def\n";

unsigned rip_contone_samples(enum rip_contone contone)
{
	return contones[contone].samples;
}

#define fail(of, error, ...) rip_refuse_as(error, (of)->why, sizeof (of)->why, __VA_ARGS__)

/* Ghostscript names the file that it cannot create, but not the reason.
 * 0, or -errno with the reason. */
static int lacks_space(struct rip_gs *gs)
{
	if (!gs->process.lacks_file)
		return 0;
	return rip_temporary_space_check(SPACE_BYTES, gs->why, sizeof gs->why);
}

int rip_gs_complained(struct rip_gs *gs, int error, const char *otherwise)
{
	const char *complaint = gs->process.complaint;
	const int r = lacks_space(gs);

	if (r < 0)
		return r;
	if (strstr(complaint, "VMerror") || strstr(gs->process.answer, "VMerror")) {
		rip_gs_process_stop(&gs->process);
		return fail(gs, -EPIPE, "Ghostscript has run out of memory: %s",
			    complaint[0] ? complaint : otherwise);
	}
	return fail(gs, error, "Ghostscript: %s", complaint[0] ? complaint : otherwise);
}

int rip_gs_broken(struct rip_gs *gs, int error)
{
	struct rip_gs_process *p = &gs->process;

	if (error != -EPIPE && error != -ETIMEDOUT)
		return fail(gs, error, "Ghostscript: %s", strerror(-error));
	rip_gs_process_stop(p);
	if (error == -ETIMEDOUT)
		return fail(gs, error,
			    "Ghostscript takes longer than the limit of %u second%s (%s)",
			    gs->config.page_seconds, gs->config.page_seconds == 1 ? "" : "s",
			    gs->config.page_option);
	if (lacks_space(gs) < 0)
		return error;
	if (p->complaint[0])
		return fail(gs, error, "Ghostscript has %s: %s",
			    strstr(p->complaint, "VMerror") ? "run out of memory" : "ended",
			    p->complaint);
	if (WIFSIGNALED(p->status))
		return fail(gs, error, "Ghostscript was ended by signal %d (%s)",
			    WTERMSIG(p->status), strsignal(WTERMSIG(p->status)));
	return fail(gs, error, "Ghostscript has ended with status %d", WEXITSTATUS(p->status));
}

/* If there is no memory, the object cannot be opened. */
static void init_below(struct rip_gs *gs)
{
	struct rip_gs_config config = gs->config;

	config.black_overprint = config.auto_monochrome = false;
	config.without_text = true;
	if (config.keep_black == RIP_KEEP_BLACK_TEXT)
		config.keep_black = RIP_KEEP_BLACK_NONE;
	gs->below = malloc(sizeof *gs->below);
	if (gs->below)
		rip_gs_init(gs->below, &config);
}

void rip_gs_init(struct rip_gs *gs, const struct rip_gs_config *config)
{
	memset(gs, 0, sizeof *gs);
	gs->config = *config;
	rip_gs_process_init(&gs->process, config->log, config->warn, config->context);
	gs->process.limit_us = config->page_seconds * INT64_C(1000000);
	gs->process.in_file = config->contone == RIP_CONTONE_SEPARATIONS;
	gs->samples = rip_contone_samples(config->contone);
	gs->commands = -1;
	gs->config.black_overprint = config->black_overprint &&
				     config->contone == RIP_CONTONE_CMYK;
	if (gs->config.black_overprint)
		init_below(gs);
}

void rip_gs_stop(struct rip_gs *gs)
{
	rip_gs_process_stop(&gs->process);
	if (gs->below)
		rip_gs_process_stop(&gs->below->process);
}

void rip_gs_kill(struct rip_gs *gs)
{
	rip_gs_process_kill(&gs->process);
	if (gs->below)
		rip_gs_process_kill(&gs->below->process);
}

int rip_gs_ask(struct rip_gs *gs, const char *command, const char **answer)
{
	int r;

	rip_gs_process_forget(&gs->process);
	r = rip_gs_process_send(&gs->process, command);
	if (r == 0)
		r = rip_gs_process_answer(&gs->process, answer);
	return r < 0 ? rip_gs_broken(gs, r) : 0;
}

int rip_gs_memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(name, MFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* A file of the commands.  On its standard input, Ghostscript reads every byte by itself, which
 * takes as long as a small page.  A descriptor or -errno. */
static int make_file(const struct rip_gs *gs)
{
	int fd = rip_gs_memory_file("commands"), r;

	if (fd < 0)
		return fd;
	r = rip_write_all(fd, commands, strlen(commands));
	if (r == 0 && gs->config.pure_black && gs->config.contone == RIP_CONTONE_GREY)
		r = rip_write_all(fd, rip_pure_black, strlen(rip_pure_black));
	if (r == 0 && gs->config.contone == RIP_CONTONE_SEPARATIONS)
		r = rip_write_all(fd, rip_separations_commands,
				  strlen(rip_separations_commands));
	if (r < 0)
		close(fd);
	return r < 0 ? r : fd;
}

static void close_file(struct rip_gs *gs)
{
	if (gs->commands >= 0)
		close(gs->commands);
	gs->commands = -1;
}

/* Whether the process at hand takes the document's output intent (PDF/X) for the inks. */
static bool uses_intent(const struct rip_gs *gs)
{
	return gs->config.output_intent && !gs->config.profiled &&
	       gs->config.contone == RIP_CONTONE_CMYK && !gs->other_intent;
}

/* A page with transparency is converted as a whole, by the profile for the kind of object that was
 * drawn last, and what was converted before it once more. */
static bool wants_kinds(const struct rip_gs *gs)
{
	return gs->config.by_kind && !gs->transparency;
}

static int start(struct rip_gs *gs)
{
	const struct rip_gs_config *config = &gs->config;
	char device[32], resolution[32];
	const char *argv[19 + RIP_GS_ARGUMENTS_MAX] = {
		"gs", "-q", "-dNOPAUSE", "-dNOPROMPT", "-dSAFER",
		"--permit-file-read=" RIP_GS_FILE(RIP_GS_DOCUMENT),
		"--permit-file-read=" RIP_GS_COMMANDS_AGAIN,
		"-dNOINTERPOLATE", "-dNOMEDIAATTRS", "-dShowAcroForm",
		"-sstdout=%stderr", "-sOutputFile=%stdout", device, resolution,
	};
	const char *const *more = config->arguments;
	size_t count = 14;
	int r;

	snprintf(device, sizeof device, "-sDEVICE=%s", contones[config->contone].device);
	snprintf(resolution, sizeof resolution, "-r%ux%u", config->x_dpi, config->y_dpi);
	/* Files take less memory, as long as there is space for them. */
	gs->lists_in_files = rip_temporary_space_is_free(LISTS_BYTES);
	if (!gs->lists_in_files)
		argv[count++] = "-sBandListStorage=memory";
	if (config->contone == RIP_CONTONE_SEPARATIONS)
		argv[count++] = RIP_SEPARATIONS_ARGUMENT;
	if (uses_intent(gs))
		argv[count++] = "-dUsePDFX3Profile";
	if (config->without_text)
		argv[count++] = "-dFILTERTEXT";
	gs->has_kinds = wants_kinds(gs);
	for (size_t i = 0; more && more[i] && i < RIP_GS_ARGUMENTS_MAX; i++)
		argv[count++] = more[i];
	if (!gs->has_kinds)
		count -= config->by_kind;
	argv[count] = RIP_GS_FILE(RIP_GS_COMMANDS);
	close_file(gs);
	gs->commands = r = make_file(gs);
	if (r >= 0)
		r = rip_gs_process_start(&gs->process, config->jail, (char *const *)argv,
					 config->document, gs->commands);
	if (r == -EOPNOTSUPP)
		return rip_gs_jail_refuse(gs->why, sizeof gs->why);
	return r < 0 ? fail(gs, r, "cannot start %s: %s", config->jail->program, strerror(-r)) : 0;
}

/* Asks for the names of the spot colours of the page that was found.  As rip_gs_page(). */
static int find_spots(struct rip_gs *gs, struct rip_spots *spots)
{
	const char *answer;
	char command[32];
	int r = rip_gs_ask(gs, "rtspots\n", &answer);

	if (r == 0 && sscanf(answer, "spots %u", &spots->count) != 1)
		return rip_gs_complained(gs, -EBADMSG, "the page's spot colours cannot be found");
	if (r == 0 && spots->count > RIP_SPOTS_MAX)
		return fail(gs, -ERANGE, "it has %u spot colours: at most %d are possible",
			    spots->count, RIP_SPOTS_MAX);
	for (unsigned i = 0; r == 0 && i < spots->count; i++) {
		snprintf(command, sizeof command, "%u rtspot\n", i);
		r = rip_gs_ask(gs, command, &answer);
		if (r == 0 && strncmp(answer, "spot ", 5))
			return rip_gs_complained(gs, -EBADMSG, "a spot colour has no name");
		if (r == 0)
			snprintf(spots->names[i], RIP_SPOT_NAME_MAX, "%s", answer + 5);
	}
	if (r < 0)
		return r;
	gs->separations.spots = *spots;
	gs->samples = 4 + spots->count;
	return 0;
}

/* Reads the rest of a picture's header: of PGM and PPM, lines of a comment, of the size and of the
 * largest sample; of PAM, lines of a name and a value. */
static int read_numbers(struct rip_gs *gs, unsigned numbers[3])
{
	char line[80];
	size_t used = 0;

	for (unsigned n = 0; n < 1024; n++) {
		int r = rip_gs_process_read(&gs->process, line + used, 1);

		if (r < 0)
			return r;
		if (line[used] != '\n') {
			used += used + 2 < sizeof line;
			continue;
		}
		line[used] = '\0';
		used = 0;
		if (!strcmp(line, "ENDHDR") ||
		    (numbers[0] && sscanf(line, "%u", &numbers[2]) == 1))
			return 0;
		sscanf(line, "%u %u", &numbers[0], &numbers[1]);
		sscanf(line, "WIDTH %u", &numbers[0]);
		sscanf(line, "HEIGHT %u", &numbers[1]);
		sscanf(line, "MAXVAL %u", &numbers[2]);
	}
	return -EPROTO;
}

int rip_gs_read_header(struct rip_gs *gs, uint32_t columns, uint32_t rows)
{
	unsigned numbers[3] = { 0, 0, 0 };
	char magic[2];
	int r = rip_gs_process_read(&gs->process, magic, sizeof magic);

	if (r == 0 && memcmp(magic, contones[gs->config.contone].magic, sizeof magic))
		r = -EPROTO;
	if (r == 0)
		r = gs->config.contone == RIP_CONTONE_SEPARATIONS ?
		    rip_separations_header(&gs->separations, &gs->process, numbers) :
		    read_numbers(gs, numbers);
	if (r == -EPROTO)
		return fail(gs, r, "Ghostscript has written something that is no picture");
	if (r == 0 && (numbers[0] != columns || numbers[1] != rows || numbers[2] != 255))
		return fail(gs, -EPROTO, "Ghostscript has drawn %u x %u pixels, not %u x %u",
			    numbers[0], numbers[1], columns, rows);
	return r;
}

/* Whether black is kept on the page that was found last. */
static bool wants_black(const struct rip_gs *gs)
{
	return gs->config.keep_black && gs->config.contone == RIP_CONTONE_CMYK && !gs->transparency;
}

int rip_gs_begin(struct rip_gs *gs)
{
	char word[64];
	int r = start(gs);

	if (r < 0)
		return r;
	gs->drawn = 0;
	snprintf(word, sizeof word, "/rtword (%s) def\n", gs->process.word);
	r = rip_gs_process_send(&gs->process, word);
	if (r == 0 && gs->config.prologue)
		r = rip_gs_process_send(&gs->process, gs->config.prologue);
	return r < 0 ? rip_gs_broken(gs, r) : 0;
}

int rip_gs_open(struct rip_gs *gs)
{
	const char *answer;
	int r;

	gs->process.waited_us = 0;
	if (gs->process.pid > 0)
		return 0;
	r = rip_gs_begin(gs);
	if (r == 0)
		r = rip_gs_ask(gs, "\nrtopen\n", &answer);
	if (r < 0)
		return r;
	/* A document that cannot be opened has 0 pages, and so has an empty one. */
	if (sscanf(answer, "pages %u %u", &gs->pages, &gs->revision) < 1 ||
	    (!gs->pages && gs->process.complaint[0]))
		r = rip_gs_complained(gs, -EBADMSG, "the document cannot be opened");
	if (r == 0 && gs->pages && uses_intent(gs))
		r = rip_gs_check_intent(gs);
	if (r > 0) {
		rip_gs_process_stop(&gs->process);
		return rip_gs_open(gs);
	}
	/* By the profiles that the document is printed with. */
	if (r == 0 && gs->config.auto_monochrome && gs->config.contone == RIP_CONTONE_CMYK)
		r = rip_gs_draw_greys(gs);
	gs->keeps_black = wants_black(gs);
	if (r == 0 && gs->keeps_black)
		r = rip_gs_keep_black(gs);
	if (r < 0)
		rip_gs_process_stop(&gs->process);
	return r;
}

/* Finds a page, as rip_gs_page(), whatever is to be done to its black. */
static int find_page(struct rip_gs *gs, unsigned number, struct rip_gs_page *page)
{
	const char *answer;
	char command[32];
	unsigned transparency;
	int r;

	page->spots.count = 0;
	snprintf(command, sizeof command, "%u rtpage\n", number);
	r = rip_gs_ask(gs, command, &answer);
	if (r < 0)
		return r;
	r = rip_number_scan(answer, "page %lf %lf %u", &page->width, &page->height, &transparency);
	if (r != 3 || isnan(page->width) || isnan(page->height))
		return rip_gs_complained(gs, -EBADMSG, "the page cannot be found");
	gs->transparency = transparency != 0;
	if (page->width < 0 || page->width > RIP_GS_PAGE_MAX || page->height < 0 ||
	    page->height > RIP_GS_PAGE_MAX)
		return fail(gs, -ERANGE, "its size is %g x %g points: at most %.0f are possible",
			    page->width, page->height, RIP_GS_PAGE_MAX);
	return gs->config.contone == RIP_CONTONE_SEPARATIONS ? find_spots(gs, &page->spots) : 0;
}

static void warn_of_kinds(struct rip_gs *gs)
{
	const struct rip_gs_config *config = &gs->config;

	if (wants_kinds(gs) || !config->by_kind || !config->warn ||
	    atomic_exchange(&config->jail->warned, true))
		return;
	config->warn(config->context, "pages with transparency are printed without the profiles and"
		     " intents of text, graphics and images: Ghostscript converts such a page as a"
		     " whole");
}

int rip_gs_page(struct rip_gs *gs, unsigned number, struct rip_gs_page *page)
{
	int r = find_page(gs, number, page);
	int64_t waited;

	if (r == 0)
		warn_of_kinds(gs);
	if (r < 0 || (gs->keeps_black == wants_black(gs) && gs->has_kinds == wants_kinds(gs)))
		return r;
	/* The profiles stay with a process. */
	rip_gs_process_stop(&gs->process);
	waited = gs->process.waited_us;
	r = rip_gs_open(gs);
	gs->process.waited_us += waited;
	return r < 0 ? r : find_page(gs, number, page);
}

/* How many of so many threads draw a page.  Text and lines take no time in bands, and a page of few
 * bands is drawn by its largest one; but transparency always takes long. */
static unsigned page_threads(const struct rip_gs *gs, uint32_t columns, uint32_t rows,
			     unsigned threads)
{
	const uint64_t bytes = (uint64_t)columns * rows * gs->samples;
	const uint64_t bands = bytes / (gs->config.band ? gs->config.band : BAND_BYTES);

	if (threads > RIP_GS_THREADS_MAX)
		threads = RIP_GS_THREADS_MAX;
	if (!gs->transparency && threads > bands / BANDS_PER_THREAD)
		threads = (unsigned)(bands / BANDS_PER_THREAD);
	return threads > 1 ? threads : 0;
}

/* Whether Ghostscript may have listed in files what the page shows, to draw it in bands. */
static bool is_listed(const struct rip_gs *gs, uint32_t columns, uint32_t rows)
{
	const uint64_t bytes = (uint64_t)columns * rows * gs->samples;

	return gs->lists_in_files &&
	       (gs->transparency || bytes > (gs->config.band ? gs->config.band : BAND_BYTES));
}

/* Somebody else may have taken the space since Ghostscript was started, which does not notice
 * that its list lacks something.  The list is complete when the first band arrives.  0, or
 * -ENOSPC without a process. */
static int check_list(struct rip_gs *gs)
{
	const int r = rip_temporary_space_check(SPACE_BYTES, gs->why, sizeof gs->why);

	if (r != -ENOSPC && r != -EDQUOT)
		return 0;
	rip_gs_process_stop(&gs->process); /* and its list */
	return -ENOSPC;
}

int rip_gs_draw(struct rip_gs *gs, uint32_t columns, uint32_t rows, const double m[6],
		unsigned threads)
{
	const struct rip_gs_config *config = &gs->config;
	char command[400];
	int r;

	/* With a tenth of a pixel more, 99.9999 pixels do not become 99. */
	rip_number_print(command, sizeof command,
			 "%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %u rtdraw\n",
			 m[0], m[1], m[2], m[3], m[4], m[5],
			 (columns + .1) * 72 / config->x_dpi, (rows + .1) * 72 / config->y_dpi,
			 page_threads(gs, columns, rows, threads));
	rip_gs_process_forget(&gs->process);
	gs->drawn++;
	r = rip_gs_process_send(&gs->process, command);
	if (r == 0)
		r = rip_gs_read_header(gs, columns, rows);
	if (r == -ENODATA)
		return rip_gs_complained(gs, -EBADMSG, "the page cannot be drawn");
	if (r == 0 && is_listed(gs, columns, rows))
		r = check_list(gs);
	return r == -EPROTO || r == -ENOSPC ? r : r < 0 ? rip_gs_broken(gs, r) : 0;
}

int rip_gs_read(struct rip_gs *gs, void *to, size_t n)
{
	int r = rip_gs_process_read(&gs->process, to, n);

	if (r == -ENODATA)
		return rip_gs_complained(gs, -EBADMSG, "the page ends too early");
	return r < 0 ? rip_gs_broken(gs, r) : 0;
}

int rip_gs_end(struct rip_gs *gs)
{
	const char *answer;
	int r = rip_gs_process_answer(&gs->process, &answer);

	if (r < 0)
		return rip_gs_broken(gs, r);
	if (gs->separations.bytes &&
	    !rip_gs_process_has_sought(&gs->process, gs->separations.bytes))
		return fail(gs, -EPROTO, "this version of Ghostscript writes one ink after another,"
			    " and cannot separate pages here");
	if (strcmp(answer, "done") || gs->process.complaint[0])
		return rip_gs_complained(gs, 1, "the page could not be drawn completely");
	return 0;
}

void rip_gs_finish(struct rip_gs *gs)
{
	rip_gs_process_finish(&gs->process);
	close_file(gs);
	free(gs->profiles);
	gs->profiles = NULL;
	if (gs->below)
		rip_gs_finish(gs->below);
	free(gs->below);
	gs->below = NULL;
	free(gs->below_pixels);
	gs->below_pixels = NULL;
	gs->below_size = 0;
}

const struct rip_renderer rip_ghostscript = {
	.title = "Ghostscript", .program = "gs", .package = "ghostscript",
	.open = rip_gs_open, .page = rip_gs_page, .draw = rip_gs_draw, .read = rip_gs_read,
	.end = rip_gs_end,
};
