/* SPDX-License-Identifier: MIT */
#include "model/report/report_rows.h"

#include <stdlib.h>

#include "model/base/array.h"

/* Which stay */

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

static void visit(struct family *f, uint32_t draft)
{
	const struct draft *d = &f->m->drafts[draft];
	struct report_row *row = row_put(f->m, f->section, d);

	f->row[draft] = f->section->row_count - 1;
	if (d->parent != PROFILE_NONE)
		row->parent = f->row[d->parent];
	open_row(f, draft, row);
}

/* The draft behind this one: its first child, or the next one of a parent that has more. */
static uint32_t following(struct family *f, uint32_t draft)
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
	     i = following(&f, i))
		visit(&f, i);
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
	count = choose(m, section, stays);
	if (m->options->view == REPORT_TREE)
		done = tree_arrange(m, section, stays);
	else
		done = list_arrange(m, section, stays, count);
	free(stays);
	return done;
}
