/* SPDX-License-Identifier: MIT */
/*
 * ruler: a line of cells as an axis of time: a mark at each multiple of a round step, as `|-0.5 s`.
 */
#ifndef MODEL_RULER_H
#define MODEL_RULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The line for [from_ns, to_ns), of `columns` cells: a mark stands where there is room for it, and its | at its place.
 * UTF-8, without blanks at its end; at most size - 1 bytes, for which two a cell are enough. */
void ruler_text(int64_t from_ns, int64_t to_ns, uint32_t columns, bool ascii, char *out, size_t size);

#endif
