/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/stats/counters.h"
#include "tui/frames/frame_columns.h"
#include "tui/timeline/timeline.h"
#include "tui/widgets/boxes.h"

/*
 * Counters as lanes: a line each, a bar a column for the most that it was in the frames of that column. The scale is from 0,
 * or from the least in sight where that is below, to the most in sight, which stands at the right.
 */

#define EIGHTHS 8
#define PART 4 /* lines of counters are at most this part of those of lanes */

static struct counter_report *make_counters(const struct timeline *t, const struct profile *p)
{
	struct counter_options o = { .from = t->window.from, .to = t->window.to, .sort = COUNTER_COLUMNS, .filter = "" };
	char why[64];

	return p->frame_count ? counters_make(p, &o, why, sizeof(why)) : NULL;
}

/* How many lines the lanes of counters take of so many. */
static uint32_t timeline_counters(const struct timeline *t, const struct profile *p, int lines)
{
	struct counter_report *r = t->counters && p->counter_count ? make_counters(t, p) : NULL;
	uint32_t count = r ? r->row_count : 0;

	counters_free(r);
	return count < (uint32_t)(lines / PART) ? count : (uint32_t)(lines / PART);
}

/* The frames of each column; `of` has for each column which span it is, PROFILE_NONE: there are no frames. Returns how
 * many spans there are: columns of one frame have one. */
static uint32_t spans_of(const struct timeline *t, const struct profile *p, struct counter_span *spans, uint32_t *of)
{
	uint32_t count = 0;

	for (int x = 0; x < t->drawn.width; x++) {
		int64_t from = timeline_tick(t, x), to = timeline_tick(t, x + 1);
		uint32_t first = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) <= from);
		uint32_t behind = SEARCH(i, first, p->frame_count, p->frames[i].start < (to > from ? to : from + 1));

		of[x] = PROFILE_NONE;
		if (count && behind == spans[count - 1].first + spans[count - 1].count && first < behind)
			of[x] = count - 1; /* the frame goes on */
		if (count && first < spans[count - 1].first + spans[count - 1].count)
			first = spans[count - 1].first + spans[count - 1].count;
		if (first < behind) {
			spans[count] = (struct counter_span){ first, behind - first };
			of[x] = count++;
		}
	}
	return count;
}

static double most_of(const struct counter_value *v, bool real)
{
	return real ? v->most.real : (double)v->most.whole;
}

static double least_of(const struct counter_value *v, bool real)
{
	return real ? v->least.real : (double)v->least.whole;
}

static void draw_counter_row(const struct timeline *t, const struct look *look, const struct counter_row *row,
			     const struct counter_span *spans, uint32_t count, const uint32_t *of, struct canvas *c, struct area a)
{
	bool real = look->profile->counters[row->counter].real;
	struct counter_value *values = array_zeroed(count, sizeof(*values));
	double top = 0, bottom = 0;
	char *name = name_shown(row->name, look->ascii);

	canvas_clipped(c, a, 0, 0, t->drawn.x - a.x - 1, ROLE_DIM, name ? name : "?");
	free(name);
	a.width -= t->drawn.x - a.x;
	a.x = t->drawn.x;
	if (values)
		counters_in_spans(look->profile, row->counter, row->thread, spans, count, values);
	for (uint32_t i = 0; values && i < count; i++)
		if (values[i].known && isfinite(most_of(&values[i], real)) && isfinite(least_of(&values[i], real))) {
			top = fmax(top, most_of(&values[i], real));
			bottom = fmin(bottom, least_of(&values[i], real));
		}
	for (int x = 0; values && x < a.width; x++) {
		const struct counter_value *v = of[x] == PROFILE_NONE ? NULL : &values[of[x]];
		double most = v && v->known ? most_of(v, real) : NAN;

		if (isfinite(most))
			canvas_text(c, a, x, 0, v->changed ? ROLE_GRAPH : ROLE_DIM,
				    graph_filled(1 + (int)(top > bottom ? (most / 2 - bottom / 2) / (top / 2 - bottom / 2) * (EIGHTHS - 1) : 0),
						 look->ascii));
	}
	if (top > bottom && a.width > 4 * FIGURE_SHORT) {
		struct figure most = figure_short(top);

		canvas_text(c, a, a.width - (int)text_width(most.text) - 1, 0, ROLE_AXIS, " ");
		canvas_text(c, a, a.width - (int)text_width(most.text), 0, ROLE_AXIS, most.text);
	}
	free(values);
}

static void timeline_draw_counters(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct counter_report *r = a.height > 0 ? make_counters(t, look->profile) : NULL;
	uint64_t width = t->drawn.width > 0 ? (uint64_t)t->drawn.width : 0;
	struct counter_span *spans = array_zeroed(width, sizeof(*spans));
	uint32_t *of = array_zeroed(width, sizeof(*of)), count = spans && of ? spans_of(t, look->profile, spans, of) : 0;

	for (uint32_t i = 0; r && spans && of && i < r->row_count && (int)i < a.height; i++)
		draw_counter_row(t, look, &r->rows[i], spans, count, of, c, (struct area){ a.x, a.y + (int)i, a.width, 1 });
	counters_free(r);
	free(spans);
	free(of);
}

#define MERGED_SEEN 16 /* calls of a merged cell that are looked at */
#define NAMES_MOST 16 /* cells of a thread's name, */
#define NAMES_PART 5  /* and this part of the width */
#define DOTS_FROM 6   /* cells of a cut name in ASCII, from where on three dots leave enough of it */
#define SCALE_FROM 4  /* lines of the area, where there is a line for the scale, and one for the frames; */
#define DETAIL_FROM 8 /* where two say what the cursor's box is; */
#define MAP_FROM 10   /* where there is the map; */
#define EVENTS_FROM 12 /* and one for events, if there are any */

/* For the painter. */
struct painting {
	const struct timeline *t;
	const struct look *look;
	struct lane_row row;
};

static const struct profile_zone *zone_of(const struct painting *p, uint32_t box)
{
	return &p->look->profile->zones[p->look->profile->nodes[p->row.nodes[box]].zone];
}

static void label_box(const void *context, uint32_t box, struct box_label *out)
{
	const struct painting *p = context;
	const struct box_row *row = &p->row.row;
	char *name = name_safe(zone_of(p, box)->name, p->look->ascii);
	size_t used, bytes = name ? text_clip(name, sizeof(out->name) / 4, &used) : 0;
	int64_t length = row->end[box] - row->begin[box];

	snprintf(out->name, sizeof(out->name), "%.*s", (int)bytes, name ? name : "");
	if (p->t->usual && !p->row.of_sums)
		timeline_heat_text(p->t, p->look, p->row.nodes[box], length, out->more, sizeof(out->more));
	if (!p->row.of_sums || !sums_piece(&p->row.lane->sums, row->begin[box])->scaled)
		snprintf(out->value, sizeof(out->value), "%s", timeline_time(p->look, length).text);
	free(name);
}

/* True if the calls in a box of sums took longer than usual, on average. */
static bool sum_is_hot(const struct painting *p, uint32_t box)
{
	const struct profile *profile = p->look->profile;
	const struct sum_piece *piece = p->t->usual ? sums_piece(&p->row.lane->sums, p->row.row.begin[box]) : NULL;
	struct sum_of_node sum = { 0 };

	if (piece && piece->frame < profile->frame_count)
		sum = sums_of_node(profile, &profile->frames[piece->frame].parts[piece->part], p->row.nodes[box]);
	return sum.count > 0 && timeline_heat(p->t, profile, p->row.nodes[box], sum.hier / sum.count) == ROLE_BOX_MOST;
}

static enum role box_role(const void *context, uint32_t box)
{
	const struct painting *p = context;
	const struct profile_zone *zone = zone_of(p, box);
	bool waits = zone->flags & ZONE_WAITING;

	if (p->look->search)
		return timeline_finds(p->t, p->look->search, zone->name) &&
				       (p->row.of_sums || look_finds_length(p->look, p->row.row.end[box] - p->row.row.begin[box]))
			       ? ROLE_FOUND
		       : p->row.of_sums ? ROLE_DIM : ROLE_BOX_PALE;
	if (p->row.of_sums)
		return sum_is_hot(p, box) ? ROLE_OVER : waits ? ROLE_DIM : ROLE_PLAIN;
	if (p->t->usual)
		return timeline_heat(p->t, p->look->profile, p->row.nodes[box], p->row.row.end[box] - p->row.row.begin[box]);
	return waits ? ROLE_BOX_PALE : boxes_role_of(zone->name);
}

/* The role of a cell of merged calls: how long all or some of them took, against what is usual for them. */
static enum role merged_role(const void *context, const struct box_run *run)
{
	const struct painting *p = context;
	uint32_t step = run->count / MERGED_SEEN + 1;
	double took = 0, usual = 0;

	if (!p->t->usual || p->row.of_sums || p->look->search)
		return ROLE_DIM;
	for (uint32_t i = run->box; i < run->box + run->count; i += step) {
		took += (double)(p->row.row.end[i] - p->row.row.begin[i]);
		usual += (double)timeline_usual(p->t, p->look->profile, p->row.nodes[i]);
	}
	return usual > 0 && timeline_is_hot(took, usual, zone_of(p, run->box)->flags) ? ROLE_OVER : ROLE_DIM;
}

static struct boxes boxes_of(const struct painting *p)
{
	const struct timeline *t = p->t;
	struct lane_row at;
	uint32_t box = timeline_box(t, &at);
	bool here = box != UINT32_MAX && at.lane == p->row.lane && at.depth == p->row.depth && at.of_sums == p->row.of_sums;

	return (struct boxes){ .row = &p->row.row, .from = t->window.from, .to = t->window.to, .context = p, .label = label_box,
			       .role = box_role, .merged = merged_role, .chosen = here ? box : UINT32_MAX, .braces = p->row.of_sums,
			       .coloured = p->look->coloured, .ascii = p->look->ascii };
}

/* Marks where a thread is not known, and where it was not there, below all boxes. */
static void draw_unknown(const struct timeline *t, const struct lane *lane, struct canvas *c, int y)
{
	for (int x = 0; x < t->drawn.width; x++) {
		int64_t begin = timeline_tick(t, x), end = timeline_tick(t, x + 1);
		enum spans_knowledge known = timeline_knows(lane, begin + (end - begin) / 2);

		if (known != SPANS_KNOWN)
			canvas_text(c, t->drawn, x, y, ROLE_DIM, known == SPANS_UNKNOWN ? "?" : "~");
	}
}

/* Single calls over sums: where both are in one cell, the calls are what is known best. */
static void draw_row(const struct timeline *t, const struct look *look, const struct lane *lane, uint32_t depth,
		     struct canvas *c, int y)
{
	if (!depth)
		draw_unknown(t, lane, c, y);
	for (int of_sums = 1; of_sums >= 0; of_sums--) {
		struct painting p = { t, look, timeline_row(lane, depth, of_sums) };
		struct boxes b = boxes_of(&p);

		boxes_draw(&b, c, t->drawn, y);
	}
}

/* The name of a lane. A lane that is not a thread names its kind. */
static char *lane_name(const struct look *look, uint32_t thread)
{
	const struct profile_thread *lane = &look->profile->threads[thread];
	char *name = name_safe(*lane->name ? lane->name : "?", look->ascii), *with_kind;

	if (lane->lane == PROFILE_THREAD || !name)
		return name;
	if (asprintf(&with_kind, "%s %s", profile_lane_name(lane->lane), name) < 0)
		return name;
	free(name);
	return with_kind;
}

static int names_width(const struct timeline *t, const struct look *look, int width)
{
	int most = width / NAMES_PART < NAMES_MOST ? width / NAMES_PART : NAMES_MOST, names = (int)sizeof("frames") - 1;

	for (uint32_t i = 0; i < t->lane_count && names < most; i++) {
		char *name = lane_name(look, t->lanes[i].thread);
		int cells = name ? (int)text_width(name) : 0;

		names = cells > names ? cells : names;
		free(name);
	}
	for (uint32_t i = 0; i < look->profile->counter_count && t->counters && names < most; i++) {
		char *name = name_shown(look->profile->counters[i].name, look->ascii);
		int cells = name ? (int)text_width(name) : 0;

		names = cells > names ? cells : names;
		free(name);
	}
	names += look->ascii; /* the v of a lane that is cut takes a column beside the name */
	return names < most ? names : most;
}

/* Where not all lanes have room, that of the cursor has most of it. */

static uint32_t shown_rows(struct timeline *t, const struct profile *p, uint32_t lane)
{
	uint32_t rows = timeline_rows(t, p, lane), most = lane == t->deep ? t->deep_rows : t->most_rows;

	return rows < most ? rows : most;
}

/* Rows of all lanes but that one, of each so many at most. Counted up to `enough`, so that few of many lanes are looked at. */
static uint32_t rows_of_others(struct timeline *t, const struct profile *p, uint32_t most, uint32_t enough)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < t->lane_count && sum < enough; i++) {
		uint32_t rows = i == t->deep ? 0 : timeline_rows(t, p, i);

		sum += rows < most ? rows : most;
	}
	return sum;
}

/* All rows of the cursor's lane, and as many of each of the others as there is room for; where one is too many, the others have
 * one in half of the lines at most. */
static void share_rows(struct timeline *t, const struct profile *p)
{
	uint32_t cursor = t->has_cursor ? timeline_lane(t, t->lane) : PROFILE_NONE, lines = (uint32_t)t->drawn.height, rows, others;

	t->deep = cursor != PROFILE_NONE ? cursor : t->top < t->lane_count ? t->top : 0;
	rows = t->lane_count ? timeline_rows(t, p, t->deep) : 0;
	t->most_rows = SEARCH(i, 2, lines + 1, rows + rows_of_others(t, p, i, lines + 1) <= lines) - 1;
	others = rows_of_others(t, p, t->most_rows, lines / 2);
	others = others < lines / 2 ? others : lines / 2;
	t->deep_rows = rows + others <= lines ? rows : lines - others;
}

/* Scrolls so that the cursor's lane is visible. */
static void bring_into_sight(struct timeline *t, const struct profile *p)
{
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : PROFILE_NONE, used = 0;

	if (t->top >= t->lane_count)
		t->top = 0;
	for (uint32_t i = t->top; i < t->lane_count && used <= (uint32_t)t->drawn.height; i++)
		used += shown_rows(t, p, i);
	while (t->top && used + shown_rows(t, p, t->top - 1) <= (uint32_t)t->drawn.height)
		used += shown_rows(t, p, --t->top); /* there is room for more of those above */
	if (lane == PROFILE_NONE)
		return;
	used = 0;
	if (lane < t->top)
		t->top = lane;
	for (uint32_t i = lane + 1; i-- > t->top;) {
		used += i == lane && t->depth < t->deep_rows ? t->depth + 1 : shown_rows(t, p, i);
		if (used > (uint32_t)t->drawn.height && i < lane) {
			t->top = i + 1;
			break;
		}
	}
}

/* In a lane that has more rows than there are lines, those around the cursor. */
static uint32_t first_row(const struct timeline *t, uint32_t lane, int lines)
{
	bool here = t->has_cursor && t->lanes[lane].id == t->lane && !t->lanes[lane].folded;

	return here && t->depth >= (uint32_t)lines ? t->depth - (uint32_t)lines + 1 : 0;
}

/* Three dots would hide a short name: it is cut without them. */
static void put_name(struct canvas *c, struct area line, int cells, enum role role, const char *name, bool ascii)
{
	if (ascii && cells < DOTS_FROM)
		canvas_bytes(c, line, 0, 0, role, 0, name, text_clip(name, (size_t)(cells > 0 ? cells : 0), NULL));
	else
		canvas_clipped(c, line, 0, 0, cells, role, name);
}

static void draw_name(struct timeline *t, const struct look *look, struct canvas *c, struct area a, uint32_t lane, int y)
{
	char *name = lane_name(look, t->lanes[lane].thread);
	bool chosen = t->has_cursor && t->lanes[lane].id == t->lane;
	struct area line = { a.x, t->drawn.y + y, a.width, 1 };
	int width = t->drawn.x - a.x - 1;

	bool cut = t->lanes[lane].folded || shown_rows(t, look->profile, lane) < timeline_rows(t, look->profile, lane);

	put_name(c, line, cut && look->ascii ? width - 1 : width, chosen ? ROLE_FOCUS : ROLE_NAME, name ? name : "?", look->ascii);
	if (t->lanes[lane].folded)
		canvas_text(c, line, width, 0, ROLE_KEY, "+");
	else if (cut)
		canvas_text(c, line, width, 0, ROLE_DIM, look->ascii ? "v" : "↓");
	free(name);
}

/* Names the visible lanes, if not all are: at the right end of their last line. */
static void say_lanes(const struct timeline *t, struct canvas *c)
{
	const struct line *last = t->drawn.height > 0 ? &t->lines[t->drawn.height - 1] : NULL;
	uint32_t end = last && last->lane != PROFILE_NONE ? last->lane + 1 : t->lane_count;
	char text[64];
	int width;

	if ((!t->top && end == t->lane_count) || !last)
		return;
	width = end == t->top + 1 ? snprintf(text, sizeof(text), " lane %u of %u", end, t->lane_count)
				  : snprintf(text, sizeof(text), " lanes %u to %u of %u", t->top + 1, end, t->lane_count);
	if (width < t->drawn.width)
		canvas_text(c, t->drawn, t->drawn.width - width, t->drawn.height - 1, ROLE_PAUSED, text);
}

static void draw_lanes(struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	int y = 0;

	for (uint32_t lane = t->top; lane < t->lane_count && y < t->drawn.height; lane++) {
		int end = y + (int)shown_rows(t, look->profile, lane);
		uint32_t depth;

		end = end < t->drawn.height ? end : t->drawn.height;
		depth = first_row(t, lane, end - y);
		timeline_fill(t, look->profile, &t->lanes[lane]);
		draw_name(t, look, c, a, lane, y);
		for (; y < end; depth++, y++) {
			t->lines[y] = (struct line){ lane, depth };
			draw_row(t, look, &t->lanes[lane], depth, c, y);
		}
	}
	for (; y < t->drawn.height; y++)
		t->lines[y].lane = PROFILE_NONE;
	say_lanes(t, c);
}

static bool make_lines(struct timeline *t)
{
	free(t->lines);
	t->lines = array_zeroed((uint64_t)(t->drawn.height > 0 ? t->drawn.height : 0), sizeof(*t->lines));
	if (t->lines && t->drawn.height >= 0)
		return true;
	t->drawn.height = 0;
	return false;
}

void timeline_draw(struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	bool scale = a.height >= SCALE_FROM, map = a.height >= MAP_FROM;
	bool events = a.height >= EVENTS_FROM && look->profile->instant_count, frames = scale && look->profile->frame_count;
	int names = names_width(t, look, a.width), below = a.height >= DETAIL_FROM ? 2 : 0, above = 1 + scale + map + frames + events;
	struct area line = { a.x, a.y, a.width, 1 };
	int counters;

	t->drawn = (struct area){ a.x + names + 1, a.y + above, a.width - names - 1, a.height - above - below };
	t->map = (struct area){ 0 };
	timeline_look_at(t, t->window.from, timeline_width(t));
	timeline_want(t, look);
	counters = (int)timeline_counters(t, look->profile, t->drawn.height);
	t->drawn.height -= counters;
	if (!make_lines(t))
		return;
	if (scale) {
		timeline_draw_scale(t, look, c, line);
		line.y++;
	}
	if (map) {
		t->map = (struct area){ t->drawn.x, line.y, t->drawn.width, 1 };
		timeline_draw_map(t, look, c, line);
		line.y++;
	}
	timeline_draw_ruler(t, look, c, line);
	line.y++;
	if (frames) {
		timeline_draw_frames(t, look, c, line);
		line.y++;
	}
	if (events)
		timeline_draw_events(t, look, c, line);
	share_rows(t, look->profile);
	bring_into_sight(t, look->profile);
	draw_lanes(t, look, c, a);
	timeline_draw_counters(t, look, c, (struct area){ a.x, t->drawn.y + t->drawn.height, a.width, counters });
	if (below)
		timeline_draw_detail(t, look, c, (struct area){ a.x, a.y + a.height - below, a.width, below });
}

bool timeline_hit(struct timeline *t, const struct look *look, int x, int y, struct lane_row *row, uint32_t *box)
{
	const struct line *line = y >= t->drawn.y && y < t->drawn.y + t->drawn.height ? &t->lines[y - t->drawn.y] : NULL;

	for (int of_sums = 0; line && line->lane < t->lane_count && of_sums < 2; of_sums++) {
		struct painting p = { t, look, timeline_row(&t->lanes[line->lane], line->depth, of_sums) };
		struct boxes b = boxes_of(&p);
		struct box_run run;

		if (!boxes_at(&b, t->drawn.width, x - t->drawn.x, &run))
			continue;
		*row = p.row;
		*box = b.chosen != UINT32_MAX && b.chosen - run.box < run.count ? b.chosen : run.box;
		return true;
	}
	return false;
}
