/* SPDX-License-Identifier: MIT */
/*
 * profile: a new one, a copy as it is now, and its end. Frames are shared by a profile and its copies.
 *
 * Each step of copying takes in its things one by one and counts them, so that profile_free finds what
 * there is when one fails.
 */
#include "model/profile/profile_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/profile/moment.h"

static bool process_init(struct profile_process *process)
{
	return profile_text(&process->source, "") && profile_text(&process->program, "") &&
	       profile_text(&process->command, "") && profile_text(&process->clock, "");
}

struct profile *profile_new(void)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->ticks_per_s = 1000000000;
	p->process.silent_ns = -1;
	p->process.known_moment = MOMENT_NONE;
	p->store = calloc(1, sizeof(*p->store));
	if (!p->store || !process_init(&p->process) || !profile_text(&p->left_open, "") ||
	    profile_add_zone(p, "(no zone)", "", 0, 0) != PROFILE_NO_ZONE || !profile_add_core_measures(p)) {
		profile_free(p);
		return NULL;
	}
	return p;
}

static void names_free(struct profile *p)
{
	for (uint32_t i = 0; i < p->zone_count; i++) {
		free(p->zones[i].name);
		free(p->zones[i].file);
	}
	for (uint32_t i = 0; i < p->module_count; i++) {
		free(p->modules[i].path);
		free(p->modules[i].build);
	}
	for (uint32_t i = 0; i < p->thread_count; i++)
		free(p->threads[i].name);
	for (uint32_t i = 0; i < p->loss_count; i++) {
		free(p->losses[i].key);
		free(p->losses[i].sentence);
	}
	free(p->process.source);
	free(p->process.program);
	free(p->process.command);
	free(p->process.clock);
	free(p->left_open);
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	names_free(p);
	profile_free_values(p);
	profile_free_measures(p);
	for (uint32_t i = 0; i < p->frame_count; i++)
		profile_frame_leave(&p->frames[i]);
	free(p->zones);
	free(p->modules);
	free(p->threads);
	free(p->nodes);
	free(p->totals);
	free(p->losses);
	if (p->store) {
		free(p->store->frames);
		strings_fini(&p->store->frame_names);
		lookup_fini(&p->store->zones_by_place);
		lookup_fini(&p->store->zones_by_name);
		lookup_fini(&p->store->threads_by_id);
		lookup_fini(&p->store->threads_by_name);
		free(p->store);
	}
	free(p);
}

/* Copies */

/* A copy of n elements, also for none. */
static void *array_copy(const void *from, uint32_t n, size_t size, uint32_t *capacity)
{
	void *copy = reallocarray(NULL, n ? n : 1, size);

	if (copy && n)
		memcpy(copy, from, n * size);
	if (copy)
		*capacity = n ? n : 1;
	return copy;
}

static bool copy_process(struct profile *p, const struct profile *from)
{
	const struct profile_process *old = &from->process;
	struct profile_process *new = &p->process;

	*new = *old;
	new->source = new->program = new->command = new->clock = NULL;
	return profile_text(&new->source, old->source) &&
	       profile_text(&new->program, old->program) &&
	       profile_text(&new->command, old->command) && profile_text(&new->clock, old->clock) &&
	       profile_text(&p->left_open, from->left_open);
}

static bool copy_zones(struct profile *p, const struct profile *from)
{
	struct profile_store *s = p->store;
	bool done;

	p->zones = array_copy(from->zones, from->zone_count, sizeof(*p->zones), &s->zone_capacity);
	done = p->zones;
	for (uint32_t i = 0; done && i < from->zone_count; i++) {
		struct profile_zone *zone = &p->zones[p->zone_count++];

		zone->name = zone->file = NULL;
		done = profile_text(&zone->name, from->zones[i].name) &&
		       profile_text(&zone->file, from->zones[i].file);
	}
	for (uint32_t i = 0; done && i < from->module_count; i++)
		done = profile_add_module(p, from->modules[i].path, from->modules[i].build, from->modules[i].address,
					  from->modules[i].size) == i;
	p->zones_renamed = from->zones_renamed;
	return done && lookup_copy(&s->zones_by_place, &from->store->zones_by_place) &&
	       lookup_copy(&s->zones_by_name, &from->store->zones_by_name);
}

static bool copy_threads(struct profile *p, const struct profile *from)
{
	struct profile_store *s = p->store;
	bool done;

	p->threads = array_copy(from->threads, from->thread_count, sizeof(*p->threads),
				&s->thread_capacity);
	done = p->threads;
	for (uint32_t i = 0; done && i < from->thread_count; i++) {
		struct profile_thread *thread = &p->threads[p->thread_count++];

		thread->name = NULL;
		done = profile_text(&thread->name, from->threads[i].name);
	}
	return done && lookup_copy(&s->threads_by_id, &from->store->threads_by_id) &&
	       lookup_copy(&s->threads_by_name, &from->store->threads_by_name);
}

static bool copy_nodes(struct profile *p, const struct profile *from)
{
	p->nodes = array_copy(from->nodes, from->node_count, sizeof(*p->nodes),
			      &p->store->node_capacity);
	p->totals = array_copy(from->totals, from->node_count, sizeof(*p->totals),
			       &p->store->total_capacity);
	p->node_count = from->node_count;
	return p->nodes && p->totals;
}

static bool copy_losses(struct profile *p, const struct profile *from)
{
	bool done = true;

	p->unplaced = from->unplaced;
	for (uint32_t i = 0; done && i < from->loss_count; i++)
		done = profile_set_loss(p, from->losses[i].key, from->losses[i].sentence,
					from->losses[i].count);
	return done;
}

static bool copy_frames(struct profile *p, const struct profile *from)
{
	struct profile_store *s = p->store;

	s->frames = array_copy(from->frames, from->frame_count, sizeof(*s->frames),
			       &s->frame_capacity);
	if (!s->frames)
		return false;
	p->frames = s->frames;
	p->frame_count = from->frame_count;
	p->held_bytes = from->held_bytes;
	p->frame_name_count = from->frame_name_count;
	for (uint32_t i = 0; i < p->frame_count; i++)
		profile_frame_share(&p->frames[i]);
	return true;
}

struct profile *profile_copy(const struct profile *from)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->ticks_per_s = from->ticks_per_s;
	p->first_tick = from->first_tick;
	p->now_tick = from->now_tick;
	p->frames_ended = from->frames_ended;
	p->unseen_frames = from->unseen_frames;
	p->left_out_frames = from->left_out_frames;
	p->run_tick = from->run_tick;
	p->run_frames = from->run_frames;
	p->run_ended = from->run_ended;
	p->run_end = from->run_end;
	p->frame_began = from->frame_began;
	p->dropped_frame = from->dropped_frame;
	p->dropped_end = from->dropped_end;
	p->store = calloc(1, sizeof(*p->store));
	if (p->store && copy_process(p, from) && copy_zones(p, from) && copy_threads(p, from) &&
	    copy_nodes(p, from) && profile_copy_measures(p, from) && copy_losses(p, from) && copy_frames(p, from) &&
	    strings_copy(&p->store->frame_names, &from->store->frame_names) &&
	    profile_copy_values(p, from))
		return p;
	profile_free(p);
	return NULL;
}
