/* SPDX-License-Identifier: MIT */
#include "tui/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"

static void timeline_forget_lanes(struct timeline *t)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		sums_fini(&t->lanes[i].sums);
	free(t->lanes);
	t->lanes = NULL;
	t->lane_count = 0;
}

/* The spans, too */
static void timeline_forget(struct timeline *t)
{
	timeline_forget_lanes(t);
	spans_free(t->spans);
	t->spans = NULL;
}

void timeline_fini(struct timeline *t)
{
	timeline_forget(t);
	sum_frames_fini(&t->frames);
	free(t->folded);
	free(t->usual);
	free(t->lines);
}

/* Rows */

void timeline_fill(struct timeline *t, const struct profile *p, struct lane *lane)
{
	uint32_t columns = t->drawn.width > 0 ? (uint32_t)t->drawn.width : 1;

	if (!t->filled || t->frames.from != t->window.from || t->frames.to != t->window.to || t->frames.columns != columns) {
		if (!sum_frames_pick(&t->frames, p, t->window.from, t->window.to, columns))
			return;
		t->filled = true;
		for (uint32_t i = 0; i < t->lane_count; i++)
			t->lanes[i].filled = false;
	}
	if (!lane->filled)
		lane->filled = sums_fill(&lane->sums, p, lane->thread, lane->list, &t->frames);
}

struct lane_row timeline_row(const struct lane *lane, uint32_t depth, bool of_sums)
{
	struct lane_row row = { .lane = lane, .depth = depth, .of_sums = of_sums };

	if (of_sums && depth < lane->sums.depth) {
		row.row = sums_row(&lane->sums, depth);
		row.nodes = lane->sums.rows[depth].node;
	} else if (!of_sums && lane->list && depth < lane->list->depth) {
		row.row = spans_row(lane->list, depth);
		row.nodes = lane->list->rows[depth].node;
	}
	return row;
}

uint32_t timeline_rows(struct timeline *t, const struct profile *p, uint32_t lane)
{
	struct lane *l = &t->lanes[lane];
	uint32_t rows = 0;

	if (l->folded)
		return 1;
	timeline_fill(t, p, l);
	while (l->list && rows < l->list->depth && spans_covered(l->list, rows, t->window.from, t->window.to))
		rows++;
	rows = l->sums.depth > rows ? l->sums.depth : rows;
	return rows ? rows : 1;
}

enum spans_knowledge timeline_knows(const struct lane *lane, int64_t tick)
{
	enum spans_knowledge known = lane->list ? spans_knows(lane->list, tick) : SPANS_UNKNOWN;

	return known == SPANS_UNKNOWN && sums_piece(&lane->sums, tick) ? SPANS_KNOWN : known;
}

uint32_t timeline_lane(const struct timeline *t, uint64_t id)
{
	for (uint32_t i = 0; i < t->lane_count; i++)
		if (t->lanes[i].id == id)
			return i;
	return PROFILE_NONE;
}

/* The cursor */

uint32_t timeline_box(const struct timeline *t, struct lane_row *row)
{
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : PROFILE_NONE, i;

	*row = (struct lane_row){ 0 };
	if (lane == PROFILE_NONE)
		return UINT32_MAX;
	*row = timeline_row(&t->lanes[lane], t->depth, t->of_sums);
	i = box_row_from(&row->row, t->begin);
	return i < row->row.count && row->row.begin[i] == t->begin ? i : UINT32_MAX;
}

bool timeline_in_sight(const struct timeline *t)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);

	return box != UINT32_MAX && row.row.begin[box] < t->window.to && row.row.end[box] >= t->window.from;
}

void timeline_go(struct timeline *t, const struct lane_row *row, uint32_t box)
{
	if (box >= row->row.count)
		return;
	t->lane = row->lane->id;
	t->depth = row->depth;
	t->begin = row->row.begin[box];
	t->of_sums = row->of_sums;
	t->has_cursor = true;
}

/* Folding */

static void fold_lane(struct timeline *t, struct lane *lane, bool folded)
{
	uint32_t i = 0;

	lane->folded = folded;
	while (i < t->folded_count && t->folded[i] != lane->id)
		i++;
	if (folded && i == t->folded_count &&
	    array_reserve(&t->folded, &t->folded_capacity, (uint64_t)i + 1, sizeof(*t->folded)))
		t->folded[t->folded_count++] = lane->id;
	if (!folded && i < t->folded_count)
		t->folded[i] = t->folded[--t->folded_count];
}

/* In a lane that is folded nothing else is in sight. */
static void cursor_to_the_outermost(struct timeline *t)
{
	struct lane_row row, outermost;
	uint32_t box = timeline_box(t, &row);

	if (box == UINT32_MAX || !row.lane->folded || !row.depth)
		return;
	outermost = timeline_row(row.lane, 0, row.of_sums);
	timeline_go(t, &outermost, box_row_at(&outermost.row, row.row.begin[box]));
}

void timeline_fold(struct timeline *t)
{
	uint32_t lane = t->has_cursor ? timeline_lane(t, t->lane) : t->top;

	if (lane < t->lane_count)
		fold_lane(t, &t->lanes[lane], !t->lanes[lane].folded);
	cursor_to_the_outermost(t);
}

void timeline_fold_all(struct timeline *t)
{
	bool open = false;

	for (uint32_t i = 0; i < t->lane_count; i++)
		open |= !t->lanes[i].folded;
	for (uint32_t i = 0; i < t->lane_count; i++)
		fold_lane(t, &t->lanes[i], open);
	cursor_to_the_outermost(t);
}

void timeline_unfold(struct timeline *t, uint32_t lane)
{
	fold_lane(t, &t->lanes[lane], false);
}

void timeline_search(struct timeline *t, const struct profile *p, const struct pattern *pattern)
{
	struct pattern whole;

	t->finds_whole = false;
	if (!pattern || !pattern->part || pattern->is_regex)
		return;
	whole = pattern_whole(pattern);
	for (uint32_t i = 0; i < p->zone_count && !t->finds_whole; i++)
		t->finds_whole = pattern_matches(&whole, p->zones[i].name);
}

bool timeline_finds(const struct timeline *t, const struct pattern *pattern, const char *name)
{
	struct pattern whole;

	if (!t->finds_whole)
		return pattern_matches(pattern, name);
	whole = pattern_whole(pattern);
	return pattern_matches(&whole, name);
}

#define FRAMES_FIRST 3 /* so many as long as the newest one are seen at first; */
#define FIRST_NS INT64_C(100000000) /* where there are none */
#define AROUND 16 /* a box that is fitted has this part of its length on either side */

__extension__ typedef __int128 wide;

/* Nobody can look before all that is held, or behind the newest; the least window is a tick a cell. */
void timeline_look_at(struct timeline *t, int64_t from, int64_t width)
{
	int64_t most = t->read - t->oldest, least = t->drawn.width > 1 ? t->drawn.width : 1;

	width = width > most ? most : width;
	width = width < least ? least : width;
	from = from > t->read - width ? t->read - width : from;
	from = from < t->oldest ? t->oldest : from;
	t->window = (struct window){ from, from + width };
}

static void remember_window(struct timeline *t)
{
	if (t->window_count == WINDOWS_MOST)
		memmove(t->windows, t->windows + 1, --t->window_count * sizeof(*t->windows));
	t->windows[t->window_count++] = t->window;
}

bool timeline_back(struct timeline *t)
{
	if (!t->window_count)
		return false;
	t->window = t->windows[--t->window_count];
	return true;
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

/* Makes the whole frame visible. */
static void show_frame(struct timeline *t, const struct profile_frame *f)
{
	int64_t end = frame_end(f), width = timeline_width(t);

	if (f->start >= t->window.from && end <= t->window.to)
		return;
	if (width < f->length)
		width = f->length + f->length / 8;
	timeline_look_at(t, f->start - (width - f->length) / 2, width);
}

/* Live at the newest, else at the frame that was chosen */
static void timeline_place(struct timeline *t, const struct look *look)
{
	const struct profile_frame *f = chosen_frame(look);
	bool first = !t->window.to, paused = !first && f && !t->chosen && f == &look->profile->frames[look->profile->frame_count - 1];

	if (first)
		timeline_look_at(t, t->read, first_width(look->profile));
	if ((!look->frames.chosen && !t->measured.to) || paused)
		timeline_look_at(t, t->read, timeline_width(t));
	else if (f && (first || look->frames.chosen != t->chosen))
		show_frame(t, f);
	if (look->selected_to && (first || look->selected_to != t->selected_to))
		show_frame(t, &(struct profile_frame){ .start = look->selected_from,
						       .length = look->selected_to - look->selected_from });
	t->selected_to = look->selected_to;
	t->chosen = look->frames.chosen;
}

/* The middle of the cursor's box, as far as it is in sight; or of the window. */
static int64_t middle_of(const struct timeline *t)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	int64_t from, to;

	if (box == UINT32_MAX)
		return t->window.from + timeline_width(t) / 2;
	from = row.row.begin[box] > t->window.from ? row.row.begin[box] : t->window.from;
	to = row.row.end[box] < t->window.to ? row.row.end[box] : t->window.to;
	return from <= to ? from + (to - from) / 2 : t->window.from + timeline_width(t) / 2;
}

void timeline_zoom_at(struct timeline *t, int64_t tick, int64_t width)
{
	double part = (double)(tick - t->window.from) / (double)timeline_width(t);

	timeline_look_at(t, tick - (int64_t)(part * (double)width), width);
}

void timeline_zoom(struct timeline *t, int64_t width)
{
	timeline_zoom_at(t, middle_of(t), width);
}

static void timeline_fit(struct timeline *t, int64_t from, int64_t to)
{
	int64_t length = to - from;

	remember_window(t);
	timeline_look_at(t, from - length / AROUND, length + 2 * (length / AROUND));
}

static bool fits_window(const struct timeline *t, int64_t from, int64_t to)
{
	return t->window.from <= from && t->window.to >= to && timeline_width(t) <= (to - from) + (to - from) / 4 + t->drawn.width;
}

/* A box of sums leads to its frame. */
bool timeline_fit_box(struct timeline *t, const struct profile *p)
{
	struct lane_row row;
	uint32_t box = timeline_box(t, &row);
	const struct sum_piece *piece;
	int64_t from, to;

	if (box == UINT32_MAX)
		return false;
	from = row.row.begin[box];
	to = row.row.end[box];
	piece = row.of_sums ? sums_piece(&row.lane->sums, from) : NULL;
	if (piece && piece->frame < p->frame_count) {
		from = p->frames[piece->frame].start;
		to = frame_end(&p->frames[piece->frame]);
	}
	if (to <= from || fits_window(t, from, to))
		return false;
	timeline_fit(t, from, to);
	return true;
}

void timeline_fit_frame(struct timeline *t, const struct look *look)
{
	const struct profile *p = look->profile;
	const struct profile_frame *f = chosen_frame(look);

	if (!f && p->frame_count)
		f = &p->frames[p->frame_count - 1];
	if (!f)
		return;
	remember_window(t);
	timeline_look_at(t, f->start, f->length);
}

int64_t timeline_tick(const struct timeline *t, int x)
{
	return t->window.from + (int64_t)((wide)timeline_width(t) * x / (t->drawn.width > 0 ? t->drawn.width : 1));
}

int timeline_column(const struct timeline *t, int64_t tick)
{
	wide x = (wide)(tick - t->window.from) * t->drawn.width / timeline_width(t);

	return x < -1 || tick < t->window.from ? -1 : x > t->drawn.width ? t->drawn.width : (int)x;
}

static bool is_folded(const struct timeline *t, uint64_t id)
{
	for (uint32_t i = 0; i < t->folded_count; i++)
		if (t->folded[i] == id)
			return true;
	return false;
}

static void add_lane(struct timeline *t, const struct profile *p, uint32_t thread, const struct span_list *list)
{
	struct lane *lane = &t->lanes[t->lane_count++];

	*lane = (struct lane){ .id = list ? list->id : p->threads[thread].id, .thread_id = p->threads[thread].id,
			       .thread = thread, .list = list };
	lane->folded = is_folded(t, lane->id);
}

/* The threads that have a slice in frames of the window. NULL: out of memory. */
static bool *threads_in_frames(const struct timeline *t, const struct profile *p)
{
	bool *seen = array_zeroed(p->thread_count, sizeof(*seen));
	uint32_t i = SEARCH(i, 0, p->frame_count, frame_end(&p->frames[i]) <= t->window.from);

	for (; seen && i < p->frame_count && p->frames[i].start < t->window.to; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++)
			seen[p->frames[i].parts[k].thread] = true;
	for (uint32_t thread = 0; seen && thread < p->thread_count; thread++)
		seen[thread] |= p->frame_count && p->threads[thread].state == THREAD_LIVE;
	return seen;
}

/* Threads of which single calls are known first, those before all others that mark frames; then those of which frames
 * have something. Each in the order in which they came. */
static bool make_lanes(struct timeline *t, const struct look *look)
{
	const struct profile *p = look->profile;
	uint32_t lists = t->spans ? t->spans->count : 0;
	bool *wanted = threads_in_frames(t, p);

	timeline_forget_lanes(t);
	t->lanes_hidden = 0;
	t->lanes = array_zeroed((uint64_t)lists + p->thread_count, sizeof(*t->lanes));
	for (int marking = 1; wanted && t->lanes && marking >= 0; marking--)
		for (uint32_t i = 0; i < lists; i++) {
			const struct span_list *l = &t->spans->lists[i];

			if (l->thread >= p->thread_count || p->threads[l->thread].marking != marking || !l->known_count)
				continue;
			if (profile_selects(p, look->lanes, l->thread))
				add_lane(t, p, l->thread, l);
			else
				t->lanes_hidden++;
			wanted[l->thread] = false;
		}
	for (uint32_t i = 0; wanted && t->lanes && i < p->thread_count; i++) {
		if (!wanted[i] || profile_thread_is_several(&p->threads[i]))
			continue;
		if (profile_selects(p, look->lanes, i))
			add_lane(t, p, i, NULL);
		else
			t->lanes_hidden++;
	}
	free(wanted);
	return wanted && t->lanes;
}

/* Forgets what belongs to another program. */
static void begin_run(struct timeline *t, const struct singles *of)
{
	timeline_forget(t);
	if (t->of != of) {
		t->window = t->anchor = t->measured = (struct window){ 0 };
		t->window_count = 0;
		t->has_cursor = false;
	}
}

static bool read_spans(struct timeline *t, const struct look *look)
{
	const struct transitions *all;
	int64_t read = 0;
	uint64_t run = 0;

	all = look->singles ? singles_all(look->singles, &read, &run) : NULL;
	if (!all || run != t->run || look->singles != t->of)
		begin_run(t, look->singles);
	t->of = look->singles;
	t->run = run;
	t->elsewhere = all && all->elsewhere;
	t->too_many = t->elsewhere && (all->read.begin > all->asked.begin || all->read.end < all->asked.end);
	t->read = all ? read : look->profile->now_tick;
	if (!all)
		return true;
	if (!t->spans)
		t->spans = spans_new();
	return t->spans && spans_update(t->spans, look->profile, all, read);
}

/* Since when all calls of a list are known: single frames of long ago may be known, too. */
static int64_t known_since(const struct timeline *t, uint32_t list)
{
	int64_t taken, since, begin = t->spans->lists[list].known[0].begin;
	uint64_t run;
	const struct transitions *all = singles_all(t->of, &taken, &run);

	since = all && list < all->count ? transitions_since(&all->lists[list]) : begin;
	return since > begin ? since : begin;
}

/* The tick since which calls are known, among all that the source can bring. */
static int64_t calls_since(const struct timeline *t)
{
	int64_t taken;
	uint64_t run;
	const struct transitions *all = singles_all(t->of, &taken, &run);

	return all ? all->since : INT64_MAX;
}

/* Single calls are known since the first of the thread that marks, or of the first one. */
static void find_ends(struct timeline *t, const struct profile *p)
{
	bool marking = false;

	if (p->frame_count && t->read < frame_end(&p->frames[p->frame_count - 1]))
		t->read = frame_end(&p->frames[p->frame_count - 1]);
	t->since = INT64_MAX;
	t->oldest = p->frame_count ? p->frames[0].start : t->read;
	t->has_frames = p->frame_count;
	for (uint32_t i = 0; t->spans && i < t->spans->count; i++) {
		const struct span_list *l = &t->spans->lists[i];

		if (!l->known_count || l->thread >= p->thread_count)
			continue;
		if (t->since == INT64_MAX || (p->threads[l->thread].marking && !marking))
			t->since = known_since(t, i);
		marking |= p->threads[l->thread].marking;
		t->oldest = l->known[0].begin < t->oldest ? l->known[0].begin : t->oldest;
	}
	if (t->elsewhere) {
		t->since = calls_since(t);
		t->oldest = t->since < t->oldest ? t->since : t->oldest;
	}
}

bool timeline_read(struct timeline *t, const struct look *look, char *why, size_t size)
{
	bool done = false;

	t->filled = false;
	if (look->profile && read_spans(t, look)) {
		find_ends(t, look->profile);
		timeline_search(t, look->profile, look->search);
		timeline_place(t, look);
		timeline_find_usual(t, look);
		done = make_lanes(t, look);
	}
	if (done && t->lane_count) {
		*why = '\0';
		return true;
	}
	timeline_forget(t);
	snprintf(why, size, look->profile && !done ? "out of memory" : "no single calls are known");
	return false;
}

/* As much again on both sides, so that the next step needs no others. */
void timeline_want(struct timeline *t, const struct look *look)
{
	int64_t width = timeline_width(t), from = t->window.from > width ? t->window.from - width : 0;
	int64_t to = t->window.to < INT64_MAX - width ? t->window.to + width : INT64_MAX;
	char why[64];

	if (look->singles && t->window.to && singles_want(look->singles, from, to))
		timeline_read(t, look, why, sizeof(why));
}

/*
 * The usual time: the mean of all calls of a stack, in the base that the frame is compared with, or in the whole
 * run. If the user asks for it, calls are coloured by how they differ from it.
 */

#define FACTOR_SEEN 1.5 /* of what is usual: below it nobody looks */
#define FACTOR_MOST 3   /* above it, it is a large one; */
#define FACTOR_WAITS 10 /* of waits, which are long or short as it comes, none is seen below this */

static int64_t count_of(const struct profile *p, const struct values *base, uint32_t node)
{
	return !base ? p->totals[node].count : node < base->node_count ? base->count[node] : 0;
}

static int64_t self_of(const struct profile *p, const struct values *base, uint32_t node)
{
	return !base ? p->totals[node].self : node < base->node_count ? base->self[node] : 0;
}

void timeline_find_usual(struct timeline *t, const struct look *look)
{
	const struct values *base = look->query ? query_base(look->query) : NULL;
	const struct profile *p = look->profile;

	free(t->usual);
	t->usual = NULL;
	t->usual_count = 0;
	t->against_base = base;
	t->by_zone = t->by_zone && base;
	if (!p || (base ? t->by_zone : !t->heat) || !(t->usual = array_zeroed(p->node_count, sizeof(*t->usual))))
		return;
	t->usual_count = p->node_count;
	for (uint32_t i = p->node_count; i-- > 0;) { /* parents stand before their children */
		t->usual[i] += self_of(p, base, i);
		if (p->nodes[i].parent != PROFILE_NONE)
			t->usual[p->nodes[i].parent] += t->usual[i];
		t->usual[i] = count_of(p, base, i) > 0 ? t->usual[i] / count_of(p, base, i) : 0;
	}
}

/* If a thread ended, its calls are counted with those of its successor. */
int64_t timeline_usual(const struct timeline *t, const struct profile *p, uint32_t node)
{
	while (node < t->usual_count && !t->usual[node] && p->nodes[node].heir != PROFILE_NONE && p->nodes[node].heir > node)
		node = p->nodes[node].heir;
	return node < t->usual_count ? t->usual[node] : 0;
}

bool timeline_is_hot(double took, double usual, unsigned zone_flags)
{
	return took > usual * (zone_flags & ZONE_WAITING ? FACTOR_WAITS : FACTOR_MOST);
}

static unsigned flags_of(const struct profile *p, uint32_t node)
{
	return p->zones[p->nodes[node].zone].flags;
}

enum role timeline_heat(const struct timeline *t, const struct profile *p, uint32_t node, int64_t length)
{
	double usual = (double)timeline_usual(t, p, node), now = (double)length;

	if (usual <= 0)
		return t->against_base ? ROLE_BOX_MOST : ROLE_BOX_PALE;
	if (timeline_is_hot(now, usual, flags_of(p, node)))
		return ROLE_BOX_MOST;
	if (flags_of(p, node) & ZONE_WAITING)
		return ROLE_BOX_PALE;
	if (now > usual * FACTOR_SEEN)
		return ROLE_BOX_MORE;
	if (t->against_base && now * FACTOR_SEEN < usual)
		return now * FACTOR_MOST < usual ? ROLE_BOX_LEAST : ROLE_BOX_LESS;
	return ROLE_BOX_PALE;
}

void timeline_heat_text(const struct timeline *t, const struct look *look, uint32_t node, int64_t length, char *out, size_t size)
{
	double usual = (double)timeline_usual(t, look->profile, node), factor = usual > 0 ? (double)length / usual : 0;
	double seen = flags_of(look->profile, node) & ZONE_WAITING ? FACTOR_WAITS : FACTOR_SEEN;

	*out = '\0';
	if (factor > seen && factor < 1e15)
		snprintf(out, size, factor < 9.95 ? " %s%.1f" : " %s%.0f", look->ascii ? "x" : "×", factor);
}
