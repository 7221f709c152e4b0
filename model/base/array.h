/* SPDX-License-Identifier: MIT */
/*
 * array: room for one more element, amortised O(1).
 */
#ifndef MODEL_ARRAY_H
#define MODEL_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes *array hold at least `need` elements of `size` bytes; the new ones are not set. False: out
 * of memory, nothing changed. `array` is the address of a pointer to any object. */
static inline bool array_reserve(void *array, uint32_t *capacity, uint64_t need, size_t size)
{
	void *old, *grown;
	uint64_t wanted = *capacity;

	if (need <= *capacity)
		return true;
	if (need >= UINT32_MAX)
		return false;
	wanted += wanted / 2 + 8;
	if (wanted < need)
		wanted = need;
	if (wanted >= UINT32_MAX)
		wanted = UINT32_MAX - 1;
	__builtin_memcpy(&old, array, sizeof(old));
	grown = reallocarray(old, wanted, size);
	if (!grown)
		return false;
	__builtin_memcpy(array, &grown, sizeof(grown));
	*capacity = (uint32_t)wanted;
	return true;
}

/* Sets `count` elements to 0; there may be none. */
static inline void array_clear(void *array, uint64_t count, size_t size)
{
	if (count)
		__builtin_memset(array, 0, count * size);
}

/* As array_reserve, and all elements that are new are 0. */
static inline bool array_reserve_zeroed(void *array, uint32_t *capacity, uint64_t need, size_t size)
{
	uint32_t had = *capacity;
	char *at;

	if (!array_reserve(array, capacity, need, size))
		return false;
	__builtin_memcpy(&at, array, sizeof(at));
	if (*capacity > had)
		__builtin_memset(at + had * size, 0, (*capacity - had) * size);
	return true;
}

/* As array_reserve, for a queue: `count` elements from *first on, which lies in *room, behind those that left at the
 * front. One more fits behind them then; they may have moved. The gap in front is closed only when it is
 * larger than a quarter of what is held: so an element is moved some four times, and the room is less than
 * twice what was ever held. */
static inline bool array_queue(void *room, uint32_t *capacity, void *first, uint32_t count,
			       size_t size)
{
	char *old, *from;
	uint32_t gap;

	__builtin_memcpy(&old, room, sizeof(old));
	__builtin_memcpy(&from, first, sizeof(from));
	gap = old ? (uint32_t)((size_t)(from - old) / size) : 0;
	if ((uint64_t)gap + count < *capacity)
		return true;
	if (gap > count / 4) {
		__builtin_memmove(old, from, count * size);
		gap = 0;
	} else if (!array_reserve(room, capacity, (uint64_t)gap + count + 1, size)) {
		return false;
	}
	__builtin_memcpy(&old, room, sizeof(old));
	from = old + gap * size;
	__builtin_memcpy(first, &from, sizeof(from));
	return true;
}

/* calloc that gives a pointer also for none, so that NULL always means out of memory. */
static inline void *array_zeroed(uint64_t count, size_t size)
{
	return calloc(count ? count : 1, size);
}

#endif
