/* SPDX-License-Identifier: MIT */
/*
 * The default theme can be read: every look, on a black and on a white background.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tui/theme.h"

#define BLACK 16
#define WHITE 231

struct rgb {
	int red, green, blue;
};

/* xterm's palette. */
static struct rgb palette(int colour)
{
	static const struct rgb first[16] = {
		{ 0, 0, 0 },	   { 205, 0, 0 }, { 0, 205, 0 }, { 205, 205, 0 },
		{ 0, 0, 238 },	   { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
		{ 127, 127, 127 }, { 255, 0, 0 }, { 0, 255, 0 }, { 255, 255, 0 },
		{ 92, 92, 255 },   { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
	};
	static const int steps[6] = { 0, 95, 135, 175, 215, 255 };
	int cube = colour - 16, grey = 8 + (colour - 232) * 10;

	if (colour < 16)
		return first[colour];
	if (colour >= 232)
		return (struct rgb){ grey, grey, grey };
	return (struct rgb){ steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6] };
}

/* Relative luminance and contrast as WCAG 2.1 defines them. */
static double linear(int component)
{
	double x = component / 255.0;

	return x <= 0.03928 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double luminance(int colour)
{
	struct rgb c = palette(colour);

	return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

static double contrast(int a, int b)
{
	double x = luminance(a), y = luminance(b);

	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

/* The least contrast that a look can have: its text on its background, or on black and on white where
 * it has none. The terminal's own text is readable on the terminal's own background only. */
static double least_contrast(struct look look)
{
	if (look.foreground == COLOUR_DEFAULT) {
		assert_int_equal(look.background, COLOUR_DEFAULT);
		return 21;
	}
	if (look.background != COLOUR_DEFAULT)
		return contrast(look.foreground, look.background);
	return fmin(contrast(look.foreground, BLACK), contrast(look.foreground, WHITE));
}

static void each_look(void (*check)(enum theme_depth depth, const struct cell *cell, struct look look))
{
	struct cell cell = { .width = 1 };

	for (enum theme_depth depth = 0; depth < DEPTHS; depth++)
		for (cell.role = 0; cell.role < ROLES; cell.role++)
			for (int heat = 0; heat < (cell.role == ROLE_HEAT ? 256 : 1); heat++)
				for (cell.selected = 0; cell.selected < 2; cell.selected++) {
					cell.heat = (uint8_t)heat;
					check(depth, &cell, theme_look(&theme_default, depth, &cell));
				}
}

static void is_in_the_palette(enum theme_depth depth, const struct cell *cell, struct look look)
{
	static const int colours[DEPTHS] = { 0, 8, 16, 256 };

	(void)cell;
	assert_true(look.foreground >= -1 && look.foreground < colours[depth]);
	assert_true(look.background >= -1 && look.background < colours[depth]);
}

static void is_readable(enum theme_depth depth, const struct cell *cell, struct look look)
{
	double least = depth == DEPTH_256 ? 3.1 : 2.0;

	if (look.background != COLOUR_DEFAULT)
		least = 4.5;
	if (least_contrast(look) < least)
		fail_msg("role %d heat %d selected %d with depth %d: %d on %d", cell->role, cell->heat,
			 cell->selected, (int)depth, look.foreground, look.background);
}

/* The row of the cursor is told by its background: reverse, or one of its own. */
static void shows_selection(enum theme_depth depth, const struct cell *cell, struct look look)
{
	(void)depth;
	if (cell->selected)
		assert_true(look.background != COLOUR_DEFAULT || look.attributes & LOOK_REVERSE);
}

static void colours_are_those_of_the_depth(void **state)
{
	(void)state;
	each_look(is_in_the_palette);
}

static void every_look_is_readable(void **state)
{
	(void)state;
	each_look(is_readable);
}

static void the_selected_row_is_seen(void **state)
{
	(void)state;
	each_look(shows_selection);
}

/* Each step is another look than that of the cold end, and the upper half is bold where bold is no
 * other colour. */
static void heat_glows_in_its_upper_half(void **state)
{
	struct cell cell = { .role = ROLE_HEAT, .width = 1 };

	(void)state;
	for (enum theme_depth depth = 0; depth < DEPTHS; depth++) {
		struct look cold, hot;

		cell.heat = 127;
		cold = theme_look(&theme_default, depth, &cell);
		cell.heat = 128;
		hot = theme_look(&theme_default, depth, &cell);
		assert_true(hot.attributes & LOOK_BOLD || hot.background != COLOUR_DEFAULT);
		assert_int_equal(cold.background, COLOUR_DEFAULT);
		assert_true(hot.background != COLOUR_DEFAULT || depth == DEPTH_MONO);
	}
	cell.heat = 255;
	assert_int_equal(theme_look(&theme_default, DEPTH_256, &cell).background, WHITE);
}

static void depths(void **state)
{
	(void)state;
	assert_int_equal(theme_depth(0), DEPTH_MONO);
	assert_int_equal(theme_depth(2), DEPTH_MONO);
	assert_int_equal(theme_depth(8), DEPTH_8);
	assert_int_equal(theme_depth(88), DEPTH_16);
	assert_int_equal(theme_depth(256), DEPTH_256);
	assert_int_equal(theme_depth(1 << 24), DEPTH_256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depths),
		cmocka_unit_test(colours_are_those_of_the_depth),
		cmocka_unit_test(the_selected_row_is_seen),
		cmocka_unit_test(heat_glows_in_its_upper_half),
		cmocka_unit_test(every_look_is_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
