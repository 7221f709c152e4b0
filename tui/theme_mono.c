/* SPDX-License-Identifier: MIT */
/*
 * theme_mono: no colours, whatever the terminal has: bold, dim, underline and reverse. It is also what
 * every theme comes down to where the terminal has none.
 */
#include "tui/theme_inside.h"

const struct palette palette_mono = {
	.roles = {
		[ROLE_PLAIN]    = { OWN, OWN, 0 },
		[ROLE_TITLE]    = { OWN, OWN, B },
		[ROLE_STATE]    = { OWN, OWN, B },
		[ROLE_PAUSED]   = { OWN, OWN, B | R },
		[ROLE_ALARM]    = { OWN, OWN, B | R },
		[ROLE_TAB]      = { OWN, OWN, 0 },
		[ROLE_TAB_OPEN] = { OWN, OWN, B | R },
		[ROLE_COLUMN]   = { OWN, OWN, U },
		[ROLE_SORTED]   = { OWN, OWN, B | U },
		[ROLE_NAME]     = { OWN, OWN, 0 },
		[ROLE_FOCUS]    = { OWN, OWN, B },
		[ROLE_NUMBER]   = { OWN, OWN, 0 },
		[ROLE_DIM]      = { OWN, OWN, D },
		[ROLE_BAR]      = { OWN, OWN, 0 },
		[ROLE_HEAT]     = { OWN, OWN, 0 },
		[ROLE_WARM]     = { OWN, OWN, 0 },
		[ROLE_GRAPH]    = { OWN, OWN, 0 },
		[ROLE_OVER]     = { OWN, OWN, B },
		[ROLE_CHOSEN]   = { OWN, OWN, R },
		[ROLE_BUDGET]   = { OWN, OWN, 0 },
		[ROLE_AXIS]     = { OWN, OWN, D },
		[ROLE_MARK]     = { OWN, OWN, B },
		[ROLE_STATUS]   = { OWN, OWN, 0 },
		[ROLE_KEY]      = { OWN, OWN, B },
		[ROLE_LABEL]    = { OWN, OWN, 0 },
		[ROLE_PROMPT]   = { OWN, OWN, B },
		[ROLE_FOUND]    = { OWN, OWN, U | R },
		[ROLE_PIN_1]    = { OWN, OWN, B },
		[ROLE_PIN_2]    = { OWN, OWN, 0 },
		[ROLE_PIN_3]    = { OWN, OWN, B },
		[ROLE_PIN_4]    = { OWN, OWN, 0 },
	},
	.heat = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.warm = {
		{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 },
		{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
	},
	.selected = { OWN, OWN, R },
	.selected_heat = {
		{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
		{ OWN, OWN, B | R }, { OWN, OWN, B | R }, { OWN, OWN, B | R }, { OWN, OWN, B | R },
	},
};

const struct theme theme_mono = {
	.palettes = {
		[DEPTH_MONO] = &palette_mono, [DEPTH_8] = &palette_mono, [DEPTH_16] = &palette_mono,
		[DEPTH_256] = &palette_mono,
	},
};
