/* SPDX-License-Identifier: MIT */
/*
 * Large profiles: stacks thousands of levels deep, a hundred thousand nodes, and a history of many
 * frames are worked through without deep recursion and in time that grows with their size alone.
 * The limits on time are some twenty times what is needed, for slow machines and sanitizers.
 */
#include "tests/model_dsl.h"

#include <time.h>

/* Processor time, as other programs take none of it. */
static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Every kind of report, laid out; the sum of its rows is the time of the threads. */
static void make_every_report(const struct profile *p, bool spread)
{
	struct values *v = values_of_run(p);

	for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
		struct report_options o = REPORT_OPTIONS_DEFAULT;
		struct report *r;
		struct layout *l;
		int64_t self = 0;

		o.view = view;
		o.spread = spread;
		o.focus = 1;
		r = dsl_report(p, v, &o);
		for (uint32_t i = 0; i < r->sections[0].row_count; i++)
			self += r->sections[0].rows[i].values[COLUMN_SELF].exact;
		if (view != REPORT_GRAPH)
			assert_int_equal(self, r->sections[0].time);
		l = layout_make(r, 100, false);
		assert_non_null(l);
		assert_int_equal(l->count, r->sections[0].row_count + 1);
		layout_free(l);
		report_free(r);
	}
	values_free(v);
}

static void give_totals(struct profile *p)
{
	for (uint32_t i = 0; i < p->node_count; i++) {
		uint32_t thread = p->nodes[i].thread;

		profile_set_total(p, i, i % 97 + 1, i % 7 + 1, i % 1000);
		profile_set_time(p, thread, 0, p->threads[thread].time + i % 97 + 1);
	}
	p->now_tick = 1000000;
}

/* 20,000 levels of two zones that call each other. */
static void a_deep_chain(void **state)
{
	struct profile *p = profile_new();
	uint32_t a = profile_add_zone(p, "a", "", 0, 0), b = profile_add_zone(p, "b", "", 0, 0);
	uint32_t node, thread = profile_add_thread(p, 1, 1, "main");
	double start = seconds_now();

	(void)state;
	node = p->threads[thread].root;
	for (uint32_t i = 0; i < 20000; i++)
		node = profile_add_node(p, node, i % 2 ? b : a);
	give_totals(p);
	make_every_report(p, false);
	make_every_report(p, true);
	assert_true(seconds_now() - start < 10);
	profile_free(p);
}

static struct profile *wide_profile(uint32_t nodes)
{
	struct profile *p = profile_new();
	uint64_t state = 1;
	char name[16];

	for (uint32_t i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "zone %u", i);
		profile_add_zone(p, name, "file.c", i, 0);
	}
	for (uint32_t i = 0; i < 8; i++)
		profile_add_thread(p, i, i, "worker");
	while (p->node_count < nodes) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		profile_add_node(p, (uint32_t)((state >> 33) % p->node_count),
				 1 + (uint32_t)((state >> 20) % 1000));
	}
	return p;
}

static void a_hundred_thousand_nodes(void **state)
{
	struct profile *p = wide_profile(100000);
	double start = seconds_now();

	(void)state;
	give_totals(p);
	make_every_report(p, false);
	make_every_report(p, true);
	assert_true(seconds_now() - start < 20);
	profile_free(p);
}

/* 20,000 zones of one name and line, which each is told by its file. */
static void many_zones_of_one_name(void **state)
{
	struct profile *p = profile_new();
	uint32_t thread = profile_add_thread(p, 1, 1, "main"), root = p->threads[thread].root;
	struct keys *k = keys_new(false);
	char file[48];
	double start;

	(void)state;
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(file, sizeof(file), "/src/project/part %u/file.c", i);
		profile_add_node(p, root, profile_add_zone(p, "update", file, 12, 0));
	}
	start = seconds_now();
	assert_true(keys_update(k, p));
	for (uint32_t i = 1; i < k->count; i++) {
		snprintf(file, sizeof(file), "update (part %u/file.c:12)", i - 1);
		assert_string_equal(keys_shown(k, p, i), file);
	}
	assert_true(seconds_now() - start < 2);
	keys_free(k);
	profile_free(p);
}

/* 20,000 frames of 100 changed nodes, folded in as they come; the oldest leave. */
static void a_long_history(void **state)
{
	struct profile *p = wide_profile(2000);
	struct averages *a = averages_new();
	struct keys *k = keys_new(false);
	struct heat *h = heat_new(k, THREADS_ALL, AVERAGE_FAST);
	struct profile_cell cells[100];
	double start = seconds_now();

	(void)state;
	assert_true(keys_update(k, p));
	for (uint64_t n = 1; n <= 20000; n++) {
		struct profile_part part = { .thread = (uint32_t)(n % 8), .cells = cells };

		for (uint32_t i = 0; i < p->node_count && part.cell_count < 100; i++)
			if (p->nodes[i].thread == part.thread)
				cells[part.cell_count++] = (struct profile_cell){ i, 100, 1, 9 };
		part.end = 100 * part.cell_count;
		assert_true(profile_add_frame(p, n, (int64_t)n * 16000000, 16000000, 0));
		assert_true(profile_set_part(p, n, &part));
		assert_true(averages_update(a, p));
		assert_true(heat_update(h, p));
		if (p->frame_count > 5000)
			profile_drop_frames(p, 1);
	}
	assert_int_equal(p->frame_count, 5000);
	assert_true(seconds_now() - start < 30);
	heat_free(h);
	keys_free(k);
	averages_free(a);
	profile_free(p);
}

/* Each for itself, with statistics, of a frame in which all of them are. They begin with one name, and then get their own. */
static void very_many_threads(void **state)
{
#ifdef __SANITIZE_ADDRESS__ /* it is slow with large pieces of memory that grow */
	enum { THREADS = 10000 };
#else
	enum { THREADS = 100000 };
#endif
	struct profile *p = profile_new();
	double start = seconds_now();
	struct values *v;

	(void)state;
	profile_add_zone(p, "work", "", 1, 0);
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t thread = profile_add_thread(p, i + 1, i, "game");

		assert_int_equal(profile_add_node(p, p->threads[thread].root, 1), 2 * i + 1);
	}
	assert_true(profile_add_frame(p, 1, 0, 1000, 0));
	for (uint32_t i = 0; i < THREADS; i++) {
		struct profile_cell cell = { 2 * i + 1, 10, 1, 10 };
		struct profile_part part = { .thread = i, .end = 10, .cells = &cell, .cell_count = 1 };
		char name[32];

		assert_int_equal(profile_selected(p, THREADS_NAMED(i)), THREADS - i);
		snprintf(name, sizeof(name), "worker %u", i);
		profile_add_thread(p, i + 1, i, name);
		assert_true(profile_set_part(p, 1, &part));
	}
	v = values_of_frames(p, 0, 1);
	for (enum report_view view = 0; view < REPORT_VIEWS; view++) {
		struct report_options o = REPORT_OPTIONS_DEFAULT;
		struct report *r;

		o.view = view;
		o.thread = THREADS_EACH;
		o.focus = 1;
		o.per_frame = true;
		r = dsl_report(p, v, &o);
		assert_int_equal(r->section_count, THREADS);
		for (uint32_t i = 0; i < THREADS; i++)
			assert_int_equal(r->sections[i].time, 10);
		report_free(r);
	}
	assert_true(seconds_now() - start < 30);
	values_free(v);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deep_chain),
		cmocka_unit_test(a_hundred_thousand_nodes),
		cmocka_unit_test(many_zones_of_one_name),
		cmocka_unit_test(a_long_history),
		cmocka_unit_test(very_many_threads),
	};

	return cmocka_run_group_tests_name("model: large", tests, NULL, NULL);
}
