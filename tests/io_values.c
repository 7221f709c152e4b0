/* SPDX-License-Identifier: MIT */
/*
 * io_values: counters, events and notes of regions of known content, as a profile has them: what a frame had,
 * what came late, was overwritten or damaged, of owners that changed, and of a million events.
 *
 * Ticks are nanoseconds; the region is made at tick 1000, which is where interval 1 begins.
 */
#include "io/region/live.h"
#include "model/stats/counters.h"
#include "tests/io_frames.h"
#include "tests/region_builder.h"

struct fixture {
	struct builder b;
	struct source *s;
	uint32_t main, pool; /* blocks */
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	builder_begin(&f->b, "io-values");
	f->main = builder_thread(&f->b, 1000, "main");
	f->pool = builder_thread(&f->b, 1000, "pool");
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	source_close(f->s);
	builder_end(&f->b);
	free(f);
	return 0;
}

static void open_with(struct fixture *f, unsigned flags)
{
	enum open_result result;
	char why[512];

	f->s = live_open(f->b.name, flags, &result, why, sizeof(why));
	assert_non_null(f->s);
}

static void open_source(struct fixture *f)
{
	open_with(f, 0);
}

static const struct profile *read_dead(struct fixture *f)
{
	builder_die(&f->b);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_END);
	return f->s->profile;
}

static const struct profile *read_live(struct fixture *f)
{
	if (!f->s)
		open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	return f->s->profile;
}

/* Ends the running interval as a frame of 1000 ticks. */
static void frame(struct fixture *f)
{
	uint64_t interval = WORD_LOAD(f->b.process->epoch);

	builder_frame(&f->b, (int64_t)(1 + interval) * 1000, interval, 0, NULL);
}

static uint64_t loss(const struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, key))
			return p->losses[i].count;
	fail();
	return 0;
}

/* A value as `last least most`, with ` own` if it changed there; `-`: not known. */
static void expect(const struct profile *p, uint32_t counter, uint32_t thread, uint64_t number,
		   const char *text)
{
	const struct profile_frame *frame = profile_find_frame(p, number);
	struct counter_value v;
	char out[128] = "-";

	assert_non_null(frame);
	v = counters_in_frame(p, counter, thread, frame);
	if (v.known)
		snprintf(out, sizeof(out), "%lld %lld %lld%s", (long long)v.last.whole,
			 (long long)v.least.whole, (long long)v.most.whole, v.changed ? " own" : "");
	assert_string_equal(out, text);
}

static void values_of_frames(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile *p;

	frame(f);
	builder_value(&f->b, f->main, health, 50);
	builder_value(&f->b, f->main, health, 10);
	builder_value(&f->b, f->main, health, 20);
	frame(f);
	frame(f);
	builder_value(&f->b, f->main, health, 30);
	frame(f);
	builder_value(&f->b, f->main, health, 7);
	p = read_dead(f);
	assert_int_equal(p->counter_count, 1);
	assert_string_equal(p->counters[0].name, "health");
	assert_false(p->counters[0].summed);
	assert_int_equal(p->track_count, 1);
	assert_string_equal(p->threads[p->tracks[0].thread].name, "main");
	expect(p, 0, p->tracks[0].thread, 1, "-");
	expect(p, 0, p->tracks[0].thread, 2, "20 10 50 own");
	expect(p, 0, p->tracks[0].thread, 3, "20 20 20");
	expect(p, 0, p->tracks[0].thread, 4, "30 30 30 own");
	assert_int_equal(p->tracks[0].now.last.whole, 7);
	assert_int_equal(p->tracks[0].change_count, 2);
	assert_int_equal(p->tracks[0].run_least.whole, 7);
	assert_int_equal(p->tracks[0].run_most.whole, 50);
	assert_int_equal(p->tracks[0].born, 2000);
}

/* A poll before the next change, or after it: the frames are the same. */
static void polls_do_not_show(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile *p = read_live(f);
	uint32_t thread;

	for (int i = 1; i <= 6; i++) {
		builder_value(&f->b, f->main, health, (uint64_t)i * 10);
		p = read_live(f);
		assert_int_equal(p->tracks[0].now.last.whole, i * 10);
		assert_int_equal(p->tracks[0].change_count, i - 1);
		builder_value(&f->b, f->main, health, (uint64_t)i);
		if (i % 2)
			p = read_live(f);
		frame(f);
		if (i % 3)
			p = read_live(f);
	}
	p = read_live(f);
	thread = p->tracks[0].thread;
	expect(p, 0, thread, 1, "1 1 10 own");
	expect(p, 0, thread, 2, "2 2 20 own");
	expect(p, 0, thread, 3, "3 3 30 own");
	expect(p, 0, thread, 6, "6 6 60 own");
	assert_int_equal(p->track_count, 1);
	assert_int_equal(p->tracks[0].change_count, 6);
	assert_int_equal(p->tracks[0].run_most.whole, 60);
}

static void sums_are_over_all_threads(void **state)
{
	struct fixture *f = *state;
	uint32_t made = builder_counter(&f->b, "made", 0);
	const struct profile *p;

	builder_value(&f->b, f->main, made, 5);
	frame(f);
	builder_value(&f->b, f->pool, made, 100);
	frame(f);
	builder_value(&f->b, f->main, made, 6);
	builder_value(&f->b, f->pool, made, 200);
	frame(f);
	p = read_dead(f);
	assert_true(p->counters[0].summed);
	assert_int_equal(p->track_count, 2);
	assert_int_equal(p->tracks[0].thread, PROFILE_NONE);
	expect(p, 0, PROFILE_NONE, 1, "5 5 5 own");
	expect(p, 0, PROFILE_NONE, 2, "105 105 105 own");
	expect(p, 0, PROFILE_NONE, 3, "206 206 206 own");
}

static void new_owner(struct fixture *f, uint32_t block, uint64_t generation)
{
	WORD_STORE(f->b.threads[block].state, BLOCK_LIVE | generation << 8);
}

static void a_sum_does_not_ask_who_owns_a_slot(void **state)
{
	struct fixture *f = *state;
	uint32_t made = builder_counter(&f->b, "made", 0);
	const struct profile *p;

	builder_value(&f->b, f->main, made, 5);
	frame(f);
	read_live(f);
	new_owner(f, f->main, 2);
	builder_value(&f->b, f->main, made, 8);
	frame(f);
	p = read_live(f);
	assert_int_equal(p->track_count, 1);
	expect(p, 0, PROFILE_NONE, 1, "5 5 5 own");
	expect(p, 0, PROFILE_NONE, 2, "8 8 8 own");
}

static void each_owner_sets_its_own(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile *p;

	builder_value(&f->b, f->main, health, 5);
	frame(f);
	read_live(f);
	new_owner(f, f->main, 2);
	builder_value(&f->b, f->main, health, 8);
	frame(f);
	p = read_live(f);
	assert_int_equal(p->track_count, 2);
	assert_true(p->tracks[0].thread != p->tracks[1].thread);
	expect(p, 0, p->tracks[0].thread, 2, "5 5 5");
	expect(p, 0, p->tracks[1].thread, 1, "-");
	expect(p, 0, p->tracks[1].thread, 2, "8 8 8 own");
}

/* A poll reads a value behind the end of its frame, before that end is known. Then the thread changes the value once
 * more and ends. The frame has the change, and no later frame has it again. */
static void the_last_value_of_an_owner_stays_in_its_frame(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile *p;
	int64_t polled;

	builder_value(&f->b, f->main, health, 5);
	p = read_live(f);
	polled = p->tracks[0].now.tick;
	assert_true(polled > 2000);
	builder_value(&f->b, f->main, health, 9);
	builder_value(&f->b, f->main, health, 7);
	frame(f);
	new_owner(f, f->main, 2);
	builder_value(&f->b, f->main, health, 8);
	builder_frame(&f->b, polled + 1000, 2, 0, NULL);
	p = read_live(f);
	assert_int_equal(p->track_count, 2);
	expect(p, 0, p->tracks[0].thread, 1, "7 5 9 own");
	expect(p, 0, p->tracks[0].thread, 2, "7 7 7");
	expect(p, 0, p->tracks[1].thread, 2, "8 8 8 own");
	assert_int_equal(p->tracks[0].run_least.whole, 5);
	assert_int_equal(p->tracks[0].run_most.whole, 9);
}

/* The least and greatest value are not those of an earlier owner, in a later interval and in the same one. */
static void bounds_are_of_one_owner(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile *p = NULL;

	for (int i = 0; i < 3; i++) {
		new_owner(f, f->main, (uint64_t)i + 1);
		builder_value(&f->b, f->main, health, (uint64_t)(10 - i));
		p = read_live(f);
		if (i == 1)
			frame(f);
	}
	assert_int_equal(p->track_count, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(p->tracks[i].now.last.whole, 10 - i);
		assert_int_equal(p->tracks[i].run_least.whole, 10 - i);
		assert_int_equal(p->tracks[i].run_most.whole, 10 - i);
	}
}

/* Those that nobody saw are one thread: all that they set in a frame is between its least and its most. */
static void forgotten_owners_of_one_frame(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile *p;

	for (int i = 0; i < 4; i++) {
		new_owner(f, f->main, (uint64_t)i + 1);
		builder_value(&f->b, f->main, health, (uint64_t)(5 + (i ^ 1)));
	}
	frame(f);
	p = read_live(f);
	assert_int_equal(p->track_count, 2);
	for (int i = 0; i < 2; i++)
		if (p->threads[p->tracks[i].thread].state == THREAD_AGGREGATE)
			expect(p, 0, p->tracks[i].thread, 1, "8 5 8 own");
		else
			expect(p, 0, p->tracks[i].thread, 1, "7 7 7 own");
}

/* Whether the least and the most of the whole run are known in the row of ended threads. */
static bool knows_bounds_of_ended(const struct profile *p)
{
	struct counter_options run = { .from = 0, .to = -1, .sort = COUNTER_COLUMNS };
	char why[128];
	struct counter_report *r = counters_make(p, &run, why, sizeof(why));
	bool found = false, knows = false;

	assert_non_null(r);
	for (uint32_t i = 0; i < r->row_count; i++)
		if (p->threads[r->rows[i].thread].state == THREAD_AGGREGATE) {
			found = true;
			assert_true(counter_knows(&r->rows[i].value, COUNTER_LAST));
			knows = counter_knows(&r->rows[i].value, COUNTER_LEAST);
			assert_int_equal(counter_knows(&r->rows[i].value, COUNTER_MOST), knows);
		}
	assert_true(found);
	counters_free(r);
	return knows;
}

/* Owners whose values nobody read. Without the beginning of the log nobody knows the least and the most of them all. */
static void bounds_of_forgotten_owners(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET), jump = builder_zone(&f->b, "jump", "", 0);

	f->b.values[f->main].most = 2;
	for (int i = 0; i < 4; i++) {
		new_owner(f, f->main, (uint64_t)i + 1);
		builder_value(&f->b, f->main, health, (uint64_t)(5 + (i ^ 1)));
		frame(f);
	}
	assert_true(knows_bounds_of_ended(read_live(f)));
	source_close(f->s);
	f->s = NULL;
	for (int i = 0; i < 2000; i++)
		builder_event(&f->b, f->main, jump, 5001);
	new_owner(f, f->main, 5);
	builder_value(&f->b, f->main, health, 9);
	frame(f);
	new_owner(f, f->main, 6);
	builder_value(&f->b, f->main, health, 8);
	frame(f);
	assert_false(knows_bounds_of_ended(read_live(f)));
}

/* If an owner was gone before the region was read, its name is not known. */
static void values_of_forgotten_owners(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	uint32_t jump = builder_zone(&f->b, "jump", "", 0);
	const struct profile *p;

	builder_value(&f->b, f->main, health, 5);
	builder_event(&f->b, f->main, jump, 1500);
	frame(f);
	new_owner(f, f->main, 2);
	builder_value(&f->b, f->main, health, 8);
	p = read_live(f);
	assert_int_equal(p->track_count, 2);
	assert_int_equal(p->instant_count, 1);
	assert_int_equal(p->threads[p->instants[0].thread].state, THREAD_AGGREGATE);
	expect(p, 0, p->instants[0].thread, 1, "5 5 5 own");
}

static void a_sum_becomes_values_of_threads(void **state)
{
	struct fixture *f = *state;
	uint32_t both = builder_counter(&f->b, "both", 0);
	const struct profile *p;

	builder_value(&f->b, f->main, both, 5);
	builder_value(&f->b, f->pool, both, 7);
	frame(f);
	p = read_live(f);
	expect(p, 0, PROFILE_NONE, 1, "12 12 12 own");
	WORD_STORE(f->b.counters[both].flags, COUNTER_SET);
	builder_value(&f->b, f->main, both, 1);
	frame(f);
	p = read_live(f);
	assert_int_equal(p->track_count, 2);
	assert_false(p->counters[0].summed);
	assert_string_equal(p->threads[p->tracks[0].thread].name, "main");
	assert_string_equal(p->threads[p->tracks[1].thread].name, "pool");
	expect(p, 0, p->tracks[0].thread, 2, "1 1 1 own");
	expect(p, 0, p->tracks[1].thread, 2, "7 7 7");
}

static void doubles_are_read_exactly(void **state)
{
	struct fixture *f = *state;
	uint32_t heat = builder_counter(&f->b, "heat", COUNTER_REAL | COUNTER_SET);
	const struct profile *p;

	builder_value(&f->b, f->main, heat, builder_real(0.1));
	builder_value(&f->b, f->main, heat, builder_real(-1e300));
	frame(f);
	builder_value(&f->b, f->main, heat, builder_real(1.0 / 3));
	p = read_dead(f);
	assert_true(p->counters[0].real);
	assert_true(p->tracks[0].changes[0].last.real == -1e300);
	assert_true(p->tracks[0].changes[0].most.real == 0.1);
	assert_true(p->tracks[0].now.last.real == 1.0 / 3);
	assert_true(p->tracks[0].run_least.real == -1e300);
}

/* The ring of frames is over it: it is the value before the frames that there are, and theirs alone. */
static void a_value_older_than_all_frames_is_kept(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	uint32_t made = builder_counter(&f->b, "made", 0);
	const struct profile *p;

	builder_value(&f->b, f->main, made, 3);
	builder_value(&f->b, f->main, health, 5);
	frame(f);
	builder_value(&f->b, f->main, health, 6);
	for (int i = 0; i < 3 * BUILDER_FRAMES; i++)
		frame(f);
	builder_value(&f->b, f->main, made, 4);
	frame(f);
	p = read_dead(f);
	assert_true(p->frame_count >= BUILDER_FRAMES / 2 && p->frames[0].number > 5);
	for (uint32_t i = 0; i < p->frame_count; i++)
		expect(p, 0, p->tracks[0].counter ? p->tracks[1].thread : p->tracks[0].thread,
		       p->frames[i].number, "6 6 6");
	expect(p, 1, PROFILE_NONE, p->frames[0].number, "3 3 3");
	expect(p, 1, PROFILE_NONE, p->frames[p->frame_count - 1].number, "4 4 4 own");
}

/* A value that was read with its frame is not repeated for a later frame when the ring has overwritten the first. */
static void a_value_that_rests_stays_where_it_is(void **state)
{
	struct fixture *f = *state;
	uint32_t rests = builder_counter(&f->b, "rests", COUNTER_SET);
	uint32_t other = builder_counter(&f->b, "other", COUNTER_SET);
	const struct profile *p;

	builder_value(&f->b, f->main, rests, 5);
	frame(f);
	read_live(f);
	for (int i = 0; i < 1100; i++) {
		builder_value(&f->b, f->main, other, (uint64_t)i);
		frame(f);
		if (i % 4 == 3)
			read_live(f);
	}
	builder_value(&f->b, f->main, rests, 6);
	frame(f);
	p = read_live(f);
	assert_string_equal(p->counters[p->tracks[0].counter].name, "rests");
	assert_int_equal(p->tracks[0].change_count, 2);
	assert_int_equal(p->tracks[0].changes[0].tick, 2000);
}

static void what_happened_is_in_its_frame(void **state)
{
	struct fixture *f = *state;
	uint32_t jump = builder_zone(&f->b, "jump", "", 0), first;
	const struct profile *p;

	builder_event(&f->b, f->main, jump, 1500);
	builder_note(&f->b, f->main, 1700, "loaded \"a\n\"");
	frame(f);
	builder_event(&f->b, f->main, jump, 2500);
	builder_event(&f->b, f->pool, jump, 1600);
	builder_event(&f->b, f->pool, jump, 2000); /* the end of frame 1 is in it */
	frame(f);
	p = read_dead(f);
	assert_int_equal(p->event_count, 1);
	assert_string_equal(p->events[0], "jump");
	assert_int_equal(p->zone_count, 1); /* an event is no zone */
	assert_int_equal(profile_instants(p, 1000, 2000, &first), 4);
	assert_int_equal(profile_instants(p, 2000, 3000, &first), 1);
	assert_int_equal(p->instants[2].event, PROFILE_NONE);
	assert_string_equal(p->instants[2].text, "loaded \"a\n\"");
	assert_false(p->instants[2].cut);
	assert_string_equal(p->threads[p->instants[1].thread].name, "pool");
	assert_int_equal(p->instants_from, 0);
}

/* Read at once, some are older than the log: no loss. Lapped while it is read: a loss. */
static void what_was_overwritten_is_counted(void **state)
{
	struct fixture *f = *state;
	uint32_t jump = builder_zone(&f->b, "jump", "", 0), known;
	const struct profile *p;

	f->b.values[f->main].most = 2;
	builder_event(&f->b, f->pool, jump, 1001);
	for (int i = 0; i < 2000; i++)
		builder_event(&f->b, f->main, jump, 1001 + i);
	p = read_live(f);
	assert_int_equal(loss(p, "lapped_values"), 0);
	assert_true(p->instant_count > 100 && p->instant_count < 600);
	assert_string_equal(p->threads[p->instants[0].thread].name, "pool");
	assert_int_equal(p->instants_from, p->instants[1].tick - 1);
	known = p->instant_count;
	for (int i = 2000; i < 4000; i++)
		builder_event(&f->b, f->main, jump, 1001 + i);
	p = read_live(f);
	assert_int_equal(p->instants[p->instant_count - 1].tick, 5000);
	assert_true(p->instants[known].tick > 3001);
	assert_int_equal(p->instants_from, p->instants[known].tick - 1);
	assert_int_equal(loss(p, "lapped_values") % 2, 0);
	/* what is there and what is lost is all that came since */
	assert_in_range(loss(p, "lapped_values"), 2 * 1000, 2 * 2000);
}

/* Counters overwrite the events of a thread, and none is left. A thread without events has none that could be missing. */
static void no_event_is_left_behind_the_gap(void **state)
{
	struct fixture *f = *state;
	uint32_t jump = builder_zone(&f->b, "jump", "", 0), health = builder_counter(&f->b, "health", COUNTER_SET);
	const uint64_t words[3] = { VALUE_SAMPLE | 3 << 8 | 1 << 16 | (health + 1ull) << 32, 1, 7 };
	const struct profile *p;

	f->b.values[f->main].most = f->b.values[f->pool].most = 2;
	builder_event(&f->b, f->main, jump, 1500);
	p = read_live(f);
	for (int i = 0; i < 1000; i++)
		builder_value_words(&f->b, f->pool, words, 3);
	frame(f);
	p = read_live(f);
	assert_in_range(loss(p, "lapped_values"), 1, 3000);
	assert_int_equal(p->instants_from, 0);
	builder_event(&f->b, f->main, jump, 2500);
	for (int i = 0; i < 1000; i++)
		builder_value_words(&f->b, f->main, words, 3);
	frame(f);
	p = read_live(f);
	assert_int_equal(p->instant_count, 1);
	assert_true(instants_lack(p, profile_find_frame(p, 2)));
}

/* If changes of a counter were overwritten, its value is unknown until the next known change. A counter that
 * rests is known all the time. */
static void what_was_overwritten_is_not_known(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	uint32_t rests = builder_counter(&f->b, "rests", COUNTER_SET);
	uint32_t jump = builder_zone(&f->b, "jump", "", 0);
	const struct profile *p;

	f->b.values[f->main].most = 2;
	builder_value(&f->b, f->main, health, 1);
	builder_value(&f->b, f->main, rests, 9);
	frame(f);
	read_live(f);
	for (uint64_t i = 2; i < 4; i++) {
		builder_value(&f->b, f->main, health, i);
		frame(f);
	}
	for (int i = 0; i < 2000; i++)
		builder_event(&f->b, f->main, jump, 4001);
	builder_value(&f->b, f->main, health, 4);
	frame(f);
	p = read_live(f);
	assert_in_range(loss(p, "lapped_values"), 1, 4100);
	expect(p, 0, p->tracks[0].thread, 1, "1 1 1 own");
	expect(p, 0, p->tracks[0].thread, 2, "-");
	expect(p, 0, p->tracks[0].thread, 3, "3 3 3 own");
	expect(p, 0, p->tracks[0].thread, 4, "4 4 4 own");
	for (uint64_t i = 2; i < 5; i++)
		expect(p, 1, p->tracks[1].thread, i, "9 9 9");
}

static void very_many_events(void **state)
{
	struct fixture *f = *state;
	uint32_t jump = builder_zone(&f->b, "jump", "", 0);
	const struct profile *p;

	f->b.values[f->main].most = 375;
	f->b.values[f->pool].most = 42;
	for (int i = 0; i < 85000; i++)
		builder_event(&f->b, f->main, jump, 2000 + i * 2);
	p = read_live(f);
	assert_int_equal(p->instant_count, 85000);
	for (int i = 0; i < 10000; i++)
		builder_event(&f->b, f->pool, jump, 172001 + i);
	for (int i = 0; i < 8000; i++)
		builder_event(&f->b, f->main, jump, 172000 + i);
	p = read_live(f);
	assert_in_range(p->instant_count, PROFILE_INSTANTS - PROFILE_INSTANTS / 16, PROFILE_INSTANTS);
	for (uint32_t i = 1; i < p->instant_count; i++)
		assert_true(p->instants[i - 1].tick <= p->instants[i].tick);
	assert_int_equal(p->instants[p->instant_count - 1].tick, 182000);
	assert_int_equal(p->instants_from, p->instants[0].tick - 2);
}

/* More than a profile holds come after one note, which stays. */
static void a_flood_leaves_the_note(void **state)
{
	struct fixture *f = *state;
	uint32_t evict = builder_zone(&f->b, "evict", "", 0);
	const struct profile *p;

	f->b.values[f->main].most = 375;
	builder_note(&f->b, f->main, 1500, "before the flood");
	for (int i = 0; i < 130000; i++) {
		builder_event(&f->b, f->main, evict, 2000 + i * 2);
		if (i == 80000)
			read_live(f);
	}
	p = read_live(f);
	assert_in_range(p->instant_count, PROFILE_INSTANTS - PROFILE_INSTANTS / 16, PROFILE_INSTANTS);
	assert_int_equal(p->instants[0].tick, 1500);
	assert_string_equal(p->instants[0].text, "before the flood");
	assert_int_equal(p->instants_from, p->instants[1].tick - 2);
	assert_int_equal(p->instants[p->instant_count - 1].tick, 2000 + 129999 * 2);
}

static void damage_is_counted(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	uint32_t other = builder_counter(&f->b, "other", COUNTER_SET);
	const uint64_t words[2] = { VALUE_EVENT | 2 << 8 | 1 << 16 | 77ull << 32, 1500 };
	const struct profile *p;

	builder_value(&f->b, f->main, health, 5);
	builder_value(&f->b, f->main, other, 6);
	builder_value_words(&f->b, f->main, words, 2); /* a zone that there is not */
	WORD_STORE(builder_slot_at(&f->b, f->main, health)->seq, 1); /* its writer died there */
	frame(f);
	p = read_dead(f);
	assert_int_equal(loss(p, "torn_values"), 1);
	assert_int_equal(loss(p, "damaged_records"), 1);
	assert_int_equal(p->instant_count, 0);
	assert_int_equal(p->track_count, 2); /* what it had before the change, or behind it, is not lost */
	expect(p, 0, p->tracks[0].thread, 1, "5 5 5 own");
	expect(p, 1, p->tracks[1].thread, 1, "6 6 6 own");
}

/* Where no mark ends an interval, the polls do; and once one does, only it. */
static void without_marks_polls_tell(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	const struct profile_change *changes;
	const struct profile *p;

	open_with(f, LIVE_OWN_FRAMES);
	builder_value(&f->b, f->main, health, 50);
	builder_enter(&f->b, f->main, 0, 2000);
	read_live(f);
	builder_value(&f->b, f->main, health, 20);
	builder_enter(&f->b, f->main, 0, 3000);
	read_live(f);
	builder_enter(&f->b, f->main, 0, 4000);
	read_live(f);
	builder_value(&f->b, f->main, health, 30);
	builder_enter(&f->b, f->main, 0, 5000);
	p = read_live(f);
	changes = p->tracks[0].changes;
	assert_int_equal(p->tracks[0].change_count, 3);
	assert_int_equal(changes[0].last.whole, 50);
	assert_int_equal(changes[0].most.whole, 50);
	assert_int_equal(changes[1].last.whole, 20);
	assert_int_equal(changes[1].most.whole, 50);
	assert_int_equal(changes[2].last.whole, 30);
	assert_int_equal(changes[2].least.whole, 20);
	assert_true(changes[0].tick < changes[1].tick && changes[1].tick < changes[2].tick);
	assert_int_equal(p->tracks[0].run_most.whole, 50);
}

static void nothing_is_kept_by_a_reset(void **state)
{
	struct fixture *f = *state;
	uint32_t health = builder_counter(&f->b, "health", COUNTER_SET);
	uint32_t jump = builder_zone(&f->b, "jump", "", 0);
	const struct profile *p;

	builder_value(&f->b, f->main, health, 5);
	builder_event(&f->b, f->main, jump, 1500);
	frame(f);
	read_live(f);
	assert_true(source_reset(f->s));
	assert_int_equal(f->s->profile->counter_count, 0);
	p = read_live(f);
	assert_int_equal(p->instant_count, 1);
	assert_int_equal(p->track_count, 1);
	expect(p, 0, p->tracks[0].thread, 1, "5 5 5 own");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(values_of_frames, begin, end),
		cmocka_unit_test_setup_teardown(polls_do_not_show, begin, end),
		cmocka_unit_test_setup_teardown(sums_are_over_all_threads, begin, end),
		cmocka_unit_test_setup_teardown(a_sum_does_not_ask_who_owns_a_slot, begin, end),
		cmocka_unit_test_setup_teardown(each_owner_sets_its_own, begin, end),
		cmocka_unit_test_setup_teardown(the_last_value_of_an_owner_stays_in_its_frame, begin, end),
		cmocka_unit_test_setup_teardown(bounds_are_of_one_owner, begin, end),
		cmocka_unit_test_setup_teardown(forgotten_owners_of_one_frame, begin, end),
		cmocka_unit_test_setup_teardown(bounds_of_forgotten_owners, begin, end),
		cmocka_unit_test_setup_teardown(a_value_that_rests_stays_where_it_is, begin, end),
		cmocka_unit_test_setup_teardown(values_of_forgotten_owners, begin, end),
		cmocka_unit_test_setup_teardown(a_sum_becomes_values_of_threads, begin, end),
		cmocka_unit_test_setup_teardown(doubles_are_read_exactly, begin, end),
		cmocka_unit_test_setup_teardown(a_value_older_than_all_frames_is_kept, begin, end),
		cmocka_unit_test_setup_teardown(what_happened_is_in_its_frame, begin, end),
		cmocka_unit_test_setup_teardown(what_was_overwritten_is_counted, begin, end),
		cmocka_unit_test_setup_teardown(no_event_is_left_behind_the_gap, begin, end),
		cmocka_unit_test_setup_teardown(what_was_overwritten_is_not_known, begin, end),
		cmocka_unit_test_setup_teardown(very_many_events, begin, end),
		cmocka_unit_test_setup_teardown(a_flood_leaves_the_note, begin, end),
		cmocka_unit_test_setup_teardown(damage_is_counted, begin, end),
		cmocka_unit_test_setup_teardown(without_marks_polls_tell, begin, end),
		cmocka_unit_test_setup_teardown(nothing_is_kept_by_a_reset, begin, end),
	};

	return cmocka_run_group_tests_name("io: counters, events, notes", tests, NULL, NULL);
}
