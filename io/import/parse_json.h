/* SPDX-License-Identifier: MIT */
/*
 * parse_json: JSON as it is read, piece by piece. Numbers are given as they stand there, and become nothing else on the
 * way. Texts are any bytes.
 */
#ifndef IO_PARSE_JSON_H
#define IO_PARSE_JSON_H

#include "io/import/import_inside.h"

#define PARSE_DEPTH 256u                        /* deeper it is refused */
#define PARSE_TOKEN_MOST (UINT64_C(16) << 20)   /* bytes without anything in them: as is a text that long */

struct parse_json {
	uint32_t depth; /* of what is open, with what is just opened or closed */
	uint64_t place; /* of the byte behind what is told */

	struct importing *i;
	const struct parse_events *events;
	void *context;
	void *handle;
	uint64_t base, told; /* where the piece begins; how much was told */
	bool too_deep, over;
};

/* Each gets what its context is. */
struct parse_events {
	void (*opens)(void *context, const struct parse_json *p, bool array);
	void (*closes)(void *context, const struct parse_json *p, bool array);
	void (*key)(void *context, const struct parse_json *p, const char *text, size_t size);
	void (*text)(void *context, const struct parse_json *p, const char *text, size_t size);
	void (*number)(void *context, const struct parse_json *p, const char *text, size_t size);
	void (*other)(void *context, const struct parse_json *p); /* true, false, null */
};

/* Until the end, or until it is no JSON any more, which is an anomaly. `open_end`: a last comma, and an end that is
 * missing, are not. False: no memory, or nothing was told: why. */
bool parse_json(struct importing *i, const struct parse_events *events, void *context, bool open_end);

#endif
