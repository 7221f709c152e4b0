/* SPDX-License-Identifier: MIT */
/*
 * app_compare: the comparison of two marks, which opens over the view that one is in, and goes back to it.
 */
#include "tui/app_inside.h"

/* In the call graph of one of its zones it is the view to go back to already. */
static void remember(struct app *a)
{
	enum view_kind from = a->view == VIEW_GRAPH ? a->came_from : a->view;

	if (from != VIEW_COMPARE)
		a->compared_from = from;
}

unsigned app_compare_back(struct app *a)
{
	a->view = a->compared_from;
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_compare(struct app *a, int unused)
{
	struct look look = app_looks(a);
	char why[256];

	(void)unused;
	if (a->view == VIEW_COMPARE)
		return app_compare_back(a);
	if (!view_compare_ready(&look, why, sizeof(why))) {
		app_say(a, "%s", why);
		return EFFECT_DRAW;
	}
	remember(a);
	app_open_view(a, VIEW_COMPARE);
	app_refresh(a);
	app_say(a, "%s", view_compare_says(app_view(a)));
	return EFFECT_DRAW;
}
