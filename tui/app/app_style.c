/* SPDX-License-Identifier: MIT */
/*
 * app_style: how what is looked at is shown: units, digits, which characters; and whose the mouse is.
 */
#include "tui/app/app_inside.h"

void app_forget_widths(struct app *a)
{
	for (enum view_kind v = 0; v < VIEWS; v++)
		table_forget_widths(&a->views[v]->table);
	a->stale = true;
}

unsigned app_set_unit(struct app *a, enum unit unit)
{
	a->style.unit = unit;
	app_say(a, "unit: %s", unit_names[unit]);
	app_forget_widths(a);
	return EFFECT_DRAW;
}

unsigned app_next_unit(struct app *a, int unused)
{
	(void)unused;
	return app_set_unit(a, (enum unit)((a->style.unit + 1) % UNITS));
}

unsigned app_set_precision(struct app *a, int digits)
{
	a->style.precision = digits;
	if (digits < 0)
		app_say(a, "precision: automatic");
	else
		app_say(a, "precision: %d", digits);
	app_forget_widths(a);
	return EFFECT_DRAW;
}

unsigned app_next_precision(struct app *a, int unused)
{
	(void)unused;
	return app_set_precision(a, a->style.precision >= APP_PRECISION_MOST ? -1 : a->style.precision + 1);
}

unsigned app_turn_ascii(struct app *a, int unused)
{
	(void)unused;
	a->style.ascii = !a->style.ascii || a->style.ascii_only;
	if (a->style.ascii_only)
		app_say(a, "ASCII only: the locale is not UTF-8, or -U was given");
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_turn_log_axis(struct app *a, int unused)
{
	(void)unused;
	a->style.log_axis = !a->style.log_axis;
	app_say(a, a->style.log_axis ? "frame axis: log" : "frame axis: linear");
	return EFFECT_DRAW;
}

unsigned app_turn_mouse(struct app *a, int unused)
{
	(void)unused;
	a->style.mouse = !a->style.mouse;
	app_say(a, a->style.mouse ? "mouse on" : "mouse off");
	return EFFECT_DRAW | EFFECT_MOUSE;
}
