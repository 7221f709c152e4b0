/* SPDX-License-Identifier: MIT */
/*
 * layout: a report as lines of text for a given width: the one printer, for stdout and the screen.
 *
 * A line is UTF-8 and ends without blanks and without a newline. Its spans say which bytes play
 * which role; what colour a role has is up to who draws it, and no meaning is in the role alone.
 * When the width is too small the least important columns go first, the one that is sorted by last;
 * the zone's name takes what is left and ends in an ellipsis when it is cut. Where there is room to
 * spare it stays at the right, so that numbers stand near their names. In ASCII also names are: what
 * is not is escaped.
 */
#ifndef MODEL_LAYOUT_H
#define MODEL_LAYOUT_H

#include "model/report.h"

enum style_role {
	STYLE_TITLE,  /* column title */
	STYLE_SORTED, /* title of the column that is sorted by */
	STYLE_THREAD, /* heading of a thread's section */
	STYLE_NAME,
	STYLE_FOCUS, /* name in the focus row */
	STYLE_NUMBER,
	STYLE_DIM,  /* `-`, `(no zone)`, zones that wait (which say so too) */
	STYLE_HEAT, /* heat mark; `heat` says how hot */
	STYLE_WARM, /* a name whose heat mark is in the line; likewise */
	STYLE_BAR,  /* share bar, trend */
};

struct layout_span {
	uint32_t start; /* byte in the line */
	uint32_t length;
	enum style_role role;
	float heat;
};

enum layout_kind { LAYOUT_HEADING, LAYOUT_TITLES, LAYOUT_ROW };

struct layout_line {
	enum layout_kind kind;
	uint32_t section;
	uint32_t row; /* in its section; PROFILE_NONE when it is no row */
	char *text;
	struct layout_span *spans;
	uint32_t span_count;
};

/* Where a column stands: cells [x, x + width) of each line. */
struct layout_place {
	uint32_t x;
	uint32_t width; /* 0: it found no room */
};

struct layout {
	struct layout_line *lines;
	uint32_t count;
	uint32_t columns; /* 1 << column: that found room */
	struct layout_place places[COLUMNS];
};

#define LAYOUT_NO_LIMIT 0 /* width: every column in full */

/* `width` in cells. NULL: out of memory. */
struct layout *layout_make(const struct report *r, uint32_t width, bool ascii);

/*
 * What a window remembers from one refresh to the next, so that its columns do not move while
 * numbers change: zeroed at first, then kept by the caller. Columns grow at once and shrink when they
 * were wider than needed for LAYOUT_PATIENCE layouts; units change only when values left them by
 * far. It begins anew by itself when the view, what it is in, or the width changes; units do only when
 * the view or the unit that is asked for does. Sums have others than what is of one frame, and come back with what
 * they had.
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
