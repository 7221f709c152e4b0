/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "tui/cells/fields.h"
#include "tui/views/view.h"

/* How long rows keep their order before they are sorted exactly. Rows are made every half second or a little later, so
 * they are in exact order every two seconds. */
#define SORT_S 1.4
#define SUMS_FROM 10 /* lines, from where on the sums stand below the rows */

struct view *view_new(enum view_kind kind)
{
	static const struct view_ops *const views[VIEWS] = {
		[VIEW_SELF] = &view_self,
		[VIEW_HIER] = &view_hier,
		[VIEW_GRAPH] = &view_graph,
		[VIEW_TREE] = &view_tree,
		[VIEW_WHY] = &view_why,
		[VIEW_TIMELINE] = &view_timeline,
		[VIEW_COUNTERS] = &view_counters,
		[VIEW_EVENTS] = &view_events,
		[VIEW_COMPARE] = &view_compare,
		[VIEW_STACKS] = &view_stacks,
		[VIEW_FLAME] = &view_flame,
		[VIEW_WORST] = &view_worst,
		[VIEW_FUNCTIONS] = &view_functions,
	};
	struct view *v = calloc(1, views[kind]->size);

	if (!v)
		return NULL;
	v->ops = views[kind];
	v->kind = kind;
	v->sort = VIEW_OWN_SORT;
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	if (v->ops->close)
		v->ops->close(v);
	table_fini(&v->table);
	free(v);
}

struct report_options view_report_options(const struct view *v, const struct look *look,
					  enum report_view report)
{
	struct report_options o = REPORT_OPTIONS_DEFAULT;

	o.view = report;
	o.sort = v->sort == VIEW_OWN_SORT ? COLUMNS : (enum column)v->sort;
	o.invert = v->invert;
	o.filter = look->filter;
	o.unit = look->unit;
	o.precision = look->precision;
	o.pins = look->pins;
	o.bottom_up = look->bottom_up;
	o.by_size = look->waits_by_size;
	return o;
}

/* Why a report has no rows. */
static const char *why_nothing(const struct look *look)
{
	uint64_t number = query_options(look->query)->frame;
	const struct profile_frame *frame = number ? profile_find_frame(look->profile, number) : NULL;

	if (look->filter && *look->filter)
		return "no match for the filter";
	if (frame && frame->flags & FRAME_DISCARDED)
		return "the program discarded this frame";
	if (frame && frame_lacks(look->profile, frame, query_options(look->query)->threads, PART_MISSING | PART_LAPPED))
		return "what threads did in this frame is not known any more";
	return query_options(look->query)->path.length ? "no time in these stacks; P shows all stacks" : "no time in any zone here";
}

bool view_keeps_order(struct view *v, const struct look *look)
{
	bool keeps = look->keeps_order && v->table.rows && look->now - v->sorted < SORT_S;

	if (!keeps)
		v->sorted = look->now;
	return keeps;
}

bool view_make_report(struct view *v, const struct look *look, const struct report_options *o)
{
	struct report_options options = *o;
	struct report *report = NULL;

	*v->why = '\0';
	if (!look->query) {
		table_take_report(&v->table, NULL);
		return false;
	}
	if (view_keeps_order(v, look))
		options.before = table_report(&v->table);
	if (query_report(look->query, &options, &report, v->why, sizeof(v->why)) != REPORT_OK) {
		table_take_report(&v->table, NULL);
		return false;
	}
	table_take_report(&v->table, report);
	if (!table_count(&v->table))
		snprintf(v->why, sizeof(v->why), "%s", why_nothing(look));
	return true;
}

static void put_time(const struct report *r, int64_t value, char *out, size_t size)
{
	format_time_shown(out, size, value, r->scale, r->ticks_per_s, r->unit, r->precision, r->wall);
}

/* `busy 4.801 (no zone 0.102)   waits 11.921 ms`: what the rows are parts of, where some of them wait. */
static bool draw_sums(const struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	const struct report *r = table_report(&v->table);
	const struct report_section *s = r && r->section_count ? &r->sections[0] : NULL;
	struct fields f = { .gap = 2 };
	char text[64];

	if (!s || !s->waiting || a.height < SUMS_FROM)
		return false;
	put_time(r, s->time - s->waiting, text, sizeof(text));
	fields_add(&f, ROLE_LABEL, 0, "busy %s", text);
	put_time(r, s->outside, text, sizeof(text));
	if (s->outside)
		fields_add(&f, ROLE_DIM, 1, "(no zone %s)", text);
	put_time(r, s->waiting, text, sizeof(text));
	fields_add(&f, ROLE_DIM, 0, "waits %s %s", text, unit_title(r->unit, look->ascii));
	fields_draw(&f, c, (struct area){ a.x + TABLE_POINTER, a.y + a.height - 1, a.width - TABLE_POINTER, 1 }, 0);
	return true;
}

void view_draw_why(const char *why, struct canvas *c, struct area a)
{
	struct area words = { a.x + 2, a.y, a.width - 2, a.height }, none = { .width = words.width };
	int lines = canvas_wrapped(c, none, 0, 0, ROLE_DIM, why), y = a.height > 2 ? 2 : a.height - 1;

	if (y > a.height - lines)
		y = a.height > lines ? a.height - lines : 1;
	if (*why && a.height > 0)
		canvas_wrapped(c, words, 0, a.height > 1 ? y : 0, ROLE_DIM, why);
}

void view_draw_table(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	if (draw_sums(v, look, c, a))
		a.height--;
	table_draw(&v->table, look, c, a);
	view_draw_why(v->why, c, a);
}

bool view_row_path(const struct view *v, const struct look *look, struct path *out)
{
	const struct report_row *row = table_row(&v->table);
	uint32_t place;

	if (!row || row->zone == PROFILE_NO_ZONE || !look->query)
		return false;
	path_begin(out, &place, query_keys(look->query)->id[row->key]);
	return true;
}

bool view_table_command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

/* The self and the hierarchical report: a row a zone. */

static bool flat_refresh(struct view *v, const struct look *look)
{
	struct report_options o = view_report_options(
		v, look, v->kind == VIEW_SELF ? REPORT_SELF : REPORT_HIER);

	o.per_frame = columns_want_per_frame(o.sort, look->width ? look->width : 1);
	return view_make_report(v, look, &o);
}

static bool flat_applies(const struct view *v, enum command command)
{
	const struct report_row *row = table_row(&v->table);

	if (command == COMMAND_DRILL || command == COMMAND_CALLER || command == COMMAND_PATH)
		return row && row->zone != PROFILE_NO_ZONE;
	return false;
}

const struct view_ops view_self = {
	.name = "Self", .key = '1', .size = sizeof(struct view), .refresh = flat_refresh, .draw = view_draw_table,
	.command = view_table_command, .applies = flat_applies, .target = view_row_path,
};

const struct view_ops view_hier = {
	.name = "Hier", .key = '2', .size = sizeof(struct view), .refresh = flat_refresh, .draw = view_draw_table,
	.command = view_table_command, .applies = flat_applies, .target = view_row_path,
};
