/* SPDX-License-Identifier: MIT */
/*
 * model_random: programs that run at random, for property tests: nodes, threads and frames come, and the
 * test lets old frames go. Set random_state first, so that a failing seed can be named.
 */
#ifndef TESTS_MODEL_RANDOM_H
#define TESTS_MODEL_RANDOM_H

#include "model/query/query.h"
#include "tests/model_dsl.h"

static uint64_t random_state;

static inline uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

static inline struct profile *random_profile(void)
{
	struct profile *p = profile_new();

	for (uint32_t i = 0; i < 5; i++)
		profile_add_zone(p, (char[]){ 'a' + (char)i, 0 }, "", 0, 0);
	for (uint32_t i = 0; i < 3; i++)
		profile_add_thread(p, i, 0, i ? "worker" : "main");
	while (p->node_count < 20)
		profile_add_node(p, random_below(p->node_count), 1 + random_below(5));
	return p;
}

static inline void random_part(struct profile *p, uint64_t frame, uint32_t thread)
{
	struct profile_cell cells[400];
	struct profile_part part = { .thread = thread, .cells = cells };

	for (uint32_t i = 0; i < p->node_count && part.cell_count < 400; i++) {
		struct profile_cell cell = { i, 1 + random_below(100000), random_below(4), 7 };

		if (p->nodes[i].thread != thread || !random_below(3))
			continue;
		cells[part.cell_count++] = cell;
		part.end += cell.self;
		profile_set_total(p, i, p->totals[i].self + cell.self,
				  p->totals[i].count + cell.count, 7);
		profile_set_time(p, thread, 0, p->threads[thread].time + cell.self);
	}
	assert_true(profile_set_part(p, frame, &part));
}

static inline void random_frame(struct profile *p)
{
	static const uint32_t flags[] = { FRAME_DISCARDED, FRAME_KEPT };
	uint64_t number = p->frames_ended + 1 + !random_below(10);
	int64_t length = random_below(20) ? (int64_t)random_below(100000000) : 0;

	if (!random_below(4) && p->node_count < 300)
		profile_add_node(p, random_below(p->node_count), 1 + random_below(5));
	assert_true(profile_add_frame(p, number, p->now_tick, length,
				      random_below(8) ? 0 : flags[random_below(2)]));
	for (uint32_t t = 0; t < p->thread_count; t++)
		if (random_below(8))
			random_part(p, number, t);
	if (!p->frames[p->frame_count - 1].part_count) /* else it would not be known what was in it */
		random_part(p, number, 0);
	p->frames_ended = number;
	p->now_tick += length;
}

static inline bool is_counted(const struct profile_frame *frame)
{
	return frame->length > 0 && !(frame->flags & (FRAME_DISCARDED | FRAME_KEPT));
}

/* The value of a key in a frame, from a flat report of that frame. */
static inline int64_t plain_value(const struct profile *p, const struct scope *s, uint32_t frame,
			   uint32_t key, enum extent extent)
{
	struct values *v = values_of_frames(p, frame, 1);
	struct flat_row *rows;
	int64_t value;

	if (s->members)
		values_restrict(v, p, s->members);
	rows = flat_make(p, s->keys, v, s->threads);
	value = extent == EXTENT_SELF ? rows[key].self : rows[key].hier;
	free(rows);
	values_free(v);
	return value;
}

/* Some way of looking; the members are of some path. */
struct look {
	struct keys *keys;
	struct scope scope;
	struct path path;
	bool *members;
};

static inline struct look random_look(const struct profile *p)
{
	static const uint32_t threads[] = { 0, 1, THREADS_ALL, THREADS_NAMED(1) };
	struct look l = { .keys = keys_new(random_below(2)) };

	assert_true(l.keys && keys_update(l.keys, p));
	for (uint32_t i = random_below(3); i > 0; i--)
		l.path.ids[l.path.length++] = l.keys->id[random_below(l.keys->count)];
	l.members = path_members(&l.path, p, l.keys);
	l.scope = (struct scope){ .keys = l.keys, .threads = threads[random_below(4)],
				  .members = l.path.length ? l.members : NULL };
	return l;
}

static inline void look_fini(struct look *l)
{
	free(l->members);
	keys_free(l->keys);
}

#endif
