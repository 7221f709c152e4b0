/* SPDX-License-Identifier: MIT */
/*
 * select: the value of a rank among many, without sorting them (Hoare's select).
 */
#ifndef MODEL_SELECT_H
#define MODEL_SELECT_H

#include <stdint.h>

/* The value of `rank` among n >= 1 values; rank 0 is the least. The values change places: afterwards the result stands
 * at values[rank], with no larger value in front of it and no smaller one behind it. `random` is any number, which the
 * caller keeps from call to call: pivots are chosen at random with it, so that no order in which values really come is
 * a slow one. */
int64_t select_rank(int64_t *values, uint32_t n, uint32_t rank, uint32_t *random);

#endif
