/* SPDX-License-Identifier: MIT */
#include "model/base/lookup.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, with a last mix because only low bits choose the slot. */
uint32_t lookup_hash(uint32_t hash, const void *bytes, size_t length)
{
	const unsigned char *b = bytes;

	hash ^= 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ b[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static void slot_fill(struct lookup_slot *slots, uint32_t capacity, struct lookup_slot filled)
{
	uint32_t i = filled.hash & (capacity - 1);

	while (slots[i].index_plus_1)
		i = (i + 1) & (capacity - 1);
	slots[i] = filled;
}

bool lookup_reserve(struct lookup *l)
{
	uint32_t capacity = l->capacity ? l->capacity * 2 : 64;
	struct lookup_slot *slots;

	if (l->capacity && l->used < l->capacity / 2)
		return true;
	if (capacity < l->capacity)
		return false;
	slots = calloc(capacity, sizeof(*slots));
	if (!slots)
		return false;
	for (uint32_t i = 0; i < l->capacity; i++)
		if (l->slots[i].index_plus_1)
			slot_fill(slots, capacity, l->slots[i]);
	free(l->slots);
	l->slots = slots;
	l->capacity = capacity;
	return true;
}

void lookup_add(struct lookup *l, uint32_t hash, uint32_t index)
{
	slot_fill(l->slots, l->capacity, (struct lookup_slot){ hash, index + 1 });
	l->used++;
}

/* Fills the hole with the next entry that was put behind its own place because the hole was taken, and so on. */
void lookup_remove(struct lookup *l, uint32_t hash, uint32_t index)
{
	uint32_t mask = l->capacity - 1, hole = hash & mask;

	while (l->slots[hole].index_plus_1 != index + 1)
		hole = (hole + 1) & mask;
	for (uint32_t i = (hole + 1) & mask; l->slots[i].index_plus_1; i = (i + 1) & mask)
		if (((i - l->slots[i].hash) & mask) >= ((i - hole) & mask)) {
			l->slots[hole] = l->slots[i];
			hole = i;
		}
	l->slots[hole] = (struct lookup_slot){ 0, 0 };
	l->used--;
}

bool lookup_copy(struct lookup *to, const struct lookup *from)
{
	struct lookup_slot *slots = NULL;

	if (from->capacity) {
		slots = calloc(from->capacity, sizeof(*slots));
		if (!slots)
			return false;
		memcpy(slots, from->slots, from->capacity * sizeof(*slots));
	}
	*to = (struct lookup){ slots, from->capacity, from->used };
	return true;
}

void lookup_fini(struct lookup *l)
{
	free(l->slots);
	*l = (struct lookup){ 0 };
}
