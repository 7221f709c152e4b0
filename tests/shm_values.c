/* shm_values: counters, slots and value logs read whole, of hostile bytes, and by readers that were lapped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shm/seq.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

#define EPOCH 1000

struct fixture {
	struct builder b;
	struct attachment a;
	struct snapshot_slot slots[BUILDER_COUNTERS];
	uint32_t count;
	uint64_t torn;
	/* of the log */
	uint64_t position, lapped, damaged, records, words, stop_after;
	struct snapshot_value value[8]; /* the first of them */
	char text[8][VALUE_NOTE_MAX + 1];
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	builder_begin(&f->b, "values");
	builder_thread(&f->b, 1000, "x");
	WORD_STORE(f->b.process->epoch, EPOCH);
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

static enum snapshot_result read_slots(struct fixture *f)
{
	f->count = BUILDER_COUNTERS;
	f->torn = 0;
	return snapshot_slots(&f->a, 0, f->slots, &f->count, &f->torn);
}

static bool take(const struct snapshot_value *v, void *context)
{
	struct fixture *f = context;

	if (f->records < 8) {
		f->value[f->records] = *v;
		if (v->kind == VALUE_NOTE)
			memcpy(f->text[f->records], v->text, v->id + 1);
	}
	f->records++;
	f->words += v->kind == VALUE_NOTE ? VALUE_HEAD_WORDS + (v->id + 7) / 8
	            : v->kind == VALUE_EVENT ? 2
	                                     : v->last == v->least && v->last == v->most ? 3 : 5;
	return f->records != f->stop_after;
}

static enum snapshot_result read_on(struct fixture *f)
{
	f->records = f->words = 0;
	return snapshot_values(&f->a, 0, &f->position, &f->lapped, &f->damaged, take, f);
}

static enum snapshot_result read_anew(struct fixture *f)
{
	f->position = f->lapped = f->damaged = 0;
	return read_on(f);
}

static void interval(struct fixture *f, uint64_t n)
{
	WORD_STORE(f->b.process->epoch, n);
}

/* ---- what is there */

static void test_nothing(void **state)
{
	struct fixture *f = *state;
	struct snapshot_counter counter;
	char text[8];

	assert_false(snapshot_counter(&f->a, 0, &counter, text, sizeof text));
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, 0);
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->records, 0);
	f->count = BUILDER_COUNTERS;
	assert_int_equal(snapshot_slots(&f->a, 1, f->slots, &f->count, &f->torn), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_values(&f->a, 9, &f->position, &f->lapped, &f->damaged, take, f), SNAPSHOT_ABSENT);
}

static void test_counters(void **state)
{
	struct fixture *f = *state;
	struct snapshot_counter counter;
	struct snapshot_process p;
	char text[8];

	builder_counter(&f->b, "bytes", COUNTER_SET);
	builder_counter(&f->b, "share of it", COUNTER_REAL);
	snapshot_process(&f->a, &p);
	assert_int_equal(p.counters, 2);
	assert_true(snapshot_counter(&f->a, 0, &counter, text, sizeof text));
	assert_string_equal(counter.name, "bytes");
	assert_int_equal(counter.flags, COUNTER_SET);
	assert_true(snapshot_counter(&f->a, 1, &counter, text, sizeof text));
	assert_string_equal(counter.name, "share o");
	assert_int_equal(counter.flags, COUNTER_REAL);
	assert_false(snapshot_counter(&f->a, 2, &counter, text, sizeof text));
	f->b.counters[0].name = BUILDER_STRINGS + 1;
	assert_false(snapshot_counter(&f->a, 0, &counter, text, sizeof text));
	assert_string_equal(counter.name, "");
	WORD_STORE(f->b.process->counters, UINT64_MAX);
	snapshot_process(&f->a, &p);
	assert_int_equal(p.counters, BUILDER_COUNTERS);
}

static void test_a_slot(void **state)
{
	struct fixture *f = *state;
	uint32_t c = builder_counter(&f->b, "c", 0);

	interval(f, 5);
	builder_value(&f->b, 0, c, 10);
	builder_value(&f->b, 0, c, (uint64_t)-3);
	builder_value(&f->b, 0, c, 7);
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, 1);
	struct snapshot_slot *s = &f->slots[0];
	assert_int_equal(s->counter, c);
	assert_int_equal(s->born, 5);
	assert_int_equal(s->interval, 5);
	assert_int_equal(s->generation, 1);
	assert_true((int64_t)s->least == -3 && s->most == 10 && s->last == 7);
	assert_false(s->run);
	interval(f, 9);
	builder_value(&f->b, 0, c, 8);
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_true(s->run && (int64_t)s->run_least == -3 && s->run_most == 10);
	assert_true(s->least == 8 && s->most == 8 && s->last == 8 && s->interval == 9 && s->born == 5);
}

static void test_samples(void **state)
{
	struct fixture *f = *state;
	uint32_t c = builder_counter(&f->b, "c", COUNTER_REAL);

	interval(f, 5);
	builder_value(&f->b, 0, c, builder_real(0.5));
	interval(f, 6);
	builder_value(&f->b, 0, c, builder_real(-1.5));
	builder_value(&f->b, 0, c, builder_real(2));
	interval(f, 8);
	builder_value(&f->b, 0, c, builder_real(3));
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->records, 2);
	assert_int_equal(f->words, WORD_LOAD(f->b.threads[0].values.head));
	struct snapshot_value *v = f->value;
	assert_true(v[0].kind == VALUE_SAMPLE && v[0].id == c && v[0].interval == 5 && v[0].generation == 1);
	assert_true(v[0].last == builder_real(0.5) && v[0].least == v[0].last && v[0].most == v[0].last);
	assert_true(v[1].interval == 6 && v[1].last == builder_real(2) && v[1].least == builder_real(-1.5) &&
	            v[1].most == builder_real(2));
}

static void test_events_and_notes(void **state)
{
	struct fixture *f = *state;
	uint32_t zone = builder_zone(&f->b, "a wave", "", 0);
	char most[VALUE_NOTE_MAX + 1];

	memset(most, 'm', VALUE_NOTE_MAX);
	most[VALUE_NOTE_MAX] = '\0';
	builder_event(&f->b, 0, zone, 1234);
	builder_note(&f->b, 0, 1235, "");
	builder_note(&f->b, 0, 1236, "12345678");
	builder_note(&f->b, 0, 1237, most);
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->records, 4);
	assert_true(f->value[0].kind == VALUE_EVENT && f->value[0].id == zone && f->value[0].tick == 1234);
	assert_true(f->value[1].kind == VALUE_NOTE && f->value[1].id == 0 && f->value[1].tick == 1235);
	assert_string_equal(f->text[1], "");
	assert_string_equal(f->text[2], "12345678");
	assert_string_equal(f->text[3], most);
}

static void test_stops_and_goes_on(void **state)
{
	struct fixture *f = *state;
	uint32_t zone = builder_zone(&f->b, "e", "", 0);

	for (int i = 0; i < 10; i++)
		builder_event(&f->b, 0, zone, i);
	f->stop_after = 3;
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->records, 3);
	f->stop_after = 0;
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->records, 7);
	assert_int_equal(f->value[0].tick, 3);
	assert_int_equal(read_on(f), SNAPSHOT_OK);
	assert_int_equal(f->records, 0);
}

/* Many chunks of slots, and a caller that has room for fewer. */
static void test_many_slots(void **state)
{
	struct fixture *f = *state;
	unsigned char seen[BUILDER_COUNTERS] = { 0 };

	for (uint32_t i = 0; i < BUILDER_COUNTERS; i++) {
		builder_counter(&f->b, "n", 0);
		builder_value(&f->b, 0, i, i * 3);
	}
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, BUILDER_COUNTERS);
	for (uint32_t i = 0; i < f->count; i++) {
		assert_int_equal(f->slots[i].last, f->slots[i].counter * 3);
		seen[f->slots[i].counter]++;
	}
	for (uint32_t i = 0; i < BUILDER_COUNTERS; i++)
		assert_int_equal(seen[i], 1);
	memset(f->slots, 0xff, sizeof f->slots);
	f->count = 5;
	assert_int_equal(snapshot_slots(&f->a, 0, f->slots, &f->count, &f->torn), SNAPSHOT_OK);
	assert_int_equal(f->count, BUILDER_COUNTERS);
	assert_int_equal(f->slots[5].counter, UINT32_MAX);
}

/* Every record is delivered or in what was lapped, to the word. */
static void test_laps(void **state)
{
	struct fixture *f = *state;
	uint32_t zone = builder_zone(&f->b, "e", "", 0);
	uint64_t random = 7, delivered = 0;

	for (int round = 0; round < 300; round++) {
		uint64_t many = builder_random(&random) % 700;
		for (uint64_t i = 0; i < many; i++)
			if (builder_random(&random) % 3)
				builder_event(&f->b, 0, zone, round);
			else
				builder_note(&f->b, 0, round, "a text of some length");
		assert_int_equal(read_on(f), SNAPSHOT_OK);
		delivered += f->words;
		assert_int_equal(delivered + f->lapped, WORD_LOAD(f->b.threads[0].values.head));
	}
	assert_int_equal(f->damaged, 0);
	assert_true(f->lapped > 10000 && delivered > 10000);
}

static void test_an_older_region(void **state)
{
	struct fixture *f = *state;
	struct snapshot_counter counter;
	struct snapshot_process p;
	char text[8];

	builder_counter(&f->b, "c", 0);
	region_detach(&f->a);
	f->b.header->minor = 1;
	f->b.header->sections[REGION_COUNTERS] = (struct region_section){ 0, 0, 0 };
	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
	snapshot_process(&f->a, &p);
	assert_int_equal(p.counters, 0);
	assert_false(snapshot_counter(&f->a, 0, &counter, text, sizeof text));
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, 0);
}

/* ---- damage */

static void test_sections(void **state)
{
	static const struct { uint64_t offset; uint32_t stride, count; } bad[] = {
		{ 0, 24, 1 }, { 4096 + 1, 24, 1 }, { 4096, 16, 1 }, { 4096, 28, 1 }, { 4096, 24, UINT32_MAX },
		{ 1ull << 40, 24, 1 }, { UINT64_MAX - 63, 24, 64 },
	};
	struct fixture *f = *state;
	struct region_section sound = f->b.header->sections[REGION_COUNTERS];
	char why[256];

	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct attachment a;
		f->b.header->sections[REGION_COUNTERS] =
		    (struct region_section){ bad[i].offset, bad[i].stride, bad[i].count };
		assert_int_equal(region_attach(&a, f->b.name, 0, why, sizeof why), ATTACH_DAMAGED);
		assert_non_null(strstr(why, "counters"));
	}
	f->b.header->sections[REGION_COUNTERS] = sound;
}

static void test_torn(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 3; i++) {
		builder_counter(&f->b, "c", 0);
		builder_value(&f->b, 0, i, i);
	}
	seq_write_begin(&builder_slot_at(&f->b, 0, 1)->seq);
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, 2);
	assert_int_equal(f->torn, 1);
	WORD_STORE(builder_slot_at(&f->b, 0, 1)->last, 99); /* and least and most not yet */
	builder_die(&f->b);
	assert_false(region_refresh_life(&f->a));
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_true(f->count == 3 && f->torn == 1);
	assert_int_equal(f->slots[1].last, 99);
	assert_int_equal(f->slots[1].least, 1);
	assert_int_equal(f->slots[1].most, 99);
}

/* One word of a slot is another: the slot is left out and said, or is sound all the same. */
static void test_slot_words(void **state)
{
	static const uint64_t other[] = { 0, 1, 2, 5, 64, 65, 66, 999, 1001, 1ull << 32, 1ull << 63, INT64_MAX, UINT64_MAX,
		                          0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000 };
	struct fixture *f = *state;
	uint64_t refused = 0;

	for (uint32_t i = 0; i < 2; i++) {
		builder_counter(&f->b, "c", i ? COUNTER_REAL : 0);
		builder_value(&f->b, 0, i, builder_real(1.5));
	}
	for (uint32_t c = 0; c < 2; c++) {
		region_word *words = &builder_slot_at(&f->b, 0, c)->counter;
		for (unsigned w = 0; w < sizeof(struct region_slot) / 8; w++) {
			uint64_t sound = WORD_LOAD(words[w]);
			for (unsigned i = 0; i < sizeof other / sizeof *other; i++) {
				WORD_STORE(words[w], other[i]);
				enum snapshot_result result = read_slots(f);
				assert_true(result == SNAPSHOT_OK || result == SNAPSHOT_DAMAGED);
				assert_true(f->count + f->torn == 2 || result == SNAPSHOT_DAMAGED || (w == 0 && !other[i]));
				for (uint32_t s = 0; s < f->count; s++) {
					assert_true(f->slots[s].counter < 2 && f->slots[s].interval <= EPOCH);
					assert_true(f->slots[s].born <= f->slots[s].interval);
				}
				refused += result == SNAPSHOT_DAMAGED;
			}
			WORD_STORE(words[w], sound);
		}
	}
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, 2);
	assert_true(refused > 60);
}

/* Chains of slot chunks: out of range, in a circle, with gaps, endless. */
static void test_slot_chains(void **state)
{
	static const uint64_t other[] = { 0, 1, 2, 3, 4, 5, BUILDER_CHUNKS, BUILDER_CHUNKS + 1, UINT64_MAX };
	struct fixture *f = *state;
	struct region_thread *t = &f->b.threads[0];
	unsigned bad = 0;

	for (uint32_t i = 0; i < BUILDER_COUNTERS; i++) {
		builder_counter(&f->b, "n", 0);
		builder_value(&f->b, 0, i, i);
	}
	uint64_t newest = WORD_LOAD(t->slot_chunk);
	region_word *words[] = { &t->slot_chunk, &f->b.chunks[newest - 1].link, &f->b.chunks[newest - 1].seq };
	for (unsigned w = 0; w < 3; w++) {
		uint64_t sound = WORD_LOAD(*words[w]);
		for (unsigned i = 0; i < sizeof other / sizeof *other; i++) {
			WORD_STORE(*words[w], other[i]);
			bad += read_slots(f) == SNAPSHOT_DAMAGED;
			assert_true(f->count <= 2 * BUILDER_COUNTERS);
		}
		WORD_STORE(*words[w], sound);
	}
	assert_true(bad > 12);
	assert_int_equal(read_slots(f), SNAPSHOT_OK);
	assert_int_equal(f->count, BUILDER_COUNTERS);
}

static void append_all_kinds(struct fixture *f, uint32_t zone, int64_t tick)
{
	builder_value(&f->b, 0, 0, (uint64_t)tick);
	builder_value(&f->b, 0, 0, (uint64_t)tick + 5);
	builder_value(&f->b, 0, 1, builder_real(0.5));
	builder_event(&f->b, 0, zone, tick);
	builder_note(&f->b, 0, tick, "a note of some words");
}

/* Each word of each record is another: it is told as damage, or is sound all the same; what was sound before it is
 * delivered. */
static void test_record_words(void **state)
{
	static const uint64_t flips[] = { 1, 2, 4, 0xf, 0x10, 0x100, 0x200, 0x8000, 0xff00, 0x10000, 1ull << 32,
		                          1ull << 40, 1ull << 62, 1ull << 63, UINT64_MAX };
	struct fixture *f = *state;
	uint32_t zone = builder_zone(&f->b, "e", "", 0);
	uint64_t whole, told = 0;

	builder_counter(&f->b, "i", 0);
	builder_counter(&f->b, "d", COUNTER_REAL);
	for (uint64_t i = 1; i < 6; i++) {
		interval(f, i);
		append_all_kinds(f, zone, (int64_t)i);
	}
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	whole = f->records;
	assert_int_equal(whole, 18);
	uint64_t head = WORD_LOAD(f->b.threads[0].values.head);
	region_word *words = f->b.chunks[f->b.values[0].chunks[0]].words;
	for (uint64_t w = 0; w < head; w++) {
		uint64_t sound = WORD_LOAD(words[w]);
		for (unsigned i = 0; i < sizeof flips / sizeof *flips; i++) {
			WORD_STORE(words[w], sound ^ flips[i]);
			enum snapshot_result result = read_anew(f);
			assert_true(result == SNAPSHOT_OK || result == SNAPSHOT_DAMAGED);
			assert_int_equal(f->position, head);
			assert_true(f->records <= head / 2);
			told += result == SNAPSHOT_DAMAGED || f->damaged;
		}
		WORD_STORE(words[w], sound);
	}
	assert_true(told > head * 3);
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->records, whole);
}

/* Records that name something that is not there, one by one. */
static void test_record_fields(void **state)
{
	static const struct { uint64_t words[5]; uint32_t count; } bad[] = {
		{ { VALUE_SAMPLE | 3 << 8 | 0ull << 32, 1, 0 }, 3 },             /* counter 0 */
		{ { VALUE_SAMPLE | 3 << 8 | 3ull << 32, 1, 0 }, 3 },             /* one that is not there */
		{ { VALUE_SAMPLE | 3 << 8 | 1ull << 32, 0, 0 }, 3 },             /* interval 0 */
		{ { VALUE_SAMPLE | 3 << 8 | 1ull << 32, EPOCH + 1, 0 }, 3 },     /* one that did not begin */
		{ { VALUE_SAMPLE | 4 << 8 | 1ull << 32, 1, 0, 0 }, 4 },          /* a length that it cannot have */
		{ { VALUE_SAMPLE | 5 << 8 | 1ull << 32, 1, 5, 6, 7 }, 5 },       /* last < least */
		{ { VALUE_SAMPLE | 5 << 8 | 1ull << 32, 1, 5, 1, 4 }, 5 },       /* last > most */
		{ { VALUE_SAMPLE | 3 << 8 | 2ull << 32, 1, 0x7ff8ull << 48 }, 3 }, /* NaN */
		{ { VALUE_SAMPLE | 3 << 8 | 2ull << 32, 1, 0x7ff0ull << 48 }, 3 }, /* infinity */
		{ { VALUE_EVENT | 2 << 8 | 0ull << 32, 1 }, 2 },                 /* no zone */
		{ { VALUE_EVENT | 2 << 8 | 2ull << 32, 1 }, 2 },                 /* one that is not there */
		{ { VALUE_EVENT | 2 << 8 | 1ull << 32, 1ull << 63 }, 2 },        /* a tick below 0 */
		{ { VALUE_EVENT | 3 << 8 | 1ull << 32, 1, 0 }, 3 },              /* a word too many */
		{ { VALUE_NOTE | 3 << 8 | 9ull << 32, 1, 0 }, 3 },               /* longer than its words */
		{ { VALUE_NOTE | 4 << 8 | 8ull << 32, 1, 0, 0 }, 4 },            /* shorter */
		{ { 0 | 2 << 8 | 1ull << 32, 1 }, 2 },                           /* no kind */
	};
	struct fixture *f = *state;
	uint32_t zone = builder_zone(&f->b, "e", "", 0), count = sizeof bad / sizeof *bad;
	const uint64_t later[] = { VALUE_KINDS | 3 << 8 | 1ull << 32, UINT64_MAX, UINT64_MAX }; /* of a later version */

	builder_counter(&f->b, "i", 0);
	builder_counter(&f->b, "d", COUNTER_REAL);
	for (uint32_t i = 0; i < count; i++) {
		builder_value_words(&f->b, 0, bad[i].words, bad[i].count);
		builder_event(&f->b, 0, zone, i);
		builder_value_words(&f->b, 0, later, 3);
	}
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->damaged, count);
	assert_int_equal(f->records, count);
}

static void test_log_words(void **state)
{
	static const uint64_t other[] = { 0, 1, 7, 509, 510, 511, 100000, 1ull << 40, 1ull << 63, UINT64_MAX };
	struct fixture *f = *state;
	uint32_t zone = builder_zone(&f->b, "e", "", 0);
	region_word *words = &f->b.threads[0].values.head;

	for (int i = 0; i < 2000; i++)
		builder_event(&f->b, 0, zone, i);
	for (unsigned w = 0; w < 4; w++) {
		uint64_t sound = WORD_LOAD(words[w]);
		for (unsigned i = 0; i < sizeof other / sizeof *other; i++) {
			WORD_STORE(words[w], other[i]);
			enum snapshot_result result = read_anew(f);
			assert_true(result == SNAPSHOT_OK || result == SNAPSHOT_DAMAGED || result == SNAPSHOT_BUSY);
			assert_true(f->records <= 2000);
		}
		WORD_STORE(words[w], sound);
	}
	assert_int_equal(read_anew(f), SNAPSHOT_OK);
	assert_int_equal(f->words + f->lapped, WORD_LOAD(words[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing, begin, end),
		cmocka_unit_test_setup_teardown(test_counters, begin, end),
		cmocka_unit_test_setup_teardown(test_a_slot, begin, end),
		cmocka_unit_test_setup_teardown(test_samples, begin, end),
		cmocka_unit_test_setup_teardown(test_events_and_notes, begin, end),
		cmocka_unit_test_setup_teardown(test_stops_and_goes_on, begin, end),
		cmocka_unit_test_setup_teardown(test_many_slots, begin, end),
		cmocka_unit_test_setup_teardown(test_laps, begin, end),
		cmocka_unit_test_setup_teardown(test_an_older_region, begin, end),
		cmocka_unit_test_setup_teardown(test_sections, begin, end),
		cmocka_unit_test_setup_teardown(test_torn, begin, end),
		cmocka_unit_test_setup_teardown(test_slot_words, begin, end),
		cmocka_unit_test_setup_teardown(test_slot_chains, begin, end),
		cmocka_unit_test_setup_teardown(test_record_words, begin, end),
		cmocka_unit_test_setup_teardown(test_record_fields, begin, end),
		cmocka_unit_test_setup_teardown(test_log_words, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
