#include "tests/imported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REQUIRE(what) \
	do { \
		if (!(what)) { \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #what); \
			abort(); \
		} \
	} while (0)

static void play(struct imported *i)
{
	i->p = i->source->profile;
	i->calls = transitions_new(UINT64_C(1) << 30);
	REQUIRE(i->calls && source_transitions(i->source, i->calls));
}

struct imported *imported_fd(int fd, const struct import_options *options)
{
	static const struct import_options none = { .source = "trace" };
	struct imported *i = calloc(1, sizeof(*i));
	enum source_result result;
	int n = 0;

	REQUIRE(i);
	i->source = import_source(dup(fd), options ? options : &none);
	REQUIRE(i->source);
	while ((result = source_next(i->source)) == SOURCE_MORE)
		REQUIRE(n++ < 1000);
	i->done = source_is_over(result);
	if (i->done) {
		i->result = *import_result_of(i->source);
		play(i);
	} else {
		i->why = strstr(i->source->why, ": ");
		REQUIRE(i->why && *(i->why += 2));
	}
	return i;
}

struct imported *imported_bytes(const void *bytes, size_t size, const struct import_options *options)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct imported *i;

	REQUIRE(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	i = imported_fd(fd, options);
	close(fd);
	return i;
}

void imported_free(struct imported *i)
{
	transitions_free(i->calls);
	source_close(i->source);
	free(i);
}

static bool is_zone(const struct profile *p, uint32_t node, const char *zone)
{
	return !strcmp(p->zones[p->nodes[node].zone].name, zone);
}

static bool is_in(const struct profile *p, uint32_t node, const char *zone)
{
	for (; node != PROFILE_NONE; node = p->nodes[node].parent)
		if (is_zone(p, node, zone))
			return true;
	return false;
}

static void add(const struct profile *p, struct imported_figures *f, const struct profile_cell *c, const char *zone)
{
	if (is_in(p, c->node, zone))
		f->inclusive += c->self;
	if (!is_zone(p, c->node, zone))
		return;
	f->self += c->self;
	f->count += c->count;
	f->longest = c->longest > f->longest ? c->longest : f->longest;
}

struct imported_figures imported_zone(const struct imported *i, uint32_t thread, const char *zone, uint32_t first,
				      uint32_t end)
{
	struct imported_figures f = { 0 };

	for (; first < end; first++) {
		const struct profile_held *part = profile_find_part(&i->p->frames[first], thread);

		for (uint32_t k = 0; part && k < part->cell_count; k++) {
			struct profile_cell c = profile_cell(part, k);

			add(i->p, &f, &c, zone);
		}
	}
	return f;
}

struct imported_figures imported_zone_run(const struct imported *i, uint32_t thread, const char *zone)
{
	struct imported_figures f = { 0 };

	for (uint32_t node = 0; node < i->p->node_count; node++) {
		const struct profile_total *t = &i->p->totals[node];
		struct profile_cell c = { node, t->self, t->count, t->longest };

		if (i->p->nodes[node].thread == thread)
			add(i->p, &f, &c, zone);
	}
	return f;
}

uint32_t imported_thread(const struct imported *i, uint64_t id)
{
	return profile_find_thread(i->p, id);
}

static void check_frames(const struct profile *p)
{
	for (uint32_t f = 0; f < p->frame_count; f++) {
		const struct profile_frame *frame = &p->frames[f];

		REQUIRE(!f || frame->number > p->frames[f - 1].number);
		REQUIRE(!f || frame->start >= frame_end(&p->frames[f - 1]));
		REQUIRE(frame->length >= 0 && frame->number);
		for (uint32_t k = 0; k < frame->part_count; k++) {
			const struct profile_held *part = &frame->parts[k];
			int64_t self = 0;

			for (uint32_t c = 0; c < part->cell_count; c++)
				self += profile_cell(part, c).self;
			REQUIRE(self == part->end - part->bound);
		}
	}
}

static void check_run(const struct profile *p)
{
	int64_t *times = calloc(p->thread_count + 1, sizeof(*times));

	REQUIRE(times);
	for (uint32_t node = 0; node < p->node_count; node++) {
		REQUIRE(p->totals[node].self >= 0 && p->totals[node].count >= 0 && p->totals[node].longest >= 0);
		times[p->nodes[node].thread] += p->totals[node].self;
	}
	for (uint32_t i = 0; i < p->thread_count; i++)
		REQUIRE(times[i] == p->threads[i].time);
	free(times);
}

static void check_calls(const struct imported *i)
{
	for (uint32_t k = 0; k < i->calls->count; k++) {
		const struct transition_list *l = &i->calls->lists[k];

		for (uint32_t n = 0; n < l->count; n++) {
			REQUIRE(!n || l->at[n].tick >= l->at[n - 1].tick);
			REQUIRE(l->at[n].node < i->p->node_count);
		}
	}
}

void imported_check(const struct imported *i)
{
	if (!i->done)
		return;
	check_frames(i->p);
	check_run(i->p);
	check_calls(i);
}

static void same_frame(const struct profile *p, const struct profile_frame *a, const struct profile_frame *b)
{
	REQUIRE(a->number == b->number && a->start == b->start && a->length == b->length && a->flags == b->flags);
	REQUIRE(a->part_count == b->part_count);
	for (uint32_t i = 0; i < a->part_count; i++) {
		const struct profile_held *x = &a->parts[i], *y = &b->parts[i];

		REQUIRE(x->thread == y->thread && x->flags == y->flags && x->bound == y->bound && x->end == y->end);
		REQUIRE(x->first_frame == y->first_frame && x->cell_count == y->cell_count && x->thread < p->thread_count);
		for (uint32_t k = 0; k < x->cell_count; k++) {
			struct profile_cell c = profile_cell(x, k), d = profile_cell(y, k);

			REQUIRE(c.node == d.node && c.self == d.self && c.count == d.count && c.longest == d.longest);
		}
	}
}

static void same_track(const struct profile_track *a, const struct profile_track *b)
{
	REQUIRE(a->counter == b->counter && a->thread == b->thread && a->born == b->born);
	REQUIRE(a->change_count == b->change_count && a->now.tick == b->now.tick);
	REQUIRE(a->now.last.whole == b->now.last.whole && a->run_least.whole == b->run_least.whole);
	REQUIRE(a->run_most.whole == b->run_most.whole);
	for (uint32_t i = 0; i < a->change_count; i++) {
		const struct profile_change *x = &a->changes[i], *y = &b->changes[i];

		REQUIRE(x->tick == y->tick && x->last.whole == y->last.whole && x->least.whole == y->least.whole);
		REQUIRE(x->most.whole == y->most.whole && x->lost == y->lost);
	}
}

static void same_definitions(const struct profile *p, const struct profile *q)
{
	REQUIRE(p->zone_count == q->zone_count && p->thread_count == q->thread_count && p->node_count == q->node_count);
	REQUIRE(p->counter_count == q->counter_count && p->event_count == q->event_count && p->loss_count == q->loss_count);
	for (uint32_t i = 0; i < p->zone_count; i++)
		REQUIRE(!strcmp(p->zones[i].name, q->zones[i].name));
	for (uint32_t i = 0; i < p->thread_count; i++) {
		const struct profile_thread *a = &p->threads[i], *b = &q->threads[i];

		REQUIRE(a->id == b->id && a->tid == b->tid && !strcmp(a->name, b->name) && a->state == b->state);
		REQUIRE(a->marking == b->marking && a->several == b->several && a->time == b->time);
		REQUIRE(a->first_tick == b->first_tick && a->root == b->root && a->namesake == b->namesake);
	}
	for (uint32_t i = 0; i < p->node_count; i++)
		REQUIRE(!memcmp(&p->nodes[i], &q->nodes[i], sizeof(*p->nodes)) &&
			!memcmp(&p->totals[i], &q->totals[i], sizeof(*p->totals)));
	for (uint32_t i = 0; i < p->counter_count; i++)
		REQUIRE(!strcmp(p->counters[i].name, q->counters[i].name) && p->counters[i].real == q->counters[i].real);
	for (uint32_t i = 0; i < p->event_count; i++)
		REQUIRE(!strcmp(p->events[i], q->events[i]));
	for (uint32_t i = 0; i < p->loss_count; i++)
		REQUIRE(!strcmp(p->losses[i].key, q->losses[i].key) && p->losses[i].count == q->losses[i].count);
}

static void same_profile(const struct profile *p, const struct profile *q)
{
	same_definitions(p, q);
	REQUIRE(p->ticks_per_s == q->ticks_per_s && p->process.pid == q->process.pid && p->process.state == q->process.state);
	REQUIRE(!strcmp(p->process.program, q->process.program) && !strcmp(p->process.source, q->process.source));
	REQUIRE(p->first_tick == q->first_tick && p->now_tick == q->now_tick && p->frames_ended == q->frames_ended);
	REQUIRE(p->run_tick == q->run_tick && p->unplaced == q->unplaced && p->instants_from == q->instants_from);
	REQUIRE(p->frame_count == q->frame_count && p->track_count == q->track_count && p->instant_count == q->instant_count);
	for (uint32_t i = 0; i < p->frame_count; i++)
		same_frame(p, &p->frames[i], &q->frames[i]);
	for (uint32_t i = 0; i < p->track_count; i++)
		same_track(&p->tracks[i], &q->tracks[i]);
	for (uint32_t i = 0; i < p->instant_count; i++) {
		const struct profile_instant *a = &p->instants[i], *b = &q->instants[i];

		REQUIRE(a->tick == b->tick && a->thread == b->thread && a->event == b->event && a->cut == b->cut);
		REQUIRE(!a->text == !b->text && (!a->text || !strcmp(a->text, b->text)));
	}
}

static bool forget_block(void *context, const void *block, size_t size)
{
	(void)context, (void)block, (void)size;
	return true;
}

void imported_same(const struct imported *a, const struct imported *b)
{
	REQUIRE(!a->source->ops->copy(a->source, forget_block, NULL) && b->source->ops->copy(b->source, forget_block, NULL));
	same_profile(a->p, b->p);
	REQUIRE(a->calls->total == b->calls->total && a->calls->since == b->calls->since);
	for (uint32_t i = 0; i < a->calls->count; i++) {
		const struct transition_list *x = &a->calls->lists[i], *y = transitions_find(b->calls, x->id);

		REQUIRE(y && x->thread == y->thread && x->count == y->count && !memcmp(x->at, y->at, x->count * sizeof(*x->at)));
	}
}
