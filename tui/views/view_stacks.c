/* SPDX-License-Identifier: MIT */
/*
 * view_stacks: the zones that are open in each thread: a row a thread, and below it one for each of its
 * zones, the outermost first. The last of them is where the thread is.
 *
 * A filter chooses threads: those with a match in their name or in one of their zones.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/table/stack_table.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"

#define FULL_FROM 100 /* cells of the screen, where it is said how many threads are in no zone */

struct stacks {
	struct view view;
	char scope[192];
};

/* Making them */

static bool filter_stacks(struct stack_table *rows, const struct pattern *pattern)
{
	const struct open_stacks *o = rows->open;

	rows->table.count = 0;
	rows->passing = array_zeroed(o->row_count, sizeof(*rows->passing));
	for (uint32_t i = 0; rows->passing && i < o->thread_count; i++)
		for (uint32_t row = o->threads[i].first;
		     row < o->threads[i].end && open_stacks_matches(o, i, pattern); row++)
			rows->passing[rows->table.count++] = row;
	return rows->passing;
}

static struct stack_table *make_rows(struct view *v, const struct look *look)
{
	struct stack_table *rows = calloc(1, sizeof(*rows));
	struct pattern pattern;
	bool made = rows;

	snprintf(v->why, sizeof(v->why), "out of memory");
	if (!rows)
		return NULL;
	stack_table_init(rows, open_stacks_hold(look->stacks));
	rows->spread = look->spread;
	if (look->filter && *look->filter &&
	    (made = pattern_init(&pattern, look->filter, v->why, sizeof(v->why)))) {
		made = filter_stacks(rows, &pattern);
		pattern_fini(&pattern);
	}
	rows->table.left_out = rows->open->row_count - rows->table.count;
	if (made)
		return rows;
	stack_table_type.free(&rows->table);
	return NULL;
}

static const char *why_nothing(const struct open_stacks *o)
{
	if (o->thread_count)
		return "no match for the filter";
	if (o->state == PROFILE_ENDED)
		return "the program has ended, and no zone was open";
	if (o->state == PROFILE_FILE)
		return "a file does not contain the open zones";
	return "no thread has entered a zone yet";
}

/* `when it died: 5 threads, 2 in no zone`. */
static void say_scope(struct stacks *v, const struct look *look)
{
	const struct open_stacks *o = look->stacks;
	uint32_t idle = open_stacks_idle(o);
	char out[40] = "", left[64] = "";

	if (idle && look->width >= FULL_FROM)
		snprintf(out, sizeof(out), ", %u in no zone", idle);
	if (o->left_out)
		snprintf(left, sizeof(left), ", %s more rows", figure_grouped(o->left_out).text);
	snprintf(v->scope, sizeof(v->scope), "%s: %u thread%s%s%s", look->stacks_when, o->thread_count,
		 o->thread_count == 1 ? "" : "s", out, left);
}

static bool stacks_refresh(struct view *v, const struct look *look)
{
	struct stacks *s = (struct stacks *)v;
	struct stack_table *rows = look->stacks ? make_rows(v, look) : NULL;

	table_take(&v->table, (struct typed_table *)rows);
	if (rows)
		say_scope(s, look);
	else
		*s->scope = '\0';
	if (!look->stacks)
		*v->why = '\0';
	else if (rows)
		snprintf(v->why, sizeof(v->why), "%s", rows->table.count ? "" : why_nothing(look->stacks));
	return rows;
}

static const struct open_row *row_of(const struct view *v)
{
	return v->table.at < table_count(&v->table) ? stack_table_row((const struct stack_table *)v->table.rows, v->table.at) : NULL;
}

static bool is_zone(const struct view *v)
{
	return row_of(v) && row_of(v)->level;
}

static bool stacks_applies(const struct view *v, enum command command)
{
	return command == COMMAND_BACK ||
	       ((command == COMMAND_DRILL || command == COMMAND_CALLER || command == COMMAND_PATH) && is_zone(v));
}

static bool stacks_target(const struct view *v, const struct look *look, struct path *out)
{
	uint32_t place;

	if (!is_zone(v))
		return false;
	path_begin(out, &place, look->spread ? row_of(v)->spread_key : row_of(v)->key);
	return true;
}

static bool stacks_thread(const struct view *v, uint64_t *id)
{
	const struct open_row *row = row_of(v);

	if (row)
		*id = stack_table_thread((const struct stack_table *)v->table.rows, v->table.at)->id;
	return row;
}

static const char *stacks_scope(const struct view *v)
{
	return ((const struct stacks *)v)->scope;
}

const struct view_ops view_stacks = {
	.name = "Stacks", .key = 'o', .size = sizeof(struct stacks), .refresh = stacks_refresh,
	.draw = view_draw_table, .command = view_table_command, .applies = stacks_applies, .target = stacks_target,
	.thread = stacks_thread, .scope = stacks_scope, .lists_events = true, .own_filter = true, .guest = true, .type = &stack_table_type,
};
