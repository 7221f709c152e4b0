/* SPDX-License-Identifier: MIT */
/*
 * spark: values one after the other as a line of small bars: `▂▂▃▂█▂▂▁`.
 *
 * The newest stands at the right end. A cell stands for several values and shows the most of them.
 * The highest bar is the largest value, and leaves an eighth of its cell empty, so that lines do not run into each
 * other; nothing at all is 0; a value above 0 is never drawn as nothing.
 */
#ifndef MODEL_SPARK_H
#define MODEL_SPARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPARK_SIZE(cells) ((cells) * 3 + 1) /* bytes of a line of so many cells */

/* Draws `count` values, the oldest first, `per_cell` of them a cell, into exactly `cells` cells;
 * values for which there is no room are the oldest. `out` has SPARK_SIZE(cells) bytes. Returns the
 * bytes written. */
size_t spark_draw(const int64_t *values, uint32_t count, uint32_t per_cell, uint32_t cells,
		  bool ascii, char *out);

#endif
