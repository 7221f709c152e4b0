/* SPDX-License-Identifier: MIT */
/*
 * parse_json: JSON as it is read, piece by piece. Numbers are given as they
 * stand there, and become nothing else on the way. Texts are any bytes.
 *
 * YAJL parses. Where it refuses a token, the token is mended, or the record is
 * skipped that the token is in, and YAJL goes on behind it. Commas may be too
 * many or missing.
 */
#ifndef IO_PARSE_JSON_H
#define IO_PARSE_JSON_H

#include "io/import/import_inside.h"

#define PARSE_DEPTH 256u                        /* what is deeper costs its record */
#define PARSE_TOKEN_MOST (UINT64_C(16) << 20)   /* bytes without a token; a longer text is refused, too */

struct parse_json {
	uint32_t depth; /* of what is open, with what is just opened or closed */
	uint64_t place; /* of the byte behind what is told */

	struct importing *i;
	const struct parse_events *events;
	void *context;
	void *handle, *live; /* YAJL's, and its callbacks */
	uint64_t base;    /* where the piece begins */
	uint32_t records; /* depth of the array that has the records; 0: it is not open */
	bool any;         /* a token was told */
	bool after_key, too_deep, over, failed;
	bool is_array[PARSE_DEPTH + 2]; /* by depth */
};

/* Each gets what its context is. */
struct parse_events {
	bool (*opens)(void *context, const struct parse_json *p, bool array); /* true: it is the array of the records */
	void (*closes)(void *context, const struct parse_json *p, bool array);
	void (*key)(void *context, const struct parse_json *p, const char *text, size_t size);
	void (*text)(void *context, const struct parse_json *p, const char *text, size_t size);
	void (*number)(void *context, const struct parse_json *p, const char *text, size_t size);
	void (*other)(void *context, const struct parse_json *p); /* true, false, null */
	void (*drop)(void *context); /* the record that is open is left out: nothing more of it is told */
	char record;                 /* what a record begins with: { or [ */
};

/* Reads to the end, or until it is no JSON any more, which is an anomaly.
 * `open_end`: a missing end is no anomaly. False: out of memory, or there was
 * no token; `why` says which. */
bool parse_json(struct importing *i, const struct parse_events *events, void *context, bool open_end);

/* json_tokens.c: gives YAJL bytes, which stand at offset `place` of the file.
 * False: it refused something. */
bool parse_piece(struct parse_json *p, const void *bytes, size_t size, uint64_t place);
/* Restarts YAJL inside the brackets that are open. False: no memory. */
bool parse_again(struct parse_json *p);
void parse_end(struct parse_json *p);

#endif
