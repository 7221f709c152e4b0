/* shm_parts: part logs read whole, in portions, behind damage, and by readers that were lapped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "shm/seq.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

#define NODES 40

struct seen {
	uint64_t records, first, last; /* intervals */
	uint64_t nodes, words;
	uint64_t stop_after;
	uint32_t limit; /* of node numbers */
	int64_t end;
	uint64_t gaps; /* records that do not begin where the one before ended */
};

struct fixture {
	struct builder b;
	struct attachment a;
	struct seen seen;
	uint64_t position, lapped, damaged;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	builder_begin(&f->b, "parts");
	builder_thread(&f->b, 1000, "x");
	for (uint32_t n = 1; n < NODES; n++)
		builder_node(&f->b, 0, n - 1, 0);
	WORD_STORE(f->b.process->epoch, 100000);
	*state = f;
	return region_attach(&f->a, f->b.name, 0, NULL, 0) == ATTACH_OK ? 0 : -1;
}

static int end(void **state)
{
	struct fixture *f = *state;

	region_detach(&f->a);
	builder_end(&f->b);
	free(f);
	return 0;
}

static bool note(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct seen *s = context;
	int64_t sum = 0;

	if (!s->records)
		s->first = head->interval;
	else if (head->bound != s->end)
		s->gaps++;
	s->records++;
	s->last = head->interval;
	s->end = head->end;
	s->words += head->words;
	if (head->kind == RECORD_PART && !head->flags) {
		for (uint32_t i = 0; i < head->nodes; i++) {
			assert_true(nodes[i].node < s->limit);
			sum += nodes[i].self;
		}
		assert_int_equal(sum, head->end - head->bound);
		s->nodes += head->nodes;
	}
	return s->records != s->stop_after;
}

static enum snapshot_result read_on(struct fixture *f)
{
	f->seen = (struct seen){ .limit = (uint32_t)WORD_LOAD(f->b.threads[0].nodes) };
	return snapshot_parts(&f->a, 0, &f->position, &f->lapped, &f->damaged, NULL, note, &f->seen);
}

static void more_nodes(struct fixture *f, uint32_t count)
{
	for (uint32_t n = NODES; n < count; n++)
		builder_node(&f->b, 0, n - 1, 0);
}

/* The part of interval i: 100 ticks in i % NODES nodes. */
static void append_part(struct fixture *f, uint64_t i)
{
	struct record_node nodes[NODES];
	uint32_t count = (uint32_t)(i % NODES) + 1;

	for (uint32_t n = 0; n < count; n++)
		nodes[n] = (struct record_node){ n, n ? 1 : 101 - (int64_t)count, 0, n };
	builder_record(&f->b, 0,
	               (struct record_head){ .kind = RECORD_PART, .interval = i, .bound = (int64_t)i * 100,
	                                     .end = (int64_t)i * 100 + 100 },
	               nodes, count);
}

static void append_parts(struct fixture *f, uint64_t first, uint64_t last)
{
	for (uint64_t i = first; i <= last; i++)
		append_part(f, i);
}

static uint64_t head(const struct fixture *f)
{
	return WORD_LOAD(f->b.threads[0].parts.head);
}

/* ---- reading */

static void every_record_once(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 0);
	append_parts(f, 1, 20);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 20 && f->seen.first == 1 && f->seen.last == 20 && f->seen.gaps == 0);
	assert_int_equal(f->position, head(f));
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 0);
	append_parts(f, 21, 23);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 3 && f->seen.first == 21);
	assert_true(f->lapped == 0 && f->damaged == 0);
}

static void stopping_behind_a_record(void **state)
{
	struct fixture *f = *state;

	append_parts(f, 1, 10);
	f->seen = (struct seen){ .stop_after = 4, .limit = NODES };
	assert_int_equal(snapshot_parts(&f->a, 0, &f->position, &f->lapped, &f->damaged, NULL, note, &f->seen), SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 4);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 6 && f->seen.first == 5);
}

static void every_kind(void **state)
{
	struct fixture *f = *state;
	struct record_node node = { 1, 50, 0, 1 };

	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_START, .interval = 1, .bound = 1000, .end = 1000, .nodes = 4711 }, NULL, 0);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_MORE, .interval = 1, .bound = 1000, .end = 1050 }, &node, 1);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_PART, .interval = 1, .bound = 1050, .end = 1100 }, &node, 1);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_SPAN, .interval = 2, .bound = 1100, .end = 1400, .nodes = 1, .intervals = 3 }, NULL, 0);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_MERGED, .interval = 5, .bound = 1400, .end = 1450, .intervals = 9 }, &node, 1);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_PART, .flags = RECORD_DISCARDED, .interval = 14, .bound = 1450, .end = 1500 }, NULL, 0);
	builder_record(&f->b, 0, (struct record_head){ .kind = RECORD_EXIT, .interval = 15, .bound = 1500, .end = 1550 }, &node, 1);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 7 && f->seen.gaps == 0 && f->damaged == 0 && f->seen.last == 15);
}

/* A record of a kind that a later version writes. */
static void a_later_kind_is_passed_over(void **state)
{
	struct fixture *f = *state;
	uint64_t words[RECORD_HEAD_WORDS + 3];

	append_part(f, 1);
	record_head_words(&(struct record_head){ .kind = (enum record_kind)99, .words = RECORD_HEAD_WORDS + 3, .bound = -5,
	                                         .nodes = UINT32_MAX, .intervals = UINT32_MAX }, words);
	words[RECORD_HEAD_WORDS] = words[RECORD_HEAD_WORDS + 1] = words[RECORD_HEAD_WORDS + 2] = UINT64_MAX;
	builder_words(&f->b, 0, words, RECORD_HEAD_WORDS + 3);
	append_part(f, 2);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 2 && f->seen.gaps == 0 && f->damaged == 0 && f->lapped == 0);
}

/* More words than are copied at a time, and a record longer than that. */
static void in_portions(void **state)
{
	struct fixture *f = *state;
	static struct record_node many[11000];

	more_nodes(f, 11000);
	f->b.parts[0].most = 90;
	append_parts(f, 1, 200);
	for (uint32_t n = 0; n < 11000; n++)
		many[n] = (struct record_node){ 10999 - n, 1000000000000, 2000000000000, 1ull << 40 };
	builder_record(&f->b, 0,
	               (struct record_head){ .kind = RECORD_PART, .interval = 201, .bound = 20100,
	                                     .end = 20100 + 11000 * 1000000000000 },
	               many, 11000);
	append_parts(f, 202, 210);
	assert_true(head(f) > 36000 && head(f) < 90 * CHUNK_WORDS);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 210);
	assert_int_equal(f->seen.words, head(f));
	assert_true(f->damaged == 0 && f->lapped == 0);
}

/* Records are read from the oldest on, and chunks are linked from the newest back: the way is gone once. */
static bool note_without_newest(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct fixture *f = context;

	WORD_STORE(f->b.threads[0].parts.chunk, 0);
	return note(head, nodes, &f->seen);
}

static void the_way_to_old_chunks_is_gone_once(void **state)
{
	struct fixture *f = *state;

	f->b.parts[0].most = 300;
	append_parts(f, 1, 6000);
	assert_true(head(f) > 2 * 32768);
	f->seen = (struct seen){ .limit = NODES };
	assert_int_equal(snapshot_parts(&f->a, 0, &f->position, &f->lapped, &f->damaged, NULL, note_without_newest, f),
	                 SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 6000);
	assert_true(f->damaged == 0 && f->lapped == 0);
}

/* ---- lapped */

static void a_late_reader_begins_at_the_first_whole_record(void **state)
{
	struct fixture *f = *state;

	append_parts(f, 1, 400); /* far more than the two chunks hold */
	assert_true(WORD_LOAD(f->b.threads[0].parts.tail) > 0);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records > 5 && f->seen.last == 400 && f->seen.gaps == 0);
	assert_int_equal(f->seen.first, 401 - f->seen.records);
	assert_int_equal(f->lapped + f->seen.words, head(f)); /* all that was published is accounted for */
	assert_int_equal(f->damaged, 0);
}

static void a_lapped_reader_goes_on_and_counts(void **state)
{
	struct fixture *f = *state;
	uint64_t read = 0, records = 0, lapped_times = 0;

	for (uint64_t round = 0, i = 1; round < 60; round++) {
		uint64_t count = round % 7 == 6 ? 300 : 5;
		append_parts(f, i, i + count - 1);
		i += count;
		uint64_t before = f->lapped;
		assert_int_equal(read_on(f), SNAPSHOT_OK);
		lapped_times += f->lapped != before;
		assert_int_equal(f->seen.last, i - 1);
		read += f->seen.words;
		records += f->seen.records;
		assert_int_equal(f->lapped + read, head(f));
	}
	assert_int_equal(lapped_times, 8);
	assert_int_equal(f->damaged, 0);
	assert_true(records > 52 * 5);
}

/* The chunks that were found when reading began are others by now. */
static bool note_and_lap(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct fixture *f = context;
	bool first = !f->seen.records;
	bool more = note(head, nodes, &f->seen);

	if (first)
		append_parts(f, 6001, 9600);
	return more;
}

static void lapped_between_two_portions(void **state)
{
	struct fixture *f = *state;
	uint64_t published;

	f->b.parts[0].most = 210;
	append_parts(f, 1, 6000);
	published = head(f);
	f->seen = (struct seen){ .limit = NODES };
	assert_int_equal(snapshot_parts(&f->a, 0, &f->position, &f->lapped, &f->damaged, NULL, note_and_lap, f), SNAPSHOT_OK);
	assert_int_equal(f->seen.last, 6000);
	assert_true(f->lapped > 0 && f->seen.gaps == 1);
	assert_int_equal(f->lapped + f->seen.words, published);
	assert_int_equal(f->damaged, 0);
}

/* The tail moved and what was published before is gone, but the next record is still being written. */
static void lapped_by_a_record_that_is_not_published(void **state)
{
	struct fixture *f = *state;

	append_parts(f, 1, 10);
	WORD_STORE(f->b.threads[0].parts.tail_record, CHUNK_WORDS * 7);
	WORD_STORE(f->b.threads[0].parts.tail, CHUNK_WORDS * 7);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 0);
	assert_int_equal(f->position, head(f));
	assert_int_equal(f->lapped, head(f));
}

/* tail is ahead of tail_record: it never is, in a region that is whole. */
static void a_tail_without_a_record(void **state)
{
	struct fixture *f = *state;

	append_parts(f, 1, 10);
	WORD_STORE(f->b.threads[0].parts.tail, 50);
	assert_int_equal(read_on(f), SNAPSHOT_BUSY);
	assert_int_equal(f->position, 0);
	builder_die(&f->b);
	assert_false(region_refresh_life(&f->a));
	assert_int_equal(read_on(f), SNAPSHOT_DAMAGED);
	assert_int_equal(f->position, head(f));
}

/* ---- damaged */

static void a_damaged_record_is_left_out(void **state)
{
	struct fixture *f = *state;
	uint64_t third = 0;

	append_parts(f, 1, 2);
	third = head(f);
	append_parts(f, 3, 5);
	struct region_chunk *chunk = &f->b.chunks[f->b.parts[0].chunks[0]];
	WORD_STORE(chunk->words[third + 3], WORD_LOAD(chunk->words[third + 3]) + 1); /* a tick longer */
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 4 && f->seen.last == 5 && f->seen.gaps == 1);
	assert_true(f->damaged == 1 && f->position == head(f));
}

static void a_record_without_a_length_ends_the_reading(void **state)
{
	struct fixture *f = *state;
	uint64_t third = 0, lengths[] = { 0, 4, 1000, UINT32_MAX };

	append_parts(f, 1, 2);
	third = head(f);
	append_parts(f, 3, 5);
	region_word *word = &f->b.chunks[f->b.parts[0].chunks[0]].words[third];
	for (int i = 0; i < 4; i++) {
		WORD_STORE(*word, (WORD_LOAD(*word) & UINT32_MAX) | lengths[i] << 32);
		f->position = 0;
		assert_int_equal(read_on(f), SNAPSHOT_DAMAGED);
		assert_int_equal(f->seen.records, 2);
		assert_int_equal(f->position, head(f));
	}
	append_parts(f, 6, 7); /* and goes on behind it */
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_true(f->seen.records == 2 && f->seen.first == 6);
}

static void impossible_heads_and_chains(void **state)
{
	struct fixture *f = *state;
	struct region_log *log = &f->b.threads[0].parts;

	append_parts(f, 1, 50);
	uint64_t true_head = head(f), chunk = WORD_LOAD(log->chunk);
	f->position = true_head + 1;
	assert_int_equal(read_on(f), SNAPSHOT_DAMAGED);
	assert_int_equal(f->position, true_head);
	const uint64_t heads[] = { UINT64_MAX, 1ull << 60, true_head + CHUNK_WORDS * 3, true_head + 1 };
	for (int i = 0; i < 4; i++) {
		f->position = 0;
		WORD_STORE(log->head, heads[i]);
		assert_int_equal(read_on(f), SNAPSHOT_DAMAGED);
		assert_int_equal(f->position, heads[i]);
	}
	WORD_STORE(log->head, true_head);
	const uint64_t chunks[] = { 0, BUILDER_CHUNKS + 1, UINT64_MAX, 1 };
	for (int i = 0; i < 4; i++) {
		f->position = 0;
		WORD_STORE(log->chunk, chunks[i]);
		assert_int_equal(read_on(f), SNAPSHOT_DAMAGED);
		assert_int_equal(f->seen.records, 0);
	}
	WORD_STORE(log->chunk, chunk);
	f->position = 0;
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->seen.records, 50);
	assert_int_equal(snapshot_parts(&f->a, 1, &f->position, &f->lapped, &f->damaged, NULL, note, &f->seen),
	                 SNAPSHOT_ABSENT);
}

/* ---- kept parts of worst frames */

static enum snapshot_result kept(struct fixture *f, uint32_t slot, uint64_t interval)
{
	f->seen = (struct seen){ .limit = (uint32_t)WORD_LOAD(f->b.threads[0].nodes) };
	return snapshot_kept(&f->a, 0, slot, interval, &f->damaged, note, &f->seen);
}

static void a_kept_part(void **state)
{
	struct fixture *f = *state;
	static struct record_node many[3000];
	static uint64_t words[20000];
	struct record_head piece = { .kind = RECORD_MORE, .interval = 7, .bound = 600, .end = 700 }, part = piece;
	struct record_node one = { 2, 100, 0, 1 };
	uint32_t used = builder_pack(piece, &one, 1, words);

	assert_int_equal(kept(f, 3, 7), SNAPSHOT_ABSENT);
	more_nodes(f, 3000);
	for (uint32_t n = 0; n < 3000; n++)
		many[n] = (struct record_node){ n, 70000, 3, 9 };
	part.kind = RECORD_PART;
	part.bound = 700;
	part.end = 700 + 3000 * 70000;
	used += builder_pack(part, many, 3000, words + used);
	assert_true(used > 5 * CHUNK_WORDS);
	builder_keep(&f->b, 0, 3, 7, words, used);
	assert_int_equal(kept(f, 3, 7), SNAPSHOT_OK);
	assert_true(f->seen.records == 2 && f->seen.gaps == 0 && f->seen.words == used && f->seen.nodes == 3000);
	assert_int_equal(kept(f, 3, 8), SNAPSHOT_ABSENT);
	assert_int_equal(kept(f, 4, 7), SNAPSHOT_ABSENT);
	assert_int_equal(kept(f, REGION_WORST_FRAMES, 7), SNAPSHOT_ABSENT);
	WORD_STORE(f->b.threads[0].worst[3].words, used - 1);
	assert_int_equal(kept(f, 3, 7), SNAPSHOT_DAMAGED);
	WORD_STORE(f->b.threads[0].worst[3].words, UINT64_MAX);
	assert_int_equal(kept(f, 3, 7), SNAPSHOT_DAMAGED);
	seq_write_begin(&f->b.threads[0].worst[3].seq);
	assert_int_equal(kept(f, 3, 7), SNAPSHOT_BUSY);
}

/* ---- what is kept for hours */

static enum snapshot_result hours(struct fixture *f, uint32_t level)
{
	f->seen = (struct seen){ .limit = (uint32_t)WORD_LOAD(f->b.threads[0].nodes) };
	return snapshot_hours(&f->a, 0, level, &f->position, &f->lapped, &f->damaged, NULL, note, &f->seen);
}

/* The records of one interval are one when the log laps: a reader never begins in the middle of them. */
static void kept_for_hours(void **state)
{
	struct fixture *f = *state;
	struct record_node one = { 1, 100, 100, 1 };
	uint64_t words[64];
	uint32_t records = 0, used = 0;

	WORD_STORE(f->b.process->epoch, 1 << 20);
	for (int64_t i = 1; i <= 200; i++) {
		struct record_head piece = { .kind = RECORD_MORE, .interval = (uint64_t)i * 64, .bound = i * 6400,
			                     .end = i * 6400 + 100 }, part = piece;
		part.kind = RECORD_PART;
		part.bound += 100;
		part.end += 100;
		used = builder_pack(piece, &one, 1, words);
		used += builder_pack(part, &one, 1, words + used);
		builder_hours(&f->b, 0, 1, words, used);
	}
	f->position = f->lapped = f->damaged = 0;
	assert_int_equal(hours(f, 0), SNAPSHOT_OK);
	assert_true(f->seen.records == 0 && f->position == 0);
	assert_int_equal(hours(f, 1), SNAPSHOT_OK);
	records = f->seen.records;
	assert_true(records > 0 && records % 2 == 0 && f->lapped > 0 && f->lapped % used == 0 && f->damaged == 0);
	assert_int_equal(f->seen.words + f->lapped, 200 * used);
	assert_int_equal(f->position, 200 * used);
	assert_int_equal(hours(f, REGION_HOURS), SNAPSHOT_ABSENT);
	f->position = 0;
	WORD_STORE(f->b.threads[0].hours[1].chunk, UINT64_MAX);
	assert_int_equal(hours(f, 1), SNAPSHOT_DAMAGED);
	assert_int_equal(f->seen.records, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_record_once, begin, end),
		cmocka_unit_test_setup_teardown(stopping_behind_a_record, begin, end),
		cmocka_unit_test_setup_teardown(every_kind, begin, end),
		cmocka_unit_test_setup_teardown(a_later_kind_is_passed_over, begin, end),
		cmocka_unit_test_setup_teardown(in_portions, begin, end),
		cmocka_unit_test_setup_teardown(the_way_to_old_chunks_is_gone_once, begin, end),
		cmocka_unit_test_setup_teardown(a_late_reader_begins_at_the_first_whole_record, begin, end),
		cmocka_unit_test_setup_teardown(a_lapped_reader_goes_on_and_counts, begin, end),
		cmocka_unit_test_setup_teardown(lapped_between_two_portions, begin, end),
		cmocka_unit_test_setup_teardown(lapped_by_a_record_that_is_not_published, begin, end),
		cmocka_unit_test_setup_teardown(a_tail_without_a_record, begin, end),
		cmocka_unit_test_setup_teardown(a_damaged_record_is_left_out, begin, end),
		cmocka_unit_test_setup_teardown(a_record_without_a_length_ends_the_reading, begin, end),
		cmocka_unit_test_setup_teardown(impossible_heads_and_chains, begin, end),
		cmocka_unit_test_setup_teardown(a_kept_part, begin, end),
		cmocka_unit_test_setup_teardown(kept_for_hours, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
