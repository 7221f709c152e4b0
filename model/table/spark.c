/* SPDX-License-Identifier: MIT */
#include "model/table/spark.h"

static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇" };
static const char *const ascii_bars[] = { " ", ".", ":", "-", "=", "+", "*", "#" };

#define STEPS(bars) ((int64_t)(sizeof(bars) / sizeof((bars)[0])) - 1)

static int64_t most_of(const int64_t *values, uint32_t first, uint32_t end)
{
	int64_t most = 0;

	for (uint32_t i = first; i < end; i++)
		if (values[i] > most)
			most = values[i];
	return most;
}

/* 0 for nothing, else 1 to `steps`: rounded up. */
static size_t step_of(int64_t value, int64_t most, int64_t steps)
{
	if (value <= 0)
		return 0;
	if (most > INT64_MAX / 16) {
		value = value / 16 + 1;
		most = most / 16 + 1;
	}
	return (size_t)((value * steps + most - 1) / most);
}

static size_t put_bar(char *out, const char *bar)
{
	size_t length = 0;

	while (bar[length]) {
		out[length] = bar[length];
		length++;
	}
	return length;
}

size_t spark_draw(const int64_t *values, uint32_t count, uint32_t per_cell, uint32_t cells,
		  bool ascii, char *out)
{
	const char *const *ramp = ascii ? ascii_bars : bars;
	int64_t steps = ascii ? STEPS(ascii_bars) : STEPS(bars);
	size_t length = 0;
	uint32_t shown = count / per_cell < cells ? count : cells * per_cell;
	int64_t most = most_of(values, count - shown, count);

	for (uint32_t i = cells; i-- > 0;) {
		uint32_t after = i * per_cell; /* values behind this cell */
		uint32_t end = after < shown ? count - after : 0;
		uint32_t first = end > count - shown + per_cell ? end - per_cell : count - shown;
		int64_t value = end ? most_of(values, first, end) : 0;

		length += put_bar(out + length, ramp[step_of(value, most, steps)]);
	}
	out[length] = '\0';
	return length;
}
