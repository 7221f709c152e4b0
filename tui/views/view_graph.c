/* SPDX-License-Identifier: MIT */
/*
 * view_graph: the call graph of a zone: its callers above it, what it calls below, and the path that
 * was drilled to come here. model/report/drill.h has the way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/cells/figures.h"
#include "tui/views/detail.h"
#include "tui/views/view.h"

struct graph {
	struct view view;
	struct drill drill;
	uint32_t elsewhere; /* threads that are not selected and entered the focus in what is covered */
	struct line_table *lines; /* of a focus that is a function; NULL: there are none */
};

void view_graph_begin(struct view *v, const struct path *path)
{
	struct graph *g = (struct graph *)v;

	drill_begin(&g->drill, path);
	table_home(&g->view.table);
}

bool view_graph_back(struct view *v)
{
	struct graph *g = (struct graph *)v;
	uint64_t cursor;

	if (!drill_back(&g->drill, &cursor))
		return false;
	table_home(&v->table);
	table_go(&v->table, cursor);
	return true;
}

struct drill *view_graph_drill(struct view *v)
{
	return &((struct graph *)v)->drill;
}

/* Why there is no focus. */
static void say_why(struct graph *g, const struct look *look)
{
	char *why = g->view.why;

	if (drill_focus(&g->drill))
		snprintf(why, VIEW_WHY_SIZE, "the zone has not been entered yet");
	else if (look->awaited)
		snprintf(why, VIEW_WHY_SIZE, "no zone '%s' yet", look->awaited);
	else
		snprintf(why, VIEW_WHY_SIZE, "choose a zone in another view and press Enter");
}

static void forget_lines(struct graph *g)
{
	if (g->lines)
		line_table_type.free(&g->lines->table);
	g->lines = NULL;
}

/* The number of other threads that call this zone. Without it, a user may take
 * the callers of the selected thread for all callers. */
static uint32_t threads_elsewhere(const struct look *look, uint32_t focus)
{
	const struct profile *p = look->profile;
	const struct keys *k = query_keys(look->query);
	const struct values *v = query_values(look->query);
	uint32_t selected = query_options(look->query)->threads, last = PROFILE_NONE, count = 0;

	for (uint32_t i = 0; v && i < k->node_count; i++) {
		uint32_t node = k->order[i], thread = p->nodes[node].thread;

		if (k->of_node[node] != focus || thread == last || profile_selects(p, selected, thread) ||
		    (!v->self[node] && !v->count[node]))
			continue;
		last = thread;
		count++;
	}
	return count;
}

/* The focus, as far as this profile has it. */
static bool graph_refresh(struct view *v, const struct look *look)
{
	struct graph *g = (struct graph *)v;
	struct report_options o = view_report_options(v, look, REPORT_GRAPH);

	forget_lines(g);
	if (look->query && drill_focus(&g->drill))
		o.focus = keys_by_id(query_keys(look->query), drill_focus(&g->drill));
	if (!look->query || o.focus == PROFILE_NONE) {
		table_take_report(&v->table, NULL);
		say_why(g, look);
		return false;
	}
	g->lines = query_lines(look->query, query_keys(look->query)->keys[o.focus].zone);
	g->elsewhere = threads_elsewhere(look, o.focus);
	if (!view_make_report(v, look, &o))
		return false;
	if (!table_count(&v->table) && !*look->filter)
		snprintf(v->why, sizeof(v->why), "the zone is not entered here; T and P widen the view");
	for (uint32_t i = 0; i < table_count(&v->table) && !v->table.moved; i++)
		if (table_report(&v->table)->sections[0].rows[i].role == ROW_FOCUS)
			v->table.at = i;
	return true;
}

static void enter_zone(struct graph *g, const struct look *look, const struct report_row *row)
{
	const struct report_row *cursor = table_row(&g->view.table);

	if (!drill_can_enter(row) || !look->query)
		return;
	drill_enter(&g->drill, row->role, query_keys(look->query)->id[row->key], cursor ? cursor->id : 0);
	table_home(&g->view.table);
}

static bool graph_command(struct view *v, const struct look *look, enum command command)
{
	struct graph *g = (struct graph *)v;

	if (command == COMMAND_DRILL)
		enter_zone(g, look, table_row(&v->table));
	else if (command == COMMAND_CALLER)
		enter_zone(g, look, drill_largest_caller(table_report(&v->table)));
	else
		return table_command(&v->table, command);
	return true;
}

static bool graph_applies(const struct view *v, enum command command)
{
	switch (command) {
	case COMMAND_DRILL:
		return drill_can_enter(table_row(&v->table));
	case COMMAND_CALLER:
		return drill_largest_caller(table_report(&v->table));
	case COMMAND_BACK:
		return true;
	case COMMAND_PATH:
		return drill_focus(&((const struct graph *)v)->drill);
	default:
		return false;
	}
}

static bool graph_target(const struct view *v, const struct look *look, struct path *out)
{
	const struct drill *d = &((const struct graph *)v)->drill;

	(void)look;
	*out = d->path;
	return drill_focus(d);
}

static void put_zone(struct canvas *c, struct area a, int *x, enum role role,
		     const struct look *look, uint64_t id)
{
	uint32_t key = keys_by_id(query_keys(look->query), id);
	const char *known = key == PROFILE_NONE ? NULL
						: keys_shown(query_keys(look->query), look->profile, key);
	char *name = known ? name_shown(known, look->ascii) : NULL;

	*x += canvas_clipped(c, a, *x, 0, a.width - *x, role, name ? name : "?");
	free(name);
}

/* `frame › update › [ai] › raycast  also called in 2 other threads: T`: the
 * brackets are around the zone that is shown. If the path is too long, only
 * what is around that zone is shown. */
static void draw_path(const struct graph *g, const struct look *look, struct canvas *c, struct area a)
{
	const struct drill *d = &g->drill;
	const char *arrow = look->ascii ? " > " : " › ";
	uint32_t first = d->place > 5 ? d->place - 5 : 0;
	int x = canvas_text(c, a, 1, 0, ROLE_LABEL, "path: ") + 1;

	if (first)
		x += canvas_text(c, a, x, 0, ROLE_DIM, look->ascii ? ".. > " : "… › ");
	for (uint32_t i = first; i < d->path.length && x < a.width; i++) {
		if (i > first)
			x += canvas_text(c, a, x, 0, ROLE_DIM, arrow);
		x += i == d->place ? canvas_text(c, a, x, 0, ROLE_FOCUS, "[") : 0;
		put_zone(c, a, &x, i == d->place ? ROLE_FOCUS : ROLE_NAME, look, d->path.ids[i]);
		x += i == d->place ? canvas_text(c, a, x, 0, ROLE_FOCUS, "]") : 0;
	}
	if (g->elsewhere) {
		char text[80];

		snprintf(text, sizeof(text), "also called in %s other thread%s: T", figure_grouped(g->elsewhere).text,
			 g->elsewhere == 1 ? "" : "s");
		if (x + 2 + (int)strlen(text) <= a.width)
			canvas_text(c, a, x + 2, 0, ROLE_PAUSED, text);
	}
}

/* The path above the table and the pane of the focus below it, where there is room. */
static void graph_draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	const struct drill *d = &((const struct graph *)v)->drill;
	struct area table = a;
	int lines;

	if (look->query && drill_focus(d) && a.height >= 5) {
		draw_path((const struct graph *)v, look, c, a);
		table.y++;
		table.height--;
	}
	if (look->query && table_report(&v->table)) {
		struct detail detail = { look, table_report(&v->table),
					 keys_by_id(query_keys(look->query), drill_focus(d)),
					 ((const struct graph *)v)->lines };

		lines = detail_lines(&detail, a.height);
		table.height -= lines;
		detail_draw(&detail, c, (struct area){ a.x, table.y + table.height, a.width, lines });
	}
	view_draw_table(v, look, c, table);
}

static void close_graph(struct view *v)
{
	drill_fini(&((struct graph *)v)->drill);
	forget_lines((struct graph *)v);
}

const struct view_ops view_graph = {
	.name = "Graph", .key = '3', .size = sizeof(struct graph), .refresh = graph_refresh, .draw = graph_draw,
	.command = graph_command, .applies = graph_applies, .target = graph_target, .close = close_graph,
};
