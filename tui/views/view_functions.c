/* SPDX-License-Identifier: MIT */
/*
 * view_functions: the functions in which samples were taken, a row each, whatever measure the other views have.
 *
 *     FUNCTION         SELF▼  SELF%   TOTAL  TOTAL%  WHERE
 *   > ray_meets_box    2,104  21.0%   2,104   21.0%  physics.c:88
 *     bvh_walk         1,002  10.0%   3,318   33.1%  physics.c:131
 *
 * Functions with few samples are left out until * is pressed.
 */
#include <stdio.h>

#include "model/report/function_table.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"
#include "tui/views/view.h"

#define SUMS_FROM 10 /* lines, from where on the sums stand below the rows */

struct functions_view {
	struct view view;
	bool all; /* also those with few samples */
};

static const struct function_table *functions_of(const struct view *v)
{
	return (const struct function_table *)v->table.rows;
}

static struct function_table *make_functions(struct functions_view *v, const struct look *look)
{
	struct report_options o = view_report_options(&v->view, look, REPORT_SELF);
	uint32_t measure = profile_find_measure(look->profile, "samples");
	struct function_table *t = NULL;
	struct report *report;

	if (measure == PROFILE_NONE) {
		snprintf(v->view.why, sizeof(v->view.why), "the program takes no samples. PROF_SAMPLE=1000 makes it take 1,000 a "
			 "second of CPU time; for a program without zones: proftop run --sample -- PROGRAM");
		return NULL;
	}
	if (query_options(look->query)->selected) {
		snprintf(v->view.why, sizeof(v->view.why), "samples are known by frame, not in a part of one");
		return NULL;
	}
	o.sort = COLUMNS; /* of the report, and not of this table */
	o.invert = false;
	o.pins = NULL;
	if (query_report_in(look->query, measure, &o, &report, v->view.why, sizeof(v->view.why)) != REPORT_OK)
		return NULL;
	t = function_table_new(look->profile, report, 0, v->all ? 0 : FUNCTION_LEAST_PERCENT);
	report_free(report);
	snprintf(v->view.why, sizeof(v->view.why), t ? "" : "out of memory");
	return t;
}

static bool functions_refresh(struct view *view, const struct look *look)
{
	struct functions_view *v = (struct functions_view *)view;
	struct function_table *t = look->query ? make_functions(v, look) : NULL;

	if (t) /* before the table finds its row in it */
		function_table_sort(t, view->sort, view->invert);
	table_take(&view->table, (struct typed_table *)t);
	if (!t)
		return false;
	if (!t->table.count)
		snprintf(view->why, sizeof(view->why), t->table.left_out ? "no match for the filter" : t->others ?
			 "no function has enough samples here; * shows all" : "no samples in a known function here");
	return true;
}

/* `4,518 samples, 12 of 40 functions`, or in an average `16.1 samples a frame`. */
static void draw_samples(const struct function_table *t, struct canvas *c, struct area a)
{
	struct fields f = { .gap = 2 };
	char samples[64];

	format_count(samples, sizeof(samples), t->samples, t->scale);
	fields_add(&f, ROLE_LABEL, 1, "%s samples%s", samples, t->scale == 1 ? "" : " a frame");
	fields_add(&f, ROLE_DIM, 0, "%s of %s functions", figure_grouped(t->table.count).text,
		   figure_grouped(t->table.count + (uint64_t)t->others).text);
	fields_draw(&f, c, (struct area){ a.x + TABLE_POINTER, a.y + a.height - 1, a.width - TABLE_POINTER, 1 }, 0);
}

static void functions_draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	if (functions_of(v) && a.height >= SUMS_FROM) {
		draw_samples(functions_of(v), c, a);
		a.height--;
	}
	view_draw_table(v, look, c, a);
}

static bool functions_act(struct view *view, const struct look *look, enum command command)
{
	struct functions_view *v = (struct functions_view *)view;

	(void)look;
	if (command != COMMAND_UNFOLD_ALL)
		return table_command(&view->table, command);
	v->all = !v->all;
	return true;
}

static const struct function_row *row_at_cursor(const struct view *v)
{
	return v->table.at < table_count(&v->table) ? &functions_of(v)->rows[v->table.at] : NULL;
}

static bool functions_apply(const struct view *v, enum command command)
{
	if (command == COMMAND_UNFOLD_ALL)
		return functions_of(v) && (functions_of(v)->others || ((const struct functions_view *)v)->all);
	return (command == COMMAND_DRILL || command == COMMAND_CALLER || command == COMMAND_PATH) && row_at_cursor(v);
}

static bool functions_path(const struct view *v, const struct look *look, struct path *out)
{
	const struct function_row *row = row_at_cursor(v);
	uint32_t place;

	if (!row || !look->query)
		return false;
	path_begin(out, &place, query_keys(look->query)->id[row->key]);
	return true;
}

const struct view_ops view_functions = {
	.name = "Functions", .brief = "Func", .key = ';', .size = sizeof(struct functions_view), .refresh = functions_refresh,
	.draw = functions_draw, .command = functions_act, .applies = functions_apply, .target = functions_path,
	.measure = "samples", .guest = true, .type = &function_table_type,
};
