/* shm_race: the publication protocols with a writer that races the reader.
 *
 * Whatever the reader accepts must be whole: every word of a slot or a record tells its number.  The writer
 * is sometimes stopped for good in the middle, as a process that is killed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "shm/clock.h"
#include "shm/ring.h"
#include "shm/seq.h"
#include "shm/snapshot_read.h"
#include "tests/region_builder.h"

#define RACE_NS 700000000ll

struct race {
	struct builder b;
	struct attachment a;
	region_word seq, slot[6];
	atomic_bool stop;
	uint64_t random;
	/* what the reader got */
	uint64_t position, lapped, damaged, seen, laps, gaps;
	int64_t end;
	uint64_t good, refused;
};

static int begin(void **state)
{
	struct race *r = calloc(1, sizeof *r);

	builder_begin(&r->b, "race");
	builder_thread(&r->b, 1000, "writer");
	builder_node(&r->b, 0, 0, 0);
	builder_node(&r->b, 0, 1, 0);
	*state = r;
	return region_attach(&r->a, r->b.name, 0, NULL, 0) == ATTACH_OK ? 0 : -1;
}

static int end(void **state)
{
	struct race *r = *state;

	region_detach(&r->a);
	builder_end(&r->b);
	free(r);
	return 0;
}

static bool stopped(struct race *r)
{
	return atomic_load_explicit(&r->stop, memory_order_relaxed);
}

/* Runs the writer beside the reader for a while; read is called over and over. */
static void race(struct race *r, void *(*writer)(void *), void (*read)(struct race *))
{
	pthread_t thread;
	int64_t until = clock_ns(CLOCK_MONOTONIC) + RACE_NS;

	assert_int_equal(pthread_create(&thread, NULL, writer, r), 0);
	while (clock_ns(CLOCK_MONOTONIC) < until)
		read(r);
	atomic_store(&r->stop, true);
	pthread_join(thread, NULL);
}

/* ---- a slot under a sequence word */

static void *write_slots(void *context)
{
	struct race *r = context;

	for (uint64_t n = 1; !stopped(r); n++) {
		seq_write_begin(&r->seq);
		for (int i = 0; i < 6; i++)
			WORD_STORE(r->slot[i], n);
		seq_write_end(&r->seq);
	}
	return NULL;
}

static void read_slot(struct race *r)
{
	uint64_t mark = seq_read_begin(&r->seq), words[6];

	for (int i = 0; i < 6; i++)
		words[i] = WORD_LOAD(r->slot[i]);
	if (!seq_read_valid(&r->seq, mark)) {
		r->refused++;
		return;
	}
	r->good++;
	for (int i = 0; i < 6; i++)
		if (words[i] != mark / 2)
			fail_msg("word %d is of %llu, not of %llu", i, (unsigned long long)words[i],
			         (unsigned long long)mark / 2);
}

static void a_slot_is_read_whole_or_not_at_all(void **state)
{
	struct race *r = *state;

	race(r, write_slots, read_slot);
	assert_true(r->good > 100);
}

static void a_slot_whose_writer_stopped_is_not_read(void **state)
{
	struct race *r = *state;

	seq_write_begin(&r->seq);
	assert_false(seq_read_valid(&r->seq, seq_read_begin(&r->seq)));
	seq_write_begin(&r->seq); /* its successor repairs it */
	seq_write_end(&r->seq);
	assert_true(seq_read_valid(&r->seq, seq_read_begin(&r->seq)));
}

/* ---- a log that laps */

/* Word w of the log is w + 1. */
static void *write_words(void *context)
{
	struct race *r = context;
	uint64_t words[97];

	for (uint64_t w = 0; !stopped(r);) {
		for (int i = 0; i < 97; i++)
			words[i] = ++w;
		builder_words(&r->b, 0, words, 97);
	}
	return NULL;
}

static void read_words(struct race *r)
{
	struct region_log *log = &r->b.threads[0].parts, *seen = &snapshot_block(&r->a, 0)->parts;
	uint64_t head = WORD_ACQUIRE(log->head), room[4 * CHUNK_WORDS];
	uint64_t from = head > 4 * CHUNK_WORDS ? head - 4 * CHUNK_WORDS : 0;
	uint64_t first = ring_copy(&r->a, ring_newest(&seen->chunk), &seen->tail, from, head, room);

	r->laps += first > from;
	for (uint64_t w = first; w < head; w++, r->good++)
		if (room[w - from] != w + 1)
			fail_msg("word %llu of the log is %llu", (unsigned long long)w,
			         (unsigned long long)room[w - from]);
}

static void a_log_gives_no_word_that_was_overwritten(void **state)
{
	struct race *r = *state;

	r->b.parts[0].most = 4;
	race(r, write_words, read_words);
	assert_true(r->good > 10000 && r->laps > 10);
}

/* ---- records of a thread, through the snapshot */

static void *write_parts(void *context)
{
	struct race *r = context;
	uint64_t random = 3;
	int64_t bound = 1000;

	WORD_STORE(r->b.process->epoch, UINT64_MAX >> 1);
	for (uint64_t i = 1; !stopped(r); i++) {
		struct record_node nodes[3];
		uint32_t count = (uint32_t)(builder_random(&random) % 4);
		int64_t sum = 0;
		for (uint32_t n = 0; n < count; n++) {
			nodes[n] = (struct record_node){ n, (int64_t)(builder_random(&random) >> 40), 5, i };
			sum += nodes[n].self;
		}
		builder_record(&r->b, 0, (struct record_head){ .kind = RECORD_PART, .interval = i, .bound = bound,
		                                               .end = bound + sum }, nodes, count);
		bound += sum;
	}
	return NULL;
}

static bool check_part(const struct record_head *head, const struct record_node *nodes, void *context)
{
	struct race *r = context;

	for (uint32_t n = 0; n < head->nodes; n++)
		if (nodes[n].count != head->interval || nodes[n].longest != 5)
			fail_msg("a node of another part");
	r->gaps += r->end && head->bound != r->end;
	r->end = head->end;
	r->seen += head->words;
	return true;
}

static void read_parts(struct race *r)
{
	struct snapshot_process process;
	uint64_t before = r->lapped;

	if (builder_random(&r->random) % 2) /* sometimes late */
		nanosleep(&(struct timespec){ 0, 50000 }, NULL);
	snapshot_process(&r->a, &process); /* each look begins with it */
	r->end = 0; /* within one call parts tile, unless some were lapped in the middle of it */
	enum snapshot_result result = snapshot_parts(&r->a, 0, &r->position, &r->lapped, &r->damaged, NULL, check_part, r);
	assert_true(result == SNAPSHOT_OK || result == SNAPSHOT_BUSY);
	assert_int_equal(r->lapped + r->seen, r->position);
	r->laps += r->lapped != before;
	if (r->gaps > r->laps)
		fail_msg("a part that does not begin where the one before ended");
}

static void parts_are_delivered_or_lapped_and_all_are_counted(void **state)
{
	struct race *r = *state;

	r->b.parts[0].most = 3;
	race(r, write_parts, read_parts);
	assert_int_equal(r->damaged, 0);
	assert_true(r->seen > 1000 && r->laps > 10);
}

/* ---- a thread that enters and leaves */

static void *transitions(void *context)
{
	struct race *r = context;
	int64_t tick = 1000;
	uint64_t random = 5;

	while (!stopped(r)) {
		builder_enter(&r->b, 0, 1, tick += 3);
		for (unsigned i = builder_random(&random) % 5; i > 0; i--) {
			builder_enter(&r->b, 0, 2, tick += 2);
			builder_leave(&r->b, 0, tick += 7);
		}
		builder_leave(&r->b, 0, tick += 1);
		if (builder_random(&random) % 64 == 0)
			nanosleep(&(struct timespec){ 0, 20000 }, NULL);
	}
	return NULL;
}

static void read_thread(struct race *r)
{
	struct snapshot_total v[3];
	struct snapshot_totals out;
	struct snapshot_open open[4];
	static struct snapshot_event events[400];
	bool busy;
	int64_t last;

	assert_int_equal(snapshot_totals(&r->a, 0, 0, 3, v, &out), SNAPSHOT_OK);
	assert_false(out.torn);
	assert_int_equal(v[0].self + v[1].self + v[2].self, out.until - out.started);
	if (!out.at_bound) {
		assert_true(v[2].self >= 0 && (uint64_t)v[2].self <= v[2].count * 7);
		assert_true(v[2].self >= (int64_t)v[2].count * 7 - 7);
		assert_int_equal(v[2].longest, v[2].self >= 7 ? 7 : 0);
	}
	r->good += !out.at_bound;
	uint32_t depth = snapshot_stack(&r->a, 0, open, 4, &busy, &last);
	if (!busy) {
		assert_in_range(depth, 1, 3);
		for (uint32_t i = 0; i < depth; i++)
			assert_int_equal(open[i].node, depth - 1 - i);
		r->seen++;
	}
	uint64_t head = WORD_ACQUIRE(r->b.threads[0].head), from = head > 400 ? head - 400 : 0;
	uint64_t first = snapshot_events(&r->a, 0, from, head - from, events);
	for (uint64_t e = first + 1; e < head; e++, r->position++) {
		const struct snapshot_event *at = &events[e - from];
		bool inner = at->what >> 8 == 2, enter = (at->what & 0xff) == EVENT_ENTER;
		assert_int_equal(at->tick - at[-1].tick, inner ? (enter ? 2 : 7) : enter ? 3 : 1);
	}
}

static void totals_stacks_and_events_of_a_running_thread(void **state)
{
	struct race *r = *state;

	race(r, transitions, read_thread);
	assert_true(r->good > 10 && r->seen > 10 && r->position > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_slot_is_read_whole_or_not_at_all, begin, end),
		cmocka_unit_test_setup_teardown(a_slot_whose_writer_stopped_is_not_read, begin, end),
		cmocka_unit_test_setup_teardown(a_log_gives_no_word_that_was_overwritten, begin, end),
		cmocka_unit_test_setup_teardown(parts_are_delivered_or_lapped_and_all_are_counted, begin, end),
		cmocka_unit_test_setup_teardown(totals_stacks_and_events_of_a_running_thread, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
