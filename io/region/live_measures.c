/* SPDX-License-Identifier: MIT */
/*
 * live_measures: measures of a region, as rows, columns and amounts of the profile.
 *
 * A row that cannot be read, or that the profile has no room for, is passed over with all its values. An amount below 0
 * is not shown: what it is of is unknown.
 */
#include "io/region/live_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

#define NO_MEASURE (PROFILE_NONE - 1) /* it is passed over */

/* ---- rows */

static uint32_t read_row(struct live *l, uint32_t index)
{
	static const enum measure_unit units[] = { [REGION_TICKS] = MEASURE_TICKS, [REGION_COUNT] = MEASURE_COUNT,
						   [REGION_BYTES] = MEASURE_BYTES, [REGION_NS] = MEASURE_NS,
						   [REGION_SAMPLES] = MEASURE_SAMPLES };
	struct snapshot_measure row;
	struct profile_measure measure;
	char text[2 * (REGION_TEXT_MOST + 1)]; /* key and title */
	uint32_t made;

	if (!snapshot_measure(&l->a, index, &row, text, sizeof(text)) || !live_name_fits(l, row.key, row.title) ||
	    strspn(row.key, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(row.key))
		return NO_MEASURE;
	measure = (struct profile_measure){ .key = (char *)row.key, .title = (char *)row.title, .unit = units[row.unit],
					    .of = row.of == REGION_OF_SLICE ? MEASURE_OF_SLICE : MEASURE_OF_NODE,
					    .combine = row.combine == REGION_MAX ? MEASURE_MAX : MEASURE_SUM,
					    .sampled = row.flags & REGION_SAMPLED, .period = row.period,
					    .absent_is_zero = row.flags & REGION_ABSENT_IS_ZERO };
	made = profile_add_measure(l->source.profile, &measure);
	return made >= MEASURES_CORE && made != PROFILE_NONE ? made : NO_MEASURE;
}

/* The measure of the profile; NO_MEASURE: none. */
static uint32_t measure_of(struct live *l, uint32_t index)
{
	if (index >= l->measure_count)
		return NO_MEASURE;
	if (l->measures[index] == PROFILE_NONE)
		l->measures[index] = read_row(l, index);
	return l->measures[index];
}

/* Rows are known before they have values, so that their columns stand from the first frame on. */
void live_read_measures(struct live *l)
{
	for (uint32_t i = 0; i < l->process.measures; i++)
		measure_of(l, i);
}

/* ---- columns */

static struct profile_column *add_column(struct live *l, struct measure_columns *c, uint32_t measure)
{
	struct profile_column *column = measure_columns_add(c, measure);

	live_held(l, column);
	return column;
}

/* An amount of the column that was added last. False: no memory. */
static bool add_amount(struct live *l, struct measure_columns *c, struct profile_column *column, uint32_t node, int64_t amount)
{
	if (column->unknown)
		return true;
	if (amount < 0 || !live_within(&l->amounts, (uint64_t)amount)) {
		measure_columns_forget(c);
		return true;
	}
	return live_held(l, measure_columns_add_cell(c, node, amount));
}

static bool take_group(struct live *l, struct block *b, bool owner, const struct record_group *group, struct measure_columns *c)
{
	uint32_t measure = measure_of(l, group->measure);
	struct profile_column *column;

	for (uint32_t i = 0; i < c->count; i++)
		if (c->columns[i].measure == measure)
			return true; /* damage: a group comes once */
	if (measure == NO_MEASURE || group->of_slice != (l->source.profile->measures[measure].of == MEASURE_OF_SLICE))
		return true;
	column = add_column(l, c, measure);
	if (!column)
		return false;
	column->unknown = group->unknown;
	for (uint32_t i = 0; i < group->count; i++) {
		uint32_t node = live_node(l, b, owner, group->of_slice ? 0 : group->values[i].node);

		if (node == PROFILE_NONE || !add_amount(l, c, column, node, group->values[i].value))
			return false;
	}
	return true;
}

bool live_take_groups(struct live *l, struct block *b, bool owner, const struct record_head *head)
{
	measure_columns_clear(&l->columns);
	for (uint32_t i = 0; i < head->group_count; i++) {
		bool torn = head->kind == RECORD_SPAN && !head->groups[i].of_slice; /* damage: a span has no nodes */

		if (!torn && !take_group(l, b, owner, &head->groups[i], &l->columns))
			return false;
	}
	measure_columns_settle(&l->columns);
	return true;
}

/* All measures unknown: a part that was worked out from totals alone. */
bool live_unknown_columns(struct live *l)
{
	measure_columns_clear(&l->columns);
	for (uint32_t i = MEASURES_CORE; i < l->source.profile->measure_count; i++) {
		struct profile_column *column = add_column(l, &l->columns, i);

		if (!column)
			return false;
		column->unknown = true;
	}
	return true;
}

/* True if some of this measure of the region was lost. */
static bool lacks_measure(uint64_t bits, uint32_t index)
{
	return index < 64 && bits >> index & 1;
}

/* ---- what is not published yet */

/* A column for a measure of the region, if there is anything to say. Its values may lie in several chunks. */
static bool infer_column(struct live *l, struct measure_columns *c, const struct snapshot_measures *m, uint32_t index)
{
	uint32_t measure = measure_of(l, index);
	struct profile_column *column = NULL;

	if (measure == NO_MEASURE)
		return true;
	if (lacks_measure(m->unmeasured, index) && (column = add_column(l, c, measure)))
		column->unknown = true; /* perhaps it was lost in a slice before: nothing says so */
	for (uint32_t i = 0; i < m->count && !l->memory; i++) {
		const struct snapshot_measured *value = &m->values[i];

		if (value->measure != index || !value->running)
			continue;
		if (!column && !(column = add_column(l, c, measure)))
			return false;
		if (!add_amount(l, c, column, value->node, value->running))
			return false;
	}
	return !l->memory;
}

bool live_infer_columns(struct live *l, struct block *b, uint64_t epoch)
{
	struct measure_columns *c = &b->guess.columns;
	struct snapshot_measures *m = &l->block_measures;

	measure_columns_clear(c);
	if (!l->process.measures)
		return true;
	if (snapshot_measures(&l->a, b->index, m) != SNAPSHOT_OK || m->generation != b->generation || m->epoch != epoch ||
	    m->in_flight)
		return false;
	for (uint32_t i = 0; i < l->process.measures; i++)
		if (!infer_column(l, c, m, i))
			return false;
	for (uint32_t i = 0; i < c->cell_count; i++) {
		c->nodes[i] = live_node(l, b, true, c->nodes[i]);
		if (c->nodes[i] == PROFILE_NONE)
			return false;
	}
	measure_columns_settle(c);
	return true;
}

/* ---- what came between two readings of all values */

/* By node, what the measure had at the reading before; 0 where there was none. */
static bool amounts_before(struct live *l, const struct snapshot_measures *before, uint32_t index, uint32_t nodes)
{
	if (!live_held(l, array_reserve(&l->before, &l->before_capacity, nodes, sizeof(*l->before))))
		return false;
	if (nodes)
		memset(l->before, 0, nodes * sizeof(*l->before));
	for (uint32_t i = 0; before && i < before->count; i++)
		if (before->values[i].measure == index && before->values[i].node < nodes)
			l->before[before->values[i].node] = before->values[i].owner;
	return true;
}

/* A maximum that did not grow is of the time before, or is not known. */
static bool add_difference(struct live *l, struct block *b, uint32_t index, const struct snapshot_measures *before,
			   const struct snapshot_measures *now)
{
	uint32_t measure = measure_of(l, index), nodes = snapshot_node_number(&l->a, b->index);
	struct profile_column *column = NULL;

	if (measure == NO_MEASURE || !amounts_before(l, before, index, nodes))
		return !l->memory;
	bool is_max = l->source.profile->measures[measure].combine == MEASURE_MAX;

	if (lacks_measure(now->unmeasured, index) && (column = add_column(l, &l->columns, measure)))
		column->unknown = true;
	for (uint32_t i = 0; i < now->count && !l->memory; i++) {
		const struct snapshot_measured *value = &now->values[i];
		int64_t was = value->node < nodes ? l->before[value->node] : value->owner;
		uint32_t node;

		if (value->measure != index || value->owner == 0 || value->read || (value->owner == was && !is_max))
			continue; /* between two looks, a reading may be of more than that, or missing */
		node = live_node(l, b, true, value->node);
		if (node == PROFILE_NONE || (!column && !(column = add_column(l, &l->columns, measure))) ||
		    !add_amount(l, &l->columns, column, node,
				!is_max ? (int64_t)((uint64_t)value->owner - (uint64_t)was)
				: value->owner > was ? value->owner : -1))
			return false;
	}
	return !l->memory;
}

bool live_difference_columns(struct live *l, struct block *b, const struct snapshot_measures *before,
			     const struct snapshot_measures *now)
{
	measure_columns_clear(&l->columns);
	for (uint32_t i = 0; i < l->process.measures; i++)
		if (!add_difference(l, b, i, before, now))
			return false;
	measure_columns_settle(&l->columns);
	return true;
}

/* ---- the whole run */

#define AMOUNTS_MOST (INT64_MAX / 4) /* views add all of them up */

/* In the place of what the node had. What would be too much is damage, and not known. */
static bool set_run_amount(struct live *l, uint32_t node, uint32_t measure, int64_t amount)
{
	struct profile *p = l->source.profile;
	int64_t others = l->run_amounts - profile_amount_of(p, node, measure);

	if (amount > AMOUNTS_MOST - others)
		return live_held(l, profile_lack_amount(p, p->nodes[node].thread, measure));
	l->run_amounts = others + amount;
	return live_held(l, profile_set_amount(p, node, measure, amount));
}

/* Adds what owners before had to what other blocks gave. */
static bool add_ended(struct live *l, struct block *b, uint32_t measure, uint32_t node, int64_t amount)
{
	struct profile *p = l->source.profile;
	uint32_t to;

	if (amount <= 0)
		return true;
	if (!live_ended_begins(l, b))
		return false;
	to = live_node(l, b, false, node);
	if (to == PROFILE_NONE)
		return false;
	if (p->measures[measure].combine == MEASURE_MAX)
		amount = amount > profile_amount_of(p, to, measure) ? amount : profile_amount_of(p, to, measure);
	else if (amount < INT64_MAX - profile_amount_of(p, to, measure))
		amount += profile_amount_of(p, to, measure);
	return set_run_amount(l, to, measure, amount);
}

static bool set_amount(struct live *l, struct block *b, const struct snapshot_measured *value, bool owned)
{
	uint32_t measure = measure_of(l, value->measure), node;

	if (measure == NO_MEASURE)
		return true;
	if (owned && value->owner >= 0) {
		node = live_node(l, b, true, value->node);
		if (node == PROFILE_NONE || !set_run_amount(l, node, measure, value->owner))
			return false;
	}
	return add_ended(l, b, measure, value->node, value->ended);
}

/* A thread whose interval has ended took no reading since: its amounts are
 * lower bounds. */
static bool lack_since_reading(struct live *l, struct block *b, const struct snapshot_measures *m,
			       const struct snapshot_measured *value, bool owned)
{
	uint32_t measure = measure_of(l, value->measure);

	if (!owned || !value->read || value->owner < 0 || measure == NO_MEASURE || m->epoch >= l->process.epoch)
		return true;
	return live_held(l, profile_lack_amount(l->source.profile, b->thread, measure));
}

/* A thread may have lost its core in the middle of publishing a slice, and get it again only after a while. */
static enum snapshot_result catch_amounts(struct live *l, struct block *b)
{
	enum snapshot_result result = snapshot_measures(&l->a, b->index, &l->block_measures);

	while (result == SNAPSHOT_BUSY && clock_ns(CLOCK_MONOTONIC) < l->read_until_ns) {
		live_nap(TRY_NS);
		result = snapshot_measures(&l->a, b->index, &l->block_measures);
	}
	return result;
}

bool live_read_amounts(struct live *l, struct block *b, bool owned)
{
	struct snapshot_measures *m = &l->block_measures;
	struct profile *p = l->source.profile;
	enum snapshot_result result = l->process.measures ? catch_amounts(l, b) : SNAPSHOT_ABSENT;

	if (result != SNAPSHOT_OK)
		return result != SNAPSHOT_BUSY;
	owned &= m->generation == b->generation && b->thread != PROFILE_NONE;
	for (uint32_t i = 0; i < m->count; i++)
		if (!set_amount(l, b, &m->values[i], owned) || !lack_since_reading(l, b, m, &m->values[i], owned))
			return true;
	for (uint32_t i = 0; i < l->process.measures; i++) {
		uint32_t measure = measure_of(l, i);

		if (measure == NO_MEASURE)
			continue;
		if (owned && lacks_measure(m->unmeasured, i))
			live_held(l, profile_lack_amount(p, b->thread, measure));
		if (lacks_measure(m->unmeasured_ended, i) && live_ended_begins(l, b))
			live_held(l, profile_lack_amount(p, l->ended, measure));
	}
	return true;
}

void live_clear_ended_amounts(struct live *l)
{
	struct profile *p = l->source.profile;

	for (uint32_t m = MEASURES_CORE; m < p->measure_count; m++) {
		for (uint32_t i = 0; i < l->ended_paths.count; i++)
			if (profile_amount_of(p, l->ended_paths.found[i].node, m))
				set_run_amount(l, l->ended_paths.found[i].node, m, 0);
		if (profile_amount_of(p, p->threads[l->ended].root, m))
			set_run_amount(l, p->threads[l->ended].root, m, 0);
	}
}
