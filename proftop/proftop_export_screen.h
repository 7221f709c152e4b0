/* SPDX-License-Identifier: MIT */
/*
 * proftop_export_screen: what the screen shows as a file for another program. It
 * is written beside the screen, which says how far it is.
 */
#ifndef PROFTOP_EXPORT_SCREEN_H
#define PROFTOP_EXPORT_SCREEN_H

#include "io/source.h"
#include "proftop/export_beside.h"
#include "tui/app/app.h"

#define EXPORT_PATH (PROMPT_SIZE + 16)

struct export_screen {
	struct app *app;
	struct export_beside beside;
	char path[EXPORT_PATH], *shown; /* the file, and its name for the user; owned */
	bool is_new; /* nothing had that name before */
};

/* Begins to write what the app wants exported. A file that is there already
 * stays: a proposed name gets a number, a typed one is refused. One file is
 * written at a time. `source` is of what is in focus; NULL: it has none yet. */
void export_screen_begin(struct export_screen *x, struct app *app, const struct source *source);

static inline bool export_screen_runs(const struct export_screen *x)
{
	return x->beside.pid > 0;
}

/* Says in the last line how far it is; at the end, how large the file is, or why
 * it is not there. False: nothing is being written. */
bool export_screen_look(struct export_screen *x);

/* Nothing is left of the file, and the last line says so. */
void export_screen_cancel(struct export_screen *x);

/* As proftop ends: likewise, on standard error. */
void export_screen_end(struct export_screen *x);

#endif
