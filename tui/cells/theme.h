/* SPDX-License-Identifier: MIT */
/*
 * theme: what each role looks like, with 256, 16, 8 colours or none.
 *
 * All themes stand in one table, a role a row; it knows no terminal. Colours are numbers of xterm's palette, of which
 * the first 8 and 16 are the terminal's own. Nobody knows whether the background is dark or light, so text stands
 * on it in the terminal's own colour or in one between; what wants a bright colour brings its own
 * background.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "tui/cells/canvas.h"

enum theme_depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTHS };

enum look_attributes { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_UNDERLINE = 4, LOOK_REVERSE = 8 };

#define COLOUR_DEFAULT (-1) /* the terminal's own */

struct paint {
	int16_t foreground, background;
	uint8_t attributes;
};

enum theme_kind { THEME_DEFAULT, THEME_CONTRAST, THEME_BLIND, THEME_OWN, THEME_MONO, THEMES };

extern const char *const theme_names[THEMES]; /* `default`, `high-contrast`, `colour-blind`, `terminal`, `mono` */

/* 0, 8, 16 or 256: the depth that so many colours are enough for. */
enum theme_depth theme_depth(int colours);

struct paint theme_look(enum theme_kind theme, enum theme_depth depth, const struct cell *cell);

/* Whether the colours of pins tell them apart, as areas; else they are drawn as digits. */
bool theme_has_areas(enum theme_kind theme, enum theme_depth depth);

#endif
