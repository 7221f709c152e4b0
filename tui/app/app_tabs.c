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

#define PATH_SHOWN 3 /* zones of a path */
#define FIELDS_APART 2 /* cells between the tabs and what is looked at */

/* What is looked at is said in fewer words where that leaves the views their names. */

static void add_average(const struct app *a, struct fields *f, bool brief)
{
	const struct profile *p = times_profile(&a->at->times);
	const char *the = brief ? "" : "the ", *average = brief ? "avg " : "average: ";

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
}

/* `all threads` and `pool (2 threads)` say what they are. */
static void add_thread(const struct app *a, struct fields *f, bool brief)
{
	char text[APP_TEXT];

	app_thread_text(a, text, sizeof(text));
	if (*text)
		fields_add(f, ROLE_LABEL, 9, "%s%s", brief && strstr(text, "thread") ? "" : "thread: ",
			   text);
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
}

/* With how many rows it hides, so that nobody sums up what is left. */
static void add_filter(const struct app *a, struct fields *f)
{
	const struct table *t = &app_view(a)->table;
	const char *filter = a->choice.filters[app_filter_of(a)];
	uint32_t hidden = t->rows ? t->kind->hidden(t->rows) : 0;

	if (!*filter)
		return;
	if (hidden)
		fields_add(f, ROLE_PAUSED, 10, "filter: %s (hides %u)", filter, hidden);
	else
		fields_add(f, ROLE_PAUSED, 10, "filter: %s", filter);
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
	if (a->choice.spread)
		fields_add(f, ROLE_LABEL, 7, "%sspread", brief ? "" : "recursion: ");
	if (a->view == VIEW_WHY && a->choice.why_by_zone)
		fields_add(f, ROLE_LABEL, 7, "by zone");
	if (lens_options(times_lens(&a->at->times))->less_overhead)
		fields_add(f, ROLE_PAUSED, 10, "less overhead");
	if (a->at->path.length)
		add_path(a, f);
	add_filter(a, f);
}

/* The line as wide as there is room: the names of views that are closed become short, then what is looked at,
 * and at last there are only the keys of views. */
static const struct form {
	int letters; /* of a name, at most */
	int gap;     /* of the fields */
	bool brief;  /* they are */
} forms[] = {
	{ 8, 3, false }, { 5, 2, false }, { 5, 2, true }, { 3, 2, true }, { 0, 2, true },
};

#define FORMS (sizeof(forms) / sizeof(*forms))
#define TAB_SIZE 32

static int put_tab(const struct app *a, const struct form *form, enum view_kind v, char out[TAB_SIZE])
{
	const struct view_ops *ops = a->views[v]->ops;

	*out = '\0';
	if (ops->guest && v != a->view)
		return 0;
	if (v == a->view)
		return snprintf(out, TAB_SIZE, "[%c %s]", ops->key, ops->name);
	if (!form->letters)
		return snprintf(out, TAB_SIZE, " %c", ops->key);
	return snprintf(out, TAB_SIZE, " %c %.*s%s", ops->key, form->letters, ops->name,
			form == forms ? " " : "");
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

/* Adds what is looked at, in the words of the form. */
static const struct form *choose_form(const struct app *a, struct fields *f, int width)
{
	const struct form *form = forms;

	for (;; form++) {
		*f = (struct fields){ .gap = form->gap };
		add_choices(a, f, form->brief);
		if (form == &forms[FORMS - 1] ||
		    tabs_width(a, form) + FIELDS_APART + fields_width(f) <= width)
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
	fields_draw(&f, c, area, 0);
}
