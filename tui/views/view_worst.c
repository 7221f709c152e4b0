/* SPDX-License-Identifier: MIT */
/*
 * view_worst: the worst frames, a row each: the longest, or those in which the thread of the frames worked longest.
 *
 *     FRAME  AGE s  LENGTH ms▼  BUSY ms    OVER  MORE ms  IN ZONE
 *   >    40    1.0      43.000   43.000  +26.33   27.000  ai
 *        70    0.5      36.000   14.000  +19.33   20.000  vsync (waits)
 *
 * w and W go by the order that the rows have. Enter goes to the frame of the cursor's row. When another frame is chosen while
 * the view is shown, the cursor goes to its row.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/stats/frame_stats.h"
#include "model/table/worst_table.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"

struct worst_view {
	struct view view;
	char scope[96];
	bool shown;      /* the rows were made before */
	uint64_t chosen; /* frame, when the rows were made last */
	enum unit unit;  /* that times had so far */
	struct bases *bases; /* owned; what frames are compared with */
};

/* Making them */

static enum unit unit_of(struct worst_view *v, const struct look *look, const struct worst_table *t)
{
	if (look->unit != UNIT_AUTO && look->unit != UNIT_PCT)
		return look->unit;
	if (t->table.count)
		v->unit = worst_table_unit(t, v->unit);
	return v->unit == UNIT_AUTO ? UNIT_MS : v->unit;
}

static struct worst_table *make_table(struct worst_view *v, const struct look *look)
{
	const struct profile *p = look->profile;
	const struct query_options *o = query_options(look->query);
	uint32_t first, n = profile_frame_range(p, o->first, o->last, &first);
	struct worst_table *t;

	snprintf(v->view.why, sizeof(v->view.why), "out of memory");
	v->bases = bases_renew(v->bases, p, look->frames.chosen);
	t = v->bases ? worst_table_new(p, first, n, view_worst_order(&v->view), WORST_ROWS, look->frames.budget, v->bases)
		     : NULL;
	if (!t)
		return NULL;
	if (v->view.invert)
		worst_table_invert(t);
	t->chosen = look->frames.chosen;
	t->table.unit = unit_of(v, look, t);
	*v->view.why = '\0';
	return t;
}

static void say_scope(struct worst_view *v, const struct look *look, const struct worst_table *t)
{
	char most[64] = "";

	if (t->table.count < t->all)
		snprintf(most, sizeof(most), "the %s %s of ", worst_words[t->order], figure_grouped(t->table.count).text);
	snprintf(v->scope, sizeof(v->scope), "%s%s %sframes", most, figure_grouped(t->all).text,
		 query_options(look->query)->first ? "selected " : "");
}

static bool worst_refresh(struct view *view, const struct look *look)
{
	struct worst_view *v = (struct worst_view *)view;
	struct worst_table *t = look->query ? make_table(v, look) : NULL;

	table_take(&view->table, (struct typed_table *)t);
	if (!t)
		return false;
	say_scope(v, look, t);
	if (!t->table.count)
		no_frames_text(look->profile, view->why);
	if (v->shown && look->frames.chosen && look->frames.chosen != v->chosen)
		table_go(&view->table, look->frames.chosen);
	v->shown = true;
	v->chosen = look->frames.chosen;
	return true;
}

static bool worst_act(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static uint64_t frame(const struct view *v, const struct look *look)
{
	(void)look;
	return v->table.at < table_count(&v->table) ? table_id(&v->table) : 0;
}

static bool worst_applies(const struct view *v, enum command command)
{
	return command == COMMAND_DRILL && frame(v, NULL);
}

static void close_view(struct view *v)
{
	bases_free(((struct worst_view *)v)->bases);
}

static const char *worst_scope(const struct view *v)
{
	return ((const struct worst_view *)v)->scope;
}

const struct view_ops view_worst = {
	.name = "Worst", .key = '9', .size = sizeof(struct worst_view), .refresh = worst_refresh,
	.draw = view_draw_table,
	.command = worst_act, .applies = worst_applies, .frame = frame, .scope = worst_scope, .frame_label = "Frame",
	.unfiltered = true,
	.guest = true, .spare = true, .type = &worst_table_type, .close = close_view,
};

enum worst_order view_worst_order(const struct view *v)
{
	return worst_table_order(v->sort);
}

void view_worst_sort(struct view *v, enum worst_order order)
{
	v->sort = worst_table_column(order);
	table_home(&v->table);
}
