/* SPDX-License-Identifier: MIT */
/*
 * proftop_looks: how the screen is coloured, and keeping how it is shown for the next time. Of
 * proftop_screen.c.
 */
#ifndef PROFTOP_LOOKS_H
#define PROFTOP_LOOKS_H

#include "tui/app/app.h"
#include "proftop/options.h"

struct looks {
	int colour; /* enum colour: what was asked for, not what the terminal has of it */
	int theme;  /* enum theme_kind */
};

/* The view of the screen that options.view stands for. */
enum view_kind looks_view(int option);

/* Tells the app what colours there are. */
void looks_tell(struct app *app);

void looks_fewer_colours(struct looks *l, struct app *app);
void looks_next_theme(struct looks *l, struct app *app);
void looks_set_theme(struct looks *l, struct app *app, int theme);

/* Writes the settings where the options say, as everything is now, and says what came of it. */
void looks_save(const struct looks *l, const struct options *o, struct app *app);

#endif
