/* SPDX-License-Identifier: MIT */
/*
 * why_rows: why a frame is not as its base (model/stats/why.h) as rows of a table: a row a stack of zones, innermost zone
 * first, `raycast ‹ ai ‹ update`; those of the first thread, then of each other thread a heading with its own
 * difference and its rows.
 *
 * A filter looks at the innermost zone, and leaves sums as they are.
 */
#ifndef TUI_WHY_ROWS_H
#define TUI_WHY_ROWS_H

#include "model/table/why_table.h"
#include "tui/views/view.h"

/* In the view's order, of what the look's filter leaves. The why is theirs from now on, whatever comes of it; the
 * profile is borrowed. `held` is the unit of times that there was so far, or UNIT_AUTO. NULL: `why` says why. */
struct why_table *why_rows_make(struct why *w, const struct look *look, const struct view *v, enum unit held,
				char why[VIEW_WHY_SIZE]);

/* The node of a row, PROFILE_NONE: it is a heading, or `(no zone)`, or there is no such row. */
uint32_t why_rows_node(const struct why_table *rows, uint32_t row);

bool why_rows_is_heading(const struct why_table *rows, uint32_t row);

/* A difference in the rows' unit, with its sign, which is not said: `+15.100`. */
void why_rows_time(const struct why_table *rows, const struct look *look, int64_t value, char *out, size_t size);

#endif
