/* SPDX-License-Identifier: MIT */
/* squash_tally.c: sums, and equal contents found by sorting. */
#include "squash_tally.h"

#include <errno.h>
#include <stdlib.h>

static bool append(struct tally *t, struct content content)
{
	if (t->count == t->room) {
		size_t room = t->room ? 2 * t->room : 1024;
		struct content *contents = realloc(t->contents, room * sizeof *contents);
		if (!contents)
			return false;
		t->contents = contents;
		t->room = room;
	}
	t->contents[t->count++] = content;
	return true;
}

bool tally_file(struct tally *t, struct content content, uint64_t bytes_out)
{
	if (!append(t, content))
		return false;
	t->files++;
	t->bytes_in += content.size_bytes;
	t->bytes_out += bytes_out;
	return true;
}

void tally_error(struct tally *t, int error)
{
	t->errors[error > 0 && error < TALLY_ERRNOS ? error : EIO]++;
}

void tally_add(struct tally *t, const struct tally *from)
{
	t->files += from->files;
	t->directories += from->directories;
	t->skipped += from->skipped;
	t->bytes_in += from->bytes_in;
	t->bytes_out += from->bytes_out;
	for (int i = 0; i < TALLY_ERRNOS; i++)
		t->errors[i] += from->errors[i];
	for (size_t i = 0; i < from->count; i++) {
		if (!append(t, from->contents[i]))
			tally_error(t, ENOMEM);
	}
}

uint64_t tally_errors(const struct tally *t)
{
	uint64_t sum = 0;

	for (int i = 0; i < TALLY_ERRNOS; i++)
		sum += t->errors[i];
	return sum;
}

static int by_content(const void *left, const void *right)
{
	const struct content *a = left, *b = right;

	if (a->size_bytes != b->size_bytes)
		return a->size_bytes < b->size_bytes ? -1 : 1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

uint64_t tally_duplicates(struct tally *t, uint64_t *bytes)
{
	uint64_t duplicates = 0;

	*bytes = 0;
	if (t->count > 1)
		qsort(t->contents, t->count, sizeof *t->contents, by_content);
	for (size_t i = 1; i < t->count; i++) {
		const struct content *c = &t->contents[i];
		if (c->size_bytes && by_content(c - 1, c) == 0) {
			duplicates++;
			*bytes += c->size_bytes;
		}
	}
	return duplicates;
}

void tally_fini(struct tally *t)
{
	free(t->contents);
}
