/* SPDX-License-Identifier: MIT */
/* Averages, statistics over frames, heat. */
#include "tests/model_dsl.h"
#include "tests/model_random.h"

#include <math.h>

#include "model/stats/frame_stats.h"


static double node_average(const struct profile *p, const struct averages *a,
			   enum average_slot slot, const char *path)
{
	struct values *v = values_average(a, p, slot);
	uint32_t node = dsl_node((struct profile *)p, "main", path);
	double value;

	assert_non_null(v);
	assert_true(v->average);
	value = (double)v->self[node] / (double)v->scale;
	values_free(v);
	return value;
}

static struct averages *averages_for(const struct profile *p)
{
	struct averages *a = averages_new();

	assert_true(a && averages_update(a, p));
	return a;
}

static void nothing_is_an_average_of_nothing(void **state)
{
	struct profile *p = dsl_profile("main a 10 1\n");
	struct averages *a = averages_for(p);

	(void)state;
	for (enum average_slot slot = 0; slot < AVERAGE_RUN; slot++)
		assert_true(node_average(p, a, slot, "a") == 0);
	assert_true(node_average(p, a, AVERAGE_RUN, "a") == 10); /* a run without a mark */
	averages_free(a);
	profile_free(p);
}

static void the_first_frame_does_not_ramp_up(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a 5000000 1\n");
	struct averages *a = averages_for(p);

	(void)state;
	for (enum average_slot slot = 0; slot < AVERAGE_RUN; slot++)
		assert_float_equal(node_average(p, a, slot, "a"), 5000000, 0.001);
	averages_free(a);
	profile_free(p);
}

/* After T seconds a tenth of the weight is left of what was. */
static void a_tenth_is_left_after_t(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000000000\nmain a 1000 1\n"
					"frame 2 800000000\nmain . 1 0\n");
	struct averages *a = averages_for(p);

	(void)state;
	assert_float_equal(node_average(p, a, AVERAGE_FAST, "a"),
			   1000 * 0.1 / (0.1 + 1), 0.001);
	assert_true(node_average(p, a, AVERAGE_NOW, "a") == 0);
	assert_true(node_average(p, a, AVERAGE_SLOW, "a") >
		    node_average(p, a, AVERAGE_FAST, "a"));
	averages_free(a);
	profile_free(p);
}

/* The recurrence of the definition, step by step. */
static void many_frames_follow_the_recurrence(void **state)
{
	static const double seconds[] = { 0.8, 2.5 };
	struct profile *p = profile_new();
	struct averages *a = averages_new();
	double sum[2] = { 0 }, frames[2] = { 0 }, time[2] = { 0 };
	int64_t end = 0;
	uint32_t node;

	(void)state;
	node = dsl_node(p, "main", "a");
	for (uint64_t n = 1; n <= 3000; n++) {
		int64_t length = 1000000 + (int64_t)(n * 7919 % 40) * 1000000;
		struct profile_cell cell = { node, (int64_t)(n * 104729 % 5000), 1, 0 };
		struct profile_part part = { .cell_count = n % 3 != 0, .cells = &cell };

		int64_t idle = n > 1 && n % 5 ? (int64_t)(n * 6857 % 30) * 1000000 : 0;

		assert_true(profile_add_frame(p, n, end + idle, length, idle ? FRAME_BOUNDED : 0));
		assert_true(profile_set_part(p, n, &part));
		assert_true(averages_update(a, p));
		if (n % 7)
			profile_drop_frames(p, p->frame_count); /* what is folded is not needed any more */
		end += idle + length;
		for (int i = 0; i < 2; i++) {
			double dt = (double)(length + idle) / 1e9, k = pow(0.1, dt / seconds[i]);

			sum[i] = sum[i] * k + (n % 3 ? (double)cell.self : 0);
			frames[i] = frames[i] * k + 1;
			time[i] = time[i] * k + dt;
		}
	}
	for (int i = 0; i < 2; i++) {
		struct values *v = values_average(a, p, AVERAGE_FAST + (enum average_slot)i);

		assert_non_null(v);
		assert_float_equal((double)v->self[node] / (double)v->scale, sum[i] / frames[i], 0.001);
		assert_float_equal(values_frame_rate(v, p), frames[i] / time[i], 0.001);
		values_free(v);
	}
	averages_free(a);
	profile_free(p);
}

/* An event loop: nine turns of one request, then one of 50, and it waits for 1 ms before each. */
static void a_long_frame_weighs_as_any_other(void **state)
{
	struct profile *p = profile_new();
	uint32_t node = dsl_node(p, "main", "request");
	struct averages *a;
	int64_t end = 0;

	(void)state;
	for (uint64_t n = 1; n <= 5000; n++) {
		int64_t calls = n % 10 ? 1 : 50;
		struct profile_cell cell = { node, calls * 20000, calls, 20000 };
		struct profile_part part = { .cell_count = 1, .cells = &cell };

		assert_true(profile_add_frame(p, n, end + 1000000, calls * 20000, FRAME_BOUNDED));
		assert_true(profile_set_part(p, n, &part));
		end += 1000000 + calls * 20000;
	}
	a = averages_for(p);
	for (enum average_slot slot = AVERAGE_FAST; slot <= AVERAGE_SLOW; slot++) {
		struct values *v = values_average(a, p, slot);
		struct frame_mean mean;

		assert_non_null(v);
		frame_mean_make(p, v, &mean);
		assert_float_equal((double)v->count[node] / (double)v->scale, 5.9, 0.08);
		assert_in_range(mean.length, 116000, 120000);
		assert_float_equal(mean.covers, 118. / 1118, 0.002);
		assert_float_equal(mean.rate, 1e9 / 1118000, 5);
		assert_float_equal(mean.rate * (double)v->count[node] / (double)v->scale, 5.9e9 / 1118000, 80);
		values_free(v);
	}
	averages_free(a);
	profile_free(p);
}

/* The mean frame of the title is of the sums that the table shows. */
static void a_mean_frame_is_of_the_same_sums(void **state)
{
	struct profile *p = profile_new();
	struct averages *a;
	struct frame_mean mean;
	struct values *v;

	(void)state;
	profile_add_zone(p, "vsync", "", 0, ZONE_WAITING);
	dsl_grow(p, "frame 1 16000000\nmain . 4000000\nmain vsync 12000000 1\nframe 2 16000000\nmain . 16000000\n"
		    "frame 3 900000000\n"); /* only its length is known, and it counts for nothing */
	p->threads[0].marking = true;
	a = averages_for(p);
	v = values_average(a, p, AVERAGE_SLOW);
	assert_non_null(v);
	frame_mean_make(p, v, &mean);
	assert_int_equal(mean.length, v->wall / v->scale);
	assert_int_equal(mean.length, 16000000);
	assert_float_equal(mean.rate, 62.5, 1e-6);
	assert_float_equal(mean.covers, 1, 1e-9);
	assert_true(mean.waits);
	assert_in_range(mean.busy, 10000000, 10200000);
	values_free(v);
	v = values_average(a, p, AVERAGE_NOW);
	assert_non_null(v);
	frame_mean_make(p, v, &mean);
	assert_int_equal(mean.length, 900000000);
	assert_false(mean.waits);
	values_free(v);
	p->frames[2].flags |= FRAME_BOUNDED;
	p->frames_ended = 3;
	v = values_average(a, p, AVERAGE_RUN); /* nobody has counted how much of the run was in frames */
	assert_non_null(v);
	frame_mean_make(p, v, &mean);
	assert_int_equal(mean.length, 0);
	values_free(v);
	averages_free(a);
	profile_free(p);
}

/* The time since a frame counts for the next one, unless nobody knows when that frame ended. */
static void time_between_frames_is_known_where_they_follow_one_another(void **state)
{
	struct profile *p = profile_new(), *copy;

	(void)state;
	profile_add_frame(p, 5, 1000, 10, FRAME_BOUNDED);
	profile_add_frame(p, 6, 1100, 10, FRAME_BOUNDED | FRAME_DISCARDED);
	profile_add_frame(p, 7, 1200, 10, FRAME_BOUNDED);
	profile_add_frame(p, 9, 1900, 10, FRAME_BOUNDED);
	profile_add_frame(p, 10, 2000, 10, 0);
	assert_int_equal(frame_elapsed(p, &p->frames[0]), 10);
	assert_int_equal(frame_elapsed(p, &p->frames[1]), 100);
	assert_int_equal(frame_elapsed(p, &p->frames[2]), 100);
	assert_int_equal(frame_elapsed(p, &p->frames[3]), 10);
	assert_int_equal(frame_elapsed(p, &p->frames[4]), 10);
	profile_drop_frames(p, 2);
	assert_int_equal(frame_elapsed(p, &p->frames[0]), 100);
	profile_thin_frames(p, 2, (const bool[]){ true, false });
	profile_add_frame(p, 11, 2100, 10, FRAME_BOUNDED);
	copy = profile_copy(p);
	profile_drop_frames(copy, 2);
	assert_int_equal(frame_elapsed(copy, &copy->frames[0]), 100);
	profile_free(copy);
	profile_free(p);
}

static void frames_of_no_length_and_discarded_ones_are_skipped(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a 500 1\n"
					"frame 2 0\nmain a 900 1\nframe 3 16000000\nmain a 900 1\n");
	struct averages *a;

	(void)state;
	p->frames[2].flags = FRAME_DISCARDED;
	a = averages_for(p);
	assert_float_equal(node_average(p, a, AVERAGE_FAST, "a"), 500, 0.001);
	averages_free(a);
	profile_free(p);
}

static void a_pause_of_an_hour_is_survived(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a 500 1\n"
					"frame 2 3600000000000\nmain a 70 1\n"
					"frame 3 16000000\nmain a 70 1\n");
	struct averages *a = averages_for(p);

	(void)state;
	assert_float_equal(node_average(p, a, AVERAGE_FAST, "a"), 70, 0.001);
	averages_free(a);
	profile_free(p);
}

/* Frames before a gap without frames are older by the gap. */
static void a_gap_between_bounded_frames_is_time(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000000000\nmain a 1000 1 900\nframe 2 1000000\nmain a 70 1 60\n");
	struct averages *a;
	struct values *v;

	(void)state;
	p->frames[1].start += 8000000000;
	a = averages_for(p);
	assert_true(node_average(p, a, AVERAGE_FAST, "a") > 500);
	averages_free(a);
	p->frames[0].flags = p->frames[1].flags = FRAME_BOUNDED;
	a = averages_for(p);
	assert_float_equal(node_average(p, a, AVERAGE_FAST, "a"), 70, 0.001);
	v = values_average(a, p, AVERAGE_FAST);
	assert_true(v && v->longest[dsl_node(p, "main", "a")] == 60);
	values_free(v);
	averages_free(a);
	profile_free(p);
}

/* Nobody has called a server for ten seconds: no more than one frame came in these. */
static void rates_fall_while_a_program_stands_still(void **state)
{
	struct profile *p = dsl_profile("frame 1 10000000\nmain a 7 1\nframe 2 10000000\nmain a 7 1\n");
	struct averages *a;
	struct values *v;

	(void)state;
	p->now_tick = frame_end(&p->frames[1]) + 10000000000;
	for (int bounded = 0; bounded < 2; bounded++) {
		p->frames[0].flags = p->frames[1].flags = bounded ? FRAME_BOUNDED : 0;
		a = averages_for(p);
		for (enum average_slot slot = AVERAGE_NOW; slot <= AVERAGE_SLOW; slot++) {
			v = values_average(a, p, slot);
			assert_float_equal(values_frame_rate(v, p), bounded ? 0.1 : 100, 0.01);
			values_free(v);
		}
		averages_free(a);
	}
	profile_free(p);
}

/* Frames of these lengths in ms. */
static struct profile *worker_profile(const int *ms, uint32_t count)
{
	struct profile *p = dsl_profile("frame 1 1\nmain a 1 1\nworker job 1 1\n");
	int64_t start = 1000000000;

	profile_drop_frames(p, 1);
	for (uint32_t i = 0; i < count; i++) {
		struct profile_part main = { .first_frame = i + 2, .bound = start, .end = start };

		assert_true(profile_add_frame(p, i + 2, start, ms[i] * 1000000, 0));
		assert_true(profile_set_part(p, i + 2, &main));
		start += ms[i] * 1000000;
	}
	p->frames_ended = count + 1;
	return p;
}

/* The worker's frames from `first` to `last`, in one slice: a call per ms. */
static void worker_says(struct profile *p, uint64_t first, uint64_t last)
{
	int64_t bound = profile_find_frame(p, first)->start, end = frame_end(profile_find_frame(p, last));
	struct profile_cell cell = { dsl_node(p, "worker", "job"), end - bound, (end - bound) / 1000000, 0 };
	struct profile_part part = { .thread = 1, .flags = first < last ? PART_MERGED : 0, .first_frame = first,
				     .bound = bound, .end = end, .cell_count = 1, .cells = &cell };

	assert_true(profile_set_part(p, last, &part));
}

static void expect_same(const struct profile *merged, const struct profile *single, enum average_slot slot)
{
	struct averages *a = averages_for(merged), *b = averages_for(single);
	struct values *x = values_average(a, merged, slot), *y = values_average(b, single, slot);
	uint32_t job = dsl_node((struct profile *)single, "worker", "job");

	assert_true(x && y);
	assert_float_equal((double)x->self[job] / (double)x->scale, (double)y->self[job] / (double)y->scale, 1);
	assert_float_equal((double)x->count[job] / (double)x->scale, (double)y->count[job] / (double)y->scale, 1e-6);
	assert_int_equal(x->time[1], x->self[job]);
	assert_int_equal(x->wall, y->wall);
	assert_true(x->self[job] <= x->wall + x->scale / 1000); /* but for what doubles round */
	values_free(x);
	values_free(y);
	averages_free(a);
	averages_free(b);
}

/* A thread that says what it did of several frames at once counts in each of them, as if it had said it of each. */
static void a_part_of_several_frames_is_shared_out(void **state)
{
	static const int ms[] = { 300, 20, 100, 680, 5, 546, 680 };
	struct profile *single = worker_profile(ms, 7), *merged = worker_profile(ms, 7);

	(void)state;
	for (uint64_t number = 2; number <= 8; number++)
		worker_says(single, number, number);
	worker_says(merged, 2, 2);
	worker_says(merged, 3, 6);
	worker_says(merged, 7, 8);
	for (enum average_slot slot = AVERAGE_NOW; slot <= AVERAGE_SLOW; slot++)
		expect_same(merged, single, slot);
	profile_free(single);
	profile_free(merged);
}

static void expect_job(const struct profile *p, const struct averages *a, enum average_slot slot, double ticks)
{
	struct values *v = values_average(a, p, slot);

	assert_non_null(v);
	assert_float_equal((double)v->self[dsl_node((struct profile *)p, "worker", "job")] / (double)v->scale, ticks, 1);
	values_free(v);
}

/* Time between bounded frames, of a discarded frame, or before a reset is in no average, even if it is in such a
 * slice. */
static void what_of_such_a_part_is_in_no_frame_is_left_out(void **state)
{
	static const int ms[] = { 100, 100, 100, 100, 100 };
	struct profile *p = worker_profile(ms, 5);
	struct averages *a;

	(void)state;
	p->frames[3].flags = FRAME_DISCARDED;
	p->frames[4].flags = FRAME_BOUNDED;
	p->frames[4].start += 300000000;
	worker_says(p, 2, 6); /* 700 ms, of which 400 in frames */
	a = averages_for(p);
	for (enum average_slot slot = AVERAGE_NOW; slot <= AVERAGE_SLOW; slot++)
		expect_job(p, a, slot, 1e8);
	averages_free(a);
	p->frame_count = 4;
	a = averages_for(p);
	assert_true(averages_reset(a, p));
	p->frame_count = 5;
	assert_true(averages_update(a, p));
	expect_job(p, a, AVERAGE_FAST, 1e8);
	averages_free(a);
	profile_free(p);
}

static bool avg_of(const struct profile *p, const struct averages *a, enum average_slot slot, const char *zone,
		   double *ticks)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;
	struct values *v = values_average(a, p, slot);
	bool shown = false;
	struct report *r;

	o.view = REPORT_HIER;
	r = dsl_report(p, v, &o);
	for (uint32_t i = 0; i < r->sections[0].row_count; i++)
		if (!strcmp(r->sections[0].rows[i].name, zone)) {
			*ticks = r->sections[0].rows[i].values[COLUMN_AVG].real;
			shown = r->sections[0].rows[i].shown >> COLUMN_AVG & 1;
		}
	report_free(r);
	values_free(v);
	return shown;
}

/* `loop` is entered once and stays open, `rare` is entered once and left. */
static void a_call_is_no_longer_than_an_average_goes_back(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain loop 15000000 1\nmain rare 1000000 1 1000000\n");
	struct averages *a = averages_for(p);
	double ticks = 0;

	(void)state;
	assert_true(avg_of(p, a, AVERAGE_FAST, "loop", &ticks));
	assert_float_equal(ticks, 15000000, 1);
	for (uint64_t number = 2; number <= 200; number++) {
		char text[64];

		snprintf(text, sizeof(text), "frame %u 16000000\nmain loop 16000000 0\n", (unsigned)number);
		dsl_grow(p, text);
		assert_true(averages_update(a, p));
		if (avg_of(p, a, AVERAGE_FAST, "loop", &ticks))
			assert_true(ticks <= 8e8);
		if (avg_of(p, a, AVERAGE_SLOW, "loop", &ticks))
			assert_true(ticks <= 25e8);
		assert_true(avg_of(p, a, AVERAGE_SLOW, "rare", &ticks));
		assert_float_equal(ticks, 1000000, 10000);
	}
	assert_false(avg_of(p, a, AVERAGE_FAST, "loop", &ticks));
	averages_free(a);
	profile_free(p);
}

static void a_node_counts_0_before_its_birth(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a 500 1\n");
	struct averages *a = averages_for(p);
	struct profile_cell cell;
	struct profile_part part = { .cell_count = 1, .cells = &cell };

	(void)state;
	cell = (struct profile_cell){ dsl_node(p, "main", "b"), 100, 1, 0 };
	assert_true(profile_add_frame(p, 2, 0, 16000000, 0));
	assert_true(profile_set_part(p, 2, &part));
	assert_true(averages_update(a, p));
	assert_true(node_average(p, a, AVERAGE_FAST, "b") < 60);
	assert_true(node_average(p, a, AVERAGE_FAST, "b") > 50);
	averages_free(a);
	profile_free(p);
}

/* A worker that enters nothing: its time is averaged, and left out where threads are merged. */
static void idle_time_is_averaged_like_its_node(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain . 300 0\nmain a 100 1\nw . 700 0\n"
					"frame 2 32000000\nmain . 300 0\nmain a 100 1\nw . 900 0\n");
	struct averages *a = averages_for(p);

	(void)state;
	for (enum average_slot slot = AVERAGE_NOW; slot <= AVERAGE_SLOW; slot++) {
		struct values *v = values_average(a, p, slot);
		struct report_options o = REPORT_OPTIONS_DEFAULT;
		struct report *r = dsl_report(p, v, &o);

		assert_int_equal(v->idle[1], v->self[p->threads[1].root]);
		assert_int_equal(v->idle[0], 0);
		assert_int_equal(r->sections[0].time, v->time[0]);
		assert_int_equal(r->sections[0].rows[0].values[COLUMN_SELF].exact, 300 * v->scale);
		report_free(r);
		values_free(v);
	}
	averages_free(a);
	profile_free(p);
}

static void the_run_is_shared_out_over_its_frames(void **state)
{
	struct profile *p = dsl_profile("main a 1000 4\nmain . 24 0\n");
	struct averages *a = averages_for(p);
	struct values *v;
	uint32_t node = dsl_node(p, "main", "a");

	(void)state;
	p->frames_ended = 4;
	assert_true(node_average(p, a, AVERAGE_RUN, "a") == 250);
	averages_reset(a, p);
	profile_set_total(p, node, 1300, 6, 0);
	p->frames_ended = 6;
	p->now_tick += 300;
	v = values_average(a, p, AVERAGE_RUN);
	assert_int_equal(v->self[node], 150 * v->scale);
	assert_int_equal(v->count[node], 1 * v->scale);
	assert_int_equal(v->wall, 150 * v->scale);
	assert_int_equal(v->frames, 2);
	values_free(v);
	averages_free(a);
	profile_free(p);
}

/* Up to its last frame, at the reset as well; as long as none has ended it is all that there is. */
static void what_runs_is_in_no_average(void **state)
{
	struct profile *p = dsl_profile("main a 1000 4\nmain . 24 0\n"), *copy;
	struct averages *a = averages_for(p);
	uint32_t node = dsl_node(p, "main", "a"), root = dsl_node(p, "main", ".");
	struct values *v;

	(void)state;
	profile_add_running(p, node, 600, 3);
	p->run_tick = 1024;
	p->run_end = 424;
	assert_true(node_average(p, a, AVERAGE_RUN, "a") == 1000);
	p->run_frames = 2;
	v = values_average(a, p, AVERAGE_RUN);
	assert_int_equal(v->scale, 2);
	assert_int_equal(v->self[node], 400);
	assert_int_equal(v->count[node], 1);
	assert_int_equal(v->time[0], 424);
	assert_int_equal(v->wall, 424);
	values_free(v);
	assert_true(averages_reset(a, p));
	profile_set_total(p, node, 1700, 5, 0);
	profile_add_running(p, node, 500, 0);
	profile_set_total(p, root, 10, 0, 0); /* less than it was: of damage, or more had run than was known */
	p->run_tick = 1800;
	p->run_end = 1300;
	p->run_frames = 3;
	copy = profile_copy(p);
	v = values_average(a, copy, AVERAGE_RUN);
	assert_int_equal(v->frames, 1);
	assert_int_equal(v->self[node], 800);
	assert_int_equal(v->count[node], 4);
	assert_int_equal(v->self[root], 0);
	assert_int_equal(v->time[0], 800);
	assert_int_equal(v->wall, 876);
	values_free(v);
	averages_free(a);
	profile_free(copy);
	profile_free(p);
}

/* Totals that a thread had at the reset are not in the average of the thread that has them since it ended. */
static void what_passes_after_a_reset_is_not_since_it(void **state)
{
	struct profile *p = dsl_profile("gone a 1000 4\ngone . 24 0\nended a 50 1\nended . 6 0\n");
	struct averages *a = averages_for(p);
	uint32_t from = dsl_node(p, "gone", "a"), to = dsl_node(p, "ended", "a");
	struct values *v;

	(void)state;
	assert_true(averages_reset(a, p));
	p->frames_ended += 2;
	profile_set_total(p, to, 50 + 1000 + 300, 1 + 4 + 2, 0); /* 300 of them since */
	profile_pass_total(p, from, to);
	assert_int_equal(p->totals[from].self, 0);
	v = values_average(a, p, AVERAGE_RUN);
	assert_int_equal(v->self[to], 150 * v->scale);
	assert_int_equal(v->count[to], 1 * v->scale);
	assert_int_equal(v->self[from], 0);
	assert_int_equal(v->count[from], 0);
	assert_int_equal(v->time[p->nodes[from].thread], 0);
	assert_int_equal(v->time[p->nodes[to].thread], 150 * v->scale);
	values_free(v);
	averages_free(a);
	profile_free(p);
}

/* The clock goes on at each look, and the totals are read at some of them. */
static void the_run_is_as_of_its_totals(void **state)
{
	struct profile *p = dsl_profile("main a 1000 4\n"), *copy;
	struct averages *a = averages_for(p);
	uint32_t node = dsl_node(p, "main", "a");

	(void)state;
	p->run_tick = p->now_tick;
	p->run_frames = p->frames_ended = 4;
	for (uint32_t poll = 1; poll <= 30; poll++) {
		int64_t base = p->run_tick;
		struct values *v;

		p->now_tick += 100;
		p->frames_ended++;
		if (poll % 5 == 2) {
			assert_true(averages_reset(a, p)); /* at totals of some looks ago */
			v = values_average(a, p, AVERAGE_RUN);
			assert_int_equal(v->time[0], 0);
			assert_int_equal(v->wall, 0);
			assert_int_equal(v->frames, 0);
			values_free(v);
		}
		if (poll % 5)
			continue;
		profile_set_total(p, node, p->now_tick, poll, 0);
		profile_set_time(p, 0, 0, p->now_tick);
		p->run_tick = p->now_tick;
		p->run_frames = p->frames_ended;
		p->now_tick += 100;
		p->frames_ended++;
		copy = profile_copy(p);
		v = values_average(a, copy, AVERAGE_RUN);
		assert_int_equal(v->frames, poll < 6 ? 5 : 6);
		assert_int_equal(v->wall * (int64_t)v->frames, (p->run_tick - base) * v->scale);
		assert_int_equal(v->self[node], v->wall);
		values_free(v);
		v = values_of_run(copy);
		assert_int_equal(v->wall, v->self[node]);
		assert_int_equal(v->frames, p->run_frames);
		values_free(v);
		profile_free(copy);
	}
	averages_free(a);
	profile_free(p);
}

static void enormous_frames_do_not_overflow(void **state)
{
	struct profile *p = profile_new();
	uint32_t node = dsl_node(p, "main", "a");
	struct profile_cell cell = { node, (int64_t)1 << 60, 1, 0 };
	struct profile_part part = { .cell_count = 1, .cells = &cell, .end = (int64_t)1 << 60 };
	struct averages *a;

	(void)state;
	assert_true(profile_add_frame(p, 1, 0, (int64_t)1 << 60, 0));
	assert_true(profile_set_part(p, 1, &part));
	a = averages_for(p);
	assert_float_equal(node_average(p, a, AVERAGE_FAST, "a"), 0x1p60, 1024);
	averages_free(a);
	profile_free(p);
}

static void the_longest_call_is_of_the_last_stretches(void **state)
{
	struct profile *p = dsl_profile("frame 1 500000000\nmain a 9 1 9\n"
					"frame 2 500000000\nmain a 1 1 1\n"
					"frame 3 500000000\nmain a 2 1 2\n");
	struct averages *a = averages_for(p);
	struct values *v = values_average(a, p, AVERAGE_FAST);
	uint32_t node = dsl_node(p, "main", "a");

	(void)state;
	assert_int_equal(v->longest[node], 9);
	values_free(v);
	for (uint64_t n = 4; n <= 6; n++) {
		struct profile_part part = { .thread = 0 };

		assert_true(profile_add_frame(p, n, 0, 500000000, 0));
		assert_true(profile_set_part(p, n, &part));
	}
	assert_true(averages_update(a, p));
	v = values_average(a, p, AVERAGE_FAST);
	assert_int_equal(v->longest[node], 2);
	values_free(v);
	averages_free(a);
	profile_free(p);
}

/* Statistics */

static void percentiles_are_of_the_nearest_rank(void **state)
{
	int64_t ten[] = { 10, 1, 9, 2, 8, 3, 7, 4, 6, 5 }, one[] = { 42 };
	struct statistics s = statistics_of(ten, 10);

	(void)state;
	assert_int_equal(s.min, 1);
	assert_int_equal(s.median, 5); /* the lower one */
	assert_int_equal(s.p90, 9);
	assert_int_equal(s.p99, 10);
	assert_int_equal(s.max, 10);
	assert_float_equal(s.mean, 5.5, 1e-9);
	s = statistics_of(one, 1);
	assert_int_equal(s.min, 42);
	assert_int_equal(s.p99, 42);
	s = statistics_of(NULL, 0);
	assert_int_equal(s.count, 0);
	assert_int_equal(s.max, 0);
}

static void lengths_over_frames(void **state)
{
	struct profile *p = dsl_profile("frame 1 10\nframe 2 10\nframe 3 20\n");
	struct statistics s;

	(void)state;
	assert_true(statistics_of_lengths(p, 0, 3, &s));
	assert_int_equal(s.max, 20);
	assert_int_equal(s.median, 10);
	assert_true(statistics_of_lengths(p, 7, 3, &s));
	assert_int_equal(s.count, 0);
	profile_free(p);
}

static void one_frame_by_key_equals_a_flat_report(void **state)
{
	struct profile *p = dsl_profile("frame 1 10\nmain a 5 1\nmain a/b 2 1\nmain a/b/a 1 1\n"
					"main a/c 0 2\nother b 7 1\nother b/b 3 4 2\n");
	struct keys *k = keys_new(false);
	struct values *v = values_of_last(p, 1);
	struct flat_row *flat;
	struct tally tally;

	(void)state;
	assert_true(keys_update(k, p));
	assert_true(tally_init(&tally) && tally_reserve(&tally, p, k));
	for (uint32_t t = 0; t <= 2; t++) {
		uint32_t thread = t < 2 ? t : THREADS_ALL;

		flat = flat_make(p, k, v, thread);
		tally_frame(&tally, p, &(struct scope){ .keys = k, .threads = thread, .calls = true }, &p->frames[0]);
		for (uint32_t i = 0; i < tally.count; i++) {
			struct flat_row *row = &flat[tally.rows[i].key];

			assert_int_equal(tally.rows[i].value[EXTENT_SELF], row->self);
			assert_int_equal(tally.rows[i].value[EXTENT_HIER], row->hier);
			assert_int_equal(tally.calls[i].count, row->count);
			assert_int_equal(tally.calls[i].longest, row->longest);
			row->self = row->hier = row->count = 0;
		}
		for (uint32_t i = 0; i < k->count; i++)
			assert_true(!flat[i].self && !flat[i].hier && !flat[i].count); /* has no row: has nothing */
		free(flat);
	}
	tally_fini(&tally);
	values_free(v);
	keys_free(k);
	profile_free(p);
}

/* Heat */

static double heat_for(const struct profile *p, const char *zone, enum extent extent)
{
	struct keys *k = keys_new(false);
	struct heat *h = heat_new(k, THREADS_ALL, AVERAGE_FAST);
	uint32_t key = 0;
	double heat;

	assert_true(keys_update(k, p));
	assert_true(heat_update(h, p));
	assert_int_equal(keys_parse(k, p, zone, &key), KEYS_FOUND);
	heat = heat_of(h, p, key, extent);
	heat_free(h);
	keys_free(k);
	return heat;
}

static void a_steady_zone_is_cold(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a 5000000 1\nmain b 1000000 1\n"
					"frame 2 16000000\nmain a 5000000 1\n"
					"frame 3 16000000\nmain a 5000000 1\nmain b 1000000 1\n");

	(void)state;
	assert_float_equal(heat_for(p, "a", EXTENT_SELF), 0, 0.0001);
	assert_true(heat_for(p, "b", EXTENT_SELF) > 0.8);
	profile_free(p);
}

/* However long they are: only what lies between them makes one older than the other. */
static void heat_weighs_each_frame_the_same(void **state)
{
	struct profile *p = dsl_profile("frame 1 1000000\nmain a 100 1\nframe 2 100000000\nmain a 110 1\n");
	double k = pow(0.1, 0.1 / 0.8), mean = (100 * k + 110) / (k + 1);
	double variance = (100 * 100 * k + 110 * 110) / (k + 1) - mean * mean;

	(void)state;
	assert_float_equal(heat_for(p, "a", EXTENT_SELF), 2 * sqrt(variance) / mean, 1e-6);
	profile_free(p);
}

/* Two zones swing against each other below a third, which does not. */
static void heat_is_not_summed_from_nodes(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain a/x 100 1\nmain a/y 300 1\n"
					"frame 2 16000000\nmain a/x 300 1\nmain a/y 100 1\n");

	(void)state;
	assert_float_equal(heat_for(p, "a", EXTENT_HIER), 0, 0.0001);
	assert_float_equal(heat_for(p, "x", EXTENT_HIER), 1, 0.05);
	profile_free(p);
}

static void a_zone_that_waits_has_no_heat(void **state)
{
	struct profile *p = dsl_profile("frame 1 16000000\nmain w 100 1\n"
					"frame 2 16000000\nmain w 5000 1\n");

	(void)state;
	assert_true(heat_for(p, "w", EXTENT_SELF) > 0.5);
	profile_add_zone(p, "w", "", 0, ZONE_WAITING);
	assert_true(heat_for(p, "w", EXTENT_SELF) == 0);
	profile_free(p);
}

static void heat_of_a_frame_from_history(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	assert_true(heat_against(p->ticks_per_s, 100, 100) == 0);
	assert_float_equal(heat_against(p->ticks_per_s, 125, 100), 0.5, 1e-9);
	assert_true(heat_against(p->ticks_per_s, 900, 100) == 1);
	assert_true(heat_against(p->ticks_per_s, 0, 0) == 0);
	assert_true(heat_against(p->ticks_per_s, 500, 0) == 1);
	assert_true(heat_from(p->ticks_per_s, 0.5, 10) == 0); /* below a nanosecond */
	profile_free(p);
}

static void heat_has_a_mark(void **state)
{
	(void)state;
	assert_string_equal(heat_mark(0), ".");
	assert_string_equal(heat_mark(0.3), "-");
	assert_string_equal(heat_mark(0.5), "#");
	assert_string_equal(heat_mark(1), "##");
}

/*
 * Threads that come and go, and are one thread of the profile, one after the other: what each had passes to `ended
 * threads`. The oracle keeps them all: of a zone, what is since a reset is what all had since, and no row is less than 0.
 */
#define PASSERS 3
#define STACKS 4

struct passers {
	struct profile *p;
	struct averages *a;
	uint32_t nodes[PASSERS][STACKS], heirs[STACKS];
	int64_t all[STACKS], reset[STACKS]; /* of all that there ever were */
};

static void passers_begin(struct passers *s)
{
	static const char *const stacks[STACKS] = { "a", "b", "a/c", "a/c/a" };
	static const char *const threads[PASSERS] = { "one", "two", "three" };

	*s = (struct passers){ .p = profile_new(), .a = averages_new() };
	for (int i = 0; i < STACKS; i++) {
		for (int t = 0; t < PASSERS; t++)
			s->nodes[t][i] = dsl_node(s->p, threads[t], stacks[i]);
		s->heirs[i] = dsl_node(s->p, "ended threads", stacks[i]);
	}
}

static void work_more(struct passers *s, uint32_t node, int stack)
{
	int64_t more = random_below(50);

	profile_set_total(s->p, node, s->p->totals[node].self + more, s->p->totals[node].count + 1, more);
	s->all[stack] += more;
}

static void pass_one(struct passers *s, int thread)
{
	for (int i = 0; i < STACKS; i++) {
		struct profile_total had = s->p->totals[s->nodes[thread][i]], *sum = &s->p->totals[s->heirs[i]];

		profile_pass_total(s->p, s->nodes[thread][i], s->heirs[i]);
		profile_set_total(s->p, s->heirs[i], sum->self + had.self, sum->count + had.count, 0);
	}
}

static void check_passers(const struct passers *s)
{
	struct values *v = values_average(s->a, s->p, AVERAGE_RUN);

	assert_non_null(v);
	for (int i = 0; i < STACKS; i++) {
		int64_t sum = v->self[s->heirs[i]];

		assert_true(sum >= 0);
		for (int t = 0; t < PASSERS; t++) {
			assert_true(v->self[s->nodes[t][i]] >= 0 && v->count[s->nodes[t][i]] >= 0);
			sum += v->self[s->nodes[t][i]];
		}
		assert_int_equal(sum, s->all[i] - s->reset[i]);
	}
	values_free(v);
}

static void what_passes_again_and_again_is_since_the_reset(void **state)
{
	struct passers s;

	(void)state;
	random_state = 5;
	passers_begin(&s);
	for (int i = 0; i < 20000; i++) {
		int thread = (int)random_below(PASSERS), stack = (int)random_below(STACKS);

		if (random_below(10) == 0)
			pass_one(&s, thread);
		else
			work_more(&s, s.nodes[thread][stack], stack);
		if (random_below(100) == 0) {
			assert_true(averages_reset(s.a, s.p));
			memcpy(s.reset, s.all, sizeof(s.reset));
		}
		check_passers(&s);
	}
	averages_free(s.a);
	profile_free(s.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_an_average_of_nothing),
		cmocka_unit_test(the_first_frame_does_not_ramp_up),
		cmocka_unit_test(a_tenth_is_left_after_t),
		cmocka_unit_test(many_frames_follow_the_recurrence),
		cmocka_unit_test(a_long_frame_weighs_as_any_other),
		cmocka_unit_test(a_mean_frame_is_of_the_same_sums),
		cmocka_unit_test(time_between_frames_is_known_where_they_follow_one_another),
		cmocka_unit_test(frames_of_no_length_and_discarded_ones_are_skipped),
		cmocka_unit_test(a_pause_of_an_hour_is_survived),
		cmocka_unit_test(a_gap_between_bounded_frames_is_time),
		cmocka_unit_test(rates_fall_while_a_program_stands_still),
		cmocka_unit_test(a_part_of_several_frames_is_shared_out),
		cmocka_unit_test(what_of_such_a_part_is_in_no_frame_is_left_out),
		cmocka_unit_test(a_call_is_no_longer_than_an_average_goes_back),
		cmocka_unit_test(a_node_counts_0_before_its_birth),
		cmocka_unit_test(idle_time_is_averaged_like_its_node),
		cmocka_unit_test(the_run_is_shared_out_over_its_frames),
		cmocka_unit_test(what_runs_is_in_no_average),
		cmocka_unit_test(what_passes_after_a_reset_is_not_since_it),
		cmocka_unit_test(the_run_is_as_of_its_totals),
		cmocka_unit_test(enormous_frames_do_not_overflow),
		cmocka_unit_test(the_longest_call_is_of_the_last_stretches),
		cmocka_unit_test(percentiles_are_of_the_nearest_rank),
		cmocka_unit_test(lengths_over_frames),
		cmocka_unit_test(one_frame_by_key_equals_a_flat_report),
		cmocka_unit_test(a_steady_zone_is_cold),
		cmocka_unit_test(heat_weighs_each_frame_the_same),
		cmocka_unit_test(heat_is_not_summed_from_nodes),
		cmocka_unit_test(a_zone_that_waits_has_no_heat),
		cmocka_unit_test(heat_of_a_frame_from_history),
		cmocka_unit_test(heat_has_a_mark),
		cmocka_unit_test(what_passes_again_and_again_is_since_the_reset),
	};

	return cmocka_run_group_tests_name("model: averages, statistics, heat", tests, NULL, NULL);
}
