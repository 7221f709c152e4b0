/* shm_bounds: what a region can make its reader touch, read and hold is bounded by what is really there, whatever it
 * says: holes of a live region are not filled by looking at them, and no chunk is had by several blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shm/snapshot_read.h"
#include "shm/snapshot.h"
#include "tests/region_ask.h"
#include "tests/region_builder.h"

#define NODES   100 /* three chunks */
#define RECORDS 1000

struct fixture {
	struct builder b;
	struct attachment a;
	uint32_t block;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	struct record_node node = { 0, 100, 0, 0 };

	builder_begin(&f->b, "bounds");
	builder_zone(&f->b, "zone", "file.c", 1);
	f->block = builder_thread(&f->b, BUILDER_START, "main");
	f->b.parts[f->block].most = 50;
	for (uint32_t n = 1; n < NODES; n++)
		builder_node(&f->b, f->block, n - 1, 1);
	for (int i = 0; i < RECORDS; i++)
		builder_record(&f->b, f->block, (struct record_head){ .kind = RECORD_PART, .interval = 1,
		                                                      .bound = i * 100, .end = i * 100 + 100 }, &node, 1);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	builder_end(&f->b);
	free(f);
	return 0;
}

static blkcnt_t blocks(const struct fixture *f)
{
	struct stat st;

	assert_int_equal(fstat(f->b.fd, &st), 0);
	return st.st_blocks;
}

static void attach(struct fixture *f)
{
	assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_OK);
}

/* Where chunk `first` begins; from there on the file has a hole. */
static uint64_t punch(struct fixture *f, uint32_t first)
{
	uint64_t from = (uint64_t)((unsigned char *)&f->b.chunks[first] - f->b.base);

	assert_int_equal(fallocate(f->b.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
	                           (off_t)(f->b.size - from)), 0);
	return from;
}

/* All that leads to chunks leads into the hole. */
static void lead_astray(struct fixture *f)
{
	struct region_thread *t = &f->b.threads[f->block];
	uint64_t link = BUILDER_CHUNKS;

	WORD_STORE(t->parts.chunk, link--);
	WORD_STORE(t->values.chunk, link--);
	WORD_STORE(t->values.head, CHUNK_WORDS);
	WORD_STORE(t->event_chunk, link--);
	WORD_STORE(t->head, CHUNK_EVENTS);
	WORD_STORE(t->node_chunk, link--);
	WORD_STORE(t->slot_chunk, link--);
	for (unsigned level = 0; level < REGION_HOURS; level++) {
		WORD_STORE(t->hours[level].chunk, link--);
		WORD_STORE(t->hours[level].head, CHUNK_WORDS);
	}
}

/* The file is asked, too, whatever its word says. */
static void holes_are_not_read(void **state)
{
	struct fixture *f = *state;
	const uint64_t used = (uint64_t)f->b.chunks_used * REGION_PAGE, said[] = { f->b.size, 0, UINT64_MAX };
	blkcnt_t before;

	punch(f, f->b.chunks_used);
	WORD_STORE(f->b.process->there[REGION_CHUNKS], used);

	lead_astray(f);
	before = blocks(f);
	attach(f);
	assert_int_equal(f->a.chunks_there, f->b.chunks_used);
	region_ask(&f->a);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		WORD_STORE(f->b.process->there[REGION_CHUNKS], said[i]);
		assert_true(region_refresh_life(&f->a));
		assert_int_equal(f->a.chunks_there, f->b.chunks_used);
		region_ask(&f->a);
		assert_int_equal(blocks(f), before);
	}
	region_detach(&f->a);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		WORD_STORE(f->b.process->there[REGION_CHUNKS], said[i]);
		assert_int_equal(region_attach(&f->a, f->b.name, 0, NULL, 0), ATTACH_DAMAGED);
		assert_int_equal(blocks(f), before);
	}
}

/* A part of a table without memory is not read, whatever leads there. */
static void holes_of_tables_are_not_read(void **state)
{
	struct fixture *f = *state;
	static const enum region_section_id tables[] = { REGION_ZONES, REGION_COUNTERS, REGION_STRINGS, REGION_THREADS,
							 REGION_FRAMES, REGION_HISTORY };
	struct snapshot_process process;
	struct snapshot_frame frame;
	struct snapshot_group group;
	int64_t end;

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		WORD_STORE(f->b.process->there[tables[i]], f->b.header->sections[tables[i]].stride);
	WORD_STORE(f->b.process->epoch, 1000000);
	WORD_STORE(f->b.process->zones, 1000000);
	WORD_STORE(f->b.process->counters, 1000000);
	WORD_STORE(f->b.process->strings, 1000000);
	WORD_STORE(f->b.process->threads, 1000000);
	attach(f);
	snapshot_process(&f->a, &process);
	assert_int_equal(process.zones, 1);
	assert_int_equal(process.counters, 1);
	assert_int_equal(process.string_bytes, 1);
	assert_int_equal(process.threads, CHUNK_BLOCKS);
	assert_null(snapshot_block(&f->a, CHUNK_BLOCKS));
	assert_int_equal(snapshot_interval_end(&f->a, 999999, &end), SNAPSHOT_DAMAGED);
	assert_int_equal(snapshot_frame(&f->a, 999999, &frame), SNAPSHOT_DAMAGED);
	for (uint32_t level = 0; level < BUILDER_LEVELS; level++)
		assert_int_equal(snapshot_group(&f->a, level, 1, &group), SNAPSHOT_ABSENT);
	region_detach(&f->a);
}

/* Less than it says in all: it is damaged. */
static void a_file_has_what_its_writer_says(void **state)
{
	struct fixture *f = *state;
	char why[512];

	assert_int_equal(ftruncate(f->b.fd, 2 * REGION_PAGE), 0);
	assert_int_equal(ftruncate(f->b.fd, (off_t)f->b.size), 0);
	assert_int_equal(region_attach(&f->a, f->b.name, 0, why, sizeof why), ATTACH_DAMAGED);
	assert_non_null(strstr(why, "has holes where its tables are"));
	assert_int_equal(blocks(f), 2 * REGION_PAGE / 512);
}

/* Space that the writer reserves while it is read is there at once. */
static void a_writer_reserves_in_steps(void **state)
{
	struct fixture *f = *state;
	struct snapshot_thread t;
	struct snapshot_place places[2 * NODES];
	uint32_t damaged = 0;
	uint64_t from = punch(f, f->b.chunks_used);

	WORD_STORE(f->b.process->there[REGION_CHUNKS], (uint64_t)f->b.chunks_used * REGION_PAGE);
	attach(f);
	assert_int_equal(posix_fallocate(f->b.fd, (off_t)from, 10 * REGION_PAGE), 0);
	WORD_RELEASE(f->b.process->there[REGION_CHUNKS], (f->b.chunks_used + 10ull) * REGION_PAGE);
	for (uint32_t n = NODES; n < 2 * NODES; n++)
		builder_node(&f->b, f->block, n - 1, 1);
	assert_int_equal(snapshot_thread(&f->a, f->block, &t), SNAPSHOT_OK);
	assert_int_equal(t.nodes, 2 * NODES);
	assert_int_equal(snapshot_nodes(&f->a, f->block, 0, t.nodes, places, &damaged), 2 * NODES);
	assert_int_equal(damaged, 0);
	assert_int_equal(places[2 * NODES - 1].parent, 2 * NODES - 2);
	region_detach(&f->a);
}

/* Nodes of a dead region of a terabyte that takes no room. */
static void a_dead_hole_has_no_nodes(void **state)
{
	struct fixture *f = *state;
	struct region_thread *t = &f->b.threads[f->block];
	struct snapshot_thread seen;
	uint32_t count = 1u << 27;

	f->b.header->size = 1ull << 40;
	f->b.header->sections[REGION_CHUNKS].count = count;
	WORD_STORE(f->b.chunks[WORD_LOAD(t->node_chunk) - 1].seq, count);
	WORD_STORE(t->nodes, (uint64_t)count * CHUNK_NODES);
	assert_int_equal(ftruncate(f->b.fd, 1ll << 40), 0);
	builder_die(&f->b);
	if (region_attach(&f->a, f->b.name, 0, NULL, 0) == ATTACH_MEMORY)
		skip(); /* a machine, or a sanitizer, with less address space */
	assert_true(f->a.chunks_there <= f->b.size / REGION_PAGE);
	assert_int_equal(snapshot_thread(&f->a, f->block, &seen), SNAPSHOT_OK);
	assert_int_equal(seen.nodes, 0);
	region_detach(&f->a);
}

/* All blocks have the nodes and the log of the first one. */
static void share_chunks(struct fixture *f)
{
	for (uint32_t block = 1; block < BUILDER_THREADS; block++)
		memcpy((void *)&f->b.threads[block], &f->b.threads[0], sizeof *f->b.threads);
	WORD_STORE(f->b.process->threads, BUILDER_THREADS);
	for (uint32_t chunk = f->b.chunks_used; chunk < BUILDER_CHUNKS; chunk++)
		WORD_STORE(f->b.chunks[chunk].words[0], 0);
}

static void nodes_are_of_one_block(void **state)
{
	struct fixture *f = *state;
	struct snapshot_thread t;
	uint32_t nodes = 0;

	share_chunks(f);
	punch(f, f->b.chunks_used); /* so that there are as many chunks as one block has */
	builder_die(&f->b);
	attach(f);
	f->a.chunks_there = (NODES + CHUNK_NODES - 1) / CHUNK_NODES;
	for (uint32_t block = 0; block < BUILDER_THREADS; block++) {
		assert_int_equal(snapshot_thread(&f->a, block, &t), SNAPSHOT_OK);
		nodes += t.nodes;
	}
	assert_int_equal(nodes, NODES);
	region_detach(&f->a);
}

static bool count(const struct record_head *head, const struct record_node *nodes, void *context)
{
	(void)nodes;
	(void)head;
	++*(uint32_t *)context;
	return true;
}

static void logs_are_of_one_block(void **state)
{
	struct fixture *f = *state;
	enum snapshot_result result = SNAPSHOT_OK;
	uint32_t records = 0, rounds = 0;

	share_chunks(f);
	punch(f, f->b.chunks_used);
	builder_die(&f->b);
	attach(f);
	for (; result == SNAPSHOT_OK && rounds < 1000; rounds++) {
		uint64_t position = 0, lapped = 0, damaged = 0;

		result = snapshot_parts(&f->a, rounds % BUILDER_THREADS, &position, &lapped, &damaged, NULL, count, &records);
	}
	assert_int_equal(result, SNAPSHOT_DAMAGED);
	assert_true(rounds > 8 && rounds < 100);
	struct snapshot_process process;
	snapshot_process(&f->a, &process); /* a look of its own */
	uint64_t position = 0, lapped = 0, damaged = 0;
	assert_int_equal(snapshot_parts(&f->a, 0, &position, &lapped, &damaged, NULL, count, &records), SNAPSHOT_OK);
	region_detach(&f->a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(holes_are_not_read, begin, end),
		cmocka_unit_test_setup_teardown(holes_of_tables_are_not_read, begin, end),
		cmocka_unit_test_setup_teardown(a_file_has_what_its_writer_says, begin, end),
		cmocka_unit_test_setup_teardown(a_writer_reserves_in_steps, begin, end),
		cmocka_unit_test_setup_teardown(a_dead_hole_has_no_nodes, begin, end),
		cmocka_unit_test_setup_teardown(nodes_are_of_one_block, begin, end),
		cmocka_unit_test_setup_teardown(logs_are_of_one_block, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
