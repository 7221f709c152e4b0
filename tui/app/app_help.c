/* SPDX-License-Identifier: MIT */
/*
 * app_help: what the help says first: the keys, columns and colours of the view that is open.
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/app_inside.h"
#include "tui/views/view_help.h"

/* The keys that do something now, including those that the footer never shows. */
static void add_keys(const struct app *a, struct fields *f)
{
	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		const struct command_def *def = &commands[c];
		const char *shown = a->style.ascii && def->ascii ? def->ascii : def->shown;
		char key[16];

		if (!def->label || !app_offers(a, c) || c == COMMAND_HELP)
			continue;
		snprintf(key, sizeof(key), "%.*s", (int)strcspn(shown, " "), shown);
		fields_add_key(f, 0, key, app_label(a, c));
	}
}

static void add_column(struct guide_about *about, const char *title, const char *help)
{
	if (about->column_count < TABLE_COLUMNS)
		about->columns[about->column_count++] = (struct column_help){ title, help };
}

/* What stands behind signs that are not of it, `. : #` of `░ ▒ ▓ . : #`. */
static const char *in_ascii(const char *title)
{
	while ((unsigned char)*title >= 128 || *title == ' ')
		title++;
	return title;
}

/* Those that are in sight; what the others are stands further down. */
static void add_columns(const struct app *a, struct guide_about *about)
{
	const struct table *t = &app_view(a)->table;
	const struct report *report = table_report(t);
	const struct column_help *columns = view_help(a->view);

	for (int c = 0; report && c < COLUMNS; c++)
		if (t->shown >> c & 1)
			add_column(about, report_title(report, c), report_columns[c].help);
	for (; columns && columns->title; columns++)
		add_column(about, a->style.ascii ? in_ascii(columns->title) : columns->title, columns->help);
}

unsigned app_help(struct app *a, int unused)
{
	struct guide_about *about = &a->guide.about;
	enum command command = command_of_key((unsigned char)app_view(a)->ops->key, PLACE_TABLE);

	(void)unused;
	*about = (struct guide_about){ .view = app_view(a)->ops->name, .what = commands[command].help,
				       .has_heat = table_report(&app_view(a)->table) && a->view != VIEW_TREE && a->view != VIEW_FLAME,
				       .has_bars = a->screen.graph.height > 0, .has_rows = table_report(&app_view(a)->table) };
	add_keys(a, &about->keys);
	add_columns(a, about);
	a->guide.open = true;
	a->guide.all = false;
	a->guide.top = 0;
	return EFFECT_DRAW;
}
