/* SPDX-License-Identifier: MIT */
/*
 * output_pane: the last lines of what the program prints, below the view.
 *
 *   output of game: 12.3 KiB in /tmp/proftop-game.4711.aB3dE.out
 *   level 3 loaded
 *   warning: texture 'fog' is missing
 *
 * The output is a file's end, in any bytes. It is made safe as it is drawn: a
 * colour (ESC [ ... m) is left out, a tab becomes blanks, of a line with
 * carriage returns the text behind the last one is shown. Every other control
 * character, and every byte that is not UTF-8, becomes `\xNN`.
 */
#ifndef TUI_OUTPUT_PANE_H
#define TUI_OUTPUT_PANE_H

#include <stddef.h>

#include "tui/cells/canvas.h"

struct output_tail;

/* Copies the last `length` bytes of an output of `size` bytes. `file` is where
 * it is. NULL: out of memory. */
struct output_tail *output_tail_new(const char *file, const char *bytes, size_t length, uint64_t size);
void output_tail_free(struct output_tail *t); /* NULL: nothing */

/* Whether a body of so many lines has room for the pane. */
bool output_pane_fits(int body);

/* The lines that the pane takes of such a body, on a screen of so many. */
int output_pane_lines(const struct output_tail *t, int body, int screen);

/* `program`: its name, safe to show. */
void output_pane_draw(const struct output_tail *t, const char *program, struct canvas *c, struct area a);

#endif
