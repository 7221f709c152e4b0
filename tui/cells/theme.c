/* SPDX-License-Identifier: MIT */
#include "tui/cells/theme.h"

#define OWN COLOUR_DEFAULT
#define B LOOK_BOLD
#define D LOOK_DIM
#define U LOOK_UNDERLINE
#define R LOOK_REVERSE

/* As with fewer colours: what is not said is taken from 8 and 16 colours, and then from none. Nobody means black on
 * black. */
#define AS { 0, 0, 0 }

const char *const theme_names[THEMES] = {
	[THEME_DEFAULT] = "default",
	[THEME_CONTRAST] = "high-contrast",
	[THEME_BLIND] = "colour-blind",
	[THEME_OWN] = "terminal",
	[THEME_MONO] = "mono",
};

/* What each role looks like: without colours, which is the theme mono too; then in the other themes, with 8 or 16
 * colours and with 256.
 *
 *   default        green for what is as it should be, red for what is over, yellow and white for what is hot. Of the
 *                  first 16 colours only green, red, magenta and blue are sure to be seen on black and on white, so
 *                  the rest is left to bold, underline and reverse. The hottest names are as bright as text can be:
 *                  white on black, black on white. In most palettes bold black is a grey, so what glows in 8 colours
 *                  does so without bold.
 *   high-contrast  text in the terminal's own colour, nothing dim. What stands out is bold, or has a background with
 *                  which it makes a contrast of 7 to 1 at least. Nobody knows the background of bars: they have
 *                  4.5 to 1 on black and on white.
 *   colour-blind   for eyes that do not tell red from green: blue for what is as it should be, orange for what is
 *                  over, from blue through sand to yellow and white for what is hot. Blue and yellow, dark and light
 *                  are told apart with deuteranopia and with protanopia; tests/tui_theme works out how they look.
 *   terminal       the terminal's own background everywhere: what others give one of their own is reversed, so that it
 *                  follows a light terminal as a dark one. With 256 colours each has 4 to 1 on black and on white,
 *                  where 4.58 is the most that any can have.
 */
static const struct paint roles[ROLES][1 + 2 * THEME_MONO] = {
	/*                  none                 default: 8     256              high-c.: 8           256              blind: 8             256             terminal: 8          256 */
	[ROLE_PLAIN]    = { { OWN, OWN, 0 } },
	[ROLE_TITLE]    = { { OWN, OWN, B } },
	[ROLE_STATE]    = { { OWN, OWN, B },     { 2, OWN, B }, { 28, OWN, B },  AS,                  AS,              { 4, OWN, B },       { 32, OWN, B },  { 2, OWN, B },       { 28, OWN, B } },
	[ROLE_PAUSED]   = { { OWN, OWN, B | R }, AS,            { 16, 214, B },  AS,                  { 16, 226, B },  AS,                  { 16, 214, B },  AS,                  { 130, OWN, B | R } },
	[ROLE_ALARM]    = { { OWN, OWN, B | R }, { 1, OWN, B }, { 160, OWN, B }, AS,                  { 231, 88, B },  { 1, OWN, B | R },   { 166, OWN, B | U },  { 1, OWN, B },       { 161, OWN, B } },
	[ROLE_TAB]      = { { OWN, OWN, 0 } },
	[ROLE_TAB_OPEN] = { { OWN, OWN, B | R } },
	[ROLE_COLUMN]   = { { OWN, OWN, U },     AS,            { 31, OWN, 0 },  AS,                  AS,              AS,                  { 32, OWN, 0 },  AS,                  { 30, OWN, 0 } },
	[ROLE_SORTED]   = { { OWN, OWN, B | U }, AS,            { 31, OWN, B },  AS,                  AS,              AS,                  { 32, OWN, B },  AS,                  { 30, OWN, B | U } },
	[ROLE_NAME]     = { { OWN, OWN, 0 } },
	[ROLE_FOCUS]    = { { OWN, OWN, B } },
	[ROLE_NUMBER]   = { { OWN, OWN, 0 } },
	[ROLE_DIM]      = { { OWN, OWN, D },     AS,            { 244, OWN, 0 }, { OWN, OWN, 0 },     AS,              AS,                  { 244, OWN, 0 },  AS,                  { 243, OWN, 0 } },
	[ROLE_BAR]      = { { OWN, OWN, 0 },     AS,            { 31, OWN, 0 },  AS,                  AS,              AS,                  { 32, OWN, 0 },  AS,                  { 30, OWN, 0 } },
	[ROLE_HEAT]     = { { OWN, OWN, 0 } },
	[ROLE_WARM]     = { { OWN, OWN, 0 } },
	[ROLE_GRAPH]    = { { OWN, OWN, 0 },     { 2, OWN, 0 }, { 28, OWN, 0 },  AS,                  AS,              { 4, OWN, 0 },       { 32, OWN, 0 },  { 2, OWN, 0 },       { 28, OWN, 0 } },
	[ROLE_OVER]     = { { OWN, OWN, B },     { 1, OWN, 0 }, { 160, OWN, 0 }, { 1, OWN, B },       { 163, OWN, B }, { 1, OWN, B },       { 166, OWN, 0 },  { 1, OWN, 0 },       { 161, OWN, 0 } },
	[ROLE_CHOSEN]   = { { OWN, OWN, R },     { 5, OWN, B }, { 127, OWN, B }, { 5, OWN, B },       { 29, OWN, B },  { OWN, OWN, B },  AS,  { 5, OWN, B },       { 163, OWN, B } },
	[ROLE_BUDGET]   = { { OWN, OWN, 0 },     { 5, OWN, 0 }, { 130, OWN, 0 }, AS,                  AS,              AS,                  { 244, OWN, 0 },  { 5, OWN, 0 },       { 130, OWN, 0 } },
	[ROLE_AXIS]     = { { OWN, OWN, D },     AS,            { 244, OWN, 0 }, { OWN, OWN, 0 },     AS,              AS,                  { 244, OWN, 0 },  AS,                  { 243, OWN, 0 } },
	[ROLE_MARK]     = { { OWN, OWN, B },     { 5, OWN, B }, { 127, OWN, B }, { OWN, OWN, B | U }, { 16, 226, B },  { OWN, OWN, B | U },  AS,  { 5, OWN, B },       { 163, OWN, B } },
	[ROLE_STATUS]   = { { OWN, OWN, 0 } },
	[ROLE_KEY]      = { { OWN, OWN, B },     AS,            { 31, OWN, B },  AS,                  AS,              AS,                  { 32, OWN, B },  AS,                  { 30, OWN, B } },
	[ROLE_LABEL]    = { { OWN, OWN, 0 } },
	[ROLE_PROMPT]   = { { OWN, OWN, B } },
	[ROLE_FOUND]    = { { OWN, OWN, U | R }, AS,            { 16, 220, 0 },  AS,                  { 16, 51, 0 },   AS,                  { 16, 220, 0 },  AS,                  { 130, OWN, B | R } },
	[ROLE_PIN_1]    = { { OWN, OWN, B },     { 4, OWN, B }, { 33, OWN, 0 },  { 4, OWN, B },       { 98, OWN, B },  { OWN, OWN, 0 },     { 137, OWN, 0 },  { 4, OWN, B },       { 63, OWN, 0 } },
	[ROLE_PIN_2]    = { { OWN, OWN, 0 },     { 5, OWN, 0 }, { 136, OWN, 0 }, AS,                  AS,              { 4, OWN, B },       { 98, OWN, 0 },  { 5, OWN, 0 },       { 130, OWN, 0 } },
	[ROLE_PIN_3]    = { { OWN, OWN, B },     { 1, OWN, B }, { 98, OWN, 0 },  { 5, OWN, B },       { 131, OWN, B }, AS,                  { 244, OWN, 0 },  { 1, OWN, B },       { 163, OWN, 0 } },
	[ROLE_PIN_4]    = { { OWN, OWN, 0 },     { 2, OWN, B }, { 30, OWN, 0 },  { OWN, OWN, B },     { 29, OWN, B },  { 1, OWN, 0 },       { 166, OWN, 0 },  { 2, OWN, B },       { 30, OWN, 0 } },
	[ROLE_BOX_1]      = { { OWN, OWN, 0 }, { 7, 4, 0 }, { 16, 110, 0 }, { 7, 4, 0 }, { 16, 110, 0 }, { 7, 4, 0 }, { 16, 110, 0 }, { 4, OWN, R }, { 63, OWN, R } },
	[ROLE_BOX_2]      = { { OWN, OWN, 0 }, { 0, 3, 0 }, { 16, 179, 0 }, { 0, 3, 0 }, { 16, 179, 0 }, { 0, 3, 0 }, { 16, 179, 0 }, { 5, OWN, R }, { 130, OWN, R } },
	[ROLE_BOX_3]      = { { OWN, OWN, 0 }, { 0, 2, 0 }, { 16, 108, 0 }, { 0, 2, 0 }, { 16, 108, 0 }, { 0, 2, 0 }, { 16, 152, 0 }, { 2, OWN, R }, { 28, OWN, R } },
	[ROLE_BOX_4]      = { { OWN, OWN, 0 }, { 7, 4, B }, { 16, 174, 0 }, { 7, 4, B }, { 16, 174, 0 }, { 7, 4, B }, { 16, 137, 0 }, { 1, OWN, R }, { 163, OWN, R } },
	[ROLE_BOX_5]      = { { OWN, OWN, 0 }, { 0, 6, 0 }, { 16, 140, 0 }, { 0, 6, 0 }, { 16, 140, 0 }, { 0, 6, 0 }, { 16, 146, 0 }, { 4, OWN, B | R }, { 30, OWN, R } },
	[ROLE_BOX_6]      = { { OWN, OWN, 0 }, { 7, 1, 0 }, { 16, 73, 0 }, { 7, 1, 0 }, { 16, 73, 0 }, { 7, 1, 0 }, { 16, 186, 0 }, { 5, OWN, B | R }, { 161, OWN, R } },
	[ROLE_BOX_PALE]   = { { OWN, OWN, D }, { 0, 7, 0 }, { 16, 250, 0 }, { 0, 7, 0 }, { 16, 250, 0 }, { 0, 7, 0 }, { 16, 250, 0 }, { OWN, OWN, D | R }, { 243, OWN, R } },
	[ROLE_BOX_MORE]   = { { OWN, OWN, 0 }, { 7, 1, 0 }, { 16, 216, 0 }, { 7, 1, 0 }, { 16, 216, 0 }, { 0, 3, 0 }, { 16, 222, 0 }, { 1, OWN, R }, { 161, OWN, R } },
	[ROLE_BOX_MOST]   = { { OWN, OWN, B }, { 7, 1, B }, { 231, 160, B }, { 7, 1, B }, { 231, 88, B }, { 0, 3, B }, { 16, 214, B }, { 1, OWN, B | R }, { 161, OWN, B | R } },
	[ROLE_BOX_LESS]   = { { OWN, OWN, 0 }, { 0, 2, 0 }, { 16, 151, 0 }, { 0, 2, 0 }, { 16, 151, 0 }, { 7, 4, 0 }, { 16, 153, 0 }, { 2, OWN, R }, { 28, OWN, R } },
	[ROLE_BOX_LEAST]  = { { OWN, OWN, B }, { 0, 2, B }, { 231, 28, B }, { 0, 2, B }, { 231, 22, B }, { 7, 4, B }, { 231, 25, B }, { 2, OWN, B | R }, { 28, OWN, B | R } },
	[ROLE_BOX_CHOSEN] = { { OWN, OWN, B | R }, { OWN, OWN, B | R }, { 231, 24, B }, { OWN, OWN, B | R }, { 231, 18, B }, { OWN, OWN, B | R }, { 231, 24, B }, { OWN, OWN, B | R }, { OWN, OWN, B | R } },
};

#define STEPS 4 /* of heat that is cold, and as many that glow */

/* Heat, likewise. A depth that says nothing of a part has that of the depth before it, and at last that of mono. */
enum heat_part {
	COLD,          /* the lower half */
	GLOW,          /* the upper half */
	GLOWING_NAME,  /* a name that is so hot has no background */
	SELECTED_COLD, /* the lower half in the row of the cursor */
	SELECTED,      /* that row, whatever the role: a background; the first alone */
	HEAT_PARTS
};

#define FOUR(...) { __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__ }

static const struct paint heats[THEMES][DEPTHS][HEAT_PARTS][STEPS] = {
	[THEME_MONO][DEPTH_MONO] = {
		[COLD]          = FOUR({ OWN, OWN, 0 }),
		[GLOW]          = FOUR({ OWN, OWN, B }),
		[GLOWING_NAME]  = FOUR({ OWN, OWN, B }),
		[SELECTED_COLD] = FOUR({ OWN, OWN, R }),
		[SELECTED]      = { { OWN, OWN, R } },
	},
	[THEME_DEFAULT][DEPTH_8] = {
		[COLD] = { { 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B } },
		[GLOW] = { { 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 } },
	},
	[THEME_DEFAULT][DEPTH_16] = {
		[GLOW] = { { 0, 3, B }, { 0, 11, B }, { 0, 11, B }, { 0, 15, B } },
	},
	[THEME_DEFAULT][DEPTH_256] = {
		[COLD]          = { { 28, OWN, 0 }, { 64, OWN, 0 }, { 100, OWN, 0 }, { 136, OWN, 0 } },
		[GLOW]          = { { 16, 178, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B } },
		[GLOWING_NAME]  = { { 166, OWN, B }, { 166, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B } },
		[SELECTED_COLD] = { { 120, 24, 0 }, { 156, 24, 0 }, { 190, 24, 0 }, { 226, 24, 0 } },
		[SELECTED]      = { { 231, 24, 0 } },
	},
	[THEME_CONTRAST][DEPTH_8] = {
		[COLD] = { { OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, B }, { OWN, OWN, B } },
		[GLOW] = { { 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 } },
	},
	[THEME_CONTRAST][DEPTH_16] = {
		[GLOW] = { { 0, 11, 0 }, { 0, 11, 0 }, { 0, 15, 0 }, { 0, 15, 0 } },
	},
	[THEME_CONTRAST][DEPTH_256] = {
		[GLOW]          = { { 16, 214, B }, { 16, 220, B }, { 16, 226, B }, { 16, 231, B } },
		[SELECTED_COLD] = { { 231, 18, 0 }, { 231, 18, 0 }, { 231, 18, B }, { 231, 18, B } },
		[SELECTED]      = { { 231, 18, B } },
	},
	[THEME_OWN][DEPTH_8] = {
		[COLD] = { { 2, OWN, 0 }, { 2, OWN, 0 }, { 2, OWN, B }, { 2, OWN, B } },
		[GLOW] = { { 5, OWN, R }, { 5, OWN, R }, { 1, OWN, B | R }, { 1, OWN, B | R } },
	},
	[THEME_OWN][DEPTH_256] = {
		[COLD]         = { { 28, OWN, 0 }, { 28, OWN, 0 }, { 64, OWN, 0 }, { 64, OWN, 0 } },
		[GLOW]         = { { 130, OWN, R }, { 130, OWN, B | R }, { 163, OWN, B | R }, { OWN, OWN, B | R } },
		[GLOWING_NAME] = { { 130, OWN, B }, { 130, OWN, B }, { 163, OWN, B }, { OWN, OWN, B } },
	},
	[THEME_BLIND][DEPTH_8] = {
		[COLD] = { { 4, OWN, 0 }, { 4, OWN, 0 }, { 4, OWN, B }, { 4, OWN, B } },
		[GLOW] = { { 0, 3, 0 }, { 0, 3, 0 }, { 0, 7, 0 }, { 0, 7, 0 } },
	},
	[THEME_BLIND][DEPTH_16] = {
		[GLOW] = { { 0, 3, 0 }, { 0, 11, 0 }, { 0, 11, 0 }, { 0, 15, 0 } },
	},
	[THEME_BLIND][DEPTH_256] = {
		[COLD]          = { { 32, OWN, 0 }, { 67, OWN, 0 }, { 103, OWN, 0 }, { 137, OWN, 0 } },
		[GLOW]          = { { 16, 214, B }, { 16, 220, B }, { 16, 228, B }, { 16, 231, B } },
		[GLOWING_NAME]  = { { 166, OWN, B }, { 166, OWN, B }, { OWN, OWN, B }, { OWN, OWN, B } },
		[SELECTED_COLD] = { { 153, 24, 0 }, { 189, 24, 0 }, { 223, 24, 0 }, { 222, 24, 0 } },
		[SELECTED]      = { { 231, 24, 0 } },
	},
};

enum theme_depth theme_depth(int colours)
{
	return colours >= 256 ? DEPTH_256 : colours >= 16 ? DEPTH_16 : colours >= 8 ? DEPTH_8 : DEPTH_MONO;
}

bool theme_has_areas(enum theme_kind theme, enum theme_depth depth)
{
	return theme == THEME_DEFAULT && depth == DEPTH_256;
}

static bool is_said(struct paint look)
{
	return look.foreground || look.background || look.attributes;
}

static struct paint role_look(enum theme_kind theme, enum theme_depth depth, enum role role)
{
	const struct paint *looks = roles[role], *of_theme = &looks[1 + 2 * theme];

	if (theme == THEME_MONO || depth == DEPTH_MONO)
		return looks[0];
	if (depth == DEPTH_256 && is_said(of_theme[1]))
		return of_theme[1];
	return is_said(of_theme[0]) ? of_theme[0] : looks[0];
}

static struct paint heat_look(enum theme_kind theme, enum theme_depth depth, enum heat_part part, uint32_t step)
{
	while (depth > DEPTH_MONO && !is_said(heats[theme][depth][part][0]))
		depth--;
	return heats[depth == DEPTH_MONO ? THEME_MONO : theme][depth][part][step];
}

static struct paint plain_look(enum theme_kind theme, enum theme_depth depth, const struct cell *cell)
{
	uint32_t step = (uint32_t)cell->heat * 2 * STEPS / 256;
	struct paint look;

	if (cell->role == ROLE_HEAT || cell->role == ROLE_WARM)
		return heat_look(theme, depth,
				 step < STEPS ? COLD : cell->role == ROLE_HEAT ? GLOW : GLOWING_NAME, step % STEPS);
	look = role_look(theme, depth, cell->role < ROLES ? cell->role : ROLE_PLAIN);
	if (cell->heat == IN_BAR && look.foreground != OWN)
		look.attributes ^= LOOK_REVERSE;
	else if (cell->heat > IN_BAR && cell->heat < ROLES)
		look.background = role_look(theme, depth, cell->heat).foreground;
	return look;
}

/* A cell with a background of its own keeps it in the row of the cursor. */
struct paint theme_look(enum theme_kind theme, enum theme_depth depth, const struct cell *cell)
{
	struct paint look = plain_look(theme, depth, cell), selected;
	uint32_t step = (uint32_t)cell->heat * 2 * STEPS / 256;

	if (!cell->selected || look.background != OWN)
		return look;
	if (cell->role == ROLE_HEAT && step < STEPS)
		return heat_look(theme, depth, SELECTED_COLD, step);
	selected = heat_look(theme, depth, SELECTED, 0);
	selected.attributes |= look.attributes & (LOOK_BOLD | LOOK_UNDERLINE);
	return selected;
}
