/* SPDX-License-Identifier: MIT */
/*
 * layout: a report as lines of text for a given width: the one printer, for stdout and the screen.
 *
 * When the width is too small, the least important columns are left out first, and the column that the report is
 * sorted by last. The zone's name gets the cells that remain, and ends in an ellipsis if it is cut. When there is more
 * room than the columns need, the rest of the line stays blank, so that the numbers stand near their names. With
 * `ascii` the names are in ASCII, too: every other character is escaped.
 */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "model/report/report.h"
#include "model/table/sheet.h"

struct layout {
	struct layout_line *lines;
	uint32_t count;
	uint32_t columns; /* 1 << column: that found room */
	struct layout_place places[COLUMNS];
};

#define LAYOUT_NO_LIMIT 0 /* width: every column in full */

/* `width` in cells. NULL: out of memory. */
struct layout *layout_make(const struct report *r, uint32_t width, bool ascii);

/* Gives the same lines one after the other, so that only one of them is in
 * memory: until `give` returns. False: out of memory. */
typedef void layout_give(void *context, const struct layout_line *line);
bool layout_each(const struct report *r, uint32_t width, bool ascii, layout_give *give, void *context);

/*
 * The memory of a window from one refresh to the next, so that its columns do not move while numbers change. The
 * caller zeroes it at first, and keeps it.
 *
 * Widths: a column grows at once. It shrinks after LAYOUT_PATIENCE layouts, to the most that it needed in them. All
 * widths begin anew by themselves when anything in `like` changes; the width of one column does when its unit changes.
 *
 * Units: a column keeps its unit until the values have left it by far (unit_for_many). All units begin anew when
 * the view changes, or the unit that is asked for. There are two sets of them, one for reports of sums and one for
 * reports of a frame or an average frame, whose values are much smaller. A window that goes back to sums finds the
 * units that it had for them.
 */
#define LAYOUT_PATIENCE 200

struct layout_widths {
	struct layout_like {
		enum report_view view;
		enum unit unit;
		int precision;
		uint32_t columns;
		uint32_t width;
		bool average;
		bool ascii;
		bool made;
	} like; /* what it was made for */
	uint32_t cells[COLUMNS];
	uint32_t needed[COLUMNS]; /* since `age` was 0 */
	enum unit units[2][COLUMNS]; /* of sums; of a frame or an average one */
	uint32_t age;
};

/* A window on section 0: its titles, then rows [first, first + count) as far as there are any. Only
 * those are measured. NULL: out of memory. */
struct layout *layout_window(const struct report *r, uint32_t width, bool ascii, uint32_t first,
			     uint32_t count, struct layout_widths *widths);
void layout_free(struct layout *l);

#endif
