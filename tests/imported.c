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
	for (int n = 0; !source_is_over(source_next(i->source)); n++)
		REQUIRE(n < 1000);
	i->p = i->source->profile;
	i->calls = transitions_new(UINT64_C(1) << 30);
	REQUIRE(i->calls && source_transitions(i->source, i->calls));
}

struct imported *imported_fd(int fd, const struct import_options *options)
{
	static const struct import_options none = { .source = "trace" };
	struct imported *i = calloc(1, sizeof(*i));

	REQUIRE(i);
	i->source = import_source(dup(fd), options ? options : &none, &i->result);
	i->done = i->source;
	if (i->done)
		play(i);
	else
		REQUIRE(i->result.why[0]);
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
