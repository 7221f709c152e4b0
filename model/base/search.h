/* SPDX-License-Identifier: MIT */
/*
 * search: where, in an ascending order, something ends to hold.
 */
#ifndef MODEL_SEARCH_H
#define MODEL_SEARCH_H

#include <stdint.h>

/*
 * The first index of [from, to) for which `before` does not hold; `to` where it holds for all. `before` is an expression
 * of the index, called `i` in it as the first argument says, which holds for the first ones and for none behind them:
 *
 *     SEARCH(i, 0, p->frame_count, p->frames[i].number < number)
 *
 * It is evaluated log2 times as often as there are indices.
 */
#define SEARCH(i, from, to, before)                               \
	__extension__({                                           \
		uint32_t search_from = (from), search_to = (to);  \
		while (search_from < search_to) {                 \
			uint32_t i = search_from + (search_to - search_from) / 2; \
			if (before)                               \
				search_from = i + 1;              \
			else                                      \
				search_to = i;                    \
		}                                                 \
		search_from;                                      \
	})

#endif
