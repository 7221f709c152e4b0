/* SPDX-License-Identifier: MIT */
/*
 * json: one document to a stream, value by value. `key` is NULL inside of arrays.
 *
 * Names from outside are escaped as in every other output before they are quoted, so that the
 * document is valid UTF-8 and a name can be recovered from it.
 */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json;

struct json *json_begin(FILE *out); /* NULL: out of memory */
struct json *json_begin_line(FILE *out); /* likewise; the document is one line */
/* Ends the document with a newline and frees j. False: not all could be written. */
bool json_end(struct json *j);

/* Something could not be written for want of memory: json_end returns false. */
void json_fail(struct json *j);

/* Goes to the next line, where it makes the document easier on the eye, and on grep. */
void json_line(struct json *j);

void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);

void json_name(struct json *j, const char *key, const char *bytes); /* from outside */
void json_text(struct json *j, const char *key, const char *text);  /* our own */
/* Any valid UTF-8, as it is: a reader has the same bytes back. What is invisible is escaped, in the way of JSON. */
void json_string(struct json *j, const char *key, const char *text);
void json_integer(struct json *j, const char *key, int64_t value);
void json_unsigned(struct json *j, const char *key, uint64_t value);
void json_thousandths(struct json *j, const char *key, int64_t value); /* value/1000 with all its decimals */
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* With as many decimals as say so, and not more. */
void json_real(struct json *j, const char *key, double value);
/* As many digits as it takes to read the same double back, with a point; null where it is no number. */
void json_exact(struct json *j, const char *key, double value);
/* value/scale: an integer when scale is 1, else with six decimals, rounded to the nearest. */
void json_scaled(struct json *j, const char *key, int64_t value, int64_t scale);

/* The version of the library that this is done with. */
const char *json_library(char *out, size_t size);

#endif
