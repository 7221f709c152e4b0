/* SPDX-License-Identifier: MIT */
#include "proftop/proftop_screen.h"

#include "model/report/columns.h"
#include "proftop/messages.h"
#include "proftop/settings.h"
#include "tui/cells/theme.h"

static const enum view_kind views[OPTION_VIEWS] = {
	[REPORT_SELF] = VIEW_SELF, [REPORT_HIER] = VIEW_HIER, [REPORT_GRAPH] = VIEW_GRAPH,
	[REPORT_TREE] = VIEW_TREE, [OPTION_VIEW_WHY] = VIEW_WHY, [OPTION_VIEW_COUNTERS] = VIEW_COUNTERS,
	[OPTION_VIEW_FLAME] = VIEW_FLAME,
	[OPTION_VIEW_THREADS] = VIEW_SELF, /* behind it, so that it is never what is saved */
	[OPTION_VIEW_WORST] = VIEW_SELF, /* likewise */
	[OPTION_VIEW_FUNCTIONS] = VIEW_FUNCTIONS,
	[OPTION_VIEW_LINES] = VIEW_FUNCTIONS, /* behind it, likewise */
	[OPTION_VIEW_TIMELINE] = VIEW_TIMELINE, [OPTION_VIEW_EVENTS] = VIEW_EVENTS,
};

enum view_kind looks_view(int option)
{
	return views[option];
}

/* The other way round; OPTION_VIEWS: -v does not know it. */
static int option_of(enum view_kind kind)
{
	int option = 0;

	while (option < OPTION_VIEWS && views[option] != kind)
		option++;
	return option;
}

void looks_tell(struct app *app)
{
	app->style.areas = term_has_areas();
	app->style.coloured = term_has_hues();
}

void looks_fewer_colours(struct looks *l, struct app *app)
{
	static const struct {
		int count, colour;
	} steps[] = { { 256, COLOUR_256 }, { 16, COLOUR_16 }, { 8, COLOUR_8 }, { 0, COLOUR_NEVER } };
	int now = term_colours(), i = 0;

	while (i < 3 && steps[i].count >= now)
		i++;
	if (!now)
		i = 0;
	term_set_colours(steps[i].count);
	looks_tell(app);
	l->colour = steps[i].colour;
	app_say(app, "colours: %d", term_colours());
}

void looks_set_theme(struct looks *l, struct app *app, int theme)
{
	l->theme = theme;
	term_set_theme(l->theme);
	looks_tell(app);
	app_say(app, "theme: %s", theme_names[l->theme]);
}

void looks_next_theme(struct looks *l, struct app *app)
{
	looks_set_theme(l, app, (l->theme + 1) % THEMES);
}

/* The column, where what the view is sorted by is one of a report, or of counters. */
static const char *sort_of(const struct view *v)
{
	if (v->ops == &view_counters && v->sort != VIEW_OWN_SORT)
		return view_counters_key(v->sort);
	return table_report(&v->table) && v->sort != VIEW_OWN_SORT ? report_columns[v->sort].key : NULL;
}

/* The options that the screen would have had to begin with. ASCII is the user's wish only where the locale
 * leaves a choice. */
static struct options options_now(const struct looks *l, const struct options *o, const struct app *app)
{
	const struct view *view = app->views[app->view];
	struct options now = *o;

	now.view = option_of(app->view);
	now.sort = sort_of(view);
	now.average = (int)app->choice.average;
	now.unit = (int)app->style.unit;
	now.precision = app->style.precision;
	now.spread = app->choice.spread;
	now.waits = app->choice.waits_by_size ? WAITS_BY_SIZE : WAITS_LAST;
	now.bottom_up = app->choice.bottom_up;
	now.by = app->choice.why_by_zone ? BY_ZONE : BY_STACK;
	now.budget_ms = app->choice.budget_ms;
	now.worst = (int)view_worst_order(app->views[VIEW_WORST]);
	now.log_axis = app->style.log_axis;
	now.no_mouse = !app->style.mouse;
	now.ascii = app->style.ascii_only ? o->ascii : app->style.ascii;
	now.colour = l->colour;
	now.theme = l->theme;
	return now;
}

void looks_save(const struct looks *l, const struct options *o, struct app *app)
{
	struct options now = options_now(l, o, app);
	char said[WHY_SIZE];

	if (o->no_config) {
		app_say(app, "not saved, because of --no-config");
		return;
	}
	settings_save(&now, o->config, said, sizeof(said));
	app_say(app, "%s", said);
}
