/* SPDX-License-Identifier: MIT */
/*
 * view_timeline: single calls on the axis of time, a lane a thread, each depth
 * a row of boxes.
 *
 *     measured ...   20 ms wide   1 column = 0.21 ms         single calls from -1.2 s on, before that totals of frames
 *                ▁▁▁▁▁▂▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁   all that is held, and the window in it
 *                |-20 ms      |-15 ms      |-10 ms
 *     frames      612          613
 *     events         ◆ level 3 loaded
 *     main        update 1.71   wait_for_frame 13.2
 *                 ai 1.29  ph
 *     worker 1   {wait_for_job 16.3──}
 *
 * Live the newest is at the right, in a window that keeps its width; paused the
 * window stays. The cursor stands on a box. A ? marks time in which the calls
 * are not known, a ~ time in which the thread did not exist.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/timeline/timeline.h"
#include "tui/views/view.h"

#define FARTHER 3 / 2
#define NAME_CELLS 24 /* of a thread, in the line of what is viewed */

struct view_timeline {
	struct view view;
	struct timeline t;
	char scope[96];
};

static struct timeline *timeline_of(struct view *v)
{
	return &((struct view_timeline *)v)->t;
}

/* Names the threads whose lanes are shown alone, and the key to the others. */
static void add_threads(char *out, size_t size, const struct look *look, uint32_t hidden)
{
	char *known = report_threads(look->profile, look->lanes), *name = known ? name_shown(known, look->ascii) : NULL;
	size_t length = strlen(out);

	length += (size_t)snprintf(out + length, size - length, " of %.*s", (int)text_clip(name ? name : "?", NAME_CELLS, NULL),
				   name ? name : "?");
	if (length < size)
		snprintf(out + length, size - length, hidden ? " alone, T shows %u more" : " alone", hidden);
	free(name);
	free(known);
}

static bool lanes_refresh(struct view *v, const struct look *look)
{
	struct view_timeline *own = (struct view_timeline *)v;
	struct timeline *t = &own->t;

	*own->scope = '\0';
	if (t->drawn.width < 1) /* keys may come before it is drawn */
		t->drawn.width = look->width ? (int)look->width : 80;
	if (!timeline_read(t, look, v->why, sizeof(v->why)))
		return false;
	if (t->since == INT64_MAX || (t->since >= t->window.to && !timeline_known(t)))
		snprintf(own->scope, sizeof(own->scope), "%s", timeline_knows_frames(t) ? "single calls where known" : "sums of frames");
	else
		snprintf(own->scope, sizeof(own->scope), t->elsewhere || look->frames.chosen ? "single calls" : "single calls of the last %s",
			 figure_span(format_ns(look->profile->now_tick - t->since, look->profile->ticks_per_s)).text);
	if (look->lanes != THREADS_ALL)
		add_threads(own->scope, sizeof(own->scope), look, t->lanes_hidden);
	return true;
}

static void lanes_draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	struct timeline *t = timeline_of(v);

	view_draw_why(v->why, c, a);
	if (!*v->why && t->lane_count && a.height > 0 && a.width >= 8)
		timeline_draw(t, look, c, a);
	else
		t->drawn = t->map = (struct area){ 0 };
}

static bool has_box(const struct timeline *t)
{
	struct lane_row row;

	return timeline_box(t, &row) != UINT32_MAX;
}

static bool lanes_applies(const struct view *v, enum command command)
{
	const struct timeline *t = timeline_of((struct view *)v);

	switch (command) {
	case COMMAND_BOX_LONGEST:
	case COMMAND_CALL_BEFORE:
	case COMMAND_CALL_AFTER:
	case COMMAND_BOX_IN:
	case COMMAND_DRILL:
	case COMMAND_CALLER:
	case COMMAND_PATH:
		return has_box(t);
	case COMMAND_BOX_OUT:
		return t->window_count;
	case COMMAND_BOX_NEARER:
	case COMMAND_BOX_FARTHER:
	case COMMAND_MEASURE:
	case COMMAND_LANE_FOLD:
	case COMMAND_LANE_COUNTERS:
	case COMMAND_LANE_HEAT:
		return t->lane_count;
	case COMMAND_BOX_FRAME:
		return t->has_frames;
	default:
		return false;
	}
}

static int64_t wider_by_half(int64_t width)
{
	return width < INT64_MAX / 4 ? width * FARTHER + 1 : width;
}

static bool moves_cursor(enum command command)
{
	return command == COMMAND_UP || command == COMMAND_DOWN || (command >= COMMAND_BOX_LEFT && command < COMMAND_BOX_IN);
}

static bool act_on_window(struct timeline *t, const struct look *look, enum command command)
{
	int64_t width = timeline_width(t);

	switch (command) {
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		timeline_look_at(t, t->window.from + (command == COMMAND_PAGE_UP ? -1 : 1) * (width / 2 + 1), width);
		return true;
	case COMMAND_FIRST:
		timeline_look_at(t, t->oldest, width);
		return true;
	case COMMAND_LAST:
		timeline_look_at(t, t->read, width);
		return true;
	case COMMAND_BOX_NEARER:
		timeline_zoom(t, width - width / 3);
		return true;
	case COMMAND_BOX_FARTHER:
		timeline_zoom(t, wider_by_half(width));
		return true;
	case COMMAND_BOX_IN:
		return timeline_fit_box(t, look->profile);
	case COMMAND_BOX_OUT:
		timeline_back(t);
		return true;
	case COMMAND_BOX_FRAME:
		timeline_fit_frame(t, look);
		return true;
	default:
		return false;
	}
}

static bool act_on_lanes(struct timeline *t, const struct look *look, enum command command)
{
	switch (command) {
	case COMMAND_MEASURE:
		timeline_measure(t);
		return true;
	case COMMAND_LANE_FOLD:
		timeline_fold(t);
		return true;
	case COMMAND_LANE_FOLD_ALL:
		timeline_fold_all(t);
		return true;
	case COMMAND_LANE_COUNTERS:
		t->counters = !t->counters;
		return true;
	case COMMAND_LANE_HEAT:
		if (look->query && query_base(look->query))
			t->by_zone = !t->by_zone;
		else
			t->heat = !t->heat;
		timeline_find_usual(t, look);
		return true;
	default:
		return act_on_window(t, look, command);
	}
}

static bool act_on_box(struct timeline *t, const struct look *look, enum command command)
{
	if (!t->lane_count || !look->profile)
		return false;
	if (moves_cursor(command) && !timeline_in_sight(t))
		return timeline_begin(t, look->profile), true;
	switch (command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
		timeline_up_down(t, look->profile, command == COMMAND_UP ? -1 : 1);
		return true;
	case COMMAND_BOX_LEFT:
	case COMMAND_BOX_RIGHT:
		timeline_beside(t, look->profile, command == COMMAND_BOX_LEFT ? -1 : 1);
		return true;
	case COMMAND_BOX_LONGEST:
		return timeline_longest_inside(t);
	case COMMAND_CALL_BEFORE:
	case COMMAND_CALL_AFTER:
		return timeline_same(t, look, command == COMMAND_CALL_BEFORE ? -1 : 1);
	default:
		return act_on_lanes(t, look, command);
	}
}

static bool lanes_command(struct view *v, const struct look *look, enum command command)
{
	bool done = act_on_box(timeline_of(v), look, command);

	timeline_measure_on(timeline_of(v));
	return done;
}

static void lanes_stands(struct view *v, bool back)
{
	timeline_stands(timeline_of(v), back);
}

static bool find_call(struct view *v, const struct look *look, const struct pattern *pattern, int step, bool here)
{
	bool found = timeline_find(timeline_of(v), look, pattern, step, here);

	timeline_measure_on(timeline_of(v));
	return found;
}

static struct values *lanes_measured(const struct view *v, const struct look *look, int64_t *from, int64_t *to)
{
	const struct timeline *t = timeline_of((struct view *)v);

	*from = t->measured.from;
	*to = t->measured.to;
	return t->measured.to ? sums_values(t->spans, look->profile, *from, *to) : NULL;
}

static bool let_go(struct view *v)
{
	struct timeline *t = timeline_of(v);
	bool was = t->measured.to;

	t->measured = (struct window){ 0 };
	return was;
}

void view_timeline_go(struct view *v, const struct look *look, uint32_t key)
{
	const struct profile_frame *f = look->frames.chosen ? profile_find_frame(look->profile, look->frames.chosen) : NULL;

	if (look->query && look->selected_to)
		timeline_go_longest(timeline_of(v), look, key, look->selected_from, look->selected_to);
	else if (f && look->query)
		timeline_go_longest(timeline_of(v), look, key, f->start, frame_end(f));
}

void view_timeline_show(struct view *v, int64_t middle, int64_t width)
{
	struct timeline *t = timeline_of(v);

	if (!t->lane_count)
		return;
	width = width ? width : timeline_width(t);
	if (middle < 0)
		timeline_zoom(t, width);
	else
		timeline_look_at(t, middle - width / 2, width);
}

int64_t view_timeline_width(const struct view *v)
{
	return timeline_width(timeline_of((struct view *)v));
}

/* In the map the window goes there. */
static bool is_map(const struct timeline *t, int x, int y)
{
	return t->map.height && y == t->map.y && x >= t->map.x && x < t->map.x + t->map.width;
}

static void go_in_map(struct timeline *t, int x)
{
	int64_t tick = t->oldest + (int64_t)((double)(t->read - t->oldest) * (x - t->map.x + 0.5) / t->map.width);

	timeline_look_at(t, tick - timeline_width(t) / 2, timeline_width(t));
}

/* The wheel zooms, and what is under the pointer stays there; who drags has the time in his hand, or the window in the
 * map. */
static bool lanes_pointer(struct view *v, int wheel, int from, int x, int y)
{
	struct timeline *t = timeline_of(v);
	int64_t width = timeline_width(t);

	if (!t->lane_count || t->drawn.width < 1)
		return false;
	if (wheel)
		timeline_zoom_at(t, timeline_tick(t, x - t->drawn.x), wheel < 0 ? width - width / 3 : wider_by_half(width));
	else if (is_map(t, x, y))
		go_in_map(t, x);
	else
		timeline_look_at(t, t->window.from - (timeline_tick(t, x) - timeline_tick(t, from)), width);
	return true;
}

static enum table_hit lanes_click(struct view *v, const struct look *look, int x, int y)
{
	struct timeline *t = timeline_of(v);
	struct lane_row row, before;
	uint32_t box, at = timeline_box(t, &before);

	if (is_map(t, x, y)) {
		go_in_map(t, x);
		return TABLE_ROW;
	}
	if (!timeline_hit(t, look, x, y, &row, &box))
		return TABLE_NOTHING;
	if (at == box && before.lane == row.lane && before.depth == row.depth && before.of_sums == row.of_sums)
		return TABLE_CURSOR;
	timeline_go(t, &row, box);
	timeline_measure_on(t);
	return TABLE_ROW;
}

/* The zones around the cursor's call, and its own. */
static bool lanes_target(const struct view *v, const struct look *look, struct path *out)
{
	const struct keys *keys = look->query ? query_keys(look->query) : NULL;
	const struct profile *p = look->profile;
	struct lane_row row;
	uint32_t box = timeline_box(timeline_of((struct view *)v), &row), count = 0, place, node;
	uint64_t ids[PATH_MOST];

	if (!keys || box == UINT32_MAX)
		return false;
	for (node = row.nodes[box]; count < PATH_MOST && p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent) {
		if (node >= keys->node_count)
			return false;
		ids[count++] = keys->id[keys->of_node[node]];
	}
	for (uint32_t i = count; i-- > 0;) {
		if (i + 1 == count)
			path_begin(out, &place, ids[i]);
		else
			path_to_child(out, &place, ids[i]);
	}
	return count;
}

static bool lanes_thread(const struct view *v, uint64_t *id)
{
	const struct timeline *t = timeline_of((struct view *)v);
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : PROFILE_NONE;

	if (lane == PROFILE_NONE)
		return false;
	*id = t->lanes[lane].thread_id;
	return true;
}

static const char *lanes_scope(const struct view *v)
{
	return ((const struct view_timeline *)v)->scope;
}

static void close_timeline(struct view *v)
{
	timeline_fini(timeline_of(v));
}

const struct view_ops view_timeline = {
	.name = "Time", .key = '6', .size = sizeof(struct view_timeline), .refresh = lanes_refresh, .draw = lanes_draw, .click = lanes_click,
	.pointer = lanes_pointer,
	.command = lanes_command, .applies = lanes_applies, .target = lanes_target, .thread = lanes_thread, .scope = lanes_scope, .close = close_timeline,
	.place = PLACE_BOXES, .find = find_call, .stands = lanes_stands, .measured = lanes_measured, .let_go = let_go, .unfiltered = true,
	.pauses = true,
};
