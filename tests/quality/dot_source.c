/* Screens and peers as functions from pictures to dots. */
#include "dot_source.h"
#include "tests/tools/memory.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- riptide ------------------------------------------------------------------ */

/* Whether no sample of a row is grey; such rows never reach an engine. */
static bool is_transparent(const uint8_t *row, uint32_t width)
{
	for (uint32_t j = 0; j < width; j++)
		if (row[j] != 0 && row[j] != 255)
			return false;
	return true;
}

/* Halftones rows of ink with the given page row numbers. */
static int run_page(const struct dot_source *s, uint32_t width, const uint8_t *ink,
		    const uint32_t *numbers, uint32_t rows, uint8_t *packed, size_t pitch)
{
	const struct rip_page_spec spec = {
		.width = width, .planes = 1, .levels = 2, .sample_bits = 8, .screen = s->screen,
	};
	const struct rip_strip strip = {
		.rows = rows, .in = ink, .in_pitch = (ptrdiff_t)width,
		.out = packed, .out_pitch = (ptrdiff_t)pitch, .row_numbers = numbers,
	};
	struct rip_page *page;
	int r = rip_engine_open_page(s->engine, &spec, RIP_START_NOISE, &page);

	if (r < 0)
		return r;
	if (rows > 0)
		r = s->engine->ops->push(page, &strip, 1);
	if (r == 0)
		r = s->engine->ops->pull(page);
	s->engine->ops->close(page);
	return r;
}

static bool run_screen(const struct dot_source *s, const uint8_t *light, uint32_t width,
		       uint32_t height, uint8_t *dots)
{
	const size_t pitch = rip_dot_bytes(width, 2);
	AUTO_FREE uint8_t *ink = need(malloc((size_t)width * height)),
			  *packed = need(malloc(pitch * height));
	AUTO_FREE uint32_t *numbers = need(malloc(height * sizeof *numbers));
	uint32_t rows = 0;
	int r;

	for (uint32_t i = 0; i < height; i++) {
		const uint8_t *row = light + (size_t)i * width;

		if (is_transparent(row, width)) {
			for (uint32_t j = 0; j < width; j++)
				dots[(size_t)i * width + j] = row[j] != 0;
			continue;
		}
		for (uint32_t j = 0; j < width; j++)
			ink[(size_t)rows * width + j] = (uint8_t)(255 - row[j]);
		numbers[rows++] = i;
	}
	r = run_page(s, width, ink, numbers, rows, packed, pitch);
	for (uint32_t k = 0; r == 0 && k < rows; k++)
		for (uint32_t j = 0; j < width; j++)
			dots[(size_t)numbers[k] * width + j] =
				!(packed[k * pitch + j / 8] >> (7 - j % 8) & 1);
	if (r < 0)
		fprintf(stderr, "quality: %s failed\n", s->name);
	return r == 0;
}

void dot_source_of_screen(const struct rip_screen *screen, struct rip_engine *engine,
			  struct dot_source *s)
{
	*s = (struct dot_source){ .halftone = run_screen, .screen = screen, .engine = engine };
	snprintf(s->name, sizeof s->name, "%s", screen->name);
}

bool dot_source_of_name(const char *name, struct rip_engine *engine, struct rip_mask_screen *mask,
			struct dot_source *s)
{
	struct rip_mask_use use = {
		.x_dpi = 600, .y_dpi = 600, .planes = 1, .inks = { RIP_INK_BLACK },
	};
	const char *at = strchr(name, '@');
	char plain[64], why[256];
	const int id = rip_screen_find(name);

	if (id >= 0) {
		dot_source_of_screen(&rip_screens[id], engine, s);
		return true;
	}
	snprintf(plain, sizeof plain, "%.*s", at ? (int)(at - name) : (int)strlen(name), name);
	if (at)
		use.x_dpi = use.y_dpi = (uint32_t)atoi(at + 1);
	if (rip_mask_screen_init(mask, plain, &use, why, sizeof why) < 0) {
		fprintf(stderr, "quality: %s: %s\n", name, why);
		return false;
	}
	dot_source_of_screen(&mask->base, engine, s);
	if (at)
		snprintf(s->name, sizeof s->name, "%s%s", mask->name, at);
	return true;
}

/* --- peers of the benchmark ----------------------------------------------------- */

static bool run_peer(const struct dot_source *s, const uint8_t *light, uint32_t width,
		     uint32_t height, uint8_t *dots)
{
	/* Peers with vectors want aligned rows. */
	const size_t pitch = (width + 63) / 64 * 64;
	AUTO_FREE uint8_t *in = need(aligned_alloc(64, pitch * height));
	bool ok = s->peer->open(width, height) == 0;

	if (ok) {
		for (uint32_t i = 0; i < height; i++)
			memcpy(in + i * pitch, light + (size_t)i * width, width);
		ok = s->peer->run(in, pitch, dots, width) == 0;
		s->peer->close();
	}
	if (!ok)
		fprintf(stderr, "quality: %s failed\n", s->name);
	return ok;
}

void dot_source_of_peer(const struct peer *peer, struct dot_source *s)
{
	*s = (struct dot_source){ .halftone = run_peer, .peer = peer };
	snprintf(s->name, sizeof s->name, "%s", peer->name);
}

/* --- Ghostscript ---------------------------------------------------------------- */

/* The picture as a page of PostScript at 600 dpi, a sample for each dot. */
static bool write_page(const char *path, const uint8_t *light, uint32_t width, uint32_t height)
{
	FILE *f = fopen(path, "wb");
	bool ok;

	if (!f)
		return false;
	fprintf(f, "%%!\n<< /PageSize [%u 600 div 72 mul %u 600 div 72 mul] >> setpagedevice\n",
		width, height);
	fprintf(f, "72 600 div dup scale %u %u scale /row %u string def\n", width, height, width);
	fprintf(f, "%u %u 8 [%u 0 0 -%u 0 %u] {currentfile row readstring pop} bind image\n", width,
		height, width, height, height);
	fwrite(light, 1, (size_t)width * height, f);
	fprintf(f, "\nshowpage\n");
	ok = !ferror(f);
	return fclose(f) == 0 && ok;
}

static bool read_page(const char *path, uint32_t width, uint32_t height, uint8_t *dots)
{
	FILE *f = fopen(path, "rb");
	const size_t pitch = (width + 7) / 8;
	AUTO_FREE uint8_t *row = need(malloc(pitch));
	char line[80];
	unsigned w = 0, h = 0;
	bool ok = f && fgets(line, sizeof line, f) && !strncmp(line, "P4", 2);

	while (ok && fgets(line, sizeof line, f) && line[0] == '#')
		;
	ok = ok && sscanf(line, "%u %u", &w, &h) == 2 && w == width && h == height;
	for (uint32_t i = 0; ok && i < height; i++) {
		ok = fread(row, 1, pitch, f) == pitch;
		for (uint32_t j = 0; ok && j < width; j++)
			dots[(size_t)i * width + j] = !(row[j / 8] >> (7 - j % 8) & 1);
	}
	if (f)
		fclose(f);
	return ok;
}

static bool run_program(char *const arguments[])
{
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
	if (posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	return status == 0;
}

static bool run_ghostscript(const struct dot_source *s, const uint8_t *light, uint32_t width,
			    uint32_t height, uint8_t *dots)
{
	char folder[] = "/tmp/riptide-quality-XXXXXX", page[64], out[64], option[96];
	bool ok = mkdtemp(folder);

	snprintf(page, sizeof page, "%s/page.ps", folder);
	snprintf(out, sizeof out, "%s/dots.pbm", folder);
	snprintf(option, sizeof option, "-sOutputFile=%s", out);
	ok = ok && write_page(page, light, width, height) &&
	     run_program((char *[]){ (char *)"gs", (char *)"-q", (char *)"-dSAFER",
				     (char *)"-dBATCH", (char *)"-dNOPAUSE",
				     (char *)"-sDEVICE=pbmraw", (char *)"-r600", option, page,
				     NULL }) &&
	     read_page(out, width, height, dots);
	unlink(page);
	unlink(out);
	rmdir(folder);
	if (!ok)
		fprintf(stderr, "quality: Ghostscript failed\n");
	return ok;
}

bool dot_source_of_ghostscript(struct dot_source *s)
{
	*s = (struct dot_source){ .name = "Ghostscript", .halftone = run_ghostscript };
	return run_program((char *[]){ (char *)"gs", (char *)"--version", NULL });
}

/* --- bad ones ------------------------------------------------------------------- */

static bool run_noise(const struct dot_source *s, const uint8_t *light, uint32_t width,
		      uint32_t height, uint8_t *dots)
{
	uint32_t random = 1;

	for (size_t k = 0; k < (size_t)width * height; k++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		dots[k] = light[k] > random % 255;
	}
	return true;
}

void dot_source_of_noise(struct dot_source *s)
{
	*s = (struct dot_source){ .name = "white noise", .halftone = run_noise };
}

static bool run_crystals(const struct dot_source *s, const uint8_t *light, uint32_t width,
			 uint32_t height, uint8_t *dots)
{
	static const uint8_t threshold[4] = { 32, 160, 224, 96 };

	for (uint32_t i = 0; i < height; i++)
		for (uint32_t j = 0; j < width; j++)
			dots[(size_t)i * width + j] =
				light[(size_t)i * width + j] > threshold[i % 2 * 2 + j % 2];
	return true;
}

void dot_source_of_crystals(struct dot_source *s)
{
	*s = (struct dot_source){ .name = "2x2 mask", .halftone = run_crystals };
}
