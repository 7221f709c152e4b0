/* SPDX-License-Identifier: MIT */
/*
 * theme_contrast: text in the terminal's own colour, nothing dim. What stands out is bold or has a
 * background with which it makes a contrast of 7 to 1 at least; bars, of which nobody knows the background,
 * have 4.5 to 1 on black and on white.
 */
#include "tui/theme_inside.h"

#define FEW_COLOURS { \
	[ROLE_PLAIN]    = { OWN, OWN, 0 }, \
	[ROLE_TITLE]    = { OWN, OWN, B }, \
	[ROLE_STATE]    = { OWN, OWN, B }, \
	[ROLE_PAUSED]   = { OWN, OWN, B | R }, \
	[ROLE_ALARM]    = { OWN, OWN, B | R }, \
	[ROLE_TAB]      = { OWN, OWN, 0 }, \
	[ROLE_TAB_OPEN] = { OWN, OWN, B | R }, \
	[ROLE_COLUMN]   = { OWN, OWN, U }, \
	[ROLE_SORTED]   = { OWN, OWN, B | U }, \
	[ROLE_NAME]     = { OWN, OWN, 0 }, \
	[ROLE_FOCUS]    = { OWN, OWN, B }, \
	[ROLE_NUMBER]   = { OWN, OWN, 0 }, \
	[ROLE_DIM]      = { OWN, OWN, 0 }, \
	[ROLE_BAR]      = { OWN, OWN, 0 }, \
	[ROLE_HEAT]     = { OWN, OWN, 0 }, \
	[ROLE_WARM]     = { OWN, OWN, 0 }, \
	[ROLE_GRAPH]    = { OWN, OWN, 0 }, \
	[ROLE_OVER]     = { 1, OWN, B }, \
	[ROLE_CHOSEN]   = { 5, OWN, B }, \
	[ROLE_BUDGET]   = { OWN, OWN, 0 }, \
	[ROLE_AXIS]     = { OWN, OWN, 0 }, \
	[ROLE_MARK]     = { OWN, OWN, B | U }, \
	[ROLE_STATUS]   = { OWN, OWN, 0 }, \
	[ROLE_KEY]      = { OWN, OWN, B }, \
	[ROLE_LABEL]    = { OWN, OWN, 0 }, \
	[ROLE_PROMPT]   = { OWN, OWN, B }, \
	[ROLE_FOUND]    = { OWN, OWN, U | R }, \
	[ROLE_PIN_1]    = { 4, OWN, B }, \
	[ROLE_PIN_2]    = { OWN, OWN, 0 }, \
	[ROLE_PIN_3]    = { 5, OWN, B }, \
	[ROLE_PIN_4]    = { OWN, OWN, B }, \
}

static const struct palette of_8 = {
	.roles = FEW_COLOURS,
	.heat = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B },
		{ 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 },
	},
	.warm = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B },
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
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B },
		{ 0, 11, 0 }, { 0, 11, 0 }, { 0, 15, 0 }, { 0, 15, 0 },
	},
	.warm = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { OWN, OWN, R },
	.selected_heat = {
		{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
		{ 0, 11, 0 }, { 0, 11, 0 }, { 0, 15, 0 }, { 0, 15, 0 },
	},
};

static const struct palette of_256 = {
	.roles = {
		[ROLE_PLAIN]    = { OWN, OWN, 0 },
		[ROLE_TITLE]    = { OWN, OWN, B },
		[ROLE_STATE]    = { OWN, OWN, B },
		[ROLE_PAUSED]   = { 16, 226, B },
		[ROLE_ALARM]    = { 231, 88, B },
		[ROLE_TAB]      = { OWN, OWN, 0 },
		[ROLE_TAB_OPEN] = { OWN, OWN, B | R },
		[ROLE_COLUMN]   = { OWN, OWN, U },
		[ROLE_SORTED]   = { OWN, OWN, B | U },
		[ROLE_NAME]     = { OWN, OWN, 0 },
		[ROLE_FOCUS]    = { OWN, OWN, B },
		[ROLE_NUMBER]   = { OWN, OWN, 0 },
		[ROLE_DIM]      = { OWN, OWN, 0 },
		[ROLE_BAR]      = { OWN, OWN, 0 },
		[ROLE_HEAT]     = { OWN, OWN, 0 },
		[ROLE_WARM]     = { OWN, OWN, 0 },
		[ROLE_GRAPH]    = { OWN, OWN, 0 },
		[ROLE_OVER]     = { 163, OWN, B },
		[ROLE_CHOSEN]   = { 29, OWN, B },
		[ROLE_BUDGET]   = { OWN, OWN, 0 },
		[ROLE_AXIS]     = { OWN, OWN, 0 },
		[ROLE_MARK]     = { 16, 226, B },
		[ROLE_STATUS]   = { OWN, OWN, 0 },
		[ROLE_KEY]      = { OWN, OWN, B },
		[ROLE_LABEL]    = { OWN, OWN, 0 },
		[ROLE_PROMPT]   = { OWN, OWN, B },
		[ROLE_FOUND]    = { 16, 51, 0 },
		[ROLE_PIN_1]    = { 98, OWN, B },
		[ROLE_PIN_2]    = { OWN, OWN, 0 },
		[ROLE_PIN_3]    = { 131, OWN, B },
		[ROLE_PIN_4]    = { 29, OWN, B },
	},
	.heat = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B },
		{ 16, 214, B }, { 16, 220, B }, { 16, 226, B }, { 16, 231, B },
	},
	.warm = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { 231, 18, B },
	.selected_heat = {
		{ 231, 18, 0 }, { 231, 18, 0 }, { 231, 18, B }, { 231, 18, B },
		{ 16, 214, B }, { 16, 220, B }, { 16, 226, B }, { 16, 231, B },
	},
};

const struct theme theme_contrast = {
	.palettes = {
		[DEPTH_MONO] = &palette_mono, [DEPTH_8] = &of_8, [DEPTH_16] = &of_16, [DEPTH_256] = &of_256,
	},
};
