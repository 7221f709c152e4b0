/* SPDX-License-Identifier: MIT */
/*
 * app_footer: the last line: what is typed, what is said, or the keys that do something now.
 */
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"
#include "tui/cells/fields.h"

#define CLEARS "^U clears" /* a line that came filled */
#define STACKS_IMPORTANCE 11 /* where the open stacks matter: more than all but the ways out */

/* Where a pause leads back to: a program that ended has a newest frame, but is not live. */
static const char *live_label(const struct app *a)
{
	return scene_lives(a->at->state) ? "Live" : "Newest";
}

/* The label of a command at the moment: the same key can pause and go live. */
const char *app_label(const struct app *a, enum command command)
{
	if (command == COMMAND_PAUSE && a->at->times.paused)
		return live_label(a);
	if (command == COMMAND_GRAPH && app_several(a) &&
	    (a->screen.graph.height < 1 || (a->screen.graph_focused && !app_is_last_track(a))))
		return "Next";
	if (command == COMMAND_GRAPH && a->screen.graph_focused)
		return "Table";
	if (command == COMMAND_CURSOR && a->choice.follows)
		return "Untrack";
	if (command == COMMAND_STACKS && a->view == VIEW_STACKS)
		return "Back";
	if (command == COMMAND_AMOUNTS && app_shows_amounts(a))
		return "Times";
	if (command == COMMAND_QUIT && (a->screen.graph_focused || a->view == VIEW_GRAPH || app_view(a)->ops->guest ||
					app_view(a)->ops->leads_back))
		return "Back";
	if (command == COMMAND_QUIT && a->at->times.paused)
		return live_label(a);
	if (command == COMMAND_WHY && app_why_ends(a) && a->view == VIEW_WHY)
		return "Close why";
	if (command == COMMAND_DRILL && app_view(a)->ops->frame)
		return app_view(a)->ops->frame_label;
	return commands[command].label;
}

#define WIDE_FROM 120 /* cells, from where on files that can be written are always offered */
#define WIDE_IMPORTANCE 7
#define BASE_IMPORTANCE 9 /* of D, in Why; of &, if a measure is shown */

/* If the program hangs or died, its open zones are what the user looks for first. */
static uint8_t importance_of(const struct app *a, enum command command)
{
	const struct profile *live = a->at->times.paused ? NULL : a->at->times.live;
	bool hangs = scene_lives(a->at->state) && live && frame_stats_hang(live, &a->at->stats);

	if (command == COMMAND_STACKS && (a->at->state == SCENE_DEAD || hangs) && a->view != VIEW_STACKS)
		return STACKS_IMPORTANCE;
	if (command == COMMAND_WHY_BASE && a->view == VIEW_WHY)
		return BASE_IMPORTANCE;
	if (command == COMMAND_AMOUNTS && app_shows_amounts(a))
		return BASE_IMPORTANCE;
	if ((command == COMMAND_EXPORT || command == COMMAND_RECORD) && (int)a->screen.width >= WIDE_FROM)
		return WIDE_IMPORTANCE;
	return commands[command].footer;
}

/* Its key means something else among boxes. */
static bool is_hidden(const struct app *a, enum command command)
{
	return commands[command].place == PLACE_TABLE && app_view(a)->ops->place == PLACE_BOXES &&
	       command_of_key(commands[command].keys[0], PLACE_BOXES) != command;
}

bool app_offers(const struct app *a, enum command command)
{
	enum command_place place = commands[command].place;

	return app_applies(a, command) && !is_hidden(a, command) &&
	       !(a->screen.graph_focused && (place == PLACE_TABLE || place == PLACE_BOXES));
}

/* Commands that have a place in the footer now, and their labels. */
struct offered {
	enum command commands[COMMANDS];
	const char *labels[COMMANDS];
	uint32_t count;
};

static void take_offered(const struct app *a, struct offered *o)
{
	o->count = 0;
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		if (!commands[c].footer || !app_offers(a, c))
			continue;
		o->commands[o->count] = c;
		o->labels[o->count++] = app_label(a, c);
	}
}

/* Another key does the same as number `i`: of two, q goes, else the one that is less important. */
static bool is_offered_twice(const struct offered *o, uint32_t i, bool *is_as_quit)
{
	enum command command = o->commands[i];
	bool twice = false;

	*is_as_quit = false;
	for (uint32_t k = 0; k < o->count; k++) {
		enum command other = o->commands[k];

		if (k == i || strcmp(o->labels[k], o->labels[i]))
			continue;
		*is_as_quit |= other == COMMAND_QUIT;
		twice |= command == COMMAND_QUIT || (other != COMMAND_QUIT && commands[other].footer > commands[command].footer);
	}
	return twice;
}

/* A key that stands for q stays as long as q would. */
static void add_keys(const struct app *a, struct fields *f)
{
	struct offered o;

	take_offered(a, &o);
	for (uint32_t i = 0; i < o.count; i++) {
		enum command c = o.commands[i];
		const struct command_def *def = &commands[c];
		const char *shown = a->style.ascii && def->ascii ? def->ascii : def->shown;
		bool is_as_quit;
		char key[16];

		if (is_offered_twice(&o, i, &is_as_quit))
			continue;
		snprintf(key, sizeof(key), "%.*s", (int)strcspn(shown, " "), shown);
		fields_add_key(f, is_as_quit ? commands[COMMAND_QUIT].footer : importance_of(a, c), key, o.labels[i]);
		fields_press(f, def->keys[0]);
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

/* Cells of the last line that are left for what is said. */
static int room_for_said(const struct app *a, int width)
{
	if (a->ask.overlay != OVERLAY_PROMPT)
		return width;
	return width - (int)(text_width(a->ask.prompt.label) + text_width(a->ask.prompt.text)) - 4;
}

/* While a line is typed, the message says what is wrong with it, or how it can go on. */
static enum role role_of_said(const struct app *a)
{
	return a->ask.overlay == OVERLAY_PROMPT && !a->said.choices ? ROLE_ALARM : ROLE_PROMPT;
}

/* The line that is typed, and what is said of it. */
static void draw_prompt(const struct app *a, struct canvas *c, struct area area)
{
	int room = room_for_said(a, area.width);

	prompt_draw(&a->ask.prompt, c, area, 0);
	if (*a->said.text && (int)text_width(a->said.text) <= room)
		canvas_text(c, area, area.width - room, 0, role_of_said(a), a->said.text);
	else if (a->ask.prompt.filled && room > (int)strlen(CLEARS))
		canvas_text(c, area, area.width - (int)strlen(CLEARS), 0, ROLE_DIM, CLEARS);
}

bool app_says_more(const struct app *a, int width)
{
	return *a->said.text && !a->said.brief && a->ask.overlay != OVERLAY_LETTER &&
	       (int)text_width(a->said.text) > room_for_said(a, width);
}

const char *app_dot(const struct app *a)
{
	return a->style.ascii ? "; " : " · ";
}

void app_draw_said(const struct app *a, struct canvas *c, struct area body)
{
	enum role role = role_of_said(a);
	struct area none = { .width = body.width };
	int lines;

	if (!app_says_more(a, body.width))
		return;
	lines = canvas_wrapped(c, none, 0, 0, role, a->said.text);
	if (lines > body.height)
		lines = body.height;
	body.y += body.height - lines;
	body.height = lines;
	for (int y = 0; y < lines; y++)
		for (int x = 0; x < body.width; x++) {
			canvas_text(c, body, x, y, ROLE_PLAIN, " ");
			canvas_cell(c, body.x + x, body.y + y)->selected = 0;
		}
	canvas_wrapped(c, body, 0, 0, role, a->said.text);
}

void app_draw_footer(struct app *a, struct canvas *c, struct area area)
{
	struct fields f = { .gap = 2 };

	if (a->ask.overlay == OVERLAY_PROMPT) {
		draw_prompt(a, c, area);
		return;
	}
	if (a->ask.overlay == OVERLAY_LETTER) {
		canvas_text(c, area, 0, 0, ROLE_PROMPT,
			    a->ask.command == COMMAND_MARK ? "Mark this frame with a letter, a to z (Enter: the next free one): "
						     : "Go to the frame with the mark, a to z: ");
		return;
	}
	if (*a->said.text && !app_says_more(a, area.width)) {
		canvas_clipped(c, area, 0, 0, area.width, ROLE_PROMPT, a->said.text);
		return;
	}
	if (*a->said.progress && a->ask.overlay == OVERLAY_NONE) {
		canvas_clipped(c, area, 0, 0, area.width, ROLE_PROMPT, a->said.progress);
		return;
	}
	if (a->ask.overlay == OVERLAY_PICKER) {
		fields_add_key(&f, 2, "Enter", "Choose");
		fields_press(&f, TERM_ENTER);
		fields_add_key(&f, 2, "Esc", "Back");
		fields_press(&f, TERM_ESCAPE);
		fields_add(&f, ROLE_LABEL, 1, "type to filter");
	} else {
		draw_position(a, c, &area);
		add_keys(a, &f);
	}
	fields_draw_presses(&f, c, area, 0, &a->screen.footer);
}
