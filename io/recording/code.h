/* SPDX-License-Identifier: MIT */
/*
 * code: what stands in a recording, as bytes and back: numbers and texts, and the two things that a recording has most
 * of, the cells of a part and transitions.
 *
 * A number is seven bits a byte, the lowest first, the highest bit of a byte says that more follows; with a sign it is
 * folded (0, -1, 1, -2 ... as 0, 1, 2, 3 ...). A text is its length and its bytes.
 *
 * Whatever goes wrong is kept in `failed`, and asked for once at the end: putting does nothing then, taking gives 0.
 *
 * Cells and transitions lean on the tree of nodes, which writer and reader know alike. The longest call of a zone that
 * was entered once usually equals the zone's inclusive time, so only the difference is written. The next zone is
 * as a rule the one that came next the last time.
 */
#ifndef IO_CODE_H
#define IO_CODE_H

#include "model/profile/transitions.h"

/* ---- numbers and texts */

struct bytes {
	uint8_t *at;
	size_t count, capacity;
	bool failed; /* no memory */
};

/* A number takes so many bytes at most. */
#define BYTES_NUMBER 10

bool bytes_reserve(struct bytes *b, size_t more);
void bytes_put(struct bytes *b, const void *data, size_t size);
#define BYTES_TEXT_MOST (UINT32_C(1) << 20)
void bytes_text(struct bytes *b, const char *text); /* NULL counts as ""; one of more bytes is cut */
void bytes_fini(struct bytes *b);

static inline uint64_t bytes_fold(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t bytes_unfold(uint64_t value)
{
	return (int64_t)(value >> 1 ^ -(value & 1));
}

/* Room for it is there. */
static inline void bytes_number_in(struct bytes *b, uint64_t value)
{
	while (value >= 0x80) {
		b->at[b->count++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	b->at[b->count++] = (uint8_t)value;
}

static inline void bytes_number(struct bytes *b, uint64_t value)
{
	if (bytes_reserve(b, BYTES_NUMBER))
		bytes_number_in(b, value);
}

static inline void bytes_signed(struct bytes *b, int64_t value)
{
	bytes_number(b, bytes_fold(value));
}

/* Reads a block's bytes from front to back. */
struct taking {
	const uint8_t *at, *end;
	bool failed; /* there was less than was asked for, or it was no number */
};

uint64_t taking_number_slow(struct taking *t);

static inline uint64_t taking_number(struct taking *t)
{
	return t->at < t->end && *t->at < 0x80 ? *t->at++ : taking_number_slow(t);
}

static inline int64_t taking_signed(struct taking *t)
{
	return bytes_unfold(taking_number(t));
}

/* A number that is below `limit`; else it failed. */
uint32_t taking_index(struct taking *t, uint32_t limit);

/* The next `size` bytes by themselves; empty if there are not as many. */
struct taking taking_part(struct taking *t, uint64_t size);

/* A text up to its first NUL; NULL: it failed. It stays where it is, moved over its length to have room for a NUL: so these
 * bytes, which must not be constant, are taken once. */
char *taking_text(struct taking *t);

static inline bool taking_is_over(const struct taking *t)
{
	return t->failed || t->at == t->end;
}

/* ---- cells and transitions */

struct code {
	uint32_t *parents; /* by node */
	uint32_t nodes, capacity;
	int64_t *inside;            /* by node; 0 between two calls */
	struct code_next *next;     /* by node; of this block, if its stamp is */
	uint32_t stamp;
	struct profile_cell *cells; /* sorted, as they are told */
	uint32_t cell_capacity;
};

void code_fini(struct code *c);

/* The next node. Its parent may be CODE_LOST: nothing is known of it, and what has it cannot be read. False: out of
 * memory. */
#define CODE_LOST (PROFILE_NONE - 1)
bool code_node(struct code *c, uint32_t parent);

/* The cells of a part, in ascending order of their nodes. All are known, each at most once; else `b` has failed. */
void code_put_cells(struct code *c, struct bytes *b, const struct profile_cell *cells, uint32_t count);

/* *cells are the code's own until the next call. False: they are none, or there is no memory. */
bool code_take_cells(struct code *c, struct taking *t, const struct profile_cell **cells, uint32_t *count);

/* Transitions of one list that follow one another, of which the first is at the tick `first`. No two are 2^61 ticks apart. */
void code_put_calls(struct code *c, struct bytes *b, const struct transition *at, uint32_t count);
#define CODE_FARTHEST (INT64_C(1) << 61)

/* Calls `take` for each. False: they are none, or `take` said so. */
typedef bool code_take(void *context, struct transition n);
bool code_take_calls(struct code *c, struct taking *t, int64_t first, uint32_t count, code_take *take, void *context);

#endif
