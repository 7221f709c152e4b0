/* SPDX-License-Identifier: MIT */
/*
 * live_sums: ticks and entries of all parts together, which tell damage from what a machine can have counted.
 *
 * Each number of a part may be true by itself. Their sum is bounded, as all of them were counted one by one.
 */
#include "io/region/live_inside.h"

#define SUM_MAX ((uint64_t)1 << 62) /* of ticks, of entries, in all that is held: more is damage */

/* False: with this the sums would be beyond what any machine can have counted. */
bool live_within(uint64_t *sum, uint64_t more)
{
	if (more > SUM_MAX || *sum > SUM_MAX - more)
		return false;
	*sum += more;
	return true;
}

/* Adds with saturation. */
static void add_up(uint64_t *sum, uint64_t more)
{
	if (!live_within(sum, more))
		*sum = SUM_MAX + 1;
}

bool live_count_part(struct live *l, int64_t ticks, uint64_t entries)
{
	uint64_t all_ticks = l->part_ticks, all_entries = l->part_entries;

	if (!live_within(&all_ticks, (uint64_t)ticks) || !live_within(&all_entries, entries)) {
		l->damaged_records++;
		return false;
	}
	l->part_ticks = all_ticks;
	l->part_entries = all_entries;
	return true;
}

uint64_t live_entries(const struct profile_cell *cells, uint32_t count)
{
	uint64_t entries = 0;

	for (uint32_t i = 0; i < count; i++)
		add_up(&entries, (uint64_t)cells[i].count);
	return entries;
}

/* Where all are below 2^32 their sum cannot go round. */
uint64_t live_record_entries(const struct record_node *nodes, uint32_t count)
{
	uint64_t entries = 0, bits = 0;

	for (uint32_t i = 0; i < count; i++) {
		entries += nodes[i].count;
		bits |= nodes[i].count;
	}
	if (bits <= UINT32_MAX)
		return entries;
	entries = 0;
	for (uint32_t i = 0; i < count; i++)
		add_up(&entries, nodes[i].count);
	return entries;
}

static void count_waiting(const struct join_record *r, void *context)
{
	struct live *l = context;

	if (r->end > r->bound)
		add_up(&l->part_ticks, (uint64_t)(r->end - r->bound));
	add_up(&l->part_entries, live_entries(r->cells, r->cell_count));
}

static void count_held(struct live *l, const struct profile_held *part)
{
	add_up(&l->part_ticks, (uint64_t)(part->end - part->bound));
	for (uint32_t i = 0; i < part->cell_count; i++)
		add_up(&l->part_entries, (uint64_t)profile_cell(part, i).count);
}

/* A sum is half full after months, or of damage: so the cells are not fetched for this with each drop. */
void live_count_held(struct live *l)
{
	const struct profile *p = l->source.profile;

	if (l->part_ticks <= SUM_MAX / 2 && l->part_entries <= SUM_MAX / 2)
		return;
	l->part_ticks = l->part_entries = 0;
	for (uint32_t i = 0; i < p->frame_count; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++)
			count_held(l, &p->frames[i].parts[k]);
	join_waiting(l->join, count_waiting, l);
}
