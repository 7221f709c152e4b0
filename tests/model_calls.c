/* SPDX-License-Identifier: MIT */
/*
 * model_calls: single calls out of transitions: by hand, then programs at random against an oracle that looks for the
 * entry of each exit backwards, with recursion, gaps, threads that end, and calls that are open at both ends.
 */
#include "model/query/path.h"
#include "model/stats/calls.h"
#include "tests/model_random.h"

#include "tests/long.h"

/* ---- a program of one thread by hand */

struct small {
	struct profile *p;
	struct keys *keys;
	struct transitions *t;
	struct transition_list *list;
	uint32_t a, b, inner; /* nodes a, a/b, a/b/a */
};

static void small_begin(struct small *s, uint64_t most)
{
	s->p = dsl_profile("main a 1 1 1\nmain a/b 1 1 1\nmain a/b/a 1 1 1\n");
	s->a = dsl_node(s->p, "main", "a");
	s->b = dsl_node(s->p, "main", "a/b");
	s->inner = dsl_node(s->p, "main", "a/b/a");
	s->keys = keys_new(false);
	assert_non_null(s->keys);
	assert_true(keys_update(s->keys, s->p));
	s->t = transitions_new(most);
	assert_non_null(s->t);
	s->list = transitions_of(s->t, 1, 0);
	assert_non_null(s->list);
}

static void small_end(struct small *s)
{
	transitions_free(s->t);
	keys_free(s->keys);
	profile_free(s->p);
}

static void put(struct small *s, enum transition_kind kind, uint32_t node, int64_t tick)
{
	assert_true(transitions_add(s->t, s->list, (struct transition){ tick, node, kind }));
}

static void call(struct small *s, uint32_t node, int64_t enter, int64_t leave)
{
	put(s, TRANSITION_ENTER, node, enter);
	put(s, TRANSITION_LEAVE, node, leave);
}

static struct calls *made_of(const struct small *s, uint32_t first, uint32_t n)
{
	struct scope scope = { .keys = s->keys, .threads = THREADS_ALL };
	struct calls *c = calls_make(s->p, &scope, s->t, CALLS_ALL_KEYS, first, n);

	assert_non_null(c);
	return c;
}

static struct calls *made(const struct small *s)
{
	return made_of(s, 0, CALLS_ALL_FRAMES);
}

static uint32_t key_of(const struct small *s, uint32_t node)
{
	return s->keys->of_node[node];
}

static void a_call_has_a_time_and_a_self_time(void **state)
{
	struct small s;
	struct calls *c;
	const struct key_calls *a, *b;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	call(&s, s.b, 20, 50);
	put(&s, TRANSITION_LEAVE, s.a, 60);
	c = made(&s);
	a = calls_of(c, key_of(&s, s.a));
	b = calls_of(c, key_of(&s, s.b));
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a->time.count, 1);
	assert_int_equal(a->time.max, 50);
	assert_int_equal(a->self.max, 20);
	assert_int_equal(a->since, 10);
	assert_int_equal(a->until, 60);
	assert_int_equal(b->time.median, 30);
	assert_int_equal(b->self.median, 30);
	assert_int_equal(b->slowest.enter, 20);
	assert_int_equal(b->slowest.leave, 50);
	assert_null(calls_of(c, 0));
	calls_free(c);
	small_end(&s);
}

/* Totals are read at one moment and single calls a little later: those that
 * ended in between are not of the totals. */
static void calls_end_when_their_report_does(void **state)
{
	struct small s;
	struct scope scope = { .threads = THREADS_ALL, .until = 50 };
	struct calls *c;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_START, 0, 5);
	put(&s, TRANSITION_ENTER, s.a, 10);
	call(&s, s.b, 20, 50);
	call(&s, s.b, 50, 51);
	put(&s, TRANSITION_LEAVE, s.a, 60);
	scope.keys = s.keys;
	c = calls_make(s.p, &scope, s.t, CALLS_ALL_KEYS, 0, CALLS_ALL_FRAMES);
	assert_non_null(c);
	assert_null(calls_of(c, key_of(&s, s.a)));
	assert_int_equal(calls_of(c, key_of(&s, s.b))->time.count, 1);
	assert_int_equal(calls_of(c, key_of(&s, s.b))->until, 50);
	calls_free(c);
	scope.since = 50; /* of a stretch of time: (50, 60] */
	scope.until = 60;
	c = calls_make(s.p, &scope, s.t, CALLS_ALL_KEYS, 0, CALLS_ALL_FRAMES);
	assert_non_null(c);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->time.count, 1);
	assert_int_equal(calls_of(c, key_of(&s, s.b))->time.max, 1);
	calls_free(c);
	small_end(&s);
}

/* Its stretches are no calls, nor is any of them what another call is measured by. */
static void a_suspended_call_is_left_out(void **state)
{
	struct small s;
	struct calls *c;
	const struct key_calls *a;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_SUSPEND, s.b, 30);
	put(&s, TRANSITION_RESUME, s.b, 40);
	put(&s, TRANSITION_SUSPEND, s.b, 55);
	put(&s, TRANSITION_RESUME, s.b, 60);
	put(&s, TRANSITION_LEAVE, s.b, 61);
	put(&s, TRANSITION_LEAVE, s.a, 100);
	c = made(&s);
	a = calls_of(c, key_of(&s, s.a));
	assert_int_equal(a->time.count, 1);
	assert_int_equal(a->time.max, 90);
	assert_int_equal(a->self.max, 90 - 10 - 15 - 1);
	assert_null(calls_of(c, key_of(&s, s.b)));
	assert_int_equal(calls_suspended(c, key_of(&s, s.b)), 1);
	assert_int_equal(calls_suspended(c, key_of(&s, s.a)), 0);
	calls_free(c);
	small_end(&s);
}

static void a_call_in_itself_is_a_call(void **state)
{
	struct small s;
	struct calls *c;
	const struct key_calls *a;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_ENTER, s.a, 0);
	put(&s, TRANSITION_ENTER, s.b, 10);
	call(&s, s.inner, 20, 50);
	put(&s, TRANSITION_LEAVE, s.b, 60);
	put(&s, TRANSITION_LEAVE, s.a, 100);
	c = made(&s);
	a = calls_of(c, key_of(&s, s.a));
	assert_int_equal(a->time.count, 2);
	assert_int_equal(a->time.min, 30);
	assert_int_equal(a->time.max, 100);
	assert_int_equal(a->self.min, 30);
	assert_int_equal(a->self.max, 50);
	calls_free(c);
	small_end(&s);
}

/* A call that is not known at one of its ends is no call. */
static void nothing_is_told_across_a_gap(void **state)
{
	struct small s;
	struct calls *c;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_LEAVE, s.b, 5); /* entered before the beginning */
	put(&s, TRANSITION_LEAVE, s.a, 10);
	put(&s, TRANSITION_ENTER, s.a, 20);
	put(&s, TRANSITION_GAP, 0, 30);
	put(&s, TRANSITION_LEAVE, s.a, 40);
	call(&s, s.a, 41, 45);
	put(&s, TRANSITION_ENTER, s.a, 50);
	put(&s, TRANSITION_END, 0, 60);
	put(&s, TRANSITION_ENTER, s.a, 70); /* open at the end */
	c = made(&s);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->time.count, 1);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->time.max, 4);
	assert_null(calls_of(c, key_of(&s, s.b)));
	assert_int_equal(s.list->gaps, 1);
	assert_false(calls_of(c, key_of(&s, s.a))->gaps); /* nothing was known of it before */
	calls_free(c);
	small_end(&s);

	small_begin(&s, 1000);
	call(&s, s.a, 10, 20);
	put(&s, TRANSITION_GAP, 0, 30);
	call(&s, s.b, 40, 45);
	call(&s, s.b, 50, 55);
	call(&s, s.a, 60, 65);
	c = made(&s);
	assert_true(calls_of(c, key_of(&s, s.a))->gaps);
	assert_false(calls_of(c, key_of(&s, s.b))->gaps);
	calls_free(c);
	small_end(&s);
}

/* Exits that were not recorded, which no writer leaves out, and ticks that go back. */
static void what_cannot_be_is_survived(void **state)
{
	struct small s;
	struct calls *c;

	(void)state;
	small_begin(&s, 1000);
	put(&s, TRANSITION_ENTER, s.a, 10);
	put(&s, TRANSITION_ENTER, s.b, 20);
	put(&s, TRANSITION_LEAVE, s.a, 30);
	put(&s, TRANSITION_ENTER, s.inner, 40);
	put(&s, TRANSITION_ENTER, s.a, 50);
	put(&s, TRANSITION_ENTER, UINT32_MAX, 55);
	put(&s, TRANSITION_LEAVE, UINT32_MAX, 57);
	put(&s, TRANSITION_LEAVE, s.a, 1);
	c = made(&s);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->time.count, 2);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->time.min, 7);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->self.min, 5);
	assert_null(calls_of(c, key_of(&s, s.b)));
	calls_free(c);
	small_end(&s);
}

/* A frame behind those that there are, and a part of it. */
static void frame(struct small *s, int64_t start, int64_t end, uint32_t flags)
{
	uint64_t number = s->p->frame_count + 1;
	struct profile_part part = { .bound = start, .end = end };

	assert_true(profile_add_frame(s->p, number, start, end - start, flags));
	assert_true(profile_set_part(s->p, number, &part));
}

static void expect_calls(const struct small *s, uint32_t first, uint32_t n, uint32_t count, int64_t most)
{
	struct calls *c = made_of(s, first, n);
	const struct key_calls *a = calls_of(c, key_of(s, s->a));

	assert_int_equal(a ? a->time.count : 0, count);
	assert_int_equal(a ? a->time.max : 0, most);
	calls_free(c);
}

/* Those that a report of these frames has in its row. */
static void calls_are_of_the_frames_that_are_summed(void **state)
{
	struct small s;

	(void)state;
	small_begin(&s, 1000);
	for (int i = 0; i < 10; i++)
		call(&s, s.a, i * 100, i * 100 + 10 + i);
	frame(&s, 0, 212, 0);               /* those of 10, 11 and 12 ticks, the last at its end */
	frame(&s, 212, 400, FRAME_DISCARDED); /* 13 */
	frame(&s, 400, 500, FRAME_BOUNDED); /* 14 */
	frame(&s, 700, 800, FRAME_BOUNDED); /* 17: 15 and 16 are between frames */
	expect_calls(&s, 0, 1, 3, 12);
	expect_calls(&s, 1, 1, 0, 0);
	expect_calls(&s, 0, 3, 4, 14);
	expect_calls(&s, 2, 2, 2, 17);
	expect_calls(&s, 0, 4, 5, 17);
	expect_calls(&s, 3, 9, 1, 17);
	expect_calls(&s, 0, 0, 0, 0);
	expect_calls(&s, 0, CALLS_ALL_FRAMES, 10, 19);
	small_end(&s);
}

static void of_several_slowest_calls_the_newest_is_told(void **state)
{
	struct small s;
	struct calls *c;

	(void)state;
	small_begin(&s, 1000);
	call(&s, s.a, 0, 20);
	call(&s, s.a, 100, 120);
	call(&s, s.a, 200, 210);
	c = made(&s);
	assert_int_equal(calls_of(c, key_of(&s, s.a))->slowest.enter, 100);
	calls_free(c);
	small_end(&s);
}

static void the_oldest_leave_the_longest_list(void **state)
{
	struct small s;
	struct transition_list *other;

	(void)state;
	small_begin(&s, 100);
	other = transitions_of(s.t, 2, 0);
	s.list = transitions_of(s.t, 1, 0);
	assert_ptr_equal(transitions_of(s.t, 2, 0), other);
	for (int i = 0; i < 10; i++)
		assert_true(transitions_add(s.t, other, (struct transition){ i, s.a, TRANSITION_ENTER }));
	for (int i = 0; i < 1000; i++) {
		call(&s, s.a, 10 * i, 10 * i + 1);
		assert_true(s.t->total <= 100);
		assert_int_equal(s.t->total, s.list->count + other->count);
	}
	assert_int_equal(other->count, 10);
	assert_true(s.list->count > 80);
	assert_int_equal(s.list->at[s.list->count - 1].tick, 9991);
	assert_int_equal(s.list->at[0].tick, s.list->at[1].tick - (s.list->at[0].kind == TRANSITION_ENTER ? 1 : 9));
	small_end(&s);
}

static void a_histogram_has_every_call(void **state)
{
	static const int64_t times[] = { 0, 1, 1, 2, 3, 10, 100, 101, 1000, 1000 };
	struct small s;
	struct calls *c;
	uint32_t out[8], n, sum = 0;
	int64_t edges[9], now = 0;

	(void)state;
	small_begin(&s, 1000);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		call(&s, s.a, now, now + times[i]);
		now += times[i] + 1;
	}
	c = made(&s);
	assert_int_equal(calls_histogram(c, key_of(&s, s.b), 8, out, edges), 0);
	n = calls_histogram(c, key_of(&s, s.a), 8, out, edges);
	assert_true(n > 3 && n <= 8);
	assert_int_equal(edges[0], 0);
	assert_int_equal(edges[n], 1000);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t within = 0;

		assert_true(edges[i] < edges[i + 1]);
		for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++)
			within += times[k] >= edges[i] &&
				  (times[k] < edges[i + 1] || (i == n - 1 && times[k] == edges[n]));
		assert_int_equal(out[i], within);
		sum += out[i];
	}
	assert_int_equal(sum, 10);
	calls_free(c);
	small_end(&s);
}

/* ---- programs at random */

#define STEPS 600

struct wild {
	struct profile *p;
	struct transitions *t;
	struct transition log[3][STEPS]; /* as it was given, by list */
	uint32_t steps;
};

static uint32_t random_child(const struct profile *p, uint32_t node)
{
	uint32_t found = PROFILE_NONE, seen = 0;

	for (uint32_t i = node + 1; i < p->node_count; i++)
		if (p->nodes[i].parent == node && !random_below(++seen))
			found = i;
	return found;
}

/* A thread's way through its stacks; now and then something of it is lost, or it ends. */
static void run_thread(struct wild *w, uint32_t thread)
{
	uint32_t root = w->p->threads[thread].root, at = root;
	struct transition_list *list = transitions_of(w->t, 100 + thread, thread);
	int64_t now = random_below(1000);
	bool lost = false, begun = random_below(2);

	for (uint32_t done = 0; done < w->steps;) {
		uint32_t child = random_below(3) ? random_child(w->p, at) : PROFILE_NONE, rare = random_below(200);
		struct transition n = { now, 0, TRANSITION_GAP };

		now += random_below(5) ? random_below(1000) : 0;
		n.tick = now;
		if (rare == 0) {
			lost = true;
			continue;
		}
		if (!begun && at == root && rare == 2) {
			n.kind = TRANSITION_START;
			begun = true;
		} else if (rare == 1 && !lost) {
			n.kind = TRANSITION_END;
			at = root;
		} else if (lost && rare > 190) {
			lost = false;
		} else if (child != PROFILE_NONE) {
			n = (struct transition){ now, child, random_below(6) ? TRANSITION_ENTER : TRANSITION_RESUME };
			at = child;
		} else if (at != root) {
			n = (struct transition){ now, at, random_below(6) ? TRANSITION_LEAVE : TRANSITION_SUSPEND };
			at = w->p->nodes[at].parent;
		} else {
			continue;
		}
		if (lost)
			continue;
		w->log[thread][done++] = n;
		assert_true(transitions_add(w->t, list, n));
	}
}

/* The entry of the exit at i, or UINT32_MAX; *self: its time without what it called. */
static uint32_t entry_of(const struct transition *log, uint32_t i, int64_t *self)
{
	uint32_t depth = 0;
	int64_t outside = log[i].tick, inside = 0;

	for (uint32_t k = i; k-- > 0;) {
		if (transition_leaves(log[k].kind)) {
			if (!depth++)
				outside = log[k].tick;
		} else if (transition_enters(log[k].kind) && depth) {
			if (!--depth)
				inside += outside - log[k].tick;
		} else if (log[k].kind == TRANSITION_ENTER) {
			*self = log[i].tick - log[k].tick - inside;
			return log[k].node == log[i].node ? k : UINT32_MAX;
		} else {
			return UINT32_MAX;
		}
	}
	return UINT32_MAX;
}

struct expected {
	int64_t time[3 * STEPS], self[3 * STEPS], slowest, since;
	uint32_t count;
};

/* In a part that is summed, whichever frame has it. */
static bool is_summed(const struct wild *w, uint32_t thread, int64_t tick, uint32_t first, uint32_t n)
{
	for (uint32_t i = first; i < w->p->frame_count && i - first < n; i++) {
		const struct profile_held *part = profile_find_part(&w->p->frames[i], thread);

		if (part && part->bound < tick && tick <= part->end)
			return !(w->p->frames[i].flags & FRAME_DISCARDED);
	}
	return false;
}

static void expect_key(const struct wild *w, const struct scope *s, uint32_t key, uint32_t first, uint32_t n,
		       struct expected *out)
{
	*out = (struct expected){ .since = INT64_MAX, .slowest = -1 };
	for (uint32_t thread = 0; thread < 3; thread++)
		for (uint32_t i = 0; i < w->steps; i++) {
			const struct transition *log = w->log[thread];
			uint32_t entry;

			if (log[i].kind != TRANSITION_LEAVE || s->keys->of_node[log[i].node] != key ||
			    (s->members && !s->members[log[i].node]) ||
			    !profile_selects(w->p, s->threads, thread) ||
			    (n != CALLS_ALL_FRAMES && !is_summed(w, thread, log[i].tick, first, n)))
				continue;
			entry = entry_of(log, i, &out->self[out->count]);
			if (entry == UINT32_MAX || log[entry].kind == TRANSITION_RESUME)
				continue;
			out->time[out->count] = log[i].tick - log[entry].tick;
			if (out->time[out->count] > out->slowest)
				out->slowest = out->time[out->count];
			if (log[entry].tick < out->since)
				out->since = log[entry].tick;
			out->count++;
		}
}

static void expect_statistics(const struct statistics *found, int64_t *values, uint32_t n)
{
	struct statistics sorted = statistics_of(values, n);

	assert_int_equal(found->count, n);
	assert_int_equal(found->min, sorted.min);
	assert_int_equal(found->median, sorted.median);
	assert_int_equal(found->p90, sorted.p90);
	assert_int_equal(found->p99, sorted.p99);
	assert_int_equal(found->max, sorted.max);
	assert_true(found->mean * n - sorted.mean * n < 0.5 && sorted.mean * n - found->mean * n < 0.5);
	for (unsigned percent = 50; percent <= 99; percent++) { /* the p-th is the one of rank ceil(p n / 100) */
		uint32_t rank = (n * percent + 99) / 100;

		if (percent == 50 || percent == 90 || percent == 99)
			assert_int_equal(percent == 50 ? found->median : percent == 90 ? found->p90 : found->p99,
					 values[rank - 1]);
	}
}

static void expect_histogram(const struct calls *c, uint32_t key, const struct key_calls *k)
{
	uint32_t out[20], n = calls_histogram(c, key, 1 + random_below(20), out, (int64_t[21]){ 0 }), sum = 0;

	assert_true(n > 0 && n <= 20);
	for (uint32_t i = 0; i < n; i++)
		sum += out[i];
	assert_int_equal(sum, k->time.count);
}

static void compare(const struct wild *w, const struct scope *s, uint32_t only, uint32_t first, uint32_t n)
{
	struct calls *c = calls_make(w->p, s, w->t, only, first, n);
	struct expected *e = malloc(sizeof(*e));

	assert_non_null(c);
	assert_non_null(e);
	for (uint32_t key = 0; key < s->keys->count; key++) {
		const struct key_calls *k = calls_of(c, key);

		expect_key(w, s, key, first, n, e);
		if (only != CALLS_ALL_KEYS && only != key)
			e->count = 0;
		if (!e->count) {
			assert_null(k);
			continue;
		}
		assert_non_null(k);
		expect_statistics(&k->time, e->time, e->count);
		expect_statistics(&k->self, e->self, e->count);
		assert_int_equal(k->slowest.leave - k->slowest.enter, e->slowest);
		assert_int_equal(k->since, e->since);
		expect_histogram(c, key, k);
	}
	free(e);
	calls_free(c);
}

/* Frames over all that was done: some discarded, some with time between them; threads say of one, or of several at
 * once, and end each at a tick of its own. */
static void run_frames(struct wild *w)
{
	int64_t bound[3] = { 0 }, end = random_below(1000);

	profile_drop_frames(w->p, w->p->frame_count);
	for (uint64_t number = 1000; number < 1020; number++) {
		int64_t start = end + (random_below(4) ? 0 : random_below(5000));
		uint32_t flags = random_below(4) ? 0 : FRAME_DISCARDED;

		end = start + 1 + random_below(20000);
		assert_true(profile_add_frame(w->p, number, start, end - start, flags));
		for (uint32_t thread = 0; thread < 3; thread++) {
			struct profile_part part = { .thread = thread, .bound = bound[thread] };

			if (!random_below(4))
				continue;
			part.bound = part.bound > start || random_below(4) ? part.bound : start;
			part.end = end + (random_below(3) ? 0 : random_below(50));
			bound[thread] = part.end;
			assert_true(profile_set_part(w->p, number, &part));
		}
	}
}

static void wild_round(uint64_t seed)
{
	struct wild *w = calloc(1, sizeof(*w));
	struct path path = { 0 };
	uint32_t place;

	random_state = seed;
	assert_non_null(w);
	w->p = random_profile();
	while (w->p->node_count < 60)
		profile_add_node(w->p, random_below(w->p->node_count), 1 + random_below(5));
	w->t = transitions_new(TRANSITIONS_MOST);
	assert_non_null(w->t);
	w->steps = 1 + random_below(STEPS);
	for (uint32_t thread = 0; thread < 3; thread++)
		run_thread(w, thread);
	run_frames(w);
	for (unsigned spread = 0; spread < 2; spread++) {
		struct keys *keys = keys_new(spread);
		struct scope s = { .keys = keys };
		uint32_t first = random_below(w->p->frame_count);

		assert_non_null(keys);
		assert_true(keys_update(keys, w->p));
		s.threads = THREADS_ALL;
		compare(w, &s, CALLS_ALL_KEYS, 0, CALLS_ALL_FRAMES);
		compare(w, &s, random_below(keys->count), first, random_below(10));
		s.threads = random_below(2) ? random_below(3) : THREADS_NAMED(random_below(3));
		compare(w, &s, CALLS_ALL_KEYS, 0, CALLS_ALL_FRAMES);
		path_begin(&path, &place, keys->id[1 + random_below(keys->count - 1)]);
		s.members = path_members(&path, w->p, keys);
		assert_non_null(s.members);
		compare(w, &s, CALLS_ALL_KEYS, 0, CALLS_ALL_FRAMES);
		free((void *)s.members);
		keys_free(keys);
	}
	transitions_free(w->t);
	profile_free(w->p);
	free(w);
}

static void programs_at_random_agree_with_the_oracle(void **state)
{
	unsigned long rounds = test_times(60, 3000);

	(void)state;
	for (uint64_t seed = 1; seed <= rounds; seed++)
		wild_round(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_a_time_and_a_self_time),
		cmocka_unit_test(calls_end_when_their_report_does),
		cmocka_unit_test(a_suspended_call_is_left_out),
		cmocka_unit_test(a_call_in_itself_is_a_call),
		cmocka_unit_test(nothing_is_told_across_a_gap),
		cmocka_unit_test(what_cannot_be_is_survived),
		cmocka_unit_test(calls_are_of_the_frames_that_are_summed),
		cmocka_unit_test(of_several_slowest_calls_the_newest_is_told),
		cmocka_unit_test(the_oldest_leave_the_longest_list),
		cmocka_unit_test(a_histogram_has_every_call),
		cmocka_unit_test(programs_at_random_agree_with_the_oracle),
	};

	return cmocka_run_group_tests_name("model: single calls", tests, NULL, NULL);
}
