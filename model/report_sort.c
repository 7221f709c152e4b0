/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include "model/report_rows.h"

#include <string.h>

#include "model/array.h"

/* Filter */

static char folded(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(const char *text, const char *with)
{
	while (*with && folded(*text) == folded(*with)) {
		text++;
		with++;
	}
	return !*with;
}

static bool contains(const char *text, const char *part)
{
	do {
		if (begins_with(text, part))
			return true;
	} while (*text++);
	return false;
}

static bool matches(const struct making *m, const char *name)
{
	if (m->is_regex)
		return regexec(&m->regex, name, 0, NULL, 0) == 0;
	return contains(name, m->pattern);
}

static bool passes(const struct making *m, const struct draft *d)
{
	return !m->pattern || d->role == ROW_FOCUS ||
	       matches(m, m->report->store->names[d->key]);
}

static bool is_nothing(const struct draft *d)
{
	return d->role != ROW_FOCUS && !d->self && !d->hier && !d->count && !d->direct;
}

/* Says of each draft whether it stays. In a tree what is above a row that stays does so too.
 * Returns how many do. */
static uint32_t choose(const struct making *m, struct report_section *section, bool *stays)
{
	uint32_t count = 0;

	for (uint32_t i = m->draft_count; i-- > 0;) {
		const struct draft *d = &m->drafts[i];
		bool something = m->options->zero_rows || !is_nothing(d);

		stays[i] = stays[i] || (something && passes(m, d));
		section->hidden += something && !stays[i];
		count += stays[i];
		if (stays[i] && d->parent != PROFILE_NONE)
			stays[d->parent] = true;
	}
	return count;
}

/* Order */

struct ordering {
	const struct making *m;
	bool by_name;
	bool by_real;
	bool descending;
};

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

static int compare_values(const struct ordering *o, const struct report_value *a,
			  const struct report_value *b)
{
	if (o->by_real)
		return (a->real > b->real) - (a->real < b->real);
	return (a->exact > b->exact) - (a->exact < b->exact);
}

/* Rows that have the value before those that have not, whichever way it is sorted. */
static int compare_rows(const struct ordering *o, const struct sortable *a,
			const struct sortable *b)
{
	int order = 0;

	if (o->by_name)
		return o->descending ? compare_names(o->m, b, a) : compare_names(o->m, a, b);
	if (a->has != b->has)
		return a->has ? -1 : 1;
	if (a->has)
		order = compare_values(o, &a->value, &b->value);
	if (order)
		return o->descending ? -order : order;
	return compare_names(o->m, a, b);
}

enum rank { RANK_CALLER, RANK_FOCUS, RANK_ROW, RANK_LAST };

/* Callers the other way round, so that the first of them is next to the focus. */
static int compare(const void *a, const void *b, void *context)
{
	const struct sortable *x = a, *y = b;

	if (x->rank != y->rank)
		return (int)x->rank - (int)y->rank;
	return x->rank == RANK_CALLER ? compare_rows(context, y, x) : compare_rows(context, x, y);
}

void rows_sort(const struct making *m, struct sortable *items, uint32_t count)
{
	static const uint8_t ranks[] = { [ROW_CALLER] = RANK_CALLER, [ROW_FOCUS] = RANK_FOCUS,
					 [ROW_CHILD] = RANK_ROW, [ROW_ZONE] = RANK_ROW,
					 [ROW_NO_ZONE] = RANK_LAST };
	enum column column = m->report->sort;
	enum value_kind kind = report_columns[column].kind;
	struct ordering o = { .m = m,
			      .by_name = kind == VALUE_NAME,
			      .by_real = kind == VALUE_MEAN || kind == VALUE_RATIO ||
					 kind == VALUE_HEAT,
			      .descending = m->report->descending };

	for (uint32_t i = 0; i < count; i++) {
		const struct draft *d = &m->drafts[items[i].draft];

		items[i].rank = ranks[d->role];
		items[i].has = row_value(m, d, column, &items[i].value);
	}
	qsort_r(items, count, sizeof(*items), compare, &o);
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
