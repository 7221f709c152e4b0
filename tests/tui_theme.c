/* SPDX-License-Identifier: MIT */
/*
 * The themes can be read: every look, on a black and on a white background; and that for eyes without red
 * or green by those, too.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tui/cells/theme.h"

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
static double least_contrast(struct paint look)
{
	if (look.foreground == COLOUR_DEFAULT) {
		assert_int_equal(look.background, COLOUR_DEFAULT);
		return 21;
	}
	if (look.background != COLOUR_DEFAULT)
		return contrast(look.foreground, look.background);
	return fmin(contrast(look.foreground, BLACK), contrast(look.foreground, WHITE));
}

/* Where a look is from. */
struct case_of {
	enum theme_kind theme;
	enum theme_depth depth;
	struct cell cell;
};

static void each_of(struct case_of c, void (*check)(const struct case_of *c, struct paint look))
{
	bool heated = c.cell.role == ROLE_HEAT || c.cell.role == ROLE_WARM;

	for (int heat = 0; heat < (heated ? 256 : 1); heat++)
		for (c.cell.selected = 0; c.cell.selected < 2; c.cell.selected++) {
			c.cell.heat = (uint8_t)heat;
			check(&c, theme_look(c.theme, c.depth, &c.cell));
		}
}

static void each_look(void (*check)(const struct case_of *c, struct paint look))
{
	struct case_of c = { .cell.width = 1 };

	for (c.theme = 0; c.theme < THEMES; c.theme++)
		for (c.depth = 0; c.depth < DEPTHS; c.depth++)
			for (c.cell.role = 0; c.cell.role < ROLES; c.cell.role++)
				each_of(c, check);
}

static void is_in_the_palette(const struct case_of *c, struct paint look)
{
	static const int of_depth[DEPTHS] = { 0, 8, 16, 256 };
	int colours = c->theme == THEME_MONO ? 0 : of_depth[c->depth];

	assert_true(look.foreground >= -1 && look.foreground < colours);
	assert_true(look.background >= -1 && look.background < colours);
}

/* With few colours they are the terminal's own, and nobody knows how bright they are. */
static double least_wanted(const struct case_of *c, bool own_background)
{
	bool high = c->theme == THEME_CONTRAST;

	if (c->theme == THEME_OWN && c->depth == DEPTH_256)
		return 4;

	if (own_background)
		return high && c->depth == DEPTH_256 ? 7 : 4.5;
	return c->depth == DEPTH_256 ? high ? 4.5 : 3.1 : 2.0;
}

static void is_readable(const struct case_of *c, struct paint look)
{
	if (least_contrast(look) < least_wanted(c, look.background != COLOUR_DEFAULT))
		fail_msg("%s: role %d heat %d selected %d with depth %d: %d on %d", theme_names[c->theme],
			 c->cell.role, c->cell.heat, c->cell.selected, (int)c->depth, look.foreground,
			 look.background);
}

/* The row of the cursor is told by its background: reverse, or one of its own. */
static void shows_selection(const struct case_of *c, struct paint look)
{
	if (c->cell.selected)
		assert_true(look.background != COLOUR_DEFAULT || look.attributes & LOOK_REVERSE);
}

static void has_no_background(const struct case_of *c, struct paint look)
{
	if (c->theme == THEME_OWN)
		assert_int_equal(look.background, COLOUR_DEFAULT);
}

/* The theme of the terminal's own background has no other. */
static void the_terminal_keeps_its_background(void **state)
{
	(void)state;
	each_look(has_no_background);
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

/* The upper half glows: it has a background, and in every theme it is bold where there is none. */
static void heat_glows_in_its_upper_half(void **state)
{
	struct cell cell = { .role = ROLE_HEAT, .width = 1 };

	(void)state;
	for (enum theme_kind theme = 0; theme < THEMES; theme++)
		for (enum theme_depth depth = 0; depth < DEPTHS; depth++) {
			bool mono = theme == THEME_MONO || depth == DEPTH_MONO;
			struct paint cold, hot;

			cell.heat = 127;
			cold = theme_look(theme, depth, &cell);
			cell.heat = 128;
			hot = theme_look(theme, depth, &cell);
			assert_int_equal(cold.background, COLOUR_DEFAULT);
			if (mono)
				assert_true(hot.attributes & LOOK_BOLD);
			else
				assert_true(hot.background != COLOUR_DEFAULT || hot.attributes & LOOK_REVERSE);
		}
	cell.heat = 255;
	assert_int_equal(theme_look(THEME_DEFAULT, DEPTH_256, &cell).background, WHITE);
}

/* Eyes without the cones for green or for red, after Vienot, Brettel and Mollon (1999): what is left of
 * linear red, green and blue. */
enum eyes { DEUTERANOPIA, PROTANOPIA, EYES };

struct lab {
	double l, a, b;
};

static double cube_root(double x)
{
	return x > 0.008856 ? cbrt(x) : 7.787 * x + 16.0 / 116;
}

/* CIE L*a*b* of linear sRGB, of a white of D65. */
static struct lab lab_of(double red, double green, double blue)
{
	double x = cube_root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
	double y = cube_root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
	double z = cube_root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);

	return (struct lab){ 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static struct lab seen_by(enum eyes eyes, int colour)
{
	static const double yellow[EYES] = { 0.29275, 0.11238 }, shift[EYES] = { -0.02234, 0.00401 };
	struct rgb c = palette(colour);
	double red = linear(c.red), green = linear(c.green), blue = linear(c.blue);
	double both = yellow[eyes] * red + (1 - yellow[eyes]) * green;

	return lab_of(both, both, blue + shift[eyes] * (red - green));
}

/* How far two looks are from one another for such eyes; 2 or 3 can just be told side by side. */
static double difference(enum theme_kind theme, enum eyes eyes, enum role a, enum role b)
{
	struct cell first = { .role = (uint8_t)a, .width = 1 }, second = { .role = (uint8_t)b, .width = 1 };
	struct lab x = seen_by(eyes, theme_look(theme, DEPTH_256, &first).foreground);
	struct lab y = seen_by(eyes, theme_look(theme, DEPTH_256, &second).foreground);

	return sqrt((x.l - y.l) * (x.l - y.l) + (x.a - y.a) * (x.a - y.a) + (x.b - y.b) * (x.b - y.b));
}

/* The colours for over budget and for alarms are farther from the normal one than they are by default, and far. */
static void red_and_green_are_not_needed(void **state)
{
	static const enum role pairs[][2] = { { ROLE_GRAPH, ROLE_OVER }, { ROLE_STATE, ROLE_ALARM } };

	(void)state;
	for (enum eyes eyes = 0; eyes < EYES; eyes++)
		for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
			double far = difference(THEME_BLIND, eyes, pairs[i][0], pairs[i][1]);

			assert_true(far > 60);
			assert_true(far > 2 * difference(THEME_DEFAULT, eyes, pairs[i][0], pairs[i][1]));
		}
}

/* Nor from the cold to the glowing half of heat. */
static void heat_is_told_by_blue_and_yellow(void **state)
{
	struct cell cold = { .role = ROLE_WARM, .width = 1 }, hot = { .role = ROLE_WARM, .heat = 140 };

	(void)state;
	for (enum eyes eyes = 0; eyes < EYES; eyes++) {
		struct lab x = seen_by(eyes, theme_look(THEME_BLIND, DEPTH_256, &cold).foreground);
		struct lab y = seen_by(eyes, theme_look(THEME_BLIND, DEPTH_256, &hot).foreground);

		assert_true(x.b < -20 && y.b > 20);
	}
}

static struct rgb colour_of(enum theme_kind theme, enum theme_depth depth, enum role role)
{
	struct cell cell = { .role = (uint8_t)role, .width = 1 };

	return palette(theme_look(theme, depth, &cell).foreground);
}

static bool differ(struct rgb x, struct rgb y)
{
	return abs(x.red - y.red) + abs(x.green - y.green) + abs(x.blue - y.blue) >= 100;
}

/* Areas of colour are drawn only where the colours differ: here by what is seen with all cones. */
static void pins_in_areas_differ(void **state)
{
	(void)state;
	for (enum theme_kind theme = 0; theme < THEMES; theme++)
		for (enum theme_depth depth = 0; depth < DEPTHS; depth++)
			for (enum role a = ROLE_PIN_1; theme_has_areas(theme, depth) && a <= ROLE_PIN_4; a++)
				for (enum role b = ROLE_PIN_1; b < a; b++)
					assert_true(differ(colour_of(theme, depth, a), colour_of(theme, depth, b)));
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
		cmocka_unit_test(the_terminal_keeps_its_background),
		cmocka_unit_test(the_selected_row_is_seen),
		cmocka_unit_test(heat_glows_in_its_upper_half),
		cmocka_unit_test(every_look_is_readable),
		cmocka_unit_test(pins_in_areas_differ),
		cmocka_unit_test(red_and_green_are_not_needed),
		cmocka_unit_test(heat_is_told_by_blue_and_yellow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
