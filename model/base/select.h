/* SPDX-License-Identifier: MIT */
/*
 * select: the value of a rank among many, without sorting them (Hoare's select).
 */
#ifndef MODEL_SELECT_H
#define MODEL_SELECT_H

#include <stdint.h>

/* The value of `rank`, from 0 for the least, of n >= 1 values, which change places. `random` is any
 * number, kept by the caller: the pivot is any of the values, so that no order of them that occurs is
 * a bad one. It stands at its rank then, with none above it before and none below it behind. */
int64_t select_rank(int64_t *values, uint32_t n, uint32_t rank, uint32_t *random);

#endif
