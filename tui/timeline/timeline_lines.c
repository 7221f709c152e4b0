/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/boxes/ruler.h"
#include "model/stats/frame_stats.h"
#include "tui/cells/fields.h"
#include "tui/frames/frame_columns.h"
#include "tui/frames/instants.h"
#include "tui/widgets/boxes.h"

__extension__ typedef __int128 wide;

static const struct profile_frame *chosen_frame(const struct look *look)
{
	return look->frames.chosen ? profile_find_frame(look->profile, look->frames.chosen) : NULL;
}

int64_t timeline_zero(const struct timeline *t, const struct look *look)
{
	const struct profile_frame *f = chosen_frame(look);

	return f ? f->start : t->read;
}

struct figure timeline_time(const struct look *look, int64_t ticks)
{
	static const int64_t parts[UNITS] = { [UNIT_MS] = 100, [UNIT_US] = 100000, [UNIT_NS] = 100000000 };
	uint64_t ticks_per_s = look->profile->ticks_per_s;
	int64_t part = parts[look->unit]; /* of a second: a time that suits the unit */

	return figure_timed(ticks, ticks_per_s, part ? figure_unit_for((int64_t)ticks_per_s / part, ticks_per_s) : NULL, 4,
			    look->ascii);
}

/* All of what is in sight of the first lane, singly: a frame of long ago may have kept its calls. */
static bool is_known(const struct timeline *t)
{
	return t->lane_count && t->lanes[0].list && !spans_gap(t->lanes[0].list, t->window.from, t->window.to);
}

static void add_since(const struct timeline *t, const struct look *look, struct fields *f)
{
	int64_t zero = timeline_zero(t, look);
	char *name = t->lane_count ? name_safe(look->profile->threads[t->lanes[0].thread].name, look->ascii) : NULL;

	if (t->since == INT64_MAX)
		fields_add(f, ROLE_PAUSED, 4, "no single calls are known: sums of frames");
	else if (t->too_many && !is_known(t))
		fields_add(f, ROLE_PAUSED, 4, "too many calls to show: sums of frames; + zooms in");
	else if (t->since > t->window.from && !is_known(t))
		fields_add(f, ROLE_PAUSED, 4, "calls of %s from %s%s on, before that sums of frames", name ? name : "?",
			   t->since < zero ? canvas_minus(look->ascii) : "",
			   timeline_time(look, t->since < zero ? zero - t->since : t->since - zero).text);
	free(name);
}

void timeline_draw_scale(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct fields f = { .gap = 3 };

	if (!t->measured.to && look->selected_to)
		fields_add(&f, ROLE_PAUSED, 5, "selection %s; Esc goes back",
			   timeline_time(look, look->selected_to - look->selected_from).text);
	if (t->measured.to)
		fields_add(&f, ROLE_PAUSED, 5, "Enter zooms to %s, Esc cancels",
			   timeline_time(look, t->measured.to - t->measured.from).text);
	fields_add(&f, ROLE_TITLE, 0, "%s wide", timeline_time(look, timeline_width(t)).text);
	fields_add(&f, ROLE_LABEL, 3, "1 column = %s",
		   timeline_time(look, timeline_width(t) / (t->drawn.width > 0 ? t->drawn.width : 1)).text);
	fields_add(&f, ROLE_LABEL, 2, chosen_frame(look) ? "0 is the start of the frame"
						 : look->profile->process.state == PROFILE_LIVE ? "0 is now" : "0 is the end");
	if (t->usual)
		fields_add(&f, ROLE_LABEL, 4, "colours: against %s", t->against_base ? query_options(look->query)->base_name : "usual calls");
	add_since(t, look, &f);
	fields_draw(&f, c, a, 0);
}

/* What is measured, or looked at instead of a frame. */
static void draw_band(const struct timeline *t, struct window band, struct canvas *c, struct area axis)
{
	int last = band.to ? timeline_column(t, band.to - 1) : -1;

	for (int x = timeline_column(t, band.from); x <= last; x++) {
		struct cell *cell = x >= 0 && x < axis.width ? canvas_cell(c, axis.x + x, axis.y) : NULL;

		if (cell)
			cell->selected = 1;
	}
}

void timeline_draw_ruler(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	uint64_t ticks_per_s = look->profile->ticks_per_s;
	struct area axis = { t->drawn.x, a.y, t->drawn.width, 1 };
	size_t size = (size_t)t->drawn.width * 3 + 1;
	char *text = array_zeroed(size, 1);
	int64_t zero = timeline_zero(t, look);

	if (text) {
		ruler_text(format_ns(t->window.from - zero, ticks_per_s), format_ns(t->window.to - zero, ticks_per_s),
			   (uint32_t)axis.width, look->ascii, text, size);
		canvas_text(c, axis, 0, 0, ROLE_AXIS, text);
	}
	free(text);
	draw_band(t, t->measured.to ? t->measured : (struct window){ look->selected_from, look->selected_to }, c, axis);
}

/* The map: all that is held, and where the window is */

static int map_column(const struct timeline *t, int width, int64_t tick)
{
	wide all = (wide)t->read - t->oldest, x = all > 0 ? ((wide)tick - t->oldest) * width / all : 0;

	return x < 0 ? 0 : x >= width ? width - 1 : (int)x;
}

/* The longest frame of each column, and the longest of all. */
static int64_t *map_frames(const struct timeline *t, const struct profile *p, int width, int64_t *most)
{
	int64_t *longest = array_zeroed((uint64_t)width, sizeof(*longest));

	*most = 0;
	for (uint32_t i = 0; longest && i < p->frame_count; i++) {
		const struct profile_frame *f = &p->frames[i];
		int last = map_column(t, width, frame_end(f) - 1);

		for (int x = map_column(t, width, f->start); x <= last; x++)
			longest[x] = longest[x] > f->length ? longest[x] : f->length;
		*most = *most > f->length ? *most : f->length;
	}
	return longest;
}

void timeline_draw_map(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇" }, *const letters[] = { " ", ".", "-", "=", "#" };
	struct area map = { t->drawn.x, a.y, t->drawn.width, 1 };
	int64_t most, *longest = map_frames(t, look->profile, map.width, &most);
	int from = map_column(t, map.width, t->window.from), to = map_column(t, map.width, t->window.to - 1);
	int since = t->since == INT64_MAX ? map.width : map_column(t, map.width, t->since);

	for (int x = 0; longest && x < map.width; x++) {
		bool over = look->frames.budget && longest[x] > look->frames.budget;
		int steps = look->ascii ? 4 : 7, step = longest[x] ? 1 + (int)((double)(steps - 1) * (double)longest[x] / (double)most) : 0;
		struct cell *cell;

		if (!longest[x] && x >= since) /* single calls without frames */
			step = 1;
		canvas_text(c, map, x, 0, over ? ROLE_OVER : x < since ? ROLE_DIM : ROLE_GRAPH,
			    look->ascii ? over ? "!" : letters[step] : bars[step]);
		cell = x >= from && x <= to ? canvas_cell(c, map.x + x, map.y) : NULL;
		if (cell)
			cell->selected = 1;
	}
	if (!look->coloured || look->ascii) { /* the window has edges, too */
		canvas_text(c, map, from, 0, ROLE_KEY, "[");
		canvas_text(c, map, to > from ? to : from + 1 < map.width ? from + 1 : from, 0, ROLE_KEY, "]");
	}
	free(longest);
}

/* Frames */

struct frame_boxes {
	const struct look *look;
	uint32_t first;
};

static void frame_label(const void *context, uint32_t box, struct box_label *out)
{
	const struct frame_boxes *b = context;
	const struct profile *p = b->look->profile;
	const struct profile_frame *f = &p->frames[b->first + box];

	out->whole = true;
	if (b->first + box == p->frame_count) {
		snprintf(out->name, sizeof(out->name), "%s", figure_grouped(f[-1].number + 1).text);
		snprintf(out->value, sizeof(out->value), "%s", p->process.state == PROFILE_DEAD ? "unfinished" : graph_running(p) ? "running" : "");
		return;
	}
	snprintf(out->name, sizeof(out->name), "%s", figure_grouped(f->number).text);
	snprintf(out->value, sizeof(out->value), "%s", timeline_time(b->look, f->length).text);
}

static enum role frame_role(const void *context, uint32_t box)
{
	const struct frame_boxes *b = context;
	const struct profile_frame *f = &b->look->profile->frames[b->first + box];

	if (b->first + box == b->look->profile->frame_count)
		return ROLE_DIM;
	if (f->number == b->look->frames.chosen)
		return ROLE_PAUSED;
	return b->look->frames.budget && f->length > b->look->frames.budget ? ROLE_BOX_MOST : ROLE_BOX_PALE;
}

/* Those of which something is in the window, and behind the newest the one that runs, or was not ended: frames that are kept alone
 * lie apart from each other. */
void timeline_draw_frames(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct profile *p = look->profile;
	struct frame_boxes context = { look, SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) < t->window.from) };
	uint32_t count = SEARCH(i, context.first, p->frame_count, p->frames[i].start < t->window.to) - context.first;
	bool is_there = p->process.state == PROFILE_LIVE || p->process.state == PROFILE_DEAD;
	int64_t running = is_there && context.first + count == p->frame_count ? frame_running(p) : 0;
	int64_t *columns = array_zeroed(3 * (uint64_t)count + 4, sizeof(*columns));
	int64_t *begin = columns, *end = columns + count + 1, *sums = end + count + 1, last = INT64_MIN;

	canvas_clipped(c, a, 0, 0, t->drawn.x - a.x - 1, ROLE_DIM, "frames");
	for (uint32_t i = 0; columns && i < count; i++) {
		const struct profile_frame *f = &p->frames[context.first + i];

		begin[i] = f->start > last ? f->start : last;
		last = end[i] = frame_end(f) > begin[i] ? frame_end(f) : begin[i];
		sums[i + 1] = sums[i] + end[i] - begin[i];
	}
	if (columns && running > 0 && p->now_tick - running >= last) {
		begin[count] = p->now_tick - running;
		end[count] = p->now_tick;
		sums[count + 1] = sums[count] + running;
		count++;
	}
	if (columns) {
		struct box_row row = { begin, end, sums, count };
		struct boxes b = { .row = &row, .from = t->window.from, .to = t->window.to, .context = &context,
				   .label = frame_label, .role = frame_role, .chosen = UINT32_MAX,
				   .coloured = look->coloured, .ascii = look->ascii };

		boxes_draw(&b, c, (struct area){ t->drawn.x, a.y, t->drawn.width, 1 }, 0);
	}
	free(columns);
}

/* Events and notes: a sign at the place of each, and its words where there is room up to the next. Those of
 * the note that a frame ends with, at the right edge, stand before it. */
void timeline_draw_events(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct profile *p = look->profile;
	struct area axis = { t->drawn.x, a.y, t->drawn.width, 1 };
	uint32_t i = SEARCH(i, 0, p->instant_count, p->instants[i].tick < t->window.from);
	int end = 0; /* of what is written */

	canvas_clipped(c, a, 0, 0, t->drawn.x - a.x - 1, ROLE_DIM, "events");
	while (i < p->instant_count && p->instants[i].tick < t->window.to) {
		const struct profile_instant *instant = &p->instants[i];
		int x = timeline_column(t, instant->tick), next;
		bool note = false;
		char *text;

		/* of those in one cell a note stands for all */
		for (; i < p->instant_count && timeline_column(t, p->instants[i].tick) <= x; i++)
			if (p->instants[i].event == PROFILE_NONE && !note) {
				note = true;
				instant = &p->instants[i];
			}
		next = i < p->instant_count ? timeline_column(t, p->instants[i].tick) : axis.width;
		next = next < axis.width ? next : axis.width;
		canvas_text(c, axis, x, 0, note ? ROLE_MARK : ROLE_AXIS, instants_sign(note, look->ascii));
		text = next - x > 5 || next == axis.width ? instants_text(p, instant, look->ascii) : NULL;
		if (text && next - x > 5)
			end = x + 2 + canvas_clipped(c, axis, x + 2, 0, next - x - 3, ROLE_DIM, text);
		else if (text && (int)text_width(text) < x - 1 - end)
			canvas_text(c, axis, x - 1 - (int)text_width(text), 0, ROLE_DIM, text);
		end = end > x ? end : x + 1;
		free(text);
	}
}
