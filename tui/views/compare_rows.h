/* SPDX-License-Identifier: MIT */
/*
 * compare_rows: a comparison (model/stats/compare.h) as rows of a table: the frame, then its zones in some order.
 *
 * Where the width is too small for all columns, those of self times stay, or those of hierarchical times if
 * the table is sorted by one of them. What is not evident is dim, and says so.
 */
#ifndef TUI_COMPARE_ROWS_H
#define TUI_COMPARE_ROWS_H

#include "model/stats/compare.h"
#include "tui/views/view.h"

struct compare_rows;

extern const struct table_kind compare_rows_kind; /* frees them */

/* In the view's order, of what the look's filter leaves; the comparison and the profile are borrowed. NULL: `why`
 * says why. */
struct compare_rows *compare_rows_make(const struct comparison *c, const struct look *look, const struct view *v,
				       enum unit unit, char why[VIEW_WHY_SIZE]);

/* The key of a row; PROFILE_NONE: it is of no zone. */
uint32_t compare_rows_key(const struct compare_rows *rows, uint32_t row);

#endif
