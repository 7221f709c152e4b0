/* SPDX-License-Identifier: MIT */
/*
 * pen: a line while it is written: text, and the spans that say which role it plays.
 *
 * A pen that is zeroed is empty. Out of memory it drops what follows and has `failed`.
 */
#ifndef MODEL_PEN_H
#define MODEL_PEN_H

#include <stdbool.h>
#include <stddef.h>

#include "model/table/line.h"

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
