/* core_shown.c: what io/region/live.h makes of a region, checked. */
#include "tests/core_shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/region/live.h"
#include "tests/core_image.h"
#include "tests/core_run.h"

#define UNKNOWN (PART_MISSING | PART_LAPPED)
#define OWN_LOOK (PART_INFERRED | PART_KEPT) /* when one looked: before, or afterwards */

struct source *shown_open(const char *name)
{
	enum open_result result = OPEN_ABSENT;
	char why[512] = "";
	struct source *s = NULL;

	for (int i = 0; i < 60000 && !s; i++) {
		s = live_open(name, 0, &result, why, sizeof why);
		if (!s && result != OPEN_ABSENT)
			break;
		if (!s)
			core_sleep_us(1000);
	}
	CHECK(s, "%s: %s", name, why);
	return s;
}

/* ---- one profile */

static void exact_part(const struct profile *p, const struct profile_frame *frame, const struct profile_held *part)
{
	int64_t self = 0;

	if (part->flags & (UNKNOWN | PART_DISCARDED))
		return;
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		CHECK(cell.self >= 0 && cell.count >= 0 && cell.longest >= 0 && p->nodes[cell.node].thread == part->thread,
		      "frame %llu, node %u", (unsigned long long)frame->number, cell.node);
		self += cell.self;
	}
	CHECK(self == part->end - part->bound, "frame %llu, %s: %lld of %lld", (unsigned long long)frame->number,
	      p->threads[part->thread].name, (long long)self, (long long)(part->end - part->bound));
}

static void exact_threads(const struct profile *p)
{
	int64_t *self = calloc(p->thread_count + 1, sizeof *self);

	for (uint32_t n = 0; n < p->node_count; n++) {
		CHECK(p->totals[n].self >= 0 && p->totals[n].count >= 0 && p->totals[n].longest >= 0, "node %u", n);
		self[p->nodes[n].thread] += p->totals[n].self;
	}
	for (uint32_t t = 0; t < p->thread_count; t++)
		CHECK(self[t] == p->threads[t].time, "%s: %lld of %lld", p->threads[t].name, (long long)self[t],
		      (long long)p->threads[t].time);
	free(self);
}

void shown_exact(const struct profile *p, struct shown_seen *seen)
{
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];
		CHECK(frame->length >= 0 && (!i || frame->number > frame[-1].number), "frame %llu",
		      (unsigned long long)frame->number);
		for (uint32_t k = 0; k < frame->part_count; k++)
			exact_part(p, frame, &frame->parts[k]);
		seen->parts += frame->part_count;
	}
	exact_threads(p);
	seen->frames += p->frame_count;
	seen->profiles++;
}

bool shown_to_end(struct source *s, struct shown_seen *seen)
{
	enum source_result result = SOURCE_MORE;

	for (int i = 0; i < 1000 && (result == SOURCE_MORE || result == SOURCE_LOST); i++)
		result = source_next(s);
	if (!CHECK(result == SOURCE_END && s->profile->process.state != PROFILE_LIVE, "result %d, state %d: %s", result,
	           s->profile->process.state, s->why))
		return false;
	shown_exact(s->profile, seen);
	return true;
}

static void stack_of(struct source *s, uint32_t thread, char *out, size_t room)
{
	const struct profile *p = s->profile;
	struct source_stack stack;

	out[0] = '\0';
	if (!source_stack(s, thread, &stack))
		return;
	for (uint32_t i = 0; i < stack.count; i++) {
		size_t used = strlen(out);
		CHECK(stack.zones[i].entered <= stack.last, "open zone %u of %u", i, stack.count);
		snprintf(out + used, room - used, "%s%s", used ? "/" : "", p->zones[p->nodes[stack.zones[i].node].zone].name);
	}
	free(stack.zones);
}

/* A thread whose transition was cut off is said to have been in one. */
static void check_busy(struct source *s, const struct image *image)
{
	for (uint32_t t = 0; t < s->profile->thread_count; t++) {
		const struct profile_thread *thread = &s->profile->threads[t];
		uint32_t block = (uint32_t)((thread->id - 1) % image->thread_room);
		struct source_stack stack;
		if (thread->state != THREAD_LIVE || !source_stack(s, t, &stack))
			continue;
		CHECK(stack.busy == (WORD_LOAD(image_thread(image, block)->intent) != WORD_LOAD(image_thread(image, block)->head)),
		      "%s: busy %d", thread->name, stack.busy);
		free(stack.zones);
	}
}

void shown_dead(const char *name, struct shown_seen *seen)
{
	struct source *s = shown_open(name);
	struct image image;
	int64_t entries = 0;

	if (s && shown_to_end(s, seen) && image_load(&image, name)) {
		for (uint32_t n = 0; n < s->profile->node_count; n++)
			entries += s->profile->totals[n].count;
		CHECK((uint64_t)entries == image_entries(&image, NULL), "%lld entries of %llu", (long long)entries,
		      (unsigned long long)image_entries(&image, NULL));
		check_busy(s, &image);
		image_free(&image);
	}
	source_close(s);
}

/* ---- two of them */

/* A node by its path, so that both may number theirs as they like. */
static void path_of(const struct profile *p, uint32_t node, char *out, size_t room)
{
	size_t used;

	out[0] = '\0';
	if (p->nodes[node].parent == PROFILE_NONE)
		return;
	path_of(p, p->nodes[node].parent, out, room);
	used = strlen(out);
	snprintf(out + used, room - used, "/%s", p->zones[p->nodes[node].zone].name);
}

static uint64_t hash(const char *text, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t values[3] = { a, b, c };
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	for (int i = 0; i < 3; i++) {
		h = (h ^ values[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

/* A sum over cells, in which their order does not matter. */
static uint64_t hash_cells(const struct profile *p, const struct profile_held *part)
{
	char path[1024];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		path_of(p, cell.node, path, sizeof path);
		if (cell.self || cell.count || cell.longest)
			sum += hash(path, (uint64_t)cell.self, (uint64_t)cell.count, (uint64_t)cell.longest);
	}
	return sum;
}

static void same_part(const struct profile *a, const struct profile_frame *frame, const struct profile *b,
                      const struct profile_held *y, struct shown_seen *seen)
{
	uint32_t thread = profile_find_thread(a, b->threads[y->thread].id);
	const struct profile_held *x = thread == PROFILE_NONE ? NULL : profile_find_part(frame, thread);

	/* A reader that looked in time knows some threads one by one, so the two sums are not of the same threads. */
	if (!x || (x->flags | y->flags) & UNKNOWN || b->threads[y->thread].state == THREAD_AGGREGATE) {
		seen->unseen++;
		return;
	}
	seen->inferred += (x->flags & PART_INFERRED) != 0;
	CHECK((x->flags & ~OWN_LOOK) == (y->flags & ~OWN_LOOK) && x->bound == y->bound && x->end == y->end &&
	          hash_cells(a, x) == hash_cells(b, y),
	      "frame %llu, %s: %lld-%lld %x, afterwards %lld-%lld %x", (unsigned long long)frame->number,
	      b->threads[y->thread].name, (long long)x->bound, (long long)x->end, x->flags, (long long)y->bound,
	      (long long)y->end, y->flags);
}

static void same_frames(const struct profile *a, const struct profile *b, struct shown_seen *seen)
{
	CHECK(a->frames_ended == b->frames_ended, "%llu frames, %llu", (unsigned long long)a->frames_ended,
	      (unsigned long long)b->frames_ended);
	for (uint32_t i = 0; i < b->frame_count; i++) {
		const struct profile_frame *y = &b->frames[i], *x = profile_find_frame(a, y->number);
		if (!x || y->flags & FRAME_KEPT)
			continue;
		CHECK(x->start == y->start && x->length == y->length && x->flags == y->flags, "frame %llu",
		      (unsigned long long)y->number);
		for (uint32_t k = 0; k < y->part_count; k++)
			same_part(a, x, b, &y->parts[k], seen);
	}
}

/* Hashes the whole run by paths: threads that ended may be known one by one, or as their sum. */
static uint64_t hash_run(const struct profile *p, int64_t *self, int64_t *count)
{
	char path[1024];
	uint64_t sum = 0;

	*self = *count = 0;
	for (uint32_t n = 0; n < p->node_count; n++) {
		path_of(p, n, path, sizeof path);
		/* linear in the values, so that it does not matter how they are split among threads */
		sum += hash(path, 0, 0, 0) * (uint64_t)p->totals[n].self + hash(path, 1, 1, 1) * (uint64_t)p->totals[n].count;
		*self += p->totals[n].self;
		*count += p->totals[n].count;
	}
	return sum;
}

static void same_run(const struct profile *a, const struct profile *b)
{
	int64_t self_a, count_a, self_b, count_b;
	uint64_t hash_a = hash_run(a, &self_a, &count_a), hash_b = hash_run(b, &self_b, &count_b);

	CHECK(hash_a == hash_b, "the run: %lld ticks in %lld calls, afterwards %lld in %lld", (long long)self_a,
	      (long long)count_a, (long long)self_b, (long long)count_b);
	CHECK(a->now_tick == b->now_tick, "now: %lld, %lld", (long long)a->now_tick, (long long)b->now_tick);
}

static bool is_value_of(const struct profile *p, const struct profile_track *track, uint32_t counter, uint64_t thread)
{
	return track->counter == counter &&
	       (p->counters[counter].summed || (track->thread != PROFILE_NONE && p->threads[track->thread].id == thread));
}

/* The value of a sum over all its tracks; else the last value that this thread gave it. */
static int64_t value_of(const struct profile *p, uint32_t counter, uint64_t thread)
{
	int64_t value = 0;

	for (uint32_t i = 0; i < p->track_count; i++)
		if (is_value_of(p, &p->tracks[i], counter, thread))
			value += p->tracks[i].now.last.whole;
	return value;
}

/* Threads that ended may have left no trace of what they set. */
static void same_values(const struct profile *a, const struct profile *b, uint32_t counter)
{
	for (uint32_t t = 0; t < b->thread_count; t++) {
		uint64_t id = b->threads[t].id;
		if (b->threads[t].state == THREAD_LIVE)
			CHECK(value_of(a, counter, id) == value_of(b, counter, id), "counter %s of %s: %lld, %lld",
			      b->counters[counter].name, b->threads[t].name, (long long)value_of(a, counter, id),
			      (long long)value_of(b, counter, id));
	}
}

static void same_counters(const struct profile *a, const struct profile *b)
{
	CHECK(a->counter_count == b->counter_count, "%u counters, %u", a->counter_count, b->counter_count);
	for (uint32_t i = 0; i < a->counter_count && i < b->counter_count; i++)
		if (CHECK(!strcmp(a->counters[i].name, b->counters[i].name) && a->counters[i].summed == b->counters[i].summed,
		          "counter %s", a->counters[i].name) &&
		    !a->counters[i].real)
			same_values(a, b, i);
}

static void same_stacks(struct source *a, struct source *b)
{
	char x[2048], y[2048];

	for (uint32_t t = 0; t < b->profile->thread_count; t++) {
		uint32_t thread = profile_find_thread(a->profile, b->profile->threads[t].id);
		if (b->profile->threads[t].state != THREAD_LIVE || !CHECK(thread != PROFILE_NONE, "%s", b->profile->threads[t].name))
			continue;
		stack_of(a, thread, x, sizeof x);
		stack_of(b, t, y, sizeof y);
		CHECK(!strcmp(x, y), "open in %s: '%s', afterwards '%s'", b->profile->threads[t].name, x, y);
	}
}

void shown_same(struct source *watched, struct source *after, struct shown_seen *seen)
{
	same_frames(watched->profile, after->profile, seen);
	same_run(watched->profile, after->profile);
	same_counters(watched->profile, after->profile);
	same_stacks(watched, after);
}
