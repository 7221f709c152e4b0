/* good.c: the region that fuzzers begin with. */
#include "tests/fuzz/good.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAMES 80
#define FRAME  1000 /* ticks of one */
#define WORST  30   /* number of the longest */

enum { UPDATE = 1, AI, RAY, DRAW, SPAWN };
enum { MAIN, WORKER, NEXT };

static struct good *made; /* whose file is to be removed */

static void remove_file(void)
{
	char path[128];

	builder_path(&made->b, path, sizeof path);
	unlink(path);
}

static void fill_names(struct builder *b)
{
	builder_zone(b, "update", "game.c", 10);
	builder_zone(b, "ai", "ai.c", 20);
	builder_zone(b, "ray", "ai.c", 30);
	builder_zone(b, "draw\033[31m", "draw.c", 40);
	builder_zone(b, "spawn", "", 0);
	builder_counter(b, "bodies", COUNTER_SET);
	builder_counter(b, "bytes", 0);
	builder_counter(b, "height", COUNTER_SET | COUNTER_REAL);
	builder_counter(b, "heat", COUNTER_REAL);
	builder_address(b, builder_module(b, "/opt/game", "1f2e"), 0x1a40);
	builder_measure(b, "widgets", "W", (struct region_measure){ .unit = REGION_COUNT, .flags = REGION_ABSENT_IS_ZERO });
	builder_measure(b, "gadgets", "G", (struct region_measure){ .unit = REGION_NS, .of = REGION_OF_SLICE });
	builder_measure(b, "largest", "L", (struct region_measure){ .unit = REGION_BYTES, .combine = REGION_MAX });
}

static void fill_measures(struct builder *b)
{
	for (uint32_t t = MAIN; t <= NEXT; t++)
		for (uint32_t m = 0; m < 3; m++) {
			struct region_measured *cell = builder_measured_at(b, t, m, m == 1 ? 0 : 3 + t);
			WORD_STORE(cell->value, 900 + t);
			WORD_STORE(cell->base, 700);
			WORD_STORE(cell->ended, t == NEXT ? 500 : 0);
		}
	WORD_STORE(b->threads[WORKER].unmeasured, 1);
}

static void fill_threads(struct builder *b)
{
	static const char *const names[] = { "main", "worker", "next" };

	for (uint32_t t = MAIN; t <= NEXT; t++) {
		builder_thread(b, BUILDER_START, names[t]);
		b->parts[t].most = b->values[t].most = 8;
		builder_node(b, t, 0, UPDATE);
		builder_node(b, t, 1, AI);
		builder_node(b, t, 2, RAY);
		builder_node(b, t, 1, DRAW);
		builder_node(b, t, 4, UPDATE); /* recursion */
		builder_record(b, t, (struct record_head){ .kind = RECORD_START, .generation = 1, .interval = 1,
		                                           .bound = BUILDER_START, .end = BUILDER_START,
		                                           .nodes = 100 + t }, NULL, 0);
	}
}

static int64_t length_of(uint64_t number)
{
	return number == WORST ? 5 * FRAME : FRAME;
}

static void play_part(struct builder *b, uint32_t t, uint64_t number, int64_t tick)
{
	int64_t length = length_of(number);
	struct record_node nodes[] = { { 0, length - 700, 0, 0 }, { 1, 100, 650, 1 }, { 2, 200, 60, 5 },
		                       { 3, 300, 10, 40 },        { 4, 50, 100, 1 },  { 5, 50, 50, 1 } };

	builder_part(b, t, tick, number == 60 ? RECORD_DISCARDED : 0, nodes, sizeof nodes / sizeof *nodes);
}

static void play_values(struct builder *b, uint64_t number, int64_t start)
{
	builder_value(b, MAIN, 0, number % 7);
	builder_value(b, WORKER, 0, 3);
	builder_value(b, MAIN, 1, number * 1000);
	builder_value(b, WORKER, 1, number * 10);
	builder_value(b, MAIN, 2, builder_real((double)(number % 5) / 2));
	if (number % 8 == 0)
		builder_value(b, NEXT, 3, builder_real((double)number * 1e6));
	if (number % 4 == 0)
		builder_event(b, MAIN, SPAWN, start + 5);
	if (number % 16 == 0)
		builder_note(b, WORKER, start + 50, "level loaded\033[2J");
}

static void play(struct builder *b)
{
	int64_t tick = BUILDER_START;

	for (uint64_t n = 1; n <= FRAMES; n++) {
		unsigned flags = n == 60 ? MARK_DISCARDED : n == WORST ? MARK_SLOW | 1 << 8 : 0;
		play_values(b, n, tick);
		tick += length_of(n);
		builder_frame(b, tick, n, flags | 1ull << 32, n % 20 ? NULL : "named");
		play_part(b, MAIN, n, tick);
		if (n < FRAMES - 1)
			play_part(b, WORKER, n, tick);
		if (n < 40)
			play_part(b, NEXT, n, tick);
	}
	for (int i = 0; i < 20; i++) {
		builder_enter(b, MAIN, 1, tick += 5);
		builder_leave(b, MAIN, tick += 5);
	}
	builder_enter(b, MAIN, 1, tick += 5);
	builder_enter(b, MAIN, 2, tick += 5);
}

/* The first owner of the block ends, and another one takes it. */
static void pass_on(struct builder *b)
{
	struct region_thread *t = &b->threads[NEXT];
	int64_t bound = WORD_LOAD(t->bound);
	uint64_t interval = WORD_LOAD(t->epoch);

	builder_record(b, NEXT, (struct record_head){ .kind = RECORD_EXIT, .generation = 1, .interval = interval,
	                                              .bound = bound, .end = bound }, NULL, 0);
	for (uint32_t n = 0; n < 6; n++) {
		struct region_node_ended *e = builder_ended_at(b, NEXT, n);
		struct region_node *node = builder_node_at(b, NEXT, n);
		WORD_STORE(e->self, WORD_LOAD(node->base_self));
		WORD_STORE(e->count, WORD_LOAD(node->base_count));
		WORD_STORE(e->longest, WORD_LOAD(node->run_longest));
		WORD_STORE(node->run_longest, 0);
	}
	builder_record(b, NEXT, (struct record_head){ .kind = RECORD_START, .generation = 2, .interval = interval,
	                                              .bound = bound, .end = bound, .nodes = 200 }, NULL, 0);
	builder_record(b, NEXT, (struct record_head){ .kind = RECORD_SPAN, .generation = 2, .interval = interval,
	                                              .bound = bound, .end = bound + 20 * FRAME, .nodes = 0,
	                                              .intervals = 20 }, NULL, 0);
	WORD_STORE(t->started, bound);
	WORD_STORE(t->bound, bound + 20 * FRAME);
	WORD_STORE(t->last, bound + 20 * FRAME);
	WORD_STORE(t->epoch, interval + 20);
	WORD_STORE(builder_node_at(b, NEXT, 0)->base_self,
	           WORD_LOAD(builder_node_at(b, NEXT, 0)->base_self) + 20 * FRAME);
	WORD_RELEASE(t->state, 2 << 8 | BLOCK_LIVE);
}

/* The longest frame, in the two places where it is found when the ring has lapped it. */
static void keep_the_worst(struct builder *b)
{
	int64_t start = BUILDER_START + (WORST - 1) * FRAME, end = start + 5 * FRAME;
	struct record_node nodes[] = { { 0, 4000, 0, 0 }, { 5, 1000, 900, 1 } }; /* the last node */
	struct region_worst *w = &b->worst[1];
	struct region_group *g = &b->history[0];
	uint64_t words[32];
	const struct record_value values[] = { { 2, 40 }, { 5, 7 } };
	uint32_t count = builder_pack((struct record_head){ .kind = RECORD_PART, .generation = 1, .interval = WORST,
	                                                    .bound = start, .end = end }, nodes, 2, words);

	count = builder_group(words, count, GROUP_NODES, 0, 0, values, 2);
	count = builder_group(words, count, GROUP_SLICE, 0, 1, values, 1);

	for (uint32_t t = MAIN; t <= WORKER; t++) {
		builder_keep(b, t, 1, WORST, words, count);
		builder_hours(b, t, 0, words, count);
	}
	*w = (struct region_worst){ .seq = 2, .interval = WORST, .start = start, .end = end, .number = WORST,
		                    .info = MARK_SLOW | 1 << 8 | 1ull << 32 };
	*g = (struct region_group){ .seq = 2, .first = BUILDER_START, .start = start, .length = end - start,
		                    .interval = WORST, .number = WORST, .info = MARK_SLOW | 1 << 8 | 1ull << 32 };
}

void good_begin(struct good *g, const char *tag)
{
	char name[64];

	snprintf(name, sizeof name, "prof-test-fuzz-%s-%ld", tag, (long)getpid());
	memset(g, 0, sizeof *g);
	builder_begin_sized(&g->b, name, (struct builder_sizes){ .frames = 16, .counters = 8 });
	made = g;
	atexit(remove_file);
	memcpy(g->boot_id, g->b.header->boot_id, sizeof g->boot_id);
	memset(g->b.header->boot_id, '0', 36);
	memcpy(g->b.header->command, "./built\0--fast", 14);
	fill_names(&g->b);
	fill_threads(&g->b);
	play(&g->b);
	pass_on(&g->b);
	fill_measures(&g->b);
	keep_the_worst(&g->b);
	WORD_STORE(g->b.process->marker, 1);
	WORD_STORE(g->b.process->left_open, RAY);
	WORD_STORE(g->b.process->lost[LOSS_MARK_BUSY], 3);
	g->used = (size_t)((unsigned char *)&g->b.chunks[g->b.chunks_used] - g->b.base);
	g->size = g->b.size;
	g->image = malloc(g->used);
	assert(g->image);
	memcpy(g->image, g->b.base, g->used);
}

/* ---- damage of all of it */

void good_cut(struct good *g, size_t size)
{
	assert(size <= g->b.size && ftruncate(g->b.fd, (off_t)size) == 0);
	g->size = size;
	g->wild = true;
}

void good_punch(struct good *g, uint64_t page, uint64_t pages)
{
	uint64_t most = g->b.size / REGION_PAGE;

	page %= most;
	pages = 1 + pages % (most - page);
	if (fallocate(g->b.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(page * REGION_PAGE),
	              (off_t)(pages * REGION_PAGE)) == 0)
		g->wild = true;
}

void good_die(struct good *g)
{
	if (!g->dead)
		builder_die(&g->b);
	g->dead = true;
}

void good_same_boot(struct good *g)
{
	if (g->size < REGION_PAGE)
		return;
	memcpy(g->b.header->boot_id, g->boot_id, sizeof g->boot_id);
	g->wild = true;
}

void good_raw(struct good *g, const unsigned char *bytes, size_t size)
{
	if (size > g->b.size)
		size = g->b.size;
	good_cut(g, 0);
	assert(pwrite(g->b.fd, bytes, size, 0) == (ssize_t)size);
	g->size = size;
}

void good_repair(struct good *g)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (g->wild) {
		assert(ftruncate(g->b.fd, 0) == 0 && ftruncate(g->b.fd, (off_t)g->b.size) == 0);
		memcpy(g->b.base, g->image, g->used);
	}
	if (g->dead)
		assert(fcntl(g->b.fd, F_OFD_SETLK, &lock) == 0);
	g->size = g->b.size;
	g->wild = g->dead = false;
}
