/* SPDX-License-Identifier: MIT */
/*
 * io_live: a profile out of regions of known content: parts, spans, pieces, threads that ended, what is
 * inferred, what was kept, overwritten, or damaged; totals of the whole run; and the list of regions.
 *
 * Ticks are nanoseconds; the region is made at tick 1000, which is where interval 1 begins.
 */
#include "io/region/live_list.h"

#include <sys/mman.h>
#include <unistd.h>

#include "model/query/average.h"
#include "model/stats/check.h"
#include "shm/snapshot.h"
#include "tests/io_frames.h"
#include "tests/region_builder.h"

struct fixture {
	struct builder b;
	struct source *s;
	uint32_t main; /* block */
	uint32_t a, nested; /* nodes of main, zones `a` and a/`b` */
	uint32_t zone_a, zone_b;
};

static void populate(struct fixture *f)
{
	f->zone_a = builder_zone(&f->b, "a", "a.c", 1);
	f->zone_b = builder_zone(&f->b, "b", "b.c", 2);
	f->main = builder_thread(&f->b, 1000, "main");
	f->a = builder_node(&f->b, f->main, 0, f->zone_a);
	f->nested = builder_node(&f->b, f->main, f->a, f->zone_b);
}

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	builder_begin(&f->b, "io-live");
	populate(f);
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

static void open_source(struct fixture *f)
{
	enum open_result result;
	char why[512];

	f->s = live_open(f->b.name, 0, &result, why, sizeof(why));
	assert_non_null(f->s);
}

static const struct profile *read_dead(struct fixture *f)
{
	builder_die(&f->b);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_END);
	return f->s->profile;
}

static void record(struct fixture *f, uint32_t block, struct record_head head,
		   const struct record_node *nodes, uint32_t count)
{
	if (!head.generation)
		head.generation = 1;
	builder_record(&f->b, block, head, nodes, count);
}

static void start(struct fixture *f, uint32_t block, unsigned generation, uint64_t interval,
		  int64_t tick)
{
	record(f, block, (struct record_head){ .kind = RECORD_START, .generation = generation,
					       .interval = interval, .bound = tick, .end = tick,
					       .nodes = 100 }, NULL, 0);
}

/* A record with `in_a` ticks and an entry in a, the rest in the root. */
static void part(struct fixture *f, enum record_kind kind, uint64_t interval, int64_t bound,
		 int64_t end_tick, int64_t in_a)
{
	struct record_node nodes[] = { { 0, end_tick - bound - in_a, 0, 0 }, { f->a, in_a, in_a, 1 } };

	record(f, f->main, (struct record_head){ .kind = kind, .interval = interval,
						 .bound = bound, .end = end_tick }, nodes, 2);
}

/* The next interval ends, as frame `number`; main is in the one behind it. */
static void mark(struct fixture *f, int64_t tick, uint64_t number, unsigned flags)
{
	builder_frame(&f->b, tick, number, flags | 1ull << 32, NULL);
	WORD_STORE(f->b.threads[f->main].epoch, WORD_LOAD(f->b.process->epoch));
	WORD_STORE(f->b.process->marker, 1);
}

static uint64_t loss(const struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, key))
			return p->losses[i].count;
	fail_msg("no loss '%s'", key);
	return 0;
}

/* Frames */

static void test_parts(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	mark(f, 1100, 1, 0);
	part(f, RECORD_PART, 2, 1100, 1205, 50); /* its boundary lies behind the mark */
	mark(f, 1200, 2, MARK_SLOW);
	part(f, RECORD_PART, 3, 1205, 1300, 60);
	mark(f, 1300, 3, 0);
	p = read_dead(f);
	expect_frames(p, "1 1000+100: main 1000-1100 .:60 a:40*1^40\n"
			 "2 1100+100 S: main 1100-1205 .:55 a:50*1^50\n"
			 "3 1200+100: main 1205-1300 .:35 a:60*1^60\n");
	assert_int_equal(p->frames_ended, 3);
	assert_int_equal(p->ticks_per_s, 1000000000);
	assert_int_equal(p->process.state, PROFILE_DEAD);
	assert_string_equal(p->process.program, "built");
	assert_string_equal(p->process.clock, "clock_gettime");
	assert_int_equal(p->threads[0].tid, 100);
	assert_true(p->threads[0].marking);
	assert_string_equal(p->zones[p->nodes[profile_cell(&p->frames[0].parts[0], 1).node].zone].file, "a.c");
	assert_int_equal(profile_loss_total(p), 0);
}

static void test_frames_of_bounds(void **state)
{
	struct fixture *f = *state;

	start(f, f->main, 1, 1, 1000);
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	mark(f, 1100, 0, MARK_OUTSIDE);
	part(f, RECORD_PART, 2, 1100, 1200, 50);
	mark(f, 1200, 1, MARK_BOUNDED);
	part(f, RECORD_PART, 3, 1200, 1300, 60);
	mark(f, 1300, 1, MARK_OUTSIDE); /* a number there is not believed */
	expect_frames(read_dead(f), "1 1100+100 B: main 1100-1200 .:50 a:50*1^50\n");
}

/* Where the program bounds its frames, one runs when what lay before it has ended. */
static void test_a_frame_of_bounds_runs(void **state)
{
	struct fixture *f = *state;

	start(f, f->main, 1, 1, 1000);
	open_source(f);
	source_next(f->s);
	assert_int_equal(f->s->profile->frame_began, 0);
	mark(f, 1100, 0, MARK_OUTSIDE);
	source_next(f->s);
	assert_int_equal(f->s->profile->frame_began, 1100);
	mark(f, 1200, 1, MARK_BOUNDED);
	source_next(f->s);
	assert_int_equal(f->s->profile->frame_began, 0);
	mark(f, 1300, 0, MARK_OUTSIDE);
	source_next(f->s);
	assert_int_equal(f->s->profile->frame_began, 1300);
}

static void test_pieces_spans_and_discarded(void **state)
{
	struct fixture *f = *state;
	struct record_head rejected = { .kind = RECORD_PART, .flags = RECORD_DISCARDED, .interval = 2,
					.bound = 1100, .end = 1200 };
	struct record_head span = { .kind = RECORD_SPAN, .interval = 3, .bound = 1200, .end = 1400,
				    .nodes = f->a, .intervals = 2 };

	start(f, f->main, 1, 1, 1000);
	part(f, RECORD_MORE, 1, 1000, 1030, 10);
	part(f, RECORD_MORE, 1, 1030, 1070, 20);
	part(f, RECORD_PART, 1, 1070, 1100, 30);
	mark(f, 1100, 1, 0);
	record(f, f->main, rejected, NULL, 0);
	mark(f, 1200, 2, MARK_DISCARDED);
	mark(f, 1300, 3, 0);
	mark(f, 1400, 4, 0);
	record(f, f->main, span, NULL, 0);
	expect_frames(read_dead(f), "1 1000+100: main 1000-1100 .:40 a:60*3^30\n"
				    "2 1100+100 D: main 1100-1200 D\n"
				    "3 1200+100: main 1200-1300 a:100\n"
				    "4 1300+100: main 1300-1400 a:100\n");
}

/* The writer had no room for a part: its bounds are known, or not even they. */
static void test_parts_without_room(void **state)
{
	struct fixture *f = *state;
	struct record_head cut = { .kind = RECORD_PART, .flags = RECORD_CUT, .interval = 2,
				   .bound = 1100, .end = 1200 };
	uint32_t other = builder_thread(&f->b, 1000, "other");
	struct record_node root = { 0, 100, 0, 0 };

	start(f, f->main, 1, 1, 1000);
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	record(f, f->main, cut, NULL, 0);
	part(f, RECORD_PART, 4, 1300, 1400, 40);
	start(f, other, 1, 1, 1000);
	for (uint64_t n = 1; n <= 4; n++) {
		int64_t bound = 900 + (int64_t)n * 100;

		record(f, other, (struct record_head){ .kind = RECORD_PART, .interval = n, .bound = bound,
						       .end = bound + 100 }, &root, 1);
		mark(f, bound + 100, n, 0);
	}
	WORD_STORE(f->b.threads[other].epoch, 5);
	/* of frame 4, pieces may be gone with those of frame 3 */
	expect_frames(read_dead(f),
		      "1 1000+100: main 1000-1100 .:60 a:40*1^40; other 1000-1100 .:100\n"
		      "2 1100+100: main 1100-1200 M; other 1100-1200 .:100\n"
		      "3 1200+100: main M; other 1200-1300 .:100\n"
		      "4 1300+100: main M; other 1300-1400 .:100\n");
}

/* Each has its own; a copy has them, too. */
static void frames_have_the_names_that_they_were_given(void **state)
{
	struct fixture *f = *state;
	struct profile *copy;

	builder_frame(&f->b, 1100, 1, 0, "request");
	builder_frame(&f->b, 1200, 2, 0, NULL);
	builder_frame(&f->b, 1300, 3, 0, "\x1b[2J");
	builder_frame(&f->b, 1400, 4, 0, "request");
	read_dead(f);
	assert_string_equal(profile_frame_name(f->s->profile, profile_find_frame(f->s->profile, 1)), "request");
	assert_string_equal(profile_frame_name(f->s->profile, profile_find_frame(f->s->profile, 2)), "");
	assert_string_equal(profile_frame_name(f->s->profile, profile_find_frame(f->s->profile, 3)), "\x1b[2J");
	assert_string_equal(profile_frame_name(f->s->profile, profile_find_frame(f->s->profile, 4)), "request");
	assert_int_equal(f->s->profile->frame_name_count, 2);
	copy = profile_copy(f->s->profile);
	assert_string_equal(profile_frame_name(copy, profile_find_frame(copy, 3)), "\x1b[2J");
	profile_free(copy);
}

/* A thread that has not come to its next zone since: root until 1180, a from there, and b never. */
static void test_what_is_inferred(void **state)
{
	struct fixture *f = *state;

	start(f, f->main, 1, 1, 1000);
	builder_enter(&f->b, f->main, f->a, 1040);
	builder_frame(&f->b, 1100, 1, 0, NULL);
	builder_frame(&f->b, 1200, 2, 0, NULL);
	WORD_STORE(f->b.threads[f->main].epoch, 1);
	expect_frames(read_dead(f), "1 1000+100: main 1000-1100 I .:40 a:60*1\n"
				    "2 1100+100: main 1100-1200 I a:100\n");
	expect_exact(f->s->profile);
}

/* The thread lost zones in one frame, and has not published its slices. Those
 * of frames 2 and 3 are one span. */
static void expect_lossy(struct fixture *f, uint64_t frame, const char *expected)
{
	const struct profile *p;
	char lossy[4] = "";

	start(f, f->main, 1, 1, 1000);
	builder_enter(&f->b, f->main, f->a, 1040);
	for (int64_t n = 1; n <= 3; n++)
		builder_frame(&f->b, 1000 + 100 * n, (uint64_t)n, 0, NULL);
	WORD_STORE(f->b.threads[f->main].epoch, 1);
	WORD_STORE(f->b.threads[f->main].lossy_first, frame);
	WORD_STORE(f->b.threads[f->main].lossy_last, frame);
	p = read_dead(f);
	assert_int_equal(p->frame_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		lossy[i] = p->frames[i].parts[0].flags & PART_LOSSY ? '1' : '0';
	assert_string_equal(lossy, expected);
}

static void test_inferred_slices_lack_what_was_lost(void **state)
{
	expect_lossy(*state, 1, "100");
}

static void test_inferred_spans_lack_what_was_lost(void **state)
{
	expect_lossy(*state, 2, "011");
}

#define LONG ((int64_t)1 << 59) /* the limit is eight of them */

/* A thread asleep is looked at in each poll: what it will publish counts once. */
static void test_a_guess_counts_once(void **state)
{
	struct fixture *f = *state;

	start(f, f->main, 1, 1, 1000);
	builder_enter(&f->b, f->main, f->a, 1040);
	builder_frame(&f->b, LONG, 1, 0, NULL);
	builder_frame(&f->b, 2 * LONG, 2, 0, NULL);
	WORD_STORE(f->b.threads[f->main].epoch, 1);
	open_source(f);
	for (int i = 0; i < 20; i++)
		assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(f->s->profile->frame_count, 2);
	builder_frame(&f->b, 3 * LONG, 3, 0, NULL);
	for (int i = 0; i < 20; i++)
		assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(loss(f->s->profile, "damaged_records"), 0);
	assert_int_equal(f->s->profile->frame_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct profile_held *part = profile_find_part(&f->s->profile->frames[i], 0);

		assert_non_null(part);
		assert_int_equal(part->flags, PART_INFERRED);
		assert_int_equal(part->end, (i + 1) * LONG);
	}
	expect_exact(f->s->profile);
}

/* Polled for months: what is no longer held leaves room for what comes. Of two threads, as a clock goes
 * no further than the limit. */
static void test_what_is_gone_counts_no_more(void **state)
{
	struct fixture *f = *state;
	uint32_t other = builder_thread(&f->b, 1000, "other");
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	start(f, other, 1, 1, 1000);
	open_source(f);
	live_hold(f->s, 700); /* two frames, each of 80 bytes, 112 of its two parts, 80 of their cells */
	p = f->s->profile;
	for (uint64_t n = 1; n <= 7; n++) {
		int64_t bound = n == 1 ? 1000 : (int64_t)(n - 1) * LONG, tick = (int64_t)n * LONG;
		struct record_node root = { 0, tick - bound, 0, 0 };

		part(f, RECORD_PART, n, bound, tick, 40);
		record(f, other, (struct record_head){ .kind = RECORD_PART, .interval = n,
						       .bound = bound, .end = tick }, &root, 1);
		WORD_STORE(f->b.threads[other].epoch, n + 1);
		mark(f, tick, n, 0);
		source_next(f->s);
		source_next(f->s);
		assert_int_equal(loss(p, "damaged_records"), 0);
		assert_int_equal(p->frames[p->frame_count - 1].number, n);
		assert_int_equal(p->frames[p->frame_count - 1].part_count, 2);
	}
	assert_int_equal(p->frame_count, 2);
	expect_exact(p);
}

/* In flight when it died: nothing can be said of its last frame, and that is said. */
static void test_in_flight(void **state)
{
	struct fixture *f = *state;
	uint32_t other = builder_thread(&f->b, 1000, "other");
	struct record_node root = { 0, 100, 0, 0 };

	start(f, f->main, 1, 1, 1000);
	start(f, other, 1, 1, 1000);
	record(f, other, (struct record_head){ .kind = RECORD_PART, .interval = 1, .bound = 1000,
					       .end = 1100 }, &root, 1);
	builder_enter(&f->b, f->main, f->a, 1040);
	WORD_STORE(f->b.threads[f->main].intent, 2);
	builder_frame(&f->b, 1100, 1, 0, NULL);
	WORD_STORE(f->b.threads[f->main].epoch, 1);
	WORD_STORE(f->b.threads[other].epoch, 2);
	expect_frames(read_dead(f), "1 1000+100: main M; other 1000-1100 .:100\n");
	assert_int_equal(loss(f->s->profile, "in_flight"), 1);
}

/* The ring of marks holds eight: those before them are none that a reader lost, who comes later. */
static void test_frames_before_the_first_look(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	for (int i = 0; i < 20; i++) {
		part(f, RECORD_PART, 1 + (uint64_t)i, 1000 + i * 100, 1100 + i * 100, 40);
		mark(f, 1100 + i * 100, 1 + (uint64_t)i, 0);
	}
	p = read_dead(f);
	assert_in_range(p->frame_count, 5, 8);
	assert_int_equal(p->frame_count + p->unseen_frames, p->frames_ended);
	assert_int_equal(loss(p, "lapped_frames"), 0);
	assert_true(source_reset(f->s));
	assert_int_equal(source_next(f->s), SOURCE_END);
	assert_int_equal(f->s->profile->frame_count + f->s->profile->unseen_frames, 20);
}

/* Frames that the program bounds, each behind an interval that is none: those from `first` to `last`. */
static void mark_bounded(struct fixture *f, uint64_t first, uint64_t last)
{
	for (uint64_t n = first; n <= last; n++) {
		mark(f, 1000 + (int64_t)n * 200 - 100, 0, MARK_OUTSIDE);
		mark(f, 1000 + (int64_t)n * 200, n, MARK_BOUNDED);
	}
}

static void look(struct fixture *f)
{
	source_next(f->s);
	source_next(f->s);
}

/* The ring of marks holds eight, four of which are frames: the time between two of them is no frame that is lost. */
static void test_lapped_frames_are_frames(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	mark_bounded(f, 1, 2);
	open_source(f);
	look(f);
	p = f->s->profile;
	assert_int_equal(p->frame_count, 2);
	mark_bounded(f, 3, 30);
	look(f);
	assert_int_equal(p->frames[p->frame_count - 1].number, 30);
	assert_int_equal(p->unseen_frames, 0);
	assert_int_equal(p->frame_count + loss(p, "lapped_frames"), 30);
	mark_bounded(f, 31, 50);
	look(f);
	assert_int_equal(p->frame_count + loss(p, "lapped_frames"), 50);
}

/* There was a look before the first of them, so they are lost, and are not said to have been gone before it. */
static void test_lapped_behind_the_first_look(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	open_source(f);
	look(f);
	p = f->s->profile;
	for (int i = 0; i < 20; i++)
		mark(f, 1100 + i * 100, 1 + (uint64_t)i, 0);
	look(f);
	assert_true(loss(p, "lapped_frames") > 0);
	assert_int_equal(p->unseen_frames, 0);
	assert_int_equal(p->frame_count + loss(p, "lapped_frames"), 20);
}

/* The ring of marks holds eight; frame 1 was among the worst, and its part was kept. */
static void test_worst_frames_are_kept(void **state)
{
	struct fixture *f = *state;
	struct region_worst *w = &f->b.worst[2];
	struct record_node nodes[] = { { 0, 300, 0, 0 }, { f->a, 700, 650, 9 } };
	struct record_head head = { .kind = RECORD_PART, .generation = 1, .interval = 1, .bound = 1000,
				    .end = 2000 };
	uint64_t words[64];
	char *text;

	mark(f, 2000, 1, MARK_SLOW);
	for (uint64_t n = 2; n <= 12; n++)
		mark(f, 1900 + (int64_t)n * 100, n, 0);
	WORD_STORE(w->interval, 1);
	WORD_STORE(w->start, 1000);
	WORD_STORE(w->end, 2000);
	WORD_STORE(w->number, 1);
	WORD_STORE(w->info, MARK_SLOW);
	builder_keep(&f->b, f->main, 2, 1, words, builder_pack(head, nodes, 2, words));
	text = frames_text(read_dead(f));
	assert_non_null(strstr(text, "1 1000+1000 SK: main 1000-2000 K .:300 a:700*9^650\n"));
	assert_null(strstr(text, "\n2 "));
	assert_non_null(strstr(text, "\n12 3000+100:"));
	assert_int_equal(f->s->profile->frame_count + f->s->profile->unseen_frames, 12);
	free(text);
}

/* Only the newest overwritten data is there, and the first record there may lack its pieces. */
static void test_overwritten_before_it_was_read(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	for (uint64_t n = 1; n <= 400; n++) {
		int64_t bound = 900 + (int64_t)n * 100;

		part(f, RECORD_PART, n, bound, bound + 100, 40);
		mark(f, bound + 100, n, 0);
	}
	p = read_dead(f);
	assert_int_equal(p->frame_count, 6);
	for (uint32_t i = 0; i < p->frame_count; i++)
		assert_int_equal(p->frames[i].parts[0].flags, 0);
	assert_int_equal(profile_loss_total(p), 0); /* history is only so long: nothing was lost */
	expect_exact(p);
}

/* A region with a longer history than that of the other tests, and nothing in it yet. */
static void begin_long(struct fixture *f)
{
	char name[64];

	snprintf(name, sizeof(name), "%s", f->b.name);
	builder_end(&f->b);
	builder_begin_sized(&f->b, name, (struct builder_sizes){ .frames = 64 });
	populate(f);
	f->b.parts[f->main].most = 20;
	start(f, f->main, 1, 1, 1000);
}

/* Frames first to last of 100 ticks each, of two cells. */
#define FIFTEEN_FRAMES 3350

static void frames_of_main(struct fixture *f, uint64_t first, uint64_t last)
{
	for (uint64_t n = first; n <= last; n++) {
		int64_t bound = 900 + (int64_t)n * 100;

		part(f, RECORD_PART, n, bound, bound + 100, 40);
		mark(f, bound + 100, n, 0);
	}
}

/* All of them whole, without a gap. */
static void expect_held(const struct profile *p, uint32_t from, uint64_t first, uint64_t last)
{
	assert_int_equal(p->frame_count - from, last - first + 1);
	for (uint32_t i = from; i < p->frame_count; i++) {
		assert_int_equal(p->frames[i].number, first + i - from);
		assert_int_equal(p->frames[i].part_count, 1);
		assert_int_equal(p->frames[i].parts[0].flags, 0);
		assert_int_equal(p->frames[i].parts[0].cell_count, 2);
	}
}

/* If a history is longer than what is held, only the part that will be held is read: damage before that is not
 * found. A frame that was kept is there all the same. */
static void test_what_would_not_be_held_is_not_read(void **state)
{
	struct fixture *f = *state;
	struct region_worst *w;
	struct record_node nodes[] = { { 0, 60, 0, 0 }, { 1, 40, 40, 1 } };
	uint64_t words[64];
	char *text;

	begin_long(f);
	frames_of_main(f, 1, 9);
	nodes[1].self = 41; /* more than the part is long */
	record(f, f->main, (struct record_head){ .kind = RECORD_PART, .interval = 10, .bound = 1900,
						 .end = 2000 }, nodes, 2);
	mark(f, 2000, 10, 0);
	frames_of_main(f, 11, 40);
	w = &f->b.worst[2];
	WORD_STORE(w->interval, 3);
	WORD_STORE(w->start, 1200);
	WORD_STORE(w->end, 1300);
	WORD_STORE(w->number, 3);
	WORD_STORE(w->info, MARK_SLOW);
	nodes[1].self = 40;
	builder_keep(&f->b, f->main, 2, 3, words,
		     builder_pack((struct record_head){ .kind = RECORD_PART, .generation = 1,
							.interval = 3, .bound = 1200, .end = 1300 },
				  nodes, 2, words));
	builder_die(&f->b);
	open_source(f);
	live_hold(f->s, FIFTEEN_FRAMES);
	assert_int_equal(source_next(f->s), SOURCE_END);
	expect_held(f->s->profile, 1, 26, 40);
	text = frames_text(f->s->profile);
	assert_memory_equal(text, "3 1200+100 SK: main 1200-1300 K .:60 a:40*1^40\n26 ", 48);
	free(text);
	assert_int_equal(loss(f->s->profile, "damaged_records"), 0);
	assert_int_equal(profile_loss_total(f->s->profile), 0);
	expect_exact(f->s->profile);
	live_hold(f->s, 100000); /* with room for all of it the damage is found */
	assert_true(source_reset(f->s));
	assert_int_equal(source_next(f->s), SOURCE_END);
	assert_int_equal(f->s->profile->frame_count, 40);
	assert_int_equal(loss(f->s->profile, "damaged_records"), 1);
}

/* A reader that comes back after a long pause holds the newest frames, and none of those before the pause. */
static void test_what_came_in_a_long_pause(void **state)
{
	struct fixture *f = *state;

	begin_long(f);
	open_source(f);
	live_hold(f->s, FIFTEEN_FRAMES);
	frames_of_main(f, 1, 3);
	source_next(f->s);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_held(f->s->profile, 0, 1, 3);
	frames_of_main(f, 4, 50);
	builder_die(&f->b);
	assert_int_equal(source_next(f->s), SOURCE_END);
	expect_held(f->s->profile, 0, 36, 50);
	assert_int_equal(profile_loss_total(f->s->profile), 0);
}

/* Polls: each adds what is new, and says what it came too late for. */
static void test_polls(void **state)
{
	struct fixture *f = *state;
	int64_t tick = 1000;

	start(f, f->main, 1, 1, 1000);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_frames(f->s->profile, "");
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	mark(f, 1100, 1, 0);
	source_next(f->s); /* a frame comes when its mark is known to have been seen by all */
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_frames(f->s->profile, "1 1000+100: main 1000-1100 .:60 a:40*1^40\n");
	for (uint64_t n = 2; n <= 500; n++) {
		tick = 900 + (int64_t)n * 100;
		part(f, RECORD_PART, n, tick, tick + 100, 40);
		mark(f, tick + 100, n, 0);
	}
	assert_int_equal(source_next(f->s), SOURCE_LOST);
	assert_string_not_equal(f->s->why, "");
	source_next(f->s);
	assert_true(loss(f->s->profile, "lapped_parts") > 300);
	assert_true(f->s->profile->frame_count > 5);
	builder_die(&f->b);
	assert_int_equal(source_next(f->s), SOURCE_END);
	assert_int_equal(f->s->profile->process.state, PROFILE_DEAD);
	assert_int_equal(f->s->profile->frames[f->s->profile->frame_count - 1].number, 500);
	assert_true(source_reset(f->s));
	assert_int_equal(source_next(f->s), SOURCE_END);
	assert_int_equal(loss(f->s->profile, "lapped_parts"), 0);
}

/* Most slices of main are overwritten between two polls. The other thread sleeps, and its next slice is
 * inferred. So each frame has a slice of that thread, and says that main's is gone. */
static void test_lapped_while_others_sleep(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;
	char name[64];
	uint32_t other;
	uint64_t lapped = 0;

	snprintf(name, sizeof(name), "%s", f->b.name);
	builder_end(&f->b);
	builder_begin_sized(&f->b, name, (struct builder_sizes){ .frames = 512 });
	populate(f);
	other = builder_thread(&f->b, 1000, "other");
	start(f, f->main, 1, 1, 1000);
	start(f, other, 1, 1, 1000);
	open_source(f);
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	mark(f, 1100, 1, 0);
	look(f);
	for (uint64_t n = 2; n <= 300; n++) {
		part(f, RECORD_PART, n, 900 + (int64_t)n * 100, 1000 + (int64_t)n * 100, 40);
		mark(f, 1000 + (int64_t)n * 100, n, 0);
	}
	look(f);
	p = f->s->profile;
	assert_int_equal(p->frame_count, 300);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_held *part_of_main = profile_find_part(&p->frames[i], f->main);

		assert_int_equal(p->frames[i].part_count, 2);
		assert_non_null(part_of_main);
		lapped += (part_of_main->flags & PART_LAPPED) != 0;
	}
	assert_true(lapped > 100);
	assert_int_equal(lapped, loss(p, "lapped_parts"));
}

/* A block is seen while a thread claims it, and only then as that thread's. */
static void test_seen_while_claimed(void **state)
{
	struct fixture *f = *state;

	WORD_STORE(f->b.threads[f->main].state, 1 << 8 | BLOCK_CLAIMED);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(f->s->profile->thread_count, 0);
	start(f, f->main, 1, 1, 1000);
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	WORD_STORE(f->b.threads[f->main].state, 1 << 8 | BLOCK_LIVE);
	mark(f, 1100, 1, 0);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_frames(f->s->profile, "1 1000+100: main 1000-1100 .:60 a:40*1^40\n");
	expect_exact(f->s->profile);
}

/* The whole run */

static void test_totals(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	builder_enter(&f->b, f->main, f->a, 1100);
	builder_enter(&f->b, f->main, f->nested, 1200);
	builder_leave(&f->b, f->main, 1500);
	p = read_dead(f);
	expect_exact(p);
	assert_int_equal(p->first_tick, 1000);
	assert_int_equal(p->now_tick, 1500);
	assert_int_equal(p->threads[0].time, 500);
	assert_int_equal(p->node_count, 3);
	assert_int_equal(p->totals[0].self, 100);
	assert_int_equal(p->totals[1].self, 100);
	assert_int_equal(p->totals[2].self, 300);
	assert_int_equal(p->totals[2].longest, 300);
}

static void set_node_of(struct fixture *f, uint32_t block, uint32_t node, int64_t self, int64_t base, uint64_t count)
{
	struct region_node *n = builder_node_at(&f->b, block, node);

	WORD_STORE(n->self, self);
	WORD_STORE(n->base_self, base);
	WORD_STORE(n->count, count);
	WORD_STORE(n->base_count, count);
}

static void set_node(struct fixture *f, uint32_t node, int64_t self, int64_t base, uint64_t count)
{
	set_node_of(f, f->main, node, self, base, count);
}

/* The thread comes to its boundary. */
static void set_bound(struct fixture *f, uint32_t block, int64_t tick, uint64_t epoch)
{
	WORD_STORE(f->b.threads[block].bound, tick);
	WORD_STORE(f->b.threads[block].last, tick);
	WORD_STORE(f->b.threads[block].epoch, epoch);
}

/* Up to its last mark the run is its frames. */
static void expect_run_of_frames(const struct profile *p)
{
	struct averages *a = averages_new();
	struct values *run = values_average(a, p, AVERAGE_RUN), *sum = values_of_frames(p, 0, p->frame_count);

	assert_int_equal(run->frames, sum->frames);
	assert_int_equal(run->wall, sum->wall);
	for (uint32_t i = 0; i < p->thread_count; i++)
		assert_int_equal(run->time[i], sum->time[i]);
	for (uint32_t i = 0; i < p->node_count; i++) {
		assert_int_equal(run->self[i], sum->self[i]);
		assert_int_equal(run->count[i], sum->count[i]);
	}
	values_free(run);
	values_free(sum);
	averages_free(a);
}

/* A thread may come to its next zone while the mark is set: what it does until then is of that frame. */
static void test_a_thread_moves_at_the_mark(void **state)
{
	struct fixture *f = *state;
	uint32_t other = builder_thread(&f->b, 1000, "other"), late = builder_thread(&f->b, 1300, "late");

	start(f, f->main, 1, 1, 1000);
	start(f, other, 1, 1, 1000);
	start(f, late, 1, 2, 1300);
	builder_enter(&f->b, f->main, f->a, 1040);
	builder_leave(&f->b, f->main, 1105);
	builder_frame(&f->b, 1100, 1, 0, NULL);
	WORD_STORE(f->b.threads[f->main].epoch, 1);
	WORD_STORE(f->b.threads[other].epoch, 1);
	WORD_STORE(f->b.threads[late].epoch, 2);
	expect_frames(read_dead(f), "1 1000+100: main 1000-1105 I .:40 a:65*1^65; other 1000-1100 I .:100\n");
	assert_int_equal(f->s->profile->run_tick, 1300);
	expect_exact(f->s->profile);
	expect_run_of_frames(f->s->profile);
}

/* A thread in flight holds frames back: what others have published of them waits. */
static void test_what_waits_has_not_ended(void **state)
{
	struct fixture *f = *state;
	struct values *run;
	uint32_t other = builder_thread(&f->b, 1000, "other");
	struct record_node root = { 0, 100, 0, 0 };

	start(f, f->main, 1, 1, 1000);
	start(f, other, 1, 1, 1000);
	part(f, RECORD_PART, 1, 1000, 1100, 40);
	record(f, other, (struct record_head){ .kind = RECORD_PART, .interval = 1, .bound = 1000, .end = 1100 }, &root, 1);
	mark(f, 1100, 1, 0);
	set_node(f, 0, 60 - 1100, 60, 0);
	set_node(f, f->a, 40, 40, 1);
	set_node_of(f, other, 0, 100 - 1100, 100, 0);
	set_bound(f, f->main, 1100, 2);
	set_bound(f, other, 1100, 2);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(f->s->profile->run_frames, 1);
	expect_run_of_frames(f->s->profile);
	WORD_STORE(f->b.threads[other].intent, 1);
	part(f, RECORD_PART, 2, 1100, 1200, 50);
	record(f, f->main, (struct record_head){ .kind = RECORD_SPAN, .interval = 3, .bound = 1200, .end = 1400,
						 .nodes = f->a, .intervals = 2 }, NULL, 0);
	for (uint64_t n = 2; n <= 4; n++)
		mark(f, 1000 + (int64_t)n * 100, n, 0);
	set_node(f, 0, 110, 110, 0);
	set_node(f, f->a, 290 - 1400, 290, 2);
	set_bound(f, f->main, 1400, 5);
	WORD_STORE(f->b.threads[f->main].current, f->a);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(f->s->profile->frames_ended, 4);
	assert_int_equal(f->s->profile->run_frames, 1);
	expect_run_of_frames(f->s->profile);
	run = values_of_run(f->s->profile); /* has what main did in frames 2 to 4 */
	assert_int_equal(run->frames, 4);
	values_free(run);
}

/* A thread that began later is of less than that. */
static void test_run_begins_with_frame_1(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;
	struct values *v;

	WORD_STORE(f->b.threads[f->main].started, 1060);
	WORD_STORE(f->b.threads[f->main].bound, 1060);
	WORD_STORE(f->b.threads[f->main].last, 1060);
	WORD_STORE(builder_node_at(&f->b, f->main, 0)->self, (uint64_t)-1060);
	start(f, f->main, 1, 1, 1060);
	builder_frame(&f->b, 1100, 1, 0, NULL);
	p = read_dead(f);
	v = values_of_run(p);
	assert_non_null(v);
	assert_int_equal(p->first_tick, p->frames[0].start);
	assert_int_equal(v->wall, p->frames[0].length);
	assert_int_equal(p->threads[0].first_tick, 1060);
	assert_int_equal(p->threads[0].time, 40);
	values_free(v);
}

/* All previous owners of a block are one thread, whose nodes are those of their stacks. */
static void test_ended_threads(void **state)
{
	struct fixture *f = *state;
	uint32_t second = builder_thread(&f->b, 1000, "second"), other_a;
	struct record_node nodes[] = { { 0, 20, 0, 0 }, { 1, 30, 30, 2 } };
	const struct profile *p;

	other_a = builder_node(&f->b, second, 0, f->zone_a);
	/* main's block: the second owner, since 1060; the first had a for 30 and the root for 20 */
	start(f, f->main, 1, 1, 1000);
	record(f, f->main, (struct record_head){ .kind = RECORD_EXIT, .interval = 1, .bound = 1000,
						 .end = 1050 }, nodes, 2);
	start(f, f->main, 2, 1, 1060);
	WORD_STORE(builder_ended_at(&f->b, f->main, 0)->self, 20);
	WORD_STORE(builder_ended_at(&f->b, f->main, f->a)->self, 30);
	WORD_STORE(builder_ended_at(&f->b, f->main, f->a)->count, 2);
	WORD_STORE(builder_node_at(&f->b, f->main, 0)->self, 20 - 1060);
	WORD_STORE(builder_node_at(&f->b, f->main, 0)->base_self, 20);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->self, 30);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->base_self, 30);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->count, 2);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->base_count, 2);
	WORD_STORE(f->b.threads[f->main].started, 1060);
	WORD_STORE(f->b.threads[f->main].bound, 1060);
	WORD_STORE(f->b.threads[f->main].last, 1100);
	WORD_STORE(f->b.threads[f->main].state, 2 << 8 | BLOCK_LIVE);
	/* the second block, too, had an owner before, that was in a for 7 */
	WORD_STORE(builder_ended_at(&f->b, second, other_a)->self, 7);
	WORD_STORE(builder_ended_at(&f->b, second, other_a)->count, 1);
	WORD_STORE(builder_node_at(&f->b, second, other_a)->self, 7);
	WORD_STORE(builder_node_at(&f->b, second, other_a)->base_self, 7);
	WORD_STORE(builder_node_at(&f->b, second, other_a)->count, 1);
	WORD_STORE(builder_node_at(&f->b, second, other_a)->base_count, 1);
	builder_frame(&f->b, 1100, 1, 0, NULL);
	p = read_dead(f);
	expect_exact(p);
	assert_int_equal(p->thread_count, 3);
	for (uint32_t i = 0; i < p->thread_count; i++) {
		const struct profile_thread *t = &p->threads[i];

		if (t->state != THREAD_AGGREGATE)
			continue;
		assert_string_equal(t->name, "ended threads");
		assert_int_equal(t->id, 0);
		assert_int_equal(t->time, 57);
		for (uint32_t n = 0; n < p->node_count; n++)
			if (p->nodes[n].thread == i && p->nodes[n].zone) {
				assert_int_equal(p->totals[n].self, 37);
				assert_int_equal(p->totals[n].count, 3);
			}
	}
	expect_frames(p, "1 1000+100: main 1060-1100 I .:40; second 1000-1100 I .:100; "
			 "ended threads 1000-1050 E .:20 a:30*2^30\n");
}

/* For a thread of the profile; id 0: `ended threads`. */
static void expect_run(const struct profile *p, uint64_t id, int64_t in_root, int64_t in_a)
{
	uint32_t thread = profile_find_thread(p, id);

	assert_true(thread < p->thread_count);
	assert_int_equal(p->threads[thread].time, in_root + in_a);
	for (uint32_t i = 0; i < p->node_count; i++)
		if (p->nodes[i].thread == thread)
			assert_int_equal(p->totals[i].self, p->nodes[i].zone ? in_a : in_root);
}

/* Totals from before the reset are in no thread's average, whichever thread has them by now. */
static void expect_nothing_since(const struct averages *a, const struct profile *p, uint64_t id)
{
	struct values *v = values_average(a, p, AVERAGE_RUN);
	uint32_t thread = profile_find_thread(p, id);

	assert_non_null(v);
	assert_true(thread < p->thread_count);
	assert_int_equal(v->time[thread], 0);
	for (uint32_t i = 0; i < v->node_count; i++)
		if (p->nodes[i].thread == thread) {
			assert_int_equal(v->self[i], 0);
			assert_int_equal(v->count[i], 0);
		}
	values_free(v);
}

/* The time of an owner is in the totals once: before, while and after another one takes its block. */
static void test_an_owner_passes(void **state)
{
	struct fixture *f = *state;
	struct averages *a = averages_new();
	_Atomic uint64_t *word = &f->b.threads[f->main].state;

	set_node(f, 0, 100, 100, 0);
	set_node(f, f->a, 200, 200, 1);
	WORD_STORE(f->b.threads[f->main].bound, 1300);
	WORD_STORE(f->b.threads[f->main].last, 1300);
	WORD_STORE(*word, 1 << 8 | BLOCK_ENDED);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_run(f->s->profile, 1, 100, 200);
	assert_true(averages_reset(a, f->s->profile));
	for (int i = 0; i < 2; i++) {
		WORD_STORE(*word, 2 << 8 | BLOCK_CLAIMED);
		assert_int_equal(source_next(f->s), SOURCE_MORE);
		expect_run(f->s->profile, 0, 100, 200);
		expect_run(f->s->profile, 1, 0, 0);
		expect_nothing_since(a, f->s->profile, 0);
		expect_nothing_since(a, f->s->profile, 1);
	}
	WORD_STORE(builder_ended_at(&f->b, f->main, 0)->self, 100);
	WORD_STORE(builder_ended_at(&f->b, f->main, f->a)->self, 200);
	WORD_STORE(builder_ended_at(&f->b, f->main, f->a)->count, 1);
	WORD_STORE(f->b.threads[f->main].started, 1400);
	WORD_STORE(f->b.threads[f->main].bound, 1400);
	set_node(f, 0, 150, 100, 0);
	set_node(f, f->a, 230, 200, 2);
	WORD_STORE(f->b.threads[f->main].last, 1480);
	WORD_STORE(*word, 2 << 8 | BLOCK_ENDED);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_run(f->s->profile, 0, 100, 200);
	expect_run(f->s->profile, 1, 0, 0);
	assert_int_equal(f->s->profile->thread_count, 3);
	expect_run(f->s->profile, f->s->profile->threads[2].id, 50, 30);
	expect_nothing_since(a, f->s->profile, 0);
	expect_nothing_since(a, f->s->profile, 1);
	assert_true(source_reset(f->s)); /* room for what passes is kept, or given back: a leak else */
	averages_free(a);
}

/* Where the run is read at some of the polls, a thread has what it had at the last of them, also where it has ended
 * since. */
static void test_an_owner_passes_between_readings(void **state)
{
	struct fixture *f = *state;
	_Atomic uint64_t *word = &f->b.threads[f->main].state;
	enum open_result result;
	char why[512];

	set_node(f, 0, 100, 100, 0);
	set_node(f, f->a, 200, 200, 1);
	WORD_STORE(f->b.threads[f->main].bound, 1300);
	WORD_STORE(f->b.threads[f->main].last, 1300);
	WORD_STORE(*word, 1 << 8 | BLOCK_ENDED);
	f->s = live_open(f->b.name, LIVE_OFTEN, &result, why, sizeof(why));
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	expect_run(f->s->profile, 1, 100, 200);
	WORD_STORE(builder_ended_at(&f->b, f->main, 0)->self, 100);
	WORD_STORE(builder_ended_at(&f->b, f->main, f->a)->self, 200);
	WORD_STORE(builder_ended_at(&f->b, f->main, f->a)->count, 1);
	WORD_STORE(f->b.threads[f->main].started, 1400);
	WORD_STORE(f->b.threads[f->main].bound, 1400);
	WORD_STORE(f->b.threads[f->main].last, 1400);
	WORD_STORE(*word, 2 << 8 | BLOCK_ENDED);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(f->s->profile->threads[0].state, THREAD_ENDED);
	expect_run(f->s->profile, 1, 100, 200);
	builder_die(&f->b); /* of the dead all is read */
	assert_int_equal(source_next(f->s), SOURCE_END);
	expect_run(f->s->profile, 0, 100, 200);
	expect_run(f->s->profile, 1, 0, 0);
}

static void test_losses_and_left_open(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	WORD_STORE(f->b.process->lost[LOSS_TOO_DEEP], 7);
	WORD_STORE(f->b.process->lost[LOSS_LEFT_OPEN], 2);
	WORD_STORE(f->b.process->left_open, f->zone_b);
	p = read_dead(f);
	assert_int_equal(loss(p, "too_deep"), 7);
	assert_int_equal(loss(p, "left_open"), 2);
	assert_string_equal(p->left_open, "b");
}

static void test_stack(void **state)
{
	struct fixture *f = *state;
	struct source_stack stack;
	const struct profile *p;

	builder_enter(&f->b, f->main, f->a, 1100);
	builder_enter(&f->b, f->main, f->nested, 1200);
	p = read_dead(f);
	assert_true(source_stack(f->s, 0, &stack));
	assert_int_equal(stack.count, 2);
	assert_string_equal(p->zones[p->nodes[stack.zones[0].node].zone].name, "a");
	assert_int_equal(stack.zones[0].entered, 1100);
	assert_string_equal(p->zones[p->nodes[stack.zones[1].node].zone].name, "b");
	assert_int_equal(stack.zones[1].entered, 1200);
	assert_int_equal(stack.last, 1200);
	assert_int_equal(stack.now, p->now_tick);
	assert_false(stack.busy);
	free(stack.zones);
}

static void test_stack_of_now(void **state) /* entered after the profile was read */
{
	struct fixture *f = *state;
	struct source_stack stack;
	const struct profile *p;
	int64_t entered;

	builder_enter(&f->b, f->main, f->a, 1100);
	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	p = f->s->profile;
	entered = p->now_tick + 100;
	builder_enter(&f->b, f->main, f->nested, entered);
	assert_true(source_stack(f->s, 0, &stack));
	assert_int_equal(stack.count, 2);
	assert_int_equal(stack.zones[1].entered, entered);
	assert_true(stack.now >= entered);
	free(stack.zones);
}

/* Damage */

/* A frame whose number is beyond all that there can be does not take those behind it along. */
static void test_a_number_beyond_reason(void **state)
{
	struct fixture *f = *state;
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	mark(f, 1100, 1, 0);
	mark(f, 1200, UINT64_MAX, 0);
	mark(f, 1300, 3, 0);
	part(f, RECORD_PART, 1, 1000, 1300, 10);
	p = read_dead(f);
	assert_int_equal(p->frame_count, 2);
	assert_true(p->frames[0].number == 1 && p->frames[1].number == 3);
	assert_int_equal(loss(p, "damaged_records"), 1);
}

/* A tree without end, zones that are none, ticks and counts beyond all reason. */
static void test_damage(void **state)
{
	struct fixture *f = *state;
	struct record_node mad[] = { { 0, INT64_MAX / 2, 0, 0 },
				     { f->a, INT64_MAX / 2 - 1000, 0, UINT64_MAX } };
	const struct profile *p;

	start(f, f->main, 1, 1, 1000);
	record(f, f->main, (struct record_head){ .kind = RECORD_PART, .interval = 1, .bound = 1000,
						 .end = INT64_MAX / 2 * 2 }, mad, 2);
	part(f, RECORD_PART, 2, 1100, 1200, 10);
	mark(f, 1100, 1, 0);
	mark(f, 1200, 2, 0);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->place, 5 | 77ull << 32);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->self, INT64_MAX);
	WORD_STORE(builder_node_at(&f->b, f->main, f->a)->base_self, INT64_MAX);
	p = read_dead(f);
	assert_int_equal(loss(p, "damaged_records"), 1);
	assert_int_equal(loss(p, "torn_totals"), 1);
	expect_exact(p);
}

static void test_cut_off_while_it_is_read(void **state)
{
	struct fixture *f = *state;

	open_source(f);
	assert_int_equal(source_next(f->s), SOURCE_MORE);
	assert_int_equal(ftruncate(f->b.fd, 4096), 0);
	assert_int_equal(source_next(f->s), SOURCE_BAD);
	assert_non_null(strstr(f->s->why, "cut off"));
}

static void test_gone(void **state)
{
	struct fixture *f = *state;
	char path[128];

	open_source(f);
	builder_path(&f->b, path, sizeof(path));
	unlink(path);
	builder_die(&f->b);
	assert_int_equal(source_next(f->s), SOURCE_GONE);
}

/* What regions there are */

struct seen {
	const char *name;
	struct live_region region;
	bool found;
};

static bool see(const struct live_region *region, void *context)
{
	struct seen *seen = context;

	if (strcmp(region->name, seen->name) != 0)
		return true;
	seen->region = *region;
	seen->found = true;
	return false;
}

static void test_list_and_remove(void **state)
{
	struct fixture *f = *state;
	struct seen seen = { .name = f->b.name };
	char why[512];

	start(f, f->main, 1, 1, 1000);
	assert_true(live_list(0, see, &seen));
	assert_true(seen.found);
	assert_int_equal(seen.region.state, LIVE_IS_LIVE);
	assert_int_equal(seen.region.pid, getpid());
	assert_int_equal(seen.region.uid, getuid());
	assert_int_equal(live_remove(f->b.name, NULL, why, sizeof(why)), OPEN_IN_USE);
	builder_die(&f->b);
	live_list(0, see, &seen);
	assert_int_equal(seen.region.state, LIVE_IS_DEAD);
	assert_int_equal(live_remove(f->b.name, NULL, why, sizeof(why)), OPEN_OK);
	assert_int_equal(live_remove(f->b.name, NULL, why, sizeof(why)), OPEN_ABSENT);
	seen.found = false;
	live_list(0, see, &seen);
	assert_false(seen.found);
}

/* As many names as the strings have bytes for, twice; then the region is telling of the same ones. */
static void test_names_told_again(void **state)
{
	struct fixture *f = *state;
	const uint64_t strings = f->b.sizes.strings;
	struct record_node nodes[BUILDER_ZONES];
	const struct profile *p;
	uint64_t bytes = 0;
	uint32_t damaged = 0;

	memset(f->b.strings, 'x', strings);
	WORD_STORE(f->b.process->strings, strings);
	for (uint32_t i = 0; i < BUILDER_ZONES; i++) {
		f->b.zones[i] = (struct region_zone){ .name_size = (uint32_t)strings - i,
						      .file_size = 1, .line = i };
		nodes[i] = (struct record_node){ builder_node(&f->b, f->main, 0, i + 1), 10, 0, 1 };
	}
	WORD_STORE(f->b.process->zones, BUILDER_ZONES);
	builder_frame(&f->b, 1000 + 10 * BUILDER_ZONES, 1, 1ull << 32, NULL);
	builder_part(&f->b, f->main, 1000 + 10 * BUILDER_ZONES, 0, nodes, BUILDER_ZONES);
	p = read_dead(f);
	for (uint32_t i = 0; i < p->zone_count; i++) {
		bytes += strlen(p->zones[i].name);
		damaged += !strcmp(p->zones[i].name, "(damaged)");
	}
	assert_int_equal(damaged, 1);
	assert_true(bytes > strings && bytes < 8 * strings + 100);
}

/* Bytes that this process has read from files. */
static long bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "re");
	long bytes = -1;

	if (io) {
		assert_int_equal(fscanf(io, "rchar: %ld", &bytes), 1);
		fclose(io);
	}
	return bytes;
}

/* Listing a dead region reads only its losses, and how far back it reaches. */
static void test_list_reads_words(void **state)
{
	struct fixture *f = *state;
	struct seen seen = { .name = f->b.name };
	const struct record_node node = { .node = 0, .self = 1000 };
	long before, after, without;

	WORD_STORE(f->b.process->lost[LOSS_NODE_ROOM], 7);
	WORD_STORE(f->b.process->marker, f->main + 1);
	for (int64_t tick = 2000; tick <= 5000; tick += 1000) {
		builder_frame(&f->b, tick, (uint64_t)tick / 1000 - 1, 1ull << 32, NULL);
		builder_part(&f->b, f->main, tick, 0, &node, 1);
	}
	for (uint32_t chunk = f->b.chunks_used; chunk < BUILDER_CHUNKS; chunk++)
		WORD_STORE(f->b.chunks[chunk].words[0], chunk); /* no hole, which would not be read anyway */
	builder_die(&f->b);
	before = bytes_read();
	assert_true(live_list(0, see, &seen) && seen.found);
	after = bytes_read();
	assert_int_equal(seen.region.state, LIVE_IS_DEAD);
	assert_int_equal(seen.region.loss_count, 1);
	assert_true(seen.region.history_s * 1e9 > 3999 && seen.region.history_s * 1e9 < 4001);
	WORD_STORE(f->b.threads[f->main].parts_begin, 0); /* of a writer that does not say */
	assert_true(live_list(0, see, &seen));
	assert_true(seen.region.history_s < 0);

	/* The machine has other regions, which are read, too. */
	shm_unlink(f->b.name);
	without = bytes_read();
	live_list(0, see, &seen);
	without = bytes_read() - without;
	if (before >= 0)
		assert_true(after - before - without < (long)f->b.size / 4);
}

static void lanes_say_what_they_are(void **state)
{
	static const struct {
		uint64_t word;
		enum profile_lane lane;
	} lanes[] = { { LANE_LOCK, PROFILE_LOCK }, { LANE_PROCESSOR, PROFILE_PROCESSOR }, { 99, PROFILE_LANE } };
	struct fixture *f = *state;
	uint32_t blocks[3];

	for (int i = 0; i < 3; i++) {
		blocks[i] = builder_thread(&f->b, 1000, "x");
		WORD_STORE(f->b.threads[blocks[i]].tid, lanes[i].word << 32);
	}
	const struct profile *p = read_dead(f);
	assert_int_equal(p->thread_count, 4);
	assert_int_equal(p->threads[0].lane, PROFILE_THREAD);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(p->threads[1 + i].lane, lanes[i].lane);
	assert_string_equal(profile_lane_name(PROFILE_QUEUE), "GPU queue");
}

static void test_refused(void **state)
{
	struct fixture *f = *state;
	enum open_result result;
	char why[512] = "";

	assert_null(live_open("no-such-region-at-all", 0, &result, why, sizeof(why)));
	assert_int_equal(result, OPEN_ABSENT);
	assert_non_null(strstr(why, "no-such-region-at-all"));
	assert_null(live_open("", 0, &result, why, sizeof(why)));
	assert_int_equal(result, OPEN_BAD_NAME);
	f->b.header->major = 9;
	assert_null(live_open(f->b.name, 0, &result, why, sizeof(why)));
	assert_int_equal(result, OPEN_NOT_OURS);
	assert_non_null(strstr(why, "has format 9."));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* The list in check_losses.c has every cause of a region, of its reader, and of
 * a recording. */
static void what_each_loss_leaves_in_doubt(void **state)
{
	struct fixture *f = *state;
	const struct profile *p = read_dead(f);

	for (unsigned i = 0; i < LOSS_CAUSES; i++)
		if (!loss_is_known(region_loss_key(i)))
			fail_msg("%s", region_loss_key(i));
	assert_true(p->loss_count > LOSS_CAUSES);
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!loss_is_known(p->losses[i].key))
			fail_msg("%s", p->losses[i].key);
	assert_false(loss_is_known("of_another_version"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_each_loss_leaves_in_doubt),
		TEST(lanes_say_what_they_are),
		TEST(frames_have_the_names_that_they_were_given),
		TEST(test_parts),
		TEST(test_frames_of_bounds),
		TEST(test_a_frame_of_bounds_runs),
		TEST(test_pieces_spans_and_discarded),
		TEST(test_parts_without_room),
		TEST(test_what_is_inferred),
		TEST(test_inferred_slices_lack_what_was_lost),
		TEST(test_inferred_spans_lack_what_was_lost),
		TEST(test_a_guess_counts_once),
		TEST(test_what_is_gone_counts_no_more),
		TEST(test_in_flight),
		TEST(test_frames_before_the_first_look),
		TEST(test_lapped_frames_are_frames),
		TEST(test_lapped_behind_the_first_look),
		TEST(test_worst_frames_are_kept),
		TEST(test_overwritten_before_it_was_read),
		TEST(test_what_would_not_be_held_is_not_read),
		TEST(test_what_came_in_a_long_pause),
		TEST(test_polls),
		TEST(test_lapped_while_others_sleep),
		TEST(test_seen_while_claimed),
		TEST(test_totals),
		TEST(test_run_begins_with_frame_1),
		TEST(test_ended_threads),
		TEST(test_a_thread_moves_at_the_mark),
		TEST(test_what_waits_has_not_ended),
		TEST(test_an_owner_passes),
		TEST(test_an_owner_passes_between_readings),
		TEST(test_losses_and_left_open),
		TEST(test_stack),
		TEST(test_stack_of_now),
		TEST(test_a_number_beyond_reason),
		TEST(test_damage),
		TEST(test_cut_off_while_it_is_read),
		TEST(test_gone),
		TEST(test_names_told_again),
		TEST(test_list_and_remove),
		TEST(test_list_reads_words),
		TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
