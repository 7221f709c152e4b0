/* SPDX-License-Identifier: MIT */
#include "model/spark.h"

#include <string.h>

static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii_bars[] = { " ", ".", ":", "-", "=", "+", "*", "#" };

#define STEPS(bars) (sizeof(bars) / sizeof((bars)[0]) - 1)

static int64_t most_of(const int64_t *values, uint32_t first, uint32_t end)
{
	int64_t most = 0;

	for (uint32_t i = first; i < end; i++)
		if (values[i] > most)
			most = values[i];
	return most;
}

/* 0 for nothing, else 1 to `steps`: rounded up. */
static size_t step_of(int64_t value, int64_t most, size_t steps)
{
	double step = (double)value / (double)most * (double)steps;
	size_t whole = (size_t)step;

	if (value <= 0)
		return 0;
	whole += step > (double)whole;
	return whole < 1 ? 1 : whole < steps ? whole : steps;
}

size_t spark_draw(const int64_t *values, uint32_t count, uint32_t per_cell, uint32_t cells,
		  bool ascii, char *out)
{
	const char *const *ramp = ascii ? ascii_bars : bars;
	size_t steps = ascii ? STEPS(ascii_bars) : STEPS(bars), length = 0;
	uint32_t shown = count / per_cell < cells ? count : cells * per_cell;
	int64_t most = most_of(values, count - shown, count);

	for (uint32_t i = cells; i-- > 0;) {
		uint32_t after = i * per_cell; /* values behind this cell */
		uint32_t end = after < shown ? count - after : 0;
		uint32_t first = end > count - shown + per_cell ? end - per_cell : count - shown;
		int64_t value = end ? most_of(values, first, end) : 0;
		const char *bar = ramp[step_of(value, most, steps)];

		memcpy(out + length, bar, strlen(bar));
		length += strlen(bar);
	}
	out[length] = '\0';
	return length;
}
