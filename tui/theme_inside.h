/* SPDX-License-Identifier: MIT */
/*
 * theme_inside: what the tables of the themes are written with. Of theme*.c alone.
 */
#ifndef TUI_THEME_INSIDE_H
#define TUI_THEME_INSIDE_H

#include "tui/theme.h"

#define OWN COLOUR_DEFAULT
#define B LOOK_BOLD
#define D LOOK_DIM
#define U LOOK_UNDERLINE
#define R LOOK_REVERSE

extern const struct palette palette_mono;
extern const struct theme theme_default, theme_contrast, theme_blind, theme_mono;

#endif
