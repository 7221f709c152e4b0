/* SPDX-License-Identifier: MIT */
/*
 * view_flat: the self and the hierarchical report: a row a zone.
 */
#include "tui/views/view.h"

static bool refresh(struct view *v, const struct look *look)
{
	struct report_options o = view_report_options(
		v, look, v->kind == VIEW_SELF ? REPORT_SELF : REPORT_HIER);

	o.per_frame = columns_want_per_frame(o.sort, look->width ? look->width : 1);
	return view_make_report(v, look, &o);
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	(void)look;
	return table_command(&v->table, command);
}

static bool applies(const struct view *v, enum command command)
{
	const struct report_row *row = table_row(&v->table);

	if (command == COMMAND_DRILL || command == COMMAND_CALLER || command == COMMAND_PATH)
		return row && row->zone != PROFILE_NO_ZONE;
	return false;
}

const struct view_ops view_self = {
	.name = "Self", .key = '1', .size = sizeof(struct view), .refresh = refresh, .draw = view_draw_table,
	.command = command, .applies = applies, .target = view_row_path,
};

const struct view_ops view_hier = {
	.name = "Hier", .key = '2', .size = sizeof(struct view), .refresh = refresh, .draw = view_draw_table,
	.command = command, .applies = applies, .target = view_row_path,
};
