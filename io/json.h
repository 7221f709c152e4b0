/* SPDX-License-Identifier: MIT */
/*
 * json: writes one JSON document, value by value. `key` is NULL inside arrays.
 *
 * The document is valid UTF-8. Names from outside are escaped as in every other
 * output before they are quoted, so that a name can be recovered from it. Times
 * and counts are written as integers, which keep every digit.
 *
 * A document belongs to one thread.
 */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json;

/* Takes a piece of the document. False: it could not be written. */
typedef bool json_give(void *context, const void *data, size_t length);

/* Each returns NULL if there is no memory. */
struct json *json_begin(FILE *out);
struct json *json_begin_line(FILE *out); /* the document is one line */
struct json *json_begin_to(json_give *give, void *context);

/* Ends the document with a newline and frees j. False: not all of it was
 * written. */
bool json_end(struct json *j);

/* Something could not be written because memory was out: json_end returns
 * false. */
void json_fail(struct json *j);

/* Begins a new line, for whoever reads or greps the document. */
void json_line(struct json *j);

void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);

/* Bytes from outside, as name_escape shows them. */
void json_name(struct json *j, const char *key, const char *bytes);
/* From now on json_name cuts names to so many bytes, and adds `…`. */
void json_limit_names(struct json *j, size_t most);
uint64_t json_names_cut(const struct json *j); /* so far */

/* Valid UTF-8: a reader gets the same bytes. Invisible characters are escaped. */
void json_text(struct json *j, const char *key, const char *text);
void json_integer(struct json *j, const char *key, int64_t value);
void json_unsigned(struct json *j, const char *key, uint64_t value);
void json_thousandths(struct json *j, const char *key, int64_t value); /* value/1000 with all its decimals */
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* With up to 15 digits; 0 if it is not finite. */
void json_real(struct json *j, const char *key, double value);
/* With the digits it takes to read the same double back; null if it is not
 * finite. */
void json_exact(struct json *j, const char *key, double value);
/* value/scale: an integer when scale is 1, else with six decimals, rounded to the nearest. */
void json_scaled(struct json *j, const char *key, int64_t value, int64_t scale);

#endif
