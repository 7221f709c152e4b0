/* SPDX-License-Identifier: MIT */
/*
 * proftop_export_screen: what the screen shows as a file for another program.
 */
#ifndef PROFTOP_EXPORT_SCREEN_H
#define PROFTOP_EXPORT_SCREEN_H

#include "io/source.h"
#include "tui/app/app.h"

/* Writes what the app wants exported, and says how much it was, or why it is not there. Before it begins and while it lasts it
 * says so and calls `show`, which says whether it is still wanted: where it is not, nothing is left. A file that is there already
 * stays: a name that was proposed gets a number, one that was typed is refused. `source` is of what is in focus; NULL: it has none
 * yet. */
void export_screen(struct app *app, const struct source *source, bool (*show)(void *context), void *context);

#endif
