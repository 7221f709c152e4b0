/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include "model/report_rows.h"

#include <string.h>

#include "model/array.h"

/* Filter */

static bool passes(const struct making *m, const struct draft *d)
{
	return !m->filter.part || d->role == ROW_FOCUS ||
	       pattern_matches(&m->filter, m->report->store->names[d->key]);
}

static bool is_nothing(const struct draft *d)
{
	return d->role != ROW_FOCUS && !d->self && !d->hier && !d->count && !d->direct &&
	       !d->delta;
}

/* Says of each draft whether it stays. In a tree what is above a row that stays does so too.
 * Returns how many do. */
static uint32_t choose(const struct making *m, struct report_section *section, bool *stays)
{
	uint32_t count = 0;

	for (uint32_t i = m->draft_count; i-- > 0;) {
		const struct draft *d = &m->drafts[i];
		bool something = m->options->zero_rows || !is_nothing(d);

		stays[i] = stays[i] || row_is_first(m, d) || (something && passes(m, d));
		section->hidden += something && !stays[i];
		count += stays[i];
		if (stays[i] && d->parent != PROFILE_NONE)
			stays[d->parent] = true;
	}
	return count;
}

/* Order */

static int compare_text(const char *a, const char *b)
{
	int order = strcmp(a, b);

	return (order > 0) - (order < 0);
}

/* By name, then depth, file and line: never equal for different keys. */
static int compare_names(const struct making *m, const struct sortable *a,
			 const struct sortable *b)
{
	const struct key *j = &m->keys->keys[m->drafts[a->draft].key];
	const struct key *k = &m->keys->keys[m->drafts[b->draft].key];
	const struct profile_zone *x = &m->p->zones[j->zone], *y = &m->p->zones[k->zone];
	int order = compare_text(x->name, y->name);

	if (!order)
		order = (j->depth > k->depth) - (j->depth < k->depth);
	if (!order)
		order = compare_text(x->file, y->file);
	if (!order)
		order = (x->line > y->line) - (x->line < y->line);
	return order;
}

/* Callers stand the other way round, so that the first of them is next to the focus; those that have
 * no value are the farthest from it, as in a list they stand last. */
enum rank {
	RANK_CALLER_WITHOUT,
	RANK_CALLER,
	RANK_PIN,
	RANK_FOCUS,
	RANK_ROW,
	RANK_ROW_WITHOUT,
	RANK_NO_ZONE,
};

/* Integers and real numbers as unsigned ones that are in the same order. */
static uint64_t order_of_exact(int64_t value)
{
	return (uint64_t)value ^ UINT64_C(1) << 63;
}

static uint64_t order_of_real(double value)
{
	int64_t bits;

	value += 0.0; /* no negative zero */
	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? ~(uint64_t)bits : order_of_exact(bits);
}

static uint64_t order_of(const struct report_value *value, enum value_kind kind)
{
	if (kind == VALUE_NAME)
		return 0;
	if (kind == VALUE_MEAN || kind == VALUE_RATIO || kind == VALUE_HEAT)
		return order_of_real(value->real);
	if (kind == VALUE_DELTA)
		return value->exact < 0 ? 0 - (uint64_t)value->exact : (uint64_t)value->exact;
	return order_of_exact(value->exact);
}

static uint32_t rank_of(enum row_role role, bool has_value)
{
	switch (role) {
	case ROW_CALLER:
		return has_value ? RANK_CALLER : RANK_CALLER_WITHOUT;
	case ROW_FOCUS:
		return RANK_FOCUS;
	case ROW_NO_ZONE:
		return RANK_NO_ZONE;
	case ROW_ZONE:
	case ROW_CHILD:
		break;
	}
	return has_value ? RANK_ROW : RANK_ROW_WITHOUT;
}

/* Ties are in order of their names, whichever way values are sorted. */
static int compare(const void *a, const void *b, void *context)
{
	const struct sortable *x = a, *y = b;
	const struct making *m = context;
	bool by_name = m->report->sort == COLUMN_ZONE && m->report->descending;
	bool reversed = by_name != (x->rank <= RANK_CALLER);

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return reversed ? compare_names(m, y, x) : compare_names(m, x, y);
}

static void sortable_set(const struct making *m, struct sortable *item)
{
	enum column column = m->report->sort;
	enum value_kind kind = report_columns[column].kind;
	const struct draft *d = &m->drafts[item->draft];
	struct report_value value = { 0 };
	bool has = kind == VALUE_NAME || row_value(m, d, column, &value);
	bool reversed = m->report->descending;

	if (row_is_first(m, d)) {
		item->rank = RANK_PIN;
		item->value = row_pin(m, d);
		return;
	}
	if (d->role == ROW_CALLER)
		reversed = !reversed;
	item->rank = rank_of(d->role, has);
	item->value = has ? order_of(&value, kind) : 0;
	if (reversed)
		item->value = ~item->value;
}

void rows_sort(struct making *m, struct sortable *items, uint32_t count)
{
	if (count < 2)
		return;
	for (uint32_t i = 0; i < count; i++)
		sortable_set(m, &items[i]);
	qsort_r(items, count, sizeof(*items), compare, m);
}

static bool list_arrange(struct making *m, struct report_section *section, const bool *stays,
			 uint32_t count)
{
	struct sortable *items = array_zeroed(count, sizeof(*items));
	uint32_t n = 0;

	section->rows = reallocarray(NULL, count ? count : 1, sizeof(*section->rows));
	if (!items || !section->rows) {
		free(items);
		return false;
	}
	for (uint32_t i = 0; i < m->draft_count; i++)
		if (stays[i])
			items[n++].draft = i;
	rows_sort(m, items, n);
	for (uint32_t i = 0; i < n; i++)
		row_put(m, section, &m->drafts[items[i].draft]);
	free(items);
	return true;
}

bool rows_arrange(struct making *m, struct report_section *section)
{
	bool *stays = array_zeroed(m->draft_count, sizeof(*stays));
	uint32_t count;
	bool done;

	if (!stays)
		return false;
	count = choose(m, section, stays);
	if (m->options->view == REPORT_TREE)
		done = tree_arrange(m, section, stays);
	else
		done = list_arrange(m, section, stays, count);
	free(stays);
	return done;
}
