/* SPDX-License-Identifier: MIT */
/*
 * app_output: the pane with what the program in focus prints. Whoever runs the
 * app reads the end of the file (app_wants_output); a program's end is no reason
 * to close the pane, as what it printed last is what one wants to read then.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "tui/app/app_inside.h"

bool app_wants_output(const struct app *a, unsigned track, bool at_look)
{
	return a->output_open && track == a->focus && (at_look || !a->tracks[track].output);
}

void app_take_output(struct app *a, unsigned track, struct output_tail *t, const char *why)
{
	output_tail_free(a->tracks[track].output);
	a->tracks[track].output = t;
	if (t || track != a->focus)
		return;
	a->output_open = false;
	app_say(a, "%s", why);
}

bool app_close_output(struct app *a)
{
	bool open = a->output_open;

	a->output_open = false;
	for (unsigned i = 0; i < a->track_count; i++) {
		output_tail_free(a->tracks[i].output);
		a->tracks[i].output = NULL;
	}
	return open;
}

unsigned app_turn_output(struct app *a, int unused)
{
	(void)unused;
	if (app_close_output(a))
		return EFFECT_DRAW;
	if (output_pane_fits(a->screen.body))
		a->output_open = true;
	else
		app_say(a, "the screen is too small to show the program's output");
	return EFFECT_DRAW;
}

int app_output_lines(const struct app *a, int body, int screen)
{
	return a->output_open && a->at->output ? output_pane_lines(a->at->output, body, screen) : 0;
}

void app_draw_output(const struct app *a, struct canvas *c, struct area area)
{
	const struct profile *p = times_profile(&a->at->times);
	const char *program = p && *p->process.program ? p->process.program : a->at->target, *slash = strrchr(program, '/');
	char *name = name_safe(slash && slash[1] ? slash + 1 : program, a->style.ascii);

	output_pane_draw(a->at->output, name && *name ? name : "the program", c, area);
	free(name);
}
