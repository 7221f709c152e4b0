/* SPDX-License-Identifier: MIT */
/*
 * strings: each string once, as a number. Strings are bytes of any kind. Numbers ascend from 0, but the number of a string
 * that was removed is given to a later one.
 */
#ifndef MODEL_STRINGS_H
#define MODEL_STRINGS_H

#include "model/base/lookup.h"

#define STRINGS_NONE UINT32_MAX

struct string {
	char *text; /* a NUL follows it; NULL: it was removed */
	uint32_t length, hash;
	uint32_t users; /* the caller's count, 0 at first. Of one that was removed: 1 + the one removed before; 0: none */
};

struct strings {
	struct string *at;
	uint32_t count, capacity;
	uint32_t removed; /* 1 + the string that was removed last; 0: none */
	struct lookup by_text;
};

/* STRINGS_NONE: it is not there. */
uint32_t strings_find(const struct strings *s, const char *text, size_t length);

/* STRINGS_NONE: no memory, or there are `most` numbers already. */
uint32_t strings_add(struct strings *s, const char *text, size_t length, uint32_t most);

void strings_remove(struct strings *s, uint32_t string);

/* `to` is empty. False: out of memory; what there is by then is freed by strings_fini. */
bool strings_copy(struct strings *to, const struct strings *from);
void strings_fini(struct strings *s);

#endif
