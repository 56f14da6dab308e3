/*
 * Messages to bytes and back.  No I/O.  Everything that decodes is checked as
 * far as the message alone can tell: its exact length, text that ends, numbers
 * in the ranges that protocol.h gives, no surplus bytes.
 */
#ifndef RIP_CODEC_H
#define RIP_CODEC_H

#include <stddef.h>

#include "protocol.h"

#define RIP_MESSAGE_HEADER 8

/* The length of the longest message. */
#define RIP_MESSAGE_MAX 16384

/* The whole length of a message of this kind that would be written: bytes. */
size_t rip_message_length(const struct rip_message *message);

/* Writes a message into size bytes and returns its length, or -EINVAL for one
 * that no reader would take (that is a mistake of the caller), -EMSGSIZE. */
int rip_message_encode(const struct rip_message *message, uint8_t *bytes, size_t size);

/* The length of the message that begins with these bytes: > 0; 0 if fewer than
 * RIP_MESSAGE_HEADER bytes are there; -EPROTO if no message begins so. */
int rip_message_peek(const uint8_t *bytes, size_t size);

/* The type of the message that begins with these RIP_MESSAGE_HEADER bytes, which
 * peek has found to be one. */
uint32_t rip_message_type(const uint8_t *bytes);

/* Reads one whole message of exactly size bytes.  0 or -EPROTO. */
int rip_message_decode(struct rip_message *message, const uint8_t *bytes, size_t size);

/* What is wrong with bytes that peek or decode has refused: message, field, value and
 * what is allowed, as "BAND: strip 2: rows is 0, must be 1 to 16777215".  For size bytes
 * of a connection that begin with the message, at least RIP_MESSAGE_HEADER. */
void rip_message_fault(const uint8_t *bytes, size_t size, char why[RIP_REASON_MAX + 1]);

/* "HELLO" for RIP_HELLO; NULL for a type that there is not. */
const char *rip_message_name(uint32_t type);

/* Copies text into a field of size bytes and fills it with NULs; text that is
 * too long is cut. */
void rip_text_set(char *field, size_t size, const char *text);

/* Copies text with every byte that is not printable ASCII, and every backslash,
 * as \xHH, so that it can go to a terminal, a journal or a metric.  Always ends
 * with NUL. */
void rip_text_escape(char *escaped, size_t size, const char *text);

/* The same for people, who want to read a name in their own script: in a UTF-8 locale
 * (setlocale(LC_CTYPE, "") was called) printable characters of valid UTF-8 stay as they
 * are.  Control and format characters, such as those that change the direction of
 * writing, are escaped everywhere.  No character is cut.  size is that of escaped. */
void rip_text_show(char *escaped, size_t size, const char *text);

#endif
