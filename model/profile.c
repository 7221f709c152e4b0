/* SPDX-License-Identifier: MIT */
#include "model/profile.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/array.h"
#include "model/format.h"
#include "model/lookup.h"

struct profile_store {
	uint32_t zone_capacity;
	uint32_t thread_capacity;
	uint32_t node_capacity;
	uint32_t total_capacity;
	uint32_t loss_capacity;
	struct profile_frame *frames; /* the allocation: profile.frames points into it */
	uint32_t frame_capacity;
	struct lookup zones_by_place;
	struct lookup zones_by_name; /* the first zone of each name */
	struct lookup threads_by_id;
	struct lookup threads_by_name; /* namesakes; also threads that were one under a name they had */
};

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
	p->store = calloc(1, sizeof(*p->store));
	if (!p->store || !process_init(&p->process) || !profile_text(&p->left_open, "") ||
	    profile_add_zone(p, "(no zone)", "", 0, 0) != PROFILE_NO_ZONE) {
		profile_free(p);
		return NULL;
	}
	return p;
}

/*
 * The parts of a frame with their cells are one thing that a profile and its copies share: the room
 * of one part before the first says how many they are. Who wants to change them, or is the last to
 * let go of them, has them alone.
 */
struct parts_head {
	uint32_t users;
	uint32_t capacity;
};

static_assert(sizeof(struct parts_head) <= sizeof(struct profile_held), "has the room of a part");

static struct parts_head *parts_head(struct profile_held *parts)
{
	return (struct parts_head *)(void *)(parts - 1);
}

/* Room for more parts, in which `old` are when it is given. NULL: out of memory. */
static struct profile_held *parts_room(struct profile_held *old, uint32_t capacity)
{
	struct profile_held *room = reallocarray(old ? old - 1 : NULL, (size_t)capacity + 1,
						 sizeof(*room));

	if (!room)
		return NULL;
	*parts_head(room + 1) = (struct parts_head){ .users = 1, .capacity = capacity };
	return room + 1;
}

static void cells_free(struct profile_held *part)
{
	if (part->is_wide)
		free(part->cells.wide);
	else
		free(part->cells.narrow);
}

static void parts_free(struct profile_held *parts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		cells_free(&parts[i]);
	free(parts_head(parts));
}

static uint64_t part_cells(const struct profile_held *part)
{
	return ((uint64_t)part->cell_count << part->is_wide) + PROFILE_PART_CELLS;
}

static uint64_t frame_cells(const struct profile_frame *frame)
{
	uint64_t cells = 1;

	for (uint32_t i = 0; i < frame->part_count; i++)
		cells += part_cells(&frame->parts[i]);
	return cells;
}

static void frame_fini(struct profile_frame *frame)
{
	if (frame->parts && --parts_head(frame->parts)->users == 0)
		parts_free(frame->parts, frame->part_count);
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
	for (uint32_t i = 0; i < p->frame_count; i++)
		frame_fini(&p->frames[i]);
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

/* Frames */

uint32_t profile_frame_index(const struct profile *p, uint64_t number)
{
	uint32_t low = 0, high = p->frame_count;
	uint64_t ahead = high ? number - p->frames[0].number : 0;

	if (ahead < high && p->frames[ahead].number == number)
		return (uint32_t)ahead; /* without gaps, as nearly always */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (p->frames[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct profile_frame *frame_find(const struct profile *p, uint64_t number)
{
	uint32_t i = profile_frame_index(p, number);

	return i < p->frame_count && p->frames[i].number == number ? &p->frames[i] : NULL;
}

const struct profile_frame *profile_find_frame(const struct profile *p, uint64_t number)
{
	return frame_find(p, number);
}

/* Dropped frames leave a gap in front, which is closed only when it is as large as what is held:
 * so a frame is moved about once, and the array stays below twice what it needs. */
static bool frame_room(struct profile *p)
{
	struct profile_store *s = p->store;
	uint32_t gap = (uint32_t)(p->frames - s->frames);

	if (gap + p->frame_count < s->frame_capacity)
		return true;
	if (gap > p->frame_count) {
		memcpy(s->frames, p->frames, p->frame_count * sizeof(*p->frames));
		gap = 0;
	} else if (!array_reserve(&s->frames, &s->frame_capacity,
				  (uint64_t)gap + p->frame_count + 1, sizeof(*s->frames))) {
		return false;
	}
	p->frames = s->frames + gap;
	return true;
}

bool profile_add_frame(struct profile *p, uint64_t number, int64_t start, int64_t length,
		       uint32_t flags)
{
	struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	if (newest && number < newest->number)
		return false;
	if (!newest || number > newest->number) {
		if (!frame_room(p))
			return false;
		newest = &p->frames[p->frame_count++];
		*newest = (struct profile_frame){ .number = number };
		p->held_cells += frame_cells(newest);
	}
	newest->start = start;
	newest->length = length;
	newest->flags = flags;
	return true;
}

/* Index of the first part whose thread is >= thread. */
static uint32_t part_index(const struct profile_frame *frame, uint32_t thread)
{
	uint32_t low = 0, high = frame->part_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (frame->parts[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct profile_held *profile_find_part(const struct profile_frame *frame, uint32_t thread)
{
	uint32_t i = part_index(frame, thread);

	return i < frame->part_count && frame->parts[i].thread == thread ? &frame->parts[i] : NULL;
}

static bool fits_narrow(const struct profile_part *part)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < part->cell_count; i++)
		bits |= (uint64_t)part->cells[i].self | (uint64_t)part->cells[i].count |
			(uint64_t)part->cells[i].longest;
	return bits <= UINT32_MAX;
}

/* Room for the cells of a part that has some. False: out of memory. */
static bool cells_room(struct profile_held *part)
{
	if (part->is_wide)
		part->cells.wide = reallocarray(NULL, part->cell_count, sizeof(*part->cells.wide));
	else
		part->cells.narrow =
			reallocarray(NULL, part->cell_count, sizeof(*part->cells.narrow));
	return part->is_wide ? (bool)part->cells.wide : (bool)part->cells.narrow;
}

/* The cells of `given`, narrow if they can be. False: out of memory. */
static bool cells_take(struct profile_held *part, const struct profile_part *given)
{
	part->is_wide = !fits_narrow(given);
	part->cells.narrow = NULL;
	if (!part->cell_count)
		return true;
	if (!cells_room(part))
		return false;
	if (part->is_wide)
		memcpy(part->cells.wide, given->cells, given->cell_count * sizeof(*given->cells));
	for (uint32_t i = 0; !part->is_wide && i < given->cell_count; i++) {
		const struct profile_cell *cell = &given->cells[i];

		part->cells.narrow[i] = (struct profile_narrow){
			cell->node, (uint32_t)cell->self, (uint32_t)cell->count,
			(uint32_t)cell->longest
		};
	}
	return true;
}

/* Cells of its own for a part that has those of `from`. False: out of memory. */
static bool cells_copy(struct profile_held *part, const struct profile_held *from)
{
	if (!part->cell_count)
		return true;
	if (!cells_room(part))
		return false;
	if (part->is_wide)
		memcpy(part->cells.wide, from->cells.wide,
		       part->cell_count * sizeof(*part->cells.wide));
	else
		memcpy(part->cells.narrow, from->cells.narrow,
		       part->cell_count * sizeof(*part->cells.narrow));
	return true;
}

/* Parts of its own for a frame that has them in common with a copy. */
static bool frame_unshare(struct profile_frame *frame)
{
	struct profile_held *parts = parts_room(NULL, frame->part_count + 1);
	bool done = parts;

	for (uint32_t i = 0; done && i < frame->part_count; i++) {
		parts[i] = frame->parts[i];
		done = cells_copy(&parts[i], &frame->parts[i]);
		if (!done)
			parts_free(parts, i);
	}
	if (!done)
		return false;
	parts_head(frame->parts)->users--;
	frame->parts = parts;
	return true;
}

/* The frame's parts can be changed, and there is room for one more. */
static bool frame_own(struct profile_frame *frame)
{
	struct profile_held *grown = frame->parts;

	if (frame->parts && parts_head(frame->parts)->users > 1)
		return frame_unshare(frame);
	if (!grown || frame->part_count == parts_head(grown)->capacity)
		grown = parts_room(frame->parts, frame->part_count + frame->part_count / 2 + 4);
	if (grown)
		frame->parts = grown;
	return grown;
}

/* The place for a thread's part, empty: the one it had, or a new one. */
static struct profile_held *part_place(struct profile *p, struct profile_frame *frame,
				       uint32_t thread)
{
	uint32_t i = part_index(frame, thread);

	if (!frame_own(frame))
		return NULL;
	if (i < frame->part_count && frame->parts[i].thread == thread) {
		p->held_cells -= part_cells(&frame->parts[i]);
		cells_free(&frame->parts[i]);
		return &frame->parts[i];
	}
	memmove(&frame->parts[i + 1], &frame->parts[i],
		(frame->part_count - i) * sizeof(*frame->parts));
	frame->part_count++;
	return &frame->parts[i];
}

static bool cells_fit(const struct profile *p, const struct profile_part *part)
{
	for (uint32_t i = 0; i < part->cell_count; i++)
		if (part->cells[i].node >= p->node_count ||
		    p->nodes[part->cells[i].node].thread != part->thread)
			return false;
	return part->thread < p->thread_count;
}

bool profile_set_part(struct profile *p, uint64_t number, const struct profile_part *part)
{
	struct profile_frame *frame = frame_find(p, number);
	struct profile_held held = { .thread = part->thread, .flags = part->flags,
				     .first_frame = part->first_frame, .bound = part->bound,
				     .end = part->end, .cell_count = part->cell_count };
	struct profile_held *place;

	if (!frame || !cells_fit(p, part) || !cells_take(&held, part))
		return false;
	place = part_place(p, frame, part->thread);
	if (!place) {
		cells_free(&held);
		return false;
	}
	*place = held;
	p->held_cells += part_cells(place);
	return true;
}

void profile_drop_frames(struct profile *p, uint32_t n)
{
	if (n > p->frame_count)
		n = p->frame_count;
	for (uint32_t i = 0; i < n; i++) {
		p->held_cells -= frame_cells(&p->frames[i]);
		frame_fini(&p->frames[i]);
	}
	if (n)
		p->frames += n;
	p->frame_count -= n;
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

/* Copies. Each step takes in its things one by one and counts them, so that profile_free finds what
 * there is when one fails. */

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
	p->held_cells = from->held_cells;
	for (uint32_t i = 0; i < p->frame_count; i++)
		if (p->frames[i].parts)
			parts_head(p->frames[i].parts)->users++;
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
	p->run_tick = from->run_tick;
	p->run_frames = from->run_frames;
	p->store = calloc(1, sizeof(*p->store));
	if (p->store && copy_process(p, from) && copy_zones(p, from) && copy_threads(p, from) &&
	    copy_nodes(p, from) && copy_losses(p, from) && copy_frames(p, from))
		return p;
	profile_free(p);
	return NULL;
}
