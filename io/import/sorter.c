/* SPDX-License-Identifier: MIT */
#include "io/import/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/unlinked.h"
#include "model/base/array.h"

#define PIECE_ROOM (UINT32_C(64) << 10)
#define FIRST_HELD 1024u
#define SHORT 8u /* so many are put in order one by one */

struct sorter_piece {
	off_t begin, end; /* in the file */
	off_t next;       /* what is still to be read begins */
	uint8_t *room;
	uint32_t at, count; /* bytes */
};

void sorter_init(struct sorter *s, size_t size, sorter_compare *compare, const char *folder, uint32_t held)
{
	*s = (struct sorter){ .size = size, .compare = compare, .folder = folder, .held = held, .fd = -1 };
}

void sorter_fini(struct sorter *s)
{
	for (uint32_t i = 0; i < s->piece_count; i++)
		free(s->pieces[i].room);
	free(s->pieces);
	free(s->heap);
	free(s->records);
	free(s->scratch);
	if (s->fd >= 0)
		close(s->fd);
	sorter_init(s, s->size, s->compare, s->folder, s->held);
}

static bool sorter_fails(struct sorter *s, int error)
{
	s->failed = true;
	s->error = error;
	s->count = s->capacity = 0; /* nothing is added any more */
	return false;
}

/* In memory: parts that are in order already are left as they are, so what comes sorted costs a look. */

static void sort_short(const struct sorter *s, uint8_t *a, uint32_t n, uint8_t *spare)
{
	size_t size = s->size;

	for (uint32_t i = 1; i < n; i++) {
		uint32_t to = i;

		while (to && s->compare(a + (to - 1) * size, a + i * size) > 0)
			to--;
		if (to == i)
			continue;
		memcpy(spare, a + i * size, size);
		memmove(a + (to + 1) * size, a + to * size, (i - to) * size);
		memcpy(a + to * size, spare, size);
	}
}

static void merge_halves(const struct sorter *s, uint8_t *a, uint32_t half, uint32_t n, uint8_t *spare)
{
	size_t size = s->size;
	uint8_t *left = spare, *left_end = spare + half * size, *right = a + half * size, *end = a + n * size;

	memcpy(spare, a, half * size);
	for (; left < left_end; a += size) {
		uint8_t **from = right < end && s->compare(left, right) > 0 ? &right : &left;

		memcpy(a, *from, size);
		*from += size;
	}
}

static void sort_records(const struct sorter *s, uint8_t *a, uint32_t n, uint8_t *spare)
{
	uint32_t half = n / 2;

	if (n <= SHORT) {
		sort_short(s, a, n, spare);
		return;
	}
	sort_records(s, a, half, spare);
	sort_records(s, a + half * s->size, n - half, spare);
	if (s->compare(a + (half - 1) * s->size, a + half * s->size) > 0)
		merge_halves(s, a, half, n, spare);
}

static bool sort_held(struct sorter *s)
{
	if (!s->scratch)
		s->scratch = malloc((s->capacity / 2 + 1) * s->size);
	if (!s->scratch)
		return sorter_fails(s, ENOMEM);
	if (s->count)
		sort_records(s, s->records, s->count, s->scratch);
	return true;
}

/* On disk */

static bool spill_records(struct sorter *s)
{
	size_t size = s->count * s->size;
	struct sorter_piece *before;

	if (!sort_held(s) || !array_reserve(&s->pieces, &s->piece_capacity, (uint64_t)s->piece_count + 1,
					    sizeof(*s->pieces)))
		return sorter_fails(s, ENOMEM);
	if (s->fd < 0 && (s->fd = unlinked_open(s->folder)) < 0)
		return sorter_fails(s, errno);
	if (!unlinked_write(s->fd, s->records, size))
		return sorter_fails(s, errno ? errno : EIO);
	before = s->piece_count ? &s->pieces[s->piece_count - 1] : NULL;
	s->pieces[s->piece_count++] = (struct sorter_piece){ .begin = before ? before->end : 0,
							     .end = (before ? before->end : 0) + (off_t)size };
	s->count = 0;
	return true;
}

bool sorter_grow(struct sorter *s)
{
	uint64_t more = s->capacity ? (uint64_t)s->capacity * 2 : FIRST_HELD;
	uint8_t *grown;

	if (s->failed)
		return false;
	if (s->capacity >= s->held)
		return spill_records(s);
	more = more < s->held ? more : s->held;
	grown = reallocarray(s->records, more, s->size);
	if (!grown)
		return sorter_fails(s, ENOMEM);
	s->records = grown;
	s->capacity = (uint32_t)more;
	return true;
}

static bool piece_more(struct sorter *s, struct sorter_piece *p)
{
	uint32_t most = PIECE_ROOM / (uint32_t)s->size * (uint32_t)s->size, got = 0;
	off_t left = p->end - p->next;
	uint32_t wanted = left < (off_t)most ? (uint32_t)left : most;

	if (!p->room && !(p->room = malloc(most)))
		return sorter_fails(s, ENOMEM);
	while (got < wanted) {
		ssize_t n = pread(s->fd, p->room + got, wanted - got, p->next + got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return sorter_fails(s, n < 0 ? errno : EIO);
		got += (uint32_t)n;
	}
	p->next += got;
	p->at = 0;
	p->count = got;
	return true;
}

/* Equal items stay in the order of their pieces. */
static bool comes_first(const struct sorter *s, uint32_t a, uint32_t b)
{
	const struct sorter_piece *x = &s->pieces[a], *y = &s->pieces[b];
	int order = s->compare(x->room + x->at, y->room + y->at);

	return order < 0 || (!order && a < b);
}

static void sift_down(struct sorter *s, uint32_t i)
{
	for (uint32_t child; (child = 2 * i + 1) < s->heap_count; i = child) {
		uint32_t moved = s->heap[i];

		if (child + 1 < s->heap_count && comes_first(s, s->heap[child + 1], s->heap[child]))
			child++;
		if (!comes_first(s, s->heap[child], moved))
			break;
		s->heap[i] = s->heap[child];
		s->heap[child] = moved;
	}
}

bool sorter_sort(struct sorter *s)
{
	s->at = 0;
	if (s->failed)
		return false;
	if (!s->piece_count)
		return sort_held(s);
	if (s->count && !spill_records(s))
		return false;
	free(s->records);
	free(s->scratch);
	s->records = s->scratch = NULL;
	s->capacity = 0;
	s->heap = calloc(s->piece_count, sizeof(*s->heap));
	if (!s->heap)
		return sorter_fails(s, ENOMEM);
	return sorter_again(s);
}

bool sorter_again(struct sorter *s)
{
	s->at = 0;
	if (s->failed || !s->heap)
		return !s->failed;
	s->heap_count = 0;
	for (uint32_t i = 0; i < s->piece_count; i++) {
		s->pieces[i].next = s->pieces[i].begin;
		if (!piece_more(s, &s->pieces[i]))
			return false;
		s->heap[s->heap_count++] = i;
	}
	for (uint32_t i = s->heap_count; i-- > 0;)
		sift_down(s, i);
	s->at = UINT32_MAX; /* nothing was taken yet */
	return true;
}

static const void *next_merged(struct sorter *s)
{
	struct sorter_piece *p;

	if (s->at != UINT32_MAX) { /* what stood until now goes */
		p = &s->pieces[s->heap[0]];
		p->at += (uint32_t)s->size;
		if (p->at == p->count && p->next < p->end && !piece_more(s, p))
			return NULL;
		if (p->at == p->count)
			s->heap[0] = s->heap[--s->heap_count];
		sift_down(s, 0);
	}
	s->at = 0;
	if (!s->heap_count)
		return NULL;
	p = &s->pieces[s->heap[0]];
	return p->room + p->at;
}

const void *sorter_next(struct sorter *s)
{
	if (s->failed)
		return NULL;
	if (s->heap)
		return s->heap_count ? next_merged(s) : NULL;
	return s->at < s->count ? s->records + s->size * s->at++ : NULL;
}
