/* SPDX-License-Identifier: MIT */
/*
 * theme_blind: for eyes that do not tell red from green: blue for what is as it should be, orange for what
 * is over, from blue through sand to yellow and white for what is hot. Blue and yellow, dark and light are
 * told apart with deuteranopia and with protanopia; tests/tui_theme works out how they look then.
 */
#include "tui/theme_inside.h"

#define FEW_COLOURS { \
	[ROLE_PLAIN]    = { OWN, OWN, 0 }, \
	[ROLE_TITLE]    = { OWN, OWN, B }, \
	[ROLE_STATE]    = { 4, OWN, B }, \
	[ROLE_PAUSED]   = { OWN, OWN, B | R }, \
	[ROLE_ALARM]    = { 1, OWN, B | R }, \
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
	[ROLE_GRAPH]    = { 4, OWN, 0 }, \
	[ROLE_OVER]     = { 1, OWN, B }, \
	[ROLE_CHOSEN]   = { OWN, OWN, B }, \
	[ROLE_BUDGET]   = { OWN, OWN, 0 }, \
	[ROLE_AXIS]     = { OWN, OWN, D }, \
	[ROLE_MARK]     = { OWN, OWN, B | U }, \
	[ROLE_STATUS]   = { OWN, OWN, 0 }, \
	[ROLE_KEY]      = { OWN, OWN, B }, \
	[ROLE_LABEL]    = { OWN, OWN, 0 }, \
	[ROLE_PROMPT]   = { OWN, OWN, B }, \
	[ROLE_FOUND]    = { OWN, OWN, U | R }, \
	[ROLE_PIN_1]    = { OWN, OWN, 0 }, \
	[ROLE_PIN_2]    = { 4, OWN, B }, \
	[ROLE_PIN_3]    = { OWN, OWN, B }, \
	[ROLE_PIN_4]    = { 1, OWN, 0 }, \
}

static const struct palette of_8 = {
	.roles = FEW_COLOURS,
	.heat = {
		{ 4, OWN, 0 }, { 4, OWN, 0 }, { 4, OWN, B }, { 4, OWN, B },
		{ 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 },
	},
	.warm = {
		{ 4, OWN, 0 }, { 4, OWN, 0 }, { 4, OWN, B }, { 4, OWN, B },
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
		{ 4, OWN, 0 }, { 4, OWN, 0 }, { 4, OWN, B }, { 4, OWN, B },
		{ 0, 3, 0 }, { 0, 11, 0 }, { 0, 11, 0 }, { 0, 15, 0 },
	},
	.warm = {
		{ 4, OWN, 0 }, { 4, OWN, 0 }, { 4, OWN, B }, { 4, OWN, B },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { OWN, OWN, R },
	.selected_heat = {
		{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
		{ 0, 3, 0 }, { 0, 11, 0 }, { 0, 11, 0 }, { 0, 15, 0 },
	},
};

static const struct palette of_256 = {
	.roles = {
		[ROLE_PLAIN]    = { OWN, OWN, 0 },
		[ROLE_TITLE]    = { OWN, OWN, B },
		[ROLE_STATE]    = { 32, OWN, B },
		[ROLE_PAUSED]   = { 16, 214, B },
		[ROLE_ALARM]    = { 166, OWN, B | U },
		[ROLE_TAB]      = { OWN, OWN, 0 },
		[ROLE_TAB_OPEN] = { OWN, OWN, B | R },
		[ROLE_COLUMN]   = { 32, OWN, 0 },
		[ROLE_SORTED]   = { 32, OWN, B },
		[ROLE_NAME]     = { OWN, OWN, 0 },
		[ROLE_FOCUS]    = { OWN, OWN, B },
		[ROLE_NUMBER]   = { OWN, OWN, 0 },
		[ROLE_DIM]      = { 244, OWN, 0 },
		[ROLE_BAR]      = { 32, OWN, 0 },
		[ROLE_HEAT]     = { OWN, OWN, 0 },
		[ROLE_WARM]     = { OWN, OWN, 0 },
		[ROLE_GRAPH]    = { 32, OWN, 0 },
		[ROLE_OVER]     = { 166, OWN, 0 },
		[ROLE_CHOSEN]   = { OWN, OWN, B },
		[ROLE_BUDGET]   = { 244, OWN, 0 },
		[ROLE_AXIS]     = { 244, OWN, 0 },
		[ROLE_MARK]     = { OWN, OWN, B | U },
		[ROLE_STATUS]   = { OWN, OWN, 0 },
		[ROLE_KEY]      = { 32, OWN, B },
		[ROLE_LABEL]    = { OWN, OWN, 0 },
		[ROLE_PROMPT]   = { OWN, OWN, B },
		[ROLE_FOUND]    = { 16, 220, 0 },
		[ROLE_PIN_1]    = { 137, OWN, 0 },
		[ROLE_PIN_2]    = { 98, OWN, 0 },
		[ROLE_PIN_3]    = { 244, OWN, 0 },
		[ROLE_PIN_4]    = { 166, OWN, 0 },
	},
	.heat = {
		{ 32, OWN, 0 }, { 67, OWN, 0 }, { 103, OWN, 0 }, { 137, OWN, 0 },
		{ 16, 214, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B },
	},
	.warm = {
		{ 32, OWN, 0 }, { 67, OWN, 0 }, { 103, OWN, 0 }, { 137, OWN, 0 },
		{ 166, OWN, B }, { 166, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { 231, 24, 0 },
	.selected_heat = {
		{ 153, 24, 0 }, { 189, 24, 0 }, { 223, 24, 0 }, { 222, 24, 0 },
		{ 16, 214, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B },
	},
};

const struct theme theme_blind = {
	.palettes = {
		[DEPTH_MONO] = &palette_mono, [DEPTH_8] = &of_8, [DEPTH_16] = &of_16, [DEPTH_256] = &of_256,
	},
};
