/* SPDX-License-Identifier: MIT */
#include "model/base/strings.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

/* Eight bytes at a time: an importer hashes a name more often than it does anything else with it. */
static uint32_t hash_text(const char *text, size_t length)
{
	uint64_t h = 0x9e3779b97f4a7c15 ^ length, word;

	for (; length >= 8; text += 8, length -= 8) {
		memcpy(&word, text, 8);
		h = (h ^ word) * 0xff51afd7ed558ccd;
		h ^= h >> 32;
	}
	word = 0;
	for (size_t i = 0; i < length; i++)
		word |= (uint64_t)(uint8_t)text[i] << 8 * i;
	h = (h ^ word) * 0xc4ceb9fe1a85ec53;
	return (uint32_t)(h ^ h >> 32);
}

struct wanted_text {
	const char *text;
	size_t length;
};

static bool same_text(const void *context, uint32_t index, const void *wanted)
{
	const struct string *string = &((const struct strings *)context)->at[index];
	const struct wanted_text *text = wanted;

	return string->length == text->length && !memcmp(string->text, text->text, text->length);
}

static uint32_t find_hashed(const struct strings *s, const char *text, size_t length, uint32_t hash)
{
	return lookup_find(&s->by_text, hash, same_text, s, &(struct wanted_text){ text, length });
}

uint32_t strings_find(const struct strings *s, const char *text, size_t length)
{
	return find_hashed(s, text, length, hash_text(text, length));
}

/* The place for one more: one that was removed, or behind all others. False: there is none. */
static bool find_place(struct strings *s, uint32_t most, uint32_t *place)
{
	*place = s->removed ? s->removed - 1 : s->count;
	return s->removed || (s->count < most && array_reserve(&s->at, &s->capacity, (uint64_t)s->count + 1, sizeof(*s->at)));
}

static char *copy_text(const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

uint32_t strings_add(struct strings *s, const char *text, size_t length, uint32_t most)
{
	uint32_t hash = hash_text(text, length), place = find_hashed(s, text, length, hash);
	char *copy;

	if (place != LOOKUP_NONE)
		return place;
	copy = copy_text(text, length);
	if (!copy || !lookup_reserve(&s->by_text) || !find_place(s, most, &place)) {
		free(copy);
		return STRINGS_NONE;
	}
	if (place == s->count)
		s->count++;
	else
		s->removed = s->at[place].users;
	s->at[place] = (struct string){ copy, (uint32_t)length, hash, 0 };
	lookup_add(&s->by_text, hash, place);
	return place;
}

void strings_remove(struct strings *s, uint32_t string)
{
	lookup_remove(&s->by_text, s->at[string].hash, string);
	free(s->at[string].text);
	s->at[string] = (struct string){ .users = s->removed };
	s->removed = string + 1;
}

bool strings_copy(struct strings *to, const struct strings *from)
{
	if (!array_reserve(&to->at, &to->capacity, from->count, sizeof(*to->at)))
		return false;
	for (; to->count < from->count; to->count++) {
		const struct string *old = &from->at[to->count];

		to->at[to->count] = *old;
		to->at[to->count].text = old->text ? copy_text(old->text, old->length) : NULL;
		if (old->text && !to->at[to->count].text)
			return false;
	}
	to->removed = from->removed;
	return lookup_copy(&to->by_text, &from->by_text);
}

void strings_fini(struct strings *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		free(s->at[i].text);
	free(s->at);
	lookup_fini(&s->by_text);
	*s = (struct strings){ 0 };
}
