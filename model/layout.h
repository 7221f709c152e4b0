/* SPDX-License-Identifier: MIT */
/*
 * layout: a report as lines of text for a given width: the one printer, for stdout and the screen.
 *
 * A line is UTF-8 and ends without blanks and without a newline. Its spans say which bytes play
 * which role; what colour a role has is up to who draws it, and no meaning is in the role alone.
 * When the width is too small the least important columns go first; the zone's name takes what is
 * left and ends in an ellipsis when it is cut. In ASCII also names are: what is not is escaped.
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
	STYLE_BAR,  /* share bar */
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

struct layout {
	struct layout_line *lines;
	uint32_t count;
	uint32_t columns; /* 1 << column: that found room */
};

#define LAYOUT_NO_LIMIT 0 /* width: every column in full */

/* `width` in cells. NULL: out of memory. */
struct layout *layout_make(const struct report *r, uint32_t width, bool ascii);
void layout_free(struct layout *l);

#endif
