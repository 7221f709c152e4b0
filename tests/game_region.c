/* SPDX-License-Identifier: MIT */
#include "tests/game_region.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MS 1000000

enum zone {
	UPDATE = 1,
	AI,
	RAYCAST,
	BVH_WALK,
	CACHE_MISS,
	PLAN,
	PHYSICS,
	COLLIDE,
	RENDER,
	DRAW,
	CULL,
	HOSTILE,
	JOB,
	SKIN,
	MIX,
	/* events */
	SPAWN,
	LEVEL_UP,
	UNDERRUN,
	ZONES,
};

static const struct {
	const char *name, *file;
	uint32_t line;
} zones[ZONES] = {
	[UPDATE] = { "update", "src/game.c", 40 },
	[AI] = { "ai", "src/ai.c", 12 },
	[RAYCAST] = { "raycast", "src/ray.c", 118 },
	[BVH_WALK] = { "bvh_walk", "src/ray.c", 60 },
	[CACHE_MISS] = { "cache_miss", "src/ray.c", 81 },
	[PLAN] = { "plan", "src/ai.c", 77 },
	[PHYSICS] = { "physics", "src/physics.c", 9 },
	[COLLIDE] = { "collide", "src/physics.c", 55 },
	[RENDER] = { "render", "src/render.c", 20 },
	[DRAW] = { "描画_draw", "src/render.c", 64 },
	[CULL] = { "cull", "src/render.c", 90 },
	[HOSTILE] = { "ev\033[31mil\033]0;x\007\x9b" "2J\xc2\x9b" "5n\xe2\x80\xae" "rtl\xff\r\n", "src/\033c.c", 1 },
	[JOB] = { "job", "src/jobs.c", 5 },
	[SKIN] = { "skin", "src/skin.c", 31 },
	[MIX] = { "mix", "src/audio.c", 14 },
	[SPAWN] = { "spawn", "", 0 },
	[LEVEL_UP] = { "level_up", "", 0 },
	[UNDERRUN] = { "underrun", "", 0 },
};

/* The stacks of a thread: node i + 1 is zones[i].zone in zones[i].parent; weight: its part of a usual frame, in
 * 1/1000; entries in it. */
struct stack {
	uint32_t parent;
	enum zone zone;
	uint32_t weight, entries;
};

static const struct stack main_stacks[] = {
	{ 0, UPDATE, 12, 1 },       /* 1 */
	{ 1, AI, 60, 40 },          /* 2 */
	{ 2, RAYCAST, 90, 400 },    /* 3 */
	{ 3, BVH_WALK, 55, 400 },   /* 4 */
	{ 4, BVH_WALK, 35, 700 },   /* 5 */
	{ 5, BVH_WALK, 21, 310 },   /* 6 */
	{ 3, CACHE_MISS, 14, 12 },  /* 7 */
	{ 2, PLAN, 40, 40 },        /* 8 */
	{ 8, AI, 18, 6 },           /* 9 */
	{ 9, RAYCAST, 11, 30 },     /* 10 */
	{ 1, PHYSICS, 70, 1 },      /* 11 */
	{ 11, RAYCAST, 25, 100 },   /* 12 */
	{ 12, BVH_WALK, 20, 100 },  /* 13 */
	{ 11, COLLIDE, 80, 250 },   /* 14 */
	{ 0, RENDER, 130, 1 },      /* 15 */
	{ 15, CULL, 44, 1 },        /* 16 */
	{ 15, DRAW, 120, 320 },     /* 17 */
	{ 15, HOSTILE, 9, 2 },      /* 18 */
};

static const struct stack worker_stacks[] = {
	{ 0, JOB, 50, 8 },
	{ 1, SKIN, 300, 64 },
	{ 1, CULL, 90, 8 },
};

static const struct stack audio_stacks[] = {
	{ 0, MIX, 110, 2 },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const struct {
	const char *name;
	const struct stack *stacks;
	uint32_t count;
} threads[GAME_THREADS] = {
	{ "main", main_stacks, COUNT(main_stacks) },
	{ "worker", worker_stacks, COUNT(worker_stacks) },
	{ "worker", worker_stacks, COUNT(worker_stacks) },
	{ "audio", audio_stacks, COUNT(audio_stacks) },
};

/* What frames are like */

static bool is_hitch(uint64_t number)
{
	return number == 50 || number == 90 || number == 133 || number == 171;
}

static unsigned flags_of(uint64_t number)
{
	return number == 60 || number == 61 ? MARK_DISCARDED : 0;
}

/* 0 to `most`, always the same for the same number. */
static uint64_t wobble(uint64_t number, uint64_t most)
{
	uint64_t state = number * 7919;

	return builder_random(&state) % (most + 1);
}

int64_t game_frame_length(uint64_t number)
{
	if (is_hitch(number))
		return 24 * MS + (int64_t)number * 100000;
	return 16 * MS + 300000 + (int64_t)wobble(number, 700000);
}

/* A frame's ticks in a node. In a hitch the rays take what is more. */
static int64_t self_of(const struct stack *s, uint64_t number, uint32_t node, uint32_t thread)
{
	int64_t self = s->weight * (int64_t)(16 * MS / 1000);

	self += self / 20 * (int64_t)wobble(number * 64 + node * 4 + thread, 4) / 4;
	if (is_hitch(number) && s->zone == BVH_WALK)
		self *= 4;
	if (thread == 2)
		self = self * 3 / 4;
	return thread == 3 && number % 4 ? 0 : self;
}

static uint64_t entries_of(const struct stack *s, uint64_t number, uint32_t thread)
{
	uint64_t entries = s->entries;

	if (is_hitch(number) && s->zone == BVH_WALK)
		entries *= 4;
	return thread == 3 && number % 4 ? 0 : entries;
}

/* The longest call: half as long again as they are on average. */
static void fill_longest(const struct stack *stacks, uint32_t count, struct record_node *nodes)
{
	int64_t inside[GAME_NODES];

	for (uint32_t i = 0; i <= count; i++)
		inside[i] = nodes[i].self;
	for (uint32_t i = count; i > 0; i--) {
		inside[stacks[i - 1].parent] += inside[i];
		if (nodes[i].count)
			nodes[i].longest = nodes[i].count == 1 ? inside[i]
							       : inside[i] / (int64_t)nodes[i].count * 3 / 2;
	}
}

static void play_part(struct game *g, uint32_t thread, uint64_t number)
{
	const struct stack *stacks = threads[thread].stacks;
	struct record_node nodes[GAME_NODES] = { 0 };
	int64_t left = game_frame_length(number);

	for (uint32_t i = 1; i <= threads[thread].count; i++) {
		nodes[i].node = i;
		nodes[i].self = self_of(&stacks[i - 1], number, i, thread);
		nodes[i].count = entries_of(&stacks[i - 1], number, thread);
		left -= nodes[i].self;
	}
	assert(left >= 0);
	nodes[0].self = left;
	fill_longest(stacks, threads[thread].count, nodes);
	builder_part(&g->b, thread, g->tick, flags_of(number) ? RECORD_DISCARDED : 0, nodes,
		     threads[thread].count + 1);
}

/* Counters, events and notes */

enum counter { BODIES, QUEUE, LOADED, HEIGHT, LIVES, DEEP, EVIL, COUNTERS };

static const struct {
	const char *name;
	unsigned flags;
} counters[COUNTERS] = {
	[BODIES] = { "bodies", COUNTER_SET },
	[QUEUE] = { "queue", COUNTER_SET },
	[LOADED] = { "bytes_loaded", 0 },
	[HEIGHT] = { "height_m", COUNTER_SET | COUNTER_REAL },
	[LIVES] = { "lives", COUNTER_SET },
	[DEEP] = { "huge", COUNTER_SET },
	[EVIL] = { "ev\033[2Jil\x9b", COUNTER_SET },
};

static const struct {
	uint64_t frame;
	uint32_t thread;
	int64_t after; /* of its start */
	const char *text;
} notes[] = {
	{ 50, 0, 3 * MS, "level 3 loaded" },
	{ 133, 0, 12 * MS, "the player died at (12, -7)" },
	{ 171, 0, 4 * MS, "\033]0;evil\007 \xe2\x80\xae 描画 \xff" },
	{ 171, 3, 9 * MS, "out of samples" },
	{ 196, 1, 1 * MS, "saved" },
};

static void set(struct game *g, uint32_t thread, enum counter counter, int64_t value)
{
	builder_value(&g->b, thread, counter, (uint64_t)value);
}

/* `lives` is set once and `queue` in every third frame; the sum grows on two threads. */
static void play_counters(struct game *g)
{
	uint64_t n = g->frames;

	set(g, 0, BODIES, 1200 + (int64_t)wobble(n, 40) + (is_hitch(n) ? 3000 : 0));
	for (uint32_t thread = 1; thread <= 2 && n % 3 == 0; thread++)
		set(g, thread, QUEUE, (int64_t)wobble(n + thread, 12));
	set(g, 0, LOADED, INT64_C(9000000000) * (int64_t)n);
	if (n % 10 == 0)
		set(g, 1, LOADED, INT64_C(123456) * (int64_t)n);
	builder_value(&g->b, 0, HEIGHT, builder_real((double)(int)(n % 40) * 0.75 - 12.5));
	if (n == 1)
		set(g, 0, LIVES, 3);
	set(g, 0, DEEP, n % 2 ? INT64_MIN : INT64_MAX);
	set(g, 3, EVIL, -(int64_t)(n % 7));
}

/* Something is spawned in every frame; in the worst of them all goes wrong at once. */
static void play_events(struct game *g, int64_t start)
{
	uint64_t n = g->frames;

	builder_event(&g->b, 0, SPAWN, start + MS);
	for (size_t i = 0; i < COUNT(notes); i++)
		if (notes[i].frame == n)
			builder_note(&g->b, notes[i].thread, start + notes[i].after, notes[i].text);
	if (n == 30 || n == 145)
		builder_event(&g->b, 0, LEVEL_UP, start + 8 * MS);
	for (int i = 0; i < 16 && n == 171; i++)
		builder_event(&g->b, 3, UNDERRUN, start + (10 + i) * MS);
}

/* Between the mark and their parts the threads are busy, so that no reader infers what is still to come. */
/* Single calls, of a few zones of main: those that a small log of events holds */

static void call(struct game *g, uint32_t node, int64_t enter, int64_t leave)
{
	builder_transition_event(&g->b, 0, EVENT_ENTER, node, enter);
	if (node < 5) /* a walk in a ray, and one in that; those of ray and walk that stand above in main_stacks */
		call(g, node + 1, enter + (leave - enter) / 4, leave - (leave - enter) / 8);
	builder_transition_event(&g->b, 0, EVENT_LEAVE, node, leave);
}

static void play_calls(struct game *g, int64_t start)
{
	int64_t now = start + MS;

	builder_transition_event(&g->b, 0, EVENT_ENTER, 1, now);
	builder_transition_event(&g->b, 0, EVENT_ENTER, 2, now + 1000);
	for (uint32_t i = 0; i < 6; i++) {
		int64_t time = 20000 + (int64_t)((g->frames * 7 + i * 13) % 40) * 1000;

		now += 5000;
		time *= is_hitch(g->frames) && i == 3 ? 30 : 1;
		call(g, 3, now, now + time);
		now += time;
	}
	builder_transition_event(&g->b, 0, EVENT_LEAVE, 2, now + 1000);
	builder_transition_event(&g->b, 0, EVENT_LEAVE, 1, now + 2000);
}

static void be_busy(struct game *g, bool busy)
{
	for (uint32_t i = 0; i < GAME_THREADS; i++)
		WORD_RELEASE(g->b.threads[i].intent, WORD_LOAD(g->b.threads[i].head) + busy);
}

void game_play(struct game *g, uint32_t frames)
{
	for (uint32_t i = 0; i < frames; i++) {
		g->frames++;
		play_counters(g);
		play_events(g, g->tick);
		play_calls(g, g->tick);
		g->tick += game_frame_length(g->frames);
		be_busy(g, true);
		builder_frame(&g->b, g->tick, g->frames, flags_of(g->frames) | 1ull << 32, NULL);
		for (uint32_t thread = 0; thread < GAME_THREADS; thread++)
			play_part(g, thread, g->frames);
		be_busy(g, false);
	}
}

/* The region */

static void make_thread(struct game *g, uint32_t thread)
{
	uint32_t block = builder_thread(&g->b, BUILDER_START, threads[thread].name);

	g->b.parts[block].most = 80;
	g->b.values[block].most = 12;
	g->b.events[block].most = 6;
	for (uint32_t i = 0; i < threads[thread].count; i++)
		builder_node(&g->b, block, threads[thread].stacks[i].parent, threads[thread].stacks[i].zone);
	builder_record(&g->b, block,
		       (struct record_head){ .kind = RECORD_START, .generation = 1, .interval = 1,
					     .bound = BUILDER_START, .end = BUILDER_START, .nodes = 100 + block },
		       NULL, 0);
}

static void describe_process(struct game *g)
{
	struct region_header *h = g->b.header;
	struct region_process *p = g->b.process;

	h->pid = 4711;
	memset(h->boot_id, '0', 36);
	strcpy(h->program, "game");
	memcpy(h->command, "./game\0--level\0" "7", 16);
	WORD_STORE(p->marker, 1);
	WORD_STORE(p->pair_ps, 42000);
	WORD_STORE(p->lost[LOSS_END_WITHOUT_BEGIN], 3);
	WORD_STORE(p->lost[LOSS_MARK_BUSY], 12);
	WORD_STORE(p->lost[LOSS_LEFT_OPEN], 1);
	WORD_STORE(p->left_open, CULL);
}

void game_name(char name[GAME_NAME_SIZE], char tag)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	long pid = getpid();

	sprintf(name, "gamedemo%c", tag);
	for (int i = GAME_NAME_SIZE - 2; i > 8; i--, pid /= 36)
		name[i] = digits[pid % 36];
	name[GAME_NAME_SIZE - 1] = '\0';
}

/* It gets its name when it is whole; until then it has one that no reader takes. */
static void give_name(struct game *g, char tag)
{
	char before[128], after[128];

	builder_path(&g->b, before, sizeof(before));
	game_name(g->b.name, tag);
	builder_path(&g->b, after, sizeof(after));
	assert(rename(before, after) == 0);
}

void game_begin(struct game *g, char tag)
{
	char name[64];

	memset(g, 0, sizeof(*g));
	snprintf(name, sizeof(name), ".game-%c-%ld", tag, (long)getpid());
	builder_begin_sized(&g->b, name, (struct builder_sizes){ .zones = 64, .strings = 4096,
								 .threads = 8, .frames = GAME_RING,
								 .counters = COUNTERS });
	describe_process(g);
	for (uint32_t i = 1; i < ZONES; i++)
		builder_zone(&g->b, zones[i].name, zones[i].file, zones[i].line);
	for (uint32_t i = 0; i < COUNTERS; i++)
		builder_counter(&g->b, counters[i].name, counters[i].flags);
	for (uint32_t i = 0; i < GAME_THREADS; i++)
		make_thread(g, i);
	g->tick = BUILDER_START;
	game_play(g, GAME_FRAMES);
	give_name(g, tag);
}

void game_end(struct game *g)
{
	builder_end(&g->b);
}
