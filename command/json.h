/*
 * Members of a JSON object on standard output, each with a comma after it.
 */
#ifndef RIP_JSON_H
#define RIP_JSON_H

/* "key":"text",  The text is escaped; it is UTF-8 or ASCII. */
void rip_json_string(const char *key, const char *text);

#endif
