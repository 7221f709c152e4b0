/* SPDX-License-Identifier: MIT */
/*
 * names: each name of a file once, as a number; and numbers of a file, as it has them, to our own.
 *
 * Names are bytes of any kind. What is too long is cut, a NUL becomes the bytes c0 80 as in Java, and no name at all is
 * called `(no name)`. There are NAMES_MOST at most, and NAMES_BYTES of them in all: what comes behind is one name.
 */
#ifndef IO_NAMES_H
#define IO_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/import/anomaly.h"
#include "model/base/lookup.h"

#define NAME_MOST 16383u /* bytes of one */
#define NAMES_MOST (UINT32_C(1) << 20)
#define NAMES_BYTES (UINT32_C(128) << 20)
#define NAMES_NONE UINT32_MAX

struct name {
	char *text;
	uint32_t length;
	uint32_t zone, event; /* of the recording, once it is one; NAMES_NONE */
};

struct names {
	struct name *names;
	uint32_t count, capacity;
	struct lookup by_text;
	uint64_t bytes;
	bool failed; /* no memory */
};

void names_fini(struct names *n);

/* NAMES_NONE: no memory. Anomalies are told with the place `at`. */
uint32_t names_add(struct names *n, const char *bytes, size_t size, struct anomalies *a, uint64_t at);

/* A name that is there; NAMES_NONE: none. */
uint32_t names_find(const struct names *n, const char *text, size_t size);

static inline const char *names_text(const struct names *n, uint32_t name)
{
	return n->names[name].text;
}

/* Two numbers that are a key together, and what they stand for. */
struct id_slot {
	uint64_t a, b;
	uint32_t value; /* NAMES_NONE: the slot is empty */
};

struct ids {
	struct id_slot *slots;
	uint32_t count, capacity;
	bool failed;
};

void ids_fini(struct ids *ids);

/* The place of what they stand for, NAMES_NONE if they are new. It may move. NULL: no memory. */
uint32_t *ids_at(struct ids *ids, uint64_t a, uint64_t b);

/* NAMES_NONE: nothing. */
uint32_t ids_find(const struct ids *ids, uint64_t a, uint64_t b);

#endif
