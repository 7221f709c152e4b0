/* SPDX-License-Identifier: MIT */
#include "tui/frames/frame_bars.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/text.h"
#include "model/stats/frame_stats.h"
#include "model/stats/off_cpu.h"
#include "model/stats/statistics.h"
#include "tui/cells/figures.h"
#include "tui/frames/frame_columns.h"

/*
 * The self time of pinned zones in the bars of the frame graph, one above the other from the
 * bottom, in the order of their numbers; and their names in the legend.
 *
 * Where the colours are enough a bar is cut where one ends, to an eighth of a cell; a cell holds two of them
 * at most, the one at its bottom and the one at its top. Else a cell has the number of the zone that most of
 * it belongs to. What threads have at the same time may be more than the frame is long: then it fills the bar.
 */

#define EIGHTHS 8
#define PIN_LEAST 6 /* cells of the shortest legend that says something */

/* A bar that is drawn: its column of the area, the lines for bars, its height in eighths of a line as far as
 * it is in sight, and what it looks like. */
struct graph_bar {
	int x, rows, height;
	double eighths_per_tick;
	enum role role;
};

/* Where the parts of a bar end, in eighths from the bottom. Part PINS_MOST is the rest. */
struct parts {
	int ends[PINS_MOST + 1];
};

static enum role part_role(const struct graph_bar *bar, int part)
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
static int largest_part(const struct parts *parts, int low, int high)
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
	int bottom = full ? part_at(parts, low) : largest_part(parts, low, high), top = part_at(parts, high - 1);
	int end = full && bottom != top ? parts->ends[bottom] - low : high - low;
	struct cell *cell;

	canvas_text(c, a, bar->x, y, part_role(bar, bottom), graph_filled(end, false));
	cell = canvas_cell(c, a.x + bar->x, a.y + y);
	if (cell && full && bottom != top)
		cell->heat = (uint8_t)part_role(bar, top);
}

static void draw_number(const struct parts *parts, const struct graph_bar *bar, int low, int high, struct canvas *c,
			struct area a, int y)
{
	int part = largest_part(parts, low, high);
	char number[2] = { (char)('1' + part), '\0' };

	if (part < PINS_MOST)
		canvas_text(c, a, bar->x, y, part_role(bar, part), number);
}

/* Draws what of a bar, which is that of frame `number`, belongs to pinned zones. */
static void graph_pins_draw(const struct frame_graph_look *look, uint64_t number, const struct graph_bar *bar,
		     struct canvas *c, struct area a)
{
	const struct profile_frame *frame;
	struct parts parts;

	if (look->measure != MEASURE_SELF || !look->pins.which || !(frame = profile_find_frame(look->profile, number)))
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

#define LABEL_CELLS 5
#define CROWD_FROM 60 /* bars of which a few may be hidden */
#define LOW 3 /* eighths of the uppermost line that a length may hide */
#define LENGTHS_MOST 8 /* peaks that say how long they are */

/* The least of 1, 2, 5, 10, 20... nanoseconds that is not below, in ticks. */
static int64_t round_up(double ticks, uint64_t ticks_per_s)
{
	static const double steps[] = { 1, 2, 5 };
	double rate = per_s_is_time(ticks_per_s) ? (double)ticks_per_s / 1e9 : 1, ns = ticks / rate, power = 1, up = 1;

	for (int i = 0; up < ns && i < 3 * 18;) {
		i++;
		if (i % 3 == 0)
			power *= 10;
		up = power * steps[i % 3];
	}
	up *= rate;
	return up < 1 ? 1 : up < 9e18 ? (int64_t)(up + 0.5) : INT64_MAX;
}

/* A little above the median of the visible columns. Most frames may have none of a measure: columns of 0 are left out.
 * 0: there are no others, or no memory. */
static int64_t usual_length(const struct frame_bars *b)
{
	int64_t *lengths = array_zeroed((uint64_t)b->place.bars, sizeof(*lengths)), median;
	uint32_t n = 0;

	if (!lengths)
		return 0;
	for (int i = 0; i < b->place.bars; i++)
		if (b->columns[i].frames && b->columns[i].length)
			lengths[n++] = b->columns[i].length;
	median = statistics_of(lengths, n).median;
	free(lengths);
	return n ? round_up((double)median * 1.1, frame_graph_per_s(b->look)) : 0;
}

/* The logarithms of the shortest and of the longest bar in sight; false: there are none. */
static bool find_extremes(const struct frame_bars *b, double *least, double *most)
{
	int64_t shortest = INT64_MAX, longest = 0;

	for (int i = 0; i <= b->place.bars; i++) {
		int64_t length = i < b->place.bars ? b->columns[i].length : b->running;

		if (length < 1 || (i < b->place.bars && b->columns[i].discarded))
			continue;
		shortest = length < shortest ? length : shortest;
		longest = length > longest ? length : longest;
	}
	*least = longest ? log((double)shortest) : 0;
	*most = longest ? log((double)longest) : 0;
	return longest;
}

static double round_factor(double factor)
{
	static const double steps[] = { 2, 3, 5, 10 };
	double power = 0;

	for (int i = 0;; i++) {
		if (power + log(steps[i % 4]) >= factor - 1e-9)
			return power + log(steps[i % 4]);
		power += i % 4 == 3 ? log(10) : 0;
	}
}

/* Puts the scale's line so that a line of cells can be the least factor: in the middle, if that is all the same. */
static void make_logarithmic(struct bars_scale *s, const struct frame_bars *b)
{
	int half = EIGHTHS / 2, step = s->rows > 1 ? EIGHTHS : half;
	double least, most, line = log((double)s->line);

	if (!find_extremes(b, &least, &most))
		least = most = line;
	for (int height = step; height <= s->rows * EIGHTHS - step; height += step) {
		double up = (most - line) / (s->rows * EIGHTHS - height), down = (line - least) / height;
		double factor = round_factor((up > down ? up : down) * EIGHTHS);
		int off = abs(2 * height - s->rows * EIGHTHS), held = abs(2 * s->height - s->rows * EIGHTHS);

		if (s->factor && (factor > s->factor + 1e-9 || (factor > s->factor - 1e-9 && off >= held)))
			continue;
		s->factor = factor;
		s->height = height;
	}
}

static struct bars_scale scale_of(const struct frame_bars *b)
{
	struct bars_scale s = { .rows = b->place.rows, .budget = frame_graph_budget(b->look) > 0 };

	s.line = s.budget ? b->look->budget : usual_length(b);
	if (b->look->logarithmic && s.line > 0) {
		make_logarithmic(&s, b);
		return s;
	}
	if (s.rows == 1)
		s.height = s.budget ? EIGHTHS / 2 : EIGHTHS * 3 / 4;
	else
		s.height = EIGHTHS * (s.budget ? s.rows / 2 : s.rows - 1);
	return s;
}

/* Height of a bar in eighths; more than there are when it is higher than the scale. */
static int bar_height(const struct bars_scale *s, int64_t length)
{
	double height = (s->factor ? s->height + log((double)length / (double)s->line) * EIGHTHS / s->factor
				   : (double)length * s->height / (double)s->line) + 0.5;
	int most = s->rows * EIGHTHS + 1;
	int eighths = height < 1 ? 1 : height < most ? (int)height : most;

	if (length > s->line)
		return eighths > s->height ? eighths : s->height + 1;
	return eighths < s->height ? eighths : s->height;
}

/* The line of cells of the area with the scale's line in it; -1: it has none. */
static int line_row(const struct bars_scale *s)
{
	return s->rows > 1 && s->line > 0 ? s->rows - 1 - s->height / EIGHTHS : -1;
}

/* Into the scale, at its right; what is too long for it is cut. */
static void draw_right(const struct frame_bars *b, int y, const char *text)
{
	int cells = (int)text_width(text);

	canvas_text(b->c, (struct area){ b->a.x, b->a.y, LABEL_CELLS, b->a.height },
		    cells < LABEL_CELLS ? LABEL_CELLS - cells : 0, y, ROLE_AXIS, text);
}

/* The value at the lower border of a line of cells, in ticks. */
static int64_t value_at(const struct bars_scale *s, int y)
{
	double lines = s->rows - 1 - y, value;

	if (s->factor)
		value = (double)s->line * exp((lines - (double)s->height / EIGHTHS) * s->factor);
	else
		value = (double)s->line * lines * EIGHTHS / s->height;
	return value < 9e18 ? (int64_t)(value + (s->factor ? 0.5 : 0)) : INT64_MAX;
}

/* `170us`, in the unit that suits it. */
static void short_time(const struct frame_bars *b, int64_t ticks, char *out, size_t size)
{
	uint64_t ticks_per_s = frame_graph_per_s(b->look);
	const struct figure_unit *unit = figure_unit_for(ticks, ticks_per_s);

	snprintf(out, size, "%s%s", figure_time(ticks, ticks_per_s, unit, 2).text, figure_unit_name(unit, b->look->ascii));
}

/* `120K` of 120KiB: the rest of the unit has no space. */
static void shorten_label(char *text)
{
	if (text_width(text) > LABEL_CELLS)
		text[strcspn(text, "i")] = '\0';
}

/* On a logarithmic axis each label has a unit of its own. */
static void draw_label(const struct frame_bars *b, int y, const struct figure_unit *unit)
{
	int64_t value = value_at(&b->scale, y);
	char text[64];

	if (b->scale.factor || !b->place.axis) /* there is no line for the unit */
		short_time(b, value, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%s", figure_time(value, frame_graph_per_s(b->look), unit, 3).text);
	shorten_label(text);
	draw_right(b, y, text);
}

/* Whether a line of cells has a label: the scale's, the uppermost, and half of a high scale. */
static bool has_label(const struct bars_scale *s, int y)
{
	int row = s->rows - 1 - y, line = s->height / EIGHTHS;

	return s->factor || row == line || y == 0 || (line >= 4 && row * 2 == line);
}

static void draw_scale(const struct frame_bars *b)
{
	/* A tick is on the border if colours tell the axis from a bar, else in
	 * the middle of the line of cells above it. */
	static const char *const ticks[3][3] = { { "│", "┤", "┼" }, { "|", "+", "+" }, { "│", "▁", "▁" } };
	const struct bars_scale *s = &b->scale;
	const struct figure_unit *unit;
	bool labelled;

	if (!b->place.left)
		return;
	unit = figure_unit_for(s->line, frame_graph_per_s(b->look));
	for (int y = 0; y < s->rows; y++) {
		labelled = s->line > 0 && has_label(s, y);
		if (labelled)
			draw_label(b, y, unit);
		canvas_text(b->c, b->a, LABEL_CELLS, y, ROLE_AXIS,
			    ticks[b->look->ascii ? 1 : b->look->pins.areas ? 2 : 0][y == line_row(s) ? 2 : labelled]);
	}
	if (s->line > 0)
		draw_right(b, s->rows + b->place.signs, s->factor ? "log" : figure_unit_name(unit, b->look->ascii));
}

static void draw_line(const struct frame_bars *b)
{
	enum role role = b->scale.budget ? ROLE_BUDGET : ROLE_AXIS;
	int y = line_row(&b->scale);
	const char *dash = b->look->ascii ? "-" : b->look->pins.areas ? "▁" : "╌";

	for (int i = 0; y >= 0 && i < b->place.bars; i++)
		canvas_text(b->c, b->a, b->place.left + i, y, role, dash);
}

/* Bars */

const char *graph_filled(int eighths, bool ascii)
{
	static const char *const glyphs[2][EIGHTHS + 1] = {
		{ " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
		{ " ", ".", ".", ".", ":", ":", ":", ":", "#" },
	};

	return glyphs[ascii][eighths < EIGHTHS ? eighths : EIGHTHS];
}

static const struct profile_frame *frame_of(const struct frame_bars *b, const struct graph_column *column)
{
	return column->number ? profile_find_frame(b->look->profile, column->number) : NULL;
}

/* The time that the thread waited in the frame of a column. If the bars are of
 * all threads, or no thread marks frames, it is that of the busiest thread. */
static int64_t waiting_in(const struct frame_bars *b, const struct graph_column *column)
{
	const struct profile_frame *frame = b->look->measure == MEASURE_SELF ? frame_of(b, column) : NULL;

	if (frame && b->thread == PROFILE_NONE)
		return frame_waiting_of_busiest(frame);
	return frame ? frame_waiting(frame, b->thread) : 0;
}

/* The bar of a frame of which no more is known than its length would look as if all of it were work. */
static bool may_be_work(const struct frame_bars *b, const struct graph_column *column)
{
	const struct profile_frame *frame = frame_of(b, column);

	if (b->look->measure != MEASURE_SELF || !b->waits)
		return true;
	return frame && (b->thread == PROFILE_NONE ? frame->part_count : frame_knows_waiting(frame, b->thread));
}

/* The time that the thread did not run in it, outside of zones that wait. */
static int64_t off_cpu_in(const struct frame_bars *b, const struct graph_column *column)
{
	const struct profile_frame *frame = b->off_cpu != PROFILE_NONE ? frame_of(b, column) : NULL;

	return frame ? off_cpu_ticks(b->look->profile, b->off_cpu, frame, b->thread) : 0;
}

/* Upper ends of the parts of a bar, in eighths of a line: time on a core, time off it, and time in zones that wait. */
struct bar_parts {
	int ran, work, height;
};

static int within(int value, int most)
{
	return value < 0 ? 0 : value < most ? value : most;
}

/* A full cell of work and waiting is cut where the work ends, if colours tell
 * the two apart. Any other cell has the tone of what it has most of. */
static void draw_cell(const struct frame_bars *b, int x, int row, struct bar_parts parts, enum role role)
{
	int filled = within(parts.height - row * EIGHTHS, EIGHTHS), work = within(parts.work - row * EIGHTHS, filled);
	int ran = within(parts.ran - row * EIGHTHS, work);
	bool waits = 2 * work < filled, off = !waits && 2 * ran < work, whole = filled == EIGHTHS, ascii = b->look->ascii;
	bool cut = b->look->pins.areas && whole && role != ROLE_DIM && ran == work && work > 0 && work < filled;
	const char *glyph = whole && waits && ascii ? ":" : whole && off ? ascii ? "%" : "▒" : graph_filled(filled, ascii);
	int y = b->scale.rows - 1 - row;

	if (!cut) {
		canvas_text(b->c, b->a, x, y, waits ? ROLE_DIM : off ? ROLE_BUDGET : role, glyph);
		return;
	}
	canvas_text(b->c, b->a, x, y, role, graph_filled(work, ascii));
	struct cell *cell = canvas_cell(b->c, b->a.x + x, b->a.y + y);
	if (cell)
		cell->heat = ROLE_DIM;
}

static void draw_bar(const struct frame_bars *b, int x, const struct graph_column *column, enum role role)
{
	const struct bars_scale *s = &b->scale;
	int height = bar_height(s, column->length), most = s->rows * EIGHTHS;
	struct graph_bar bar = { .x = x, .rows = s->rows, .height = height < most ? height : most,
				 .eighths_per_tick = (double)s->height / (double)s->line, .role = role };

	int64_t waiting = role == ROLE_CHOSEN ? 0 : waiting_in(b, column);
	int64_t off = role == ROLE_CHOSEN ? 0 : off_cpu_in(b, column);
	struct bar_parts parts = { .work = bar.height, .height = bar.height };

	if (s->factor && column->length) /* what is in a bar are parts of it: of a logarithm there are none */
		bar.eighths_per_tick = (double)height / (double)column->length;

	if (waiting)
		parts.work = (int)((double)(column->length - waiting) * bar.eighths_per_tick + 0.5);
	if (column->number && role == ROLE_DIM && !may_be_work(b, column))
		parts.work = 0;
	parts.ran = parts.work - (int)((double)off * bar.eighths_per_tick + 0.5);
	for (int row = 0; row < s->rows && height > row * EIGHTHS; row++)
		draw_cell(b, x, row, parts, role);
	graph_pins_draw(b->look, column->number, &bar, b->c, b->a);
	if (height > most) {
		struct cell *top = canvas_cell(b->c, b->a.x + x, b->a.y);

		canvas_text(b->c, b->a, x, 0, role, "!");
		if (top)
			top->heat = IN_BAR; /* so that it looks as high as it is */
	}
}

void frame_bars_ghost(const struct frame_bars *b)
{
	struct graph_column column = { .length = b->running };

	for (int i = b->ghost; i < b->ghost + b->ghosts && b->running > 0 && b->scale.line > 0; i++)
		draw_bar(b, b->place.left + i, &column, ROLE_DIM);
}

static enum role role_of(const struct frame_bars *b, const struct graph_column *column)
{
	return column->over ? ROLE_OVER : column->kept || !may_be_work(b, column) ? ROLE_DIM : ROLE_GRAPH;
}

void frame_bars_column(const struct frame_bars *b, int i, bool chosen)
{
	const struct graph_column *column = &b->columns[i];
	int x = b->place.left + i;

	if (column->discarded)
		canvas_text(b->c, b->a, x, b->place.rows - 1, chosen ? ROLE_CHOSEN : ROLE_DIM, "x");
	else if (column->number && b->scale.line > 0 && (column->length || b->look->measure == MEASURE_SELF))
		draw_bar(b, x, column, chosen ? ROLE_CHOSEN : role_of(b, column));
}

/* Lengths of bars that are cut */

struct run {
	int first, end; /* columns that are cut, side by side */
	int longest;
};

/* The length that column i shows: of its longest frame, or of the one that runs. */
static int64_t length_of(const struct frame_bars *b, int i)
{
	const struct graph_column *column = &b->columns[i];
	int64_t length = column->number && !column->discarded ? column->length : 0;

	return i >= b->ghost && i < b->ghost + b->ghosts && b->running > length ? b->running : length;
}

static bool is_cut(const struct frame_bars *b, int i)
{
	int64_t length = length_of(b, i);

	return length > 0 && b->scale.line > 0 && bar_height(&b->scale, length) > b->scale.rows * EIGHTHS;
}

static struct run run_at(const struct frame_bars *b, int i)
{
	struct run run = { i, i, i };

	for (; run.end < b->place.bars && is_cut(b, run.end); run.end++)
		if (length_of(b, run.end) > length_of(b, run.longest))
			run.longest = run.end;
	return run;
}

/* The run with the longest frame of those that are behind `last` in the order of lengths. False: there is none. */
static bool next_run(const struct frame_bars *b, const struct run *last, struct run *next)
{
	bool found = false;

	for (int i = 0; i < b->place.bars; i++) {
		struct run run;
		int64_t length;

		if (!is_cut(b, i))
			continue;
		run = run_at(b, i);
		i = run.end;
		length = length_of(b, run.longest);
		if (last && (length > length_of(b, last->longest) ||
			     (length == length_of(b, last->longest) && run.longest >= last->longest)))
			continue;
		if (!found || length >= length_of(b, next->longest))
			*next = run;
		found = true;
	}
	return found;
}

/* How much of the uppermost line a label may cover, if the line does not show what is over a budget: nothing,
 * tops that hardly reach there, or all. */
enum hides { HIDES_NOTHING, HIDES_LOW, HIDES_ALL };

static bool may_hide(const struct frame_bars *b)
{
	return b->scale.rows > 1 && !(b->scale.budget && line_row(&b->scale) == 0);
}

static bool is_low(const struct frame_bars *b, int i, const struct cell *cell)
{
	int64_t length = length_of(b, i);

	return (cell->codes[0] == '.' || (cell->codes[0] > 0x2580 && cell->codes[0] < 0x2588)) &&
	       length && bar_height(&b->scale, length) <= (b->scale.rows - 1) * EIGHTHS + LOW;
}

/* Whether there is nothing in the uppermost line but the scale's line, from a column on, or what may be hidden. */
static bool is_open(const struct frame_bars *b, int from, int end, enum hides hides)
{
	for (int i = from; i < end; i++) {
		const struct cell *cell = canvas_cell(b->c, b->a.x + b->place.left + i, b->a.y);

		if (i < -1 || i > b->place.bars)
			return false;
		if (i >= 0 && i < b->place.bars && cell && cell->codes[0] != ' ' && cell->role != ROLE_BUDGET &&
		    cell->role != ROLE_AXIS && hides != HIDES_ALL && !(hides == HIDES_LOW && is_low(b, i, cell)))
			return false;
	}
	return true;
}

/* Whether column i still has the sign of a bar that is cut: the label of a longer frame may cover it. */
static bool is_marked(const struct frame_bars *b, int i)
{
	const struct cell *cell = canvas_cell(b->c, b->a.x + b->place.left + i, b->a.y);

	return cell && cell->codes[0] == '!';
}

/* Puts the label at the left of the run, because bars move there, else at its right, with a blank between the label and
 * what is beyond. False: there is no space, or the label would stand beside that of a longer frame. */
static bool put_length(const struct frame_bars *b, const struct run *run, const char *text, enum hides hides)
{
	int cells = (int)text_width(text), x = b->place.left;
	enum role role = role_of(b, &b->columns[run->longest]);

	if (!is_marked(b, run->first) || !is_marked(b, run->end - 1))
		return false;
	if (is_open(b, run->first - cells - 1, run->first, hides))
		canvas_text(b->c, b->a, x + run->first - cells, 0, role, text);
	else if (is_open(b, run->end, run->end + cells + 1, hides))
		canvas_text(b->c, b->a, x + run->end, 0, role, text);
	else
		return false;
	return true;
}

/* `41.2 ms`, or as short as on a logarithmic axis. The longest of all says it in any case, as one
 * takes another for it otherwise. */
static void draw_length(const struct frame_bars *b, const struct run *run, bool longest)
{
	enum hides most = !may_hide(b) ? HIDES_NOTHING : longest && b->place.bars >= CROWD_FROM ? HIDES_ALL : HIDES_LOW;

	uint64_t ticks_per_s = frame_graph_per_s(b->look);
	struct figure whole = figure_timed(length_of(b, run->longest), ticks_per_s, NULL, 3, b->look->ascii);
	char text[64];

	short_time(b, length_of(b, run->longest), text, sizeof(text));
	for (enum hides hides = HIDES_NOTHING; hides <= most; hides++)
		if ((hides != HIDES_ALL && put_length(b, run, whole.text, hides)) || put_length(b, run, text, hides))
			return;
}

void frame_bars_lengths(const struct frame_bars *b)
{
	struct run run, last;

	for (int i = 0; i < LENGTHS_MOST && next_run(b, i ? &last : NULL, &run); i++) {
		draw_length(b, &run, !i);
		last = run;
	}
}

void frame_bars_begin(struct frame_bars *b)
{
	b->scale = scale_of(b);
	b->thread = b->look->merged ? PROFILE_NONE : frames_thread(b->look->profile);
	b->waits = false;
	b->off_cpu = b->look->measure == MEASURE_SELF ? off_cpu_measure(b->look->profile) : PROFILE_NONE;
	for (uint32_t i = 0; i < b->look->profile->zone_count; i++)
		b->waits |= b->look->profile->zones[i].flags & ZONE_WAITING;
	draw_scale(b);
	draw_line(b);
}

struct graph_band graph_band_of(int64_t one, int64_t other, int bars)
{
	int64_t low = one < other ? one : other, high = one < other ? other : one;

	return (struct graph_band){ .any = high >= 0 && low < bars, .from = (int)(low < 0 ? 0 : low < bars ? low : bars),
				    .to = (int)(high < 0 ? -1 : high < bars ? high : bars - 1),
				    .before = low < 0, .behind = high >= bars };
}

void graph_band_mark(const struct graph_band *b, struct canvas *c, struct area axis, bool ascii)
{
	for (int i = b->from; b->any && i <= b->to; i++)
		canvas_text(c, axis, i, 0, ROLE_CHOSEN, i == b->from && !b->before ? "[" : i == b->to && !b->behind ? "]" :
			    ascii ? "=" : "─");
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
