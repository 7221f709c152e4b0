/* SPDX-License-Identifier: MIT */
/*
 * app_draw: the lines of the screen, from the top down: the banner, the frame graph, the tabs, the
 * view, the status, the footer. Where there are few lines, the least important go.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

#include "tui/app_inside.h"
#include "tui/fields.h"

#define STATS_S 0.5 /* least time between two looks at all frame lengths */
#define SAID_S 8    /* so long a message stays */
#define PATH_SHOWN 3 /* zones of a path */

/* Which lines there are, by the height of the screen; see the table. */
struct plan {
	int least; /* height from which on this is the plan */
	int banner, graph, tabs, status, footer; /* lines */
};

static const struct plan plans[] = {
	{ 45, 1, 9, 1, 1, 1 },
	{ 32, 1, 7, 1, 1, 1 },
	{ 22, 1, 5, 1, 1, 1 },
	{ 16, 1, 3, 1, 1, 1 },
	{ 11, 1, 0, 1, 1, 1 },
	{ 7, 1, 0, 0, 1, 1 },
	{ 5, 1, 0, 0, 1, 0 },
	{ 3, 1, 0, 0, 0, 0 },
	{ 0, 0, 0, 0, 0, 0 },
};

static const struct plan *plan_for(int height)
{
	const struct plan *p = plans;

	while (height < p->least)
		p++;
	return p;
}

/* The next `lines` of the area, which becomes smaller. */
static struct area take(struct area *a, int lines)
{
	struct area taken = { a->x, a->y, a->width, lines };

	a->y += lines;
	a->height -= lines;
	return taken;
}

static struct scene scene_of(const struct app *a)
{
	const struct profile_frame *newest = times_newest(&a->times);
	struct scene s = { .state = a->times.paused ? SCENE_PAUSED : a->state, .target = a->target,
			   .waiting = a->waiting, .ending = a->ending,
			   .profile = times_profile(&a->times), .lens = times_lens(&a->times),
			   .frame = a->times.chosen, .stats = &a->stats, .budget = app_budget(a),
			   .ascii = a->ascii, .mouse = a->mouse };

	s.another = a->times.paused && a->times.another;
	if (a->times.live)
		s.writer = a->times.live->process.state;
	else if (a->times.paused)
		s.writer = a->times.paused->process.state;
	if (newest) {
		s.newest = newest->number;
		s.newest_end = newest->start + newest->length;
	}
	return s;
}

/* Tabs */

static void average_text(const struct app *a, char *out, size_t size)
{
	const struct profile *p = times_profile(&a->times);

	if (a->times.chosen)
		snprintf(out, size, a->paused_run ? "the whole run" : "this frame");
	else if (!p || !p->frame_count)
		snprintf(out, size, "the whole run");
	else if (a->average == AVERAGE_FAST || a->average == AVERAGE_SLOW)
		snprintf(out, size, "average: %.1f s", average_seconds(a->average));
	else
		snprintf(out, size, a->average == AVERAGE_NOW ? "the newest frame"
							      : "average: the whole run");
}

/* `only stacks with … › ai › raycast (P)`: the innermost zones of the path. */
static void add_path(const struct app *a, struct fields *f)
{
	const struct keys *keys = lens_keys(times_lens(&a->times));
	const struct path *path = &a->path;
	uint32_t first = path->length > PATH_SHOWN ? path->length - PATH_SHOWN : 0;
	char text[FIELD_SIZE] = "";

	for (uint32_t i = first; i < path->length; i++) {
		uint32_t key = keys_by_id(keys, path->ids[i]);
		const char *known = key == PROFILE_NONE
					    ? NULL
					    : keys_shown(keys, times_profile(&a->times), key);
		char *name = known ? name_shown(known, a->ascii) : NULL;
		size_t length = strlen(text);

		snprintf(text + length, sizeof(text) - length, "%s%s",
			 !i ? "" : a->ascii ? " > " : " › ", name ? name : "?");
		free(name);
	}
	fields_add(f, ROLE_PAUSED, 11, "only stacks with%s%s (P)", first ? "" : " ", text);
}

static void add_choices(const struct app *a, struct fields *f)
{
	char text[APP_TEXT];

	if (!times_profile(&a->times))
		return;
	app_thread_text(a, text, sizeof(text));
	if (*text)
		fields_add(f, ROLE_LABEL, 9, "thread: %s", text);
	average_text(a, text, sizeof(text));
	fields_add(f, ROLE_LABEL, 8, "%s", text);
	if (a->spread)
		fields_add(f, ROLE_LABEL, 7, "recursion: spread");
	if (a->path.length)
		add_path(a, f);
	if (*a->filter)
		fields_add(f, ROLE_PAUSED, 10, "filter: %s", a->filter);
}

static void draw_tabs(struct app *a, struct canvas *c, struct area area)
{
	struct fields f = { .gap = 3 };
	int x = 0;

	a->tabs_area = area;
	if (area.height < 1)
		return;
	for (enum view_kind v = 0; v < VIEWS; v++) {
		char text[32];
		bool open = v == a->view;

		snprintf(text, sizeof(text), open ? "[%d %s]" : " %d %s ", (int)v + 1,
			 a->views[v]->ops->name);
		x += canvas_text(c, area, x, 0, open ? ROLE_TAB_OPEN : ROLE_TAB, text);
		a->tab_ends[v] = x;
	}
	add_choices(a, &f);
	area.x += x + 2;
	area.width -= x + 2;
	fields_draw(&f, c, area, 0);
}

/* Footer */

/* What a key does just now. */
static const char *label_of(const struct app *a, enum command command)
{
	if (command == COMMAND_PAUSE && a->times.paused)
		return "Live";
	if (command == COMMAND_GRAPH && a->graph_focused)
		return "Table";
	if (command == COMMAND_QUIT && (a->graph_focused || a->view == VIEW_GRAPH))
		return "Back";
	if (command == COMMAND_QUIT && a->times.paused)
		return "Live";
	return commands[command].label;
}

static void add_keys(const struct app *a, struct fields *f)
{
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		const struct command_def *def = &commands[c];
		const char *shown = a->ascii && def->ascii ? def->ascii : def->shown;
		char key[16];

		if (!def->footer || !app_applies(a, c) ||
		    (a->graph_focused && def->place == PLACE_TABLE))
			continue;
		snprintf(key, sizeof(key), "%.*s", (int)strcspn(shown, " "), shown);
		fields_add_key(f, def->footer, key, label_of(a, c));
	}
}

static void draw_position(const struct app *a, struct canvas *c, struct area *area)
{
	const struct table *t = &app_view(a)->table;
	char text[32];
	int cells;

	if (!table_count(t))
		return;
	cells = snprintf(text, sizeof(text), "%u/%u", t->at + 1, table_count(t));
	if (cells + 12 > area->width)
		return;
	canvas_text(c, *area, area->width - cells, 0, ROLE_DIM, text);
	area->width -= cells + 2;
}

/* The line that is typed, and what is wrong with it. */
static void draw_prompt(const struct app *a, struct canvas *c, struct area area)
{
	int used = (int)(text_width(a->prompt.label) + text_width(a->prompt.text)) + 4;

	prompt_draw(&a->prompt, c, area, 0);
	if (*a->message && used < area.width)
		canvas_clipped(c, area, used, 0, area.width - used, ROLE_ALARM, a->message);
}

static void draw_footer(const struct app *a, struct canvas *c, struct area area)
{
	struct fields f = { .gap = 2 };

	if (a->overlay == OVERLAY_PROMPT) {
		draw_prompt(a, c, area);
		return;
	}
	if (a->overlay == OVERLAY_LETTER) {
		canvas_text(c, area, 0, 0, ROLE_PROMPT,
			    a->asked == COMMAND_MARK ? "Mark this frame with a letter, a to z: "
						     : "To the frame with the mark: ");
		return;
	}
	if (*a->message) {
		canvas_clipped(c, area, 0, 0, area.width, ROLE_PROMPT, a->message);
		return;
	}
	if (a->overlay == OVERLAY_PICKER) {
		fields_add_key(&f, 2, "Enter", "Choose");
		fields_add_key(&f, 1, "Esc", "Back");
	} else {
		draw_position(a, c, &area);
		add_keys(a, &f);
	}
	fields_draw(&f, c, area, 0);
}

/* The body where there is nothing to look at yet */

static void draw_waiting(const struct app *a, struct canvas *c, struct area area)
{
	struct area text = { area.x + 2, area.y, area.width - 4, area.height };
	int y = area.height > 10 ? area.height / 4 : 0;

	y = canvas_wrapped(c, text, 0, y, ROLE_PLAIN, a->waiting) + 1;
	y = canvas_wrapped(c, text, 0, y, ROLE_DIM,
			   "A program that is linked with libprof and started with");
	canvas_text(c, text, 4, y, ROLE_PLAIN, "PROF_SHM=name ./program");
	canvas_wrapped(c, text, 0, y + 1, ROLE_DIM,
		       "can be looked at as `proftop name`, also later, also when it has crashed.");
	c->cursor_x = area.x;
	c->cursor_y = area.y;
}

static void draw_body(struct app *a, struct canvas *c, struct area area)
{
	struct look look = app_looks(a);

	if (look.lens)
		app_view(a)->ops->draw(app_view(a), &look, c, area);
	else
		draw_waiting(a, c, area);
}

/* All of it */

static void make_anew(struct app *a)
{
	struct look look = app_looks(a);

	if (look.profile && (a->stats_made < 0 || a->now - a->stats_made >= STATS_S)) {
		frame_stats_make(look.profile, app_budget(a), &a->stats);
		a->stats_made = a->now;
	}
	app_refresh(a);
}

static void draw_graph(struct app *a, struct canvas *c, struct area area)
{
	struct frame_graph_look look = app_graph_look(a);

	a->graph_area = area;
	if (area.height < 1)
		a->graph_focused = false;
	else
		frame_graph_draw(&a->times.graph, &look, c, area);
}

static void draw_screen(struct app *a, struct canvas *c, struct area screen)
{
	const struct plan *plan = plan_for(screen.height);
	struct scene scene = scene_of(a);
	struct area area = screen, line;

	if (plan->banner)
		banner_draw(&scene, c, take(&area, plan->banner));
	draw_graph(a, c, take(&area, times_newest(&a->times) ? plan->graph : 0));
	draw_tabs(a, c, take(&area, plan->tabs));
	line = take(&area, area.height - plan->status - plan->footer);
	draw_body(a, c, line);
	if (plan->status)
		status_draw(&scene, c, take(&area, plan->status));
	/* what is asked and said finds room also where there is no footer */
	if (plan->footer)
		draw_footer(a, c, take(&area, plan->footer));
	else if (a->overlay == OVERLAY_PROMPT || a->overlay == OVERLAY_LETTER || *a->message) {
		line = (struct area){ screen.x, screen.y + screen.height - 1, screen.width, 1 };
		for (int x = 0; x < screen.width; x++)
			canvas_text(c, line, x, 0, ROLE_PLAIN, " ");
		draw_footer(a, c, line);
	}
}

void app_draw(struct app *a, struct canvas *c, double now)
{
	struct area screen;

	a->now = now;
	c->ascii = a->ascii;
	canvas_clear(c);
	screen = canvas_area(c);
	if (a->guide.open) {
		guide_draw(&a->guide, c, screen);
		return;
	}
	if (now - a->said > SAID_S)
		*a->message = '\0';
	make_anew(a);
	draw_screen(a, c, screen);
	if (a->overlay == OVERLAY_PICKER)
		picker_draw(&a->picker, c, screen);
}
