/* SPDX-License-Identifier: MIT */
#include "model/profile/measures.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/format.h"
#include "model/profile/profile_inside.h"

const char *const measure_unit_names[MEASURE_UNITS] = {
	[MEASURE_TICKS] = "ticks", [MEASURE_COUNT] = "count",     [MEASURE_BYTES] = "bytes",
	[MEASURE_NS] = "ns",       [MEASURE_SAMPLES] = "samples",
};

static const struct profile_measure core_rows[MEASURES_CORE] = {
	[MEASURE_SELF] = { "self", "SELF", .unit = MEASURE_TICKS, .absent_is_zero = true },
	[MEASURE_ENTRIES] = { "entries", "ENTRIES", .unit = MEASURE_COUNT, .absent_is_zero = true },
	[MEASURE_LONGEST] = { "longest", "LONGEST", .unit = MEASURE_TICKS, .combine = MEASURE_MAX, .absent_is_zero = true },
};

static const struct {
	const char *key, *help;
} helps[] = {
	{ "self", "Time in the zone." },
	{ "entries", "Calls: how often the zone was entered." },
	{ "longest", "The longest single call that ended." },
	{ "samples", "Samples: how often a timer found the thread in the zone." },
	{ "allocs", "Memory allocations." },
	{ "frees", "Blocks of memory that were freed." },
	{ "alloc_bytes", "Allocated memory." },
	{ "freed_bytes", "Freed memory." },
	{ "contended", "How often a lock was held by another thread." },
	{ "cpu", "Time on a core, of the thread as a whole." },
	{ "off_cpu", "Time in which the thread did not run, waiting zones left out: at least this much." },
	{ "run_delay", "Time that the thread waited for a core." },
	{ "voluntary", "How often the thread gave up its core." },
	{ "involuntary", "How often the thread was taken off its core." },
	{ "faults", "Page faults of the thread." },
};

const char *measure_help(const char *key)
{
	for (size_t i = 0; i < sizeof(helps) / sizeof(*helps); i++)
		if (!strcmp(helps[i].key, key))
			return helps[i].help;
	return "";
}

uint64_t measure_per_s(const struct profile *p, uint32_t measure)
{
	switch (p->measures[measure].unit) {
	case MEASURE_TICKS:
		return p->ticks_per_s;
	case MEASURE_NS:
		return 1000000000;
	case MEASURE_BYTES:
		return PER_S_BYTES;
	case MEASURE_COUNT:
	case MEASURE_SAMPLES:
	case MEASURE_UNITS:
		break;
	}
	return PER_S_COUNT;
}

bool measure_is_shown(const struct profile *p, uint32_t measure)
{
	return measure < p->measure_count && p->measures[measure].combine == MEASURE_SUM;
}

uint32_t profile_find_measure(const struct profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->measure_count; i++)
		if (!strcmp(p->measures[i].key, key))
			return i;
	return PROFILE_NONE;
}

uint32_t profile_add_measure(struct profile *p, const struct profile_measure *row)
{
	uint32_t found = profile_find_measure(p, row->key);
	struct profile_measure copy = *row;
	uint64_t need = (uint64_t)p->measure_count + 1;

	if (found != PROFILE_NONE)
		return found;
	if (!*row->key || need > MEASURES_MOST || row->unit >= MEASURE_UNITS ||
	    !array_reserve(&p->measures, &p->store->measure_capacity, need, sizeof(*p->measures)) ||
	    !array_reserve(&p->store->amounts, &p->store->amounts_capacity, need, sizeof(*p->store->amounts)))
		return PROFILE_NONE;
	copy.key = copy.title = NULL;
	if (!profile_text(&copy.key, row->key) ||
	    !profile_text(&copy.title, row->title && *row->title ? row->title : row->key)) {
		free(copy.key);
		return PROFILE_NONE;
	}
	p->measures[p->measure_count] = copy;
	p->store->amounts[p->measure_count] = (struct measure_totals){ 0 };
	return p->measure_count++;
}

bool profile_add_core_measures(struct profile *p)
{
	for (uint32_t i = 0; i < MEASURES_CORE; i++)
		if (profile_add_measure(p, &core_rows[i]) != i)
			return false;
	return true;
}

/* No slice has a column of these two, so where that does not mean 0, nothing is known of them. */
uint32_t profile_find_slice_measure(const struct profile *p, const char *key, enum measure_unit unit, enum measure_combine combine)
{
	uint32_t i = profile_find_measure(p, key);
	const struct profile_measure *m = i != PROFILE_NONE ? &p->measures[i] : NULL;
	bool fits = m && m->of == MEASURE_OF_SLICE && m->unit == unit && m->combine == combine;

	return fits && per_s_is_time(p->ticks_per_s) ? i : PROFILE_NONE;
}

bool profile_slice_amount(const struct profile *p, const struct profile_held *part, uint32_t measure, int64_t *amount)
{
	struct measure_amounts a = { 0 };

	*amount = 0;
	if (measure != PROFILE_NONE)
		a = profile_amounts(p, part, measure);
	for (uint32_t i = 0; a.known && i < a.count; i++)
		*amount += measure_amount(&a, i).value;
	return a.known;
}

void profile_lack_calls(struct profile *p)
{
	p->measures[MEASURE_ENTRIES].absent_is_zero = p->measures[MEASURE_LONGEST].absent_is_zero = false;
}

bool profile_has_calls(const struct profile *p)
{
	return p->measures[MEASURE_ENTRIES].absent_is_zero;
}

/* Totals */

static bool is_column(const struct profile *p, uint32_t measure)
{
	return measure >= MEASURES_CORE && measure < p->measure_count;
}

/* Room for what all nodes and threads have, and zeros for those that came since. */
static bool totals_room(struct profile *p, struct measure_totals *t)
{
	if (!array_reserve(&t->by_node, &t->node_capacity, p->node_count, sizeof(*t->by_node)) ||
	    !array_reserve(&t->said, &t->thread_capacity, p->thread_count, sizeof(*t->said)))
		return false;
	for (; t->node_count < p->node_count; t->node_count++)
		t->by_node[t->node_count] = 0;
	for (; t->thread_count < p->thread_count; t->thread_count++)
		t->said[t->thread_count] = MEASURE_NOT_SAID;
	return true;
}

bool profile_set_amount(struct profile *p, uint32_t node, uint32_t measure, int64_t amount)
{
	struct measure_totals *t = is_column(p, measure) ? &p->store->amounts[measure] : NULL;
	uint32_t thread;

	if (!t || node >= p->node_count || amount < 0 || !totals_room(p, t))
		return false;
	thread = p->nodes[node].thread;
	if (t->said[thread] == MEASURE_NOT_SAID)
		t->said[thread] = MEASURE_SAID;
	t->by_node[node] = amount;
	return true;
}

bool profile_lack_amount(struct profile *p, uint32_t thread, uint32_t measure)
{
	struct measure_totals *t = is_column(p, measure) ? &p->store->amounts[measure] : NULL;

	if (!t || thread >= p->thread_count || !totals_room(p, t))
		return false;
	t->said[thread] = MEASURE_LACKS;
	return true;
}

int64_t profile_amount_of(const struct profile *p, uint32_t node, uint32_t measure)
{
	const struct measure_totals *t;

	if (measure == MEASURE_SELF)
		return p->totals[node].self;
	if (measure == MEASURE_ENTRIES)
		return p->totals[node].count;
	if (measure == MEASURE_LONGEST)
		return p->totals[node].longest;
	t = &p->store->amounts[measure];
	return node < t->node_count ? t->by_node[node] : 0;
}

enum measure_known profile_amount_known(const struct profile *p, uint32_t thread, uint32_t measure)
{
	const struct measure_totals *t = &p->store->amounts[measure];
	enum measure_said said = thread < t->thread_count ? t->said[thread] : MEASURE_NOT_SAID;

	if (said == MEASURE_NOT_SAID)
		return p->measures[measure].absent_is_zero ? MEASURE_KNOWN : MEASURE_UNKNOWN;
	return said == MEASURE_LACKS ? MEASURE_LEAST : MEASURE_KNOWN;
}

bool profile_copy_measures(struct profile *p, const struct profile *from)
{
	for (uint32_t i = 0; i < from->measure_count; i++) {
		const struct measure_totals *old = &from->store->amounts[i];
		struct measure_totals *t;

		if (profile_add_measure(p, &from->measures[i]) != i)
			return false;
		p->measures[i].absent_is_zero = from->measures[i].absent_is_zero;
		t = &p->store->amounts[i];
		if (!old->node_count)
			continue;
		if (!totals_room(p, t))
			return false;
		memcpy(t->by_node, old->by_node, old->node_count * sizeof(*t->by_node));
		memcpy(t->said, old->said, old->thread_count * sizeof(*t->said));
	}
	return true;
}

void profile_free_measures(struct profile *p)
{
	for (uint32_t i = 0; i < p->measure_count; i++) {
		free(p->measures[i].key);
		free(p->measures[i].title);
		free(p->store->amounts[i].by_node);
		free(p->store->amounts[i].said);
	}
	free(p->measures);
	if (p->store)
		free(p->store->amounts);
}

/* Columns of slices. They stand behind the cells, in the same piece of memory: what each column is; the values of all
 * columns; the nodes of all columns. */

static size_t cells_size(const struct profile_held *part)
{
	return part->cell_count * (part->is_wide ? sizeof(struct profile_cell) : sizeof(struct profile_narrow));
}

static size_t columns_start(const struct profile_held *part)
{
	return (cells_size(part) + 7) / 8 * 8;
}

static struct held_column *columns_of(const struct profile_held *part)
{
	return (struct held_column *)(void *)((char *)part->cells.wide + columns_start(part));
}

static uint64_t cells_of_columns(const struct profile_held *part)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < part->column_count; i++)
		count += columns_of(part)[i].cell_count;
	return count;
}

static size_t columns_size(uint32_t columns, uint64_t cells)
{
	return columns * sizeof(struct held_column) + cells * (sizeof(int64_t) + sizeof(uint32_t));
}

size_t profile_cells_size(const struct profile_held *part)
{
	if (!part->column_count)
		return cells_size(part);
	return columns_start(part) + columns_size(part->column_count, cells_of_columns(part));
}

size_t profile_cells_size_for(const struct profile_held *part, const struct profile_part *given)
{
	uint64_t cells = 0;

	if (!part->column_count)
		return cells_size(part);
	for (uint32_t i = 0; i < given->column_count; i++)
		cells += given->columns[i].cell_count;
	return columns_start(part) + columns_size(part->column_count, cells);
}

static bool column_fits(const struct profile *p, const struct profile_part *given, const struct profile_column *column)
{
	bool of_slice;

	if (!is_column(p, column->measure) || (column->unknown && column->cell_count))
		return false;
	of_slice = p->measures[column->measure].of == MEASURE_OF_SLICE;
	if (of_slice && column->cell_count > 1)
		return false;
	for (uint32_t i = 0; i < column->cell_count; i++) {
		if (column->values[i] < 0)
			return false;
		if (!of_slice && (column->nodes[i] >= p->node_count || p->nodes[column->nodes[i]].thread != given->thread))
			return false;
	}
	return true;
}

bool profile_columns_fit(const struct profile *p, const struct profile_part *given)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < given->column_count; i++) {
		if (!column_fits(p, given, &given->columns[i]) || seen >> given->columns[i].measure & 1)
			return false;
		seen |= UINT64_C(1) << given->columns[i].measure;
	}
	return true;
}

void profile_put_columns(const struct profile *p, struct profile_held *part, const struct profile_part *given)
{
	struct held_column *to = part->column_count ? columns_of(part) : NULL;
	int64_t *values = (int64_t *)(void *)(to + part->column_count);
	uint64_t cells = 0;
	uint32_t *nodes;

	for (uint32_t i = 0; i < part->column_count; i++)
		cells += given->columns[i].cell_count;
	nodes = (uint32_t *)(void *)(values + cells);
	for (uint32_t i = 0; i < part->column_count; i++) {
		const struct profile_column *column = &given->columns[i];
		bool of_slice = p->measures[column->measure].of == MEASURE_OF_SLICE;

		to[i] = (struct held_column){ .measure = column->measure & (MEASURES_MOST - 1), .unknown = column->unknown,
					      .cell_count = column->cell_count };
		for (uint32_t k = 0; k < column->cell_count; k++) {
			*values++ = column->values[k];
			*nodes++ = of_slice ? p->threads[part->thread].root : column->nodes[k];
		}
	}
}

struct profile_column profile_column(const struct profile_held *part, uint32_t i)
{
	const struct held_column *columns = columns_of(part);
	const int64_t *values = (const int64_t *)(const void *)(columns + part->column_count);
	const uint32_t *nodes = (const uint32_t *)(const void *)(values + cells_of_columns(part));
	uint64_t before = 0;

	for (uint32_t k = 0; k < i; k++)
		before += columns[k].cell_count;
	return (struct profile_column){ columns[i].measure, columns[i].unknown, columns[i].cell_count, nodes + before,
					values + before };
}

void measure_columns_clear(struct measure_columns *c)
{
	c->count = c->cell_count = 0;
}

struct profile_column *measure_columns_add(struct measure_columns *c, uint32_t measure)
{
	if (!array_reserve(&c->columns, &c->capacity, (uint64_t)c->count + 1, sizeof(*c->columns)))
		return NULL;
	c->columns[c->count] = (struct profile_column){ .measure = measure };
	return &c->columns[c->count++];
}

bool measure_columns_add_cell(struct measure_columns *c, uint32_t node, int64_t value)
{
	if (!array_reserve(&c->nodes, &c->node_capacity, (uint64_t)c->cell_count + 1, sizeof(*c->nodes)) ||
	    !array_reserve(&c->values, &c->value_capacity, (uint64_t)c->cell_count + 1, sizeof(*c->values)))
		return false;
	c->nodes[c->cell_count] = node;
	c->values[c->cell_count++] = value;
	c->columns[c->count - 1].cell_count++;
	return true;
}

void measure_columns_forget(struct measure_columns *c)
{
	struct profile_column *newest = &c->columns[c->count - 1];

	c->cell_count -= newest->cell_count;
	newest->cell_count = 0;
	newest->unknown = true;
}

void measure_columns_settle(struct measure_columns *c)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < c->count && c->cell_count; at += c->columns[i++].cell_count) {
		c->columns[i].nodes = c->nodes + at;
		c->columns[i].values = c->values + at;
	}
}

void measure_columns_fini(struct measure_columns *c)
{
	free(c->columns);
	free(c->nodes);
	free(c->values);
	*c = (struct measure_columns){ 0 };
}

struct measure_amounts profile_amounts(const struct profile *p, const struct profile_held *part, uint32_t measure)
{
	struct measure_amounts a = { .known = true, .measure = measure, .part = part };

	if (measure < MEASURES_CORE) {
		a.known = p->measures[measure].absent_is_zero;
		a.count = a.known ? part->cell_count : 0;
		return a;
	}
	for (uint32_t i = 0; i < part->column_count; i++) {
		struct profile_column column;

		if (columns_of(part)[i].measure != measure)
			continue;
		column = profile_column(part, i);
		a.known = !column.unknown;
		a.count = column.cell_count;
		a.nodes = column.nodes;
		a.values = column.values;
		return a;
	}
	a.known = p->measures[measure].absent_is_zero && !(part->flags & (PART_MISSING | PART_LAPPED));
	return a;
}
