/* SPDX-License-Identifier: MIT */
/*
 * view_graph: the call graph of a zone: its callers above it, what it calls below, and the path that
 * was drilled to come here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/array.h"
#include "model/text.h"
#include "tui/view.h"

#define STEPS_MOST 1000 /* that one can go back */

/* What was looked at before a step. */
struct step {
	struct path path;
	uint32_t place;
	uint64_t cursor;
};

struct graph {
	struct view view;
	struct path path; /* length 0: there is no focus yet */
	uint32_t place;   /* of the focus in the path */
	struct step *steps;
	uint32_t count, capacity;
	bool arrived; /* the cursor has been put on the focus */
};

static uint64_t focus_of(const struct graph *g)
{
	return g->path.ids[g->place];
}

static void arrive(struct graph *g)
{
	table_home(&g->view.table);
	g->arrived = false;
}

void view_graph_begin(struct view *v, const struct path *path)
{
	struct graph *g = (struct graph *)v;

	g->path = *path;
	g->place = path->length ? path->length - 1 : 0;
	g->count = 0;
	arrive(g);
}

bool view_graph_back(struct view *v)
{
	struct graph *g = (struct graph *)v;
	const struct step *step;

	if (!g->count)
		return false;
	step = &g->steps[--g->count];
	g->path = step->path;
	g->place = step->place;
	g->arrived = true;
	table_home(&v->table);
	table_go(&v->table, step->cursor);
	return true;
}

const struct path *view_graph_path(const struct view *v, uint32_t *place)
{
	const struct graph *g = (const struct graph *)v;

	*place = g->place;
	return g->path.length ? &g->path : NULL;
}

void view_graph_paths(struct view *v, void (*visit)(void *context, struct path *path), void *context)
{
	struct graph *g = (struct graph *)v;

	visit(context, &g->path);
	for (uint32_t i = 0; i < g->count; i++)
		visit(context, &g->steps[i].path);
}

/* Why there is no focus. */
static void say_why(struct graph *g, const struct look *look)
{
	char *why = g->view.why;

	if (g->path.length)
		snprintf(why, VIEW_WHY_SIZE, "the zone has not been entered yet");
	else if (look->awaited)
		snprintf(why, VIEW_WHY_SIZE, "there is no zone '%s' yet", look->awaited);
	else
		snprintf(why, VIEW_WHY_SIZE, "choose a zone in another view and press Enter");
}

/* The focus, as far as this profile has it. */
static bool refresh(struct view *v, const struct look *look)
{
	struct graph *g = (struct graph *)v;
	struct report_options o = view_report_options(v, look, REPORT_GRAPH);

	if (look->lens && g->path.length)
		o.focus = keys_by_id(lens_keys(look->lens), focus_of(g));
	if (!look->lens || o.focus == PROFILE_NONE) {
		table_take_report(&v->table, NULL);
		say_why(g, look);
		return false;
	}
	if (!view_make_report(v, look, &o))
		return false;
	if (!table_count(&v->table) && !*look->filter)
		snprintf(v->why, sizeof(v->why), "the zone is not entered here: T and P choose more");
	if (g->arrived)
		return true;
	for (uint32_t i = 0; i < table_count(&v->table); i++)
		if (table_report(&v->table)->sections[0].rows[i].role == ROW_FOCUS)
			table_go(&v->table, table_report(&v->table)->sections[0].rows[i].id);
	g->arrived = true;
	return true;
}

static void remember(struct graph *g)
{
	const struct report_row *row = table_row(&g->view.table);
	struct step step = { g->path, g->place, row ? row->id : 0 };

	if (g->count == STEPS_MOST)
		memmove(g->steps, g->steps + 1, --g->count * sizeof(*g->steps));
	if (array_reserve(&g->steps, &g->capacity, (uint64_t)g->count + 1, sizeof(*g->steps)))
		g->steps[g->count++] = step;
}

static bool can_enter(const struct report_row *row)
{
	return row && row->role != ROW_FOCUS && row->zone != PROFILE_NO_ZONE;
}

static void enter(struct graph *g, const struct look *look, const struct report_row *row)
{
	uint64_t id;

	if (!can_enter(row) || !look->lens)
		return;
	id = lens_keys(look->lens)->id[row->key];
	remember(g);
	if (row->role == ROW_CALLER)
		path_to_caller(&g->path, &g->place, id);
	else
		path_to_child(&g->path, &g->place, id);
	arrive(g);
}

/* The caller next to the focus, in the order of time whatever the rows are sorted by. */
static const struct report_row *largest_caller(const struct view *v)
{
	const struct report_row *largest = NULL;

	for (uint32_t i = 0; i < table_count(&v->table); i++) {
		const struct report_row *row = &table_report(&v->table)->sections[0].rows[i];

		if (row->role == ROW_CALLER && can_enter(row) &&
		    (!largest || row->values[COLUMN_HIER].exact >
					 largest->values[COLUMN_HIER].exact))
			largest = row;
	}
	return largest;
}

static bool command(struct view *v, const struct look *look, enum command command)
{
	struct graph *g = (struct graph *)v;

	if (command == COMMAND_DRILL)
		enter(g, look, table_row(&v->table));
	else if (command == COMMAND_CALLER)
		enter(g, look, largest_caller(v));
	else
		return table_command(&v->table, command);
	return true;
}

static bool applies(const struct view *v, enum command command)
{
	switch (command) {
	case COMMAND_DRILL:
		return can_enter(table_row(&v->table));
	case COMMAND_CALLER:
		return largest_caller(v);
	case COMMAND_BACK:
		return true;
	case COMMAND_PATH:
		return ((const struct graph *)v)->path.length;
	default:
		return false;
	}
}

static bool target(const struct view *v, const struct look *look, struct path *out)
{
	const struct graph *g = (const struct graph *)v;

	(void)look;
	*out = g->path;
	return g->path.length;
}

static void put_zone(struct canvas *c, struct area a, int *x, enum role role,
		     const struct look *look, uint64_t id)
{
	uint32_t key = keys_by_id(lens_keys(look->lens), id);
	const char *known = key == PROFILE_NONE ? NULL
						: keys_shown(lens_keys(look->lens), look->profile, key);
	char *name = known ? name_shown(known, look->ascii) : NULL;

	*x += canvas_clipped(c, a, *x, 0, a.width - *x, role, name ? name : "?");
	free(name);
}

/* `frame › update › [ai] › raycast`; of a long path, what is around the focus. */
static void draw_path(const struct graph *g, const struct look *look, struct canvas *c, struct area a)
{
	const char *arrow = look->ascii ? " > " : " › ";
	uint32_t first = g->place > 5 ? g->place - 5 : 0;
	int x = canvas_text(c, a, 1, 0, ROLE_LABEL, "drilled: ") + 1;

	if (first)
		x += canvas_text(c, a, x, 0, ROLE_DIM, look->ascii ? ".. > " : "… › ");
	for (uint32_t i = first; i < g->path.length && x < a.width; i++) {
		if (i > first)
			x += canvas_text(c, a, x, 0, ROLE_DIM, arrow);
		put_zone(c, a, &x, i == g->place ? ROLE_FOCUS : ROLE_NAME, look, g->path.ids[i]);
	}
}

/* `src/ray.c:118   depth 2, 31.0 recursive entries` of the focus. */
static void draw_focus(const struct view *v, const struct look *look, struct canvas *c,
		       struct area a, int y)
{
	const struct report *r = table_report(&v->table);
	uint32_t key = keys_by_id(lens_keys(look->lens), focus_of((const struct graph *)v));
	const struct profile_zone *zone = &look->profile->zones[lens_keys(look->lens)->keys[key].zone];
	char *file = name_safe(zone->file, look->ascii);
	int x = 1;

	if (file && *file) {
		char line[16];

		snprintf(line, sizeof(line), ":%u", zone->line);
		x += canvas_text(c, a, x, y, ROLE_DIM, file);
		x += canvas_text(c, a, x, y, ROLE_DIM, line) + 3;
	}
	free(file);
	if (r->section_count && r->sections[0].recursive) {
		char count[48], text[128];

		format_count(count, sizeof(count), r->sections[0].recursive, r->scale);
		snprintf(text, sizeof(text), "depth %u, %s recursive entries",
			 r->sections[0].depth, count);
		canvas_text(c, a, x, y, ROLE_LABEL, text);
	}
}

/* The path above the table and the place of the zone below it, where there is room. */
static void draw(struct view *v, const struct look *look, struct canvas *c, struct area a)
{
	const struct graph *g = (const struct graph *)v;
	struct area table = a;

	if (look->lens && g->path.length && a.height >= 5) {
		draw_path(g, look, c, a);
		table.y++;
		table.height--;
	}
	if (look->lens && table_report(&v->table) && a.height >= 8) {
		table.height--;
		draw_focus(v, look, c, a, a.height - 1);
	}
	view_draw_table(v, look, c, table);
}

static void close_graph(struct view *v)
{
	free(((struct graph *)v)->steps);
}

const struct view_ops view_graph = {
	.name = "Graph", .key = '3', .size = sizeof(struct graph), .refresh = refresh, .draw = draw,
	.command = command, .applies = applies, .target = target, .close = close_graph,
};
