/* SPDX-License-Identifier: MIT */
#include "model/boxes/ruler.h"

#include <stdio.h>
#include <string.h>

#include "model/base/format.h"
#include "model/base/text.h"

#define MARK_CELLS 12   /* from one mark to the next, at least */
#define FAR 10000       /* so many units */
#define DECIMALS_MOST 3

/* The least of 1, 2, 5, 10, ... ns with room for a mark. */
static int64_t step_of(int64_t span, uint32_t columns)
{
	int64_t wanted = span / columns < INT64_MAX / MARK_CELLS ? span / columns * MARK_CELLS : INT64_MAX, step = 1;

	while (step < wanted && step < INT64_MAX / 10)
		step = step * 2 >= wanted ? step * 2 : step * 5 >= wanted ? step * 5 : step * 10;
	return step;
}

static const struct ruler_unit {
	int64_t least, ns;
	const char *name, *ascii;
} units[] = { { 100000000, 1000000000, "s", "s" }, { 100000, 1000000, "ms", "ms" }, { 100, 1000, "µs", "us" }, { 0, 1, "ns", "ns" } };

/* Digits behind the point with which neighbours differ. */
static int decimals_of(int64_t step, const struct ruler_unit *unit)
{
	int decimals = 0;

	for (int64_t ns = unit->ns; ns > step; ns /= 10)
		decimals++;
	return decimals;
}

/* The unit that suits the step. Far from 0 it is a larger one, as long as that needs few digits more: 105.82 s,
 * not 105820 ms. */
static const struct ruler_unit *unit_of(int64_t step, int64_t farthest)
{
	size_t i = 0;

	while (step < units[i].least)
		i++;
	while (i && farthest / units[i].ns >= FAR && decimals_of(step, &units[i - 1]) <= DECIMALS_MOST)
		i--;
	return &units[i];
}

static void format_mark(char *out, size_t size, int64_t ns, int64_t step, const struct ruler_unit *unit, bool ascii)
{
	size_t length;

	out[0] = '|';
	length = 1 + format_scaled(out + 1, size - 1, ns, unit->ns, decimals_of(step, unit));
	snprintf(out + length, size - length, " %s", ascii ? unit->ascii : unit->name);
}

static int64_t distance_from_0(int64_t ns)
{
	return ns < 0 ? -(ns + 1) : ns;
}

/* As far as there are numbers: a trace may have any times. */
static int64_t minus(int64_t a, int64_t b)
{
	int64_t difference;

	return !__builtin_sub_overflow(a, b, &difference) ? difference : a < 0 ? INT64_MIN : INT64_MAX;
}

void ruler_text(int64_t from_ns, int64_t to_ns, uint32_t columns, bool ascii, char *out, size_t size)
{
	__int128 span = (__int128)to_ns - from_ns;
	int64_t step = step_of(minus(to_ns, from_ns), columns ? columns : 1), before = minus(from_ns, 1);
	int64_t farthest = distance_from_0(from_ns) > distance_from_0(to_ns) ? distance_from_0(from_ns) : distance_from_0(to_ns);
	const struct ruler_unit *unit = unit_of(step, farthest);
	size_t at = 0, end = 0;

	for (uint32_t column = 0; column < columns && at + 4 < size;) {
		int64_t ns = (int64_t)(from_ns + span * column / columns);
		int64_t mark = minus(ns / step * step, ns % step < 0 ? step : 0);
		char text[48];
		uint32_t width;
		size_t bytes;

		format_mark(text, sizeof(text), mark, step, unit, ascii);
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
