/* SPDX-License-Identifier: MIT */
/*
 * model_transitions: which transitions stay when there are more than may be held: the newest, and those of stretches
 * that are spared; at random, against a log that forgets nothing, and with spans that follow them.
 */
#include "model/boxes/spans.h"
#include "model/profile/transitions.h"
#include "tests/model_random.h"

#include "tests/long.h"

#define LISTS 2
#define LOG 6000

struct program {
	struct profile *p;
	struct transitions *t;
	struct spans *spans;
	uint32_t node[3]; /* a, a/b, a/b/a */
	struct transition log[LISTS][LOG];
	uint32_t count[LISTS], depth[LISTS];
	int64_t now;
};

static void begin(struct program *g, uint64_t most)
{
	*g = (struct program){ .p = dsl_profile("main a 1 1 1\nmain a/b 1 1 1\nmain a/b/a 1 1 1\n") };
	g->node[0] = dsl_node(g->p, "main", "a");
	g->node[1] = dsl_node(g->p, "main", "a/b");
	g->node[2] = dsl_node(g->p, "main", "a/b/a");
	g->t = transitions_new(most);
	g->spans = spans_new();
	assert_non_null(g->t);
	assert_non_null(g->spans);
}

static void end(struct program *g)
{
	spans_free(g->spans);
	transitions_free(g->t);
	profile_free(g->p);
}

static void step(struct program *g, uint32_t list)
{
	uint32_t *depth = &g->depth[list];
	bool enter = *depth == 0 || (*depth < 3 && random_below(2));
	struct transition n = { g->now += 1 + random_below(9), 0, enter ? TRANSITION_ENTER : TRANSITION_LEAVE };
	struct transition_list *l = transitions_of(g->t, list, 0);

	n.node = g->node[enter ? (*depth)++ : --*depth];
	assert_non_null(l);
	assert_true(transitions_add(g->t, l, n));
	g->log[list][g->count[list]++] = n;
}

static bool is_spared(const struct program *g, int64_t tick)
{
	for (uint32_t i = 0; i < g->t->spared_count; i++)
		if (tick >= g->t->spared[i].begin && tick <= g->t->spared[i].end)
			return true;
	return false;
}

/* The held transitions are in the log's order. There is a gap where something was left out, and nowhere else.
 * The newest is held. Returns how many of a stretch are not. */
static uint32_t check_list(const struct program *g, uint32_t list)
{
	const struct transition_list *l = transitions_find(g->t, list);
	uint32_t next = 0, missed = 0;
	bool gap = true;

	for (uint32_t i = 0; l && i < l->count; i++) {
		const struct transition *n = &l->at[i];
		uint32_t left_out = 0;

		if (n->kind == TRANSITION_GAP) {
			assert_false(gap && i);
			gap = true;
			continue;
		}
		for (; g->log[list][next].tick != n->tick; next++, left_out++)
			missed += is_spared(g, g->log[list][next].tick);
		assert_true(next < g->count[list]);
		assert_true(gap == (left_out > 0) || i == 0);
		assert_int_equal(g->log[list][next].node, n->node);
		next++;
		gap = false;
	}
	assert_false(gap && g->count[list]);
	assert_int_equal(next, g->count[list]);
	return missed;
}

static void same_spans(const struct spans *a, const struct spans *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->held, b->held);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_int_equal(a->lists[i].depth, b->lists[i].depth);
		assert_int_equal(a->lists[i].known_count, b->lists[i].known_count);
		for (uint32_t k = 0; k < a->lists[i].known_count; k++) {
			assert_int_equal(a->lists[i].known[k].begin, b->lists[i].known[k].begin);
			assert_int_equal(a->lists[i].known[k].end, b->lists[i].known[k].end);
		}
		for (uint32_t d = 0; d < a->lists[i].depth; d++) {
			struct box_row one = spans_row(&a->lists[i], d), other = spans_row(&b->lists[i], d);

			assert_int_equal(one.count, other.count);
			assert_memory_equal(one.begin, other.begin, one.count * sizeof(*one.begin));
			assert_memory_equal(one.end, other.end, one.count * sizeof(*one.end));
		}
	}
}

/* Those who followed all along have what one has who begins now. */
static void check_spans(struct program *g)
{
	struct spans *fresh = spans_new();

	assert_non_null(fresh);
	assert_true(spans_update(g->spans, g->p, g->t, g->now));
	assert_true(spans_update(fresh, g->p, g->t, g->now));
	same_spans(g->spans, fresh);
	spans_free(fresh);
}

/* The stretches of some frames that are the longest by now: new ones come, and old ones go. */
static void spare_some(struct program *g)
{
	struct transition_stretch stretches[4];
	uint32_t count = g->t->spared_count;

	for (uint32_t i = 0; i < count; i++)
		stretches[i] = g->t->spared[i];
	if (count == 4)
		stretches[random_below(4)] = stretches[--count];
	stretches[count++] = (struct transition_stretch){ g->now - random_below(80), g->now };
	for (uint32_t i = 0; i + 1 < count; i++)
		if (stretches[count - 1].begin <= stretches[i].end)
			stretches[count - 1].begin = stretches[i].end + 1;
	transitions_spare(g->t, stretches, count);
}

static void what_is_spared_stays(void **state)
{
	(void)state;
	for (unsigned long turn = 0; turn < test_times(400, 4000); turn++) {
		struct program *g = malloc(sizeof(*g));

		assert_non_null(g);
		begin(g, 600 + random_below(600));
		g->t->followed = turn % 2;
		for (uint32_t i = 0; i < LOG; i++) {
			step(g, random_below(4) ? 0 : 1);
			assert_true(g->t->total <= g->t->most);
			if (random_below(300) == 0)
				spare_some(g);
			if (random_below(100))
				continue;
			for (uint32_t l = 0; l < LISTS; l++)
				assert_int_equal(check_list(g, l), 0);
			check_spans(g);
		}
		assert_true(g->t->lists[0].first > 0);
		end(g);
		free(g);
	}
}

/* Where all is spared the oldest go all the same. */
static void there_are_never_too_many(void **state)
{
	struct transition_stretch all = { 0, INT64_MAX };
	struct program *g = malloc(sizeof(*g));

	(void)state;
	assert_non_null(g);
	begin(g, 100);
	transitions_spare(g->t, &all, 1);
	for (uint32_t i = 0; i < 3000; i++) {
		step(g, i % 7 == 0);
		assert_true(g->t->total <= g->t->most);
	}
	assert_true(check_list(g, 0) > 2000);
	assert_true(g->t->total > 80);
	check_spans(g);
	end(g);
	free(g);
}

static void add_many(struct transitions *t, uint64_t id, uint32_t thread, int64_t from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		assert_true(transitions_add(t, transitions_of(t, id, thread),
					    (struct transition){ from + i, 1, i & 1 ? TRANSITION_LEAVE : TRANSITION_ENTER }));
}

/* A thread that has much in what is spared keeps as much of its newest as the others: it is not always its turn. */
static void what_is_new_is_held_beside_what_is_spared(void **state)
{
	struct transitions *t = transitions_new(10000);
	struct transition_stretch spared = { 0, 3999 };
	const struct transition_list *busy;
	int64_t since;

	(void)state;
	transitions_spare(t, &spared, 1);
	add_many(t, 1, 0, 0, 4000); /* of the one all of this is spared, of the others nothing */
	add_many(t, 2, 1, 5000, 2900);
	add_many(t, 3, 2, 5000, 2900);
	add_many(t, 1, 0, 10000, 50000);
	busy = transitions_find(t, 1);
	since = transitions_since(busy);
	assert_int_equal(busy->at[0].tick, 0);
	assert_true(since <= 60000 - 1000); /* a third of its share, 2,000, leaves at once */
	assert_true(since > 10000);
	assert_true(transitions_find(t, 2)->count > 1500 && transitions_find(t, 3)->count > 1500);
	transitions_free(t);
}

/* A reader need not read again what stays. */
static void what_stays_keeps_its_numbers(void **state)
{
	struct transitions *t = transitions_new(1000);
	struct transition_stretch spared = { 400, 409 };
	const struct transition_list *list = transitions_of(t, 1, 0);
	uint32_t moved = 0, drops = 0;

	(void)state;
	transitions_spare(t, &spared, 1);
	for (int64_t tick = 0; tick < 5000; tick++) { /* one a tick, so that the number is the tick */
		add_many(t, 1, 0, tick, 1);
		drops += list->moved != moved;
		moved = list->moved;
		assert_int_equal(list->first + list->count, tick + 1);
		assert_true(!moved || (list->first < list->steady && list->steady <= (uint64_t)tick));
		for (uint64_t i = list->first > list->steady ? list->first : list->steady; moved && i <= (uint64_t)tick; i++)
			assert_int_equal(list->at[i - list->first].tick, i);
		assert_true(!moved || list->at[TRANSITIONS_AROUND].tick == 400);
	}
	assert_true(drops > 5);
	transitions_free(t);
}

/* Stretches of a damaged region may be anything. */
static void stretches_that_overlap_or_end_before_they_begin(void **state)
{
	struct transition_stretch s[TRANSITIONS_SPARED + 5];

	(void)state;
	for (int turn = 0; turn < 20; turn++) {
		struct program *g = malloc(sizeof(*g));

		assert_non_null(g);
		begin(g, 300);
		for (uint32_t i = 0; i < 5000; i++) {
			if (i % 100 == 0) {
				for (uint32_t k = 0; k < TRANSITIONS_SPARED + 5; k++)
					s[k] = (struct transition_stretch){ random_below(30000) - 100, random_below(30000) };
				transitions_spare(g->t, s, random_below(TRANSITIONS_SPARED + 6));
			}
			step(g, random_below(2));
			assert_true(g->t->total <= g->t->most);
		}
		check_list(g, 0);
		check_list(g, 1);
		check_spans(g);
		end(g);
		free(g);
	}
}

/* More threads, where more transitions may be held; and what has no room is counted. */
static void very_many_threads(void **state)
{
	static const uint64_t most[] = { 1000, UINT64_C(1) << 24, UINT64_C(1) << 27 };
	static const uint32_t lists[] = { 1024, 8192, 10000 };

	(void)state;
	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++) {
		struct transitions *t = transitions_new(most[i]);

		for (uint32_t id = 0; id < 10000; id++)
			add_many(t, id, 0, id, 2);
		assert_int_equal(t->total + t->left_out, 20000);
		assert_int_equal(t->count, lists[i]);
		assert_true(t->total <= most[i]);
		for (uint32_t id = 9999; i && id > 9900; id--)
			assert_int_equal(transitions_find(t, id)->id, id);
		assert_true(!i || !transitions_find(t, 3) == (lists[i] < 10000));
		transitions_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_spared_stays),
		cmocka_unit_test(there_are_never_too_many),
		cmocka_unit_test(what_is_new_is_held_beside_what_is_spared),
		cmocka_unit_test(what_stays_keeps_its_numbers),
		cmocka_unit_test(stretches_that_overlap_or_end_before_they_begin),
		cmocka_unit_test(very_many_threads),
	};

	return cmocka_run_group_tests_name("model: transitions that are held", tests, NULL, NULL);
}
