/* SPDX-License-Identifier: MIT */
/*
 * model_spans: single calls as spans of time: by hand, then programs at random, hostile ones too, that are fed in
 * portions and lose their oldest transitions, against an oracle that makes all anew by looking for the exit of each
 * entry.
 */
#include "model/boxes/spans.h"

#include "model/base/array.h"
#include "tests/model_random.h"

#include "tests/long.h"

/* ---- a program of one thread by hand */

struct small {
	struct profile *p;
	struct transitions *t;
	struct transition_list *list;
	struct spans *s;
	uint32_t a, b, inner; /* nodes a, a/b, a/b/a */
};

static void small_begin(struct small *s, uint64_t most)
{
	s->p = dsl_profile("main a 1 1 1\nmain a/b 1 1 1\nmain a/b/a 1 1 1\n");
	s->a = dsl_node(s->p, "main", "a");
	s->b = dsl_node(s->p, "main", "a/b");
	s->inner = dsl_node(s->p, "main", "a/b/a");
	s->t = transitions_new(most);
	s->s = spans_new();
	assert_non_null(s->t);
	assert_non_null(s->s);
	s->list = transitions_of(s->t, 1, 0);
	assert_non_null(s->list);
}

static void small_end(struct small *s)
{
	spans_free(s->s);
	transitions_free(s->t);
	profile_free(s->p);
}

static void put(struct small *s, enum transition_kind kind, uint32_t node, int64_t tick)
{
	assert_true(transitions_add(s->t, s->list, (struct transition){ tick, node, kind }));
}

static const struct span_list *updated(struct small *s, int64_t now)
{
	assert_true(spans_update(s->s, s->p, s->t, now));
	return &s->s->lists[0];
}

static void expect_span(const struct span_list *l, uint32_t depth, uint32_t i, uint32_t node, int64_t begin, int64_t end,
			unsigned flags)
{
	struct box_row row = spans_row(l, depth);

	assert_true(i < row.count);
	assert_int_equal(l->rows[depth].node[i], node);
	assert_int_equal(row.begin[i], begin);
	assert_int_equal(row.end[i], end);
	assert_int_equal(spans_flags(l, depth, i), flags);
}

static void a_call_is_a_span_on_the_row_of_its_depth(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_LEAVE, s.b, 50);
	put(&s, TRANSITION_ENTER, s.b, 55);
	put(&s, TRANSITION_LEAVE, s.b, 56);
	put(&s, TRANSITION_LEAVE, s.a, 60);
	put(&s, TRANSITION_END, 0, 70);
	l = updated(&s, 100);
	assert_int_equal(l->depth, 2);
	assert_int_equal(s.s->held, 3);
	expect_span(l, 0, 0, s.a, 10, 60, 0);
	expect_span(l, 1, 0, s.b, 20, 50, 0);
	expect_span(l, 1, 1, s.b, 55, 56, 0);
	assert_int_equal(spans_parent(l, 1, 1), 0);
	assert_int_equal(spans_first_child(l, 0, 0), 0);
	assert_int_equal(spans_first_child(l, 1, 0), UINT32_MAX);
	assert_int_equal(spans_covered(l, 0, 0, 100), 50);
	assert_int_equal(spans_covered(l, 1, 40, 56), 11);
	assert_int_equal(spans_knows(l, 4), SPANS_UNBORN);
	assert_int_equal(spans_knows(l, 5), SPANS_KNOWN);
	assert_int_equal(spans_knows(l, 69), SPANS_KNOWN);
	assert_int_equal(spans_knows(l, 70), SPANS_ENDED);
	small_end(&s);
}

/* The box of each stretch says what it is; in a window the call is counted where it was entered. */
static void a_suspended_call_is_several_spans(void **state)
{
	struct small s;
	const struct span_list *l;
	struct values *v;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_SUSPEND, s.b, 30);
	put(&s, TRANSITION_RESUME, s.b, 40);
	put(&s, TRANSITION_SUSPEND, s.b, 55);
	put(&s, TRANSITION_RESUME, s.b, 60);
	put(&s, TRANSITION_LEAVE, s.b, 61);
	put(&s, TRANSITION_LEAVE, s.a, 100);
	l = updated(&s, 120);
	expect_span(l, 0, 0, s.a, 10, 100, 0);
	expect_span(l, 1, 0, s.b, 20, 30, SPAN_SUSPENDED);
	expect_span(l, 1, 1, s.b, 40, 55, SPAN_RESUMED | SPAN_SUSPENDED);
	expect_span(l, 1, 2, s.b, 60, 61, SPAN_RESUMED);
	v = spans_values(s.s, s.p, 0, 120);
	assert_int_equal(v->count[s.b], 1);
	assert_int_equal(v->self[s.b], 26);
	assert_int_equal(v->longest[s.b], 0);
	values_free(v);
	small_end(&s);
}

/* Where a thread begins, and where a window does: windows side by side have each call of no length once. */
static void a_call_without_length_is_there(void **state)
{
	struct small s;
	const struct span_list *l;
	struct values *v;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 10);
	for (int tick = 10; tick <= 20; tick += 10) {
		put(&s, TRANSITION_ENTER, s.a, tick);
		put(&s, TRANSITION_ENTER, s.b, tick);
		put(&s, TRANSITION_LEAVE, s.b, tick);
		put(&s, TRANSITION_LEAVE, s.a, tick + 10);
	}
	l = updated(&s, 40);
	expect_span(l, 1, 0, s.b, 10, 10, 0);
	expect_span(l, 1, 1, s.b, 20, 20, 0);
	for (int tick = 0; tick <= 30; tick += 10) {
		v = spans_values(s.s, s.p, tick, tick + 10);
		assert_int_equal(v->count[s.a], tick == 10 || tick == 20);
		assert_int_equal(v->count[s.b], tick == 10 || tick == 20);
		values_free(v);
	}
	small_end(&s);
}

static void what_is_open_goes_on(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	l = updated(&s, 100);
	expect_span(l, 0, 0, s.a, 10, 100, SPAN_RUNNING);
	expect_span(l, 1, 0, s.b, 20, 100, SPAN_RUNNING);
	assert_int_equal(spans_covered(l, 0, 0, 1000), 90);
	assert_int_equal(spans_knows(l, 99), SPANS_KNOWN);
	assert_int_equal(spans_knows(l, 100), SPANS_UNKNOWN);
	l = updated(&s, 120);
	expect_span(l, 1, 0, s.b, 20, 120, SPAN_RUNNING);
	put(&s, TRANSITION_LEAVE, s.b, 90); /* written before 120, read behind it */
	l = updated(&s, 130);
	expect_span(l, 0, 0, s.a, 10, 130, SPAN_RUNNING);
	expect_span(l, 1, 0, s.b, 20, 90, 0);
	put(&s, TRANSITION_END, 0, 140); /* it is never left */
	l = updated(&s, 150);
	expect_span(l, 0, 0, s.a, 10, 140, SPAN_LEFT_OPEN);
	small_end(&s);
}

static void behind_a_gap_the_stack_is_known_from_what_is_next(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_LEAVE, s.b, 10); /* begins in the middle */
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_GAP, 0, 30);
	l = updated(&s, 31);
	expect_span(l, 0, 0, s.a, 10, 20, SPAN_CUT_BEGIN | SPAN_CUT_END);
	expect_span(l, 1, 0, s.b, 20, 20, SPAN_CUT_END);
	put(&s, TRANSITION_LEAVE, s.inner, 40);
	put(&s, TRANSITION_LEAVE, s.b, 50);
	l = updated(&s, 60);
	assert_int_equal(l->depth, 3);
	expect_span(l, 0, 1, s.a, 30, 60, SPAN_CUT_BEGIN | SPAN_RUNNING);
	expect_span(l, 1, 1, s.b, 30, 50, SPAN_CUT_BEGIN);
	expect_span(l, 2, 0, s.inner, 30, 40, SPAN_CUT_BEGIN);
	assert_int_equal(spans_knows(l, 9), SPANS_UNKNOWN);
	assert_int_equal(spans_knows(l, 19), SPANS_KNOWN);
	assert_int_equal(spans_knows(l, 20), SPANS_UNKNOWN);
	assert_int_equal(spans_knows(l, 30), SPANS_KNOWN);
	small_end(&s);
}

/* An exit of what is not innermost: something between is lost, and nothing between them is told. */
static void what_does_not_nest_is_a_gap(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_LEAVE, s.a, 30);
	put(&s, TRANSITION_ENTER, s.a, 40);
	put(&s, 77, UINT32_MAX - 1, 50); /* waits for a node that never comes */
	put(&s, TRANSITION_LEAVE, s.a, 60);
	l = updated(&s, 100);
	assert_int_equal(l->known_count, 2);
	expect_span(l, 0, 0, s.a, 10, 20, SPAN_CUT_END);
	expect_span(l, 0, 1, s.a, 40, 100, SPAN_RUNNING);
	assert_int_equal(spans_knows(l, 25), SPANS_UNKNOWN);
	assert_int_equal(spans_knows(l, 35), SPANS_KNOWN);
	small_end(&s);
}

/* A copy of the profile may be behind the transitions. */
static void a_node_that_is_not_there_yet_is_waited_for(void **state)
{
	const struct span_list *l;
	struct small s;
	uint32_t node;

	(void)state;
	small_begin(&s, 1000);
	node = s.p->node_count;
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, node, 10);
	put(&s, TRANSITION_LEAVE, node, 20);
	l = updated(&s, 30);
	assert_int_equal(l->depth, 0);
	assert_int_equal(profile_add_node(s.p, s.p->nodes[s.a].parent, 1), node);
	l = updated(&s, 30);
	expect_span(l, 0, 0, node, 10, 20, 0);
	small_end(&s);
}

static void what_transitions_drop_leaves_spans(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 4);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_LEAVE, s.b, 30);
	l = updated(&s, 35);
	expect_span(l, 0, 0, s.a, 10, 35, SPAN_RUNNING);
	put(&s, TRANSITION_ENTER, s.b, 40); /* the start leaves */
	l = updated(&s, 45);
	expect_span(l, 0, 0, s.a, 10, 45, SPAN_RUNNING);
	assert_int_equal(spans_knows(l, 9), SPANS_UNKNOWN);
	put(&s, TRANSITION_LEAVE, s.b, 50); /* the entry of a leaves */
	l = updated(&s, 55);
	expect_span(l, 0, 0, s.a, 20, 55, SPAN_CUT_BEGIN | SPAN_RUNNING);
	expect_span(l, 1, 0, s.b, 20, 30, 0);
	assert_int_equal(spans_covered(l, 0, 0, 100), 35);
	for (int i = 0; i < 8; i++) /* more than is held, unread */
		put(&s, i % 2 ? TRANSITION_LEAVE : TRANSITION_ENTER, s.b, 60 + i);
	l = updated(&s, 70);
	expect_span(l, 0, 0, s.a, 64, 70, SPAN_CUT_BEGIN | SPAN_RUNNING);
	assert_int_equal(spans_row(l, 1).count, 2);
	assert_int_equal(s.s->held, 3);
	small_end(&s);
}

static void times_of_a_window_are_parts_of_calls(void **state)
{
	struct values *v;
	struct small s;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_ENTER, s.inner, 30);
	put(&s, TRANSITION_LEAVE, s.inner, 50);
	put(&s, TRANSITION_LEAVE, s.b, 60);
	updated(&s, 100);
	v = spans_values(s.s, s.p, 25, 70);
	assert_int_equal(v->self[s.a], 10);
	assert_int_equal(v->count[s.a], 1);
	assert_int_equal(v->longest[s.a], 45);
	assert_int_equal(v->self[s.b], 15);
	assert_int_equal(v->self[s.inner], 20);
	assert_int_equal(v->self[0], 0);
	assert_int_equal(v->wall, 45);
	assert_int_equal(v->time[0], 45);
	assert_int_equal(v->incomplete, 0);
	values_free(v);
	v = spans_values(s.s, s.p, 0, 15); /* it was not there before 5 */
	assert_int_equal(v->self[0], 5);
	assert_int_equal(v->time[0], 10);
	assert_int_equal(v->incomplete, 0);
	values_free(v);
	v = spans_values(s.s, s.p, 90, 150); /* what comes behind the newest is not known */
	assert_int_equal(v->time[0], 10);
	assert_int_equal(v->missing[0], 1);
	values_free(v);
	small_end(&s);
}

/* ---- the oracle: all of a list that is held, made anew */

struct expected_span {
	uint32_t depth, node;
	int64_t begin, end;
	unsigned flags;
};

struct expected {
	struct expected_span *spans;
	uint32_t count, capacity;
	struct span_interval *known;
	uint32_t known_count, known_capacity;
};

static uint32_t level_of(const struct profile *p, uint32_t node)
{
	uint32_t level = 0;

	for (; p->nodes[node].parent != PROFILE_NONE; node = p->nodes[node].parent)
		level++;
	return level;
}

static bool is_call(const struct transition *n)
{
	return transition_enters(n->kind) || transition_leaves(n->kind);
}

static bool is_gap(const struct profile *p, const struct transition *n)
{
	return is_call(n) ? !level_of(p, n->node) : n->kind != TRANSITION_START && n->kind != TRANSITION_END;
}

/* The innermost zone right before an entry or exit, and right behind a transition; any root is as good as the other. */
static uint32_t node_before(const struct profile *p, const struct transition *n)
{
	return transition_enters(n->kind) ? p->nodes[n->node].parent : n->node;
}

static uint32_t node_behind(const struct profile *p, const struct transition *n)
{
	if (n->kind == TRANSITION_START)
		return 0;
	return transition_enters(n->kind) ? n->node : p->nodes[n->node].parent;
}

static bool follows(const struct profile *p, const struct transition *n)
{
	uint32_t behind, before;

	if (is_gap(p, &n[-1]) || n[-1].kind == TRANSITION_END || n->kind == TRANSITION_START)
		return false;
	if (n->kind == TRANSITION_END)
		return true;
	behind = node_behind(p, &n[-1]);
	before = node_before(p, n);
	return behind == before || (!level_of(p, behind) && !level_of(p, before));
}

static void expect_one(struct expected *e, struct expected_span span)
{
	assert_true(array_reserve(&e->spans, &e->capacity, (uint64_t)e->count + 1, sizeof(*e->spans)));
	e->spans[e->count++] = span;
}

/* The call that is entered at i, or was before it, if it has time behind the begin of the interval, or the thread began
 * with that. */
static void expect_call(struct expected *e, const struct profile *p, const struct transition *at, uint32_t i, uint32_t end,
			uint32_t node, int64_t begin, unsigned flags)
{
	const struct span_interval *known = &e->known[e->known_count - 1];
	struct expected_span span = { level_of(p, node) - 1, node, begin, known->end, flags };

	while (i < end && (!transition_leaves(at[i].kind) || at[i].node != node))
		i++;
	if (i < end && at[i].kind == TRANSITION_SUSPEND)
		span.flags |= SPAN_SUSPENDED;
	if (i < end)
		span.end = at[i].tick;
	else
		span.flags |= known->goes_on ? SPAN_RUNNING : known->ended ? SPAN_LEFT_OPEN : SPAN_CUT_END;
	if (span.end > known->begin || (known->born && (e->known_count == 1 || known[-1].end < known->begin)))
		expect_one(e, span);
}

/* The transitions [first, end) are one interval. */
static void expect_interval(struct expected *e, const struct profile *p, const struct transition_list *list, uint32_t first,
			    uint32_t end, int64_t now)
{
	const struct transition *at = list->at, *last = &at[end - 1];
	struct span_interval known = { .begin = at[first].tick, .end = last->tick, .born = at[first].kind == TRANSITION_START,
				       .ended = last->kind == TRANSITION_END,
				       .goes_on = end == list->count && last->kind != TRANSITION_END };
	uint32_t inside = 0;

	if (first && is_gap(p, &at[first - 1]) && is_call(&at[first]))
		known.begin = at[first - 1].tick;
	if (known.goes_on)
		known.end = now > known.end ? now : known.end + 1;
	if (known.end <= known.begin && !known.born && !known.ended && !known.goes_on)
		return;
	assert_true(array_reserve(&e->known, &e->known_capacity, (uint64_t)e->known_count + 1, sizeof(*e->known)));
	e->known[e->known_count++] = known;
	if (is_call(&at[first])) {
		uint32_t node = node_before(p, &at[first]);

		inside = level_of(p, at[first].node) - 1;
		for (; level_of(p, node); node = p->nodes[node].parent)
			expect_call(e, p, at, first, end, node, known.begin, SPAN_CUT_BEGIN);
	}
	for (uint32_t i = first; i < end; i++) {
		bool is_cut = at[i].tick == known.begin && level_of(p, at[i].node) <= inside;

		unsigned resumed = at[i].kind == TRANSITION_RESUME ? SPAN_RESUMED : 0;

		if (transition_enters(at[i].kind))
			expect_call(e, p, at, i, end, at[i].node, at[i].tick, is_cut ? SPAN_CUT_BEGIN : resumed);
	}
}

static struct expected expected_of(const struct profile *p, const struct transition_list *list, int64_t now)
{
	struct expected e = { 0 };

	for (uint32_t i = 0, end; i < list->count; i = end) {
		end = i + 1;
		if (is_gap(p, &list->at[i]))
			continue;
		while (end < list->count && !is_gap(p, &list->at[end]) && follows(p, &list->at[end]))
			end++;
		expect_interval(&e, p, list, i, end, now);
	}
	return e;
}

static void expected_fini(struct expected *e)
{
	free(e->spans);
	free(e->known);
}

static void compare_rows(const struct span_list *l, const struct expected *e)
{
	uint32_t *seen = calloc(l->depth + 1, sizeof(*seen)), count = 0;

	assert_non_null(seen);
	for (uint32_t i = 0; i < e->count; i++) {
		const struct expected_span *span = &e->spans[i];

		assert_true(span->depth < l->depth);
		expect_span(l, span->depth, seen[span->depth]++, span->node, span->begin, span->end, span->flags);
	}
	for (uint32_t depth = 0; depth < l->depth; depth++) {
		struct box_row row = spans_row(l, depth);

		assert_int_equal(row.count, seen[depth]);
		count += row.count;
		for (uint32_t i = 0; i < row.count; i++) {
			assert_true(row.begin[i] <= row.end[i] && (!i || row.end[i - 1] <= row.begin[i]));
			assert_int_equal(row.sums[i + 1] - row.sums[i], row.end[i] - row.begin[i]);
		}
	}
	assert_int_equal(count, e->count);
	free(seen);
}

static void compare_known(const struct span_list *l, const struct expected *e)
{
	assert_int_equal(l->known_count, e->known_count);
	for (uint32_t i = 0; i < e->known_count; i++) {
		assert_int_equal(l->known[i].begin, e->known[i].begin);
		assert_int_equal(l->known[i].end, e->known[i].end);
		assert_int_equal(l->known[i].born, e->known[i].born);
		assert_int_equal(l->known[i].ended, e->known[i].ended);
		assert_int_equal(l->known[i].goes_on, e->known[i].goes_on);
	}
}

static enum spans_knowledge expected_knowledge(const struct expected *e, int64_t tick)
{
	enum spans_knowledge known = e->known_count && e->known[0].born ? SPANS_UNBORN : SPANS_UNKNOWN;

	for (uint32_t i = 0; i < e->known_count && e->known[i].begin <= tick; i++)
		known = tick < e->known[i].end ? SPANS_KNOWN : e->known[i].ended ? SPANS_ENDED : SPANS_UNKNOWN;
	return known;
}

/* Tick by tick. */
static void compare_stretch(const struct span_list *l, const struct expected *e, int64_t from, int64_t to)
{
	int64_t begin, end;
	bool gap = false;

	for (int64_t tick = from; tick < to; tick++) {
		enum spans_knowledge known = expected_knowledge(e, tick);

		gap |= known == SPANS_UNKNOWN;
		assert_int_equal(spans_stretch(l, tick, &begin, &end), known);
		assert_true(begin <= tick && tick < end);
		for (uint32_t i = 0; i < e->known_count; i++) {
			assert_false(e->known[i].begin > begin && e->known[i].begin < end);
			assert_false(e->known[i].end > begin && e->known[i].end < end);
		}
	}
	for (uint32_t i = 0; i < e->known_count; i++)
		gap |= e->known[i].end > from && e->known[i].end < to && !e->known[i].ended;
	assert_int_equal(spans_gap(l, from, to), gap);
}

/* Adds the time of a window, from span to span. */
static void add_expected(struct values *plain, const struct profile *p, const struct span_list *l, const struct expected *e,
			 int64_t from, int64_t to)
{
	uint32_t root = p->threads[l->thread].root;
	int64_t covered[64] = { 0 };

	for (uint32_t i = 0; i < e->count; i++) {
		const struct expected_span *span = &e->spans[i];
		int64_t begin = span->begin > from ? span->begin : from, end = span->end < to ? span->end : to;

		if (span->end < from || (span->end == from && span->begin < from) || span->begin >= to)
			continue;
		assert_true(span->depth < 64);
		covered[span->depth] += end - begin;
		plain->count[span->node] += !(span->flags & SPAN_RESUMED);
		plain->self[span->node] += end - begin;
		if (end - begin > plain->longest[span->node] && !(span->flags & (SPAN_RESUMED | SPAN_SUSPENDED)))
			plain->longest[span->node] = end - begin;
		plain->self[span->depth ? p->nodes[span->node].parent : root] -= end - begin;
	}
	for (uint32_t depth = 0; depth < 64; depth++)
		assert_int_equal(spans_covered(l, depth, from, to), covered[depth]);
	for (uint32_t i = 0; i < e->known_count; i++) {
		int64_t begin = e->known[i].begin > from ? e->known[i].begin : from;
		int64_t end = e->known[i].end < to ? e->known[i].end : to;

		plain->time[l->thread] += end > begin ? end - begin : 0;
		plain->self[root] += end > begin ? end - begin : 0;
	}
}

static void compare_values(const struct profile *p, const struct values *v, const struct values *plain)
{
	int64_t self = 0, time = 0;

	for (uint32_t i = 0; i < p->node_count; i++) {
		assert_int_equal(v->self[i], plain->self[i]);
		assert_int_equal(v->count[i], plain->count[i]);
		assert_int_equal(v->longest[i], plain->longest[i]);
		assert_true(v->self[i] >= 0);
		self += v->self[i];
	}
	for (uint32_t i = 0; i < p->thread_count; i++) {
		assert_int_equal(v->time[i], plain->time[i]);
		time += v->time[i];
	}
	assert_int_equal(self, time);
}

static void compare_relations(const struct profile *p, const struct span_list *l)
{
	for (uint32_t depth = 0; depth < l->depth; depth++) {
		struct box_row row = spans_row(l, depth), above = spans_row(l, depth - 1), below = spans_row(l, depth + 1);

		for (uint32_t i = 0; i < row.count; i++) {
			uint32_t parent = spans_parent(l, depth, i), child = spans_first_child(l, depth, i);

			assert_int_equal(parent == UINT32_MAX, depth == 0);
			if (depth)
				assert_true(above.begin[parent] <= row.begin[i] && above.end[parent] >= row.end[i]);
			if (depth && row.begin[i] < row.end[i])
				assert_int_equal(l->rows[depth - 1].node[parent], p->nodes[l->rows[depth].node[i]].parent);
			if (child != UINT32_MAX)
				assert_true(below.begin[child] >= row.begin[i] && below.end[child] <= row.end[i]);
			assert_true(child == UINT32_MAX || !child || below.begin[child - 1] < row.begin[i]);
		}
	}
}

/* ---- programs at random */

struct wild {
	struct profile *p;
	struct transitions *t;
	struct spans *s;
	uint32_t at[3], lost[3];
	int64_t now;
	uint32_t hostile; /* one of so many transitions is anything; 0: none */
};

static uint32_t random_child(const struct profile *p, uint32_t node)
{
	uint32_t found = PROFILE_NONE, seen = 0;

	for (uint32_t i = node + 1; i < p->node_count; i++)
		if (p->nodes[i].parent == node && !random_below(++seen))
			found = i;
	return found;
}

/* The next transition of a thread. Some are lost, which a gap says, but where the program is hostile. */
static struct transition random_step(struct wild *w, uint32_t thread)
{
	uint32_t root = w->p->threads[thread].root, *at = &w->at[thread], rare = random_below(150);
	uint32_t child = random_below(3) ? random_child(w->p, *at) : PROFILE_NONE, left = *at;

	if (rare == 0) {
		*at = root;
		return (struct transition){ w->now, 0, TRANSITION_END };
	}
	if (rare == 1) {
		*at = root;
		return (struct transition){ w->now, 0, TRANSITION_START };
	}
	if (child == PROFILE_NONE && left == root)
		return random_step(w, thread);
	*at = child != PROFILE_NONE ? child : w->p->nodes[left].parent;
	return child != PROFILE_NONE
		       ? (struct transition){ w->now, child, random_below(5) ? TRANSITION_ENTER : TRANSITION_RESUME }
		       : (struct transition){ w->now, left, random_below(5) ? TRANSITION_LEAVE : TRANSITION_SUSPEND };
}

static void run_step(struct wild *w)
{
	uint32_t thread = random_below(3);
	uint64_t id = 100 + thread;
	struct transition_list *list = transitions_of(w->t, id, thread);
	struct transition n;

	assert_non_null(list);
	w->now += random_below(3) ? 0 : random_below(100);
	n = random_step(w, thread);
	if (!random_below(100))
		w->lost[thread] = 1 + random_below(20);
	if (w->lost[thread] && --w->lost[thread])
		return;
	if (w->lost[thread] == 0 && !random_below(60) && list->count)
		assert_true(transitions_add(w->t, list, (struct transition){ n.tick - random_below(2), 0, TRANSITION_GAP }));
	if (w->hostile && !random_below(w->hostile))
		n = (struct transition){ random_below(2) ? w->now : random_below(1000), random_below(w->p->node_count),
					 random_below(TRANSITION_KINDS + 2) };
	assert_true(transitions_add(w->t, list, n));
}

static void compare(struct wild *w)
{
	uint64_t held = 0;

	for (uint32_t i = 0; i < w->t->count; i++) {
		const struct span_list *l = &w->s->lists[i];
		struct expected e = expected_of(w->p, &w->t->lists[i], w->now);

		assert_int_equal(l->id, w->t->lists[i].id);
		compare_rows(l, &e);
		compare_known(l, &e);
		for (unsigned k = 0; k < 5; k++) {
			int64_t from = random_below((uint32_t)w->now + 10);
			int64_t edge = e.count ? e.spans[random_below(e.count)].end : from;

			assert_int_equal(spans_knows(l, from), expected_knowledge(&e, from));
			assert_int_equal(spans_knows(l, edge), expected_knowledge(&e, edge));
			compare_stretch(l, &e, edge - random_below(30), edge + random_below(30));
		}
		compare_relations(w->p, l);
		held += e.count;
		expected_fini(&e);
	}
	for (unsigned k = 0; k < 5; k++) {
		int64_t from = random_below((uint32_t)w->now + 10), to = from + 1 + random_below(k & 1 ? 50 : 2000);
		struct values *v = spans_values(w->s, w->p, from, to), *plain = values_new(w->p);

		for (uint32_t i = 0; i < w->t->count; i++) {
			struct expected e = expected_of(w->p, &w->t->lists[i], w->now);

			add_expected(plain, w->p, &w->s->lists[i], &e, from, to);
			expected_fini(&e);
		}
		compare_values(w->p, v, plain);
		values_free(v);
		values_free(plain);
	}
	assert_int_equal(w->s->held, held);
	assert_true(held <= 2 * w->t->most + SPANS_INFERRED);
}

/* Spares stretches of what was so far, so that some transitions leave behind others that stay. */
static void spare_at_random(struct wild *w)
{
	struct transition_stretch stretches[3];
	uint32_t count = random_below(4);

	for (uint32_t i = 0; i < count; i++) {
		stretches[i].begin = random_below((uint32_t)w->now + 1);
		stretches[i].end = stretches[i].begin + random_below(500);
	}
	transitions_spare(w->t, stretches, count);
	w->t->followed = random_below(2);
}

static void wild_round(uint64_t seed)
{
	struct wild w = { 0 };

	random_state = seed;
	w.p = random_profile();
	w.t = transitions_new(random_below(4) ? 1 + random_below(400) : 100000);
	w.s = spans_new();
	w.hostile = random_below(2) ? 0 : 1 + random_below(50);
	assert_true(w.t && w.s);
	for (uint32_t thread = 0; thread < 3; thread++)
		w.at[thread] = w.p->threads[thread].root;
	for (unsigned portion = 0; portion < 12; portion++) {
		if (seed % 2 && random_below(2))
			spare_at_random(&w);
		for (uint32_t i = random_below(2) ? random_below(10) : random_below(300); i > 0; i--)
			run_step(&w);
		if (w.p->node_count < 60)
			profile_add_node(w.p, random_below(w.p->node_count), 1 + random_below(5));
		assert_true(spans_update(w.s, w.p, w.t, w.now));
		compare(&w);
	}
	spans_free(w.s);
	transitions_free(w.t);
	profile_free(w.p);
}

static void programs_at_random_agree_with_the_oracle(void **state)
{
	unsigned long rounds = test_times(200, 3000);

	(void)state;
	for (uint64_t seed = 1; seed <= rounds; seed++)
		wild_round(seed);
}

/* ---- much of it */

/* A stack of so many zones: returns the innermost node. */
static uint32_t deep_stack(struct profile *p, uint32_t depth)
{
	uint32_t node = p->threads[0].root;

	while (depth--)
		node = profile_add_node(p, node, 1 + depth % 5);
	return node;
}

static void a_deep_stack_has_its_rows(void **state)
{
	struct small s;
	const struct span_list *l;
	uint32_t node, depth = SPANS_DEPTH + 1000;

	(void)state;
	small_begin(&s, 1000000);
	profile_free(s.p);
	s.p = random_profile();
	node = deep_stack(s.p, depth);
	put(&s, TRANSITION_START, 0, 0);
	for (uint32_t i = 0; i < depth; i++)
		put(&s, TRANSITION_ENTER, node - depth + 1 + i, 1 + i);
	for (uint32_t i = 0; i < depth; i++)
		put(&s, TRANSITION_LEAVE, node - i, depth + 10 + i);
	l = updated(&s, 100000);
	assert_int_equal(l->depth, SPANS_DEPTH);
	assert_int_equal(s.s->held, SPANS_DEPTH);
	for (uint32_t i = 0; i < SPANS_DEPTH; i++)
		expect_span(l, i, 0, node - depth + 1 + i, 1 + i, 2 * depth + 9 - i, 0);
	small_end(&s);
}

/* Each pair of transitions is in another place of a deep stack: behind each there is a stack of 4,000 zones more. */
static void hostile_transitions_take_no_more_than_was_said(void **state)
{
	struct small s;
	uint32_t node;

	(void)state;
	random_state = 1;
	small_begin(&s, 20000);
	profile_free(s.p);
	s.p = random_profile();
	node = deep_stack(s.p, 4000);
	for (unsigned i = 0; i < 40000; i++) {
		uint32_t at = node - random_below(50);

		put(&s, TRANSITION_LEAVE, at, 10 * i);
		put(&s, TRANSITION_ENTER, at, 10 * i + 5);
		if (i % 1000)
			continue;
		(void)updated(&s, 10 * i + 5);
		assert_true(s.s->held <= 2 * s.t->most + SPANS_INFERRED);
		assert_true(spans_knows(&s.s->lists[0], 10 * i) == SPANS_KNOWN || i);
	}
	small_end(&s);
}

/* More threads came and went than there are lists, and some of them come again. */
static void threads_come_and_go(void **state)
{
	struct small s;
	unsigned long many = test_times(20000, 1000000);

	(void)state;
	random_state = 2;
	small_begin(&s, 5000);
	for (unsigned long i = 0; i < many; i++) {
		struct transition_list *list = transitions_of(s.t, random_below(10) ? 10 + i : 10 + i / 2, 0);
		int64_t now = (int64_t)i;

		assert_non_null(list);
		assert_true(transitions_add(s.t, list, (struct transition){ now, 0, TRANSITION_START }));
		assert_true(transitions_add(s.t, list, (struct transition){ now + 1, s.a, TRANSITION_ENTER }));
		assert_true(transitions_add(s.t, list, (struct transition){ now + 3, s.a, TRANSITION_LEAVE }));
		assert_true(transitions_add(s.t, list, (struct transition){ now + 4, 0, TRANSITION_END }));
		if (random_below(100))
			continue;
		(void)updated(&s, now);
		assert_true(s.s->count == s.t->count && s.s->held <= s.t->total);
		for (uint32_t k = 0; k < s.s->count; k++) {
			struct expected e = expected_of(s.p, &s.t->lists[k], now);

			compare_rows(&s.s->lists[k], &e);
			compare_known(&s.s->lists[k], &e);
			expected_fini(&e);
		}
	}
	small_end(&s);
}

/* The list of a thread was dropped, and then there is one again, in the same place. */
static void a_list_that_comes_anew_is_read_anew(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 100000);
	put(&s, TRANSITION_START, 0, 0);
	put(&s, TRANSITION_ENTER, s.a, 1);
	for (uint64_t id = 2; id <= 1024; id++) {
		s.list = transitions_of(s.t, id, 0);
		put(&s, TRANSITION_ENTER, s.a, 100);
	}
	l = updated(&s, 200);
	expect_span(l, 0, 0, s.a, 1, 200, SPAN_RUNNING);
	s.list = transitions_of(s.t, 5000, 0); /* in place of the oldest */
	put(&s, TRANSITION_ENTER, s.a, 2);
	s.list = transitions_of(s.t, 1, 0);
	assert_ptr_equal(s.list, s.t->lists);
	put(&s, TRANSITION_ENTER, s.b, 3);
	l = updated(&s, 200);
	assert_int_equal(l->id, 1);
	expect_span(l, 0, 0, s.a, 3, 200, SPAN_CUT_BEGIN | SPAN_RUNNING);
	expect_span(l, 1, 0, s.b, 3, 200, SPAN_RUNNING);
	small_end(&s);
}

static void the_last_tick_that_there_is_is_survived(void **state)
{
	const struct span_list *l;
	struct small s;

	(void)state;
	small_begin(&s, 2);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, INT64_MAX);
	(void)updated(&s, 10);
	put(&s, TRANSITION_ENTER, s.b, INT64_MAX);
	(void)updated(&s, 10);
	put(&s, TRANSITION_LEAVE, s.b, INT64_MAX);
	l = updated(&s, 10);
	assert_true(spans_covered(l, 0, 0, INT64_MAX) == 0);
	put(&s, TRANSITION_LEAVE, s.a, INT64_MAX);
	l = updated(&s, 10);
	assert_int_equal(l->depth, 0);
	small_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_a_span_on_the_row_of_its_depth),
		cmocka_unit_test(a_suspended_call_is_several_spans),
		cmocka_unit_test(a_call_without_length_is_there),
		cmocka_unit_test(what_is_open_goes_on),
		cmocka_unit_test(behind_a_gap_the_stack_is_known_from_what_is_next),
		cmocka_unit_test(what_does_not_nest_is_a_gap),
		cmocka_unit_test(a_node_that_is_not_there_yet_is_waited_for),
		cmocka_unit_test(what_transitions_drop_leaves_spans),
		cmocka_unit_test(times_of_a_window_are_parts_of_calls),
		cmocka_unit_test(programs_at_random_agree_with_the_oracle),
		cmocka_unit_test(a_deep_stack_has_its_rows),
		cmocka_unit_test(hostile_transitions_take_no_more_than_was_said),
		cmocka_unit_test(threads_come_and_go),
		cmocka_unit_test(a_list_that_comes_anew_is_read_anew),
		cmocka_unit_test(the_last_tick_that_there_is_is_survived),
	};

	return cmocka_run_group_tests_name("model: spans", tests, NULL, NULL);
}
