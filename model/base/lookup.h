/* SPDX-License-Identifier: MIT */
/*
 * lookup: finds the index of a thing by its contents.
 *
 * Open addressing over {hash, index}; the things themselves live in an array of the caller, who
 * says whether two are the same.
 */
#ifndef MODEL_LOOKUP_H
#define MODEL_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP_NONE UINT32_MAX

struct lookup_slot {
	uint32_t hash;
	uint32_t index_plus_1; /* 0: empty */
};

struct lookup {
	struct lookup_slot *slots;
	uint32_t capacity; /* 0 or a power of two */
	uint32_t used;
};

/* Is the thing at `index` the one that `wanted` describes? */
typedef bool lookup_same(const void *context, uint32_t index, const void *wanted);

uint32_t lookup_hash(uint32_t hash, const void *bytes, size_t length);

/* The hash of a key that is two numbers. */
static inline uint32_t lookup_hash_pair(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;

	h = (h ^ h >> 32) * 0xc4ceb9fe1a85ec53;
	return (uint32_t)(h >> 32);
}

/* Inline, and with it `same`: importers look up each line of a file. */
static inline uint32_t lookup_find(const struct lookup *l, uint32_t hash, lookup_same *same, const void *context,
				   const void *wanted)
{
	if (!l->capacity)
		return LOOKUP_NONE;
	for (uint32_t i = hash & (l->capacity - 1);; i = (i + 1) & (l->capacity - 1)) {
		const struct lookup_slot *s = &l->slots[i];

		if (!s->index_plus_1)
			return LOOKUP_NONE;
		if (s->hash == hash && same(context, s->index_plus_1 - 1, wanted))
			return s->index_plus_1 - 1;
	}
}

/* Room for one more: call it before the thing is added, so that lookup_add cannot fail. */
bool lookup_reserve(struct lookup *l);
void lookup_add(struct lookup *l, uint32_t hash, uint32_t index);
void lookup_remove(struct lookup *l, uint32_t hash, uint32_t index); /* it was added with that hash */

/* `to` is empty. False: out of memory, and it stays so. */
bool lookup_copy(struct lookup *to, const struct lookup *from);
void lookup_fini(struct lookup *l);

#endif
