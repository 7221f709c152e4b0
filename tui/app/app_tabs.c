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

/* What is looked at is said in fewer words where that leaves the views their names. */

static void add_average(const struct app *a, struct fields *f, bool brief)
{
	const struct profile *p = times_profile(&a->at->times);
	const char *the = brief ? "" : "the ", *average = brief ? "avg " : "average: ";

	if (a->at->times.selected_first) {
		fields_add(f, ROLE_PAUSED, 11, brief ? "%s frames" : "average of %s frames",
			   figure_grouped(a->at->times.selected->frames).text);
		fields_press(f, TERM_ESCAPE);
		return;
	}
	if (a->at->times.selected) {
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
	const struct keys *keys = lens_keys(times_lens(&a->at->times));
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
	uint32_t hidden = t->rows ? t->kind->hidden(t->rows) : 0;

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
	if (lens_options(times_lens(&a->at->times))->less_overhead) {
		fields_add(f, ROLE_PAUSED, 10, "overhead subtracted");
		fields_press(f, commands[COMMAND_OVERHEAD].keys[0]);
	}
	if (a->at->path.length)
		add_path(a, f);
	add_filter(a, f);
}

/* The line as wide as there is room: views that are closed get their short names, then what is looked at gets fewer
 * words, then there are only the keys of views, then that of the open one, too, at last the open one alone. A name is
 * never cut. */
enum tab_names { TABS_FULL, TABS_SHORT, TABS_KEYS, TABS_KEYS_ALONE, TABS_OPEN };

static const struct form {
	enum tab_names names;
	int gap;     /* of the fields */
	bool brief;  /* they are */
	bool all;    /* views that are spared have tabs, too */
} forms[] = {
	{ TABS_FULL, 3, false, true }, { TABS_FULL, 3, false, false }, { TABS_SHORT, 2, false, true },
	{ TABS_SHORT, 2, false, false }, { TABS_SHORT, 2, true, false }, { TABS_KEYS, 2, true, false },
	{ TABS_KEYS_ALONE, 2, true, false }, { TABS_OPEN, 2, true, false },
};

#define FORMS (sizeof(forms) / sizeof(*forms))
#define TAB_SIZE 32

static int put_tab(const struct app *a, const struct form *form, enum view_kind v, char out[TAB_SIZE])
{
	const struct view_ops *ops = a->views[v]->ops;

	*out = '\0';
	if (((ops->guest && !(ops->spare && form->all)) || form->names == TABS_OPEN) && v != a->view)
		return 0;
	if (v == a->view && form->names == TABS_KEYS_ALONE)
		return snprintf(out, TAB_SIZE, "[%c]", ops->key);
	if (v == a->view)
		return snprintf(out, TAB_SIZE, "[%c %s]", ops->key, ops->name);
	if (form->names >= TABS_KEYS)
		return snprintf(out, TAB_SIZE, " %c", ops->key);
	if (form->names == TABS_SHORT)
		return snprintf(out, TAB_SIZE, " %c %s", ops->key, ops->brief ? ops->brief : ops->name);
	return snprintf(out, TAB_SIZE, " %c %s ", ops->key, ops->name);
}

static int tabs_width(const struct app *a, const struct form *form)
{
	int width = 0;

	for (enum view_kind v = 0; v < VIEWS; v++) {
		char text[TAB_SIZE];

		width += put_tab(a, form, v, text);
	}
	return width;
}

/* Adds what is looked at, in the words of the form. Where only keys of views are left, pieces of it go before the
 * name of the open view. */
static const struct form *choose_form(const struct app *a, struct fields *f, int width)
{
	const struct form *form = forms;

	for (;; form++) {
		int tabs = tabs_width(a, form);

		*f = (struct fields){ .gap = form->gap };
		add_choices(a, f, form->brief);
		if (form == &forms[FORMS - 1] || tabs + FIELDS_APART + fields_width(f) <= width ||
		    (form->names >= TABS_KEYS && tabs <= width))
			return form;
	}
}

void app_draw_tabs(struct app *a, struct canvas *c, struct area area)
{
	const struct form *form;
	struct fields f;
	int x = 0;

	a->screen.tabs = area;
	if (area.height < 1)
		return;
	form = choose_form(a, &f, area.width);
	for (enum view_kind v = 0; v < VIEWS; v++) {
		char text[TAB_SIZE];

		put_tab(a, form, v, text);
		x += canvas_text(c, area, x, 0, v == a->view ? ROLE_TAB_OPEN : ROLE_TAB, text);
		a->screen.tab_ends[v] = x;
	}
	area.x += x + FIELDS_APART;
	area.width -= x + FIELDS_APART;
	fields_draw_presses(&f, c, area, 0, &a->screen.about);
}
