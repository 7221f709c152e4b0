/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/boxes/ruler.h"
#include "model/stats/frame_stats.h"
#include "model/table/event_table.h"
#include "tui/cells/fields.h"
#include "tui/frames/frame_columns.h"
#include "tui/timeline/timeline.h"
#include "tui/widgets/boxes.h"

__extension__ typedef __int128 wide;

static const struct profile_frame *chosen_frame(const struct look *look)
{
	return look->frames.chosen ? profile_find_frame(look->profile, look->frames.chosen) : NULL;
}

/* The tick at the 0 of the ruler. */
static int64_t timeline_zero(const struct timeline *t, const struct look *look)
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

bool timeline_known(const struct timeline *t)
{
	return t->lane_count && t->lanes[0].list && !spans_gap(t->lanes[0].list, t->window.from, t->window.to);
}

/* Whether a stretch of the list's time is known in [from, to). */
static bool knows_some(const struct span_list *l, int64_t from, int64_t to)
{
	int64_t begin;

	for (int64_t tick = from, end; tick < to; tick = end)
		if (spans_stretch(l, tick, &begin, &end) == SPANS_KNOWN)
			return true;
	return false;
}

bool timeline_knows_frames(const struct timeline *t)
{
	int64_t to = t->since < t->window.to ? t->since : t->window.to;

	for (uint32_t i = 0; i < t->lane_count; i++)
		if (t->lanes[i].list && knows_some(t->lanes[i].list, t->window.from, to))
			return true;
	return false;
}

static void add_since(const struct timeline *t, const struct look *look, struct fields *f)
{
	int64_t zero = timeline_zero(t, look);
	char *name = t->lane_count ? name_safe(look->profile->threads[t->lanes[0].thread].name, look->ascii) : NULL;

	if (t->since == INT64_MAX)
		fields_add(f, ROLE_PAUSED, 4, "no single calls are known: sums of frames");
	else if (t->too_many && !timeline_known(t))
		fields_add(f, ROLE_PAUSED, 4, "too many calls to show: sums of frames; + zooms in");
	else if (t->since > t->window.from && !timeline_known(t) && timeline_knows_frames(t))
		fields_add(f, ROLE_PAUSED, 4, "single calls where known, else sums of frames");
	else if (t->since > t->window.from && !timeline_known(t))
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
		fields_add(&f, ROLE_LABEL, 4, "colours: against %s", t->against_base ? query_options(look->query)->base_name : "the mean");
	add_since(t, look, &f);
	fields_draw(&f, c, a, 0);
}

/* The band of a measurement, or of a selected stretch. */
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
		canvas_fix_minus(c, axis);
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

/* Draws the frames in the window, and behind the newest the frame that runs, or was not ended. Frames that are
 * kept alone lie apart from each other. */
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
		canvas_text(c, axis, x, 0, note ? ROLE_MARK : ROLE_AXIS, event_sign(note, look->ascii));
		text = next - x > 5 || next == axis.width ? event_text(p, instant, look->ascii) : NULL;
		if (text && next - x > 5)
			end = x + 2 + canvas_clipped(c, axis, x + 2, 0, next - x - 3, ROLE_DIM, text);
		else if (text && (int)text_width(text) < x - 1 - end)
			canvas_text(c, axis, x - 1 - (int)text_width(text), 0, ROLE_DIM, text);
		end = end > x ? end : x + 1;
		free(text);
	}
}

static void add_zone(struct fields *f, const struct profile *p, uint32_t node, enum role role, uint8_t importance,
		     const char *before, bool ascii)
{
	char *name = name_safe(p->zones[p->nodes[node].zone].name, ascii);

	fields_add(f, role, importance, "%s%s", before, name ? name : "?");
	free(name);
}

static void add_time(struct fields *f, const struct look *look, uint8_t importance, const char *what, int64_t ticks)
{
	fields_add(f, ROLE_NUMBER, importance, "%s%s", what, timeline_time(look, ticks).text);
}

static void add_place(struct fields *f, const struct timeline *t, const struct look *look, int64_t tick)
{
	int64_t zero = timeline_zero(t, look);

	fields_add(f, ROLE_LABEL, 7, "at %s%s", tick < zero ? canvas_minus(look->ascii) : "+",
		   timeline_time(look, tick < zero ? zero - tick : tick - zero).text);
}

/* Calls that are like the cursor's, and those of them that stand before it in time: of its zone, on the lines that are in
 * sight; or, while something is searched for, all that is found. */
struct rank {
	const struct timeline *t;
	const struct look *look;
	int64_t from, to, at;
	int64_t longer, shorter; /* ticks: they are longer than that, and shorter than that */
	bool *zones; /* of which they are */
	uint32_t count, before;
};

static bool is_like(const struct rank *r, const struct lane_row *row, uint32_t i)
{
	int64_t ticks = row->row.end[i] - row->row.begin[i];

	return ticks > r->longer && ticks < r->shorter && r->zones[r->look->profile->nodes[row->nodes[i]].zone];
}

/* Once for all of their calls, of which there may be a million. */
static bool find_zones(struct rank *r, uint32_t zone)
{
	const struct profile *p = r->look->profile;

	r->zones = array_zeroed(p->zone_count, sizeof(*r->zones));
	for (uint32_t i = 0; r->zones && i < p->zone_count; i++)
		r->zones[i] = r->look->search ? timeline_finds(r->t, r->look->search, p->zones[i].name) : i == zone;
	return r->zones;
}

static void count_calls(struct rank *r, const struct lane_row *row)
{
	for (uint32_t i = SEARCH(i, 0, row->row.count, row->row.end[i] <= r->from); i < row->row.count && row->row.begin[i] < r->to; i++)
		if (is_like(r, row, i)) {
			r->count++;
			r->before += row->row.begin[i] < r->at;
		}
}

static void count_in_sight(struct rank *r)
{
	const struct timeline *t = r->t;

	for (int y = 0; y < t->drawn.height && t->lines[y].lane != PROFILE_NONE; y++) {
		struct lane_row at = timeline_row(&t->lanes[t->lines[y].lane], t->lines[y].depth, false);

		count_calls(r, &at);
	}
}

static void count_all(struct rank *r)
{
	r->from = INT64_MIN;
	r->to = INT64_MAX;
	for (uint32_t lane = 0; lane < r->t->lane_count; lane++)
		for (uint32_t depth = 0; r->t->lanes[lane].list && depth < r->t->lanes[lane].list->depth; depth++) {
			struct lane_row at = timeline_row(&r->t->lanes[lane], depth, false);

			count_calls(r, &at);
		}
}

/* `4 of 10 in sight`, `4 of 74 found`; where sums stand for some of them, `4 of 10 known in sight`. */
static void add_rank(struct fields *f, const struct timeline *t, const struct look *look, const struct lane_row *row, uint32_t box)
{
	struct rank r = { .t = t, .look = look, .from = t->window.from, .to = t->window.to, .at = t->begin,
			  .longer = look->search && look->longer ? look->longer : INT64_MIN,
			  .shorter = look->search && look->shorter ? look->shorter : INT64_MAX };
	bool known = !spans_gap(row->lane->list, t->window.from, t->window.to);

	if (!find_zones(&r, look->profile->nodes[row->nodes[box]].zone) || !is_like(&r, row, box)) {
		free(r.zones);
		return;
	}
	if (look->search)
		count_all(&r);
	else
		count_in_sight(&r);
	free(r.zones);
	if (r.count > 1 || look->search)
		fields_add(f, ROLE_LABEL, 5, "%s of %s %s", figure_grouped(r.before + UINT64_C(1)).text,
			   figure_grouped(r.count).text, look->search ? "found" : known ? "visible" : "known, "
			    "visible");
}

/* What the sign ×9.7 beside a box means: `9.7 times its mean 3.30 µs`, or, against a base frame, `9.7 times its mean in
 * the base 3.30 µs`. */
static void add_usual(struct fields *f, const struct timeline *t, const struct look *look, uint32_t node, int64_t length)
{
	int64_t usual = timeline_usual(t, look->profile, node);
	const char *of = t->against_base ? "mean in the base" : "mean";
	char sign[32], words[64];

	if (!usual)
		return;
	timeline_heat_text(t, look, node, length, sign, sizeof(sign));
	snprintf(words, sizeof(words), "%s%s%s ", *sign ? strpbrk(sign, "0123456789") : "", *sign ? " times its " : "", of);
	add_time(f, look, 8, words, usual);
}

static void add_call(struct fields *f, const struct timeline *t, const struct look *look, const struct lane_row *row, uint32_t box)
{
	int64_t begin = row->row.begin[box], end = row->row.end[box];
	unsigned flags = spans_flags(row->lane->list, row->depth, box);

	add_time(f, look, 9, flags ? "at least " : "", end - begin);
	add_time(f, look, 8, "self ", end - begin - spans_covered(row->lane->list, row->depth + 1, begin, end));
	add_usual(f, t, look, row->nodes[box], end - begin);
	add_place(f, t, look, begin);
	add_rank(f, t, look, row, box);
	if (flags & (SPAN_RESUMED | SPAN_SUSPENDED))
		fields_add(f, ROLE_STATE, 8, "%s%s%s", flags & SPAN_RESUMED ? "resumed" : "",
			   flags & SPAN_RESUMED && flags & SPAN_SUSPENDED ? ", " : "",
			   flags & SPAN_SUSPENDED ? "suspended" : "");
	if (flags & SPAN_RUNNING)
		fields_add(f, ROLE_STATE, 6, "still open");
	if (flags & SPAN_CUT_BEGIN)
		fields_add(f, ROLE_DIM, 6, "its begin is not known");
	if (flags & SPAN_CUT_END)
		fields_add(f, ROLE_DIM, 6, "its end is not known");
}

static void add_sum(struct fields *f, const struct look *look, const struct lane_row *row, uint32_t box)
{
	const struct sum_piece *piece = sums_piece(&row->lane->sums, row->row.begin[box]);
	const struct profile_frame *frame;
	struct sum_of_node sum;

	if (!piece || piece->frame >= look->profile->frame_count)
		return;
	frame = &look->profile->frames[piece->frame];
	sum = sums_of_node(look->profile, &frame->parts[piece->part], row->nodes[box]);
	add_time(f, look, 9, "", sum.hier);
	add_time(f, look, 8, "self ", sum.self);
	fields_add(f, ROLE_NUMBER, 7, "%s call%s", figure_grouped((uint64_t)(sum.count > 0 ? sum.count : 0)).text,
		   sum.count == 1 ? "" : "s");
	fields_add(f, ROLE_LABEL, 6, "sum of frame %s%s", figure_grouped(frame->number).text,
		   piece->scaled ? ", the longest here" : "");
}

static void draw_callers(const struct profile *p, uint32_t node, const struct look *look, struct canvas *c, struct area a)
{
	struct fields callers = { .gap = 1 };

	for (node = p->nodes[node].parent; node != PROFILE_NONE && p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent)
		if (callers.count < FIELDS_MAX - 1)
			add_zone(&callers, p, node, ROLE_DIM, (uint8_t)(FIELDS_MAX - callers.count), look->ascii ? "< " : "‹ ",
				 look->ascii);
	fields_draw(&callers, c, a, 0);
}

void timeline_draw_detail(const struct timeline *t, const struct look *look, struct canvas *c, struct area a)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	struct fields f = { .gap = 2 };

	if (!timeline_in_sight(t)) {
		canvas_text(c, a, 0, 0, ROLE_DIM, "Arrow keys select a call");
		return;
	}
	add_zone(&f, look->profile, row.nodes[box], ROLE_NAME, 0, "", look->ascii);
	if (row.of_sums)
		add_sum(&f, look, &row, box);
	else
		add_call(&f, t, look, &row, box);
	fields_draw(&f, c, a, 0);
	a.y++;
	a.height--;
	if (a.height > 0)
		draw_callers(look->profile, row.nodes[box], look, c, a);
}
