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
		add_filter(a, f);
}

void app_draw_tabs(struct app *a, struct canvas *c, struct area area)
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
