/* SPDX-License-Identifier: MIT */
#include "model/base/select.h"

static void swap(int64_t *a, int64_t *b)
{
	int64_t value = *a;

	*a = *b;
	*b = value;
}

/* Puts what is below the pivot before what equals it, and that before what is above. */
static void partition(int64_t *values, uint32_t n, int64_t pivot, uint32_t *below, uint32_t *equal)
{
	uint32_t low = 0, high = n;

	for (uint32_t i = 0; i < high;) {
		if (values[i] < pivot)
			swap(&values[i++], &values[low++]);
		else if (values[i] > pivot)
			swap(&values[i], &values[--high]);
		else
			i++;
	}
	*below = low;
	*equal = high - low;
}

int64_t select_rank(int64_t *values, uint32_t n, uint32_t rank, uint32_t *random)
{
	while (n > 1) {
		uint32_t below, equal;
		int64_t pivot;

		*random = *random * 1664525 + 1013904223;
		pivot = values[(uint64_t)*random * n >> 32];
		partition(values, n, pivot, &below, &equal);
		if (rank >= below && rank < below + equal)
			return pivot;
		if (rank < below) {
			n = below;
		} else {
			values += below + equal;
			rank -= below + equal;
			n -= below + equal;
		}
	}
	return values[0];
}
