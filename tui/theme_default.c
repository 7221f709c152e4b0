/* SPDX-License-Identifier: MIT */
/*
 * theme_default: green for what is as it should be, red for what is over, yellow and white for what is
 * hot.
 *
 * Of the first 16 colours only green, red, magenta and blue are sure to be seen on black and on white;
 * the rest is left to bold, underline and reverse. The hottest names are as bright as text can be: white
 * on black, black on white. In most palettes bold black is a grey, so what glows in 8 colours does so
 * without it.
 */
#include "tui/theme_inside.h"

#define FEW_COLOURS { \
	[ROLE_PLAIN]    = { OWN, OWN, 0 }, \
	[ROLE_TITLE]    = { OWN, OWN, B }, \
	[ROLE_STATE]    = { 2, OWN, B }, \
	[ROLE_PAUSED]   = { OWN, OWN, B | R }, \
	[ROLE_ALARM]    = { 1, OWN, B }, \
	[ROLE_TAB]      = { OWN, OWN, 0 }, \
	[ROLE_TAB_OPEN] = { OWN, OWN, B | R }, \
	[ROLE_COLUMN]   = { OWN, OWN, U }, \
	[ROLE_SORTED]   = { OWN, OWN, B | U }, \
	[ROLE_NAME]     = { OWN, OWN, 0 }, \
	[ROLE_FOCUS]    = { OWN, OWN, B }, \
	[ROLE_NUMBER]   = { OWN, OWN, 0 }, \
	[ROLE_DIM]      = { OWN, OWN, D }, \
	[ROLE_BAR]      = { OWN, OWN, 0 }, \
	[ROLE_HEAT]     = { OWN, OWN, 0 }, \
	[ROLE_WARM]     = { OWN, OWN, 0 }, \
	[ROLE_GRAPH]    = { 2, OWN, 0 }, \
	[ROLE_OVER]     = { 1, OWN, 0 }, \
	[ROLE_CHOSEN]   = { 5, OWN, B }, \
	[ROLE_BUDGET]   = { 5, OWN, 0 }, \
	[ROLE_AXIS]     = { OWN, OWN, D }, \
	[ROLE_MARK]     = { 5, OWN, B }, \
	[ROLE_STATUS]   = { OWN, OWN, 0 }, \
	[ROLE_KEY]      = { OWN, OWN, B }, \
	[ROLE_LABEL]    = { OWN, OWN, 0 }, \
	[ROLE_PROMPT]   = { OWN, OWN, B }, \
	[ROLE_FOUND]    = { OWN, OWN, U | R }, \
	[ROLE_PIN_1]    = { 4, OWN, B }, \
	[ROLE_PIN_2]    = { 5, OWN, 0 }, \
	[ROLE_PIN_3]    = { 1, OWN, B }, \
	[ROLE_PIN_4]    = { 2, OWN, B }, \
}

static const struct palette of_8 = {
	.roles = FEW_COLOURS,
	.heat = {
		{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B },
		{ 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 },
	},
	.warm = {
		{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { OWN, OWN, R },
	.selected_heat = {
		{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
		{ 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 },
	},
};

static const struct palette of_16 = {
	.roles = FEW_COLOURS,
	.heat = {
		{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B },
		{ 0, 3, B }, { 0, 11, B }, { 0, 11, B }, { 0, 15, B },
	},
	.warm = {
		{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { OWN, OWN, R },
	.selected_heat = {
		{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
		{ 0, 3, B }, { 0, 11, B }, { 0, 11, B }, { 0, 15, B },
	},
};

static const struct palette of_256 = {
	.roles = {
		[ROLE_PLAIN]    = { OWN, OWN, 0 },
		[ROLE_TITLE]    = { OWN, OWN, B },
		[ROLE_STATE]    = { 28, OWN, B },
		[ROLE_PAUSED]   = { 16, 214, B },
		[ROLE_ALARM]    = { 160, OWN, B },
		[ROLE_TAB]      = { OWN, OWN, 0 },
		[ROLE_TAB_OPEN] = { OWN, OWN, B | R },
		[ROLE_COLUMN]   = { 31, OWN, 0 },
		[ROLE_SORTED]   = { 31, OWN, B },
		[ROLE_NAME]     = { OWN, OWN, 0 },
		[ROLE_FOCUS]    = { OWN, OWN, B },
		[ROLE_NUMBER]   = { OWN, OWN, 0 },
		[ROLE_DIM]      = { 244, OWN, 0 },
		[ROLE_BAR]      = { 31, OWN, 0 },
		[ROLE_HEAT]     = { OWN, OWN, 0 },
		[ROLE_WARM]     = { OWN, OWN, 0 },
		[ROLE_GRAPH]    = { 28, OWN, 0 },
		[ROLE_OVER]     = { 160, OWN, 0 },
		[ROLE_CHOSEN]   = { 127, OWN, B },
		[ROLE_BUDGET]   = { 130, OWN, 0 },
		[ROLE_AXIS]     = { 244, OWN, 0 },
		[ROLE_MARK]     = { 127, OWN, B },
		[ROLE_STATUS]   = { OWN, OWN, 0 },
		[ROLE_KEY]      = { 31, OWN, B },
		[ROLE_LABEL]    = { OWN, OWN, 0 },
		[ROLE_PROMPT]   = { OWN, OWN, B },
		[ROLE_FOUND]    = { 16, 220, 0 },
		[ROLE_PIN_1]    = { 33, OWN, 0 },
		[ROLE_PIN_2]    = { 136, OWN, 0 },
		[ROLE_PIN_3]    = { 98, OWN, 0 },
		[ROLE_PIN_4]    = { 30, OWN, 0 },
	},
	.heat = {
		{ 28, OWN, 0 }, { 64, OWN, 0 }, { 100, OWN, 0 }, { 136, OWN, 0 },
		{ 16, 178, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B },
	},
	.warm = {
		{ 28, OWN, 0 }, { 64, OWN, 0 }, { 100, OWN, 0 }, { 136, OWN, 0 },
		{ 166, OWN, B }, { 166, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { 231, 24, 0 },
	.selected_heat = {
		{ 120, 24, 0 }, { 156, 24, 0 }, { 190, 24, 0 }, { 226, 24, 0 },
		{ 16, 178, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B },
	},
	.areas = true,
};

const struct theme theme_default = {
	.palettes = {
		[DEPTH_MONO] = &palette_mono, [DEPTH_8] = &of_8, [DEPTH_16] = &of_16, [DEPTH_256] = &of_256,
	},
};
