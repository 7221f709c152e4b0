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

static bool passes(const struct making *m, const struct report_row *row)
{
	if (!m->pattern || row->role == ROW_FOCUS)
		return true;
	if (m->is_regex)
		return regexec(&m->regex, row->name, 0, NULL, 0) == 0;
	return contains(row->name, m->pattern);
}

static bool is_nothing(const struct report_row *row)
{
	return row->role != ROW_FOCUS && !row->values[COLUMN_SELF].exact &&
	       !row->values[COLUMN_HIER].exact && !row->values[COLUMN_COUNT].exact &&
	       !row->values[COLUMN_DIRECT].exact;
}

/* Says of each row whether it stays. In a tree what is above a row that stays does so too. */
static void choose(const struct making *m, struct report_section *section, bool *stays)
{
	for (uint32_t i = section->row_count; i-- > 0;) {
		const struct report_row *row = &section->rows[i];
		bool something = m->options->zero_rows || !is_nothing(row);
		bool wanted = passes(m, row);

		stays[i] = stays[i] || (something && wanted);
		section->hidden += something && !stays[i];
		if (stays[i] && row->parent != PROFILE_NONE)
			stays[row->parent] = true;
	}
}

/* Order */

static int compare_text(const char *a, const char *b)
{
	int order = strcmp(a, b);

	return (order > 0) - (order < 0);
}

/* By name, then depth, file and line: never equal for different keys. */
static int compare_names(const struct making *m, const struct report_row *a,
			 const struct report_row *b)
{
	const struct profile_zone *x = &m->p->zones[a->zone], *y = &m->p->zones[b->zone];
	int order = compare_text(x->name, y->name);

	if (!order)
		order = (a->depth > b->depth) - (a->depth < b->depth);
	if (!order)
		order = compare_text(x->file, y->file);
	if (!order)
		order = (x->line > y->line) - (x->line < y->line);
	return order;
}

static int compare_values(const struct report_value *a, const struct report_value *b,
			  enum value_kind kind)
{
	if (kind == VALUE_MEAN || kind == VALUE_RATIO || kind == VALUE_HEAT)
		return (a->real > b->real) - (a->real < b->real);
	return (a->exact > b->exact) - (a->exact < b->exact);
}

/* Rows that have the value before those that have not, whichever way it is sorted. */
static int compare_rows(const struct making *m, const struct report_row *a,
			const struct report_row *b, bool descending)
{
	enum column column = m->report->sort;
	enum value_kind kind = report_columns[column].kind;
	uint32_t bit = 1u << column;
	int order = 0;

	if (kind == VALUE_NAME)
		return descending ? compare_names(m, b, a) : compare_names(m, a, b);
	/* on the words themselves: gcc 12 -O2 gets a comparison of two bits made of them wrong */
	if ((a->shown ^ b->shown) & bit)
		return a->shown & bit ? -1 : 1;
	if (a->shown & bit)
		order = compare_values(&a->values[column], &b->values[column], kind);
	if (descending)
		order = -order;
	return order ? order : compare_names(m, a, b);
}

struct ordering {
	const struct making *m;
	const struct report_row *rows;
};

/* Flat and graph: callers the other way round, so that the first of them is next to the focus. */
static int compare_list(const void *a, const void *b, void *context)
{
	const struct ordering *o = context;
	const struct report_row *x = &o->rows[*(const uint32_t *)a];
	const struct report_row *y = &o->rows[*(const uint32_t *)b];
	static const int rank[] = { [ROW_CALLER] = 0, [ROW_FOCUS] = 1, [ROW_CHILD] = 2,
				    [ROW_ZONE] = 2,   [ROW_NO_ZONE] = 3 };

	if (rank[x->role] != rank[y->role])
		return rank[x->role] - rank[y->role];
	if (x->role == ROW_CALLER)
		return compare_rows(o->m, y, x, o->m->report->descending);
	return compare_rows(o->m, x, y, o->m->report->descending);
}

/* Tree: children of one parent together, those of an earlier parent first. */
static int compare_tree(const void *a, const void *b, void *context)
{
	const struct ordering *o = context;
	const struct report_row *x = &o->rows[*(const uint32_t *)a];
	const struct report_row *y = &o->rows[*(const uint32_t *)b];

	if (x->parent == y->parent)
		return compare_rows(o->m, x, y, o->m->report->descending);
	if (x->parent == PROFILE_NONE || y->parent == PROFILE_NONE)
		return x->parent == PROFILE_NONE ? -1 : 1;
	return x->parent < y->parent ? -1 : 1;
}

/* From siblings in order to whole subtrees in order. `order` has the n rows that stay, each
 * behind its parent; place[row] becomes its position. */
static bool tree_places(const struct report_row *rows, uint32_t row_count, const uint32_t *order,
			uint32_t n, uint32_t *place)
{
	uint32_t *size = array_zeroed(row_count, sizeof(*size)); /* of the subtree */
	uint32_t *next = array_zeroed(row_count, sizeof(*next)); /* where its next child goes */
	bool there = size && next;

	for (uint32_t i = n; there && i-- > 0;) {
		uint32_t row = order[i];

		size[row]++;
		if (rows[row].parent != PROFILE_NONE)
			size[rows[row].parent] += size[row];
	}
	for (uint32_t i = 0; there && i < n; i++) {
		uint32_t row = order[i], parent = rows[row].parent;

		place[row] = parent == PROFILE_NONE ? 0 : next[parent];
		next[row] = place[row] + 1;
		if (parent != PROFILE_NONE)
			next[parent] += size[row];
	}
	free(size);
	free(next);
	return there;
}

static bool find_places(struct making *m, const struct report_section *section,
			uint32_t *order, uint32_t n, uint32_t *place)
{
	struct ordering o = { m, section->rows };

	if (m->options->view == REPORT_TREE) {
		qsort_r(order, n, sizeof(*order), compare_tree, &o);
		return tree_places(section->rows, section->row_count, order, n, place);
	}
	qsort_r(order, n, sizeof(*order), compare_list, &o);
	for (uint32_t i = 0; i < n; i++)
		place[order[i]] = i;
	return true;
}

static bool arrange(struct making *m, struct report_section *section, const bool *stays,
		    uint32_t *order, uint32_t *place)
{
	struct report_row *rows;
	uint32_t n = 0;

	for (uint32_t i = 0; i < section->row_count; i++)
		if (stays[i])
			order[n++] = i;
	rows = array_zeroed(n, sizeof(*rows));
	if (!rows || !find_places(m, section, order, n, place)) {
		free(rows);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct report_row *row = &rows[place[order[i]]];

		*row = section->rows[order[i]];
		if (row->parent != PROFILE_NONE)
			row->parent = place[row->parent];
	}
	free(section->rows);
	section->rows = rows;
	section->row_count = n;
	return true;
}

bool rows_arrange(struct making *m, struct report_section *section)
{
	bool *stays = array_zeroed(section->row_count, sizeof(*stays));
	uint32_t *order = array_zeroed(section->row_count, sizeof(*order));
	uint32_t *place = array_zeroed(section->row_count, sizeof(*place));
	bool done = stays && order && place;

	if (done) {
		choose(m, section, stays);
		done = arrange(m, section, stays, order, place);
	}
	free(stays);
	free(order);
	free(place);
	return done;
}
