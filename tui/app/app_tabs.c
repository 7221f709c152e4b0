/* SPDX-License-Identifier: MIT */
/*
 * app_tabs: the line of the views, and behind it what is looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"
#include "tui/cells/fields.h"
#include "tui/cells/figures.h"

#define PATH_SHOWN 3 /* zones of a path */
#define FIELDS_APART 2 /* cells between the tabs and what is looked at */
#define BELOW_FROM 10  /* lines from the tabs to the status, from where on it may have one of its own */


static void add_average(const struct app *a, struct fields *f, bool brief)
{
	const struct profile *p = times_profile(&a->at->times);
	const char *the = brief ? "" : "the ", *average = brief ? "avg " : "average: ";

	if (a->at->times.selected_first) {
		fields_add(f, ROLE_PAUSED, 11, brief ? "%s frames" : "average of %s frames",
			   figure_grouped(a->at->times.selected_count).text);
		fields_press(f, TERM_ESCAPE);
		return;
	}
	if (a->at->times.selected_to) {
		fields_add(f, ROLE_PAUSED, 11, "%s of time",
			   figure_timed(a->at->times.selected_to - a->at->times.selected_from, p->ticks_per_s, NULL, 4,
					a->style.ascii).text);
		fields_press(f, TERM_ESCAPE);
		return;
	}
	if (a->at->times.chosen && !a->at->paused_run)
		fields_add(f, ROLE_LABEL, 8, "this frame");
	else if (a->at->times.chosen || !p->frame_count)
		fields_add(f, ROLE_LABEL, 8, "%swhole run", the);
	else if (a->choice.average == AVERAGE_NOW)
		fields_add(f, ROLE_LABEL, 8, "%snewest frame", the);
	else if (a->choice.average == AVERAGE_RUN)
		fields_add(f, ROLE_LABEL, 8, "%s%swhole run", average, the);
	else
		fields_add(f, ROLE_LABEL, 8, "%s%.1f s", average, average_seconds(a->choice.average));
	if (p->frame_count)
		fields_press(f, commands[COMMAND_AVERAGE].keys[0]);
}

/* `thread: main`, or of all threads `T threads: all (5)`: the key leads to one of them. */
static void add_thread(const struct app *a, struct fields *f, bool brief)
{
	const struct command_def *choose = &commands[COMMAND_THREADS];
	const struct profile *p = times_profile(&a->at->times);
	char text[APP_TEXT];

	app_thread_text(a, text, sizeof(text));
	if (!*text)
		return;
	if (p->thread_count > 1 && app_threads(a, p) == THREADS_ALL) {
		snprintf(text, sizeof(text), brief ? "all %u" : "threads: all (%u)", p->thread_count);
		fields_add_key(f, 9, choose->shown, text);
	} else {
		fields_add(f, ROLE_LABEL, 9, "%s%s", brief ? "" : "thread: ", text);
	}
	fields_press(f, choose->keys[0]);
}

/* `only stacks with … › ai › raycast (P)`: the innermost zones of the path. */
static void add_path(const struct app *a, struct fields *f)
{
	const struct keys *keys = query_keys(times_query(&a->at->times));
	const struct path *path = &a->at->path;
	uint32_t first = path->length > PATH_SHOWN ? path->length - PATH_SHOWN : 0;
	char text[FIELD_SIZE] = "";

	for (uint32_t i = first; i < path->length; i++) {
		uint32_t key = keys_by_id(keys, path->ids[i]);
		const char *known = key == PROFILE_NONE
					    ? NULL
					    : keys_shown(keys, times_profile(&a->at->times), key);
		char *name = known ? name_shown(known, a->style.ascii) : NULL;
		size_t length = strlen(text);

		snprintf(text + length, sizeof(text) - length, "%s%s",
			 !i ? "" : a->style.ascii ? " > " : " › ", name ? name : "?");
		free(name);
	}
	fields_add(f, ROLE_PAUSED, 11, "only stacks with%s%s (P)", first ? "" : " ", text);
	fields_press(f, commands[COMMAND_PATH].keys[0]);
}

/* With how many rows it hides, so that nobody sums up what is left. */
static void add_filter(const struct app *a, struct fields *f)
{
	const struct table *t = &app_view(a)->table;
	const char *filter = a->choice.filters[app_filter_of(a)];
	uint32_t hidden = t->rows ? t->rows->left_out : 0;

	if (!*filter || app_view(a)->ops->unfiltered)
		return;
	if (hidden)
		fields_add(f, ROLE_PAUSED, 10, "filter: %s (hides %u)", filter, hidden);
	else
		fields_add(f, ROLE_PAUSED, 10, "filter: %s", filter);
	fields_press(f, commands[COMMAND_FILTER].keys[0]);
}

static void add_choices(const struct app *a, struct fields *f, bool brief)
{
	if (!times_profile(&a->at->times))
		return;
	if (a->choice.follows && table_report(&app_view(a)->table)) {
		fields_add(f, ROLE_PAUSED, 10, brief ? "@ on zone" : "@ cursor stays on its zone");
		fields_press(f, commands[COMMAND_CURSOR].keys[0]);
	}
	if (app_view(a)->ops->scope) {
		bool of_choices = app_view(a)->ops->target && !app_view(a)->ops->thread;

		fields_add(f, ROLE_LABEL, 9, "%s", app_view(a)->ops->scope(app_view(a)));
		if (of_choices)
			add_thread(a, f, brief);
		if (of_choices && a->at->path.length)
			add_path(a, f);
		add_filter(a, f);
		return;
	}
	add_thread(a, f, brief);
	add_average(a, f, brief);
	if (a->choice.spread) {
		fields_add(f, ROLE_LABEL, 7, "%sspread", brief ? "" : "recursion: ");
		fields_press(f, commands[COMMAND_RECURSION].keys[0]);
	}
	if ((a->view == VIEW_TREE || a->view == VIEW_FLAME) && a->choice.bottom_up) {
		fields_add(f, ROLE_PAUSED, 9, "bottom-up");
		fields_press(f, commands[COMMAND_BOTTOM_UP].keys[0]);
	}
	if (a->view == VIEW_WHY && a->choice.why_by_zone) {
		fields_add(f, ROLE_LABEL, 7, "by zone");
		fields_press(f, commands[COMMAND_BY_ZONE].keys[0]);
	}
	if (app_shows_amounts(a)) {
		fields_add(f, ROLE_PAUSED, 11, brief ? "%s" : "measure: %s", a->choice.measure);
		fields_press(f, commands[COMMAND_AMOUNTS].keys[0]);
	}
	if (query_options(times_query(&a->at->times))->less_overhead) {
		fields_add(f, ROLE_PAUSED, 10, "profiling cost subtracted");
		fields_press(f, commands[COMMAND_OVERHEAD].keys[0]);
	}
	if (a->at->path.length)
		add_path(a, f);
	add_filter(a, f);
}

/* Tabs have their place and width whatever is open and viewed: the form of the line depends on the width of the screen
 * alone. The brackets of the open tab stand in cells that are blank otherwise. */
enum tab_names { TABS_FULL, TABS_SHORT, TABS_KEYS, TABS_OPEN };

static const struct form {
	enum tab_names names;
	bool all;  /* views that are spared have tabs, too */
	int about; /* cells that are left for what is looked at */
} forms[] = {
	{ TABS_FULL, true, 30 }, { TABS_SHORT, true, 20 }, { TABS_SHORT, false, 18 }, { TABS_KEYS, false, 0 },
	{ TABS_OPEN, false, 0 },
};

#define FORMS (sizeof(forms) / sizeof(*forms))
#define TAB_SIZE 32

/* The views that have a tab always. One that has none while it is closed stands behind them while it is open. */
static bool has_tab(const struct app *a, const struct form *form, enum view_kind v)
{
	const struct view_ops *ops = a->views[v]->ops;

	return form->names != TABS_OPEN && (!ops->guest || (ops->spare && form->all));
}

/* Without its brackets. */
static int put_tab(const struct app *a, const struct form *form, enum view_kind v, char out[TAB_SIZE])
{
	const struct view_ops *ops = a->views[v]->ops;

	if (form->names == TABS_KEYS)
		return snprintf(out, TAB_SIZE, " %c", ops->key);
	return snprintf(out, TAB_SIZE, " %c %s%s", ops->key, form->names == TABS_SHORT && ops->brief ? ops->brief : ops->name,
			form->names == TABS_FULL ? " " : "");
}

/* Stands behind the tabs if there are views without one. */
static const char *more_tabs(const struct app *a, const struct form *form)
{
	return form->all ? "" : a->style.ascii ? ".." : "…";
}

/* The width of the tabs that are always there, with one cell behind the last. */
static int tabs_width(const struct app *a, const struct form *form)
{
	int width = (form->names != TABS_FULL) + (int)text_width(more_tabs(a, form));

	for (enum view_kind v = 0; v < VIEWS; v++) {
		char text[TAB_SIZE];

		width += has_tab(a, form, v) ? put_tab(a, form, v, text) : 0;
	}
	return width;
}

static const struct form *form_for(const struct app *a, int width)
{
	const struct form *form = forms;

	while (form < &forms[FORMS - 1] && tabs_width(a, form) + form->about > width)
		form++;
	return form;
}

/* Returns where it ends. */
static int draw_tab(struct app *a, const struct form *form, struct canvas *c, struct area area, enum view_kind v, int x)
{
	char text[TAB_SIZE];
	int end = x + put_tab(a, form, v, text);

	canvas_text(c, area, x, 0, v == a->view ? ROLE_TAB_OPEN : ROLE_TAB, text);
	a->screen.tabs.at[a->screen.tabs.count++] = (struct press){ area.x + x, area.x + end, area.y, 1 + (uint32_t)v };
	return end;
}

/* Returns where they end. The brackets come last: they stand in blanks of what is drawn. */
static int draw_tabs(struct app *a, const struct form *form, struct canvas *c, struct area area)
{
	int x = 0, from = 0, to = 0;

	a->screen.tabs.count = 0;
	for (enum view_kind i = 0; i <= VIEWS; i++) {
		enum view_kind v = i < VIEWS ? i : a->view; /* a guest stands last */

		if (has_tab(a, form, v) != (i < VIEWS))
			continue;
		from = v == a->view ? x : from;
		x = draw_tab(a, form, c, area, v, x);
		to = v == a->view ? x : to;
	}
	canvas_text(c, area, from, 0, ROLE_TAB_OPEN, "[");
	canvas_text(c, area, form->names == TABS_FULL ? to - 1 : to, 0, ROLE_TAB_OPEN, "]");
	x += form->names != TABS_FULL;
	return x + canvas_text(c, area, x, 0, ROLE_DIM, more_tabs(a, form));
}

bool app_has_tab(const struct app *a, enum view_kind v)
{
	for (int i = 0; i < a->screen.tabs.count; i++)
		if (a->screen.tabs.at[i].key == 1 + (uint32_t)v)
			return true;
	return false;
}

/* Names what is viewed, in full words or brief ones. */
static int put_about(const struct app *a, const struct form *form, bool brief, struct fields *f)
{
	*f = (struct fields){ .gap = brief ? 2 : 3 };
	if (form->names == TABS_KEYS)
		fields_add(f, ROLE_TAB_OPEN, 12, "%s", app_view(a)->ops->name);
	add_choices(a, f, brief);
	return fields_width(f);
}

/* The line names what is viewed behind the tabs, as fully as it fits; if it does not fit at all, the next line
 * does. */
int app_draw_tabs(struct app *a, struct canvas *c, struct area area)
{
	const struct form *form = form_for(a, area.width);
	struct area line = { area.x, area.y, area.width, 1 };
	struct fields f;
	int x;

	if (area.height < 1)
		return 0;
	x = draw_tabs(a, form, c, line) + FIELDS_APART - (form->names != TABS_FULL);
	line.x += x;
	line.width -= x;
	if (put_about(a, form, false, &f) > line.width && put_about(a, form, true, &f) > line.width &&
	    area.height >= BELOW_FROM) {
		line = (struct area){ area.x + 1, area.y + 1, area.width - 1, 1 };
		if (put_about(a, form, false, &f) > line.width)
			put_about(a, form, true, &f);
	}
	fields_draw_presses(&f, c, line, 0, &a->screen.about);
	return 1 + line.y - area.y;
}
