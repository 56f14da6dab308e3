#include "adopt.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <cups/cups.h>

#include "image/complain.h"
#include "system/ascii.h"
#include "system/write_all.h"
#include "command/queue_request.h"

#define MEMORY      "riptide-adopted"
#define CALIBRATION "halftone-calibration"

int rip_adopt_queue_read(const char *queue, struct rip_ppd_file *file)
{
	char path[RIP_QUEUE_PPD_PATH];
	int r = rip_queue_ppd_fetch(queue, path);

	*file = (struct rip_ppd_file){ .size = 0 };
	if (r < 0)
		return r;
	r = rip_ppd_file_read(file, path);
	unlink(path);
	return r;
}

/* Sends a PPD file. */
static int send_file(const char *queue, const char *path)
{
	ipp_t *request = rip_queue_request(IPP_OP_CUPS_ADD_MODIFY_PRINTER, queue);

	ippDelete(cupsDoFileRequest(CUPS_HTTP_DEFAULT, request, "/admin/", path));
	if (cupsLastError() > IPP_STATUS_OK_CONFLICTING)
		return rip_queue_unchanged(queue);
	return 0;
}

static int send_text(const char *queue, const char *text, size_t size)
{
	char path[1024];
	const int fd = cupsTempFd(path, sizeof path);
	int r;

	if (fd < 0)
		return rip_complain(-EIO, "cannot create a temporary file: %s", strerror(errno));
	r = rip_write_all(fd, text, size);
	if (r < 0)
		rip_complain(r, "cannot write %s: %s", path, strerror(-r));
	close(fd);
	if (r == 0)
		r = send_file(queue, path);
	unlink(path);
	return r;
}

int rip_adopt_queue_write(const char *queue, const struct rip_ppd_file *before, const char *text,
			  size_t size)
{
	struct rip_ppd_file now = { .size = 0 };
	int r = send_text(queue, text, size);

	if (r < 0)
		return r;
	r = rip_adopt_queue_read(queue, &now);
	if (r == -ENODATA)
		rip_complain(r, "the queue %s did not keep its PPD", queue);
	if (r == 0 && (now.size != size || memcmp(now.text, text, size)))
		r = rip_complain(-EIO, "the server has changed the PPD that the queue %s got",
				 queue);
	rip_ppd_file_free(&now);
	if (r < 0 && send_text(queue, before->text, before->size) == 0)
		rip_complain(0, "the queue %s has the PPD of before", queue);
	return r;
}

int rip_adopt_queue_remember(const char *queue, const struct rip_adopt_options *options)
{
	char words[RIP_ADOPT_WORDS_MAX];
	int r = rip_adopt_options_write(options, words);

	return r < 0 ? r : rip_queue_option_set(queue, MEMORY, words);
}

int rip_adopt_queue_recall(const char *queue, struct rip_adopt_options *options,
			   char words[RIP_ADOPT_WORDS_MAX])
{
	char defaults[2048];
	int r = rip_queue_options(queue, defaults, sizeof defaults);

	if (r < 0)
		return r;
	rip_queue_option_find(defaults, MEMORY, words, RIP_ADOPT_WORDS_MAX);
	if (!*words)
		return 0;
	r = rip_adopt_options_read(options, words);
	return r < 0 ? r : 1;
}

int rip_adopt_queue_forget(const char *queue, char calibration[RIP_CAL_NAME_MAX + 1])
{
	char defaults[2048], words[RIP_ADOPT_WORDS_MAX];
	int r = rip_queue_options(queue, defaults, sizeof defaults);

	*calibration = '\0';
	if (r < 0)
		return r;
	rip_queue_option_find(defaults, MEMORY, words, sizeof words);
	rip_queue_option_find(defaults, CALIBRATION, calibration, RIP_CAL_NAME_MAX + 1);
	if (rip_same_name(calibration, "none"))
		*calibration = '\0';
	if (*words)
		r = rip_queue_option_set(queue, MEMORY, NULL);
	if (r == 0 && *calibration)
		r = rip_queue_option_set(queue, CALIBRATION, NULL);
	return r < 0 ? r : *words || *calibration;
}
