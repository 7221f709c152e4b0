/* SPDX-License-Identifier: MIT */
#include "tui/frames/graph_band.h"

struct graph_band graph_band_of(int64_t one, int64_t other, int bars)
{
	int64_t low = one < other ? one : other, high = one < other ? other : one;

	return (struct graph_band){ .any = high >= 0 && low < bars, .from = (int)(low < 0 ? 0 : low < bars ? low : bars),
				    .to = (int)(high < 0 ? -1 : high < bars ? high : bars - 1) };
}

void graph_band_mark(const struct graph_band *b, struct canvas *c, struct area axis, bool ascii)
{
	for (int i = b->from; b->any && i <= b->to; i++)
		canvas_text(c, axis, i, 0, ROLE_CHOSEN, i == b->from ? "[" : i == b->to ? "]" : ascii ? "=" : "─");
}

void graph_band_select(const struct graph_band *b, struct canvas *c, struct area a)
{
	for (int y = 0; b->any && y < a.height; y++)
		for (int i = b->from; i <= b->to; i++) {
			struct cell *cell = canvas_cell(c, a.x + i, a.y + y);

			if (cell)
				cell->selected = 1;
		}
}
