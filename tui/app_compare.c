/* SPDX-License-Identifier: MIT */
/*
 * app_compare: the comparison of two marks, which opens over the view that one is in, and goes back to it.
 */
#include "tui/app_inside.h"

unsigned app_compare(struct app *a, int unused)
{
	struct look look = app_looks(a);
	char why[256];

	(void)unused;
	if (a->view == VIEW_COMPARE)
		return app_go_back(a);
	if (!view_compare_ready(&look, why, sizeof(why))) {
		app_say(a, "%s", why);
		return EFFECT_DRAW;
	}
	app_open_view(a, VIEW_COMPARE);
	app_refresh(a);
	app_say(a, "%s", view_compare_says(app_view(a)));
	return EFFECT_DRAW;
}
