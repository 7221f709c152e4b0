/* SPDX-License-Identifier: MIT */
/*
 * view_timeline: single calls on the axis of time, a lane a thread, each depth a row of boxes.
 *
 *     -20 ms to now   a cell is 0.21 ms                      known since -1.2 s
 *                |-20 ms      |-15 ms      |-10 ms
 *     frames      612          613
 *     main        update 1.71   wait_for_frame 13.2
 *                 ai 1.29  ph
 *     worker 1   ??????????    wait_for_job 16.3
 *
 * Live the newest is at the right, in a window that keeps its width; paused the window stays. The cursor is a box: the
 * call that began at that tick, in that lane and depth. What is not known is a ?, where the thread was not there a ~.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/boxes/ruler.h"
#include "model/boxes/spans.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"
#include "tui/widgets/boxes.h"

#define NAMES_MOST 16   /* cells of a thread's name, */
#define NAMES_PART 5    /* and this part of the width */
#define WINDOWS_MOST 32 /* that one can go back to */
#define FRAMES_FIRST 3  /* so many of the median length are seen at first; */
#define FIRST_NS INT64_C(100000000) /* where there are none */
#define DETAIL_FROM 8   /* lines of the area, where two say what the cursor's box is */
#define ZOOM 3 / 2
#define DIGITS 4

struct window {
	int64_t from, to; /* [from, to), from < to */
};

struct timeline {
	struct view view;
	struct spans *spans; /* NULL: none are known */
	uint64_t run;        /* of the transitions that they are made of (singles_all) */
	int64_t read;        /* the tick at which these were read */
	int64_t since;       /* the first that is known of the first lane */
	uint32_t *lanes;     /* lists, in the order in which they are shown */
	uint32_t lane_count;
	struct window window; /* to == 0: it is chosen when there is something to see */
	struct window windows[WINDOWS_MOST];
	uint32_t window_count;
	uint64_t frame; /* that was chosen when it was looked at last */
	/* The cursor: a call. */
	uint64_t list;
	uint32_t depth;
	int64_t begin;
	bool has_cursor;
	uint64_t thread_id; /* of its lane */
	bool has_thread;
	/* As it was drawn: */
	uint32_t top;      /* first lane */
	struct area drawn; /* the boxes */
	struct line {
		uint32_t lane, depth;
	} *lines; /* drawn.height of them; lane PROFILE_NONE: none */
	char scope[96];
};

/* For the painter. */
struct painting {
	const struct timeline *t;
	const struct look *look;
	const struct span_list *list;
	uint32_t depth;
};

/* Spans */

static const struct span_list *list_at(const struct timeline *t, uint32_t lane)
{
	return lane < t->lane_count ? &t->spans->lists[t->lanes[lane]] : NULL;
}

static uint32_t lane_of_cursor(const struct timeline *t)
{
	uint32_t lane = 0;

	while (t->has_cursor && lane < t->lane_count && list_at(t, lane)->id != t->list)
		lane++;
	return t->has_cursor && lane < t->lane_count ? lane : PROFILE_NONE;
}

/* The span that the cursor is on; UINT32_MAX: it is on none. */
static uint32_t span_of_cursor(const struct timeline *t, const struct span_list **list)
{
	struct box_row row;
	uint32_t i;

	*list = list_at(t, lane_of_cursor(t));
	if (!*list)
		return UINT32_MAX;
	row = spans_row(*list, t->depth);
	i = box_row_from(&row, t->begin);
	return i < row.count && row.begin[i] == t->begin ? i : UINT32_MAX;
}

static void go_to(struct timeline *t, const struct span_list *list, uint32_t depth, uint32_t span)
{
	struct box_row row = spans_row(list, depth);

	if (span >= row.count)
		return;
	t->list = list->id;
	t->depth = depth;
	t->begin = row.begin[span];
	t->has_cursor = true;
}

/* Threads that mark frames first, then in the order in which they came. */
static bool order_lanes(struct timeline *t, const struct profile *p)
{
	t->lane_count = 0;
	free(t->lanes);
	t->lanes = array_zeroed(t->spans->count, sizeof(*t->lanes));
	for (int marking = 1; t->lanes && marking >= 0; marking--)
		for (uint32_t i = 0; i < t->spans->count; i++) {
			const struct span_list *l = &t->spans->lists[i];

			if (l->thread < p->thread_count && p->threads[l->thread].marking == marking && l->known_count)
				t->lanes[t->lane_count++] = i;
		}
	return t->lanes;
}

/* Of the first lane: logs of threads that do less reach further back. */
static void find_since(struct timeline *t)
{
	t->since = t->lane_count ? list_at(t, 0)->known[0].begin : t->read;
}

static void forget(struct timeline *t)
{
	spans_free(t->spans);
	t->spans = NULL;
	t->lane_count = 0;
}

/* False: there is nothing to see, and `why` says why. */
static bool read_spans(struct timeline *t, const struct look *look)
{
	const struct transitions *all;
	int64_t read = 0;
	uint64_t run = 0;

	all = look->singles && look->profile ? singles_all(look->singles, &read, &run) : NULL;
	if (!all || run != t->run)
		forget(t);
	t->run = run;
	t->read = read;
	if (all && !t->spans)
		t->spans = spans_new();
	if (!all || !t->spans || !spans_update(t->spans, look->profile, all, read) || !order_lanes(t, look->profile)) {
		forget(t);
		snprintf(t->view.why, sizeof(t->view.why), all ? "out of memory" : "no single calls are known");
		return false;
	}
	find_since(t);
	*t->view.why = '\0';
	return true;
}

/* The window */

static int64_t width_of(const struct timeline *t)
{
	return t->window.to - t->window.from;
}

/* Nobody can look before all, or behind the newest; the least window is a tick a cell, or what it was. */
static void set_window(struct timeline *t, int64_t from, int64_t width)
{
	int64_t most = t->read > 1 ? t->read : 1, least = t->drawn.width > 1 ? t->drawn.width : 1;

	width = width < least ? least : width > most ? most : width;
	from = from > t->read - width ? t->read - width : from;
	t->window = (struct window){ from < 0 ? 0 : from, (from < 0 ? 0 : from) + width };
}

static void remember(struct timeline *t)
{
	if (t->window_count == WINDOWS_MOST)
		memmove(t->windows, t->windows + 1, --t->window_count * sizeof(*t->windows));
	t->windows[t->window_count++] = t->window;
}

static int64_t first_width(const struct profile *p)
{
	const struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	if (newest && newest->length > 0 && newest->length < INT64_MAX / FRAMES_FIRST)
		return FRAMES_FIRST * newest->length;
	return (int64_t)((double)FIRST_NS * (double)p->ticks_per_s / 1e9);
}

static const struct profile_frame *chosen_frame(const struct look *look)
{
	return look->frames.chosen ? profile_find_frame(look->profile, look->frames.chosen) : NULL;
}

/* A frame that is chosen comes into sight as a whole. */
static void show_frame(struct timeline *t, const struct profile_frame *f)
{
	int64_t end = frame_end(f), width = width_of(t);

	if (f->start >= t->window.from && end <= t->window.to)
		return;
	if (width < f->length)
		width = f->length + f->length / 8;
	set_window(t, f->start - (width - f->length) / 2, width);
}

static void place_window(struct timeline *t, const struct look *look)
{
	const struct profile_frame *f = chosen_frame(look);

	if (!t->window.to)
		set_window(t, t->read, first_width(look->profile));
	if (!look->frames.chosen)
		set_window(t, t->read, width_of(t)); /* live */
	else if (f && look->frames.chosen != t->frame)
		show_frame(t, f);
	t->frame = look->frames.chosen;
}

static struct figure time_figure(const struct look *look, int64_t ticks)
{
	return figure_timed(ticks, look->profile->ticks_per_s, NULL, DIGITS, look->ascii);
}

static bool refresh(struct view *v, const struct look *look)
{
	struct timeline *t = (struct timeline *)v;
	const struct span_list *l;

	if (!read_spans(t, look)) {
		*t->scope = '\0';
		return false;
	}
	place_window(t, look);
	l = list_at(t, lane_of_cursor(t));
	t->has_thread = l;
	t->thread_id = l ? look->profile->threads[l->thread].id : 0;
	snprintf(t->scope, sizeof(t->scope), "single calls of the last %s",
		 figure_span(format_ns(look->profile->now_tick - t->since, look->profile->ticks_per_s)).text);
	return true;
}

/* Boxes */

static const struct profile_zone *zone_of(const struct painting *p, uint32_t span)
{
	return &p->look->profile->zones[p->look->profile->nodes[p->list->rows[p->depth].node[span]].zone];
}

static void label(const void *context, uint32_t span, struct box_label *out)
{
	const struct painting *p = context;
	struct box_row row = spans_row(p->list, p->depth);
	char *name = name_safe(zone_of(p, span)->name, p->look->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0;

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	snprintf(out->value, sizeof(out->value), "%s", time_figure(p->look, row.end[span] - row.begin[span]).text);
	free(name);
}

static enum role role(const void *context, uint32_t span)
{
	const struct painting *p = context;
	const struct profile_zone *zone = zone_of(p, span);

	if (p->look->search)
		return pattern_matches(p->look->search, zone->name) ? ROLE_FOUND : ROLE_BOX_PALE;
	return zone->flags & ZONE_WAITING ? ROLE_BOX_PALE : boxes_role_of(zone->name);
}

static struct boxes boxes_of(const struct painting *p, const struct box_row *row)
{
	const struct timeline *t = p->t;
	const struct span_list *list;
	uint32_t span = span_of_cursor(t, &list);

	return (struct boxes){ .row = row, .from = t->window.from, .to = t->window.to, .context = p, .label = label,
			       .role = role, .chosen = list == p->list && p->depth == t->depth ? span : UINT32_MAX,
			       .coloured = p->look->coloured, .ascii = p->look->ascii };
}

static int64_t tick_at(const struct timeline *t, int x)
{
	return t->window.from + (int64_t)((__int128)width_of(t) * x / (t->drawn.width > 0 ? t->drawn.width : 1));
}

/* What is not known of a thread, and when it was not there, below all boxes. */
static void draw_unknown(const struct painting *p, struct canvas *c, struct area a, int y)
{
	for (int x = 0; x < a.width; x++) {
		int64_t begin = tick_at(p->t, x), end = tick_at(p->t, x + 1);
		enum spans_knowledge known = spans_knows(p->list, begin + (end - begin) / 2);

		if (known != SPANS_KNOWN)
			canvas_text(c, a, x, y, ROLE_DIM, known == SPANS_UNKNOWN ? "?" : "~");
	}
}

static void draw_row(struct painting *p, struct canvas *c, int y)
{
	struct box_row row = spans_row(p->list, p->depth);
	struct boxes b = boxes_of(p, &row);

	if (!p->depth)
		draw_unknown(p, c, p->t->drawn, y);
	boxes_draw(&b, c, p->t->drawn, y);
}

/* Frames */

struct frame_boxes {
	const struct look *look;
	uint32_t first;
};

static void frame_label(const void *context, uint32_t box, struct box_label *out)
{
	const struct frame_boxes *b = context;
	const struct profile_frame *f = &b->look->profile->frames[b->first + box];

	snprintf(out->name, sizeof(out->name), "%s", figure_grouped(f->number).text);
	snprintf(out->value, sizeof(out->value), "%s", time_figure(b->look, f->length).text);
}

static enum role frame_role(const void *context, uint32_t box)
{
	const struct frame_boxes *b = context;
	const struct profile_frame *f = &b->look->profile->frames[b->first + box];

	if (f->number == b->look->frames.chosen)
		return ROLE_PAUSED;
	return b->look->frames.budget && f->length > b->look->frames.budget ? ROLE_BOX_MOST : ROLE_BOX_PALE;
}

/* The frames of which something is in the window: those that are kept alone lie apart from each other. */
static void draw_frames(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct profile *p = look->profile;
	struct frame_boxes context = { look, SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) < t->window.from) };
	uint32_t count = SEARCH(i, context.first, p->frame_count, p->frames[i].start < t->window.to) - context.first;
	int64_t *columns = array_zeroed(3 * (uint64_t)count + 1, sizeof(*columns));
	int64_t *begin = columns, *end = columns + count, *sums = end + count, last = INT64_MIN;

	for (uint32_t i = 0; columns && i < count; i++) {
		const struct profile_frame *f = &p->frames[context.first + i];

		begin[i] = f->start > last ? f->start : last;
		last = end[i] = frame_end(f) > begin[i] ? frame_end(f) : begin[i];
		sums[i + 1] = sums[i] + end[i] - begin[i];
	}
	if (columns) {
		struct box_row row = { begin, end, sums, count };
		struct boxes b = { .row = &row, .from = t->window.from, .to = t->window.to, .context = &context,
				   .label = frame_label, .role = frame_role, .chosen = UINT32_MAX,
				   .coloured = look->coloured, .ascii = look->ascii };

		boxes_draw(&b, c, a, 0);
	}
	free(columns);
}

/* Lines */

/* Rows of a lane in which something is to be seen; one at least. */
static uint32_t rows_of(const struct timeline *t, const struct span_list *l)
{
	uint32_t rows = 0;

	while (rows < l->depth && spans_covered(l, rows, t->window.from, t->window.to))
		rows++;
	return rows ? rows : 1;
}

static int names_width(const struct timeline *t, const struct look *look, int width)
{
	int most = width / NAMES_PART < NAMES_MOST ? width / NAMES_PART : NAMES_MOST, names = 0;

	for (uint32_t i = 0; i < t->lane_count; i++) {
		char *name = name_safe(look->profile->threads[list_at(t, i)->thread].name, look->ascii);
		int cells = name ? (int)text_width(name) : 0;

		names = cells > names ? cells : names;
		free(name);
	}
	return names < most ? names : most;
}

/* So that the cursor's lane is in sight. */
static void bring_into_sight(struct timeline *t, int lines)
{
	uint32_t lane = lane_of_cursor(t), used = 0;

	if (t->top >= t->lane_count)
		t->top = 0;
	if (lane == PROFILE_NONE)
		return;
	if (lane < t->top)
		t->top = lane;
	for (uint32_t i = lane + 1; i-- > t->top;) {
		used += i == lane ? t->depth + 1 : rows_of(t, list_at(t, i));
		if (used > (uint32_t)lines && i < lane) {
			t->top = i + 1;
			break;
		}
	}
}

static void draw_name(const struct timeline *t, const struct look *look, struct canvas *c, struct area a, uint32_t lane)
{
	char *name = name_safe(look->profile->threads[list_at(t, lane)->thread].name, look->ascii);

	canvas_clipped(c, a, 0, 0, t->drawn.x - a.x - 1, lane == lane_of_cursor(t) ? ROLE_FOCUS : ROLE_NAME, name ? name : "?");
	free(name);
}

static void draw_lanes(struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct painting p = { .t = t, .look = look };
	int y = 0;

	for (uint32_t lane = t->top; lane < t->lane_count && y < t->drawn.height; lane++) {
		uint32_t rows;

		p.list = list_at(t, lane);
		rows = rows_of(t, p.list);
		draw_name(t, look, c, (struct area){ a.x, t->drawn.y + y, a.width, 1 }, lane);
		for (p.depth = 0; p.depth < rows && y < t->drawn.height; p.depth++, y++) {
			t->lines[y] = (struct line){ lane, p.depth };
			draw_row(&p, c, y);
		}
	}
	for (; y < t->drawn.height; y++)
		t->lines[y].lane = PROFILE_NONE;
}

/* `-20.0 ms to now   a cell is 0.210 ms`; paused times are of the frame that is shown. */
static int64_t zero_of(const struct timeline *t, const struct look *look)
{
	const struct profile_frame *f = chosen_frame(look);

	return f ? f->start : t->read;
}

static void draw_scale(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct fields f = { .gap = 3 };

	fields_add(&f, ROLE_TITLE, 0, "%s wide", time_figure(look, width_of(t)).text);
	fields_add(&f, ROLE_LABEL, 3, "a cell is %s",
		   time_figure(look, width_of(t) / (t->drawn.width > 0 ? t->drawn.width : 1)).text);
	fields_add(&f, ROLE_LABEL, 2, chosen_frame(look) ? "0 is where the frame begins" : "0 is now");
	if (t->since > t->window.from)
		fields_add(&f, ROLE_PAUSED, 4, "known from %s%s on", t->since < zero_of(t, look) ? look->ascii ? "-" : "−" : "",
			   time_figure(look, t->since < zero_of(t, look) ? zero_of(t, look) - t->since
									  : t->since - zero_of(t, look)).text);
	fields_draw(&f, c, a, 0);
}

static void draw_ruler(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	uint64_t ticks_per_s = look->profile->ticks_per_s;
	size_t size = (size_t)t->drawn.width * 3 + 1;
	char *text = array_zeroed(size, 1);

	if (text) {
		ruler_text(format_ns(t->window.from - zero_of(t, look), ticks_per_s),
			   format_ns(t->window.to - zero_of(t, look), ticks_per_s), (uint32_t)t->drawn.width, look->ascii, text,
			   size);
		canvas_text(c, a, 0, 0, ROLE_AXIS, text);
	}
	free(text);
}

/* The cursor's call: what it is, how long it took, when, how much of it was its own, whose it is. */
static void draw_detail(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l), node;
	struct painting p = { .t = t, .look = look, .list = l, .depth = t->depth };
	struct fields f = { .gap = 2 }, callers = { .gap = 1 };
	struct box_row row;
	unsigned flags;
	char *name;

	if (span == UINT32_MAX) {
		canvas_text(c, a, 0, 0, ROLE_DIM, "an arrow goes to a call");
		return;
	}
	row = spans_row(l, t->depth);
	flags = spans_flags(l, t->depth, span);
	name = name_safe(zone_of(&p, span)->name, look->ascii);
	fields_add(&f, ROLE_NAME, 0, "%s", name ? name : "?");
	free(name);
	fields_add(&f, ROLE_NUMBER, 9, "%s%s", flags ? "at least " : "", time_figure(look, row.end[span] - row.begin[span]).text);
	fields_add(&f, ROLE_NUMBER, 8, "self %s",
		   time_figure(look, row.end[span] - row.begin[span] -
				     spans_covered(l, t->depth + 1, row.begin[span], row.end[span])).text);
	fields_add(&f, ROLE_LABEL, 7, "at %s%s", row.begin[span] < zero_of(t, look) ? look->ascii ? "-" : "−" : "+",
		   time_figure(look, row.begin[span] < zero_of(t, look) ? zero_of(t, look) - row.begin[span]
									 : row.begin[span] - zero_of(t, look)).text);
	if (flags & SPAN_RUNNING)
		fields_add(&f, ROLE_STATE, 6, "still open");
	if (flags & SPAN_CUT_BEGIN)
		fields_add(&f, ROLE_DIM, 6, "it began before what is known");
	fields_draw(&f, c, a, 0);
	node = l->rows[t->depth].node[span];
	for (node = look->profile->nodes[node].parent; node != PROFILE_NONE && look->profile->nodes[node].parent != PROFILE_NONE;
	     node = look->profile->nodes[node].parent) {
		name = name_safe(look->profile->zones[look->profile->nodes[node].zone].name, look->ascii);
		if (callers.count < FIELDS_MAX - 1)
			fields_add(&callers, ROLE_DIM, (uint8_t)(FIELDS_MAX - callers.count), "%s %s", look->ascii ? "<" : "‹",
				   name ? name : "?");
		free(name);
	}
	fields_draw(&callers, c, a, 1);
}

static void draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	struct timeline *t = (struct timeline *)v;
	struct area axis;
	int names, below = a.height >= DETAIL_FROM ? 2 : 0, above = a.height >= 4 ? 3 : 1;

	if (*v->why && a.height > 0)
		canvas_clipped(c, a, 2, a.height > 2 ? 2 : a.height - 1, a.width - 2, ROLE_DIM, v->why);
	if (*v->why || !t->spans || a.height < 1 || a.width < 4) {
		t->drawn = (struct area){ 0 };
		return;
	}
	names = names_width(t, look, a.width);
	t->drawn = (struct area){ a.x + names + 1, a.y + above, a.width - names - 1, a.height - above - below };
	axis = (struct area){ t->drawn.x, a.y, t->drawn.width, 1 };
	free(t->lines);
	t->lines = array_zeroed((uint64_t)(t->drawn.height > 0 ? t->drawn.height : 0), sizeof(*t->lines));
	if (!t->lines || t->drawn.height < 0) {
		t->drawn.height = 0;
		return;
	}
	set_window(t, t->window.from, width_of(t));
	if (above > 1)
		draw_scale(t, look, c, a);
	axis.y += above > 1;
	draw_ruler(t, look, c, axis);
	axis.y++;
	if (above > 1) {
		canvas_clipped(c, a, 0, 2, names, ROLE_DIM, "frames");
		draw_frames(t, look, c, axis);
	}
	bring_into_sight(t, t->drawn.height);
	draw_lanes(t, look, c, a);
	if (below)
		draw_detail(t, look, c, (struct area){ a.x, a.y + a.height - below, a.width, below });
}

/* Commands */

static void pan(struct timeline *t, int64_t by)
{
	set_window(t, t->window.from + by, width_of(t));
}

/* So that the call at the cursor is in sight; one that is longer than the window with its begin. */
static void follow_cursor(struct timeline *t)
{
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l);
	struct box_row row;

	if (span == UINT32_MAX)
		return;
	row = spans_row(l, t->depth);
	if (row.end[span] <= t->window.from || row.begin[span] >= t->window.to)
		set_window(t, row.begin[span] - width_of(t) / 2, width_of(t));
}

/* To the middle of what is in sight, in the first lane that has something there. */
static bool begin_cursor(struct timeline *t)
{
	int64_t middle = t->window.from + width_of(t) / 2;

	for (uint32_t lane = t->top; lane < t->lane_count; lane++) {
		const struct span_list *l = list_at(t, lane);
		struct box_row row = spans_row(l, 0);
		uint32_t span = box_row_at(&row, middle);

		if (span == UINT32_MAX)
			span = box_row_from(&row, t->window.from);
		if (span < row.count && row.begin[span] < t->window.to) {
			go_to(t, l, 0, span);
			return true;
		}
	}
	return false;
}

static void go_beside(struct timeline *t, const struct look *look, int step)
{
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l), next;
	struct painting p = { .t = t, .look = look, .list = l, .depth = t->depth };
	struct box_row row = spans_row(l, t->depth);
	struct boxes b = boxes_of(&p, &row);

	next = boxes_beside(&b, t->drawn.width, step);
	if (next == UINT32_MAX && (step > 0 ? span + 1 < row.count : span > 0))
		next = span + (uint32_t)step; /* out of sight */
	if (next < row.count)
		go_to(t, l, t->depth, next);
	follow_cursor(t);
}

/* To the row 0 of another lane, at the same time. */
static void go_to_lane(struct timeline *t, int64_t lane)
{
	const struct span_list *l = lane >= 0 ? list_at(t, (uint32_t)lane) : NULL;
	struct box_row row;
	uint32_t span;

	if (!l)
		return;
	row = spans_row(l, 0);
	span = box_row_at(&row, t->begin);
	if (span == UINT32_MAX)
		span = box_row_from(&row, t->begin);
	go_to(t, l, 0, span < row.count ? span : row.count - 1);
}

static void go_up_or_down(struct timeline *t, int step)
{
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l);
	uint32_t next = step < 0 ? spans_parent(l, t->depth, span) : spans_first_child(l, t->depth, span);

	if (next != UINT32_MAX)
		go_to(t, l, t->depth + (uint32_t)step, next);
	else if (step > 0 || !t->depth)
		go_to_lane(t, (int64_t)lane_of_cursor(t) + step);
	follow_cursor(t);
}

/* The middle of the cursor's call, as far as it is in sight; or of the window. */
static int64_t middle_of(const struct timeline *t)
{
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l);
	struct box_row row;
	int64_t from, to;

	if (span == UINT32_MAX)
		return t->window.from + width_of(t) / 2;
	row = spans_row(l, t->depth);
	from = row.begin[span] > t->window.from ? row.begin[span] : t->window.from;
	to = row.end[span] < t->window.to ? row.end[span] : t->window.to;
	return from <= to ? from + (to - from) / 2 : t->window.from + width_of(t) / 2;
}

/* It stays where it is on the screen. */
static void zoom(struct timeline *t, int64_t width)
{
	int64_t middle = middle_of(t);
	double part = (double)(middle - t->window.from) / (double)width_of(t);

	set_window(t, middle - (int64_t)(part * (double)width), width);
}

static bool fits(const struct timeline *t, int64_t from, int64_t to)
{
	return t->window.from <= from && t->window.to >= to && width_of(t) <= (to - from) + (to - from) / 4 + t->drawn.width;
}

/* False: it is as wide as the screen already. */
static bool fit_box(struct timeline *t)
{
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l);
	struct box_row row = l ? spans_row(l, t->depth) : (struct box_row){ 0 };
	int64_t length;

	if (span == UINT32_MAX || fits(t, row.begin[span], row.end[span]))
		return false;
	length = row.end[span] - row.begin[span];
	remember(t);
	set_window(t, row.begin[span] - length / 16, length + length / 8);
	return true;
}

static void fit_frame(struct timeline *t, const struct look *look)
{
	const struct profile *p = look->profile;
	const struct profile_frame *f = chosen_frame(look);

	if (!f && p->frame_count)
		f = &p->frames[p->frame_count - 1];
	if (!f)
		return;
	remember(t);
	set_window(t, f->start, f->length);
}

static bool applies(const struct view *v, enum command command)
{
	const struct timeline *t = (const struct timeline *)v;
	const struct span_list *l;

	switch (command) {
	case COMMAND_BOX_IN:
	case COMMAND_DRILL:
	case COMMAND_CALLER:
	case COMMAND_PATH:
		return span_of_cursor(t, &l) != UINT32_MAX;
	case COMMAND_BOX_OUT:
		return t->window_count;
	case COMMAND_BOX_NEARER:
	case COMMAND_BOX_FARTHER:
	case COMMAND_BOX_FRAME:
		return t->spans;
	default:
		return false;
	}
}

static bool moves(enum command command)
{
	return command == COMMAND_UP || command == COMMAND_DOWN || command == COMMAND_BOX_LEFT || command == COMMAND_BOX_RIGHT;
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	struct timeline *t = (struct timeline *)v;
	const struct span_list *l;

	if (!t->spans || !look->profile || t->drawn.width < 1)
		return false;
	if (moves(command) && span_of_cursor(t, &l) == UINT32_MAX)
		return begin_cursor(t), true;
	switch (command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
		go_up_or_down(t, command == COMMAND_UP ? -1 : 1);
		return true;
	case COMMAND_BOX_LEFT:
	case COMMAND_BOX_RIGHT:
		go_beside(t, look, command == COMMAND_BOX_LEFT ? -1 : 1);
		return true;
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		pan(t, (command == COMMAND_PAGE_UP ? -1 : 1) * (width_of(t) / 2 + 1));
		return true;
	case COMMAND_FIRST:
		set_window(t, t->since, width_of(t));
		return true;
	case COMMAND_LAST:
		set_window(t, t->read, width_of(t));
		return true;
	case COMMAND_BOX_NEARER:
		zoom(t, width_of(t) - width_of(t) / 3);
		return true;
	case COMMAND_BOX_FARTHER:
		zoom(t, width_of(t) < INT64_MAX / 4 ? width_of(t) * ZOOM + 1 : width_of(t));
		return true;
	case COMMAND_BOX_IN:
		return fit_box(t);
	case COMMAND_BOX_OUT:
		if (t->window_count)
			t->window = t->windows[--t->window_count];
		return true;
	case COMMAND_BOX_FRAME:
		fit_frame(t, look);
		return true;
	default:
		return false;
	}
}

/* Is this call before (step -1: behind) that one, in the order of time, then of lanes and rows? */
struct place {
	int64_t begin;
	uint32_t lane, depth;
};

static bool is_before(const struct place *a, const struct place *b, int step)
{
	if (a->begin != b->begin)
		return (a->begin < b->begin) == (step > 0);
	if (a->lane != b->lane)
		return (a->lane < b->lane) == (step > 0);
	return a->depth != b->depth && (a->depth < b->depth) == (step > 0);
}

/* The calls of a row that lie beside a place, the next one first: the first that is of a zone that was found. */
static bool find_in_row(const struct timeline *t, const struct profile *p, const bool *found, const struct place *from,
			struct place *at, int step, bool here)
{
	const struct span_list *l = list_at(t, at->lane);
	struct box_row row = spans_row(l, at->depth);
	uint32_t i = box_row_from(&row, from->begin);

	i = step < 0 && (i >= row.count || row.begin[i] > from->begin) ? i - 1 : i;
	for (; i < row.count; i += (uint32_t)step) {
		at->begin = row.begin[i];
		if (found[p->nodes[l->rows[at->depth].node[i]].zone] && (here || is_before(from, at, step)))
			return true;
	}
	return false;
}

static bool find(struct view *v, const struct look *look, const struct pattern *pattern, int step, bool here)
{
	struct timeline *t = (struct timeline *)v;
	const struct profile *p = look->profile;
	bool *found = t->spans && p ? array_zeroed(p->zone_count, sizeof(*found)) : NULL;
	struct place from = { t->has_cursor ? t->begin : t->window.from, lane_of_cursor(t), t->depth }, best = { 0 }, at;
	bool any = false;

	for (uint32_t i = 0; found && i < p->zone_count; i++)
		found[i] = pattern_matches(pattern, p->zones[i].name);
	for (at.lane = 0; found && at.lane < t->lane_count; at.lane++)
		for (at.depth = 0; at.depth < list_at(t, at.lane)->depth; at.depth++)
			if (find_in_row(t, p, found, &from, &at, step, here) && (!any || is_before(&at, &best, step))) {
				best = at;
				any = true;
			}
	free(found);
	if (!any)
		return false;
	t->list = list_at(t, best.lane)->id;
	t->depth = best.depth;
	t->begin = best.begin;
	t->has_cursor = true;
	follow_cursor(t);
	return true;
}

static enum table_hit click(struct view *v, const struct look *look, int x, int y)
{
	struct timeline *t = (struct timeline *)v;
	struct painting p = { .t = t, .look = look };
	struct box_row row;
	struct box_run run;
	struct boxes b;

	if (!t->spans || y < t->drawn.y || y >= t->drawn.y + t->drawn.height || t->lines[y - t->drawn.y].lane == PROFILE_NONE)
		return TABLE_NOTHING;
	p.list = list_at(t, t->lines[y - t->drawn.y].lane);
	p.depth = t->lines[y - t->drawn.y].depth;
	if (!p.list)
		return TABLE_NOTHING;
	row = spans_row(p.list, p.depth);
	b = boxes_of(&p, &row);
	if (!boxes_at(&b, t->drawn.width, x - t->drawn.x, &run))
		return TABLE_NOTHING;
	if (b.chosen != UINT32_MAX && b.chosen - run.box < run.count)
		return TABLE_CURSOR;
	go_to(t, p.list, p.depth, run.box);
	return TABLE_ROW;
}

/* The zones around the cursor's call, and its own. */
static bool target(const struct view *v, const struct look *look, struct path *out)
{
	const struct timeline *t = (const struct timeline *)v;
	const struct keys *keys = look->lens ? lens_keys(look->lens) : NULL;
	const struct profile *p = look->profile;
	const struct span_list *l;
	uint32_t span = span_of_cursor(t, &l), count = 0, place, node;
	uint64_t ids[PATH_MOST];

	if (!keys || span == UINT32_MAX)
		return false;
	for (node = l->rows[t->depth].node[span]; count < PATH_MOST && p->nodes[node].parent != PROFILE_NONE;
	     node = p->nodes[node].parent) {
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

static bool thread(const struct view *v, uint64_t *id)
{
	const struct timeline *t = (const struct timeline *)v;

	*id = t->thread_id;
	return t->has_thread;
}

static const char *scope(const struct view *v)
{
	return ((const struct timeline *)v)->scope;
}

static void close_timeline(struct view *v)
{
	struct timeline *t = (struct timeline *)v;

	spans_free(t->spans);
	free(t->lanes);
	free(t->lines);
}

const struct view_ops view_timeline = {
	.name = "Time", .key = '6', .size = sizeof(struct timeline), .refresh = refresh, .draw = draw, .click = click,
	.command = command, .applies = applies, .target = target, .thread = thread, .scope = scope, .close = close_timeline,
	.place = PLACE_BOXES, .find = find, .pauses = true,
};
