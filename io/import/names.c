/* SPDX-License-Identifier: MIT */
#include "io/import/names.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

#define NO_NAME "(no name)"
#define TOO_MANY "(too many names)"

/* Eight bytes at a time: names are hashed more often than anything else is done with them. */
static uint32_t hash_of(const char *bytes, size_t size)
{
	uint64_t h = 0x9e3779b97f4a7c15 ^ size, word;

	for (; size >= 8; bytes += 8, size -= 8) {
		memcpy(&word, bytes, 8);
		h = (h ^ word) * 0xff51afd7ed558ccd;
		h ^= h >> 32;
	}
	word = 0;
	for (size_t i = 0; i < size; i++)
		word |= (uint64_t)(uint8_t)bytes[i] << 8 * i;
	h = (h ^ word) * 0xc4ceb9fe1a85ec53;
	return (uint32_t)(h ^ h >> 32);
}

void names_fini(struct names *n)
{
	for (uint32_t i = 0; i < n->count; i++)
		free(n->names[i].text);
	free(n->names);
	lookup_fini(&n->by_text);
	*n = (struct names){ 0 };
}

struct text {
	const char *bytes;
	size_t size;
};

static bool same_text(const void *context, uint32_t index, const void *wanted)
{
	const struct name *name = &((const struct names *)context)->names[index];
	const struct text *text = wanted;

	return name->length == text->size && !memcmp(name->text, text->bytes, text->size);
}

static uint32_t find(const struct names *n, const char *bytes, size_t size, uint32_t hash)
{
	return lookup_find(&n->by_text, hash, same_text, n, &(struct text){ bytes, size });
}

uint32_t names_find(const struct names *n, const char *text, size_t size)
{
	return find(n, text, size, hash_of(text, size));
}

static uint32_t add(struct names *n, const char *text, size_t size, uint32_t hash)
{
	struct name *name;

	if (!lookup_reserve(&n->by_text) ||
	    !array_reserve(&n->names, &n->capacity, (uint64_t)n->count + 1, sizeof(*n->names)))
		goto fail;
	name = &n->names[n->count];
	*name = (struct name){ .text = malloc(size + 1), .length = (uint32_t)size, .zone = NAMES_NONE, .event = NAMES_NONE };
	if (!name->text)
		goto fail;
	memcpy(name->text, text, size);
	name->text[size] = '\0';
	lookup_add(&n->by_text, hash, n->count);
	n->bytes += size;
	return n->count++;
fail:
	n->failed = true;
	return NAMES_NONE;
}

static size_t without_nul(const char *bytes, size_t size, char *out)
{
	size_t length = 0;

	for (size_t i = 0; i < size && length + 2 <= NAME_MOST; i++) {
		if (!bytes[i])
			out[length++] = '\xc0';
		out[length++] = bytes[i] ? bytes[i] : '\x80';
	}
	return length;
}

uint32_t names_add(struct names *n, const char *bytes, size_t size, struct anomalies *a, uint64_t at)
{
	char room[NAME_MOST + 1];
	uint32_t hash, found;

	if (!size) {
		bytes = NO_NAME;
		size = sizeof NO_NAME - 1;
	}
	if (size > NAME_MOST) {
		size = NAME_MOST;
		anomaly_add(a, ANOMALY_NAME_CUT, at);
	}
	if (memchr(bytes, '\0', size)) {
		size = without_nul(bytes, size, room);
		bytes = room;
		anomaly_add(a, ANOMALY_NAME_NUL, at);
	}
	hash = hash_of(bytes, size);
	found = find(n, bytes, size, hash);
	if (found != NAMES_NONE)
		return found;
	if (n->count >= NAMES_MOST || n->bytes + size > NAMES_BYTES) {
		anomaly_add(a, ANOMALY_MANY, at);
		bytes = TOO_MANY;
		size = sizeof TOO_MANY - 1;
		hash = hash_of(bytes, size);
		found = find(n, bytes, size, hash);
	}
	return found != NAMES_NONE ? found : add(n, bytes, size, hash);
}

/* Ids */

static uint32_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;

	h = (h ^ h >> 32) * 0xc4ceb9fe1a85ec53;
	return (uint32_t)(h >> 32);
}

void ids_fini(struct ids *ids)
{
	free(ids->slots);
	*ids = (struct ids){ 0 };
}

static struct id_slot *slot_of(const struct ids *ids, uint64_t a, uint64_t b)
{
	uint32_t i = mix(a, b) & (ids->capacity - 1);

	while (ids->slots[i].value != NAMES_NONE && (ids->slots[i].a != a || ids->slots[i].b != b))
		i = (i + 1) & (ids->capacity - 1);
	return &ids->slots[i];
}

static bool more_ids(struct ids *ids)
{
	struct ids grown = { .capacity = ids->capacity ? ids->capacity * 2 : 64 };

	if (ids->capacity > UINT32_MAX / 4)
		return false;
	grown.slots = malloc(grown.capacity * sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (uint32_t i = 0; i < grown.capacity; i++)
		grown.slots[i].value = NAMES_NONE;
	for (uint32_t i = 0; i < ids->capacity; i++)
		if (ids->slots[i].value != NAMES_NONE)
			*slot_of(&grown, ids->slots[i].a, ids->slots[i].b) = ids->slots[i];
	grown.count = ids->count;
	free(ids->slots);
	*ids = grown;
	return true;
}

uint32_t *ids_at(struct ids *ids, uint64_t a, uint64_t b)
{
	struct id_slot *slot;

	if (ids->count >= ids->capacity / 4 * 3 && !more_ids(ids)) {
		ids->failed = true;
		return NULL;
	}
	slot = slot_of(ids, a, b);
	if (slot->value == NAMES_NONE) {
		slot->a = a;
		slot->b = b;
		ids->count++; /* the caller gives it a value */
	}
	return &slot->value;
}

uint32_t ids_find(const struct ids *ids, uint64_t a, uint64_t b)
{
	return ids->capacity ? slot_of(ids, a, b)->value : NAMES_NONE;
}
