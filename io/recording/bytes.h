/* SPDX-License-Identifier: MIT */
/*
 * bytes: numbers and texts as a recording has them, put behind one another and taken off again.
 *
 * A number is seven bits a byte, the lowest first, the highest bit of a byte says that more follows; with a sign it is
 * folded (0, -1, 1, -2 ... as 0, 1, 2, 3 ...). A text is its length and its bytes.
 *
 * Whatever goes wrong is kept in `failed`, and asked for once at the end: putting does nothing then, taking gives 0.
 */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
