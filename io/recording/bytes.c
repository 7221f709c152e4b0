/* SPDX-License-Identifier: MIT */
#include "io/recording/bytes.h"

#include <stdlib.h>
#include <string.h>

bool bytes_reserve(struct bytes *b, size_t more)
{
	size_t wanted = b->capacity + b->capacity / 2 + 256;
	uint8_t *grown;

	if (b->failed)
		return false;
	if (b->capacity - b->count >= more)
		return true;
	if (wanted < b->count + more)
		wanted = b->count + more;
	grown = more <= SIZE_MAX / 4 ? realloc(b->at, wanted) : NULL;
	b->failed = !grown;
	if (b->failed)
		return false;
	b->at = grown;
	b->capacity = wanted;
	return true;
}

void bytes_put(struct bytes *b, const void *data, size_t size)
{
	if (!size || !bytes_reserve(b, size))
		return;
	memcpy(b->at + b->count, data, size);
	b->count += size;
}

void bytes_text(struct bytes *b, const char *text)
{
	size_t size = text ? strnlen(text, BYTES_TEXT_MOST) : 0;

	bytes_number(b, size);
	bytes_put(b, text, size);
}

void bytes_fini(struct bytes *b)
{
	free(b->at);
	*b = (struct bytes){ 0 };
}

uint64_t taking_number_slow(struct taking *t)
{
	uint64_t value = 0;

	for (unsigned shift = 0; t->at < t->end && shift < 64; shift += 7) {
		uint8_t byte = *t->at++;

		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	t->failed = true;
	t->at = t->end;
	return 0;
}

uint32_t taking_index(struct taking *t, uint32_t limit)
{
	uint64_t value = taking_number(t);

	if (value < limit)
		return (uint32_t)value;
	t->failed = true;
	t->at = t->end;
	return 0;
}

struct taking taking_part(struct taking *t, uint64_t size)
{
	struct taking part = { t->at, t->at, t->failed };

	if (size > (uint64_t)(t->end - t->at)) {
		part.failed = t->failed = true;
		t->at = t->end;
		return part;
	}
	t->at += size;
	part.end = t->at;
	return part;
}

char *taking_text(struct taking *t)
{
	char *text = (char *)t->at;
	uint64_t size = taking_number(t);
	struct taking part = taking_part(t, size);

	if (part.failed)
		return NULL;
	memmove(text, part.at, (size_t)size);
	text[size] = '\0';
	return text;
}
