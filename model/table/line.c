/* SPDX-License-Identifier: MIT */
#include "model/table/line.h"

#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"

#define MIDDLE_FROM 8 /* cells beside the ellipsis, from where on it is in the middle */

static bool text_room(struct pen *pen, uint64_t bytes)
{
	pen->failed = pen->failed || !array_reserve(&pen->text, &pen->capacity, bytes, 1);
	return !pen->failed;
}

static bool span_room(struct pen *pen, uint64_t spans)
{
	pen->failed = pen->failed || !array_reserve(&pen->spans, &pen->span_capacity, spans,
						    sizeof(*pen->spans));
	return !pen->failed;
}

void pen_room(struct pen *pen, uint32_t bytes, uint32_t spans)
{
	if (text_room(pen, bytes))
		span_room(pen, spans);
}

void pen_blanks(struct pen *pen, size_t cells)
{
	if (!text_room(pen, (uint64_t)pen->length + cells + 1))
		return;
	memset(pen->text + pen->length, ' ', cells);
	pen->length += (uint32_t)cells;
	pen->text[pen->length] = '\0';
}

void pen_write(struct pen *pen, const char *bytes, size_t length)
{
	if (!text_room(pen, (uint64_t)pen->length + length + 1))
		return;
	memcpy(pen->text + pen->length, bytes, length);
	pen->length += (uint32_t)length;
	pen->text[pen->length] = '\0';
}

void pen_span(struct pen *pen, const char *text, size_t length, enum style_role role, float heat)
{
	struct layout_span span = { pen->length, (uint32_t)length, role, heat };

	if (!span_room(pen, (uint64_t)pen->span_count + 1))
		return;
	pen->spans[pen->span_count++] = span;
	pen_write(pen, text, length);
}

size_t pen_clipped(struct pen *pen, const char *text, size_t cells, bool ascii,
		   enum style_role role)
{
	const char *ellipsis = ascii ? "..." : "…";
	size_t dots = ascii ? 3 : 1, used;
	size_t bytes = text_clip(text, cells, &used);

	if (!text[bytes] || cells <= dots) {
		pen_span(pen, text, bytes, role, 0);
		return used;
	}
	bytes = text_clip(text, cells - dots, &used);
	pen_span(pen, text, bytes, role, 0);
	pen_write(pen, ellipsis, strlen(ellipsis));
	if (!pen->failed)
		pen->spans[pen->span_count - 1].length += (uint32_t)strlen(ellipsis);
	return used + dots;
}

/* The longest end of a text that takes at most so many cells. */
static const char *end_of(const char *text, size_t cells)
{
	size_t width = text_width(text);
	uint32_t code;

	while (*text) {
		size_t length = utf8_decode(text, strlen(text), &code);

		if (width <= cells && cell_width(code))
			break;
		width -= (size_t)cell_width(code);
		text += length ? length : 1;
	}
	return text;
}

size_t pen_clipped_middle(struct pen *pen, const char *text, size_t cells, bool ascii, enum style_role role)
{
	size_t dots = ascii ? 3 : 1, used, bytes, width = text_width(text);
	const char *end;

	if (width <= cells || cells < dots + MIDDLE_FROM)
		return pen_clipped(pen, text, cells, ascii, role);
	bytes = text_clip(text, (cells - dots + 1) / 2, &used);
	end = end_of(text, cells - dots - used);
	pen_span(pen, text, bytes, role, 0);
	pen_write(pen, ascii ? "..." : "…", ascii ? 3 : strlen("…"));
	pen_write(pen, end, strlen(end));
	if (!pen->failed)
		pen->spans[pen->span_count - 1].length = pen->length - pen->spans[pen->span_count - 1].start;
	return used + dots + text_width(end);
}

struct layout_line pen_take(struct pen *pen)
{
	struct layout_line line = { 0 };

	pen_write(pen, "", 0);
	while (pen->length && pen->text[pen->length - 1] == ' ')
		pen->text[--pen->length] = '\0';
	for (uint32_t i = 0; i < pen->span_count; i++) {
		struct layout_span *s = &pen->spans[i];

		if (s->start > pen->length)
			s->start = pen->length;
		if (s->start + s->length > pen->length)
			s->length = pen->length - s->start;
	}
	line.text = pen->text;
	line.spans = pen->spans;
	line.span_count = pen->span_count;
	return line;
}
