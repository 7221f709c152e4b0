/* SPDX-License-Identifier: MIT */
/*
 * line: text, and which role is played in it.
 *
 * It is UTF-8 and ends without blanks and without a newline. Its spans say which bytes play which role; what colour
 * a role has is up to who draws it, and no meaning is in the role alone.
 */
#ifndef MODEL_LINE_H
#define MODEL_LINE_H

#include <stdint.h>

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
	STYLE_LABEL,
	STYLE_STATE, /* a state, or a change, that is good */
	STYLE_ALARM,
	STYLE_OVER,  /* more than it was */
	STYLE_GRAPH, /* bar of less than it was */
	STYLE_CHOSEN, /* the frame that is shown */
	STYLE_FOUND,  /* what a search found */
};

struct layout_span {
	uint32_t start; /* byte in the line */
	uint32_t length;
	enum style_role role;
	float heat;
};

struct layout_line {
	char *text;
	struct layout_span *spans;
	uint32_t span_count;
};

#endif
