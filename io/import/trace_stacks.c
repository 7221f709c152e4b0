/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/import/trace_inside.h"
#include "model/base/array.h"

/* Paths */

static bool is_child(const struct trace *t, uint32_t node, uint32_t parent, uint32_t name)
{
	return node != TRACE_NONE && t->nodes[node].name == name && t->p->nodes[node].parent == parent;
}

static bool same_child(const void *context, uint32_t node, const void *wanted)
{
	const uint32_t *parent_and_name = wanted;

	return is_child(context, node, parent_and_name[0], parent_and_name[1]);
}

/* TRACE_NONE: there are too many paths. */
static uint32_t find_child(struct trace *t, uint32_t parent, uint32_t name, uint64_t place)
{
	uint32_t hash = lookup_hash_pair(parent, name);
	uint32_t node = lookup_find(&t->children, hash, same_child, t, (uint32_t[]){ parent, name });

	if (node != LOOKUP_NONE)
		return node;
	if (t->p->node_count >= TRACE_NODES) {
		trace_too_many(t, name, place);
		return TRACE_NONE;
	}
	if (!lookup_reserve(&t->children)) {
		trace_fails(t, 0);
		return TRACE_NONE;
	}
	node = trace_add_node(t, parent, name);
	if (node != TRACE_NONE)
		lookup_add(&t->children, hash, node);
	return node;
}

/* The same, which is mostly the child that followed the last one the last time, or the last one again. */
static uint32_t child_of(struct trace *t, uint32_t parent, uint32_t name, uint64_t place)
{
	uint32_t last = t->nodes[parent].child, found;

	if (last != TRACE_NONE && is_child(t, t->nodes[last].follows, parent, name))
		found = t->nodes[last].follows;
	else if (is_child(t, last, parent, name))
		found = last;
	else
		found = find_child(t, parent, name, place);
	if (found == TRACE_NONE)
		return TRACE_NONE;
	if (last != TRACE_NONE)
		t->nodes[last].follows = found;
	t->nodes[parent].child = found;
	return found;
}

/* Single calls */

static inline void call_add(struct trace *t, struct trace_thread *th, enum transition_kind kind, uint32_t node)
{
	uint32_t thread = (uint32_t)(th - t->threads);
	struct transition_list *list = &t->calls->lists[thread];

	if (list->count < th->call_room || trace_more_calls(t, thread))
		list->at[list->count++] = (struct transition){ th->last, node, kind };
}

/* Time */

static inline struct trace_node *cell_of(struct trace *t, uint32_t node, int64_t key)
{
	struct trace_node *n = &t->nodes[node];

	if (n->key != key) {
		frames_flush(t, node);
		n->key = key;
	}
	return n;
}

static inline uint32_t current_node(const struct trace *t, const struct trace_thread *th)
{
	return th->depth ? th->stack[th->depth - 1].node : t->p->threads[th->row].root;
}

static void begin_thread(struct trace *t, struct trace_thread *th, int64_t tick)
{
	th->begun = true;
	th->first = th->last = tick;
	frames_see(t, tick);
	if (t->by != FRAMES_BY_FILE)
		frames_begin(t, th);
	call_add(t, th, TRANSITION_START, 0);
}

/* Time of the thread never goes back, and there is not more of it than can be added up. */
static int64_t settled_tick(struct trace *t, const struct trace_thread *th, const struct step *s)
{
	if (s->tick < th->last) {
		anomaly_add(t->anomalies, ANOMALY_TIME_BACK, s->place);
		return th->last;
	}
	if (s->tick - th->last > t->time_left) {
		anomaly_add(t->anomalies, ANOMALY_TIME_RANGE, s->place);
		return th->last;
	}
	t->time_left -= s->tick - th->last;
	return s->tick;
}

/* The time until `tick` is that of the zone that is open. An entry at the very end of a frame is of the next one, an exit
 * of the one that ends. */
static void pass_time(struct trace *t, struct trace_thread *th, int64_t tick, bool enters)
{
	if (tick > t->last || tick < t->first)
		frames_see(t, tick);
	while (tick > th->key_end || (enters && tick == th->key_end)) {
		cell_of(t, current_node(t, th), th->key)->self += th->key_end - th->last;
		th->last = th->key_end;
		frames_next(t, th);
	}
	cell_of(t, current_node(t, th), th->key)->self += tick - th->last;
	th->last = tick;
}

/* By the file: time is in the frame of the zone that is open. Between two outermost zones it is in their frame, if that
 * is the same one. `key`: of the zone that is entered. */
static void pass_by_file(struct trace *t, struct trace_thread *th, int64_t tick, int64_t key)
{
	int64_t of = th->depth ? th->stack[th->depth - 1].key : th->visited == key ? key : TRACE_NO_KEY;

	if (tick > t->last || tick < t->first)
		frames_see(t, tick);
	cell_of(t, current_node(t, th), of)->self += tick - th->last;
	th->last = tick;
}

/* What there is to see */

static bool push_zone(struct trace *t, struct trace_thread *th, const struct step *s, uint32_t node)
{
	if (th->depth == th->capacity &&
	    !array_reserve(&th->stack, &th->capacity, (uint64_t)th->depth + 1, sizeof(*th->stack)))
		return trace_fails(t, 0);
	th->stack[th->depth++] = (struct trace_open){ node, s->match, th->last, s->key, s->place };
	return true;
}

void stack_enter(struct trace *t, const struct step *s)
{
	struct trace_thread *th = &t->threads[s->thread];
	uint32_t node = TRACE_NONE;
	int64_t tick;

	if (t->failed)
		return;
	if (!th->begun)
		begin_thread(t, th, s->tick);
	tick = settled_tick(t, th, s);
	if (t->by == FRAMES_BY_FILE)
		pass_by_file(t, th, tick, s->key);
	else
		pass_time(t, th, tick, true);
	if (!th->deeper)
		th->cramped = th->depth == TRACE_DEPTH ? ANOMALY_DEEP : ANOMALY_MANY;
	if (!th->deeper && th->depth < TRACE_DEPTH)
		node = child_of(t, current_node(t, th), s->name, s->place);
	else if (th->cramped == ANOMALY_MANY)
		trace_too_many(t, s->name, s->place);
	else
		anomaly_add(t->anomalies, th->cramped, s->place);
	if (node == TRACE_NONE || !push_zone(t, th, s, node)) {
		th->deeper++;
		return;
	}
	if (t->by == FRAMES_BY_FILE && s->key != TRACE_NO_KEY)
		frames_visit(t, th, s->key, tick);
	if (t->by == FRAMES_BY_FILE && th->depth == 1)
		th->visited = s->key;
	cell_of(t, node, t->by == FRAMES_BY_FILE ? s->key : th->key)->count++;
	call_add(t, th, TRANSITION_ENTER, node);
}

void stack_leave(struct trace *t, const struct step *s)
{
	struct trace_thread *th = &t->threads[s->thread];
	const struct trace_open *open;
	struct trace_node *cell;
	int64_t key;

	if (t->failed)
		return;
	if (th->deeper) {
		th->deeper--;
		return;
	}
	if (!th->depth) {
		anomaly_add(t->anomalies, ANOMALY_END_ALONE, s->place);
		return;
	}
	open = &th->stack[th->depth - 1];
	if (s->match != TRACE_UNNAMED && s->match != open->match)
		anomaly_add(t->anomalies, ANOMALY_MISMATCH, s->place);
	if (t->by == FRAMES_BY_FILE)
		pass_by_file(t, th, settled_tick(t, th, s), TRACE_NO_KEY);
	else
		pass_time(t, th, settled_tick(t, th, s), false);
	key = t->by == FRAMES_BY_FILE ? open->key : th->key;
	cell = cell_of(t, open->node, key);
	if (th->last - open->entered > cell->longest)
		cell->longest = th->last - open->entered;
	if (t->by == FRAMES_BY_FILE && key != TRACE_NO_KEY) {
		struct trace_frame *frame = frames_of_key(t, key);

		if (frame && th->last > frame->end)
			frame->end = th->last;
	}
	call_add(t, th, TRANSITION_LEAVE, open->node);
	th->depth--;
}

/* Sums are one after the other on the axis of time, as they have none of their own. */
void stack_sum(struct trace *t, uint32_t thread, const uint32_t *names, uint32_t depth, int64_t self, uint64_t place)
{
	struct trace_thread *th = &t->threads[thread];
	struct step s = { .tick = self, .place = place };
	struct trace_node *cell;
	uint32_t node;

	if (t->failed || th->row == TRACE_NONE)
		return;
	if (!th->begun) {
		th->begun = true;
		frames_see(t, 0);
	}
	if (self > t->time_left) {
		anomaly_add(t->anomalies, ANOMALY_TIME_RANGE, place);
		self = t->time_left;
	}
	t->time_left -= self;
	node = t->p->threads[th->row].root;
	if (depth > TRACE_DEPTH) {
		anomaly_add(t->anomalies, ANOMALY_DEEP, place);
		depth = TRACE_DEPTH;
	}
	for (uint32_t i = 0; i < depth; i++) {
		uint32_t child = child_of(t, node, names[i], s.place);

		if (child == TRACE_NONE)
			break;
		node = child;
	}
	if (t->failed)
		return;
	cell = cell_of(t, node, 0);
	cell->self += self;
	cell->longest = PROFILE_LONGEST_UNKNOWN;
	th->last += self;
	if (th->last > t->last)
		t->last = th->last;
}

static void pass_to_noted(struct trace *t, struct trace_thread *th)
{
	int64_t tick = th->noted == INT64_MIN || !t->anyhow ? th->noted : th->noted + t->shift;

	if (tick <= th->last || tick - th->last > t->time_left)
		return;
	t->time_left -= tick - th->last;
	if (t->by == FRAMES_BY_FILE)
		pass_by_file(t, th, tick, TRACE_NO_KEY);
	else
		pass_time(t, th, tick, false);
}

void stack_end(struct trace *t, uint32_t thread)
{
	struct trace_thread *th = &t->threads[thread];

	if (t->failed || !th->begun || th->ended || t->sums)
		return;
	if (th->depth)
		pass_to_noted(t, th);
	for (uint32_t i = 0; i < th->depth; i++) {
		struct trace_frame *frame = t->by == FRAMES_BY_FILE && th->stack[i].key != TRACE_NO_KEY
						    ? frames_of_key(t, th->stack[i].key) : NULL;

		anomaly_add(t->anomalies, ANOMALY_OPEN, th->stack[i].place);
		if (frame && th->last > frame->end)
			frame->end = th->last;
	}
	call_add(t, th, TRANSITION_END, 0);
	free(th->stack);
	th->stack = NULL;
	th->capacity = th->depth = 0;
	th->ended = true;
}
