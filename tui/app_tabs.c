/* SPDX-License-Identifier: MIT */
/*
 * app_tabs: the line of the views, and behind it what is looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "tui/app_inside.h"
#include "tui/fields.h"

#define PATH_SHOWN 3 /* zones of a path */
#define FIELDS_APART 2 /* cells between the tabs and what is looked at */

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

/* With how many rows it hides, so that nobody sums up what is left. */
static void add_filter(const struct app *a, struct fields *f)
{
	const struct table *t = &app_view(a)->table;
	uint32_t hidden = t->rows ? t->kind->hidden(t->rows) : 0;

	if (!*a->filter)
		return;
	if (hidden)
		fields_add(f, ROLE_PAUSED, 10, "filter: %s (hides %u)", a->filter, hidden);
	else
		fields_add(f, ROLE_PAUSED, 10, "filter: %s", a->filter);
}

static void add_choices(const struct app *a, struct fields *f)
{
	char text[APP_TEXT];

	if (!times_profile(&a->times))
		return;
	if (app_view(a)->ops->scope) {
		fields_add(f, ROLE_LABEL, 9, "%s", app_view(a)->ops->scope(app_view(a)));
		add_filter(a, f);
		return;
	}
	app_thread_text(a, text, sizeof(text));
	if (*text)
		fields_add(f, ROLE_LABEL, 9, "thread: %s", text);
	average_text(a, text, sizeof(text));
	fields_add(f, ROLE_LABEL, 8, "%s", text);
	if (a->spread)
		fields_add(f, ROLE_LABEL, 7, "recursion: spread");
	if (a->path.length)
		add_path(a, f);
	add_filter(a, f);
}

/* Tabs as wide as there is room for beside what is looked at: the names of those that are closed become short, and
 * at last there are only their keys. */
static const struct form {
	const char *open, *closed;
	int gap; /* of the fields */
} forms[] = {
	{ "[%c %s]", " %c %s ", 3 },
	{ "[%c %s]", " %c %.5s", 2 },
	{ "[%c %s]", " %c", 2 },
};

#define TAB_SIZE 32

static int put_tab(const struct app *a, const struct form *form, enum view_kind v, char out[TAB_SIZE])
{
	const struct view_ops *ops = a->views[v]->ops;

	return snprintf(out, TAB_SIZE, v == a->view ? form->open : form->closed, ops->key, ops->name);
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

static const struct form *choose_form(const struct app *a, struct fields *f, int width)
{
	const struct form *form = forms;

	for (;; form++) {
		f->gap = form->gap;
		if (form == &forms[2] || tabs_width(a, form) + FIELDS_APART + fields_width(f) <= width)
			return form;
	}
}

void app_draw_tabs(struct app *a, struct canvas *c, struct area area)
{
	struct fields f = { 0 };
	const struct form *form;
	int x = 0;

	a->tabs_area = area;
	if (area.height < 1)
		return;
	add_choices(a, &f);
	form = choose_form(a, &f, area.width);
	for (enum view_kind v = 0; v < VIEWS; v++) {
		char text[TAB_SIZE];

		put_tab(a, form, v, text);
		x += canvas_text(c, area, x, 0, v == a->view ? ROLE_TAB_OPEN : ROLE_TAB, text);
		a->tab_ends[v] = x;
	}
	area.x += x + FIELDS_APART;
	area.width -= x + FIELDS_APART;
	fields_draw(&f, c, area, 0);
}
