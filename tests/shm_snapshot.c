/* shm_snapshot: the process, zones, intervals, blocks, trees, open zones and events, read as written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shm/clock.h"
#include "shm/seq.h"
#include "shm/snapshot.h"
#include "tests/region_builder.h"

struct pair {
	struct builder b;
	struct attachment a;
};

static int begin(void **state)
{
	struct pair *p = calloc(1, sizeof *p);

	builder_begin(&p->b, "snapshot");
	*state = p;
	return region_attach(&p->a, p->b.name, 0, NULL, 0) == ATTACH_OK ? 0 : -1;
}

static int end(void **state)
{
	struct pair *p = *state;

	region_detach(&p->a);
	builder_end(&p->b);
	free(p);
	return 0;
}

/* ---- the process */

static void the_process_at_its_start(void **state)
{
	struct pair *p = *state;
	struct snapshot_process s;

	snapshot_process(&p->a, &s);
	assert_int_equal(s.epoch, 1);
	assert_int_equal(s.decided, 0);
	assert_int_equal(s.decided_end, BUILDER_START);
	assert_int_equal(s.marker, UINT32_MAX);
	assert_int_equal(s.chunks_free, BUILDER_CHUNKS - 1);
	assert_int_equal(s.latest.ticks, 0);
	assert_false(s.exited);
}

static void the_process_after_marks(void **state)
{
	struct pair *p = *state;
	struct snapshot_process s;

	for (int i = 1; i <= 20; i++)
		builder_frame(&p->b, BUILDER_START + i * 100, (uint64_t)i, 0, NULL);
	WORD_STORE(p->b.process->marker, 3);
	WORD_STORE(p->b.process->lost[LOSS_MARK_BUSY], 5);
	WORD_STORE(p->b.process->latest[0], 2500);
	WORD_STORE(p->b.process->state, PROCESS_EXITED);
	snapshot_process(&p->a, &s);
	assert_int_equal(s.epoch, 21);
	assert_int_equal(s.decided, 20);
	assert_int_equal(s.decided_end, BUILDER_START + 2000);
	assert_int_equal(s.frames, 20);
	assert_int_equal(s.marker, 2);
	assert_int_equal(s.lost[LOSS_MARK_BUSY], 5);
	assert_int_equal(s.latest.ticks, 2500);
	assert_true(s.exited);
	WORD_STORE(p->b.frames[20 % BUILDER_FRAMES].end, MARK_UNDECIDED | 20);
	snapshot_process(&p->a, &s);
	assert_int_equal(s.decided, 19);
	assert_int_equal(s.decided_end, BUILDER_START + 1900);
}

static void counts_beyond_the_tables_are_clamped(void **state)
{
	struct pair *p = *state;
	struct snapshot_process s;

	WORD_STORE(p->b.process->zones, UINT64_MAX);
	WORD_STORE(p->b.process->threads, UINT64_MAX);
	WORD_STORE(p->b.process->strings, UINT64_MAX);
	WORD_STORE(p->b.process->marker, UINT64_MAX);
	WORD_STORE(p->b.process->left_open, UINT64_MAX);
	snapshot_process(&p->a, &s);
	assert_int_equal(s.zones, BUILDER_ZONES);
	assert_int_equal(s.threads, BUILDER_THREADS);
	assert_int_equal(s.string_bytes, 1024);
	assert_int_equal(s.marker, UINT32_MAX);
	assert_int_equal(s.left_open, 0);
}

/* A writer that died in the middle of renewing the instant must not be waited for. */
static void an_instant_that_is_never_finished(void **state)
{
	struct pair *p = *state;
	struct snapshot_process s;

	seq_write_begin(&p->b.process->instant_seq);
	WORD_STORE(p->b.process->latest[0], 77);
	snapshot_process(&p->a, &s);
	assert_int_equal(s.latest.ticks, 0);
}

/* ---- zones */

static void zones_with_their_places(void **state)
{
	struct pair *p = *state;
	struct snapshot_zone z;
	char text[64], small[8];

	builder_zone(&p->b, "draw", "game.c", 42);
	builder_zone(&p->b, "physics", "", 0);
	assert_true(snapshot_zone(&p->a, 0, &z, text, sizeof text));
	assert_string_equal(z.name, "draw");
	assert_string_equal(z.file, "game.c");
	assert_int_equal(z.line, 42);
	assert_true(snapshot_zone(&p->a, 1, &z, text, sizeof text));
	assert_string_equal(z.name, "physics");
	assert_string_equal(z.file, "");
	assert_true(snapshot_zone(&p->a, 0, &z, small, sizeof small));
	assert_string_equal(z.name, "draw");
	assert_string_equal(z.file, "ga");
	assert_true(snapshot_zone(&p->a, 1, &z, small, 4));
	assert_string_equal(z.name, "phy");
	assert_string_equal(z.file, "");
	assert_true(snapshot_zone(&p->a, 1, &z, small, 0));
	assert_string_equal(z.name, "");
	assert_false(snapshot_zone(&p->a, 2, &z, text, sizeof text));
	assert_false(snapshot_zone(&p->a, UINT32_MAX, &z, text, sizeof text));
}

static void zones_whose_strings_lie_outside(void **state)
{
	struct pair *p = *state;
	struct snapshot_zone z;
	char text[64];
	struct region_zone *zone = &p->b.zones[0];

	builder_zone(&p->b, "draw", "game.c", 42);
	zone->name_size = 11; /* one more than was ever filled */
	assert_false(snapshot_zone(&p->a, 0, &z, text, sizeof text));
	zone->name_size = 4;
	zone->file = UINT32_MAX;
	assert_false(snapshot_zone(&p->a, 0, &z, text, sizeof text));
	zone->file = 4;
	zone->file_size = UINT32_MAX;
	assert_false(snapshot_zone(&p->a, 0, &z, text, sizeof text));
	assert_string_equal(z.file, "");
}

/* ---- intervals */

static void frames_with_their_bounds_and_names(void **state)
{
	struct pair *p = *state;
	struct snapshot_frame f;

	builder_frame(&p->b, 2000, 1, MARK_SLOW | 3 << 8 | 1ull << 32, NULL);
	builder_frame(&p->b, 2500, 0, MARK_OUTSIDE, NULL);
	builder_frame(&p->b, 4000, 2, MARK_BOUNDED | 2ull << 32, "request");
	assert_int_equal(snapshot_frame(&p->a, 1, &f), SNAPSHOT_OK);
	assert_true(f.interval == 1 && f.number == 1 && f.start == BUILDER_START && f.end == 2000);
	assert_int_equal(f.flags, MARK_SLOW);
	assert_int_equal(f.marker, 0);
	assert_string_equal(f.name, "");
	assert_int_equal(snapshot_frame(&p->a, 2, &f), SNAPSHOT_OK);
	assert_true(f.number == 0 && f.flags == MARK_OUTSIDE && f.marker == UINT32_MAX);
	assert_int_equal(snapshot_frame(&p->a, 3, &f), SNAPSHOT_OK);
	assert_true(f.start == 2500 && f.end == 4000 && f.marker == 1);
	assert_string_equal(f.name, "request");
	assert_int_equal(snapshot_frame(&p->a, 0, &f), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_frame(&p->a, 4, &f), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_frame(&p->a, UINT64_MAX, &f), SNAPSHOT_ABSENT);
}

static void frames_lap(void **state)
{
	struct pair *p = *state;
	struct snapshot_frame f;

	for (int i = 1; i <= 20; i++)
		builder_frame(&p->b, BUILDER_START + i * 100, (uint64_t)i, 0, NULL);
	/* epoch 21: elements 14..20 and T(13) are whole; 13's own element is the one written next */
	for (uint64_t i = 1; i <= 14; i++)
		assert_int_equal(snapshot_frame(&p->a, i, &f), SNAPSHOT_LAPPED);
	for (uint64_t i = 15; i <= 20; i++) {
		assert_int_equal(snapshot_frame(&p->a, i, &f), SNAPSHOT_OK);
		assert_int_equal(f.number, i);
		assert_int_equal(f.end, BUILDER_START + i * 100);
		assert_int_equal(f.start, f.end - 100);
	}
}

static void frames_that_cannot_be(void **state)
{
	struct pair *p = *state;
	struct snapshot_frame f;

	builder_frame(&p->b, 2000, 1, 0, NULL);
	builder_frame(&p->b, 1999, 2, 0, NULL); /* ends before it begins */
	assert_int_equal(snapshot_frame(&p->a, 2, &f), SNAPSHOT_DAMAGED);
	WORD_STORE(p->b.frames[2].end, MARK_UNDECIDED | 2);
	assert_int_equal(snapshot_frame(&p->a, 2, &f), SNAPSHOT_UNDECIDED);
	WORD_STORE(p->b.frames[2].end, MARK_UNDECIDED | 10); /* of another interval */
	assert_int_equal(snapshot_frame(&p->a, 2, &f), SNAPSHOT_DAMAGED);
	WORD_STORE(p->b.frames[2].end, 3000);
	WORD_STORE(p->b.frames[2].name, 5ull << 32 | 100000); /* not in the strings: no name */
	assert_int_equal(snapshot_frame(&p->a, 2, &f), SNAPSHOT_OK);
	assert_string_equal(f.name, "");
}

static void worst_frames(void **state)
{
	struct pair *p = *state;
	struct snapshot_frame f;
	struct region_worst *w = &p->b.worst[1];

	assert_int_equal(snapshot_worst(&p->a, 1, &f), SNAPSHOT_ABSENT);
	seq_write_begin(&w->seq);
	WORD_STORE(w->interval, 9);
	WORD_STORE(w->start, 100);
	WORD_STORE(w->end, 900);
	WORD_STORE(w->number, 7);
	WORD_STORE(w->info, MARK_SLOW | 1 << 8 | 1ull << 32);
	assert_int_equal(snapshot_worst(&p->a, 1, &f), SNAPSHOT_BUSY);
	seq_write_end(&w->seq);
	assert_int_equal(snapshot_worst(&p->a, 1, &f), SNAPSHOT_OK);
	assert_true(f.interval == 9 && f.number == 7 && f.start == 100 && f.end == 900 && f.marker == 0);
	WORD_STORE(w->end, 99);
	assert_int_equal(snapshot_worst(&p->a, 1, &f), SNAPSHOT_DAMAGED);
	assert_int_equal(snapshot_worst(&p->a, BUILDER_WORST, &f), SNAPSHOT_ABSENT);
}

static void groups_of_the_history(void **state)
{
	struct pair *p = *state;
	struct snapshot_group g;
	struct region_group *at = &p->b.history[1 * BUILDER_SLOTS + 6 % BUILDER_SLOTS]; /* level 1, group 6 */
	uint64_t longest = 6 * 1024 + 25;

	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_ABSENT);
	WORD_STORE(at->first, 4000);
	WORD_STORE(at->start, 5000);
	WORD_STORE(at->length, 120);
	WORD_STORE(at->interval, longest);
	WORD_STORE(at->number, 77);
	WORD_STORE(at->info, 1ull << 32 | MARK_SLOW);
	WORD_STORE(at->seq, 2 * 7);
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_OK);
	assert_true(g.first == 4000 && g.longest.start == 5000 && g.longest.end == 5120);
	assert_true(g.longest.interval == longest && g.longest.number == 77 && g.longest.flags == MARK_SLOW &&
	            g.longest.marker == 0);
	assert_int_equal(snapshot_group(&p->a, 1, 2, &g), SNAPSHOT_LAPPED);
	assert_int_equal(snapshot_group(&p->a, 1, 10, &g), SNAPSHOT_ABSENT);
	WORD_STORE(at->interval, 7 * 1024); /* of the next group */
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_DAMAGED);
	WORD_STORE(at->interval, longest);
	WORD_STORE(at->first, 5001); /* behind its own frame */
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_DAMAGED);
	WORD_STORE(at->length, INT64_MAX);
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_DAMAGED);
	WORD_STORE(at->length, 0); /* no frame in it */
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_ABSENT);
	WORD_STORE(at->seq, 2 * 6 + 1);
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_BUSY);
	WORD_STORE(at->seq, 2 * 10 + 1);
	assert_int_equal(snapshot_group(&p->a, 1, 6, &g), SNAPSHOT_LAPPED);
	assert_int_equal(snapshot_group(&p->a, BUILDER_LEVELS, 0, &g), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_group(&p->a, 1, UINT64_MAX, &g), SNAPSHOT_ABSENT);
}

/* ---- blocks */

static void a_block(void **state)
{
	struct pair *p = *state;
	struct snapshot_thread t;

	assert_int_equal(snapshot_thread(&p->a, 0, &t), SNAPSHOT_ABSENT);
	uint32_t block = builder_thread(&p->b, 1100, "worker 1");
	builder_enter(&p->b, block, builder_node(&p->b, block, 0, 1), 1200);
	assert_int_equal(snapshot_thread(&p->a, block, &t), SNAPSHOT_OK);
	assert_int_equal(t.state, BLOCK_LIVE);
	assert_int_equal(t.generation, 1);
	assert_int_equal(t.tid, 100);
	assert_string_equal(t.name, "worker 1");
	assert_true(t.epoch == 1 && t.started == 1100 && t.bound == 1100 && t.last == 1200);
	assert_true(t.transitions == 1 && t.nodes == 2 && t.part_head == 0 && t.event_tail == 0);
	assert_int_equal(snapshot_thread(&p->a, BUILDER_THREADS, &t), SNAPSHOT_ABSENT);
	assert_int_equal(snapshot_thread(&p->a, UINT32_MAX, &t), SNAPSHOT_ABSENT);
}

static void a_block_that_is_being_written(void **state)
{
	struct pair *p = *state;
	struct snapshot_thread t;
	uint32_t block = builder_thread(&p->b, 1100, "x");

	memset((void *)p->b.threads[block].name, 'n', THREAD_NAME_SIZE);
	seq_write_begin(&p->b.threads[block].name_seq);
	assert_int_equal(snapshot_thread(&p->a, block, &t), SNAPSHOT_OK);
	assert_int_equal(strlen(t.name), THREAD_NAME_SIZE - 1);
	seq_write_begin(&p->b.threads[block].base_seq);
	assert_int_equal(snapshot_thread(&p->a, block, &t), SNAPSHOT_OK); /* whose it is stands */
	assert_true(t.moving && t.generation == 1 && t.started == 1100 && t.tid == 100);
	seq_write_end(&p->b.threads[block].base_seq);
	assert_int_equal(snapshot_thread(&p->a, block, &t), SNAPSHOT_OK);
	assert_false(t.moving);
	WORD_STORE(p->b.threads[block].state, 200);
	assert_int_equal(snapshot_thread(&p->a, block, &t), SNAPSHOT_DAMAGED);
}

static void the_tree_over_several_chunks(void **state)
{
	struct pair *p = *state;
	struct snapshot_place place[130];
	uint32_t damaged = 0, block = builder_thread(&p->b, 1100, "x"), first, parent;

	builder_zone(&p->b, "z", "", 0);
	for (uint32_t n = 1; n < 130; n++)
		builder_node(&p->b, block, n / 2, 1);
	assert_int_equal(snapshot_nodes(&p->a, block, 0, 130, place, &damaged), 130);
	assert_true(place[0].parent == UINT32_MAX && place[0].zone == 0);
	for (uint32_t n = 1; n < 130; n++)
		assert_true(place[n].parent == n / 2 && place[n].zone == 1);
	first = 100;
	assert_int_equal(snapshot_nodes(&p->a, block, first, 1000, place, &damaged), 30);
	assert_int_equal(place[29].parent, 64);
	assert_int_equal(snapshot_nodes(&p->a, block, 130, 140, place, &damaged), 0);
	assert_int_equal(snapshot_nodes(&p->a, 3, 0, 10, place, &damaged), 0);
	assert_int_equal(damaged, 0);
	parent = 50;
	WORD_STORE(builder_node_at(&p->b, block, 50)->place, parent | 1ull << 32); /* its own parent */
	WORD_STORE(builder_node_at(&p->b, block, 51)->place, 3 | 2ull << 32);      /* a zone that is not there */
	WORD_STORE(builder_node_at(&p->b, block, 0)->place, UINT64_MAX);           /* the root needs no words */
	assert_int_equal(snapshot_nodes(&p->a, block, 0, 130, place, &damaged), 130);
	assert_int_equal(damaged, 2);
	assert_true(place[50].parent == 0 && place[50].zone == 0 && place[51].parent == 0);
	assert_true(place[0].parent == UINT32_MAX && place[0].zone == 0);
}

static void a_broken_chain_of_nodes(void **state)
{
	struct pair *p = *state;
	struct snapshot_place place[130];
	uint32_t damaged = 0, block = builder_thread(&p->b, 1100, "x");

	for (uint32_t n = 1; n < 130; n++)
		builder_node(&p->b, block, 0, 0);
	uint64_t newest = WORD_LOAD(p->b.threads[block].node_chunk);
	WORD_STORE(p->b.chunks[newest - 1].link, newest); /* a circle */
	assert_int_equal(snapshot_nodes(&p->a, block, 0, 130, place, &damaged), 130);
	assert_int_equal(damaged, 3 * CHUNK_NODES);
	WORD_STORE(p->b.threads[block].node_chunk, BUILDER_CHUNKS + 1);
	assert_int_equal(snapshot_nodes(&p->a, block, 0, 130, place, &damaged), 130);
	assert_int_equal(damaged, 3 * CHUNK_NODES + 130);
	assert_int_equal(place[0].parent, UINT32_MAX);
}

/* ---- open zones */

static void the_open_zones(void **state)
{
	struct pair *p = *state;
	struct snapshot_open open[8];
	uint32_t block = builder_thread(&p->b, 1100, "x"), outer, inner, other;
	bool busy;
	int64_t last;

	builder_zone(&p->b, "outer", "", 0);
	builder_zone(&p->b, "inner", "", 0);
	outer = builder_node(&p->b, block, 0, 1);
	for (other = 2; other < 60; other++) /* so that the stack lies in two chunks */
		builder_node(&p->b, block, 0, 2);
	inner = builder_node(&p->b, block, outer, 2);
	builder_enter(&p->b, block, outer, 1200);
	builder_enter(&p->b, block, inner, 1300);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 3);
	assert_false(busy);
	assert_int_equal(last, 1300);
	assert_true(open[0].node == inner && open[0].zone == 2 && open[0].entered == 1300);
	assert_true(open[1].node == outer && open[1].zone == 1 && open[1].entered == 1200);
	assert_true(open[2].node == 0 && open[2].zone == 0 && open[2].entered == 1100);
	assert_int_equal(snapshot_stack(&p->a, block, open, 2, &busy, &last), 2);
	assert_int_equal(open[1].node, outer);
	WORD_STORE(builder_node_at(&p->b, block, inner)->start, 50); /* resumed, after it had run for long elsewhere */
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 3);
	assert_true(open[0].entered == 50 && open[1].entered == 1200);
	WORD_STORE(builder_node_at(&p->b, block, inner)->start, -5);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 3);
	assert_int_equal(open[0].entered, 0); /* no tick */
	builder_leave(&p->b, block, 1400);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 2);
	/* a transition that is on its way, for ever: its writer is dead */
	WORD_STORE(p->b.threads[block].intent, 4);
	WORD_STORE(p->b.threads[block].current, inner);
	WORD_STORE(builder_node_at(&p->b, block, inner)->start, 9999);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 3);
	assert_true(busy);
	assert_int_equal(open[0].entered, 1400); /* not behind the last transition */
	WORD_STORE(p->b.threads[block].state, 1 << 8 | BLOCK_ENDED);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 0);
	assert_int_equal(snapshot_stack(&p->a, 9, open, 8, &busy, &last), 0);
}

static void the_open_zones_of_a_circle(void **state)
{
	struct pair *p = *state;
	struct snapshot_open open[8];
	uint32_t block = builder_thread(&p->b, 1100, "x"), a = builder_node(&p->b, block, 0, 0),
	         b = builder_node(&p->b, block, a, 0);
	bool busy;
	int64_t last;

	builder_enter(&p->b, block, a, 1200);
	builder_enter(&p->b, block, b, 1300);
	WORD_STORE(builder_node_at(&p->b, block, a)->place, b);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 2);
	WORD_STORE(p->b.threads[block].current, UINT64_MAX);
	assert_int_equal(snapshot_stack(&p->a, block, open, 8, &busy, &last), 1);
	assert_int_equal(open[0].node, 0);
}

/* ---- events */

#define E ((int)CHUNK_EVENTS)

static void events_in_order(void **state)
{
	struct pair *p = *state;
	static struct snapshot_event events[4 * E];
	uint32_t block = builder_thread(&p->b, 1100, "x"), node = builder_node(&p->b, block, 0, 0);

	for (int i = 0; i < 2 * E - 100; i++) {
		builder_enter(&p->b, block, node, 1200 + 10 * i);
		builder_leave(&p->b, block, 1205 + 10 * i);
	}
	/* 4 E - 200 events; of four chunks two are left */
	assert_int_equal(snapshot_events(&p->a, block, 0, 4 * E, events), 2 * E);
	assert_int_equal(events[2 * E].tick, 1200 + 10 * E);
	assert_int_equal(events[2 * E].what, EVENT_ENTER | node << 8);
	assert_int_equal(events[4 * E - 201].tick, 1205 + 10 * (2 * E - 101));
	assert_int_equal(snapshot_events(&p->a, block, 2 * E + 90, 100, events), 2 * E + 90);
	assert_int_equal(events[0].tick, 1200 + 10 * (E + 45));
	assert_int_equal(snapshot_events(&p->a, block, 100, 100, events), 200); /* lapped */
	assert_int_equal(snapshot_events(&p->a, block, 4 * E - 200, 100, events), 4 * E - 100); /* not yet */
	assert_int_equal(snapshot_events(&p->a, block, UINT64_MAX - 1, 100, events), UINT64_MAX);
	assert_int_equal(snapshot_events(&p->a, 3, 0, 100, events), 100);
}

/* As many bits as a word has for a tick, and more: up to 2^62 behind the one before, and where a chunk ends in between. */
static void events_far_apart(void **state)
{
	struct pair *p = *state;
	static struct snapshot_event events[8 * E];
	static int64_t ticks[4 * E];
	uint32_t block = builder_thread(&p->b, 1100, "x"), node = builder_node(&p->b, block, 0, 0);
	int64_t tick = 1200;
	uint64_t head, e = 0;

	p->b.events[block].most = 16;
	builder_transition_event(&p->b, block, EVENT_START, 7, ticks[0] = tick);
	for (unsigned i = 1; i < 4 * E; i++) {
		int64_t far = INT64_C(1) << (i % 3 ? EVENT_TICK_BITS : EVENT_START_BITS);
		tick += i == 3 * E ? INT64_C(1) << 62 : i % 5 == 1 ? far - 1 : i % 5 == 3 ? far + i % 2 : i % 7;
		ticks[i] = tick;
		if (i % 11 == 0)
			builder_transition_event(&p->b, block, EVENT_START, UINT32_MAX - i, tick);
		else if (i % 2)
			builder_enter(&p->b, block, node, tick);
		else
			builder_leave(&p->b, block, tick);
	}
	head = WORD_LOAD(p->b.threads[block].head);
	assert_in_range(head, 4 * E + 100, 8 * E);
	assert_int_equal(snapshot_events(&p->a, block, 0, head, events), 0);
	for (uint64_t h = 0; h < head; h++) {
		struct snapshot_event one;
		assert_int_equal(snapshot_events(&p->a, block, h, 1, &one), h);
		assert_memory_equal(&one, &events[h], sizeof one);
		if ((one.what & 0xff) == EVENT_TICK)
			continue;
		assert_int_equal(one.tick, ticks[e]);
		if (e && e % 11 == 0)
			assert_int_equal(one.what, (uint64_t)(UINT32_MAX - e) << 8 | EVENT_START);
		e++;
	}
	assert_int_equal(e, 4 * E);
}

static void events_behind_a_gap_and_behind_damage(void **state)
{
	struct pair *p = *state;
	static struct snapshot_event events[E + 25];
	uint32_t block = builder_thread(&p->b, 1100, "x"), node = builder_node(&p->b, block, 0, 0);
	struct builder_log *log = &p->b.events[block];

	for (int i = 0; i < (E + 25) / 2; i++) {
		builder_enter(&p->b, block, node, 1200 + 10 * i);
		builder_leave(&p->b, block, 1205 + 10 * i);
	}
	struct region_chunk *newest = &p->b.chunks[log->chunks[1]];
	assert_int_equal(snapshot_events(&p->a, block, 0, E + 25, events), 0);
	WORD_STORE(newest->words[0], UINT64_C(1) << 45); /* a chunk that begins before the one in front of it ends */
	WORD_STORE(p->b.chunks[log->chunks[0]].words[0], UINT64_C(1) << 50);
	assert_int_equal(snapshot_events(&p->a, block, 0, E + 25, events), E);
	WORD_STORE(newest->words[1 + 5], event_what(EVENT_ENTER, 77)); /* no such node */
	assert_int_equal(snapshot_events(&p->a, block, 0, E + 25, events), E + 6);
	int64_t tick = events[E + 19].tick; /* of event E + 19 */
	WORD_STORE(newest->words[1 + 20], event_word(tick, EVENT_KINDS)); /* of a later version */
	assert_int_equal(snapshot_events(&p->a, block, 0, E + 25, events), E + 6);
	assert_true((events[E + 20].what & 0xff) == EVENT_TICK && events[E + 20].tick == tick);
	WORD_STORE(newest->words[1 + 24], event_tick(0)); /* before the one in front of it */
	assert_int_equal(snapshot_events(&p->a, block, 0, E + 25, events), E + 24);
	WORD_STORE(p->b.threads[block].event_chunk, 0); /* no events are kept */
	assert_int_equal(snapshot_events(&p->a, block, 0, E + 25, events), E + 25);
}

/* ---- events that are kept */

struct kept {
	uint64_t first[8], count, events;
	uint32_t generation;
	unsigned stop; /* behind so many chunks; 0: never */
};

static bool take_kept(const struct snapshot_kept_events *kept, void *context)
{
	struct kept *k = context;

	assert_true(k->count < 8 && kept->count > 0);
	for (uint64_t i = 1; i < kept->count; i++)
		assert_true(kept->events[i].tick >= kept->events[i - 1].tick);
	assert_true(!k->count || kept->first > k->first[k->count - 1]);
	k->first[k->count++] = kept->first;
	k->events += kept->count;
	k->generation = kept->generation;
	return k->count != k->stop;
}

static enum snapshot_result read_kept(struct pair *p, uint32_t block, uint64_t from, uint64_t before, struct kept *k)
{
	struct snapshot_process process;

	snapshot_process(&p->a, &process);
	*k = (struct kept){ .stop = k->stop };
	return snapshot_kept_events(&p->a, block, from, before, take_kept, k);
}

static void events(struct pair *p, uint32_t block, uint32_t node, int from, int to)
{
	for (int i = from; i < to; i++) {
		builder_enter(&p->b, block, node, 1200 + 10 * i);
		builder_leave(&p->b, block, 1205 + 10 * i);
	}
}

/* Chunks 0, 2 and 3 of six are kept; 1 was overwritten. */
static uint32_t with_kept(struct pair *p)
{
	uint32_t block = builder_thread(&p->b, 1100, "x"), node = builder_node(&p->b, block, 0, 0);

	events(p, block, node, 0, E);
	builder_keep_events(&p->b, block, 7);
	events(p, block, node, E, 2 * E);
	builder_keep_events(&p->b, block, 8);
	events(p, block, node, 2 * E, 2 * E + E / 3);
	builder_keep_events(&p->b, block, 9);
	events(p, block, node, 2 * E + E / 3, 2 * E + E * 3 / 4);
	return block;
}

static void events_that_are_kept(void **state)
{
	struct pair *p = *state;
	static struct snapshot_event log[6 * E];
	struct kept k = { 0 };
	uint32_t block = with_kept(p);

	assert_int_equal(snapshot_events(&p->a, block, 0, 6 * E, log), 4 * E);
	assert_int_equal(read_kept(p, block, 0, 4 * E, &k), SNAPSHOT_OK);
	assert_int_equal(k.count, 3);
	assert_int_equal(k.events, 3 * E);
	assert_int_equal(k.first[0], 0);
	assert_int_equal(k.first[1], 2 * E);
	assert_int_equal(k.first[2], 3 * E);
	assert_int_equal(k.generation, 9);
	assert_int_equal(read_kept(p, block, 2 * E + 10, 3 * E + 4, &k), SNAPSHOT_OK); /* parts of two */
	assert_int_equal(k.count, 2);
	assert_int_equal(k.first[0], 2 * E + 10);
	assert_int_equal(k.events, E - 10 + 4);
	assert_int_equal(read_kept(p, block, E, 2 * E, &k), SNAPSHOT_OK); /* between them */
	assert_int_equal(k.count, 0);
	k.stop = 1;
	assert_int_equal(read_kept(p, block, 0, 4 * E, &k), SNAPSHOT_OK);
	assert_int_equal(k.count, 1);
	assert_int_equal(read_kept(p, 3, 0, 4 * E, &k), SNAPSHOT_ABSENT);
}

/* Links out of range, in a circle, to chunks of others; numbers that ascend, or that no log has; broken events. */
static void damage_among_what_is_kept(void **state)
{
	static const uint64_t evil[] = { 0, 1, 2, 3, 4, 5, 6, 7, BUILDER_CHUNKS, BUILDER_CHUNKS + 1, 1ull << 31,
		                         UINT32_MAX, UINT64_MAX, UINT64_MAX / E, UINT64_MAX / E - 1 };
	struct pair *p = *state;
	struct kept k = { 0 };
	uint32_t block = with_kept(p);
	region_word *newest = &p->b.threads[block].kept_chunk;
	struct region_chunk *chunk = &p->b.chunks[WORD_LOAD(*newest) - 1];
	region_word *words[] = { newest, &chunk->link, &chunk->seq, &p->b.chunks[KEPT_LINK(WORD_LOAD(chunk->link)) - 1].link };

	for (unsigned w = 0; w < 4; w++) {
		uint64_t sound = WORD_LOAD(*words[w]);
		for (unsigned i = 0; i < sizeof evil / sizeof *evil; i++) {
			WORD_STORE(*words[w], evil[i]);
			assert_int_equal(read_kept(p, block, 0, 4 * E, &k), SNAPSHOT_OK);
			assert_true(k.count <= 4);
			assert_true(read_kept(p, block, 0, UINT64_MAX, &k) <= SNAPSHOT_DAMAGED);
		}
		WORD_STORE(*words[w], sound);
	}
	WORD_STORE(chunk->words[1 + 100], event_what(EVENT_ENTER, 77)); /* no such node */
	assert_int_equal(read_kept(p, block, 0, 4 * E, &k), SNAPSHOT_OK);
	assert_int_equal(k.events, 3 * E - 101);
	assert_int_equal(k.first[2], 3 * E + 101);
}

/* All blocks together have no more than there can be, though each of them says that it has all. */
static void kept_chunks_that_many_blocks_have(void **state)
{
	struct pair *p = *state;
	struct kept k = { 0 };
	uint32_t block = with_kept(p);
	enum snapshot_result result = SNAPSHOT_OK;
	unsigned turns = 0;

	assert_int_equal(read_kept(p, block, 0, 4 * E, &k), SNAPSHOT_OK);
	for (; result == SNAPSHOT_OK && turns < 1000; turns++) {
		k = (struct kept){ 0 };
		result = snapshot_kept_events(&p->a, block, 0, 4 * E, take_kept, &k);
	}
	assert_int_equal(result, SNAPSHOT_DAMAGED);
	assert_true(turns > 8 && turns < 300);
}

/* ---- the clock */

static void the_rate_of_a_declared_clock(void **state)
{
	struct pair *p = *state;
	bool estimated;
	int64_t now, newest;

	assert_int_equal(snapshot_rate(&p->a, &estimated), 1000000000);
	assert_false(estimated);
	assert_true(snapshot_now(&p->a, &now));
	assert_true(now > BUILDER_START && now <= clock_ns(CLOCK_MONOTONIC));
	builder_thread(&p->b, 5000, "x");
	builder_frame(&p->b, 4000, 1, 0, NULL);
	newest = snapshot_newest_tick(&p->a);
	assert_int_equal(newest, 5000);
	WORD_STORE(p->b.threads[0].last, INT64_MAX); /* no clock says this */
	assert_int_equal(snapshot_newest_tick(&p->a), 5000);
}

static void the_rate_from_instants(void **state)
{
	struct pair *p = *state;
	bool estimated;
	int64_t now;

	p->a.header.ticks_per_s = 0;
	p->a.header.clock = REGION_CLOCK_TSC;
	p->a.header.created = (struct region_instant){ 1000000, 5000000000, 0 };
	WORD_STORE(p->b.process->latest[0], 1000000 + 2600000000 / 2);
	WORD_STORE(p->b.process->latest[1], 5500000000);
	p->a.same_boot = false; /* else the counter of this machine is looked at, too */
	assert_int_equal(snapshot_rate(&p->a, &estimated), 2600000000);
	assert_false(estimated);
	assert_false(snapshot_now(&p->a, &now));
	WORD_STORE(p->b.process->latest[1], 5000000000); /* no time passed: nothing can be said */
	assert_int_equal(snapshot_rate(&p->a, &estimated), 1000000000);
	assert_true(estimated);
	p->a.header.clock = 99;
	p->a.same_boot = true;
	assert_false(snapshot_now(&p->a, &now));
}

static void the_rate_of_a_region_just_made(void **state)
{
	struct pair *p = *state;
	bool estimated;
	uint64_t declared;

	p->a.header.clock = clock_choose(&declared);
	p->a.header.ticks_per_s = 0;
	p->a.header.created = clock_instant((enum region_clock)p->a.header.clock);
	uint64_t rate = snapshot_rate(&p->a, &estimated);
	assert_false(estimated);
	assert_in_range(rate, 1000000, 20000000000);
	usleep(120000);
	uint64_t later = snapshot_rate(&p->a, &estimated);
	assert_in_range(later, rate - rate / 50, rate + rate / 50);
}

/* In a time namespace CLOCK_MONOTONIC_RAW has another value, and while the machine is suspended it stands still. */
static void the_rate_where_the_clock_beside_the_counter_jumps(void **state)
{
	struct pair *p = *state;
	struct region_instant from, to;
	bool estimated;
	uint64_t rate, declared;

	p->a.header.clock = clock_choose(&declared);
	p->a.header.ticks_per_s = 0;
	from = clock_instant((enum region_clock)p->a.header.clock);
	usleep(120000);
	to = clock_instant((enum region_clock)p->a.header.clock);
	rate = (uint64_t)((double)(to.ticks - from.ticks) * 1e9 / (double)(to.raw_ns - from.raw_ns));
	for (int suspended = 0; suspended < 2; suspended++) {
		p->a.header.created = from;
		p->a.header.created.raw_ns -= suspended ? 0 : 4000000000000; /* and the newest instant is near to that */
		p->a.header.created.ticks -= suspended ? 5 * rate : 0;
		WORD_STORE(p->b.process->latest[0], suspended ? to.ticks : from.ticks + 1000);
		WORD_STORE(p->b.process->latest[1], suspended ? to.raw_ns : p->a.header.created.raw_ns + 1000);
		uint64_t found = snapshot_rate(&p->a, &estimated);
		assert_in_range(found, rate - rate / 50, rate + rate / 50);
		assert_false(estimated);
	}
}

static void every_loss_has_its_words(void **state)
{
	(void)state;
	for (int i = 0; i < LOSS_CAUSES; i++) {
		assert_non_null(region_loss_key((enum region_loss)i));
		assert_true(strlen(region_loss_text((enum region_loss)i)) > 10);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(region_loss_key((enum region_loss)i), region_loss_key((enum region_loss)j));
	}
	assert_string_equal(region_loss_key(LOSS_CAUSES), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_process_at_its_start, begin, end),
		cmocka_unit_test_setup_teardown(the_process_after_marks, begin, end),
		cmocka_unit_test_setup_teardown(counts_beyond_the_tables_are_clamped, begin, end),
		cmocka_unit_test_setup_teardown(an_instant_that_is_never_finished, begin, end),
		cmocka_unit_test_setup_teardown(zones_with_their_places, begin, end),
		cmocka_unit_test_setup_teardown(zones_whose_strings_lie_outside, begin, end),
		cmocka_unit_test_setup_teardown(frames_with_their_bounds_and_names, begin, end),
		cmocka_unit_test_setup_teardown(frames_lap, begin, end),
		cmocka_unit_test_setup_teardown(frames_that_cannot_be, begin, end),
		cmocka_unit_test_setup_teardown(worst_frames, begin, end),
		cmocka_unit_test_setup_teardown(groups_of_the_history, begin, end),
		cmocka_unit_test_setup_teardown(a_block, begin, end),
		cmocka_unit_test_setup_teardown(a_block_that_is_being_written, begin, end),
		cmocka_unit_test_setup_teardown(the_tree_over_several_chunks, begin, end),
		cmocka_unit_test_setup_teardown(a_broken_chain_of_nodes, begin, end),
		cmocka_unit_test_setup_teardown(the_open_zones, begin, end),
		cmocka_unit_test_setup_teardown(the_open_zones_of_a_circle, begin, end),
		cmocka_unit_test_setup_teardown(events_in_order, begin, end),
		cmocka_unit_test_setup_teardown(events_far_apart, begin, end),
		cmocka_unit_test_setup_teardown(events_behind_a_gap_and_behind_damage, begin, end),
		cmocka_unit_test_setup_teardown(events_that_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(damage_among_what_is_kept, begin, end),
		cmocka_unit_test_setup_teardown(kept_chunks_that_many_blocks_have, begin, end),
		cmocka_unit_test_setup_teardown(the_rate_of_a_declared_clock, begin, end),
		cmocka_unit_test_setup_teardown(the_rate_from_instants, begin, end),
		cmocka_unit_test_setup_teardown(the_rate_of_a_region_just_made, begin, end),
		cmocka_unit_test_setup_teardown(the_rate_where_the_clock_beside_the_counter_jumps, begin, end),
		cmocka_unit_test(every_loss_has_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
