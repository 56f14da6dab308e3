/*
 * Members of a JSON object on standard output, each with a comma after it.
 */
#ifndef RIP_JSON_H
#define RIP_JSON_H

/* "key":"text",  The text is escaped; each byte that is not part of valid UTF-8, as names of files
 * may have, becomes U+FFFD. */
void rip_json_string(const char *key, const char *text);

#endif
