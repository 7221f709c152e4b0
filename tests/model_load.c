/* SPDX-License-Identifier: MIT */
/*
 * How busy threads were of late.
 */
#include "tests/model_dsl.h"

#include "model/query/average.h"
#include "model/query/query.h"
#include "model/stats/thread_load.h"

#define FRAME(n, work) "frame " n " 100\nmain . 10\nmain draw " work " 1\nmain draw/sleep 30 1\nmain draw/sleep/poll 5 1\n"

static struct profile *program(void)
{
	struct profile *p = dsl_profile(FRAME("1", "20") FRAME("2", "40") FRAME("3", "55") "pool job 70 1\n");

	p->zones[p->nodes[dsl_node(p, "main", "draw/sleep")].zone].flags |= ZONE_WAITING;
	return p;
}

/* Waiting zones are not busy, nor is time in no zone; a zone that is entered in a waiting one is. */
static void busy_is_what_zones_do_that_do_not_wait(void **state)
{
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, 3);
	assert_int_equal(l.wall, 300);
	assert_int_equal(l.threads[0].busy, 20 + 40 + 55 + 3 * 5);
	assert_int_equal(l.threads[0].waits, 3 * 30);
	assert_int_equal(l.threads[0].longest, 60);
	assert_int_equal(l.threads[0].longest_frame, 3);
	assert_int_equal(l.threads[1].waits, 0);
	assert_int_equal(l.threads[0].frames[0], 25);
	assert_int_equal(l.threads[0].frames[2], 60);
	assert_int_equal(l.threads[1].busy, 70);
	assert_int_equal(l.threads[1].frames[0], 0);
	assert_int_equal(l.threads[1].frames[2], 70);
	thread_loads_fini(&l);
	profile_free(p);
}

static void it_ends_at_the_frame_that_is_asked_for(void **state)
{
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_make(&l, p, 2));
	assert_int_equal(l.count, 2);
	assert_int_equal(l.threads[0].busy, 20 + 40 + 2 * 5);
	assert_int_equal(l.threads[1].busy, 0);
	thread_loads_fini(&l);
	assert_true(thread_loads_make(&l, p, 99)); /* which is not there yet */
	assert_int_equal(l.count, 3);
	thread_loads_fini(&l);
	profile_free(p);
}

static void frames_that_do_not_count_are_left_out(void **state)
{
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	p->frames[1].flags |= FRAME_DISCARDED;
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, 2);
	assert_int_equal(l.wall, 200);
	assert_int_equal(l.threads[0].frames[1], 60);
	thread_loads_fini(&l);
	profile_free(p);
}

static void only_the_newest_are_looked_at(void **state)
{
	struct profile *p = dsl_profile("");
	struct thread_loads l;
	char text[64];

	(void)state;
	for (int n = 1; n <= 3 * THREAD_LOAD_FRAMES; n++) {
		snprintf(text, sizeof(text), "frame %d 1000\nmain work %d 1\n", n, n);
		dsl_grow(p, text);
	}
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, THREAD_LOAD_FRAMES);
	assert_int_equal(l.threads[0].frames[0], 2 * THREAD_LOAD_FRAMES + 1);
	assert_int_equal(l.threads[0].frames[THREAD_LOAD_FRAMES - 1], 3 * THREAD_LOAD_FRAMES);
	thread_loads_fini(&l);
	assert_true(thread_loads_make(&l, p, 3));
	assert_int_equal(l.count, 3);
	thread_loads_fini(&l);
	profile_free(p);
}

static void without_frames_there_is_nothing(void **state)
{
	struct profile *p = dsl_profile("main work 70 1\n");
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_make(&l, p, 0));
	assert_int_equal(l.count, 0);
	assert_int_equal(l.wall, 0);
	assert_int_equal(l.threads[0].busy, 0);
	thread_loads_fini(&l);
	profile_free(p);
}

/* Loads of the first two frames, and of the whole run, which has no frames to speak of. */
static void what_is_covered_may_be_any_values(void **state)
{
	struct profile *p = program();
	struct values *v = values_of_frames(p, 0, 2);
	struct thread_loads l;

	(void)state;
	assert_true(thread_loads_cover(&l, p, v, 0, 2));
	assert_int_equal(l.wall, 200);
	assert_int_equal(l.count, 2);
	assert_int_equal(l.threads[0].busy, 20 + 40 + 2 * 5);
	assert_int_equal(l.threads[0].waits, 60);
	assert_int_equal(l.threads[0].longest, 45);
	assert_int_equal(l.threads[0].longest_frame, 2);
	assert_int_equal(l.threads[1].longest_frame, 0);
	thread_loads_fini(&l);
	values_free(v);
	profile_free(p);
	p = dsl_profile("main . 30 1\nmain work 70 1\n");
	v = values_of_run(p);
	assert_true(thread_loads_cover(&l, p, v, 0, 0));
	assert_int_equal(l.threads[0].busy, 70);
	assert_int_equal(l.threads[0].longest_frame, 0);
	thread_loads_fini(&l);
	values_free(v);
	profile_free(p);
}

/* One that was kept for being long is in the longest, but in no line of the newest; a discarded one in neither. */
static void the_longest_may_be_kept_alone(void **state)
{
	struct profile *p = program();
	struct values *v = values_of_run(p);
	struct thread_loads l;

	(void)state;
	p->frames[2].flags |= FRAME_KEPT;
	assert_true(thread_loads_cover(&l, p, v, 0, 3));
	assert_int_equal(l.count, 2);
	assert_int_equal(l.threads[0].longest_frame, 3);
	assert_int_equal(l.threads[0].frames[1], 45);
	thread_loads_fini(&l);
	p->frames[2].flags |= FRAME_DISCARDED;
	assert_true(thread_loads_cover(&l, p, v, 0, 3));
	assert_int_equal(l.threads[0].longest_frame, 2);
	thread_loads_fini(&l);
	values_free(v);
	profile_free(p);
}

/* What the system counts for each thread. */

static const char *const names[] = { "main", "job", "idle" };

enum { NAMES = 3, FRAMES = 40, DISCARDED = 7, EMPTY = 12 };

/* The amounts that were put into each slice, kept beside the profile. */
struct counted {
	struct profile *p;
	int64_t amounts[FRAMES + 1][NAMES][LOAD_AMOUNTS]; /* -1: unknown; -2: no column */
};

static bool is_time(int k)
{
	return k == AMOUNT_CPU || k == AMOUNT_OFF_CPU || k == AMOUNT_DELAY;
}

/* `idle` has slices in some frames only. No page fault of `job` is known. */
static void make_counted(struct counted *c)
{
	uint32_t random = 1;
	char text[256];

	c->p = dsl_profile("");
	c->p->ticks_per_s = 250000000; /* a tick is 4 ns */
	for (int n = 1; n <= FRAMES; n++) {
		snprintf(text, sizeof(text), "frame %d 1000\n", n);
		dsl_grow(c->p, text);
		for (int t = 0; t < NAMES && n != EMPTY; t++) {
			if (t == 2 && n % 3)
				continue;
			dsl_cell(c->p, (uint64_t)n, (struct profile_cell){ dsl_node(c->p, names[t], "work"), 500, 1, 500 });
			for (int k = 0; k < LOAD_AMOUNTS; k++) {
				int drawn;

				random = random * 1664525 + 1013904223;
				drawn = (int)(random >> 8);
				c->amounts[n][t][k] = (k == 4 && t == 1) || drawn % 40 == 1 ? -1
						      : drawn % 40 == 2			    ? -2
						      : is_time(k)			    ? drawn % 6000
											    : drawn % 3;
			}
			dsl_cpu_amounts(c->p, (uint64_t)n, names[t], c->amounts[n][t]);
		}
	}
	c->p->frames[DISCARDED - 1].flags |= FRAME_DISCARDED;
}

/* Adds up the amounts of frames `first` to `last` once more. A thread that was
 * busy for longer than it ran was off the CPU for the rest. */
static void expect_counted(const struct counted *c, const struct thread_loads *l, int first, int last)
{
	for (int t = 0; t < NAMES; t++) {
		int64_t busy = 0, cpu = 0;
		bool exact = true;

		for (int k = 0; k < LOAD_AMOUNTS; k++) {
			const struct load_amount *a = &l->threads[t].amounts[k];
			int64_t sum = 0, wall = 0;
			bool known = false, unknown = false;

			for (int n = first; n <= last; n++) {
				int64_t amount = c->amounts[n][t][k];

				if (n == DISCARDED)
					continue;
				wall += 1000;
				unknown |= n == EMPTY;
				if (n == EMPTY || (t == 2 && n % 3))
					continue;
				sum += amount > 0 ? amount : 0;
				busy += k == AMOUNT_CPU ? 500 : 0;
				known |= amount >= 0;
				unknown |= amount < 0;
			}
			assert_int_equal(l->wall, wall);
			if (is_time(k))
				sum = (sum + 2) / 4 < wall ? (sum + 2) / 4 : wall;
			cpu = k == AMOUNT_CPU ? sum : cpu;
			exact &= k > AMOUNT_OFF_CPU || (known && !unknown);
			if (k == AMOUNT_OFF_CPU && exact && busy - cpu > sum)
				sum = busy - cpu;
			assert_int_equal(a->sum, sum);
			assert_int_equal(load_amount_known(a), !unknown ? MEASURE_KNOWN : known ? MEASURE_LEAST : MEASURE_UNKNOWN);
		}
	}
}

static void amounts_are_summed_over_frames(void **state)
{
	struct counted c;
	struct thread_loads l;

	(void)state;
	make_counted(&c);
	assert_true(thread_loads_make(&l, c.p, 0));
	expect_counted(&c, &l, 1, FRAMES);
	thread_loads_fini(&l);
	for (int first = 1; first <= FRAMES; first++)
		for (int n = 1; n <= FRAMES + 1 - first; n++) {
			struct values *v = values_of_frames(c.p, (uint32_t)first - 1, (uint32_t)n);

			if (!v->first_frame) { /* a discarded frame alone */
				values_free(v);
				continue;
			}
			assert_true(thread_loads_cover(&l, c.p, v, (uint32_t)first - 1, (uint32_t)n));
			expect_counted(&c, &l, first, first + n - 1);
			thread_loads_fini(&l);
			values_free(v);
		}
	profile_free(c.p);
}

/* No slice has to be held. */
static void amounts_of_the_whole_run_are_those_of_its_totals(void **state)
{
	struct counted c;
	struct thread_loads l;
	struct values *v;

	(void)state;
	make_counted(&c);
	c.p->now_tick = 1000000;
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		assert_true(profile_set_amount(c.p, c.p->threads[0].root, dsl_cpu_measure(c.p, k), 100000 * (k + 1)));
	assert_true(profile_lack_amount(c.p, 0, dsl_cpu_measure(c.p, 1)));
	v = values_of_run(c.p);
	assert_true(thread_loads_cover(&l, c.p, v, 0, c.p->frame_count));
	assert_int_equal(l.threads[0].amounts[AMOUNT_CPU].sum, 25000);
	assert_int_equal(load_amount_known(&l.threads[0].amounts[AMOUNT_CPU]), MEASURE_KNOWN);
	assert_int_equal(l.threads[0].amounts[AMOUNT_OFF_CPU].sum, 50000);
	assert_int_equal(load_amount_known(&l.threads[0].amounts[AMOUNT_OFF_CPU]), MEASURE_LEAST);
	assert_int_equal(l.threads[0].amounts[AMOUNT_INVOLUNTARY].sum, 400000);
	assert_int_equal(load_amount_known(&l.threads[1].amounts[AMOUNT_CPU]), MEASURE_UNKNOWN);
	thread_loads_fini(&l);
	v->average = true;
	assert_true(thread_loads_cover(&l, c.p, v, 0, c.p->frame_count));
	assert_int_equal(load_amount_known(&l.threads[0].amounts[AMOUNT_CPU]), MEASURE_UNKNOWN);
	thread_loads_fini(&l);
	values_free(v);
	profile_free(c.p);
}

/* A trace may count something else under the same name. */
static void other_measures_of_these_names_are_no_amounts(void **state)
{
	static const struct profile_measure others[] = {
		{ "cpu", "CPU", .unit = MEASURE_NS, .of = MEASURE_OF_NODE },
		{ "off_cpu", "OFF CPU", .unit = MEASURE_SAMPLES, .of = MEASURE_OF_SLICE },
		{ "faults", "FAULTS", .unit = MEASURE_COUNT, .of = MEASURE_OF_SLICE, .combine = MEASURE_MAX },
	};
	struct profile *p = program();
	struct thread_loads l;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		profile_add_measure(p, &others[i]);
	assert_true(thread_loads_make(&l, p, 0));
	for (int k = 0; k < LOAD_AMOUNTS; k++)
		assert_int_equal(l.measures[k], PROFILE_NONE);
	thread_loads_fini(&l);
	profile_free(p);
}

static void threads_are_listed_by_how_busy_they_are(void **state)
{
	struct profile *p = dsl_profile("frame 1 100\nover job 90 1\nidle job 10 1\nmain draw 20 1\npool job 70 1\n");
	struct thread_loads l;
	uint32_t order[4];

	(void)state;
	p->threads[0].state = THREAD_ENDED;
	p->threads[2].marking = true;
	assert_true(thread_loads_make(&l, p, 0));
	thread_loads_order(&l, p, order);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 3);
	assert_int_equal(order[2], 1);
	assert_int_equal(order[3], 0);
	thread_loads_fini(&l);
	profile_free(p);
}

/* Which threads are shown at first. */

/* So many frames of 100 ms, in which the threads do so many ms of work; the rest of the time main waits. */
static struct profile *threaded(int frames, int main_ms, int worker_ms, int other_ms)
{
	struct profile *p = dsl_profile("");
	char text[256];

	profile_add_zone(p, "wait", "", 0, ZONE_WAITING);
	for (int n = 1; n <= frames; n++) {
		snprintf(text, sizeof(text),
			 "frame %d 100000000\nmain wait %d000000 1\nmain draw %d000000 1\nworker . %d000000\n"
			 "worker job %d000000 1\nother job %d000000 1\n",
			 n, 100 - main_ms, main_ms, 100 - worker_ms, worker_ms, other_ms);
		dsl_grow(p, text);
	}
	p->threads[0].marking = true;
	return p;
}

static void expect_first(struct profile *p, enum first_threads first)
{
	assert_int_equal(first_threads_decide(p), first);
	profile_free(p);
}

static void all_threads_are_shown_where_the_marking_one_waits_for_others(void **state)
{
	(void)state;
	expect_first(threaded(20, 1, 90, 80), FIRST_ALL);
	expect_first(threaded(20, 49, 30, 20), FIRST_ALL);
	expect_first(threaded(20, 51, 90, 80), FIRST_MARKING); /* it works for most of the time */
	expect_first(threaded(20, 40, 20, 20), FIRST_MARKING); /* others do no more than it */
}

static void what_threads_did_before_does_not_decide(void **state)
{
	struct profile *p = threaded(40, 90, 0, 0);
	char text[128];

	(void)state;
	for (int n = 41; n <= 60; n++) {
		snprintf(text, sizeof(text), "frame %d 100000000\nmain wait 100000000 1\nworker job 70000000 1\n", n);
		dsl_grow(p, text);
	}
	expect_first(p, FIRST_ALL);
}

static void it_is_decided_when_enough_is_known(void **state)
{
	struct profile *p = threaded(4, 1, 90, 80);

	(void)state;
	expect_first(threaded(4, 1, 90, 80), FIRST_UNDECIDED); /* less than half a second */
	expect_first(threaded(5, 1, 90, 80), FIRST_ALL);
	expect_first(threaded(20, 0, 0, 0), FIRST_UNDECIDED); /* nobody works yet */
	p->process.state = PROFILE_ENDED;                     /* no more will be known */
	expect_first(p, FIRST_ALL);
}

/* So many frames of a length in ms, in each of which main waits and the worker works for so many microseconds. */
static struct profile *quiet_server(int frames, int frame_ms, int main_us, int worker_us)
{
	struct profile *p = dsl_profile("");
	char text[256];

	profile_add_zone(p, "wait", "", 0, ZONE_WAITING);
	for (int n = 1; n <= frames; n++) {
		snprintf(text, sizeof(text),
			 "frame %d %d000000\nmain wait %d000000 1\nmain draw %d000 1\nworker job %d000 1\n", n, frame_ms,
			 frame_ms - 1, main_us, worker_us);
		dsl_grow(p, text);
	}
	p->threads[0].marking = true;
	return p;
}

/* A server that marks a frame each second has only two of them in the newest 2 s. */
static void four_long_frames_are_enough(void **state)
{
	(void)state;
	expect_first(quiet_server(3, 1000, 1, 900000), FIRST_UNDECIDED);
	expect_first(quiet_server(4, 1000, 1, 900000), FIRST_ALL);
	expect_first(quiet_server(60, 1000, 1, 900000), FIRST_ALL);
	expect_first(quiet_server(60, 1000, 900000, 1000), FIRST_MARKING);
}

/* A server with few requests is busy for less than a hundredth of the time, and its workers do what there is to do. */
static void after_two_seconds_a_low_load_is_enough(void **state)
{
	(void)state;
	expect_first(quiet_server(19, 100, 1, 500), FIRST_UNDECIDED); /* 1.9 s */
	expect_first(quiet_server(20, 100, 1, 500), FIRST_ALL);
	expect_first(quiet_server(20, 1000, 1, 500), FIRST_ALL);
	expect_first(quiet_server(20, 100, 500, 1), FIRST_UNDECIDED); /* the frame thread is shown anyway */
	expect_first(quiet_server(20, 100, 0, 0), FIRST_UNDECIDED);   /* nobody has worked yet */
}

static void without_a_marking_thread_all_are_shown(void **state)
{
	struct profile *p = threaded(20, 90, 0, 0);

	(void)state;
	assert_int_equal(first_threads_of(p, FIRST_MARKING), 0);
	assert_int_equal(first_threads_of(p, FIRST_UNDECIDED), 0);
	assert_int_equal(first_threads_of(p, FIRST_ALL), THREADS_ALL);
	p->threads[0].marking = false;
	assert_int_equal(first_threads_of(p, FIRST_MARKING), THREADS_ALL);
	expect_first(p, FIRST_UNDECIDED);
}

/* The load: how many cores a program keeps busy. */

#define MS 1000000.0

static struct load load_of(const struct profile *p, uint32_t first, uint32_t n)
{
	struct values *v = values_of_frames(p, first, n);
	struct load l = load_of_values(p, v, NULL);

	values_free(v);
	return l;
}

static void expect_cores(struct query *q, const struct profile *p, const struct query_options *view, double cores, bool least)
{
	struct values *cpu;
	struct load l;

	assert_true(query_look(q, view));
	cpu = query_cpu(q);
	l = load_of_values(p, query_times(q), cpu);
	assert_true(l.cpu && l.wall > 0);
	assert_float_equal(l.used / l.wall, cores, 1e-6);
	assert_int_equal(l.least, least);
	values_free(cpu);
}

/* Cores in all that can be viewed. Zones of main and worker
 * are open for nearly all of the time. */
static void cores_are_cpu_time_if_it_is_known(void **state)
{
	const struct query_options views[] = {
		{ .threads = THREADS_ALL, .frame = 7 },
		{ .threads = 0, .first = 3, .last = 9 },
		{ .threads = THREADS_ALL, .first = 3, .last = 9, .sums = true },
		{ .threads = THREADS_ALL, .average = AVERAGE_NOW },
		{ .threads = THREADS_ALL, .average = AVERAGE_FAST },
		{ .threads = 1, .average = AVERAGE_SLOW, .measure = MEASURE_ENTRIES },
	};
	const int64_t main_has[LOAD_AMOUNTS] = { 25000000 }, worker_has[LOAD_AMOUNTS] = { 5000000 }, unknown[LOAD_AMOUNTS] = { -1 };
	struct profile *p = threaded(20, 90, 80, 0);
	struct query *q;

	(void)state;
	for (uint64_t n = 1; n <= 20; n++) {
		dsl_cpu_amounts(p, n, "main", main_has);
		dsl_cpu_amounts(p, n, "worker", worker_has);
		dsl_cpu_amounts(p, n, "other", main_has);
	}
	q = query_new(p);
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		expect_cores(q, p, &views[i], 0.55, false);
	dsl_cpu_amounts(p, 7, "worker", unknown);
	expect_cores(q, p, &views[0], 0.25 + 0.80 + 0.25, false); /* its busy time stands for it */
	expect_cores(q, p, &views[2], (7 * 0.55 - 0.05) / 7, true);
	expect_cores(q, p, &views[3], 0.55, false);
	query_free(q);
	profile_free(p);
}

static struct load average_load(const struct profile *p, enum average_slot slot)
{
	struct averages *a = averages_new();
	struct values *v;
	struct load l;

	assert_true(averages_update(a, p));
	v = values_average(a, p, slot);
	l = load_of_values(p, v, NULL);
	values_free(v);
	averages_free(a);
	return l;
}

/* Main works for 1 ms of each 100, the workers for 90 and 80; what worker does in no zone is not counted. */
static void cores_are_time_in_zones_that_do_not_wait(void **state)
{
	struct profile *p = threaded(20, 1, 90, 80);
	struct load l = load_of(p, 0, 20);

	(void)state;
	assert_float_equal(l.wall, 2000 * MS, 0);
	assert_float_equal(l.used, 20 * (1 + 90 + 80) * MS, 0);
	assert_true(l.idles);
	l = load_of(p, 18, 1);
	assert_float_equal(l.used / l.wall, 1.71, 1e-9);
	profile_free(p);
}

static void an_average_frame_has_the_load_of_its_frames(void **state)
{
	struct profile *p = threaded(20, 1, 90, 80);

	(void)state;
	for (enum average_slot slot = 0; slot < AVERAGE_SLOTS; slot++) {
		struct load l = average_load(p, slot);

		if (slot != AVERAGE_RUN) /* these frames have no totals */
			assert_float_equal(l.used / l.wall, 1.71, 1e-6);
	}
	profile_free(p);
}

/* A server that works for 1 ms, ten times a second. */
static struct profile *server(void)
{
	struct profile *p = dsl_profile("");

	for (uint64_t n = 1; n <= 10; n++) {
		struct profile_cell cell = { .node = dsl_node(p, "main", "serve"), .self = 1000000, .count = 1 };
		struct profile_part part = { .bound = (int64_t)n * 100000000, .end = (int64_t)n * 100000000 + 1000000,
					     .cell_count = 1, .cells = &cell };

		assert_true(profile_add_frame(p, n, (int64_t)n * 100000000, 1000000, FRAME_BOUNDED));
		assert_true(profile_set_part(p, n, &part));
	}
	p->now_tick = 1001000000;
	return p;
}

static void time_between_bounded_frames_is_idle(void **state)
{
	struct profile *p = server();
	struct load l = load_of(p, 1, 9);

	(void)state;
	assert_float_equal(l.used / l.wall, 0.01, 1e-9);
	assert_true(l.idles);
	assert_false(l.least);
	assert_float_equal(average_load(p, AVERAGE_SLOW).used / average_load(p, AVERAGE_SLOW).wall, 0.01, 1e-3);
	l = load_of(p, 4, 1); /* a single frame has its own */
	assert_float_equal(l.used / l.wall, 1, 1e-9);
	assert_false(l.idles);
	profile_add_thread(p, 2, 2, "worker"); /* which may work between frames */
	assert_true(average_load(p, AVERAGE_FAST).least);
	assert_false(load_of(p, 4, 1).least);
	profile_free(p);
}

static void a_missing_slice_leaves_the_load_unknown(void **state)
{
	struct profile *p = threaded(2, 50, 0, 0);
	struct profile_part lost = { .flags = PART_LAPPED };
	struct load l;

	(void)state;
	assert_true(profile_set_part(p, 2, &lost));
	assert_float_equal(load_of(p, 0, 2).wall, 0, 0);
	l = average_load(p, AVERAGE_FAST); /* which leaves out such frames */
	assert_float_equal(l.used / l.wall, 0.5, 1e-6);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(busy_is_what_zones_do_that_do_not_wait),
		cmocka_unit_test(it_ends_at_the_frame_that_is_asked_for),
		cmocka_unit_test(frames_that_do_not_count_are_left_out),
		cmocka_unit_test(only_the_newest_are_looked_at),
		cmocka_unit_test(without_frames_there_is_nothing),
		cmocka_unit_test(what_is_covered_may_be_any_values),
		cmocka_unit_test(the_longest_may_be_kept_alone),
		cmocka_unit_test(amounts_are_summed_over_frames),
		cmocka_unit_test(amounts_of_the_whole_run_are_those_of_its_totals),
		cmocka_unit_test(other_measures_of_these_names_are_no_amounts),
		cmocka_unit_test(threads_are_listed_by_how_busy_they_are),
		cmocka_unit_test(all_threads_are_shown_where_the_marking_one_waits_for_others),
		cmocka_unit_test(what_threads_did_before_does_not_decide),
		cmocka_unit_test(it_is_decided_when_enough_is_known),
		cmocka_unit_test(four_long_frames_are_enough),
		cmocka_unit_test(after_two_seconds_a_low_load_is_enough),
		cmocka_unit_test(without_a_marking_thread_all_are_shown),
		cmocka_unit_test(cores_are_cpu_time_if_it_is_known),
		cmocka_unit_test(cores_are_time_in_zones_that_do_not_wait),
		cmocka_unit_test(an_average_frame_has_the_load_of_its_frames),
		cmocka_unit_test(time_between_bounded_frames_is_idle),
		cmocka_unit_test(a_missing_slice_leaves_the_load_unknown),
	};

	return cmocka_run_group_tests_name("model: how busy threads are", tests, NULL, NULL);
}
