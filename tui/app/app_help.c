/* SPDX-License-Identifier: MIT */
/*
 * app_help: what the help says first: the keys, columns and colours of the view that is open.
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/app_inside.h"

static const struct column_help why[] = {
	{ "waiting", "Difference of the waiting zones." },
	{ "sum", "Sum of all rows: the difference of the thread's time." },
	{ NULL, NULL },
};

static const struct column_help compare[] = {
	{ "ZONE", "The first row is the frame." },
	{ "A", "The median time in a frame before mark A." },
	{ "B", "The median before mark B." },
	{ "FROM-TO", "Confidence interval of the median, 95 % for the whole table together." },
	{ "B-A", "How much the median changed." },
	{ "%", "The same in percent of A." },
	{ "IS", "slower or faster if the two intervals do not overlap, else no evidence." },
	{ NULL, NULL },
};

static const struct column_help flame[] = {
	{ "a box", "A zone below its caller, as wide as its hierarchical time. Its name gives its colour." },
	{ "an edge", "A box begins. The space below a box without children is its self time." },
	{ "░ ▒ ▓ . : #", "Boxes narrower than a cell, and how much of the cell they cover." },
	{ "pale", "It waits, or does not match the search. Against another frame: no difference." },
	{ "gone", "Zones that have time in the base frame only." },
	{ NULL, NULL },
};

static const struct column_help timeline[] = {
	{ "a box", "A call, as wide as its time. The zone's name gives its colour. The calls that it made are below "
	           "it." },
	{ "░ ▒ ▓ . : #", "Calls narrower than a cell, and how much of the cell they cover." },
	{ "a box x41", "Heat (!): it took 41 times as long as the mean call of its stack. Red is more than 3 times, "
	               "waits 10 times." },
	{ "{a box}", "All calls of a zone in a frame. Its single calls are not known any more." },
	{ "?", "What the thread did is not known any more. Single calls are known for the last seconds and for the "
	       "longest frames." },
	{ "~", "The thread did not run." },
	{ "a name with +", "The lane is folded. z unfolds it." },
	{ "above", "History and its visible part (click it), time, frames, events." },
	{ NULL, NULL },
};

/* The help for the columns of views that are not reports of zones; reports have a table of columns in model/.
 * The last has no title. NULL: the view has none of these. */
static const struct column_help *view_help(enum view_kind view)
{
	static const struct column_help *const helps[VIEWS] = {
		[VIEW_WHY] = why, [VIEW_COMPARE] = compare,
		[VIEW_FLAME] = flame, [VIEW_TIMELINE] = timeline,
	};

	return helps[view];
}

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

/* The ASCII variant behind a UTF-8 one: `. : #` of `░ ▒ ▓ . : #`. */
static const char *in_ascii(const char *title)
{
	while ((unsigned char)*title >= 128 || *title == ' ')
		title++;
	return title;
}

/* The visible columns; the help explains the others further down. */
static void add_columns(const struct app *a, struct guide_about *about)
{
	const struct table *t = &app_view(a)->table;
	const struct report *report = table_report(t);
	const struct column_help *columns = view_help(a->view);
	const struct table_type *type = app_view(a)->ops->type;

	for (int c = 0; report && c < COLUMNS; c++)
		if (t->shown >> c & 1)
			add_column(about, report_title(report, c), report_columns[c].help);
	for (uint32_t c = 0; type && c < type->column_count; c++)
		if (type->columns[c].help)
			add_column(about, type->columns[c].title, type->columns[c].help);
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
