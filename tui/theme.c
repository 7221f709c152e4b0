/* SPDX-License-Identifier: MIT */
#include "tui/theme.h"

#define OWN COLOUR_DEFAULT
#define B LOOK_BOLD
#define D LOOK_DIM
#define U LOOK_UNDERLINE
#define R LOOK_REVERSE

/* Of the first 16 colours only green, red and magenta are sure to be seen on black and on white; the
 * rest is left to bold, underline and reverse. */
#define ROLES_OF_16 { \
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
}

/* In most palettes bold black is a grey, so what glows in 8 colours does so without it. */
#define HEAT_OF_8 { \
	{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B }, \
	{ 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 }, \
}

#define HEAT_OF_16 { \
	{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B }, \
	{ 0, 3, B }, { 0, 11, B }, { 0, 11, B }, { 0, 15, B }, \
}

/* The hottest names are as bright as text can be: white on black, black on white. */
#define WARM_OF_16 { \
	{ 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B }, \
	{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, \
}

const struct theme theme_default = {
	.name = "default",
	.roles = {
		[DEPTH_MONO] = {
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
		},
		[DEPTH_8] = ROLES_OF_16,
		[DEPTH_16] = ROLES_OF_16,
		[DEPTH_256] = {
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
		},
	},
	.heat = {
		[DEPTH_MONO] = {
			{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 },
			{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
		},
		[DEPTH_8] = HEAT_OF_8,
		[DEPTH_16] = HEAT_OF_16,
		[DEPTH_256] = {
			{ 28, OWN, 0 }, { 64, OWN, 0 }, { 100, OWN, 0 }, { 136, OWN, 0 },
			{ 16, 178, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B },
		},
	},
	.warm = {
		[DEPTH_MONO] = {
			{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 },
			{ OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
		},
		[DEPTH_8] = WARM_OF_16,
		[DEPTH_16] = WARM_OF_16,
		[DEPTH_256] = {
			{ 28, OWN, 0 }, { 64, OWN, 0 }, { 100, OWN, 0 }, { 136, OWN, 0 },
			{ 172, OWN, B }, { 172, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B },
		},
	},
	.selected = {
		[DEPTH_MONO] = { OWN, OWN, R },
		[DEPTH_8] = { OWN, OWN, R },
		[DEPTH_16] = { OWN, OWN, R },
		[DEPTH_256] = { 231, 24, 0 },
	},
	.selected_heat = {
		[DEPTH_MONO] = {
			{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
			{ OWN, OWN, B | R }, { OWN, OWN, B | R }, { OWN, OWN, B | R }, { OWN, OWN, B | R },
		},
		[DEPTH_8] = {
			{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
			{ 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 },
		},
		[DEPTH_16] = {
			{ OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R }, { OWN, OWN, R },
			{ 0, 3, B }, { 0, 11, B }, { 0, 11, B }, { 0, 15, B },
		},
		[DEPTH_256] = {
			{ 120, 24, 0 }, { 156, 24, 0 }, { 190, 24, 0 }, { 226, 24, 0 },
			{ 16, 178, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B },
		},
	},
};

enum theme_depth theme_depth(int colours)
{
	return colours >= 256 ? DEPTH_256 : colours >= 16 ? DEPTH_16 : colours >= 8 ? DEPTH_8 : DEPTH_MONO;
}

/* What has a background of its own keeps it in the row of the cursor. */
static struct look select_look(const struct theme *t, enum theme_depth depth, struct look look)
{
	struct look selected = t->selected[depth];

	if (look.background != COLOUR_DEFAULT)
		return look;
	selected.attributes |= look.attributes & (LOOK_BOLD | LOOK_UNDERLINE);
	return selected;
}

struct look theme_look(const struct theme *t, enum theme_depth depth, const struct cell *cell)
{
	uint32_t step = (uint32_t)cell->heat * THEME_HEATS / 256;
	struct look look;

	if (cell->role == ROLE_HEAT)
		return cell->selected ? t->selected_heat[depth][step] : t->heat[depth][step];
	if (cell->role == ROLE_WARM)
		look = t->warm[depth][step];
	else
		look = t->roles[depth][cell->role < ROLES ? cell->role : ROLE_PLAIN];
	return cell->selected ? select_look(t, depth, look) : look;
}
