/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "io/import/trace_inside.h"
#include "model/base/array.h"
#include "model/base/search.h"

#define BY_TIME_MOST 500
#define SLICES_MOST (INT64_C(1) << 22) /* frames times threads: many threads have fewer frames */
#define OF_ROW UINT32_MAX

static int by_key(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

void frames_init(struct trace *t)
{
	sorter_init(&t->cells, sizeof(struct cell), by_key, t->folder, SORTER_HELD);
	t->grid = 1;
}

static int64_t most_frames(const struct trace *t)
{
	int64_t most = t->thread_count ? SLICES_MOST / t->thread_count : BY_TIME_MOST;

	return most < BY_TIME_MOST ? most : BY_TIME_MOST;
}

/* Widens the grid: 1, 2, 10, 20, 100 ... Each step is a multiple of the one before, so that frames can be joined. */
void frames_widen(struct trace *t)
{
	while ((t->last - t->first) / t->grid >= most_frames(t)) {
		int64_t digits = t->grid;

		while (digits >= 10)
			digits /= 10;
		t->grid *= digits == 1 ? 2 : 5;
	}
}

void frames_see(struct trace *t, int64_t tick)
{
	if (!t->any || tick < t->first)
		t->first = tick;
	if (!t->any || tick > t->last)
		t->last = tick;
	t->any = true;
	if (t->by == FRAMES_BY_TIME)
		frames_widen(t);
}

/* Adds the values of a stack in a frame to its total, and hands them over for sorting. */
void frames_flush(struct trace *t, uint32_t index)
{
	struct trace_node *node = &t->nodes[index];
	struct profile_total *total = &t->p->totals[index];
	struct cell *cell;

	if (!node->self && !node->count && !node->longest)
		return;
	total->self += node->self;
	total->count += node->count;
	if (node->longest > total->longest)
		total->longest = node->longest;
	while (node->key != TRACE_NO_KEY) {
		uint32_t count = node->count > UINT32_MAX ? UINT32_MAX : (uint32_t)node->count;

		cell = sorter_add(&t->cells);
		if (!cell) {
			trace_fails(t, t->cells.error);
			break;
		}
		*cell = (struct cell){ node->key, node->self, node->longest, index, count };
		node->count -= count;
		node->self = 0;
		if (!node->count)
			break;
	}
	node->self = node->count = node->longest = 0;
}

/* By the file */

static void switch_to_file(struct trace *t)
{
	for (uint32_t i = 0; i < t->p->node_count; i++) {
		t->nodes[i].key = t->nodes[i].key == TRACE_NO_KEY ? TRACE_NO_KEY : 0;
		frames_flush(t, i);
		t->nodes[i].key = TRACE_NO_KEY;
	}
	for (uint32_t i = 0; i < t->thread_count; i++) {
		t->threads[i].key = TRACE_NO_KEY;
		for (uint32_t k = 0; k < t->threads[i].depth; k++)
			t->threads[i].stack[k].key = TRACE_NO_KEY;
	}
	sorter_fini(&t->cells); /* made by time, of what was in no frame */
	t->by = FRAMES_BY_FILE;
}

static bool same_frame(const void *context, uint32_t frame, const void *key)
{
	return ((const struct trace *)context)->frames[frame].number == *(const int64_t *)key;
}

static uint32_t add_frame(struct trace *t, int64_t key, uint32_t hash)
{
	if (t->frame_count >= TRACE_FRAMES)
		return TRACE_NONE;
	if (!lookup_reserve(&t->frames_by_number) ||
	    !array_reserve(&t->frames, &t->frame_capacity, (uint64_t)t->frame_count + 1, sizeof(*t->frames))) {
		trace_fails(t, 0);
		return TRACE_NONE;
	}
	t->frames[t->frame_count] = (struct trace_frame){ .number = key, .start = INT64_MAX, .end = INT64_MIN,
							  .note_first = INT64_MAX, .note_last = INT64_MIN };
	lookup_add(&t->frames_by_number, hash, t->frame_count);
	return t->frame_count++;
}

struct trace_frame *frames_of_key(struct trace *t, int64_t key)
{
	uint32_t hash, found;

	if (t->frame_count && t->frames[t->last_frame].number == key)
		return &t->frames[t->last_frame];
	hash = lookup_hash_pair((uint64_t)key, 0);
	found = lookup_find(&t->frames_by_number, hash, same_frame, t, &key);
	if (found == LOOKUP_NONE)
		found = add_frame(t, key, hash);
	if (found == TRACE_NONE)
		return NULL;
	t->last_frame = found;
	return &t->frames[found];
}

int64_t frames_key(struct trace *t, int64_t frame, uint64_t place)
{
	if (frame == TRACE_NO_FRAME || t->by == FRAMES_BY_MARKS)
		return TRACE_NO_KEY;
	if (frame < 0) {
		anomaly_add(t->anomalies, ANOMALY_FRAME, place);
		return TRACE_NO_KEY;
	}
	if (t->by == FRAMES_BY_TIME)
		switch_to_file(t);
	if (!frames_of_key(t, frame + 1)) {
		trace_too_many(t, TRACE_NONE, place);
		return TRACE_NO_KEY;
	}
	return frame + 1;
}

void frames_visit(struct trace *t, struct trace_thread *th, int64_t key, int64_t tick)
{
	struct trace_frame *frame = frames_of_key(t, key);
	struct cell *cell;

	if (!frame)
		return;
	if (tick < frame->start)
		frame->start = tick;
	if (tick > frame->end)
		frame->end = tick;
	if (th->key == key) /* it was told already */
		return;
	th->key = key;
	cell = sorter_add(&t->cells);
	if (cell)
		*cell = (struct cell){ key, tick, 0, OF_ROW, th->row };
	else
		trace_fails(t, t->cells.error);
}

/* By time, by marks: a thread goes from one to the next. */

static void at_mark(struct trace *t, struct trace_thread *th)
{
	const struct trace_mark *mark = &t->marks[th->mark];
	bool behind = th->mark == t->mark_count;

	th->key = behind || th->last < mark->start ? TRACE_NO_KEY : th->mark;
	th->key_end = behind ? INT64_MAX : th->last < mark->start ? mark->start : mark->end;
}

void frames_begin(struct trace *t, struct trace_thread *th)
{
	if (t->by == FRAMES_BY_TIME) {
		th->key = th->last / t->grid * t->grid;
		th->key_end = th->key + t->grid;
		return;
	}
	th->mark = SEARCH(i, 0, t->mark_count, t->marks[i].end <= th->last);
	at_mark(t, th);
}

void frames_next(struct trace *t, struct trace_thread *th)
{
	if (t->by == FRAMES_BY_TIME) {
		frames_begin(t, th);
		return;
	}
	while (th->mark < t->mark_count && t->marks[th->mark].end <= th->last)
		th->mark++;
	at_mark(t, th);
}

static int by_start(const void *a, const void *b)
{
	const struct trace_mark *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* Marks are ends only where an event splits the frames. */
void frames_settle_marks(struct trace *t)
{
	uint32_t kept = 0, thread;

	if (t->mark_count)
		qsort(t->marks, t->mark_count, sizeof(*t->marks), by_start);
	else
		anomaly_add(t->anomalies, ANOMALY_NO_FRAME, ANOMALY_NOWHERE);
	thread = t->mark_count ? t->marks[0].thread : 0;
	for (uint32_t i = 0; i < t->mark_count; i++) {
		struct trace_mark mark = t->marks[i];

		if (t->options->frame_event) {
			mark.end += t->shift;
			mark.start = kept ? t->marks[kept - 1].end : t->first;
		} else if (mark.thread != thread) {
			continue;
		}
		if (t->options->frame_event && !kept && mark.end == mark.start) /* with the first thing that happened */
			continue;
		if (mark.end <= mark.start || (kept && mark.start < t->marks[kept - 1].end)) {
			anomaly_add(t->anomalies, ANOMALY_FRAME, ANOMALY_NOWHERE);
			continue;
		}
		t->marks[kept++] = mark;
	}
	t->mark_count = kept;
	if (kept)
		t->by = FRAMES_BY_MARKS;
}

/* At the end: where they all are. */

static bool make_frames(struct trace *t, uint32_t count)
{
	free(t->frames);
	t->frame_capacity = t->frame_count = 0;
	t->frames = NULL;
	if (count && !array_reserve(&t->frames, &t->frame_capacity, count, sizeof(*t->frames)))
		return trace_fails(t, 0);
	t->frame_count = count;
	return true;
}

static bool make_by_time(struct trace *t)
{
	int64_t from = t->first / t->grid;
	int64_t count = t->any ? (t->last + t->grid - 1) / t->grid - from : 0;

	if (t->sums) {
		if (!make_frames(t, t->any && t->last > t->first))
			return false;
		if (t->frame_count)
			t->frames[0] = (struct trace_frame){ .number = 1, .start = t->first, .end = t->last };
		return true;
	}
	if (!make_frames(t, (uint32_t)count))
		return false;
	for (uint32_t i = 0; i < t->frame_count; i++) {
		struct trace_frame *f = &t->frames[i];

		*f = (struct trace_frame){ .number = i + 1, .start = (from + i) * t->grid,
					   .end = (from + i + 1) * t->grid };
		f->start = f->start < t->first ? t->first : f->start;
		f->end = f->end > t->last ? t->last : f->end;
	}
	return true;
}

static bool make_by_marks(struct trace *t)
{
	if (!make_frames(t, t->mark_count))
		return false;
	for (uint32_t i = 0; i < t->mark_count; i++)
		t->frames[i] = (struct trace_frame){ .number = i + 1, .start = t->marks[i].start, .end = t->marks[i].end };
	return true;
}

static int by_number(const void *a, const void *b)
{
	const struct trace_frame *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* A frame of notes alone is where these are. One at the very end of the frame before takes no time from that. */
static void place_notes(struct trace_frame *f, int64_t before)
{
	f->start = f->note_first && f->note_first != before ? f->note_first - 1 : f->note_first;
	f->end = f->note_last > f->start || f->start == TRACE_TICK_MOST ? f->note_last : f->start + 1;
}

/* A frame ends where the next one begins, at the latest. */
static bool make_by_file(struct trace *t)
{
	int64_t before = 0;

	if (t->frame_count)
		qsort(t->frames, t->frame_count, sizeof(*t->frames), by_number);
	for (uint32_t i = 0; i < t->frame_count; i++)
		if (t->frames[i].start > t->frames[i].end)
			place_notes(&t->frames[i], i ? t->frames[i - 1].end : 0);
	for (uint32_t i = 0; i < t->frame_count; i++) {
		struct trace_frame *f = &t->frames[i];
		const struct trace_frame *next = f + 1;

		if (f->start < before) {
			anomaly_add(t->anomalies, ANOMALY_FRAME, ANOMALY_NOWHERE);
			f->start = before;
		}
		if (f->end < f->start)
			f->end = f->start;
		if (i + 1 < t->frame_count && next->start >= f->start && next->start < f->end)
			f->end = next->start;
		before = f->end;
	}
	return true;
}

uint32_t frames_with(const struct trace *t, int64_t key)
{
	return SEARCH(i, 0, t->frame_count, t->frames[i].number < key);
}

static uint32_t index_of(const struct trace *t, int64_t key)
{
	uint64_t at;

	if (t->by == FRAMES_BY_FILE)
		return frames_with(t, key);
	if (t->by == FRAMES_BY_MARKS || t->sums)
		return (uint32_t)key;
	at = (uint64_t)(key / t->grid - t->first / t->grid);
	return at < t->frame_count ? (uint32_t)at : t->frame_count - 1; /* what is at the very last tick */
}

uint32_t frames_at(const struct trace *t, int64_t tick)
{
	return SEARCH(i, 0, t->frame_count, t->frames[i].end < tick);
}

/* The parts of one frame. */
struct parts {
	struct profile_cell *cells; /* by node; all 0 but for those that are named here */
	uint32_t *nodes;
	uint32_t node_count;
	int64_t *bounds; /* by row */
	struct profile_cell *out;
};

static bool parts_init(struct trace *t, struct parts *parts)
{
	*parts = (struct parts){ .cells = array_zeroed(t->p->node_count, sizeof(*parts->cells)),
				 .nodes = array_zeroed(t->p->node_count, sizeof(*parts->nodes)),
				 .bounds = array_zeroed(t->p->thread_count, sizeof(*parts->bounds)),
				 .out = array_zeroed(t->p->node_count, sizeof(*parts->out)) };
	if (!parts->cells || !parts->nodes || !parts->bounds || !parts->out)
		return trace_fails(t, 0);
	for (uint32_t i = 0; i < t->p->thread_count; i++)
		parts->bounds[i] = INT64_MAX;
	for (uint32_t i = 0; i < t->p->node_count; i++)
		parts->cells[i].node = PROFILE_NONE; /* not named */
	return true;
}

static void parts_fini(struct parts *parts)
{
	free(parts->cells);
	free(parts->nodes);
	free(parts->bounds);
	free(parts->out);
}

static void parts_add(struct parts *parts, const struct cell *c)
{
	struct profile_cell *into;

	if (c->node == OF_ROW) {
		if (c->self < parts->bounds[c->count])
			parts->bounds[c->count] = c->self;
		return;
	}
	into = &parts->cells[c->node];
	if (into->node == PROFILE_NONE) {
		parts->nodes[parts->node_count++] = c->node;
		into->node = c->node;
	}
	into->self += c->self;
	into->count += c->count;
	if (c->longest > into->longest)
		into->longest = c->longest;
}

static int by_row_and_node(const void *a, const void *b, void *context)
{
	const struct trace *t = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t rx = t->p->nodes[x].thread, ry = t->p->nodes[y].thread;

	if (rx != ry)
		return rx < ry ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The number of a frame. If the file has a frame 0, all its numbers are one larger here. */
static uint64_t shown_number(const struct trace *t, const struct trace_frame *f)
{
	return (uint64_t)f->number - (t->by == FRAMES_BY_FILE && t->frames[0].number > 1);
}

static void part_write(struct trace *t, struct parts *parts, const struct trace_frame *f, uint32_t row, uint32_t count)
{
	struct profile_part part = { .thread = row, .first_frame = shown_number(t, f), .cell_count = count,
				     .cells = parts->out, .bound = parts->bounds[row] };

	if (part.bound == INT64_MAX)
		part.bound = f->start > t->p->threads[row].first_tick ? f->start : t->p->threads[row].first_tick;
	if (!count)
		part.bound = f->start;
	part.end = part.bound;
	for (uint32_t i = 0; i < count; i++)
		part.end += parts->out[i].self;
	trace_put_part(t, part.first_frame, &part);
	parts->bounds[row] = INT64_MAX;
}

/* A frame without a slice would mean that its slices were lost. So if no thread
 * ran in a frame, the first thread gets an empty slice of it. */
static void parts_write(struct trace *t, struct parts *parts, const struct trace_frame *f)
{
	uint32_t count = 0;

	qsort_r(parts->nodes, parts->node_count, sizeof(*parts->nodes), by_row_and_node, t);
	for (uint32_t i = 0; i < parts->node_count; i++) {
		uint32_t node = parts->nodes[i], row = t->p->nodes[node].thread;

		parts->out[count++] = parts->cells[node];
		parts->cells[node] = (struct profile_cell){ .node = PROFILE_NONE };
		if (i + 1 < parts->node_count && t->p->nodes[parts->nodes[i + 1]].thread == row)
			continue;
		part_write(t, parts, f, row, count);
		count = 0;
	}
	if (!parts->node_count && t->p->thread_count)
		part_write(t, parts, f, 0, 0);
	parts->node_count = 0;
}

static void frame_write(struct trace *t, const struct trace_frame *f)
{
	static const uint16_t flags[] = { [FRAMES_BY_TIME] = FRAME_GUESSED, [FRAMES_BY_FILE] = FRAME_BOUNDED,
					  [FRAMES_BY_MARKS] = 0 };
	struct profile_frame frame = { .number = shown_number(t, f), .start = f->start, .length = f->end - f->start,
				       .flags = flags[t->by] };

	if (t->by == FRAMES_BY_MARKS && t->options->frame_zone)
		frame.flags = FRAME_BOUNDED;
	trace_put_frame(t, &frame);
}

static void mark_rows(struct trace *t)
{
	uint32_t row;

	if (t->by != FRAMES_BY_MARKS || t->marks[0].thread == TRACE_NONE)
		return;
	row = t->threads[t->marks[0].thread].row;
	if (row != TRACE_NONE)
		t->p->threads[row].marking = true;
}

void frames_write(struct trace *t)
{
	bool (*const makes[])(struct trace *) = { make_by_time, make_by_file, make_by_marks };
	const struct cell *c;
	struct parts parts;

	for (uint32_t i = 0; !t->failed && i < t->p->node_count; i++)
		frames_flush(t, i);
	if (t->failed || !makes[t->by](t))
		return;
	if (!sorter_sort(&t->cells)) {
		trace_fails(t, t->cells.error);
		return;
	}
	mark_rows(t);
	trace_weigh(t);
	trace_renew_rows(t);
	if (!parts_init(t, &parts)) {
		parts_fini(&parts);
		return;
	}
	c = sorter_next(&t->cells);
	for (uint32_t i = 0; i < t->frame_count && !t->failed; i++) {
		frame_write(t, &t->frames[i]);
		for (; c && index_of(t, c->key) == i; c = sorter_next(&t->cells))
			parts_add(&parts, c);
		parts_write(t, &parts, &t->frames[i]);
	}
	if (t->cells.failed)
		trace_fails(t, t->cells.error);
	parts_fini(&parts);
}
