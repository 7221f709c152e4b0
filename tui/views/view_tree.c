/* SPDX-License-Identifier: MIT */
/*
 * view_tree: the zone stacks from the root down, with rows that fold.
 *
 * Folds are kept by the identities of rows, so they outlive every refresh and the program.
 */
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/lookup.h"
#include "tui/views/view.h"

struct tree {
	struct view view;
	uint64_t *folded; /* in no order */
	uint32_t count, capacity;
	bool all; /* everything is folded but the root, and `folded` are those that are not */
	bool filtered; /* all that is left is shown, folded or not, and nothing can be folded */
};

static uint32_t find_folded(const struct tree *t, uint64_t id)
{
	uint32_t i = 0;

	while (i < t->count && t->folded[i] != id)
		i++;
	return i;
}

static bool is_folded(void *context, uint64_t id)
{
	const struct tree *t = context;

	return (find_folded(t, id) < t->count) != t->all;
}

static void fold_zone(struct tree *t, uint64_t id, bool folded)
{
	uint32_t i = find_folded(t, id);

	if (is_folded(t, id) == folded)
		return;
	if (i < t->count)
		t->folded[i] = t->folded[--t->count];
	else if (array_reserve(&t->folded, &t->capacity, (uint64_t)t->count + 1,
			       sizeof(*t->folded)))
		t->folded[t->count++] = id;
}

static bool tree_refresh(struct view *v, const struct look *look)
{
	struct report_options o = view_report_options(v, look, REPORT_TREE);

	((struct tree *)v)->filtered = *look->filter;
	o.folded = is_folded;
	o.folded_context = v;
	return view_make_report(v, look, &o);
}

static const struct report_row *rows_of(const struct view *v)
{
	return table_report(&v->table)->sections[0].rows;
}

/* The row itself, if there is something to fold; else the row above it, and the cursor goes there. */
static void fold_here(struct view *v)
{
	const struct report_row *row = table_row(&v->table);

	if (!row)
		return;
	if ((!row->has_children || is_folded(v, row->id)) && row->parent != PROFILE_NONE)
		row = &rows_of(v)[row->parent];
	fold_zone((struct tree *)v, row->id, true);
	table_go(&v->table, row->id);
}

static void unfold_here(struct view *v)
{
	const struct report_row *row = table_row(&v->table);

	fold_zone((struct tree *)v, row->id, false);
	table_go(&v->table, row->id);
}

static bool any_folded(const struct view *v)
{
	for (uint32_t i = 0; i < table_count(&v->table); i++)
		if (rows_of(v)[i].below)
			return true;
	return false;
}

/* The root stays open: a table of one row tells nobody anything. */
static void fold_all(struct view *v)
{
	struct tree *t = (struct tree *)v;
	bool folded = !any_folded(v);

	t->count = 0;
	t->all = folded;
	if (folded && table_count(&v->table)) {
		fold_zone(t, rows_of(v)[0].id, false);
		if (v->table.at)
			table_home(&v->table);
	}
}

/* Whether anything is folded, or could be but the root. */
static bool can_fold_all(const struct view *v)
{
	for (uint32_t i = 0; i < table_count(&v->table); i++)
		if (rows_of(v)[i].below || (i && rows_of(v)[i].mark == '-'))
			return true;
	return false;
}

static bool tree_applies(const struct view *v, enum command command)
{
	const struct tree *t = (const struct tree *)v;
	const struct report_row *row = table_row(&v->table);

	switch (command) {
	case COMMAND_DRILL:
	case COMMAND_CALLER:
	case COMMAND_PATH:
		return row && row->zone != PROFILE_NO_ZONE;
	case COMMAND_UNFOLD:
		return row && row->below;
	case COMMAND_FOLD:
		return row && !t->filtered && (row->parent != PROFILE_NONE || row->mark == '-');
	case COMMAND_UNFOLD_ALL:
		return !t->filtered && can_fold_all(v);
	default:
		return false;
	}
}

static bool tree_command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	if (table_command(&v->table, command))
		return true;
	if (!tree_applies(v, command))
		return false;
	if (command == COMMAND_UNFOLD)
		unfold_here(v);
	else if (command == COMMAND_FOLD)
		fold_here(v);
	else if (command == COMMAND_UNFOLD_ALL)
		fold_all(v);
	return true;
}

/* From the root down to the row; from the bottom up the row is the outermost of the callers. */
bool view_tree_path(const struct view *v, const struct look *look, struct path *out)
{
	const struct report_row *row = table_row(&v->table);
	uint64_t ids[PATH_MOST];
	uint32_t count = 0, place;

	if (!row || row->zone == PROFILE_NO_ZONE || !look->query)
		return false;
	while (count < PATH_MOST && row->zone != PROFILE_NO_ZONE) {
		ids[count++] = query_keys(look->query)->id[row->key];
		if (row->parent == PROFILE_NONE)
			break;
		row = &rows_of(v)[row->parent];
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t id = ids[table_report(&v->table)->bottom_up ? i : count - 1 - i];

		if (i)
			path_to_child(out, &place, id);
		else
			path_begin(out, &place, id);
	}
	return true;
}

static void close_tree(struct view *v)
{
	free(((struct tree *)v)->folded);
}

const struct view_ops view_tree = {
	.name = "Tree", .key = '4', .size = sizeof(struct tree), .refresh = tree_refresh, .draw = view_draw_table,
	.command = tree_command, .applies = tree_applies, .target = view_tree_path, .close = close_tree,
};
