/* SPDX-License-Identifier: MIT */
/*
 * sorter: more records than memory is to hold, in order. Records of one size are put in and taken out sorted; those that
 * are equal come out in the order in which they were put in.
 *
 * Up to `held` of them are in memory; more are sorted piece by piece, the pieces go to an unlinked file, and are merged
 * when they are taken.
 */
#ifndef IO_SORTER_H
#define IO_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SORTER_HELD (UINT32_C(1) << 19)

typedef int sorter_compare(const void *a, const void *b);

struct sorter_piece;

struct sorter {
	size_t size; /* of a record */
	sorter_compare *compare;
	const char *folder;
	uint32_t held;
	bool failed; /* `error`, as errno is */
	int error;

	uint8_t *records, *scratch;
	uint32_t count, capacity; /* in memory */
	uint64_t total;
	int fd; /* -1: all are in memory */
	struct sorter_piece *pieces;
	uint32_t piece_count, piece_capacity;
	uint32_t *heap; /* pieces by what comes next */
	uint32_t heap_count, at;
};

/* `held` records at most are in memory, and as much again while they are sorted. */
void sorter_init(struct sorter *s, size_t size, sorter_compare *compare, const char *folder, uint32_t held);
void sorter_fini(struct sorter *s);

bool sorter_grow(struct sorter *s);

/* Where the next record is to be written; NULL: failed. Until it is written nothing else of the sorter is called. */
static inline void *sorter_add(struct sorter *s)
{
	if (s->count == s->capacity && !sorter_grow(s))
		return NULL;
	s->total++;
	return s->records + s->size * s->count++;
}

/* All are there. */
bool sorter_sort(struct sorter *s);

/* From the first one on again. */
bool sorter_again(struct sorter *s);

/* The next one; NULL: there is none, or it failed. It stands until the next call. */
const void *sorter_next(struct sorter *s);

#endif
