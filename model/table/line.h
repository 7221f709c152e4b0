/* SPDX-License-Identifier: MIT */
/*
 * line: text, and which role is played in it; and the pen that writes it.
 *
 * It is UTF-8 and ends without blanks and without a newline. Its spans say which bytes play which role; what colour
 * a role has is up to who draws it, and no meaning is in the role alone.
 */
#ifndef MODEL_LINE_H
#define MODEL_LINE_H

#include <stdbool.h>
#include <stddef.h>
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

/* A line while it is written. A pen that is zeroed is empty. Out of memory it drops what follows and has `failed`. */
struct pen {
	char *text;
	uint32_t length;
	uint32_t capacity;
	struct layout_span *spans;
	uint32_t span_count;
	uint32_t span_capacity;
	bool failed;
};

/* Makes room beforehand for so many bytes and spans, so that few lines have to grow. */
void pen_room(struct pen *pen, uint32_t bytes, uint32_t spans);

void pen_blanks(struct pen *pen, size_t cells);
void pen_write(struct pen *pen, const char *bytes, size_t length);
void pen_span(struct pen *pen, const char *text, size_t length, enum style_role role, float heat);

/* Writes text into at most `cells` cells, with an ellipsis where it is cut. Returns those used. */
size_t pen_clipped(struct pen *pen, const char *text, size_t cells, bool ascii,
		   enum style_role role);

/* The same with the ellipsis in the middle, where there is room for a beginning and an end. */
size_t pen_clipped_middle(struct pen *pen, const char *text, size_t cells, bool ascii, enum style_role role);

/* Ends the line, whose owner the caller becomes: blanks at its end go. */
struct layout_line pen_take(struct pen *pen);

#endif
