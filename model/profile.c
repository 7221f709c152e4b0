/* SPDX-License-Identifier: MIT */
#include "model/profile_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/array.h"
#include "model/format.h"
#include "model/moment.h"

bool profile_text(char **field, const char *text)
{
	char *copy = strdup(text ? text : "");

	if (!copy)
		return false;
	free(*field);
	*field = copy;
	return true;
}

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
	    profile_add_zone(p, "(no zone)", "", 0, 0) != PROFILE_NO_ZONE) {
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
	for (uint32_t i = 0; i < p->frame_count; i++)
		profile_frame_leave(&p->frames[i]);
	free(p->zones);
	free(p->threads);
	free(p->nodes);
	free(p->totals);
	free(p->losses);
	if (p->store) {
		free(p->store->frames);
		lookup_fini(&p->store->zones_by_place);
		lookup_fini(&p->store->zones_by_name);
		lookup_fini(&p->store->threads_by_id);
		lookup_fini(&p->store->threads_by_name);
		free(p->store);
	}
	free(p);
}

/* Zones */

struct place {
	const char *name;
	const char *file;
	uint32_t line;
};

static bool same_place(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_zone *zone = &((const struct profile *)context)->zones[index];
	const struct place *place = wanted;

	/* `(no zone)` is nobody's: a zone of the program may have this name, and is another one */
	return index != PROFILE_NO_ZONE && zone->line == place->line &&
	       !strcmp(zone->name, place->name) && !strcmp(zone->file, place->file);
}

static bool same_name(const void *context, uint32_t index, const void *wanted)
{
	return !strcmp(((const struct profile *)context)->zones[index].name, wanted);
}

static uint32_t place_hash(const struct place *place)
{
	uint32_t hash = lookup_hash(place->line, place->name, strlen(place->name));

	return lookup_hash(hash, place->file, strlen(place->file));
}

/* Says of every zone with this name that it shares it, or makes `zone` the name's first. */
static void name_note(struct profile *p, uint32_t zone)
{
	const char *name = p->zones[zone].name;
	uint32_t hash = lookup_hash(0, name, strlen(name));
	uint32_t first = lookup_find(&p->store->zones_by_name, hash, same_name, p, name);

	if (first == LOOKUP_NONE) {
		lookup_add(&p->store->zones_by_name, hash, zone);
	} else {
		p->zones[first].name_clash = true;
		p->zones[zone].name_clash = true;
	}
}

static bool zone_room(struct profile *p)
{
	return array_reserve(&p->zones, &p->store->zone_capacity, (uint64_t)p->zone_count + 1,
			     sizeof(*p->zones)) &&
	       lookup_reserve(&p->store->zones_by_place) &&
	       lookup_reserve(&p->store->zones_by_name);
}

uint32_t profile_add_zone(struct profile *p, const char *name, const char *file, uint32_t line,
			  uint32_t flags)
{
	struct place place = { name, file ? file : "", line };
	uint32_t hash = place_hash(&place);
	uint32_t index = lookup_find(&p->store->zones_by_place, hash, same_place, p, &place);
	struct profile_zone zone = { .line = line, .flags = flags };

	if (index != LOOKUP_NONE) {
		p->zones[index].flags |= flags;
		return index;
	}
	if (!zone_room(p))
		return PROFILE_NONE;
	zone.name = strdup(place.name);
	zone.file = strdup(place.file);
	if (!zone.name || !zone.file) {
		free(zone.name);
		free(zone.file);
		return PROFILE_NONE;
	}
	index = p->zone_count++;
	p->zones[index] = zone;
	lookup_add(&p->store->zones_by_place, hash, index);
	name_note(p, index);
	return index;
}

/* Threads and nodes */

static bool same_id(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct profile *)context)->threads[index].id == *(const uint64_t *)wanted;
}

uint32_t profile_find_thread(const struct profile *p, uint64_t id)
{
	return lookup_find(&p->store->threads_by_id, lookup_hash(0, &id, sizeof(id)), same_id, p,
			   &id);
}

static uint32_t node_append(struct profile *p, uint32_t parent, uint32_t zone, uint32_t thread)
{
	uint64_t need = (uint64_t)p->node_count + 1;

	if (!array_reserve(&p->nodes, &p->store->node_capacity, need, sizeof(*p->nodes)) ||
	    !array_reserve(&p->totals, &p->store->total_capacity, need, sizeof(*p->totals)))
		return PROFILE_NONE;
	p->nodes[p->node_count] = (struct profile_node){ parent, zone, thread };
	p->totals[p->node_count] = (struct profile_total){ 0 };
	return p->node_count++;
}

static uint32_t thread_append(struct profile *p, uint64_t id)
{
	struct profile_thread thread = { .id = id, .namesake = p->thread_count };

	if (p->thread_count >= THREADS_MOST ||
	    !array_reserve(&p->threads, &p->store->thread_capacity, (uint64_t)p->thread_count + 1,
			   sizeof(*p->threads)) ||
	    !lookup_reserve(&p->store->threads_by_id) || !profile_text(&thread.name, ""))
		return PROFILE_NONE;
	thread.root = node_append(p, PROFILE_NONE, PROFILE_NO_ZONE, p->thread_count);
	if (thread.root == PROFILE_NONE) {
		free(thread.name);
		return PROFILE_NONE;
	}
	lookup_add(&p->store->threads_by_id, lookup_hash(0, &id, sizeof(id)), p->thread_count);
	p->threads[p->thread_count] = thread;
	return p->thread_count++;
}

/* Only who is a namesake now: a thread found under a name that it had before is none. */
static bool is_namesake(const void *context, uint32_t index, const void *wanted)
{
	const struct profile_thread *thread = &((const struct profile *)context)->threads[index];

	return thread->namesake == index && !strcmp(thread->name, wanted);
}

static uint32_t name_hash(const char *name)
{
	return lookup_hash(0, name, strlen(name));
}

/* The others of its name do without this thread: the first of them stands for all. */
static void namesake_leave(struct profile *p, uint32_t thread)
{
	uint32_t heir = PROFILE_NONE;

	for (uint32_t i = 0; p->threads[thread].namesake == thread && i < p->thread_count; i++) {
		if (i == thread || p->threads[i].namesake != thread)
			continue;
		if (heir == PROFILE_NONE) {
			heir = i;
			lookup_add(&p->store->threads_by_name, name_hash(p->threads[i].name), i);
		}
		p->threads[i].namesake = heir;
	}
	p->threads[thread].namesake = PROFILE_NONE;
}

static void namesake_join(struct profile *p, uint32_t thread)
{
	const char *name = p->threads[thread].name;
	uint32_t found = *name ? lookup_find(&p->store->threads_by_name, name_hash(name),
					     is_namesake, p, name)
			       : thread;

	if (found == LOOKUP_NONE) {
		found = thread;
		lookup_add(&p->store->threads_by_name, name_hash(name), thread);
	}
	p->threads[thread].namesake = found;
}

static void thread_rename(struct profile *p, uint32_t thread, const char *name)
{
	char *copy = strcmp(name, p->threads[thread].name) != 0 ? strdup(name) : NULL;

	/* of the room for one there is always enough for two: an heir of the old name, and this */
	if (!copy || !lookup_reserve(&p->store->threads_by_name)) {
		free(copy);
		return;
	}
	namesake_leave(p, thread);
	free(p->threads[thread].name);
	p->threads[thread].name = copy;
	namesake_join(p, thread);
}

uint32_t profile_add_thread(struct profile *p, uint64_t id, int64_t tid, const char *name)
{
	uint32_t index = profile_find_thread(p, id);

	if (index == PROFILE_NONE)
		index = thread_append(p, id);
	if (index == PROFILE_NONE)
		return PROFILE_NONE;
	p->threads[index].tid = tid;
	if (name)
		thread_rename(p, index, name);
	return index;
}

uint32_t profile_add_node(struct profile *p, uint32_t parent, uint32_t zone)
{
	if (parent >= p->node_count || zone >= p->zone_count || zone == PROFILE_NO_ZONE)
		return PROFILE_NONE;
	return node_append(p, parent, zone, p->nodes[parent].thread);
}

void profile_set_total(struct profile *p, uint32_t node, int64_t self, int64_t count,
		       int64_t longest)
{
	if (node < p->node_count)
		p->totals[node] = (struct profile_total){ self, count, longest };
}

void profile_set_time(struct profile *p, uint32_t thread, int64_t first_tick, int64_t time)
{
	if (thread >= p->thread_count)
		return;
	p->threads[thread].first_tick = first_tick;
	p->threads[thread].time = time;
}

uint32_t profile_selected(const struct profile *p, uint32_t selection)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->thread_count; i++)
		count += profile_selects(p, selection, i);
	return count;
}

uint32_t profile_marking_thread(const struct profile *p)
{
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].marking)
			return i;
	return p->thread_count ? 0 : PROFILE_NONE;
}

/* As typed, or as it is shown. */
static bool is_called(const char *name, const char *text)
{
	char *shown;
	bool same = !strcmp(name, text);

	if (same)
		return true;
	shown = name_escape(name, strlen(name));
	same = shown && !strcmp(shown, text);
	free(shown);
	return same;
}

uint32_t profile_parse_thread(const struct profile *p, const char *text, bool *several)
{
	uint32_t found = PROFILE_NONE;
	char *end;
	uint64_t id;

	if (several)
		*several = false;
	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (!is_called(p->threads[i].name, text))
			continue;
		if (found == PROFILE_NONE)
			found = i;
		else if (several)
			*several = true;
	}
	if (found != PROFILE_NONE || *text < '0' || *text > '9')
		return found;
	errno = 0;
	id = strtoull(text, &end, 10);
	return errno || *end ? PROFILE_NONE : profile_find_thread(p, id);
}

/* Losses */

static struct profile_loss *loss_find(struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, key))
			return &p->losses[i];
	return NULL;
}

bool profile_set_loss(struct profile *p, const char *key, const char *sentence, uint64_t count)
{
	struct profile_loss loss = { .count = count };
	struct profile_loss *known = loss_find(p, key);

	if (known) {
		known->count = count;
		return true;
	}
	if (!array_reserve(&p->losses, &p->store->loss_capacity, (uint64_t)p->loss_count + 1,
			   sizeof(*p->losses)))
		return false;
	if (!profile_text(&loss.key, key) || !profile_text(&loss.sentence, sentence)) {
		free(loss.key);
		return false;
	}
	p->losses[p->loss_count++] = loss;
	return true;
}

uint64_t profile_loss_total(const struct profile *p)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < p->loss_count; i++)
		total += p->losses[i].count;
	return total;
}
