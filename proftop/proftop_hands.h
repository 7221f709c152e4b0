/* SPDX-License-Identifier: MIT */
/*
 * proftop_hands: what the screen hands to others: a source to the editor, a text to the clipboard.
 */
#ifndef PROFTOP_HANDS_H
#define PROFTOP_HANDS_H

#include "tui/app/app.h"

/* Opens the source that the app names in the user's editor, which has the terminal until it ends; `meanwhile` as
 * in term_lend. Says what went wrong. */
void hands_edit(struct app *app, void (*meanwhile)(void *context), void *context);

/* Copies what the canvas shows: the row of the cursor, or all of it. Says where to. */
void hands_copy(struct app *app, const struct canvas *c, bool row);

#endif
