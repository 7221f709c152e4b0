/* SPDX-License-Identifier: MIT */
/*
 * frame_pins: the self time of pinned zones in the bars of the frame graph, one above the other from the
 * bottom, in the order of their numbers; and their names in the legend.
 *
 * Where the colours are enough a bar is cut where one ends, to an eighth of a cell; a cell holds two of them
 * at most, the one at its bottom and the one at its top. Else a cell has the number of the zone that most of
 * it belongs to. What threads have at the same time may be more than the frame is long: then it fills the bar.
 */
#include "tui/frames/frame_columns.h"

#include <stdlib.h>

#include "model/base/text.h"

#define EIGHTHS 8
#define PIN_LEAST 6 /* cells of the shortest legend that says something */

/* Where the parts of a bar end, in eighths from the bottom. Part PINS_MOST is the rest. */
struct parts {
	int ends[PINS_MOST + 1];
};

static enum role role_of(const struct graph_bar *bar, int part)
{
	return part < PINS_MOST ? ROLE_PIN_1 + (enum role)part : bar->role;
}

static struct parts parts_of(const struct frame_graph_pins *pins, const struct profile *p,
			     const struct profile_frame *frame, const struct graph_bar *bar)
{
	struct parts parts;
	int64_t self[PINS_MOST], sum = 0;

	pins_in_frame(pins->which, pins->keys, p, frame, pins->threads, self);
	for (int i = 0; i < PINS_MOST; i++) {
		double end;

		sum += self[i];
		end = (double)sum * bar->eighths_per_tick + 0.5;
		parts.ends[i] = sum >= frame->length || end > bar->height ? bar->height : (int)end;
	}
	parts.ends[PINS_MOST] = bar->height;
	return parts;
}

/* The part that an eighth belongs to, counted from the bottom; beyond the bar, the rest. */
static int part_at(const struct parts *parts, int eighth)
{
	int part = 0;

	while (part < PINS_MOST && eighth >= parts->ends[part])
		part++;
	return part;
}

/* The part with most of the eighths from `low` to `high`; of several, the lowest. */
static int largest(const struct parts *parts, int low, int high)
{
	int best = PINS_MOST, most = 0, begin = low;

	for (int part = 0; part <= PINS_MOST; part++) {
		int end = parts->ends[part] < high ? parts->ends[part] : high;

		if (end - begin > most) {
			most = end - begin;
			best = part;
		}
		begin = end > begin ? end : begin;
	}
	return best;
}

/* The cell at `low` eighths; the bar ends in it at `high`, or above it. */
static void draw_area(const struct parts *parts, const struct graph_bar *bar, int low, int high, struct canvas *c,
		      struct area a, int y)
{
	bool full = high == low + EIGHTHS;
	int bottom = full ? part_at(parts, low) : largest(parts, low, high), top = part_at(parts, high - 1);
	int end = full && bottom != top ? parts->ends[bottom] - low : high - low;
	struct cell *cell;

	canvas_text(c, a, bar->x, y, role_of(bar, bottom), graph_filled(end, false));
	cell = canvas_cell(c, a.x + bar->x, a.y + y);
	if (cell && full && bottom != top)
		cell->heat = (uint8_t)role_of(bar, top);
}

static void draw_number(const struct parts *parts, const struct graph_bar *bar, int low, int high, struct canvas *c,
			struct area a, int y)
{
	int part = largest(parts, low, high);
	char number[2] = { (char)('1' + part), '\0' };

	if (part < PINS_MOST)
		canvas_text(c, a, bar->x, y, role_of(bar, part), number);
}

void graph_pins_draw(const struct frame_graph_look *look, uint64_t number, const struct graph_bar *bar,
		     struct canvas *c, struct area a)
{
	const struct profile_frame *frame;
	struct parts parts;

	if (!look->pins.which || !(frame = profile_find_frame(look->profile, number)))
		return;
	parts = parts_of(&look->pins, look->profile, frame, bar);
	for (int low = 0, y = bar->rows - 1; low < parts.ends[PINS_MOST - 1] && y >= 0; low += EIGHTHS, y--) {
		int high = low + EIGHTHS < bar->height ? low + EIGHTHS : bar->height;

		if (look->pins.areas)
			draw_area(&parts, bar, low, high, c, a, y);
		else
			draw_number(&parts, bar, low, high, c, a, y);
	}
}

/* The legend */

int graph_pin_draw(const struct frame_graph_look *look, int pin, struct canvas *c, struct area a, int x, int y,
		   int most)
{
	const struct frame_graph_pins *pins = &look->pins;
	char number[2] = { (char)('1' + pin), '\0' };
	int used = 0;
	char *name;

	if (!pins->which || !pins->which->ids[pin] || most < PIN_LEAST)
		return 0;
	name = pins->names[pin] ? name_shown(pins->names[pin], look->ascii) : NULL;
	if (pins->areas)
		used += canvas_text(c, a, x, y, ROLE_PIN_1 + (enum role)pin, "█");
	used += canvas_text(c, a, x + used, y, ROLE_PIN_1 + (enum role)pin, number) + 1;
	used += canvas_clipped(c, a, x + used, y, most - used, ROLE_DIM, name ? name : "?");
	free(name);
	return used;
}
