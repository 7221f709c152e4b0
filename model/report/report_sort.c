/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/order.h"
#include "model/report/report_rows.h"

#define MUCH 10  /* a tenth of what is no waiting */

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
	RANK_WAITS,
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

static uint64_t order_of(const struct report_value *value, enum column column)
{
	if (column == COLUMN_ZONE)
		return 0;
	if (column_is_real(column))
		return order_of_real(value->real);
	if (column == COLUMN_DELTA)
		return value->exact < 0 ? 0 - (uint64_t)value->exact : (uint64_t)value->exact;
	return order_of_exact(value->exact);
}

/* Time in no zone is most likely work that nobody has named: where there is much of it, it is to be seen. Where it stood in
 * its place before, half as much will do, so that it does not come and go. */
static bool is_much(const struct making *m, const struct draft *d)
{
	const struct report_section *before = m->before;
	bool stood = before && before->row_count && before->rows[before->row_count - 1].role != ROW_NO_ZONE;

	return m->report->sort == COLUMN_SELF && d->self > 0 &&
	       (double)d->self * (stood ? 2 * MUCH : MUCH) >= (double)m->busy;
}

static uint32_t rank_of(const struct making *m, const struct draft *d, bool has_value)
{
	if (d->role == ROW_ZONE && row_waits(m, d) && !m->options->by_size)
		return RANK_WAITS;
	switch (d->role) {
	case ROW_CALLER:
		return has_value ? RANK_CALLER : RANK_CALLER_WITHOUT;
	case ROW_FOCUS:
		return RANK_FOCUS;
	case ROW_NO_ZONE:
		if (!has_value || (!m->options->by_size && !is_much(m, d)))
			return RANK_NO_ZONE;
		break;
	case ROW_ZONE:
	case ROW_CHILD:
		break;
	}
	return has_value ? RANK_ROW : RANK_ROW_WITHOUT;
}

/* Ties are in order of their names, whichever way values are sorted. */
static int compare_items(const void *a, const void *b, void *context)
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
	const struct draft *d = &m->drafts[item->draft];
	struct report_value value = { 0 };
	bool has = column == COLUMN_ZONE || row_sort_value(m, d, column, &value);
	bool reversed = m->report->descending;

	if (row_is_first(m, d)) {
		item->rank = RANK_PIN;
		item->value = row_pin(m, d);
		return;
	}
	if (d->role == ROW_CALLER)
		reversed = !reversed;
	item->rank = rank_of(m, d, has);
	item->value = has ? order_of(&value, column) : 0;
	if (reversed)
		item->value = ~item->value;
}

/* Rows that keep their order */

static uint32_t hash_of(uint64_t id)
{
	return lookup_hash(0, &id, sizeof(id));
}

static bool is_row(const void *context, uint32_t index, const void *wanted)
{
	return ((const struct report_section *)context)->rows[index].id == *(const uint64_t *)wanted;
}

bool rows_find_places(struct making *m)
{
	const struct report *before = m->options->before, *now = m->report;
	const struct report_section *section;

	if (!before || before->view != now->view || before->sort != now->sort || before->descending != now->descending ||
	    before->section_count != 1 || now->each || now->sort == COLUMN_ZONE)
		return true;
	section = &before->sections[0];
	for (uint32_t i = 0; i < section->row_count; i++) {
		if (!lookup_reserve(&m->places))
			return false;
		lookup_add(&m->places, hash_of(section->rows[i].id), i);
	}
	m->before = section;
	return true;
}

/* By how much rows differ: by magnitude where that is what they are sorted by. */
static double value_of(const struct making *m, uint32_t draft)
{
	enum column column = m->report->sort;
	struct report_value value = { 0 };

	if (!row_sort_value(m, &m->drafts[draft], column, &value))
		return 0;
	if (column_is_real(column))
		return value.real;
	return column == COLUMN_DELTA ? fabs((double)value.exact) : (double)value.exact;
}

static struct stable_item item_of(const struct making *m, const struct sortable *item)
{
	uint64_t id = m->drafts[item->draft].id;

	return (struct stable_item){ .rank = item->rank, .value = value_of(m, item->draft), .exact = item->rank == RANK_PIN,
				   .place = lookup_find(&m->places, hash_of(id), is_row, m->before, &id) };
}

/* Takes sorted items. If memory runs short, they stay sorted. */
static void keep_order(const struct making *m, struct sortable *items, uint32_t count)
{
	struct stable_item *order = reallocarray(NULL, count, sizeof(*order));
	struct sortable *sorted = reallocarray(NULL, count, sizeof(*sorted));

	for (uint32_t i = 0; order && i < count; i++)
		order[i] = item_of(m, &items[i]);
	if (order && sorted && stable_order(order, count)) {
		memcpy(sorted, items, count * sizeof(*items));
		for (uint32_t i = 0; i < count; i++)
			items[i] = sorted[order[i].sorted];
	}
	free(order);
	free(sorted);
}

/* Sorts drafts of which only `draft` is set; rows of options->before keep its order (report.h). */
static void rows_sort(struct making *m, struct sortable *items, uint32_t count)
{
	if (count < 2)
		return;
	for (uint32_t i = 0; i < count; i++)
		sortable_set(m, &items[i]);
	qsort_r(items, count, sizeof(*items), compare_items, m);
	if (m->before)
		keep_order(m, items, count);
}

/* Which stay */

static bool passes_filter(const struct making *m, const struct draft *d)
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
static uint32_t choose_rows(const struct making *m, struct report_section *section, bool *stays)
{
	uint32_t count = 0;

	for (uint32_t i = m->draft_count; i-- > 0;) {
		const struct draft *d = &m->drafts[i];
		bool something = m->options->zero_rows || !is_nothing(d);

		stays[i] = stays[i] || row_is_first(m, d) || (something && passes_filter(m, d));
		section->hidden += something && !stays[i];
		count += stays[i];
		if (stays[i] && d->parent != PROFILE_NONE)
			stays[d->parent] = true;
	}
	return count;
}

/* A list */

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

/* A tree */

/*
 * The drafts that stay, as lists of children: those of draft i are items[first[i]] up to
 * items[first[i + 1]]. A list is sorted when its parent is opened, so what is folded is not.
 */
struct family {
	struct making *m;
	struct report_section *section;
	struct sortable *items;
	uint32_t *first;
	uint32_t *next; /* by draft: its child to be visited next, as an index of items */
	uint32_t *size; /* by draft: rows of its subtree that stay, itself too */
	uint32_t *row;  /* by draft: its row */
};

static void family_fini(struct family *f)
{
	free(f->items);
	free(f->first);
	free(f->next);
	free(f->size);
	free(f->row);
}

static bool family_init(struct family *f, struct making *m, struct report_section *section)
{
	uint64_t count = m->draft_count;

	*f = (struct family){ .m = m, .section = section };
	f->items = array_zeroed(count, sizeof(*f->items));
	f->first = array_zeroed(count + 1, sizeof(*f->first));
	f->next = array_zeroed(count, sizeof(*f->next));
	f->size = array_zeroed(count, sizeof(*f->size));
	f->row = array_zeroed(count, sizeof(*f->row));
	if (f->items && f->first && f->next && f->size && f->row)
		return true;
	family_fini(f);
	return false;
}

/* Parents stand before their children. */
static void family_gather(struct family *f, const bool *stays)
{
	const struct draft *drafts = f->m->drafts;
	uint32_t count = f->m->draft_count;

	for (uint32_t i = count; i-- > 0;) {
		f->size[i] += stays[i];
		if (!stays[i] || drafts[i].parent == PROFILE_NONE)
			continue;
		f->size[drafts[i].parent] += f->size[i];
		f->first[drafts[i].parent + 1]++;
	}
	for (uint32_t i = 0; i < count; i++) {
		f->first[i + 1] += f->first[i];
		f->next[i] = f->first[i];
	}
	for (uint32_t i = 0; i < count; i++)
		if (stays[i] && drafts[i].parent != PROFILE_NONE)
			f->items[f->next[drafts[i].parent]++].draft = i;
	for (uint32_t i = 0; i < count; i++)
		f->next[i] = f->first[i];
}

/* A fold does not hide what a filter found: all rows that are left below it are there because of
 * that. */
static bool is_folded(const struct family *f, const struct draft *d)
{
	const struct report_options *o = f->m->options;

	return o->folded && !f->m->filter.part && o->folded(o->folded_context, d->id);
}

/* Its children are visited next, or none of them. */
static void open_row(struct family *f, uint32_t draft, struct report_row *row)
{
	const struct draft *d = &f->m->drafts[draft];
	uint32_t children = f->first[draft + 1] - f->first[draft];

	row->has_children = children;
	if (!children) {
		row->mark = f->m->options->folded ? ' ' : row->mark;
	} else if (is_folded(f, d)) {
		row->mark = '+';
		row->below = f->size[draft] - 1;
		f->next[draft] = f->first[draft + 1];
	} else {
		row->mark = f->m->options->folded ? '-' : row->mark;
		rows_sort(f->m, f->items + f->first[draft], children);
	}
}

static void visit_family(struct family *f, uint32_t draft)
{
	const struct draft *d = &f->m->drafts[draft];
	struct report_row *row = row_put(f->m, f->section, d);

	f->row[draft] = f->section->row_count - 1;
	if (d->parent != PROFILE_NONE)
		row->parent = f->row[d->parent];
	open_row(f, draft, row);
}

/* The draft behind this one: its first child, or the next one of a parent that has more. */
static uint32_t following_draft(struct family *f, uint32_t draft)
{
	while (draft != PROFILE_NONE && f->next[draft] == f->first[draft + 1])
		draft = f->m->drafts[draft].parent;
	return draft == PROFILE_NONE ? PROFILE_NONE : f->items[f->next[draft]++].draft;
}

static bool tree_arrange(struct making *m, struct report_section *section, const bool *stays)
{
	uint64_t most = m->draft_count ? m->draft_count : 1;
	struct family f;

	section->rows = reallocarray(NULL, most, sizeof(*section->rows));
	if (!section->rows || !family_init(&f, m, section))
		return false;
	family_gather(&f, stays);
	for (uint32_t i = m->draft_count && stays[0] ? 0 : PROFILE_NONE; i != PROFILE_NONE;
	     i = following_draft(&f, i))
		visit_family(&f, i);
	family_fini(&f);
	return true;
}

bool rows_arrange(struct making *m, struct report_section *section)
{
	bool *stays = array_zeroed(m->draft_count, sizeof(*stays));
	uint32_t count;
	bool done;

	if (!stays)
		return false;
	count = choose_rows(m, section, stays);
	if (m->options->view == REPORT_TREE)
		done = tree_arrange(m, section, stays);
	else
		done = list_arrange(m, section, stays, count);
	free(stays);
	return done;
}
