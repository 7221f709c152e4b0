/* SPDX-License-Identifier: MIT */
/*
 * player_items: items of a recording into the profile. Each is believed as far as the profile takes it; what cannot be is
 * left out and counted.
 */
#include "io/recording/player_inside.h"

#include <stdlib.h>
#include <string.h>

#include "io/recording/recording.h"
#include "model/base/array.h"
#include "model/base/search.h"
#include "model/base/text.h"
#include "model/profile/measures.h"

#define LOST_MOST UINT32_C(1000000) /* definitions that may be missing; of more the base is not believed */
#define DEPTH_MOST 4096u	    /* of a node: what can be open in a thread at once */

/* A recording defines at most DEFINED_MOST things, and DEFINED_PER_BYTE more
 * for each byte of the file. A node that zstd has compressed takes more than
 * one byte, because no two nodes have the same parent, zone and line. */
#define DEFINED_MOST	 (UINT32_C(1) << 19)
#define DEFINED_PER_BYTE 2u

#define LATE_MOST 1024u	    /* events that one that comes late moves, on average */
#define LOSSES_MOST 256u	    /* causes of losses: each is looked for among all */
#define LOSS_MOST (RECORDING_TICK_MOST / LOSSES_MOST) /* so their sum is a number, too */
#define KEY_MOST 64u
#define MODULES_MOST 4096u /* each is looked for among all */

static bool is_key(const char *key);

/* ---- indices */

static uint32_t map_at(const struct player_map *m, uint64_t index)
{
	return index < m->count ? m->at[index] : PROFILE_NONE;
}

static bool map_add(struct player *p, struct player_map *m, uint32_t index)
{
	if (!array_reserve(&m->at, &m->capacity, (uint64_t)m->count + 1, sizeof(*m->at))) {
		p->no_memory = true;
		return false;
	}
	m->at[m->count++] = index;
	return true;
}

/* Adds what an item defines; `index` is PROFILE_NONE if the item was refused.
 * False: out of memory, or the recording defines too much. Then nothing behind
 * the item is read, because its indices would be wrong. */
static bool map_define(struct player *p, struct player_map *m, uint32_t index)
{
	p->given_up = p->defined >= DEFINED_MOST + DEFINED_PER_BYTE * p->reached_byte;
	p->defined++;
	return !p->given_up && map_add(p, m, index);
}

/* Items that were defined in missing blocks are known by their number alone. */
static bool map_reach(struct player *p, struct player_map *m, uint64_t base)
{
	uint64_t had = m->count;

	if (base < had || base - had > LOST_MOST - p->lost)
		return false;
	p->lost += (uint32_t)(base - had);
	for (; had < base; had++) {
		if (!map_add(p, m, PROFILE_NONE))
			return false;
		if (m != &p->nodes)
			continue;
		if (!map_add(p, &p->depths, 0))
			return false;
		if (!code_node(&p->code, CODE_LOST)) {
			p->no_memory = true;
			return false;
		}
	}
	return true;
}

static bool take_base(struct player *p, struct taking *t)
{
	if (!p->zones.count && !map_add(p, &p->zones, PROFILE_NO_ZONE))
		return false;
	return map_reach(p, &p->zones, taking_number(t)) && map_reach(p, &p->threads, taking_number(t)) &&
	       map_reach(p, &p->nodes, taking_number(t)) && map_reach(p, &p->counters, taking_number(t)) &&
	       map_reach(p, &p->tracks, taking_number(t)) && map_reach(p, &p->events, taking_number(t)) &&
	       (taking_is_over(t) ||
		(map_reach(p, &p->measures, taking_number(t)) && map_reach(p, &p->modules, taking_number(t))));
}

/* Flags that are known; later versions may set others. */
static unsigned taking_flags(struct taking *t, unsigned known)
{
	return (unsigned)taking_number(t) & known;
}

/* Sums and differences of such ticks are ticks. */
static bool is_tick(int64_t tick)
{
	return tick >= 0 && tick <= RECORDING_TICK_MOST;
}

/* Raises a sum, which views make as well. False: they could not. */
static bool raise_sum(int64_t *sum, int64_t more)
{
	if (more > RECORDING_TICK_MOST - *sum)
		return false;
	*sum += more;
	return true;
}

/* ---- who it is of */

static double take_real(struct taking *t)
{
	struct taking part = taking_part(t, 8);
	uint64_t bits = 0;
	double value;

	for (unsigned i = 0; part.at < part.end; i += 8)
		bits |= (uint64_t)*part.at++ << i;
	memcpy(&value, &bits, sizeof(value));
	return value >= 0 && value < 1e12 ? value : 0;
}

static bool take_string(struct taking *t, char **field)
{
	const char *text = taking_text(t);

	return text && profile_text(field, text);
}

/* Takes a text that reports print as it is: one of proftop's own words. A damaged file may have anything there,
 * so the text is made safe. */
static bool take_safe(struct taking *t, char **field)
{
	const char *text = taking_text(t);
	char *safe = text ? name_safe(text, false) : NULL;
	bool done = safe && profile_text(field, safe);

	free(safe);
	return done;
}

static bool take_process(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	struct profile_process *process = &profile->process;
	uint64_t rate = taking_number(t);

	if (rate < 1 || rate > UINT64_C(1000000000000))
		return false;
	profile->ticks_per_s = rate;
	/* The source is shown by the name of the recording. */
	if (!taking_text(t) || !take_string(t, &process->program) || !take_string(t, &process->command) ||
	    !take_safe(t, &process->clock))
		return false;
	process->pid = taking_signed(t);
	process->uid = taking_signed(t);
	p->state = taking_index(t, PROFILE_FILE + 1);
	process->stopped = taking_index(t, 2);
	process->started_ns = taking_signed(t);
	process->size = taking_signed(t);
	process->pair_ns = take_real(t);
	process->pair_cold_ns = take_real(t);
	process->known_tick = taking_signed(t);
	p->real_ns = taking_signed(t);
	if (!is_tick(process->known_tick) || !is_tick(p->real_ns))
		process->known_tick = p->real_ns = 0;
	if (!taking_is_over(t) && taking_number(t) & 1)
		profile_lack_calls(profile);
	return !t->failed;
}

/* ---- what is defined */

#define NAMES_BYTES (UINT64_C(256) << 20) /* Regions and traces have less. A small recording may unpack to gigabytes */

/* NULL: there is none, or the names are too long together. */
static const char *take_name(struct player *p, struct taking *t)
{
	const char *name = taking_text(t);

	p->name_bytes += name ? strlen(name) + 1 : 0;
	return p->name_bytes <= NAMES_BYTES ? name : NULL;
}

static bool take_module(struct player *p, struct taking *t)
{
	const char *path = take_name(p, t), *build = take_name(p, t);
	uint64_t address = taking_number(t), size = taking_number(t);
	uint32_t module = path && build && !t->failed && p->modules.count < MODULES_MOST
				  ? profile_add_module(p->source.profile, path, build, address, size) : PROFILE_NONE;

	return map_define(p, &p->modules, module) && module != PROFILE_NONE;
}

struct place {
	const char *name, *file;
	uint32_t line;
};

/* If its module is lost, a zone is known by its name alone. */
static uint32_t add_address(struct player *p, uint64_t module, uint64_t offset, uint32_t flags, const struct place *place)
{
	struct profile *profile = p->source.profile;
	uint32_t of = map_at(&p->modules, module), zone;

	if (of == PROFILE_NONE)
		return profile_add_zone(profile, place->name, place->file, place->line, flags);
	zone = profile_add_address_zone(profile, of, offset, flags);
	if (zone != PROFILE_NONE && (strcmp(profile->zones[zone].name, place->name) || *place->file))
		profile_rename_zone(profile, zone, place->name, place->file, place->line);
	return zone;
}

static bool take_rename(struct player *p, struct taking *t)
{
	uint32_t zone = map_at(&p->zones, taking_number(t));
	const char *name = take_name(p, t), *file = take_name(p, t);
	uint32_t line = (uint32_t)taking_number(t);

	return name && file && !t->failed && zone != PROFILE_NONE &&
	       profile_rename_zone(p->source.profile, zone, name, file, line);
}

static bool take_zone(struct player *p, struct taking *t)
{
	const char *name = take_name(p, t), *file = take_name(p, t);
	uint32_t line = (uint32_t)taking_number(t), flags = taking_flags(t, ZONE_WAITING | ZONE_PUBLIC | ZONE_FUNCTION), zone = PROFILE_NONE;
	uint64_t module = taking_is_over(t) ? 0 : taking_number(t), offset = taking_is_over(t) ? 0 : taking_number(t);

	if (name && file && !t->failed && module)
		zone = add_address(p, module - 1, offset, flags, &(struct place){ name, file, line });
	else if (name && file && !t->failed)
		zone = profile_add_zone(p->source.profile, name, file, line, flags);
	return map_define(p, &p->zones, zone) && zone != PROFILE_NONE;
}

static bool add_node(struct player *p, uint32_t node, uint32_t parent)
{
	uint32_t depth = parent < p->depths.count ? p->depths.at[parent] + 1 : 0;

	if (!map_define(p, &p->nodes, node) || !map_add(p, &p->depths, depth))
		return false;
	if (code_node(&p->code, parent))
		return node != PROFILE_NONE;
	p->no_memory = true;
	return false;
}

/* A new one, whose root is the next node, or what one is now. */
static bool take_thread(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	uint64_t index = taking_number(t), id = taking_number(t);
	int64_t tid = taking_signed(t);
	const char *name = taking_text(t);
	bool is_new = index == p->threads.count;
	uint32_t thread;

	if (!name || index > p->threads.count)
		return false;
	thread = profile_add_thread(profile, id, tid, name);
	if (is_new && (!map_define(p, &p->threads, thread) ||
		       !add_node(p, thread == PROFILE_NONE ? PROFILE_NONE : profile->threads[thread].root, PROFILE_NONE)))
		return false;
	if (thread == PROFILE_NONE || map_at(&p->threads, index) != thread)
		return false;
	struct profile_thread *to = &profile->threads[thread];
	unsigned flags;

	to->state = taking_index(t, THREAD_AGGREGATE + 1);
	flags = taking_flags(t, 3);
	to->marking = flags & 1;
	to->several = flags & 2;
	to->unread = taking_index(t, THREAD_DAMAGED + 1);
	int64_t first_tick = taking_signed(t), time = taking_signed(t);
	uint64_t lane = taking_is_over(t) ? PROFILE_THREAD : taking_number(t);

	to->lane = lane < PROFILE_LANE ? (enum profile_lane)lane : PROFILE_LANE;
	if (!t->failed && is_tick(first_tick) && is_tick(time) && raise_sum(&p->times, time - to->time))
		profile_set_time(profile, thread, first_tick, time);
	return !t->failed;
}

static bool take_node(struct player *p, struct taking *t)
{
	uint64_t parent = taking_number(t), zone = taking_number(t), line = taking_is_over(t) ? 0 : taking_number(t);
	uint32_t node = PROFILE_NONE;

	if (!t->failed && map_at(&p->nodes, parent) != PROFILE_NONE && p->depths.at[parent] < DEPTH_MOST &&
	    map_at(&p->zones, zone) != PROFILE_NONE)
		node = profile_add_line_node(p->source.profile, map_at(&p->nodes, parent), map_at(&p->zones, zone), (uint32_t)line);
	return add_node(p, node, node == PROFILE_NONE ? CODE_LOST : (uint32_t)parent) && node != PROFILE_NONE;
}

/* An older proftop did not write it. */
static void take_unit(struct taking *t, struct profile_counter *counter)
{
	const char *unit = taking_is_over(t) ? NULL : taking_text(t);

	if (unit && strlen(unit) < sizeof(counter->unit))
		strcpy(counter->unit, unit);
}

static bool take_counter(struct player *p, struct taking *t)
{
	const char *name = take_name(p, t);
	unsigned flags = taking_flags(t, 7);
	uint32_t counter = name && !t->failed
				   ? profile_add_counter(p->source.profile, name, flags & 1, flags & 2) : PROFILE_NONE;

	if (counter != PROFILE_NONE) {
		p->source.profile->counters[counter].total = flags & 4;
		take_unit(t, &p->source.profile->counters[counter]);
	}
	return map_define(p, &p->counters, counter) && counter != PROFILE_NONE;
}

static bool take_event(struct player *p, struct taking *t)
{
	const char *name = take_name(p, t);
	uint32_t event = name ? profile_add_event(p->source.profile, name) : PROFILE_NONE;

	return map_define(p, &p->events, event) && event != PROFILE_NONE;
}

/* A new one, or whose one is now. */
static bool take_track(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	uint64_t index = taking_number(t), counter = taking_number(t), whose = taking_number(t);
	int64_t born = taking_signed(t);
	unsigned flags = taking_flags(t, 3);
	uint32_t of = map_at(&p->counters, counter), thread = whose ? map_at(&p->threads, whose - 1) : PROFILE_NONE;
	bool sound = !t->failed && of != PROFILE_NONE && (!whose || thread != PROFILE_NONE);

	if (index > p->tracks.count)
		return false;
	if (index == p->tracks.count)
		return map_define(p, &p->tracks, sound ? profile_add_track(profile, of, thread, born) : PROFILE_NONE) && sound;
	if (!sound || map_at(&p->tracks, index) == PROFILE_NONE)
		return false;
	profile->counters[of].summed = flags & 1;
	if (!taking_is_over(t)) {
		profile->counters[of].total = flags & 2;
		take_unit(t, &profile->counters[of]);
	}
	if (whose)
		profile_own_track(profile, map_at(&p->tracks, index), thread);
	return true;
}

/* ---- frames */

static bool is_time(int64_t begin, int64_t length)
{
	return is_tick(begin) && length >= 0 && length <= RECORDING_TICK_MOST - begin;
}

static bool take_frame(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	uint64_t number = p->frame + (uint64_t)taking_signed(t);
	int64_t start = (int64_t)((uint64_t)p->frame_end + (uint64_t)taking_signed(t)), length = taking_signed(t);
	uint32_t flags = taking_flags(t, FRAME_TIMER * 2 - 1);
	const char *name = taking_text(t);
	bool done;

	if (!name || !number || number > INT64_MAX || !is_time(start, length))
		return false;
	p->frame = number;
	p->frame_end = start + length;
	done = profile_add_frame(profile, number, start, length, flags);
	if (done && *name)
		profile_name_frame(profile, name);
	/* A frame older than the newest one is repeated for its slices alone. */
	return done || (profile->frame_count && number < profile->frames[profile->frame_count - 1].number);
}

static bool is_longest(int64_t ticks)
{
	return is_tick(ticks) || ticks == PROFILE_LONGEST_UNKNOWN;
}

/* Turns ids of the recording into nodes of the profile. False: a node is not known, or a value is impossible. */
static bool map_cells(struct player *p, struct profile_cell *cells, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = map_at(&p->nodes, cells[i].node);

		if (node == PROFILE_NONE || !is_tick(cells[i].self) || !is_tick(cells[i].count) ||
		    !is_longest(cells[i].longest) || !raise_sum(&p->cells_self, cells[i].self) ||
		    !raise_sum(&p->cells_count, cells[i].count))
			return false;
		cells[i].node = node;
	}
	return true;
}

/* ---- measures */

static bool take_measure(struct player *p, struct taking *t)
{
	char *key = taking_text(t), *title = taking_text(t);
	struct profile_measure m = { .key = key, .title = title };
	unsigned flags;
	uint32_t measure = PROFILE_NONE;

	m.unit = (enum measure_unit)taking_index(t, MEASURE_UNITS);
	m.of = (enum measure_of)taking_index(t, MEASURE_OF_SLICE + 1);
	m.combine = (enum measure_combine)taking_index(t, MEASURE_MAX + 1);
	flags = taking_flags(t, 3);
	m.sampled = flags & 1;
	m.absent_is_zero = flags & 2;
	m.period = taking_signed(t);
	if (key && title && !t->failed && is_key(key) && m.period >= 0)
		measure = profile_add_measure(p->source.profile, &m);
	if (measure < MEASURES_CORE)
		measure = PROFILE_NONE;
	return map_define(p, &p->measures, measure) && measure != PROFILE_NONE;
}

static struct profile_column *add_column(struct player *p, uint32_t measure, bool unknown)
{
	struct profile_column *column = measure_columns_add(&p->columns, measure);

	p->no_memory |= !column;
	if (column)
		column->unknown = unknown;
	return column;
}

/* The cells of the newest column. False: they are none, or no memory. */
static bool take_column_cells(struct player *p, struct taking *t, uint32_t thread, uint64_t count)
{
	const struct profile *profile = p->source.profile;
	int64_t index = 0;

	for (; count; count--) {
		int64_t value;
		uint32_t node;

		index = (int64_t)((uint64_t)index + (uint64_t)taking_signed(t));
		value = taking_signed(t);
		node = index < 0 ? PROFILE_NONE : map_at(&p->nodes, (uint64_t)index);
		if (t->failed || node == PROFILE_NONE || profile->nodes[node].thread != thread || !is_tick(value) ||
		    !raise_sum(&p->amounts, value))
			return false;
		if (!measure_columns_add_cell(&p->columns, node, value))
			return !(p->no_memory = true);
	}
	return true;
}

/* Columns of the part. What is behind damage is not known. False: no memory. */
static bool take_columns(struct player *p, struct taking *t, struct profile_part *part)
{
	uint64_t count = taking_is_over(t) ? 0 : taking_number(t), seen = 0;
	bool whole = true;

	measure_columns_clear(&p->columns);
	for (uint64_t i = 0; i < count && whole; i++) {
		uint32_t measure = map_at(&p->measures, taking_number(t));
		bool unknown = taking_flags(t, 1), wanted;

		if (!add_column(p, measure, unknown))
			return false;
		whole = take_column_cells(p, t, part->thread, taking_number(t)) && !t->failed;
		wanted = whole && measure != PROFILE_NONE && !(seen >> measure & 1);
		if (!wanted || unknown)
			measure_columns_forget(&p->columns);
		if (wanted)
			seen |= UINT64_C(1) << measure;
		else
			p->columns.count--;
	}
	p->damaged += !whole;
	for (uint32_t i = MEASURES_CORE; !whole && i < p->source.profile->measure_count; i++)
		if (!(seen >> i & 1) && !add_column(p, i, true))
			return false;
	measure_columns_settle(&p->columns);
	part->columns = p->columns.columns;
	part->column_count = p->columns.count;
	return !p->no_memory;
}

static bool take_amounts(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	uint32_t measure = map_at(&p->measures, taking_number(t)), node, thread;
	uint64_t count = taking_number(t), index = 0, i;
	int64_t amount;

	if (t->failed || measure == PROFILE_NONE)
		return false;
	for (i = 0; i < count; i++) {
		index += taking_number(t);
		amount = taking_signed(t);
		node = map_at(&p->nodes, index);
		if (t->failed || node == PROFILE_NONE || !is_tick(amount) ||
		    !raise_sum(&p->amounts, amount - profile_amount_of(profile, node, measure)) ||
		    !profile_set_amount(profile, node, measure, amount))
			return false;
	}
	count = taking_number(t);
	for (i = 0; i < count; i++) {
		thread = map_at(&p->threads, taking_number(t));
		if (t->failed || thread == PROFILE_NONE || !profile_lack_amount(profile, thread, measure))
			return false;
	}
	return true;
}

static bool take_part(struct player *p, struct taking *t)
{
	uint64_t number = taking_number(t);
	struct profile_part part = { .thread = map_at(&p->threads, taking_number(t)) };
	const struct profile_cell *cells;

	part.flags = taking_flags(t, PART_LOSSY * 2 - 1);
	part.first_frame = number - (uint64_t)taking_signed(t);
	part.bound = taking_signed(t);
	part.end = (int64_t)((uint64_t)part.bound + (uint64_t)taking_signed(t));
	if (t->failed || part.thread == PROFILE_NONE || part.first_frame > number || !is_tick(part.bound) ||
	    !is_tick(part.end) || part.end < part.bound)
		return false;
	if (!code_take_cells(&p->code, t, &cells, &part.cell_count) || !map_cells(p, p->code.cells, part.cell_count)) {
		part.flags = PART_MISSING; /* that there was one is known */
		part.first_frame = number;
		part.cell_count = 0;
		profile_set_part(p->source.profile, number, &part);
		return false;
	}
	part.cells = p->code.cells;
	if (!take_columns(p, t, &part))
		return false;
	/* A frame that left in the meantime takes none any more, which is no fault of the recording. */
	return profile_set_part(p->source.profile, number, &part) || !profile_find_frame(p->source.profile, number);
}

/* ---- values, events and notes */

static struct profile_change take_change_of(struct taking *t)
{
	struct profile_change c = { .tick = taking_signed(t) };

	c.lost = taking_index(t, 2);
	c.last.whole = taking_signed(t);
	c.least.whole = taking_signed(t);
	c.most.whole = taking_signed(t);
	if (!is_tick(c.tick))
		t->failed = true;
	return c;
}

/* Whether a change at this tick comes behind all changes of the track. A last
 * change that only says that values are missing does not count. Any other place
 * would move the changes behind it. */
static bool is_newest(const struct profile_track *track, int64_t tick)
{
	uint32_t count = track->change_count;

	count -= count && track->changes[count - 1].lost;
	return !count || track->changes[count - 1].tick <= tick;
}

void player_items_missing(struct player *p, int64_t first, int64_t last)
{
	struct profile *profile = p->source.profile;

	for (uint32_t i = 0; i < profile->track_count; i++) {
		const struct profile_track *track = &profile->tracks[i];
		struct profile_change lost = track->now;

		lost.lost = true;
		lost.tick = track->change_count ? track->changes[track->change_count - 1].tick + 1 : 0;
		lost.tick = lost.tick < first ? first : lost.tick;
		p->no_memory |= !profile_add_change(profile, i, &lost);
		profile_set_now(profile, i, &lost, track->run_least, track->run_most);
	}
	profile_set_instants_from(profile, last);
}

static bool take_change(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	uint32_t track = map_at(&p->tracks, taking_number(t));
	struct profile_change change = take_change_of(t);

	return !t->failed && track != PROFILE_NONE && is_newest(&profile->tracks[track], change.tick) &&
	       profile_add_change(profile, track, &change);
}

static bool take_now(struct player *p, struct taking *t)
{
	uint32_t track = map_at(&p->tracks, taking_number(t));
	struct profile_change now = take_change_of(t);
	union profile_number least = { .whole = taking_signed(t) }, most = { .whole = taking_signed(t) };

	if (t->failed || track == PROFILE_NONE)
		return false;
	profile_set_now(p->source.profile, track, &now, least, most);
	return true;
}

/* One that is late moves all behind it. Some are, but a file of nothing else would take for ever. */
static bool is_too_late(struct player *p, int64_t tick)
{
	const struct profile *profile = p->source.profile;

	p->late += profile->instant_count - SEARCH(i, 0, profile->instant_count, profile->instants[i].tick <= tick);
	p->instants++;
	return p->late > LATE_MOST * (p->instants + PROFILE_INSTANTS);
}

static bool take_instant(struct player *p, struct taking *t)
{
	int64_t tick = taking_signed(t);
	uint32_t thread = map_at(&p->threads, taking_number(t)), event = PROFILE_NONE;
	uint64_t name = taking_number(t);
	bool cut = taking_index(t, 2);
	const char *text = taking_text(t);

	if (name)
		event = map_at(&p->events, name - 1);
	return text && is_tick(tick) && thread != PROFILE_NONE && (!name || event != PROFILE_NONE) && !is_too_late(p, tick) &&
	       profile_add_instant(p->source.profile, tick, thread, event, name ? NULL : text, cut);
}

/* ---- the whole run */

static bool is_total(const struct profile_total *t)
{
	return is_tick(t->self) && is_tick(t->count) && is_longest(t->longest) && t->running_self <= t->self &&
	       t->running_count <= t->count && t->running_self >= -RECORDING_TICK_MOST &&
	       t->running_count >= -RECORDING_TICK_MOST;
}

/* In the place of what it was. */
static bool set_total(struct player *p, uint32_t node, const struct profile_total *now)
{
	struct profile_total *was = &p->source.profile->totals[node];

	if (!raise_sum(&p->totals_self, now->self - was->self) || !raise_sum(&p->totals_count, now->count - was->count))
		return false;
	*was = *now;
	return true;
}

static bool take_totals(struct player *p, struct taking *t)
{
	uint64_t count = taking_number(t), index = 0;

	if (count > (uint64_t)(t->end - t->at))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		struct profile_total total;
		uint32_t node;

		index += taking_number(t);
		node = map_at(&p->nodes, index);
		total.self = taking_signed(t);
		total.count = taking_signed(t);
		total.longest = taking_signed(t);
		total.running_self = taking_signed(t);
		total.running_count = taking_signed(t);
		if (t->failed || node == PROFILE_NONE || !is_total(&total) || !set_total(p, node, &total))
			return false;
	}
	return true;
}

static bool take_pass(struct player *p, struct taking *t)
{
	uint32_t node = map_at(&p->nodes, taking_number(t));
	uint32_t heir = map_at(&p->nodes, taking_number(t));

	if (t->failed || node == PROFILE_NONE || heir == PROFILE_NONE || node == heir)
		return false;
	profile_pass_total(p->source.profile, node, heir);
	return true;
}

static bool take_run(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	int64_t first = taking_signed(t), now = taking_signed(t), run_tick, run_end, began, instants;
	uint64_t ended = taking_number(t), unseen = taking_number(t), run_frames;

	run_tick = taking_signed(t);
	run_frames = taking_number(t);
	run_end = taking_signed(t);
	began = taking_signed(t);
	instants = taking_signed(t);
	if (t->failed || !is_tick(first) || !is_tick(now) || now < first || !is_tick(run_tick) || !is_tick(run_end) ||
	    !is_tick(began) || ended > INT64_MAX || unseen > INT64_MAX || run_frames > INT64_MAX)
		return false;
	p->runs++;
	profile->first_tick = first;
	profile->now_tick = now;
	profile->frames_ended = ended;
	profile->unseen_frames = unseen;
	profile->run_tick = run_tick;
	profile->run_frames = run_frames;
	profile->run_end = run_end;
	profile->frame_began = began;
	profile_set_instants_from(profile, instants);
	if (!take_string(t, &profile->left_open))
		return false;
	profile->unplaced = taking_is_over(t) ? UINT64_MAX : taking_number(t); /* an older proftop did not write it */
	profile->run_ended = taking_is_over(t) ? 0 : taking_number(t); /* nor this */
	if (profile->run_ended > INT64_MAX)
		return false;
	return !t->failed;
}

/* True if the text is a valid key: reports print keys as they are. */
static bool is_key(const char *key)
{
	size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return length && length <= KEY_MOST && !key[length];
}

/* A terminal must not obey the sentence. */
static bool take_loss(struct player *p, struct taking *t)
{
	struct profile *profile = p->source.profile;
	const char *key = taking_text(t), *told = taking_text(t);
	char *sentence = told ? name_safe(told, false) : NULL;
	uint64_t count = taking_number(t);
	bool done = key && sentence && !t->failed && is_key(key) && count <= LOSS_MOST;

	if (done && !strcmp(key, RECORDING_LEFT_OUT))
		profile->left_out_frames = count;
	else
		done = done && profile->loss_count < LOSSES_MOST && profile_set_loss(profile, key, sentence, count);
	free(sentence);
	return done;
}

static bool take_stack(struct player *p, struct taking *t)
{
	uint32_t thread = map_at(&p->threads, taking_number(t));
	struct source_stack stack = { .last = taking_signed(t) };
	uint64_t count;

	stack.now = taking_signed(t);
	stack.busy = taking_index(t, 2);
	count = taking_number(t);

	if (t->failed || thread == PROFILE_NONE || count > (uint64_t)(t->end - t->at) || !is_tick(stack.last) ||
	    !is_tick(stack.now) ||
	    !array_reserve_zeroed(&p->stacks, &p->stack_count, p->source.profile->thread_count, sizeof(*p->stacks)))
		return false;
	stack.zones = array_zeroed(count, sizeof(*stack.zones));
	if (!stack.zones)
		return false;
	for (; stack.count < count; stack.count++) {
		struct source_open *open = &stack.zones[stack.count];

		open->node = map_at(&p->nodes, taking_number(t));
		open->entered = taking_signed(t);
		if (t->failed || !is_tick(open->entered) || open->node == PROFILE_NONE ||
		    p->source.profile->nodes[open->node].thread != thread) {
			free(stack.zones);
			return false;
		}
	}
	free(p->stacks[thread].stack.zones);
	p->stacks[thread] = (struct player_stack){ stack, true };
	return true;
}

/* ---- all of a block */

static bool (*const takers[])(struct player *, struct taking *) = {
	[ITEM_BASE] = take_base,       [ITEM_PROCESS] = take_process, [ITEM_ZONE] = take_zone,
	[ITEM_THREAD] = take_thread,   [ITEM_NODE] = take_node,	      [ITEM_COUNTER] = take_counter,
	[ITEM_TRACK] = take_track,     [ITEM_EVENT] = take_event,     [ITEM_FRAME] = take_frame,
	[ITEM_PART] = take_part,       [ITEM_CHANGE] = take_change,   [ITEM_NOW] = take_now,
	[ITEM_INSTANT] = take_instant, [ITEM_TOTALS] = take_totals,   [ITEM_PASS] = take_pass,
	[ITEM_RUN] = take_run,	       [ITEM_LOSS] = take_loss,	      [ITEM_STACK] = take_stack,
	[ITEM_MEASURE] = take_measure, [ITEM_MODULE] = take_module,   [ITEM_AMOUNTS] = take_amounts,
	[ITEM_RENAME] = take_rename,
};

void player_items(struct player *p, struct taking t)
{
	p->frame = 0;
	p->frame_end = 0;
	while (!taking_is_over(&t) && !p->no_memory && !p->given_up) {
		uint64_t kind = taking_number(&t);
		struct taking item = taking_part(&t, taking_number(&t));

		if (kind < sizeof(takers) / sizeof(*takers) && takers[kind] && !takers[kind](p, &item))
			p->damaged++;
	}
	p->damaged += t.failed;
	if (p->given_up)
		player_items_missing(p, p->reached, p->reached);
}

void player_items_fini(struct player *p)
{
	struct player_map *maps[] = { &p->zones,  &p->threads,  &p->nodes,   &p->counters, &p->tracks,
				      &p->events, &p->measures, &p->modules, &p->depths };

	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		free(maps[i]->at);
		*maps[i] = (struct player_map){ 0 };
	}
	for (uint32_t i = 0; i < p->stack_count; i++)
		free(p->stacks[i].stack.zones);
	free(p->stacks);
	p->stacks = NULL;
	p->stack_count = 0;
	measure_columns_fini(&p->columns);
	p->cells_self = p->cells_count = p->totals_self = p->totals_count = p->times = p->amounts = 0;
}
