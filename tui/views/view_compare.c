/* SPDX-License-Identifier: MIT */
/*
 * view_compare: the frames before mark A against those before mark B (model/stats/compare.h): the frame, then a
 * row a zone, by how far its median moved.
 *
 * It is no view with a tab of its own: c opens it and goes back from it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/order.h"
#include "model/table/compare_table.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"

#define FRESH_S 2 /* so old a comparison may be while the program runs: parts of a thread may still come */

struct compare_view {
	struct view view;
	struct comparison *made; /* NULL: none */
	/* what it was made of */
	const struct query *query;
	const struct profile *p;
	struct query_options options;
	uint64_t marks[COMPARE_SIDES];
	uint64_t opened; /* the newest frame when it was opened: side B up to there where its mark is not set */
	int64_t tick;
	enum unit held; /* of times, when it is left to proftop */
	char scope[224], says[160];
};

/* The unit that suits the zone in the middle. */
static enum unit unit_of(struct compare_view *v, const struct look *look)
{
	const struct comparison *c = v->made;
	int64_t *values, middle = c->frame.of[COMPARE_B].median;
	uint32_t n = 0, random = 1;

	uint64_t per_s = measure_per_s(look->profile, query_options(look->query)->measure);
	bool is_time = per_s == look->profile->ticks_per_s;

	if (look->unit != UNIT_AUTO && look->unit != UNIT_PCT && per_s_is_time(per_s))
		return look->unit;
	values = array_zeroed(c->row_count, sizeof(*values));
	for (uint32_t i = 0; values && i < c->row_count; i++)
		if (c->rows[i].times[EXTENT_SELF].of[COMPARE_B].median > 0)
			values[n++] = c->rows[i].times[EXTENT_SELF].of[COMPARE_B].median;
	if (n)
		middle = select_rank(values, n, n / 2, &random);
	else if (!is_time)
		middle = 0;
	free(values);
	v->held = unit_for_many(middle, is_time ? c->frame.of[COMPARE_B].median : middle, per_s, v->held);
	return v->held;
}

/* Making it */

static uint64_t mark_of(const struct compare_view *v, const struct look *look, enum compare_side side)
{
	uint64_t mark = look->frames.marks[side];

	return side == COMPARE_B && !mark ? v->opened : mark;
}

static void drop_rows(struct compare_view *v)
{
	compare_free(v->made);
	v->made = NULL;
}

static bool is_made(const struct compare_view *v, const struct look *look)
{
	const struct query_options *o = query_options(look->query);
	const struct profile *p = look->profile;
	int64_t tick = p->now_tick;

	return v->made && v->query == look->query && v->p == p && o->threads == v->options.threads &&
	       o->spread == v->options.spread && o->path.length == v->options.path.length &&
	       !memcmp(o->path.ids, v->options.path.ids, o->path.length * sizeof(*o->path.ids)) &&
	       v->marks[COMPARE_A] == mark_of(v, look, COMPARE_A) && v->marks[COMPARE_B] == mark_of(v, look, COMPARE_B) &&
	       (tick == v->tick || (p->process.state == PROFILE_LIVE && tick > v->tick &&
				    (uint64_t)(tick - v->tick) / FRESH_S < p->ticks_per_s));
}

static enum compare_result compare_now(struct compare_view *v, const struct look *look)
{
	struct scope scope = query_scope(look->query);

	if (is_made(v, look))
		return COMPARE_OK;
	drop_rows(v);
	v->query = look->query;
	v->p = look->profile;
	v->options = *query_options(look->query);
	v->marks[COMPARE_A] = mark_of(v, look, COMPARE_A);
	v->marks[COMPARE_B] = mark_of(v, look, COMPARE_B);
	v->tick = look->profile->now_tick;
	return compare_make(look->profile, &scope, v->marks[COMPARE_A], v->marks[COMPARE_B], &v->made);
}

bool view_compare_ready(const struct view *v, const struct look *look, char *why, size_t size)
{
	const uint64_t *marks = look->frames.marks;

	*why = '\0';
	if (!look->query)
		snprintf(why, size, "nothing to compare yet");
	else if (!marks[COMPARE_A])
		snprintf(why, size, "set mark a first (m a), then press c");
	else if (!marks[COMPARE_B] && mark_of((const struct compare_view *)v, look, COMPARE_B) <= marks[COMPARE_A])
		snprintf(why, size, "no frame after mark a yet");
	else if (marks[COMPARE_A] == marks[COMPARE_B])
		snprintf(why, size, "marks a and b are on the same frame");
	return !*why;
}

void view_compare_begin(struct view *v, uint64_t frame)
{
	((struct compare_view *)v)->opened = frame;
}

static void say_failure(struct compare_view *v, enum compare_result result, bool marked)
{
	if (result == COMPARE_NO_MEMORY)
		snprintf(v->view.why, VIEW_WHY_SIZE, "out of memory");
	else
		snprintf(v->view.why, VIEW_WHY_SIZE, "no complete frame before %s, %s, is in the history",
			 result == COMPARE_NO_A ? "mark a" : marked ? "mark b" : "the newest",
			 figure_grouped(v->marks[result == COMPARE_NO_A ? COMPARE_A : COMPARE_B]).text);
}

static void say_scope(struct compare_view *v, bool marked)
{
	const struct compare_frames *a = &v->made->frames[COMPARE_A], *b = &v->made->frames[COMPARE_B];

	snprintf(v->scope, sizeof(v->scope), "frames %s to %s against %s to %s", figure_grouped(a->first).text,
		 figure_grouped(a->last).text, figure_grouped(b->first).text, figure_grouped(b->last).text);
	*v->says = '\0';
	if (!a->bounded || !b->bounded)
		snprintf(v->says, sizeof(v->says),
			 "too few frames for evidence: A has %u, B has %u; %u comparisons need %u each",
			 a->count, b->count, v->made->comparisons, v->made->needed);
	else if (a->incomplete || b->incomplete)
		snprintf(v->says, sizeof(v->says), "left out because slices were lost: %u frames of A, %u of B",
			 a->incomplete, b->incomplete);
	else if (!marked)
		snprintf(v->says, sizeof(v->says), "no mark b: B is the newest frames");
}

const char *view_compare_says(const struct view *v)
{
	return ((const struct compare_view *)v)->made ? ((const struct compare_view *)v)->says : "";
}

/* In the view's order, of what the look's filter leaves. */
static struct compare_table *make_table(struct compare_view *v, const struct look *look)
{
	const struct compare_table_options o = {
		.p = look->profile, .keys = query_keys(look->query), .measure = query_options(look->query)->measure,
		.filter = look->filter, .unit = unit_of(v, look), .sort = v->view.sort, .invert = v->view.invert,
	};

	return compare_table_make(v->made, &o, v->view.why, VIEW_WHY_SIZE);
}

static bool compare_refresh(struct view *view, const struct look *look)
{
	struct compare_view *v = (struct compare_view *)view;
	enum compare_result result = COMPARE_OK;
	struct compare_table *rows = NULL;

	*v->scope = '\0';
	if (view_compare_ready(view, look, view->why, VIEW_WHY_SIZE)) {
		result = compare_now(v, look);
		if (result == COMPARE_OK) {
			say_scope(v, look->frames.marks[COMPARE_B]);
			rows = make_table(v, look);
		} else {
			say_failure(v, result, look->frames.marks[COMPARE_B]);
		}
	} else {
		drop_rows(v);
	}
	table_take(&view->table, (struct typed_table *)rows);
	return rows;
}

/* What it does */

static bool compare_act(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static uint32_t key_of(const struct view *v)
{
	return v->table.rows ? compare_table_key((const struct compare_table *)v->table.rows, v->table.at) : PROFILE_NONE;
}

static bool compare_applies(const struct view *v, enum command command)
{
	if (command == COMMAND_BACK)
		return true;
	return (command == COMMAND_DRILL || command == COMMAND_PATH) && key_of(v) != PROFILE_NONE;
}

static bool compare_target(const struct view *v, const struct look *look, struct path *out)
{
	uint32_t key = key_of(v), place;

	if (key == PROFILE_NONE || !look->query || key >= query_keys(look->query)->count)
		return false;
	path_begin(out, &place, query_keys(look->query)->id[key]);
	return true;
}

static const char *compare_scope(const struct view *v)
{
	return ((const struct compare_view *)v)->scope;
}

static void close_compare(struct view *v)
{
	drop_rows((struct compare_view *)v);
}

const struct view_ops view_compare = {
	.name = "Compare", .key = 'c', .size = sizeof(struct compare_view), .refresh = compare_refresh,
	.draw = view_draw_table, .command = compare_act, .applies = compare_applies, .target = compare_target,
	.scope = compare_scope,
	.guest = true, .close = close_compare,
};
