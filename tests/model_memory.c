/* SPDX-License-Identifier: MIT */
/*
 * Out of memory: everything that the model does is done again with its 1st allocation failing, then
 * its 2nd, and so on until none fails. Each time it says so or goes on without, nothing is freed
 * twice or lost (which the pass under AddressSanitizer sees), and the profile stays usable.
 */
#include "model/boxes/spans.h"
#include "model/query/query.h"
#include "model/stats/open_stacks.h"
#include "model/stats/check.h"
#include "model/stats/counters.h"
#include "tests/failing_memory.h"
#include "tests/model_dsl.h"

static int64_t allocations_left = -1; /* -1: no end */

static bool may_allocate(void)
{
	if (allocations_left < 0)
		return true;
	if (allocations_left == 0)
		return false;
	allocations_left--;
	return true;
}

static struct profile *game(void)
{
	return dsl_profile("main . 10 0\nmain a 100 2\nmain a/b/a 50 3\npool b 10 1\n"
			   "frame 1 16000000\nmain a 70 1\npool b 9 1\n"
			   "frame 2 16000000\nmain a 80 1\npool . 9 0\n");
}

/* Runs `work` with ever more memory until it says that it had enough. */
static void with_ever_more_memory(bool (*work)(struct profile *p))
{
	bool done = false;

	for (int64_t n = 0; !done; n++) {
		struct profile *p = game();
		uint32_t nodes = p->node_count, frames = p->frame_count;

		assert_true(n < 100000);
		allocations_left = n;
		done = work(p);
		allocations_left = -1;
		assert_true(p->node_count >= nodes && p->frame_count >= frames);
		for (uint32_t i = 1; i < p->node_count; i++)
			assert_true(p->nodes[i].parent < i || p->nodes[i].parent == PROFILE_NONE);
		profile_free(p);
	}
}

static bool make_profile(struct profile *p)
{
	struct profile *own = profile_new();

	(void)p;
	profile_free(own);
	return own;
}

static bool feed_profile(struct profile *p)
{
	struct profile_cell cell = { 0, 5, 0, 0 };
	struct profile_part part = { .end = 5, .cell_count = 1, .cells = &cell };
	bool done = true; /* every other part is a wide one */
	char name[16];

	for (uint32_t i = 0; i < 200; i++) {
		uint32_t zone, thread;

		snprintf(name, sizeof(name), "z%u", i);
		zone = profile_add_zone(p, name, "f.c", i, 0);
		thread = profile_add_thread(p, 100 + i, 0, name);
		done = done && zone != PROFILE_NONE && thread != PROFILE_NONE;
		if (zone == PROFILE_NONE || thread == PROFILE_NONE)
			continue;
		done = profile_add_node(p, p->threads[thread].root, zone) != PROFILE_NONE && done;
		done = profile_add_frame(p, 3 + i, 0, 1, 0) && done;
		done = profile_set_loss(p, name, "lost", i) && done;
		cell.longest = (int64_t)(i % 2) << 40;
		if (profile_find_frame(p, 3 + i)) {
			done = profile_set_part(p, 3 + i, &part) && done;
			profile_name_frame(p, name);
			done = p->frames[p->frame_count - 1].name && done;
		}
	}
	return done;
}

/* A copy, and a part put into a frame that the two share. */
static bool copy_profile(struct profile *p)
{
	struct profile_part part = { .end = 5 };
	struct profile *copy;
	int64_t limit = allocations_left;
	bool done;

	allocations_left = -1;
	profile_name_frame(p, "called");
	allocations_left = limit;
	copy = profile_copy(p);
	done = copy && profile_set_part(p, 1, &part);

	if (copy) {
		assert_int_equal(copy->frames[0].parts[0].cell_count, 1);
		assert_string_equal(profile_frame_name(copy, &copy->frames[1]), "called");
	}
	assert_int_equal(p->frames[0].parts[0].cell_count, !done);
	assert_int_equal(p->frames[0].parts[1].cell_count, 1);
	profile_free(copy);
	return done;
}

/* Values and instants in any order; what could not be had is not there, and the rest stands in its order. */
static bool feed_values(struct profile *p)
{
	struct profile *copy;
	bool done = true;
	char name[16];

	for (uint32_t i = 0; i < 100; i++) {
		struct profile_change change = { .tick = 1 + i * 7 % 100, .last.whole = i };
		uint32_t counter, track, event;

		snprintf(name, sizeof(name), "n%u", i);
		counter = profile_add_counter(p, name, false, i % 2);
		event = profile_add_event(p, name);
		track = profile_add_track(p, counter, i % 2 ? PROFILE_NONE : 0, 0);
		done = done && event != PROFILE_NONE && track != PROFILE_NONE;
		done = profile_add_change(p, 0, &change) && done;
		done = profile_add_instant(p, change.tick, 0, event, NULL, false) && done;
		done = profile_add_instant(p, change.tick, 0, PROFILE_NONE, name, false) && done;
	}
	for (uint32_t i = 1; i < p->instant_count; i++)
		assert_true(p->instants[i - 1].tick <= p->instants[i].tick);
	for (uint32_t i = 1; p->track_count && i < p->tracks[0].change_count; i++)
		assert_true(p->tracks[0].changes[i - 1].tick < p->tracks[0].changes[i].tick);
	copy = profile_copy(p);
	profile_free(copy);
	return done && copy;
}

static bool report_counters(struct profile *p)
{
	struct counter_options o = { .from = 0, .to = -1, .filter = "~^n" };
	struct counter_report *r;
	struct counter_value v;
	int64_t limit = allocations_left;
	char why[128] = "";

	allocations_left = -1;
	assert_true(feed_values(p));
	allocations_left = limit;
	r = counters_make(p, &o, why, sizeof(why));
	assert_true(r || *why);
	v = counters_in_frame(p, 0, 0, &p->frames[0]);
	counters_free(r);
	return r && v.known;
}

static bool make_averages(struct profile *p)
{
	struct averages *a = averages_new();
	bool done = a && averages_update(a, p);

	for (enum average_slot slot = 0; done && slot < AVERAGE_SLOTS; slot++) {
		struct values *v = values_average(a, p, slot);

		done = v;
		values_free(v);
	}
	done = done && averages_reset(a, p);
	averages_free(a);
	return done;
}

static bool make_statistics(struct profile *p)
{
	struct keys *k = keys_new(true);
	struct heat *h = k ? heat_new(k, THREADS_ALL, AVERAGE_FAST) : NULL;
	struct statistics s;
	bool done = h && keys_update(k, p) && heat_update(h, p) &&
		    statistics_of_lengths(p, 0, 2, &s);

	heat_free(h);
	keys_free(k);
	return done;
}

/* It can be used on: whatever failed before is there when there is memory. */
static void expect_usable(struct query *l, const struct query_options *o)
{
	int64_t limit = allocations_left;

	allocations_left = -1;
	assert_true(query_look(l, o) && query_update(l));
	while (query_work(l, 1))
		;
	assert_non_null(query_values(l));
	assert_non_null(query_trend(l));
	allocations_left = limit;
}

static bool look_around(struct query *l, struct profile *p)
{
	struct query_options o = *query_options(l);
	bool done = query_values(l);

	o.spread = true;
	o.threads = THREADS_NAMED(0);
	done = query_look(l, &o) && done;
	o.path.ids[o.path.length++] = key_id(p, 1, 1);
	o.frame = 2;
	done = query_look(l, &o) && done;
	while (query_work(l, 1))
		;
	done = query_heat(l) && done;
	profile_add_node(p, 0, 1); /* members become more */
	done = query_values(l) && done;
	done = query_update(l) && done;
	done = query_reset(l) && done;
	expect_usable(l, &o);
	return done;
}

static bool use_query(struct profile *p)
{
	struct query *l = query_new(p), *other;
	bool done = l && look_around(l, p);

	other = l ? query_copy(l, p) : NULL;
	query_free(l);
	query_free(other);
	return done && other;
}

static bool make_report(const struct profile *p, const struct values *v,
			const struct report_options *o)
{
	char why[256] = "";
	struct report *r = NULL;
	struct layout *l = NULL, *window = NULL;
	struct layout_widths widths = { 0 };
	enum report_error error = report_make(p, v, o, &r, why, sizeof(why));

	if (error == REPORT_OK)
		l = layout_make(r, 60, true);
	else
		assert_true(*why);
	if (l)
		window = layout_window(r, 200, false, 1, 5, &widths);
	layout_free(window);
	layout_free(l);
	report_free(r);
	return window;
}

static bool make_reports(struct profile *p)
{
	struct values *v = values_of_run(p);
	bool done = v;

	for (int i = 0; done && i < REPORT_VIEWS * 2; i++) {
		struct report_options o = REPORT_OPTIONS_DEFAULT;

		o.view = i / 2;
		o.spread = i % 2;
		o.zone = "a";
		o.thread = i % 2 ? THREADS_ALL : THREADS_EACH;
		done = make_report(p, v, &o);
	}
	values_free(v);
	return done;
}

static bool check_frames(struct profile *p)
{
	char why[128] = "";
	struct check *c = check_new("p99<20ms, zone a self max<1s, zone b count mean>0.5", false, why, sizeof(why));
	bool done = c && check_find(c, p, why, sizeof(why));

	assert_true(done || *why);
	for (uint32_t i = 0; done && i < p->frame_count; i++)
		done = check_add(c, p, &p->frames[i]) == CHECK_TAKEN;
	done = done && check_judge(c, p->ticks_per_s, 10, 0);
	check_free(c);
	return done;
}

static bool take_stacks(struct profile *p)
{
	struct open_stacks *o = open_stacks_new(p, OPEN_ROWS_MOST);
	bool done = o && open_stacks_add_thread(o, p, 0, false, 1, 2);

	for (uint32_t node = 1; done && node < p->node_count; node++)
		done = open_stacks_add_zone(o, p, node, 1);
	open_stacks_free(o);
	return done;
}

/* Parts that failed for want of memory are there at the next update. */
static bool make_spans(struct profile *p)
{
	uint32_t a = dsl_node(p, "main", "a"), b = dsl_node(p, "main", "a/b");
	int64_t left = allocations_left;
	struct transitions *t;
	struct spans *s;
	bool done = true;

	allocations_left = -1; /* for what it is made of */
	t = transitions_new(1000);
	assert_non_null(t);
	for (uint32_t i = 0; i < 200; i++) {
		struct transition_list *list = transitions_of(t, 1 + i % 2, 0);

		assert_true(transitions_add(t, list, (struct transition){ i, i % 4 < 2 ? a : b, i % 8 < 4 ? TRANSITION_ENTER
													 : TRANSITION_GAP }));
	}
	allocations_left = left;
	s = spans_new();
	if (s && !spans_update(s, p, t, 200)) {
		done = false;
		allocations_left = -1;
		assert_true(spans_update(s, p, t, 200));
	}
	if (s) {
		assert_int_equal(s->count, 2);
		assert_int_equal(s->held, 100);
	}
	spans_free(s);
	transitions_free(t);
	return s && done;
}

static void a_new_profile(void **state)
{
	(void)state;
	with_ever_more_memory(make_profile);
}

static void feeding(void **state)
{
	(void)state;
	with_ever_more_memory(feed_profile);
}

static void copying(void **state)
{
	(void)state;
	with_ever_more_memory(copy_profile);
}

static void feeding_values(void **state)
{
	(void)state;
	with_ever_more_memory(feed_values);
}

static void counting(void **state)
{
	(void)state;
	with_ever_more_memory(report_counters);
}

static void averaging(void **state)
{
	(void)state;
	with_ever_more_memory(make_averages);
}

static void statistics_and_heat(void **state)
{
	(void)state;
	with_ever_more_memory(make_statistics);
}

static void looking(void **state)
{
	(void)state;
	with_ever_more_memory(use_query);
}

static void reporting(void **state)
{
	(void)state;
	with_ever_more_memory(make_reports);
}

static void checking(void **state)
{
	(void)state;
	with_ever_more_memory(check_frames);
}

static void calls_as_spans(void **state)
{
	(void)state;
	with_ever_more_memory(make_spans);
}

static void open_zones(void **state)
{
	(void)state;
	with_ever_more_memory(take_stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_profile),
		cmocka_unit_test(feeding),
		cmocka_unit_test(copying),
		cmocka_unit_test(feeding_values),
		cmocka_unit_test(counting),
		cmocka_unit_test(averaging),
		cmocka_unit_test(statistics_and_heat),
		cmocka_unit_test(looking),
		cmocka_unit_test(reporting),
		cmocka_unit_test(checking),
		cmocka_unit_test(open_zones),
		cmocka_unit_test(calls_as_spans),
	};

	return cmocka_run_group_tests_name("model: out of memory", tests, NULL, NULL);
}
