/* SPDX-License-Identifier: MIT */
#include "tui/theme_inside.h"

const char *const theme_names[THEMES] = {
	[THEME_DEFAULT] = "default",
	[THEME_CONTRAST] = "high-contrast",
	[THEME_BLIND] = "colour-blind",
	[THEME_MONO] = "mono",
};

const struct theme *const themes[THEMES] = {
	[THEME_DEFAULT] = &theme_default,
	[THEME_CONTRAST] = &theme_contrast,
	[THEME_BLIND] = &theme_blind,
	[THEME_MONO] = &theme_mono,
};

enum theme_depth theme_depth(int colours)
{
	return colours >= 256 ? DEPTH_256 : colours >= 16 ? DEPTH_16 : colours >= 8 ? DEPTH_8 : DEPTH_MONO;
}

/* What has a background of its own keeps it in the row of the cursor. */
static struct paint select_look(const struct palette *p, struct paint look)
{
	struct paint selected = p->selected;

	if (look.background != COLOUR_DEFAULT)
		return look;
	selected.attributes |= look.attributes & (LOOK_BOLD | LOOK_UNDERLINE);
	return selected;
}

static bool is_pin(uint8_t role)
{
	return role >= ROLE_PIN_1 && role <= ROLE_PIN_4;
}

struct paint theme_look(const struct theme *t, enum theme_depth depth, const struct cell *cell)
{
	const struct palette *p = t->palettes[depth];
	uint32_t step = (uint32_t)cell->heat * THEME_HEATS / 256;
	struct paint look;

	if (cell->role == ROLE_HEAT)
		return cell->selected ? p->selected_heat[step] : p->heat[step];
	if (cell->role == ROLE_WARM)
		look = p->warm[step];
	else
		look = p->roles[cell->role < ROLES ? cell->role : ROLE_PLAIN];
	if (is_pin(cell->role) && cell->heat && cell->heat < ROLES)
		look.background = p->roles[cell->heat].foreground;
	return cell->selected ? select_look(p, look) : look;
}
