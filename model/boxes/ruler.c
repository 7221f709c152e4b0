/* SPDX-License-Identifier: MIT */
#include "model/boxes/ruler.h"

#include <stdio.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/text.h"

#define MARK_CELLS 12 /* from one mark to the next, at least */

/* The least of 1, 2, 5, 10, ... ns with room for a mark. */
static int64_t step_of(int64_t span, uint32_t columns)
{
	int64_t wanted = span / columns * MARK_CELLS, step = 1;

	while (step < wanted && step < INT64_MAX / 10)
		step = step * 2 >= wanted ? step * 2 : step * 5 >= wanted ? step * 5 : step * 10;
	return step;
}

static void format_mark(char *out, size_t size, int64_t ns, int64_t step, bool ascii)
{
	static const struct {
		int64_t least, ns;
		const char *name, *ascii;
	} units[] = { { 100000000, 1000000000, "s", "s" }, { 100000, 1000000, "ms", "ms" }, { 100, 1000, "µs", "us" },
		      { 0, 1, "ns", "ns" } };
	size_t i = 0, length;

	while (step < units[i].least)
		i++;
	out[0] = '|';
	length = 1 + format_scaled(out + 1, size - 1, ns, units[i].ns, step < units[i].ns);
	snprintf(out + length, size - length, " %s", ascii ? units[i].ascii : units[i].name);
}

void ruler_text(int64_t from_ns, int64_t to_ns, uint32_t columns, bool ascii, char *out, size_t size)
{
	int64_t span = to_ns - from_ns, step = step_of(span, columns ? columns : 1), before = from_ns - 1;
	size_t at = 0, end = 0;

	for (uint32_t column = 0; column < columns && at + 4 < size;) {
		int64_t ns = from_ns + (int64_t)((__int128)span * column / columns);
		int64_t mark = ns / step * step - (ns % step < 0) * step;
		char text[48];
		uint32_t width;
		size_t bytes;

		format_mark(text, sizeof(text), mark, step, ascii);
		width = (uint32_t)text_width(text);
		bytes = strlen(text);
		if (mark > before && column + width <= columns && at + bytes + 1 < size) {
			memcpy(out + at, text, bytes);
			at = end = at + bytes;
			column += width;
		} else {
			out[at++] = ' ';
			column++;
		}
		before = ns;
	}
	out[end] = '\0';
}
