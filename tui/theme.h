/* SPDX-License-Identifier: MIT */
/*
 * theme: what each role looks like, with 256, 16, 8 colours or none.
 *
 * A theme is a table; it knows no terminal. Colours are numbers of xterm's palette, of which the first
 * 8 and 16 are the terminal's own. Nobody knows whether the background is dark or light, so text stands
 * on it in the terminal's own colour or in one between; what wants a bright colour brings its own
 * background.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "tui/canvas.h"

enum theme_depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTHS };

enum look_attributes { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_UNDERLINE = 4, LOOK_REVERSE = 8 };

#define COLOUR_DEFAULT (-1) /* the terminal's own */

struct look {
	int16_t foreground, background;
	uint8_t attributes;
};

#define THEME_HEATS 8 /* steps from cold to hot; the upper half glows */

struct theme {
	const char *name;
	struct look roles[DEPTHS][ROLES];
	struct look heat[DEPTHS][THEME_HEATS];
	struct look warm[DEPTHS][THEME_HEATS]; /* the same for a name: no background */
	struct look selected[DEPTHS]; /* the row of the cursor, whatever the role: a background */
	struct look selected_heat[DEPTHS][THEME_HEATS];
};

extern const struct theme theme_default;

/* 0, 8, 16 or 256: the depth that so many colours are enough for. */
enum theme_depth theme_depth(int colours);

struct look theme_look(const struct theme *t, enum theme_depth depth, const struct cell *cell);

#endif
