/*
 * The hash of the password of the web pages.
 *
 * Before version 1.4.9, PAPPL's own function takes every password for the right one: it writes '~'
 * behind the nonce and looks for ':' there, so that it compares the stored hash with itself.
 * PAPPL calls this one instead, because a program's functions go before those of a library.
 * Where its own is wrong, this one writes ':'.  A PAPPL that was linked such that it calls its own
 * all the same finds no '~' in that, makes a new nonce, and takes no password.
 */
#include "config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include <cups/cups.h>
#include <pappl/pappl.h>

#include "app/app_password.h"

#define NONCE_BYTES 8

/* What is behind the nonce. */
static char mark = ':';

char *papplSystemHashPassword(pappl_system_t *system, const char *salt, const char *password,
			      char *buffer, size_t bufsize)
{
	unsigned char hash[32], random[NONCE_BYTES];
	char nonce[100], text[4096]; /* a form's value is shorter */
	const char *end = salt ? strchr(salt, mark) : NULL;

	if (!buffer || !bufsize)
		return buffer;
	/* What fails is no password's hash: an empty one would open all pages. */
	snprintf(buffer, bufsize, "%s", salt && *salt == '!' ? "?" : "!");
	if (!system || !password)
		return buffer;
	if (end)
		snprintf(nonce, sizeof nonce, "%.*s", (int)(end - salt), salt);
	else if (getrandom(random, sizeof random, 0) == sizeof random)
		cupsHashString(random, sizeof random, nonce, sizeof nonce);
	else
		return buffer;
	if (snprintf(text, sizeof text, "%s:%s", nonce, password) >= (int)sizeof text ||
	    cupsHashData("sha2-256", text, strlen(text), hash, sizeof hash) < 0)
		return buffer;
	cupsHashString(hash, sizeof hash, text, sizeof text);
	snprintf(buffer, bufsize, "%s%c%s", nonce, mark, text);
	return buffer;
}

bool rip_app_password_load(pappl_system_t *system)
{
	char *(*own)(pappl_system_t *, const char *, const char *, char *, size_t);
	char hash[128];
	char *end;

	*(void **)&own = dlsym(RTLD_NEXT, "papplSystemHashPassword");
	if (own && !strncmp(own(system, "nonce~", "password", hash, sizeof hash), "nonce~", 6) &&
	    hash[6] != '~')
		mark = '~';
	end = strpbrk(papplSystemGetPassword(system, hash, sizeof hash), ":~");
	if (!end)
		return false;
	if (*end != mark) {
		*end = mark;
		papplSystemSetPassword(system, hash);
	}
	return true;
}
