#include "config.h"

#include "web_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/*
 * What people are told about a printer, or about the server: its name in the network, where it
 * stands, and who looks after it.  In place of PAPPL's page, which shows a map from another host.
 */

struct about {
	char name[64], location[128], organization[128];
	pappl_contact_t contact;
};

static void read_about(const struct rip_web *web, struct about *about)
{
	memset(about, 0, sizeof *about);
	if (web->printer) {
		papplPrinterGetDNSSDName(web->printer, about->name, sizeof about->name);
		papplPrinterGetLocation(web->printer, about->location, sizeof about->location);
		papplPrinterGetOrganization(web->printer, about->organization,
					    sizeof about->organization);
		papplPrinterGetContact(web->printer, &about->contact);
	} else {
		papplSystemGetDNSSDName(web->system, about->name, sizeof about->name);
		papplSystemGetLocation(web->system, about->location, sizeof about->location);
		papplSystemGetOrganization(web->system, about->organization,
					   sizeof about->organization);
		papplSystemGetContact(web->system, &about->contact);
	}
}

static const char *or_none(const char *text)
{
	return *text ? text : NULL;
}

static void save_about(const struct rip_web *web, struct about *about)
{
	if (web->printer) {
		papplPrinterSetDNSSDName(web->printer, about->name);
		papplPrinterSetLocation(web->printer, or_none(about->location));
		papplPrinterSetOrganization(web->printer, or_none(about->organization));
		papplPrinterSetContact(web->printer, &about->contact);
	} else {
		papplSystemSetDNSSDName(web->system, about->name);
		papplSystemSetLocation(web->system, or_none(about->location));
		papplSystemSetOrganization(web->system, or_none(about->organization));
		papplSystemSetContact(web->system, &about->contact);
	}
}

/* ---- the form ---- */

static const struct {
	const char *name, *type;
	enum rip_web_text title;
	size_t at, size;
} fields[] = {
#define FIELD(member) offsetof(struct about, member), sizeof ((struct about *)NULL)->member
	{ "name", "text", RIP_SAY_NETWORK_NAME, FIELD(name) },
	{ "location", "text", RIP_SAY_LOCATION, FIELD(location) },
	{ "organization", "text", RIP_SAY_ORGANIZATION, FIELD(organization) },
	{ "contact", "text", RIP_SAY_CONTACT, FIELD(contact.name) },
	{ "email", "email", RIP_SAY_EMAIL, FIELD(contact.email) },
	{ "telephone", "tel", RIP_SAY_TELEPHONE, FIELD(contact.telephone) },
#undef FIELD
};

#define FIELDS (sizeof fields / sizeof fields[0])

/* The state's file has a line for each: so a text has none of its own. */
static bool is_text(const char *value, size_t size)
{
	if (strlen(value) >= size)
		return false;
	for (; *value; value++)
		if (iscntrl((unsigned char)*value))
			return false;
	return true;
}

/* Takes everything, or nothing; returns what there is to say. */
static enum rip_web_text take_form(const struct rip_web *web, struct about *about)
{
	for (size_t i = 0; i < FIELDS; i++) {
		const char *value = rip_web_value(web, fields[i].name);

		if (value && !is_text(value, fields[i].size))
			return RIP_SAY_NOT_ONE_LINE;
		if (value)
			snprintf((char *)about + fields[i].at, fields[i].size, "%s", value);
	}
	return *about->name ? RIP_SAY_SAVED_ABOUT : RIP_SAY_NO_NAME;
}

static void act(struct rip_web *web)
{
	enum rip_web_text said;
	struct about about;

	read_about(web, &about);
	said = take_form(web, &about);
	if (said == RIP_SAY_SAVED_ABOUT)
		save_about(web, &about);
	web->banner = rip_web_say(web, said);
}

static void put(struct rip_web *web)
{
	struct about about;

	read_about(web, &about);
	rip_web_form(web, "config");
	rip_web_put(web, "<div class=\"fields\">\n");
	for (size_t i = 0; i < FIELDS; i++)
		rip_web_put(web, "<label>%s<input type=\"%s\" name=\"%s\" value=\"%s\" "
				 "maxlength=\"%d\"%s></label>\n",
			    rip_web_say(web, fields[i].title), fields[i].type, fields[i].name,
			    (const char *)&about + fields[i].at, (int)fields[i].size - 1,
			    i ? "" : " required");
	rip_web_put(web, "</div>\n<input type=\"submit\" value=\"%s\"></form>\n",
		    rip_web_say(web, RIP_SAY_SAVE));
}

bool rip_web_config(pappl_client_t *client, void *printer)
{
	static const struct rip_web_page page = {
		RIP_SAY_NAME_AND_PLACE, .act = act, .put = put,
	};

	return rip_web_answer(client, printer, &page);
}
